//! Compiled expressions over a state, one type for each type of the language.
//!
//! Slots hold values minus the lower bound, so a variable is its slot plus a base; constants that are added to a variable
//! disappear in the base.

use crate::number::Number;

/// What an expression can run into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// A number is divided by zero.
    DivisionByZero,
    /// A number does not fit.
    TooLarge,
    /// `mod` by a number that is not positive.
    Modulus,
    /// A logarithm or a power that is no number.
    Undefined,
}

impl Trouble {
    /// In a sentence: `this divides by zero`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::DivisionByZero => "a division by zero",
            Self::TooLarge => "a number that is too large to be exact",
            Self::Modulus => "`mod` by a number that is not positive",
            Self::Undefined => "a logarithm or power that is not a number",
        }
    }
}

/// A value, or why there is none.
pub(crate) type Outcome<T> = Result<T, Trouble>;

/// An expression of any type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Typed {
    Test(Test),
    Whole(Whole),
    Real(Real),
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    pub(crate) fn holds<T: Ord>(self, left: T, right: T) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterEqual => left >= right,
        }
    }

    /// The same comparison with its sides exchanged.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
        }
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
        }
    }
}

/// Something that holds or does not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    Constant(bool),
    /// The slot lies between `low` and `low + width`.
    Within {
        slot: u32,
        low: u32,
        width: u32,
    },
    /// It does not.
    Outside {
        slot: u32,
        low: u32,
        width: u32,
    },
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
    Iff(Box<(Test, Test)>),
    Conditional(Box<(Test, Test, Test)>),
    Compare(Relation, Box<(Whole, Whole)>),
    CompareReal(Relation, Box<(Real, Real)>),
}

/// A whole number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Whole {
    Constant(i64),
    /// The slot plus the base.
    Variable {
        slot: u32,
        base: i64,
    },
    Add(Box<(Whole, Whole)>),
    Subtract(Box<(Whole, Whole)>),
    Multiply(Box<(Whole, Whole)>),
    Minimum(Vec<Whole>),
    Maximum(Vec<Whole>),
    Modulo(Box<(Whole, Whole)>),
    Power(Box<(Whole, Whole)>),
    Conditional(Box<(Test, Whole, Whole)>),
    Floor(Box<Real>),
    Ceiling(Box<Real>),
    Nearest(Box<Real>),
}

/// A fraction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Real {
    Constant(Number),
    Whole(Box<Whole>),
    Add(Box<(Real, Real)>),
    Subtract(Box<(Real, Real)>),
    Multiply(Box<(Real, Real)>),
    Divide(Box<(Real, Real)>),
    Minimum(Vec<Real>),
    Maximum(Vec<Real>),
    Power(Box<(Real, Real)>),
    Logarithm(Box<(Real, Real)>),
    Conditional(Box<(Test, Real, Real)>),
}

impl Test {
    #[inline]
    pub(crate) fn holds(&self, state: &[u32]) -> Outcome<bool> {
        Ok(match self {
            Self::Constant(value) => *value,
            Self::Within { slot, low, width } => state[*slot as usize].wrapping_sub(*low) <= *width,
            Self::Outside { slot, low, width } => state[*slot as usize].wrapping_sub(*low) > *width,
            Self::Compare(relation, sides) => relation.holds(sides.0.value(state)?, sides.1.value(state)?),
            _ => return self.holds_inside(state),
        })
    }

    fn holds_inside(&self, state: &[u32]) -> Outcome<bool> {
        Ok(match self {
            Self::Not(inner) => !inner.holds(state)?,
            Self::And(parts) => {
                for part in parts {
                    if !part.holds(state)? {
                        return Ok(false);
                    }
                }
                true
            }
            Self::Or(parts) => {
                for part in parts {
                    if part.holds(state)? {
                        return Ok(true);
                    }
                }
                false
            }
            Self::Iff(sides) => sides.0.holds(state)? == sides.1.holds(state)?,
            Self::Conditional(parts) => {
                if parts.0.holds(state)? {
                    parts.1.holds(state)?
                } else {
                    parts.2.holds(state)?
                }
            }
            Self::CompareReal(relation, sides) => {
                relation.holds(sides.0.value(state)?, sides.1.value(state)?)
            }
            _ => self.holds(state)?,
        })
    }
}

impl Whole {
    #[inline]
    pub(crate) fn value(&self, state: &[u32]) -> Outcome<i64> {
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Variable { slot, base } => Ok(i64::from(state[*slot as usize]) + base),
            _ => self.value_inside(state),
        }
    }

    fn value_inside(&self, state: &[u32]) -> Outcome<i64> {
        let fits = |value: Option<i64>| value.ok_or(Trouble::TooLarge);
        match self {
            Self::Constant(_) | Self::Variable { .. } => self.value(state),
            Self::Add(sides) => fits(sides.0.value(state)?.checked_add(sides.1.value(state)?)),
            Self::Subtract(sides) => fits(sides.0.value(state)?.checked_sub(sides.1.value(state)?)),
            Self::Multiply(sides) => fits(sides.0.value(state)?.checked_mul(sides.1.value(state)?)),
            Self::Minimum(parts) => extreme(parts, |part| part.value(state), i64::min),
            Self::Maximum(parts) => extreme(parts, |part| part.value(state), i64::max),
            Self::Modulo(sides) => {
                let (value, modulus) = (sides.0.value(state)?, sides.1.value(state)?);
                if modulus <= 0 {
                    return Err(if modulus == 0 { Trouble::DivisionByZero } else { Trouble::Modulus });
                }
                Ok(value.rem_euclid(modulus))
            }
            Self::Power(sides) => {
                let (base, exponent) = (sides.0.value(state)?, sides.1.value(state)?);
                if exponent < 0 {
                    return Err(Trouble::Undefined);
                }
                fits(Number::whole(base).power(exponent).and_then(Number::as_whole))
            }
            Self::Conditional(parts) => {
                if parts.0.holds(state)? {
                    parts.1.value(state)
                } else {
                    parts.2.value(state)
                }
            }
            Self::Floor(inner) => fits(inner.value(state)?.floor()),
            Self::Ceiling(inner) => fits(inner.value(state)?.ceiling()),
            Self::Nearest(inner) => fits(inner.value(state)?.nearest()),
        }
    }
}

impl Real {
    pub(crate) fn value(&self, state: &[u32]) -> Outcome<Number> {
        let fits = |value: Option<Number>| value.ok_or(Trouble::TooLarge);
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Whole(inner) => Ok(Number::whole(inner.value(state)?)),
            Self::Add(sides) => fits(sides.0.value(state)?.plus(sides.1.value(state)?)),
            Self::Subtract(sides) => fits(sides.0.value(state)?.minus(sides.1.value(state)?)),
            Self::Multiply(sides) => fits(sides.0.value(state)?.times(sides.1.value(state)?)),
            Self::Divide(sides) => {
                let (value, divisor) = (sides.0.value(state)?, sides.1.value(state)?);
                if divisor.is_zero() {
                    return Err(Trouble::DivisionByZero);
                }
                fits(value.over(divisor))
            }
            Self::Minimum(parts) => extreme(parts, |part| part.value(state), Number::min),
            Self::Maximum(parts) => extreme(parts, |part| part.value(state), Number::max),
            Self::Power(sides) => power(sides.0.value(state)?, sides.1.value(state)?),
            Self::Logarithm(sides) => {
                let (value, base) = (sides.0.value(state)?, sides.1.value(state)?);
                let log = value.to_f64().ln() / base.to_f64().ln();
                if log.is_finite() { fits(Number::rounded(log)) } else { Err(Trouble::Undefined) }
            }
            Self::Conditional(parts) => {
                if parts.0.holds(state)? {
                    parts.1.value(state)
                } else {
                    parts.2.value(state)
                }
            }
        }
    }
}

/// A power; exact where the exponent is whole.
fn power(base: Number, exponent: Number) -> Outcome<Number> {
    if let Some(exponent) = exponent.as_whole() {
        if base.is_zero() && exponent < 0 {
            return Err(Trouble::DivisionByZero);
        }
        return base.power(exponent).ok_or(Trouble::TooLarge);
    }
    if exponent.is_whole() {
        return Err(Trouble::TooLarge);
    }
    let value = base.to_f64().powf(exponent.to_f64());
    if value.is_nan() { Err(Trouble::Undefined) } else { Number::rounded(value).ok_or(Trouble::TooLarge) }
}

fn extreme<E, T>(parts: &[E], value: impl Fn(&E) -> Outcome<T>, better: fn(T, T) -> T) -> Outcome<T> {
    let (first, rest) = parts.split_first().expect("min and max were given arguments");
    rest.iter().try_fold(value(first)?, |best, part| Ok(better(best, value(part)?)))
}
