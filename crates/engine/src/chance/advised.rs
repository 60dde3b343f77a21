//! What each choice is worth: it is taken now, and afterwards everything goes as well, or as badly, as it can.
//!
//! A number asked for in a state is an expectation over what comes after the next step. So the worth of a choice is the
//! average of what is left to ask in the states it leads to, and what is earned on the way: `F<=k p` leaves `F<=k-1 p`, unless
//! the state decides it; `F p` leaves itself (Puterman 1994, section 4.3). The greatest worth, or the least, is the number.

use motet_evidence::Stop;
use motet_model::AtomId;
use motet_property::{Basic, Bound, Extremum, Formula, Interval, Path, Query, RewardGoal, Unit};

use super::bounded::{Window, lowered, raised};
use super::eliminate::UNIT;
use super::numbers::query;
use super::rewards::Rewards;
use super::states::{Process, unsupported};
use super::values::{Aim, Focus, Values};
use super::window::{self, When, when};
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;

/// A number in every state, and what it is under each choice.
pub(crate) struct Advised {
    pub(crate) extremum: Extremum,
    /// Not less and not more, per state.
    pub(crate) states: Vec<(f64, f64)>,
    /// The same per choice of the states that have several, one state after the other.
    pub(crate) choices: Vec<(f64, f64)>,
}

/// What is left to ask after a step.
struct Rest {
    /// States where no choice matters any more.
    decided: Bits,
    /// The same question after the step; `None` where it does not change.
    question: Option<Formula<AtomId>>,
    /// What the step itself earns.
    earned: Option<Rewards>,
}

impl Process<'_> {
    /// The number that a query asks for, in every state and for every choice.
    pub(crate) fn advised(&self, formula: &Formula<AtomId>, meter: &mut Meter<'_>) -> Result<Advised, Stop> {
        if query(formula) != Some(&Query::Value) {
            return Err(unsupported("something else than one number (`=?`)"));
        }
        let aim = Aim { precision: self.precision, focus: Focus::Everywhere };
        let rest = self.rest(formula, meter)?;
        let number = self.number(formula, aim, meter)?;
        let (extremum, now) = (number.extremum, number.staged.values);
        let later = match &rest.question {
            Some(question) if !self.matrix.is_chain() => {
                Some(self.number(question, aim, meter)?.staged.values)
            }
            _ => None,
        };
        let choices = self.worths(&now, later.as_ref().unwrap_or(&now), &rest, extremum);
        let states = now.low.into_iter().zip(now.high).collect();
        Ok(Advised { extremum, states, choices })
    }

    fn worths(&self, now: &Values, later: &Values, rest: &Rest, extremum: Extremum) -> Vec<(f64, f64)> {
        let mut worths = Vec::new();
        for (state, (&low, &high)) in now.low.iter().zip(&now.high).enumerate() {
            let choices = self.matrix.choices[state] as usize..self.matrix.choices[state + 1] as usize;
            if choices.len() < 2 {
                continue;
            }
            if rest.decided.get(state) {
                worths.extend(choices.map(|_| (low, high)));
                continue;
            }
            for choice in choices {
                let worth = self.worth(choice, later, rest.earned.as_ref());
                // No choice is better than the best one.
                worths.push(match extremum {
                    Extremum::Max => (worth.0, worth.1.min(high)),
                    Extremum::Min => (worth.0.max(low), worth.1),
                });
            }
        }
        worths
    }

    fn worth(&self, choice: usize, later: &Values, earned: Option<&Rewards>) -> (f64, f64) {
        let own = earned.map_or(0.0, |rewards| rewards.choices[choice]);
        let (mut low, mut high) = (own, own);
        let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
        let branches = self.matrix.branches_of(choice);
        let error = 1.01 * (branches.len() as f64 + 6.0) * UNIT;
        for branch in branches {
            let (target, chance) = (self.matrix.targets[branch] as usize, self.matrix.chances[branch]);
            low += chance * later.low[target];
            high += chance * later.high[target];
            (least, greatest) = (least.min(later.low[target]), greatest.max(later.high[target]));
        }
        let (low, high) = (lowered(low, error), raised(high, error));
        // An average lies between what is averaged, whatever was rounded.
        if own == 0.0 { (low.max(least), high.min(greatest)) } else { (low, high) }
    }

    fn rest(&self, formula: &Formula<AtomId>, meter: &mut Meter<'_>) -> Result<Rest, Stop> {
        match formula {
            Formula::Chance(extremum, query, path) => {
                let (decided, path) = self.rest_of_path(path, meter)?;
                let question = path.map(|path| Formula::Chance(*extremum, query.clone(), Box::new(path)));
                Ok(Rest { decided, question, earned: None })
            }
            Formula::Reward(name, extremum, query, goal) => {
                let (decided, goal, earns) = self.rest_of_reward(goal, meter)?;
                let again = |goal| Formula::Reward(name.clone(), *extremum, query.clone(), Box::new(goal));
                let earned =
                    if earns == Earns::OnTheWay { Some(self.rewards(name.as_deref())?) } else { None };
                Ok(Rest { decided, question: goal.map(again), earned })
            }
            // What is so in the long run does not depend on one step.
            _ => Ok(Rest { decided: self.nowhere(), question: None, earned: None }),
        }
    }

    /// Where a path formula is decided, and what it asks of the next state elsewhere.
    fn rest_of_path(
        &self,
        path: &Path<AtomId>,
        meter: &mut Meter<'_>,
    ) -> Result<(Bits, Option<Path<AtomId>>), Stop> {
        if path.is_state() {
            return Ok((self.everywhere(), None));
        }
        let no = |path: &Path<AtomId>| Path::Not(Box::new(path.clone()));
        let yes = Path::Now(Formula::True);
        let (interval, left, right) = match path {
            Path::Not(inner) => {
                let (decided, rest) = self.rest_of_path(inner, meter)?;
                return Ok((decided, rest.map(|rest| Path::Not(Box::new(rest)))));
            }
            Path::Next(inner) if inner.is_state() => {
                return Ok((self.nowhere(), Some((**inner).clone())));
            }
            Path::Eventually(interval, goal) => (interval, yes, (**goal).clone()),
            // These say that an until does not come about.
            Path::Always(interval, inner) => (interval, yes, no(inner)),
            Path::Until(until, interval, left, right) => {
                match until.define((**left).clone(), (**right).clone(), Path::join) {
                    Basic::Until(left, right) => (interval, left, right),
                    Basic::Release(left, right) => (interval, no(&left), no(&right)),
                }
            }
            _ => return Err(unsupported(REMEMBERS)),
        };
        let (Some(left), Some(right)) = (left.as_state(), right.as_state()) else {
            return Err(unsupported(REMEMBERS));
        };
        let (left, right) = (self.states(&left, meter)?, self.states(&right, meter)?);
        let n = self.matrix.n_states();
        let over = right.or(&left.complement(n));
        Ok(match when(interval, self.model.signature().unit, self.matrix)? {
            When::Ever => (over, None),
            When::Steps(Window { low, high }) if high.is_some_and(|high| high < low || high == 0) => {
                (self.everywhere(), None)
            }
            When::Steps(Window { low: 0, high }) => {
                (over, Some(shifted(path, Window { low: 0, high: high.map(|high| high - 1) })))
            }
            When::Steps(Window { low, high }) => {
                let window = Window { low: low - 1, high: high.map(|high| high - 1) };
                (left.complement(n), Some(shifted(path, window)))
            }
            When::Time(_) => return Err(unsupported(UNEVEN)),
        })
    }

    /// The same for rewards, and whether a step earns something.
    fn rest_of_reward(
        &self,
        goal: &RewardGoal<AtomId>,
        meter: &mut Meter<'_>,
    ) -> Result<(Bits, Option<RewardGoal<AtomId>>, Earns), Stop> {
        let unit = self.model.signature().unit;
        let fewer = |bound: &Bound| match window::until(bound, unit, self.matrix)? {
            window::Until::Steps(steps) => Ok(steps.checked_sub(1).map(in_steps)),
            window::Until::Time(_) => Err(unsupported(UNEVEN)),
        };
        Ok(match goal {
            RewardGoal::Until(Path::Eventually(_, inner)) if inner.is_state() => {
                let reached = self.states(&inner.as_state().expect("just asked"), meter)?;
                (reached, None, Earns::OnTheWay)
            }
            RewardGoal::Until(_) => return Err(unsupported("rewards until something else than `F goal`")),
            RewardGoal::Cumulative(None) => (self.nowhere(), None, Earns::OnTheWay),
            RewardGoal::Cumulative(Some(bound)) => match fewer(bound)? {
                Some(bound) => (self.nowhere(), Some(RewardGoal::Cumulative(Some(bound))), Earns::OnTheWay),
                None => (self.everywhere(), None, Earns::Nothing),
            },
            RewardGoal::Instant(bound) => match fewer(bound)? {
                Some(bound) => (self.nowhere(), Some(RewardGoal::Instant(bound)), Earns::Nothing),
                None => (self.everywhere(), None, Earns::Nothing),
            },
            RewardGoal::Average => (self.nowhere(), None, Earns::Nothing),
        })
    }

    fn everywhere(&self) -> Bits {
        Bits::all(self.matrix.n_states())
    }

    fn nowhere(&self) -> Bits {
        Bits::zeros(self.matrix.n_states())
    }
}

/// Why a path formula has no number that depends on the state alone.
const REMEMBERS: &str = "a formula that has to remember how far a run has come; ask for one operator over states, as in \
                         P=? [ p U q ]";
/// Why a bound has none.
const UNEVEN: &str = "a bound from below on time, or any on time in a model whose steps take different times";

/// Whether a step counts for a reward.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Earns {
    OnTheWay,
    Nothing,
}

fn in_steps(amount: u64) -> Bound {
    Bound { amount, unit: Some(Unit::Steps), strict: false }
}

/// The same operator within another window.
fn shifted(path: &Path<AtomId>, window: Window) -> Path<AtomId> {
    let within =
        Interval { low: (window.low > 0).then(|| in_steps(window.low)), high: window.high.map(in_steps) };
    let mut path = path.clone();
    if let Some(interval) = path.interval_mut() {
        *interval = within;
    }
    path
}
