//! Whether two models look the same to a clock: the same changes of their atoms at the same times, on all runs up to a time.
//!
//! States are followed in sets: all those that runs with the same changes so far lead to. From each set on both sides the same
//! changes must be possible next, and on both sides, or on none, a run must be able to come to the end without any.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use motet_model::{AtomId, Model, State, Steps};

/// A state at a time.
type Moment = (Box<State>, u64);
/// What becomes true and false at a time.
type Change = (u64, Vec<bool>);

/// How the traces of two models compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Traces {
    /// They are the same; so many changes were compared.
    Same(usize),
    /// One of them can do what the other cannot, after these changes.
    Different(String),
    /// There is too much to follow, or a model meets one of its bounds.
    Unknown,
}

/// Compares the traces of two models with the same atoms up to a time in milliseconds. `most` limits the moments of a set and
/// the sets that are followed.
#[must_use]
pub fn compare(one: &dyn Model, two: &dyn Model, until: u64, most: usize) -> Traces {
    let both = [Follower { model: one, until, most }, Follower { model: two, until, most }];
    let [start, other] = both.each_ref().map(Follower::start);
    let mut open = vec![(start, other, Vec::new())];
    let mut seen: HashSet<(BTreeSet<Moment>, BTreeSet<Moment>)> = HashSet::new();
    let mut changes = 0;
    while let Some((left, right, before)) = open.pop() {
        let (Some(first), Some(second)) = (both[0].next(&left), both[1].next(&right)) else {
            return Traces::Unknown;
        };
        let possible = |next: &Next| (next.rests, next.changes.keys().cloned().collect::<Vec<Change>>());
        if possible(&first) != possible(&second) {
            let (first, second) = (possible(&first), possible(&second));
            return Traces::Different(format!("after {before:?}:\n{first:?}\n{second:?}"));
        }
        for ((change, left), right) in first.changes.into_iter().zip(second.changes.into_values()) {
            changes += 1;
            let mut path = before.clone();
            path.push(change);
            if seen.insert((left.clone(), right.clone())) {
                open.push((left, right, path));
            }
        }
        if seen.len() > most {
            return Traces::Unknown;
        }
    }
    Traces::Same(changes)
}

/// What a set of moments leads to.
#[derive(Default)]
struct Next {
    /// Whether nothing may change up to the end.
    rests: bool,
    changes: BTreeMap<Change, BTreeSet<Moment>>,
}

struct Follower<'m> {
    model: &'m dyn Model,
    until: u64,
    most: usize,
}

impl Follower<'_> {
    fn start(&self) -> BTreeSet<Moment> {
        let mut states = Vec::new();
        self.model.initial(&mut states);
        states.into_iter().map(|state| (state, 0)).collect()
    }

    fn truths(&self, state: &State) -> Vec<bool> {
        let count = u32::try_from(self.model.signature().atoms.len()).expect("few atoms");
        (0..count).map(|atom| self.model.holds(AtomId(atom), state)).collect()
    }

    /// The next changes from a set of moments, whatever happens in between without any; `None` if there is too much.
    fn next(&self, from: &BTreeSet<Moment>) -> Option<Next> {
        let mut next = Next::default();
        let mut known: BTreeSet<Moment> = from.clone();
        let mut open: Vec<Moment> = from.iter().cloned().collect();
        let mut steps = Steps::new(self.model.signature().slots.len());
        while let Some((state, now)) = open.pop() {
            let truths = self.truths(&state);
            steps.clear();
            self.model.steps(&state, &mut steps).ok()?;
            next.rests |= steps.is_empty();
            for step in steps.iter() {
                let then = now + u64::from(step.delay);
                if then > self.until {
                    next.rests = true;
                    continue;
                }
                for branch in step.branches() {
                    let moment = (Box::from(branch.target), then);
                    let after = self.truths(branch.target);
                    if after != truths {
                        next.changes.entry((then, after)).or_default().insert(moment);
                    } else if known.insert(moment.clone()) {
                        open.push(moment);
                    }
                }
            }
            if known.len() > self.most {
                return None;
            }
        }
        Some(next)
    }
}
