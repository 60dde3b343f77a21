//! What is known about agents: an agent with the same contents does the same, wherever it is.

use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::semantics::firing::Firing;
use crate::semantics::instance::{AgentSteps, Offer};
use crate::semantics::memo::{LIMIT_ENTRIES, Memory};
use crate::semantics::scope::Trouble;
use crate::value::Agent;

type Table<V> = RwLock<HashMap<(Arc<Agent>, usize), Result<Arc<[V]>, Trouble>, FxBuildHasher>>;

/// Answers that were given before.
#[derive(Debug)]
pub(crate) struct Known {
    memory: Memory,
    steps: Table<(Firing, Arc<Agent>)>,
    offers: Table<Offer>,
}

impl Known {
    pub(crate) fn new(memory: Memory) -> Self {
        Self { memory, steps: Table::default(), offers: Table::default() }
    }

    pub(crate) fn steps(
        &self,
        agent: &Arc<Agent>,
        depth: usize,
        compute: impl FnOnce() -> Result<Vec<(Firing, Arc<Agent>)>, Trouble>,
    ) -> Result<AgentSteps, Trouble> {
        recall(self.memory, &self.steps, agent, depth, compute)
    }

    pub(crate) fn offers(
        &self,
        agent: &Arc<Agent>,
        depth: usize,
        compute: impl FnOnce() -> Result<Vec<Offer>, Trouble>,
    ) -> Result<Arc<[Offer]>, Trouble> {
        recall(self.memory, &self.offers, agent, depth, compute)
    }
}

/// The depth belongs to the question because nets may not nest too deep.
fn recall<V>(
    memory: Memory,
    table: &Table<V>,
    agent: &Arc<Agent>,
    depth: usize,
    compute: impl FnOnce() -> Result<Vec<V>, Trouble>,
) -> Result<Arc<[V]>, Trouble> {
    if memory == Memory::None {
        return compute().map(Arc::from);
    }
    let key = (Arc::clone(agent), depth);
    if let Some(answer) = table.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return answer.clone();
    }
    let answer = compute().map(Arc::from);
    let mut table = table.write().unwrap_or_else(PoisonError::into_inner);
    if table.len() < LIMIT_ENTRIES {
        table.insert(key, answer.clone());
    }
    answer
}
