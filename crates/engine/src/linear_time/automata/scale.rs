//! Formulas as one run sees them: without path quantifiers, and with bounds that count letters.
//!
//! A bound of time is divided by the greatest common divisor of all of them, and every letter lasts so long. A state that
//! lasts from one multiple to the next meets a window exactly if the distance in letters does.

use motet_model::AtomId;
use motet_property::{Bound, Formula, Interval, Path, Quantifier, Unit};

use super::example::NoExample;

/// A formula whose bounds count letters, and how long a letter lasts.
pub(super) struct Scaled {
    pub(super) path: Path<AtomId>,
    pub(super) tick: Option<(u64, Unit)>,
}

pub(super) fn scaled(path: &Path<AtomId>) -> Result<Scaled, NoExample> {
    let mut path = straight(path)?;
    let mut unit = None;
    let mut divisor = 0;
    let mut mixed = false;
    for_bounds(&mut path, &mut |bound| {
        let own = bound.unit.unwrap_or(Unit::Steps);
        mixed |= unit.is_some_and(|known| known != own);
        unit = Some(own);
        divisor = common(divisor, bound.amount);
    });
    if mixed {
        return Err(NoExample::Bounds);
    }
    // A step is a step: it cannot stand for several.
    let divisor = if unit == Some(Unit::Steps) { 1 } else { divisor.max(1) };
    for_bounds(&mut path, &mut |bound| bound.amount /= divisor);
    Ok(Scaled { path, tick: unit.map(|unit| (divisor, unit)) })
}

fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
}

/// The formula on a system that has one run: all runs and some run are the same there.
fn straight(path: &Path<AtomId>) -> Result<Path<AtomId>, NoExample> {
    let inner = |path: &Path<AtomId>| straight(path).map(Box::new);
    Ok(match path {
        Path::Now(formula) => straight_state(formula)?,
        Path::Accepted(_) => return Err(NoExample::Automaton),
        Path::Not(a) => Path::Not(inner(a)?),
        Path::And(a, b) => Path::And(inner(a)?, inner(b)?),
        Path::Or(a, b) => Path::Or(inner(a)?, inner(b)?),
        Path::Implies(a, b) => Path::Implies(inner(a)?, inner(b)?),
        Path::Iff(a, b) => Path::Iff(inner(a)?, inner(b)?),
        Path::Next(a) => Path::Next(inner(a)?),
        Path::Eventually(when, a) => Path::Eventually(when.clone(), inner(a)?),
        Path::Always(when, a) => Path::Always(when.clone(), inner(a)?),
        Path::Until(when, a, b) => Path::Until(when.clone(), inner(a)?, inner(b)?),
        Path::Weak(when, a, b) => Path::Weak(when.clone(), inner(a)?, inner(b)?),
        Path::Release(when, a, b) => Path::Release(when.clone(), inner(a)?, inner(b)?),
    })
}

fn straight_state(formula: &Formula<AtomId>) -> Result<Path<AtomId>, NoExample> {
    let inner = |formula: &Formula<AtomId>| straight_state(formula).map(Box::new);
    Ok(match formula {
        Formula::True | Formula::False | Formula::Deadlock | Formula::Atom(_) => Path::Now(formula.clone()),
        Formula::Not(a) => Path::Not(inner(a)?),
        Formula::And(a, b) => Path::And(inner(a)?, inner(b)?),
        Formula::Or(a, b) => Path::Or(inner(a)?, inner(b)?),
        Formula::Implies(a, b) => Path::Implies(inner(a)?, inner(b)?),
        Formula::Iff(a, b) => Path::Iff(inner(a)?, inner(b)?),
        Formula::Runs(Quantifier::All | Quantifier::Some, path) => straight(path)?,
        Formula::Knows(..) => return Err(NoExample::Knowledge),
        Formula::Timer(..) | Formula::Past(_) => return Err(NoExample::Clock),
        Formula::Chance(..)
        | Formula::Reward(..)
        | Formula::Steady(..)
        | Formula::Filter(..)
        | Formula::Wait(..) => return Err(NoExample::Number),
    })
}

fn for_bounds(path: &mut Path<AtomId>, visit: &mut dyn FnMut(&mut Bound)) {
    let of = |when: &mut Interval, visit: &mut dyn FnMut(&mut Bound)| {
        when.low.iter_mut().chain(&mut when.high).for_each(&mut *visit);
    };
    match path {
        Path::Now(_) | Path::Accepted(_) => {}
        Path::Not(a) | Path::Next(a) => for_bounds(a, visit),
        Path::Eventually(when, a) | Path::Always(when, a) => {
            of(when, visit);
            for_bounds(a, visit);
        }
        Path::And(a, b) | Path::Or(a, b) | Path::Implies(a, b) | Path::Iff(a, b) => {
            for_bounds(a, visit);
            for_bounds(b, visit);
        }
        Path::Until(when, a, b) | Path::Weak(when, a, b) | Path::Release(when, a, b) => {
            of(when, visit);
            for_bounds(a, visit);
            for_bounds(b, visit);
        }
    }
}
