//! The long run: how much of the time something holds, and what is earned per step on average.
//!
//! A run ends up in an end component and stays. In each the best average is the same from everywhere (`gain`); which of them
//! to end up in is a question of reaching, with one more choice per end component: to stay there for ever
//! (Puterman 1994, chapters 8 and 9; Ashok et al. 2017). A fair strategy stays only where it can ([`havens`]). There it reaches the
//! best average of all strategies that stay: it follows the best one for longer and longer, and gives everybody a turn in
//! between, which takes a share of the time that vanishes.

mod gain;
mod policy;

use dashu::rational::RBig;
use motet_evidence::{Method, Stop};
use motet_property::Extremum;

use super::certain::Certain;
use super::components::EndComponents;
use super::exact::enclosed;
use super::fair::{Fair, havens};
use super::matrix::{Matrix, narrow};
use super::rewards::Rewards;
use super::solve::System;
use super::strategy;
use super::values::{Aim, Values};
use crate::checking::settings::Precision;
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;
use gain::{Gain, gain};

/// What choices earn.
trait Earnings {
    /// What a choice earns, rounded.
    fn rounded(&self, choice: usize) -> f64;
    /// What it earns, exactly.
    fn exact(&self, choice: usize) -> RBig;
}

impl Earnings for Rewards {
    fn rounded(&self, choice: usize) -> f64 {
        self.choices[choice]
    }

    fn exact(&self, choice: usize) -> RBig {
        Rewards::exact(self, choice)
    }
}

/// One for every step taken in some states.
struct Presence(Vec<bool>);

impl Earnings for Presence {
    fn rounded(&self, choice: usize) -> f64 {
        f64::from(u8::from(self.0[choice]))
    }

    fn exact(&self, choice: usize) -> RBig {
        RBig::from(u8::from(self.0[choice]))
    }
}

/// The share of steps spent in `goal` in the long run, per state to start from.
pub(crate) fn steady(
    matrix: &Matrix,
    goal: &Bits,
    extremum: Extremum,
    fair: Option<&Fair>,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let mut present = Vec::with_capacity(matrix.n_choices());
    for state in 0..matrix.n_states() {
        present.resize(matrix.choices[state + 1] as usize, goal.get(state));
    }
    long_run(matrix, &Presence(present), extremum, fair, aim, meter)
}

/// What is earned per step in the long run, per state to start from.
pub(crate) fn average(
    matrix: &Matrix,
    rewards: &Rewards,
    extremum: Extremum,
    fair: Option<&Fair>,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    long_run(matrix, rewards, extremum, fair, aim, meter)
}

fn long_run(
    matrix: &Matrix,
    earnings: &dyn Earnings,
    extremum: Extremum,
    fair: Option<&Fair>,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let all = Bits::all(matrix.n_states());
    let ends = EndComponents::of(matrix, &all, None);
    meter.tick(0)?;
    let own = fair.map(|_| havens(matrix, fair, &all, None));
    let own = own.as_ref().unwrap_or(&ends);
    let mut stays: Vec<Option<Stay>> = ends.states.iter().map(|_| None).collect();
    let mut local = vec![NONE; matrix.n_states()];
    for (haven, states) in own.states.iter().enumerate() {
        let (choices, precision) = (&own.choices, aim.precision);
        let gain = gain(matrix, states, choices, earnings, extremum, precision, &mut local, meter)?;
        let stay = &mut stays[ends.of[states[0] as usize] as usize];
        *stay = Some(match stay.take() {
            None => Stay { gain, haven },
            Some(other) => other.or(Stay { gain, haven }, extremum),
        });
    }
    let staying = Staying::new(matrix, &ends, own, &stays);
    let values = staying.solve(extremum, aim, meter)?;
    Ok(staying.restored(values))
}

/// What staying in an end component for ever is worth, and in which haven in it that is had.
struct Stay {
    gain: Gain,
    haven: usize,
}

impl Stay {
    /// The better one of two. What is known of their worth is known of the better one's.
    fn or(self, other: Self, extremum: Extremum) -> Self {
        let better = match (&self.gain.exact, &other.gain.exact, extremum) {
            (Some(one), Some(two), Extremum::Max) => two > one,
            (Some(one), Some(two), Extremum::Min) => two < one,
            (_, _, Extremum::Max) => other.gain.low > self.gain.low,
            (_, _, Extremum::Min) => other.gain.high < self.gain.high,
        };
        let (best, rest) = if better { (other, self) } else { (self, other) };
        let (low, high) = match extremum {
            Extremum::Max => (best.gain.low.max(rest.gain.low), best.gain.high.max(rest.gain.high)),
            Extremum::Min => (best.gain.low.min(rest.gain.low), best.gain.high.min(rest.gain.high)),
        };
        let method = rest.gain.heavier(&best.gain.method);
        Self { gain: Gain { low, high, method, ..best.gain }, haven: best.haven }
    }
}

/// The process with a choice to stay for ever in each end component that one can leave.
struct Staying<'a> {
    process: &'a Matrix,
    ends: &'a EndComponents,
    /// The components in which one can stay for ever. Each lies in one of `ends`.
    havens: &'a EndComponents,
    /// Per end component: what staying there is worth, if one can.
    stays: &'a [Option<Stay>],
    matrix: Matrix,
    /// Per end component: the node that stands for staying in it, or [`NONE`] if one cannot leave it anyway, or cannot stay.
    rests: Vec<u32>,
    /// Per choice: its number in the process; [`NONE`] for staying.
    origins: Vec<u32>,
}

impl<'a> Staying<'a> {
    fn new(
        process: &'a Matrix,
        ends: &'a EndComponents,
        havens: &'a EndComponents,
        stays: &'a [Option<Stay>],
    ) -> Self {
        let n = process.n_states();
        let mut rests = vec![NONE; ends.states.len()];
        let mut fresh = narrow(n);
        for (number, states) in ends.states.iter().enumerate() {
            let leaves = |&state: &u32| process.choices_of(state).any(|choice| !ends.choices.get(choice));
            if stays[number].is_some() && states.iter().any(leaves) {
                rests[number] = fresh;
                fresh += 1;
            }
        }
        let mut ratios = process.ratios.clone();
        ratios.push(motet_model::Ratio::ONE);
        let certain = narrow(ratios.len() - 1);
        let matrix = Matrix { initial: process.initial.clone(), ratios, ..Matrix::default() };
        let mut staying = Self { process, ends, havens, stays, matrix, rests, origins: Vec::new() };
        for state in 0..narrow(n) {
            staying.matrix.choices.push(narrow(staying.origins.len()));
            for choice in process.choices_of(state) {
                staying.begin(narrow(choice));
                for branch in process.branches_of(choice) {
                    staying.branch(process.targets[branch], process.chances[branch], process.exact[branch]);
                }
            }
            // The states of an end component are one unknown, so that it is enough for one of them to have the choice.
            if let Some(rest) = staying.rest_at(state) {
                staying.begin(NONE);
                staying.branch(rest, 1.0, certain);
            }
        }
        for node in narrow(n)..fresh {
            staying.matrix.choices.push(narrow(staying.origins.len()));
            staying.begin(NONE);
            staying.branch(node, 1.0, certain);
        }
        staying.matrix.choices.push(narrow(staying.matrix.branches.len()));
        staying.matrix.branches.push(narrow(staying.matrix.targets.len()));
        staying
    }

    fn begin(&mut self, origin: u32) {
        self.matrix.branches.push(narrow(self.matrix.targets.len()));
        self.matrix.delays.push(1);
        self.origins.push(origin);
    }

    fn branch(&mut self, target: u32, chance: f64, exact: u32) {
        self.matrix.targets.push(target);
        self.matrix.chances.push(chance);
        self.matrix.exact.push(exact);
    }

    /// The node for staying, if this is the state that has the choice.
    fn rest_at(&self, state: u32) -> Option<u32> {
        let end = self.ends.of[state as usize];
        let first = end != NONE && self.ends.states[end as usize][0] == state;
        first.then(|| self.rests[end as usize]).filter(|&rest| rest != NONE)
    }

    /// The nodes whose value is that of an end component.
    fn known(&self) -> impl Iterator<Item = (usize, &Gain)> {
        let own = |(end, &rest): (usize, &u32)| match rest {
            NONE => self.ends.states[end].clone(),
            rest => vec![rest],
        };
        let rests = self.rests.iter().enumerate();
        rests.filter_map(move |(end, rest)| Some((end, rest, self.stays[end].as_ref()?))).flat_map(
            move |(end, rest, stay)| {
                own((end, rest)).into_iter().map(move |node| (node as usize, &stay.gain))
            },
        )
    }

    fn solve(&self, extremum: Extremum, aim: Aim, meter: &mut Meter<'_>) -> Result<Values, Stop> {
        let n = self.matrix.n_states();
        let mut values = Values::constant(n, 0.0);
        let (mut settled, mut marked, mut cap) = (Bits::zeros(n), Bits::zeros(n), 0.0_f64);
        if aim.precision == Precision::Exact {
            values.exact = vec![RBig::ZERO; n];
        }
        for (node, gain) in self.known() {
            settled.insert(node);
            (values.low[node], values.high[node]) = (gain.low, gain.high);
            cap = cap.max(gain.high);
            values.method = gain.heavier(&values.method);
            if let Some(exact) = &gain.exact {
                values.exact[node] = exact.clone();
            }
            // For the greatest value: where something is to be had. For the least: where nothing is.
            if (gain.high > 0.0) == (extremum == Extremum::Max) {
                marked.insert(node);
            }
        }
        let all = Bits::all(n);
        let certain = Certain::of(&self.matrix, &all, &marked, Extremum::Max);
        if !self.process.is_chain() {
            values.choices = strategy::certain(&self.matrix, &all, &marked, &certain, Extremum::Max);
            self.settle(&settled, &certain.one, &mut values.choices);
        }
        let nothing = match extremum {
            Extremum::Max => certain.zero,
            Extremum::Min => certain.one,
        };
        let open = settled.or(&nothing).complement(n);
        let merged = EndComponents::of(&self.matrix, &open, None);
        let system = System {
            matrix: &self.matrix,
            open: &open,
            kept: None,
            merged: Some(&merged),
            rewards: None,
            extremum,
            cap,
        };
        match aim.precision {
            Precision::Certified(tolerance) => system.solve(&mut values, tolerance, aim.focus, meter)?,
            Precision::Exact => {
                system.solve_exactly(&mut values, meter)?;
                (values.low, values.high) = values.exact.iter().map(enclosed).unzip();
            }
        }
        if !values.choices.is_empty() {
            strategy::through(&self.matrix, &merged, &mut values.choices);
        }
        Ok(values)
    }

    /// Where nothing is to be had, some end component may have to be left all the same: chooses what leads to where one stays,
    /// outside of the states that are decided.
    fn settle(&self, settled: &Bits, decided: &Bits, chosen: &mut [u32]) {
        if self.stays.iter().all(Option::is_some) {
            return;
        }
        let all = Bits::all(self.matrix.n_states());
        let certain = Certain::of(&self.matrix, &all, settled, Extremum::Max);
        let ways = strategy::certain(&self.matrix, &all, settled, &certain, Extremum::Max);
        for (state, (chosen, way)) in chosen.iter_mut().zip(ways).enumerate() {
            if !decided.get(state) {
                *chosen = way;
            }
        }
    }

    /// The values of the process.
    fn restored(&self, mut values: Values) -> Values {
        let n = self.process.n_states();
        values.low.truncate(n);
        values.high.truncate(n);
        values.exact.truncate(n);
        if values.choices.is_empty() {
            return values;
        }
        let mut chosen: Vec<u32> =
            values.choices[..n].iter().map(|&choice| self.origins[choice as usize]).collect();
        let (mut goal, mut region) = (Bits::zeros(n), Bits::zeros(n));
        for (end, states) in self.ends.states.iter().enumerate() {
            let Some(Stay { gain, haven }) = &self.stays[end] else { continue };
            if self.rests[end] == NONE || chosen[states[0] as usize] == NONE {
                let own = &self.havens.states[*haven];
                own.iter().zip(&gain.choices).for_each(|(&state, &choice)| {
                    chosen[state as usize] = choice;
                    goal.insert(state as usize);
                });
                states.iter().for_each(|&state| {
                    region.insert(state as usize);
                });
            }
        }
        let inside = |choice: usize| self.ends.choices.get(choice);
        strategy::towards(self.process, &goal, &region, &inside, &mut chosen);
        debug_assert!(!chosen.contains(&NONE), "staying was replaced by choices");
        values.choices = chosen;
        values
    }
}

impl Gain {
    /// The method that was more work.
    fn heavier(&self, other: &Method) -> Method {
        let rank = |method: &Method| match method {
            Method::Graph => (0, 0),
            Method::Elimination => (1, 0),
            Method::Steps(steps) => (2, *steps),
            Method::Iteration(sweeps) => (3, *sweeps),
            Method::Exact => (4, 0),
        };
        if rank(&self.method) > rank(other) { self.method.clone() } else { other.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::written::{chain, process, set};
    use super::super::values::Focus;
    use super::*;
    use crate::exploration::limits::Limits;

    fn ask(matrix: &Matrix, goal: &[u32], extremum: Extremum, precision: Precision) -> Values {
        let (limits, mut watch) = (Limits::default(), |_| {});
        let mut meter = Meter::new(&limits, &mut watch);
        let aim = Aim { precision, focus: Focus::Everywhere };
        steady(matrix, &set(goal), extremum, None, aim, &mut meter).unwrap()
    }

    #[track_caller]
    fn is(matrix: &Matrix, goal: &[u32], extremum: Extremum, text: &str) {
        let exact = ask(matrix, goal, extremum, Precision::Exact);
        assert_eq!(exact.exact[0].to_string(), text);
        let rounded = ask(matrix, goal, extremum, Precision::Certified(1e-6));
        let (low, high) = (rounded.low[0], rounded.high[0]);
        assert!(low <= exact.high[0] && exact.low[0] <= high, "{low} {text} {high}");
        assert!(high - low <= 1e-6 * high, "{low} {high}");
    }

    /// From the balance equations: 1/3 of the first is 1/4 of the second.
    #[test]
    fn two_states_share_the_time_in_inverse_proportion_to_how_soon_they_are_left() {
        let matrix = chain(&[vec![(0, 2, 3), (1, 1, 3)], vec![(0, 1, 4), (1, 3, 4)]]);
        is(&matrix, &[1], Extremum::Max, "4/7");
        is(&matrix, &[0, 1], Extremum::Max, "1");
        is(&matrix, &[], Extremum::Max, "0");
    }

    #[test]
    fn a_period_does_not_matter() {
        let matrix = chain(&[vec![(1, 1, 1)], vec![(2, 1, 1)], vec![(0, 1, 1)]]);
        is(&matrix, &[2], Extremum::Max, "1/3");
    }

    #[test]
    fn what_is_left_behind_does_not_count() {
        // 1/5 to a state of its own, 4/5 to a pair that alternates.
        let matrix = chain(&[vec![(1, 1, 5), (2, 4, 5)], vec![(1, 1, 1)], vec![(3, 1, 1)], vec![(2, 1, 1)]]);
        is(&matrix, &[0, 3], Extremum::Max, "2/5");
    }

    /// A state that is left at once with chance 1/2, or into a loop of three of which one counts.
    #[test]
    fn the_best_end_component_is_gone_to_and_stayed_in() {
        let matrix = process(&[
            vec![vec![(0, 1, 2), (1, 1, 2)], vec![(2, 1, 1)]],
            vec![vec![(0, 1, 1)]],
            vec![vec![(3, 1, 1)], vec![(0, 1, 1)]],
            vec![vec![(4, 1, 1)]],
            vec![vec![(2, 1, 1)]],
        ]);
        // The first two alone: 2/3 of the time in the first.
        is(&matrix, &[0], Extremum::Max, "2/3");
        is(&matrix, &[0], Extremum::Min, "0");
        is(&matrix, &[4], Extremum::Max, "1/3");
        let values = ask(&matrix, &[4], Extremum::Max, Precision::Certified(1e-6));
        assert_eq!((values.choices[0], values.choices[2]), (1, 3));
    }

    /// Long loops in a ring with one way out each: the sweeps are slow and the enclosure has to close all the same.
    #[test]
    fn a_long_ring_is_closed_in_on() {
        let n = 300;
        let states: Vec<_> = (0..n)
            .map(|state| {
                let next = (state + 1) % n;
                vec![vec![(next, 999, 1000), (state, 1, 1000)], vec![(next, 1, 1)]]
            })
            .collect();
        let matrix = process(&states);
        // Every state takes one step, but the one that counts may take 1000/999 on average.
        let values = ask(&matrix, &[7], Extremum::Max, Precision::Certified(1e-6));
        let best = (1000.0 / 999.0) / (299.0 + 1000.0 / 999.0);
        assert!(values.low[0] <= best && best <= values.high[0], "{values:?}");
        assert!(values.high[0] - values.low[0] <= 1e-6 * values.high[0], "{values:?}");
    }
}
