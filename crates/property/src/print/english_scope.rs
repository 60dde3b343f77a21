//! Shapes of formulas that come from sentences and scopes, and read better as such.

use crate::formula::{Bound, Formula, Interval, Path, Until};
use crate::lower::{Happens, counted, each_time};

/// A formula that a person would not say operator by operator.
pub(super) enum Shape<'p, A> {
    /// Where the first begins to hold, also at the start, the second.
    EachTime(Path<A>, Path<A>),
    /// So many times at most, of what lasts or of what happens.
    AtMost(Path<A>, Happens, u32),
    /// From where the first holds for the first time, the second; nothing if it never does.
    Once(Path<A>, Path<A>),
    /// For so long, or until the second comes, the third.
    For(&'p Bound, &'p Path<A>, Path<A>),
    /// The first does not come before the second.
    NotBefore(Path<A>, &'p Path<A>),
}

/// The shape of a formula, if it has one.
pub(super) fn shape<A: Clone + PartialEq>(path: &Path<A>) -> Option<Shape<'_, A>> {
    match path {
        Path::And(..) => each_time(path).map(|(condition, due)| Shape::EachTime(condition, due)),
        Path::Until(Until::Weak, when, left, right) if when.is_unbounded() => {
            if let Some((what, happens, number)) = counted(path) {
                return Some(Shape::AtMost(what, happens, number));
            }
            let opposite = opposite(left);
            match conjunction(right) {
                Some((begins, rest)) if begins == opposite => Some(Shape::Once(begins, rest)),
                // `!b W a`; a plain `a W b` says `unless`.
                _ if is_negated(left) => Some(Shape::NotBefore(opposite, right)),
                _ => None,
            }
        }
        // `end R<=D (p | end)`
        Path::Until(Until::Release, Interval { low: None, high: Some(high) }, end, either) => {
            let (rest, same) = disjunction(either)?;
            (same == **end).then_some(Shape::For(high, end, rest))
        }
        _ => None,
    }
}

fn is_negated<A>(path: &Path<A>) -> bool {
    matches!(path, Path::Not(_) | Path::Now(Formula::Not(_)))
}

fn opposite<A: Clone>(path: &Path<A>) -> Path<A> {
    match path {
        Path::Not(inner) => (**inner).clone(),
        Path::Now(Formula::Not(inner)) => Path::Now((**inner).clone()),
        Path::Now(formula) => Path::Now(Formula::Not(Box::new(formula.clone()))),
        path => Path::Not(Box::new(path.clone())),
    }
}

fn conjunction<A: Clone>(path: &Path<A>) -> Option<(Path<A>, Path<A>)> {
    match path {
        Path::And(left, right) => Some(((**left).clone(), (**right).clone())),
        Path::Now(Formula::And(left, right)) => {
            Some((Path::Now((**left).clone()), Path::Now((**right).clone())))
        }
        _ => None,
    }
}

fn disjunction<A: Clone>(path: &Path<A>) -> Option<(Path<A>, Path<A>)> {
    match path {
        Path::Or(left, right) => Some(((**left).clone(), (**right).clone())),
        Path::Now(Formula::Or(left, right)) => {
            Some((Path::Now((**left).clone()), Path::Now((**right).clone())))
        }
        _ => None,
    }
}
