//! What stands behind a number, in the model's words: the choices that bring it about, the most probable ways, the values
//! of single situations.

use std::collections::BTreeMap;

use motet_evidence::{Attained, Quantity, Run, Strategy};
use motet_model::{Change, Event, Model, State, Steps, What, Words, Work};
use motet_property::{Extremum, Formula, Path};

use crate::typesetting::page::plain;

/// Decisions that are looked at for the summary; a strategy file holds them all.
const LIMIT_DECISIONS: usize = 200_000;
/// Changes of one step that are told of a way.
const LIMIT_CHANGES: usize = 6;
/// Values of single situations that are told.
const LIMIT_VALUES: usize = 10_000;

/// A number's background in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChanceReport {
    /// Whether the choices make the value least or greatest; `None` where nothing is chosen.
    pub extremum: Option<Extremum>,
    /// In how many situations something is chosen.
    pub decisions: usize,
    /// Why the strategy is not fair as it is told, where numbers are over fair ones.
    pub unfair: Option<UnfairReport>,
    /// The choices, alike ones together, most frequent first.
    pub choices: Vec<ChoiceTally>,
    /// The most probable ways to the goal, best first.
    pub ways: Vec<WayReport>,
    /// The values of single situations that a filter asked for.
    pub values: Vec<ValueReport>,
    /// How many values there are in all.
    pub n_values: usize,
}

/// That somebody never gets a turn under a strategy as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfairReport {
    /// Who, by name; empty where choices are owed turns.
    pub whom: Vec<String>,
    /// How fair strategies come to the value.
    pub attained: Attained,
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
        unfair: strategy.and_then(|strategy| unfair(strategy, model, words)),
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

fn unfair(strategy: &Strategy, model: &dyn Model, words: &dyn Words) -> Option<UnfairReport> {
    let unfair = strategy.unfair.as_ref()?;
    let process = |at: usize| model.signature().processes.get(at).cloned().unwrap_or_default();
    let name = |&who: &_| words.subject(who).unwrap_or_else(|| process(who.index()));
    Some(UnfairReport { whom: unfair.whom.iter().map(name).collect(), attained: unfair.attained })
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
            let (options, chosen) = without_common_end(options, chosen);
            ChoiceTally { options, situations: chosen.iter().map(|(_, times)| times).sum(), chosen }
        })
        .collect();
    choices.sort_by_key(|tally| std::cmp::Reverse(tally.situations));
    choices
}

/// `Plan 4 is chosen`, `Plan 5 is chosen`: the words that all options end with say nothing.
fn without_common_end(
    options: Vec<String>,
    chosen: Vec<(String, usize)>,
) -> (Vec<String>, Vec<(String, usize)>) {
    let split = |text: &String| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let words: Vec<Vec<String>> = options.iter().map(split).collect();
    let shortest = words.iter().map(Vec::len).min().unwrap_or(0);
    let end = |number: usize| words.iter().map(move |words| &words[words.len() - 1 - number]);
    let alike = |number: &usize| end(*number).all(|word| Some(word) == end(*number).next());
    let common = (0..shortest.saturating_sub(1)).take_while(alike).count();
    if common == 0 || options.len() < 2 {
        return (options, chosen);
    }
    let cut = |text: String| {
        let words: Vec<&str> = text.split(' ').collect();
        words[..words.len() - common].join(" ")
    };
    let chosen = chosen.into_iter().map(|(text, times)| (cut(text), times)).collect();
    (options.into_iter().map(cut).collect(), chosen)
}

/// What happens on a run: what each step changes, and what was chosen where there was a choice.
fn way_steps(run: &Run, model: &dyn Model, words: &dyn Words) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    let eventful = run.states.first().is_some_and(|state| !words.opening(state).is_empty())
        || run
            .steps
            .iter()
            .zip(&run.states)
            .any(|(taken, state)| !words.events(state, taken.ordinal, taken.branch).is_empty());
    for (at, taken) in run.steps.iter().enumerate() {
        let (before, after) = (&run.states[at], &run.states[at + 1]);
        let mut parts: Vec<String> = match eventful {
            true => words.events(before, taken.ordinal, taken.branch).iter().filter_map(event).collect(),
            false => come(words, before, after),
        };
        let offered = offers(model, words, before);
        if offered.len() > 1
            && let Some(chosen) = offered.get(taken.ordinal as usize)
        {
            parts.insert(0, chosen.clone());
        }
        let text = plain(&parts.join(", "));
        if !text.is_empty() && told.last() != Some(&text) {
            told.push(text);
        }
    }
    told
}

/// An event in a few words; those that say little say nothing.
fn event(event: &Event) -> Option<String> {
    let changed = |change: &Change| match change.after.as_str() {
        "true" => change.subject.clone(),
        "false" => format!("not {}", change.subject),
        after => format!("{} = {after}", change.subject),
    };
    match &event.what {
        What::Believes(change) | What::Makes(change) => Some(changed(change)),
        What::Begins { work: Work::Frame, name, .. } => Some(name.clone()),
        What::Tells { content, .. } => Some(format!("tells {content}")),
        What::Arrives { to, .. } => Some(format!("at {to}")),
        _ => None,
    }
}

/// What is there in a situation and was not there before; nothing where too much is.
fn come(words: &dyn Words, before: &State, after: &State) -> Vec<String> {
    let old = words.snapshot(before);
    let mut new = Vec::new();
    for mind in &words.snapshot(after).minds {
        let was = old.minds.iter().find(|was| was.name == mind.name);
        for section in &mind.sections {
            let had = was.and_then(|was| was.sections.iter().find(|had| had.title == section.title));
            let known = |item: &&String| !had.is_some_and(|had| had.items.contains(item));
            new.extend(section.items.iter().filter(known).cloned());
        }
    }
    if new.len() > LIMIT_CHANGES { Vec::new() } else { new }
}

/// What the choices are for.
fn extremum(formula: &Path<motet_model::AtomId>) -> Option<Extremum> {
    match formula {
        Path::Now(Formula::Filter(_, value, _)) => measured(value),
        Path::Now(value) => measured(value),
        _ => None,
    }
}

fn measured(formula: &Formula<motet_model::AtomId>) -> Option<Extremum> {
    match formula {
        Formula::Chance(extremum, ..) | Formula::Reward(_, extremum, ..) | Formula::Steady(extremum, ..) => {
            *extremum
        }
        _ => None,
    }
}
