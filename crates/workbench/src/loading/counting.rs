//! What a bound in steps means where a step of the language is not a step of the model. An sEnglish cycle is two steps, the
//! belief update and the plan update, as in the PRISM models that LISA agents are translated to; the native model takes one
//! step for both. `F<=100 steps` is therefore `F<=50 cycles`, and an odd step counts as the cycle it is part of.

use motet_model::AtomId;
use motet_property::{Bound, Formula, Interval, Path, RewardGoal, Timer, Unit};

/// Steps of a cycle.
const STEPS: u64 = 2;

/// Turns the bounds in steps into cycles.
pub(crate) fn steps_to_cycles(path: &mut Path<AtomId>) {
    match path {
        Path::Now(formula) => in_formula(formula),
        Path::Accepted(_) => {}
        Path::Not(inner) | Path::Next(inner) => steps_to_cycles(inner),
        Path::Eventually(when, inner) | Path::Always(when, inner) => {
            in_interval(when);
            steps_to_cycles(inner);
        }
        Path::And(left, right)
        | Path::Or(left, right)
        | Path::Implies(left, right)
        | Path::Iff(left, right) => {
            steps_to_cycles(left);
            steps_to_cycles(right);
        }
        Path::Until(when, left, right) | Path::Weak(when, left, right) | Path::Release(when, left, right) => {
            in_interval(when);
            steps_to_cycles(left);
            steps_to_cycles(right);
        }
    }
}

fn in_formula(formula: &mut Formula<AtomId>) {
    match formula {
        Formula::True | Formula::False | Formula::Deadlock | Formula::Atom(_) => {}
        Formula::Not(inner) | Formula::Knows(_, _, inner) | Formula::Steady(_, _, inner) => in_formula(inner),
        Formula::And(left, right)
        | Formula::Or(left, right)
        | Formula::Implies(left, right)
        | Formula::Iff(left, right)
        | Formula::Filter(_, left, right) => {
            in_formula(left);
            in_formula(right);
        }
        Formula::Past(past) => past.parts_mut().for_each(in_formula),
        Formula::Wait(_, from, to) => from.iter_mut().chain([to]).for_each(|formula| in_formula(formula)),
        Formula::Runs(_, path) | Formula::Chance(_, _, path) => steps_to_cycles(path),
        Formula::Reward(_, _, _, goal) => match &mut **goal {
            RewardGoal::Until(path) => steps_to_cycles(path),
            RewardGoal::Cumulative(Some(bound)) | RewardGoal::Instant(bound) => in_bound(bound),
            RewardGoal::Cumulative(None) | RewardGoal::Average => {}
        },
        Formula::Timer(timer, _, bound) => {
            in_bound(bound);
            if let Timer::Since(inner) | Timer::Held(inner) = timer {
                in_formula(inner);
            }
        }
    }
}

fn in_interval(when: &mut Interval) {
    when.low.iter_mut().chain(&mut when.high).for_each(in_bound);
}

fn in_bound(bound: &mut Bound) {
    if bound.unit == Some(Unit::Steps) {
        // Fewer than 100 steps are 99 at most, and the 99th is the first half of the 50th cycle.
        let last = bound.amount.saturating_sub(u64::from(bound.strict));
        *bound = Bound { amount: last.div_ceil(STEPS), unit: Some(Unit::Cycles), strict: false };
    }
}
