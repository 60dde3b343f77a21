//! Statistical checking: random runs, estimates from them, and how sure these are.

pub(crate) mod confidence;
pub(crate) mod estimate;
pub(crate) mod sample;
