//! The most probable ways to a goal.
//!
//! Ways are built up step by step, the most promising first: what a way promises is its chance so far times the greatest
//! chance of a single way on from where it is, which a search backwards from the goal finds out (as in A*). Ways that come
//! back to a state they have seen are left out, because cutting the loop gives a better one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use motet_evidence::{Run, Stop, Taken};
use motet_model::Steps;

use super::backward::Stages;
use super::bounded::Staged;
use super::matrix::Matrix;
use super::numbers::Goal;
use super::states::Process;
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;
use crate::storage::store::Store;

/// How many ways are told.
const WAYS: usize = 5;
/// Ways that are looked at, complete or not.
const LOOKED_AT: usize = 20_000;
/// Steps of a way that is told.
const LONGEST: u32 = 10_000;

/// A way: branches of the matrix from an initial state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) chance: f64,
    pub(crate) start: u32,
    /// Per step: the choice, and the branch it took.
    pub(crate) steps: Vec<(u32, u32)>,
}

/// A number to be ordered by, greatest first.
#[derive(Clone, Copy, PartialEq)]
struct Promise(f64);

impl Eq for Promise {}

impl PartialOrd for Promise {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Promise {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

struct Partial {
    state: u32,
    /// The way without its last step.
    before: u32,
    step: (u32, u32),
    length: u32,
    chance: f64,
}

/// The best ways, under the choices that bring the values about; fewer if it takes too long to find them.
pub(crate) fn best(
    matrix: &Matrix,
    goal: &Goal,
    staged: &Staged,
    meter: &mut Meter<'_>,
) -> Result<Vec<Found>, Stop> {
    let guide = Guide { matrix, goal, staged };
    let promises = guide.promises(meter)?;
    let mut partial: Vec<Partial> = Vec::new();
    let mut queue: BinaryHeap<(Promise, std::cmp::Reverse<u32>)> = BinaryHeap::new();
    let mut starts = matrix.initial.clone();
    starts.sort_unstable();
    starts.dedup();
    for state in starts {
        queue.push((Promise(promises[state as usize]), std::cmp::Reverse(number(partial.len()))));
        partial.push(Partial { state, before: NONE, step: (0, 0), length: 0, chance: 1.0 });
    }
    let mut found = Vec::new();
    let mut looked_at = 0;
    while let Some((Promise(promise), std::cmp::Reverse(at))) = queue.pop() {
        looked_at += 1;
        if found.len() == WAYS || looked_at > LOOKED_AT || promise == 0.0 {
            break;
        }
        let Partial { state, length, chance, .. } = partial[at as usize];
        if goal.right.get(state as usize) {
            found.push(told(&partial, at));
            continue;
        }
        let Some(choice) = guide.choice(state, u64::from(length)) else { continue };
        for branch in matrix.branches_of(choice as usize) {
            let target = matrix.targets[branch];
            if promises[target as usize] == 0.0 || has_seen(&partial, at, target) {
                continue;
            }
            let chance = chance * matrix.chances[branch];
            queue.push((
                Promise(chance * promises[target as usize]),
                std::cmp::Reverse(number(partial.len())),
            ));
            let step = (choice, number(branch));
            partial.push(Partial { state: target, before: at, step, length: length + 1, chance });
        }
    }
    Ok(found)
}

fn number(number: usize) -> u32 {
    u32::try_from(number).expect("far fewer than 2^32 ways and branches are looked at")
}

fn has_seen(partial: &[Partial], mut at: u32, state: u32) -> bool {
    while at != NONE {
        if partial[at as usize].state == state {
            return true;
        }
        at = partial[at as usize].before;
    }
    false
}

fn told(partial: &[Partial], at: u32) -> Found {
    let mut steps = Vec::new();
    let mut at = at;
    let chance = partial[at as usize].chance;
    while partial[at as usize].before != NONE {
        steps.push(partial[at as usize].step);
        at = partial[at as usize].before;
    }
    steps.reverse();
    Found { chance, start: partial[at as usize].state, steps }
}

struct Guide<'a> {
    matrix: &'a Matrix,
    goal: &'a Goal,
    staged: &'a Staged,
}

impl Guide<'_> {
    /// The choice to take in a state after so many steps; `None` where a way ends.
    fn choice(&self, state: u32, taken: u64) -> Option<u32> {
        let within = self.goal.window.high.is_none_or(|high| taken < high);
        if !within || taken >= u64::from(LONGEST) || !self.goal.left.get(state as usize) {
            return None;
        }
        let first = self.matrix.choices[state as usize];
        if let Some(stages) = &self.staged.stages {
            let left = Stages::steps(stages).saturating_sub(taken);
            return Some(first + stages.ordinal(state, left).unwrap_or(0));
        }
        Some(self.staged.values.choices.get(state as usize).copied().unwrap_or(first))
    }

    /// Per state: the greatest chance of a single way to the goal, or more. Known exactly for all states that have a
    /// better one than the initial states.
    fn promises(&self, meter: &mut Meter<'_>) -> Result<Vec<f64>, Stop> {
        let matrix = self.matrix;
        let inward = matrix.inward();
        let mut promises = vec![0.0_f64; matrix.n_states()];
        let mut queue: BinaryHeap<(Promise, u32)> = BinaryHeap::new();
        // States with the promise that is looked at: most branches are certain, and those need no queue.
        let mut same: Vec<u32> = Vec::new();
        for state in self.goal.right.ones() {
            promises[state] = 1.0;
            same.push(number(state));
        }
        let (mut done, mut promise) = (0_u64, 1.0);
        loop {
            let state = match same.pop() {
                Some(state) => state,
                None => match queue.pop() {
                    Some((Promise(next), state)) if next == promises[state as usize] => {
                        promise = next;
                        state
                    }
                    Some(_) => continue,
                    None => break,
                },
            };
            done += 1;
            if done.is_multiple_of(4096) {
                meter.tick(16 * queue.len() as u64 + 16 * matrix.targets.len() as u64)?;
            }
            for &choice in inward.of(state) {
                let owner = inward.owners[choice as usize];
                let fixed = self.staged.values.choices.get(owner as usize);
                if !self.goal.left.get(owner as usize)
                    || self.goal.right.get(owner as usize)
                    || self.staged.stages.is_none() && fixed.is_some_and(|&fixed| fixed != choice)
                {
                    continue;
                }
                for branch in matrix.branches_of(choice as usize) {
                    let through = promise * matrix.chances[branch];
                    if matrix.targets[branch] == state && through > promises[owner as usize] {
                        promises[owner as usize] = through;
                        if through < promise {
                            queue.push((Promise(through), owner));
                        } else {
                            same.push(owner);
                        }
                    }
                }
            }
        }
        Ok(promises)
    }
}

/// A way as a run of the model.
pub(crate) fn run(process: &Process<'_>, found: &Found) -> Run {
    let (graph, matrix, model) = (process.graph, process.matrix, process.model);
    let initial = graph.initial.iter().position(|&state| state == found.start).unwrap_or(0);
    let mut state = Vec::new();
    graph.store.load(found.start, &mut state);
    let mut run = Run { initial: number(initial), states: vec![state.as_slice().into()], steps: Vec::new() };
    let mut steps = Steps::new(model.signature().slots.len());
    let mut at = found.start;
    for &(choice, branch) in &found.steps {
        if matrix.resting.get(choice as usize) {
            break;
        }
        steps.clear();
        model.steps(&state, &mut steps).expect("edges leave only states whose steps are known");
        let ordinal = choice - matrix.choices[at as usize];
        let step = steps.get(ordinal as usize).expect("the model gives the same steps for the same state");
        let place = branch as usize - matrix.branches_of(choice as usize).start;
        // Branches without a chance are not in the matrix.
        let mut possible = step.branches().enumerate().filter(|(_, branch)| !branch.chance.is_zero());
        let (taken, _) = possible.nth(place).expect("the model gives the same branches");
        run.steps.push(Taken {
            ordinal,
            branch: number(taken),
            process: step.process,
            action: step.action,
            delay: step.delay,
        });
        at = matrix.targets[branch as usize];
        graph.store.load(at, &mut state);
        run.states.push(state.as_slice().into());
    }
    run
}
