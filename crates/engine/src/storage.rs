//! Storing: the state store, lists in chunks, sets of small numbers, and what is put away outside of memory.

pub(crate) mod bits;
pub(crate) mod chunks;
pub(crate) mod spill;
pub(crate) mod store;
