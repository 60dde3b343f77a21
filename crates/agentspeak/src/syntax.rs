//! The trees of the three texts: agent programs (`.asl`), team files (`.team`) and Jason projects (`.mas2j`).
//! Plain values and spans; names are still strings.

use motet_source::{Span, Spanned};

/// An agent program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentTree {
    /// Initial beliefs, in order.
    pub beliefs: Vec<Literal>,
    /// `head :- condition.`
    pub rules: Vec<RuleTree>,
    /// `!goal.`
    pub goals: Vec<Literal>,
    /// Plans, in order.
    pub plans: Vec<PlanTree>,
}

/// `[~]name(args)[annotations]`
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// `~`: strong negation.
    pub strongly_negated: bool,
    /// The functor; a variable literal (`P` in a body) is refused by the parser.
    pub name: Spanned<String>,
    /// Arguments.
    pub args: Vec<TermTree>,
    /// `[source(ag1), atomic]`
    pub annotations: Vec<TermTree>,
    /// All of it.
    pub span: Span,
}

/// A term and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct TermTree {
    /// The term.
    pub kind: TermKind,
    /// Its place.
    pub span: Span,
}

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// `X`
    Variable(String),
    /// `_`
    Anonymous,
    /// `42`
    Int(i64),
    /// `0.5`, as written
    Real(String),
    /// `"text"`, unescaped
    Text(String),
    /// `p(x)`, `ag1`, `~p`, with annotations
    Structure(Box<Literal>),
    /// `[a, b | T]`
    List(Vec<TermTree>, Option<Box<TermTree>>),
    /// `X + 1`
    Binary(ArithmeticOperator, Box<TermTree>, Box<TermTree>),
    /// `-X`
    Negative(Box<TermTree>),
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `div`
    IntegerDivide,
    /// `mod`
    Modulo,
    /// `**`
    Power,
}

/// Relations between terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationOperator {
    /// `=`: unify (after arithmetic)
    Unify,
    /// `==`
    Equal,
    /// `\==`
    Different,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=..`
    Decompose,
}

impl ArithmeticOperator {
    /// As written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::IntegerDivide => "div",
            Self::Modulo => "mod",
            Self::Power => "**",
        }
    }
}

impl RelationOperator {
    /// As written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Unify => "=",
            Self::Equal => "==",
            Self::Different => "\\==",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Decompose => "=..",
        }
    }
}

/// A logical expression: a plan's context, a rule's body, a test.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionTree {
    /// `true`
    True(Span),
    /// `false`
    False(Span),
    /// A belief.
    Belief(Literal),
    /// `.gte(T, N)`, `jia.near(X)`: the name without the leading dot; `dotted` names keep inner dots.
    Internal(InternalTree),
    /// `X > 3`
    Relation(RelationOperator, TermTree, TermTree),
    /// `not c`
    Not(Box<ConditionTree>, Span),
    /// `c & d`
    And(Box<ConditionTree>, Box<ConditionTree>),
    /// `c | d`
    Or(Box<ConditionTree>, Box<ConditionTree>),
}

/// An internal action: `.send(A, tell, p)`, `jia.dist(X, Y, D)`.
#[derive(Clone, Debug, PartialEq)]
pub struct InternalTree {
    /// `.send`, `.my_name`, `jia.dist`: as written, with the leading dot where there is one.
    pub name: Spanned<String>,
    /// Arguments. A plan or condition argument (`.findall(X, p(X), L)`) is parsed as a condition.
    pub args: Vec<InternalArgument>,
    /// All of it.
    pub span: Span,
}

/// An argument of an internal action.
#[derive(Clone, Debug, PartialEq)]
pub enum InternalArgument {
    /// A term.
    Term(TermTree),
    /// A condition that is not a term: `p(X) & not q(X)`.
    Condition(ConditionTree),
}

/// `@label trigger : context <- body.`
#[derive(Clone, Debug, PartialEq)]
pub struct PlanTree {
    /// The label.
    pub label: Option<Spanned<String>>,
    /// `@label[atomic]`
    pub annotations: Vec<TermTree>,
    /// What it reacts to.
    pub trigger: TriggerTree,
    /// When it applies; `True` if absent.
    pub context: ConditionTree,
    /// What it does.
    pub body: Vec<FormulaTree>,
    /// All of it.
    pub span: Span,
}

/// `+!g(X)[source(S)]`
#[derive(Clone, Debug, PartialEq)]
pub struct TriggerTree {
    /// Added or deleted.
    pub sign: Sign,
    /// Belief, achievement goal or test goal.
    pub kind: TriggerKind,
    /// The pattern.
    pub literal: Literal,
    /// All of it.
    pub span: Span,
}

/// Addition or deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `+`
    Added,
    /// `-`
    Deleted,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriggerKind {
    /// `+b`
    Belief,
    /// `+!g`
    Achieve,
    /// `+?g`
    Test,
}

/// One formula of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaTree {
    /// What it is.
    pub kind: FormulaKind,
    /// Its place.
    pub span: Span,
}

/// A formula of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaKind {
    /// `move(X)`: an action on the environment.
    Action(Literal),
    /// `.send(..)`, `jia.x(..)`
    Internal(InternalTree),
    /// `!g`
    Achieve(Literal),
    /// `!!g`
    AchieveNew(Literal),
    /// `?c`
    Test(ConditionTree),
    /// `+b`
    Add(Literal),
    /// `-b`
    Delete(Literal),
    /// `-+b`
    Replace(Literal),
    /// `X = Y + 1`, `X < 3`
    Relation(RelationOperator, TermTree, TermTree),
    /// `if (c) { .. } elif .. else { .. }`
    If(ConditionTree, Vec<FormulaTree>, Vec<FormulaTree>),
    /// `while (c) { .. }`
    While(ConditionTree, Vec<FormulaTree>),
    /// `for (c) { .. }`
    For(ConditionTree, Vec<FormulaTree>),
}

/// `head :- condition.`
#[derive(Clone, Debug, PartialEq)]
pub struct RuleTree {
    /// What follows.
    pub head: Literal,
    /// From what.
    pub condition: ConditionTree,
    /// All of it.
    pub span: Span,
}

/// A team file, or a Jason project seen as one. Everything is optional: a folder of agent programs needs none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TeamTree {
    /// `team NAME`
    pub name: Option<Spanned<String>>,
    /// `mode strict` or `mode jason`
    pub mode: Option<Spanned<String>>,
    /// `agent ag1`, `agent bob: worker.asl`, `agent worker: worker.asl * 3` (worker1, worker2, worker3)
    pub agents: Vec<MemberTree>,
    /// `bound events = 8`
    pub bounds: Vec<(Spanned<String>, Spanned<i64>)>,
    /// `trust tell ag1 -> ag2: none`
    pub trust: Vec<TrustTree>,
    /// `stub jia.dist(+, +, -) in 0..20`
    pub stubs: Vec<StubTree>,
    /// `env NAME { .. }`
    pub environment: Option<EnvironmentTree>,
}

/// A member of the team.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberTree {
    /// Its name; with a count, the stem of the names.
    pub name: Spanned<String>,
    /// Its program; `NAME.asl` if absent.
    pub file: Option<Spanned<String>>,
    /// How many; 1 if absent.
    pub count: Option<Spanned<i64>>,
    /// Beliefs and goals added by a project file.
    pub extra: Option<AgentTree>,
}

/// `trust tell SENDER -> RECEIVER: all | none | only p(_), q(_)`; `*` or absence means any.
#[derive(Clone, Debug, PartialEq)]
pub struct TrustTree {
    /// `tell` (also governs untell) or `achieve`.
    pub force: Spanned<String>,
    /// The sender; `None` is any.
    pub sender: Option<Spanned<String>>,
    /// The receiver; `None` is any.
    pub receiver: Option<Spanned<String>>,
    /// What is trusted.
    pub what: TrustedTree,
    /// All of it.
    pub span: Span,
}

/// What is trusted.
#[derive(Clone, Debug, PartialEq)]
pub enum TrustedTree {
    /// Everything.
    All,
    /// Nothing.
    None,
    /// What matches one of these.
    Only(Vec<Literal>),
}

/// A declared stand-in for a user's internal action: `stub jia.dist(+X, +Y, -D) in 0..20`, `... = abs(X - Y)`,
/// `stub jia.ask(-A) in {yes, no}`, `stub jia.near(+X) either` (may succeed or fail).
#[derive(Clone, Debug, PartialEq)]
pub struct StubTree {
    /// `jia.dist`, or a name with a leading dot.
    pub name: Spanned<String>,
    /// `+` or `-`, and a name that the result may use.
    pub params: Vec<(Direction, Option<Spanned<String>>)>,
    /// What it answers.
    pub answer: StubAnswer,
    /// All of it.
    pub span: Span,
}

/// Whether a stub reads or writes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `+`
    In,
    /// `-`
    Out,
}

/// What a stub answers.
#[derive(Clone, Debug, PartialEq)]
pub enum StubAnswer {
    /// Succeeds and does nothing.
    Succeeds,
    /// Succeeds or fails, a choice.
    Either,
    /// Any number of the range, a choice; for the one `-` parameter.
    Range(WorldExpr, WorldExpr),
    /// Any of these, a choice; for the one `-` parameter.
    OneOf(Vec<TermTree>),
    /// The value of an expression over the named parameters.
    Value(WorldExpr),
}

/// `env NAME { .. }`
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentTree {
    /// Its name.
    pub name: Spanned<String>,
    /// Its items, in order.
    pub items: Vec<EnvironmentItem>,
    /// All of it.
    pub span: Span,
}

/// An item of an environment.
#[derive(Clone, Debug, PartialEq)]
pub enum EnvironmentItem {
    /// `const LAST = 10`
    Const(Spanned<String>, WorldExpr),
    /// `sort room = {kitchen, hall}` or `sort seat = 1..4`
    Sort(Spanned<String>, TypeTree),
    /// `var bid[agent] : opt 0..20 = none`
    Variable {
        /// Its name.
        name: Spanned<String>,
        /// The sort it is indexed by.
        index: Option<Spanned<String>>,
        /// Its values.
        domain: TypeTree,
        /// Its first value; the domain's first if absent (`none` for `opt`).
        initial: Option<WorldExpr>,
    },
    /// `percept [to NAME:] [for x in sort:] atom [when cond]`. `NAME` is an agent, or a new name that ranges over `agent`.
    Percept {
        /// For one agent only.
        to: Option<Spanned<String>>,
        /// One percept per member.
        each: Option<(Spanned<String>, Spanned<String>)>,
        /// The functor.
        name: Spanned<String>,
        /// Its arguments.
        args: Vec<WorldExpr>,
        /// It holds exactly while this holds.
        when: Option<WorldExpr>,
        /// All of it.
        span: Span,
    },
    /// `action place_bid(k, b) by a when k == n { .. }`. A parameter is a new name, or a constant of the vocabulary in quotes or
    /// a number.
    Action {
        /// The functor.
        name: Spanned<String>,
        /// Names the arguments are bound to, or values they must equal.
        params: Vec<WorldExpr>,
        /// The name the acting agent is bound to, or an agent.
        by: Option<Spanned<String>>,
        /// Otherwise it is refused.
        when: Option<WorldExpr>,
        /// What it does.
        effects: Vec<EffectTree>,
        /// All of it.
        span: Span,
    },
    /// `step tick when n < 3 { .. }`
    Step {
        /// Its name; it is a process of its own.
        name: Spanned<String>,
        /// When it may happen.
        when: Option<WorldExpr>,
        /// What it does.
        effects: Vec<EffectTree>,
        /// All of it.
        span: Span,
    },
    /// `react when cond { .. }`
    React {
        /// When it happens, at once.
        when: WorldExpr,
        /// What it does.
        effects: Vec<EffectTree>,
        /// All of it.
        span: Span,
    },
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeTree {
    /// `0..20`
    Range(WorldExpr, WorldExpr),
    /// `bool`
    Bool(Span),
    /// A sort's name: `agent`, or a declared one.
    Sort(Spanned<String>),
    /// `{a, b, c}`
    Set(Vec<Spanned<String>>),
    /// `opt type`: the type, or `none`.
    Optional(Box<TypeTree>),
}

/// What a rule of the environment does.
#[derive(Clone, Debug, PartialEq)]
pub enum EffectTree {
    /// `x := e`, `x[i] := e`; a whole array without an index.
    Assign(Spanned<String>, Option<WorldExpr>, WorldExpr),
    /// `if c { .. } else { .. }`
    If(WorldExpr, Vec<EffectTree>, Vec<EffectTree>),
    /// `either { .. } or { .. }`
    Either(Vec<Vec<EffectTree>>),
    /// `prob { 0.5: { .. }, 0.5: { .. } }`: the numbers as written.
    Chance(Vec<(Spanned<String>, Vec<EffectTree>)>),
}

/// An expression of the environment language.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldExpr {
    /// The expression.
    pub kind: WorldKind,
    /// Its place.
    pub span: Span,
}

/// An expression of the environment language.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldKind {
    /// `3`
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `none`
    None,
    /// A variable, a constant, a local name, an agent or another symbol.
    Name(String),
    /// `"north"`: a symbol in quotes, never a name of something declared.
    Quoted(String),
    /// `bid[a]`
    Index(String, Box<WorldExpr>),
    /// Functions: `abs(x)`, `min(x, y)`, `max(x, y)`
    Call(String, Vec<WorldExpr>),
    /// `-x`
    Negative(Box<WorldExpr>),
    /// `not c`, `!c`
    Not(Box<WorldExpr>),
    /// Arithmetic, comparison, `and`/`&`/`&&`, `or`/`|`/`||`, `->`
    Binary(WorldOperator, Box<WorldExpr>, Box<WorldExpr>),
    /// `all a in agent: c`, `max a in agent: e`, ...
    Fold(Fold, Spanned<String>, Spanned<String>, Box<WorldExpr>),
}

/// What is done over all members of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// `all`
    All,
    /// `some`
    Some,
    /// `max`
    Max,
    /// `min`
    Min,
    /// `count`: how many satisfy a condition
    Count,
    /// `sum`
    Sum,
    /// `argmax`, ties go to the first declared; members where the expression is `none` are passed over
    ArgMax,
    /// `argmin`, likewise
    ArgMin,
}

/// Operators of the environment language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorldOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero
    Divide,
    /// `%`
    Modulo,
    /// `==`, `=`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `and`
    And,
    /// `or`
    Or,
    /// `->`
    Implies,
}
