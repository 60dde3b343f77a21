//! Strategies: from the answer to a claim to a table, and from a table to a random run that plays it.

use std::collections::HashMap;

use motet_engine::Choose;
use motet_evidence::{Memory, Quantity};
use motet_model::{State, Steps};
use motet_render::{StrategyTable, situation, strategy_csv};

use crate::loading::load::Ready;

/// The strategy behind an answer, as a table; `None` where nothing is chosen.
#[must_use]
pub fn strategy_table(ready: &Ready, quantity: &Quantity) -> Option<String> {
    let (model, words) = (ready.system.model.as_ref(), ready.system.words.as_ref());
    Some(strategy_csv(quantity.strategy.as_ref()?, model, words))
}

/// A strategy that a simulation plays. Where it says nothing, the step is drawn at random.
pub struct Player<'a> {
    ready: &'a Ready,
    memory: Memory,
    start: u64,
    decisions: HashMap<(String, u64), u32>,
    turns: HashMap<(String, u64), u64>,
}

impl<'a> Player<'a> {
    /// Plays this table on this model.
    #[must_use]
    pub fn new(ready: &'a Ready, table: &StrategyTable) -> Self {
        let decisions = table.decisions.iter().map(|(words, memory, then)| ((words.clone(), *memory), *then));
        let turns = table.turns.iter().map(|(words, memory, then)| ((words.clone(), *memory), *then));
        Self {
            ready,
            memory: table.memory,
            start: table.start,
            decisions: decisions.collect(),
            turns: turns.collect(),
        }
    }

    fn situation(&self, state: &State) -> String {
        situation(self.ready.system.words.as_ref(), state)
    }
}

impl Choose for Player<'_> {
    fn start(&self) -> u64 {
        self.start
    }

    fn choose(&self, state: &State, memory: u64, steps: &Steps) -> Option<u32> {
        if steps.len() < 2 {
            return None;
        }
        let ordinal = self.decisions.get(&(self.situation(state), memory)).copied()?;
        ((ordinal as usize) < steps.len()).then_some(ordinal)
    }

    fn remember(&self, state: &State, memory: u64, delay: u32) -> u64 {
        match self.memory {
            Memory::None => memory,
            Memory::StepsLeft => memory.saturating_sub(1),
            Memory::TimeLeft => memory.saturating_sub(u64::from(delay)),
            // Where the table says nothing, the automaton stays where it is.
            Memory::Progress => self.turns.get(&(self.situation(state), memory)).copied().unwrap_or(memory),
        }
    }
}
