//! How a situation fits a model that was solved.

use serde::Serialize;

/// How a situation fits the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "fit", rename_all = "lowercase")]
pub enum Fit {
    /// It is one of the model's.
    Exact,
    /// It is none, but to all observers together it looks like this many of the model's. Values are ranges over them.
    Similar {
        /// How many.
        situations: u32,
    },
    /// Nothing in the model looks like it.
    Outside,
}
