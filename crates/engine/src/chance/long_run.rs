//! The long run: how much of the time something holds, and what is earned per step on average.

use motet_evidence::Stop;
use motet_property::Extremum;

use super::matrix::Matrix;
use super::rewards::Rewards;
use super::values::{Aim, Values};
use crate::bits::Bits;
use crate::limits::Meter;

/// The share of steps spent in `goal` in the long run, per state to start from.
pub(crate) fn steady(
    matrix: &Matrix,
    goal: &Bits,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let _ = (matrix, goal, extremum, aim, meter);
    Err(Stop::Unsupported("the operator S (long run)".to_owned()))
}

/// What is earned per step in the long run, per state to start from.
pub(crate) fn average(
    matrix: &Matrix,
    rewards: &Rewards,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let _ = (matrix, rewards, extremum, aim, meter);
    Err(Stop::Unsupported("long-run averages of rewards (`R=? [S]`)".to_owned()))
}
