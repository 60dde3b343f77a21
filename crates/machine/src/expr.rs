//! The tree of expressions. Whatever builds it works out at once what is known already, so an expression that is known is a
//! constant, and a condition that is certain is a truth value.

mod constant;
mod place;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use place::{Access, Place};

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Truth,
    /// A whole number.
    Number,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unary {
    /// It is not so.
    Not,
    /// The opposite number.
    Negative,
    /// All bits turned.
    Complement,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binary {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient, cut off towards zero.
    Divide,
    /// What such a division leaves; it has the sign of the dividend.
    Remainder,
    /// Bits moved up.
    ShiftLeft,
    /// Bits moved down.
    ShiftRight,
    /// Bits that both have.
    BitAnd,
    /// Bits that one of them has.
    BitXor,
    /// Bits that one of them has, or both.
    BitOr,
    /// The left is less.
    Less,
    /// The left is not greater.
    LessEqual,
    /// The left is greater.
    Greater,
    /// The left is not less.
    GreaterEqual,
    /// Both are equal.
    Equal,
    /// Both are not equal.
    NotEqual,
}

/// What holds conditions together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Connective {
    /// All of them hold.
    All,
    /// Some of them holds.
    Any,
}

/// An expression. Parts are shared, so a copy costs nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expr {
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(i64),
    /// A number that has a name.
    Named(Arc<str>, i64),
    /// What a variable holds.
    Read(Place),
    /// What a definition is given for one of its parameters.
    Parameter(Arc<str>),
    /// One operand.
    Unary(Unary, Arc<Expr>),
    /// Two operands.
    Binary(Binary, Arc<Expr>, Arc<Expr>),
    /// Several conditions, asked in order as far as needed.
    Join(Connective, Arc<[Expr]>),
    /// The second if the first holds, otherwise the third.
    Choose(Arc<(Expr, Expr, Expr)>),
    /// Something that is defined elsewhere, with what it is given; or a function of the language that is written.
    Call(Arc<str>, Arc<[Expr]>),
    /// Whether a message is in a queue.
    Holds(Arc<Message>),
}

/// A message that a queue may hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// The queue.
    pub queue: Place,
    /// Whether it may stand anywhere; otherwise it is the first.
    pub anywhere: bool,
    /// Its fields; none where anything will do.
    pub fields: Vec<Option<Expr>>,
}

impl Expr {
    /// What a variable without parts holds.
    pub fn variable(name: &str) -> Self {
        Self::Read(Place::named(name))
    }

    /// A constant that has a name.
    pub fn named(name: &str, number: i64) -> Self {
        Self::Named(name.into(), number)
    }

    /// What is given for a parameter.
    pub fn parameter(name: &str) -> Self {
        Self::Parameter(name.into())
    }

    /// Something that is defined elsewhere.
    pub fn call(name: &str, arguments: impl IntoIterator<Item = Self>) -> Self {
        Self::Call(name.into(), arguments.into_iter().collect())
    }

    /// Whether the first message of a queue is this.
    pub fn first_message(queue: Place, fields: Vec<Option<Self>>) -> Self {
        Self::Holds(Arc::new(Message { queue, anywhere: false, fields }))
    }

    /// Whether some message of a queue is this.
    pub fn some_message(queue: Place, fields: Vec<Option<Self>>) -> Self {
        Self::Holds(Arc::new(Message { queue, anywhere: true, fields }))
    }

    /// The size of something, as a number.
    pub fn count(count: usize) -> Self {
        Self::Number(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// Its value, if that is certain; truth is 1.
    pub fn known(&self) -> Option<i64> {
        match self {
            Self::Truth(truth) => Some(i64::from(*truth)),
            Self::Number(number) | Self::Named(_, number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it certainly has this truth.
    pub fn is(&self, truth: bool) -> bool {
        self.known() == Some(i64::from(truth))
    }

    /// What it is, if variables are of these kinds and definitions are numbers.
    pub fn kind(&self, declared: &dyn Fn(&Place) -> Kind) -> Kind {
        match self {
            Self::Truth(_) | Self::Join(..) | Self::Unary(Unary::Not, _) | Self::Holds(_) => Kind::Truth,
            Self::Binary(operator, ..) if operator.compares() => Kind::Truth,
            Self::Read(place) => declared(place),
            Self::Choose(parts) => parts.1.kind(declared),
            _ => Kind::Number,
        }
    }

    /// All hold.
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::join(Connective::All, conditions)
    }

    /// Some holds.
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::join(Connective::Any, conditions)
    }

    fn join(connective: Connective, conditions: impl IntoIterator<Item = Self>) -> Self {
        let neutral = connective == Connective::All;
        let mut open: Vec<Self> = Vec::new();
        for condition in conditions {
            match condition.known() {
                Some(number) if (number != 0) == neutral => {}
                Some(_) => return Self::Truth(!neutral),
                None if open.contains(&condition) => {}
                None => open.push(condition),
            }
        }
        match open.len() {
            0 => Self::Truth(neutral),
            1 => open.remove(0),
            _ => Self::Join(connective, open.into()),
        }
    }

    /// Both hold.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self::all([self.clone(), other.clone()])
    }

    /// One of them holds, or both.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self::any([self.clone(), other.clone()])
    }

    /// It does not hold.
    #[must_use]
    pub fn not(&self) -> Self {
        match self {
            // What was turned twice is itself only if it is a truth value: a number may be 2.
            Self::Unary(Unary::Not, inner) if inner.kind(&|_| Kind::Number) == Kind::Truth => {
                (**inner).clone()
            }
            _ => match self.known() {
                Some(number) => Self::Truth(number == 0),
                None => Self::Unary(Unary::Not, Arc::new(self.clone())),
            },
        }
    }

    /// The opposite number.
    #[must_use]
    pub fn negative(&self) -> Self {
        self.unary(Unary::Negative)
    }

    /// All bits turned.
    #[must_use]
    pub fn complement(&self) -> Self {
        self.unary(Unary::Complement)
    }

    fn unary(&self, operator: Unary) -> Self {
        match self.known().and_then(|number| operator.apply(number)) {
            Some(number) => Self::Number(number),
            None => Self::Unary(operator, Arc::new(self.clone())),
        }
    }

    /// Two numbers, compared or computed. What overflows or has no result stays as it is written.
    #[must_use]
    pub fn with(&self, operator: Binary, other: &Self) -> Self {
        use Binary::{
            Add, BitOr, Divide, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply, NotEqual, Subtract,
        };
        if let (Some(left), Some(right)) = (self.known(), other.known())
            && let Some(number) = operator.apply(left, right)
        {
            return if operator.compares() { Self::Truth(number != 0) } else { Self::Number(number) };
        }
        match (operator, self.known(), other.known()) {
            (Add | BitOr, Some(0), _) => other.clone(),
            (Add | Subtract | BitOr, _, Some(0)) => self.clone(),
            (Multiply, Some(1), _) => other.clone(),
            (Multiply | Divide, _, Some(1)) => self.clone(),
            (Equal | LessEqual | GreaterEqual, ..) if self == other => Self::Truth(true),
            (NotEqual | Less | Greater, ..) if self == other => Self::Truth(false),
            _ => Self::Binary(operator, Arc::new(self.clone()), Arc::new(other.clone())),
        }
    }

    /// So much more, or less.
    #[must_use]
    pub fn moved(&self, by: i64) -> Self {
        if by < 0 { self.minus(by.saturating_neg()) } else { self.plus(by) }
    }

    /// One or the other.
    #[must_use]
    pub fn choose(condition: &Self, then: &Self, otherwise: &Self) -> Self {
        match condition.known() {
            Some(0) => otherwise.clone(),
            Some(_) => then.clone(),
            None if then == otherwise => then.clone(),
            None => Self::Choose(Arc::new((condition.clone(), then.clone(), otherwise.clone()))),
        }
    }

    /// The sum of all.
    pub fn sum(parts: impl IntoIterator<Item = Self>) -> Self {
        parts.into_iter().fold(Self::Number(0), |sum, part| sum.plus(&part))
    }

    /// Each part before what it is made of, those of indices too.
    pub fn each(&self, visit: &mut dyn FnMut(&Self)) {
        visit(self);
        match self {
            Self::Truth(_) | Self::Number(_) | Self::Named(..) | Self::Parameter(_) => {}
            Self::Read(place) => place.indices().for_each(|index| index.each(visit)),
            Self::Unary(_, of) => of.each(visit),
            Self::Binary(_, left, right) => {
                left.each(visit);
                right.each(visit);
            }
            Self::Join(_, parts) | Self::Call(_, parts) => parts.iter().for_each(|part| part.each(visit)),
            Self::Choose(parts) => {
                parts.0.each(visit);
                parts.1.each(visit);
                parts.2.each(visit);
            }
            Self::Holds(message) => {
                Self::Read(message.queue.clone()).each(visit);
                message.fields.iter().flatten().for_each(|field| field.each(visit));
            }
        }
    }

    /// The variables that are read.
    pub fn reads(&self) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        self.each(&mut |part| {
            if let Self::Read(place) = part {
                found.insert(place.clone());
            }
        });
        found
    }

    /// The names it uses: of variables, constants and definitions.
    pub fn names(&self, found: &mut BTreeSet<Arc<str>>) {
        self.each(&mut |part| match part {
            Self::Read(place) => {
                found.insert(place.name().clone());
            }
            Self::Named(name, _) | Self::Call(name, _) if !found.contains(name) => {
                found.insert(name.clone());
            }
            _ => {}
        });
    }

    /// How many parts it has; counting ends above the limit, for parts that are shared may stand there often.
    pub fn size(&self, limit: usize) -> usize {
        let all = |parts: &[Self]| {
            parts.iter().fold(0, |sum, part| if sum > limit { sum } else { sum + part.size(limit - sum) })
        };
        let inside = match self {
            Self::Truth(_) | Self::Number(_) | Self::Named(..) | Self::Parameter(_) => 0,
            Self::Read(place) => place.indices().map(|index| index.size(limit)).sum(),
            Self::Unary(_, of) => of.size(limit),
            Self::Binary(_, left, right) => {
                let left = left.size(limit);
                if left > limit { left } else { left + right.size(limit - left) }
            }
            Self::Join(_, parts) | Self::Call(_, parts) => all(parts),
            Self::Choose(parts) => all(&[parts.0.clone(), parts.1.clone(), parts.2.clone()]),
            Self::Holds(message) => message.fields.len(),
        };
        inside + 1
    }

    /// The same with other expressions for some of what it reads, worked out anew.
    #[must_use]
    pub fn substitute(&self, other: &dyn Fn(&Place) -> Option<Self>) -> Self {
        match self {
            Self::Truth(_) | Self::Number(_) | Self::Named(..) | Self::Parameter(_) => self.clone(),
            Self::Read(place) => {
                let place = place.map_indices(&|index| index.substitute(other));
                other(&place).unwrap_or(Self::Read(place))
            }
            Self::Unary(Unary::Not, of) => of.substitute(other).not(),
            Self::Unary(operator, of) => of.substitute(other).unary(*operator),
            Self::Binary(operator, left, right) => {
                left.substitute(other).with(*operator, &right.substitute(other))
            }
            Self::Join(connective, parts) => {
                Self::join(*connective, parts.iter().map(|part| part.substitute(other)))
            }
            Self::Choose(parts) => Self::choose(
                &parts.0.substitute(other),
                &parts.1.substitute(other),
                &parts.2.substitute(other),
            ),
            Self::Call(name, arguments) => {
                Self::Call(name.clone(), arguments.iter().map(|one| one.substitute(other)).collect())
            }
            Self::Holds(message) => {
                let field = |field: &Option<Self>| field.as_ref().map(|field| field.substitute(other));
                Self::Holds(Arc::new(Message {
                    queue: message.queue.map_indices(&|index| index.substitute(other)),
                    anywhere: message.anywhere,
                    fields: message.fields.iter().map(field).collect(),
                }))
            }
        }
    }

    /// Its value where variables hold these; `None` if something has none.
    pub fn evaluate(&self, held: &dyn Fn(&Place) -> Option<i64>) -> Option<i64> {
        self.substitute(&|place| held(place).map(Self::Number)).known()
    }
}

impl From<i64> for Expr {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<Place> for Expr {
    fn from(place: Place) -> Self {
        Self::Read(place)
    }
}

impl From<&Place> for Expr {
    fn from(place: &Place) -> Self {
        Self::Read(place.clone())
    }
}

impl From<&Self> for Expr {
    fn from(expr: &Self) -> Self {
        expr.clone()
    }
}

/// Operators by name. The other side may be a number, a place or an expression.
macro_rules! operators {
    ($($(#[$doc:meta])* $method:ident is $operator:ident;)*) => {
        impl Expr {
            $($(#[$doc])* #[must_use] pub fn $method(&self, other: impl Into<Self>) -> Self {
                self.with(Binary::$operator, &other.into())
            })*
        }

        impl Place {
            $($(#[$doc])* #[must_use] pub fn $method(&self, other: impl Into<Expr>) -> Expr {
                Expr::from(self).with(Binary::$operator, &other.into())
            })*
        }
    };
}

operators! {
    /// The sum.
    plus is Add;
    /// The difference.
    minus is Subtract;
    /// The product.
    times is Multiply;
    /// The quotient.
    over is Divide;
    /// What a division leaves.
    modulo is Remainder;
    /// Bits moved down.
    shifted_down is ShiftRight;
    /// Bits that both have.
    bit_and is BitAnd;
    /// Bits that one of them has.
    bit_xor is BitXor;
    /// Bits that one of them has, or both.
    bit_or is BitOr;
    /// It is less.
    less is Less;
    /// It is not greater.
    at_most is LessEqual;
    /// It is greater.
    greater is Greater;
    /// It is not less.
    at_least is GreaterEqual;
    /// They are equal.
    equals is Equal;
    /// They are not equal.
    differs is NotEqual;
}

#[cfg(test)]
mod tests;
