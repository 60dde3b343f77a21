//! What bounds count, held against what the model counts: a bound in something else has no answer, and that is said before
//! anything is searched.

use motet_model::{Ratio, TimeUnit};

use super::Lowering;
use crate::formula::{Bound, Unit};
use crate::syntax::Node;

/// Larger bounds could not be told apart by a clock in half units that may wait for several of them.
const MOST: i64 = i64::MAX / 4;

impl Lowering<'_> {
    /// A bound as it is read, if the model counts what it counts.
    pub(super) fn in_units_of_the_model(&mut self, node: &Node, bound: Bound) -> Option<Bound> {
        let Some(unit) = self.vocabulary.unit else { return Some(bound) };
        // Where chances are asked for, a bare number is a number of steps (M0307 says so).
        let bare = unit == TimeUnit::Steps || self.chances > 0;
        let message = match bound.unit {
            Some(Unit::Steps) => return Some(bound),
            Some(counted) if counted == own(unit) => return Some(bound),
            None if bare => return Some(bound),
            Some(counted) => format!("the model does not count {}", noun(counted)),
            None => "this bound does not say what it counts".to_owned(),
        };
        let help = match unit {
            TimeUnit::Steps => "it counts steps, as in `5 steps`".to_owned(),
            _ => format!("it counts {}; `steps` are counted in every model", words(unit)),
        };
        self.error("M0264", node.span, message, help);
        None
    }

    /// Refuses a bound that is larger than anything that can be counted.
    pub(super) fn is_countable(&mut self, node: &Node, number: &Ratio) -> bool {
        let fits = *number <= Ratio::whole(MOST);
        if !fits {
            let help = format!(
                "bounds go up to {MOST}, on a clock in milliseconds; without an end write `F`, `G` or `U`"
            );
            self.error("M0230", node.span, "this bound is larger than anything that is counted", help);
        }
        fits
    }
}

/// The unit of bounds that count what the model counts.
pub(super) fn own(unit: TimeUnit) -> Unit {
    match unit {
        TimeUnit::Milliseconds => Unit::Clock,
        TimeUnit::Cycles => Unit::Cycles,
        TimeUnit::Firings => Unit::Firings,
        TimeUnit::Steps => Unit::Steps,
    }
}

/// What a model counts, as it is written.
pub(super) fn words(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Milliseconds => "time on a clock: ms, s, min, h, d",
        TimeUnit::Cycles => "cycles",
        TimeUnit::Firings => "firings",
        TimeUnit::Steps => "steps",
    }
}

fn noun(unit: Unit) -> &'static str {
    match unit {
        Unit::Clock => "time on a clock",
        Unit::Cycles => "cycles",
        Unit::Firings => "firings",
        Unit::Steps => "steps",
    }
}
