//! Chances within a number of steps.

use dashu::rational::RBig;
use motet_evidence::{Method, Stop};
use motet_property::Extremum;

use super::backward::{Backward, Stages};
use super::exact::enclosed;
use super::fair::Fair;
use super::iterate::TINY;
use super::matrix::{Matrix, narrow};
use super::numbers::opposite;
use super::reach;
use super::values::{Aim, Focus, Values, complement};
use crate::checking::settings::Precision;
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;

/// A number of steps: from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) low: u64,
    pub(crate) high: Option<u64>,
}

/// Values, and the choices that bring them about.
#[derive(Clone, Debug)]
pub(crate) struct Staged {
    pub(crate) values: Values,
    /// The choices of the steps that are counted. After them come those of the values.
    pub(crate) stages: Option<Stages>,
}

/// Which of two chances that make 1 together is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// That it comes about.
    Reached,
    /// That it does not.
    Missed,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Reached => Self::Missed,
            Self::Missed => Self::Reached,
        }
    }

    /// The chance where it is certain that it does not come about.
    fn nothing(self) -> f64 {
        if self == Self::Reached { 0.0 } else { 1.0 }
    }
}

/// `left U right` with `right` within the window. Before the window opens `left` has to hold, whatever `right` does.
pub(crate) struct Until<'a> {
    pub(crate) matrix: &'a Matrix,
    pub(crate) left: &'a Bits,
    pub(crate) right: &'a Bits,
    pub(crate) window: Window,
    /// Over the choices, for the chance that it comes about; for the chance that it does not it is the other one.
    pub(crate) extremum: Extremum,
    /// To whom strategies are fair, which counts where the window has no end; `None` where all of them count.
    pub(crate) fair: Option<&'a Fair>,
}

impl Until<'_> {
    /// The chance that it comes about, or that it does not. Each is calculated without subtraction, so that both are
    /// relatively close.
    pub(crate) fn chance(&self, side: Side, aim: Aim, meter: &mut Meter<'_>) -> Result<Staged, Stop> {
        let n = self.matrix.n_states();
        let window = self.window;
        let Some(late) = window.high.map_or(Some(None), |high| high.checked_sub(window.low).map(Some)) else {
            let mut never = indicator(n, &Bits::zeros(n), aim);
            if side == Side::Missed {
                never = complement(never);
            }
            return Ok(Staged { values: never, stages: None });
        };
        let base = match late {
            None => reach::until(self.matrix, self.left, self.right, self.extremum, self.fair, aim, meter)?,
            Some(_) => indicator(n, self.right, aim),
        };
        // In a window that stays open nothing depends on the steps any more.
        let later = base.choices.clone();
        let passing = |before: Before| -> Vec<u32> {
            let (left, right) = (self.left, self.right);
            let open = |state: &usize| left.get(*state) && (before == Before::Window || !right.get(*state));
            (0..n).filter(open).map(narrow).collect()
        };
        let stuck: Vec<usize> = (0..n).filter(|&state| !self.left.get(state)).collect();
        let task = Task {
            matrix: self.matrix,
            extremum: self.extremum,
            late,
            low: window.low,
            passing: &passing,
            stuck: &stuck,
        };
        let mut staged = task.chance(side, base, aim, meter)?;
        staged.values.choices = later;
        Ok(staged)
    }
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
    let mut staged = task.chance(Side::Reached, indicator(n, goal, aim), aim, meter)?;
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

    fn chance(&self, side: Side, base: Values, aim: Aim, meter: &mut Meter<'_>) -> Result<Staged, Stop> {
        let base = if side == Side::Missed { complement(base) } else { base };
        if aim.precision == Precision::Exact {
            return self.exactly(side, base, meter);
        }
        let focus = aim.focus;
        let mut staged = self.rounded(side, base.clone(), focus, meter)?;
        let nearly = |state: usize| staged.values.high[state] == 1.0 && staged.values.low[state] < 1.0;
        let nearly = match focus {
            Focus::Initial => self.matrix.initial.iter().any(|&state| nearly(state as usize)),
            Focus::Everywhere => (0..staged.values.low.len()).any(nearly),
        };
        // That something is certain shows in the other chance being exactly 0.
        if nearly {
            let other = complement(self.rounded(side.other(), complement(base), focus, meter)?.values);
            for (low, other) in staged.values.low.iter_mut().zip(&other.low) {
                *low = low.max(*other);
            }
            for (high, other) in staged.values.high.iter_mut().zip(&other.high) {
                *high = high.min(*other);
            }
        }
        Ok(staged)
    }

    fn rounded(&self, side: Side, base: Values, focus: Focus, meter: &mut Meter<'_>) -> Result<Staged, Stop> {
        let apart = base.low != base.high;
        let fixed: Vec<usize> = match self.low {
            0 => (0..base.low.len()).collect(),
            _ => self.stuck.to_vec(),
        };
        let (low, error, stages) = self.one_side(side, base.low, focus, meter)?;
        let high = if apart { self.one_side(side, base.high, focus, meter)?.0 } else { low.clone() };
        let mut values = Values::constant(0, 0.0);
        values.low = low.iter().map(|low| lowered(*low, error)).collect();
        values.high = high.iter().map(|high| raised(*high, error).min(1.0)).collect();
        // What is not calculated is not rounded.
        let mut calculated = Bits::zeros(low.len());
        let before = if self.low > 0 { Before::Window } else { Before::Goal };
        (self.passing)(before).into_iter().for_each(|state| {
            calculated.insert(state as usize);
        });
        for state in fixed.into_iter().filter(|&state| !calculated.get(state)) {
            (values.low[state], values.high[state]) = (low[state], high[state]);
        }
        if focus == Focus::Initial {
            self.matrix.initial.iter().for_each(|&state| calculated.remove(state as usize));
            calculated.ones().for_each(|state| (values.low[state], values.high[state]) = (0.0, 1.0));
        }
        values.method = Method::Steps(self.total());
        Ok(Staged { values, stages })
    }

    fn one_side(
        &self,
        side: Side,
        mut values: Vec<f64>,
        focus: Focus,
        meter: &mut Meter<'_>,
    ) -> Result<(Vec<f64>, f64, Option<Stages>), Stop> {
        let active = (self.passing)(Before::Goal);
        let extremum = self.extremum_of(side);
        let mut backward = Backward::rounded(self.matrix, extremum, active).remembering(self.total());
        if focus == Focus::Initial {
            backward = backward.for_initial(self.total());
        }
        backward.steps(&mut values, self.late.unwrap_or(0), meter)?;
        if self.low > 0 {
            backward.active = (self.passing)(Before::Window);
            backward.steps(&mut values, 1, meter)?;
            self.stuck.iter().for_each(|&state| values[state] = side.nothing());
            backward.steps(&mut values, self.low - 1, meter)?;
        }
        Ok((values, backward.error(), backward.stages))
    }

    fn extremum_of(&self, side: Side) -> Extremum {
        if side == Side::Reached { self.extremum } else { opposite(self.extremum) }
    }

    fn exactly(&self, side: Side, base: Values, meter: &mut Meter<'_>) -> Result<Staged, Stop> {
        let mut exact = base.exact;
        let active = (self.passing)(Before::Goal);
        let extremum = self.extremum_of(side);
        let mut backward = Backward::exact(self.matrix, extremum, active).remembering(self.total());
        backward.steps(&mut exact, self.late.unwrap_or(0), meter)?;
        if self.low > 0 {
            let nothing = if side == Side::Reached { RBig::ZERO } else { RBig::ONE };
            backward.active = (self.passing)(Before::Window);
            backward.steps(&mut exact, 1, meter)?;
            self.stuck.iter().for_each(|&state| exact[state] = nothing.clone());
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
