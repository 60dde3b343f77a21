//! The few facts that decide a claim on a run: what was so, from when to when, and which step made it so.

use motet_evidence::Evidence;
use motet_model::{ActionId, Weight, Words};
use serde::Serialize;

use crate::runs::chronicle::{Chronicle, Entry, Happening};
use crate::runs::recorder::holds_word;
use crate::runs::tale::{Tale, Why};
use crate::typesetting::duration::instant;
use crate::typesetting::page::{Extent, Tone, View, plain, wrap};

/// Facts told unless the reader wants all.
const LIMIT_FACTS: usize = 5;

/// A fact that matters, in the user's words. States are numbered by the steps that lead to them; 0 is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// `ag3 does not believe winner(ag3)`.
    pub text: String,
    /// The atom, printed.
    pub atom: String,
    /// Whether it holds.
    pub holds: bool,
    /// The step that made it so, or 0.
    pub from: usize,
    /// The step after which it is no longer so; `None` if it stays so.
    pub until: Option<usize>,
    /// Whether it comes back again and again.
    pub recurs: bool,
}

/// A fact as programs read it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonCause {
    /// The step that made it so; 0 if it was so at the start.
    step: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    atom: String,
    holds: bool,
    text: String,
    by: Option<String>,
    until: Option<usize>,
    recurs: bool,
}

impl Tale {
    /// Takes note of the facts that decide the claim, and lets the language explain the step that made the last of them
    /// so, unless something went wrong in the run that explains more.
    pub fn state_facts(&mut self, facts: Vec<Fact>, evidence: &Evidence, words: &dyn Words) {
        let alarmed = self.whys.iter().any(|why| self.beats[why.step].weight == Weight::Alarm);
        if !alarmed {
            let run = &evidence.run;
            let actions: Vec<ActionId> = run.steps.iter().map(|taken| taken.action).collect();
            let mut steps: Vec<usize> = facts.iter().filter_map(|fact| fact.from.checked_sub(1)).collect();
            steps.sort_unstable();
            steps.dedup();
            let explained = steps.into_iter().rev().find_map(|step| {
                let lines = words.why(&run.states, &actions, step);
                let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
                (!lines.is_empty()).then_some(Why { step, lines })
            });
            if let Some(why) = explained {
                self.whys = vec![why];
            }
        }
        self.facts = facts;
    }

    /// Who made a fact so, and what was done: `ag3: +!alliance(ag3,ag2)`, with a clock `Nurse, nurse.b:25`. Both, and the name
    /// alone.
    fn by(&self, fact: &Fact) -> Option<(String, String)> {
        let beat = self.beats.get(fact.from.checked_sub(1)?)?;
        if let Some(chronicle) = &self.chronicle {
            let entry = made(chronicle, fact)?;
            let who = chronicle.lanes[entry.lane].name.clone();
            let origin = entry.origin.as_ref().map(|origin| format!(", {origin}")).unwrap_or_default();
            return Some((format!("{who}{origin}"), who));
        }
        let who = self.processes.get(beat.process).cloned().unwrap_or_default();
        let label = beat.to.as_ref().map_or("", |(_, label)| label.as_str());
        let parts: Vec<&str> =
            [beat.text.trim(), label].into_iter().filter(|part| !part.is_empty()).collect();
        let whole = if parts.is_empty() { who.clone() } else { format!("{who}: {}", parts.join(" ")) };
        Some((whole, who))
    }

    /// When a fact is so: `from step 175 on`, `until 08:00:00`, `all along`.
    fn when(&self, fact: &Fact) -> String {
        let moment = |step: usize| match &self.chronicle {
            Some(chronicle) => {
                let time = chronicle.times.get(step).or(chronicle.times.last()).copied().unwrap_or(0);
                instant(time, chronicle.unit)
            }
            None => format!("step {step}"),
        };
        let text = match (fact.from, fact.until) {
            (0, None) => "all along".to_string(),
            (0, Some(until)) => format!("until {}", moment(until)),
            (from, None) => format!("from {} on", moment(from)),
            (from, Some(until)) => format!("from {} to {}", moment(from), moment(until)),
        };
        if fact.recurs { format!("{text}, again and again") } else { text }
    }
}

/// The entry of a chronicle that made a fact so: the change of what it is about.
fn made<'a>(chronicle: &'a Chronicle, fact: &Fact) -> Option<&'a Entry> {
    let causes = || chronicle.entries.iter().filter(|entry| entry.step == fact.from && entry.cause);
    let about = |entry: &&Entry| match &entry.what {
        Happening::Makes(shift) | Happening::Believes(shift) => holds_word(&fact.atom, &shift.subject),
        _ => false,
    };
    causes().find(about).or_else(|| causes().next())
}

/// Lines of facts, those that something made so before those that were so from the start. Facts that came and went together
/// share a line.
pub(crate) fn facts(tale: &Tale, view: &View) -> String {
    let limit = if view.extent == Extent::Full { usize::MAX } else { LIMIT_FACTS };
    let mut chosen: Vec<&Fact> = tale.facts.iter().collect();
    chosen.sort_by_key(|fact| fact.from == 0);
    let more = chosen.len().saturating_sub(limit);
    chosen.truncate(limit);
    chosen.sort_by_key(|fact| (fact.from, fact.until, fact.recurs));
    let mut lines: Vec<String> = Vec::new();
    let width = view.width.saturating_sub(8);
    for alike in chosen.chunk_by(|a, b| (a.from, a.until, a.recurs) == (b.from, b.until, b.recurs)) {
        let texts: Vec<String> = alike.iter().map(|fact| plain(&fact.text)).collect();
        let said = format!("{} {}", texts.join(" and "), tale.when(alike[0]));
        let line = match tale.by(alike[0]) {
            None => said,
            Some((whole, who)) => {
                let line = format!("{said} ({whole})");
                if line.chars().count() > width { format!("{said} ({who})") } else { line }
            }
        };
        lines.extend(wrap(&line, width));
    }
    if more > 0 {
        lines.push(format!("and {more} more, --full to see all"));
    }
    let mut page = String::new();
    for (number, line) in lines.iter().enumerate() {
        let lead =
            if number == 0 { format!("\n  {} ", view.paint(Tone::Strong, "Facts")) } else { " ".repeat(8) };
        page.push_str(&format!("{lead}{line}\n"));
    }
    page
}

/// The facts that decide the claim on the run, and the reasons, without the run.
#[must_use]
pub fn why_story(tale: &Tale, title: &str, view: &View) -> String {
    let reasons = crate::runs::chart::reasons(tale, usize::MAX, view);
    let reasons = if reasons.is_empty() { "\n  nothing decides it alone\n" } else { reasons.as_str() };
    view.finish(format!("  {}\n{reasons}", view.paint(Tone::Strong, title)))
}

/// The facts of a run for programs.
pub(crate) fn json_causes(tale: &Tale) -> Vec<JsonCause> {
    let cause = |fact: &Fact| JsonCause {
        step: fact.from,
        time: fact.from.checked_sub(1).and_then(|step| tale.time(step)),
        atom: fact.atom.clone(),
        holds: fact.holds,
        text: fact.text.clone(),
        by: tale.by(fact).map(|(whole, _)| whole),
        until: fact.until,
        recurs: fact.recurs,
    };
    tale.facts.iter().map(cause).collect()
}
