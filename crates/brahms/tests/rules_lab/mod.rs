//! Small models from text, explored completely inside [`Checked`]. What is compared is what a user could know: how a model
//! ends, in every run, and when.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use motet_brahms::Brahms;
use motet_model::{AtomText, Checked, Fault, Language, Model, Options, State, Steps, System};
use motet_source::{FileId, Problems, Sources, Span, Spanned};

/// The model of a text with these rules and bounds settled, and these atoms.
pub(crate) fn system(text: &str, settings: &[(&str, &str)], atoms: &[AtomText]) -> System {
    observed(text, settings, atoms, &[])
}

/// The same for claims that speak of what these know.
pub(crate) fn observed(
    text: &str,
    settings: &[(&str, &str)],
    atoms: &[AtomText],
    observers: &[&str],
) -> System {
    let mut sources = Sources::new();
    sources.add("model.b", text);
    let mut options = Options::default();
    for (name, value) in settings {
        match value.parse::<u32>() {
            Ok(bound) => drop(options.bounds.insert((*name).to_owned(), bound)),
            Err(_) => drop(options.rules.insert((*name).to_owned(), (*value).to_owned())),
        }
    }
    let mut problems = Problems::new();
    let span = Span::new(FileId(0), 0, 0);
    let atoms: Vec<_> = atoms.iter().map(|atom| Spanned::new(atom.clone(), span)).collect();
    let draft = Brahms.read(&sources, &options, &mut problems);
    let observers: Vec<String> = observers.iter().map(|name| (*name).to_owned()).collect();
    let system = draft.and_then(|draft| draft.system_observed(&atoms, &observers, &mut problems));
    system.unwrap_or_else(|| panic!("{}", problems.lines(&sources)))
}

/// States and steps, one per branch.
pub(crate) fn size(system: &System) -> (usize, usize) {
    let (states, steps) = reachable(system);
    (states.len(), steps)
}

/// All states, and how many steps there are between them, one per branch.
pub(crate) fn reachable(system: &System) -> (Vec<Box<State>>, usize) {
    let model = Checked::new(Arc::clone(&system.model));
    let mut states = Vec::new();
    model.initial(&mut states);
    let mut seen: HashSet<Box<State>> = states.iter().cloned().collect();
    let mut out = Steps::new(model.signature().slots.len());
    let (mut at, mut steps) = (0, 0);
    while at < states.len() {
        out.clear();
        model.steps(&states[at], &mut out).unwrap_or_else(|fault| panic!("{fault}"));
        for branch in out.iter().flat_map(motet_model::Step::branches) {
            steps += 1;
            if seen.insert(branch.target.into()) {
                states.push(branch.target.into());
            }
        }
        at += 1;
    }
    (states, steps)
}

/// Every end of a model: the second, and the values of these slots (`Bob.x` is a fact, `Ann: Bob.x` a belief).
pub(crate) fn ends(text: &str, settings: &[(&str, &str)], slots: &[&str]) -> BTreeSet<String> {
    try_ends(text, settings, slots).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Every end of a model, or what goes wrong.
pub(crate) fn try_ends(
    text: &str,
    settings: &[(&str, &str)],
    slots: &[&str],
) -> Result<BTreeSet<String>, Fault> {
    let system = system(text, settings, &[]);
    let model = Checked::new(Arc::clone(&system.model));
    let mut open: Vec<(Box<State>, u64)> = Vec::new();
    let mut first = Vec::new();
    model.initial(&mut first);
    open.extend(first.into_iter().map(|state| (state, 0)));
    let mut seen: HashSet<(Box<State>, u64)> = open.iter().cloned().collect();
    let mut out = Steps::new(model.signature().slots.len());
    let mut ends = BTreeSet::new();
    while let Some((state, now)) = open.pop() {
        assert!(seen.len() < 20_000, "the model does not end");
        out.clear();
        model.steps(&state, &mut out)?;
        if out.is_empty() {
            ends.insert(shown(&system, &state, now, slots));
        }
        for step in out.iter() {
            for branch in step.branches() {
                let next = (Box::from(branch.target), now + u64::from(step.delay));
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    Ok(ends)
}

fn shown(system: &System, state: &State, now: u64, slots: &[&str]) -> String {
    let names = &system.model.signature().slots;
    let mut parts = vec![format!("{}", now / 1000)];
    for wanted in slots {
        let slot = names.iter().position(|name| name == wanted);
        let slot = slot.unwrap_or_else(|| panic!("`{wanted}` never changes; the slots are {names:?}"));
        let id = motet_model::SlotId(u32::try_from(slot).expect("slots are numbered with 32 bits"));
        parts.push(system.words.value(id, state[slot]));
    }
    parts.join(" ")
}

/// Expected ends.
pub(crate) fn all(ends: &[&str]) -> BTreeSet<String> {
    ends.iter().map(|end| (*end).to_owned()).collect()
}
