//! Advising: what each choice is worth in a situation.

pub(crate) mod advise;
pub(crate) mod desk;
pub(crate) mod threshold;
