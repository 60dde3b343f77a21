//! Who chooses where agents leave a choice open.

use motet_engine::{Random, Seed};
use motet_model::{Alternative, State};
use motet_render::RunValue;

/// The plan-selection function of a running team.
pub trait Select {
    /// Chooses one of two alternatives or more.
    fn select(&mut self, state: &State, alternatives: &[Alternative]) -> Chosen;
}

/// A choice and its reasons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// The place in the list of alternatives.
    pub at: usize,
    /// Why that one, in the user's words.
    pub reason: String,
    /// What is known of each alternative, in the order of the list; empty where nothing is.
    pub values: Vec<Vec<RunValue>>,
}

/// Always the first alternative, in the order of the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Select for First {
    fn select(&mut self, _state: &State, _alternatives: &[Alternative]) -> Chosen {
        Chosen { at: 0, reason: "the first in the text".to_owned(), values: Vec::new() }
    }
}

/// Any alternative, with equal chances.
pub struct Any {
    random: Random,
}

impl Any {
    /// Draws from this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(Seed { series: seed, run: 0 }) }
    }
}

impl Select for Any {
    fn select(&mut self, _state: &State, alternatives: &[Alternative]) -> Chosen {
        let at = self.random.below(alternatives.len());
        Chosen { at, reason: format!("drawn from {}", alternatives.len()), values: Vec::new() }
    }
}
