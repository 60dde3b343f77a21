//! Checking: the engine answers, what it says is replayed, put together and told.

pub(crate) mod check;
pub(crate) mod coverage;
pub(crate) mod fair_chance;
pub(crate) mod helps;
pub(crate) mod narrowing;
pub(crate) mod reductions;
pub(crate) mod slicing;
pub(crate) mod symmetry;
pub(crate) mod telling;
pub(crate) mod trace;
pub(crate) mod unanswered;
