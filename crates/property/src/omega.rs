//! A claim that is an automaton over infinite words, as other tools write them.

use crate::formula::Formula;

/// A Büchi automaton with any number of acceptance sets on its edges. It accepts a run if some way through it, reading state
/// after state, takes edges of every set again and again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Omega<A> {
    /// What it is called.
    pub name: String,
    /// What its guards speak of: state formulas without operators of time.
    pub propositions: Vec<Formula<A>>,
    /// Where ways start.
    pub starts: Vec<u32>,
    /// Per state: the edges that leave it.
    pub edges: Vec<Vec<Edge>>,
    /// How many acceptance sets there are, at most 32.
    pub n_sets: u32,
}

/// Which runs an automaton is there to accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// All: it describes what is right.
    All,
    /// None: it describes what is wrong.
    Never,
    /// Some: it describes what is possible.
    Some,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// When it may be taken.
    pub guard: Guard,
    /// The acceptance sets it is in: bit `i` for set `i`.
    pub sets: u32,
    /// Where it leads.
    pub target: u32,
}

/// A condition over propositions, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// Always.
    True,
    /// Never.
    False,
    /// This proposition holds.
    Proposition(u32),
    /// Negation.
    Not(Box<Guard>),
    /// Conjunction.
    And(Box<Guard>, Box<Guard>),
    /// Disjunction.
    Or(Box<Guard>, Box<Guard>),
}

impl Guard {
    /// Whether it holds where exactly the propositions hold for which `holds` says so.
    pub fn admits(&self, holds: &dyn Fn(u32) -> bool) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Proposition(number) => holds(*number),
            Self::Not(inner) => !inner.admits(holds),
            Self::And(left, right) => left.admits(holds) && right.admits(holds),
            Self::Or(left, right) => left.admits(holds) || right.admits(holds),
        }
    }
}

impl<A> Omega<A> {
    /// All acceptance sets.
    #[must_use]
    pub fn all_sets(&self) -> u32 {
        u32::MAX.checked_shr(32 - self.n_sets).unwrap_or(0)
    }

    /// The same about other atoms.
    #[must_use]
    pub fn map_atoms<B>(&self, to: &dyn Fn(&A) -> B) -> Omega<B> {
        Omega {
            name: self.name.clone(),
            propositions: self.propositions.iter().map(|formula| formula.map_atoms(to)).collect(),
            starts: self.starts.clone(),
            edges: self.edges.clone(),
            n_sets: self.n_sets,
        }
    }
}
