//! Runs, finite or repeating for ever.

use motet_model::{ActionId, ProcessId, State};

/// A run of the model, finite or a lasso.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The states and steps, up to the end or to the point where the loop closes.
    pub run: Run,
    /// `Some(i)`: after the last state the run goes on as from state `i`, for ever, and the last state equals state `i`.
    /// A run that ends in a deadlock repeats its last state; it has `None` here.
    pub loop_start: Option<usize>,
    /// Which runs counted when this one was found.
    pub fairness: Fairness,
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
