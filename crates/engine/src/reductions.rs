//! Fewer states: ample sets, chains of steps without a choice, stutter equivalence, orbits.

pub(crate) mod ample;
pub(crate) mod chain;
pub(crate) mod reduction;
pub(crate) mod stutter;
pub(crate) mod symmetry;
