//! The truth of a formula at every moment of a run, by the definition of the operators.
//!
//! On a run that repeats for ever, `U` is a least and `R` a greatest fixpoint over the finitely many moments. A run
//! that is known up to some state only goes on in one more position that stands for everything behind: it repeats
//! itself, and all atoms are unknown there (Kleene's three values). A formula that comes out true or false is so on every
//! continuation.
//!
//! A window of time is looked through from each moment on its own. From moment `i`, with times `t`, moment `j` meets the
//! window from `a` to `b` iff `t_j - t_i <= b`, and `t_j - t_i >= a` or `t_(j+1) - t_i > a`. `p U[a,b] q` holds at `i` iff
//! some moment `j` meets the window, `q` holds there, `p` holds at all moments from `i` on before it, and also at `j` if
//! `t_j - t_i < a`.

use std::collections::BTreeSet;

use motet_model::{AtomId, Model, State, TimeUnit};
use motet_property::{Basic, Bound, Formula, Interval, Path, Quantifier, Unit};

use crate::branches::Truths;
use crate::kleene::{Truth, and, iff, join, not, or};
use crate::moments::{Length, Moments, comparisons};
use crate::{Forged, Objection};

/// Bounds in steps beyond this are refused.
const BOUND_MAX: i64 = i64::MAX / 4;

/// A run as formulas see it.
pub(crate) struct Word<'a> {
    pub(crate) model: &'a dyn Model,
    pub(crate) states: &'a [Box<State>],
    /// Per state; `None` where the model cannot say.
    pub(crate) deadlocks: &'a [Truth],
    pub(crate) moments: Moments<'a>,
    /// What branches show of its states.
    pub(crate) truths: Truths<'a>,
    /// Per assumption: where the rest of the run satisfies it.
    pub(crate) assumed: Vec<Values>,
}

/// What a run can say about a formula with path quantifiers: one run refutes "on all runs" and proves "on some run".
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stance {
    /// The run is there to make the formula false.
    Refute,
    /// The run is there to make the formula true.
    Prove,
}

impl Stance {
    pub(crate) fn flip(self) -> Self {
        match self {
            Self::Refute => Self::Prove,
            Self::Prove => Self::Refute,
        }
    }
}

pub(crate) type Values = Vec<Truth>;

impl Word<'_> {
    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.moments.moments.len() + usize::from(self.moments.back.is_none())
    }

    /// The same everywhere.
    fn constant(&self, value: bool) -> Values {
        vec![Some(value); self.len()]
    }

    /// What is known of the state of each moment, and nothing behind them.
    fn known(&self, of_state: impl Fn(usize) -> Truth) -> Values {
        let values = self.moments.moments.iter().map(|moment| of_state(moment.state));
        values.chain(std::iter::repeat(None)).take(self.len()).collect()
    }

    /// The truth of `path` on the whole run.
    pub(crate) fn truth(&self, path: &Path<AtomId>, stance: Stance) -> Result<Truth, Objection> {
        Ok(self.path(path, Some(stance))?[0])
    }

    pub(crate) fn path(&self, path: &Path<AtomId>, stance: Option<Stance>) -> Result<Values, Objection> {
        let unary = |a: &Path<AtomId>| self.path(a, stance);
        let binary = |a: &Path<AtomId>, b: &Path<AtomId>| -> Result<(Values, Values), Objection> {
            Ok((self.path(a, stance)?, self.path(b, stance)?))
        };
        Ok(match path {
            Path::Now(formula) => self.formula(formula, stance)?,
            Path::Accepted(_) => return Err(Objection::Refused("an automaton inside a formula".to_owned())),
            Path::Not(a) => map(&self.path(a, stance.map(Stance::flip))?, not),
            Path::And(a, b) => zip(binary(a, b)?, and),
            Path::Or(a, b) => zip(binary(a, b)?, or),
            Path::Implies(a, b) => {
                let left = map(&self.path(a, stance.map(Stance::flip))?, not);
                zip((left, unary(b)?), or)
            }
            Path::Iff(a, b) => zip((self.path(a, None)?, self.path(b, None)?), iff),
            Path::Next(a) => self.shift(&unary(a)?),
            Path::Eventually(interval, a) => self.until(interval, &self.constant(true), &unary(a)?)?,
            Path::Always(interval, a) => self.always(interval, &unary(a)?)?,
            Path::Until(until, interval, a, b) => {
                let (a, b) = binary(a, b)?;
                let joined = |connective, a, b| zip((a, b), |a, b| join(connective, a, b));
                match until.define(a, b, joined) {
                    Basic::Until(a, b) => self.until(interval, &a, &b)?,
                    Basic::Release(a, b) => self.release(interval, &a, &b)?,
                }
            }
        })
    }

    pub(crate) fn formula(
        &self,
        formula: &Formula<AtomId>,
        stance: Option<Stance>,
    ) -> Result<Values, Objection> {
        let refused = |name: &str| Err(Objection::Refused(name.to_owned()));
        let binary = |a: &Formula<AtomId>, b: &Formula<AtomId>| -> Result<(Values, Values), Objection> {
            Ok((self.formula(a, stance)?, self.formula(b, stance)?))
        };
        Ok(match formula {
            Formula::True => self.constant(true),
            Formula::False => self.constant(false),
            Formula::Deadlock => self.known(|state| self.deadlocks[state]),
            Formula::Atom(atom) => self.known(|state| Some(self.model.holds(*atom, &self.states[state]))),
            Formula::Not(a) => map(&self.formula(a, stance.map(Stance::flip))?, not),
            Formula::And(a, b) => zip(binary(a, b)?, and),
            Formula::Or(a, b) => zip(binary(a, b)?, or),
            Formula::Implies(a, b) => {
                let left = map(&self.formula(a, stance.map(Stance::flip))?, not);
                zip((left, self.formula(b, stance)?), or)
            }
            Formula::Iff(a, b) => zip((self.formula(a, None)?, self.formula(b, None)?), iff),
            Formula::Runs(quantifier, path) => self.quantified(formula, *quantifier, path, stance)?,
            Formula::Knows(..) => self.known(|state| self.truths.get(formula, &self.states[state])),
            Formula::Wait(..) => return refused("questions for a time"),
            Formula::Past(_) => self.compared(formula),
            Formula::Chance(..) => return refused("probabilities (`P`)"),
            Formula::Reward(..) | Formula::Filter(..) => return refused("rewards (`R`)"),
            Formula::Steady(..) => return refused("long-run averages (`S`)"),
            Formula::Timer(_, _, bound) => {
                if !self.counts_steps(bound) {
                    self.counts_time(bound)?;
                }
                self.compared(formula)
            }
        })
    }

    /// A path quantifier: what branches show, and what the run itself shows. It is itself a run from each of its states on,
    /// so that it proves "on some run" of what it satisfies and refutes "on all runs" of what it breaks, if it counts.
    ///
    /// If `A phi` holds at a state then `phi` holds on this very run from there, so a run that refutes the formula without
    /// the quantifier refutes the formula. Dually for `E`.
    fn quantified(
        &self,
        formula: &Formula<AtomId>,
        quantifier: Quantifier,
        path: &Path<AtomId>,
        stance: Option<Stance>,
    ) -> Result<Values, Objection> {
        let shown = self.known(|state| self.truths.get(formula, &self.states[state]));
        // Clocks go on while a state lasts; whatever else is said of the runs from a state is said as it is entered.
        let timeless = comparisons(&[path]).is_empty();
        let entered = |values: Values| if timeless { self.at_entries(&values) } else { values };
        // Without a stance: what a stance takes for true of quantifiers inside proves nothing.
        let own = entered(self.path(path, None)?);
        let shows = quantifier == Quantifier::Some;
        let speaks =
            self.assumed.is_empty() && stance == Some(if shows { Stance::Prove } else { Stance::Refute });
        let spoken = if speaks { entered(self.path(path, stance)?) } else { self.known(|_| None) };
        let counts = |at: usize| self.assumed.iter().all(|values| values[at] == Some(true));
        let decides = |at: usize| own[at] == Some(shows) && counts(at);
        // What is said of the runs from a state is so wherever the run comes by it again.
        let state = |at: usize| self.moments.moments.get(at).map(|moment| &*self.states[moment.state]);
        let decided: BTreeSet<&State> = match timeless {
            true => (0..own.len()).filter(|&at| decides(at)).filter_map(state).collect(),
            false => BTreeSet::new(),
        };
        let mut values = shown;
        for (at, value) in values.iter_mut().enumerate() {
            let decides = decides(at) || state(at).is_some_and(|state| decided.contains(state));
            match *value {
                Some(truth) if decides && truth != shows => return Err(Forged::Contradiction.into()),
                Some(_) => {}
                None if decides => *value = Some(shows),
                None => *value = spoken[at],
            }
        }
        Ok(values)
    }

    /// The values where each state is entered, for as long as it lasts: what is said of a state does not change meanwhile.
    fn at_entries(&self, values: &Values) -> Values {
        let mut entry = 0;
        let moments = self.moments.moments.iter().enumerate().map(|(at, moment)| {
            if moment.entered {
                entry = at;
            }
            values[entry]
        });
        moments.chain(values.last().copied()).take(self.len()).collect()
    }

    /// The truth of a comparison of a clock.
    fn compared(&self, comparison: &Formula<AtomId>) -> Values {
        let at = self.moments.comparisons.iter().position(|known| *known == comparison);
        let values = self.moments.moments.iter().map(|moment| at.and_then(|at| moment.comparisons[at]));
        values.chain(std::iter::repeat(None)).take(self.len()).collect()
    }

    /// `X`: the values where the next state is entered.
    fn shift(&self, values: &Values) -> Values {
        // The position behind all moments is its own successor.
        (0..values.len()).map(|at| values[*self.moments.next_entry.get(at).unwrap_or(&at)]).collect()
    }

    fn after(&self, values: &Values, at: usize) -> Truth {
        let next = if at + 1 < values.len() { at + 1 } else { self.moments.back.unwrap_or(at) };
        values[next]
    }

    fn always(&self, interval: &Interval, a: &Values) -> Result<Values, Objection> {
        Ok(map(&self.until(interval, &self.constant(true), &map(a, not))?, not))
    }

    fn release(&self, interval: &Interval, a: &Values, b: &Values) -> Result<Values, Objection> {
        Ok(map(&self.until(interval, &map(a, not), &map(b, not))?, not))
    }

    /// `a U b` with `b` not before the low and not after the high end; `a` holds at all positions before that.
    fn until(&self, interval: &Interval, a: &Values, b: &Values) -> Result<Values, Objection> {
        if let Some((low, high)) = self.window(interval)? {
            return Ok((0..a.len()).map(|at| self.within(at, low, high, a, b)).collect());
        }
        // `> 3` is `>= 4`, `< 3` is `<= 2`; `< 0` leaves the empty interval `0..=-1`, which admits no position.
        let low = self.steps(interval.low.as_ref(), 1)?.unwrap_or(0);
        let mut values = match self.steps(interval.high.as_ref(), -1)? {
            None => self.least(a, b),
            // From the last admitted position back to the first one; an empty interval admits none.
            Some(high) => self.least_within(high - low + 1, a, b),
        };
        let mut known = vec![values.clone()];
        for _ in 0..low {
            let later = self.shift(&values);
            values = (0..a.len()).map(|at| and(a[at], later[at])).collect();
            // On a run that goes round the values do so too.
            if let Some(first) = known.iter().position(|before| *before == values) {
                let low = usize::try_from(low).unwrap_or(usize::MAX);
                return Ok(known.swap_remove(first + (low - first) % (known.len() - first)));
            }
            known.push(values.clone());
        }
        Ok(values)
    }

    /// `b`, or `a` and then `b`, and so on: so many positions are admitted.
    fn least_within(&self, positions: i64, a: &Values, b: &Values) -> Values {
        let mut values = self.constant(false);
        for _ in 0..positions {
            let later = self.shift(&values);
            let next: Values = (0..a.len()).map(|at| or(b[at], and(a[at], later[at]))).collect();
            // What one more step does not change no number of steps changes.
            if next == values {
                break;
            }
            values = next;
        }
        values
    }

    /// The least solution of `v = b | (a & X v)`.
    fn least(&self, a: &Values, b: &Values) -> Values {
        let mut values = self.constant(false);
        loop {
            let before = values.clone();
            for at in (0..a.len()).rev() {
                values[at] = or(b[at], and(a[at], self.after(&values, at)));
            }
            if values == before {
                return values;
            }
        }
    }

    /// `a U b` from moment `start`, where `b` comes in a window of time: every moment is looked at in turn until the window
    /// has passed, or nothing new can come.
    fn within(&self, start: usize, low: u64, high: Option<u64>, a: &Values, b: &Values) -> Truth {
        if high.is_some_and(|high| high < low) {
            return Some(false);
        }
        let (mut found, mut lasted) = (Some(false), Some(true));
        let (mut at, mut passed) = (start, 0_u64);
        // Moments since the last one at which time passed, or since the window opened.
        let mut idle = 0;
        let mut rounds = Rounds::default();
        while idle <= 2 * a.len() && high.is_none_or(|high| passed <= high) {
            let length = self.moments.moments.get(at).map_or(Length::Unknown, |moment| moment.length);
            let meets = match length {
                _ if passed >= low => Some(true),
                Length::Known(length) => Some(passed + length > low),
                Length::Endless => Some(true),
                Length::Unknown => None,
            };
            let mut here = and(meets, b[at]);
            if passed < low {
                here = and(here, a[at]);
            }
            found = or(found, and(lasted, here));
            lasted = and(lasted, a[at]);
            if found == Some(true) || lasted == Some(false) {
                return found;
            }
            match length {
                Length::Endless if high.is_some() || self.moments.back == Some(at) => return found,
                // The state is entered again, after all of time.
                Length::Endless => {
                    idle += 1;
                    passed = passed.max(low);
                }
                // Whether the window is still open behind the known part is not known either.
                Length::Unknown => {
                    let never = b[b.len() - 1] == Some(false);
                    return if never { found } else { or(found, and(lasted, None)) };
                }
                Length::Known(length) => {
                    idle = if length > 0 && passed < low { 0 } else { idle + 1 };
                    passed += length;
                }
            }
            let next = at + 1;
            at = if next < self.moments.moments.len() { next } else { self.moments.back.unwrap_or(next) };
            if Some(at) == self.moments.back && next != at {
                passed = rounds.skip(passed, low);
            }
        }
        found
    }

    /// The ends of a window in half units of time (just after a number is the next one, of what is counted); `None` for an interval that counts steps or is no restriction.
    pub(crate) fn window(&self, interval: &Interval) -> Result<Option<(u64, Option<u64>)>, Objection> {
        let mut bounds = interval.low.iter().chain(&interval.high);
        if bounds.all(|bound| self.counts_steps(bound)) {
            return Ok(None);
        }
        interval.low.iter().chain(&interval.high).try_for_each(|bound| self.counts_time(bound))?;
        let grain = if self.model.signature().unit.is_dense() { 1 } else { 2 };
        let strict = |bound: &Bound| if bound.strict { grain } else { 0 };
        let low = interval.low.as_ref().map_or(0, |low| 2 * low.amount + strict(low));
        let high = interval.high.as_ref().map(|high| (2 * high.amount).checked_sub(strict(high)));
        // `< 0` is never.
        Ok(Some(if high == Some(None) { (1, Some(0)) } else { (low, high.flatten()) }))
    }

    fn counts_steps(&self, bound: &Bound) -> bool {
        match bound.unit {
            Some(unit) => unit == Unit::Steps,
            None => self.model.signature().unit == TimeUnit::Steps,
        }
    }

    /// Refuses a bound that counts something else than the delays of the model.
    fn counts_time(&self, bound: &Bound) -> Result<(), Objection> {
        let fits = match self.model.signature().unit {
            TimeUnit::Milliseconds => bound.unit == Some(Unit::Clock),
            TimeUnit::Cycles => bound.unit == Some(Unit::Cycles),
            TimeUnit::Firings => bound.unit == Some(Unit::Firings),
            TimeUnit::Steps => matches!(bound.unit, Some(Unit::Steps) | None),
        };
        if fits && bound.amount < u64::MAX / 4 {
            return Ok(());
        }
        Err(Objection::Refused("time bounds in this unit".to_owned()))
    }

    /// A bound in steps, moved by `strict` if the end itself is not admitted.
    pub(crate) fn steps(&self, bound: Option<&Bound>, strict: i64) -> Result<Option<i64>, Objection> {
        let Some(bound) = bound else { return Ok(None) };
        match i64::try_from(bound.amount) {
            Ok(amount) if amount <= BOUND_MAX => Ok(Some(amount + if bound.strict { strict } else { 0 })),
            _ => Err(Objection::Refused("bounds this large".to_owned())),
        }
    }
}

/// Rounds of a loop before a window opens are all alike: all but the last few are left out.
#[derive(Default)]
pub(crate) struct Rounds {
    last: Option<u64>,
}

impl Rounds {
    /// The time at the start of a round, moved close to the opening of the window at `low` if it is not the first.
    pub(crate) fn skip(&mut self, passed: u64, low: u64) -> u64 {
        let length = self.last.map_or(0, |last| passed - last);
        let rounds = low.saturating_sub(passed).checked_div(length).unwrap_or(0);
        let passed = passed + rounds.saturating_sub(1) * length;
        self.last = Some(passed);
        passed
    }
}

fn map(values: &Values, f: impl Fn(Truth) -> Truth) -> Values {
    values.iter().copied().map(f).collect()
}

fn zip((a, b): (Values, Values), f: impl Fn(Truth, Truth) -> Truth) -> Values {
    a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
}
