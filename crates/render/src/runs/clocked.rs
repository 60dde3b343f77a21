//! The story of a run of a model with a clock: a headline, the run along the clock, a table of what changed, reasons.

use crate::runs::chart::reasons;
use crate::runs::chronicle::Chronicle;
use crate::runs::events::{Columns, NOTABLE, Row, alike, rows, shape};
use crate::runs::recorder::holds_word;
use crate::runs::tale::{End, Tale};
use crate::runs::timeline::{Window, draw, talks};
use crate::typesetting::duration::instant;
use crate::typesetting::number::{count, grouped};
use crate::typesetting::page::{Extent, Tone, View};

/// Rows of the table.
const LIMIT_ROWS: usize = 11;
/// Lanes of the drawing.
const LIMIT_LANES: usize = 6;
/// Rows that tell where somebody is.
const LIMIT_PLACES: usize = 3;
/// Lines of explanation.
const LIMIT_WHY: usize = 4;

/// The story. `title` is `Shortest counterexample`.
pub(crate) fn story(tale: &Tale, chronicle: &Chronicle, title: &str, view: &View) -> String {
    if tale.n_steps() == 0 {
        let headline = view.paint(Tone::Strong, &format!("{title}: no step is needed"));
        return view.finish(format!(
            "  {headline}\n\n  it is so from the start\n{}",
            reasons(tale, LIMIT_WHY, view)
        ));
    }
    let mut page = format!("  {}\n\n", view.paint(Tone::Strong, &headline(tale, chronicle, title)));
    page.push_str(&short(tale, chronicle, LIMIT_ROWS, view));
    page.push_str(&reasons(tale, LIMIT_WHY, view));
    view.finish(page)
}

/// The run along the clock and the table, of at most so many rows unless the reader wants all.
pub(crate) fn short(tale: &Tale, chronicle: &Chronicle, limit: usize, view: &View) -> String {
    let mut all = rows(chronicle);
    all.retain(|row| tale.from == 0 || chronicle.entries[row.first].step > tale.from);
    let entries: usize = all.iter().map(|row| row.entries).sum();
    let chosen = match view.extent {
        Extent::Full => all.iter().collect(),
        Extent::Chosen => choose(chronicle, &all, limit),
    };
    let window = window(tale, chronicle, &chosen, view);
    let mut page = draw(chronicle, &window, view);
    page.push('\n');
    page.push_str(&table(chronicle, &chosen, view));
    let hidden = entries.saturating_sub(chosen.iter().map(|row| row.entries).sum());
    if hidden > 0 {
        let noun = if hidden == 1 { "event" } else { "events" };
        let text = format!("{} more {noun}, --full to see all", grouped(hidden as u64));
        page.push_str(&format!("      {}\n", view.paint(Tone::Quiet, &text)));
    }
    if tale.end == End::Stuck {
        page.push_str("      nothing happens any more\n");
    }
    page
}

fn headline(tale: &Tale, chronicle: &Chronicle, title: &str) -> String {
    let end = instant(chronicle.end, chronicle.unit);
    let start = instant(chronicle.times.get(tale.from).copied().unwrap_or(0), chronicle.unit);
    let mut text = format!("{title}: {}, {start} to {end}", count(tale.n_steps(), "step"));
    if let Some(from) = chronicle.repeats {
        text.push_str(&format!(", then from {} on for ever", instant(from, chronicle.unit)));
    }
    text
}

/// The rows that tell most: changes of the claim's atoms, what mentions them, then what is rare and heavy, the later of
/// equals.
fn choose<'a>(chronicle: &Chronicle, rows: &'a [Row], limit: usize) -> Vec<&'a Row> {
    let alike = alike(rows);
    let atoms: Vec<&str> = chronicle.strips.iter().map(|strip| strip.atom.as_str()).collect();
    let named = |text: &str| atoms.iter().any(|atom| holds_word(atom, text));
    let from = chronicle.deadline.as_ref().map_or(0, |deadline| deadline.start);
    let under_way = under_way(chronicle, &named);
    let mut ranked: Vec<(u64, usize)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let mut rank = u64::from(row.weight) * 10 / u64::from(alike[&shape(row)].clamp(1, 40));
        if row.weight < NOTABLE && !row.cause && !named(&row.subject) {
            rank /= 4;
        }
        rank += if row.cause { 10_000 } else { 0 };
        rank += if under_way.contains(&row.first) { 2_000 } else { 0 };
        rank += if !row.subject.is_empty() && named(&row.subject) { 1_000 } else { 0 };
        rank += if named(&chronicle.lanes[row.lane].name) { 200 } else { 0 };
        rank += if row.time >= from { 100 } else { 0 };
        if row.weight > 3 || row.cause {
            ranked.push((rank, at));
        }
    }
    ranked.sort_by(|a, b| b.cmp(a));
    ranked.truncate(limit);
    let mut chosen: Vec<usize> = ranked.into_iter().map(|(_, at)| at).collect();
    chosen.sort_unstable();
    chosen.into_iter().map(|at| &rows[at]).collect()
}

/// The beginnings of what the claim's agents were doing when its time began to count, or when it was last decided: what
/// they were busy with is usually the reason.
fn under_way(chronicle: &Chronicle, named: &dyn Fn(&str) -> bool) -> Vec<usize> {
    let last_cause = || chronicle.entries.iter().rev().find(|entry| entry.cause).map(|entry| entry.time);
    let moment = chronicle.deadline.as_ref().map(|deadline| deadline.start).or_else(last_cause);
    let Some(moment) = moment else { return Vec::new() };
    let lanes = chronicle.lanes.iter().filter(|lane| named(&lane.name));
    let busy = lanes.flat_map(|lane| &lane.bars).filter(|bar| bar.start <= moment && moment < bar.end);
    busy.map(|bar| bar.entry).collect()
}

/// The part of the run that the rows and the deadline lie in, and the lanes that have a part in it.
fn window(tale: &Tale, chronicle: &Chronicle, chosen: &[&Row], view: &View) -> Window {
    let deadline = chronicle.deadline.as_ref();
    let first = chosen.iter().map(|row| row.time).chain(deadline.map(|deadline| deadline.start)).min();
    let due = deadline.filter(|deadline| deadline.missed).map_or(0, |deadline| deadline.due);
    let end = chronicle.end.max(due).max(1);
    let mut start = first.unwrap_or(0).min(end - 1);
    // A little of what came before, so that what began there can be seen.
    start -= ((end - start) / 12).min(start);
    let end = end + (end - start) / 10;
    if view.extent == Extent::Full {
        let lanes = (0..chronicle.lanes.len()).collect();
        let start = chronicle.times.get(tale.from).copied().unwrap_or(0).min(end - 1);
        return Window { start, end, lanes, limit_places: usize::MAX };
    }
    let named = |lane: usize| {
        chronicle.strips.iter().any(|strip| holds_word(&strip.atom, &chronicle.lanes[lane].name))
    };
    let mut lanes: Vec<usize> = Vec::new();
    let add = |lanes: &mut Vec<usize>, lane: usize| {
        if lanes.len() < LIMIT_LANES && !lanes.contains(&lane) {
            lanes.push(lane);
        }
    };
    let causes = chosen.iter().filter(|row| row.cause).map(|row| row.lane);
    let of_claim: Vec<usize> = (0..chronicle.lanes.len()).filter(|lane| named(*lane)).collect();
    causes.chain(of_claim).for_each(|lane| add(&mut lanes, lane));
    let core = lanes.clone();
    let speakers = (0..chronicle.lanes.len()).filter(|lane| talks(chronicle, *lane, &core, start));
    speakers.for_each(|lane| add(&mut lanes, lane));
    if core.is_empty() {
        chosen.iter().rev().for_each(|row| add(&mut lanes, row.lane));
    }
    lanes.sort_unstable();
    Window { start, end, lanes, limit_places: LIMIT_PLACES }
}

/// The rows, numbered; the deadline stands among them at its time.
fn table(chronicle: &Chronicle, chosen: &[&Row], view: &View) -> String {
    let columns = Columns::of(chronicle, chosen, view, 4);
    let mut page = String::new();
    let mut missed = chronicle.deadline.as_ref().filter(|deadline| deadline.missed);
    for (number, row) in (1..).zip(chosen) {
        if let Some(deadline) = missed.filter(|deadline| deadline.due < row.time) {
            page.push_str(&columns.deadline(chronicle, deadline, view));
            missed = None;
        }
        page.push_str(&format!("  {number:>2}  {}\n", columns.line(chronicle, row, view)));
    }
    if let Some(deadline) = missed.filter(|deadline| deadline.due <= chronicle.end) {
        page.push_str(&columns.deadline(chronicle, deadline, view));
    }
    page
}
