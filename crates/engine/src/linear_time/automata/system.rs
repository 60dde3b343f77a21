//! Small systems that show what a claim of branching time says, where no single run does: `EF p & EF !p` needs a choice.
//!
//! All systems with up to three states are tried, fewest states first. Claims are evaluated by fixpoints over sets of
//! states (Clarke and Emerson 1981).

use motet_model::AtomId;
use motet_property::{Basic, Connective, Formula, Path, Quantifier};

/// States of the systems that are tried.
const STATES_MAX: usize = 3;
/// Labels that are tried for so many states, as a power of two.
const BITS_MAX: usize = 9;

/// A system of few states; it starts in the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallSystem {
    /// Per state, per atom of the claim.
    pub states: Vec<Vec<bool>>,
    /// Per state, where it may go; never empty.
    pub next: Vec<Vec<usize>>,
}

/// Two systems that show what a claim says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallSystems {
    /// The atoms of the claim.
    pub atoms: Vec<AtomId>,
    /// One that satisfies it; `None` if none with so few states does.
    pub satisfied: Option<SmallSystem>,
    /// One that violates it; `None` if none with so few states does.
    pub violated: Option<SmallSystem>,
}

/// Small systems for a claim of branching time. `None` if it is none, or has too many atoms.
#[must_use]
pub fn small_systems(formula: &Formula<AtomId>) -> Option<SmallSystems> {
    let mut atoms = Vec::new();
    formula.for_each_atom(&mut |atom| {
        if !atoms.contains(atom) {
            atoms.push(*atom);
        }
    });
    let mut found = SmallSystems { atoms, satisfied: None, violated: None };
    for n in 1..=STATES_MAX {
        if n * found.atoms.len() > BITS_MAX {
            break;
        }
        let mut best: [Option<(usize, SmallSystem)>; 2] = [None, None];
        for_systems(n, &found.atoms, &mut |system| {
            let holds = system.value(formula)? & 1 == 1;
            let slot = &mut best[usize::from(holds)];
            let size = system.size();
            if slot.as_ref().is_none_or(|(least, _)| size < *least) {
                *slot = Some((size, system.shown()));
            }
            Some(())
        })?;
        let [violated, satisfied] = best;
        found.violated = found.violated.or(violated.map(|(_, system)| system));
        found.satisfied = found.satisfied.or(satisfied.map(|(_, system)| system));
        if found.violated.is_some() && found.satisfied.is_some() {
            break;
        }
    }
    Some(found)
}

/// A set of states, a bit for each.
type Set = u8;

struct System<'a> {
    n: usize,
    atoms: &'a [AtomId],
    /// Per atom, where it holds.
    labels: Vec<Set>,
    /// Per state, where it may go.
    next: Vec<Set>,
}

/// Calls `look` for all systems of `n` states in which all states can be reached; stops where it gives nothing.
fn for_systems(n: usize, atoms: &[AtomId], look: &mut dyn FnMut(&System<'_>) -> Option<()>) -> Option<()> {
    let choices = (1_usize << n) - 1;
    for relation in 0..choices.pow(u32::try_from(n).ok()?) {
        let mut rest = relation;
        let mut next = Vec::new();
        for _ in 0..n {
            next.push(Set::try_from(rest % choices + 1).ok()?);
            rest /= choices;
        }
        for label in 0..1_usize << (n * atoms.len()) {
            let mask = (1_usize << n) - 1;
            let labels = (0..atoms.len()).map(|atom| Set::try_from(label >> (atom * n) & mask).ok());
            let system = System { n, atoms, labels: labels.collect::<Option<_>>()?, next: next.clone() };
            if !system.is_connected() {
                break;
            }
            look(&system)?;
        }
    }
    Some(())
}

impl System<'_> {
    fn all(&self) -> Set {
        Set::MAX >> (8 - self.n)
    }

    fn is_connected(&self) -> bool {
        let mut reached: Set = 1;
        for _ in 0..self.n {
            let on = (0..self.n).filter(|state| reached >> state & 1 == 1);
            reached |= on.fold(0, |set, state| set | self.next[state]);
        }
        reached == self.all()
    }

    /// Choices weigh more than truths: they are what the reader has to follow. To stay is easier to follow than to go.
    fn size(&self) -> usize {
        let ones = |sets: &[Set]| sets.iter().map(|set| set.count_ones() as usize).sum::<usize>();
        let stays = (0..self.n).filter(|state| self.next[*state] >> state & 1 == 1).count();
        32 * ones(&self.next) + 8 * (self.n - stays) + ones(&self.labels)
    }

    fn shown(&self) -> SmallSystem {
        let state = |state: usize| self.labels.iter().map(|set| set >> state & 1 == 1).collect();
        let next = |set: &Set| (0..self.n).filter(|state| set >> state & 1 == 1).collect();
        SmallSystem { states: (0..self.n).map(state).collect(), next: self.next.iter().map(next).collect() }
    }

    /// The states with a successor in the set, or with all successors in it.
    fn before(&self, quantifier: Quantifier, set: Set) -> Set {
        let fits = |next: Set| match quantifier {
            Quantifier::Some => next & set != 0,
            Quantifier::All => next & !set == 0,
        };
        (0..self.n).filter(|state| fits(self.next[*state])).fold(0, |found, state| found | 1 << state)
    }

    fn value(&self, formula: &Formula<AtomId>) -> Option<Set> {
        let not = |set: Set| self.all() & !set;
        Some(match formula {
            Formula::True => self.all(),
            Formula::False => 0,
            Formula::Atom(atom) => self.labels[self.atoms.iter().position(|known| known == atom)?],
            Formula::Not(a) => not(self.value(a)?),
            Formula::And(a, b) => self.value(a)? & self.value(b)?,
            Formula::Or(a, b) => self.value(a)? | self.value(b)?,
            Formula::Implies(a, b) => not(self.value(a)?) | self.value(b)?,
            Formula::Iff(a, b) => not(self.value(a)? ^ self.value(b)?),
            Formula::Runs(quantifier, path) => self.runs(*quantifier, path)?,
            _ => return None,
        })
    }

    fn runs(&self, quantifier: Quantifier, path: &Path<AtomId>) -> Option<Set> {
        let state = |path: &Path<AtomId>| match path {
            Path::Now(formula) => self.value(formula),
            _ => None,
        };
        let before = |set| self.before(quantifier, set);
        let fixpoint = |start: Set, step: &dyn Fn(Set) -> Set| (0..=self.n).fold(start, |set, _| step(set));
        Some(match path {
            Path::Now(formula) => self.value(formula)?,
            Path::Next(a) => before(state(a)?),
            Path::Eventually(when, a) if when.is_unbounded() => {
                let a = state(a)?;
                fixpoint(0, &|set| a | before(set))
            }
            Path::Always(when, a) if when.is_unbounded() => {
                let a = state(a)?;
                fixpoint(self.all(), &|set| a & before(set))
            }
            Path::Until(until, when, a, b) if when.is_unbounded() => {
                match until.define(state(a)?, state(b)?, Connective::of) {
                    Basic::Until(a, b) => fixpoint(0, &|set| b | a & before(set)),
                    Basic::Release(a, b) => fixpoint(self.all(), &|set| b & (a | before(set))),
                }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use motet_property::Interval;

    #[test]
    fn a_choice_is_shown_by_a_system_with_one() {
        let atom = || Formula::Atom(AtomId(0));
        let eventually = |formula| {
            let path = Path::Eventually(Interval::default(), Box::new(Path::Now(formula)));
            Formula::Runs(Quantifier::Some, Box::new(path))
        };
        let always = |formula| {
            let path = Path::Always(Interval::default(), Box::new(Path::Now(formula)));
            Formula::Runs(Quantifier::Some, Box::new(path))
        };
        let claim =
            Formula::And(Box::new(eventually(atom())), Box::new(always(Formula::Not(Box::new(atom())))));
        let found = small_systems(&claim).expect("branching time");
        let satisfied = found.satisfied.expect("a system with a choice");
        assert_eq!((satisfied.states.len(), satisfied.next[0].len()), (2, 2));
        assert_eq!(satisfied.states, [[false], [true]]);
        assert_eq!(found.violated.expect("one state is enough").states.len(), 1);
    }
}
