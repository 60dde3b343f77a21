//! Chances within a time, where steps take different times.
//!
//! The process is written out with the time that has passed. A state that is entered before the window opens and lasts into
//! it meets it, as everywhere in claims about time.

use motet_evidence::Stop;
use motet_model::Ratio;
use motet_property::Extremum;
use rustc_hash::FxHashMap;

use super::bounded::{Window, indicator};
use super::matrix::{Matrix, narrow};
use super::reach;
use super::values::{Aim, Focus, Values};
use crate::bits::Bits;
use crate::limits::Meter;
use crate::window::HALVES;

/// The states of the process written out that are no state at a time.
const REACHED: u32 = 0;
const MISSED: u32 = 1;
/// States between two looks at the clock.
const TICK: usize = 1 << 12;

/// The chance of `left U right` with `right` within a window of time, in half units.
pub(crate) fn until_within(
    matrix: &Matrix,
    left: &Bits,
    right: &Bits,
    window: Window,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let n = matrix.n_states();
    if window.high.is_some_and(|high| high < window.low) {
        return Ok(indicator(n, &Bits::zeros(n), aim));
    }
    let starts: Vec<u32> = match aim.focus {
        Focus::Initial => matrix.initial.clone(),
        Focus::Everywhere => (0..narrow(n)).collect(),
    };
    let mut unrolling = Unrolling::new(matrix, left, right, window);
    let places: Vec<u32> = starts.iter().map(|&state| unrolling.place(state, 0)).collect();
    unrolling.expand(meter)?;
    unrolling.timed.initial.clone_from(&places);
    let timed = &unrolling.timed;
    let mut goal = Bits::zeros(timed.n_states());
    goal.insert(REACHED as usize);
    let found = reach::until(timed, &Bits::all(timed.n_states()), &goal, extremum, aim, meter)?;
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
    Ok(values)
}

struct Unrolling<'a> {
    matrix: &'a Matrix,
    left: &'a Bits,
    right: &'a Bits,
    window: Window,
    timed: Matrix,
    /// State and time of each state of `timed`, from the third on.
    places: Vec<(u32, u64)>,
    numbers: FxHashMap<(u32, u64), u32>,
    certain: u32,
}

impl<'a> Unrolling<'a> {
    fn new(matrix: &'a Matrix, left: &'a Bits, right: &'a Bits, window: Window) -> Self {
        let mut ratios = matrix.ratios.clone();
        ratios.push(Ratio::ONE);
        let certain = narrow(ratios.len() - 1);
        let timed = Matrix { ratios, ..Matrix::default() };
        let numbers = FxHashMap::default();
        let mut unrolling = Self { matrix, left, right, window, timed, places: Vec::new(), numbers, certain };
        for sink in [REACHED, MISSED] {
            unrolling.begin_state();
            unrolling.push_certain(sink);
        }
        unrolling
    }

    fn begin_state(&mut self) {
        self.timed.choices.push(narrow(self.timed.branches.len()));
    }

    fn begin_choice(&mut self) {
        self.timed.branches.push(narrow(self.timed.targets.len()));
        self.timed.delays.push(1);
    }

    fn push_certain(&mut self, target: u32) {
        self.begin_choice();
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
                let delay = HALVES * u64::from(self.matrix.delays[choice]);
                let later = time.saturating_add(delay);
                // It lasts until the window opens, and so does what has to hold until then.
                let lasts = time < self.window.low && delay > 0 && later >= self.window.low;
                if lasts && self.right.get(state as usize) {
                    self.push_certain(REACHED);
                    continue;
                }
                self.begin_choice();
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
}
