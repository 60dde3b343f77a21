//! What has to happen so that a claim says anything: the left sides of its implications.

use motet_model::AtomId;
use motet_property::{Formula, Path, Quantifier};

/// An implication's left side, and what it means that it happens.
pub(crate) struct Trigger {
    /// As written.
    pub(crate) formula: Path<AtomId>,
    /// Satisfied by the runs on which it happens.
    pub(crate) happens: Path<AtomId>,
}

/// The triggers of a claim: for `G (a -> b)` this is `a`, which happens if some run satisfies `F a`.
pub(crate) fn triggers(path: &Path<AtomId>) -> Vec<Trigger> {
    match path {
        Path::And(a, b) => {
            let mut both = triggers(a);
            both.extend(triggers(b));
            both
        }
        Path::Always(when, a) => lift(a, |happens| Path::Eventually(when.clone(), Box::new(happens))),
        Path::Next(a) => lift(a, |happens| Path::Next(Box::new(happens))),
        Path::Implies(a, b) => implication(a, triggers(b)),
        Path::Now(formula) => state_triggers(formula),
        _ => Vec::new(),
    }
}

fn lift(a: &Path<AtomId>, wrap: impl Fn(Path<AtomId>) -> Path<AtomId>) -> Vec<Trigger> {
    let inner = triggers(a).into_iter();
    inner.map(|trigger| Trigger { happens: wrap(trigger.happens), ..trigger }).collect()
}

/// `a -> (b -> c)` is triggered by `a` and then `b`.
fn implication(a: &Path<AtomId>, inner: Vec<Trigger>) -> Vec<Trigger> {
    if inner.is_empty() {
        return vec![Trigger { formula: a.clone(), happens: a.clone() }];
    }
    let join = |trigger: Trigger| Trigger {
        formula: trigger.formula,
        happens: Path::And(Box::new(a.clone()), Box::new(trigger.happens)),
    };
    inner.into_iter().map(join).collect()
}

fn state_triggers(formula: &Formula<AtomId>) -> Vec<Trigger> {
    match formula {
        Formula::And(a, b) => {
            let mut both = state_triggers(a);
            both.extend(state_triggers(b));
            both
        }
        Formula::Implies(a, b) => implication(&Path::Now((**a).clone()), state_triggers(b)),
        Formula::Runs(Quantifier::All, path) => triggers(path),
        _ => Vec::new(),
    }
}
