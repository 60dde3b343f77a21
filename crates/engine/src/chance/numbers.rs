//! Formulas that stand for a number in every state: `P`, `R` and `S`.

use motet_evidence::Stop;
use motet_model::{AtomId, RewardId};
use motet_property::{Basic, Extremum, Formula, Interval, Omega, Path, Query, Rebuild, Relation, RewardGoal};

use super::bounded::{Side, Staged, Until, Window, indicator, next};
use super::plan::Plan;
use super::rewards::{Deadline, Rewards, bounded, total, until_goal};
use super::states::{Process, unsupported};
use super::threshold::Threshold;
use super::values::{Aim, Focus, Values, complement};
use super::window::{self, When, is_even, when};
use super::{accrual, clock, long_run, product, reach};
use crate::checking::settings::Precision;
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;

/// A number in every state, and what it is about.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) staged: Staged,
    pub(crate) extremum: Extremum,
    /// Where a run has to get, if that is what the number is about.
    pub(crate) goal: Option<Goal>,
    /// Choices that depend on how far a run has come with the formula, or on the time.
    pub(crate) plan: Option<Plan>,
}

/// Where a run has to get, and on which way.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) left: Bits,
    pub(crate) right: Bits,
    pub(crate) window: Window,
    pub(crate) kind: GoalKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalKind {
    /// The number is the chance to get there.
    Chance,
    /// The number is the chance not to get there.
    Missed,
    /// The number is what is earned before.
    Reward,
}

const EVER: Window = Window { low: 0, high: None };

/// Whether a formula compares or asks for a number.
pub(crate) fn is_measure(formula: &Formula<AtomId>) -> bool {
    matches!(formula, Formula::Chance(..) | Formula::Reward(..) | Formula::Steady(..))
}

/// The question a measure asks.
pub(crate) fn query(formula: &Formula<AtomId>) -> Option<&Query> {
    match formula {
        Formula::Chance(_, query, _) | Formula::Reward(_, _, query, _) | Formula::Steady(_, query, _) => {
            Some(query)
        }
        _ => None,
    }
}

pub(crate) fn opposite(extremum: Extremum) -> Extremum {
    match extremum {
        Extremum::Min => Extremum::Max,
        Extremum::Max => Extremum::Min,
    }
}

/// A path formula on the way to one about atoms only; see [`Process::abstracted`].
struct Abstracted<'p, 'a, 'm> {
    process: &'p Process<'a>,
    columns: &'p mut Vec<Bits>,
    meter: &'p mut Meter<'m>,
}

impl Rebuild<AtomId, AtomId, Stop> for Abstracted<'_, '_, '_> {
    fn atom(&mut self, atom: &AtomId) -> Result<AtomId, Stop> {
        Ok(*atom)
    }

    fn automaton(&mut self, _: &Omega<AtomId>) -> Result<Path<AtomId>, Stop> {
        Err(Stop::Unsupported("an automaton beside probabilities".to_owned()))
    }

    fn path(&mut self, _: usize, child: &Path<AtomId>) -> Result<Path<AtomId>, Stop> {
        self.process.abstracted(child, self.columns, self.meter)
    }

    fn state(&mut self, _: usize, _: &Formula<AtomId>) -> Result<Formula<AtomId>, Stop> {
        unreachable!("a path formula about a state is one as a whole")
    }
}

impl Process<'_> {
    /// The states that meet a threshold. What lies too close to it is looked at more closely, and in the end exactly.
    pub(crate) fn threshold_states(
        &self,
        formula: &Formula<AtomId>,
        meter: &mut Meter<'_>,
    ) -> Result<Bits, Stop> {
        let Some(Query::Compare(relation, text)) = query(formula) else {
            return Err(unsupported("a number (`=?`) where something true or false is expected"));
        };
        let threshold = threshold(*relation, text)?;
        let n = self.matrix.n_states();
        for aim in self.aims(Focus::Everywhere) {
            let number = self.number(formula, aim, meter)?;
            let mut met = Bits::zeros(n);
            let told = (0..n).all(|state| match threshold.is_met(&number.staged.values, state) {
                Some(true) => {
                    met.insert(state);
                    true
                }
                told => told.is_some(),
            });
            if told {
                return Ok(met);
            }
        }
        Err(too_close(text))
    }

    /// How closely to look, one after the other.
    pub(crate) fn aims(&self, focus: Focus) -> Vec<Aim> {
        let usual = Aim { precision: self.precision, focus };
        match self.precision {
            Precision::Exact => vec![usual],
            Precision::Certified(width) => {
                let closer = Precision::Certified((width * 1e-4).min(1e-10));
                vec![usual, Aim { precision: closer, focus }, Aim { precision: Precision::Exact, focus }]
            }
        }
    }

    /// The number in every state.
    pub(crate) fn number(
        &self,
        formula: &Formula<AtomId>,
        aim: Aim,
        meter: &mut Meter<'_>,
    ) -> Result<Number, Stop> {
        match formula {
            Formula::Chance(extremum, query, path) => {
                let extremum = self.extremum(*extremum, query, "P")?;
                self.probability(path, extremum, aim, meter)
            }
            Formula::Reward(name, extremum, query, goal) => {
                let extremum = self.extremum(*extremum, query, "R")?;
                self.reward(name.as_deref(), goal, extremum, aim, meter)
            }
            Formula::Steady(extremum, query, inner) => {
                let extremum = self.extremum(*extremum, query, "S")?;
                let goal = self.states(inner, meter)?;
                self.even()?;
                let values = long_run::steady(self.matrix, &goal, extremum, self.fair(), aim, meter)?;
                Ok(plain(values, extremum))
            }
            _ => Err(unsupported("something true or false where a number is expected")),
        }
    }

    /// Over the choices that are worst for a threshold, unless it says otherwise. A plain number has one value only where
    /// nobody chooses.
    fn extremum(&self, written: Option<Extremum>, query: &Query, letter: &str) -> Result<Extremum, Stop> {
        if let Some(extremum) = written {
            return Ok(extremum);
        }
        match query {
            Query::Compare(Relation::Ge | Relation::Gt, _) => Ok(Extremum::Min),
            Query::Compare(Relation::Le | Relation::Lt, _) => Ok(Extremum::Max),
            _ if self.matrix.is_chain() => Ok(Extremum::Max),
            Query::Value => Err(Stop::Unsupported(format!(
                "{letter}=? in a model with choices: ask for {letter}min=? or {letter}max=?"
            ))),
            Query::Compare(..) => {
                Err(Stop::Unsupported(format!("{letter} compared with = or != in a model with choices")))
            }
        }
    }

    /// The chance that a run satisfies a path formula.
    pub(crate) fn probability(
        &self,
        path: &Path<AtomId>,
        extremum: Extremum,
        aim: Aim,
        meter: &mut Meter<'_>,
    ) -> Result<Number, Stop> {
        let n = self.matrix.n_states();
        if let Some(formula) = path.as_state() {
            let states = self.states(&formula, meter)?;
            return Ok(plain(indicator(n, &states, aim), extremum));
        }
        let all = || Path::Now(Formula::True);
        let not = |path: &Path<AtomId>| Path::Not(Box::new(path.clone()));
        let state = |path: &Path<AtomId>| path.is_state();
        let against = opposite(extremum);
        match path {
            Path::Not(inner) => {
                self.missed(extremum, aim, |aim| self.probability(inner, against, aim, meter))
            }
            Path::Next(inner) if state(inner) => {
                let goal = self.states(&inner.as_state().expect("just asked"), meter)?;
                Ok(plain(next(self.matrix, &goal, extremum, aim, meter)?, extremum))
            }
            Path::Eventually(interval, goal) if state(goal) => {
                self.until(interval, &all(), goal, extremum, aim, meter)
            }
            Path::Always(interval, inner) if state(inner) => {
                self.not_until(interval, &all(), &not(inner), extremum, aim, meter)
            }
            Path::Until(until, interval, left, right) if state(left) && state(right) => {
                match until.define((**left).clone(), (**right).clone(), Path::join) {
                    Basic::Until(left, right) => self.until(interval, &left, &right, extremum, aim, meter),
                    Basic::Release(left, right) => {
                        self.not_until(interval, &not(&left), &not(&right), extremum, aim, meter)
                    }
                }
            }
            _ => {
                let mut columns = Vec::new();
                let path = self.abstracted(path, &mut columns, meter)?;
                let process = product::Looked { matrix: self.matrix, fair: self.fair(), columns: &columns };
                let tracked = product::probability(process, &path, extremum, aim, meter)?;
                Ok(Number { plan: tracked.plan, ..plain(tracked.values, extremum) })
            }
        }
    }

    fn until(
        &self,
        interval: &Interval,
        left: &Path<AtomId>,
        right: &Path<AtomId>,
        extremum: Extremum,
        aim: Aim,
        meter: &mut Meter<'_>,
    ) -> Result<Number, Stop> {
        let (left, right) = (self.evaluated(left, meter)?, self.evaluated(right, meter)?);
        let (matrix, fair) = (self.matrix, self.fair());
        let until = |window| Until { matrix, left: &left, right: &right, window, extremum, fair };
        let (staged, window) = match (when(interval, self.model.signature().unit, matrix)?, fair) {
            (When::Ever, Some(fair)) if extremum == Extremum::Min => {
                let lost = reach::Lost::of(matrix, &left, &right, fair);
                let left = left.and(&right.complement(matrix.n_states()));
                return self.missed(extremum, aim, |aim| {
                    let mut values =
                        reach::until(matrix, &left, &lost.states, Extremum::Max, None, aim, meter)?;
                    values.leave_open(|_, high| high == 0.0);
                    lost.stay(matrix, &mut values.choices);
                    Ok(plain(values, Extremum::Max))
                });
            }
            (When::Ever, _) => {
                let mut values = reach::until(matrix, &left, &right, extremum, None, aim, meter)?;
                if fair.is_some() {
                    values.leave_open(|_, high| high == 0.0);
                }
                (Staged { values, stages: None }, EVER)
            }
            (When::Steps(window), _) => (until(window).chance(Side::Reached, aim, meter)?, window),
            (When::Time(window), _) => {
                let unit = self.model.signature().unit;
                let found = clock::until_within(until(window), unit, aim, meter)?;
                return Ok(Number { plan: found.plan, ..plain(found.values, extremum) });
            }
        };
        let goal = Some(Goal { left, right, window, kind: GoalKind::Chance });
        Ok(Number { staged, extremum, goal, plan: None })
    }

    /// The chance that it is not so that `left U right`.
    fn not_until(
        &self,
        interval: &Interval,
        left: &Path<AtomId>,
        right: &Path<AtomId>,
        extremum: Extremum,
        aim: Aim,
        meter: &mut Meter<'_>,
    ) -> Result<Number, Stop> {
        let against = opposite(extremum);
        let matrix = self.matrix;
        let When::Steps(window) = when(interval, self.model.signature().unit, matrix)? else {
            return self.missed(extremum, aim, |aim| self.until(interval, left, right, against, aim, meter));
        };
        let (left, right) = (self.evaluated(left, meter)?, self.evaluated(right, meter)?);
        let fair = self.fair();
        let until = Until { matrix, left: &left, right: &right, window, extremum: against, fair };
        let staged = until.chance(Side::Missed, aim, meter)?;
        let goal = Some(Goal { left, right, window, kind: GoalKind::Missed });
        Ok(Number { staged, extremum, goal, plan: None })
    }

    fn evaluated(&self, path: &Path<AtomId>, meter: &mut Meter<'_>) -> Result<Bits, Stop> {
        self.states(&path.as_state().expect("the caller has asked whether it is one"), meter)
    }

    /// One minus a number. Close to 1 it has to be known more closely for the difference to be close.
    fn missed(
        &self,
        extremum: Extremum,
        aim: Aim,
        mut number: impl FnMut(Aim) -> Result<Number, Stop>,
    ) -> Result<Number, Stop> {
        let mut sharper = aim;
        loop {
            let Number { staged, plan, goal, .. } = number(sharper)?;
            let goal = goal.map(|goal| Goal { kind: GoalKind::Missed, ..goal });
            let values = complement(staged.values);
            let (Precision::Certified(wanted), Precision::Certified(tried)) =
                (aim.precision, sharper.precision)
            else {
                return Ok(Number { staged: Staged { values, ..staged }, extremum, goal, plan });
            };
            let wide =
                |state: usize| super::iterate::relative(values.low[state], values.high[state]) > wanted;
            let wide = match aim.focus {
                Focus::Initial => self.matrix.initial.iter().any(|&state| wide(state as usize)),
                Focus::Everywhere => (0..values.low.len()).any(wide),
            };
            if !wide || tried < 1e-13 {
                return Ok(Number { staged: Staged { values, ..staged }, extremum, goal, plan });
            }
            sharper.precision = Precision::Certified(tried * 1e-3);
        }
    }

    /// The path with its state formulas evaluated: each is an atom whose number is its place in `columns`. Bounds count
    /// steps afterwards.
    fn abstracted(
        &self,
        path: &Path<AtomId>,
        columns: &mut Vec<Bits>,
        meter: &mut Meter<'_>,
    ) -> Result<Path<AtomId>, Stop> {
        if let Some(formula) = path.as_state() {
            let number = u32::try_from(columns.len()).expect("a formula has fewer than 2^32 parts");
            columns.push(self.states(&formula, meter)?);
            return Ok(Path::Now(Formula::Atom(AtomId(number))));
        }
        let mut abstracted = path.rebuild(&mut Abstracted { process: self, columns, meter })?;
        if let Some(when) = abstracted.interval_mut() {
            *when = self.in_steps(when)?;
        }
        Ok(abstracted)
    }

    fn in_steps(&self, interval: &Interval) -> Result<Interval, Stop> {
        let bound = |amount: u64| motet_property::Bound {
            amount,
            unit: Some(motet_property::Unit::Steps),
            strict: false,
        };
        match when(interval, self.model.signature().unit, self.matrix)? {
            When::Ever => Ok(Interval::default()),
            When::Steps(Window { low, high }) => {
                Ok(Interval { low: (low > 0).then(|| bound(low)), high: high.map(bound) })
            }
            When::Time(_) => Err(unsupported("bounds on time in formulas like this one inside P")),
        }
    }

    fn reward(
        &self,
        name: Option<&str>,
        goal: &RewardGoal<AtomId>,
        extremum: Extremum,
        aim: Aim,
        meter: &mut Meter<'_>,
    ) -> Result<Number, Stop> {
        let rewards = self.rewards(name)?;
        let (matrix, fair, unit) = (self.matrix, self.fair(), self.model.signature().unit);
        let staged = match goal {
            RewardGoal::Until(Path::Eventually(interval, inner))
                if interval.is_unbounded() && inner.is_state() =>
            {
                let right = self.states(&inner.as_state().expect("just asked"), meter)?;
                let values = until_goal(matrix, &rewards, &right, extremum, fair, aim, meter)?;
                let left = Bits::all(matrix.n_states());
                let goal = Goal { left, right, window: EVER, kind: GoalKind::Reward };
                return Ok(Number { goal: Some(goal), ..plain(values, extremum) });
            }
            RewardGoal::Until(_) => {
                return Err(unsupported("rewards until something else than `F goal`"));
            }
            RewardGoal::Cumulative(None) => {
                return Ok(plain(total(matrix, &rewards, extremum, fair, aim, meter)?, extremum));
            }
            RewardGoal::Cumulative(Some(bound)) => match window::until(bound, unit, matrix)? {
                window::Until::Steps(steps) => {
                    bounded(matrix, &rewards, Deadline::During(steps), extremum, aim, meter)?
                }
                window::Until::Time(end) => {
                    let found = accrual::within(matrix, &rewards, end, extremum, fair, aim, meter)?;
                    return Ok(Number { plan: found.plan, ..plain(found.values, extremum) });
                }
            },
            RewardGoal::Instant(bound) => match window::until(bound, unit, matrix)? {
                window::Until::Steps(steps) => {
                    bounded(matrix, &rewards, Deadline::After(steps), extremum, aim, meter)?
                }
                window::Until::Time(_) => {
                    return Err(unsupported(
                        "what is earned at an instant, in a model whose steps take different times",
                    ));
                }
            },
            RewardGoal::Average => {
                self.even()?;
                let values = long_run::average(matrix, &rewards, extremum, fair, aim, meter)?;
                return Ok(plain(values, extremum));
            }
        };
        Ok(Number { staged, extremum, goal: None, plan: None })
    }

    /// The long run counts steps, which are shares of time only where they all take the same time.
    fn even(&self) -> Result<(), Stop> {
        if is_even(self.model.signature().unit, self.matrix) {
            return Ok(());
        }
        Err(unsupported("the long run of a model that never ends and whose steps take different times"))
    }

    pub(crate) fn rewards(&self, name: Option<&str>) -> Result<Rewards, Stop> {
        let id = reward_id(self.model, name).ok_or_else(|| match name {
            Some(name) => Stop::Unsupported(format!("the reward \"{name}\", which the model does not have")),
            None => unsupported("rewards in a model that has none"),
        })?;
        let earned = self.graph.earnings.iter().find(|earned| earned.reward == id);
        Ok(Rewards::of(self.graph, earned.expect("the rewards of all claims were kept")))
    }
}

/// The reward with this name; the first one where no name is written.
pub(crate) fn reward_id(model: &dyn motet_model::Model, name: Option<&str>) -> Option<RewardId> {
    let rewards = &model.signature().rewards;
    let at = match name {
        None => (!rewards.is_empty()).then_some(0),
        Some(name) => rewards.iter().position(|reward| reward.name == name),
    };
    at.and_then(|at| u32::try_from(at).ok()).map(RewardId)
}

pub(crate) fn threshold(relation: Relation, text: &str) -> Result<Threshold, Stop> {
    Threshold::new(relation, text)
        .ok_or_else(|| Stop::Unsupported(format!("the threshold {text}, which is no number")))
}

pub(crate) fn too_close(text: &str) -> Stop {
    Stop::Bound(format!("the value is too close to {text} to tell them apart"))
}

fn plain(values: Values, extremum: Extremum) -> Number {
    Number { staged: Staged { values, stages: None }, extremum, goal: None, plan: None }
}
