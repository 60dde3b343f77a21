//! `ties=random`: chance decides who moves, and how (`spec/agentspeak/chance.md`).
//!
//! A move is then two steps: one draws which of the steps that the team could take comes next, the other takes it. What is
//! drawn stands in a slot of its own in between. Where there is one step only nothing is drawn.

use motet_model::{Fault, Ratio, State, Steps};

use crate::semantics::deed::Deed;
use crate::semantics::team::{Team, fault, process};

impl Team {
    /// Whether a slot says which step was drawn.
    pub(crate) fn is_turn(&self, slot: usize) -> bool {
        self.turn == Some(slot)
    }

    /// The next step of a team whose moves are drawn; `turn` is the slot of what was drawn.
    pub(super) fn drawn_steps(&self, turn: usize, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let mut free = state.to_vec();
        free[turn] = 0;
        let mut all = Steps::new(state.len());
        self.free_steps(&free, &mut all)?;
        let drawn = match state[turn].checked_sub(1) {
            Some(drawn) => Some(drawn as usize),
            None => (all.len() == 1).then_some(0),
        };
        if let Some(step) = drawn.and_then(|drawn| all.get(drawn)) {
            let branches = step.branches().map(|branch| (branch.chance, branch.target));
            out.push_random(step.process, step.action, step.delay, branches);
            return Ok(());
        }
        if all.is_empty() {
            return Ok(());
        }
        let targets: Vec<(Ratio, Vec<u32>)> = (1..)
            .zip(self.weights(&free, &all)?)
            .map(|(number, chance)| {
                let mut target = free.clone();
                target[turn] = number;
                (chance, target)
            })
            .collect();
        let targets = targets.iter().map(|(chance, target)| (*chance, target.as_slice()));
        let scheduler = process(self.signature.processes.len() - 1);
        out.push_random(scheduler, self.action_id(Deed::Draw), 0, targets);
        Ok(())
    }

    /// How likely each step is: all who can move are equally likely to, and so are the options of each of their choices.
    fn weights(&self, state: &State, steps: &Steps) -> Result<Vec<Ratio>, Fault> {
        let mut counts: Vec<(usize, u64)> = Vec::new();
        for step in steps.iter() {
            match counts.last_mut() {
                Some((process, count)) if *process == step.process.index() => *count += 1,
                _ => counts.push((step.process.index(), 1)),
            }
        }
        let unwieldy = || {
            fault(
                "bound exceeded: the chances of who moves and how are too fine to be kept exactly".to_owned(),
            )
        };
        let mover = Ratio::new(1, counts.len() as u64).ok_or_else(unwieldy)?;
        let mut weights = Vec::with_capacity(steps.len());
        for (process, count) in counts {
            let own: Vec<Option<Ratio>> = if process < self.program.agents.len() {
                self.with_thought(process, state, |thought| {
                    let outcomes = thought.as_ref().map(|outcomes| &outcomes[..]).unwrap_or_default();
                    outcomes.iter().map(|outcome| outcome.chance).collect()
                })?
            } else {
                (0..count).map(|_| Ratio::new(1, count)).collect()
            };
            for chance in own {
                let chance = chance.and_then(|chance| chance.checked_mul(mover));
                weights.push(chance.ok_or_else(unwieldy)?);
            }
        }
        Ok(weights)
    }
}
