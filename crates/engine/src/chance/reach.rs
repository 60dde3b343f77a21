//! How probable it is that something comes about, without a bound on time.

use motet_evidence::Stop;
use motet_property::Extremum;

use super::matrix::Matrix;
use super::values::{Aim, Values};
use crate::bits::Bits;
use crate::limits::Meter;

/// The chance of `left U right`, per state, under the choices that make it least or greatest. On a chain the extremum does
/// not matter. The values of the states the aim asks for are as close as it asks for, or as floating point allows.
pub(crate) fn until(
    matrix: &Matrix,
    left: &Bits,
    right: &Bits,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let _ = (matrix, left, right, extremum, aim, meter);
    Err(Stop::Unsupported("the operator P (probability)".to_owned()))
}
