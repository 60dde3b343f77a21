//! Simulating: random runs, the token game, estimates, and the sweep of a parameter.

pub(crate) mod axis;
pub(crate) mod estimate;
pub(crate) mod game;
pub(crate) mod simulate;
pub(crate) mod strategy;
pub(crate) mod sweep;
pub(crate) mod tally;
