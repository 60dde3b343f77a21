//! The truth of a formula at every position of a run, by the definition of the operators.
//!
//! On a run that repeats for ever, `U` is a least and `R` a greatest fixpoint over the finitely many positions. A run
//! that is known up to some state only goes on in one more position that stands for everything behind: it repeats
//! itself, and all atoms are unknown there (Kleene's three values). A formula that comes out true or false is so on every
//! continuation.

use motet_model::{AtomId, Model, State, TimeUnit};
use motet_property::{Bound, Formula, Interval, Knowledge, Path, Quantifier, Unit};

use crate::Objection;
use crate::kleene::{Truth, and, iff, not, or};

/// Bounds beyond this are refused: each unit costs a pass over the run.
const BOUND_MAX: i64 = 100_000;

/// A run as formulas see it.
pub(crate) struct Word<'a> {
    pub(crate) model: &'a dyn Model,
    pub(crate) states: &'a [Box<State>],
    /// Per position; `None` where the model cannot say.
    pub(crate) deadlocks: &'a [Truth],
    /// Where the last state goes on; `None` is unknown.
    pub(crate) back: Option<usize>,
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
    fn flip(self) -> Self {
        match self {
            Self::Refute => Self::Prove,
            Self::Prove => Self::Refute,
        }
    }
}

type Values = Vec<Truth>;

impl Word<'_> {
    /// How many positions there are.
    fn len(&self) -> usize {
        self.states.len() + usize::from(self.back.is_none())
    }

    /// The same everywhere.
    fn constant(&self, value: bool) -> Values {
        vec![Some(value); self.len()]
    }

    /// What is known of the states, and nothing behind them.
    fn known(&self, values: impl Iterator<Item = Truth>) -> Values {
        values.chain(std::iter::repeat(None)).take(self.len()).collect()
    }

    /// The truth of `path` on the whole run.
    pub(crate) fn truth(&self, path: &Path<AtomId>, stance: Stance) -> Result<Truth, Objection> {
        Ok(self.path(path, Some(stance))?[0])
    }

    fn path(&self, path: &Path<AtomId>, stance: Option<Stance>) -> Result<Values, Objection> {
        let unary = |a: &Path<AtomId>| self.path(a, stance);
        let binary = |a: &Path<AtomId>, b: &Path<AtomId>| -> Result<(Values, Values), Objection> {
            Ok((self.path(a, stance)?, self.path(b, stance)?))
        };
        Ok(match path {
            Path::Now(formula) => self.formula(formula, stance)?,
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
            Path::Until(interval, a, b) => {
                let (a, b) = binary(a, b)?;
                self.until(interval, &a, &b)?
            }
            Path::Weak(interval, a, b) => {
                // a W b = b R (a | b), with bounds too.
                let (a, b) = binary(a, b)?;
                let either = zip((a, b.clone()), or);
                self.release(interval, &b, &either)?
            }
            Path::Release(interval, a, b) => {
                let (a, b) = binary(a, b)?;
                self.release(interval, &a, &b)?
            }
        })
    }

    fn formula(&self, formula: &Formula<AtomId>, stance: Option<Stance>) -> Result<Values, Objection> {
        let refused = |name: &str| Err(Objection::Refused(name.to_owned()));
        let binary = |a: &Formula<AtomId>, b: &Formula<AtomId>| -> Result<(Values, Values), Objection> {
            Ok((self.formula(a, stance)?, self.formula(b, stance)?))
        };
        Ok(match formula {
            Formula::True => self.constant(true),
            Formula::False => self.constant(false),
            Formula::Deadlock => self.known(self.deadlocks.iter().copied()),
            Formula::Atom(atom) => {
                self.known(self.states.iter().map(|state| Some(self.model.holds(*atom, state))))
            }
            Formula::Not(a) => map(&self.formula(a, stance.map(Stance::flip))?, not),
            Formula::And(a, b) => zip(binary(a, b)?, and),
            Formula::Or(a, b) => zip(binary(a, b)?, or),
            Formula::Implies(a, b) => {
                let left = map(&self.formula(a, stance.map(Stance::flip))?, not);
                zip((left, self.formula(b, stance)?), or)
            }
            Formula::Iff(a, b) => zip((self.formula(a, None)?, self.formula(b, None)?), iff),
            // If `A phi` holds at a state then `phi` holds on this very run from there, so a run that refutes the
            // formula without the quantifier refutes the formula. Dually for `E`.
            Formula::Runs(Quantifier::All, path) if stance == Some(Stance::Refute) => {
                self.path(path, stance)?
            }
            Formula::Runs(Quantifier::Some, path) if stance == Some(Stance::Prove) => {
                self.path(path, stance)?
            }
            Formula::Runs(..) => return refused("one run does not decide a nested path quantifier"),
            Formula::Knows(Knowledge::Common, ..) => return refused("common knowledge (`CK`)"),
            Formula::Knows(..) => return refused("knowledge (`K`)"),
            Formula::Chance(..) => return refused("probabilities (`P`)"),
            Formula::Reward(..) => return refused("rewards (`R`)"),
            Formula::Steady(..) => return refused("long-run averages (`S`)"),
            Formula::Timer(..) => return refused("clocks (`now`, `since`, `held`)"),
        })
    }

    /// `X`: the values one position later.
    fn shift(&self, values: &Values) -> Values {
        (0..values.len()).map(|at| self.after(values, at)).collect()
    }

    fn after(&self, values: &Values, at: usize) -> Truth {
        let next = if at + 1 < values.len() { at + 1 } else { self.back.unwrap_or(at) };
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
        // `> 3` is `>= 4`, `< 3` is `<= 2`; `< 0` leaves the empty interval `0..=-1`, which admits no position.
        let low = self.steps(interval.low.as_ref(), 1)?.unwrap_or(0);
        let mut values = match self.steps(interval.high.as_ref(), -1)? {
            None => self.least(a, b),
            // From the last admitted position back to the first one; an empty interval admits none.
            Some(high) => (low..=high).fold(self.constant(false), |later, _| {
                let later = self.shift(&later);
                (0..a.len()).map(|at| or(b[at], and(a[at], later[at]))).collect()
            }),
        };
        for _ in 0..low {
            let later = self.shift(&values);
            values = (0..a.len()).map(|at| and(a[at], later[at])).collect();
        }
        Ok(values)
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

    /// A bound in steps, moved by `strict` if the end itself is not admitted.
    fn steps(&self, bound: Option<&Bound>, strict: i64) -> Result<Option<i64>, Objection> {
        let Some(bound) = bound else { return Ok(None) };
        let counted = match bound.unit {
            Some(Unit::Steps) => true,
            None => self.model.signature().unit == TimeUnit::Steps,
            Some(_) => false,
        };
        match i64::try_from(bound.amount) {
            Ok(amount) if counted && amount <= BOUND_MAX => {
                Ok(Some(amount + if bound.strict { strict } else { 0 }))
            }
            _ => Err(Objection::Refused("time bounds".to_owned())),
        }
    }
}

fn map(values: &Values, f: impl Fn(Truth) -> Truth) -> Values {
    values.iter().copied().map(f).collect()
}

fn zip((a, b): (Values, Values), f: impl Fn(Truth, Truth) -> Truth) -> Values {
    a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
}
