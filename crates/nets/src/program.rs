//! A resolved model: every name is a number, every expression is typed and compiled, every transition is a list of
//! disjuncts in the order in which they are evaluated.
//!
//! Names in comments: Genrich and Lautenbach's predicate/transition nets, Lomazova's nested nets for kinds of steps.

use std::sync::Arc;

use motet_source::Span;

use crate::syntax::{Level, Symmetry};
use crate::value::{EnumerationId, NetId, Value};

/// A number of a place within its net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(pub u32);

/// A number of a transition within its net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionId(pub u32);

/// A number of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortId(pub u32);

/// A number of a variable of a disjunct, a definition or a claim: an index into the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// A number of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub u32);

/// A whole model.
#[derive(Clone, Debug)]
pub struct Program {
    /// The sorts of names.
    pub enumerations: Vec<Enumeration>,
    /// The channels.
    pub ports: Vec<Port>,
    /// The nets; `system` is one of them.
    pub nets: Vec<Net>,
    /// The outermost net.
    pub system: NetId,
    /// Named expressions over the markings of the system net.
    pub definitions: Vec<Definition>,
    /// Constants with their values, for the report.
    pub constants: Vec<(String, Value)>,
}

/// A sort of names.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// What it is called.
    pub name: String,
    /// Its members.
    pub members: Vec<String>,
    /// Whether they may be renamed into each other.
    pub symmetry: Symmetry,
}

/// A sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Black tokens.
    Token,
    /// Truth.
    Bool,
    /// Whole numbers, within these ends if there are any. A value outside is a fault of the model, with the run to it.
    Int(Option<(i64, i64)>),
    /// Members of an enumeration.
    Enumeration(EnumerationId),
    /// Templates.
    Class,
    /// Agents.
    Agent,
    /// Sets.
    Set(Arc<Sort>),
    /// Records.
    Record(Arc<RecordSort>),
    /// The sort of `{}` and of what could not be typed; fits everything.
    Unknown,
}

/// The fields of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSort {
    /// The declared name, if there is one.
    pub name: Option<String>,
    /// Names and sorts, in order.
    pub fields: Vec<(String, Sort)>,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Port {
    /// What it is called.
    pub name: String,
    /// What it carries.
    pub fields: Vec<(String, Sort)>,
    /// Its declaration.
    pub span: Span,
}

/// A net.
#[derive(Clone, Debug)]
pub struct Net {
    /// What it is called.
    pub name: String,
    /// System or template.
    pub level: Level,
    /// Constants of an instance: variables 0, 1, ... of every environment of this net.
    pub parameters: Vec<(String, Sort)>,
    /// Its places; hidden counters of limited transitions come last.
    pub places: Vec<Place>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// Its goals, over its own marking.
    pub goals: Vec<(String, Body)>,
    /// Its declaration.
    pub span: Span,
}

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// What it is called; a hidden counter has the name of its transition.
    pub name: String,
    /// What its tokens are.
    pub sort: Sort,
    /// How many tokens it holds.
    pub kind: PlaceKind,
    /// The most tokens it takes.
    pub capacity: Option<u32>,
    /// What it holds at the start.
    pub initial: Initial,
    /// Its declaration.
    pub span: Span,
}

/// How many tokens a place holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A multiset.
    Tokens,
    /// Exactly one.
    Cell,
    /// A cell that counts how often a limited transition may still fire. Not shown, not for claims.
    Limit,
}

/// The initial marking of a place, computed for each instance from its parameters.
#[derive(Clone, Debug)]
pub enum Initial {
    /// No tokens.
    Empty,
    /// A display or a comprehension: each element is a token; repetitions count.
    Tokens(Expr),
    /// So many black tokens.
    Black(Expr),
    /// The value of a cell.
    Value(Expr),
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// What it is called.
    pub name: String,
    /// Its disjuncts; each is one way to fire.
    pub alternatives: Vec<Alternative>,
    /// Its declaration.
    pub span: Span,
}

/// One disjunct: guard, picks, effects and at most one channel command. Evaluated in the order of its fields; everything
/// is computed in the marking before the firing.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Names of all variables: parameters of the net first, then those bound here.
    pub variables: Vec<String>,
    /// Tokens that are consumed. Two arcs on one place need two tokens.
    pub inputs: Vec<Input>,
    /// Tokens that have to be there, among those not consumed; two may share one.
    pub reads: Vec<Input>,
    /// Patterns that no token of the marking before the firing may match.
    pub inhibitors: Vec<Input>,
    /// With whom it fires.
    pub sync: Option<Sync>,
    /// Picks and lets, in order; after a value was received.
    pub bindings: Vec<Binding>,
    /// Conjuncts.
    pub guards: Vec<Expr>,
    /// New values of cells.
    pub updates: Vec<(PlaceId, Expr)>,
    /// Tokens that are produced.
    pub outputs: Vec<Output>,
    /// The variables that make a mode for fairness: bound by input arcs of places that are not cells.
    pub key: Vec<VariableId>,
    /// Where it is written.
    pub span: Span,
}

/// An arc whence tokens come.
#[derive(Clone, Debug)]
pub struct Input {
    /// The place.
    pub place: PlaceId,
    /// What the token looks like.
    pub pattern: Pattern,
    /// How many equal tokens.
    pub weight: u32,
}

/// An arc whither tokens go.
#[derive(Clone, Debug)]
pub struct Output {
    /// The place.
    pub place: PlaceId,
    /// The token.
    pub term: Expr,
    /// How many equal tokens.
    pub weight: u32,
}

/// What a token looks like. Patterns are matched from left to right, and a variable is bound before it is compared.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Anything.
    Any,
    /// Binds a variable that was not bound before.
    Bind(VariableId),
    /// Equals a value that can be computed already.
    Equal(Expr),
    /// Field by field.
    Record(Vec<Pattern>),
}

/// A choice or a name.
#[derive(Clone, Debug)]
pub enum Binding {
    /// `pick x in S where c`: each member is a mode of its own.
    Pick(VariableId, Expr, Option<Expr>),
    /// `let x = e`
    Let(VariableId, Expr),
}

/// A channel command.
#[derive(Clone, Debug)]
pub struct Sync {
    /// With whom.
    pub partner: Partner,
    /// Through which port.
    pub port: PortId,
    /// What passes: one element per field of the port.
    pub exchange: Exchange,
}

/// With whom.
#[derive(Clone, Debug)]
pub enum Partner {
    /// The host of this agent.
    Up,
    /// The agent of this value, which is bound by an input or read arc: the arc's number among inputs then reads, and the way
    /// from its token to the agent, field by field.
    Agent {
        /// Index into `inputs`, or past them into `reads`.
        arc: usize,
        /// Fields from the token to the agent.
        fields: Vec<usize>,
    },
    /// Another agent of the same host that offers the complement with an equal value.
    Channel(Expr),
}

/// What passes through a port.
#[derive(Clone, Debug)]
pub enum Exchange {
    /// These values.
    Send(Vec<Expr>),
    /// Values of this shape.
    Receive(Vec<Pattern>),
}

/// A named expression.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What it is called.
    pub name: String,
    /// How many arguments it takes: variables 0, 1, ... of its environment.
    pub arity: usize,
    /// What it stands for.
    pub body: Body,
    /// The sort of its value.
    pub sort: Sort,
    /// Its declaration.
    pub span: Span,
}

/// An expression with room for its variables.
#[derive(Clone, Debug)]
pub struct Body {
    /// Names of all variables, parameters first.
    pub variables: Vec<String>,
    /// What it computes.
    pub expr: Expr,
}

/// A compiled expression. Where it is evaluated there is one net instance: `Place` and `Cell` speak of its marking.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A value known already.
    Constant(Value),
    /// A variable.
    Variable(VariableId),
    /// The value of a cell of this net.
    Cell(PlaceId),
    /// The tokens of a place of this net, as something to quantify over, count and unite.
    Place(PlaceId),
    /// The tokens of the place, or the value of the cell, with this name in an agent. Per net of the program: its number
    /// there. An agent without it has no tokens there.
    Within(Box<Expr>, Arc<Vec<Option<PlaceId>>>),
    /// Whether the goal with this name holds in the marking of an agent. Per net of the program: its number there. An agent
    /// without it has not reached it.
    Goal(Box<Expr>, Arc<Vec<Option<usize>>>),
    /// A field of a record.
    Field(Box<Expr>, usize),
    /// A record.
    Record(Vec<Expr>),
    /// A set.
    Set(Vec<Expr>),
    /// `{ e | x in S, y in T where c }`. As a value a set; over places and in initial markings a bag.
    Comprehension(Box<Expr>, Vec<(VariableId, Expr)>, Option<Box<Expr>>),
    /// All numbers from the first to the second, as a set.
    Range(Box<Expr>, Box<Expr>),
    /// Negation.
    Not(Box<Expr>),
    /// The number with the other sign.
    Negative(Box<Expr>),
    /// Two operands.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// Both variables hold the same agent-bearing token: the same occurrence, not merely one with equal contents.
    SameToken(VariableId, VariableId),
    /// For all or for some; the domain is a set or tokens. Over tokens every occurrence counts by itself.
    Quantified(crate::syntax::Quantifier, VariableId, Box<Expr>, Box<Expr>),
    /// A condition.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A record with some fields replaced.
    With(Box<Expr>, Vec<(usize, Expr)>),
    /// A new agent of this template; arguments in order.
    New(Box<Expr>, Vec<Expr>),
    /// How many members a set has, or tokens there are.
    Size(Box<Expr>),
    /// How many tokens of these match.
    Count(Box<Expr>, Box<Pattern>),
    /// The template of an agent.
    ClassOf(Box<Expr>),
    /// A definition with its arguments.
    Call(DefinitionId, Vec<Expr>),
    /// The number, if it lies between these ends; otherwise a fault that names where it was to go. Wrapped around what flows
    /// into a bounded sort.
    Ranged(Box<Expr>, i64, i64, Arc<str>),
    /// Some transition of the system net with this number is enabled. Claims only.
    Enabled(TransitionId),
}

/// Operators between two operands. `union` and `minus` work on sets and on bags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Implication.
    Implies,
    /// Disjunction; the right side only if needed.
    Or,
    /// Conjunction; the right side only if needed.
    And,
    /// Equality; structural.
    Equal,
    /// Inequality.
    NotEqual,
    /// Order of numbers.
    Less,
    /// Order of numbers.
    LessEqual,
    /// Membership.
    In,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// Remainder.
    Modulo,
    /// Union of sets, sum of bags.
    Union,
    /// Difference of sets, of bags.
    Minus,
}
