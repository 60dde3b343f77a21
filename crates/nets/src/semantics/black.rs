//! Transitions that move black tokens alone: their steps are sums on the vector of the state, without a look at any bag.

use std::sync::OnceLock;

use motet_model::{ActionId, Interner, State};

use crate::program::{Alternative, Expr, Input, Net, Operator, PlaceKind, Sort, TransitionId};
use crate::semantics::firing::{Firing, Half};
use crate::semantics::scope::Trouble;
use crate::value::Value;

/// One alternative of such a transition.
#[derive(Debug)]
pub(crate) struct Black {
    transition: TransitionId,
    alternative: u32,
    /// Slots, and how many tokens there have to be in them.
    needs: Vec<(usize, u32)>,
    /// Slots, and how many tokens there may not be in them.
    forbids: Vec<(usize, u32)>,
    changes: Vec<Change>,
    action: OnceLock<ActionId>,
}

/// What becomes of a slot.
#[derive(Clone, Copy, Debug)]
struct Change {
    slot: usize,
    minus: u32,
    plus: u32,
    most: u32,
}

/// All alternatives, if all move black tokens alone.
pub(crate) fn of(net: &Net, transition: TransitionId) -> Option<Vec<Black>> {
    let alternatives = &net.transitions[transition.0 as usize].alternatives;
    (0..).zip(alternatives).map(|(number, one)| black(net, transition, number, one)).collect()
}

fn black(net: &Net, transition: TransitionId, number: u32, alternative: &Alternative) -> Option<Black> {
    let is_black = |place: crate::program::PlaceId| {
        let place = &net.places[place.0 as usize];
        place.kind == PlaceKind::Tokens && place.sort == Sort::Token
    };
    let arcs = || alternative.inputs.iter().chain(&alternative.reads).chain(&alternative.inhibitors);
    let plain = arcs().all(|arc| is_black(arc.place) && matches!(arc.pattern, crate::program::Pattern::Any))
        && alternative
            .outputs
            .iter()
            .all(|output| is_black(output.place) && matches!(output.term, Expr::Constant(Value::Token)));
    if !plain || alternative.sync.is_some() || !alternative.bindings.is_empty() {
        return None;
    }
    let limit = limit(net, alternative)?;
    let mut changes: Vec<Change> = Vec::new();
    for arc in &alternative.inputs {
        let change = change(net, &mut changes, arc.place.0 as usize);
        change.minus = change.minus.checked_add(arc.weight)?;
    }
    for output in &alternative.outputs {
        let change = change(net, &mut changes, output.place.0 as usize);
        change.plus = change.plus.checked_add(output.weight)?;
    }
    if let Some(slot) = limit {
        change(net, &mut changes, slot).minus = 1;
    }
    let gone =
        |slot: usize| changes.iter().find(|change| change.slot == slot).map_or(0, |change| change.minus);
    let mut needs: Vec<(usize, u32)> = changes.iter().map(|change| (change.slot, change.minus)).collect();
    for read in &alternative.reads {
        let slot = read.place.0 as usize;
        needs.push((slot, gone(slot).checked_add(read.weight)?));
    }
    needs.retain(|(_, count)| *count > 0);
    let forbid = |arc: &Input| (arc.place.0 as usize, arc.weight);
    Some(Black {
        transition,
        alternative: number,
        needs,
        forbids: alternative.inhibitors.iter().map(forbid).collect(),
        changes,
        action: OnceLock::new(),
    })
}

fn change<'c>(net: &Net, changes: &'c mut Vec<Change>, slot: usize) -> &'c mut Change {
    let at = match changes.iter().position(|change| change.slot == slot) {
        Some(at) => at,
        None => {
            let most = net.places[slot].capacity.unwrap_or(u32::MAX);
            changes.push(Change { slot, minus: 0, plus: 0, most });
            changes.len() - 1
        }
    };
    &mut changes[at]
}

/// The slot of the counter, if guards and updates are those of a limit; `None` if there are others.
fn limit(net: &Net, alternative: &Alternative) -> Option<Option<usize>> {
    match (alternative.guards.as_slice(), alternative.updates.as_slice()) {
        ([], []) => Some(None),
        (
            [Expr::Binary(Operator::Less, zero, cell)],
            [(updated, Expr::Binary(Operator::Subtract, from, one))],
        ) => {
            let number = |expr: &Expr, wanted| matches!(expr, Expr::Constant(Value::Int(n)) if *n == wanted);
            let counter = |expr: &Expr| matches!(expr, Expr::Cell(place) if place == updated);
            let counts = net.places[updated.0 as usize].kind == PlaceKind::Limit
                && number(zero, 0)
                && number(one, 1)
                && counter(cell)
                && counter(from);
            counts.then_some(Some(updated.0 as usize))
        }
        _ => None,
    }
}

impl Black {
    /// Fires in `target`, which is a copy of the state; `false` if it is not enabled.
    pub(crate) fn fire(&self, state: &State, target: &mut State) -> Result<bool, Trouble> {
        let enabled = self.needs.iter().all(|(slot, count)| state[*slot] >= *count)
            && self.forbids.iter().all(|(slot, count)| state[*slot] < *count);
        if !enabled {
            return Ok(false);
        }
        for change in &self.changes {
            let before = state[change.slot];
            let Some(after) = (before - change.minus).checked_add(change.plus) else {
                return Trouble::new(format!("a place would hold more than {} equal tokens", u32::MAX));
            };
            if after > change.most && after > before {
                self.undo(state, target);
                return Ok(false);
            }
            target[change.slot] = after;
        }
        Ok(true)
    }

    /// Makes `target` a copy of the state again.
    pub(crate) fn undo(&self, state: &State, target: &mut State) {
        for change in &self.changes {
            target[change.slot] = state[change.slot];
        }
    }

    pub(crate) fn action(&self, firings: &Interner<Firing>) -> ActionId {
        *self.action.get_or_init(|| {
            let half = Half {
                path: Vec::new(),
                transition: self.transition,
                alternative: self.alternative,
                values: Box::default(),
            };
            ActionId(firings.intern(Firing::Alone(half)))
        })
    }
}
