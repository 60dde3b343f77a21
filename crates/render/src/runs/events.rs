//! What happens in a run, line by line: the list of `sim`, and the rows from which a counterexample takes its table.

use std::collections::BTreeMap;

use motet_evidence::Measure;

use crate::runs::chronicle::{BarEnd, Chronicle, Entry, Happening, WorkSort};
use crate::runs::deadline::Deadline;
use crate::typesetting::duration::{duration, instant};
use crate::typesetting::number::grouped;
use crate::typesetting::page::{Extent, Tone, View, pad};

/// Rows of a list that is not told in full: this many from the start and this many from the end.
const LIMIT_FIRST: usize = 18;
const LIMIT_LAST: usize = 6;

/// From this weight on a row belongs into a short list.
pub(crate) const NOTABLE: u32 = 30;

/// One line: who does what, and what changes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) time: u64,
    pub(crate) lane: usize,
    /// `does wf_x`, `tells Bob`.
    pub(crate) verb: String,
    /// What changes, or what it is about.
    pub(crate) subject: String,
    /// `before → after`; may be empty.
    pub(crate) value: String,
    /// Whether an atom of the claim changes with it.
    pub(crate) cause: bool,
    pub(crate) weight: u32,
    /// The first entry it stands for.
    pub(crate) first: usize,
    /// How many entries it stands for.
    pub(crate) entries: usize,
}

/// The run as a list of events. A short one holds the notable events of its start and its end.
#[must_use]
pub fn events(chronicle: &Chronicle, view: &View) -> String {
    let rows = rows(chronicle);
    let (first, last): (Vec<&Row>, Vec<&Row>) = match view.extent {
        Extent::Full => (rows.iter().collect(), Vec::new()),
        Extent::Chosen => {
            let mut notable: Vec<&Row> =
                rows.iter().filter(|row| row.weight >= NOTABLE || row.cause).collect();
            let at = if notable.len() > LIMIT_FIRST + LIMIT_LAST { LIMIT_FIRST } else { notable.len() };
            let rest = notable.split_off(at);
            let from = rest.len().saturating_sub(LIMIT_LAST);
            (notable, rest[from..].to_vec())
        }
    };
    let columns = Columns::of(chronicle, &[&first[..], &last[..]].concat(), view, 0);
    let told: usize = first.iter().chain(&last).map(|row| row.entries).sum();
    let hidden = rows.iter().map(|row| row.entries).sum::<usize>().saturating_sub(told);
    let mut page = String::new();
    for row in &first {
        page.push_str(&format!("  {}\n", columns.line(chronicle, row, view)));
    }
    if hidden > 0 {
        let sign = if view.letters == crate::typesetting::page::Letters::Ascii { "..." } else { "…" };
        let (noun, them) = if hidden == 1 { ("event", "it") } else { ("events", "them") };
        // Where nothing notable is left out, what is left out lies between the lines.
        let sort = if last.is_empty() { "lesser" } else { "more" };
        let text = format!("{} {sort} {noun}, --full to see {them}", grouped(hidden as u64));
        let room = view.width.saturating_sub(2 + sign.chars().count() + text.chars().count());
        let lead = " ".repeat((columns.before_subject() - sign.chars().count()).min(room).max(1));
        page.push_str(&format!("  {}\n", view.paint(Tone::Quiet, &format!("{sign}{lead}{text}"))));
    }
    for row in &last {
        page.push_str(&format!("  {}\n", columns.line(chronicle, row, view)));
    }
    if page.is_empty() {
        page.push_str("  nothing happens\n");
    }
    view.finish(page)
}

/// How the parts of a row share a line.
pub(crate) struct Columns {
    time: usize,
    lane: usize,
    verb: usize,
    subject: usize,
    width: usize,
}

impl Columns {
    /// Columns for these rows; `lead` characters stand before each line.
    pub(crate) fn of(chronicle: &Chronicle, rows: &[&Row], view: &View, lead: usize) -> Self {
        let longest = |length: &dyn Fn(&Row) -> usize| rows.iter().map(|row| length(row)).max().unwrap_or(0);
        let letters = |text: &str| text.chars().count();
        let time = longest(&|row| letters(&instant(row.time, chronicle.unit)));
        let lane = longest(&|row| letters(&chronicle.lanes[row.lane].name)).min(20);
        let verb = longest(&|row| letters(&row.verb)).clamp(6, 28);
        let width = view.width.saturating_sub(2 + lead);
        let room = width.saturating_sub(time + lane + verb + 8);
        let value = longest(&|row| letters(&row.value)).min(24);
        let subject = longest(&|row| if row.value.is_empty() { 0 } else { letters(&row.subject) });
        Self { time, lane, verb, subject: subject.min(room.saturating_sub(value + 2)).max(8), width }
    }

    fn before_subject(&self) -> usize {
        self.time + self.lane + self.verb + 8
    }

    /// The row as a line; the mark stands before the subject of a change of the claim's atoms.
    pub(crate) fn line(&self, chronicle: &Chronicle, row: &Row, view: &View) -> String {
        let mark = if row.cause { "●" } else { " " };
        let subject = if row.value.is_empty() {
            row.subject.clone()
        } else {
            format!("{}  {}", pad(&view.fit(&row.subject, self.subject), self.subject), row.value)
        };
        let line = format!(
            "{}  {}  {}  {mark} {subject}",
            pad(&instant(row.time, chronicle.unit), self.time),
            pad(&view.fit(&chronicle.lanes[row.lane].name, self.lane), self.lane),
            pad(&view.fit(&row.verb, self.verb), self.verb),
        );
        let line = view.fit(line.trim_end(), self.width);
        if row.cause { view.paint(Tone::Care, &line) } else { line }
    }
}

impl Columns {
    /// The line of a missed deadline: what is still not so.
    pub(crate) fn deadline(&self, chronicle: &Chronicle, deadline: &Deadline, view: &View) -> String {
        let still = match deadline.measure {
            Measure::Duration => format!("{} still holds", deadline.awaited.join(", ")),
            Measure::Age => format!("{} not again", deadline.awaited.join(", ")),
            Measure::Response | Measure::Arrival => {
                let still = |awaited: &String| match awaited.strip_prefix("not ") {
                    Some(over) => format!("{over} still so"),
                    None => format!("{awaited} still not so"),
                };
                deadline.awaited.iter().map(still).collect::<Vec<_>>().join(", ")
            }
        };
        let line = format!(
            "{}  {}  {}  ● {still}",
            pad(&instant(deadline.due, chronicle.unit), self.time),
            pad("-", self.lane),
            pad("deadline", self.verb),
        );
        format!("   ✗  {}\n", view.paint(Tone::Bad, &view.fit(&line, self.width)))
    }
}

/// All rows of a run. Entries that say one thing make one row: what a thought changes, a message to several.
pub(crate) fn rows(chronicle: &Chronicle) -> Vec<Row> {
    let entries = &chronicle.entries;
    let mut rows: Vec<Row> = Vec::new();
    let mut at = 0;
    while at < entries.len() {
        let n_entries = joined(&entries[at..]);
        let mut row = row(chronicle, &entries[at]);
        for entry in &entries[at + 1..at + n_entries] {
            join(chronicle, &mut row, entry);
        }
        if let Happening::Tells { .. } = entries[at].what {
            row.verb = format!("tells {}", told(chronicle, &entries[at..at + n_entries]));
        }
        row.first = at;
        row.entries = n_entries;
        rows.push(row);
        at += n_entries;
    }
    rows
}

/// How many entries from the first one on make one row.
fn joined(entries: &[Entry]) -> usize {
    let Some(first) = entries.first() else { return 0 };
    let same = |entry: &&Entry| entry.time == first.time && entry.lane == first.lane;
    let rest = &entries[1..];
    let as_shift = |entry: &Entry| match &entry.what {
        Happening::Believes(shift) | Happening::Makes(shift) => Some(shift.clone()),
        _ => None,
    };
    match &first.what {
        Happening::Tells { content, .. } => {
            let likewise = |entry: &&Entry| {
                same(entry)
                    && matches!(&entry.what, Happening::Tells { content: other, .. } if other == content)
            };
            1 + rest.iter().take_while(likewise).count()
        }
        Happening::Thinks { .. } => {
            let change = rest.first().filter(same).and_then(as_shift);
            let Some(change) = change else { return 1 };
            let again = rest.get(1).filter(same).and_then(as_shift);
            if again.is_some_and(|again| again.subject == change.subject) { 3 } else { 2 }
        }
        Happening::Believes(_) | Happening::Makes(_) => {
            let change = as_shift(first);
            let again = rest.first().filter(same).and_then(as_shift);
            let one = |a: &crate::runs::chronicle::Shift, b: &crate::runs::chronicle::Shift| {
                a.subject == b.subject && a.after == b.after
            };
            let twice = change.as_ref().zip(again.as_ref()).is_some_and(|(a, b)| one(a, b));
            if twice { 2 } else { 1 }
        }
        _ => 1,
    }
}

/// Takes a further entry into a row: a thought shows what it changes, a change of a belief and of the world is a change
/// of the world.
fn join(chronicle: &Chronicle, row: &mut Row, entry: &Entry) {
    let other = self::row(chronicle, entry);
    row.cause |= entry.cause;
    row.weight = row.weight.max(other.weight);
    match &entry.what {
        Happening::Makes(_) if row.verb == "believes" => *row = Row { cause: row.cause, ..other },
        Happening::Believes(_) | Happening::Makes(_) if row.value.is_empty() => {
            row.subject = other.subject;
            row.value = other.value;
        }
        _ => {}
    }
}

/// `Bob`, `Bob and Eve`, `all`, `Bob, Eve and 3 others`.
fn told(chronicle: &Chronicle, entries: &[Entry]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for entry in entries {
        if let Happening::Tells { to, .. } = &entry.what {
            let name = chronicle.lanes[*to].name.as_str();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    match names.as_slice() {
        [one] => (*one).to_string(),
        many if many.len() + 1 >= chronicle.lanes.len() && many.len() > 2 => "all".to_string(),
        [one, two] => format!("{one} and {two}"),
        [one, rest @ ..] => format!("{one} and {} others", rest.len()),
        [] => String::new(),
    }
}

fn row(chronicle: &Chronicle, entry: &Entry) -> Row {
    let (verb, subject, value) = phrase(chronicle, entry);
    let weight = weight(entry);
    let (time, lane, cause) = (entry.time, entry.lane, entry.cause);
    Row { time, lane, verb, subject, value, cause, weight, first: 0, entries: 1 }
}

/// An entry in words: the verb with its name, what it is about, and what changes.
fn phrase(chronicle: &Chronicle, entry: &Entry) -> (String, String, String) {
    let text = |text: &str| text.to_string();
    match &entry.what {
        Happening::Begins { work, name, detail, length, priority } => {
            let mut notes = Vec::new();
            notes.extend(length.map(|length| duration(length, chronicle.unit)));
            notes.extend(priority.as_ref().map(|priority| format!("priority {priority}")));
            let notes = if notes.is_empty() { String::new() } else { format!("({})", notes.join(", ")) };
            let subject = [detail.as_str(), notes.as_str()].join(" ").trim().to_string();
            match work {
                WorkSort::Move => (text("moves"), subject, String::new()),
                _ => (format!("does {name}"), subject, String::new()),
            }
        }
        Happening::Ends { name, ending, .. } => {
            let verb = match ending {
                BarEnd::Done => "ends",
                BarEnd::Aborted => "aborts",
                BarEnd::Completed => "cuts short",
                BarEnd::Interrupted => "puts aside",
                BarEnd::Impassed => "is held up in",
            };
            (format!("{verb} {name}"), String::new(), String::new())
        }
        Happening::Resumes { name, length } => {
            let left = length.map(|left| format!("({} left)", duration(left, chronicle.unit)));
            (format!("resumes {name}"), left.unwrap_or_default(), String::new())
        }
        Happening::Thinks { name } => (format!("thinks {name}"), String::new(), String::new()),
        Happening::Believes(shift) => {
            (text("believes"), shift.subject.clone(), arrow(&shift.before, &shift.after))
        }
        Happening::Makes(shift) => (text("makes"), shift.subject.clone(), arrow(&shift.before, &shift.after)),
        Happening::Tells { to, content } => {
            (format!("tells {}", chronicle.lanes[*to].name), content.clone(), String::new())
        }
        Happening::Detects { name, action } => (format!("detects {name}"), action.clone(), String::new()),
        Happening::Arrives { from, place } if from.is_empty() => {
            (text("is at"), place.clone(), String::new())
        }
        Happening::Arrives { from, place } => {
            let subject = format!("{}.location", chronicle.lanes[entry.lane].name);
            (text("arrives"), subject, arrow(from, place))
        }
        Happening::Remarks { text: line } => (text("notes"), line.clone(), String::new()),
    }
}

fn arrow(before: &str, after: &str) -> String {
    format!("{before} → {after}")
}

/// How much a reader wants to see it: work and words of others more than bookkeeping, a break more than a plain end.
fn weight(entry: &Entry) -> u32 {
    match &entry.what {
        _ if entry.step == 0 => 3,
        Happening::Begins { work: WorkSort::Move, .. } => 40,
        Happening::Begins { work: WorkSort::Frame, .. } => 32,
        Happening::Begins { work: WorkSort::Communicate, .. } => 10,
        Happening::Begins { length, .. } => 20 + length.map_or(0, |length| u32::from(length >= 60_000) * 12),
        Happening::Ends { ending: BarEnd::Done, .. } => 2,
        Happening::Ends { .. } => 45,
        Happening::Resumes { .. } => 25,
        Happening::Thinks { .. } => 12,
        Happening::Believes(_) => 10,
        Happening::Makes(_) | Happening::Tells { .. } => 40,
        Happening::Detects { .. } => 35,
        Happening::Arrives { .. } => 28,
        Happening::Remarks { .. } => 38,
    }
}

/// How often each kind of row occurs, numbers apart: what happens every minute tells less.
pub(crate) fn alike(rows: &[Row]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(shape(row)).or_insert(0) += 1;
    }
    counts
}

/// The row without its numbers.
pub(crate) fn shape(row: &Row) -> String {
    let letters = row.verb.chars().chain(row.subject.chars()).filter(|letter| !letter.is_ascii_digit());
    format!("{} {}", row.lane, letters.collect::<String>())
}
