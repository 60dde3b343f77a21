//! What stands behind a number, in the model's words: the choices that bring it about, the most probable ways, the values
//! of single situations.

use std::collections::BTreeMap;

use motet_evidence::{Quantity, Run, Strategy};
use motet_model::{Model, State, Steps, Words};
use motet_property::{Extremum, Formula, Path};

use crate::page::plain;

/// Decisions that are looked at for the summary; a strategy file holds them all.
const LIMIT_DECISIONS: usize = 200_000;
/// Values of single situations that are told.
const LIMIT_VALUES: usize = 10_000;

/// A number's background in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChanceReport {
    /// Whether the choices make the value least or greatest; `None` where nothing is chosen.
    pub extremum: Option<Extremum>,
    /// In how many situations something is chosen.
    pub decisions: usize,
    /// The choices, alike ones together, most frequent first.
    pub choices: Vec<ChoiceTally>,
    /// The most probable ways to the goal, best first.
    pub ways: Vec<WayReport>,
    /// The values of single situations that a filter asked for.
    pub values: Vec<ValueReport>,
    /// How many values there are in all.
    pub n_values: usize,
}

/// Situations that offer the same choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceTally {
    /// What is offered.
    pub options: Vec<String>,
    /// In how many situations.
    pub situations: usize,
    /// What is chosen, and in how many of them; most frequent first.
    pub chosen: Vec<(String, usize)>,
}

/// A way to the goal.
#[derive(Clone, Debug, PartialEq)]
pub struct WayReport {
    /// How probable this very run is.
    pub chance: f64,
    /// What happens on it.
    pub steps: Vec<String>,
}

/// The value in a situation.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueReport {
    /// The situation.
    pub situation: String,
    /// Not less.
    pub low: f64,
    /// Not more.
    pub high: f64,
}

/// Tells a number's background.
#[must_use]
pub fn chance(
    quantity: &Quantity,
    formula: &Path<motet_model::AtomId>,
    model: &dyn Model,
    words: &dyn Words,
) -> ChanceReport {
    let strategy = quantity.strategy.as_ref();
    let values = quantity.values.iter().take(LIMIT_VALUES).map(|valued| ValueReport {
        situation: situation(words, &valued.state),
        low: valued.low,
        high: valued.high,
    });
    ChanceReport {
        extremum: strategy.and_then(|_| extremum(formula)),
        decisions: strategy.map_or(0, |strategy| strategy.decisions.len()),
        choices: strategy.map(|strategy| choices(strategy, model, words)).unwrap_or_default(),
        ways: quantity
            .ways
            .iter()
            .map(|way| WayReport { chance: way.chance, steps: way_steps(&way.run, model, words) })
            .collect(),
        values: values.collect(),
        n_values: quantity.values.len(),
    }
}

/// A situation on one line: every mind without its empty sections.
#[must_use]
pub fn situation(words: &dyn Words, state: &State) -> String {
    let snapshot = words.snapshot(state);
    let several = snapshot.minds.len() > 1;
    let mut parts = Vec::new();
    for mind in &snapshot.minds {
        let filled: Vec<_> = mind.sections.iter().filter(|section| !section.items.is_empty()).collect();
        for section in &filled {
            let items = section.items.join(", ");
            let titled = if filled.len() > 1 { format!("{}: {items}", section.title) } else { items };
            parts.push(if several { format!("{} {titled}", mind.name) } else { titled });
        }
    }
    plain(&parts.join("; "))
}

/// The name of every step of a state, with who takes it where several could.
#[must_use]
pub fn offers(model: &dyn Model, words: &dyn Words, state: &State) -> Vec<String> {
    let mut steps = Steps::new(model.signature().slots.len());
    if model.steps(state, &mut steps).is_err() {
        return Vec::new();
    }
    let first = steps.get(0).map(|step| step.process);
    let several = steps.iter().any(|step| Some(step.process) != first);
    let name = |process: usize| model.signature().processes.get(process).map_or("", String::as_str);
    let offer = |step: motet_model::Step<'_>| {
        let text = words.action(step.action);
        plain(&if several { format!("{} {text}", name(step.process.index())) } else { text })
    };
    steps.iter().map(offer).collect()
}

fn choices(strategy: &Strategy, model: &dyn Model, words: &dyn Words) -> Vec<ChoiceTally> {
    let mut tallies: BTreeMap<Vec<String>, BTreeMap<String, usize>> = BTreeMap::new();
    for decision in strategy.decisions.iter().take(LIMIT_DECISIONS) {
        let offered = offers(model, words, &decision.state);
        let Some(chosen) = offered.get(decision.ordinal as usize).cloned() else { continue };
        let mut options = Vec::new();
        for option in offered {
            if !options.contains(&option) {
                options.push(option);
            }
        }
        *tallies.entry(options).or_default().entry(chosen).or_insert(0) += 1;
    }
    let mut choices: Vec<ChoiceTally> = tallies
        .into_iter()
        .map(|(options, chosen)| {
            let mut chosen: Vec<(String, usize)> = chosen.into_iter().collect();
            chosen.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
            ChoiceTally { options, situations: chosen.iter().map(|(_, times)| times).sum(), chosen }
        })
        .collect();
    choices.sort_by_key(|tally| std::cmp::Reverse(tally.situations));
    choices
}

/// What happens on a run: each step's name, and what chance made of it where the name does not tell.
fn way_steps(run: &Run, model: &dyn Model, words: &dyn Words) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for (at, taken) in run.steps.iter().enumerate() {
        let (before, after) = (&run.states[at], &run.states[at + 1]);
        let action = plain(&words.action(taken.action));
        let changed = changed(model, words, before, after);
        let text = match (action.is_empty(), changed.is_empty()) {
            (true, true) => continue,
            (true, false) => changed,
            (false, true) => action,
            (false, false) => format!("{action} ({changed})"),
        };
        if told.last() != Some(&text) {
            told.push(text);
        }
    }
    told
}

/// `s=7, d=1`, for models whose slots have names that people know; nothing where too much changes to be told.
fn changed(model: &dyn Model, words: &dyn Words, before: &State, after: &State) -> String {
    let slots = &model.signature().slots;
    let mut parts = Vec::new();
    for (number, (old, new)) in before.iter().zip(after).enumerate().filter(|(_, (old, new))| old != new) {
        let slot = motet_model::SlotId(u32::try_from(number).unwrap_or(u32::MAX));
        let (was, value) = (words.value(slot, *old), words.value(slot, *new));
        let name = slots.get(number).map_or("", String::as_str);
        if was != value && !name.is_empty() {
            parts.push(format!("{name}={value}"));
        }
    }
    if parts.len() > 4 { String::new() } else { plain(&parts.join(", ")) }
}

/// What the choices are for.
fn extremum(formula: &Path<motet_model::AtomId>) -> Option<Extremum> {
    match formula {
        Path::Now(Formula::Chance(extremum, ..) | Formula::Reward(_, extremum, ..)) => *extremum,
        Path::Now(Formula::Filter(_, value, _)) => match &**value {
            Formula::Chance(extremum, ..) | Formula::Reward(_, extremum, ..) => *extremum,
            _ => None,
        },
        _ => None,
    }
}
