//! What a claim says about a single state, before a front-end gives it a meaning.

use std::fmt;

/// An atom as a claim writes it. Whose names are known, and what belief means, is the front-end's business.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AtomText {
    /// Something true of the world: `winner(ag3)`, `Bob.location = chair`, `n < 4`, `#Place <= 1`, `"Sea state is high"`.
    Fact(Expr),
    /// `Bel(agent, content)`. The content may hold `not`, `and`, `or`.
    Believes(String, Expr),
    /// `Des(agent, content)`.
    Desires(String, Expr),
    /// `Int(agent, content)`.
    Intends(String, Expr),
    /// `Does(agent, act)`: the act it performs or performs next.
    Does(String, Expr),
    /// `Did(agent, act)`: the last act that took effect.
    Did(String, Expr),
    /// AJPF's `ItD(agent, act)`: the act occurs in what is left of an intention.
    WillDo(String, Expr),
    /// `Says(from, to, content)`: the message is being received now.
    Says(String, String, Expr),
    /// `Sends(from, to, content)`: the step that led here sent the message.
    Sends(String, String, Expr),
    /// `Reads(to, from, content)`: the step that led here read the message. The names stand as in `Sends`: who sent it
    /// first.
    Reads(String, String, Expr),
}

/// An expression over the model's vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A whole number.
    Int(i64),
    /// A number with a fraction, as written.
    Decimal(String),
    /// A quoted text.
    Text(String),
    /// `_`: some instance.
    Any,
    /// A name with arguments: `winner(ag3)`; a plain name has none.
    Call(String, Vec<Expr>),
    /// `X.attr`.
    Field(Box<Expr>, String),
    /// `bid[ag1]`, `plan[7]`.
    Index(Box<Expr>, Box<Expr>),
    /// `<u, r>`.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `not e`.
    Not(Box<Expr>),
    /// `#Place`.
    Size(Box<Expr>),
    /// Arithmetic, comparison or a connective inside one atom.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `forall a in parked: nonempty(a.net.ToPump)`: over the members that a collection has in this state. Inside the last
    /// part the variable is a plain name.
    Quantified(Every, String, Box<Expr>, Box<Expr>),
}

/// How many members of a collection are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Every {
    /// `forall`
    All,
    /// `exists`
    Some,
}

impl Every {
    /// As printed.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "forall",
            Self::Some => "exists",
        }
    }
}

/// Operators inside an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
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
    /// `in`
    In,
    /// `and`
    And,
    /// `or`
    Or,
    /// `->`
    Implies,
    /// `union` of collections
    Union,
    /// `minus`: the members of the left collection that are not in the right one
    Minus,
}

impl Operator {
    /// As printed.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
            Self::Eq => "=",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::In => "in",
            Self::And => "and",
            Self::Or => "or",
            Self::Implies => "->",
            Self::Union => "union",
            Self::Minus => "minus",
        }
    }
}

impl fmt::Display for AtomText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fact(fact) => write!(f, "{fact}"),
            Self::Believes(agent, content) => write!(f, "Bel({agent}, {content})"),
            Self::Desires(agent, content) => write!(f, "Des({agent}, {content})"),
            Self::Intends(agent, content) => write!(f, "Int({agent}, {content})"),
            Self::Does(agent, act) => write!(f, "Does({agent}, {act})"),
            Self::Did(agent, act) => write!(f, "Did({agent}, {act})"),
            Self::WillDo(agent, act) => write!(f, "ItD({agent}, {act})"),
            Self::Says(from, to, content) => write!(f, "Says({from}, {to}, {content})"),
            Self::Sends(from, to, content) => write!(f, "Sends({from}, {to}, {content})"),
            Self::Reads(from, to, content) => write!(f, "Reads({to}, {from}, {content})"),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, items: &[Expr]| -> fmt::Result {
            for (i, item) in items.iter().enumerate() {
                write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Self::Int(number) => write!(f, "{number}"),
            Self::Decimal(text) => f.write_str(text),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Any => f.write_str("_"),
            Self::Call(name, args) if args.is_empty() => f.write_str(name),
            Self::Call(name, args) => {
                write!(f, "{name}(")?;
                list(f, args)?;
                f.write_str(")")
            }
            Self::Field(of, name) => write!(f, "{of}.{name}"),
            Self::Index(of, at) => write!(f, "{of}[{at}]"),
            Self::Tuple(items) => {
                f.write_str("<")?;
                list(f, items)?;
                f.write_str(">")
            }
            Self::List(items) => {
                f.write_str("[")?;
                list(f, items)?;
                f.write_str("]")
            }
            Self::Not(of) => write!(f, "not ({of})"),
            Self::Size(of) => write!(f, "#{of}"),
            Self::Binary(operator, left, right) => {
                let side = |f: &mut fmt::Formatter<'_>, e: &Expr| match e {
                    Expr::Binary(..) => write!(f, "({e})"),
                    _ => write!(f, "{e}"),
                };
                side(f, left)?;
                write!(f, " {} ", operator.symbol())?;
                side(f, right)
            }
            Self::Quantified(every, variable, domain, body) => {
                write!(f, "({} {variable} in {domain}: {body})", every.word())
            }
        }
    }
}
