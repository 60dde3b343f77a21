//! Strategies that are fair to everybody.
//!
//! A strategy that starves somebody for ever can keep a team from getting anywhere, so that every least chance would be 0.
//! Where claims about runs speak of fair runs only, least chances do too (Baier and Kwiatkowska 1998): a run misses its goal
//! if it leaves the way to it, or if it stays for ever in an end component without it in which nobody is starved. The
//! greatest chance of getting to such a place is the greatest chance to miss the goal.

use motet_evidence::Fairness;
use rustc_hash::FxHashSet;

use super::components::EndComponents;
use super::matrix::Matrix;
use crate::bits::Bits;
use crate::graph::Graph;

/// Who may take a choice, by the number of the choice; nobody takes one that stands for having none.
pub(crate) struct Takers(Vec<Option<u32>>);

impl Takers {
    /// Those of the matrix that was made of a graph.
    pub(crate) fn of(graph: &Graph, matrix: &Matrix) -> Self {
        let rows = graph.rows.as_ref().expect("chances were kept");
        let mut takers = Vec::with_capacity(matrix.n_choices());
        for state in 0..u32::try_from(matrix.n_states()).expect("states are numbered with 32 bits") {
            let steps = rows.steps(state);
            if steps.is_empty() {
                takers.push(None);
            }
            takers.extend(steps.map(|step| Some(rows.subject(rows.edges(step).start).0)));
        }
        Self(takers)
    }
}

/// The states among `open` of end components in which a fair run can stay for ever.
pub(crate) fn havens(matrix: &Matrix, takers: &Takers, open: &Bits, fairness: Fairness) -> Bits {
    let n = matrix.n_states();
    let mut found = Bits::zeros(n);
    let mut left = vec![open.clone()];
    while let Some(among) = left.pop() {
        let ends = EndComponents::of(matrix, &among, None);
        for states in &ends.states {
            let starved = starved(matrix, takers, &ends, states, fairness);
            if starved.is_empty() {
                states.iter().for_each(|&state| {
                    found.insert(state as usize);
                });
            } else if fairness == Fairness::Strong {
                // Nobody is starved where those who would be cannot move at all.
                let mut rest = Bits::zeros(n);
                for &state in states {
                    let waits = |choice: usize| takers.0[choice].is_some_and(|who| starved.contains(&who));
                    if !matrix.choices_of(state).any(waits) {
                        rest.insert(state as usize);
                    }
                }
                left.push(rest);
            }
        }
    }
    found
}

/// Who is starved by a run that stays in an end component and takes all of its choices again and again.
fn starved(
    matrix: &Matrix,
    takers: &Takers,
    ends: &EndComponents,
    states: &[u32],
    fairness: Fairness,
) -> FxHashSet<u32> {
    let able = |state: u32| -> FxHashSet<u32> {
        matrix.choices_of(state).filter_map(|choice| takers.0[choice]).collect()
    };
    let mut starved = FxHashSet::default();
    match fairness {
        Fairness::None => return starved,
        // Only who can always move is owed a move.
        Fairness::Weak => {
            let mut states = states.iter();
            if let Some(&first) = states.next() {
                starved = able(first);
            }
            for &state in states {
                let able = able(state);
                starved.retain(|who| able.contains(who));
            }
        }
        Fairness::Strong => states.iter().for_each(|&state| starved.extend(able(state))),
    }
    for &state in states {
        for choice in matrix.choices_of(state).filter(|&choice| ends.choices.get(choice)) {
            if let Some(who) = takers.0[choice] {
                starved.remove(&who);
            }
        }
    }
    starved
}
