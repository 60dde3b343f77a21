//! Checking: what is asked, what has to be found for it, and what an answer rests on.

pub(crate) mod check;
pub(crate) mod coverage;
pub(crate) mod mutate;
pub(crate) mod quest;
pub(crate) mod settings;
pub(crate) mod vacuity;
