//! What kind of value an expression of the environment has, as far as the text tells.

use std::rc::Rc;

use crate::program::{Domain, Value};

/// The kind of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// The values that are not `none`.
    pub(crate) base: Base,
    /// Whether it may be `none`.
    pub(crate) optional: bool,
}

/// The values that are not `none`.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    /// Not known: an argument of an action, or an expression that was refused.
    Any,
    /// Numbers.
    Int,
    /// `true` and `false`.
    Bool,
    /// Some of these.
    Members(Rc<Vec<Value>>),
    /// `none` and nothing else.
    Nothing,
}

impl Kind {
    pub(crate) const ANY: Kind = Kind { base: Base::Any, optional: true };
    pub(crate) const INT: Kind = Kind { base: Base::Int, optional: false };
    pub(crate) const BOOL: Kind = Kind { base: Base::Bool, optional: false };
    pub(crate) const NONE: Kind = Kind { base: Base::Nothing, optional: true };

    /// One of these values.
    pub(crate) fn of_members(members: &[Value]) -> Self {
        let base = if members.iter().all(|value| matches!(value, Value::Int(_))) {
            Base::Int
        } else if members.iter().all(|value| matches!(value, Value::Bool(_))) {
            Base::Bool
        } else {
            Base::Members(Rc::new(members.to_vec()))
        };
        Kind { base, optional: false }
    }

    /// A variable of this domain.
    pub(crate) fn of_domain(domain: &Domain) -> Self {
        match domain {
            Domain::Range(..) => Kind::INT,
            Domain::Bool => Kind::BOOL,
            Domain::Members(members) => Kind::of_members(members),
            Domain::Optional(inner) => Kind { optional: true, ..Kind::of_domain(inner) },
        }
    }

    /// This very value.
    pub(crate) fn of_value(value: Value) -> Self {
        match value {
            Value::None => Kind::NONE,
            Value::Bool(_) => Kind::BOOL,
            Value::Int(_) => Kind::INT,
            Value::Symbol(_) => Kind { base: Base::Members(Rc::new(vec![value])), optional: false },
        }
    }

    pub(crate) fn optional_if(self, optional: bool) -> Self {
        Kind { optional: self.optional || optional, ..self }
    }

    /// Whether a value of the one may equal a value of the other.
    pub(crate) fn meets(&self, other: &Kind) -> bool {
        match (&self.base, &other.base) {
            (Base::Any, _) | (_, Base::Any) | (Base::Int, Base::Int) | (Base::Bool, Base::Bool) => true,
            (Base::Nothing, _) => other.optional,
            (_, Base::Nothing) => self.optional,
            (Base::Members(a), Base::Members(b)) => a.iter().any(|value| b.contains(value)),
            (Base::Members(a), Base::Int) | (Base::Int, Base::Members(a)) => {
                a.iter().any(|value| matches!(value, Value::Int(_)))
            }
            _ => false,
        }
    }

    /// In words, for messages.
    pub(crate) fn words(&self) -> &'static str {
        match self.base {
            Base::Any => "a value",
            Base::Int => "a number",
            Base::Bool => "true or false",
            Base::Members(_) => "a name",
            Base::Nothing => "`none`",
        }
    }
}

/// Whether a domain contains a value.
pub(crate) fn contains(domain: &Domain, value: Value) -> bool {
    match domain {
        Domain::Range(low, high) => matches!(value, Value::Int(number) if (*low..=*high).contains(&number)),
        Domain::Bool => matches!(value, Value::Bool(_)),
        Domain::Members(members) => members.contains(&value),
        Domain::Optional(inner) => value == Value::None || contains(inner, value),
    }
}

/// The first value of a domain.
pub(crate) fn first(domain: &Domain) -> Value {
    match domain {
        Domain::Range(low, _) => Value::Int(*low),
        Domain::Bool => Value::Bool(false),
        Domain::Members(members) => members.first().copied().unwrap_or(Value::None),
        Domain::Optional(_) => Value::None,
    }
}
