//! Numbers, comparisons and the standard order of terms.

use std::cmp::Ordering;

use crate::syntax::{ArithmeticOperator, RelationOperator};
use crate::term::{Term, TermId, Terms};

/// Why something could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It has no value, so the formula fails: a sum with an unbound variable, a division by zero.
    Fails,
    /// A term outgrew its bound.
    LargeTerm,
    /// The model cannot say what comes next.
    Fault(String),
}

#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Real(f64),
}

impl Number {
    fn real(self) -> f64 {
        match self {
            // Numbers of programs are far below 2^53; a larger one loses digits here as in every double.
            #[expect(clippy::cast_precision_loss, reason = "the loss is that of any double")]
            Number::Int(value) => value as f64,
            Number::Real(value) => value,
        }
    }
}

fn number(terms: &Terms, term: TermId) -> Option<Number> {
    match terms.get(term) {
        Term::Int(value) => Some(Number::Int(*value)),
        Term::Real(bits) => Some(Number::Real(f64::from_bits(*bits))),
        _ => None,
    }
}

/// The value of `left operator right`.
pub(crate) fn compute(
    terms: &Terms,
    operator: ArithmeticOperator,
    left: TermId,
    right: TermId,
) -> Result<TermId, Trouble> {
    let left = number(terms, left).ok_or(Trouble::Fails)?;
    let right = number(terms, right).ok_or(Trouble::Fails)?;
    if let (Number::Int(left), Number::Int(right)) = (left, right) {
        return whole(terms, operator, left, right);
    }
    let (left, right) = (left.real(), right.real());
    from_real(
        terms,
        match operator {
            ArithmeticOperator::Add => left + right,
            ArithmeticOperator::Subtract => left - right,
            ArithmeticOperator::Multiply => left * right,
            ArithmeticOperator::Divide => left / right,
            ArithmeticOperator::IntegerDivide => (left / right).trunc(),
            ArithmeticOperator::Modulo => left % right,
            ArithmeticOperator::Power => left.powf(right),
        },
    )
}

fn whole(terms: &Terms, operator: ArithmeticOperator, left: i64, right: i64) -> Result<TermId, Trouble> {
    let zero = right == 0;
    let value = match operator {
        ArithmeticOperator::Add => left.checked_add(right),
        ArithmeticOperator::Subtract => left.checked_sub(right),
        ArithmeticOperator::Multiply => left.checked_mul(right),
        ArithmeticOperator::Divide | ArithmeticOperator::IntegerDivide | ArithmeticOperator::Modulo
            if zero =>
        {
            return Err(Trouble::Fails);
        }
        ArithmeticOperator::Divide if left % right != 0 => {
            return from_real(terms, Number::Int(left).real() / Number::Int(right).real());
        }
        ArithmeticOperator::Divide | ArithmeticOperator::IntegerDivide => left.checked_div(right),
        // The sign of the dividend, as in Jason: -7 mod 3 is -1.
        ArithmeticOperator::Modulo => left.checked_rem(right),
        ArithmeticOperator::Power => match u32::try_from(right) {
            Ok(exponent) => left.checked_pow(exponent),
            Err(_) => return from_real(terms, Number::Int(left).real().powf(Number::Int(right).real())),
        },
    };
    value.map(|value| terms.int(value)).ok_or_else(|| Trouble::Fault("a number exceeds 64 bits".to_owned()))
}

/// A whole number is stored as one, so that equal numbers are equal terms.
fn from_real(terms: &Terms, value: f64) -> Result<TermId, Trouble> {
    const LARGEST: f64 = 9e15;
    if !value.is_finite() {
        return Err(Trouble::Fails);
    }
    if value.fract() == 0.0 && value.abs() < LARGEST {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        return Ok(terms.int(value as i64));
    }
    Ok(terms.term(Term::Real(value.to_bits())))
}

/// Whether a relation other than unification and decomposition holds between two resolved terms.
pub(crate) fn related(terms: &Terms, operator: RelationOperator, left: TermId, right: TermId) -> bool {
    let unbound = |term| matches!(terms.get(term), Term::Variable(_));
    match operator {
        RelationOperator::Equal | RelationOperator::Unify => left == right,
        RelationOperator::Different => left != right,
        _ if unbound(left) || unbound(right) => false,
        RelationOperator::Less => compare(terms, left, right) == Ordering::Less,
        RelationOperator::LessEqual => compare(terms, left, right) != Ordering::Greater,
        RelationOperator::Greater => compare(terms, left, right) == Ordering::Greater,
        RelationOperator::GreaterEqual => compare(terms, left, right) != Ordering::Less,
        RelationOperator::Decompose => false,
    }
}

/// The standard order: unbound variables, numbers, texts, then structures by arity, name and arguments. It looks at
/// names, never at their numbers, which depend on the order of arrival.
pub(crate) fn compare(terms: &Terms, left: TermId, right: TermId) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    if let (Some(left), Some(right)) = (number(terms, left), number(terms, right)) {
        return match (left, right) {
            (Number::Int(left), Number::Int(right)) => left.cmp(&right),
            _ => left.real().total_cmp(&right.real()),
        };
    }
    match (terms.get(left), terms.get(right)) {
        (Term::Variable(left), Term::Variable(right)) => left.cmp(right),
        (Term::Text(left), Term::Text(right)) => terms.name(*left).cmp(terms.name(*right)),
        (Term::Structure(f, left), Term::Structure(g, right)) => {
            let heads = left.len().cmp(&right.len()).then_with(|| terms.name(*f).cmp(terms.name(*g)));
            heads.then_with(|| {
                let pairs = left.iter().zip(right).map(|(&left, &right)| compare(terms, left, right));
                pairs.fold(Ordering::Equal, Ordering::then)
            })
        }
        (left, right) => rank(left).cmp(&rank(right)),
    }
}

fn rank(term: &Term) -> u8 {
    match term {
        Term::Variable(_) => 0,
        Term::Int(_) | Term::Real(_) => 1,
        Term::Text(_) => 2,
        Term::Structure(..) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ArithmeticOperator as Op;

    #[test]
    fn arithmetic_follows_jason() {
        let terms = Terms::new();
        let int = |value| terms.int(value);
        let half = terms.term(Term::Real(3.5f64.to_bits()));
        assert_eq!(compute(&terms, Op::Divide, int(7), int(2)), Ok(half));
        assert_eq!(compute(&terms, Op::Multiply, half, int(2)), Ok(int(7)));
        // Observed in Jason: -7 mod 3 is -1.
        assert_eq!(compute(&terms, Op::Modulo, int(-7), int(3)), Ok(int(-1)));
        assert_eq!(compute(&terms, Op::Divide, int(1), int(0)), Err(Trouble::Fails));
        assert_eq!(compute(&terms, Op::Add, int(1), terms.constant("a")), Err(Trouble::Fails));
        assert!(matches!(compute(&terms, Op::Add, int(i64::MAX), int(1)), Err(Trouble::Fault(_))));
    }

    #[test]
    fn mixed_terms_are_ordered_by_kind_and_names_not_by_arrival() {
        let terms = Terms::new();
        let (zebra, ant) = (terms.constant("zebra"), terms.constant("ant"));
        assert_eq!(compare(&terms, ant, zebra), Ordering::Less);
        assert!(related(&terms, RelationOperator::Less, terms.int(1), ant));
    }
}
