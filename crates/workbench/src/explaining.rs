//! Explaining: codes, claims, and why a frame fired.

pub(crate) mod claim;
pub(crate) mod codes;
pub(crate) mod inquire;
pub(crate) mod knowledge;
