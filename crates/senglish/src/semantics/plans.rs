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
    /// For each group a bit for each plan that may be started.
    offers: Vec<u64>,
}

impl Choice {
    /// The first plan of every group that may choose.
    pub(crate) fn first(program: &Program, state: &State) -> Self {
        let offers: Vec<u64> = program.groups.iter().map(|group| offers(program, group, state)).collect();
        let digits = offers.iter().map(|offers| following(*offers, 0)).collect();
        Self { digits, offers }
    }

    /// The choice with this number.
    pub(crate) fn of(program: &Program, action: ActionId) -> Self {
        let digit = |group: &Group| (action.0 / group.radix) % (group.plans.len() as u32 + 1);
        Self { digits: program.groups.iter().map(digit).collect(), offers: vec![0; program.groups.len()] }
    }

    /// Its number.
    pub(crate) fn action(&self, program: &Program) -> ActionId {
        ActionId(self.digits.iter().zip(&program.groups).map(|(digit, group)| digit * group.radix).sum())
    }

    /// The next combination of choices; false after the last.
    pub(crate) fn advance(&mut self) -> bool {
        for (digit, offers) in self.digits.iter_mut().zip(&self.offers).rev() {
            let next = if *digit == 0 { 0 } else { following(*offers, *digit) };
            if next > 0 {
                *digit = next;
                return true;
            }
            *digit = following(*offers, 0);
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

/// The first digit above this one that is on offer; 0 when there is none, or when a single plan leaves nothing to choose.
fn following(offers: u64, digit: u32) -> u32 {
    let rest = offers.checked_shr(digit).unwrap_or(0);
    if offers.count_ones() < 2 || rest == 0 { 0 } else { digit + 1 + rest.trailing_zeros() }
}

/// The plans of a group that may be started: those whose condition holds, while none of the group runs.
fn offers(program: &Program, group: &Group, state: &State) -> u64 {
    let plans = || group.plans.iter().map(|plan| &program.plans[*plan]);
    if state[BEGUN] == 0 || plans().any(|plan| state[plan.slot] > 0) {
        return 0;
    }
    plans()
        .enumerate()
        .filter(|(_, plan)| plan.condition.holds(state))
        .fold(0, |bits, (at, _)| bits | (1 << at))
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
                Some(group) => starts(program, group, choice, state) == Some(number),
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

/// The plan of a group that is started: the chosen one, or the only one there is.
fn starts(program: &Program, group: usize, choice: &Choice, state: &State) -> Option<usize> {
    choice.plan(program, group).or_else(|| {
        let offers = offers(program, &program.groups[group], state);
        (offers.count_ones() == 1).then(|| program.groups[group].plans[offers.trailing_zeros() as usize])
    })
}
