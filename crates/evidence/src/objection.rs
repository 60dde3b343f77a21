//! Why a piece of evidence is not accepted.

use thiserror::Error;

/// A replay has three ends: the evidence is valid, it is forged, or it cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Objection {
    /// The evidence does not prove what it is said to prove.
    #[error("the evidence is forged: {0}")]
    Forged(#[from] Forged),
    /// The claim uses something a replay cannot evaluate, named here. This says nothing about the evidence.
    #[error("the evidence cannot be replayed: {0}")]
    Refused(String),
}

/// What is wrong with a piece of evidence. Steps and states are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Forged {
    /// There is no initial state with this number.
    #[error("the model has no initial state number {0}")]
    Initial(u32),
    /// The number of states is not the number of steps plus one.
    #[error("{states} states do not fit {steps} steps")]
    Length {
        /// How many states were given.
        states: usize,
        /// How many steps were given.
        steps: usize,
    },
    /// A state is not the one the model gives.
    #[error("state {0} is not the state the model reaches")]
    State(usize),
    /// A step does not exist, or is impossible.
    #[error("step {0} does not exist in the model")]
    Step(usize),
    /// The process, the action or the delay of a step is not the model's.
    #[error("step {0} is not the step the model takes")]
    Label(usize),
    /// The model cannot say what follows a state in the middle of the run.
    #[error("the model stops at state {at}: {message}")]
    Stops {
        /// Which state.
        at: usize,
        /// The model's words.
        message: String,
    },
    /// The model goes on from the state where it should exceed a bound, or exceeds another one.
    #[error("the model does not stop at the last state with the reported fault")]
    NoFault,
    /// The loop is empty, starts behind the end, or does not return to its first state.
    #[error("the loop does not close")]
    Loop,
    /// The loop leaves out a subject of fairness that has to move.
    #[error("the loop is not fair to subject {0}")]
    Unfair(u32),
    /// The run does not decide the claim the way it is said to.
    #[error("the run does not decide the claim that way")]
    Undecided,
    /// The run breaks an assumption, so it does not count.
    #[error("the run does not satisfy the assumption `{0}`")]
    Assumption(String),
    /// A branch is said to leave the run at a state that the run does not have.
    #[error("the run has no state {0} for a branch to leave")]
    Nowhere(usize),
    /// A branch shows what branches of its kind cannot show.
    #[error("a branch of this kind cannot show that")]
    Kind,
    /// Two branches contradict each other, or the run they leave.
    #[error("two branches contradict each other, or the run")]
    Contradiction,
    /// A branch does not show what it is for.
    #[error("a branch does not show what it is for")]
    Unshown,
    /// A branch counts other runs than the run it leaves.
    #[error("a branch is not fair the way the run is")]
    Fairness,
    /// A branch breaks the assumption with this number, so it does not count.
    #[error("a branch does not satisfy assumption {0}")]
    Unassumed(usize),
    /// A branch names others than those whose knowledge it is about.
    #[error("a branch is not about those who are said to know")]
    Observers,
    /// A branch leads to a situation that this observer can tell from where it is said to stand.
    #[error("observer {0} can tell the two situations apart")]
    Distinguishable(u32),
    /// The verdict and the evidence do not belong together.
    #[error("this verdict cannot have such evidence")]
    Verdict,
}
