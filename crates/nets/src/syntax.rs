//! The tree of a net text: what was written, before names mean anything. Construction (weaving, roles, mediators) works on
//! this tree, so that its results can be printed and read again.

use motet_source::{Span, Spanned};

/// A name with its place.
pub type Name = Spanned<String>;

/// Everything in one text, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// The items.
    pub items: Vec<Item>,
}

/// A declaration at the top level.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `enum CAR = {sedan, truck};`
    Enumeration(Enumeration),
    /// `type Vehicle = (kind: CAR, tank: int 0..1);`
    Type(Name, TypeText),
    /// `const N = 3;`: `-D N=4` binds it anew.
    Constant(Name, Expression),
    /// `port park(st: int 1..3);`
    Port(Port),
    /// `def cars = parked union waiting;`, `def pending(n) = exists m in p1: m.user = n;`
    Definition(Definition),
    /// `agent net K(card: int) { ... }`, `system net S() { ... }`
    Net(Net),
    /// `aspect Pumping { advice { ... } weave Diesel { arrived -> GasStation } }`
    Aspect(Aspect),
    /// `role O_NET(me: ATOM) permits read_ starts (me, read_, advisory, Wilma);`
    Role(Role),
    /// `mediator Station from Diesel, Bank { ... }`
    Mediator(Mediator),
}

/// A sort of names.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// What it is called.
    pub name: Name,
    /// Its members, in order.
    pub members: Vec<Name>,
    /// `interchangeable enum CLIENT = {c1, c2};`: no member is special, and markings that differ by renaming are one state.
    pub symmetry: Symmetry,
}

/// Whether the members of a sort may be renamed into each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// Each is itself.
    #[default]
    Distinct,
    /// Markings that differ by renaming are one state.
    Interchangeable,
}

/// A sort as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeText {
    /// What it says.
    pub node: TypeNode,
    /// Where.
    pub span: Span,
}

/// What a sort text says.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeNode {
    /// `int`, `int 0..5`; the ends are constant expressions.
    Int(Option<(Box<Expression>, Box<Expression>)>),
    /// `bool`
    Bool,
    /// `token`: black, without a value.
    Token,
    /// `class`: the templates of agent nets.
    Class,
    /// `agent`: an agent net with its marking.
    Agent,
    /// A declared name.
    Named(String),
    /// `set of T`
    Set(Box<TypeText>),
    /// `(kind: CAR, tank: int)`
    Record(Vec<Field>),
}

/// A field of a record, a parameter of a net or of a port.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What it is called.
    pub name: Name,
    /// Of what sort.
    pub sort: TypeText,
}

/// A synchronous channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// What it is called.
    pub name: Name,
    /// What it carries.
    pub fields: Vec<Field>,
}

/// A named expression over markings, for guards, claims and other definitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// What it is called.
    pub name: Name,
    /// Names its body may use.
    pub parameters: Vec<Name>,
    /// What it stands for.
    pub body: Expression,
}

/// A net: the system net or a template of agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// What it is called.
    pub name: Name,
    /// System or agent.
    pub level: Level,
    /// Constants of an instance.
    pub parameters: Vec<Field>,
    /// Places, transitions and the rest, in order.
    pub members: Vec<Member>,
    /// The whole text.
    pub span: Span,
}

/// Where a net stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The one outermost net.
    System,
    /// A template whose instances are tokens.
    Agent,
}

/// A declaration inside a net.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// `place p, q : T capacity 2 = { ... };` or `cell c : T = e;`
    Place(Place),
    /// `transition t { ... }`
    Transition(Transition),
    /// `operation lookup on read_ agents Activated using p1, p2 -> p7 { ... }`: three transitions around shared work. Construction
    /// replaces it.
    Operation(Operation),
    /// `goal home : size(LosAngeles) = 1;`: what an agent wants to reach.
    Goal(Name, Expression),
}

impl Member {
    /// Where it is written.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Place(place) => place.span,
            Self::Transition(transition) => transition.span,
            Self::Operation(operation) => operation.span,
            Self::Goal(name, wanted) => name.span.to(wanted.span),
        }
    }
}

/// One or several places of one sort.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// What they are called.
    pub names: Vec<Name>,
    /// A multiset of tokens, or exactly one.
    pub kind: PlaceKind,
    /// Of what sort the tokens are.
    pub sort: TypeText,
    /// The most tokens it takes; a transition that would add more is not enabled.
    pub capacity: Option<Expression>,
    /// What it holds at the start.
    pub initial: Initial,
    /// The whole text.
    pub span: Span,
}

/// How many tokens a place holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// Any number: a multiset.
    Tokens,
    /// Exactly one, whose value is replaced: `c' = e`.
    Cell,
}

/// The initial marking of a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// Nothing was written: no tokens.
    Empty,
    /// `= { e, f }` or `= { e | x in S where c }`: a set display read as a multiset.
    Tokens(Expression),
    /// `= 3` black tokens for a place, `= e` the value for a cell.
    Value(Expression),
}

/// A transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// What it is called.
    pub name: Name,
    /// How often it may fire in all.
    pub limit: Option<Expression>,
    /// Arcs, guards and effects.
    pub body: Vec<Statement>,
    /// The whole text.
    pub span: Span,
}

/// A statement of a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it says.
    pub node: StatementNode,
    /// The whole text.
    pub span: Span,
}

/// What a statement says.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementNode {
    /// `in p(x), q(y);`: consume.
    In(Vec<ArcIn>),
    /// `read p(x);`: test.
    Read(Vec<ArcIn>),
    /// `inhib p(x);`: no token matches.
    Inhibit(Vec<ArcIn>),
    /// `out p(e) * 2;`: produce.
    Out(Vec<ArcOut>),
    /// `when e;`
    When(Expression),
    /// `pick a in S where c;`: some member, visible afterwards.
    Pick(Name, Expression, Option<Expression>),
    /// `let x = e;`
    Let(Name, Expression),
    /// `c' = e;`: the new value of a cell, or of a variable that an output arc mentions as `c'`. With fields, `r'.content = e`
    /// defines one of them, and the others keep their values.
    Update(Name, Vec<Name>, Expression),
    /// `sync up ! pay(e);`, `sync a.net ? pay(x);`
    Sync(Sync),
    /// `alt { ... }`: one disjunct; the statements outside belong to each.
    Alternative(Vec<Statement>),
}

/// An arc from a place.
#[derive(Clone, Debug, PartialEq)]
pub struct ArcIn {
    /// Whence.
    pub place: Name,
    /// What the token looks like: one pattern for the whole token, or one for each field. Empty for black tokens.
    pub patterns: Vec<Pattern>,
    /// How many such tokens; 1 if nothing is written.
    pub weight: Option<Expression>,
    /// The whole text.
    pub span: Span,
}

/// An arc to a place.
#[derive(Clone, Debug, PartialEq)]
pub struct ArcOut {
    /// Whither.
    pub place: Name,
    /// The token, or one expression for each field. Empty for black tokens.
    pub terms: Vec<Expression>,
    /// How many such tokens; 1 if nothing is written.
    pub weight: Option<Expression>,
    /// The whole text.
    pub span: Span,
}

/// What a token looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// What it says.
    pub node: PatternNode,
    /// Where.
    pub span: Span,
}

/// What a pattern says.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternNode {
    /// A variable to bind, or a bound or constant name to equal.
    Name(String),
    /// A number to equal.
    Int(i64),
    /// `true` or `false` to equal.
    Bool(bool),
    /// `_`: anything.
    Any,
    /// `(a, b)`: field by field.
    Tuple(Vec<Pattern>),
}

/// A channel command.
#[derive(Clone, Debug, PartialEq)]
pub struct Sync {
    /// With whom.
    pub partner: Partner,
    /// Through which port.
    pub port: Name,
    /// What is handed over or taken.
    pub exchange: Exchange,
}

/// Whom a channel command addresses.
#[derive(Clone, Debug, PartialEq)]
pub enum Partner {
    /// `up`: the net that holds this agent.
    Up,
    /// `a.net`: an agent bound by an arc of the same transition.
    Agent(Expression),
    /// `chan(e)`: any other agent of the same host that speaks of the same value.
    Channel(Expression),
}

/// What passes through a port.
#[derive(Clone, Debug, PartialEq)]
pub enum Exchange {
    /// `! port(e, f)`
    Send(Vec<Expression>),
    /// `? port(x, y)`
    Receive(Vec<Pattern>),
}

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it says.
    pub node: ExpressionNode,
    /// Where.
    pub span: Span,
}

/// What an expression says.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionNode {
    /// A number.
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// A variable, constant, enumerator, template, place, cell or definition.
    Name(String),
    /// `x'`: the value of a variable or cell after firing, which some `x' = e` or `x'.f = e` of the same disjunct defines.
    Primed(String),
    /// `f(e, ...)`: a definition with arguments, or one of `size`, `nonempty`, `class`, `count`, `enabled`, `fires`.
    Call(Name, Vec<Expression>),
    /// `e.f`: a field of a record, or the tokens of a place of an agent.
    Field(Box<Expression>, Name),
    /// `(e, f)`: a record by position.
    Tuple(Vec<Expression>),
    /// `{e, f}`
    Set(Vec<Expression>),
    /// `{ e | x in S, y in T where c }`
    Comprehension(Box<Expression>, Vec<(Name, Expression)>, Option<Box<Expression>>),
    /// `a..b`: all numbers from a to b, as a set.
    Range(Box<Expression>, Box<Expression>),
    /// `not e`
    Not(Box<Expression>),
    /// `-e`
    Negative(Box<Expression>),
    /// Two operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `forall x in S, y in T: e`, `exists ...`
    Quantified(Quantifier, Vec<(Name, Expression)>, Box<Expression>),
    /// `if c then a else b`
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `e with {f = g}`
    With(Box<Expression>, Vec<(Name, Expression)>),
    /// `new K(args)`; the template may be computed.
    New(Box<Expression>, Vec<Expression>),
    /// `_`: some instance; in claims only.
    Any,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `=>`
    Implies,
    /// `or`
    Or,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `notin`
    NotIn,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded towards zero
    Divide,
    /// `%`, never negative for a positive divisor
    Modulo,
    /// `union`
    Union,
    /// `minus`
    Minus,
}

/// Quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`
    All,
    /// `exists`
    Some,
}

/// Advice and where it is woven in.
#[derive(Clone, Debug, PartialEq)]
pub struct Aspect {
    /// What it is called.
    pub name: Name,
    /// The fragment; pointcuts are marked.
    pub advice: Vec<Advice>,
    /// Targets.
    pub weaves: Vec<Weave>,
    /// The whole text.
    pub span: Span,
}

/// A part of an advice.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// A place or a transition.
    pub member: Member,
    /// Whether it is dropped and its arcs go to the join point.
    pub role: AdviceRole,
}

/// What becomes of a part of an advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceRole {
    /// It becomes part of the target.
    Added,
    /// It stands for a join point of the target.
    Pointcut,
}

/// `weave Diesel as pump_ { arrived -> GasStation }`
#[derive(Clone, Debug, PartialEq)]
pub struct Weave {
    /// The net that is changed.
    pub target: Name,
    /// Put before the names that are added, so that they do not collide.
    pub prefix: Option<Name>,
    /// Pointcut to join point.
    pub joins: Vec<(Name, Name)>,
    /// The whole text.
    pub span: Span,
}

/// A role model: who may ask for what.
#[derive(Clone, Debug, PartialEq)]
pub struct Role {
    /// The agent net it becomes.
    pub name: Name,
    /// Constants of an instance.
    pub parameters: Vec<Field>,
    /// Permitted actions.
    pub permits: Vec<Name>,
    /// The request it starts with.
    pub starts: Option<Expression>,
    /// The whole text.
    pub span: Span,
}

/// A resource that is asked for, used and given back: the request, the work and the reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// What its transitions are called.
    pub names: OperationNames,
    /// The action it serves.
    pub action: Name,
    /// Where agents wait that may ask.
    pub agents: Name,
    /// Where the agent is while it is served.
    pub busy: Name,
    /// Where the request is.
    pub request: Name,
    /// Where the result is.
    pub result: Name,
    /// What is done with the request `r`.
    pub work: Vec<Statement>,
    /// The whole text.
    pub span: Span,
}

/// What the transitions of an operation are called.
#[derive(Clone, Debug, PartialEq)]
pub enum OperationNames {
    /// `operation lookup on ...`: `lookup_in`, `lookup_work` and `lookup_out`.
    Derived(Name),
    /// `operation Read, ReadDB, returnR on ...`: the request, the work and the reply.
    Given([Name; 3]),
}

/// How agents are coordinated: one row per channel transition of an agent net.
#[derive(Clone, Debug, PartialEq)]
pub struct Mediator {
    /// The system net it becomes.
    pub name: Name,
    /// The agent nets it coordinates.
    pub agents: Vec<Name>,
    /// Places and cells whose sort and first marking the modeller gives; the rest follows from the messages.
    pub places: Vec<Place>,
    /// What the modeller says about transitions; the rest is named by rule.
    pub rows: Vec<MediatorRow>,
    /// The whole text.
    pub span: Span,
}

/// `Diesel.Park : Park in_station -> parked msg pumping_station also spare(s);`
#[derive(Clone, Debug, PartialEq)]
pub struct MediatorRow {
    /// The agent net.
    pub net: Name,
    /// Its channel transition.
    pub transition: Name,
    /// The coordinator's transition.
    pub coordinator: Name,
    /// Where the agent is before.
    pub before: Name,
    /// Where it is afterwards.
    pub after: Name,
    /// Whence or whither what is exchanged goes.
    pub message: RowMessage,
    /// Further places it takes from, with the labels of the arcs; an arc without a label takes any token.
    pub also: Vec<ArcIn>,
    /// The whole text.
    pub span: Span,
}

/// Where what a coordinator exchanges with an agent lies.
#[derive(Clone, Debug, PartialEq)]
pub enum RowMessage {
    /// Nothing is written: in a place named by rule.
    Rule,
    /// `msg p`: in this place.
    Place(Name),
    /// `says e, f`: nowhere, it is these values.
    Values(Vec<Expression>),
}
