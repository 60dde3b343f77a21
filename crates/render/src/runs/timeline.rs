//! A run along the clock: an axis, a row per lane with its work as bars, the places under it, the deadline of a claim.

use crate::runs::chronicle::{Bar, Chronicle, Happening, Lane, WorkSort};
use crate::runs::deadline::Deadline;
use crate::typesetting::canvas::Canvas;
use crate::typesetting::duration::{duration, round_distance, tick_label};
use crate::typesetting::page::{Extent, Tone, View, pad};

/// Lanes shown unless the reader wants all.
const LIMIT_LANES: usize = 12;

/// What part of a run is drawn, and for whom.
pub(crate) struct Window {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// The lanes shown, in the model's order.
    pub(crate) lanes: Vec<usize>,
    /// How many rows may tell where somebody is.
    pub(crate) limit_places: usize,
}

/// The whole run along the clock. Lanes that do nothing are folded, and so are the least busy ones of a large team.
#[must_use]
pub fn timeline(chronicle: &Chronicle, view: &View) -> String {
    let active =
        |lane: &usize| !chronicle.lanes[*lane].bars.is_empty() || chronicle.lanes[*lane].stays.len() > 1;
    let mut lanes: Vec<usize> = (0..chronicle.lanes.len()).collect();
    let mut limit_places = usize::MAX;
    if view.extent == Extent::Chosen {
        lanes.retain(active);
        lanes.sort_by_key(|lane| std::cmp::Reverse(chronicle.lanes[*lane].bars.len()));
        lanes.truncate(LIMIT_LANES);
        lanes.sort_unstable();
        limit_places = LIMIT_LANES;
    }
    let end =
        chronicle.deadline.as_ref().filter(|deadline| deadline.missed).map_or(0, |deadline| deadline.due);
    let end = end.max(chronicle.end);
    let window = Window { start: 0, end: end + end / 12, lanes, limit_places };
    let drawing = draw(chronicle, &window, view);
    let legend = view.paint(Tone::Quiet, &format!("{}{}", " ".repeat(2), legend()));
    view.finish(format!("{drawing}\n{legend}\n"))
}

/// The drawing, each line indented by two.
pub(crate) fn draw(chronicle: &Chronicle, window: &Window, view: &View) -> String {
    let scale = Scale::of(chronicle, window, view);
    let mut page = format!("  {}\n", view.paint(Tone::Quiet, &scale.axis(chronicle)));
    let mut places = window.limit_places;
    for lane in window.lanes.iter().map(|lane| &chronicle.lanes[*lane]) {
        let row = pad(&view.fit(&lane.name, scale.names), scale.names);
        let line = format!("  {row}  {}", scale.bars(lane, chronicle, view));
        page.push_str(&format!("{}\n", line.trim_end()));
        let moves = lane.stays.iter().any(|stay| stay.start > window.start && stay.start <= window.end);
        if moves && places > 0 {
            places -= 1;
            let row = pad("  at", scale.names);
            page.push_str(&format!(
                "  {}\n",
                view.paint(Tone::Quiet, &format!("{row}  {}", scale.stays(lane, chronicle.end, view)))
            ));
        }
    }
    let folded = chronicle.lanes.len() - window.lanes.len();
    if folded > 0 {
        let text = if folded == 1 { "1 other".to_string() } else { format!("{folded} others") };
        page.push_str(&format!("  {}\n", view.paint(Tone::Quiet, &text)));
    }
    if let Some(deadline) = &chronicle.deadline {
        page.push_str(&scale.deadline(deadline, chronicle, view));
    }
    page
}

/// Times as columns.
struct Scale {
    names: usize,
    start: u64,
    end: u64,
    columns: usize,
    every: u64,
}

impl Scale {
    fn of(chronicle: &Chronicle, window: &Window, view: &View) -> Self {
        let longest = window.lanes.iter().map(|lane| chronicle.lanes[*lane].name.chars().count()).max();
        let names = longest.unwrap_or(0).clamp(8, 18);
        let columns = view.width.saturating_sub(names + 4).max(20);
        let end = window.end.max(window.start + 1);
        let mut scale = Self { names, start: window.start, end, columns, every: 1 };
        let per_column = (end - window.start).div_ceil(columns as u64).max(1);
        for least in [7, 10, 14, 18] {
            scale.every = round_distance(per_column.saturating_mul(least), chronicle.unit);
            let label = tick_label(end, chronicle.unit, scale.every).chars().count() as u64;
            if label + 2 <= scale.every / per_column {
                break;
            }
        }
        scale
    }

    /// The column of a time; times outside the window stand at its ends.
    fn column(&self, time: u64) -> usize {
        let inside = u128::from(time.clamp(self.start, self.end) - self.start);
        let span = u128::from(self.end - self.start);
        let column = inside * (self.columns as u128 - 1) / span;
        usize::try_from(column).unwrap_or(0)
    }

    fn axis(&self, chronicle: &Chronicle) -> String {
        let mut canvas = Canvas::default();
        let mut free = 0;
        let mut tick = self.start.div_ceil(self.every) * self.every;
        while tick <= self.end {
            let label = tick_label(tick, chronicle.unit, self.every);
            let at = self.column(tick);
            if at >= free && at + label.chars().count() <= self.columns {
                canvas.put(self.names + 2 + at, &label);
                free = at + label.chars().count() + 1;
            }
            let Some(next) = tick.checked_add(self.every) else { break };
            tick = next;
        }
        canvas.line()
    }

    /// The lane's work: what is innermost is what is done.
    fn bars(&self, lane: &Lane, chronicle: &Chronicle, view: &View) -> String {
        let mut canvas = Canvas::default();
        let shown: Vec<&Bar> =
            lane.bars.iter().filter(|bar| bar.end >= self.start && bar.start <= self.end).collect();
        for bar in shown.iter().filter(|bar| !bar.breaks.is_empty()) {
            for gap in &bar.breaks {
                canvas.fill(self.column(gap.start), self.column(gap.end), '┄');
            }
        }
        // Outer bars come before inner ones, so that inner ones overwrite them.
        for bar in &shown {
            for (start, end) in pieces(bar) {
                let (from, to) = (self.column(start), self.column(end));
                if to > from {
                    canvas.fill(from, to, letter(bar.work));
                }
            }
        }
        for bar in &shown {
            let at = self.column(bar.start);
            if bar.start == bar.end && canvas.at(at) == ' ' && self.contains(bar.start) {
                canvas.fill(at, at + 1, '·');
            }
        }
        self.messages(&mut canvas, lane, chronicle);
        for bar in &shown {
            for (start, end) in pieces(bar) {
                self.name(&mut canvas, bar, start.max(self.start), end.min(self.end), chronicle, view);
            }
        }
        canvas.line()
    }

    /// A name inside a bar, where nothing inner covers it and it fits.
    fn name(&self, canvas: &mut Canvas, bar: &Bar, start: u64, end: u64, chronicle: &Chronicle, view: &View) {
        let (from, to) = (self.column(start), self.column(end));
        let free = (from..to).take_while(|at| canvas.at(*at) == letter(bar.work)).count();
        let long = bar.length.map(|length| format!("{} ({})", bar.name, duration(length, chronicle.unit)));
        for text in long.into_iter().chain([bar.name.clone()]) {
            if text.chars().count() + 3 <= free {
                canvas.put(from + 1, &format!(" {text} "));
                return;
            }
        }
        if free >= 9 {
            canvas.put(from + 1, &format!(" {} ", view.fit(&bar.name, free - 3)));
        }
    }

    /// Messages are marks where nothing else is drawn, and at the end of the work that sends them.
    fn messages(&self, canvas: &mut Canvas, lane: &Lane, chronicle: &Chronicle) {
        for (time, from, _, _) in chronicle.arrows() {
            if chronicle.lanes[from].name == lane.name && self.contains(time) {
                let at = self.column(time);
                if canvas.at(at) == ' ' || canvas.at(at) == '·' {
                    canvas.fill(at, at + 1, '◆');
                }
            }
        }
    }

    fn contains(&self, time: u64) -> bool {
        (self.start..=self.end).contains(&time)
    }

    fn stays(&self, lane: &Lane, run_end: u64, view: &View) -> String {
        let mut canvas = Canvas::default();
        for stay in lane.stays.iter().filter(|stay| stay.end >= self.start && stay.start <= self.end) {
            let from = self.column(stay.start);
            let to = if stay.end >= run_end.min(self.end) { self.columns } else { self.column(stay.end) };
            canvas.fill(from, to, '─');
            let lead = usize::from(from > 0);
            let room = to.saturating_sub(from + lead);
            if room >= 3 {
                let name = view.fit(&stay.place, room);
                canvas.put(
                    from,
                    &format!(
                        "{}{name}{}",
                        " ".repeat(lead),
                        " ".repeat((room - name.chars().count()).min(1))
                    ),
                );
            }
        }
        canvas.line()
    }

    /// `●━━ 2 h allowed ━━✗┄┄▸`, and the times under it.
    fn deadline(&self, deadline: &Deadline, chronicle: &Chronicle, view: &View) -> String {
        let mut canvas = Canvas::default();
        let (from, due) = (self.column(deadline.start), self.column(deadline.due));
        let beyond = deadline.answer.unwrap_or(chronicle.end).max(deadline.due);
        let reached = self.column(beyond);
        canvas.fill(from, due, '━');
        let allowed = format!(" {} allowed ", duration(deadline.due - deadline.start, chronicle.unit));
        if due.saturating_sub(from) > allowed.chars().count() + 3 {
            canvas.put(from + (due - from - allowed.chars().count()).div_ceil(2), &allowed);
        }
        canvas.put(from, "●");
        let mut times = vec![(from, deadline.start)];
        if deadline.missed {
            if deadline.answer.is_some() || reached > due {
                canvas.fill(due, reached, '┄');
                canvas.put(reached, "▸");
            }
            canvas.put(due, "✗");
            times.push((due, deadline.due));
            times.extend(deadline.answer.map(|answer| (reached, answer)));
        } else {
            times.push((due, deadline.due));
            canvas.put(due, "│");
            if let Some(answer) = deadline.answer {
                canvas.put(self.column(answer), "■");
                times.push((self.column(answer), answer));
            }
        }
        let tone = if deadline.missed { Tone::Bad } else { Tone::Good };
        let row = format!("{}  {}", pad("deadline", self.names), canvas.line());
        let mut page = format!("  {}\n", view.paint(tone, &row));
        page.push_str(&format!("  {}\n", self.times(times, chronicle)));
        page
    }

    /// Times under their marks; one that finds no room is left out, the first and the last one last.
    fn times(&self, mut times: Vec<(usize, u64)>, chronicle: &Chronicle) -> String {
        times.sort_unstable();
        times.dedup_by_key(|(_, time)| *time);
        let mut canvas = Canvas::default();
        let offset = self.names + 2;
        let whole = times.iter().all(|(_, time)| time.is_multiple_of(60_000));
        for (at, time) in times {
            let label = tick_label(time, chronicle.unit, if whole { 60_000 } else { 1 });
            let length = label.chars().count();
            let at = offset + at.min(self.columns.saturating_sub(length));
            let clear = (at.saturating_sub(1)..at + length + 1).all(|column| canvas.at(column) == ' ');
            if clear {
                canvas.put(at, &label);
            }
        }
        canvas.line()
    }
}

/// The parts of a bar between its breaks.
fn pieces(bar: &Bar) -> Vec<(u64, u64)> {
    let mut pieces = Vec::new();
    let mut from = bar.start;
    for gap in &bar.breaks {
        pieces.push((from, gap.start));
        from = gap.end;
    }
    pieces.push((from, bar.end));
    pieces
}

fn letter(work: WorkSort) -> char {
    match work {
        WorkSort::Frame | WorkSort::Composite => '░',
        WorkSort::Primitive | WorkSort::Handle | WorkSort::Create | WorkSort::Foreign => '▒',
        WorkSort::Move | WorkSort::Communicate => '▓',
    }
}

/// What the letters of a drawing mean.
fn legend() -> &'static str {
    "░ frame   ▒ activity   ▓ move or message   ┄ put aside   ◆ tells"
}

/// Whether something of this lane is seen by others: it tells or is told.
pub(crate) fn talks(chronicle: &Chronicle, lane: usize, with: &[usize], from: u64) -> bool {
    chronicle.entries.iter().any(|entry| match &entry.what {
        Happening::Tells { to, .. } => entry.time >= from && entry.lane == lane && with.contains(to),
        _ => false,
    })
}
