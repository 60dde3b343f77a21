//! The reasoning cycle (Izzo 2016, sections 3.3.2 and 4.3).
//!
//! A cycle is a belief update and then a plan update. A state of the model is the moment between the two: the beliefs are those
//! of this cycle, the plan indices those it began with. There, and only there, the agent chooses (theorem 4.2: the choices of a
//! state), and everything random comes after the choice: one step is the plan update of this cycle and the belief update of the
//! next. The first state is the one before the first belief update; it has no plan update.

pub(crate) mod feedbacks;
mod notes;
pub(crate) mod percepts;
pub(crate) mod plans;
mod rewards;

use std::sync::Arc;

use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, Observation, ObserverId, ProcessId, Ratio, Reward, RewardId,
    Rewards, Signature, State, Steps, TimeUnit,
};

use crate::formula::Formula;
use crate::program::{BEGUN, Program};

pub(crate) use feedbacks::reports;
pub(crate) use percepts::start as start_of_counter;
pub(crate) use plans::Choice;

/// More outcomes than this in one cycle are a fault: the model is too random to be written down.
const MOST_OUTCOMES: usize = 1 << 16;

/// What may happen to one percept or action in a belief update: chances, and the values its slots take.
pub(crate) struct Factor {
    /// Which slots; two percept slots, or the feedbacks of an action.
    slots: Vec<usize>,
    /// How likely each outcome is.
    pub(crate) chances: Vec<Ratio>,
    /// For each chance the values of the slots, one behind the other.
    values: Vec<u32>,
}

impl Factor {
    /// The values of the slots after an outcome.
    pub(crate) fn values(&self, outcome: usize) -> &[u32] {
        let width = self.slots.len();
        &self.values[outcome * width..(outcome + 1) * width]
    }

    /// Gives the slots the values of an outcome.
    pub(crate) fn settle(&self, outcome: usize, next: &mut State) {
        for (slot, value) in self.slots.iter().zip(self.values(outcome)) {
            next[*slot] = *value;
        }
    }
}

/// The part of a belief update that leaves nothing to chance: what was, and the notes, from the values before it.
pub(crate) fn conclude(program: &Program, before: &State, next: &mut State) {
    for watch in &program.watches {
        next[watch.slot] = program.value(watch.belief, before);
    }
    for note in &program.notes {
        next[program.beliefs[note.belief].slot] = notes::next(program, note, before);
    }
    next[BEGUN] = 1;
}

/// A program that runs.
pub(crate) struct Cycle {
    /// What runs.
    pub(crate) program: Arc<Program>,
    /// What claims ask.
    pub(crate) atoms: Vec<Formula>,
    signature: Signature,
}

impl Cycle {
    /// A program with the atoms that claims mention.
    pub(crate) fn new(program: Arc<Program>, atoms: Vec<Formula>, texts: Vec<String>) -> Self {
        let signature = Signature {
            slots: program.slots.iter().map(|slot| slot.name.clone()).collect(),
            processes: program.agents.iter().map(|agent| agent.name.clone()).collect(),
            atoms: texts,
            rewards: program.rewards.iter().map(|name| Reward { name: name.clone() }).collect(),
            observers: program.agents.iter().map(|agent| agent.name.clone()).collect(),
            unit: TimeUnit::Cycles,
        };
        Self { program, atoms, signature }
    }

    /// The belief update (section 4.3): every note, action and percept from the values before it. `next` holds the state with
    /// the new plan indices.
    fn update(&self, next: &mut [u32], factors: &mut Vec<Factor>) -> Result<(), Fault> {
        let program = &*self.program;
        let before: Vec<u32> = next.to_vec();
        conclude(program, &before, next);
        for action in &program.actions {
            feedbacks::next(program, action, &before, next, factors)?;
        }
        for percept in &program.percepts {
            percepts::next(program, percept, &before, next, factors)?;
        }
        Ok(())
    }

    /// All outcomes of a belief update: the product of its factors.
    fn outcomes(base: &[u32], factors: &[Factor]) -> Result<(Vec<Ratio>, Vec<u32>), Fault> {
        let mut chances = vec![Ratio::ONE];
        let mut targets = base.to_vec();
        let width = base.len();
        for factor in factors {
            let (old, n) = (chances.len(), factor.chances.len());
            if old * n > MOST_OUTCOMES {
                let message = format!("bound exceeded: one cycle has more than {MOST_OUTCOMES} outcomes");
                return Err(Fault { message });
            }
            // The first outcome is written in place, the others behind all that is there.
            for outcome in (0..n).rev() {
                for which in 0..old {
                    let chance = chances[which].checked_mul(factor.chances[outcome]).ok_or_else(too_fine)?;
                    let start = if outcome == 0 {
                        chances[which] = chance;
                        which * width
                    } else {
                        chances.push(chance);
                        targets.extend_from_within(which * width..(which + 1) * width);
                        targets.len() - width
                    };
                    factor.settle(outcome, &mut targets[start..start + width]);
                }
            }
        }
        Ok((chances, targets))
    }
}

/// A product of chances that does not fit the numbers we count with.
pub(crate) fn too_fine() -> Fault {
    Fault { message: "bound exceeded: a chance has more than 19 digits; use rounder numbers".to_owned() }
}

impl Model for Cycle {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(self.program.slots.iter().map(|slot| slot.initial).collect());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let program = &*self.program;
        let mut choice = Choice::first(program, state);
        let mut next = state.to_vec();
        let mut factors = Vec::new();
        loop {
            next.copy_from_slice(state);
            plans::update(program, state, &choice, &mut next);
            factors.clear();
            self.update(&mut next, &mut factors)?;
            let (chances, targets) = Self::outcomes(&next, &factors)?;
            let branches = chances.into_iter().zip(targets.chunks(state.len()));
            out.push_random(choice.process(program), choice.action(program), 1, branches);
            if !choice.advance() {
                return Ok(());
            }
        }
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        self.atoms[atom.index()].holds(state)
    }

    fn facets(&self) -> Facets<'_> {
        Facets { observation: Some(self), rewards: Some(self), ..Facets::default() }
    }
}

impl Observation for Cycle {
    /// An agent sees its beliefs, as true, false or unknown, and how far its plans are. How many cycles a percept or an action
    /// has been counting is nothing it senses (`spec/claims/knowledge.md`).
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        let agent = &self.program.agents[observer.index()];
        out.extend(agent.beliefs.iter().map(|belief| self.program.value(*belief, state)));
        out.extend(agent.plans.iter().map(|plan| state[self.program.plans[*plan].slot]));
    }
}

impl Rewards for Cycle {
    fn state_reward(&self, reward: RewardId, state: &State) -> Ratio {
        rewards::of_state(&self.program, reward, state)
    }

    fn action_reward(&self, reward: RewardId, state: &State, action: ActionId) -> Ratio {
        rewards::of_action(&self.program, reward, state, action)
    }
}

/// The process of a cycle in which nobody chooses.
pub(crate) const EVERYBODY: ProcessId = ProcessId(0);
