//! The choices that bring values about.

use motet_property::Extremum;

use super::certain::Certain;
use super::components::EndComponents;
use super::matrix::{Matrix, narrow};
use crate::exploration::graph::NONE;
use crate::storage::bits::Bits;

/// Choices where the graph decides everything; the first one elsewhere.
///
/// Where the greatest chance is 1, each choice stays where that is so and may come nearer to the goal. Where the least is
/// 0, each choice stays where that is so.
pub(crate) fn certain(
    matrix: &Matrix,
    left: &Bits,
    right: &Bits,
    certain: &Certain,
    extremum: Extremum,
) -> Vec<u32> {
    let n = matrix.n_states();
    let mut chosen: Vec<u32> = matrix.choices[..n].to_vec();
    match extremum {
        Extremum::Max => {
            let stays = |choice: usize| stays_in(matrix, choice, &certain.one);
            towards(matrix, right, &certain.one, &stays, &mut chosen);
        }
        Extremum::Min => {
            for state in certain.zero.ones().filter(|&state| left.get(state) && !right.get(state)) {
                let mut choices = matrix.choices_of(narrow(state));
                if let Some(choice) = choices.find(|&choice| stays_in(matrix, choice, &certain.zero)) {
                    chosen[state] = narrow(choice);
                }
            }
        }
    }
    chosen
}

/// The states that are met from these if the choices are taken, in the order of distance.
pub(crate) fn met(matrix: &Matrix, from: &[u32], chosen: &[u32]) -> Vec<u32> {
    met_while(matrix, from, chosen, &|_| true)
}

/// The same; what comes after a state where nothing is decided any more does not count, and neither does that state. Neither
/// does one whose choice is [`NONE`]: every fair way to go on is as good there.
pub(crate) fn met_while(
    matrix: &Matrix,
    from: &[u32],
    chosen: &[u32],
    decides: &dyn Fn(u32) -> bool,
) -> Vec<u32> {
    let mut seen = Bits::zeros(matrix.n_states());
    let mut queue: Vec<u32> = Vec::new();
    let mut enter = |state: u32, queue: &mut Vec<u32>| {
        if chosen[state as usize] != NONE && decides(state) && seen.insert(state as usize) {
            queue.push(state);
        }
    };
    from.iter().for_each(|&state| enter(state, &mut queue));
    let mut at = 0;
    while let Some(&state) = queue.get(at) {
        at += 1;
        for branch in matrix.branches_of(chosen[state as usize] as usize) {
            enter(matrix.targets[branch], &mut queue);
        }
    }
    queue
}

/// Whether a choice never leaves these states.
fn stays_in(matrix: &Matrix, choice: usize, states: &Bits) -> bool {
    matrix.branches_of(choice).all(|branch| states.get(matrix.targets[branch] as usize))
}

/// Chooses, in the states of `region` outside `goal`, what may lead one step nearer to it, of the choices that `allowed`
/// admits. Followed for ever it leads there with certainty, as long as the allowed choices stay in the region.
pub(crate) fn towards(
    matrix: &Matrix,
    goal: &Bits,
    region: &Bits,
    allowed: &dyn Fn(usize) -> bool,
    chosen: &mut [u32],
) {
    let inward = matrix.inward();
    let mut placed = goal.clone();
    let mut queue: std::collections::VecDeque<u32> = goal.ones().map(narrow).collect();
    while let Some(state) = queue.pop_front() {
        for &choice in inward.of(state) {
            let owner = inward.owners[choice as usize];
            if region.get(owner as usize) && !placed.get(owner as usize) && allowed(choice as usize) {
                placed.insert(owner as usize);
                chosen[owner as usize] = choice;
                queue.push_back(owner);
            }
        }
    }
}

/// The states of an end component whose way on is the choice of one of them go to that one.
pub(crate) fn through(matrix: &Matrix, ends: &EndComponents, chosen: &mut [u32]) {
    let mut goal = Bits::zeros(matrix.n_states());
    let mut region = Bits::zeros(matrix.n_states());
    for group in &ends.states {
        for &state in group {
            region.insert(state as usize);
            let choice = chosen[state as usize] as usize;
            if matrix.choices_of(state).contains(&choice) && !ends.choices.get(choice) {
                goal.insert(state as usize);
            }
        }
    }
    let inside = |choice: usize| ends.choices.get(choice);
    towards(matrix, &goal, &region, &inside, chosen);
    for state in region.ones() {
        debug_assert!(ends.of[state] != NONE, "only states of end components are in the region");
    }
}
