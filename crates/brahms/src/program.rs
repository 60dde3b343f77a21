//! A resolved Brahms model: names are numbers, inheritance is flattened, activities stand where they are called.
//!
//! Every agent and object that can act is an *actor* with frames of its own: `current` is replaced by the actor, a call by
//! the activity that this actor would perform (nearest definition), and the parameters of the activity by the arguments.
//! So nothing of inheritance, scoping or parameter passing is left for the semantics, except the parameters of
//! composite activities, which are values held by the open activity.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::Ratio;
use motet_source::Span;

mod activity;
mod keys;
mod rules;

pub use crate::syntax::{Arithmetic, Comparison, Quantifier};
pub use activity::{Activity, ActivityNode, Duration, Moment, Transfer};
pub use keys::{Key, Keys};
pub use rules::{Bounds, Durations, Order, Rules, Ties};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub u32);

            impl $name {
                /// As an index.
                #[must_use]
                pub fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )+
    };
}

ids! {
    /// An agent, object, area or conceptual object.
    EntityId,
    /// A group, class, conceptual class or area definition.
    TypeId,
    /// The name of an attribute or relation; one number per name, whoever declares it.
    AttributeId,
    /// Something a store can hold a value for: `Bob.location`, `Bob.m(3)`, `Nurse_one hasDN Digital_Nurse_one`.
    KeyId,
    /// An actor; equals the number of its process.
    ActorId,
    /// A frame of one actor.
    FrameId,
    /// An activity as called at one place by one actor.
    ActivityId,
    /// A text: symbols and strings.
    TextId,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Agents, objects, areas, conceptual objects in the order of declaration; those that may be created come last.
    pub entities: Vec<Entity>,
    /// Groups, classes and so on, those of the base library too.
    pub types: Vec<Type>,
    /// Names of attributes and relations.
    pub attributes: Vec<Attribute>,
    /// All keys that some text can speak of.
    pub keys: Keys,
    /// Who can act, in the order of declaration. Agents and objects; areas and conceptual objects cannot.
    pub actors: Vec<Actor>,
    /// All frames of all actors.
    pub frames: Vec<Frame>,
    /// All activities as called.
    pub activities: Vec<Activity>,
    /// Symbols and strings.
    pub texts: Vec<String>,
    /// What holds at the start.
    pub facts: Vec<(KeyId, Value)>,
    /// Seconds of the shortest way between two areas that paths connect; symmetric, `(a, a)` is left out.
    pub ways: BTreeMap<(EntityId, EntityId), u32>,
    /// The attribute `location`.
    pub location: AttributeId,
    /// The relation `contains`.
    pub contains: AttributeId,
    /// How open questions are settled.
    pub rules: Rules,
    /// Limits.
    pub bounds: Bounds,
    /// What `-D` may bind, with the present value, in order: `careWorker.stuff` is `7800 s`.
    pub parameters: Vec<(String, String)>,
    /// Names of all workframes and activities that some text declares, whether anybody does them or not.
    pub declared: BTreeSet<String>,
}

/// A value. *Unknown* is no value: a store simply holds none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `true`, `false`
    Bool(bool),
    /// `int`, `long`
    Int(i64),
    /// `double`, as bits, so that values can be compared and hashed; never a NaN, never minus zero.
    Double(u64),
    /// A symbol or a string; they are equal when their texts are.
    Text(TextId),
    /// An agent, object, area.
    Entity(EntityId),
}

/// Something with a name of its own.
#[derive(Clone, Debug)]
pub struct Entity {
    /// As claims and reports call it; unique, with its package only where two entities share the short name.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// Its direct types.
    pub types: Vec<TypeId>,
    /// For areas: the area it is part of.
    pub part_of: Option<EntityId>,
    /// Who acts for it, if it can act.
    pub actor: Option<ActorId>,
    /// `cost`, exactly.
    pub cost: Ratio,
    /// `time_unit`: the seconds that `cost` is for.
    pub time_unit: Ratio,
    /// `resource: true`
    pub resource: bool,
    /// `display`, where it differs from the name.
    pub display: Option<String>,
    /// Whether it exists at the start; entities in reserve for `create_...` do not.
    pub exists: bool,
    /// Where it is declared; for a reserve, the activity that creates it.
    pub span: Span,
}

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntityKind {
    /// An agent.
    Agent,
    /// `external agent`: it can be told things and does nothing.
    ExternalAgent,
    /// An object.
    Object,
    /// A conceptual object.
    ConceptualObject,
    /// An area.
    Area,
}

/// A group, class, conceptual class or area definition.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name; unique as for entities.
    pub name: String,
    /// Direct parents.
    pub parents: Vec<TypeId>,
    /// All instances, of descendants too, in the order of entities; reserves are among them.
    pub members: Vec<EntityId>,
    /// Whether the model declares it, rather than the base library.
    pub declared: bool,
}

/// The name of an attribute or relation.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// What it is where it is declared (the first declaration counts), for display and checks of claims.
    pub kind: AttributeKind,
    /// Where declarations of this name differ: what it is of whom. Everybody is listed then.
    pub of: BTreeMap<EntityId, AttributeKind>,
}

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttributeKind {
    /// Whole numbers.
    Int,
    /// Numbers with fractions.
    Double,
    /// `true`, `false`
    Bool,
    /// Symbols and strings.
    Text,
    /// An entity of a type.
    Entity(TypeId),
    /// A relation to entities.
    Relation,
    /// A value per index.
    Map,
    /// Not declared, or of a type that nothing is known about.
    Any,
}

/// An agent or object that can act.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Which entity.
    pub entity: EntityId,
    /// Whether it is an object: objects match facts.
    pub is_object: bool,
    /// What it believes at the start.
    pub beliefs: Vec<(KeyId, Value)>,
    /// Workframes that are not inside a composite activity, in the order of declaration, own ones first.
    pub workframes: Vec<FrameId>,
    /// Thoughtframes that are not inside a composite activity.
    pub thoughtframes: Vec<FrameId>,
}

/// A workframe or thoughtframe of one actor.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its name; a second frame of the same name in one concept has a suffix (`wf_x~2`).
    pub name: String,
    /// Whose.
    pub actor: ActorId,
    /// The composite activity it is inside of.
    pub inside: Option<ActivityId>,
    /// Which store its guard and its right-hand sides read.
    pub reads: Reads,
    /// `repeat: true`
    pub repeat: Repeat,
    /// The explicit priority, else the highest among its activities, else 0; times ten.
    pub priority: i64,
    /// Its variables, in order.
    pub variables: Vec<Variable>,
    /// All must hold; empty is true.
    pub guard: Vec<Condition>,
    /// Empty for thoughtframes.
    pub detectables: Vec<Detectable>,
    /// What it does. A thoughtframe only concludes.
    pub body: Vec<Statement>,
    /// Where it stands.
    pub span: Span,
    /// Where its name stands.
    pub name_span: Span,
}

/// Which store a frame reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reads {
    /// The actor's beliefs.
    Beliefs,
    /// The facts; expressions fall back to the actor's belief where there is no fact.
    Facts,
}

/// How often a frame is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// Again and again.
    Always,
    /// Once for each binding.
    Once,
    /// `repeat: once` in the thesis' reading: twice for each binding.
    Twice,
}

/// A variable of a frame.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// How it is bound.
    pub quantifier: Quantifier,
    /// What it ranges over.
    pub domain: Domain,
    /// Whether the guard mentions it. One that it does not mention has no value until an activity gives it one.
    pub guarded: bool,
}

/// What a variable ranges over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The existing instances among these.
    Entities(Vec<EntityId>),
    /// Whatever makes the guard true: bound by `v = e`, or as an index of a map.
    Values,
}

/// A variable as expressions see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Var {
    /// Of the frame itself: an index into [`Frame::variables`].
    Own(u16),
    /// A parameter of an enclosing composite activity: `up` = 0 is the nearest; an index into its arguments.
    Parameter {
        /// How many composite activities further out.
        up: u16,
        /// Which argument.
        index: u16,
    },
}

/// Something that stands for an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An entity.
    Entity(EntityId),
    /// The value of a variable.
    Variable(Var),
}

/// Something that a store holds a value for.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// `Bob.location`
    Fixed(KeyId),
    /// `pat.location`
    Attribute(Var, AttributeId),
    /// `x.m(i)` where subject or index is not fixed.
    Entry(Subject, AttributeId, Box<Expr>),
}

/// An expression. Any unknown part makes the whole unknown.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A constant.
    Value(Value),
    /// `unknown`
    Unknown,
    /// What the store holds.
    Read(Place),
    /// The value of a variable.
    Variable(Var),
    /// `-e`
    Negate(Box<Expr>),
    /// `a + b`
    Binary(Arithmetic, Box<Expr>, Box<Expr>),
}

/// A precondition.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Which.
    pub node: ConditionNode,
    /// Where it stands.
    pub span: Span,
}

/// Preconditions.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionNode {
    /// `knownval(a op b)`; with `negated`, `not(a op b)`: true where `knownval` is not.
    Compare {
        /// Whether it is `not`.
        negated: bool,
        /// Left side.
        left: Expr,
        /// The operator.
        operator: Comparison,
        /// Right side.
        right: Expr,
    },
    /// `knownval(x R y is t)`: the pair is stored with this truth; with `negated`, `not(...)`.
    Related {
        /// Whether it is `not`.
        negated: bool,
        /// Left side.
        subject: Subject,
        /// The relation.
        relation: AttributeId,
        /// Right side.
        object: Subject,
        /// Stored as true, or as false.
        truth: bool,
    },
    /// `known(x.a)`; with `known` false, `unknown(x.a)`.
    Known {
        /// Whether a value must be there, or must not.
        known: bool,
        /// Of what.
        place: Place,
    },
    /// `known(x R)`, `unknown(x R)`: some pair is stored, or none.
    KnownPairs {
        /// Whether a pair must be there, or must not.
        known: bool,
        /// Left side.
        subject: Subject,
        /// The relation.
        relation: AttributeId,
    },
    /// `knownval(v = e)` with a variable of [`Domain::Values`] that nothing before has bound: gives it the value of `e`.
    Bind {
        /// The variable, an index into [`Frame::variables`].
        variable: u16,
        /// Its value.
        value: Expr,
    },
}

/// Something a frame or composite activity looks out for.
#[derive(Clone, Debug)]
pub struct Detectable {
    /// Its name.
    pub name: String,
    /// `when(40)`: once, when this many percent of the frame's time are done; `None` is whenever.
    pub percent: Option<u32>,
    /// What is looked for.
    pub sought: Sought,
    /// `dc`, 0 to 100.
    pub certainty: u32,
    /// What it leads to.
    pub action: DetectAction,
    /// Where it stands.
    pub span: Span,
}

/// What a detectable leads to, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DetectAction {
    /// `continue`
    Continue,
    /// `end_activity`
    EndActivity,
    /// `complete`
    Complete,
    /// `impasse`
    Impasse,
    /// `abort`
    Abort,
}

/// What a detectable looks for, or a transfer carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Sought {
    /// `x.a`, `x.a op e`, `x.a op ?`
    Attribute {
        /// Of whom.
        subject: Sighted,
        /// Which attribute.
        attribute: AttributeId,
        /// For maps: which entry.
        index: Option<Expr>,
        /// The comparison; `None` where any value will do.
        test: Option<(Comparison, Expr)>,
    },
    /// `x R y`, `x R ?`
    Related {
        /// Left side.
        subject: Sighted,
        /// The relation.
        relation: AttributeId,
        /// Right side; `None` for any.
        object: Option<Sighted>,
        /// The truth looked for; `None` for any.
        truth: Option<bool>,
    },
}

/// Whom a detectable looks at.
#[derive(Clone, Debug, PartialEq)]
pub enum Sighted {
    /// One.
    One(Subject),
    /// `<Sensor>`: every existing instance among these.
    Every(Vec<EntityId>),
}

/// A statement of a body.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `conclude(...)`
    Conclude(Conclude),
    /// `delete v`
    Delete(Subject, Span),
    /// An activity.
    Do(ActivityId),
}

/// A conclusion.
#[derive(Clone, Debug)]
pub struct Conclude {
    /// What is concluded.
    pub node: ConcludeNode,
    /// `bc`, 0 to 100.
    pub belief: u32,
    /// `fc`, 0 to 100; not looked at in thoughtframes.
    pub fact: u32,
    /// Where it stands.
    pub span: Span,
}

/// What is concluded.
#[derive(Clone, Debug, PartialEq)]
pub enum ConcludeNode {
    /// `x.a = e`
    Assign(Place, Expr),
    /// `x R y is t`; `None` is unknown.
    Relate(Subject, AttributeId, Subject, Option<bool>),
}
