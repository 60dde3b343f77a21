//! A tree as an outline, and one run of it in full.

use motet_evidence::{Evidence, Run, Shown};

use super::text::{Limits, compared, moment, other_title, total};
use super::{BranchTale, ShownTale};
use crate::runs::chart::{length, story};
use crate::runs::tale::Tale;
use crate::typesetting::page::{Extent, Tone, View, pad, wrap};

/// Lines of an outline, unless the reader wants all.
const LIMIT_ENTRIES: usize = 60;
/// Deeper branches are not indented further.
const LIMIT_INDENT: usize = 8;

/// The tree as an outline: each run and each branch with its number. `file` is where the tree is saved.
#[must_use]
pub fn outline(tale: &Tale, title: &str, file: &str, view: &View) -> String {
    if tale.branches.is_empty() {
        return view.finish(format!(
            "  {}\n\n  this is a single run without branches: motet trace show {file}\n",
            view.paint(Tone::Strong, title)
        ));
    }
    let mut entries =
        vec![Entry { number: "1".to_string(), depth: 0, text: format!("the run: {}", length(tale)) }];
    collect(tale, "1", 1, &mut entries);
    let n_branches = total(tale);
    let mut page = format!("  {}\n\n", view.paint(Tone::Strong, &format!("{title}: {}", plural(n_branches))));
    page.push_str(&listed(&entries, view));
    let first = entries.iter().find(|entry| entry.depth > 0).map_or("1.1", |entry| entry.number.as_str());
    page.push_str(&format!(
        "\n  {}  motet trace show {file} --branch {first}   shows one of them in full\n",
        view.paint(Tone::Strong, "Next")
    ));
    view.finish(page)
}

/// `1 branch`, `12 branches`.
fn plural(number: usize) -> String {
    if number == 1 { "1 branch".to_string() } else { format!("{number} branches") }
}

struct Entry {
    number: String,
    depth: usize,
    text: String,
}

fn collect(tale: &Tale, number: &str, depth: usize, entries: &mut Vec<Entry>) {
    for (at, branch) in (1..).zip(&tale.branches) {
        let number = format!("{number}.{at}");
        entries.push(Entry { number: number.clone(), depth, text: sentence(tale, branch) });
        if let Some(tale) = branch.tale() {
            collect(tale, &number, depth + 1, entries);
        }
    }
}

/// `after step 3 Bob does not know that p: Bob cannot tell ... (2 steps)`.
fn sentence(tale: &Tale, branch: &BranchTale) -> String {
    let length = match branch.tale() {
        Some(run) if run.n_steps() > 0 => format!(" ({})", length(run)),
        _ => String::new(),
    };
    format!("{}, {}: {}{length}", moment(tale, branch.at), branch.said, branch.because)
}

fn listed(entries: &[Entry], view: &View) -> String {
    let shown = match view.extent {
        Extent::Full => entries.len(),
        Extent::Chosen => entries.len().min(LIMIT_ENTRIES),
    };
    let numbers =
        entries[..shown].iter().map(|entry| entry.number.chars().count()).max().unwrap_or(0).min(24);
    let mut page = String::new();
    for entry in &entries[..shown] {
        let indent = 2 * entry.depth.min(LIMIT_INDENT);
        let before = 2 + numbers.max(entry.number.chars().count()) + 2 + indent;
        for (at, line) in wrap(&entry.text, view.width.saturating_sub(before).max(30)).iter().enumerate() {
            let number = if at == 0 { pad(&entry.number, numbers) } else { " ".repeat(before - 4 - indent) };
            let number = view.paint(Tone::Strong, &number);
            page.push_str(&format!("  {number}  {}{line}\n", " ".repeat(indent)));
        }
    }
    if shown < entries.len() {
        let more = format!("  {} more, --full for all", entries.len() - shown);
        page.push_str(&format!("{}\n", view.paint(Tone::Quiet, &more)));
    }
    page
}

/// A branch of a tree by its number, such as `1.2.1`, with the tale that it is a branch of.
fn find<'a>(tale: &'a Tale, number: &str) -> Option<(&'a Tale, &'a BranchTale)> {
    let mut parent = tale;
    let mut found = None;
    for at in places(number)? {
        if let Some((_, branch)) = found {
            parent = BranchTale::tale(branch)?;
        }
        found = Some((parent, parent.branches.get(at)?));
    }
    found
}

/// The places of a number below the root, from 0; the root itself is `1`.
fn places(number: &str) -> Option<Vec<usize>> {
    let mut parts = number.split('.').map(|part| part.parse::<usize>().ok()?.checked_sub(1));
    if parts.next()?? != 0 {
        return None;
    }
    parts.collect()
}

/// One run of a tree in full, with its own branches as an outline; `1` is the main run. `None` when there is no such number.
#[must_use]
pub fn one(tale: &Tale, title: &str, number: &str, view: &View) -> Option<String> {
    if places(number)?.is_empty() {
        return Some(story(tale, title, view) + &below(tale, number, view));
    }
    let (parent, branch) = find(tale, number)?;
    let mut page = String::new();
    let indent = number.chars().count() + 4;
    for (at, line) in
        wrap(&sentence(parent, branch), view.width.saturating_sub(indent).max(30)).iter().enumerate()
    {
        let lead =
            if at == 0 { format!("  {}  ", view.paint(Tone::Strong, number)) } else { " ".repeat(indent) };
        page.push_str(&format!("{lead}{line}\n"));
    }
    page.push_str(&format!("  {}\n", view.paint(Tone::Quiet, &view.fit(&branch.formula, view.width - 2))));
    match &branch.shown {
        ShownTale::Search => page.push_str("\n  there is no run to show: a complete search is behind this\n"),
        ShownTale::Onward(run) => {
            let mut run = (**run).clone();
            if view.extent == Extent::Full {
                run.from = 0;
            }
            let title = match run.from {
                0 => "The run".to_string(),
                from => format!("The run from step {} on", from + 1),
            };
            page.push_str(&format!("\n{}", story(&run, &title, view)));
        }
        ShownTale::Elsewhere(elsewhere) => {
            if !elsewhere.tale.beats.is_empty() {
                page.push_str(&format!("\n{}", story(&elsewhere.tale, "The other run", view)));
            }
            if let Some(title) = other_title(elsewhere).filter(|_| elsewhere.shared > 0) {
                page.push_str(&format!("\n  {title}\n"));
            }
            let narrow = View { width: view.width.saturating_sub(2), ..*view };
            for line in compared(elsewhere, &branch.formula, Limits::none(), &narrow).lines() {
                page.push_str(format!("  {line}").trim_end());
                page.push('\n');
            }
        }
    }
    let rest = branch.tale().map(|tale| below(tale, number, view)).unwrap_or_default();
    Some(view.finish(page + &rest))
}

/// The branches of a run, as an outline.
fn below(tale: &Tale, number: &str, view: &View) -> String {
    if tale.branches.is_empty() {
        return String::new();
    }
    let mut entries = Vec::new();
    collect(tale, number, 0, &mut entries);
    format!("\n  {}\n{}", view.paint(Tone::Strong, &plural(entries.len())), listed(&entries, view))
}

/// The run with this number as a run from an initial state, and how many of its steps belong to the run it is a branch of;
/// `1` is the main run. `None` when there is no such number, or no run behind it.
#[must_use]
pub fn run_of(evidence: &Evidence, number: &str) -> Option<(Evidence, usize)> {
    let mut whole = evidence.clone();
    let mut from = 0;
    for at in places(number)? {
        let branch = whole.branches.get(at)?.clone();
        match branch.shown {
            Shown::Search => return None,
            Shown::Onward(onward) => {
                from += branch.at;
                whole = spliced(&whole.run, from, &onward);
                whole.branches = onward.branches;
            }
            Shown::Elsewhere(_, other) => (whole, from) = (*other, 0),
        }
    }
    Some((whole, from))
}

/// A run that goes on after `at` steps of another one, as a run from an initial state, without its branches.
pub(super) fn spliced(run: &Run, at: usize, onward: &Evidence) -> Evidence {
    let mut whole = Run {
        initial: run.initial,
        states: run.states.iter().take(at + 1).cloned().collect(),
        steps: run.steps.iter().take(at).copied().collect(),
    };
    whole.states.extend(onward.run.states.iter().skip(1).cloned());
    whole.steps.extend_from_slice(&onward.run.steps);
    Evidence::new(whole, onward.loop_start.map(|start| at + start), onward.fairness)
}
