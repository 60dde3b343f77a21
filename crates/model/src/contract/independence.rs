//! The contract of ample parts ([`crate::Independence`]), held against a state by the definition: whatever the others do first, the
//! steps of the part stay what they are and go together with what the others do.

use std::collections::{BTreeSet, VecDeque};

use crate::{ActionId, AtomId, Model, ProcessId, Ratio, State, Steps};

/// Holds the ample part of a state for claims that see these atoms against its contract, in up to `others` states that the others may
/// reach without the part. Says how many pairs of a step of the part and a step of others were taken in both orders: `None` if the
/// part is all steps. Nothing is said of a model that does not know of any part, or where a step ends in a fault.
///
/// # Errors
/// What is broken, and where.
pub fn ample_part(
    model: &dyn Model,
    visible: &[AtomId],
    state: &State,
    others: usize,
) -> Option<Result<Option<usize>, String>> {
    let independence = model.facets().independence?;
    let mut steps = Steps::new(state.len());
    let all = moves(model, state, &mut steps)?;
    let mut part = Vec::new();
    independence.ample(visible, state, &steps, &mut part);
    let is_known = part.last().is_none_or(|&last| (last as usize) < all.len());
    if part.is_empty() != all.is_empty() || !is_known || !part.is_sorted_by(|a, b| a < b) {
        return Some(Err(format!("the part {part:?} of {} steps of {state:?}", all.len())));
    }
    if part.len() == all.len() {
        return Some(Ok(None));
    }
    let own: Vec<Move> = part.iter().map(|&ordinal| all[ordinal as usize].clone()).collect();
    let said = Part { model, visible, own: &own }.stays(state, others)?;
    Some(said.map(Some).map_err(|message| format!("{message}\nof the part {own:?}\nof {state:?}")))
}

/// A step for itself: who does what, and what comes of it.
#[derive(Clone, Debug)]
struct Move {
    process: ProcessId,
    action: ActionId,
    /// Of the steps of a state with the same process and action, this is the so-manieth.
    number: usize,
    delay: u32,
    outcomes: Vec<(Ratio, Box<State>)>,
}

impl Move {
    /// The same step, perhaps from another state.
    fn is(&self, other: &Self) -> bool {
        let chances = |step: &Self| step.outcomes.iter().map(|(chance, _)| *chance).collect::<Vec<_>>();
        (self.process, self.action, self.number, self.delay)
            == (other.process, other.action, other.number, other.delay)
            && chances(self) == chances(other)
    }

    fn targets(&self) -> impl Iterator<Item = &State> {
        self.outcomes.iter().map(|(_, target)| &**target)
    }
}

/// All steps of a state; `None` if there is a fault.
fn moves(model: &dyn Model, state: &State, steps: &mut Steps) -> Option<Vec<Move>> {
    steps.clear();
    model.steps(state, steps).ok()?;
    let mut found: Vec<Move> = Vec::new();
    for step in steps.iter() {
        let same = found.iter().filter(|other| (other.process, other.action) == (step.process, step.action));
        found.push(Move {
            process: step.process,
            action: step.action,
            number: same.count(),
            delay: step.delay,
            outcomes: step.branches().map(|branch| (branch.chance, branch.target.into())).collect(),
        });
    }
    Some(found)
}

/// A part of the steps of a state that is said to be ample.
struct Part<'m> {
    model: &'m dyn Model,
    visible: &'m [AtomId],
    own: &'m [Move],
}

impl Part<'_> {
    /// Looks at all that the others may do from a state, as far as there is room; counts pairs of steps.
    fn stays(&self, from: &State, most: usize) -> Option<Result<usize, String>> {
        let mut steps = Steps::new(from.len());
        let mut seen: BTreeSet<Box<State>> = BTreeSet::from([from.into()]);
        let mut open: VecDeque<Box<State>> = VecDeque::from([from.into()]);
        let mut pairs = 0;
        while let Some(state) = open.pop_front() {
            let all = moves(self.model, &state, &mut steps)?;
            for own in self.own {
                let Some(now) = all.iter().find(|step| step.is(own)) else {
                    return Some(Err(format!("{own:?} is not possible in {state:?} any more")));
                };
                if let Some(atom) = self.changed(&state, now) {
                    return Some(Err(format!("{now:?} changes atom {} in {state:?}", atom.index())));
                }
                for other in all.iter().filter(|step| !self.own.iter().any(|own| step.is(own))) {
                    match self.commute(now, other, &mut steps)? {
                        true => pairs += 1,
                        false => {
                            return Some(Err(format!(
                                "{now:?}\ndoes not go together with\n{other:?}\nin {state:?}"
                            )));
                        }
                    }
                }
            }
            for other in all.iter().filter(|step| !self.own.iter().any(|own| step.is(own))) {
                for target in other.targets() {
                    if seen.len() < most && seen.insert(target.into()) {
                        open.push_back(target.into());
                    }
                }
            }
        }
        Some(Ok(pairs))
    }

    /// An atom that a step changes.
    fn changed(&self, state: &State, step: &Move) -> Option<AtomId> {
        let differs = |atom: &&AtomId| {
            step.targets().any(|target| self.model.holds(**atom, target) != self.model.holds(**atom, state))
        };
        self.visible.iter().find(differs).copied()
    }

    /// Whether two steps of a state lead to the same states in both orders, with the same chances.
    fn commute(&self, one: &Move, two: &Move, steps: &mut Steps) -> Option<bool> {
        let mut both = |first: &Move, second: &Move| -> Option<Vec<Vec<Option<Box<State>>>>> {
            let mut rows = Vec::new();
            for target in first.targets() {
                let all = moves(self.model, target, steps)?;
                let row = match all.iter().find(|step| step.is(second)) {
                    Some(step) => step.targets().map(|target| Some(target.into())).collect(),
                    None => vec![None; second.outcomes.len()],
                };
                rows.push(row);
            }
            Some(rows)
        };
        let (rows, columns) = (both(one, two)?, both(two, one)?);
        Some(rows.iter().enumerate().all(|(i, row)| {
            row.iter().enumerate().all(|(j, target)| target.is_some() && *target == columns[j][i])
        }))
    }
}
