//! The atoms of a formula.

use motet_model::AtomId;
use motet_property::{Formula, Path, RewardGoal, Timer};

/// Each atom once, in the order of the formula.
pub(crate) fn atoms(path: &Path<AtomId>) -> Vec<AtomId> {
    let mut found = Vec::new();
    in_path(path, &mut found);
    found
}

fn in_path(path: &Path<AtomId>, found: &mut Vec<AtomId>) {
    match path {
        Path::Now(formula) => in_formula(formula, found),
        Path::Not(a) | Path::Next(a) | Path::Eventually(_, a) | Path::Always(_, a) => in_path(a, found),
        Path::And(a, b)
        | Path::Or(a, b)
        | Path::Implies(a, b)
        | Path::Iff(a, b)
        | Path::Until(_, a, b)
        | Path::Weak(_, a, b)
        | Path::Release(_, a, b) => {
            in_path(a, found);
            in_path(b, found);
        }
    }
}

fn in_formula(formula: &Formula<AtomId>, found: &mut Vec<AtomId>) {
    match formula {
        Formula::True | Formula::False | Formula::Deadlock => {}
        Formula::Atom(atom) => {
            if !found.contains(atom) {
                found.push(*atom);
            }
        }
        Formula::Not(a) | Formula::Knows(_, _, a) | Formula::Steady(_, a) => in_formula(a, found),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            in_formula(a, found);
            in_formula(b, found);
        }
        Formula::Runs(_, path) | Formula::Chance(_, _, path) => in_path(path, found),
        Formula::Reward(_, _, _, goal) => {
            if let RewardGoal::Until(path) = &**goal {
                in_path(path, found);
            }
        }
        Formula::Timer(timer, _, _) => {
            if let Timer::Since(formula) | Timer::Held(formula) = timer {
                in_formula(formula, found);
            }
        }
    }
}
