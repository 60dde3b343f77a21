//! Branches as programs read them.

use motet_model::Mind;
use serde::Serialize;

use super::text::total;
use super::{BranchTale, Difference, ShownTale};
use crate::runs::tale::Tale;

/// Runs inside runs: what lies deeper is counted only, because many readers of JSON have a limit of nesting.
const LIMIT_DEPTH: usize = 8;

/// A truth about other runs, and how it is seen.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonBranch {
    at: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    formula: String,
    truth: bool,
    said: String,
    because: String,
    shown: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<JsonBranchRun>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    agents: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same: Vec<JsonContent>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differs: Vec<JsonDifference>,
}

/// A run of a tree. Steps and times count from the start of the model.
#[derive(Clone, Debug, Serialize)]
struct JsonBranchRun {
    from: usize,
    steps: Vec<JsonStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    lasso_start: Option<usize>,
    branches: Vec<JsonBranch>,
    /// Branches that lie too deep to be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonStep {
    agent: String,
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonContent {
    agent: String,
    section: String,
    items: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonDifference {
    agent: String,
    section: String,
    here: Vec<String>,
    there: Vec<String>,
}

/// The branches of a tale.
pub(crate) fn branches(tale: &Tale) -> Vec<JsonBranch> {
    tale.branches.iter().map(|branch| one(tale, branch, 1)).collect()
}

fn one(tale: &Tale, branch: &BranchTale, depth: usize) -> JsonBranch {
    let (agents, same, differs) = match &branch.shown {
        ShownTale::Elsewhere(elsewhere) => (
            elsewhere.agents.clone(),
            elsewhere.seen.iter().flat_map(contents).collect(),
            elsewhere.differs.iter().map(difference).collect(),
        ),
        ShownTale::Onward(_) | ShownTale::Search => (Vec::new(), Vec::new(), Vec::new()),
    };
    JsonBranch {
        at: branch.at,
        time: tale.chronicle.as_ref().and_then(|chronicle| chronicle.times.get(branch.at).copied()),
        formula: branch.formula.clone(),
        truth: branch.truth,
        said: branch.said.clone(),
        because: branch.because.clone(),
        shown: match &branch.shown {
            ShownTale::Onward(_) => "onward",
            ShownTale::Elsewhere(_) => "elsewhere",
            ShownTale::Search => "search",
        },
        run: branch.tale().map(|tale| run(tale, depth)),
        agents,
        same,
        differs,
    }
}

fn run(tale: &Tale, depth: usize) -> JsonBranchRun {
    let deep = depth >= LIMIT_DEPTH && !tale.branches.is_empty();
    let branches = if deep { &[] } else { tale.branches.as_slice() };
    let step = |(at, beat): (usize, &crate::runs::tale::Beat)| {
        let to = beat.to.as_ref().and_then(|(to, label)| Some((tale.processes.get(*to)?, label)));
        JsonStep {
            agent: tale.processes.get(beat.process).cloned().unwrap_or_default(),
            action: match to {
                Some((to, label)) => format!("{} {label} to {to}", beat.text),
                None => beat.text.clone(),
            },
            time: tale.time(at),
        }
    };
    JsonBranchRun {
        from: tale.from,
        steps: tale.beats.iter().enumerate().skip(tale.from).map(step).collect(),
        end: tale.chronicle.as_ref().map(|chronicle| chronicle.end),
        lasso_start: tale.loop_start,
        branches: branches.iter().map(|branch| one(tale, branch, depth + 1)).collect(),
        more: deep.then(|| total(tale)),
    }
}

fn contents(mind: &Mind) -> impl Iterator<Item = JsonContent> + '_ {
    mind.sections.iter().map(|section| JsonContent {
        agent: mind.name.clone(),
        section: section.title.clone(),
        items: section.items.clone(),
    })
}

fn difference(difference: &Difference) -> JsonDifference {
    JsonDifference {
        agent: difference.mind.clone(),
        section: difference.section.clone(),
        here: difference.here.clone(),
        there: difference.there.clone(),
    }
}
