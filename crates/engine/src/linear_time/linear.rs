//! Path formulas as linear-time formulas, or the name of what stands in the way.

use motet_model::{AtomId, TimeUnit};
use motet_property::{Basic, Bound, Connective, Formula, Interval, Path, Timer, Unit};

use crate::linear_time::automata::formula::{Formulas, Node};
use crate::metric_time::window::{HALVES, Window, grain};

/// The name of an operator that has no engine yet.
pub(crate) type Unsupported = String;

/// Step bounds are unfolded into nested `X`; beyond this an automaton would be absurdly large, and steps are counted.
const STEPS_MAX: u64 = 64;
/// Distinct subformulas of a claim.
const FORMULAS_MAX: usize = 4096;

/// Whether a formula is taken as it is or negated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Plain,
    Negated,
}

impl Sign {
    pub(crate) fn flip(self) -> Self {
        match self {
            Self::Plain => Self::Negated,
            Self::Negated => Self::Plain,
        }
    }
}

/// Translates path formulas.
pub(crate) struct Linear<'a> {
    pub(crate) formulas: &'a mut Formulas,
    /// What a bound without a unit counts.
    pub(crate) unit: TimeUnit,
}

impl Linear<'_> {
    /// A path formula without path quantifiers and knowledge; `branching` has replaced those.
    pub(crate) fn pure(&mut self, path: &Path<AtomId>) -> Result<Node, Unsupported> {
        if self.formulas.len() > FORMULAS_MAX {
            return Err("a formula this large".to_owned());
        }
        if is_state(path) {
            let formula = state(path);
            check_plain(&formula, self.unit)?;
            return Ok(self.formulas.state(&formula));
        }
        match path {
            Path::Accepted(_) => Err("an automaton inside a formula".to_owned()),
            Path::Now(formula) => {
                Err(check_plain(formula, self.unit).err().unwrap_or_else(nested_quantifiers))
            }
            Path::Not(a) => {
                let a = self.pure(a)?;
                Ok(self.formulas.negate(a))
            }
            Path::And(a, b) => self.joined(Connective::And, a, b),
            Path::Or(a, b) => self.joined(Connective::Or, a, b),
            Path::Implies(a, b) => self.joined(Connective::Implies, a, b),
            Path::Iff(a, b) => self.joined(Connective::Iff, a, b),
            Path::Next(a) => {
                let a = self.pure(a)?;
                Ok(self.formulas.next(a))
            }
            Path::Eventually(when, a) => {
                let a = self.pure(a)?;
                self.until(when, Formulas::TRUE, a)
            }
            Path::Always(when, a) => {
                let a = self.pure(a)?;
                self.always(when, a)
            }
            Path::Until(until, when, a, b) => {
                let (a, b) = (self.pure(a)?, self.pure(b)?);
                let join = |connective, a, b| self.formulas.join(connective, a, b);
                match until.define(a, b, join) {
                    Basic::Until(a, b) => self.until(when, a, b),
                    Basic::Release(a, b) => self.release(when, a, b),
                }
            }
        }
    }

    fn joined(
        &mut self,
        connective: Connective,
        a: &Path<AtomId>,
        b: &Path<AtomId>,
    ) -> Result<Node, Unsupported> {
        let (a, b) = (self.pure(a)?, self.pure(b)?);
        Ok(self.formulas.join(connective, a, b))
    }

    fn always(&mut self, when: &Interval, a: Node) -> Result<Node, Unsupported> {
        self.release(when, Formulas::FALSE, a)
    }

    /// The dual of [`Self::until`].
    fn release(&mut self, when: &Interval, a: Node, b: Node) -> Result<Node, Unsupported> {
        let (a, b) = (self.formulas.negate(a), self.formulas.negate(b));
        let dual = self.until(when, a, b)?;
        Ok(self.formulas.negate(dual))
    }

    /// `a U b`, with step bounds unfolded: `b | (a & X ...)` inside the interval, `a & X ...` before it.
    fn until(&mut self, when: &Interval, a: Node, b: Node) -> Result<Node, Unsupported> {
        if let Some(window) = self.window(when)? {
            return Ok(self.formulas.until_in(window, a, b));
        }
        let Some(steps) = steps(when) else { return Ok(Formulas::FALSE) };
        if counts_many_steps(when) {
            return Ok(self.formulas.until_steps(steps, a, b));
        }
        let low = steps.low;
        let mut node = match steps.high {
            None => self.formulas.until(a, b),
            Some(high) => {
                let mut node = Formulas::FALSE;
                for _ in low..=high {
                    let later = self.formulas.next(node);
                    let on = self.formulas.and(vec![a, later]);
                    node = self.formulas.or(vec![b, on]);
                }
                node
            }
        };
        for _ in 0..low {
            let later = self.formulas.next(node);
            node = self.formulas.and(vec![a, later]);
        }
        Ok(node)
    }

    /// The window of time that an interval is; `None` if it counts steps or restricts nothing.
    fn window(&self, when: &Interval) -> Result<Option<Window>, Unsupported> {
        let bounds = || when.low.iter().chain(&when.high);
        let counted = bounds().map(|bound| counts(bound, self.unit)).collect::<Result<Vec<_>, _>>()?;
        if !counted.contains(&Counted::Time) {
            return Ok(None);
        }
        if counted.contains(&Counted::Steps) {
            return Err("bounds of which one counts steps and the other time".to_owned());
        }
        let low = match &when.low {
            None => 0,
            Some(low) if low.strict => halves(low)?.saturating_add(grain(self.unit)),
            Some(low) => halves(low)?,
        };
        let high = match &when.high {
            None => None,
            Some(high) if high.strict => match halves(high)?.checked_sub(grain(self.unit)) {
                None => return Ok(Some(Window::EMPTY)),
                high => high,
            },
            Some(high) => Some(halves(high)?),
        };
        Ok(Some(Window { low, high }))
    }
}

/// What a bound counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    Steps,
    Time,
}

/// What a bound of a temporal operator counts in a model whose delays count `unit`. Steps are steps everywhere; of
/// everything else a model has one kind. A bound without a unit counts steps where nothing else can be meant.
pub(crate) fn counts(bound: &Bound, unit: TimeUnit) -> Result<Counted, Unsupported> {
    match (bound.unit, unit) {
        (Some(Unit::Steps), _) | (None, TimeUnit::Steps) => Ok(Counted::Steps),
        (Some(Unit::Clock), TimeUnit::Milliseconds)
        | (Some(Unit::Cycles), TimeUnit::Cycles)
        | (Some(Unit::Firings), TimeUnit::Firings) => Ok(Counted::Time),
        (None, _) => Err(format!("bounds without a unit on a model that counts {}", noun(unit))),
        (Some(counted), _) => {
            Err(format!("bounds in {} on a model that counts {}", bound_noun(counted), noun(unit)))
        }
    }
}

fn noun(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Milliseconds => "clock time",
        TimeUnit::Cycles => "cycles",
        TimeUnit::Firings => "firings",
        TimeUnit::Steps => "steps",
    }
}

fn bound_noun(unit: Unit) -> &'static str {
    match unit {
        Unit::Clock => "clock time",
        Unit::Cycles => "cycles",
        Unit::Firings => "firings",
        Unit::Steps => "steps",
    }
}

/// A bound in half units of time.
pub(crate) fn halves(bound: &Bound) -> Result<u64, Unsupported> {
    bound.amount.checked_mul(HALVES).ok_or_else(|| "bounds this large".to_owned())
}

/// An interval in steps; `None` if it admits none.
fn steps(when: &Interval) -> Option<Window> {
    let low = when.low.as_ref().map_or(0, |low| low.amount.saturating_add(u64::from(low.strict)));
    let high = when.high.as_ref().map(|high| high.amount.checked_sub(u64::from(high.strict)));
    match high {
        None => Some(Window { low, high: None }),
        Some(high) => high.map(|high| Window { low, high: Some(high) }),
    }
}

/// Whether an interval in steps is too long to be written out.
pub(crate) fn counts_many_steps(when: &Interval) -> bool {
    when.low.iter().chain(&when.high).any(|bound| bound.amount > STEPS_MAX)
}

/// What is said where only one run is looked at.
pub(crate) fn nested_quantifiers() -> Unsupported {
    "path quantifiers (`A`, `E`) inside a formula about a single run".to_owned()
}

/// Whether a path formula speaks of its first state only.
pub(crate) fn is_state(path: &Path<AtomId>) -> bool {
    path.is_state() && !has_quantifier(path)
}

/// The state formula that a path formula is; see [`is_state`].
pub(crate) fn state(path: &Path<AtomId>) -> Formula<AtomId> {
    path.as_state().expect("the caller has asked whether it is a state formula")
}

pub(crate) fn has_quantifier(path: &Path<AtomId>) -> bool {
    let mut found = false;
    path.for_each_state(&mut |formula| found |= quantified(formula));
    found
}

fn quantified(formula: &Formula<AtomId>) -> bool {
    formula.any_leaf(&mut |leaf| matches!(leaf, Formula::Runs(..)))
}

/// Refuses what cannot be evaluated state by state, with clocks beside the states.
pub(crate) fn check_plain(formula: &Formula<AtomId>, unit: TimeUnit) -> Result<(), Unsupported> {
    let check = |formula| check_plain(formula, unit);
    let name = match formula {
        Formula::True | Formula::False | Formula::Deadlock | Formula::Atom(_) => return Ok(()),
        Formula::Not(a) => return check(a),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            return check(a).and_then(|()| check(b));
        }
        Formula::Timer(timer, _, bound) => {
            counts(bound, unit)?;
            halves(bound)?;
            return match timer {
                Timer::Now => Ok(()),
                Timer::Since(inner) | Timer::Held(inner) => check(inner),
            };
        }
        Formula::Runs(..) => return Err(nested_quantifiers()),
        Formula::Knows(..) => "knowledge (`K`)",
        Formula::Chance(..) => "probabilities (`P`)",
        Formula::Reward(..) => "rewards (`R`)",
        Formula::Steady(..) => "long-run averages (`S`)",
        Formula::Filter(..) => "filters",
        Formula::Wait(..) => "questions for a time",
        Formula::Past(past) => return past.parts().try_for_each(check),
    };
    Err(name.to_owned())
}
