//! Equations of a process solved component by component, those first that others depend on.

use motet_evidence::{Method, Stop};
use motet_property::Extremum;

use super::block::Block;
use super::components::{Components, EndComponents};
use super::eliminate::{Row, UNIT, eliminate};
use super::iterate::{Iteration, down, relative, up};
use super::matrix::{Matrix, narrow};
use super::policy::{Chosen, improved};
use super::rewards::Rewards;
use super::values::{Focus, Values};
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;

/// Equations `x = best over choices of (reward + sum of chance * x)`. Whatever is done, a run must leave the open states
/// with certainty, or else earn without end where the least is asked for.
pub(crate) struct System<'a> {
    pub(crate) matrix: &'a Matrix,
    /// The states whose values are unknown.
    pub(crate) open: &'a Bits,
    /// The choices that count; all, where it is `None`.
    pub(crate) kept: Option<&'a Bits>,
    /// Each of these is one unknown: in it one may go anywhere, at no cost, and stay for ever at no gain.
    pub(crate) merged: Option<&'a EndComponents>,
    pub(crate) rewards: Option<&'a Rewards>,
    pub(crate) extremum: Extremum,
    /// No value is greater.
    pub(crate) cap: f64,
}

/// Chains this small are solved directly at once.
const SMALL: usize = 400;
/// Sweeps before something else than iteration is tried, on a chain and where somebody chooses: policy iteration solves a
/// chain several times.
const PATIENCE: [u64; 2] = [100, 600];
/// Operations that a direct solution, or policy iteration as a whole, may take: half a second or so where it does not
/// work out.
const WORK: u64 = 50_000_000;
/// The last of several attempts to get close enough.
const ATTEMPTS: u32 = 4;

impl System<'_> {
    /// Fills in the open states. The values of all others are known already.
    pub(crate) fn solve(
        &self,
        values: &mut Values,
        tolerance: f64,
        focus: Focus,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let components = Components::of(self.matrix, self.open, self.kept);
        for state in self.open.ones() {
            (values.low[state], values.high[state]) = (0.0, self.cap);
        }
        let mut scratch = Scratch { local: vec![NONE; self.matrix.n_states()] };
        let mut local = tolerance / 8.0;
        for _ in 0..ATTEMPTS {
            let mut narrow_enough = true;
            for component in 0..components.len() {
                let states = components.states(component);
                if component.is_multiple_of(4096) {
                    meter.tick(0)?;
                }
                if !self.solve_single(states, values) {
                    self.solve_component(states, values, local, &mut scratch, meter)?;
                }
            }
            let wide = |state: usize| relative(values.low[state], values.high[state]) > tolerance;
            narrow_enough &= match focus {
                Focus::Initial => !self.matrix.initial.iter().any(|&state| wide(state as usize)),
                Focus::Everywhere => !self.open.ones().any(wide),
            };
            if narrow_enough {
                break;
            }
            local /= 256.0;
        }
        Ok(())
    }

    pub(crate) fn keeps(&self, choice: usize) -> bool {
        self.kept.is_none_or(|kept| kept.get(choice))
            && self.merged.is_none_or(|merged| !merged.choices.get(choice))
    }

    fn reward(&self, choice: usize) -> f64 {
        self.rewards.map_or(0.0, |rewards| rewards.choices[choice])
    }

    /// Solves a component of one state; `false` if it is more than that.
    fn solve_single(&self, states: &[u32], values: &mut Values) -> bool {
        let &[state] = states else { return false };
        let mut best: Option<(f64, f64, usize)> = None;
        let mut length = 0;
        for choice in self.matrix.choices_of(state).filter(|&choice| self.keeps(choice)) {
            let (mut low, mut high) = (self.reward(choice), self.reward(choice));
            let mut leave = 0.0;
            let branches = self.matrix.branches_of(choice);
            length = length.max(branches.len());
            for branch in branches {
                let (target, chance) = (self.matrix.targets[branch], self.matrix.chances[branch]);
                if target != state {
                    leave += chance;
                    low += chance * values.low[target as usize];
                    high += chance * values.high[target as usize];
                }
            }
            if leave == 0.0 {
                continue;
            }
            (low, high) = (low / leave, high / leave);
            best = Some(match (best, self.extremum) {
                (None, _) => (low, high, choice),
                (Some(best), Extremum::Max) => {
                    (best.0.max(low), best.1.max(high), if low > best.0 { choice } else { best.2 })
                }
                (Some(best), Extremum::Min) => {
                    (best.0.min(low), best.1.min(high), if high < best.1 { choice } else { best.2 })
                }
            });
        }
        let loss = (2.0 * length as f64 + 16.0) * UNIT;
        let (low, high, choice) = best.unwrap_or((0.0, 0.0, usize::MAX));
        let high = up(high, loss).min(self.cap);
        values.low[state as usize] = values.low[state as usize].max(down(low, loss));
        values.high[state as usize] = values.high[state as usize].min(high);
        if let Some(chosen) = values.choices.get_mut(state as usize)
            && choice != usize::MAX
        {
            *chosen = narrow(choice);
        }
        values.method = heavier(&values.method, Method::Elimination);
        true
    }

    fn solve_component(
        &self,
        states: &[u32],
        values: &mut Values,
        tolerance: f64,
        scratch: &mut Scratch,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        // States that were found later come first in a sweep: most steps lead to them, so that sweeps carry values far.
        let mut states = states.to_vec();
        states.sort_unstable();
        let members = self.unknowns(&states, scratch);
        let block = self.block(&members, values, scratch);
        let start = |side: &[f64]| members.iter().map(|group| side[group[0] as usize]).collect::<Vec<_>>();
        let mut iteration =
            Iteration::new(&block, self.extremum, start(&values.low), start(&values.high), self.cap);
        let (method, chosen) = close(&block, &mut iteration, tolerance, self.extremum, meter)?;
        values.method = heavier(&values.method, method);
        let chosen = chosen.unwrap_or_else(|| iteration.choices());
        for ((group, choice), unknown) in members.iter().zip(chosen).zip(0..) {
            let choice = choice.map(|choice| block.origins[choice]);
            for &state in group {
                values.low[state as usize] = iteration.low[unknown];
                values.high[state as usize] = iteration.high[unknown];
                if let (Some(chosen), Some(choice)) = (values.choices.get_mut(state as usize), choice) {
                    // The states of an end component find their way to the one that has the choice; see `strategy`.
                    *chosen = choice;
                }
            }
        }
        scratch.forget(&states);
        Ok(())
    }

    /// The unknowns of a component: single states, or whole end components.
    pub(crate) fn unknowns(&self, states: &[u32], scratch: &mut Scratch) -> Vec<Vec<u32>> {
        let mut members: Vec<Vec<u32>> = Vec::new();
        for &state in states {
            if scratch.local[state as usize] != NONE {
                continue;
            }
            let number = narrow(members.len());
            let group = self.merged.map_or(NONE, |merged| merged.of[state as usize]);
            let group = match self.merged {
                Some(merged) if group != NONE => merged.states[group as usize].clone(),
                _ => vec![state],
            };
            group.iter().for_each(|&member| scratch.local[member as usize] = number);
            members.push(group);
        }
        members
    }

    fn block(&self, members: &[Vec<u32>], values: &Values, scratch: &Scratch) -> Block<f64, 2> {
        let matrix = self.matrix;
        let mut block = Block::new();
        for group in members {
            block.begin();
            for choice in group.iter().flat_map(|&state| matrix.choices_of(state)) {
                if !self.keeps(choice) {
                    continue;
                }
                let mut right = [self.reward(choice); 2];
                let mut exit = 0.0;
                for branch in matrix.branches_of(choice) {
                    let (target, chance) = (matrix.targets[branch] as usize, matrix.chances[branch]);
                    if scratch.local[target] == NONE {
                        exit += chance;
                        right[0] += chance * values.low[target];
                        right[1] += chance * values.high[target];
                    }
                }
                let inside = matrix.branches_of(choice).filter_map(|branch| {
                    let local = scratch.local[matrix.targets[branch] as usize];
                    (local != NONE).then_some((local, matrix.chances[branch]))
                });
                block.push(narrow(choice), right, exit, inside);
            }
        }
        block.end();
        block
    }
}

/// Per state: the number of its unknown in the component at hand.
pub(crate) struct Scratch {
    pub(crate) local: Vec<u32>,
}

impl Scratch {
    pub(crate) fn forget(&mut self, states: &[u32]) {
        states.iter().for_each(|&state| self.local[state as usize] = NONE);
    }
}

/// Brings the bounds of a block together: directly if it is a small chain, by iteration if that is quick, else directly if
/// that is possible, else by iteration for as long as it takes.
fn close(
    block: &Block<f64, 2>,
    iteration: &mut Iteration<'_>,
    tolerance: f64,
    extremum: Extremum,
    meter: &mut Meter<'_>,
) -> Result<(Method, Option<Chosen>), Stop> {
    if block.is_chain() && block.len() <= SMALL && direct(block, iteration, tolerance, meter)? {
        return Ok((Method::Elimination, None));
    }
    let patience = PATIENCE[usize::from(!block.is_chain())];
    if iteration.close(tolerance, patience, meter)? {
        return Ok((Method::Iteration(iteration.sweeps), None));
    }
    if block.is_chain() {
        if direct(block, iteration, tolerance, meter)? {
            return Ok((Method::Elimination, None));
        }
    } else if let Some(chosen) = improved(block, iteration, extremum, WORK, meter)?
        && iteration.is_close(tolerance)
    {
        return Ok((Method::Elimination, Some(chosen)));
    }
    iteration.close(tolerance, u64::MAX, meter)?;
    Ok((Method::Iteration(iteration.sweeps), None))
}

/// Solves a chain by elimination; `false` if that takes too long or is not close enough. Where the bound on the error is
/// too wide, the equations are tilted a little to both sides, and the solutions are put to the test.
fn direct(
    block: &Block<f64, 2>,
    iteration: &mut Iteration<'_>,
    tolerance: f64,
    meter: &mut Meter<'_>,
) -> Result<bool, Stop> {
    let rows = |block: &Block<f64, 2>| -> Vec<Row<f64, 2>> {
        let row =
            |unknown| block.choices_of(unknown).next().map_or_else(Block::rest, |choice| block.row(choice));
        (0..block.len()).map(row).collect()
    };
    let Some(solved) = eliminate(rows(block), WORK, meter)? else { return Ok(false) };
    for (unknown, [low, high]) in solved.values.iter().enumerate() {
        iteration.low[unknown] = iteration.low[unknown].max(down(*low, solved.error));
        iteration.high[unknown] = iteration.high[unknown].min(up(*high, solved.error));
    }
    if iteration.is_close(tolerance) {
        return Ok(true);
    }
    let mut tilted = block.clone();
    for (unknown, value) in solved.values.iter().enumerate() {
        for choice in block.choices_of(unknown) {
            let [low, high] = &mut tilted.rights[choice];
            *low -= 8.0 * iteration.loss * value[0];
            *high += 8.0 * iteration.loss * value[1];
        }
    }
    let Some(solved) = eliminate(rows(&tilted), WORK, meter)? else { return Ok(false) };
    let (low, high): (Vec<f64>, Vec<f64>) =
        solved.values.iter().map(|&[low, high]| (low.max(0.0), high)).unzip();
    iteration.accept_low(&low);
    iteration.accept_high(high);
    Ok(iteration.is_close(tolerance))
}

/// The method that was more work.
fn heavier(one: &Method, other: Method) -> Method {
    let rank = |method: &Method| match method {
        Method::Graph => (0, 0),
        Method::Elimination => (1, 0),
        Method::Steps(steps) => (2, *steps),
        Method::Iteration(sweeps) => (3, *sweeps),
        Method::Exact => (4, 0),
    };
    if rank(&other) > rank(one) { other } else { one.clone() }
}
