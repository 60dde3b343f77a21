//! Scopes, after Dwyer, Avrunin and Corbett ("Patterns in property specifications for finite-state verification",
//! ICSE 1999). Their formulas are instances of one translation: inside a segment that ends just before `end`, an operator
//! looks no farther than the segment.

use super::connect::{and, implies, joined, not, or};
use crate::formula::{Basic, Formula, Interval, Path, Subformula, Until};

/// Where a claim is meant to hold, lowered.
pub(crate) enum Segment<A> {
    Before(Path<A>),
    While(Path<A>),
    After(Path<A>),
    AfterUntil(Path<A>, Path<A>),
    Between(Path<A>, Path<A>),
}

/// The claim `path` in its scope.
pub(crate) fn scoped<A: Clone>(segment: Segment<A>, path: Path<A>) -> Path<A> {
    let always = |path| Path::Always(Interval::default(), Box::new(path));
    let eventually = |path| Path::Eventually(Interval::default(), Box::new(path));
    let weak = |left, right| Path::Until(Until::Weak, Interval::default(), Box::new(left), Box::new(right));
    match segment {
        Segment::Before(end) => implies(eventually(end.clone()), until(&end, path)),
        Segment::After(start) => {
            // From the first `start` on; nothing is claimed when it never comes.
            weak(not(start.clone()), and(start, path))
        }
        Segment::AfterUntil(start, end) => {
            let inside = and(start, not(end.clone()));
            always(implies(inside, until(&end, path)))
        }
        Segment::Between(start, end) => {
            let inside = and(and(start, not(end.clone())), eventually(end.clone()));
            always(implies(inside, until(&end, path)))
        }
        Segment::While(during) => {
            let end = not(during.clone());
            match path {
                // At every point of every segment: no need to find where the segment starts.
                Path::Always(interval, body) if interval.is_unbounded() => {
                    always(implies(during, until(&end, *body)))
                }
                path => {
                    let inner = until(&end, path);
                    let first = implies(during.clone(), inner.clone());
                    let later = implies(end.clone(), weak(end, and(during, inner)));
                    and(first, always(later))
                }
            }
        }
    }
}

/// The path as seen inside a segment that starts here and ends just before the next `end`.
fn until<A: Clone>(end: &Path<A>, path: Path<A>) -> Path<A> {
    let inside = |path: Path<A>| until(end, path);
    let open = || not(end.clone());
    match path {
        Path::Now(formula) => Path::Now(formula),
        Path::Accepted(omega) => Path::Accepted(omega),
        Path::Not(path) => not(inside(*path)),
        Path::And(left, right) => and(inside(*left), inside(*right)),
        Path::Or(left, right) => or(inside(*left), inside(*right)),
        Path::Implies(left, right) => implies(inside(*left), inside(*right)),
        Path::Iff(left, right) => super::connect::iff(inside(*left), inside(*right)),
        Path::Next(path) => Path::Next(Box::new(and(open(), inside(*path)))),
        Path::Eventually(interval, path) => {
            Path::Until(Until::Until, interval, Box::new(open()), Box::new(and(inside(*path), open())))
        }
        Path::Always(interval, path) => {
            if interval.is_unbounded() {
                Path::Until(Until::Weak, interval, Box::new(inside(*path)), Box::new(end.clone()))
            } else {
                Path::Until(
                    Until::Release,
                    interval,
                    Box::new(end.clone()),
                    Box::new(or(inside(*path), end.clone())),
                )
            }
        }
        Path::Until(Until::Weak, interval, left, right) if interval.is_unbounded() => {
            let right = or(end.clone(), inside(*right));
            Path::Until(Until::Weak, interval, Box::new(inside(*left)), Box::new(right))
        }
        Path::Until(until, interval, left, right) => {
            let (until, left, right) = match until.define(inside(*left), inside(*right), joined) {
                Basic::Until(left, right) => (Until::Until, and(left, open()), and(right, open())),
                Basic::Release(left, right) => {
                    (Until::Release, or(left, end.clone()), or(right, end.clone()))
                }
            };
            Path::Until(until, interval, Box::new(left), Box::new(right))
        }
    }
}

/// The first part that looks beyond any segment: branching time, chance, rewards.
pub(crate) fn reaches_out<A>(path: &Path<A>) -> Option<&'static str> {
    beyond(Subformula::Path(path))
}

fn beyond<A>(part: Subformula<'_, A>) -> Option<&'static str> {
    match part {
        Subformula::Path(Path::Accepted(_)) => Some("an automaton"),
        Subformula::State(Formula::Runs(..)) => Some("branching time"),
        Subformula::State(Formula::Chance(..) | Formula::Steady(..) | Formula::Filter(..)) => {
            Some("a probability")
        }
        Subformula::State(Formula::Reward(..)) => Some("a reward"),
        Subformula::State(Formula::Wait(..)) => Some("a question for a time"),
        // A clock goes its own way.
        Subformula::State(Formula::Timer(..)) => None,
        _ => part.children().find_map(beyond),
    }
}
