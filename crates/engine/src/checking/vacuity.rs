//! What has to happen so that a claim says anything: the left sides of its implications; and the parts of a claim that it
//! does not depend on.

use motet_evidence::{Idle, Vacuity};
use motet_model::AtomId;
use motet_property::{Formula, Interval, Path, Quantifier, each_time};

use crate::checking::mutate::{Part, parts, without_equivalences};

/// An implication's left side, and what it means that it happens.
pub(crate) struct Trigger {
    /// As written.
    pub(crate) formula: Path<AtomId>,
    /// Satisfied by the runs on which it happens.
    pub(crate) happens: Path<AtomId>,
}

/// The triggers of a claim: for `G (a -> b)` this is `a`, which happens if some run satisfies `F a`.
pub(crate) fn triggers(path: &Path<AtomId>) -> Vec<Trigger> {
    match path {
        Path::And(..) if each_time(path).is_some() => {
            // The condition may begin to hold at the start or later: both together are one trigger.
            let Some((condition, due)) = each_time(path) else { return Vec::new() };
            let lift = |trigger: Trigger| Trigger {
                happens: Path::Eventually(Interval::default(), Box::new(trigger.happens)),
                ..trigger
            };
            implication(&condition, triggers(&due)).into_iter().map(lift).collect()
        }
        Path::And(a, b) => {
            let mut both = triggers(a);
            both.extend(triggers(b));
            both
        }
        Path::Always(when, a) => lift(a, |happens| Path::Eventually(when.clone(), Box::new(happens))),
        Path::Next(a) => lift(a, |happens| Path::Next(Box::new(happens))),
        Path::Implies(a, b) => implication(a, triggers(b)),
        Path::Now(formula) => state_triggers(formula),
        _ => Vec::new(),
    }
}

fn lift(a: &Path<AtomId>, wrap: impl Fn(Path<AtomId>) -> Path<AtomId>) -> Vec<Trigger> {
    let inner = triggers(a).into_iter();
    inner.map(|trigger| Trigger { happens: wrap(trigger.happens), ..trigger }).collect()
}

/// `a -> (b -> c)` is triggered by `a` and then `b`.
fn implication(a: &Path<AtomId>, inner: Vec<Trigger>) -> Vec<Trigger> {
    if inner.is_empty() {
        return vec![Trigger { formula: a.clone(), happens: a.clone() }];
    }
    let join = |trigger: Trigger| Trigger {
        formula: trigger.formula,
        happens: Path::And(Box::new(a.clone()), Box::new(trigger.happens)),
    };
    inner.into_iter().map(join).collect()
}

fn state_triggers(formula: &Formula<AtomId>) -> Vec<Trigger> {
    match formula {
        Formula::And(a, b) => {
            let mut both = state_triggers(a);
            both.extend(state_triggers(b));
            both
        }
        Formula::Implies(a, b) => implication(&Path::Now((**a).clone()), state_triggers(b)),
        Formula::Runs(Quantifier::All, path) => triggers(path),
        _ => Vec::new(),
    }
}

/// How many parts of a claim are looked at.
const PARTS_MAX: usize = 400;

/// How large a claim may grow when its equivalences are written out, in parts.
const SIZE_MAX: usize = 4_000;

/// The parts of a claim that it does not depend on. `holds` says whether a stronger claim holds too.
///
/// Atoms are looked at first. If the claim holds with a constant in place of a part, then it holds with the constant of
/// each atom in place of that atom, because the part then is no stronger than the constant. So a part is looked at only if
/// the claim depends on none of its atoms, and of the parts found those are told that lie in no other one.
pub(crate) fn idle_parts(
    claim: &Path<AtomId>,
    holds: &mut dyn FnMut(Path<AtomId>) -> Option<bool>,
) -> Vacuity {
    let pure = without_equivalences(claim);
    let root = parts(&pure);
    let mut examiner = Examiner { claim: &pure, holds, looked: 0, idle: Vec::new(), unchecked: 0 };
    if root.size(SIZE_MAX) > SIZE_MAX {
        return Vacuity::Unchecked;
    }
    for part in &root.parts {
        examiner.examine(part);
    }
    Vacuity::Examined { idle: examiner.idle, unchecked: examiner.unchecked }
}

struct Examiner<'a> {
    claim: &'a Path<AtomId>,
    holds: &'a mut dyn FnMut(Path<AtomId>) -> Option<bool>,
    looked: usize,
    idle: Vec<Idle>,
    unchecked: usize,
}

impl Examiner<'_> {
    /// Whether the claim does not depend on a part, which is noted then in place of the parts inside it.
    fn examine(&mut self, part: &Part) -> bool {
        let first = self.idle.len();
        let mut all = true;
        for inner in &part.parts {
            all &= self.examine(inner);
        }
        if !all {
            return false;
        }
        if self.looked >= PARTS_MAX {
            self.unchecked += 1;
            return false;
        }
        self.looked += 1;
        let stronger = part.strengthen(self.claim);
        match (self.holds)(stronger.clone()) {
            Some(true) => {
                self.idle.truncate(first);
                self.idle.push(Idle { part: part.formula.clone(), constant: part.constant, stronger });
                true
            }
            Some(false) => false,
            None => {
                self.unchecked += 1;
                false
            }
        }
    }
}
