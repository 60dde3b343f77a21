//! Probabilities, rewards and averages in rational numbers, by the definitions: every memoryless policy is tried, every
//! chain is solved by Gaussian elimination.

mod chain;
mod fair;
mod filter;
mod limit;
mod linear;
mod policies;
mod process;
pub mod random;
mod split;
mod timed;

use dashu::integer::UBig;
use dashu::rational::RBig;
use motet_model::{AtomId, Model, RewardId};
use motet_property::{
    Basic, Bound, Connective, Extremum, Filter, Formula, Interval, Path, Query, Relation, RewardGoal, Unit,
};

use chain::Chain;
pub use fair::{Fair, Visit};
use fair::{Settlement, Task, gain, settlements};
use linear::{Linear, steps};
use process::Process;

/// What a formula is in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// True or false.
    Truth(bool),
    /// A number.
    Number(RBig),
    /// An infinite reward.
    Infinite,
}

/// A number or infinity, in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Extended {
    Finite(RBig),
    Infinite,
}

impl From<Extended> for Value {
    fn from(number: Extended) -> Self {
        match number {
            Extended::Finite(number) => Self::Number(number),
            Extended::Infinite => Self::Infinite,
        }
    }
}

/// What the formula is in the first initial state.
///
/// # Errors
/// What is too large or has no meaning here, in words.
pub fn value(model: &dyn Model, formula: &Formula<AtomId>) -> Result<Value, String> {
    valued(model, formula, None)
}

/// The same over fair strategies.
///
/// # Errors
/// What is too large or has no meaning here, in words.
pub fn fair_value(model: &dyn Model, formula: &Formula<AtomId>, fair: Fair) -> Result<Value, String> {
    valued(model, formula, Some(fair))
}

fn valued(model: &dyn Model, formula: &Formula<AtomId>, fair: Option<Fair>) -> Result<Value, String> {
    let process = Process::of(model)?;
    let start = process.initial[0];
    let fair = fair.filter(|_| !process.is_chain());
    Ok(Twin { model, process, fair }.values(formula)?.swap_remove(start))
}

struct Twin<'a> {
    model: &'a dyn Model,
    process: Process,
    /// Which strategies count; all of them, where it is `None`.
    fair: Option<Fair>,
}

impl Twin<'_> {
    /// Per state.
    fn values(&self, formula: &Formula<AtomId>) -> Result<Vec<Value>, String> {
        let numbers = |numbers: Vec<RBig>| numbers.into_iter().map(Extended::Finite).collect();
        let (query, values): (_, Vec<Extended>) = match formula {
            Formula::Chance(extremum, query, path) => {
                (query, numbers(self.chance(self.extremum(*extremum, query)?, path)?))
            }
            Formula::Steady(extremum, query, inner) => {
                let holds = self.truths(inner)?;
                let earned: Vec<Vec<RBig>> = (0..holds.len())
                    .map(|state| vec![indicator(holds[state]); self.process.choices[state].len()])
                    .collect();
                (query, numbers(self.average(self.extremum(*extremum, query)?, &earned)?))
            }
            Formula::Reward(name, extremum, query, goal) => {
                (query, self.reward(name.as_deref(), self.extremum(*extremum, query)?, goal)?)
            }
            Formula::Filter(filter, inner, condition) => return self.filter(*filter, inner, condition),
            _ => return Ok(self.truths(formula)?.into_iter().map(Value::Truth).collect()),
        };
        match query {
            Query::Value => Ok(values.into_iter().map(Value::from).collect()),
            Query::Compare(relation, text) => {
                let bound = Extended::Finite(decimal(text)?);
                Ok(values.iter().map(|value| Value::Truth(compare(value, *relation, &bound))).collect())
            }
        }
    }

    /// Where a state formula holds.
    fn truths(&self, formula: &Formula<AtomId>) -> Result<Vec<bool>, String> {
        let n = self.process.states.len();
        let both = |a, b, f: fn(bool, bool) -> bool| -> Result<Vec<bool>, String> {
            Ok(self.truths(a)?.into_iter().zip(self.truths(b)?).map(|(a, b)| f(a, b)).collect())
        };
        match formula {
            Formula::True => Ok(vec![true; n]),
            Formula::False => Ok(vec![false; n]),
            Formula::Deadlock => Ok(self.process.deadlocks.clone()),
            Formula::Atom(atom) => {
                Ok(self.process.states.iter().map(|state| self.model.holds(*atom, state)).collect())
            }
            Formula::Not(a) => Ok(self.truths(a)?.into_iter().map(|truth| !truth).collect()),
            Formula::And(a, b) => both(a, b, |a, b| a && b),
            Formula::Or(a, b) => both(a, b, |a, b| a || b),
            Formula::Implies(a, b) => both(a, b, |a, b| !a || b),
            Formula::Iff(a, b) => both(a, b, |a, b| a == b),
            Formula::Chance(..) | Formula::Steady(..) | Formula::Reward(..) | Formula::Filter(..) => {
                let truth = |value: &Value| match value {
                    Value::Truth(truth) => Ok(*truth),
                    _ => Err("a number where a truth is wanted".to_owned()),
                };
                self.values(formula)?.iter().map(truth).collect()
            }
            Formula::Runs(..)
            | Formula::Knows(..)
            | Formula::Timer(..)
            | Formula::Wait(..)
            | Formula::Past(_) => Err("not a formula about chance".to_owned()),
        }
    }

    /// Which of the policies is meant: a threshold without a word is about all of them.
    fn extremum(&self, named: Option<Extremum>, query: &Query) -> Result<Extremum, String> {
        match (named, query) {
            (Some(named), _) => Ok(named),
            (None, _) if self.process.is_chain() => Ok(Extremum::Max),
            (None, Query::Compare(Relation::Ge | Relation::Gt, _)) => Ok(Extremum::Min),
            (None, Query::Compare(Relation::Le | Relation::Lt, _)) => Ok(Extremum::Max),
            (None, _) => Err("min or max".to_owned()),
        }
    }

    fn chance(&self, extremum: Extremum, path: &Path<AtomId>) -> Result<Vec<RBig>, String> {
        if let Some(values) = self.simple(extremum, path)? {
            return Ok(values);
        }
        let linear = Linear::of(path, &mut |formula| self.truths(formula))?;
        if self.process.is_chain() {
            let rows = self.process.choices.iter().map(|choices| choices[0].outcomes.clone());
            return Ok(split::chance(&Chain { rows: rows.collect() }, &linear));
        }
        match extremum {
            Extremum::Max => limit::greatest(&self.process, &linear, self.fair),
            Extremum::Min => {
                let most = limit::greatest(&self.process, &linear.negated(), self.fair)?;
                Ok(most.into_iter().map(|chance| RBig::ONE - chance).collect())
            }
        }
    }

    /// One operator over state formulas.
    fn simple(&self, extremum: Extremum, path: &Path<AtomId>) -> Result<Option<Vec<RBig>>, String> {
        let not = |truths: Vec<bool>| -> Vec<bool> { truths.into_iter().map(|truth| !truth).collect() };
        let all = || vec![true; self.process.states.len()];
        let now = |path: &Path<AtomId>| match path {
            Path::Now(formula) => self.truths(formula).map(Some),
            _ => Ok(None),
        };
        let dual = |when: &Interval, a: &[bool], b: &[bool]| {
            let until = self.until(other(extremum), when, a, b)?;
            Ok(Some(until.into_iter().map(|chance| RBig::ONE - chance).collect()))
        };
        match path {
            Path::Now(formula) => Ok(Some(self.truths(formula)?.into_iter().map(indicator).collect())),
            Path::Next(a) => {
                let Some(a) = now(a)? else { return Ok(None) };
                let after: Vec<RBig> = a.into_iter().map(indicator).collect();
                Ok(Some(policies::step(&self.process, extremum, None, &after)))
            }
            Path::Eventually(when, a) => {
                let Some(a) = now(a)? else { return Ok(None) };
                self.until(extremum, when, &all(), &a).map(Some)
            }
            Path::Always(when, a) => {
                let Some(a) = now(a)? else { return Ok(None) };
                dual(when, &all(), &not(a))
            }
            Path::Until(until, when, a, b) => {
                let (Some(a), Some(b)) = (now(a)?, now(b)?) else { return Ok(None) };
                let join = |connective: Connective, a: Vec<bool>, b: Vec<bool>| -> Vec<bool> {
                    a.into_iter().zip(b).map(|(a, b)| connective.of(a, b)).collect()
                };
                match until.define(a, b, join) {
                    Basic::Until(a, b) => self.until(extremum, when, &a, &b).map(Some),
                    Basic::Release(a, b) => dual(when, &not(a), &not(b)),
                }
            }
            _ => Ok(None),
        }
    }

    fn until(
        &self,
        extremum: Extremum,
        when: &Interval,
        a: &[bool],
        b: &[bool],
    ) -> Result<Vec<RBig>, String> {
        if timed::is_timed(when) {
            return timed::until(&self.process, extremum, when, a, b);
        }
        let (low, high) = steps(when)?;
        let before = |values: Vec<RBig>, done: &[bool]| -> Vec<RBig> {
            let after = policies::step(&self.process, extremum, None, &values);
            let here = |(state, after)| match (done[state], a[state]) {
                (true, _) => RBig::ONE,
                (false, true) => after,
                (false, false) => RBig::ZERO,
            };
            after.into_iter().enumerate().map(here).collect()
        };
        let mut values = match high {
            Some(high) if high < low => vec![RBig::ZERO; a.len()],
            Some(high) => {
                let start = b.iter().map(|&b| indicator(b)).collect();
                (low..high).fold(start, |values, _| before(values, b))
            }
            None => self.until_ever(extremum, a, b)?,
        };
        for _ in 0..low {
            values = before(values, &vec![false; a.len()]);
        }
        Ok(values)
    }

    fn until_ever(&self, extremum: Extremum, a: &[bool], b: &[bool]) -> Result<Vec<RBig>, String> {
        let Some(fair) = self.fair else { return policies::until(&self.process, extremum, a, b) };
        let over = |(&a, &b): (&bool, &bool)| (b || !a).then(|| Extended::Finite(indicator(b)));
        let over = a.iter().zip(b).map(over).collect();
        let nothing: Vec<Vec<RBig>> =
            self.process.choices.iter().map(|choices| vec![RBig::ZERO; choices.len()]).collect();
        let task = Task { process: &self.process, extremum, earned: &nothing, over };
        let settlements = settlements(&self.process, fair)?;
        finite(task.best(&settlements, |_| Ok(Extended::Finite(RBig::ZERO)))?)
    }

    /// What fair strategies earn until a state where everything is over, and where they settle.
    fn settled(
        &self,
        fair: Fair,
        extremum: Extremum,
        earned: &[Vec<RBig>],
        over: Vec<Option<Extended>>,
        worth: impl Fn(&Settlement) -> Result<Extended, String>,
    ) -> Result<Vec<Extended>, String> {
        Task { process: &self.process, extremum, earned, over }
            .best(&settlements(&self.process, fair)?, worth)
    }

    fn average(&self, extremum: Extremum, earned: &[Vec<RBig>]) -> Result<Vec<RBig>, String> {
        if let Some(fair) = self.fair {
            let nothing: Vec<Vec<RBig>> = earned.iter().map(|row| vec![RBig::ZERO; row.len()]).collect();
            let worth = |settlement: &Settlement| {
                gain(&self.process, extremum, earned, settlement).map(Extended::Finite)
            };
            return finite(self.settled(fair, extremum, &nothing, vec![None; earned.len()], worth)?);
        }
        policies::best(&self.process, extremum, earned, |chain, earned| chain.average(earned))
    }

    fn reward(
        &self,
        name: Option<&str>,
        extremum: Extremum,
        goal: &RewardGoal<AtomId>,
    ) -> Result<Vec<Extended>, String> {
        let rewards = &self.model.signature().rewards;
        let number = rewards.iter().position(|reward| name.is_none_or(|name| reward.name == name));
        let number = u32::try_from(number.ok_or("no such reward")?).expect("few rewards");
        let (earned, own) = self.process.rewards(self.model, RewardId(number));
        let finite = |values: Vec<RBig>| values.into_iter().map(Extended::Finite).collect();
        let count = |bound: &Bound| steps(&Interval { low: None, high: Some(bound.clone()) });
        match goal {
            RewardGoal::Until(Path::Eventually(when, goal)) if when.is_unbounded() => {
                let Path::Now(goal) = &**goal else { return Err("a path".to_owned()) };
                if let Some(fair) = self.fair {
                    let goal = self.truths(goal)?;
                    let over = goal.iter().map(|&goal| goal.then_some(Extended::Finite(RBig::ZERO)));
                    return self.settled(fair, extremum, &earned, over.collect(), |_| Ok(Extended::Infinite));
                }
                policies::until_goal(&self.process, extremum, &earned, &self.truths(goal)?)
            }
            RewardGoal::Until(_) => Err("a reward until a path".to_owned()),
            RewardGoal::Cumulative(None) => {
                if let Some(fair) = self.fair {
                    let rich = |settlement: &Settlement| {
                        let taken = settlement.choices.iter().zip(&earned);
                        taken
                            .flat_map(|(taken, earned)| taken.iter().map(|&it| &earned[it]))
                            .any(|it| *it > RBig::ZERO)
                    };
                    let worth = |settlement: &Settlement| {
                        Ok(if rich(settlement) { Extended::Infinite } else { Extended::Finite(RBig::ZERO) })
                    };
                    return self.settled(fair, extremum, &earned, vec![None; earned.len()], worth);
                }
                policies::best(&self.process, extremum, &earned, |chain, earned| chain.total(earned))
            }
            RewardGoal::Cumulative(Some(bound)) if bound.unit == Some(Unit::Cycles) => {
                Ok(finite(timed::earned(&self.process, extremum, bound, (&earned, &own))?))
            }
            RewardGoal::Cumulative(Some(bound)) => {
                let n_steps = count(bound)?.1.expect("a high end");
                let nothing = vec![RBig::ZERO; own.len()];
                let step =
                    |after: Vec<RBig>, _| policies::step(&self.process, extremum, Some(&earned), &after);
                Ok(finite((0..n_steps).fold(nothing, step)))
            }
            RewardGoal::Instant(bound) => {
                let n_steps = count(bound)?.1.expect("a high end");
                let step = |after: Vec<RBig>, _| policies::step(&self.process, extremum, None, &after);
                Ok(finite((0..n_steps).fold(own, step)))
            }
            RewardGoal::Average => Ok(finite(self.average(extremum, &earned)?)),
        }
    }

    fn filter(
        &self,
        filter: Filter,
        inner: &Formula<AtomId>,
        condition: &Formula<AtomId>,
    ) -> Result<Vec<Value>, String> {
        let chosen = self.truths(condition)?;
        let values: Vec<Value> = self.values(inner)?;
        let values: Vec<Value> =
            values.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(value, _)| value).collect();
        let value = filter::gather(filter, &values)?;
        Ok(vec![value; self.process.states.len()])
    }
}

/// Values none of which is infinite.
fn finite(values: Vec<Extended>) -> Result<Vec<RBig>, String> {
    let number = |value| match value {
        Extended::Finite(number) => Ok(number),
        Extended::Infinite => Err("no chance and no average is infinite".to_owned()),
    };
    values.into_iter().map(number).collect()
}

fn other(extremum: Extremum) -> Extremum {
    match extremum {
        Extremum::Min => Extremum::Max,
        Extremum::Max => Extremum::Min,
    }
}

fn indicator(truth: bool) -> RBig {
    if truth { RBig::ONE } else { RBig::ZERO }
}

fn compare(value: &Extended, relation: Relation, bound: &Extended) -> bool {
    match relation {
        Relation::Eq => value == bound,
        Relation::Ne => value != bound,
        Relation::Lt => value < bound,
        Relation::Le => value <= bound,
        Relation::Gt => value > bound,
        Relation::Ge => value >= bound,
    }
}

/// `0.95` or `19/20`.
fn decimal(text: &str) -> Result<RBig, String> {
    let number = |text: &str| {
        UBig::from_str_radix(text, 10).map(RBig::from).map_err(|_| format!("not a number: {text}"))
    };
    if let Some((above, below)) = text.split_once('/') {
        return Ok(number(above.trim())? / number(below.trim())?);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let scale = (0..fraction.len()).fold(RBig::ONE, |scale, _| scale * RBig::from(10_u64));
    Ok(number(&format!("{whole}{fraction}"))? / scale)
}

#[cfg(test)]
mod tests {
    use super::random::{Choices, Dice, question};
    use super::*;
    use crate::random::{Random, path};
    use motet_model::Ratio;

    fn ratio(above: u64, below: u64) -> RBig {
        RBig::from(above) / RBig::from(below)
    }

    /// A gambler with `n` coins in all who wins with chance 2/5 has the chance ((3/2)^i - 1) / ((3/2)^n - 1) to win all
    /// (Feller 1968, XIV.2).
    #[test]
    fn the_ruin_of_a_gambler_has_the_chance_of_the_textbook() {
        // Two coins, one coin, all three, none.
        let mut dice = Dice::new(4);
        dice.rows[0] = vec![(Ratio::ZERO, vec![(3, 1), (2, 2)])];
        dice.rows[1] = vec![(Ratio::ZERO, vec![(3, 3), (2, 0)])];
        dice.atoms[0][2] = true;
        let goal = Path::Eventually(Interval::default(), Box::new(Path::Now(Formula::Atom(AtomId(0)))));
        let formula = Formula::Chance(None, Query::Value, Box::new(goal));
        // i = 2, n = 3.
        assert_eq!(value(&dice, &formula), Ok(Value::Number(ratio(10, 19))));
    }

    #[test]
    fn splitting_states_and_guessing_once_agree_on_chains() {
        let mut compared = 0;
        for seed in 0..150 {
            let mut random = Random::new(seed);
            let dice = Dice::random(&mut random, Choices::One);
            let process = Process::of(&dice).unwrap();
            let twin = Twin { model: &dice, process, fair: None };
            let formula = path(&mut random, random::ATOMS, 2);
            let linear = Linear::of(&formula, &mut |state| twin.truths(state)).unwrap();
            let Ok(guessed) = limit::greatest(&twin.process, &linear, None) else { continue };
            let rows = twin.process.choices.iter().map(|choices| choices[0].outcomes.clone());
            let split = split::chance(&Chain { rows: rows.collect() }, &linear);
            assert_eq!(split, guessed, "seed {seed}, {formula:?}");
            compared += 1;
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn most_random_questions_have_an_answer_and_many_a_fraction() {
        let (mut answered, mut fractions) = (0, 0);
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let choices = if random.once_in(2) { Choices::One } else { Choices::Several };
            let dice = Dice::random(&mut random, choices);
            let found = value(&dice, &question(&mut random, choices));
            answered += usize::from(found.is_ok());
            let fraction = |value: &Value| matches!(value, Value::Number(number) if !number.is_int());
            fractions += usize::from(found.is_ok_and(|value| fraction(&value)));
        }
        assert!(answered > 140 && fractions > 30, "{answered} {fractions}");
    }
}
