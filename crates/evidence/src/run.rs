//! Runs, finite or repeating for ever.

use motet_model::{ActionId, AtomId, ObserverId, ProcessId, State};
use motet_property::Formula;

/// A run of the model, finite or a lasso, with what it takes to see that it proves something: a tree, if the claim speaks of
/// other runs as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The states and steps, up to the end or to the point where the loop closes.
    pub run: Run,
    /// `Some(i)`: after the last state the run goes on as from state `i`, for ever, and the last state equals state `i`.
    /// A run that ends in a deadlock repeats its last state; it has `None` here.
    pub loop_start: Option<usize>,
    /// Which runs counted when this one was found.
    pub fairness: Fairness,
    /// What the run alone does not show: truths, at some of its states, of formulas about other runs (`A`, `E`) and about
    /// knowledge. Empty for claims in linear time.
    pub branches: Vec<Branch>,
}

impl Evidence {
    /// A run, with nothing else to show.
    #[must_use]
    pub fn new(run: Run, loop_start: Option<usize>, fairness: Fairness) -> Self {
        Self { run, loop_start, fairness, branches: Vec::new() }
    }

    /// A run that ends, or whose rest does not matter.
    #[must_use]
    pub fn finite(run: Run) -> Self {
        Self::new(run, None, Fairness::None)
    }
}

/// The truth of a formula about other runs, or about knowledge, at one state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Which state of the run.
    pub at: usize,
    /// What is said of it: [`Formula::Runs`] or [`Formula::Knows`].
    pub formula: Formula<AtomId>,
    /// Whether that is true.
    pub truth: bool,
    /// How it is seen.
    pub shown: Shown,
}

/// How a truth about other runs is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// By a run from that state on, whose first state it is: a witness of `E`, a counterexample of `A`. Its
    /// [`Run::initial`] means nothing.
    Onward(Box<Evidence>),
    /// By a run from an initial state to a situation that these agents, each of them, cannot tell from that one, and where
    /// what was said to be known is false. Of common knowledge it may also be false there that it is common knowledge,
    /// which a branch at the last state of this run shows: one more link of the chain.
    Elsewhere(Vec<ObserverId>, Box<Evidence>),
    /// By a complete search alone: that something holds on all runs, or in all situations, no run can show.
    Search,
}

/// Which runs count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those on which every subject (a process, unless the model says otherwise) that has a step from some point on for ever
    /// takes one again and again.
    Weak,
    /// Those on which every subject that has a step again and again takes one again and again.
    Strong,
}

/// A path through the model. Ordinals identify it for good; states and actions are there for convenience.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Which of the model's initial states it starts in.
    pub initial: u32,
    /// One more than `steps`.
    pub states: Vec<Box<State>>,
    /// The steps taken.
    pub steps: Vec<Taken>,
}

impl Run {
    /// How many steps two runs from initial states have in common before they part.
    #[must_use]
    pub fn shared(&self, other: &Self) -> usize {
        if self.initial != other.initial {
            return 0;
        }
        let same = |(one, two): &(&Taken, &Taken)| (one.ordinal, one.branch) == (two.ordinal, two.branch);
        self.steps.iter().zip(&other.steps).take_while(same).count()
    }
}

/// A step that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Its ordinal among the steps of its state.
    pub ordinal: u32,
    /// Which outcome of chance.
    pub branch: u32,
    /// Who moved.
    pub process: ProcessId,
    /// What was done.
    pub action: ActionId,
    /// How much model time passed, in the unit of the model.
    pub delay: u32,
}
