//! The atoms that claims mention.

use motet_model::AtomId;
use motet_property::{Claim, Formula, Path, RewardGoal, Timer};

/// All atoms of these claims, sorted.
pub(crate) fn atoms_of(claims: &[Claim<AtomId>]) -> Vec<AtomId> {
    let mut atoms = Vec::new();
    claims.iter().for_each(|claim| in_path(&claim.formula, &mut atoms));
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

fn in_path(path: &Path<AtomId>, atoms: &mut Vec<AtomId>) {
    match path {
        Path::Now(formula) => in_formula(formula, atoms),
        Path::Not(a) | Path::Next(a) | Path::Eventually(_, a) | Path::Always(_, a) => in_path(a, atoms),
        Path::And(a, b)
        | Path::Or(a, b)
        | Path::Implies(a, b)
        | Path::Iff(a, b)
        | Path::Until(_, a, b)
        | Path::Weak(_, a, b)
        | Path::Release(_, a, b) => {
            in_path(a, atoms);
            in_path(b, atoms);
        }
    }
}

fn in_formula(formula: &Formula<AtomId>, atoms: &mut Vec<AtomId>) {
    match formula {
        Formula::Atom(atom) => atoms.push(*atom),
        Formula::True | Formula::False | Formula::Deadlock | Formula::Timer(Timer::Now, ..) => {}
        Formula::Not(a) | Formula::Knows(_, _, a) | Formula::Steady(_, a) => in_formula(a, atoms),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            in_formula(a, atoms);
            in_formula(b, atoms);
        }
        Formula::Runs(_, path) | Formula::Chance(_, _, path) => in_path(path, atoms),
        Formula::Reward(_, _, _, goal) => {
            if let RewardGoal::Until(path) = &**goal {
                in_path(path, atoms);
            }
        }
        Formula::Timer(Timer::Since(a) | Timer::Held(a), ..) => in_formula(a, atoms),
    }
}
