//! Three-valued truth: `None` is "depends on how the run goes on".

use motet_property::Connective;

/// A truth value of a formula on a run that may be known in part only.
pub(crate) type Truth = Option<bool>;

pub(crate) fn not(a: Truth) -> Truth {
    a.map(|value| !value)
}

pub(crate) fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

pub(crate) fn or(a: Truth, b: Truth) -> Truth {
    not(and(not(a), not(b)))
}

pub(crate) fn iff(a: Truth, b: Truth) -> Truth {
    a.zip(b).map(|(a, b)| a == b)
}

pub(crate) fn join(connective: Connective, a: Truth, b: Truth) -> Truth {
    match connective {
        Connective::And => and(a, b),
        Connective::Or => or(a, b),
        Connective::Implies => or(not(a), b),
        Connective::Iff => iff(a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_side_matters_only_when_the_other_does_not_decide() {
        assert_eq!((and(None, Some(false)), and(None, Some(true))), (Some(false), None));
        assert_eq!((or(None, Some(true)), or(None, Some(false))), (Some(true), None));
        assert_eq!((iff(None, Some(true)), iff(Some(false), Some(false))), (None, Some(true)));
    }
}
