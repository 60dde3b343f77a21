//! The contract of ample parts (`motet_model::Independence`), held against every state of a small model.

use std::collections::{BTreeSet, VecDeque};

use motet_model::contract::ample_part;
use motet_model::{AtomId, Model, State, Step, Steps};

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// States with a part that is not all of their steps.
    pub parts: usize,
    /// Pairs of a step of a part and a step of others that were taken in both orders.
    pub pairs: usize,
}

/// Holds the ample parts of a model against their contract, in up to `states` states, and behind each of them in up to `others`
/// states that the others may reach without the part. `None` for a model that does not know of any, or whose steps end in a fault.
///
/// # Errors
/// What is broken, and where.
pub fn kept(
    model: &dyn Model,
    visible: &[AtomId],
    (states, others): (usize, usize),
) -> Option<Result<Kept, String>> {
    model.facets().independence?;
    let mut first = Vec::new();
    model.initial(&mut first);
    let mut seen: BTreeSet<Box<State>> = first.iter().cloned().collect();
    let mut open: VecDeque<Box<State>> = first.into();
    let mut kept = Kept::default();
    let mut steps = Steps::new(model.signature().slots.len());
    while let Some(state) = open.pop_front() {
        match ample_part(model, visible, &state, others)? {
            Ok(None) => {}
            Ok(Some(pairs)) => {
                kept.parts += 1;
                kept.pairs += pairs;
            }
            Err(message) => return Some(Err(message)),
        }
        steps.clear();
        model.steps(&state, &mut steps).ok()?;
        for branch in steps.iter().flat_map(Step::branches) {
            if seen.len() < states && seen.insert(branch.target.into()) {
                open.push_back(branch.target.into());
            }
        }
    }
    Some(Ok(kept))
}
