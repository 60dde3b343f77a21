//! The world as the model says it is (`spec/senglish/live.md`): percepts that come and go, actions that report, with the chances
//! of the model and numbers that are drawn.
//!
//! It knows only what skills know: what was ordered, and which sentences hold. What it may answer is worked out by the rules of
//! the model's own step.

use std::sync::Arc;

use motet_model::{Fault, News, Order, State, World};

use crate::actor::naming;
use crate::program::{BeliefKind, Program, TRUE};
use crate::semantics::{Factor, feedbacks, percepts};
use crate::sentence::fold;

/// A modelled world.
pub(crate) struct Surroundings {
    program: Arc<Program>,
    /// A state of the model in which percepts, counters and running actions are kept; no plan runs here and no note is made.
    state: Vec<u32>,
    /// For each action its last call.
    calls: Vec<Option<u64>>,
}

impl Surroundings {
    /// The world at the start. Initial actions wait for their calls.
    pub(crate) fn new(program: Arc<Program>) -> Self {
        let mut state: Vec<u32> = program.slots.iter().map(|slot| slot.initial).collect();
        for belief in program.beliefs.iter().filter(|belief| belief.kind == BeliefKind::Feedback) {
            state[belief.slot] = 0;
        }
        let calls = vec![None; program.actions.len()];
        Self { program, state, calls }
    }

    /// Actions that are called begin to count, as if a plan stood on them.
    fn call(&mut self, orders: &[Order]) {
        let program = &self.program;
        for order in orders {
            let Order::Call { agent, call, action: name, .. } = order else { continue };
            let key = fold(name);
            for (number, action) in program.actions.iter().enumerate() {
                if program.agents[action.agent].name != *agent || !action.keys.contains(&key) {
                    continue;
                }
                self.calls[number] = Some(*call);
                if let Some((first, _)) = action.feedbacks.first() {
                    let slot = program.beliefs[*first].slot;
                    if self.state[slot] <= TRUE {
                        self.state[slot] = action.mean + action.spread + 1;
                    }
                }
            }
        }
    }

    /// What conditions of percepts are asked about: what the team believes, and the percepts as they are. A sentence is
    /// everybody's unless an agent is named: `scout: Mine found`.
    fn believed(&self, beliefs: &[String]) -> Vec<u32> {
        let program = &*self.program;
        let mut state = self.state.clone();
        for belief in program.beliefs.iter().filter(|belief| belief.kind != BeliefKind::Percept) {
            state[belief.slot] = 0;
        }
        let owned: Vec<String> = beliefs
            .iter()
            .map(|text| naming::owner(program, text))
            .filter(|(agent, _)| agent.is_some())
            .map(|(_, sentence)| fold(sentence))
            .collect();
        for text in beliefs {
            let (agent, sentence) = naming::owner(program, text);
            // Where somebody's belief is told by name, the same sentence without one says nothing of the others.
            if agent.is_none() && owned.contains(&fold(sentence)) {
                continue;
            }
            for belief in naming::beliefs(program, agent, sentence) {
                let belief = &program.beliefs[belief];
                if belief.kind != BeliefKind::Percept {
                    state[belief.slot] = TRUE;
                }
            }
        }
        state
    }

    /// What changed.
    fn news(&self, before: &State) -> Vec<News> {
        let program = &*self.program;
        let mut news = Vec::new();
        for (action, call) in program.actions.iter().zip(&self.calls) {
            for (belief, _) in &action.feedbacks {
                let belief = &program.beliefs[*belief];
                if self.state[belief.slot] == TRUE {
                    news.push(News::Feedback { call: *call, what: belief.text.clone() });
                }
            }
        }
        for percept in &program.percepts {
            let belief = &program.beliefs[percept.belief];
            if self.state[belief.slot] != before[belief.slot] {
                let holds = self.state[belief.slot] == TRUE;
                news.push(News::Percept { agent: None, what: belief.text.clone(), holds });
            }
        }
        news
    }
}

impl World for Surroundings {
    fn tick(
        &mut self,
        beliefs: &[String],
        orders: &[Order],
        draw: &mut dyn FnMut() -> u64,
    ) -> Result<Vec<News>, Fault> {
        let conditions = self.believed(beliefs);
        self.call(orders);
        let before = self.state.clone();
        let mut factors = Vec::new();
        for action in &self.program.actions {
            feedbacks::next(&self.program, action, &before, &mut self.state, &mut factors)?;
        }
        for percept in &self.program.percepts {
            percepts::next(&self.program, percept, &conditions, &mut self.state, &mut factors)?;
        }
        for factor in &factors {
            factor.settle(drawn(factor, draw()), &mut self.state);
        }
        Ok(self.news(&before))
    }
}

/// The outcome that a number between 0 and 2^64 falls to. Every outcome has its share of the numbers, up to one of them.
fn drawn(factor: &Factor, number: u64) -> usize {
    let mut below = 0_u128;
    let outcome = factor.chances.iter().position(|chance| {
        below += chance.of_two_to_64();
        u128::from(number) < below
    });
    outcome.unwrap_or(factor.chances.len() - 1)
}
