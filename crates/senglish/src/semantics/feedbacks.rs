//! Action feedbacks (Izzo 2016, equations 3.7 and 3.8; appendix B.2, modules of actions).
//!
//! An action is called when some plan stands on it. The slot of its first feedback counts down: `t` cycles after the call it is
//! `mean + spread + 1 - t`, until a feedback becomes true, which is the value 1 for exactly one cycle.

use motet_model::{Fault, Ratio, State};

use super::{Factor, too_fine};
use crate::number::complement;
use crate::program::{Action, Program, TRUE};

/// The feedbacks of an action after the belief update.
pub(crate) fn next(
    program: &Program,
    action: &Action,
    before: &State,
    next: &mut State,
    factors: &mut Vec<Factor>,
) -> Result<(), Fault> {
    let slot = |which: usize| program.beliefs[action.feedbacks[which].0].slot;
    if action.feedbacks.is_empty() {
        return Ok(());
    }
    for which in 0..action.feedbacks.len() {
        next[slot(which)] = 0;
    }
    let count = before[slot(0)];
    let called = || action.callers.iter().any(|(plan, index)| before[program.plans[*plan].slot] == *index);
    let elapsed = match count {
        0 | TRUE if !called() => return Ok(()),
        0 | TRUE => 1,
        running => action.mean + action.spread + 2 - running,
    };
    let waiting = action.mean + action.spread + 1 - elapsed;
    let chance = reports(action, elapsed);
    let Some(chance) = chance else {
        next[slot(0)] = waiting;
        return Ok(());
    };
    let missing = complement(chance).expect("no chance is above one");
    if action.feedbacks.len() == 1 && missing == Ratio::ZERO {
        next[slot(0)] = TRUE;
        return Ok(());
    }
    let slots: Vec<usize> = (0..action.feedbacks.len()).map(slot).collect();
    let (mut chances, mut values) = (Vec::new(), Vec::new());
    for (which, (_, weight)) in action.feedbacks.iter().enumerate() {
        if *weight == Ratio::ZERO {
            continue;
        }
        chances.push(chance.checked_mul(*weight).ok_or_else(too_fine)?);
        values.extend((0..slots.len()).map(|other| u32::from(other == which)));
    }
    if missing != Ratio::ZERO {
        chances.push(missing);
        values.push(waiting);
        values.extend((1..slots.len()).map(|_| 0));
    }
    factors.push(Factor { slots, chances, values });
    Ok(())
}

/// The chance that the action reports in this cycle after its call, given that it has not yet; `None` before the first cycle
/// in which it may.
pub(crate) fn reports(action: &Action, elapsed: u32) -> Option<Ratio> {
    let first = action.mean.saturating_sub(action.spread);
    if elapsed < first {
        return None;
    }
    let (above, below) = (u64::from(elapsed - first) + 1, 2 * u64::from(action.spread) + 1);
    Ratio::new(above.min(below), below)
}
