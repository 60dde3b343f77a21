//! What is known about agents: an agent with the same contents does the same, wherever it is.

use std::hash::BuildHasher;
use std::sync::Arc;

use motet_model::Growing;
use rustc_hash::FxBuildHasher;

use crate::semantics::firing::Firing;
use crate::semantics::instance::{AgentSteps, Offer};
use crate::semantics::memo::{LIMIT_ENTRIES, Memory};
use crate::semantics::scope::Trouble;
use crate::value::Agent;

type Table<V> = Growing<Answer<V>>;

/// What an agent at some depth does.
#[derive(Debug)]
struct Answer<V> {
    agent: Arc<Agent>,
    depth: usize,
    answer: Result<Arc<[V]>, Trouble>,
}

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
    let hash = FxBuildHasher.hash_one((&**agent, depth));
    let same = |known: &Answer<V>| known.depth == depth && known.agent == *agent;
    if let Some(known) = table.find(hash, same) {
        return table.get(known).answer.clone();
    }
    let answer = compute().map(Arc::from);
    if table.len() < LIMIT_ENTRIES {
        let known = Answer { agent: Arc::clone(agent), depth, answer: answer.clone() };
        table.add(hash, known, |known, _| same(known));
    }
    answer
}
