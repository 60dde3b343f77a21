//! Formulas: simplified, and evaluated on states and on runs.

pub(crate) mod reading;
pub(crate) mod simplify;
pub(crate) mod valuation;
