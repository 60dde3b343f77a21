//! The tree of a PRISM file, as written, each part with its place.

use motet_source::{Span, Spanned};

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// `mdp`
    pub kind: Option<Spanned<ModelKind>>,
    /// Everything else, in order.
    pub items: Vec<Item>,
}

/// What kind of model a file describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// A discrete-time Markov chain: chance alone.
    Dtmc,
    /// A Markov decision process: choices, then chance.
    Mdp,
}

/// A part of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `const int N = 5;`
    Constant(Constant),
    /// `formula lfree = p2 >= 4;`
    Formula(Definition),
    /// `label "done" = s = 7;`; its name is the text between the quotes.
    Label(Definition),
    /// `global x : [0..5] init 0;`
    Global(Declaration),
    /// `module M ... endmodule`
    Module(Module),
    /// `module M2 = M1 [x=y] endmodule`
    Renamed(Renamed),
    /// `rewards ... endrewards`
    Rewards(Rewards),
    /// `init ... endinit`
    Init(Expression),
    /// `system ... endsystem`
    System(Composition),
}

/// `const int N = 5;`
#[derive(Clone, Debug)]
pub struct Constant {
    /// What it is called.
    pub name: Spanned<String>,
    /// Of what type.
    pub kind: ValueKind,
    /// `None` when it is bound from outside.
    pub value: Option<Expression>,
}

/// The type of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `double`
    Double,
}

/// A name for an expression.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What it is called.
    pub name: Spanned<String>,
    /// What it stands for.
    pub body: Expression,
}

/// `x : [0..5] init 0;`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What it is called.
    pub name: Spanned<String>,
    /// Its values.
    pub domain: Domain,
    /// The value it starts with.
    pub initial: Option<Expression>,
}

/// The values of a variable.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `bool`
    Bool,
    /// `[low..high]`
    Range(Expression, Expression),
}

/// `module M ... endmodule`
#[derive(Clone, Debug)]
pub struct Module {
    /// What it is called.
    pub name: Spanned<String>,
    /// Its variables.
    pub variables: Vec<Declaration>,
    /// What it does.
    pub commands: Vec<Command>,
}

/// `[label] guard -> 0.5 : (x'=1) + 0.5 : (x'=2);`
#[derive(Clone, Debug)]
pub struct Command {
    /// What other modules synchronise with.
    pub label: Option<Spanned<String>>,
    /// When it may happen.
    pub guard: Expression,
    /// What may come of it.
    pub updates: Vec<Update>,
    /// The whole command.
    pub span: Span,
}

/// One outcome of a command.
#[derive(Clone, Debug)]
pub struct Update {
    /// How likely; `None` is 1.
    pub chance: Option<Expression>,
    /// What changes; nothing where `true` was written.
    pub assignments: Vec<Assignment>,
    /// The whole update.
    pub span: Span,
}

/// `(x'=x+1)`
#[derive(Clone, Debug)]
pub struct Assignment {
    /// What changes.
    pub variable: Spanned<String>,
    /// To what.
    pub value: Expression,
}

/// `module M2 = M1 [x=y, ...] endmodule`
#[derive(Clone, Debug)]
pub struct Renamed {
    /// What it is called.
    pub name: Spanned<String>,
    /// The module that is copied.
    pub base: Spanned<String>,
    /// Old and new names.
    pub renames: Vec<(Spanned<String>, Spanned<String>)>,
}

/// `rewards "name" ... endrewards`
#[derive(Clone, Debug)]
pub struct Rewards {
    /// What it is called.
    pub name: Option<Spanned<String>>,
    /// Who earns what.
    pub items: Vec<RewardItem>,
    /// The word `rewards`.
    pub span: Span,
}

/// `guard : value;` or `[label] guard : value;`
#[derive(Clone, Debug)]
pub struct RewardItem {
    /// Which steps earn it.
    pub earned: Earned,
    /// Where.
    pub guard: Expression,
    /// How much.
    pub value: Expression,
    /// The whole item.
    pub span: Span,
}

/// What earns a reward.
#[derive(Clone, Debug)]
pub enum Earned {
    /// Being in a state.
    State,
    /// A step without a label: `[]`.
    Unlabelled,
    /// A step with this label.
    Label(Spanned<String>),
}

/// How modules are put together.
#[derive(Clone, Debug)]
pub struct Composition {
    /// What it is.
    pub node: CompositionNode,
    /// Where it was written.
    pub span: Span,
}

/// How modules are put together.
#[derive(Clone, Debug)]
pub enum CompositionNode {
    /// A module.
    Module(String),
    /// `a || b || c`: they synchronise on the labels they share.
    Parallel(Vec<Composition>),
    /// `a ||| b ||| c`: they do not synchronise.
    Interleaved(Vec<Composition>),
    /// `a |[x, y]| b`: they synchronise on these labels.
    Synchronised(Box<Composition>, Vec<Spanned<String>>, Box<Composition>),
    /// `a / {x, y}`: these labels are no longer seen.
    Hidden(Box<Composition>, Vec<Spanned<String>>),
    /// `a {x <- y}`: what was called `x` is called `y`.
    Renamed(Box<Composition>, Vec<(Spanned<String>, Spanned<String>)>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is.
    pub node: ExpressionNode,
    /// Where it was written.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExpressionNode {
    /// `true`
    Bool(bool),
    /// `5`
    Int(i64),
    /// `0.25`, as written.
    Decimal(String),
    /// A constant, a variable or a formula.
    Name(String),
    /// `!a`
    Not(Box<Expression>),
    /// `-a`
    Negative(Box<Expression>),
    /// `a & b & c`
    And(Vec<Expression>),
    /// `a | b | c`
    Or(Vec<Expression>),
    /// Everything else with two sides.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `a ? b : c`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `min(a, b)`, `func(min, a, b)`
    Call(Spanned<String>, Vec<Expression>),
    /// Something that could not be read and was reported.
    Error,
}

/// Operators with two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `=>`
    Implies,
    /// `<=>`
    Iff,
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
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

impl BinaryOperator {
    /// As written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Implies => "=>",
            Self::Iff => "<=>",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }

    /// How tightly it binds (PRISM manual, "Expressions"): a larger number binds tighter.
    #[must_use]
    pub fn strength(self) -> u8 {
        match self {
            Self::Implies => 2,
            Self::Iff => 3,
            Self::Equal | Self::NotEqual => 7,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => 8,
            Self::Add | Self::Subtract => 9,
            Self::Multiply | Self::Divide => 10,
        }
    }
}

/// How tightly `? :` binds.
pub const STRENGTH_CONDITIONAL: u8 = 1;
/// How tightly `|` binds.
pub const STRENGTH_OR: u8 = 4;
/// How tightly `&` binds.
pub const STRENGTH_AND: u8 = 5;
/// How tightly `!` binds.
pub const STRENGTH_NOT: u8 = 6;
/// How tightly the sign `-` binds.
pub const STRENGTH_SIGN: u8 = 11;
