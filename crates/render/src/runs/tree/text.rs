//! Branches as a part of a report: what is the case, how it is seen, a short chart of the run behind it, and what somebody
//! sees in two situations.

use super::sentence::listed;
use super::{BranchTale, Difference, Elsewhere, ShownTale};
use crate::runs::chart::{length, short};
use crate::runs::recorder::holds_word;
use crate::runs::tale::Tale;
use crate::typesetting::duration::instant;
use crate::typesetting::number::count;
use crate::typesetting::page::{Extent, Tone, View, pad, plain, wrap};

/// Branches told in a report, those of branches included.
const LIMIT_TOLD: usize = 5;
/// Branches told of one run.
const LIMIT_EACH: usize = 3;
/// Branches of branches of branches are left to the tree.
const LIMIT_DEPTH: usize = 3;
/// Rows of a chart.
const LIMIT_ROWS: usize = 8;
/// Lines of what somebody sees, and of what differs.
const LIMIT_LINES: usize = 5;
/// A longer name does not stand before two columns.
const LIMIT_LABEL: usize = 28;
/// Lines narrower than this cannot hold two columns.
const LEAST_WIDTH: usize = 50;

/// How much of a tree is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    told: usize,
    each: usize,
    depth: usize,
    rows: usize,
    pub(super) lines: usize,
}

impl Limits {
    /// As a report wants it.
    fn of(view: &View) -> Self {
        match view.extent {
            Extent::Full => Self::none(),
            Extent::Chosen => Self {
                told: LIMIT_TOLD,
                each: LIMIT_EACH,
                depth: LIMIT_DEPTH,
                rows: LIMIT_ROWS,
                lines: LIMIT_LINES,
            },
        }
    }

    pub(super) fn none() -> Self {
        let most = usize::MAX;
        Self { told: most, each: most, depth: most, rows: most, lines: most }
    }
}

/// What the run alone does not show, under its chart. `file` is where the tree can be seen whole. Nothing for a single run.
#[must_use]
pub fn branches(tale: &Tale, file: Option<&str>, view: &View) -> String {
    if tale.branches.is_empty() {
        return String::new();
    }
    let mut writer = Writer { limits: Limits::of(view), told: 0, page: String::new(), view };
    writer.branches(tale, "1", 2);
    let left = total(tale) - writer.told;
    if left > 0 {
        let noun = if left == 1 { "branch" } else { "branches" };
        let way =
            file.map_or("--full shows all".to_string(), |file| format!("motet trace show {file} --tree"));
        let text = format!("{left} more {noun} in the tree: {way}");
        writer.page.push_str(&format!("\n  {}\n", view.paint(Tone::Quiet, &text)));
    }
    view.finish(writer.page)
}

/// How many branches a tree has.
pub(super) fn total(tale: &Tale) -> usize {
    let below = |branch: &BranchTale| branch.tale().map_or(0, total);
    tale.branches.iter().map(|branch| 1 + below(branch)).sum()
}

struct Writer<'a> {
    limits: Limits,
    told: usize,
    page: String,
    view: &'a View,
}

impl Writer<'_> {
    fn branches(&mut self, tale: &Tale, number: &str, indent: usize) {
        if number.split('.').count() > self.limits.depth {
            return;
        }
        for (number, group) in groups(tale, number).take(self.limits.each) {
            if self.told >= self.limits.told {
                return;
            }
            self.told += group.len();
            self.group(tale, group, &number, indent);
        }
    }

    fn group(&mut self, tale: &Tale, group: &[BranchTale], number: &str, indent: usize) {
        let branch = &group[0];
        let inner = indent + number.chars().count() + 2;
        let room = self.view.width.saturating_sub(inner).max(30);
        let said = format!("{}, {}:", moments(tale, group), branch.said);
        self.page.push('\n');
        for (at, line) in wrap(&said, room).iter().chain(&wrap(&branch.because, room)).enumerate() {
            let lead = match at {
                0 => format!("{}{}  ", " ".repeat(indent), self.view.paint(Tone::Strong, number)),
                _ => " ".repeat(inner),
            };
            self.page.push_str(&format!("{lead}{line}\n"));
        }
        match &branch.shown {
            ShownTale::Search => {}
            _ if let Some(twin) = twin(tale, branch, number) => {
                self.told += branch.tale().map_or(0, total);
                self.page.push_str(&format!("{}the same as {twin} shows it\n", " ".repeat(inner)));
            }
            ShownTale::Onward(run) => {
                self.chart(run, &format!("It goes on: {}", timed(run)), inner);
                self.branches(run, number, inner);
            }
            ShownTale::Elsewhere(elsewhere) => {
                let run = elsewhere.parted();
                if let Some(title) = other_title(elsewhere) {
                    self.chart(&run, &title, inner);
                }
                let view = View { width: room, ..*self.view };
                self.push(&compared(elsewhere, &branch.formula, self.limits, &view), inner);
                self.branches(&elsewhere.tale, number, inner);
            }
        }
    }

    fn chart(&mut self, tale: &Tale, title: &str, indent: usize) {
        // A chart indents its lines by two.
        let view = View { width: self.view.width.saturating_sub(indent - 2).max(40), ..*self.view };
        self.page.push_str(&format!("\n{}{}\n", " ".repeat(indent), self.view.paint(Tone::Strong, title)));
        if tale.n_steps() > 0 {
            self.page.push('\n');
            self.push(&short(tale, self.limits.rows, &view), indent - 2);
        }
    }

    fn push(&mut self, text: &str, indent: usize) {
        for line in text.lines() {
            let line = if line.is_empty() { String::new() } else { format!("{}{line}", " ".repeat(indent)) };
            self.page.push_str(&format!("{line}\n"));
        }
    }
}

/// The number of an earlier branch of the same moment that the same run shows; `number` is the branch's own.
pub(super) fn twin(tale: &Tale, branch: &BranchTale, number: &str) -> Option<String> {
    let (parent, own) = number.rsplit_once('.')?;
    let before = tale.branches.iter().take(own.parse::<usize>().ok()?.checked_sub(1)?);
    let alike = |other: &BranchTale| other.at == branch.at && other.shown == branch.shown;
    let first = before.zip(1_usize..).find(|(other, _)| alike(other));
    first.map(|(_, first)| format!("{parent}.{first}"))
}

/// `3 steps, 00:00:00 to 10:00:00`.
pub(super) fn timed(tale: &Tale) -> String {
    let Some(chronicle) = &tale.chronicle else { return length(tale) };
    let start = chronicle.times.get(tale.from).copied().unwrap_or(0);
    format!(
        "{}, {} to {}",
        length(tale),
        instant(start, chronicle.unit),
        instant(chronicle.end, chronicle.unit)
    )
}

/// What stands above the other run: how long it is, and from where on it is another one. Nothing where it has no steps.
pub(super) fn other_title(elsewhere: &Elsewhere) -> Option<String> {
    let (n_steps, shared) = (elsewhere.tale.beats.len(), elsewhere.shared);
    match (n_steps, shared) {
        (0, _) => None,
        (_, 0) => Some(format!("The other run: {}", timed(&elsewhere.tale))),
        _ if shared == n_steps => Some(format!("The other run is this one up to step {shared}")),
        (_, 1) => {
            Some(format!("The other run begins with the same step, then {}", timed(&elsewhere.parted())))
        }
        _ => Some(format!(
            "The other run begins with the same {shared} steps, then {}",
            timed(&elsewhere.parted())
        )),
    }
}

/// The branches of a run with their numbers, such as `1.2`; neighbours that say the same, as seen by a search, are one:
/// `1.2 to 1.4`.
pub(super) fn groups<'a>(tale: &'a Tale, number: &str) -> impl Iterator<Item = (String, &'a [BranchTale])> {
    let alike = |one: &BranchTale, next: &BranchTale| {
        one.shown == ShownTale::Search && next.shown == ShownTale::Search && one.said == next.said
    };
    let mut last = 0;
    tale.branches.chunk_by(alike).map(move |group| {
        let first = last + 1;
        last += group.len();
        let numbers = match group.len() {
            1 => format!("{number}.{first}"),
            _ => format!("{number}.{first} to {number}.{last}"),
        };
        (numbers, group)
    })
}

/// `at the start`, `after step 3 (01:00:00)`, `at the start and after steps 1 to 4`.
pub(super) fn moments(tale: &Tale, group: &[BranchTale]) -> String {
    if let [branch] = group {
        return moment(tale, branch.at);
    }
    let mut at: Vec<usize> = group.iter().map(|branch| branch.at).collect();
    at.sort_unstable();
    at.dedup();
    let later: Vec<usize> = at.iter().copied().filter(|at| *at > 0).collect();
    let steps = match later.as_slice() {
        [] => String::new(),
        [one] => format!("after step {one}"),
        [first, .., last] if last - first + 1 == later.len() => format!("after steps {first} to {last}"),
        _ => {
            let names: Vec<String> = later.iter().map(usize::to_string).collect();
            format!("after steps {}", listed(&names, "and"))
        }
    };
    match (at.contains(&0), steps.is_empty()) {
        (true, true) => "at the start".to_string(),
        (true, false) => format!("at the start and {steps}"),
        (false, _) => steps,
    }
}

/// `at the start`, `after step 3 (01:00:00)`.
pub(super) fn moment(tale: &Tale, at: usize) -> String {
    let Some(step) = at.checked_sub(1) else { return "at the start".to_string() };
    let clock = tale.chronicle.as_ref().zip(tale.time(step));
    let time = clock.map(|(chronicle, time)| format!(" ({})", instant(time, chronicle.unit)));
    format!("after step {at}{}", time.unwrap_or_default())
}

/// What somebody sees in both situations, and what differs; what the formula speaks of comes first.
pub(super) fn compared(elsewhere: &Elsewhere, formula: &str, limits: Limits, view: &View) -> String {
    let mut page = String::new();
    for mind in &elsewhere.seen {
        let mut rows = Vec::new();
        for section in &mind.sections {
            let mut items: Vec<String> = section.items.iter().map(|item| plain(item)).collect();
            items.sort_by_key(|item| !mentions(formula, item));
            let room = view.width.saturating_sub(16).max(20);
            for (at, line) in wrap(&items.join("; "), room).iter().enumerate() {
                let title = if at == 0 { plain(&section.title) } else { String::new() };
                rows.push(format!("  {}  {line}", pad(&title, 12)));
            }
        }
        let title = match rows.is_empty() {
            true => format!("{} sees nothing in both situations", plain(&mind.name)),
            false => format!("{} sees the same in both situations", plain(&mind.name)),
        };
        page.push_str(&format!("\n{}\n", view.paint(Tone::Strong, &title)));
        page.push_str(&limited(rows, limits.lines, view));
    }
    let mut rows = differences(elsewhere, formula, view);
    if !rows.is_empty() {
        let head = rows.remove(0);
        page.push_str(&format!("\n{}\n", view.paint(Tone::Strong, &head)));
        page.push_str(&limited(rows, limits.lines, view));
    }
    page
}

/// Whether a formula speaks of what an item speaks of: `Patient_one.heartAttack` of `Patient_one.heartAttack = true`.
pub(super) fn mentions(formula: &str, item: &str) -> bool {
    let name = item.split([' ', '(', '[']).next().unwrap_or_default();
    name.len() > 1 && holds_word(formula, name)
}

/// What differs; what the formula speaks of comes first.
pub(super) fn sorted<'a>(elsewhere: &'a Elsewhere, formula: &str) -> Vec<&'a Difference> {
    let mut differs: Vec<&Difference> = elsewhere.differs.iter().collect();
    let spoken = |items: &[String]| items.iter().any(|item| mentions(formula, item));
    differs.sort_by_key(|one| !(spoken(&one.here) || spoken(&one.there) || mentions(formula, &one.section)));
    differs
}

/// What differs, in two columns below their head.
fn differences(elsewhere: &Elsewhere, formula: &str, view: &View) -> Vec<String> {
    if elsewhere.differs.is_empty() {
        return Vec::new();
    }
    let differs = sorted(elsewhere, formula);
    let label = |one: &Difference| format!("{} {}", one.mind, one.section);
    let longest = differs.iter().map(|one| label(one).chars().count()).max().unwrap_or(0);
    // Long names get a line of their own.
    let apart = longest > LIMIT_LABEL;
    let names = if apart { LIMIT_LABEL } else { longest.max("What differs".len()) };
    let half = view.width.max(LEAST_WIDTH).saturating_sub(names + 4) / 2;
    let row = |name: &str, here: &str, there: &str| {
        let (name, here) = (view.fit(name, names), view.fit(here, half));
        let line = format!("{}  {}  {}", pad(&name, names), pad(&here, half), view.fit(there, half));
        line.trim_end().to_string()
    };
    let other = if elsewhere.tale.beats.is_empty() { "at the start" } else { "after the other run" };
    let mut rows = vec![row("What differs", "here", other)];
    let mut last = "";
    for one in differs {
        if apart && one.mind != last {
            rows.push(one.mind.clone());
            last = &one.mind;
        }
        for at in 0..one.here.len().max(one.there.len()) {
            let item = |items: &[String]| items.get(at).cloned().unwrap_or_else(|| "–".to_string());
            let name = match (at, apart) {
                (0, true) => format!("  {}", one.section),
                (0, false) => label(one),
                _ => String::new(),
            };
            rows.push(row(&name, &item(&one.here), &item(&one.there)));
        }
    }
    rows
}

/// The first lines, and how many more there are.
fn limited(rows: Vec<String>, limit: usize, view: &View) -> String {
    // One line more costs no more room than saying that there is one.
    let shown = if rows.len() == limit.saturating_add(1) { rows.len() } else { rows.len().min(limit) };
    let mut page: String =
        rows[..shown].iter().map(|row| format!("{}\n", view.fit(row, view.width))).collect();
    if shown < rows.len() {
        let more = format!("  and {}", count(rows.len() - shown, "more line"));
        page.push_str(&format!("{}\n", view.paint(Tone::Quiet, &more)));
    }
    page
}
