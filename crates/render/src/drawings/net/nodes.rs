//! Places and transitions as drawn.

use motet_model::{PlacePicture, TokenPicture, TransitionPicture};

use super::words::{escaped, width};
use super::{Drawing, INNER, Room, Size};
use crate::typesetting::page::marked_up;

/// The radius of a place that holds nothing larger.
const RADIUS: f64 = 20.0;
const LINE: f64 = 15.0;
/// Tokens that are drawn as dots; more are a number.
const DOTS: u32 = 5;
/// Lines of data that are shown in a place.
const LINES: usize = 8;

/// A place or a transition, from its upper left corner.
pub(super) struct Node {
    pub(super) body: String,
    pub(super) size: Size,
    /// The part that arcs end at: its middle is the middle of the node.
    pub(super) outline: Outline,
}

/// What arcs end at.
#[derive(Clone, Copy)]
pub(super) enum Outline {
    Circle(f64),
    Box(f64, f64),
}

/// A place with its tokens, and with room for more. Agents make it a box that holds them.
pub(super) fn place(place: &PlacePicture, tokens: &[TokenPicture], agents: Vec<Drawing>, room: Room) -> Node {
    let hover = format!("<title>{} : {}</title>", marked_up(&place.name), marked_up(&place.sort));
    let shown = shown(tokens, agents.is_empty());
    let black: u32 = tokens.iter().filter(|token| token.text.is_empty()).map(|token| token.count).sum();
    if shown.is_empty() && agents.is_empty() && room.lines == 0 {
        return circle(place, black, &hover);
    }
    let text_width = shown.iter().map(|line| width(line)).fold(room.width, f64::max);
    let agents_width = agents.iter().map(|agent| agent.size.width * INNER).fold(0.0, f64::max);
    let inner = Size {
        width: text_width.max(agents_width).max(2.0 * RADIUS),
        height: shown.len().max(room.lines) as f64 * LINE
            + agents.iter().map(|agent| agent.size.height * INNER + 8.0).sum::<f64>(),
    };
    let outline = Size { width: inner.width + 24.0, height: inner.height + 20.0 };
    let size = Size { width: outline.width.max(width(&place.name)), height: outline.height + 2.0 * LINE };
    let left = (size.width - outline.width) / 2.0;
    let radius = (outline.height / 2.0).min(RADIUS);
    let mut body = format!(
        "<g>{hover}<text x=\"{:.1}\" y=\"11\" text-anchor=\"middle\">{}</text>\n<rect x=\"{left:.1}\" y=\"{LINE}\" \
         width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius:.1}\" fill=\"#ffffff\" stroke=\"#222222\" stroke-width=\"{}\"/></g>\n",
        size.width / 2.0,
        escaped(&place.name),
        outline.width,
        outline.height,
        if place.cell { 3.0 } else { 1.5 },
    );
    let mut top = LINE + 10.0;
    for line in &shown {
        top += LINE;
        body.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#0b4f8a\">{}</text>\n",
            left + 12.0,
            top - 4.0,
            escaped(line)
        ));
    }
    for agent in agents {
        body.push_str(&format!(
            "<g transform=\"translate({:.1} {top:.1}) scale({INNER})\">\n{}</g>\n",
            left + 12.0,
            agent.body
        ));
        top += agent.size.height * INNER + 8.0;
    }
    Node { body, size, outline: Outline::Box(outline.width, outline.height) }
}

/// The tokens that are written, a line each. Agents are written where they are not drawn.
pub(super) fn shown(tokens: &[TokenPicture], with_agents: bool) -> Vec<String> {
    let written = tokens.iter().filter(|token| !token.text.is_empty());
    let written = written.filter(|token| with_agents || token.agents.is_empty());
    let data: Vec<String> = written.flat_map(|token| members(line(token))).collect();
    let mut lines: Vec<String> = data.iter().take(LINES).cloned().collect();
    if data.len() > LINES {
        lines.push(format!("and {} more", data.len() - LINES));
    }
    lines
}

/// A long set takes a line for each of its members.
fn members(line: String) -> Vec<String> {
    let inside = line.strip_prefix('{').and_then(|line| line.strip_suffix('}'));
    let Some(inside) = inside.filter(|_| line.chars().count() > 30) else { return vec![line] };
    let (mut parts, mut depth) = (vec![String::new()], 0_i32);
    for letter in inside.chars() {
        match letter {
            '<' | '{' | '(' => depth += 1,
            '>' | '}' | ')' => depth -= 1,
            _ => {}
        }
        match parts.last_mut() {
            Some(_) if letter == ',' && depth == 0 => parts.push(String::new()),
            Some(part) => part.push(letter),
            None => {}
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

fn line(token: &TokenPicture) -> String {
    if token.count == 1 { token.text.clone() } else { format!("{} × {}", token.count, token.text) }
}

fn circle(place: &PlacePicture, black: u32, hover: &str) -> Node {
    let size = Size { width: width(&place.name).max(2.0 * RADIUS), height: 2.0 * RADIUS + 2.0 * LINE };
    let (x, y) = (size.width / 2.0, LINE + RADIUS);
    let mut body = format!(
        "<g>{hover}<text x=\"{x:.1}\" y=\"11\" text-anchor=\"middle\">{}</text>\n<circle cx=\"{x:.1}\" cy=\"{y}\" \
         r=\"{RADIUS}\" fill=\"#ffffff\" stroke=\"#222222\" stroke-width=\"{}\"/></g>\n",
        escaped(&place.name),
        if place.cell { 3.0 } else { 1.5 },
    );
    if black > DOTS {
        body.push_str(&format!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{black}</text>\n",
            y + 4.0
        ));
    }
    for dot in 0..if black > DOTS { 0 } else { black } {
        let turn = f64::from(dot) / f64::from(black) * std::f64::consts::TAU;
        let away = if black == 1 { 0.0 } else { 9.0 };
        body.push_str(&format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"#111111\"/>\n",
            x + away * turn.sin(),
            y - away * turn.cos()
        ));
    }
    Node { body, size, outline: Outline::Circle(RADIUS) }
}

/// A transition: a bar with its name above and its guards below.
pub(super) fn transition(transition: &TransitionPicture, fires: bool) -> Node {
    let below: Vec<&String> = transition.channel.iter().chain(&transition.notes).collect();
    let widest = below.iter().map(|line| width(line)).fold(width(&transition.name), f64::max);
    let extra = below.len() as f64 * LINE;
    // Equal room above and below keeps the bar in the middle, where arcs end.
    let size = Size { width: widest.max(14.0), height: 36.0 + 2.0 * LINE.max(extra + 4.0) };
    let (x, y) = (size.width / 2.0, size.height / 2.0);
    let (fill, stroke) = if fires { ("#e0701a", "#a34c0b") } else { ("#3b3f55", "#22263a") };
    let mut body = format!(
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n<rect x=\"{:.1}\" \
         y=\"{:.1}\" width=\"12\" height=\"36\" fill=\"{fill}\" stroke=\"{stroke}\"/>\n",
        y - 24.0,
        escaped(&transition.name),
        x - 6.0,
        y - 18.0,
    );
    for (number, line) in below.iter().enumerate() {
        let colour = if number == 0 && transition.channel.is_some() { "#8a1c6b" } else { "#555555" };
        body.push_str(&format!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\" fill=\"{colour}\">{}<title>{}</title></text>\n",
            y + 31.0 + number as f64 * LINE,
            escaped(line),
            marked_up(line)
        ));
    }
    Node { body, size, outline: Outline::Box(12.0, 36.0) }
}
