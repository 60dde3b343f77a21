//! Expected rewards.

use dashu::rational::RBig;
use motet_model::Ratio;

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
    /// What taking a choice earns, exactly.
    pub(crate) fn exact(&self, choice: usize) -> RBig {
        let (state, step) = self.parts[choice];
        super::exact::rational(self.ratios[state as usize])
            + super::exact::rational(self.ratios[step as usize])
    }
}
