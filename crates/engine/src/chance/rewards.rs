//! Expected rewards.

use dashu::rational::RBig;
use motet_evidence::{Method, Stop};
use motet_model::Ratio;
use motet_property::Extremum;

use super::backward::Backward;
use super::bounded::{Staged, fractions, lowered, raised};
use super::certain::Certain;
use super::components::EndComponents;
use super::exact::rational;
use super::fair::{Fair, havens, members};
use super::matrix::{Matrix, narrow};
use super::solve::System;
use super::strategy;
use super::values::{Aim, Focus, Values};
use crate::checking::settings::Precision;
use crate::exploration::graph::{Earned, Graph};
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;

/// What a process earns. Everything is earned when a state is left: what the state earns and what the choice earns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rewards {
    /// Per state: what being there earns, each time a step is taken.
    pub(crate) states: Vec<f64>,
    /// Per choice of the matrix: what taking it earns, that of its state included; within two roundings.
    pub(crate) choices: Vec<f64>,
    /// Per choice: the exact parts of that, of the state and of the choice, by their numbers in `ratios`.
    pub(crate) parts: Vec<(u32, u32)>,
    pub(crate) ratios: Vec<Ratio>,
}

impl Rewards {
    /// What an explored graph earns, for the matrix that was made of it.
    pub(crate) fn of(graph: &Graph, earned: &Earned) -> Self {
        let rows = graph.rows.as_ref().expect("chances were kept");
        let mut ratios = earned.ratios.table().to_vec();
        let nothing = narrow(ratios.len());
        ratios.push(Ratio::ZERO);
        let nearest: Vec<f64> = ratios.iter().map(|ratio| ratio.to_f64()).collect();
        let mut rewards = Self { ratios, ..Self::default() };
        for state in 0..graph.n_states() {
            let own = earned.states.get(state);
            rewards.states.push(nearest[own as usize]);
            let mut push = |step: u32| {
                rewards.parts.push((own, step));
                rewards.choices.push(nearest[own as usize] + nearest[step as usize]);
            };
            let steps = rows.steps(narrow(state));
            if steps.is_empty() {
                push(nothing);
            }
            steps.for_each(|step| push(earned.steps.get(step as usize)));
        }
        rewards
    }

    /// What taking a choice earns, exactly.
    pub(crate) fn exact(&self, choice: usize) -> RBig {
        let (state, step) = self.parts[choice];
        rational(self.ratios[state as usize]) + rational(self.ratios[step as usize])
    }

    /// The choices that earn nothing.
    fn free(&self) -> Bits {
        let mut free = Bits::zeros(self.choices.len());
        (0..self.choices.len()).filter(|&choice| !self.earns(choice)).for_each(|choice| {
            free.insert(choice);
        });
        free
    }

    /// The states where something is earned by a choice that stays in their end component.
    fn earning(&self, matrix: &Matrix, ends: &EndComponents) -> Bits {
        let mut earning = Bits::zeros(matrix.n_states());
        for &state in ends.states.iter().flatten() {
            let mut inside = matrix.choices_of(state).filter(|&choice| ends.choices.get(choice));
            if inside.any(|choice| self.earns(choice)) {
                earning.insert(state as usize);
            }
        }
        earning
    }

    /// Whether a choice earns anything, however little.
    fn earns(&self, choice: usize) -> bool {
        let (state, step) = self.parts[choice];
        [state, step].iter().any(|&part| !self.ratios[part as usize].is_zero())
    }
}

/// What is earned before a state of `goal` is reached. Infinite where the goal may be missed: for the greatest reward if
/// some choices miss it with some chance, for the least if all do. A strategy that surely reaches the goal can be followed
/// fairly afterwards, so the least reward is the same over fair strategies.
pub(crate) fn until_goal(
    matrix: &Matrix,
    rewards: &Rewards,
    goal: &Bits,
    extremum: Extremum,
    fair: Option<&Fair>,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let n = matrix.n_states();
    if let (Some(fair), Extremum::Max) = (fair, extremum) {
        return most_until_goal(matrix, rewards, goal, fair, aim, meter);
    }
    let against = match extremum {
        Extremum::Max => Extremum::Min,
        Extremum::Min => Extremum::Max,
    };
    let certain = Certain::of(matrix, &Bits::all(n), goal, against);
    let endless = certain.one.complement(n);
    let open = certain.one.and(&goal.complement(n));
    let mut values = with_endless(n, &endless);
    let (mut kept, mut merged) = (None, None);
    if !matrix.is_chain() {
        values.choices = strategy::certain(matrix, &Bits::all(n), goal, &certain, against);
    }
    if extremum == Extremum::Min && !matrix.is_chain() {
        let mut stays = Bits::zeros(matrix.n_choices());
        for choice in open.ones().flat_map(|state| matrix.choices_of(narrow(state))) {
            if matrix.branches_of(choice).all(|b| !endless.get(matrix.targets[b] as usize)) {
                stays.insert(choice);
            }
        }
        // Going round for nothing must not look like a way to pay nothing.
        merged = Some(EndComponents::of(matrix, &open, Some(&stays.and(&rewards.free()))))
            .filter(|ends| !ends.states.is_empty());
        kept = Some(stays);
    }
    let system = System {
        matrix,
        open: &open,
        kept: kept.as_ref(),
        merged: merged.as_ref(),
        rewards: Some(rewards),
        extremum,
        cap: f64::INFINITY,
    };
    finish(&system, &mut values, aim, meter)?;
    Ok(values)
}

/// The most that fair strategies earn before a state of `goal` is reached. Infinite where one of them misses it with some
/// chance, and where something is earned in an end component before it: no fair strategy may be able to stay there for ever,
/// but each may stay for as long as it likes, and each earns less than another one. Where nothing is earned whoever has to
/// leave in the end goes wherever is best, so that such a component is one unknown.
fn most_until_goal(
    matrix: &Matrix,
    rewards: &Rewards,
    goal: &Bits,
    fair: &Fair,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let n = matrix.n_states();
    let before = goal.complement(n);
    let missed = members(n, &havens(matrix, Some(fair), &before, None));
    let ends = EndComponents::of(matrix, &before, None);
    let endless = missed.or(&rewards.earning(matrix, &ends));
    let open = Certain::of(matrix, &before, &endless, Extremum::Max).zero.and(&before);
    let mut values = with_endless(n, &open.or(goal).complement(n));
    values.choices = matrix.choices[..n].to_vec();
    let merged = EndComponents::of(matrix, &open, None);
    let system = System {
        matrix,
        open: &open,
        kept: None,
        merged: Some(&merged),
        rewards: Some(rewards),
        extremum: Extremum::Max,
        cap: f64::INFINITY,
    };
    finish(&system, &mut values, aim, meter)?;
    Ok(values)
}

/// What is earned in all. Infinite where a run may go on earning for ever with some chance: under some choices for the
/// greatest, under all for the least. Over fair strategies the greatest is the same: whoever cannot earn for ever can only
/// stay for as long as they like, and once nothing more is to be had every way to go on is as good.
pub(crate) fn total(
    matrix: &Matrix,
    rewards: &Rewards,
    extremum: Extremum,
    fair: Option<&Fair>,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let n = matrix.n_states();
    if extremum == Extremum::Min || matrix.is_chain() {
        // Whoever earns a finite amount ends up where it is possible to go on for ever for nothing.
        let ends = havens(matrix, fair, &Bits::all(n), Some(&rewards.free()));
        let resting = members(n, &ends);
        let mut values = until_goal(matrix, rewards, &resting, Extremum::Min, fair, aim, meter)?;
        if !values.choices.is_empty() {
            for state in resting.ones() {
                let inside = matrix.choices_of(narrow(state)).find(|&choice| ends.choices.get(choice));
                values.choices[state] = narrow(inside.expect("an end component has a choice in every state"));
            }
        }
        return Ok(values);
    }
    let ends = EndComponents::of(matrix, &Bits::all(n), None);
    let earning = rewards.earning(matrix, &ends);
    let open = Certain::of(matrix, &Bits::all(n), &earning, Extremum::Max).zero;
    let mut values = with_endless(n, &open.complement(n));
    values.choices = matrix.choices[..n].to_vec();
    let merged = EndComponents::of(matrix, &open, None);
    let system = System {
        matrix,
        open: &open,
        kept: None,
        merged: Some(&merged),
        rewards: Some(rewards),
        extremum,
        cap: f64::INFINITY,
    };
    finish(&system, &mut values, aim, meter)?;
    if fair.is_some() {
        values.leave_open(|_, high| high == 0.0);
    }
    Ok(values)
}

fn with_endless(n: usize, endless: &Bits) -> Values {
    let mut values = Values::constant(n, 0.0);
    for state in endless.ones() {
        (values.low[state], values.high[state]) = (f64::INFINITY, f64::INFINITY);
    }
    values
}

fn finish(system: &System<'_>, values: &mut Values, aim: Aim, meter: &mut Meter<'_>) -> Result<(), Stop> {
    match aim.precision {
        Precision::Certified(tolerance) => system.solve(values, tolerance, aim.focus, meter)?,
        Precision::Exact => system.solve_exactly(values, meter)?,
    }
    if let (Some(ends), false) = (system.merged, values.choices.is_empty()) {
        strategy::through(system.matrix, ends, &mut values.choices);
    }
    Ok(())
}

/// When bounded rewards are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deadline {
    /// Everything that the first steps earn.
    During(u64),
    /// What the state after so many steps earns.
    After(u64),
}

/// What is earned during so many steps, or what the state after them earns.
pub(crate) fn bounded(
    matrix: &Matrix,
    rewards: &Rewards,
    deadline: Deadline,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Staged, Stop> {
    let n = matrix.n_states();
    let all: Vec<u32> = (0..narrow(n)).collect();
    let steps = match deadline {
        Deadline::During(steps) | Deadline::After(steps) => steps,
    };
    if aim.precision == Precision::Exact {
        let mut backward = Backward::exact(matrix, extremum, all).remembering(steps);
        let mut values = vec![RBig::ZERO; n];
        match deadline {
            Deadline::During(_) => {
                backward.earned = (0..matrix.n_choices()).map(|choice| rewards.exact(choice)).collect();
            }
            Deadline::After(_) => {
                let own = |state: usize| rewards.parts[matrix.choices[state] as usize].0;
                values = (0..n).map(|state| rational(rewards.ratios[own(state) as usize])).collect();
            }
        }
        backward.steps(&mut values, steps, meter)?;
        return Ok(Staged { values: fractions(values), stages: backward.stages });
    }
    let mut backward = Backward::rounded(matrix, extremum, all).remembering(steps);
    if aim.focus == Focus::Initial {
        backward = backward.for_initial(steps);
    }
    let mut sums = vec![0.0; n];
    match deadline {
        Deadline::During(_) => backward.earned.clone_from(&rewards.choices),
        Deadline::After(_) => sums.clone_from(&rewards.states),
    }
    backward.steps(&mut sums, steps, meter)?;
    let error = backward.error();
    let mut values = Values::constant(0, 0.0);
    values.low = sums.iter().map(|sum| lowered(*sum, error)).collect();
    values.high = sums.iter().map(|sum| raised(*sum, error)).collect();
    if aim.focus == Focus::Initial {
        let starts: Vec<(usize, f64, f64)> = matrix
            .initial
            .iter()
            .map(|&state| (state as usize, values.low[state as usize], values.high[state as usize]))
            .collect();
        values.low.fill(0.0);
        values.high.fill(f64::INFINITY);
        starts.into_iter().for_each(|(at, low, high)| (values.low[at], values.high[at]) = (low, high));
    }
    values.method = Method::Steps(steps);
    Ok(Staged { values, stages: backward.stages })
}
