//! Exporting: the model and its claims for other programs.

pub(crate) mod chance;
pub(crate) mod explicit;
pub(crate) mod export;
pub(crate) mod promela;
pub(crate) mod states;
