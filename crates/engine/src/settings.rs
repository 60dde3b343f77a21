//! What a caller can ask of a check.

use motet_evidence::Fairness;

use crate::Limits;

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How far the search may go.
    pub limits: Limits,
    /// Which runs count.
    pub fairness: Fairness,
    /// In which order states are expanded.
    pub order: Order,
    /// When the exploration may end.
    pub extent: Extent,
    /// Whether passes are examined for triggers that never happen.
    pub vacuity: Examine,
}

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Nearest to the start first. Finite evidence is as short as possible.
    #[default]
    BreadthFirst,
    /// Farthest first. Evidence may be long.
    DepthFirst,
}

/// When an exploration may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// After the last reachable state: counts and notices are complete.
    #[default]
    Everything,
    /// As soon as every claim is decided, which can happen early only if all of them are about single states.
    UntilDecided,
}

/// Whether something that costs another search is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Examine {
    /// It is.
    #[default]
    Yes,
    /// It is not.
    No,
}
