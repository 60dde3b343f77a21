//! Claims that cannot tell a run from the same run with states repeated or left out in which nothing changes that they
//! speak of (Lamport 1983: "stuttering"). They stand when fewer states are looked at.
//!
//! `deadlock` needs care: it becomes true with the last step of a run, and whether something else changes with that very step
//! or before depends on the order of steps. What does not depend on it is whether a run ends, and how: `F (deadlock & p)` and
//! `G (deadlock -> p)`, where `p` is about a single state, have one value all along a run.

use motet_model::AtomId;
use motet_property::{Formula, Interval, Path};

/// What a claim may speak of beside single states and runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Nothing: it is about every run on its own.
    Runs,
    /// Other runs from where it stands, and how probable they are.
    Trees,
}

/// Where a formula stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It speaks of the first state, which is never left out.
    Start,
    Later,
}

/// What a claim speaks of that is not the same once states are left out; `None` if there is nothing.
pub(crate) fn obstacle(path: &Path<AtomId>, scope: Scope) -> Option<&'static str> {
    Reader { scope }.path(path, Place::Start)
}

struct Reader {
    scope: Scope,
}

impl Reader {
    fn path(&self, path: &Path<AtomId>, place: Place) -> Option<&'static str> {
        let bounded = |when: &Interval| (!when.is_unbounded()).then_some("it counts steps or time");
        match path {
            Path::Now(formula) => self.formula(formula, place),
            Path::Next(_) => Some("it speaks of the next state (`X`)"),
            Path::Eventually(when, a) => bounded(when).or_else(|| self.end(a, Deadlock::Positive)),
            Path::Always(when, a) => bounded(when).or_else(|| self.end(a, Deadlock::Negative)),
            Path::Accepted(_) => Some("it is an automaton, which may count states"),
            _ => {
                let inside = if path.is_temporal() { Place::Later } else { place };
                let operands = || path.operands().find_map(|operand| self.path(operand, inside));
                path.interval().and_then(bounded).or_else(operands)
            }
        }
    }

    /// What stands under `F`, where a deadlock may be asked for, or under `G`, where it may be excluded.
    fn end(&self, path: &Path<AtomId>, sign: Deadlock) -> Option<&'static str> {
        let harmless = path.is_state() && only(path, sign);
        self.path(path, if harmless { Place::Start } else { Place::Later })
    }

    fn formula(&self, formula: &Formula<AtomId>, place: Place) -> Option<&'static str> {
        match formula {
            Formula::True | Formula::False | Formula::Atom(_) => None,
            Formula::Deadlock => {
                (place == Place::Later).then_some("it compares the moment of a deadlock with other moments")
            }
            Formula::Not(a) => self.formula(a, place),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
                self.formula(a, place).or_else(|| self.formula(b, place))
            }
            Formula::Runs(_, path) if self.scope == Scope::Trees => self.path(path, place),
            Formula::Runs(..) => Some("it speaks of other runs inside a formula (`A`, `E`)"),
            Formula::Chance(_, _, path) if self.scope == Scope::Trees => self.path(path, place),
            Formula::Chance(..) => Some("it asks how probable something is"),
            Formula::Knows(..) => Some("it speaks of knowledge, which depends on all states"),
            Formula::Reward(..) => Some("it adds up rewards"),
            Formula::Steady(..) => Some("it asks for a share of the time"),
            Formula::Filter(..) => Some("it gathers values over all states"),
            Formula::Timer(..) | Formula::Wait(..) => Some("it measures time"),
            Formula::Past(_) => Some("it looks back"),
        }
    }
}

/// With which sign deadlocks are spoken of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deadlock {
    Positive,
    Negative,
}

impl Deadlock {
    fn flip(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }
}

/// Whether a formula about a single state speaks of deadlock with this sign only.
fn only(path: &Path<AtomId>, sign: Deadlock) -> bool {
    match path {
        Path::Now(formula) => only_in(formula, sign),
        Path::Not(a) => only(a, sign.flip()),
        Path::And(a, b) | Path::Or(a, b) => only(a, sign) && only(b, sign),
        Path::Implies(a, b) => only(a, sign.flip()) && only(b, sign),
        Path::Iff(a, b) => [a, b].into_iter().all(|part| only(part, sign) && only(part, sign.flip())),
        _ => false,
    }
}

fn only_in(formula: &Formula<AtomId>, sign: Deadlock) -> bool {
    match formula {
        Formula::Deadlock => sign == Deadlock::Positive,
        Formula::Not(a) => only_in(a, sign.flip()),
        Formula::And(a, b) | Formula::Or(a, b) => only_in(a, sign) && only_in(b, sign),
        Formula::Implies(a, b) => only_in(a, sign.flip()) && only_in(b, sign),
        Formula::Iff(a, b) => {
            [a, b].into_iter().all(|part| only_in(part, sign) && only_in(part, sign.flip()))
        }
        Formula::True | Formula::False | Formula::Atom(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use motet_property::{Quantifier, Until};

    fn atom(number: u32) -> Path<AtomId> {
        Path::Now(Formula::Atom(AtomId(number)))
    }

    fn eventually(path: Path<AtomId>) -> Path<AtomId> {
        Path::Eventually(Interval::default(), Box::new(path))
    }

    fn always(path: Path<AtomId>) -> Path<AtomId> {
        Path::Always(Interval::default(), Box::new(path))
    }

    fn implies(a: Path<AtomId>, b: Path<AtomId>) -> Path<AtomId> {
        Path::Implies(Box::new(a), Box::new(b))
    }

    const DEADLOCK: Path<AtomId> = Path::Now(Formula::Deadlock);

    #[test]
    fn whether_and_how_a_run_ends_is_no_obstacle() {
        let fine = [
            always(Path::Not(Box::new(DEADLOCK))),
            always(implies(DEADLOCK, atom(0))),
            eventually(Path::And(Box::new(DEADLOCK), Box::new(atom(0)))),
            always(implies(atom(0), eventually(DEADLOCK))),
            DEADLOCK,
        ];
        fine.iter().for_each(|path| assert_eq!(obstacle(path, Scope::Runs), None, "{path:?}"));
    }

    #[test]
    fn what_else_is_true_when_a_run_ends_is_an_obstacle() {
        let until = Path::Until(Until::Until, Interval::default(), Box::new(atom(0)), Box::new(DEADLOCK));
        let unless = always(implies(Path::Not(Box::new(DEADLOCK)), atom(0)));
        for path in [until, unless, always(implies(atom(0), DEADLOCK)), eventually(always(DEADLOCK))] {
            assert!(obstacle(&path, Scope::Runs).is_some(), "{path:?}");
        }
    }

    #[test]
    fn the_next_state_is_an_obstacle_and_other_runs_are_one_for_claims_about_each_run() {
        assert!(obstacle(&Path::Next(Box::new(atom(0))), Scope::Trees).is_some());
        let inner = Formula::Runs(Quantifier::Some, Box::new(eventually(atom(0))));
        let branching = always(Path::Now(inner));
        assert!(obstacle(&branching, Scope::Runs).is_some());
        assert_eq!(obstacle(&branching, Scope::Trees), None);
    }
}
