//! Sensory percepts (Izzo 2016, equation 3.9; appendix B.2, modules of percepts).
//!
//! A counter leads to the next trial. Conditions gate activation only: section 3.4.1 and appendix B.2 agree on that against
//! figure 4.7, whose line 6 would also cancel a percept that holds.

use motet_model::{Fault, Ratio, State};

use super::{Factor, too_fine};
use crate::number::complement;
use crate::program::{Distribution, FALSE, Percept, Program, TRUE};

/// A percept and its counter after the belief update.
pub(crate) fn next(
    program: &Program,
    percept: &Percept,
    before: &State,
    next: &mut State,
    factors: &mut Vec<Factor>,
) -> Result<(), Fault> {
    let slot = program.beliefs[percept.belief].slot;
    let value = before[slot];
    let mut set = |value: u32, count: u32| {
        next[slot] = value;
        if let Some(counter) = percept.counter {
            next[counter] = count;
        }
    };
    let (distribution, flipped) =
        if value == TRUE { (percept.deactivation, FALSE) } else { (percept.activation, TRUE) };
    if value != TRUE && !percept.gate.holds(before) {
        set(value, start(percept.activation));
        return Ok(());
    }
    let count = percept.counter.map_or(0, |counter| before[counter]);
    if distribution.is_counted() && count < distribution.first() {
        set(value, count + 1);
        return Ok(());
    }
    let chance = trial(distribution, count).ok_or_else(too_fine)?;
    let missing = complement(chance).expect("no chance is above one");
    // Our own: a trial that fails shows a percept of which nothing was known to be false.
    let kept = if value == TRUE { TRUE } else { FALSE };
    let missed = missed(distribution, count);
    if missing == Ratio::ZERO {
        set(flipped, 0);
    } else if chance == Ratio::ZERO {
        set(kept, missed);
    } else {
        let (slots, values) = match percept.counter {
            Some(counter) => (vec![slot, counter], vec![flipped, 0, kept, missed]),
            None => (vec![slot], vec![flipped, kept]),
        };
        factors.push(Factor { slots, chances: vec![chance, missing], values });
    }
    Ok(())
}

/// Where the counter stands when nothing was counted yet.
pub(crate) fn start(distribution: Distribution) -> u32 {
    u32::from(distribution.is_counted())
}

/// Where the counter stands after a trial that failed.
pub(crate) fn missed(distribution: Distribution, count: u32) -> u32 {
    if distribution.is_counted() && count < distribution.last() { count + 1 } else { 0 }
}

/// The chance of a trial at this count (equation 3.9); `None` when it does not fit our numbers.
pub(crate) fn trial(distribution: Distribution, count: u32) -> Option<Ratio> {
    if !distribution.is_counted() {
        return Some(distribution.chance);
    }
    let below = u64::from(distribution.spread) + 1;
    let away = u64::from(count.abs_diff(distribution.mean));
    distribution.chance.checked_mul(Ratio::new(below.saturating_sub(away), below)?)
}
