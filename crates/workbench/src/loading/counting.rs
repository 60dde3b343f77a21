//! What a bound in steps means where a step of the language is not a step of the model. An sEnglish cycle is two steps, the
//! belief update and the plan update, as in the PRISM models that LISA agents are translated to; the native model takes one
//! step for both. `F<=100 steps` is therefore `F<=50 cycles`, and an odd step counts as the cycle it is part of.

use motet_model::AtomId;
use motet_property::{Bound, Path, Unit};

/// Steps of a cycle.
const STEPS: u64 = 2;

/// Turns the bounds in steps into cycles.
pub(crate) fn steps_to_cycles(path: &mut Path<AtomId>) {
    path.for_each_bound_mut(&mut in_bound);
}

fn in_bound(bound: &mut Bound) {
    if bound.unit == Some(Unit::Steps) {
        // Fewer than 100 steps are 99 at most, and the 99th is the first half of the 50th cycle.
        let last = bound.amount.saturating_sub(u64::from(bound.strict));
        *bound = Bound { amount: last.div_ceil(STEPS), unit: Some(Unit::Cycles), strict: false };
    }
}
