//! Numbers: probabilities and rewards, estimates, random runs counted, sweeps, strategies.

pub(crate) mod chance;
pub(crate) mod estimates;
pub(crate) mod quantity;
pub(crate) mod simulation;
pub(crate) mod simulation_json;
pub(crate) mod statistics;
pub(crate) mod strategy;
pub(crate) mod sweep;
pub(crate) mod value;
