//! What the bounds of a formula mean on a process.

use motet_evidence::Stop;
use motet_model::TimeUnit;
use motet_property::{Bound, Interval, Unit};

use super::accrual::End;
use super::bounded::Window;
use super::components::EndComponents;
use super::matrix::Matrix;
use super::states::unsupported;
use crate::linear_time::linear::{Counted, counts};
use crate::metric_time::window::{HALVES, grain};
use crate::storage::bits::Bits;

/// When something has to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Ever,
    /// After so many steps.
    Steps(Window),
    /// After so much time, in half units: between 1 and 2, both left out, there is one and a half.
    Time(Window),
}

/// What an interval means on a model whose delays count `unit`. A bound without a unit counts steps. If every step takes
/// the same time, an upper bound on time is one on steps; if each is counted as one, so is every bound.
pub(crate) fn when(interval: &Interval, unit: TimeUnit, matrix: &Matrix) -> Result<When, Stop> {
    let bounds = || interval.low.iter().chain(&interval.high);
    let counted = bounds().map(|bound| counted(bound, unit)).collect::<Result<Vec<_>, _>>()?;
    if counted.is_empty() {
        return Ok(When::Ever);
    }
    if counted.contains(&Counted::Time) && counted.contains(&Counted::Steps) {
        return Err(unsupported("bounds of which one counts steps and the other time"));
    }
    let one_by_one = !unit.is_dense() && uniform(matrix) == Some(1);
    if counted.contains(&Counted::Steps) || one_by_one {
        return Ok(When::Steps(window(interval, 1, 1)?));
    }
    let window = window(interval, HALVES, grain(unit))?;
    match (uniform(matrix), window) {
        (Some(delay), Window { low: 0, high }) => {
            let steps = |high: u64| high / HALVES / u64::from(delay);
            Ok(When::Steps(Window { low: 0, high: high.map(steps) }))
        }
        _ => Ok(When::Time(window)),
    }
}

/// The window of an interval whose bounds count `scale` each, where `grain` is the next larger number.
fn window(interval: &Interval, scale: u64, grain: u64) -> Result<Window, Stop> {
    let strict = |bound: &Bound| if bound.strict { grain } else { 0 };
    let end = |bound: &Bound| bound.amount.checked_mul(scale).ok_or_else(|| unsupported("bounds this large"));
    let low = match &interval.low {
        None => Some(0),
        Some(low) => end(low)?.checked_add(strict(low)),
    };
    let high = match &interval.high {
        None => None,
        Some(high) => Some(end(high)?.checked_sub(strict(high))),
    };
    Ok(match (low, high) {
        (Some(low), None) => Window { low, high: None },
        (Some(low), Some(Some(high))) => Window { low, high: Some(high) },
        // Nothing is later than any number, and nothing is less than 0.
        _ => Window { low: 1, high: Some(0) },
    })
}

/// Up to when rewards count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    Steps(u64),
    Time(End),
}

/// A bound for rewards, in steps where every step takes the same time and the last one ends with the time.
pub(crate) fn until(bound: &Bound, unit: TimeUnit, matrix: &Matrix) -> Result<Until, Stop> {
    if counted(bound, unit)? == Counted::Steps {
        return Ok(Until::Steps(bound.amount.saturating_sub(u64::from(bound.strict))));
    }
    if bound.strict {
        return Ok(Until::Time(End::Before(bound.amount)));
    }
    // A run that has ended stays where it is one unit of time after the other.
    let even = |delay: &u64| *delay == 1 || matrix.resting.first().is_none();
    let delay = uniform(matrix).map(u64::from).filter(even);
    let delay = delay.filter(|delay| bound.amount.is_multiple_of(*delay));
    Ok(delay.map_or(Until::Time(End::At(bound.amount)), |delay| Until::Steps(bound.amount / delay)))
}

/// Whether every step takes the same time, or the long run is over: then its shares are shares of time.
pub(crate) fn is_even(unit: TimeUnit, matrix: &Matrix) -> bool {
    unit != TimeUnit::Milliseconds || uniform(matrix).is_some() || {
        let ends = EndComponents::of(matrix, &Bits::all(matrix.n_states()), None);
        let mut states = ends.states.iter().flatten();
        states.all(|&state| matrix.choices_of(state).all(|choice| matrix.resting.get(choice)))
    }
}

fn counted(bound: &Bound, unit: TimeUnit) -> Result<Counted, Stop> {
    let bound = Bound { unit: bound.unit.or(Some(Unit::Steps)), ..bound.clone() };
    counts(&bound, unit).map_err(Stop::Unsupported)
}

/// The time that every step takes, if it is the same for all and some time passes. The last state of a finite run
/// repeats itself and changes nothing.
fn uniform(matrix: &Matrix) -> Option<u32> {
    let mut delays = matrix.delays.iter().enumerate().filter(|&(choice, _)| !matrix.resting.get(choice));
    let &first = delays.next().map(|(_, delay)| delay).unwrap_or(&1);
    (first > 0 && delays.all(|(_, &delay)| delay == first)).then_some(first)
}
