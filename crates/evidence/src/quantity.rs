//! Numbers: probabilities, expected rewards, long-run averages, and the choices that bring them about.

use motet_model::{State, SubjectId};

use crate::Run;

/// A number and what stands behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Not less. Infinite where the value is.
    pub low: f64,
    /// Not more. Infinite where the value is.
    pub high: f64,
    /// The value as a fraction, where it was computed exactly: `2/3`.
    pub exact: Option<String>,
    /// How it was found.
    pub method: Method,
    /// Why an expected reward is infinite.
    pub infinite: Option<Infinite>,
    /// The choices that bring the value about, in models that have choices.
    pub strategy: Option<Strategy>,
    /// The values of single states that a filter asked for, in the order of distance from the start.
    pub values: Vec<Valued>,
    /// The most probable ways to the goal, best first, under the strategy.
    pub ways: Vec<Way>,
}

/// How a number was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the graph alone: no number had to be approximated.
    Graph,
    /// Interval iteration; this many sweeps over the states of the largest part.
    Iteration(u64),
    /// As many exact steps backwards as the bound allows.
    Steps(u64),
    /// Equations solved directly, in floating point with certified error.
    Elimination,
    /// Equations solved in rational numbers.
    Exact,
}

/// Which strategies numbers are over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Nobody chooses, so there is one.
    One,
    /// All.
    All,
    /// Those almost all of whose runs are weakly fair.
    WeaklyFair,
    /// Those almost all of whose runs are strongly fair.
    StronglyFair,
    /// Those that take every choice of a state again and again if they come to it again and again.
    FairToChoices,
}

impl Over {
    /// In words, as in "numbers over all strategies". `None` where there is nothing to tell.
    #[must_use]
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::One => None,
            Self::All => Some("all strategies"),
            Self::WeaklyFair => Some("weakly fair strategies"),
            Self::StronglyFair => Some("strongly fair strategies"),
            Self::FairToChoices => Some("strategies fair to choices"),
        }
    }
}

/// Why an expected reward is infinite: with some chance a run never reaches the goal and earns for ever; or it surely does, but
/// fair strategies may put that off for as long as they like, and earn meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct Infinite {
    /// The least chance of missing the goal that the choices in question leave; 0 where the goal is only put off.
    pub missed: f64,
    /// A run to a state from which the goal is missed.
    pub run: Option<Run>,
}

/// Which step to take in which state. States with one step are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// What a decision depends on beside the state.
    pub memory: Memory,
    /// What is remembered at the start: the whole bound, or the first state of the automaton; 0 without memory.
    pub start: u64,
    /// In the order of distance from the start.
    pub decisions: Vec<Decision>,
    /// Where what is remembered of the progress changes. What is left of a bound can be counted and is not listed.
    pub turns: Vec<Turn>,
    /// Why it is, as it is told, none of the fair strategies that the number is over; `None` where it is one.
    pub unfair: Option<Unfair>,
}

/// A strategy that brings a value about and is not fair: somebody who is owed a turn never gets one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfair {
    /// Who never gets a turn. Empty where choices of theirs are owed it.
    pub whom: Vec<SubjectId>,
    /// How fair strategies come to the value.
    pub attained: Attained,
}

/// How fair strategies come to a value that choices without a memory of turns bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attained {
    /// With a memory of whose turn it is.
    WithTurns,
    /// With turns that come less and less often: at a fixed pace they take a share of the time.
    InTheLimit,
}

/// What a decision depends on beside the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing.
    None,
    /// How many steps are left of a bound; once it is used up, none.
    StepsLeft,
    /// How much time is left of a bound, in the model's unit; once it is used up, none.
    TimeLeft,
    /// How far the run has come with the formula: the state of an automaton.
    Progress,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Where.
    pub state: Box<State>,
    /// Steps or time left, or the state of the automaton; 0 without memory.
    pub memory: u64,
    /// The ordinal of the step to take.
    pub ordinal: u32,
}

/// A change of what is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Where.
    pub state: Box<State>,
    /// What is remembered on arrival, on which the decision depends.
    pub memory: u64,
    /// What is remembered from then on.
    pub next: u64,
}

/// The value in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// Where.
    pub state: Box<State>,
    /// Not less.
    pub low: f64,
    /// Not more.
    pub high: f64,
}

/// A way to the goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// How probable this very run is.
    pub chance: f64,
    /// The run.
    pub run: Run,
}
