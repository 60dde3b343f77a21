//! Formulas without the parts that a constant makes needless.

use motet_model::AtomId;
use motet_property::{Change, Formula, Interval, Path, Until};

/// The same claim, shorter where constants stand in it.
pub(crate) fn simplified(path: &Path<AtomId>) -> Path<AtomId> {
    shorter(path.with_children(&mut Simplify))
}

fn simplified_state(formula: &Formula<AtomId>) -> Formula<AtomId> {
    shorter_state(formula.with_children(&mut Simplify))
}

struct Simplify;

impl Change<AtomId> for Simplify {
    fn path(&mut self, _: usize, child: &Path<AtomId>) -> Path<AtomId> {
        simplified(child)
    }

    fn state(&mut self, _: usize, child: &Formula<AtomId>) -> Formula<AtomId> {
        simplified_state(child)
    }
}

/// The constant that a formula is.
fn constant(path: &Path<AtomId>) -> Option<bool> {
    match path {
        Path::Now(formula) => state_constant(formula),
        _ => None,
    }
}

fn state_constant(formula: &Formula<AtomId>) -> Option<bool> {
    match formula {
        Formula::True => Some(true),
        Formula::False => Some(false),
        _ => None,
    }
}

pub(crate) fn path_of(value: bool) -> Path<AtomId> {
    Path::Now(state_of(value))
}

pub(crate) fn state_of(value: bool) -> Formula<AtomId> {
    if value { Formula::True } else { Formula::False }
}

/// The negation, without a double one.
fn negated(path: Path<AtomId>) -> Path<AtomId> {
    match path {
        Path::Not(a) => *a,
        other => Path::Not(Box::new(other)),
    }
}

fn negated_state(formula: Formula<AtomId>) -> Formula<AtomId> {
    match formula {
        Formula::Not(a) => *a,
        other => Formula::Not(Box::new(other)),
    }
}

/// A formula whose children are simplified.
fn shorter(path: Path<AtomId>) -> Path<AtomId> {
    match path {
        Path::Not(a) => constant(&a).map_or_else(|| Path::Not(a), |value| path_of(!value)),
        Path::And(a, b) => match (constant(&a), constant(&b)) {
            (Some(false), _) | (_, Some(false)) => path_of(false),
            (Some(true), _) => *b,
            (_, Some(true)) => *a,
            _ => Path::And(a, b),
        },
        Path::Or(a, b) => match (constant(&a), constant(&b)) {
            (Some(true), _) | (_, Some(true)) => path_of(true),
            (Some(false), _) => *b,
            (_, Some(false)) => *a,
            _ => Path::Or(a, b),
        },
        Path::Implies(a, b) => match (constant(&a), constant(&b)) {
            (Some(false), _) | (_, Some(true)) => path_of(true),
            (Some(true), _) => *b,
            (_, Some(false)) => negated(*a),
            _ => Path::Implies(a, b),
        },
        Path::Iff(a, b) => match (constant(&a), constant(&b)) {
            (Some(true), _) => *b,
            (_, Some(true)) => *a,
            (Some(false), _) => negated(*b),
            (_, Some(false)) => negated(*a),
            _ => Path::Iff(a, b),
        },
        Path::Next(a) => constant(&a).map_or_else(|| Path::Next(a), path_of),
        Path::Eventually(when, a) => match constant(&a) {
            Some(false) => path_of(false),
            Some(true) if meets_now(&when) => path_of(true),
            _ => Path::Eventually(when, a),
        },
        Path::Always(when, a) => match constant(&a) {
            Some(true) => path_of(true),
            Some(false) if meets_now(&when) => path_of(false),
            _ => Path::Always(when, a),
        },
        Path::Until(Until::Until, when, a, b) => shorter_until(when, a, b),
        Path::Until(Until::Weak, when, a, b) => match (constant(&a), constant(&b)) {
            (Some(true), _) | (_, Some(true)) => path_of(true),
            (_, Some(false)) => shorter(Path::Always(when, a)),
            (Some(false), _) if meets_now(&when) => *b,
            _ => Path::Until(Until::Weak, when, a, b),
        },
        Path::Until(Until::Release, when, a, b) => match (constant(&a), constant(&b)) {
            (_, Some(true)) => path_of(true),
            (Some(false), _) => shorter(Path::Always(when, b)),
            (_, Some(false)) if meets_now(&when) => path_of(false),
            (Some(true), _) if meets_now(&when) => *b,
            _ => Path::Until(Until::Release, when, a, b),
        },
        _ => path,
    }
}

fn shorter_until(when: Interval, a: Box<Path<AtomId>>, b: Box<Path<AtomId>>) -> Path<AtomId> {
    match (constant(&a), constant(&b)) {
        (_, Some(false)) => path_of(false),
        (_, Some(true)) if meets_now(&when) => path_of(true),
        (Some(true), _) => shorter(Path::Eventually(when, b)),
        (Some(false), _) if meets_now(&when) => *b,
        _ => Path::Until(Until::Until, when, a, b),
    }
}

/// Whether an interval is met by the moment it is counted from.
fn meets_now(when: &Interval) -> bool {
    when.low.is_none() && when.high.as_ref().is_none_or(|high| high.amount > 0 || !high.strict)
}

fn shorter_state(formula: Formula<AtomId>) -> Formula<AtomId> {
    match formula {
        Formula::Not(a) => state_constant(&a).map_or_else(|| Formula::Not(a), |value| state_of(!value)),
        Formula::And(a, b) => match (state_constant(&a), state_constant(&b)) {
            (Some(false), _) | (_, Some(false)) => Formula::False,
            (Some(true), _) => *b,
            (_, Some(true)) => *a,
            _ => Formula::And(a, b),
        },
        Formula::Or(a, b) => match (state_constant(&a), state_constant(&b)) {
            (Some(true), _) | (_, Some(true)) => Formula::True,
            (Some(false), _) => *b,
            (_, Some(false)) => *a,
            _ => Formula::Or(a, b),
        },
        Formula::Implies(a, b) => match (state_constant(&a), state_constant(&b)) {
            (Some(false), _) | (_, Some(true)) => Formula::True,
            (Some(true), _) => *b,
            (_, Some(false)) => negated_state(*a),
            _ => Formula::Implies(a, b),
        },
        Formula::Iff(a, b) => match (state_constant(&a), state_constant(&b)) {
            (Some(true), _) => *b,
            (_, Some(true)) => *a,
            (Some(false), _) => negated_state(*b),
            (_, Some(false)) => negated_state(*a),
            _ => Formula::Iff(a, b),
        },
        Formula::Runs(quantifier, path) => match constant(&path) {
            Some(value) => state_of(value),
            None => Formula::Runs(quantifier, path),
        },
        // What is true everywhere is known by everybody; what is false is known by nobody, because the present situation
        // cannot be told from itself.
        Formula::Knows(kind, who, a) => match state_constant(&a) {
            Some(value) => state_of(value),
            None => Formula::Knows(kind, who, a),
        },
        other => other,
    }
}
