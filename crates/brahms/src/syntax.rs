//! The tree of a Brahms file: plain values and spans. Names are texts; nothing is looked up yet.
//!
//! The grammar is that of the thesis' Appendix A, widened where models in use need it (`spec/brahms/grammar.md`):
//! sections come in any order and any number of times, keywords are ordinary names wherever a name is expected.

use motet_model::Ratio;
use motet_source::{Span, Spanned};

/// A name with its place: an identifier, or a dotted one such as `projects.nurse.Robot`.
pub type Name = Spanned<String>;

/// One file.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// `package p.q;`, the last one wins.
    pub package: Option<Name>,
    /// Imports in order.
    pub imports: Vec<Import>,
    /// Declarations in order.
    pub declarations: Vec<Declaration>,
}

/// `import p.q.Name;`, `import p.q.*;`, `import *;`, `jimport ...;`
#[derive(Clone, Debug)]
pub struct Import {
    /// The dotted name without `.*`; empty for `import *`.
    pub name: Name,
    /// Whether `.*` (or `*`) follows.
    pub all: bool,
    /// Whether it is `jimport`.
    pub java: bool,
}

/// A declaration at the top of a file.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a tree is built once and dropped soon")]
pub enum Declaration {
    /// Group, agent, class, object, conceptual class or object, area definition, area.
    Concept(Concept),
    /// `path p { area1: a; area2: b; distance: 3; }`
    Path(PathDeclaration),
}

/// What a concept is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConceptKind {
    /// `group`
    Group,
    /// `agent`
    Agent,
    /// `external agent`
    ExternalAgent,
    /// `class`
    Class,
    /// `object`
    Object,
    /// `conceptual_class`
    ConceptualClass,
    /// `conceptual_object`
    ConceptualObject,
    /// `areadef`
    AreaDefinition,
    /// `area`
    Area,
}

/// A concept with its body. Sections of the same kind are joined in their order.
#[derive(Clone, Debug)]
pub struct Concept {
    /// What it is.
    pub kind: ConceptKind,
    /// Its name, without package.
    pub name: Name,
    /// `memberof A, B`, `extends A`, `instanceof A`.
    pub parents: Vec<Name>,
    /// `partof A, B`.
    pub part_of: Vec<Name>,
    /// What stands between the braces.
    pub body: Body,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// The sections of a concept or of a composite activity.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// `display: "text";`
    pub display: Option<Spanned<String>>,
    /// `icon: "text";`
    pub icon: Option<Spanned<String>>,
    /// `cost: 1.5;`
    pub cost: Option<Spanned<Ratio>>,
    /// `time_unit: 60;`
    pub time_unit: Option<Spanned<Ratio>>,
    /// `resource: true;`
    pub resource: Option<Spanned<bool>>,
    /// `location: bedOne;`
    pub location: Option<Name>,
    /// `attributes:`
    pub attributes: Vec<Attribute>,
    /// `relations:`
    pub relations: Vec<Attribute>,
    /// `initial_beliefs:`
    pub initial_beliefs: Vec<Initial>,
    /// `initial_facts:`
    pub initial_facts: Vec<Initial>,
    /// `activities:`
    pub activities: Vec<Activity>,
    /// `workframes:`
    pub workframes: Vec<Frame>,
    /// `thoughtframes:`
    pub thoughtframes: Vec<Frame>,
    /// `detectables:`, of composite activities only.
    pub detectables: Vec<Detectable>,
}

/// Who may name an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Visibility {
    /// Everybody.
    #[default]
    Public,
    /// The concept and its descendants.
    Protected,
    /// The concept alone.
    Private,
}

/// `public int time;` or a relation `public Digital_Nurse hasDN;`
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Who may name it.
    pub visibility: Visibility,
    /// What it holds.
    pub kind: Type,
    /// Its name.
    pub name: Name,
    /// `{ display: "text"; }`
    pub display: Option<Spanned<String>>,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// Which.
    pub node: TypeNode,
    /// Where.
    pub span: Span,
}

/// Types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeNode {
    /// `int`
    Int,
    /// `long`
    Long,
    /// `double` (and `float`)
    Double,
    /// `symbol`
    Symbol,
    /// `string`
    Text,
    /// `boolean`
    Boolean,
    /// `map`
    Map,
    /// `relation(T)`
    Relation(String),
    /// `java(T)`
    Java(String),
    /// A concept, or one of `Agent Group Class Object Area AreaDef Concept ActiveClass ActiveInstance GeographyConcept
    /// ConceptualClass ConceptualObject ...`.
    Concept(String),
}

/// An initial belief or fact: `(x.a = v);`, `(x.a);`, `(x R y is true);`
#[derive(Clone, Debug)]
pub struct Initial {
    /// What is said.
    pub statement: Statement,
    /// With the parentheses.
    pub span: Span,
}

/// Something said of an object: an attribute compared, an attribute alone, or a relation. Shared by initial beliefs,
/// preconditions, detectables, transfers and conclusions.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `left op right`; either side may be any expression.
    Compare {
        /// Left side.
        left: Expression,
        /// The operator.
        operator: Spanned<Comparison>,
        /// Right side; `?` is [`ExpressionNode::Any`].
        right: Expression,
    },
    /// `x.a` alone, or a single name (a variable, a communicative act).
    Alone(Expression),
    /// `x R y`, `x R`, `x R ?`, each with `is true`, `is false`, `is unknown`.
    Related {
        /// Left side.
        subject: Reference,
        /// The relation.
        relation: Name,
        /// Right side; `None` where it is left out.
        object: Option<Reference>,
        /// `is ...`; `None` where it is left out, which means true.
        truth: Option<Spanned<Truth>>,
    },
}

/// `is true`, `is false`, `is unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// Nothing is known.
    Unknown,
}

/// Comparison operators; `=<` and `=>` are read as `<=` and `>=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// What stands before a dot or beside a relation.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Which.
    pub node: ReferenceNode,
    /// Where.
    pub span: Span,
}

/// References.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceNode {
    /// A variable, a parameter or an entity.
    Name(String),
    /// `current`
    Current,
    /// `<Sensor>`: every instance.
    Every(String),
    /// `?`
    Any,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Which.
    pub node: ExpressionNode,
    /// Where.
    pub span: Span,
}

/// Expressions.
#[derive(Clone, Debug)]
pub enum ExpressionNode {
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Double(f64),
    /// A quoted text.
    Text(String),
    /// `true`, `false`
    Bool(bool),
    /// `unknown`
    Unknown,
    /// `?`
    Any,
    /// `x.a`, `current.a`, `<C>.a`
    Attribute(Reference, Name),
    /// `x.m(i)`
    Entry(Reference, Name, Box<Expression>),
    /// A single reference: variable, parameter, entity, `current`, or a symbol.
    Reference(Reference),
    /// `-e`
    Negate(Box<Expression>),
    /// `a + b`
    Binary(Arithmetic, Box<Expression>, Box<Expression>),
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`: on two whole numbers it truncates.
    Div,
    /// `div`
    WholeDiv,
    /// `mod`
    Mod,
    /// `^`
    Power,
}

/// The keyword of an activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActivityKind {
    /// `primitive_activity`
    Primitive,
    /// `composite_activity`
    Composite,
    /// `move`
    Move,
    /// `communicate`
    Communicate,
    /// `broadcast`
    Broadcast,
    /// `java`
    Java,
    /// `get`
    Get,
    /// `put`
    Put,
    /// `gesture`
    Gesture,
    /// `create_agent`
    CreateAgent,
    /// `create_object`
    CreateObject,
    /// `create_area`
    CreateArea,
}

/// An activity.
#[derive(Clone, Debug)]
pub struct Activity {
    /// Which sort.
    pub kind: ActivityKind,
    /// Its name.
    pub name: Name,
    /// `(Patient pat, int d)`
    pub parameters: Vec<Parameter>,
    /// `max_duration: 3;`, `with: a, b;`, `when: end;` and so on, in order; `about` is apart.
    pub fields: Vec<Field>,
    /// `about: send(...), receive(...);`
    pub about: Vec<Transfer>,
    /// Sections of a composite activity.
    pub body: Body,
    /// The whole activity.
    pub span: Span,
}

/// A parameter of an activity.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its type.
    pub kind: Type,
    /// Its name.
    pub name: Name,
}

/// `name: value, value;`
#[derive(Clone, Debug)]
pub struct Field {
    /// `max_duration`.
    pub name: Name,
    /// The values, each an expression (names, numbers, texts, `true`); may be empty.
    pub values: Vec<Expression>,
}

/// `send(x.a = v)`, `receive(x R y)`
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Whether it is `send`.
    pub send: bool,
    /// What is transferred.
    pub statement: Statement,
    /// The whole transfer.
    pub span: Span,
}

/// A workframe or a thoughtframe.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its name.
    pub name: Name,
    /// `display: "text";`
    pub display: Option<Spanned<String>>,
    /// `type: factframe;`, `type: dataframe;` as written.
    pub kind: Option<Name>,
    /// `repeat: ...;`
    pub repeat: Option<Spanned<Repeat>>,
    /// `priority: 20;`
    pub priority: Option<Spanned<f64>>,
    /// `variables:`
    pub variables: Vec<Variable>,
    /// `detectables:`
    pub detectables: Vec<Detectable>,
    /// `when(...)`; empty when it is missing.
    pub guard: Vec<Precondition>,
    /// `do { ... }`
    pub body: Vec<Action>,
    /// The whole frame.
    pub span: Span,
}

/// `repeat:`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// `true`
    True,
    /// `false`
    False,
    /// `once`
    Once,
}

/// How a variable is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `forone`
    ForOne,
    /// `foreach`
    ForEach,
    /// `collectall`
    CollectAll,
}

/// `forone(Patient) pat;`
#[derive(Clone, Debug)]
pub struct Variable {
    /// How it is bound.
    pub quantifier: Quantifier,
    /// What it ranges over.
    pub kind: Type,
    /// Its name.
    pub name: Name,
}

/// One conjunct of a guard.
#[derive(Clone, Debug)]
pub struct Precondition {
    /// `known`, `unknown`, `knownval`, `not`, or nothing.
    pub modifier: Option<Spanned<Modifier>>,
    /// What stands between the parentheses.
    pub statement: Statement,
    /// The whole conjunct.
    pub span: Span,
}

/// What stands before the parentheses of a precondition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// `known`
    Known,
    /// `unknown`
    Unknown,
    /// `knownval`
    KnownValue,
    /// `not`
    Not,
}

/// `detectable d { when(whenever) detect((x.a = v), dc:100) then abort; }`
#[derive(Clone, Debug)]
pub struct Detectable {
    /// Its name.
    pub name: Name,
    /// `when(40)`: a percentage; `None` for `whenever` or when it is missing.
    pub at: Option<Spanned<f64>>,
    /// What is looked for.
    pub statement: Statement,
    /// `dc:`
    pub certainty: Option<Spanned<f64>>,
    /// `then ...`, as written.
    pub then: Option<Name>,
    /// The whole detectable.
    pub span: Span,
}

/// A statement in the body of a frame.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a tree is built once and dropped soon")]
pub enum Action {
    /// `conclude((x.a = e), bc:100, fc:0);`
    Conclude(Conclude),
    /// `delete v;`
    Delete(Name),
    /// `moveToBed(b);`
    Do {
        /// The activity; may be dotted.
        name: Name,
        /// Its arguments.
        arguments: Vec<Expression>,
        /// The whole call.
        span: Span,
    },
}

/// `conclude(...)`
#[derive(Clone, Debug)]
pub struct Conclude {
    /// What is concluded.
    pub statement: Statement,
    /// `bc:`
    pub belief: Option<Spanned<f64>>,
    /// `fc:`
    pub fact: Option<Spanned<f64>>,
    /// The whole conclusion.
    pub span: Span,
}

/// `path p { area1: a; area2: b; distance: 3; }`
#[derive(Clone, Debug)]
pub struct PathDeclaration {
    /// Its name.
    pub name: Name,
    /// One end.
    pub area1: Option<Name>,
    /// The other end.
    pub area2: Option<Name>,
    /// In seconds of walking.
    pub distance: Option<Spanned<f64>>,
    /// The whole declaration.
    pub span: Span,
}
