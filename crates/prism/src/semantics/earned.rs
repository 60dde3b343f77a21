//! What states and steps earn.

use motet_model::{ActionId, Ratio, RewardId};

use super::{Scratch, Semantics};
use crate::expr::{Test, Whole};
use crate::number::Number;
use crate::program::{Earned, LabelId, Program, RewardItem};

/// Why a reward cannot be told.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BadReward {
    Trouble(crate::expr::Trouble),
    Negative(Number),
    Precision,
}

impl Semantics {
    /// What one item earns in a state.
    fn earns(item: &RewardItem, state: &[u32]) -> Result<Number, BadReward> {
        if !item.guard.holds(state).map_err(BadReward::Trouble)? {
            return Ok(Number::ZERO);
        }
        let value = item.value.value(state).map_err(BadReward::Trouble)?;
        if value.is_negative() { Err(BadReward::Negative(value)) } else { Ok(value) }
    }

    /// What all items of one kind earn together.
    pub(crate) fn sum(&self, reward: RewardId, state: &[u32], earned: Earned) -> Result<Number, BadReward> {
        let items = &self.program.rewards[reward.index()].items;
        items.iter().filter(|item| item.earned == earned).try_fold(Number::ZERO, |sum, item| {
            sum.plus(Self::earns(item, state)?).ok_or(BadReward::Precision)
        })
    }

    /// What a step of this action earns. Where chance picks among combinations, it is their mean.
    pub(crate) fn of_action(
        &self,
        reward: RewardId,
        state: &[u32],
        action: ActionId,
    ) -> Result<Number, BadReward> {
        let of_label = |label: Option<LabelId>| self.sum(reward, state, Earned::Step(label));
        if let Some((way, _)) = self.plan.decode(action) {
            return of_label(way.label);
        }
        let mut scratch = self.pool.take();
        let Scratch { masks, .. } = &mut *scratch;
        if self.guards.enabled(state, masks).is_err() {
            return Ok(Number::ZERO);
        }
        let mut total = Number::ZERO;
        let mut combinations = 0_i64;
        for way in &self.plan.ways {
            let count: i64 = way.parts.iter().map(|seat| i64::from(seat.count(masks))).product();
            if count > 0 {
                combinations += count;
                let share = of_label(way.label)?.times(Number::whole(count)).ok_or(BadReward::Precision)?;
                total = total.plus(share).ok_or(BadReward::Precision)?;
            }
        }
        self.pool.give_back(scratch);
        if combinations == 0 {
            return Ok(Number::ZERO);
        }
        total.over(Number::whole(combinations)).ok_or(BadReward::Precision)
    }

    /// The reward as the engines take it. [`Semantics::check_rewards`] has made sure that there is one.
    pub(crate) fn ratio(earned: Result<Number, BadReward>) -> Ratio {
        earned.ok().and_then(Number::ratio).unwrap_or(Ratio::ZERO)
    }

    /// Looks for rewards that a state or its steps do not have: negative ones, divisions by zero. The number is that of the item.
    pub(crate) fn check_rewards(&self, state: &[u32], masks: &[u64]) -> Result<(), (usize, BadReward)> {
        for doubt in &self.doubtful {
            let Some(item) = doubt.item else {
                self.check_sums(doubt.reward, state, masks).map_err(|bad| (doubt.number, bad))?;
                continue;
            };
            let item = &self.program.rewards[doubt.reward].items[item];
            if let Earned::Step(label) = item.earned
                && !self.happens(label, masks)
            {
                continue;
            }
            Self::earns(item, state).map_err(|bad| (doubt.number, bad))?;
        }
        Ok(())
    }

    /// Looks for sums that are too fine to be kept: of a state, of a step, and the mean of all steps.
    fn check_sums(&self, reward: usize, state: &[u32], masks: &[u64]) -> Result<(), BadReward> {
        let reward = RewardId(u32::try_from(reward).expect("rewards are numbered with 32 bits"));
        self.sum(reward, state, Earned::State)?;
        let mut total = Number::ZERO;
        for way in &self.plan.ways {
            let count: i64 = way.parts.iter().map(|seat| i64::from(seat.count(masks))).product();
            if count > 0 {
                let each = self.sum(reward, state, Earned::Step(way.label))?;
                let share = each.times(Number::whole(count)).ok_or(BadReward::Precision)?;
                total = total.plus(share).ok_or(BadReward::Precision)?;
            }
        }
        let mean = total.over(Number::whole(i64::from(u32::MAX)));
        mean.map(|_| ()).ok_or(BadReward::Precision)
    }

    /// Whether some step has this label.
    fn happens(&self, label: Option<LabelId>, masks: &[u64]) -> bool {
        let mut ways = self.plan.ways.iter().filter(|way| way.label == label);
        ways.any(|way| way.parts.iter().all(|seat| seat.count(masks) > 0))
    }
}

/// Fractions of two words of which the sum is never too fine.
const MANY: usize = Ratio::LIMIT_BITS / 256;

/// What must be looked at in each state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubt {
    reward: usize,
    /// `None` for the sums of all items.
    item: Option<usize>,
    /// Counted over all rewards.
    number: usize,
}

/// The items whose value may be wrong somewhere.
pub(crate) fn doubts(program: &Program) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut number = 0;
    for (reward, rewards) in program.rewards.iter().enumerate() {
        for (place, item) in rewards.items.iter().enumerate() {
            if item.value.constant().is_none() || may_fail(&item.guard) {
                doubts.push(Doubt { reward, item: Some(place), number });
            }
            number += 1;
        }
        // Sums of so few words always fit.
        let simple = |item: &RewardItem| item.value.constant().is_some_and(|value| value.parts().is_some());
        if !rewards.items.iter().all(simple) || rewards.items.len() > MANY {
            doubts.push(Doubt { reward, item: None, number: number - 1 });
        }
    }
    doubts
}

/// Whether a condition computes more than comparisons of variables.
fn may_fail(test: &Test) -> bool {
    let plain = |whole: &Whole| matches!(whole, Whole::Constant(_) | Whole::Variable { .. });
    match test {
        Test::Constant(_) | Test::Within { .. } | Test::Outside { .. } => false,
        Test::Not(inner) => may_fail(inner),
        Test::And(parts) | Test::Or(parts) => parts.iter().any(may_fail),
        Test::Iff(sides) => may_fail(&sides.0) || may_fail(&sides.1),
        Test::Conditional(parts) => may_fail(&parts.0) || may_fail(&parts.1) || may_fail(&parts.2),
        Test::Compare(_, sides) => !plain(&sides.0) || !plain(&sides.1),
        Test::CompareReal(..) => true,
    }
}
