//! What a caller can ask of a check.

use motet_evidence::{Fairness, Over};

use crate::{Keeping, Limits, Spilling};

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How far the search may go.
    pub limits: Limits,
    /// Which runs count.
    pub fairness: Fairness,
    /// Which strategies numbers are over.
    pub strategies: Strategies,
    /// In which order states are expanded.
    pub order: Order,
    /// When the exploration may end.
    pub extent: Extent,
    /// Whether passes are examined for triggers that never happen; in full, for every part that a claim does not depend
    /// on.
    pub vacuity: Examine,
    /// How close numbers have to be.
    pub precision: Precision,
    /// Whether verdicts have to be shown.
    pub proof: Proof,
    /// Whether the search is saved now and then, and continued from where it was saved.
    pub keeping: Option<Keeping>,
    /// Where states and steps go that do not fit into memory; without it they end the search.
    pub spill: Option<Spilling>,
    /// What is remembered of states.
    pub store: StoreKind,
    /// How many threads work at the same time; 0 means as many as there are cores.
    pub threads: usize,
    /// Whether orders of steps that do not mind each other are left out, where claims cannot tell.
    pub partial_order: Reduce,
    /// Whether states are run through that have nothing to choose, where claims cannot tell.
    pub chains: Reduce,
}

impl Settings {
    /// Which strategies numbers are over.
    pub(crate) fn over(&self, is_chain: bool) -> Over {
        match (self.strategies, self.fairness) {
            _ if is_chain => Over::One,
            (Strategies::FairToChoices, _) => Over::FairToChoices,
            (Strategies::AsRuns, Fairness::None) => Over::All,
            (Strategies::AsRuns, Fairness::Weak) => Over::WeaklyFair,
            (Strategies::AsRuns, Fairness::Strong) => Over::StronglyFair,
        }
    }
}

/// Which strategies numbers are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategies {
    /// Those almost all of whose runs count.
    #[default]
    AsRuns,
    /// Those that take every choice of a state again and again if they come to the state again and again (Baier and Kwiatkowska
    /// 1998). This is stronger than strong fairness to whoever chooses, so claims about single runs are checked on strongly
    /// fair ones, and where that does not decide them they stay open.
    FairToChoices,
}

/// Whether states are left out that no claim needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduce {
    /// None is: counts are those of the model.
    #[default]
    No,
    /// As many as can be found.
    Yes,
}

/// What is remembered of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// All of each.
    #[default]
    Exact,
    /// A hash of 64 bits of each: two states may be taken for one, so nothing is proved.
    Compact,
    /// Three bits of each, in a table of so many bytes: nothing is proved.
    Bitstate(u64),
}

/// Whether verdicts have to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// With evidence, where there is any.
    #[default]
    Shown,
    /// Verdicts alone, which are found faster.
    Omitted,
}

/// How close numbers have to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    /// A certified interval whose width, relative to the value, is at most this.
    Certified(f64),
    /// A fraction.
    Exact,
}

impl Default for Precision {
    fn default() -> Self {
        Self::Certified(1e-6)
    }
}

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Nearest to the start first. Finite evidence is as short as possible.
    #[default]
    BreadthFirst,
    /// Farthest first. Evidence may be long.
    DepthFirst,
}

/// When an exploration may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// After the last reachable state: counts and notices are complete.
    #[default]
    Everything,
    /// As soon as every claim is decided, which can happen early only if all of them are about single states.
    UntilDecided,
}

/// Whether something that costs another search is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Examine {
    /// It is.
    #[default]
    Yes,
    /// It is, in every detail, and that costs many searches.
    InFull,
    /// It is not.
    No,
}
