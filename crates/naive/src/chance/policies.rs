//! Decision processes by trying every memoryless policy: for reachability, for rewards and for averages one of them is
//! best (Puterman 1994).

use dashu::rational::RBig;
use motet_property::Extremum;

use super::Extended;
use super::chain::Chain;
use super::process::Process;

/// More policies than this are not tried.
const POLICIES_MAX: usize = 3000;

/// Calls `visit` with every memoryless policy: per state the number of its choice.
fn for_each_policy(process: &Process, mut visit: impl FnMut(&[usize])) -> Result<(), String> {
    let sizes: Vec<usize> = process.choices.iter().map(Vec::len).collect();
    let product = sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
    if product.is_none_or(|product| product > POLICIES_MAX) {
        return Err("too many policies".to_owned());
    }
    let mut policy = vec![0; sizes.len()];
    loop {
        visit(&policy);
        let Some(at) = (0..sizes.len()).find(|&at| policy[at] + 1 < sizes[at]) else { return Ok(()) };
        policy[at] += 1;
        policy[..at].fill(0);
    }
}

/// The best value per state that `solve` gives for the chain of some policy. `solve` is also told what each state earns.
pub(super) fn best<V: Ord + Clone>(
    process: &Process,
    extremum: Extremum,
    earned: &[Vec<RBig>],
    mut solve: impl FnMut(&Chain, &[RBig]) -> Vec<V>,
) -> Result<Vec<V>, String> {
    let mut found: Option<Vec<V>> = None;
    for_each_policy(process, |policy| {
        let chosen = policy.iter().enumerate();
        let rows = chosen.clone().map(|(state, &choice)| process.choices[state][choice].outcomes.clone());
        let chain = Chain { rows: rows.collect() };
        let earned: Vec<RBig> = chosen.map(|(state, &choice)| earned[state][choice].clone()).collect();
        let values = solve(&chain, &earned);
        match &mut found {
            None => found = Some(values),
            Some(found) => {
                for (old, new) in found.iter_mut().zip(values) {
                    let better = match extremum {
                        Extremum::Min => new < *old,
                        Extremum::Max => new > *old,
                    };
                    if better {
                        *old = new;
                    }
                }
            }
        }
    })?;
    Ok(found.expect("there is a policy"))
}

/// Nothing is earned anywhere.
fn nothing(process: &Process) -> Vec<Vec<RBig>> {
    process.choices.iter().map(|choices| vec![RBig::ZERO; choices.len()]).collect()
}

/// The best chance of `stay U goal`.
pub(super) fn until(
    process: &Process,
    extremum: Extremum,
    stay: &[bool],
    goal: &[bool],
) -> Result<Vec<RBig>, String> {
    best(process, extremum, &nothing(process), |chain, _| chain.until(stay, goal))
}

/// The best value of one step, given what each state is worth afterwards and what each choice earns.
pub(super) fn step(
    process: &Process,
    extremum: Extremum,
    earned: Option<&[Vec<RBig>]>,
    after: &[RBig],
) -> Vec<RBig> {
    let value = |state: usize, number: usize| {
        let start = earned.map_or(RBig::ZERO, |earned| earned[state][number].clone());
        let outcomes = process.choices[state][number].outcomes.iter();
        outcomes.fold(start, |sum, (target, chance)| sum + chance * &after[*target])
    };
    let best = |state: usize| {
        let values = (0..process.choices[state].len()).map(|number| value(state, number));
        match extremum {
            Extremum::Min => values.min(),
            Extremum::Max => values.max(),
        }
    };
    (0..process.states.len()).map(|state| best(state).expect("every state has a choice")).collect()
}

/// The best total before the goal.
pub(super) fn until_goal(
    process: &Process,
    extremum: Extremum,
    earned: &[Vec<RBig>],
    goal: &[bool],
) -> Result<Vec<Extended>, String> {
    best(process, extremum, earned, |chain, earned| chain.until_goal(earned, goal))
}
