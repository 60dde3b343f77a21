//! What claims say about a single marking: their atoms get a meaning here.

use crate::program::{Body, TransitionId};
use crate::value::{NetId, Value};

/// A predicate over markings.
#[derive(Clone, Debug)]
pub(crate) enum Predicate {
    /// Something that is computed from the marking.
    Test(Body),
    /// Something that the last step was.
    Fires(Fires),
}

/// `fires(T)`, `fires(T, x)`
#[derive(Clone, Debug)]
pub(crate) struct Fires {
    pub(crate) net: NetId,
    pub(crate) transition: TransitionId,
    /// Each is the value of some variable of the firing.
    pub(crate) values: Vec<Value>,
}
