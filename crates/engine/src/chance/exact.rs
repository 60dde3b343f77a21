//! Fractions of any size, and equations solved in them.

use dashu::base::BitTest;
use dashu::rational::RBig;
use motet_evidence::{Method, Stop};
use motet_model::Ratio;

use super::block::Block;
use super::components::Components;
use super::eliminate::Number;
use super::matrix::narrow;
use super::policy::optimal;
use super::solve::{Scratch, System};
use super::values::Values;
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;

/// A fraction of the model as one that can be calculated with.
pub(crate) fn rational(ratio: Ratio) -> RBig {
    ratio.fraction()
}

/// The nearest floating-point numbers that enclose a fraction.
pub(crate) fn enclosed(value: &RBig) -> (f64, f64) {
    let nearest = value.to_f64().value();
    if nearest.is_infinite() {
        return (f64::MAX, f64::INFINITY);
    }
    match RBig::try_from(nearest) {
        Ok(back) if back == *value => (nearest, nearest),
        Ok(back) if back > *value => (nearest.next_down(), nearest),
        _ => (nearest, nearest.next_up()),
    }
}

impl Number for RBig {
    const ZERO: Self = RBig::ZERO;

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn add_product(&mut self, one: &Self, other: &Self) {
        if !other.is_zero() {
            *self += one * other;
        }
    }

    fn over(&self, other: &Self) -> Self {
        self / other
    }

    fn is_zero(&self) -> bool {
        Self::is_zero(self)
    }

    fn exceeds(&self, other: &Self) -> bool {
        self > other
    }

    fn lifted(self) -> Self {
        self
    }

    fn bytes(&self) -> u64 {
        64 + self.effort() * 8
    }

    fn effort(&self) -> u64 {
        1 + (self.numerator().bit_len() + self.denominator().bit_len()) as u64 / 64
    }
}

impl System<'_> {
    /// Fills in the open states with fractions. The values of all others are known already, and are whole numbers.
    pub(crate) fn solve_exactly(&self, values: &mut Values, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let components = Components::of(self.matrix, self.open, self.kept);
        let ratios: Vec<RBig> = self.matrix.ratios.iter().map(|&ratio| rational(ratio)).collect();
        if values.exact.is_empty() {
            let whole = |&value: &f64| RBig::try_from(value).unwrap_or(RBig::ZERO);
            values.exact = values.low.iter().map(whole).collect();
        }
        let mut scratch = Scratch { local: vec![NONE; self.matrix.n_states()] };
        let mut held = 0;
        for component in 0..components.len() {
            meter.tick(held)?;
            let states = components.states(component);
            let members = self.unknowns(states, &mut scratch);
            let block = self.exact_block(&members, &values.exact, &ratios, &scratch);
            let better = |one: &RBig, other: &RBig| one > other;
            let mut patience = u64::MAX;
            let found = optimal(&block, 0, self.extremum, better, &mut patience, meter)?;
            let (chosen, solution) =
                found.ok_or_else(|| Stop::Bound("too many improvements of the choices".to_owned()))?;
            held += RBig::bytes_of(&solution);
            for ((group, value), choice) in members.iter().zip(solution).zip(chosen) {
                for &state in group {
                    let state = state as usize;
                    (values.low[state], values.high[state]) = enclosed(&value);
                    values.exact[state] = value.clone();
                    if let (Some(chosen), Some(choice)) = (values.choices.get_mut(state), choice) {
                        *chosen = block.origins[choice];
                    }
                }
            }
            scratch.forget(states);
        }
        values.method = Method::Exact;
        Ok(())
    }

    fn exact_block(
        &self,
        members: &[Vec<u32>],
        known: &[RBig],
        ratios: &[RBig],
        scratch: &Scratch,
    ) -> Block<RBig, 1> {
        let matrix = self.matrix;
        let mut block = Block::new();
        let chance = |branch: usize| &ratios[matrix.exact[branch] as usize];
        for group in members {
            block.begin();
            for choice in group.iter().flat_map(|&state| matrix.choices_of(state)) {
                if !self.keeps(choice) {
                    continue;
                }
                let mut right = self.rewards.map_or(RBig::ZERO, |rewards| rewards.exact(choice));
                let mut exit = RBig::ZERO;
                for branch in matrix.branches_of(choice) {
                    let target = matrix.targets[branch] as usize;
                    if scratch.local[target] == NONE {
                        exit += chance(branch);
                        if known[target] != RBig::ZERO {
                            right += chance(branch) * &known[target];
                        }
                    }
                }
                let inside = matrix.branches_of(choice).filter_map(|branch| {
                    let local = scratch.local[matrix.targets[branch] as usize];
                    (local != NONE).then(|| (local, chance(branch).clone()))
                });
                block.push(narrow(choice), [right], exit, inside);
            }
        }
        block.end();
        block
    }
}
