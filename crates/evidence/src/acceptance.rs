//! Whether an automaton accepts a run: judged on the run itself, apart from any search.

use motet_model::{AtomId, Model};
use motet_property::{Formula, Omega};

use crate::follow::Followed;
use crate::{Evidence, Objection};

/// What is known of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Acceptance {
    Accepted,
    Rejected,
    /// The run ends before that is certain.
    Open,
}

/// Whether the automaton accepts the run, and all its continuations if it is a finite one that could go on.
pub(crate) fn acceptance(
    model: &dyn Model,
    omega: &Omega<AtomId>,
    evidence: &Evidence,
    followed: &Followed,
) -> Result<Acceptance, Objection> {
    let states = &evidence.run.states;
    let last = states.len() - 1;
    let mut letters: Vec<Vec<bool>> = Vec::with_capacity(states.len());
    for (at, state) in states.iter().enumerate() {
        let truth = |formula: &Formula<AtomId>| holds(model, formula, state, followed.deadlocks[at]);
        letters.push(
            omega.propositions.iter().map(truth).collect::<Option<_>>().ok_or_else(|| {
                Objection::Refused("a proposition that is not about single states".to_owned())
            })?,
        );
    }
    let steps = |state: u32, at: usize| {
        let letter = &letters[at];
        let edges = omega.edges[state as usize].iter();
        edges.filter(move |edge| edge.guard.admits(&|number| letter[number as usize]))
    };
    let next = match evidence.loop_start {
        // The last state is the first of the loop again.
        Some(start) => Next { end: last, back: start },
        None if followed.deadlocks[last] == Some(true) => Next { end: last + 1, back: last },
        None => return Ok(prefix(omega, last, &steps)),
    };
    let places = next.end;
    let number = |state: u32, at: usize| state as usize * places + at;
    let mut edges: Vec<Vec<(u32, usize)>> = Vec::with_capacity(omega.edges.len() * places);
    for state in (0..omega.edges.len()).zip(0_u32..).map(|(_, state)| state) {
        for at in 0..places {
            let to = if at + 1 == next.end { next.back } else { at + 1 };
            edges.push(steps(state, at).map(|edge| (edge.sets, number(edge.target, to))).collect());
        }
    }
    let starts: Vec<usize> = omega.starts.iter().map(|&start| number(start, 0)).collect();
    let accepted = cycles(&edges, &starts).any(|sets| sets == omega.all_sets());
    Ok(if accepted { Acceptance::Accepted } else { Acceptance::Rejected })
}

struct Next {
    /// Places of the run are before this one.
    end: usize,
    /// Where the last of them leads.
    back: usize,
}

/// A run that may go on: rejected if no way is left, accepted if a way is left that takes everything.
fn prefix<'o, I: Iterator<Item = &'o motet_property::Edge>>(
    omega: &Omega<AtomId>,
    last: usize,
    steps: &impl Fn(u32, usize) -> I,
) -> Acceptance {
    let mut now = omega.starts.clone();
    for at in 0..=last {
        let mut next: Vec<u32> =
            now.iter().flat_map(|&state| steps(state, at).map(|edge| edge.target)).collect();
        next.sort_unstable();
        next.dedup();
        now = next;
    }
    let takes_all = |state: &u32| {
        omega.edges[*state as usize].iter().any(|edge| {
            edge.target == *state
                && edge.guard == motet_property::Guard::True
                && edge.sets == omega.all_sets()
        })
    };
    match now {
        now if now.is_empty() => Acceptance::Rejected,
        now if now.iter().any(takes_all) => Acceptance::Accepted,
        _ => Acceptance::Open,
    }
}

/// The acceptance sets that each strongly connected part has inside, for parts that are reached and have a cycle (Kosaraju's
/// algorithm: last left first, then backwards).
fn cycles(edges: &[Vec<(u32, usize)>], starts: &[usize]) -> impl Iterator<Item = u32> {
    let order = last_left_first(edges, starts);
    let mut backwards: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    for &place in &order {
        edges[place].iter().for_each(|(_, target)| backwards[*target].push(place));
    }
    let mut part = vec![usize::MAX; edges.len()];
    let mut n_parts = 0;
    for &root in &order {
        let mut waiting = vec![root];
        while let Some(place) = waiting.pop() {
            if part[place] == usize::MAX {
                part[place] = n_parts;
                waiting.extend(&backwards[place]);
            }
        }
        n_parts += 1;
    }
    let mut inside: Vec<Option<u32>> = vec![None; n_parts];
    for &place in &order {
        for (sets, _) in edges[place].iter().filter(|(_, target)| part[*target] == part[place]) {
            let slot = &mut inside[part[place]];
            *slot = Some(slot.unwrap_or(0) | sets);
        }
    }
    inside.into_iter().flatten()
}

/// The places that are reached, those first that a depth-first walk leaves last.
fn last_left_first(edges: &[Vec<(u32, usize)>], starts: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut left = Vec::new();
    for &start in starts {
        let mut way = if seen[start] { Vec::new() } else { vec![(start, 0)] };
        seen[start] = true;
        while let Some((place, cursor)) = way.last_mut() {
            match edges[*place].get(*cursor) {
                Some((_, target)) => {
                    *cursor += 1;
                    if !seen[*target] {
                        seen[*target] = true;
                        way.push((*target, 0));
                    }
                }
                None => {
                    left.push(*place);
                    way.pop();
                }
            }
        }
    }
    left.reverse();
    left
}

fn holds(
    model: &dyn Model,
    formula: &Formula<AtomId>,
    state: &[u32],
    deadlock: Option<bool>,
) -> Option<bool> {
    let inner = |formula: &Formula<AtomId>| holds(model, formula, state, deadlock);
    Some(match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Deadlock => deadlock?,
        Formula::Atom(atom) => model.holds(*atom, state),
        Formula::Not(a) => !inner(a)?,
        Formula::And(a, b) => inner(a)? && inner(b)?,
        Formula::Or(a, b) => inner(a)? || inner(b)?,
        Formula::Implies(a, b) => !inner(a)? || inner(b)?,
        Formula::Iff(a, b) => inner(a)? == inner(b)?,
        _ => return None,
    })
}
