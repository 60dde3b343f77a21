//! A run as a message sequence chart: a lane per agent, a row per step, arrows for messages, a bracket for the loop.

use motet_model::Weight;

use crate::choose::choose;
use crate::number::{count, grouped};
use crate::page::{Extent, Tone, View, wrap};
use crate::tale::{Beat, End, Tale};

/// Rows of a story, the bracket of the loop included.
const LIMIT_ROWS: usize = 15;
/// A lane narrower than this cannot hold words; the story becomes a list.
const LEAST_LANE: usize = 16;
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
    let rows = rows(tale, view.extent);
    let mut page = format!("  {}\n\n", view.paint(Tone::Strong, &headline(tale, title, &rows)));
    if tale.beats.is_empty() {
        page.push_str("  it is so from the start\n");
    } else {
        page.push_str(&drawing(tale, &rows, view));
    }
    page.push_str(&reasons(tale, view));
    view.finish(page)
}

fn headline(tale: &Tale, title: &str, rows: &[Row]) -> String {
    let n_steps = tale.beats.len();
    let mut text = match tale.loop_start {
        _ if n_steps == 0 => format!("{title}: no step is needed"),
        None => format!("{title}: {}", count(n_steps, "step")),
        Some(start) if start + 1 == n_steps => {
            format!("{title}: {}, then step {} repeats for ever", count(start, "step"), n_steps)
        }
        Some(start) => {
            let steps = format!("steps {} to {} repeat for ever", start + 1, n_steps);
            format!("{title}: {}, then {steps}", count(start, "step"))
        }
    };
    let shown = rows.iter().filter(|row| matches!(row, Row::Step(..))).count();
    let collapsed = rows.iter().any(|row| matches!(row, Row::Waits(..)));
    if shown < n_steps && !(collapsed && tale.loop_start == Some(shown)) {
        text.push_str(&format!(" ({} shown, --full for all)", grouped(shown as u64)));
    }
    text
}

fn rows(tale: &Tale, extent: Extent) -> Vec<Row> {
    let n_beats = tale.beats.len();
    let start = tale.loop_start.unwrap_or(n_beats);
    let eventless = |beat: &Beat| beat.weight <= Weight::Routine && beat.changes.is_empty();
    let waits = start < n_beats && tale.beats[start..].iter().all(eventless) && extent == Extent::Chosen;
    let chosen = match extent {
        Extent::Full => (0..n_beats).collect(),
        Extent::Chosen if waits => {
            let before = Tale { beats: tale.beats[..start].to_vec(), loop_start: None, ..tale.clone() };
            choose(&before, LIMIT_ROWS - 3)
        }
        Extent::Chosen if start < n_beats => choose(tale, LIMIT_ROWS - 2),
        Extent::Chosen => choose(tale, LIMIT_ROWS - usize::from(tale.end == End::Stuck)),
    };
    let mut rows = Vec::new();
    let mut next = 0;
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

/// Lanes that matter: those with a shown step, a shown message or a step in the loop.
fn lanes(tale: &Tale, rows: &[Row]) -> Vec<usize> {
    let mut used = vec![false; tale.processes.len()];
    let mut mark = |process: usize| {
        if let Some(slot) = used.get_mut(process) {
            *slot = true;
        }
    };
    for row in rows {
        match row {
            Row::Step(at, _) => {
                let beat = &tale.beats[*at];
                mark(beat.process);
                if let Some((to, _)) = &beat.to {
                    mark(*to);
                }
            }
            Row::Waits(from, to) => tale.beats[*from..=*to].iter().for_each(|beat| mark(beat.process)),
            Row::Open | Row::Close | Row::Remark(_) => {}
        }
    }
    (0..used.len()).filter(|process| used[*process]).collect()
}

/// Where things stand on the canvas.
struct Layout {
    lanes: Vec<usize>,
    gutter: usize,
    lane_width: usize,
    width: usize,
}

impl Layout {
    fn start(&self, process: usize) -> Option<usize> {
        let lane = self.lanes.iter().position(|lane| *lane == process)?;
        Some(self.gutter + lane * self.lane_width)
    }
}

fn drawing(tale: &Tale, rows: &[Row], view: &View) -> String {
    let lanes = lanes(tale, rows);
    let digits = tale.beats.len().to_string().len();
    let gutter = 4 + digits + 2;
    let room = view.width.saturating_sub(gutter);
    let lane_width = (room / lanes.len().max(1)).min(36);
    if lane_width < LEAST_LANE {
        return list(tale, rows, view);
    }
    let layout = Layout { lanes, gutter, lane_width, width: view.width };
    let mut head = Canvas::default();
    for process in &layout.lanes {
        let at = layout.start(*process).expect("a lane has a start");
        head.put(at, &view.fit(&tale.processes[*process], lane_width - 2));
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
                canvas.put(at, if moves { "waits" } else { "" });
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
    if view.letters == crate::page::Letters::Ascii { ":" } else { "…" }
}

/// A step on its line: its text in its lane, and the message as an arrow to the other lane. Where the arrow is too
/// short for its label, the label stands with the text.
fn put_beat(canvas: &mut Canvas, beat: &Beat, layout: &Layout, view: &View) {
    let Some(at) = layout.start(beat.process) else { return };
    let mark = if beat.changes.is_empty() { "" } else { " ●" };
    let target = beat.to.as_ref().and_then(|(to, label)| Some((layout.start(*to)?, label)));
    let Some((to, label)) = target.filter(|(to, _)| *to != at) else {
        let label = beat.to.as_ref().map(|(_, label)| format!(" {label}")).unwrap_or_default();
        let text = format!("{}{label}{mark}", beat.text);
        canvas.put(at, &view.fit(&text, layout.width.saturating_sub(at)));
        return;
    };
    let label_length = label.chars().count();
    if to > at {
        let room = to - at - 1;
        let text_length = beat.text.chars().count() + mark.chars().count();
        if text_length + label_length + 5 <= room {
            let text = format!("{}{mark} ", beat.text);
            let line = "─".repeat(room - text.chars().count() - label_length - 3);
            canvas.put(at, &format!("{text}──{label}{line}▶"));
        } else {
            let text = view.fit(&format!("{} {label}{mark}", beat.text), room.saturating_sub(3));
            let line = "─".repeat(room.saturating_sub(text.chars().count() + 2));
            canvas.put(at, &format!("{text} {line}▶"));
        }
        return;
    }
    let room = at - to - 1;
    let (line, text) = if label_length + 4 <= room {
        (format!("◀──{label}{}", "─".repeat(room - 3 - label_length)), format!("{}{mark}", beat.text))
    } else {
        (format!("◀{}", "─".repeat(room - 1)), format!("{} {label}{mark}", beat.text))
    };
    canvas.put(to, &line);
    canvas.put(at, &view.fit(&text, layout.width.saturating_sub(at)));
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

fn reasons(tale: &Tale, view: &View) -> String {
    let mut page = String::new();
    let mut left = LIMIT_WHY;
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

/// A line under construction; later pieces overwrite earlier ones.
#[derive(Default)]
struct Canvas(Vec<char>);

impl Canvas {
    fn put(&mut self, at: usize, text: &str) {
        for (i, letter) in text.chars().enumerate() {
            let at = at + i;
            if self.0.len() <= at {
                self.0.resize(at + 1, ' ');
            }
            self.0[at] = letter;
        }
    }

    fn line(&self) -> String {
        self.0.iter().collect::<String>().trim_end().to_string()
    }
}
