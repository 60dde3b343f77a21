//! Formulas: simplified, rebuilt, and evaluated on states and on runs.

pub(crate) mod reading;
pub(crate) mod rebuild;
pub(crate) mod simplify;
pub(crate) mod valuation;
