//! Codes of the problems that hosts meet: files and options, advice, checkpoints, outputs, runs, spilling.

pub(crate) mod advice;
pub(crate) mod checkpoints;
pub(crate) mod deliveries;
pub(crate) mod files;
pub(crate) mod runs;
pub(crate) mod spilling;
