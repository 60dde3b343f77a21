//! Fractions of any size.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use motet_model::Ratio;

/// A fraction of the model as one that can be calculated with.
pub(crate) fn rational(ratio: Ratio) -> RBig {
    RBig::from_parts(IBig::from(ratio.numerator()), UBig::from(ratio.denominator()))
}
