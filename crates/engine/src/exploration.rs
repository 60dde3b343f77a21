//! Exploring: the states of a model and the steps between them, within limits, by all threads, from a checkpoint on.

pub(crate) mod explore;
mod explorer;
pub(crate) mod graph;
pub(crate) mod hashed;
pub(crate) mod limits;
pub(crate) mod save;
pub(crate) mod side_by_side;
pub(crate) mod space;
pub(crate) mod tarjan;
pub(crate) mod threads;
