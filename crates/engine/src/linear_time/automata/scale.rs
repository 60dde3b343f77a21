//! Formulas as one run sees them: without path quantifiers, and with bounds that count letters.
//!
//! A bound of time is divided by the greatest common divisor of all of them, and every letter lasts so long. A state that
//! lasts from one multiple to the next meets a window exactly if the distance in letters does.

use motet_model::AtomId;
use motet_property::{Formula, Omega, Path, Quantifier, Rebuild, Unit};

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
    path.for_each_bound_mut(&mut |bound| {
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
    path.for_each_bound_mut(&mut |bound| bound.amount /= divisor);
    Ok(Scaled { path, tick: unit.map(|unit| (divisor, unit)) })
}

fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
}

/// The formula on a system that has one run: all runs and some run are the same there.
fn straight(path: &Path<AtomId>) -> Result<Path<AtomId>, NoExample> {
    match path {
        Path::Now(formula) => straight_state(formula),
        _ => path.rebuild(&mut Straight),
    }
}

struct Straight;

impl Rebuild<AtomId, AtomId, NoExample> for Straight {
    fn atom(&mut self, atom: &AtomId) -> Result<AtomId, NoExample> {
        Ok(*atom)
    }

    fn automaton(&mut self, _: &Omega<AtomId>) -> Result<Path<AtomId>, NoExample> {
        Err(NoExample::Automaton)
    }

    fn path(&mut self, _: usize, child: &Path<AtomId>) -> Result<Path<AtomId>, NoExample> {
        straight(child)
    }

    fn state(&mut self, _: usize, _: &Formula<AtomId>) -> Result<Formula<AtomId>, NoExample> {
        unreachable!("a formula about a state becomes one about the run")
    }
}

fn straight_state(formula: &Formula<AtomId>) -> Result<Path<AtomId>, NoExample> {
    if let Some((connective, a, b)) = formula.joined() {
        return Ok(Path::join(connective, straight_state(a)?, straight_state(b)?));
    }
    match formula {
        Formula::Not(a) => Ok(Path::Not(Box::new(straight_state(a)?))),
        Formula::Runs(Quantifier::All | Quantifier::Some, path) => straight(path),
        Formula::Knows(..) => Err(NoExample::Knowledge),
        Formula::Timer(..) | Formula::Past(_) => Err(NoExample::Clock),
        Formula::Chance(..)
        | Formula::Reward(..)
        | Formula::Steady(..)
        | Formula::Filter(..)
        | Formula::Wait(..) => Err(NoExample::Number),
        _ => Ok(Path::Now(formula.clone())),
    }
}
