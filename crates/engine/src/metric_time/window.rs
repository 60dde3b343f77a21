//! Time as the engine counts it.
//!
//! A run visits state `i` at time `t_i`, the sum of the delays before it, and stays until `t_(i+1)`, both instants
//! included; a state that is left after no time exists at one instant only. A run that ends in a deadlock stays there, and
//! time goes on for ever.
//!
//! Formulas are evaluated at moments. Every entry into a state is one. On a clock the instant at which a state is left after
//! some time is one too, with the state still as it was: time has come to the next event, and nothing has happened yet. A
//! step in no time that changes nothing a formula speaks of then adds nothing that was not there before. What is counted
//! (cycles, firings) has whole numbers only, and no such moment: the number at which a state is left is the next one's.
//! Where a claim or an assumption compares a clock (`now`, `held`, `since`), so is every time at which such a comparison changes its truth
//! while the state lasts, so that from each moment to the next nothing a formula speaks of changes. With `t_i` now the
//! time of moment `i`:
//!
//! - Moment `j` meets the window from `a` to `b` of moment `i` iff `t_j - t_i <= b`, and `t_j - t_i >= a` or
//!   `t_(j+1) - t_i > a`: what became so before the window opens and still is so counts. A window whose ends are in the
//!   wrong order is never met.
//! - `p U[a,b] q` holds at `i` iff some `j >= i` meets the window, `q` holds at `j`, `p` holds at all moments from `i` on
//!   before `j`, and also at `j` if `t_j - t_i < a`, because `p` has to last until the window opens. `F` is `true U`, `R`
//!   and `G` are the duals, `p W q` is `q R (p | q)`.
//! - `X p` holds iff `p` holds where the next state is entered. The last state of a finite run is entered again once all
//!   clocks have passed all they are compared with; from then on nothing changes any more. Bounds in steps are nested `X`.
//! - `held(p)` is the time since `p` became true, 0 where it is not. `since(p)` is the time since `p` ceased to be true,
//!   0 where it is true, and infinite where it never was.
//!
//! Time is counted in half units. Delays and bounds are whole units, so "just after 5" is five and a half: there a clock
//! exceeds 5 (`held(p) <= 5` turns false), and `F>5` begins. Of what is counted, 6 is just after 5.

use motet_model::TimeUnit;

/// Half units in a unit.
pub(crate) const HALVES: u64 = 2;

/// How much later than a whole number "just after" it is, in half units: what is counted has nothing between two numbers.
pub(crate) fn grain(unit: TimeUnit) -> u64 {
    if unit.is_dense() { 1 } else { HALVES }
}

/// A window of time, seen from now; both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Window {
    pub(crate) low: u64,
    /// `None` is no end.
    pub(crate) high: Option<u64>,
}

/// How a moment passes into the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Passage {
    /// By a step of the model, after this long; on a clock, if that is some time, through the instant at which the state is
    /// left.
    Step(u64),
    /// The state goes on; a clock has passed something.
    Wait(u64),
    /// The last state of a finite run repeats itself, and nothing changes any more.
    Forever,
}

impl Passage {
    /// How long the moment lasts; `None` is for ever.
    pub(crate) fn length(self) -> Option<u64> {
        match self {
            Self::Step(length) | Self::Wait(length) => Some(length),
            Self::Forever => None,
        }
    }
}

impl Window {
    pub(crate) const ALWAYS: Self = Self { low: 0, high: None };
    pub(crate) const EMPTY: Self = Self { low: 1, high: Some(0) };

    pub(crate) fn is_empty(self) -> bool {
        self.high.is_some_and(|high| high < self.low)
    }

    /// Whether a moment that lasts this long meets the window.
    pub(crate) fn is_met(self, length: Option<u64>) -> bool {
        self.low == 0 || length.is_none_or(|length| length > self.low)
    }

    /// The window as seen after this time; `None` if it has passed.
    pub(crate) fn after(self, length: Option<u64>) -> Option<Self> {
        let low = length.map_or(0, |length| self.low.saturating_sub(length));
        match (self.high, length) {
            (None, _) => Some(Self { low, high: None }),
            (Some(_), None) => None,
            (Some(high), Some(length)) => Some(Self { low, high: Some(high.checked_sub(length)?) }),
        }
    }

    /// Whether all of `other` lies in it.
    pub(crate) fn contains(self, other: Self) -> bool {
        let ends = match (self.high, other.high) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => other <= own,
        };
        self.low <= other.low && ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_that_lasts_into_the_window_meets_it_and_one_that_ends_there_does_not() {
        let window = Window { low: 4, high: Some(6) };
        assert_eq!([Some(4), Some(5), None].map(|length| window.is_met(length)), [false, true, true]);
        assert_eq!(window.after(Some(5)), Some(Window { low: 0, high: Some(1) }));
        assert_eq!(
            (window.after(Some(6)).is_some(), window.after(Some(7)), window.after(None)),
            (true, None, None)
        );
    }
}
