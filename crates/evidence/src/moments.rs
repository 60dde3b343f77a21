//! The moments of a run at which formulas are evaluated.
//!
//! A run is in state `i` from the time at which it is entered, the sum of the delays before it, until the next state is
//! entered: on a clock both instants included, of what is counted (cycles, firings) without the second number. The entry is a
//! moment. If the state lasts for some time on a clock then the instant at which it is left is another one: nothing has
//! changed there yet but the time. And where a claim compares clocks, so is every time at
//! which such a comparison becomes true or false while the state lasts. From each moment to the next nothing changes that a
//! claim can speak of. A deadlock lasts for ever: once no comparison changes any more, its last moment repeats itself. Only
//! where a claim counts steps or looks at the state before, the deadlock is entered again until that makes no difference.
//!
//! What a claim says of the past is found on the way like a comparison: it needs nothing but what was so a moment ago.
//!
//! Time is counted in half units here: bounds and delays are whole units, and half a unit after 5 stands for every time
//! between 5 and 6. Of what is counted there is nothing between two numbers.

use motet_model::{AtomId, Model};
use motet_property::{Bound, Formula, Past, Path, Relation, Subformula, Timer, Unit};

use crate::branches::Truths;
use crate::kleene::{Truth, and, iff, not, or};
use crate::{Objection, Run};

/// Runs with more moments than this are refused.
const MOMENTS_MAX: usize = 1_000_000;

/// How long a moment lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// This long.
    Known(u64),
    /// For ever.
    Endless,
    /// The run is known up to this state only.
    Unknown,
}

#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Which state of the run it belongs to.
    pub(crate) state: usize,
    /// Whether the state is entered here, rather than gone on with.
    pub(crate) entered: bool,
    pub(crate) length: Length,
    /// Per comparison of a clock.
    pub(crate) comparisons: Vec<Truth>,
}

/// The moments of a run, and how they go on.
#[derive(Debug)]
pub(crate) struct Moments<'p> {
    /// The comparisons of clocks, each once, inner ones first.
    pub(crate) comparisons: Vec<&'p Formula<AtomId>>,
    pub(crate) moments: Vec<Moment>,
    /// Where the last moment goes on; `None` is unknown.
    pub(crate) back: Option<usize>,
    /// Per moment: where the next state is entered; as long as there are moments if that is not known.
    pub(crate) next_entry: Vec<usize>,
}

/// How a run goes on behind its last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As from this state.
    Repeats(usize),
    /// It stays there.
    Deadlock,
    /// Nobody knows.
    Open,
}

/// The comparisons of clocks in these formulas, inner ones first.
pub(crate) fn comparisons<'p>(paths: &[&'p Path<AtomId>]) -> Vec<&'p Formula<AtomId>> {
    let mut found = Vec::new();
    paths.iter().for_each(|path| collect(Subformula::Path(path), &mut found));
    found
}

fn collect<'p>(part: Subformula<'p, AtomId>, found: &mut Vec<&'p Formula<AtomId>>) {
    part.children().for_each(|child| collect(child, found));
    match part {
        Subformula::State(formula @ (Formula::Timer(..) | Formula::Past(_))) if !found.contains(&formula) => {
            found.push(formula);
        }
        _ => {}
    }
}

/// A run, a claim's clocks and where they stand.
pub(crate) struct Watch<'a> {
    pub(crate) model: &'a dyn Model,
    pub(crate) run: &'a Run,
    /// Per state of the run; `None` where the model cannot say.
    pub(crate) deadlocks: &'a [Truth],
    pub(crate) ending: Ending,
    /// Of formulas about other runs and about knowledge.
    pub(crate) truths: &'a Truths<'a>,
}

/// What is remembered of a comparison: since when its clock runs, and whether it does.
#[derive(Clone, Copy)]
enum Hand {
    /// It runs, and showed 0 at this time.
    From(u64),
    /// It stands at 0.
    Rests,
    /// It shows more than anything.
    Infinite,
    /// Nobody knows what it shows.
    Lost,
    /// Something that was, or was not.
    Was(Truth),
    /// Whether something is so, and whether it was so when the state before was left.
    Turned { here: Truth, before: Truth },
}

/// A point of a run.
#[derive(Clone, Copy)]
struct Instant {
    /// In half units.
    time: u64,
    /// How many states were entered before this one.
    entries: u64,
}

/// How a run comes to a moment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrival {
    Enters,
    Stays,
}

impl Watch<'_> {
    /// The moments of the run for claims with these comparisons.
    pub(crate) fn moments<'p>(
        &self,
        comparisons: Vec<&'p Formula<AtomId>>,
    ) -> Result<Moments<'p>, Objection> {
        let mut moments: Vec<Moment> = Vec::new();
        let mut hands: Vec<Option<Hand>> = vec![None; comparisons.len()];
        let mut arrivals: Vec<(Vec<Option<u64>>, usize)> = Vec::new();
        let (mut now, mut state) = (Instant { time: 0, entries: 0 }, 0);
        let back = loop {
            if moments.len() > MOMENTS_MAX {
                return Err(Objection::Refused("a run this long".to_owned()));
            }
            let truths = self.turn(&comparisons, &mut hands, now, (state, Arrival::Enters));
            if self.ending == Ending::Repeats(state) {
                let shown = self.shown(&comparisons, &hands, now);
                if let Some((_, first)) = arrivals.iter().find(|(before, _)| *before == shown) {
                    break Some(*first);
                }
                arrivals.push((shown, moments.len()));
            }
            let last = state == self.run.steps.len();
            let leaves =
                if last { None } else { Some(now.time + 2 * u64::from(self.run.steps[state].delay)) };
            if last && self.ending == Ending::Open {
                moments.push(Moment { state, entered: true, length: Length::Unknown, comparisons: truths });
                break None;
            }
            let end = self.stay(&comparisons, &mut hands, &mut moments, truths, (&mut now, leaves), state);
            let Some(end) = end else {
                self.enter_again(&comparisons, &mut hands, &mut moments, now, state)?;
                break Some(moments.len() - 1);
            };
            now = Instant { time: end, entries: now.entries + 1 };
            state = match self.ending {
                Ending::Repeats(start) if state + 1 == self.run.steps.len() => start,
                _ => state + 1,
            };
        };
        let next_entry = next_entries(&moments, back);
        Ok(Moments { comparisons, moments, back, next_entry })
    }

    /// Adds the moments at which a deadlock is entered again, until that changes nothing.
    fn enter_again(
        &self,
        comparisons: &[&Formula<AtomId>],
        hands: &mut [Option<Hand>],
        moments: &mut Vec<Moment>,
        mut now: Instant,
        state: usize,
    ) -> Result<(), Objection> {
        loop {
            let before = self.shown(comparisons, hands, now);
            now.entries += 1;
            let truths = self.turn(comparisons, hands, now, (state, Arrival::Enters));
            if self.shown(comparisons, hands, now) == before {
                return Ok(());
            }
            if moments.len() > MOMENTS_MAX {
                return Err(Objection::Refused("a run this long".to_owned()));
            }
            self.stay(comparisons, hands, moments, truths, (&mut now, None), state);
        }
    }

    /// Adds the moments of a state from its entry to the time it is left, which is returned; `None` if it never is.
    fn stay(
        &self,
        comparisons: &[&Formula<AtomId>],
        hands: &mut [Option<Hand>],
        moments: &mut Vec<Moment>,
        mut truths: Vec<Truth>,
        (now, leaves): (&mut Instant, Option<u64>),
        state: usize,
    ) -> Option<u64> {
        let mut entered = true;
        loop {
            let change = comparisons
                .iter()
                .zip(&*hands)
                .filter_map(|(comparison, hand)| self.change(comparison, *hand, *now));
            // The last change on a clock is that the time has come at which the state is left.
            let left_at = leaves.filter(|&leaves| leaves > now.time && self.is_dense());
            let change = change.chain(left_at).min();
            let inside =
                |change| leaves.is_none_or(|leaves| change < leaves || change == leaves && self.is_dense());
            let change = change.filter(|&change| inside(change));
            let length = match (change, leaves) {
                (Some(end), _) | (None, Some(end)) => Length::Known(end - now.time),
                (None, None) => Length::Endless,
            };
            moments.push(Moment { state, entered, length, comparisons: truths });
            let Some(change) = change else { return leaves };
            entered = false;
            now.time = change;
            truths = self.turn(comparisons, hands, *now, (state, Arrival::Stays));
        }
    }

    /// Lets time come to `now` in a state: the hands move, and the comparisons have their truths.
    fn turn(
        &self,
        comparisons: &[&Formula<AtomId>],
        hands: &mut [Option<Hand>],
        now: Instant,
        (state, arrival): (usize, Arrival),
    ) -> Vec<Truth> {
        let mut truths: Vec<Truth> = Vec::new();
        for (comparison, hand) in comparisons.iter().zip(hands) {
            if let Formula::Past(past) = comparison {
                let inner = |formula: &Formula<AtomId>| self.holds(formula, state, comparisons, &truths);
                let moved = remember(past, *hand, arrival, &inner);
                *hand = Some(moved);
                truths.push(moved.was());
                continue;
            }
            let Formula::Timer(timer, relation, bound) = comparison else {
                truths.push(None);
                continue;
            };
            let now = self.reading(bound, now);
            let inner = |formula| self.holds(formula, state, comparisons, &truths);
            let moved = match (timer, *hand) {
                (Timer::Now, _) => Hand::From(0),
                (Timer::Held(formula), before) => match (inner(formula), before) {
                    (None, _) => Hand::Lost,
                    (Some(false), _) => Hand::Rests,
                    (Some(true), Some(Hand::From(start))) => Hand::From(start),
                    (Some(true), Some(Hand::Lost)) => Hand::Lost,
                    (Some(true), _) => Hand::From(now),
                },
                (Timer::Since(formula), before) => match (inner(formula), before) {
                    (None, _) => Hand::Lost,
                    (Some(true), _) => Hand::Rests,
                    (Some(false), None) => Hand::Infinite,
                    (Some(false), Some(Hand::Rests)) => Hand::From(now),
                    (Some(false), Some(before)) => before,
                },
            };
            *hand = Some(moved);
            let limit = bound.amount.saturating_mul(2);
            truths.push(match moved {
                Hand::From(start) => Some(compared(now - start, *relation, limit)),
                Hand::Rests => Some(compared(0, *relation, limit)),
                Hand::Infinite => Some(matches!(relation, Relation::Gt | Relation::Ge | Relation::Ne)),
                Hand::Lost | Hand::Was(_) | Hand::Turned { .. } => None,
            });
        }
        truths
    }

    /// A formula inside a clock.
    fn holds(
        &self,
        formula: &Formula<AtomId>,
        state: usize,
        comparisons: &[&Formula<AtomId>],
        truths: &[Truth],
    ) -> Truth {
        let holds = |formula: &Formula<AtomId>| self.holds(formula, state, comparisons, truths);
        match formula {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Deadlock => self.deadlocks[state],
            Formula::Atom(atom) => Some(self.model.holds(*atom, &self.run.states[state])),
            Formula::Not(a) => not(holds(a)),
            Formula::And(a, b) => and(holds(a), holds(b)),
            Formula::Or(a, b) => or(holds(a), holds(b)),
            Formula::Implies(a, b) => or(not(holds(a)), holds(b)),
            Formula::Iff(a, b) => iff(holds(a), holds(b)),
            Formula::Timer(..) | Formula::Past(_) => {
                let at = comparisons.iter().position(|comparison| *comparison == formula);
                at.and_then(|at| truths.get(at).copied().flatten())
            }
            Formula::Runs(..) | Formula::Knows(..) => self.truths.get(formula, &self.run.states[state]),
            _ => None,
        }
    }

    /// Whether a clock that is compared with this bound counts steps.
    fn counts_steps(&self, bound: &Bound) -> bool {
        let bare = || self.model.signature().unit == motet_model::TimeUnit::Steps;
        bound.unit.map_or_else(bare, |unit| unit == Unit::Steps)
    }

    /// Whether time goes on while a state lasts.
    fn is_dense(&self) -> bool {
        self.model.signature().unit.is_dense()
    }

    /// How much later than a whole number is just after it, in halves.
    fn grain(&self) -> u64 {
        if self.is_dense() { 1 } else { 2 }
    }

    /// What a clock that is compared with this bound goes by, in halves.
    fn reading(&self, bound: &Bound, now: Instant) -> u64 {
        if self.counts_steps(bound) { 2 * now.entries } else { now.time }
    }

    /// When a comparison next changes if the state lasts.
    fn change(&self, comparison: &Formula<AtomId>, hand: Option<Hand>, now: Instant) -> Option<u64> {
        let (Formula::Timer(_, relation, bound), Some(Hand::From(start))) = (comparison, hand) else {
            return None;
        };
        if self.counts_steps(bound) {
            return None;
        }
        let limit = bound.amount.saturating_mul(2);
        let value = now.time - start;
        let grain = self.grain();
        let changes = [limit, limit.saturating_add(grain)].into_iter().filter(|&at| {
            at > value && compared(at, *relation, limit) != compared(at - grain, *relation, limit)
        });
        changes.min().map(|at| start + at)
    }

    /// What the clocks show, as far as comparisons can tell.
    fn shown(
        &self,
        comparisons: &[&Formula<AtomId>],
        hands: &[Option<Hand>],
        now: Instant,
    ) -> Vec<Option<u64>> {
        let show = |(comparison, hand): (&&Formula<AtomId>, &Option<Hand>)| {
            let number = |truth: Truth| truth.map_or(2, u64::from);
            let (bound, now) = match (comparison, hand) {
                (_, Some(Hand::Was(truth))) => return Some(number(*truth)),
                (_, Some(Hand::Turned { here, before })) => return Some(3 * number(*here) + number(*before)),
                (Formula::Timer(_, _, bound), _) => (bound, self.reading(bound, now)),
                _ => return None,
            };
            let most = bound.amount.saturating_mul(2).saturating_add(1);
            match hand {
                // A clock that runs is told from one that rests at the same value.
                Some(Hand::From(start)) => Some((now - start).min(most) + 1),
                Some(Hand::Rests) => Some(0),
                Some(Hand::Infinite) => Some(most + 1),
                Some(Hand::Lost | Hand::Was(_) | Hand::Turned { .. }) | None => None,
            }
        };
        comparisons.iter().zip(hands).map(show).collect()
    }
}

impl Hand {
    /// What is remembered of the past.
    fn was(self) -> Truth {
        match self {
            Self::Was(truth) | Self::Turned { before: truth, .. } => truth,
            Self::From(_) | Self::Rests | Self::Infinite | Self::Lost => None,
        }
    }
}

/// What is remembered of the past at a moment, given what was remembered at the one before.
fn remember(
    past: &Past<AtomId>,
    hand: Option<Hand>,
    arrival: Arrival,
    inner: &dyn Fn(&Formula<AtomId>) -> Truth,
) -> Hand {
    let was = |start: bool| match hand {
        Some(Hand::Was(truth)) => truth,
        _ => Some(start),
    };
    match past {
        Past::Once(formula) => Hand::Was(or(inner(formula), was(false))),
        Past::Historically(formula) => Hand::Was(and(inner(formula), was(true))),
        Past::Since(left, right) => Hand::Was(or(inner(right), and(inner(left), was(false)))),
        Past::Previously(formula) => {
            let before = match (hand, arrival) {
                (Some(Hand::Turned { here, .. }), Arrival::Enters) => here,
                (Some(Hand::Turned { before, .. }), Arrival::Stays) => before,
                _ => Some(false),
            };
            Hand::Turned { here: inner(formula), before }
        }
    }
}

fn compared(value: u64, relation: Relation, limit: u64) -> bool {
    match relation {
        Relation::Eq => value == limit,
        Relation::Ne => value != limit,
        Relation::Lt => value < limit,
        Relation::Le => value <= limit,
        Relation::Gt => value > limit,
        Relation::Ge => value >= limit,
    }
}

/// Where each moment's next state is entered. The last moment of a deadlock is entered again and again.
fn next_entries(moments: &[Moment], back: Option<usize>) -> Vec<usize> {
    let n = moments.len();
    let mut entries = vec![n; n];
    for at in (0..n).rev() {
        entries[at] = match moments.get(at + 1) {
            Some(next) if next.entered => at + 1,
            Some(_) => entries[at + 1],
            None => back.unwrap_or(n),
        };
    }
    entries
}
