//! A Markov decision process in memory: per state its choices, per choice its outcomes, one after the other.

use std::sync::OnceLock;

use motet_model::Ratio;

use super::components::Inward;
use crate::exploration::graph::Graph;
use crate::storage::bits::Bits;

/// A decision process. A chain is one in which every state has one choice. Every state has at least one: a state without
/// steps repeats itself.
///
/// Memory: 4 bytes per state, 8 per choice, 16 per branch, of which 4 are for exact fractions; on a chain with two branches
/// per state that is 44 bytes a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    /// Per state: its first choice; one more at the end.
    pub(crate) choices: Vec<u32>,
    /// Per choice: its first branch; one more at the end.
    pub(crate) branches: Vec<u32>,
    /// Per branch: where it leads.
    pub(crate) targets: Vec<u32>,
    /// Per branch: its chance, the nearest floating-point number.
    pub(crate) chances: Vec<f64>,
    /// Per branch: the number of its exact chance in `ratios`.
    pub(crate) exact: Vec<u32>,
    pub(crate) ratios: Vec<Ratio>,
    /// Per choice: how much time passes.
    pub(crate) delays: Vec<u32>,
    /// The choices that stand for having none: a state without steps repeats itself.
    pub(crate) resting: Bits,
    /// States to start from.
    pub(crate) initial: Vec<u32>,
    /// The same backwards, once somebody asked.
    pub(super) inward: OnceLock<Inward>,
}

impl Matrix {
    /// The process of a completely explored graph that kept its chances.
    pub(crate) fn of(graph: &Graph) -> Self {
        let rows = graph.rows.as_ref().expect("chances were kept");
        let outcomes = rows.outcomes().expect("chances were kept");
        let mut ratios = outcomes.ratios.table().to_vec();
        let nearest: Vec<f64> = ratios.iter().map(|ratio| ratio.to_f64()).collect();
        let certain = ratios.iter().position(|ratio| *ratio == Ratio::ONE);
        let certain = narrow(certain.unwrap_or_else(|| {
            ratios.push(Ratio::ONE);
            ratios.len() - 1
        }));
        let (states, rests) = (graph.n_states(), graph.deadlocks.count());
        let count = |kept: u64| usize::try_from(kept).unwrap_or(0) + rests;
        let (n_choices, n_branches) = (count(graph.choices), count(graph.transitions));
        let mut matrix = Self {
            initial: graph.initial.clone(),
            ratios,
            choices: Vec::with_capacity(states + 1),
            branches: Vec::with_capacity(n_choices + 1),
            delays: Vec::with_capacity(n_choices),
            targets: Vec::with_capacity(n_branches),
            chances: Vec::with_capacity(n_branches),
            exact: Vec::with_capacity(n_branches),
            resting: Bits::default(),
            inward: OnceLock::new(),
        };
        for state in 0..narrow(graph.n_states()) {
            matrix.choices.push(narrow(matrix.branches.len()));
            for step in rows.steps(state) {
                matrix.branches.push(narrow(matrix.targets.len()));
                matrix.delays.push(rows.delay(rows.edges(step).start));
                for edge in rows.edges(step) {
                    let number = outcomes.chance(edge);
                    matrix.targets.push(rows.target(edge));
                    matrix.chances.push(nearest[number as usize]);
                    matrix.exact.push(number);
                }
            }
            if rows.steps(state).is_empty() {
                matrix.resting.insert(matrix.branches.len());
                matrix.branches.push(narrow(matrix.targets.len()));
                matrix.delays.push(1);
                matrix.targets.push(state);
                matrix.chances.push(1.0);
                matrix.exact.push(certain);
            }
        }
        matrix.choices.push(narrow(matrix.branches.len()));
        matrix.branches.push(narrow(matrix.targets.len()));
        matrix
    }

    /// Per state the choices that may lead there.
    pub(crate) fn inward(&self) -> &Inward {
        self.inward.get_or_init(|| Inward::new(self))
    }

    pub(crate) fn n_states(&self) -> usize {
        self.choices.len() - 1
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.choices.capacity() + self.branches.capacity() + self.delays.capacity();
        let branches = self.targets.capacity() + self.exact.capacity() + 2 * self.chances.capacity();
        let inward = self.inward.get().map_or(0, Inward::bytes);
        4 * (words + branches) as u64 + 16 * self.ratios.capacity() as u64 + inward
    }

    pub(crate) fn n_choices(&self) -> usize {
        self.branches.len() - 1
    }

    /// The choices of a state.
    pub(crate) fn choices_of(&self, state: u32) -> std::ops::Range<usize> {
        self.choices[state as usize] as usize..self.choices[state as usize + 1] as usize
    }

    /// The branches of a choice.
    pub(crate) fn branches_of(&self, choice: usize) -> std::ops::Range<usize> {
        self.branches[choice] as usize..self.branches[choice + 1] as usize
    }

    /// Whether no state has more than one choice.
    pub(crate) fn is_chain(&self) -> bool {
        self.branches.len() == self.choices.len()
    }
}

/// A number of a state, a choice or a branch.
pub(crate) fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("states, steps and transitions are numbered with 32 bits")
}

#[cfg(test)]
pub(crate) mod written {
    //! Processes written down by hand.

    use super::*;

    /// A branch: where it leads, and its chance as a fraction.
    pub(crate) type Branch = (u32, u64, u64);

    /// The process with these states, each a list of choices, each a list of branches; it starts in state 0.
    pub(crate) fn process(states: &[Vec<Vec<Branch>>]) -> Matrix {
        let mut matrix = Matrix { initial: vec![0], ..Matrix::default() };
        for choices in states {
            matrix.choices.push(narrow(matrix.branches.len()));
            for branches in choices {
                matrix.branches.push(narrow(matrix.targets.len()));
                matrix.delays.push(1);
                for &(target, above, below) in branches {
                    let ratio = Ratio::new(above, below).unwrap();
                    matrix.targets.push(target);
                    matrix.chances.push(ratio.to_f64());
                    matrix.exact.push(narrow(matrix.ratios.len()));
                    matrix.ratios.push(ratio);
                }
            }
        }
        matrix.choices.push(narrow(matrix.branches.len()));
        matrix.branches.push(narrow(matrix.targets.len()));
        matrix
    }

    /// A chain: one choice per state.
    pub(crate) fn chain(states: &[Vec<Branch>]) -> Matrix {
        process(&states.iter().map(|branches| vec![branches.clone()]).collect::<Vec<_>>())
    }

    pub(crate) fn set(states: &[u32]) -> Bits {
        let mut set = Bits::default();
        for &state in states {
            set.insert(state as usize);
        }
        set
    }

    /// A walk on a line of `n` states with absorbing ends, up with chance `above/below`.
    pub(crate) fn walk(n: u32, above: u64, below: u64) -> Matrix {
        let middle = |state: u32| vec![(state + 1, above, below), (state - 1, below - above, below)];
        let states: Vec<Vec<Branch>> = (0..n)
            .map(|state| if state == 0 || state == n - 1 { vec![(state, 1, 1)] } else { middle(state) })
            .collect();
        chain(&states)
    }
}
