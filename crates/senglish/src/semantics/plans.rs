//! Plans advance all at once (Izzo 2016, section 3.3.2, steps 3 to 5; figures 4.3 and 4.4), and plans with the same triggering
//! condition are the only choice there is (theorem 4.2).

use motet_model::{ActionId, ProcessId, State};

use super::EVERYBODY;
use crate::program::{BEGUN, Group, Program};

/// One choice for each group that may choose in a state: its number as a digit of the action's number, 0 where there is
/// nothing to choose.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    digits: Vec<u32>,
}

impl Choice {
    /// The first plan of every group that may choose.
    pub(crate) fn first(program: &Program, state: &State) -> Self {
        let digits = program.groups.iter().map(|group| u32::from(ready(program, group, state))).collect();
        Self { digits }
    }

    /// The choice with this number.
    pub(crate) fn of(program: &Program, action: ActionId) -> Self {
        let digit = |group: &Group| (action.0 / group.radix) % (group.plans.len() as u32 + 1);
        Self { digits: program.groups.iter().map(digit).collect() }
    }

    /// Its number.
    pub(crate) fn action(&self, program: &Program) -> ActionId {
        ActionId(self.digits.iter().zip(&program.groups).map(|(digit, group)| digit * group.radix).sum())
    }

    /// The next combination of choices; false after the last.
    pub(crate) fn advance(&mut self, program: &Program) -> bool {
        for (digit, group) in self.digits.iter_mut().zip(&program.groups).rev() {
            if *digit == 0 {
                continue;
            }
            if (*digit as usize) < group.plans.len() {
                *digit += 1;
                return true;
            }
            *digit = 1;
        }
        false
    }

    /// The plan that a group chooses.
    pub(crate) fn plan(&self, program: &Program, group: usize) -> Option<usize> {
        let digit = self.digits[group] as usize;
        (digit > 0).then(|| program.groups[group].plans[digit - 1])
    }

    /// The plans that are chosen.
    pub(crate) fn plans(&self, program: &Program) -> Vec<usize> {
        (0..self.digits.len()).filter_map(|group| self.plan(program, group)).collect()
    }

    /// Who chooses: the first agent that has a choice.
    pub(crate) fn process(&self, program: &Program) -> ProcessId {
        let chosen = (0..self.digits.len()).find_map(|group| self.plan(program, group));
        chosen.map_or(EVERYBODY, |plan| ProcessId(u32::try_from(program.plans[plan].agent).unwrap_or(0)))
    }
}

/// Whether a group chooses in a state: its condition holds and none of its plans runs.
pub(crate) fn ready(program: &Program, group: &Group, state: &State) -> bool {
    state[BEGUN] == 1
        && group.plans.iter().all(|plan| state[program.plans[*plan].slot] == 0)
        && program.plans[group.plans[0]].condition.holds(state)
}

/// The plan update: `next` is a copy of `state` and gets the new indices. Before the first belief update there is none.
pub(crate) fn update(program: &Program, state: &State, choice: &Choice, next: &mut State) {
    if state[BEGUN] == 0 {
        return;
    }
    for (number, plan) in program.plans.iter().enumerate() {
        let index = state[plan.slot];
        next[plan.slot] = if index == 0 {
            let starts = match plan.group {
                Some(group) => choice.plan(program, group) == Some(number),
                None => plan.condition.holds(state),
            };
            u32::from(starts)
        } else if !plan.actions[index as usize - 1].done.holds(state) {
            index
        } else if index as usize == plan.actions.len() {
            0
        } else {
            index + 1
        };
    }
}
