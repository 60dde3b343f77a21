//! Branching time and knowledge: what is said of other runs, and of situations that somebody cannot tell apart.

pub(crate) mod branching;
pub(crate) mod knowledge;
