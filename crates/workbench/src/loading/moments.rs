//! Whether a claim can tell that there are moments at which nothing happens that it speaks of.
//!
//! Others who act make moments (`spec/claims/time.md`), and from each of them a window can be opened. Between two moments at
//! which something changes, a window from the present on, such as `F<=5s p`, changes its truth once at most, and the later
//! moment shows it; so one such window under an operator says the same with and without the moments between. Two of them may
//! differ at a moment between, and a window that opens later may change its truth there and back. A window that is opened at
//! the start of a run only is opened whatever happens later.

use motet_model::AtomId;
use motet_property::{Formula, Interval, Path, Subformula, Unit};

/// Whether a claim can tell.
pub(crate) fn sees_moments(path: &Path<AtomId>) -> bool {
    let mut entries = false;
    path.for_each_state(&mut |formula| entries |= counts_entries(formula));
    entries || sees(path)
}

fn sees(path: &Path<AtomId>) -> bool {
    match path {
        Path::Always(when, a) if when.is_unbounded() => {
            conjuncts(a).into_iter().any(|part| opens(when, &[part]))
        }
        Path::Next(a) => opens(&Interval::default(), &[a]),
        _ => match path.interval() {
            Some(when) => opens(when, &path.operands().collect::<Vec<_>>()),
            None => path.operands().any(sees),
        },
    }
}

/// Whether an operator opens windows at moments so that one between others can be told.
fn opens(when: &Interval, operands: &[&Path<AtomId>]) -> bool {
    let mut inner = Vec::new();
    operands.iter().for_each(|operand| windows(operand, &mut inner));
    let later = |window: &&Interval| window.low.as_ref().is_some_and(|low| low.amount > 0 || low.strict);
    if when.is_unbounded() { inner.len() > 1 || inner.iter().any(later) } else { !inner.is_empty() }
}

/// The parts of a conjunction: what is always so, is always so of each.
fn conjuncts(path: &Path<AtomId>) -> Vec<&Path<AtomId>> {
    match path {
        Path::And(a, b) => conjuncts(a).into_iter().chain(conjuncts(b)).collect(),
        other => vec![other],
    }
}

/// The windows of a path, at any depth.
fn windows<'p>(path: &'p Path<AtomId>, found: &mut Vec<&'p Interval>) {
    found.extend(path.interval().filter(|when| !when.is_unbounded()));
    path.operands().for_each(|operand| windows(operand, found));
}

/// Whether a clock is compared with steps: it counts entries into states.
fn counts_entries(formula: &Formula<AtomId>) -> bool {
    let inside = |part| matches!(part, Subformula::State(inner) if counts_entries(inner));
    formula.any_leaf(&mut |leaf| match leaf {
        Formula::Timer(_, _, bound) => {
            matches!(bound.unit, Some(Unit::Steps) | None) || leaf.children().any(inside)
        }
        _ => false,
    })
}
