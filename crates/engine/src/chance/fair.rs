//! Strategies that are fair to everybody.
//!
//! A strategy that starves somebody for ever can keep a team from getting anywhere, so that every least chance would be 0.
//! Where claims about runs speak of fair runs only, numbers are over the strategies almost all of whose runs are fair (Baier
//! and Kwiatkowska 1998). What a run takes again and again is, with certainty, an end component (de Alfaro 1997), and whether
//! the run is fair is seen from that component alone. So everything rests on the end components in which a fair strategy can
//! stay for ever. What comes before does not matter: wherever a run has got to, it can go on fairly, by letting those go first
//! who have waited longest. So numbers about the first steps of a run are the same as over all strategies.

use motet_evidence::Fairness;
use rustc_hash::FxHashSet;

use super::components::EndComponents;
use super::matrix::{Matrix, narrow};
use crate::checking::settings::Strategies;
use crate::exploration::graph::{Graph, NONE};
use crate::storage::bits::Bits;

/// To whom strategies are fair, and how.
#[derive(Clone, Debug)]
pub(crate) struct Fair {
    /// Per choice: whose it is; [`NONE`] for one that stands for having none.
    takers: Vec<u32>,
    owed: Owed,
}

/// Who is owed a move in an end component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owed {
    /// Who can move in all of its states.
    Always,
    /// Who can move in some of its states.
    Sometimes,
}

impl Fair {
    /// Those of the matrix that was made of a graph; `None` where all strategies count.
    pub(crate) fn of(
        graph: &Graph,
        matrix: &Matrix,
        fairness: Fairness,
        strategies: Strategies,
    ) -> Option<Self> {
        if matrix.is_chain() {
            return None;
        }
        let mut takers = Vec::with_capacity(matrix.n_choices());
        let owed = match (strategies, fairness) {
            // Each choice waits for itself.
            (Strategies::FairToChoices, _) => {
                takers.extend((0..matrix.n_choices()).map(narrow));
                return Some(Self { takers, owed: Owed::Sometimes });
            }
            (Strategies::AsRuns, Fairness::None) => return None,
            (Strategies::AsRuns, Fairness::Weak) => Owed::Always,
            (Strategies::AsRuns, Fairness::Strong) => Owed::Sometimes,
        };
        let rows = graph.rows.as_ref().expect("chances were kept");
        for state in 0..narrow(matrix.n_states()) {
            let steps = rows.steps(state);
            if steps.is_empty() {
                takers.push(NONE);
            }
            takers.extend(steps.map(|step| rows.subject(rows.edges(step).start).0));
        }
        Some(Self { takers, owed })
    }

    /// The same for a process each choice of which stands for one of this; [`NONE`] for one that is nobody's.
    pub(crate) fn carried(&self, origins: &[u32]) -> Self {
        let taker = |&origin: &u32| if origin == NONE { NONE } else { self.takers[origin as usize] };
        Self { takers: origins.iter().map(taker).collect(), owed: self.owed }
    }

    /// Who is owed a move and gets none if these choices are taken for ever in these states, which are all that a run meets
    /// as long as anything is decided. What a run does where nothing is decided may be fair.
    pub(crate) fn passed_over(&self, matrix: &Matrix, met: &[u32], chosen: &[u32]) -> Vec<u32> {
        let (mut states, mut taken) = (Bits::zeros(matrix.n_states()), Bits::zeros(matrix.n_choices()));
        for &state in met {
            states.insert(state as usize);
            taken.insert(chosen[state as usize] as usize);
        }
        let ends = EndComponents::of(matrix, &states, Some(&taken));
        let starved = ends.states.iter().flat_map(|states| self.starved(matrix, &ends, states));
        let mut starved: Vec<u32> = starved.collect();
        starved.sort_unstable();
        starved.dedup();
        starved
    }

    /// Who can move in a state.
    fn able(&self, matrix: &Matrix, state: u32) -> FxHashSet<u32> {
        matrix.choices_of(state).map(|choice| self.takers[choice]).filter(|&who| who != NONE).collect()
    }

    /// Who is starved by a run that stays in an end component and takes all of its choices again and again.
    fn starved(&self, matrix: &Matrix, ends: &EndComponents, states: &[u32]) -> FxHashSet<u32> {
        let mut starved = FxHashSet::default();
        match self.owed {
            Owed::Always => {
                let mut states = states.iter();
                if let Some(&first) = states.next() {
                    starved = self.able(matrix, first);
                }
                for &state in states {
                    let able = self.able(matrix, state);
                    starved.retain(|who| able.contains(who));
                }
            }
            Owed::Sometimes => states.iter().for_each(|&state| starved.extend(self.able(matrix, state))),
        }
        for &state in states {
            for choice in matrix.choices_of(state).filter(|&choice| ends.choices.get(choice)) {
                starved.remove(&self.takers[choice]);
            }
        }
        starved
    }
}

/// The largest end components in which a strategy can stay for ever, of the part with these states and these choices (all,
/// where it is `None`). Where all strategies count, these are the maximal end components.
///
/// Whoever is starved by all choices of a component is starved by fewer of them, too. So a weakly fair strategy cannot stay in
/// any part of it, and a strongly fair one only where those who would be starved cannot move at all.
pub(crate) fn havens(
    matrix: &Matrix,
    fair: Option<&Fair>,
    open: &Bits,
    kept: Option<&Bits>,
) -> EndComponents {
    let Some(fair) = fair else { return EndComponents::of(matrix, open, kept) };
    let n = matrix.n_states();
    let mut found =
        EndComponents { of: vec![NONE; n], states: Vec::new(), choices: Bits::zeros(matrix.n_choices()) };
    let mut left = vec![open.clone()];
    while let Some(among) = left.pop() {
        let mut ends = EndComponents::of(matrix, &among, kept);
        let mut rest = Bits::zeros(n);
        for states in std::mem::take(&mut ends.states) {
            let starved = fair.starved(matrix, &ends, &states);
            if !starved.is_empty() {
                let waits = |choice: usize| starved.contains(&fair.takers[choice]);
                let free = states.iter().filter(|&&state| !matrix.choices_of(state).any(waits));
                free.for_each(|&state| {
                    rest.insert(state as usize);
                });
                continue;
            }
            let number = narrow(found.states.len());
            for &state in &states {
                found.of[state as usize] = number;
                for choice in matrix.choices_of(state).filter(|&choice| ends.choices.get(choice)) {
                    found.choices.insert(choice);
                }
            }
            found.states.push(states);
        }
        // In what is left of different components no component can grow together: they had no choices between them.
        if rest.first().is_some() {
            left.push(rest);
        }
    }
    found
}

/// All states of these components.
pub(crate) fn members(n: usize, ends: &EndComponents) -> Bits {
    let mut members = Bits::zeros(n);
    for &state in ends.states.iter().flatten() {
        members.insert(state as usize);
    }
    members
}
