//! The contract of ample parts (`motet_model::Independence`), held against every state of a small model by the definition: whatever
//! the others do first, the steps of the part stay what they are and go together with what the others do.

use std::collections::{BTreeSet, VecDeque};

use motet_model::{ActionId, AtomId, Model, ProcessId, Ratio, State, Steps};

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
    let independence = model.facets().independence?;
    let mut first = Vec::new();
    model.initial(&mut first);
    let mut seen: BTreeSet<Box<State>> = first.iter().cloned().collect();
    let mut open: VecDeque<Box<State>> = first.into();
    let mut kept = Kept::default();
    let mut steps = Steps::new(model.signature().slots.len());
    while let Some(state) = open.pop_front() {
        let all = moves(model, &state, &mut steps)?;
        let mut part = Vec::new();
        independence.ample(visible, &state, &steps, &mut part);
        if part.is_empty() != all.is_empty() || !part.is_sorted_by(|a, b| a < b) {
            return Some(Err(format!("the part {part:?} of {} steps of {state:?}", all.len())));
        }
        if part.len() < all.len() {
            let own: Vec<Move> = part.iter().map(|&ordinal| all[ordinal as usize].clone()).collect();
            let held = Part { model, visible, own: &own };
            match held.stays(&state, others)? {
                Ok(pairs) => {
                    kept.parts += 1;
                    kept.pairs += pairs;
                }
                Err(message) => return Some(Err(format!("{message}\nof the part {own:?}\nof {state:?}"))),
            }
        }
        for target in all.iter().flat_map(Move::targets) {
            if seen.len() < states && seen.insert(target.into()) {
                open.push_back(target.into());
            }
        }
    }
    Some(Ok(kept))
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
