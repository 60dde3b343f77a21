//! Policy iteration for the average of an end component (Howard 1960).
//!
//! What a policy earns between two visits to a state of its recurrent class, divided by how long that takes, is its average
//! there. Neither subtracts anything, so that in floating point both have a small relative error.

use motet_evidence::Stop;
use motet_property::Extremum;

use super::super::components::Components;
use super::super::eliminate::{Number, Row, eliminate};
use super::super::matrix::{Matrix, narrow};
use super::super::strategy;
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;

/// Improvements beyond this many rounds are left to iteration.
const ROUNDS: usize = 200;

/// An end component as a process of its own, with numbers of one kind.
pub(super) struct Part<'a, N> {
    pub(super) matrix: &'a Matrix,
    /// Per branch.
    pub(super) chances: Vec<N>,
    /// Per choice.
    pub(super) earned: Vec<N>,
    /// Operations that solving equations may take.
    pub(super) patience: u64,
}

/// A policy with one recurrent class.
pub(super) struct Evaluated<N> {
    /// Per state.
    pub(super) choices: Vec<u32>,
    pub(super) gain: N,
    /// Per state: what is earned before the state of reference is met, and how long that takes.
    pub(super) before: Vec<[N; 2]>,
    /// How far the gain and what comes before may be off in floating point, relative to themselves.
    pub(super) error: f64,
}

impl<N: Number + From<u8>> Part<'_, N> {
    /// The value of a policy, which is changed outside its best recurrent class so that it leads there. `None` if that
    /// takes too long.
    pub(super) fn evaluate(
        &self,
        mut choices: Vec<u32>,
        extremum: Extremum,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Evaluated<N>>, Stop> {
        let n = self.matrix.n_states();
        let classes = self.classes(&choices);
        let mut best: Option<(usize, N)> = None;
        for (number, class) in classes.iter().enumerate().filter(|_| classes.len() > 1) {
            let Some((gain, ..)) = self.solve(&choices, class, meter)? else { return Ok(None) };
            let better = best.as_ref().is_none_or(|(_, best)| match extremum {
                Extremum::Max => gain.exceeds(best),
                Extremum::Min => best.exceeds(&gain),
            });
            if better {
                best = Some((number, gain));
            }
        }
        if let Some((number, _)) = best {
            let mut goal = Bits::zeros(n);
            classes[number].iter().for_each(|&state| {
                goal.insert(state as usize);
            });
            strategy::towards(self.matrix, &goal, &Bits::all(n), &|_| true, &mut choices);
        }
        let mut order = classes[best.map_or(0, |(number, _)| number)].clone();
        order.truncate(1);
        order.extend((0..narrow(n)).filter(|state| *state != order[0]).collect::<Vec<_>>());
        let Some((gain, solved, error)) = self.solve(&choices, &order, meter)? else { return Ok(None) };
        let mut before = vec![[const { N::ZERO }; 2]; n];
        for (&state, value) in order[1..].iter().zip(solved) {
            before[state as usize] = value;
        }
        Ok(Some(Evaluated { choices, gain, before, error }))
    }

    /// The recurrent classes of a policy.
    fn classes(&self, choices: &[u32]) -> Vec<Vec<u32>> {
        let mut kept = Bits::zeros(self.matrix.n_choices());
        choices.iter().for_each(|&choice| {
            kept.insert(choice as usize);
        });
        let components = Components::of(self.matrix, &Bits::all(choices.len()), Some(&kept));
        let stays = |component: &usize| {
            components.states(*component).iter().all(|&state| {
                let mut branches = self.matrix.branches_of(choices[state as usize] as usize);
                branches
                    .all(|branch| components.of[self.matrix.targets[branch] as usize] == narrow(*component))
            })
        };
        let bottoms = (0..components.len()).filter(stays);
        bottoms.map(|component| components.states(component).to_vec()).collect()
    }

    /// The gain of a class whose first state is the reference, what comes before that for all others, and the error.
    #[expect(clippy::type_complexity, reason = "the parts of one solution, named where they are used")]
    fn solve(
        &self,
        choices: &[u32],
        class: &[u32],
        meter: &mut Meter<'_>,
    ) -> Result<Option<(N, Vec<[N; 2]>, f64)>, Stop> {
        let mut position = vec![u32::MAX; self.matrix.n_states()];
        for (at, &state) in class[1..].iter().enumerate() {
            position[state as usize] = narrow(at);
        }
        let row = |state: u32| {
            let choice = choices[state as usize] as usize;
            let mut row =
                Row { entries: Vec::new(), exit: N::ZERO, right: [self.earned[choice].clone(), N::from(1)] };
            for branch in self.matrix.branches_of(choice) {
                let target = self.matrix.targets[branch];
                match position[target as usize] {
                    u32::MAX => row.exit.add(&self.chances[branch]),
                    _ if target == state => {}
                    at => match row.entries.binary_search_by_key(&at, |entry| entry.0) {
                        Ok(known) => row.entries[known].1.add(&self.chances[branch]),
                        Err(place) => row.entries.insert(place, (at, self.chances[branch].clone())),
                    },
                }
            }
            row
        };
        let rows = class[1..].iter().map(|&state| row(state)).collect();
        let Some(solved) = eliminate(rows, self.patience, meter)? else { return Ok(None) };
        let choice = choices[class[0] as usize] as usize;
        let (mut earned, mut time) = (self.earned[choice].clone(), N::from(1));
        for branch in self.matrix.branches_of(choice) {
            let at = position[self.matrix.targets[branch] as usize];
            if at != u32::MAX {
                let [more, longer] = &solved.values[at as usize];
                earned.add(&self.chances[branch].times(more));
                time.add(&self.chances[branch].times(longer));
            }
        }
        Ok(Some((earned.over(&time), solved.values, solved.error)))
    }

    /// Better and better policies, until no choice is better than the one that is taken. `None` if that takes too long.
    pub(super) fn improve(
        &self,
        choices: Vec<u32>,
        extremum: Extremum,
        exceeds: impl Fn(&N, &N) -> bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Evaluated<N>>, Stop> {
        let mut choices = choices;
        for _ in 0..ROUNDS {
            let Some(policy) = self.evaluate(choices, extremum, meter)? else { return Ok(None) };
            let better = self.better(&policy, extremum, &exceeds);
            if better == policy.choices {
                return Ok(Some(policy));
            }
            choices = better;
            meter.tick(0)?;
        }
        Ok(None)
    }

    /// The choices that are best if afterwards the policy is followed. A choice of the policy stays if none is better.
    fn better(
        &self,
        policy: &Evaluated<N>,
        extremum: Extremum,
        exceeds: &impl Fn(&N, &N) -> bool,
    ) -> Vec<u32> {
        // With the bias h = earned before - gain * time before: earned + P h, sorted so that nothing is subtracted.
        let sides = |choice: usize| {
            let (mut plus, mut minus) = (self.earned[choice].clone(), N::ZERO);
            for branch in self.matrix.branches_of(choice) {
                let [earned, time] = &policy.before[self.matrix.targets[branch] as usize];
                plus.add(&self.chances[branch].times(earned));
                minus.add(&self.chances[branch].times(&time.times(&policy.gain)));
            }
            (plus, minus)
        };
        let mut better = policy.choices.clone();
        for state in 0..narrow(better.len()) {
            let mut best = sides(better[state as usize] as usize);
            for choice in self.matrix.choices_of(state) {
                let tried = sides(choice);
                let (mut left, mut right) = (tried.0.clone(), best.0.clone());
                left.add(&best.1);
                right.add(&tried.1);
                let wins = match extremum {
                    Extremum::Max => exceeds(&left, &right),
                    Extremum::Min => exceeds(&right, &left),
                };
                if wins {
                    better[state as usize] = narrow(choice);
                    best = tried;
                }
            }
        }
        better
    }
}
