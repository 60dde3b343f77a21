//! Problems: of the input, and of commands, as text and for programs; manual entries.

pub(crate) mod diagnostic;
pub(crate) mod entry;
pub(crate) mod failure;
pub(crate) mod problem;
