//! Evidence is replayed before it is shown: the run is followed in the model and the claim is evaluated on it.

use std::collections::BTreeSet;

use motet_model::{AtomId, Model, SubjectId};
use motet_property::{Claim, Formula, Interval, Kind, Omega, Path, Quantifier};

use crate::acceptance::{Acceptance, acceptance};
use crate::branches::{Trial, is_ambiguous};
use crate::follow::{self, Followed, follow};
use crate::moments::{Ending, Watch, comparisons};
use crate::wait::replay_wait;
use crate::word::{Stance, Word};
use crate::{Evidence, Fairness, Forged, Objection, Outcome, Run, Stop, Verdict};

/// Whether the evidence proves what it is there for: that a property fails, that a possibility is reachable.
///
/// # Errors
/// The reason why it does not, or why that cannot be judged.
pub fn replay(model: &dyn Model, claim: &Claim<AtomId>, evidence: &Evidence) -> Result<(), Objection> {
    replay_under(model, &[], claim, evidence)
}

/// As [`replay`], where only runs count that satisfy the assumptions.
///
/// # Errors
/// The reason why the evidence is no proof, or why that cannot be judged.
pub fn replay_under(
    model: &dyn Model,
    assumptions: &[&Claim<AtomId>],
    claim: &Claim<AtomId>,
    evidence: &Evidence,
) -> Result<(), Objection> {
    let followed = follow(model, &evidence.run)?;
    let (path, stance) = wanted(claim)?;
    if let Some((omega, wanted)) = automaton(&path, stance) {
        closes(model, evidence, &followed)?;
        let found = acceptance(model, omega, evidence, &followed)?;
        return if found == wanted && assumptions.is_empty() {
            Ok(())
        } else {
            Err(Forged::Undecided.into())
        };
    }
    let assumed: Vec<&Path<AtomId>> = assumptions.iter().map(|claim| assumed(&claim.formula)).collect();
    if claim.kind != Kind::Assume && is_ambiguous(&assumed, &path) {
        let words = "a formula about other runs that stands in an assumption and in the claim";
        return Err(Objection::Refused(words.to_owned()));
    }
    let paths: Vec<&Path<AtomId>> = assumed.iter().copied().chain([&path]).collect();
    let trial = Trial { model, assumptions: &assumed, fairness: evidence.fairness, depth: 0 };
    let word = word_under(&trial, evidence, &followed, &paths)?;
    let decided = match stance {
        Stance::Refute => Some(false),
        Stance::Prove => Some(true),
    };
    if word.truth(&path, stance)? != decided {
        return Err(Forged::Undecided.into());
    }
    for (assumption, values) in assumptions.iter().zip(&word.assumed) {
        if values[0] != Some(true) {
            return Err(Forged::Assumption(assumption.name.clone()).into());
        }
    }
    Ok(())
}

/// The automaton that a claim is, and whether the run has to be accepted by it.
fn automaton(path: &Path<AtomId>, stance: Stance) -> Option<(&Omega<AtomId>, Acceptance)> {
    match (path, stance) {
        (Path::Accepted(omega), Stance::Prove) => Some((omega, Acceptance::Accepted)),
        (Path::Accepted(omega), Stance::Refute) => Some((omega, Acceptance::Rejected)),
        (Path::Not(inner), stance) => automaton(inner, stance.flip()),
        _ => None,
    }
}

/// Whether a run leads to a state where the model stops with this message.
///
/// # Errors
/// The reason why it does not.
pub fn replay_fault(model: &dyn Model, message: &str, run: &Run) -> Result<(), Objection> {
    match follow(model, run)?.fault {
        Some(fault) if fault == message => Ok(()),
        _ => Err(Forged::NoFault.into()),
    }
}

/// Whether an outcome and its evidence belong together, and the evidence is valid. An outcome without evidence passes:
/// there is nothing to replay.
///
/// # Errors
/// The reason why they do not, or why that cannot be judged.
pub fn replay_outcome(
    model: &dyn Model,
    assumptions: &[&Claim<AtomId>],
    claim: &Claim<AtomId>,
    outcome: &Outcome,
) -> Result<(), Objection> {
    let Some(evidence) = &outcome.evidence else { return Ok(()) };
    let proves = wanted(claim).is_ok_and(|(_, stance)| stance == Stance::Prove);
    match &outcome.verdict {
        Verdict::Unknown(Stop::Bound(message)) => replay_fault(model, message, &evidence.run),
        Verdict::Holds if proves => replay_under(model, assumptions, claim, evidence),
        Verdict::Fails if !proves => replay_under(model, assumptions, claim, evidence),
        Verdict::Value { low, .. } if assumptions.is_empty() => replay_wait(model, claim, evidence, *low),
        _ => Err(Forged::Verdict.into()),
    }
}

/// The run that these (ordinal, branch) pairs describe, from the initial state with this number.
///
/// # Errors
/// When the model has no such steps.
pub fn rebuild(model: &dyn Model, initial: u32, ordinals: &[(u32, u32)]) -> Result<Run, Forged> {
    follow::rebuild(model, initial, ordinals)
}

/// What the run has to show.
pub(crate) fn wanted(claim: &Claim<AtomId>) -> Result<(Path<AtomId>, Stance), Objection> {
    match (claim.kind, &claim.formula) {
        // Of branching time, a single run can only ever be the witness of an outermost `E`.
        (Kind::Property, Path::Now(Formula::Runs(Quantifier::Some, path))) => {
            Ok(((**path).clone(), Stance::Prove))
        }
        (Kind::Property, path) => Ok((path.clone(), Stance::Refute)),
        // "Possible p" means that some run reaches a state with p.
        (Kind::Possible, path) if path.is_state() => {
            Ok((Path::Eventually(Interval::default(), Box::new(path.clone())), Stance::Prove))
        }
        (Kind::Possible, path) => Ok((path.clone(), Stance::Prove)),
        (Kind::Assume, path) => Ok((assumed(path).clone(), Stance::Prove)),
        (Kind::Query, _) => Err(Objection::Refused("a query has no run that proves it".to_owned())),
    }
}

/// An assumption speaks of each run, so that an outermost `A` says nothing more.
fn assumed(path: &Path<AtomId>) -> &Path<AtomId> {
    match path {
        Path::Now(Formula::Runs(Quantifier::All, inner)) => assumed(inner),
        _ => path,
    }
}

pub(crate) fn word<'a>(
    model: &'a dyn Model,
    evidence: &'a Evidence,
    followed: &'a Followed,
    paths: &[&'a Path<AtomId>],
) -> Result<Word<'a>, Objection> {
    let trial = Trial { model, assumptions: &[], fairness: evidence.fairness, depth: 0 };
    word_under(&trial, evidence, followed, paths)
}

/// A run with what its branches show.
pub(crate) fn word_under<'a>(
    trial: &Trial<'a>,
    evidence: &'a Evidence,
    followed: &'a Followed,
    paths: &[&'a Path<AtomId>],
) -> Result<Word<'a>, Objection> {
    let (run, model) = (&evidence.run, trial.model);
    let last = run.steps.len();
    let ending = match evidence.loop_start {
        Some(start) => {
            closes(model, evidence, followed)?;
            Ending::Repeats(start)
        }
        // A run that ends in a deadlock repeats its last state; any other finite run is known in part only.
        None if followed.deadlocks[last] == Some(true) => Ending::Deadlock,
        None => Ending::Open,
    };
    let deadlocks = &followed.deadlocks;
    let truths = trial.truths(evidence)?;
    let moments = Watch { model, run, deadlocks, ending, truths: &truths }.moments(comparisons(paths))?;
    let mut word = Word { model, states: &run.states, deadlocks, moments, truths, assumed: Vec::new() };
    let assumed: Result<Vec<_>, _> = trial.assumptions.iter().map(|path| word.path(path, None)).collect();
    word.assumed = assumed?;
    Ok(word)
}

/// Whether the loop of a run, if it has one, is one, and fair.
pub(crate) fn closes(model: &dyn Model, evidence: &Evidence, followed: &Followed) -> Result<(), Forged> {
    let (Some(start), run) = (evidence.loop_start, &evidence.run) else { return Ok(()) };
    let last = run.steps.len();
    if start >= last || run.states[start] != run.states[last] {
        return Err(Forged::Loop);
    }
    fair(model, evidence, followed, start)
}

/// Fairness of a loop: whoever could move at every state of it (weak), or at some state of it (strong), does move in it.
fn fair(model: &dyn Model, evidence: &Evidence, followed: &Followed, start: usize) -> Result<(), Forged> {
    let steps = &evidence.run.steps[start..];
    let enabled = &followed.enabled[start..evidence.run.steps.len()];
    let moved: BTreeSet<SubjectId> =
        steps.iter().map(|taken| model.facets().subject(taken.process, taken.action)).collect();
    let must_move = |subject: &&SubjectId| match evidence.fairness {
        Fairness::None => false,
        Fairness::Weak => enabled.iter().all(|state| state.contains(*subject)),
        Fairness::Strong => true,
    };
    match enabled.iter().flatten().filter(must_move).find(|subject| !moved.contains(*subject)) {
        Some(starved) => Err(Forged::Unfair(starved.0)),
        None => Ok(()),
    }
}
