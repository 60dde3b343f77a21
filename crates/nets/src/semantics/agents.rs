//! What is known about agents: an agent with the same contents does the same, wherever it is.

use std::hash::BuildHasher;
use std::sync::Arc;

use motet_model::Growing;
use rustc_hash::FxBuildHasher;

use crate::program::PortId;
use crate::semantics::firing::{Firing, Half};
use crate::semantics::instance::{AgentSteps, Offer, Receptions};
use crate::semantics::memo::{LIMIT_ENTRIES, Memory};
use crate::semantics::scope::Trouble;
use crate::value::{Agent, Value};

type Table<V> = Growing<Answer<V>>;

/// What is sent to an agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Said {
    pub(crate) port: PortId,
    pub(crate) channel: Option<Value>,
    pub(crate) sent: Box<[Value]>,
}

/// What an agent does.
#[derive(Debug)]
struct Answer<V> {
    agent: Arc<Agent>,
    /// It belongs to the question because nets may not nest too deep.
    depth: usize,
    /// What it was to receive.
    said: Option<Said>,
    answer: Result<Arc<[V]>, Trouble>,
}

/// Answers that were given before.
#[derive(Debug)]
pub(crate) struct Known {
    memory: Memory,
    steps: Table<(Firing, Arc<Agent>)>,
    offers: Table<Offer>,
    receptions: Table<(Half, Arc<Agent>)>,
    /// One of each contents.
    agents: Growing<Arc<Agent>>,
}

impl Known {
    pub(crate) fn new(memory: Memory) -> Self {
        Self {
            memory,
            steps: Table::default(),
            offers: Table::default(),
            receptions: Table::default(),
            agents: Growing::default(),
        }
    }

    pub(crate) fn steps(
        &self,
        agent: &Arc<Agent>,
        depth: usize,
        compute: impl FnOnce() -> Result<Vec<(Firing, Arc<Agent>)>, Trouble>,
    ) -> Result<AgentSteps, Trouble> {
        recall(self.memory, &self.steps, (agent, depth, None), compute)
    }

    pub(crate) fn offers(
        &self,
        agent: &Arc<Agent>,
        depth: usize,
        compute: impl FnOnce() -> Result<Vec<Offer>, Trouble>,
    ) -> Result<Arc<[Offer]>, Trouble> {
        recall(self.memory, &self.offers, (agent, depth, None), compute)
    }

    pub(crate) fn receptions(
        &self,
        agent: &Arc<Agent>,
        depth: usize,
        said: &Said,
        compute: impl FnOnce() -> Result<Vec<(Half, Arc<Agent>)>, Trouble>,
    ) -> Result<Receptions, Trouble> {
        recall(self.memory, &self.receptions, (agent, depth, Some(said)), compute)
    }

    /// The agent with these contents that was there first. Markings share their agents, and agents that are shared are
    /// equal at first sight.
    pub(crate) fn shared(&self, agent: Arc<Agent>) -> Arc<Agent> {
        if self.memory == Memory::None || self.agents.len() >= LIMIT_ENTRIES {
            return agent;
        }
        let number = self.agents.add(FxBuildHasher.hash_one(&*agent), agent, PartialEq::eq);
        Arc::clone(self.agents.get(number))
    }
}

fn recall<V>(
    memory: Memory,
    table: &Table<V>,
    question: (&Arc<Agent>, usize, Option<&Said>),
    compute: impl FnOnce() -> Result<Vec<V>, Trouble>,
) -> Result<Arc<[V]>, Trouble> {
    if memory == Memory::None {
        return compute().map(Arc::from);
    }
    let hash = FxBuildHasher.hash_one(question);
    let same = |known: &Answer<V>| (&known.agent, known.depth, known.said.as_ref()) == question;
    if let Some(known) = table.find(hash, same) {
        return table.get(known).answer.clone();
    }
    let answer = compute().map(Arc::from);
    if table.len() < LIMIT_ENTRIES {
        let (agent, depth, said) = (Arc::clone(question.0), question.1, question.2.cloned());
        table.add(hash, Answer { agent, depth, said, answer: answer.clone() }, |known, _| same(known));
    }
    answer
}
