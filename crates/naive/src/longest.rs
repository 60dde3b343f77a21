//! Worst cases of time by trying all ways.

use motet_model::TimeUnit;

use crate::Graph;

/// The longest time from a state where `from` holds until `to` holds, over all runs; `None` if some run never gets there.
/// Without such a state it is 0.
#[must_use]
pub fn longest_wait(graph: &Graph, from: &dyn Fn(usize) -> bool, to: &dyn Fn(usize) -> bool) -> Option<u64> {
    let mut worst = 0;
    for state in (0..graph.states.len()).filter(|&state| from(state)) {
        let mut way = Vec::new();
        worst = worst.max(wait(graph, state, to, &mut way)?);
    }
    Some(worst)
}

fn wait(graph: &Graph, state: usize, to: &dyn Fn(usize) -> bool, way: &mut Vec<usize>) -> Option<u64> {
    if to(state) {
        return Some(0);
    }
    // A way that comes back to itself can go round for ever; one that ends stays there.
    if way.contains(&state) || graph.edges[state].is_empty() {
        return None;
    }
    way.push(state);
    let mut worst = 0;
    for (&(_, target), &delay) in graph.edges[state].iter().zip(&graph.delays[state]) {
        worst = worst.max(u64::from(delay) + wait(graph, target, to, way)?);
    }
    way.pop();
    Some(worst)
}

/// The longest time for which `during` holds without a break; `None` if there is no limit. Of what is counted the number at which
/// it ends is not its own.
#[must_use]
pub fn longest_stay(graph: &Graph, unit: TimeUnit, during: &dyn Fn(usize) -> bool) -> Option<u64> {
    let shorter = u64::from(!unit.is_dense());
    // Longer than any way that visits no state twice: then some round takes time and can be repeated.
    let delays = graph.delays.iter().flatten().map(|&delay| u64::from(delay));
    let limit = delays.max().unwrap_or(0) * graph.states.len() as u64;
    let mut longest = vec![0_u64; graph.states.len()];
    loop {
        let mut changed = false;
        for state in (0..longest.len()).filter(|&state| during(state)) {
            if graph.edges[state].is_empty() {
                return None;
            }
            for (&(_, target), &delay) in graph.edges[state].iter().zip(&graph.delays[state]) {
                let time = match during(target) {
                    true => u64::from(delay) + longest[target],
                    false => u64::from(delay).saturating_sub(shorter),
                };
                if time > longest[state] {
                    longest[state] = time;
                    changed = true;
                }
            }
            if longest[state] > limit {
                return None;
            }
        }
        if !changed {
            return Some(longest.into_iter().max().unwrap_or(0));
        }
    }
}

/// The times from every moment at which `from` begins to hold to the first one at which `to` does, over all ways that visit
/// no state twice after that: the longest, `None` if some run never gets there, and the shortest, `None` if no run does. The
/// start of a run is where `from` begins if it is not given.
#[must_use]
pub fn waits(
    graph: &Graph,
    from: Option<&dyn Fn(usize) -> bool>,
    to: &dyn Fn(usize) -> bool,
) -> (Option<u64>, Option<u64>) {
    let begins = |state: usize| match from {
        None => graph.initial.contains(&state),
        Some(from) => {
            let enters = |before: usize| graph.edges[before].iter().any(|&(_, target)| target == state);
            let fresh = || (0..graph.states.len()).any(|before| !from(before) && enters(before));
            from(state) && (graph.initial.contains(&state) || fresh())
        }
    };
    let starts: Vec<usize> = (0..graph.states.len()).filter(|&state| begins(state)).collect();
    let longest = longest_wait(graph, &begins, to);
    let shortest = starts.iter().filter_map(|&state| shortest(graph, state, to, &mut Vec::new())).min();
    (longest, shortest)
}

fn shortest(graph: &Graph, state: usize, to: &dyn Fn(usize) -> bool, way: &mut Vec<usize>) -> Option<u64> {
    if to(state) {
        return Some(0);
    }
    if way.contains(&state) {
        return None;
    }
    way.push(state);
    let edges = graph.edges[state].iter().zip(&graph.delays[state]);
    let ways =
        edges.filter_map(|(&(_, target), &delay)| Some(u64::from(delay) + shortest(graph, target, to, way)?));
    let least = ways.min();
    way.pop();
    least
}
