//! The tree of a trace, as a flat list: every branch says of which run it is, and brings its own run along.
//!
//! Runs are counted in the order of the file; the run that other viewers show is number 0. A flat list can be as deep as a
//! chain of common knowledge needs, where nested records would reach the limits of readers. Two situations that look the same
//! to somebody often lie at the ends of runs that part late: what such a run shares with the run it is a branch of is not
//! written again.

use motet_model::{Model, ObserverId, Words};
use serde_json::{Value, json};

use super::course::{self, Course};
use super::{Unreadable, notation, number};
use crate::{Branch, Evidence, Run, Shown};

/// Runs of runs of runs: deeper trees are not read, so that recursion over them is safe.
const DEPTH: usize = 200;
/// Numbers in the states of all runs: a small file must not become a large tree.
const NUMBERS: usize = 1 << 26;

/// A branch that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordedBranch {
    /// The number of the run that it is a branch of.
    of: usize,
    at: usize,
    formula: String,
    truth: bool,
    shown: RecordedShown,
}

#[derive(Clone, Debug, PartialEq)]
enum RecordedShown {
    Onward(Course),
    Elsewhere(Vec<String>, Course),
    Search,
}

/// All branches of a tree, those of a run before those of its branches.
pub(super) fn write(model: &dyn Model, words: &dyn Words, evidence: &Evidence) -> Vec<Value> {
    let signature = model.signature();
    let name = |observer: &ObserverId| signature.observers.get(observer.index()).cloned().unwrap_or_default();
    let mut written = Vec::new();
    // Each run with the time at which it is entered, and whether it starts in an initial state.
    let mut runs: Vec<(&Evidence, u64, bool)> = vec![(evidence, 0, true)];
    let mut of = 0;
    while let Some(&(parent, from, whole)) = runs.get(of) {
        for branch in &parent.branches {
            let mut record = json!({
                "of": of,
                "at": branch.at,
                "formula": notation::write(&branch.formula, &signature.atoms),
                "truth": branch.truth,
            });
            let (how, run) = match &branch.shown {
                Shown::Search => ("search", None),
                Shown::Onward(run) => {
                    let before = parent.run.steps.iter().take(branch.at);
                    let entered = from + before.map(|taken| u64::from(taken.delay)).sum::<u64>();
                    ("onward", Some((&**run, entered, 0)))
                }
                Shown::Elsewhere(agents, run) => {
                    record["agents"] = json!(agents.iter().map(name).collect::<Vec<_>>());
                    let shared = if whole { shared(&parent.run, run) } else { 0 };
                    ("elsewhere", Some((&**run, 0, shared)))
                }
            };
            record["shown"] = json!(how);
            if let Some((run, entered, shared)) = run {
                record["run"] = one(model, words, run, (entered, shared));
                runs.push((run, entered, how == "elsewhere"));
            }
            written.push(record);
        }
        of += 1;
    }
    written
}

/// How many of its first steps a run shares with another one; at least one of its states is its own.
fn shared(other: &Run, evidence: &Evidence) -> usize {
    let own = evidence.run.steps.len() - usize::from(evidence.loop_start.is_some());
    other.shared(&evidence.run).min(own)
}

fn one(model: &dyn Model, words: &dyn Words, evidence: &Evidence, from: (u64, usize)) -> Value {
    let mut run = json!({
        "initial": evidence.run.initial,
        "fairness": course::fairness_word(evidence.fairness),
        "states": course::states(model, words, evidence, from),
    });
    if let Some(start) = evidence.loop_start {
        run["loop"] = json!(start);
    }
    if from.1 > 0 {
        run["shared"] = json!(from.1);
    }
    run
}

/// The branches of a trace; a trace of a single run has none.
pub(super) fn read(branches: &Value) -> Result<Vec<RecordedBranch>, Unreadable> {
    if branches.is_null() {
        return Ok(Vec::new());
    }
    branches.as_array().ok_or(Unreadable::Field("branches"))?.iter().map(read_one).collect()
}

fn read_one(record: &Value) -> Result<RecordedBranch, Unreadable> {
    let run = || Course::read(&record["run"], &record["run"]);
    let shown = match record["shown"].as_str() {
        Some("search") => RecordedShown::Search,
        Some("onward") => RecordedShown::Onward(run()?),
        Some("elsewhere") => {
            let agents = record["agents"].as_array().ok_or(Unreadable::Field("agents"))?;
            let names: Option<Vec<String>> =
                agents.iter().map(|agent| agent.as_str().map(str::to_owned)).collect();
            RecordedShown::Elsewhere(names.ok_or(Unreadable::Field("agents"))?, run()?)
        }
        _ => return Err(Unreadable::Field("shown")),
    };
    Ok(RecordedBranch {
        of: number(&record["of"], "of")? as usize,
        at: number(&record["at"], "at")? as usize,
        formula: record["formula"].as_str().ok_or(Unreadable::Field("formula"))?.to_owned(),
        truth: record["truth"].as_bool().ok_or(Unreadable::Field("truth"))?,
        shown,
    })
}

/// A run of the tree that was found, with its branches so far.
struct Grown {
    evidence: Evidence,
    depth: usize,
    /// Whether it starts in an initial state.
    whole: bool,
}

/// The tree: each run is found in the model, then put where it belongs.
pub(super) fn grow(
    model: &dyn Model,
    words: &dyn Words,
    main: Evidence,
    records: &[RecordedBranch],
) -> Result<Evidence, Unreadable> {
    let mut numbers = 0_usize;
    let mut runs = vec![Grown { evidence: main, depth: 0, whole: true }];
    // The number of the run that each record brings along.
    let mut brought = Vec::new();
    for record in records {
        let parent = runs.get(record.of).ok_or(Unreadable::Field("of"))?;
        let state = parent.evidence.run.states.get(record.at).ok_or(Unreadable::Field("at"))?;
        let depth = parent.depth + 1;
        if depth > DEPTH {
            return Err(Unreadable::Field("branches"));
        }
        let (RecordedShown::Onward(course) | RecordedShown::Elsewhere(_, course)) = &record.shown else {
            brought.push(runs.len());
            continue;
        };
        numbers = numbers.saturating_add(course.n_steps().saturating_mul(state.len()));
        if numbers > NUMBERS {
            return Err(Unreadable::Field("branches"));
        }
        let whole = matches!(record.shown, RecordedShown::Elsewhere(..));
        let evidence = match whole {
            true => course.whole(model, words, parent.whole.then_some(&parent.evidence.run))?,
            false => course.onward(model, words, state)?,
        };
        brought.push(runs.len());
        runs.push(Grown { evidence, depth, whole });
    }
    // A run comes after the run it is a branch of, so from the last to the first every run is complete when its turn comes.
    for (record, number) in records.iter().zip(brought).rev() {
        let shown = match &record.shown {
            RecordedShown::Search => Shown::Search,
            RecordedShown::Onward(_) => Shown::Onward(taken(&mut runs, number)),
            RecordedShown::Elsewhere(agents, _) => {
                Shown::Elsewhere(observers(model, agents)?, taken(&mut runs, number))
            }
        };
        let formula = notation::read(&record.formula, &model.signature().atoms)
            .ok_or_else(|| Unreadable::Foreign(record.formula.clone()))?;
        let branch = Branch { at: record.at, formula, truth: record.truth, shown };
        runs[record.of].evidence.branches.push(branch);
    }
    let mut main = runs.swap_remove(0).evidence;
    main.branches.reverse();
    Ok(main)
}

/// Takes a finished run out; its branches were put in from the last to the first.
fn taken(runs: &mut Vec<Grown>, number: usize) -> Box<Evidence> {
    debug_assert_eq!(number + 1, runs.len(), "runs are taken from the last to the first");
    let mut evidence = runs.pop().expect("every record with a run brought one").evidence;
    evidence.branches.reverse();
    Box::new(evidence)
}

fn observers(model: &dyn Model, agents: &[String]) -> Result<Vec<ObserverId>, Unreadable> {
    let known = &model.signature().observers;
    let number = |agent: &String| {
        let at = known.iter().position(|observer| observer == agent);
        let at = at.and_then(|at| u32::try_from(at).ok());
        at.map(ObserverId).ok_or_else(|| Unreadable::Foreign(agent.clone()))
    };
    agents.iter().map(number).collect()
}
