//! A run as a message sequence chart: a lane per agent, a row per step, arrows for messages, a bracket for the loop.

use std::collections::BTreeSet;

use motet_model::Weight;

use crate::runs::cause::facts;
use crate::runs::choose::choose;
use crate::runs::clocked;
use crate::runs::tale::{Beat, End, Tale};
use crate::typesetting::canvas::Canvas;
use crate::typesetting::number::{count, grouped};
use crate::typesetting::page::{Extent, Tone, View, wrap};

/// Rows of a story, the bracket of the loop included.
const LIMIT_ROWS: usize = 15;
/// Lanes narrower than this cannot hold words; the story becomes a list.
const LEAST_LANE: usize = 14;
/// Lines of explanation under a story.
const LIMIT_WHY: usize = 8;

/// One row of a chart.
enum Row {
    /// A step; the flag says whether steps before it are left out.
    Step(usize, Gap),
    /// The loop begins.
    Open,
    /// Everybody only waits, in the steps from here to there.
    Waits(usize, usize),
    /// The loop ends.
    Close,
    /// A remark after the last step.
    Remark(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    LeftOut,
}

/// The story of a run: title, chart and reasons. `title` is `Counterexample`, `Witness`.
#[must_use]
pub fn story(tale: &Tale, title: &str, view: &View) -> String {
    if let Some(chronicle) = &tale.chronicle {
        return clocked::story(tale, chronicle, title, view);
    }
    let rows = rows(tale, view.extent, LIMIT_ROWS);
    let mut page = format!("  {}\n\n", view.paint(Tone::Strong, &headline(tale, title, &rows)));
    if tale.n_steps() == 0 {
        page.push_str("  it is so from the start\n");
    } else {
        page.push_str(&drawing(tale, &rows, view));
    }
    page.push_str(&reasons(tale, LIMIT_WHY, view));
    view.finish(page)
}

/// The chart alone, of at most so many rows unless the reader wants all.
pub(crate) fn short(tale: &Tale, limit: usize, view: &View) -> String {
    match &tale.chronicle {
        Some(chronicle) => clocked::short(tale, chronicle, limit, view),
        None => drawing(tale, &rows(tale, view.extent, limit), view),
    }
}

/// How long a run is: `3 steps, then steps 4 to 5 repeat for ever`.
pub(crate) fn length(tale: &Tale) -> String {
    let (n_steps, last) = (tale.n_steps(), tale.beats.len());
    match tale.loop_start {
        None => count(n_steps, "step"),
        Some(start) => {
            let before = start.saturating_sub(tale.from);
            let lead = match before {
                0 if tale.from > 0 => String::new(),
                _ => format!("{}, then ", count(before, "step")),
            };
            match start + 1 == last {
                true => format!("{lead}step {last} repeats for ever"),
                false => format!("{lead}steps {} to {last} repeat for ever", start + 1),
            }
        }
    }
}

fn headline(tale: &Tale, title: &str, rows: &[Row]) -> String {
    let n_steps = tale.n_steps();
    let mut text = match n_steps {
        0 => format!("{title}: no step is needed"),
        _ => format!("{title}: {}", length(tale)),
    };
    let shown = rows.iter().filter(|row| matches!(row, Row::Step(..))).count();
    let collapsed = rows.iter().any(|row| matches!(row, Row::Waits(..)));
    if shown < n_steps && !(collapsed && tale.loop_start == Some(tale.from + shown)) {
        text.push_str(&format!(" ({} shown, --full for all)", grouped(shown as u64)));
    }
    text
}

fn rows(tale: &Tale, extent: Extent, limit: usize) -> Vec<Row> {
    let from = tale.from;
    let n_beats = tale.beats.len();
    let start = tale.loop_start.unwrap_or(n_beats);
    let eventless = |beat: &Beat| beat.weight <= Weight::Routine && beat.changes.is_empty();
    let waits = start < n_beats && tale.beats[start..].iter().all(eventless) && extent == Extent::Chosen;
    let chosen = match extent {
        Extent::Full => (from..n_beats).collect(),
        Extent::Chosen if waits => choose(tale, from.min(start)..start, limit - 3),
        Extent::Chosen if start < n_beats => choose(tale, from..n_beats, limit - 2),
        Extent::Chosen => choose(tale, from..n_beats, limit - usize::from(tale.end == End::Stuck)),
    };
    let mut rows = Vec::new();
    let mut next = from;
    let mut opened = false;
    for at in chosen {
        let gap = if at > next { Gap::LeftOut } else { Gap::None };
        if at >= start && !opened {
            rows.push(Row::Open);
            opened = true;
        }
        rows.push(Row::Step(at, gap));
        next = at + 1;
    }
    if start < n_beats {
        if !opened {
            rows.push(Row::Open);
        }
        if waits {
            rows.push(Row::Waits(start, n_beats - 1));
        }
        rows.push(Row::Close);
    } else if tale.end == End::Stuck {
        rows.push(Row::Remark("nothing can happen any more"));
    }
    rows
}

/// Lanes that matter: those with a shown step or a shown message, and those of whom it is known what they wait for.
fn lanes(tale: &Tale, rows: &[Row]) -> Vec<usize> {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for row in rows {
        match row {
            Row::Step(at, _) => {
                let beat = &tale.beats[*at];
                used.insert(beat.process);
                used.extend(beat.to.as_ref().map(|(to, _)| *to));
            }
            Row::Waits(..) => {
                used.extend((0..tale.waits.len()).filter(|process| !tale.waits[*process].is_empty()));
                used.extend(&tale.unscheduled);
            }
            Row::Open | Row::Close | Row::Remark(_) => {}
        }
    }
    used.into_iter().filter(|process| *process < tale.processes.len()).collect()
}

/// Where things stand on the canvas.
struct Layout {
    lanes: Vec<usize>,
    /// Where each lane starts, and the width of the page at the end.
    starts: Vec<usize>,
    gutter: usize,
}

impl Layout {
    /// Lanes as wide as their arrows need, and some air where there is room. `None` when the page is too narrow.
    fn of(tale: &Tale, rows: &[Row], view: &View) -> Option<Self> {
        let lanes = lanes(tale, rows);
        let gutter = 4 + tale.beats.len().to_string().len() + 2;
        let room = view.width.saturating_sub(gutter);
        if lanes.is_empty() || room / lanes.len() < LEAST_LANE {
            return None;
        }
        let mut widths = needs(tale, rows, &lanes);
        let tail = longest_text(tale, rows, *lanes.last()?).max(LEAST_LANE);
        *widths.last_mut()? = 0;
        // Too much for the page: the widest lane gives way, and its labels move into the text.
        while widths.iter().sum::<usize>() + tail.min(room / lanes.len()) > room {
            let widest = (0..widths.len()).max_by_key(|lane| widths[*lane])?;
            widths[widest] -= 1;
        }
        let slack = room.saturating_sub(widths.iter().sum::<usize>() + tail);
        let air = (slack / lanes.len()).min(10);
        let mut starts = vec![gutter];
        for width in &widths[..lanes.len() - 1] {
            starts.push(starts.last()? + width + air);
        }
        starts.push(view.width);
        Some(Self { lanes, starts, gutter })
    }

    fn start(&self, process: usize) -> Option<usize> {
        let lane = self.lanes.iter().position(|lane| *lane == process)?;
        Some(self.starts[lane])
    }

    /// From the lane's start to the next one's, less a blank.
    fn width(&self, process: usize) -> usize {
        let lane = self.lanes.iter().position(|lane| *lane == process);
        lane.map_or(0, |lane| self.starts[lane + 1].saturating_sub(self.starts[lane] + 1))
    }

    fn page(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }
}

/// How wide each lane has to be for its name, for what is waited for, and for arrows to its neighbour.
fn needs(tale: &Tale, rows: &[Row], lanes: &[usize]) -> Vec<usize> {
    let length = |text: &str| text.chars().count();
    let mut widths: Vec<usize> = lanes.iter().map(|lane| length(&tale.processes[*lane]).max(8) + 2).collect();
    for row in rows {
        match row {
            Row::Step(at, _) => {
                let beat = &tale.beats[*at];
                let Some((to, label)) = &beat.to else { continue };
                let place = |process: &usize| lanes.iter().position(|lane| lane == process);
                let (Some(from), Some(to)) = (place(&beat.process), place(to)) else { continue };
                let mark = if beat.changes.is_empty() { 0 } else { 2 };
                if to == from + 1 {
                    widths[from] = widths[from].max(length(&beat.text) + mark + length(label) + 7);
                } else if from == to + 1 {
                    widths[to] = widths[to].max(length(label) + 6);
                }
            }
            Row::Waits(..) => {
                for (lane, width) in lanes.iter().zip(&mut widths) {
                    let waits = tale.waits.get(*lane).map_or(0, |text| length(text) + 12);
                    let never = if tale.unscheduled.contains(lane) { 21 } else { 0 };
                    *width = (*width).max(waits).max(never);
                }
            }
            Row::Open | Row::Close | Row::Remark(_) => {}
        }
    }
    widths.iter().map(|width| (*width).min(44)).collect()
}

fn longest_text(tale: &Tale, rows: &[Row], process: usize) -> usize {
    let own = rows.iter().filter_map(|row| match row {
        Row::Step(at, _) => Some(&tale.beats[*at]).filter(|beat| beat.process == process),
        _ => None,
    });
    let text = own.map(|beat| beat.text.chars().count() + 2).max().unwrap_or(0);
    text.max(tale.waits.get(process).map_or(0, |text| text.chars().count() + 12))
}

fn drawing(tale: &Tale, rows: &[Row], view: &View) -> String {
    let Some(layout) = Layout::of(tale, rows, view) else { return list(tale, rows, view) };
    let mut head = Canvas::default();
    for process in &layout.lanes {
        let at = layout.start(*process).expect("a lane has a start");
        head.put(at, &view.fit(&tale.processes[*process], layout.width(*process)));
    }
    let mut page = format!("{}\n", view.paint(Tone::Strong, &head.line()));
    for row in rows {
        page.push_str(&draw(tale, row, &layout, view));
        page.push('\n');
    }
    page
}

fn draw(tale: &Tale, row: &Row, layout: &Layout, view: &View) -> String {
    let mut canvas = Canvas::default();
    let numbers = layout.gutter - 6;
    match row {
        Row::Step(at, gap) => {
            if *gap == Gap::LeftOut {
                canvas.put(2, gap_sign(view));
            }
            canvas.put(4, &format!("{:>numbers$}", at + 1));
            let beat = &tale.beats[*at];
            put_beat(&mut canvas, beat, layout, view);
            let line = canvas.line();
            return match beat.weight {
                Weight::Alarm => view.paint(Tone::Bad, &line),
                _ if beat.changes.is_empty() => line,
                _ => view.paint(Tone::Care, &line),
            };
        }
        Row::Open => canvas.put(2, "╭▶"),
        Row::Waits(from, to) => {
            canvas.put(2, "│");
            for process in &layout.lanes {
                let moves = tale.beats[*from..=*to].iter().any(|beat| beat.process == *process);
                let at = layout.start(*process).expect("a lane has a start");
                let text = match tale.waits.get(*process).map_or("", String::as_str) {
                    _ if tale.unscheduled.contains(process) => "never gets its turn".to_string(),
                    "" if moves => "idles".to_string(),
                    "" => "waits".to_string(),
                    what => format!("waits for {what}"),
                };
                canvas.put(at, &view.fit(&text, layout.width(*process)));
            }
        }
        Row::Close => {
            canvas.put(2, "╰─");
            canvas.put(layout.gutter, "repeats for ever");
        }
        Row::Remark(text) => canvas.put(layout.gutter, text),
    }
    canvas.line()
}

fn gap_sign(view: &View) -> &'static str {
    if view.letters == crate::typesetting::page::Letters::Ascii { ":" } else { "…" }
}

/// A step on its line: its text in its lane, and the message as an arrow to the other lane. Where the arrow is too
/// short for its label, the label stands with the text.
fn put_beat(canvas: &mut Canvas, beat: &Beat, layout: &Layout, view: &View) {
    let Some(at) = layout.start(beat.process) else { return };
    let mark = if beat.changes.is_empty() { "" } else { " ●" };
    let target = beat.to.as_ref().and_then(|(to, label)| Some((layout.start(*to)?, label)));
    let Some((to, label)) = target.filter(|(to, _)| *to != at) else {
        let label = beat.to.as_ref().map_or("", |(_, label)| label.as_str());
        let text = format!("{}{mark}", joined(&beat.text, label));
        canvas.put(at, &view.fit(&text, layout.page().saturating_sub(at)));
        return;
    };
    let label_length = label.chars().count();
    if to > at {
        let room = to - at - 1;
        let text_length = beat.text.chars().count() + mark.chars().count();
        if text_length + label_length + 5 <= room {
            let text = joined(&format!("{}{mark}", beat.text), "──");
            let line = "─".repeat(room - text.chars().count() - label_length - 1);
            canvas.put(at, &format!("{text}{label}{line}▶"));
        } else {
            let text = view.fit(&format!("{}{mark}", joined(&beat.text, label)), room.saturating_sub(3));
            let line = "─".repeat(room.saturating_sub(text.chars().count() + 2));
            canvas.put(at, &format!("{text} {line}▶"));
        }
        return;
    }
    let room = at - to - 1;
    let (line, text) = if label_length + 4 <= room {
        (format!("◀──{label}{}", "─".repeat(room - 3 - label_length)), format!("{}{mark}", beat.text))
    } else {
        (format!("◀{}", "─".repeat(room - 1)), format!("{}{mark}", joined(&beat.text, label)))
    };
    canvas.put(to, &line);
    canvas.put(at, &view.fit(&text, layout.page().saturating_sub(at)));
}

/// Two texts with a blank between them, where both say something.
fn joined(one: &str, two: &str) -> String {
    if one.trim().is_empty() || two.is_empty() {
        return format!("{}{two}", one.trim_start());
    }
    format!("{one} {two}")
}

/// The story as a list, for teams too large for lanes.
fn list(tale: &Tale, rows: &[Row], view: &View) -> String {
    let digits = tale.beats.len().to_string().len();
    let mut page = String::new();
    for row in rows {
        let line = match row {
            Row::Step(at, gap) => {
                let beat = &tale.beats[*at];
                let sign = if *gap == Gap::LeftOut { gap_sign(view) } else { " " };
                let who = &tale.processes[beat.process];
                let mark = if beat.changes.is_empty() { "" } else { " ●" };
                let to = beat.to.as_ref().map(|(to, label)| format!(" {label} → {}", tale.processes[*to]));
                let text = format!("{who}: {}{}{mark}", beat.text, to.unwrap_or_default());
                format!("  {sign} {:>digits$}  {text}", at + 1)
            }
            Row::Open => "  ╭▶".to_string(),
            Row::Waits(..) => "  │   all wait".to_string(),
            Row::Close => "  ╰─  repeats for ever".to_string(),
            Row::Remark(text) => format!("      {text}"),
        };
        page.push_str(&view.fit(&line, view.width));
        page.push('\n');
    }
    page
}

/// The reasons, at most `limit` lines of them unless the reader wants all.
pub(crate) fn reasons(tale: &Tale, limit: usize, view: &View) -> String {
    let mut page = facts(tale, view);
    let mut left = limit;
    for why in &tale.whys {
        let lines: Vec<String> = why
            .lines
            .iter()
            .flat_map(|line| wrap(line, view.width.saturating_sub(8)))
            .take(if view.extent == Extent::Full { usize::MAX } else { left })
            .collect();
        left = left.saturating_sub(lines.len());
        for (i, line) in lines.iter().enumerate() {
            let lead =
                if i == 0 { format!("\n  {}   ", view.paint(Tone::Strong, "Why")) } else { " ".repeat(8) };
            page.push_str(&format!("{lead}{line}\n"));
        }
    }
    page
}
