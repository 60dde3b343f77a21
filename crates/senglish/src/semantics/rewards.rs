//! Rewards (Izzo 2016, section 3.4.1 and figure 4.8).
//!
//! A reward on an action counts in every cycle whose start finds the plan on it, one on a percept in every cycle in which the
//! percept holds. A cycle starts with the plan update that our steps begin with, so what it earns is earned by the step. Counting
//! as in the thesis, the moment after the belief update earns the same once more: that is the state itself.

use motet_model::{ActionId, Ratio, RewardId, State};

use super::plans::{self, Choice};
use crate::program::{BEGUN, Counting, Program, TRUE};

/// The reward that counts cycles.
pub(crate) const CYCLES: RewardId = RewardId(0);

/// What a state earns.
pub(crate) fn of_state(program: &Program, reward: RewardId, state: &State) -> Ratio {
    if reward == CYCLES {
        return Ratio::ONE;
    }
    // The first state is the start of the first cycle itself.
    match program.counting {
        Counting::Cycles if state[BEGUN] == 1 => Ratio::ZERO,
        _ => earned(program, reward, state),
    }
}

/// What a step earns: the amounts at the start of the next cycle.
pub(crate) fn of_action(program: &Program, reward: RewardId, state: &State, action: ActionId) -> Ratio {
    if reward == CYCLES || state[BEGUN] == 0 {
        return Ratio::ZERO;
    }
    let mut next = state.to_vec();
    plans::update(program, state, &Choice::of(program, action), &mut next);
    earned(program, reward, &next)
}

/// The amounts on the actions that plans stand on and on the percepts that hold.
fn earned(program: &Program, reward: RewardId, state: &State) -> Ratio {
    let mut sum = Ratio::ZERO;
    let mut add = |rewards: &[(RewardId, Ratio)]| {
        for (_, amount) in rewards.iter().filter(|(name, _)| *name == reward) {
            // Amounts are checked when the project is read: their sum fits.
            sum = sum.checked_add(*amount).unwrap_or(sum);
        }
    };
    for plan in &program.plans {
        let index = state[plan.slot] as usize;
        if index > 0 {
            add(&plan.actions[index - 1].rewards);
        }
    }
    for percept in &program.percepts {
        if state[program.beliefs[percept.belief].slot] == TRUE {
            add(&percept.rewards);
        }
    }
    sum
}
