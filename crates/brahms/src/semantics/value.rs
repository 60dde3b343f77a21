//! Values as numbers of 32 bits. Equal values have equal numbers, and 0 is *unknown*.
//!
//! Numbers that do not fit are interned; which number they get depends on the order of arrival, so nothing may be sorted by
//! it.

use motet_model::Interner;

use crate::program::{Arithmetic, Comparison, EntityId, TextId, Value};

/// No value.
pub(crate) const UNKNOWN: u32 = 0;

const INT: u32 = 1;
const BOOL: u32 = 2;
const ENTITY: u32 = 3;
const TEXT: u32 = 4;
const NUMBER: u32 = 5;
const LIST: u32 = 6;
const TAG: u32 = 7;
const SHIFT: u32 = 3;

/// `true`
pub(crate) const TRUE: u32 = (1 << SHIFT) | BOOL;
/// `false`
pub(crate) const FALSE: u32 = BOOL;
/// `0`
pub(crate) const ZERO: u32 = INT;

/// The word of a truth.
pub(crate) fn truth(value: bool) -> u32 {
    if value { TRUE } else { FALSE }
}

/// The word of an entity.
pub(crate) fn entity(of: EntityId) -> u32 {
    (of.0 << SHIFT) | ENTITY
}

/// The entity that a word stands for.
pub(crate) fn as_entity(word: u32) -> Option<EntityId> {
    (word & TAG == ENTITY).then_some(EntityId(word >> SHIFT))
}

/// Whether a word is a list of values, as `collectall` variables have.
pub(crate) fn is_list(word: u32) -> bool {
    word & TAG == LIST
}

fn small(word: u32) -> Option<i64> {
    (word & TAG == INT).then_some(i64::from(word.cast_signed() >> SHIFT))
}

/// A number, whole or not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Int(i64),
    Double(f64),
}

/// What is needed to go from values to words and back.
#[derive(Debug, Default)]
pub(crate) struct Codec {
    numbers: Interner<Value>,
    lists: Interner<Box<[u32]>>,
}

impl Codec {
    /// The word of a value.
    pub(crate) fn encode(&self, value: Value) -> u32 {
        match value {
            Value::Bool(value) => truth(value),
            Value::Int(value) => self.int(value),
            Value::Double(_) => (self.numbers.intern(value) << SHIFT) | NUMBER,
            Value::Text(text) => (text.0 << SHIFT) | TEXT,
            Value::Entity(of) => entity(of),
        }
    }

    fn int(&self, value: i64) -> u32 {
        match i32::try_from(value) {
            Ok(small) if small.unsigned_abs() < 1 << 28 => (small.cast_unsigned() << SHIFT) | INT,
            _ => (self.numbers.intern(Value::Int(value)) << SHIFT) | NUMBER,
        }
    }

    /// The value of a word; `None` for unknown and for lists.
    pub(crate) fn decode(&self, word: u32) -> Option<Value> {
        Some(match word & TAG {
            INT => Value::Int(small(word)?),
            BOOL => Value::Bool(word == TRUE),
            ENTITY => Value::Entity(EntityId(word >> SHIFT)),
            TEXT => Value::Text(TextId(word >> SHIFT)),
            NUMBER => *self.numbers.get(word >> SHIFT),
            _ => return None,
        })
    }

    /// The word of a list of words.
    pub(crate) fn list(&self, words: &[u32]) -> u32 {
        (self.lists.intern(words.into()) << SHIFT) | LIST
    }

    /// The words of a list.
    pub(crate) fn items(&self, word: u32) -> &[u32] {
        if is_list(word) { self.lists.get(word >> SHIFT) } else { &[] }
    }

    /// The words of a list; a word that is no list is its own only element.
    pub(crate) fn elements(&self, word: u32) -> Vec<u32> {
        if is_list(word) { self.lists.get(word >> SHIFT).to_vec() } else { vec![word] }
    }

    fn number(&self, word: u32) -> Option<Number> {
        match self.decode(word)? {
            Value::Int(value) => Some(Number::Int(value)),
            Value::Double(bits) => Some(Number::Double(f64::from_bits(bits))),
            _ => None,
        }
    }

    /// A whole number of seconds, rounded; `None` if it is no number.
    pub(crate) fn seconds(&self, word: u32) -> Option<u32> {
        let most = f64::from(u32::MAX);
        let number = match self.number(word)? {
            #[expect(clippy::cast_precision_loss, reason = "durations beyond 2^53 s are cut anyway")]
            Number::Int(value) => value as f64,
            Number::Double(value) => value.round(),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range")]
        let seconds = number.clamp(0.0, most) as u32;
        Some(seconds)
    }

    /// `knownval(a op b)`: both sides are known and the comparison holds. Numbers are compared as numbers, everything else
    /// only for equality.
    pub(crate) fn compare(&self, left: u32, operator: Comparison, right: u32) -> bool {
        if left == UNKNOWN || right == UNKNOWN {
            return false;
        }
        if let (Some(a), Some(b)) = (small(left), small(right)) {
            return order(operator, a.cmp(&b));
        }
        match operator {
            Comparison::Eq if left == right => true,
            Comparison::Ne if left == right => false,
            _ => match (self.number(left), self.number(right)) {
                (Some(a), Some(b)) => compare_numbers(a, b).is_some_and(|found| order(operator, found)),
                _ => operator == Comparison::Ne,
            },
        }
    }

    /// The result of an operation; unknown if a side is unknown or no number, on division by zero and on overflow.
    pub(crate) fn calculate(&self, operator: Arithmetic, left: u32, right: u32, exact_division: bool) -> u32 {
        let (Some(a), Some(b)) = (self.number(left), self.number(right)) else { return UNKNOWN };
        let result = match (a, b) {
            (Number::Int(a), Number::Int(b)) => whole(operator, a, b, exact_division),
            _ => real(operator, double(a), double(b)),
        };
        result.map_or(UNKNOWN, |result| self.word(result))
    }

    /// `-a`
    pub(crate) fn negate(&self, of: u32) -> u32 {
        match self.number(of) {
            Some(Number::Int(value)) => value.checked_neg().map_or(UNKNOWN, |value| self.int(value)),
            Some(Number::Double(value)) => self.word(Number::Double(-value)),
            None => UNKNOWN,
        }
    }

    fn word(&self, number: Number) -> u32 {
        match number {
            Number::Int(value) => self.int(value),
            Number::Double(value) if value.is_nan() => UNKNOWN,
            // There is one zero.
            Number::Double(value) => self.encode(Value::Double((value + 0.0).to_bits())),
        }
    }
}

fn order(operator: Comparison, found: std::cmp::Ordering) -> bool {
    match operator {
        Comparison::Eq => found.is_eq(),
        Comparison::Ne => found.is_ne(),
        Comparison::Lt => found.is_lt(),
        Comparison::Le => found.is_le(),
        Comparison::Gt => found.is_gt(),
        Comparison::Ge => found.is_ge(),
    }
}

fn compare_numbers(left: Number, right: Number) -> Option<std::cmp::Ordering> {
    match (left, right) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
        _ => double(left).partial_cmp(&double(right)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a double is asked for")]
fn double(number: Number) -> f64 {
    match number {
        Number::Int(value) => value as f64,
        Number::Double(value) => value,
    }
}

fn whole(operator: Arithmetic, a: i64, b: i64, exact_division: bool) -> Option<Number> {
    let result = match operator {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Sub => a.checked_sub(b),
        Arithmetic::Mul => a.checked_mul(b),
        Arithmetic::Div if exact_division && b != 0 && a.checked_rem(b) != Some(0) => {
            return Some(Number::Double(double(Number::Int(a)) / double(Number::Int(b))));
        }
        Arithmetic::Div | Arithmetic::WholeDiv => a.checked_div(b),
        Arithmetic::Mod => a.checked_rem(b),
        Arithmetic::Power => match u32::try_from(b) {
            Ok(exponent) => a.checked_pow(exponent),
            Err(_) => return real(operator, double(Number::Int(a)), double(Number::Int(b))),
        },
    };
    result.map(Number::Int)
}

fn real(operator: Arithmetic, a: f64, b: f64) -> Option<Number> {
    let result = match operator {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div | Arithmetic::WholeDiv | Arithmetic::Mod if b == 0.0 => return None,
        Arithmetic::Div => a / b,
        Arithmetic::WholeDiv => (a / b).trunc(),
        Arithmetic::Mod => a % b,
        Arithmetic::Power => a.powf(b),
    };
    result.is_finite().then_some(Number::Double(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_unchanged() {
        let codec = Codec::default();
        let all = [
            Value::Bool(true),
            Value::Bool(false),
            Value::Int(0),
            Value::Int(-7),
            Value::Int(1 << 40),
            Value::Int(i64::MIN),
            Value::Double(1.5f64.to_bits()),
            Value::Text(TextId(3)),
            Value::Entity(EntityId(9)),
        ];
        for value in all {
            let word = codec.encode(value);
            assert_ne!(word, UNKNOWN);
            assert_eq!(codec.decode(word), Some(value));
            assert_eq!(codec.encode(value), word);
        }
    }

    #[test]
    fn unknown_compares_with_nothing_not_even_as_different() {
        let codec = Codec::default();
        for operator in [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Ge] {
            assert!(!codec.compare(UNKNOWN, operator, ZERO));
            assert!(!codec.compare(ZERO, operator, UNKNOWN));
        }
    }

    #[test]
    fn numbers_are_equal_across_kinds_and_symbols_have_no_order() {
        let codec = Codec::default();
        let (two, double) = (codec.encode(Value::Int(2)), codec.encode(Value::Double(2.0f64.to_bits())));
        assert!(codec.compare(two, Comparison::Eq, double));
        assert!(codec.compare(two, Comparison::Le, double));
        let symbol = codec.encode(Value::Text(TextId(1)));
        assert!(codec.compare(symbol, Comparison::Ne, two));
        assert!(!codec.compare(symbol, Comparison::Lt, two));
    }

    #[test]
    fn division_truncates_unless_it_is_exact_and_by_zero_it_is_unknown() {
        let codec = Codec::default();
        let int = |value| codec.encode(Value::Int(value));
        assert_eq!(codec.calculate(Arithmetic::Div, int(7), int(2), false), int(3));
        let half = codec.encode(Value::Double(3.5f64.to_bits()));
        assert_eq!(codec.calculate(Arithmetic::Div, int(7), int(2), true), half);
        assert_eq!(codec.calculate(Arithmetic::Div, int(7), int(0), false), UNKNOWN);
        assert_eq!(codec.calculate(Arithmetic::Add, int(i64::MAX), int(1), false), UNKNOWN);
    }
}
