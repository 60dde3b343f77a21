//! Numbers per state, between two bounds.

use dashu::rational::RBig;
use motet_evidence::Method;

use crate::checking::settings::Precision;
use crate::exploration::graph::NONE;

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
    /// [`NONE`] where strategies are fair and every fair one is as good. Empty where nobody chooses, or where the choices need a
    /// memory.
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

impl Values {
    /// Takes the choices away where all fair strategies are as good: a choice that is taken for ever need not be fair.
    pub(crate) fn leave_open(&mut self, is_moot: impl Fn(f64, f64) -> bool) {
        for (state, choice) in self.choices.iter_mut().enumerate() {
            if is_moot(self.low[state], self.high[state]) {
                *choice = NONE;
            }
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

/// One minus each value.
pub(crate) fn complement(mut values: Values) -> Values {
    // What 0 and 1 leave is known without rounding.
    let down =
        |value: f64| if value == 0.0 || value == 1.0 { 1.0 - value } else { (1.0 - value).next_down() };
    let up = |value: f64| if value == 0.0 || value == 1.0 { 1.0 - value } else { (1.0 - value).next_up() };
    for (low, high) in values.low.iter_mut().zip(&mut values.high) {
        (*low, *high) = (down(*high).max(0.0), up(*low).min(1.0));
    }
    if !values.exact.is_empty() {
        values.exact.iter_mut().for_each(|value| *value = RBig::ONE - &*value);
        (values.low, values.high) = values.exact.iter().map(super::exact::enclosed).unzip();
    }
    values
}
