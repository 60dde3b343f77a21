//! A project with every name resolved to a number. `resolve` makes it; everything else reads it.

use motet_model::{Ratio, Repeat, RewardId};
use motet_source::Span;

use crate::formula::{Comparison, Formula};

/// A team of agents, ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The agents, in the order of their files.
    pub agents: Vec<Agent>,
    /// What a state is made of.
    pub slots: Vec<Slot>,
    /// All beliefs of all agents.
    pub beliefs: Vec<Belief>,
    /// Sensory percepts.
    pub percepts: Vec<Percept>,
    /// External actions, once for each agent that has them.
    pub actions: Vec<Action>,
    /// Mental notes.
    pub notes: Vec<Note>,
    /// Plans of all agents.
    pub plans: Vec<Plan>,
    /// Plans of which one runs at a time: the choices.
    pub groups: Vec<Group>,
    /// Slots that remember a belief's value before the cycle.
    pub watches: Vec<Watch>,
    /// Names of the rewards; the first is `cycles`.
    pub rewards: Vec<String>,
    /// How rewards are counted.
    pub counting: Counting,
    /// How many values a belief has.
    pub logic: Logic,
}

/// The slot that says whether the first cycle was begun.
pub const BEGUN: usize = 0;

/// A belief that holds.
pub const TRUE: u32 = 1;
/// A belief that does not hold.
pub const FALSE: u32 = 0;
/// A belief of which nothing is known; only in three-valued logic.
pub const UNKNOWN: u32 = 2;

/// When a cycle earns what is written on a plan or percept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Once a cycle, at its start.
    Cycles,
    /// At its start and after its belief update, as the model generated in the thesis does.
    HalfCycles,
}

/// How many values a belief has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// It holds or does not.
    TwoValued,
    /// It holds, does not, or is unknown.
    ThreeValued,
}

/// An agent.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The name of its reasoning file.
    pub name: String,
    /// Its beliefs, its percepts among them.
    pub beliefs: Vec<usize>,
    /// Its plans, in the order of the file.
    pub plans: Vec<usize>,
}

/// One number of a state.
#[derive(Clone, Debug)]
pub struct Slot {
    /// A legal identifier of PRISM.
    pub name: String,
    /// The largest value.
    pub most: u32,
    /// The value at the start.
    pub initial: u32,
}

/// A belief.
#[derive(Clone, Debug)]
pub struct Belief {
    /// As the user writes it.
    pub text: String,
    /// What it is compared by.
    pub key: String,
    /// Which sort.
    pub kind: BeliefKind,
    /// Its value.
    pub slot: usize,
    /// Whose it is; a percept belongs to everybody who lists it.
    pub agent: Option<usize>,
    /// Where it was first written.
    pub span: Span,
}

/// The three sorts of belief (Izzo 2016, equation 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeliefKind {
    /// Sensed: listed with numbers.
    Percept,
    /// Reported by an action. Its slot counts down while the action runs; 1 is true.
    Feedback,
    /// Added and deleted by plans and rules.
    Note,
}

impl Belief {
    /// When it is true.
    #[must_use]
    pub fn holds(&self) -> Formula {
        Formula::Test(self.slot, Comparison::Equal, TRUE)
    }

    /// When it is false: for a percept or note the value 0, for a feedback everything but 1.
    #[must_use]
    pub fn fails(&self) -> Formula {
        match self.kind {
            BeliefKind::Feedback => Formula::Test(self.slot, Comparison::Unequal, TRUE),
            BeliefKind::Percept | BeliefKind::Note => Formula::Test(self.slot, Comparison::Equal, FALSE),
        }
    }
}

/// `[p, mu, sigma]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The chance of a trial at the mean.
    pub chance: Ratio,
    /// The average number of cycles.
    pub mean: u32,
    /// How far around it.
    pub spread: u32,
}

impl Distribution {
    /// The first count with a trial.
    #[must_use]
    pub fn first(self) -> u32 {
        self.mean.saturating_sub(self.spread)
    }

    /// The last count with a trial.
    #[must_use]
    pub fn last(self) -> u32 {
        self.mean.saturating_add(self.spread)
    }

    /// Whether a counter is needed: without one there is a trial in every cycle.
    #[must_use]
    pub fn is_counted(self) -> bool {
        (self.mean, self.spread) != (1, 0)
    }
}

/// A sensory percept.
#[derive(Clone, Debug)]
pub struct Percept {
    /// The belief.
    pub belief: usize,
    /// Counts cycles towards the next trial.
    pub counter: Option<usize>,
    /// What must hold for it to come.
    pub gate: Formula,
    /// How it comes.
    pub activation: Distribution,
    /// How it goes.
    pub deactivation: Distribution,
    /// Earned in each cycle in which it holds.
    pub rewards: Vec<(RewardId, Ratio)>,
}

/// An external action of one agent.
#[derive(Clone, Debug)]
pub struct Action {
    /// Whose.
    pub agent: usize,
    /// The name of its module in PRISM.
    pub name: String,
    /// The first sentence of its file.
    pub text: String,
    /// Its sentences, folded.
    pub keys: Vec<String>,
    /// What it reports: beliefs with weights. The first one's slot is the counter.
    pub feedbacks: Vec<(usize, Ratio)>,
    /// The average number of cycles until it reports.
    pub mean: u32,
    /// How far around it.
    pub spread: u32,
    /// Plans and indices that call it.
    pub callers: Vec<(usize, u32)>,
    /// Whether it is called before the first cycle.
    pub initial: bool,
    /// Whether it goes on until it is stopped.
    pub repeat: Repeat,
    /// What it is called with before the first cycle: local names with values.
    pub arguments: Vec<(String, String)>,
}

/// A mental note.
#[derive(Clone, Debug)]
pub struct Note {
    /// The belief.
    pub belief: usize,
    /// Plans and indices that add it.
    pub added: Vec<(usize, u32)>,
    /// Plans and indices that delete it.
    pub deleted: Vec<(usize, u32)>,
    /// When a rule makes it true.
    pub raised: Formula,
    /// When a rule makes it false.
    pub lowered: Formula,
}

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Whose.
    pub agent: usize,
    /// Its number in its file, from 1.
    pub number: u32,
    /// Its index: 0 when it does not run.
    pub slot: usize,
    /// What calls for it.
    pub trigger: Formula,
    /// When it may be started.
    pub context: Formula,
    /// Both.
    pub condition: Formula,
    /// What it does.
    pub actions: Vec<PlanAction>,
    /// The group it is in, when others have the same triggering condition or are alternatives.
    pub group: Option<usize>,
    /// From `If` to `then`, as written.
    pub head: String,
    /// Where it stands.
    pub span: Span,
}

/// One action of a plan.
#[derive(Clone, Debug)]
pub struct PlanAction {
    /// What is done.
    pub deed: Deed,
    /// When the plan goes on.
    pub done: Formula,
    /// Earned in each cycle that begins with it.
    pub rewards: Vec<(RewardId, Ratio)>,
    /// As written: `[Activate drive mode]`, `+^[Exploring]`.
    pub text: String,
    /// What an action is called with: local names with values.
    pub arguments: Vec<(String, String)>,
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Calls an action.
    Call(usize),
    /// Stops a repeated action.
    Stop(usize),
    /// Adds a note.
    Add(usize),
    /// Deletes a note.
    Delete(usize),
}

/// Plans of one agent of which one runs at a time: those with the same triggering condition, and declared alternatives.
#[derive(Clone, Debug)]
pub struct Group {
    /// The plans, in the order of the file; at least two.
    pub plans: Vec<usize>,
    /// The number that a choice here is multiplied by in an action's number.
    pub radix: u32,
    /// Whether more than one of them can be called for at once.
    pub chooses: bool,
}

/// A slot that remembers what a belief was before the belief update.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// The slot.
    pub slot: usize,
    /// The belief.
    pub belief: usize,
}

impl Program {
    /// The value of a belief as `TRUE`, `FALSE` or `UNKNOWN`, whatever its slot counts.
    #[must_use]
    pub fn value(&self, belief: usize, state: &[u32]) -> u32 {
        let belief = &self.beliefs[belief];
        let value = state[belief.slot];
        match belief.kind {
            BeliefKind::Feedback => u32::from(value == TRUE),
            BeliefKind::Percept | BeliefKind::Note => value,
        }
    }

    /// Whether the model has choices (theorem 4.2) or is a Markov chain (theorem 4.1).
    #[must_use]
    pub fn has_choices(&self) -> bool {
        self.groups.iter().any(|group| group.chooses)
    }
}
