//! The run behind an answer to a question for a time: its time is counted again, from every moment at which it begins.

use motet_model::{AtomId, Model, TimeUnit};
use motet_property::{Claim, Extremum, Formula, Path};

use crate::follow::{Followed, follow};
use crate::kleene::{Truth, and, iff, not, or};
use crate::replay::closes;
use crate::{Evidence, Forged, Objection};

/// Whether a claim's question for a time is answered by this value on this run. Infinite is that the time never ends, or
/// that a round puts its end off any number of times; such a round may be one that no fair run stays in.
pub(crate) fn replay_wait(
    model: &dyn Model,
    claim: &Claim<AtomId>,
    evidence: &Evidence,
    value: f64,
) -> Result<(), Objection> {
    let Path::Now(Formula::Wait(extremum, from, to)) = &claim.formula else {
        return Err(Forged::Verdict.into());
    };
    let followed = follow(model, &evidence.run)?;
    closes(model, evidence, &followed)?;
    let wait = Wait { model, evidence, followed: &followed };
    let to = wait.truths(to)?;
    for start in wait.begins(from.as_deref())? {
        let reached = to[start..].iter().position(|&truth| truth).map(|at| start + at);
        #[expect(
            clippy::cast_precision_loss,
            clippy::float_cmp,
            reason = "whole numbers below 2^53 are exact"
        )]
        let shown = match reached {
            Some(end) => wait.elapsed(start, end) as f64 == value,
            None => value.is_infinite() && *extremum == Extremum::Max && wait.never(start, &to),
        };
        if shown {
            return Ok(());
        }
    }
    Err(Forged::Undecided.into())
}

/// A run that was followed.
struct Wait<'a> {
    model: &'a dyn Model,
    evidence: &'a Evidence,
    followed: &'a Followed,
}

impl Wait<'_> {
    /// Whether the time that began here and did not end on the way does not end behind it either.
    fn never(&self, start: usize, to: &[bool]) -> bool {
        match self.evidence.loop_start {
            Some(entry) => !to[entry.min(start)..].contains(&true),
            None => self.followed.deadlocks[self.evidence.run.steps.len()] == Some(true),
        }
    }

    /// Where the time begins.
    fn begins(&self, from: Option<&Formula<AtomId>>) -> Result<Vec<usize>, Objection> {
        let Some(from) = from else { return Ok(vec![0]) };
        let from = self.truths(from)?;
        Ok((0..from.len()).filter(|&at| from[at] && (at == 0 || !from[at - 1])).collect())
    }

    /// The time from one state of the run to another; steps, where they are all the time there is.
    fn elapsed(&self, from: usize, to: usize) -> u64 {
        let steps = &self.evidence.run.steps[from..to];
        match self.model.signature().unit {
            TimeUnit::Steps => steps.len() as u64,
            _ => steps.iter().map(|taken| u64::from(taken.delay)).sum(),
        }
    }

    fn truths(&self, formula: &Formula<AtomId>) -> Result<Vec<bool>, Objection> {
        let truth = |at| self.holds(formula, at).ok_or_else(|| Objection::Refused("this formula".to_owned()));
        (0..self.evidence.run.states.len()).map(truth).collect()
    }

    fn holds(&self, formula: &Formula<AtomId>, at: usize) -> Truth {
        let holds = |formula: &Formula<AtomId>| self.holds(formula, at);
        match formula {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Deadlock => self.followed.deadlocks[at],
            Formula::Atom(atom) => Some(self.model.holds(*atom, &self.evidence.run.states[at])),
            Formula::Not(a) => not(holds(a)),
            Formula::And(a, b) => and(holds(a), holds(b)),
            Formula::Or(a, b) => or(holds(a), holds(b)),
            Formula::Implies(a, b) => or(not(holds(a)), holds(b)),
            Formula::Iff(a, b) => iff(holds(a), holds(b)),
            _ => None,
        }
    }
}
