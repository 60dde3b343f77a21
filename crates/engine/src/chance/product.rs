//! The chance of linear-time formulas: the product of the process with a deterministic automaton.

use motet_evidence::Stop;
use motet_model::AtomId;
use motet_property::{Extremum, Path};

use super::matrix::Matrix;
use super::values::{Aim, Values};
use crate::bits::Bits;
use crate::limits::Meter;

/// The chance that a run satisfies `path`, per state, under the choices that make it least or greatest. State formulas in
/// the path have been evaluated: each is an atom whose number is its place in `columns`. Bounds in the path count steps.
pub(crate) fn probability(
    matrix: &Matrix,
    columns: &[Bits],
    path: &Path<AtomId>,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let _ = (matrix, columns, path, extremum, aim, meter);
    Err(Stop::Unsupported("linear-time formulas inside P".to_owned()))
}
