//! Runs the specification in `spec/`, the corpus in `corpus/` and the folders of `examples/`. Tests only.

pub mod expectation;
pub mod markdown;
