//! Strategies: from the answer to a claim to a table, and from a table to a random run that plays it.

use std::collections::HashMap;

use motet_engine::Choose;
use motet_evidence::Quantity;
use motet_model::{AtomId, State, Steps};
use motet_property::{Bound, Formula, Interval, Path, RewardGoal};
use motet_render::{StrategyTable, situation, strategy_csv};

use crate::load::Ready;

/// The strategy behind the answer to the claim with this number, as a table; `None` where nothing is chosen.
#[must_use]
pub fn strategy_table(ready: &Ready, claim: usize, quantity: &Quantity) -> Option<String> {
    let strategy = quantity.strategy.as_ref()?;
    let bound = ready.claims.get(claim).and_then(|claim| bound(&claim.formula));
    let (model, words) = (ready.system.model.as_ref(), ready.system.words.as_ref());
    Some(strategy_csv(strategy, bound, model, words))
}

/// How many steps a claim with a bound gives at the start.
fn bound(formula: &Path<AtomId>) -> Option<u64> {
    let steps = |bound: &Bound| bound.amount.saturating_sub(u64::from(bound.strict));
    let upper = |interval: &Interval| interval.high.as_ref().map(steps);
    let goal = |goal: &RewardGoal<AtomId>| match goal {
        RewardGoal::Cumulative(Some(end)) | RewardGoal::Instant(end) => Some(steps(end)),
        RewardGoal::Until(path) => bound_of(path, &upper),
        RewardGoal::Cumulative(None) | RewardGoal::Average => None,
    };
    match formula {
        Path::Now(Formula::Chance(_, _, path)) => bound_of(path, &upper),
        Path::Now(Formula::Reward(_, _, _, of)) => goal(of),
        Path::Now(Formula::Filter(_, value, _)) => bound(&Path::Now((**value).clone())),
        _ => None,
    }
}

fn bound_of(path: &Path<AtomId>, upper: &dyn Fn(&Interval) -> Option<u64>) -> Option<u64> {
    match path {
        Path::Eventually(when, _)
        | Path::Always(when, _)
        | Path::Until(when, ..)
        | Path::Weak(when, ..)
        | Path::Release(when, ..) => upper(when),
        Path::Next(_) => Some(1),
        Path::Not(inner) => bound_of(inner, upper),
        _ => None,
    }
}

/// A strategy that a simulation plays. Where it says nothing, the step is drawn at random.
pub struct Player<'a> {
    ready: &'a Ready,
    steps_left: Option<u64>,
    decisions: HashMap<(String, u64), u32>,
}

impl<'a> Player<'a> {
    /// Plays this table on this model.
    #[must_use]
    pub fn new(ready: &'a Ready, table: &StrategyTable) -> Self {
        let decisions =
            table.decisions.iter().map(|(words, memory, ordinal)| ((words.clone(), *memory), *ordinal));
        Self { ready, steps_left: table.steps_left, decisions: decisions.collect() }
    }
}

impl Choose for Player<'_> {
    fn choose(&self, state: &State, taken: u64, steps: &Steps) -> Option<u32> {
        if steps.len() < 2 {
            return None;
        }
        let memory = self.steps_left.map_or(0, |left| left.saturating_sub(taken));
        let words = situation(self.ready.system.words.as_ref(), state);
        let ordinal = self.decisions.get(&(words, memory)).copied()?;
        ((ordinal as usize) < steps.len()).then_some(ordinal)
    }
}
