//! What reading costs, counted and not timed: the same text costs the same on every machine, however busy it is. Only with
//! the feature `fuzz`; without it nothing is counted.

#[cfg(feature = "fuzz")]
use std::cell::Cell;

#[cfg(feature = "fuzz")]
thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts one step of reading: a look at a token or at an element, or a name that is compared with another.
#[inline]
pub fn step() {
    #[cfg(feature = "fuzz")]
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// How many steps of reading `work` takes on this thread, and its answer.
#[cfg(feature = "fuzz")]
pub fn steps<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = STEPS.with(Cell::get);
    let answer = work();
    (STEPS.with(Cell::get) - before, answer)
}
