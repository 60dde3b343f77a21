//! The branches of a piece of evidence, each replayed on its own: what they show of the states of its run.
//!
//! A run onward must start in the very state it is about and prove what it is for. A run elsewhere must end in a state that
//! looks the same to those it names, and what is said to be known must be false there. That something holds on all runs, or
//! in all situations, no run shows; this alone is taken as given, from a complete search.

use std::collections::BTreeMap;

use motet_model::{AtomId, Model, ObserverId, State};
use motet_property::{Formula, Knowledge, Path, Quantifier, Subformula};

use crate::follow::{follow, follow_on};
use crate::kleene::Truth;
use crate::replay::word_under;
use crate::word::Word;
use crate::{Branch, Evidence, Fairness, Forged, Objection, Shown};

/// Trees deeper than this are refused.
const DEPTH_MAX: usize = 400;

/// What a tree of evidence is judged by.
#[derive(Clone, Copy)]
pub(crate) struct Trial<'t> {
    pub(crate) model: &'t dyn Model,
    /// What runs have to satisfy to count, without outermost `A`.
    pub(crate) assumptions: &'t [&'t Path<AtomId>],
    /// Which runs count, by the root of the tree.
    pub(crate) fairness: Fairness,
    pub(crate) depth: usize,
}

/// Truths of formulas about other runs and about knowledge, by the state they are about.
#[derive(Debug, Default)]
pub(crate) struct Truths<'e> {
    shown: BTreeMap<&'e State, Vec<(&'e Formula<AtomId>, bool)>>,
}

impl Truths<'_> {
    pub(crate) fn get(&self, formula: &Formula<AtomId>, state: &State) -> Truth {
        let shown = self.shown.get(state)?;
        shown.iter().find(|(known, _)| *known == formula).map(|&(_, truth)| truth)
    }
}

impl<'t> Trial<'t> {
    /// What the branches of a run show, once each of them was replayed.
    pub(crate) fn truths<'e>(&self, evidence: &'e Evidence) -> Result<Truths<'e>, Objection> {
        if self.depth > DEPTH_MAX {
            return Err(Objection::Refused("a tree this deep".to_owned()));
        }
        let mut truths = Truths::default();
        for branch in &evidence.branches {
            let state = evidence.run.states.get(branch.at).ok_or(Forged::Nowhere(branch.at))?;
            self.judge(branch, state)?;
            let known = truths.shown.entry(state).or_default();
            match known.iter().find(|(formula, _)| **formula == branch.formula) {
                Some((_, truth)) if *truth != branch.truth => return Err(Forged::Contradiction.into()),
                Some(_) => {}
                None => known.push((&branch.formula, branch.truth)),
            }
        }
        Ok(truths)
    }

    /// One level deeper, where a run counts only if it is as fair as the root says. Inside assumptions quantifiers range
    /// over all runs.
    fn inside(&self, formula: &Formula<AtomId>, evidence: &Evidence) -> Result<Self, Objection> {
        if evidence.loop_start.is_some() && evidence.fairness != self.fairness {
            return Err(Forged::Fairness.into());
        }
        let free = self.assumptions.iter().any(|assumption| occurs(formula, assumption));
        let assumptions = if free { &[] } else { self.assumptions };
        Ok(Self { assumptions, depth: self.depth + 1, ..*self })
    }

    fn judge(&self, branch: &Branch, state: &State) -> Result<(), Objection> {
        match (&branch.formula, branch.truth, &branch.shown) {
            (Formula::Runs(Quantifier::Some, path), true, Shown::Onward(evidence))
            | (Formula::Runs(Quantifier::All, path), false, Shown::Onward(evidence)) => {
                self.onward(&branch.formula, path, branch.truth, state, evidence)
            }
            (Formula::Knows(kind, names, inner), false, Shown::Elsewhere(observers, evidence)) => {
                self.named(*kind, names, observers)?;
                self.elsewhere(&branch.formula, inner, observers, state, evidence)
            }
            (Formula::Runs(Quantifier::Some, _), false, Shown::Search)
            | (Formula::Runs(Quantifier::All, _) | Formula::Knows(..), true, Shown::Search) => Ok(()),
            _ => Err(Forged::Kind.into()),
        }
    }

    fn onward(
        &self,
        formula: &Formula<AtomId>,
        path: &Path<AtomId>,
        truth: bool,
        state: &State,
        evidence: &Evidence,
    ) -> Result<(), Objection> {
        if evidence.run.states.first().is_none_or(|first| **first != *state) {
            return Err(Forged::State(0).into());
        }
        let followed = follow_on(self.model, &evidence.run)?;
        let trial = self.inside(formula, evidence)?;
        let paths: Vec<&Path<AtomId>> = trial.assumptions.iter().copied().chain([path]).collect();
        let word = word_under(&trial, evidence, &followed, &paths)?;
        if word.path(path, None)?[0] != Some(truth) {
            return Err(Forged::Unshown.into());
        }
        match word.assumed.iter().position(|values| values[0] != Some(true)) {
            Some(at) => Err(Forged::Unassumed(at).into()),
            None => Ok(()),
        }
    }

    fn elsewhere(
        &self,
        formula: &Formula<AtomId>,
        inner: &Formula<AtomId>,
        observers: &[ObserverId],
        state: &State,
        evidence: &Evidence,
    ) -> Result<(), Objection> {
        if evidence.loop_start.is_some() {
            return Err(Forged::Loop.into());
        }
        let followed = follow(self.model, &evidence.run)?;
        let there = evidence.run.states.last().ok_or(Forged::Length { states: 0, steps: 0 })?;
        let seen = |observer: ObserverId, state: &State| {
            let mut view = Vec::new();
            self.model.facets().observe(observer, state, &mut view);
            view
        };
        if let Some(one) = observers.iter().find(|&&one| seen(one, state) != seen(one, there)) {
            return Err(Forged::Distinguishable(one.0).into());
        }
        let trial = self.inside(formula, evidence)?;
        let now = Path::Now(inner.clone());
        let word = word_under(&trial, evidence, &followed, &[&now])?;
        let doubted = |formula: &Formula<AtomId>| last_value(&word, evidence, formula);
        let chained = matches!(formula, Formula::Knows(Knowledge::Common, ..));
        if doubted(inner)? == Some(false) || chained && doubted(formula)? == Some(false) {
            return Ok(());
        }
        Err(Forged::Unshown.into())
    }

    /// Whether these observers are those whose view decides: one of the group, or all of it for distributed knowledge.
    fn named(&self, kind: Knowledge, names: &[String], observers: &[ObserverId]) -> Result<(), Forged> {
        let known = &self.model.signature().observers;
        let name = |observer: &ObserverId| known.get(observer.index()).ok_or(Forged::Observers);
        let said = observers.iter().map(name).collect::<Result<Vec<_>, _>>()?;
        let right = match kind {
            Knowledge::One | Knowledge::Everyone | Knowledge::Common => {
                said.len() == 1 && names.contains(said[0])
            }
            Knowledge::Distributed => names.iter().all(|name| said.contains(&name)),
        };
        if right { Ok(()) } else { Err(Forged::Observers) }
    }
}

/// The truth of a formula where the last state of a run is entered.
fn last_value(word: &Word<'_>, evidence: &Evidence, formula: &Formula<AtomId>) -> Result<Truth, Objection> {
    let last = evidence.run.steps.len();
    let at = word.moments.moments.iter().position(|moment| moment.state == last);
    let values = word.formula(formula, None)?;
    Ok(at.and_then(|at| values[at]))
}

/// Whether a formula stands somewhere in a path formula.
pub(crate) fn occurs(formula: &Formula<AtomId>, path: &Path<AtomId>) -> bool {
    path.any(&mut |part| matches!(part, Subformula::State(inner) if inner == formula))
}

/// Whether an assumption and a claim share a formula about other runs: inside the assumption it ranges over all of them, in
/// the claim over those that count, and a branch does not say which is meant.
pub(crate) fn is_ambiguous(assumptions: &[&Path<AtomId>], claim: &Path<AtomId>) -> bool {
    let mut shared = false;
    for assumption in assumptions {
        for_each_quantifier(assumption, &mut |formula| shared |= occurs(formula, claim));
    }
    shared
}

fn for_each_quantifier<'p>(path: &'p Path<AtomId>, visit: &mut dyn FnMut(&'p Formula<AtomId>)) {
    path.for_each(&mut |part| {
        if let Subformula::State(formula @ Formula::Runs(..)) = part {
            visit(formula);
        }
    });
}
