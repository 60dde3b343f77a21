//! Chances within a number of steps.

use dashu::rational::RBig;
use motet_evidence::{Method, Stop};
use motet_property::Extremum;

use super::backward::{Backward, Stages};
use super::exact::enclosed;
use super::iterate::TINY;
use super::matrix::{Matrix, narrow};
use super::reach;
use super::values::{Aim, Values};
use crate::bits::Bits;
use crate::limits::Meter;
use crate::settings::Precision;

/// A number of steps: from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) low: u64,
    pub(crate) high: Option<u64>,
}

/// Values, and the choices with a memory that bring them about.
#[derive(Clone, Debug)]
pub(crate) struct Staged {
    pub(crate) values: Values,
    pub(crate) stages: Option<Stages>,
}

/// The chance of `left U right` with `right` within the window. Before the window opens `left` has to hold, whatever
/// `right` does.
pub(crate) fn until_within(
    matrix: &Matrix,
    left: &Bits,
    right: &Bits,
    window: Window,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Staged, Stop> {
    let n = matrix.n_states();
    let Some(late) = window.high.map_or(Some(None), |high| high.checked_sub(window.low).map(Some)) else {
        return Ok(Staged { values: Values::constant(n, 0.0), stages: None });
    };
    let base = match late {
        None => reach::until(matrix, left, right, extremum, aim, meter)?,
        Some(_) => indicator(n, right, aim),
    };
    let passing = |before: Before| -> Vec<u32> {
        let open = |state: &usize| left.get(*state) && (before == Before::Window || !right.get(*state));
        (0..n).filter(open).map(narrow).collect()
    };
    let stuck: Vec<usize> = (0..n).filter(|&state| !left.get(state)).collect();
    let task = Task { matrix, extremum, late, low: window.low, passing: &passing, stuck: &stuck };
    let mut staged = match aim.precision {
        Precision::Exact => task.exactly(base, meter)?,
        Precision::Certified(_) => task.rounded(base, meter)?,
    };
    if window.high.is_none() && window.low > 0 {
        staged.stages = None;
    }
    Ok(staged)
}

/// The chance that the next state is one of these.
pub(crate) fn next(
    matrix: &Matrix,
    goal: &Bits,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let n = matrix.n_states();
    let everywhere = |_: Before| (0..narrow(n)).collect::<Vec<u32>>();
    let task = Task { matrix, extremum, late: None, low: 1, passing: &everywhere, stuck: &[] };
    let base = indicator(n, goal, aim);
    let mut staged = match aim.precision {
        Precision::Exact => task.exactly(base, meter)?,
        Precision::Certified(_) => task.rounded(base, meter)?,
    };
    if let Some(stages) = &staged.stages {
        let first = |state: u32| matrix.choices[state as usize] + stages.ordinal(state, 1).unwrap_or(0);
        staged.values.choices = (0..narrow(n)).map(first).collect();
    }
    Ok(staged.values)
}

/// 1 in these states, 0 elsewhere.
pub(crate) fn indicator(n: usize, states: &Bits, aim: Aim) -> Values {
    let mut values = Values::constant(n, 0.0);
    for state in states.ones() {
        (values.low[state], values.high[state]) = (1.0, 1.0);
    }
    if aim.precision == Precision::Exact {
        let whole = |state| if states.get(state) { RBig::ONE } else { RBig::ZERO };
        values.exact = (0..n).map(whole).collect();
    }
    values
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The window has not opened yet.
    Window,
    Goal,
}

struct Task<'a> {
    matrix: &'a Matrix,
    extremum: Extremum,
    /// Steps within the window.
    late: Option<u64>,
    /// Steps before it.
    low: u64,
    passing: &'a dyn Fn(Before) -> Vec<u32>,
    /// Where nothing can come of it before the window.
    stuck: &'a [usize],
}

impl Task<'_> {
    fn total(&self) -> u64 {
        self.late.unwrap_or(0).saturating_add(self.low)
    }

    fn rounded(&self, base: Values, meter: &mut Meter<'_>) -> Result<Staged, Stop> {
        let apart = base.low != base.high;
        let (low, error, stages) = self.one_side(base.low, meter)?;
        let high = if apart { self.one_side(base.high, meter)?.0 } else { low.clone() };
        let mut values = Values::constant(0, 0.0);
        values.low = low.iter().map(|low| lowered(*low, error)).collect();
        values.high = high.iter().map(|high| raised(*high, error).min(1.0)).collect();
        values.method = Method::Steps(self.total());
        Ok(Staged { values, stages })
    }

    fn one_side(
        &self,
        mut values: Vec<f64>,
        meter: &mut Meter<'_>,
    ) -> Result<(Vec<f64>, f64, Option<Stages>), Stop> {
        let active = (self.passing)(Before::Goal);
        let mut backward = Backward::rounded(self.matrix, self.extremum, active).remembering(self.total());
        backward.steps(&mut values, self.late.unwrap_or(0), meter)?;
        if self.low > 0 {
            backward.active = (self.passing)(Before::Window);
            backward.steps(&mut values, 1, meter)?;
            self.stuck.iter().for_each(|&state| values[state] = 0.0);
            backward.steps(&mut values, self.low - 1, meter)?;
        }
        Ok((values, backward.error(), backward.stages))
    }

    fn exactly(&self, base: Values, meter: &mut Meter<'_>) -> Result<Staged, Stop> {
        let mut exact = base.exact;
        let active = (self.passing)(Before::Goal);
        let mut backward = Backward::exact(self.matrix, self.extremum, active).remembering(self.total());
        backward.steps(&mut exact, self.late.unwrap_or(0), meter)?;
        if self.low > 0 {
            backward.active = (self.passing)(Before::Window);
            backward.steps(&mut exact, 1, meter)?;
            self.stuck.iter().for_each(|&state| exact[state] = RBig::ZERO);
            backward.steps(&mut exact, self.low - 1, meter)?;
        }
        Ok(Staged { values: fractions(exact), stages: backward.stages })
    }
}

/// Values that are known as fractions.
pub(crate) fn fractions(exact: Vec<RBig>) -> Values {
    let mut values = Values::constant(0, 0.0);
    (values.low, values.high) = exact.iter().map(enclosed).unzip();
    values.exact = exact;
    values.method = Method::Exact;
    values
}

/// Less by a relative error, and by what lifting tiny numbers in every step may have added.
pub(crate) fn lowered(value: f64, error: f64) -> f64 {
    (value * (1.0 - error) - 1e20 * TINY).max(0.0)
}

/// More by a relative error; what is 0 is so because nothing leads there.
pub(crate) fn raised(value: f64, error: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value * (1.0 + error) + TINY }
}
