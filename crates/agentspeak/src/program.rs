//! A team after resolving: names are numbers, arities and kinds are checked, bodies are straight code with jumps.
//! The semantics, the Promela translation and the words all read this and never the trees.

mod reads;

use motet_source::Span;

use crate::strangers::Strangers;
use crate::syntax::{Direction, Fold, RelationOperator, Sign, TriggerKind, WorldOperator};
use crate::term::{Symbol, TermId, Terms};

/// A whole team.
#[derive(Clone, Debug)]
pub struct Program {
    /// All symbols and ground terms of the text; the semantics adds those that turn up at run time.
    pub terms: Terms,
    /// Which language.
    pub mode: Mode,
    /// The members; process number `i` of the model is `agents[i]`.
    pub agents: Vec<Agent>,
    /// The environment; process number `agents.len()`, its `steps` follow.
    pub environment: Environment,
    /// Rules of trust, the last match wins; no match means trusted.
    pub trust: Vec<Trust>,
    /// Stand-ins for user's internal actions.
    pub stubs: Vec<Stub>,
    /// Capacities.
    pub bounds: Bounds,
    /// Who decides what the language leaves open.
    pub ties: Ties,
    /// Who spoke to the team from outside while it acted.
    pub strangers: Strangers,
}

/// Who decides what the language leaves open: who moves next, which event, plan and intention is selected, and the
/// alternatives of `either`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Nobody: all ways are looked at, and numbers have a least and a greatest value.
    #[default]
    Choice,
    /// Chance: everybody who can move is equally likely to, and so are the things that can be selected.
    Random,
}

/// Which language the programs are read as, as switches the semantics looks at one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// AgentSpeak(F) of Bordini et al. 2003.
    Strict,
    /// The Jason dialect: initial events and goals, plan failure, belief events inside the intention that caused them,
    /// actions that suspend the intention until the environment has executed them, newest belief first.
    Jason,
}

/// Capacities; more is the fault `bound exceeded`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Beliefs of an agent.
    pub beliefs: u32,
    /// Pending events of an agent.
    pub events: u32,
    /// Plan instances of an agent.
    pub intentions: u32,
    /// Actions that wait for the environment.
    pub actions: u32,
    /// Messages in a mailbox.
    pub messages: u32,
    /// Size of a term (nodes) and depth of a derivation by rules.
    pub terms: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { beliefs: 64, events: 64, intentions: 64, actions: 64, messages: 64, terms: 256 }
    }
}

/// A member of the team.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Its name.
    pub name: Symbol,
    /// Initial beliefs, ground, without repetition, in file order.
    pub beliefs: Vec<TermId>,
    /// Initial goals, in file order (Jason mode).
    pub goals: Vec<TermId>,
    /// Rules, in file order (Jason mode).
    pub rules: Vec<Rule>,
    /// Plans, in file order.
    pub plans: Vec<Plan>,
    /// Whether it takes part.
    pub presence: Presence,
}

/// Whether an agent takes part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// It moves.
    #[default]
    Present,
    /// A slice leaves it out: it never moves, and messages to it are sent but never arrive.
    LeftOut,
}

/// A number of a plan's or rule's variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableIndex(pub u16);

/// A term with variables, as plans and rules write it. Equal parts need not be shared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// No variables inside.
    Ground(TermId),
    /// A variable.
    Variable(VariableIndex),
    /// `_`: matches anything.
    Any,
    /// A structure; lists are `Terms::cons` cells.
    Structure(Symbol, Vec<Pattern>),
    /// Evaluated when the term is built.
    Arithmetic(crate::syntax::ArithmeticOperator, Box<Pattern>, Box<Pattern>),
}

/// A belief, goal or message pattern. Strong negation is part of the functor (`~p`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// A structure or a ground term.
    pub pattern: Pattern,
    /// `[source(S)]`: a condition on, or the value of, the source.
    pub source: Option<Pattern>,
}

/// `head :- condition.` Variables are numbered from 0 in each rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What follows.
    pub head: Pattern,
    /// From what.
    pub condition: Condition,
    /// How many variables.
    pub n_variables: u16,
    /// Its place.
    pub span: Span,
}

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its label, if it has one.
    pub label: Option<String>,
    /// Whether it runs without other intentions in between (Jason `[atomic]`).
    pub atomic: bool,
    /// Added or deleted.
    pub sign: Sign,
    /// Belief, achievement goal or test goal.
    pub kind: TriggerKind,
    /// What it reacts to.
    pub trigger: Atom,
    /// When it applies.
    pub context: Condition,
    /// What it does. Execution ends when the counter reaches the end.
    pub body: Vec<Instruction>,
    /// Names of the variables as written; hidden ones (loop cells) start with `$`.
    pub variables: Vec<String>,
    /// The plan's text up to the arrow, on one line: `+!alliance(I,A) : not(alliance(I,A))`.
    pub head_text: String,
    /// Its place (the head).
    pub span: Span,
}

/// A condition over an agent's beliefs. Evaluation goes left to right and binds variables; the first solution counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Holds.
    True,
    /// Does not.
    False,
    /// Some belief (or rule) matches.
    Belief(Atom),
    /// No solution; binds nothing.
    Not(Box<Condition>),
    /// All, left to right with backtracking.
    And(Vec<Condition>),
    /// The solutions of the first, then of the others.
    Or(Vec<Condition>),
    /// Arithmetic on both sides, then the relation; `Unify` may bind.
    Relation(RelationOperator, Pattern, Pattern),
    /// A test by an internal action; may bind its last argument.
    Internal(Internal, Vec<Argument>),
    /// A test by a stub.
    Stub(usize, Vec<Pattern>),
}

/// One formula of a body with its place and text.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// Its place.
    pub span: Span,
    /// Its text on one line, for traces.
    pub text: String,
}

/// A formula of a body. One is executed per cycle, except `Jump` and `Forget`, which are followed at no cost
/// after the formula before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// An action on the environment.
    Act(Pattern),
    /// `!g`
    Achieve(Pattern),
    /// `!!g`
    AchieveNew(Pattern),
    /// `?c`
    Test(Condition),
    /// `+b`
    Add(Atom),
    /// `-b`
    Delete(Atom),
    /// `-+b`
    Replace(Atom),
    /// `.send(to, force, content)`
    Send(Pattern, Force, Pattern),
    /// `.broadcast(force, content)`
    Broadcast(Force, Pattern),
    /// Another internal action.
    Internal(Internal, Vec<Argument>),
    /// `X = Y + 1`
    Relation(RelationOperator, Pattern, Pattern),
    /// A stub.
    Stub(usize, Vec<Pattern>),
    /// Goes on if the condition holds (binding its variables), else at the given instruction: `if` and `while`.
    Branch(Condition, usize),
    /// Goes on at the given instruction.
    Jump(usize),
    /// Unbinds these; followed at no cost like `Jump`. Stands at the end of a loop's body, because every round starts
    /// with the bindings the loop was entered with: `while (counter(X) & X < 3) { -+counter(X + 1) }`.
    Forget(Vec<VariableIndex>),
    /// `for`: at first arrival all solutions are collected in the hidden variable `cell` as a list of bindings of
    /// `bound`; each arrival takes the next one and binds it; when none is left `cell` and `bound` are unbound again and
    /// execution goes on at `end`. The loop's body ends with a `Jump` back here.
    Each {
        /// Whose solutions.
        condition: Condition,
        /// The variables it binds anew.
        bound: Vec<VariableIndex>,
        /// The hidden variable.
        cell: VariableIndex,
        /// Where to go on.
        end: usize,
    },
}

/// What a message wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Force {
    /// Believe it.
    Tell,
    /// No longer believe it.
    Untell,
    /// Achieve it.
    Achieve,
    /// Drop the goal (Jason).
    Unachieve,
}

/// An argument of an internal action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A term.
    Term(Pattern),
    /// A condition: `.findall(X, p(X) & q(X), L)`.
    Condition(Condition),
}

/// The internal actions that are built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Internal {
    /// `.print`, `.println`: no effect, shown in runs.
    Print,
    /// `.gt .gte .lt .lte .eq .neq`: tests.
    Compare(RelationOperator),
    /// `.plus .minus .times .div .mod`: the last argument is the result.
    Compute(crate::syntax::ArithmeticOperator),
    /// `.my_name(X)`
    MyName,
    /// `.findall(Template, Condition, List)`
    FindAll,
    /// `.setof(Template, Condition, List)`: sorted, without repetition
    SetOf,
    /// `.count(Condition, N)`
    Count,
    /// `.length(List, N)`
    Length,
    /// `.member(X, List)`: backtracks
    Member,
    /// `.concat(L1, L2, .., L)`
    Concat,
    /// `.nth(I, List, X)`
    Nth,
    /// `.max(List, X)`
    Max,
    /// `.min(List, X)`
    Min,
    /// `.sort(List, Sorted)`
    Sort,
    /// `.reverse(List, Reversed)`
    Reverse,
    /// `.delete(X, List, Rest)`
    Remove,
    /// `.union(A, B, C)`
    Union,
    /// `.intersection(A, B, C)`
    Intersection,
    /// `.difference(A, B, C)`
    Difference,
    /// `.empty(List)`
    Empty,
    /// `.ground(T)`
    Ground,
    /// `.number(T)`
    IsNumber,
    /// `.atom(T)`
    IsAtom,
    /// `.list(T)`
    IsList,
    /// `.string(T)`
    IsText,
    /// `.structure(T)`
    IsStructure,
    /// `.desire(g)`
    Desire,
    /// `.intend(g)`
    Intend,
    /// `.drop_desire(g)`
    DropDesire,
    /// `.drop_intention(g)`
    DropIntention,
    /// `.drop_all_desires`
    DropAllDesires,
    /// `.drop_all_intentions`
    DropAllIntentions,
    /// `.drop_event(g)`
    DropEvent,
    /// `.succeed_goal(g)`
    SucceedGoal,
    /// `.fail_goal(g)`
    FailGoal,
    /// `.abolish(b)`
    Abolish,
    /// `.fail`
    Fail,
    /// `.wait(..)`, `.at`: one cycle without effect, stated as an abstraction of time.
    Wait,
}

/// A rule of trust.
#[derive(Clone, Debug)]
pub struct Trust {
    /// `Tell` (also untell) or `Achieve` (also unachieve).
    pub force: Force,
    /// Number of the sender; `None` is any.
    pub sender: Option<usize>,
    /// Number of the receiver; `None` is any.
    pub receiver: Option<usize>,
    /// Patterns that are trusted; `None` is everything, an empty list nothing. Variables are all [`Pattern::Any`].
    pub only: Option<Vec<Pattern>>,
}

/// A stand-in for a user's internal action.
#[derive(Clone, Debug)]
pub struct Stub {
    /// `jia.dist`
    pub name: String,
    /// Which arguments are read and which written.
    pub params: Vec<Direction>,
    /// What it answers.
    pub answer: Answer,
}

/// What a stub answers; each value is a choice for the checker. The value goes to the one `Out` parameter.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Success.
    Succeeds,
    /// Success or failure.
    Either,
    /// One of these.
    OneOf(Vec<TermId>),
    /// A computed number; `Expr::Local(i)` is parameter number `i`.
    Value(Expr),
}

/// A value of the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `none`
    None,
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Int(i64),
    /// An agent or another symbol.
    Symbol(Symbol),
}

/// The environment. Its state is one value per cell; an indexed variable has one cell per member of its sort.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Its name; empty if the team has none: then every action succeeds and changes nothing.
    pub name: String,
    /// Constants with their values after `-D`.
    pub constants: Vec<(String, Value)>,
    /// Sorts with their members; `agent` is number 0.
    pub sorts: Vec<(String, Vec<Value>)>,
    /// Variables.
    pub variables: Vec<Variable>,
    /// First values, cell by cell.
    pub initial: Vec<Value>,
    /// Views of the variables, in order.
    pub percepts: Vec<Percept>,
    /// Rules for actions; the first that matches is taken, none means refused.
    pub actions: Vec<ActionRule>,
    /// Spontaneous steps; process number `agents.len() + 1 + i`.
    pub steps: Vec<StepRule>,
    /// Reactions, run after every action and step until none applies (first applicable, again from the top).
    pub reactions: Vec<Reaction>,
}

/// A variable of the environment.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The sort it is indexed by.
    pub index: Option<usize>,
    /// Its first cell.
    pub cell: usize,
    /// Its values, in order; an assignment of another value is a fault that names the variable.
    pub domain: Domain,
    /// Its place.
    pub span: Span,
}

/// Values a variable may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `low..high`
    Range(i64, i64),
    /// `bool`
    Bool,
    /// Exactly these.
    Members(Vec<Value>),
    /// `none`, or these.
    Optional(Box<Domain>),
}

/// A percept: a view that holds exactly while its condition holds.
#[derive(Clone, Debug)]
pub struct Percept {
    /// Who perceives it.
    pub to: Audience,
    /// One percept per member of this sort, bound to local number `n`.
    pub each: Option<(usize, usize)>,
    /// The functor.
    pub name: Symbol,
    /// Its arguments.
    pub args: Vec<Expr>,
    /// When.
    pub when: Option<Expr>,
    /// How many locals the rule uses.
    pub n_locals: usize,
    /// Its place.
    pub span: Span,
}

/// Who perceives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Every agent.
    Everyone,
    /// One agent.
    Agent(usize),
    /// Each agent its own: the perceiving agent is bound to this local.
    Each(usize),
}

/// A rule for an action.
#[derive(Clone, Debug)]
pub struct ActionRule {
    /// The functor.
    pub name: Symbol,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// Who acts.
    pub by: Option<Parameter>,
    /// Otherwise the next rule is tried.
    pub when: Option<Expr>,
    /// What it does.
    pub effects: Vec<Effect>,
    /// How many locals.
    pub n_locals: usize,
    /// Its place.
    pub span: Span,
}

/// A parameter of an action rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Bound to this local. An argument that is no [`Value`] (a structure, a text) never matches.
    Local(usize),
    /// Must equal this.
    Value(Value),
}

/// A spontaneous step.
#[derive(Clone, Debug)]
pub struct StepRule {
    /// Its name, a process of its own.
    pub name: String,
    /// When.
    pub when: Option<Expr>,
    /// What it does.
    pub effects: Vec<Effect>,
    /// How many locals.
    pub n_locals: usize,
    /// Its place.
    pub span: Span,
}

/// A reaction.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// When.
    pub when: Expr,
    /// What it does.
    pub effects: Vec<Effect>,
    /// How many locals.
    pub n_locals: usize,
    /// Its place.
    pub span: Span,
}

/// What a rule does, in order.
#[derive(Clone, Debug)]
pub enum Effect {
    /// One cell: variable, index expression (for indexed variables), value.
    Assign(usize, Option<Expr>, Expr),
    /// All cells of an indexed variable.
    AssignAll(usize, Expr),
    /// Condition, then, otherwise.
    If(Expr, Vec<Effect>, Vec<Effect>),
    /// A choice.
    Either(Vec<Vec<Effect>>),
    /// Chance; the ratios sum to one.
    Chance(Vec<(motet_model::Ratio, Vec<Effect>)>),
}

/// An expression over the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A value.
    Value(Value),
    /// A plain variable.
    Variable(usize),
    /// An indexed variable at an index.
    At(usize, Box<Expr>),
    /// A local name.
    Local(usize),
    /// `-x`
    Negative(Box<Expr>),
    /// `not c`
    Not(Box<Expr>),
    /// `abs(x)`
    Absolute(Box<Expr>),
    /// `min(x, y)`
    Lesser(Box<Expr>, Box<Expr>),
    /// `max(x, y)`
    Larger(Box<Expr>, Box<Expr>),
    /// Two operands; comparisons of `none` with a number are false, except `==` and `!=`; arithmetic on `none` is a fault.
    Binary(WorldOperator, Box<Expr>, Box<Expr>),
    /// Over the members of a sort, bound to a local: fold, local, sort, body.
    Fold(Fold, usize, usize, Box<Expr>),
}
