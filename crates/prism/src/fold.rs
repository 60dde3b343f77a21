//! How compiled expressions are put together: what is constant is computed at once, comparisons of a variable with a
//! constant become tests of its slot.

use crate::expr::{Real, Relation, Test, Trouble, Typed, Whole};
use crate::number::Number;

/// The state of no variables, for what is constant.
const NOWHERE: &[u32] = &[];

impl Test {
    pub(crate) fn constant(&self) -> Option<bool> {
        if let Self::Constant(value) = self { Some(*value) } else { None }
    }

    pub(crate) fn not(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Within { slot, low, width } => Self::Outside { slot, low, width },
            Self::Outside { slot, low, width } => Self::Within { slot, low, width },
            Self::Not(inner) => *inner,
            Self::Compare(relation, sides) => Self::Compare(relation.negated(), sides),
            Self::CompareReal(relation, sides) => Self::CompareReal(relation.negated(), sides),
            // De Morgan, so that conjunctions come to the surface.
            Self::Or(parts) => Self::And(parts.into_iter().map(Self::not).collect()),
            Self::And(parts) => Self::Or(parts.into_iter().map(Self::not).collect()),
            other => Self::Not(Box::new(other)),
        }
    }

    pub(crate) fn and(parts: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::Constant(true) => {}
                // What follows is never looked at.
                Self::Constant(false) if flat.is_empty() => return part,
                Self::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Self::Constant(true),
            1 => flat.remove(0),
            _ => Self::And(flat),
        }
    }

    pub(crate) fn or(parts: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::Constant(false) => {}
                Self::Constant(true) if flat.is_empty() => return part,
                Self::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Self::Constant(false),
            1 => flat.remove(0),
            _ => Self::Or(flat),
        }
    }

    pub(crate) fn iff(left: Self, right: Self) -> Self {
        match (left.constant(), right.constant()) {
            (Some(true), _) => right,
            (Some(false), _) => right.not(),
            (_, Some(true)) => left,
            (_, Some(false)) => left.not(),
            _ => Self::Iff(Box::new((left, right))),
        }
    }

    pub(crate) fn conditional(condition: Self, yes: Self, no: Self) -> Self {
        match condition.constant() {
            Some(true) => yes,
            Some(false) => no,
            None => Self::Conditional(Box::new((condition, yes, no))),
        }
    }

    pub(crate) fn compare(relation: Relation, left: Whole, right: Whole) -> Self {
        match (&left, &right) {
            (Whole::Constant(left), Whole::Constant(right)) => Self::Constant(relation.holds(left, right)),
            (Whole::Variable { slot, base }, Whole::Constant(value)) => {
                of_slot(*slot, relation, value.saturating_sub(*base))
            }
            (Whole::Constant(value), Whole::Variable { slot, base }) => {
                of_slot(*slot, relation.mirrored(), value.saturating_sub(*base))
            }
            _ => Self::Compare(relation, Box::new((left, right))),
        }
    }

    pub(crate) fn compare_real(relation: Relation, left: Real, right: Real) -> Self {
        match (&left, &right) {
            (Real::Constant(left), Real::Constant(right)) => Self::Constant(relation.holds(left, right)),
            _ => Self::CompareReal(relation, Box::new((left, right))),
        }
    }

    /// Appends the slots it reads.
    pub(crate) fn reads(&self, slots: &mut Vec<u32>) {
        match self {
            Self::Constant(_) => {}
            Self::Within { slot, .. } | Self::Outside { slot, .. } => slots.push(*slot),
            Self::Not(inner) => inner.reads(slots),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.reads(slots)),
            Self::Iff(sides) => {
                sides.0.reads(slots);
                sides.1.reads(slots);
            }
            Self::Conditional(parts) => {
                parts.0.reads(slots);
                parts.1.reads(slots);
                parts.2.reads(slots);
            }
            Self::Compare(_, sides) => {
                sides.0.reads(slots);
                sides.1.reads(slots);
            }
            Self::CompareReal(_, sides) => {
                sides.0.reads(slots);
                sides.1.reads(slots);
            }
        }
    }
}

/// A slot compared with a number, which may lie outside of what slots hold.
fn of_slot(slot: u32, relation: Relation, value: i64) -> Test {
    let most = i64::from(u32::MAX);
    let within = |low: i64, high: i64| {
        let (low, high) = (low.max(0), high.min(most));
        if low > high {
            return Test::Constant(false);
        }
        let word = |value: i64| u32::try_from(value).expect("it was brought into range");
        Test::Within { slot, low: word(low), width: word(high - low) }
    };
    match relation {
        Relation::Equal => within(value, value),
        Relation::NotEqual => within(value, value).not(),
        Relation::Less => within(0, value.saturating_sub(1)),
        Relation::LessEqual => within(0, value),
        Relation::Greater => within(value.saturating_add(1), most),
        Relation::GreaterEqual => within(value, most),
    }
}

impl Whole {
    pub(crate) fn constant(&self) -> Option<i64> {
        if let Self::Constant(value) = self { Some(*value) } else { None }
    }

    /// The same expression, computed if nothing in it varies. Trouble is left for when it is reached.
    fn folded(self) -> Self {
        let mut slots = Vec::new();
        self.reads(&mut slots);
        match slots.is_empty().then(|| self.value(NOWHERE)) {
            Some(Ok(value)) => Self::Constant(value),
            _ => self,
        }
    }

    pub(crate) fn add(left: Self, right: Self) -> Self {
        match (&left, &right) {
            (Self::Variable { slot, base }, Self::Constant(value))
            | (Self::Constant(value), Self::Variable { slot, base })
                if is_modest(*base) && is_modest(*value) =>
            {
                Self::Variable { slot: *slot, base: base + value }
            }
            (Self::Constant(left_value), Self::Constant(right_value)) => {
                match left_value.checked_add(*right_value) {
                    Some(value) => Self::Constant(value),
                    None => Self::Add(Box::new((left, right))),
                }
            }
            _ => Self::Add(Box::new((left, right))),
        }
    }

    pub(crate) fn subtract(left: Self, right: Self) -> Self {
        match (&left, &right) {
            (Self::Variable { slot, base }, Self::Constant(value))
                if is_modest(*base) && is_modest(*value) =>
            {
                Self::Variable { slot: *slot, base: base - value }
            }
            (Self::Constant(left_value), Self::Constant(right_value)) => {
                match left_value.checked_sub(*right_value) {
                    Some(value) => Self::Constant(value),
                    None => Self::Subtract(Box::new((left, right))),
                }
            }
            _ => Self::Subtract(Box::new((left, right))),
        }
    }

    pub(crate) fn multiply(left: Self, right: Self) -> Self {
        if left.constant().is_some() && right.constant().is_some() {
            return Self::Multiply(Box::new((left, right))).folded();
        }
        Self::Multiply(Box::new((left, right)))
    }

    pub(crate) fn minimum(parts: Vec<Self>) -> Self {
        Self::Minimum(parts).folded()
    }

    pub(crate) fn maximum(parts: Vec<Self>) -> Self {
        Self::Maximum(parts).folded()
    }

    pub(crate) fn modulo(left: Self, right: Self) -> Self {
        Self::Modulo(Box::new((left, right))).folded()
    }

    pub(crate) fn power(left: Self, right: Self) -> Self {
        Self::Power(Box::new((left, right))).folded()
    }

    pub(crate) fn conditional(condition: Test, yes: Self, no: Self) -> Self {
        match condition.constant() {
            Some(true) => yes,
            Some(false) => no,
            None => Self::Conditional(Box::new((condition, yes, no))),
        }
    }

    pub(crate) fn floor(inner: Real) -> Self {
        Self::Floor(Box::new(inner)).folded()
    }

    pub(crate) fn ceiling(inner: Real) -> Self {
        Self::Ceiling(Box::new(inner)).folded()
    }

    pub(crate) fn nearest(inner: Real) -> Self {
        Self::Nearest(Box::new(inner)).folded()
    }

    /// Appends the slots it reads.
    pub(crate) fn reads(&self, slots: &mut Vec<u32>) {
        match self {
            Self::Constant(_) => {}
            Self::Variable { slot, .. } => slots.push(*slot),
            Self::Add(sides)
            | Self::Subtract(sides)
            | Self::Multiply(sides)
            | Self::Modulo(sides)
            | Self::Power(sides) => {
                sides.0.reads(slots);
                sides.1.reads(slots);
            }
            Self::Minimum(parts) | Self::Maximum(parts) => parts.iter().for_each(|part| part.reads(slots)),
            Self::Conditional(parts) => {
                parts.0.reads(slots);
                parts.1.reads(slots);
                parts.2.reads(slots);
            }
            Self::Floor(inner) | Self::Ceiling(inner) | Self::Nearest(inner) => inner.reads(slots),
        }
    }
}

/// Small enough that sums of two never overflow.
fn is_modest(value: i64) -> bool {
    value.unsigned_abs() < 1 << 60
}

impl Real {
    pub(crate) fn constant(&self) -> Option<Number> {
        if let Self::Constant(value) = self { Some(*value) } else { None }
    }

    pub(crate) fn whole(inner: Whole) -> Self {
        match inner {
            Whole::Constant(value) => Self::Constant(Number::whole(value)),
            other => Self::Whole(Box::new(other)),
        }
    }

    fn pair(node: fn(Box<(Self, Self)>) -> Self, left: Self, right: Self) -> Self {
        let constant = left.constant().is_some() && right.constant().is_some();
        let whole = node(Box::new((left, right)));
        match constant.then(|| whole.value(NOWHERE)) {
            Some(Ok(value)) => Self::Constant(value),
            _ => whole,
        }
    }

    pub(crate) fn add(left: Self, right: Self) -> Self {
        Self::pair(Self::Add, left, right)
    }

    pub(crate) fn subtract(left: Self, right: Self) -> Self {
        Self::pair(Self::Subtract, left, right)
    }

    pub(crate) fn multiply(left: Self, right: Self) -> Self {
        Self::pair(Self::Multiply, left, right)
    }

    pub(crate) fn divide(left: Self, right: Self) -> Self {
        Self::pair(Self::Divide, left, right)
    }

    pub(crate) fn power(left: Self, right: Self) -> Self {
        Self::pair(Self::Power, left, right)
    }

    pub(crate) fn logarithm(left: Self, right: Self) -> Self {
        Self::pair(Self::Logarithm, left, right)
    }

    pub(crate) fn extreme(node: fn(Vec<Self>) -> Self, parts: Vec<Self>) -> Self {
        let constant = parts.iter().all(|part| part.constant().is_some());
        let whole = node(parts);
        match constant.then(|| whole.value(NOWHERE)) {
            Some(Ok(value)) => Self::Constant(value),
            _ => whole,
        }
    }

    pub(crate) fn conditional(condition: Test, yes: Self, no: Self) -> Self {
        match condition.constant() {
            Some(true) => yes,
            Some(false) => no,
            None => Self::Conditional(Box::new((condition, yes, no))),
        }
    }

    /// Appends the slots it reads.
    pub(crate) fn reads(&self, slots: &mut Vec<u32>) {
        match self {
            Self::Constant(_) => {}
            Self::Whole(inner) => inner.reads(slots),
            Self::Add(sides)
            | Self::Subtract(sides)
            | Self::Multiply(sides)
            | Self::Divide(sides)
            | Self::Power(sides)
            | Self::Logarithm(sides) => {
                sides.0.reads(slots);
                sides.1.reads(slots);
            }
            Self::Minimum(parts) | Self::Maximum(parts) => parts.iter().for_each(|part| part.reads(slots)),
            Self::Conditional(parts) => {
                parts.0.reads(slots);
                parts.1.reads(slots);
                parts.2.reads(slots);
            }
        }
    }
}

/// A value that does not depend on the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Truth(bool),
    Whole(i64),
    Real(Number),
}

impl Typed {
    /// The value of an expression that reads nothing; `None` where it reads variables.
    pub(crate) fn value(&self) -> Option<Result<Value, Trouble>> {
        let mut slots = Vec::new();
        match self {
            Self::Test(test) => test.reads(&mut slots),
            Self::Whole(whole) => whole.reads(&mut slots),
            Self::Real(real) => real.reads(&mut slots),
        }
        slots.is_empty().then(|| {
            Ok(match self {
                Self::Test(test) => Value::Truth(test.holds(NOWHERE)?),
                Self::Whole(whole) => Value::Whole(whole.value(NOWHERE)?),
                Self::Real(real) => Value::Real(real.value(NOWHERE)?),
            })
        })
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Truth(value) => write!(f, "{value}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
        }
    }
}
