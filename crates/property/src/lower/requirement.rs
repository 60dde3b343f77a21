//! Requirements in the form of FRET, by their published meaning (Giannakopoulou, Pressburger, Mavridou and Schumann,
//! "Automated formalization of structured natural language requirements", 2021), on runs that never end.
//!
//! A scope cuts a run into intervals; a condition picks moments in each, its triggers; the timing says what the response
//! has to do from a trigger to the end of its interval. `only` turns it around: outside of the scope the same must not be
//! satisfied. `spec/claims/sentences.md` has the tables.

use super::connect::{self, and, implies, or};
use crate::formula::{Bound, Formula, Interval, Path, Until};

/// Where a requirement is meant, with its mode.
pub(crate) enum Place<A> {
    /// On the whole run.
    Everywhere,
    /// In every stretch in which the mode holds.
    In(Path<A>),
    /// In every stretch in which it does not hold.
    NotIn(Path<A>),
    /// Up to where it holds first; the whole run if it never does.
    Before(Path<A>),
    /// From where its first stretch has ended.
    After(Path<A>),
    /// Not in the stretches outside of it.
    OnlyIn(Path<A>),
    /// Not from where it holds first.
    OnlyBefore(Path<A>),
    /// Not up to where its first stretch ends.
    OnlyAfter(Path<A>),
}

/// What starts a requirement inside its scope.
pub(crate) enum Trigger<A> {
    /// The beginning of the interval.
    Beginning,
    /// Where this begins to hold, or holds at the beginning of the interval.
    Edge(Path<A>),
    /// Wherever this holds.
    Level(Path<A>),
}

/// When the response is due, from a trigger on.
#[derive(Clone)]
pub(crate) enum Timing<A> {
    Immediately,
    Next,
    Always,
    Never,
    Eventually,
    /// Up to just before this, or to the end of the interval.
    Until(Path<A>),
    /// Before this, if it comes in the interval.
    Before(Path<A>),
    /// By then, unless the interval ends earlier.
    Within(Bound),
    /// Up to then, or to the end of the interval.
    For(Bound),
    /// Not up to then, and right behind it.
    After(Bound),
}

/// How an interval ends, seen from inside.
enum End<A> {
    Never,
    /// The first moment that does not belong to it.
    Outside(Path<A>),
    /// Its last moment.
    Last(Path<A>),
}

/// The formula of a requirement.
pub(crate) fn required<A: Clone>(
    place: Place<A>,
    trigger: Trigger<A>,
    timing: Timing<A>,
    response: Path<A>,
) -> Path<A> {
    let answer = match &place {
        Place::OnlyIn(_) | Place::OnlyBefore(_) | Place::OnlyAfter(_) => Answer::refused(timing, response),
        _ => Answer { timing, response, refusal: Refusal::No },
    };
    match place {
        Place::Everywhere => on_the_rest(trigger, &answer),
        Place::In(mode) => in_stretches(mode, trigger, &answer),
        Place::NotIn(mode) | Place::OnlyIn(mode) => in_stretches(not(mode), trigger, &answer),
        Place::Before(mode) => up_to(mode, trigger, &answer),
        Place::After(mode) => {
            let over = and(not(mode.clone()), on_the_rest(trigger, &answer));
            let inside = and(mode.clone(), weak(mode.clone(), over));
            weak(not(mode), inside)
        }
        Place::OnlyBefore(mode) => weak(not(mode.clone()), and(mode, on_the_rest(trigger, &answer))),
        Place::OnlyAfter(mode) => {
            let last = and(mode.clone(), Path::Next(Box::new(not(mode))));
            through(last, trigger, &answer)
        }
    }
}

/// In the interval from here on, which never ends.
fn on_the_rest<A: Clone>(trigger: Trigger<A>, answer: &Answer<A>) -> Path<A> {
    let due = answer.from(&End::Never);
    match trigger {
        Trigger::Beginning => due,
        Trigger::Level(condition) => always(implies(condition, due)),
        Trigger::Edge(condition) => at_edges(condition, due),
    }
}

/// In every stretch of states with `inside`. A trigger of a stretch is where `inside` and the condition begin to hold
/// together: either the stretch begins there, or the condition does.
fn in_stretches<A: Clone>(inside: Path<A>, trigger: Trigger<A>, answer: &Answer<A>) -> Path<A> {
    match (&answer.timing, &trigger) {
        // At every moment of every stretch: no need to find where the stretch begins.
        (Timing::Always, Trigger::Beginning) => return always(implies(inside, answer.response.clone())),
        (Timing::Never, Trigger::Beginning) => return always(implies(inside, not(answer.response.clone()))),
        _ => {}
    }
    let due = answer.from(&End::Outside(not(inside.clone())));
    match trigger {
        Trigger::Level(condition) => always(implies(and(inside, condition), due)),
        Trigger::Edge(condition) => at_edges(and(inside, condition), due),
        Trigger::Beginning => at_edges(inside, due),
    }
}

/// In the interval from the start of the run to just before the first `end`.
fn up_to<A: Clone>(end: Path<A>, trigger: Trigger<A>, answer: &Answer<A>) -> Path<A> {
    let due = answer.from(&End::Outside(end.clone()));
    match trigger {
        Trigger::Beginning => or(end, due),
        Trigger::Level(condition) => weak(implies(condition, due), end),
        Trigger::Edge(condition) => {
            let here = and(not(end.clone()), condition.clone());
            let later = weak(not(condition.clone()), or(end.clone(), and(condition.clone(), due.clone())));
            and(implies(here, due), weak(implies(not(condition), later), end))
        }
    }
}

/// In the interval from the start of the run to the first `last`, which belongs to it.
fn through<A: Clone>(last: Path<A>, trigger: Trigger<A>, answer: &Answer<A>) -> Path<A> {
    let due = answer.from(&End::Last(last.clone()));
    match trigger {
        Trigger::Beginning => due,
        Trigger::Level(condition) => release(last, implies(condition, due)),
        Trigger::Edge(condition) => {
            let without = not(condition.clone());
            let over = and(without.clone(), last.clone());
            let later = weak(without.clone(), or(over, and(condition.clone(), due.clone())));
            and(implies(condition, due), release(last, implies(without, later)))
        }
    }
}

/// `due` wherever the condition begins to hold, also at the start.
pub(super) fn at_edges<A: Clone>(condition: Path<A>, due: Path<A>) -> Path<A> {
    let without = not(condition.clone());
    let later = weak(without.clone(), and(condition.clone(), due.clone()));
    and(implies(condition, due), always(implies(without, later)))
}

/// The condition and what is due of a formula that asks for something wherever a condition begins to hold, as `upon` does.
#[must_use]
pub fn each_time<A: Clone + PartialEq>(path: &Path<A>) -> Option<(Path<A>, Path<A>)> {
    let Path::And(first, _) = path else { return None };
    let (condition, due) = match &**first {
        Path::Implies(condition, due) => ((**condition).clone(), (**due).clone()),
        Path::Now(Formula::Implies(condition, due)) => {
            (Path::Now((**condition).clone()), Path::Now((**due).clone()))
        }
        _ => return None,
    };
    (at_edges(condition.clone(), due.clone()) == *path).then_some((condition, due))
}

/// Whether the answer is the opposite of what was said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Yes,
    No,
}

struct Answer<A> {
    timing: Timing<A>,
    response: Path<A>,
    /// Matters to [`Timing::After`] alone, whose opposite is no other timing.
    refusal: Refusal,
}

impl<A: Clone> Answer<A> {
    /// Not satisfied. The opposite of a timing is another timing of the opposite response; where the interval is too short
    /// for one, it asks nothing, and neither does the other.
    fn refused(timing: Timing<A>, response: Path<A>) -> Self {
        let opposite = not(response.clone());
        let (timing, response) = match timing {
            Timing::Immediately => (Timing::Immediately, opposite),
            Timing::Next => (Timing::Next, opposite),
            Timing::Always => (Timing::Eventually, opposite),
            Timing::Never => (Timing::Eventually, response),
            Timing::Eventually => (Timing::Always, opposite),
            Timing::Until(stop) => (Timing::Before(stop), opposite),
            Timing::Before(stop) => (Timing::Until(stop), opposite),
            Timing::Within(bound) => (Timing::For(bound), opposite),
            Timing::For(bound) => (Timing::Within(bound), opposite),
            Timing::After(bound) => (Timing::After(bound), response),
        };
        Self { timing, response, refusal: Refusal::Yes }
    }

    /// What is asked from a trigger on.
    fn from(&self, end: &End<A>) -> Path<A> {
        let response = self.response.clone();
        match &self.timing {
            Timing::Immediately => response,
            Timing::Next => end.next(response),
            Timing::Always => end.all(response),
            Timing::Never => end.all(not(response)),
            Timing::Eventually => end.some(response),
            Timing::Until(stop) => end.until(stop.clone(), response),
            Timing::Before(stop) => end.before(stop.clone(), response),
            Timing::Within(bound) => end.within(bound, response),
            Timing::For(bound) => end.throughout(bound, response),
            Timing::After(bound) => end.after(bound, response, self.refusal),
        }
    }
}

impl<A: Clone> End<A> {
    fn next(&self, response: Path<A>) -> Path<A> {
        let next = |path| Path::Next(Box::new(path));
        match self {
            Self::Never => next(response),
            Self::Outside(end) => next(or(end.clone(), response)),
            Self::Last(last) => or(last.clone(), next(response)),
        }
    }

    fn all(&self, response: Path<A>) -> Path<A> {
        match self {
            Self::Never => always(response),
            Self::Outside(end) => weak(response, end.clone()),
            Self::Last(last) => release(last.clone(), response),
        }
    }

    fn some(&self, response: Path<A>) -> Path<A> {
        match self {
            Self::Never => Path::Eventually(Interval::default(), Box::new(response)),
            Self::Outside(end) => until(not(end.clone()), and(not(end.clone()), response)),
            Self::Last(last) => until(not(last.clone()), response),
        }
    }

    fn until(&self, stop: Path<A>, response: Path<A>) -> Path<A> {
        match self {
            Self::Never => weak(response, stop),
            Self::Outside(end) => weak(response, or(stop, end.clone())),
            Self::Last(last) => release(or(stop.clone(), last.clone()), or(response, stop)),
        }
    }

    fn before(&self, stop: Path<A>, response: Path<A>) -> Path<A> {
        let early = and(response.clone(), not(stop.clone()));
        match self {
            Self::Never => weak(not(stop), early),
            Self::Outside(end) => weak(not(stop), or(early, end.clone())),
            Self::Last(last) => release(or(response, last.clone()), not(stop)),
        }
    }

    fn within(&self, bound: &Bound, response: Path<A>) -> Path<A> {
        match self {
            Self::Never => by(bound, response),
            // The end frees from the duty, and nothing behind it comes first.
            Self::Outside(end) => by(bound, or(response, end.clone())),
            Self::Last(_) => or(by(bound, response), self.ends_before(bound)),
        }
    }

    fn throughout(&self, bound: &Bound, response: Path<A>) -> Path<A> {
        let interval = Interval { low: None, high: Some(bound.clone()) };
        match self {
            Self::Never => Path::Always(interval, Box::new(response)),
            Self::Outside(end) => Path::Until(
                Until::Release,
                interval,
                Box::new(end.clone()),
                Box::new(or(response, end.clone())),
            ),
            Self::Last(last) => {
                Path::Until(Until::Release, interval, Box::new(last.clone()), Box::new(response))
            }
        }
    }

    fn after(&self, bound: &Bound, response: Path<A>, refusal: Refusal) -> Path<A> {
        let then = Bound { amount: bound.amount.saturating_add(1), ..bound.clone() };
        let at = Interval { low: Some(then.clone()), high: Some(then.clone()) };
        let over = self.ends_before(&then);
        match refusal {
            Refusal::No => {
                let then = or(over, Path::Eventually(at, Box::new(response.clone())));
                and(self.throughout(bound, not(response)), then)
            }
            Refusal::Yes => {
                let not_then = Path::Eventually(at, Box::new(not(response.clone())));
                or(or(over, by(bound, response)), not_then)
            }
        }
    }

    /// The distance to the last moment of the interval is less than this.
    fn ends_before(&self, bound: &Bound) -> Path<A> {
        match self {
            Self::Never => connect::constant(false),
            Self::Outside(end) => by(bound, end.clone()),
            Self::Last(_) if bound.amount == 0 => connect::constant(false),
            Self::Last(last) => by(&Bound { strict: true, ..bound.clone() }, last.clone()),
        }
    }
}

/// The negation, without doubling one: modes and conditions are negated again and again.
fn not<A>(path: Path<A>) -> Path<A> {
    match path {
        Path::Now(Formula::Not(inner)) => Path::Now(*inner),
        path => connect::not(path),
    }
}

fn by<A>(bound: &Bound, path: Path<A>) -> Path<A> {
    Path::Eventually(Interval { low: None, high: Some(bound.clone()) }, Box::new(path))
}

fn always<A>(path: Path<A>) -> Path<A> {
    Path::Always(Interval::default(), Box::new(path))
}

fn weak<A>(left: Path<A>, right: Path<A>) -> Path<A> {
    Path::Until(Until::Weak, Interval::default(), Box::new(left), Box::new(right))
}

fn until<A>(left: Path<A>, right: Path<A>) -> Path<A> {
    Path::Until(Until::Until, Interval::default(), Box::new(left), Box::new(right))
}

fn release<A>(left: Path<A>, right: Path<A>) -> Path<A> {
    Path::Until(Until::Release, Interval::default(), Box::new(left), Box::new(right))
}
