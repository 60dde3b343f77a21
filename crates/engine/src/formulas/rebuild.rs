//! A formula built again with other children.

use motet_model::AtomId;
use motet_property::{Formula, Path, RewardGoal, Timer};

/// What becomes of the direct children of a formula, by their number from the left.
pub(crate) trait Change {
    /// Of a child that speaks of runs.
    fn path(&mut self, number: usize, child: &Path<AtomId>) -> Path<AtomId>;

    /// Of a child that speaks of a state.
    fn state(&mut self, number: usize, child: &Formula<AtomId>) -> Formula<AtomId>;
}

/// The formula with each child changed.
pub(crate) fn with_paths(path: &Path<AtomId>, change: &mut dyn Change) -> Path<AtomId> {
    let one = |change: &mut dyn Change, a: &Path<AtomId>| Box::new(change.path(0, a));
    let two = |change: &mut dyn Change, a: &Path<AtomId>, b: &Path<AtomId>| {
        (Box::new(change.path(0, a)), Box::new(change.path(1, b)))
    };
    match path {
        Path::Now(formula) => Path::Now(change.state(0, formula)),
        // Its propositions stand for letters, which are not parts of the claim.
        Path::Accepted(omega) => Path::Accepted(omega.clone()),
        Path::Not(a) => Path::Not(one(change, a)),
        Path::Next(a) => Path::Next(one(change, a)),
        Path::Eventually(when, a) => Path::Eventually(when.clone(), one(change, a)),
        Path::Always(when, a) => Path::Always(when.clone(), one(change, a)),
        Path::And(a, b) => {
            let (a, b) = two(change, a, b);
            Path::And(a, b)
        }
        Path::Or(a, b) => {
            let (a, b) = two(change, a, b);
            Path::Or(a, b)
        }
        Path::Implies(a, b) => {
            let (a, b) = two(change, a, b);
            Path::Implies(a, b)
        }
        Path::Iff(a, b) => {
            let (a, b) = two(change, a, b);
            Path::Iff(a, b)
        }
        Path::Until(when, a, b) => {
            let (a, b) = two(change, a, b);
            Path::Until(when.clone(), a, b)
        }
        Path::Weak(when, a, b) => {
            let (a, b) = two(change, a, b);
            Path::Weak(when.clone(), a, b)
        }
        Path::Release(when, a, b) => {
            let (a, b) = two(change, a, b);
            Path::Release(when.clone(), a, b)
        }
    }
}

/// The formula with each child changed.
pub(crate) fn with_states(formula: &Formula<AtomId>, change: &mut dyn Change) -> Formula<AtomId> {
    let one = |change: &mut dyn Change, a: &Formula<AtomId>| Box::new(change.state(0, a));
    let two = |change: &mut dyn Change, a: &Formula<AtomId>, b: &Formula<AtomId>| {
        (Box::new(change.state(0, a)), Box::new(change.state(1, b)))
    };
    match formula {
        Formula::True | Formula::False | Formula::Deadlock | Formula::Atom(_) => formula.clone(),
        Formula::Not(a) => Formula::Not(one(change, a)),
        Formula::And(a, b) => {
            let (a, b) = two(change, a, b);
            Formula::And(a, b)
        }
        Formula::Or(a, b) => {
            let (a, b) = two(change, a, b);
            Formula::Or(a, b)
        }
        Formula::Implies(a, b) => {
            let (a, b) = two(change, a, b);
            Formula::Implies(a, b)
        }
        Formula::Iff(a, b) => {
            let (a, b) = two(change, a, b);
            Formula::Iff(a, b)
        }
        Formula::Runs(quantifier, path) => Formula::Runs(*quantifier, Box::new(change.path(0, path))),
        Formula::Knows(kind, who, a) => Formula::Knows(*kind, who.clone(), one(change, a)),
        Formula::Chance(extremum, query, path) => {
            Formula::Chance(*extremum, query.clone(), Box::new(change.path(0, path)))
        }
        Formula::Reward(name, extremum, query, goal) => {
            let goal = match &**goal {
                RewardGoal::Until(path) => RewardGoal::Until(change.path(0, path)),
                other => other.clone(),
            };
            Formula::Reward(name.clone(), *extremum, query.clone(), Box::new(goal))
        }
        Formula::Steady(extremum, query, a) => Formula::Steady(*extremum, query.clone(), one(change, a)),
        Formula::Timer(timer, relation, bound) => {
            let timer = match timer {
                Timer::Now => Timer::Now,
                Timer::Since(a) => Timer::Since(one(change, a)),
                Timer::Held(a) => Timer::Held(one(change, a)),
            };
            Formula::Timer(timer, *relation, bound.clone())
        }
        Formula::Past(past) => {
            let mut past = past.clone();
            past.parts_mut().enumerate().for_each(|(number, part)| *part = change.state(number, part));
            Formula::Past(past)
        }
        Formula::Wait(extremum, from, to) => {
            let from = from.as_ref().map(|from| one(change, from));
            Formula::Wait(*extremum, from, Box::new(change.state(1, to)))
        }
        Formula::Filter(filter, a, b) => {
            let (a, b) = two(change, a, b);
            Formula::Filter(*filter, a, b)
        }
    }
}
