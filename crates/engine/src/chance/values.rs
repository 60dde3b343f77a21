//! Numbers per state, between two bounds.

use dashu::rational::RBig;
use motet_evidence::Method;

use crate::settings::Precision;

/// One number per state of a [`super::matrix::Matrix`].
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// Not less, per state.
    pub(crate) low: Vec<f64>,
    /// Not more, per state.
    pub(crate) high: Vec<f64>,
    /// The fractions, per state, where they were asked for and are finite; empty otherwise.
    pub(crate) exact: Vec<RBig>,
    pub(crate) method: Method,
    /// Per state: the choice to take, by its number in the matrix, so that the values are brought about without memory.
    /// Empty where nobody chooses, or where the choices need a memory.
    pub(crate) choices: Vec<u32>,
}

impl Values {
    /// The same number in all of `n` states, known without calculation.
    pub(crate) fn constant(n: usize, value: f64) -> Self {
        Self {
            low: vec![value; n],
            high: vec![value; n],
            exact: Vec::new(),
            method: Method::Graph,
            choices: Vec::new(),
        }
    }
}

/// How close a number has to be, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aim {
    pub(crate) precision: Precision,
    pub(crate) focus: Focus,
}

/// The states whose values are wanted. All others get bounds, too, but perhaps wide ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    Initial,
    Everywhere,
}
