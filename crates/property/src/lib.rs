//! The claims language: one tree for linear and branching time, knowledge, chance and rewards.

mod claim;
mod formula;

pub use claim::{Claim, Expect, Kind};
pub use formula::{
    Bound, Extremum, Formula, Interval, Knowledge, Path, Quantifier, Query, Relation, RewardGoal, Timer, Unit,
};
