//! Chances within a time, where steps take different times.
//!
//! The process is written out with the time that has passed. A state that is entered before the window opens and lasts into
//! it meets it, as everywhere in claims about time: on a clock also one that is left at the instant at which it opens.

use motet_evidence::{Memory, Stop};
use motet_model::{Ratio, TimeUnit};
use rustc_hash::FxHashMap;

use super::bounded::{Until, Window, indicator};
use super::fair::Fair;
use super::matrix::{Matrix, narrow};
use super::plan::{Move, Plan, Tracked};
use super::values::{Aim, Focus, Values};
use super::{reach, strategy};
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;
use crate::metric_time::window::HALVES;
use crate::storage::bits::Bits;

/// The states of the process written out that are no state at a time.
const REACHED: u32 = 0;
const MISSED: u32 = 1;
/// States between two looks at the clock.
const TICK: usize = 1 << 12;

/// The chance of `left U right` with `right` within a window of time, in half units. The choices depend on the time that is
/// left until the window closes or, where it stays open, until it opens.
pub(crate) fn until_within(
    Until { matrix, left, right, window, extremum, fair }: Until<'_>,
    unit: TimeUnit,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Tracked, Stop> {
    let n = matrix.n_states();
    if window.high.is_some_and(|high| high < window.low) {
        return Ok(Tracked { values: indicator(n, &Bits::zeros(n), aim), plan: None });
    }
    let starts: Vec<u32> = match aim.focus {
        Focus::Initial => matrix.initial.clone(),
        Focus::Everywhere => (0..narrow(n)).collect(),
    };
    let mut unrolling = Unrolling::new(matrix, (left, right), (window, unit));
    let places: Vec<u32> = starts.iter().map(|&state| unrolling.place(state, 0)).collect();
    unrolling.expand(meter)?;
    unrolling.timed.initial.clone_from(&places);
    let timed = &unrolling.timed;
    let mut goal = Bits::zeros(timed.n_states());
    goal.insert(REACHED as usize);
    // Where steps take no time a run may stay at an instant for ever, unless that starves somebody.
    let fair = fair.map(|fair| fair.carried(&unrolling.origins));
    let all = Bits::all(timed.n_states());
    let found = reach::until(timed, &all, &goal, extremum, fair.as_ref(), aim, meter)?;
    // Where nobody asked, nothing is known.
    let mut values = Values::constant(n, 0.0);
    values.high = vec![1.0; n];
    values.method = found.method;
    if !found.exact.is_empty() {
        values.exact = vec![Default::default(); n];
    }
    for (&state, &place) in starts.iter().zip(&places) {
        let (state, place) = (state as usize, place as usize);
        (values.low[state], values.high[state]) = (found.low[place], found.high[place]);
        if let Some(exact) = found.exact.get(place) {
            values.exact[state] = exact.clone();
        }
    }
    let asked = aim.focus == Focus::Initial && !found.choices.is_empty();
    let plan = if asked { unrolling.plan(&found.choices, fair.as_ref()) } else { None };
    Ok(Tracked { values, plan })
}

struct Unrolling<'a> {
    matrix: &'a Matrix,
    left: &'a Bits,
    right: &'a Bits,
    window: Window,
    unit: TimeUnit,
    timed: Matrix,
    /// Per choice of `timed`: its number in the process; [`NONE`] for one that is nobody's.
    origins: Vec<u32>,
    /// State and time of each state of `timed`, from the third on.
    places: Vec<(u32, u64)>,
    numbers: FxHashMap<(u32, u64), u32>,
    certain: u32,
}

impl<'a> Unrolling<'a> {
    fn new(
        matrix: &'a Matrix,
        (left, right): (&'a Bits, &'a Bits),
        (window, unit): (Window, TimeUnit),
    ) -> Self {
        let mut ratios = matrix.ratios.clone();
        ratios.push(Ratio::ONE);
        let certain = narrow(ratios.len() - 1);
        let timed = Matrix { ratios, ..Matrix::default() };
        let numbers = FxHashMap::default();
        let (origins, places) = (Vec::new(), Vec::new());
        let mut unrolling =
            Self { matrix, left, right, window, unit, timed, origins, places, numbers, certain };
        for sink in [REACHED, MISSED] {
            unrolling.begin_state();
            unrolling.push_certain(sink);
        }
        unrolling
    }

    fn begin_state(&mut self) {
        self.timed.choices.push(narrow(self.timed.branches.len()));
    }

    fn begin_choice(&mut self, origin: u32) {
        self.origins.push(origin);
        self.timed.branches.push(narrow(self.timed.targets.len()));
        self.timed.delays.push(1);
    }

    fn push_certain(&mut self, target: u32) {
        self.begin_choice(NONE);
        self.timed.targets.push(target);
        self.timed.chances.push(1.0);
        self.timed.exact.push(self.certain);
    }

    /// The state that stands for entering `state` at this time.
    fn place(&mut self, state: u32, time: u64) -> u32 {
        let Window { low, high } = self.window;
        if high.is_some_and(|high| time > high) {
            return MISSED;
        }
        let (is_left, is_right) = (self.left.get(state as usize), self.right.get(state as usize));
        if time >= low && is_right {
            return REACHED;
        }
        if !is_left {
            return MISSED;
        }
        // Without an end, how long the window has been open does not matter.
        let time = if high.is_none() { time.min(low) } else { time };
        let next = narrow(self.places.len() + 2);
        let number = *self.numbers.entry((state, time)).or_insert(next);
        if number == next {
            self.places.push((state, time));
        }
        number
    }

    fn expand(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut done = 0;
        while let Some(&(state, time)) = self.places.get(done) {
            done += 1;
            if done.is_multiple_of(TICK) {
                meter.tick(40 * self.places.len() as u64 + 16 * self.timed.targets.len() as u64)?;
            }
            self.begin_state();
            for choice in self.matrix.choices_of(state) {
                if self.matrix.resting.get(choice) {
                    // A run that has ended stays where it is.
                    let waits = time < self.window.low && self.right.get(state as usize);
                    self.push_certain(if waits { REACHED } else { MISSED });
                    continue;
                }
                let delay = HALVES * u64::from(self.matrix.delays[choice]);
                let later = time.saturating_add(delay);
                // It lasts until the window opens, and so does what has to hold until then.
                let open = later > self.window.low || later == self.window.low && self.unit.is_dense();
                let lasts = time < self.window.low && delay > 0 && open;
                if lasts && self.right.get(state as usize) {
                    self.push_certain(REACHED);
                    continue;
                }
                self.begin_choice(narrow(choice));
                for branch in self.matrix.branches_of(choice) {
                    let target = self.place(self.matrix.targets[branch], later);
                    self.timed.targets.push(target);
                    self.timed.chances.push(self.matrix.chances[branch]);
                    self.timed.exact.push(self.matrix.exact[branch]);
                }
            }
        }
        self.timed.choices.push(narrow(self.timed.branches.len()));
        self.timed.branches.push(narrow(self.timed.targets.len()));
        Ok(())
    }

    /// The time that is left, in units. All times but the end of the window are whole.
    fn left(&self, time: u64) -> u64 {
        match self.window.high {
            Some(high) => high / HALVES - time / HALVES,
            None => self.window.low.div_ceil(HALVES) - time.div_ceil(HALVES),
        }
    }

    /// What to do at the times that are met from the start if these choices are taken.
    fn plan(&self, chosen: &[u32], fair: Option<&Fair>) -> Option<Plan> {
        let mut plan = Plan::new(Memory::TimeLeft, self.left(0));
        let met = strategy::met(&self.timed, &self.timed.initial, chosen);
        if let Some(fair) = fair {
            // Once the time is over nothing is decided any more.
            let during: Vec<u32> = met.iter().copied().filter(|&place| place >= 2).collect();
            plan.passed_over = fair.passed_over(&self.timed, &during, chosen);
        }
        for place in met {
            let Some(&(state, time)) = (place as usize).checked_sub(2).and_then(|at| self.places.get(at))
            else {
                continue;
            };
            if self.matrix.choices_of(state).len() > 1 {
                let ordinal = chosen[place as usize] - self.timed.choices[place as usize];
                let choice = self.matrix.choices[state as usize] + ordinal;
                plan.push(Move { state, memory: self.left(time), choice })?;
            }
        }
        Some(plan)
    }
}

#[cfg(test)]
mod tests {
    use motet_property::Extremum;

    use super::super::matrix::written::{chain, process, set};
    use super::*;
    use crate::checking::settings::Precision;
    use crate::exploration::limits::Limits;

    fn chance(matrix: &Matrix, goal: u32, low: u64, high: Option<u64>) -> String {
        let (limits, mut watch) = (Limits::default(), |_| {});
        let mut meter = Meter::new(&limits, &mut watch);
        let aim = Aim { precision: Precision::Exact, focus: Focus::Initial };
        let (all, goal) = (Bits::all(matrix.n_states()), set(&[goal]));
        let window = Window { low: HALVES * low, high: high.map(|high| HALVES * high) };
        let until = Until { matrix, left: &all, right: &goal, window, extremum: Extremum::Max, fair: None };
        let found = until_within(until, TimeUnit::Milliseconds, aim, &mut meter).unwrap();
        found.values.exact[0].to_string()
    }

    #[test]
    fn delays_add_up_and_a_step_in_no_time_takes_none() {
        // After 3 the coin is thrown, and thrown again in no time until it shows heads or is lost.
        let mut matrix = chain(&[
            vec![(1, 1, 1)],
            vec![(2, 1, 4), (3, 1, 4), (1, 1, 2)],
            vec![(2, 1, 1)],
            vec![(3, 1, 1)],
        ]);
        matrix.delays = vec![3, 0, 1, 1];
        assert_eq!(chance(&matrix, 2, 0, Some(2)), "0");
        assert_eq!(chance(&matrix, 2, 0, Some(3)), "1/2");
        assert_eq!(chance(&matrix, 2, 7, None), "1/2");
    }

    #[test]
    fn a_state_that_lasts_into_the_window_meets_it() {
        let mut matrix = chain(&[vec![(1, 1, 1)], vec![(2, 1, 1)], vec![(2, 1, 1)]]);
        matrix.delays = vec![3, 2, 1];
        assert_eq!(chance(&matrix, 0, 3, Some(9)), "1");
        assert_eq!(chance(&matrix, 0, 4, Some(9)), "0");
        assert_eq!(chance(&matrix, 1, 4, Some(4)), "1");
        assert_eq!(chance(&matrix, 1, 6, None), "0");
    }

    #[test]
    fn the_quicker_choice_is_taken_when_time_is_short() {
        // Slow and sure, or quick with chance 1/3.
        let mut matrix = process(&[
            vec![vec![(1, 1, 1)], vec![(1, 1, 3), (2, 2, 3)]],
            vec![vec![(1, 1, 1)]],
            vec![vec![(2, 1, 1)]],
        ]);
        matrix.delays = vec![5, 2, 1, 1];
        let chances = [1, 2, 4, 5].map(|high| chance(&matrix, 1, 0, Some(high)));
        assert_eq!(chances, ["0", "1/3", "1/3", "1"]);
    }
}
