//! Connectives over paths. As long as both sides speak of a single state the result does too, so that an engine sees an
//! invariant as `Always(Now(..))`. Constants, which quantifiers leave behind, are folded.

use crate::formula::{Connective, Formula, Path};

pub(crate) fn constant<A>(truth: bool) -> Path<A> {
    Path::Now(if truth { Formula::True } else { Formula::False })
}

fn truth<A>(path: &Path<A>) -> Option<bool> {
    match path {
        Path::Now(Formula::True) => Some(true),
        Path::Now(Formula::False) => Some(false),
        _ => None,
    }
}

pub(crate) fn not<A>(path: Path<A>) -> Path<A> {
    match path {
        Path::Now(Formula::True) => Path::Now(Formula::False),
        Path::Now(Formula::False) => Path::Now(Formula::True),
        Path::Now(formula) => Path::Now(Formula::Not(Box::new(formula))),
        path => Path::Not(Box::new(path)),
    }
}

pub(crate) fn and<A>(left: Path<A>, right: Path<A>) -> Path<A> {
    match (truth(&left), truth(&right)) {
        (Some(false), _) | (_, Some(true)) => left,
        (Some(true), _) | (_, Some(false)) => right,
        _ => match (left, right) {
            (Path::Now(left), Path::Now(right)) => Path::Now(Formula::And(Box::new(left), Box::new(right))),
            (left, right) => Path::And(Box::new(left), Box::new(right)),
        },
    }
}

pub(crate) fn or<A>(left: Path<A>, right: Path<A>) -> Path<A> {
    match (truth(&left), truth(&right)) {
        (Some(true), _) | (_, Some(false)) => left,
        (Some(false), _) | (_, Some(true)) => right,
        _ => match (left, right) {
            (Path::Now(left), Path::Now(right)) => Path::Now(Formula::Or(Box::new(left), Box::new(right))),
            (left, right) => Path::Or(Box::new(left), Box::new(right)),
        },
    }
}

pub(crate) fn implies<A>(left: Path<A>, right: Path<A>) -> Path<A> {
    match (truth(&left), truth(&right)) {
        (Some(false), _) | (_, Some(true)) => constant(true),
        (Some(true), _) => right,
        (_, Some(false)) => not(left),
        _ => match (left, right) {
            (Path::Now(left), Path::Now(right)) => {
                Path::Now(Formula::Implies(Box::new(left), Box::new(right)))
            }
            (left, right) => Path::Implies(Box::new(left), Box::new(right)),
        },
    }
}

pub(crate) fn iff<A>(left: Path<A>, right: Path<A>) -> Path<A> {
    match (truth(&left), truth(&right)) {
        (Some(true), _) => right,
        (_, Some(true)) => left,
        (Some(false), _) => not(right),
        (_, Some(false)) => not(left),
        _ => match (left, right) {
            (Path::Now(left), Path::Now(right)) => Path::Now(Formula::Iff(Box::new(left), Box::new(right))),
            (left, right) => Path::Iff(Box::new(left), Box::new(right)),
        },
    }
}

pub(crate) fn joined<A>(connective: Connective, left: Path<A>, right: Path<A>) -> Path<A> {
    match connective {
        Connective::And => and(left, right),
        Connective::Or => or(left, right),
        Connective::Implies => implies(left, right),
        Connective::Iff => iff(left, right),
    }
}

/// Joins many parts as a balanced tree: a long chain is not a deep one.
pub(crate) fn balanced<T>(mut parts: Vec<T>, empty: T, join: &dyn Fn(T, T) -> T) -> T {
    while parts.len() > 1 {
        let mut halves = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            halves.push(match rest.next() {
                Some(right) => join(left, right),
                None => left,
            });
        }
        parts = halves;
    }
    parts.pop().unwrap_or(empty)
}
