//! What happens within so many cycles, by writing out every run until they are over. Cycles are counted: a state is there at
//! every number from the one at which it is entered up to the one at which it is left, that one left out.

use dashu::rational::RBig;
use motet_property::{Bound, Extremum, Interval, Unit};

use super::process::Process;

/// Longer runs than this are not written out.
const VISITS_MAX: usize = 8;

/// A stay in a state.
#[derive(Clone, Copy, Debug)]
struct Visit {
    state: usize,
    enter: u64,
    /// `None` for a deadlock, which lasts for ever.
    leave: Option<u64>,
}

/// Whether an interval counts cycles.
pub(super) fn is_timed(when: &Interval) -> bool {
    when.low.iter().chain(&when.high).any(|bound| bound.unit == Some(Unit::Cycles))
}

/// The best chance of `a U b` with `b` within the interval, from every state.
pub(super) fn until(
    process: &Process,
    extremum: Extremum,
    when: &Interval,
    a: &[bool],
    b: &[bool],
) -> Result<Vec<RBig>, String> {
    let low = when.low.as_ref().map_or(0, |bound| bound.amount + u64::from(bound.strict));
    let high = when.high.as_ref().ok_or("a window of time without an end")?;
    // Before time 0 there is nothing.
    let Some(high) = high.amount.checked_sub(u64::from(high.strict)) else {
        return Ok(vec![RBig::ZERO; a.len()]);
    };
    let question = Question { process, extremum, low, high, a, b };
    (0..a.len()).map(|state| question.value(&mut Vec::new(), state, 0)).collect()
}

struct Question<'a> {
    process: &'a Process,
    extremum: Extremum,
    low: u64,
    high: u64,
    a: &'a [bool],
    b: &'a [bool],
}

impl Question<'_> {
    /// The value once a run has made these visits and enters a state. Policies may remember all of the run.
    fn value(&self, visits: &mut Vec<Visit>, state: usize, enter: u64) -> Result<RBig, String> {
        let verdict = |satisfied: bool| if satisfied { RBig::ONE } else { RBig::ZERO };
        if enter > self.high {
            return Ok(verdict(self.satisfied(visits)));
        }
        if visits.len() >= VISITS_MAX {
            return Err("long runs".to_owned());
        }
        let mut best: Option<RBig> = None;
        for choice in &self.process.choices[state] {
            let leave = choice.action.map(|_| enter + u64::from(choice.delay));
            visits.push(Visit { state, enter, leave });
            let mut value = RBig::ZERO;
            match leave {
                None => value = verdict(self.satisfied(visits)),
                Some(leave) => {
                    for (target, chance) in &choice.outcomes {
                        value += chance * self.value(visits, *target, leave)?;
                    }
                }
            }
            visits.pop();
            let better = best.as_ref().is_none_or(|best| match self.extremum {
                Extremum::Min => value < *best,
                Extremum::Max => value > *best,
            });
            if better {
                best = Some(value);
            }
        }
        Ok(best.expect("every state has a choice"))
    }

    /// Some visit meets the window with `b`, all before it have `a`, and so has that one if it was entered too early.
    fn satisfied(&self, visits: &[Visit]) -> bool {
        visits.iter().enumerate().any(|(at, visit)| {
            let early = visit.enter < self.low;
            let meets =
                visit.enter <= self.high && (!early || visit.leave.is_none_or(|leave| leave > self.low));
            meets
                && self.low <= self.high
                && self.b[visit.state]
                && visits[..at].iter().all(|earlier| self.a[earlier.state])
                && (!early || self.a[visit.state])
        })
    }
}

/// What is earned until a time is over, from every state: what a state earns by itself evenly while it lasts, what a choice
/// earns on top when it is complete.
pub(super) fn earned(
    process: &Process,
    extremum: Extremum,
    bound: &Bound,
    (all, own): (&[Vec<RBig>], &[RBig]),
) -> Result<Vec<RBig>, String> {
    let purse = Purse { process, extremum, bound, all, own };
    (0..own.len()).map(|state| purse.value(state, 0, 0)).collect()
}

struct Purse<'a> {
    process: &'a Process,
    extremum: Extremum,
    bound: &'a Bound,
    /// Per state, per choice: what it earns with its state.
    all: &'a [Vec<RBig>],
    own: &'a [RBig],
}

impl Purse<'_> {
    fn value(&self, state: usize, time: u64, visits: usize) -> Result<RBig, String> {
        let end = self.bound.amount;
        let counts = |time: u64| time < end || time == end && !self.bound.strict;
        if !counts(time) {
            return Ok(RBig::ZERO);
        }
        if visits >= VISITS_MAX {
            return Err("long runs".to_owned());
        }
        let left = RBig::from(end - time);
        let mut values = Vec::new();
        for (choice, all) in self.process.choices[state].iter().zip(&self.all[state]) {
            let delay = u64::from(choice.delay);
            values.push(if choice.action.is_none() {
                &self.own[state] * left.clone()
            } else if counts(time + delay) || delay == 0 {
                let mut value = all.clone();
                for (target, chance) in &choice.outcomes {
                    value += chance * self.value(*target, time + delay, visits + 1)?;
                }
                value
            } else {
                &self.own[state] * left.clone() / RBig::from(delay)
            });
        }
        let best = match self.extremum {
            Extremum::Min => values.into_iter().min(),
            Extremum::Max => values.into_iter().max(),
        };
        Ok(best.expect("every state has a choice"))
    }
}
