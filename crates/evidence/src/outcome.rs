//! What an engine answers.

use motet_model::AtomId;
use motet_property::Path;

use crate::{Evidence, Quantity};

/// An answer. For a `possible` claim [`Verdict::Holds`] means reachable and the evidence is the witness; for a
/// property that fails the evidence is the counterexample.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Proved by a complete search.
    Holds,
    /// Disproved by the evidence, or (for `possible`) by a complete search.
    Fails,
    /// A number, certified to lie in here.
    Value {
        /// Not less.
        low: f64,
        /// Not more.
        high: f64,
    },
    /// Nobody knows, and why.
    Unknown(Stop),
}

/// Why a search ended without an answer. Never read as a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// `--mem`
    Memory,
    /// `--time`
    Time,
    /// `--states`
    States,
    /// `--depth`
    Depth,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// A bound of the model was exceeded; the evidence is the run that exceeds it.
    Bound(String),
    /// The claim uses an operator that has no engine yet, named here.
    Unsupported(String),
    /// An external engine gave no answer; its words.
    Engine(String),
    /// `--store compact` or `bitstate`: nothing was found, and hashes prove nothing; how much was seen.
    Hashed(String),
}

/// Whether a claim that holds says anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// The trigger happens; the pass means something.
    Triggered,
    /// The trigger never happens on any run that counts (antecedent failure). For `G (a -> b)` this is `a`; for a
    /// claim that holds because the assumptions contradict each other it is the assumption.
    NeverTriggered(Box<Path<AtomId>>),
    /// The claim has no trigger.
    NoTrigger,
    /// The trigger happens, or there is none, and every part of the claim was looked at.
    Examined {
        /// The parts that the claim does not depend on; none of them lies inside another.
        idle: Vec<Idle>,
        /// How many parts nobody could say anything about.
        unchecked: usize,
    },
    /// Not looked at.
    Unchecked,
}

/// A part of a claim that holds, which it does not depend on: with a constant in its place the claim says more, and holds
/// as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    /// The part as written.
    pub part: Path<AtomId>,
    /// What stands in its place.
    pub constant: bool,
    /// The claim with the constant, written shorter where that makes parts of it needless. It holds.
    pub stronger: Path<AtomId>,
}

/// How much was searched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// Distinct states of the model.
    pub states: u64,
    /// Steps between them, each outcome of chance counted.
    pub transitions: u64,
    /// Whether every reachable state was expanded.
    pub complete: bool,
    /// The longest shortest run from the start.
    pub depth: u64,
    /// Wall time.
    pub seconds: f64,
    /// How much of it was over when all states were there; the rest is for answers.
    pub explored_seconds: f64,
    /// Memory of the store, the graph and the search at their largest, as counted by the engine.
    pub peak_bytes: u64,
    /// Steps between them, each counted once however many outcomes it has.
    pub choices: u64,
    /// States still waiting when a limit stopped the search.
    pub open: u64,
}

/// The answer to one claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The run behind it.
    pub evidence: Option<Evidence>,
    /// Whether a pass means something.
    pub vacuity: Vacuity,
    /// How much was searched for it.
    pub coverage: Coverage,
    /// When the claim holds only because runs are fair: the subjects that an unfair run starves.
    pub starved: Vec<motet_model::SubjectId>,
    /// How much time the worst run needs or takes, for claims that bound a time or wait for something.
    pub margin: Option<Margin>,
    /// The number behind it, for claims about chance and rewards.
    pub quantity: Option<Quantity>,
}

impl Outcome {
    /// A verdict and nothing else.
    #[must_use]
    pub fn of(verdict: Verdict) -> Self {
        Self {
            verdict,
            evidence: None,
            vacuity: Vacuity::Unchecked,
            coverage: Coverage::default(),
            starved: Vec::new(),
            margin: None,
            quantity: None,
        }
    }
}

/// The worst case behind a claim about time, in the model's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// What is measured.
    pub measure: Measure,
    /// What the claim allows; `None` where it only says eventually.
    pub bound: Option<u64>,
    /// The longest over all runs that count; `None` where no time is enough.
    pub worst: Option<u64>,
}

/// What a margin measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// From the trigger to the answer: `whenever a, within D, b`.
    Response,
    /// From the start of the run: `F<=D p`, `F p`.
    Arrival,
    /// How long something lasts without a break: `held(p) <= D`.
    Duration,
    /// How long ago something was: `since(p) <= D`.
    Age,
}
