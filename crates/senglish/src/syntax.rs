//! Trees of the three kinds of file, as written.

use motet_model::Ratio;
use motet_source::{FileId, Span, Spanned};

use crate::sentence::Sentence;

/// A reasoning file (`.sej`): what one agent believes at first, perceives, infers and does.
#[derive(Clone, Debug)]
pub struct ReasoningTree {
    /// The file.
    pub file: FileId,
    /// `INITIAL BELIEFS AND GOALS`.
    pub beliefs: Vec<InitialBelief>,
    /// `INITIAL ACTIONS`.
    pub actions: Vec<Sentence>,
    /// Under `Monitor the following booleans:`.
    pub percepts: Vec<PerceptTree>,
    /// Under `Monitor the following objects:`; kept for execution, no part of the finite model.
    pub objects: Vec<ObjectTree>,
    /// `REASONING`.
    pub rules: Vec<RuleTree>,
    /// `EXECUTABLE PLANS`.
    pub plans: Vec<PlanTree>,
}

/// A belief that holds, or is known not to hold, before the first cycle.
#[derive(Clone, Debug)]
pub struct InitialBelief {
    /// Which.
    pub sentence: Sentence,
    /// Whether it is believed or disbelieved.
    pub sign: Sign,
}

/// Believed or disbelieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `^[b]`
    Holds,
    /// `~^[b]`
    HoldsNot,
}

/// A line under `Monitor the following booleans:`: a sensory percept with numbers, or an action feedback without.
#[derive(Clone, Debug)]
pub struct PerceptTree {
    /// What is perceived.
    pub sentence: Sentence,
    /// `{[..],[..],[..]}`; a feedback has none.
    pub numbers: Option<NumbersTree>,
    /// `{fuel=1}`.
    pub rewards: Vec<RewardTree>,
}

/// How a percept comes and goes.
#[derive(Clone, Debug)]
pub struct NumbersTree {
    /// What must hold for it to come.
    pub conditions: Vec<ConditionTree>,
    /// How it comes.
    pub activation: DistributionTree,
    /// How it goes.
    pub deactivation: DistributionTree,
    /// The whole group.
    pub span: Span,
}

/// A condition of a percept: a belief of the same agent, or `AGENT: sentence`.
#[derive(Clone, Debug)]
pub struct ConditionTree {
    /// Whose belief; the agent's own when empty.
    pub agent: Option<Spanned<String>>,
    /// Which.
    pub sentence: Sentence,
}

/// `[p, mu, sigma]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistributionTree {
    /// The chance, or the weight among the feedbacks of one action.
    pub chance: Ratio,
    /// The average number of cycles.
    pub mean: u32,
    /// How far around it.
    pub spread: u32,
    /// Where it stands.
    pub span: Span,
}

/// A typed object that is monitored: `position [P]`.
#[derive(Clone, Debug)]
pub struct ObjectTree {
    /// Its class.
    pub class: Sentence,
    /// What it is called.
    pub name: Option<Spanned<String>>,
}

/// `fuel=1`
#[derive(Clone, Debug)]
pub struct RewardTree {
    /// `fuel`
    pub name: Spanned<String>,
    /// `1`
    pub amount: Ratio,
}

/// `If condition then ^[b]`
#[derive(Clone, Debug)]
pub struct RuleTree {
    /// When it applies.
    pub condition: Condition,
    /// What it concludes.
    pub conclusion: Sentence,
    /// Whether that comes to hold or ceases to.
    pub sign: Sign,
    /// The whole rule.
    pub span: Span,
}

/// `If trigger while context then actions.`
#[derive(Clone, Debug)]
pub struct PlanTree {
    /// Whether it stands by itself.
    pub relation: Relation,
    /// What calls for it.
    pub trigger: TriggerTree,
    /// When it may be started.
    pub context: Condition,
    /// What it does.
    pub actions: Vec<Spanned<ActionTree>>,
    /// From `If` to the closing dot.
    pub span: Span,
    /// From `If` to `then`.
    pub head: Span,
}

/// How a plan stands to the plan before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `If ...`
    Alone,
    /// `Or if ...`: the two never run together.
    Alternative,
}

/// What calls for a plan.
#[derive(Clone, Debug)]
pub struct TriggerTree {
    /// The belief it is about.
    pub sentence: Sentence,
    /// Its value or its change.
    pub kind: TriggerKind,
}

/// Value or change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerKind {
    /// `^[b]`: while it holds.
    Holds,
    /// `~^[b]`: while it does not hold.
    HoldsNot,
    /// `+^[b]`: in the cycle in which it comes to hold.
    Added,
    /// `-^[b]`: in the cycle in which it ceases to hold.
    Deleted,
}

/// One action of a plan.
#[derive(Clone, Debug)]
pub struct ActionTree {
    /// What is done.
    pub kind: ActionKind,
    /// Earned in each cycle that begins with it.
    pub rewards: Vec<RewardTree>,
}

/// What is done.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// `[sentence]`: a skill is called, or a repeated one stopped.
    External(Sentence),
    /// `+^[b]`
    Add(Sentence),
    /// `-^[b]`
    Delete(Sentence),
}

/// A condition on beliefs.
#[derive(Clone, Debug)]
pub enum Condition {
    /// `true`
    True,
    /// `false`
    False,
    /// `^[b]`
    Belief(Sentence),
    /// `~c`, `not c`
    Not(Box<Condition>),
    /// `c and d`
    And(Vec<Condition>),
    /// `c or d`
    Or(Vec<Condition>),
}

/// An action file (`.sep`).
#[derive(Clone, Debug)]
pub struct ProcedureTree {
    /// The file.
    pub file: FileId,
    /// `procedure name`
    pub name: Option<Sentence>,
    /// `senglish sentences`: what plans may call it.
    pub sentences: Vec<Sentence>,
    /// `process, repeat mode`
    pub mode: Option<(Spanned<String>, Spanned<Repeat>)>,
    /// `input classes and local names` and `output classes and local names`.
    pub arguments: Vec<ArgumentTree>,
    /// `performance feedback`
    pub feedbacks: Vec<FeedbackTree>,
}

/// How a skill runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// It ends by itself.
    Once,
    /// Until it is stopped.
    Repeated,
}

/// `position [P]`
#[derive(Clone, Debug)]
pub struct ArgumentTree {
    /// The class, of the ontology.
    pub class: Sentence,
    /// The name it has in the sentences.
    pub local: Spanned<String>,
    /// Which of the two lines it stands in.
    pub role: Role,
}

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `input classes and local names`
    Input,
    /// `output classes and local names`
    Output,
}

/// `Continue[0.6,5,2]`
#[derive(Clone, Debug)]
pub struct FeedbackTree {
    /// What the agent believes for one cycle.
    pub sentence: Sentence,
    /// Weight, mean and spread.
    pub numbers: DistributionTree,
}

/// An ontology file (`.ont`).
#[derive(Clone, Debug)]
pub struct OntologyTree {
    /// The file.
    pub file: FileId,
    /// The classes in order.
    pub classes: Vec<ClassTree>,
}

/// `> class`, `>> subclass`
#[derive(Clone, Debug)]
pub struct ClassTree {
    /// Its name.
    pub name: Sentence,
    /// The class it is listed under.
    pub parent: Option<Sentence>,
    /// `@ name : class`
    pub attributes: Vec<AttributeTree>,
}

/// `@ name : class`
#[derive(Clone, Debug)]
pub struct AttributeTree {
    /// What it is called.
    pub name: Sentence,
    /// What it holds.
    pub class: Option<Sentence>,
}
