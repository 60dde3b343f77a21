//! What is earned within a time, where steps take different times.
//!
//! The process is written out with the time that has passed, up to the end of the time. What a state earns accrues evenly
//! while it lasts, so that a state which lasts beyond the end earns its share; what a step earns is earned when it is
//! complete (`spec/claims/chance.md`). A run that has ended stays where it is, one unit of time after the other.

use motet_evidence::{Memory, Stop};
use motet_model::Ratio;
use motet_property::Extremum;
use rustc_hash::FxHashMap;

use super::fair::Fair;
use super::matrix::{Matrix, narrow};
use super::plan::{Move, Plan, Tracked};
use super::rewards::{Rewards, total};
use super::states::unsupported;
use super::strategy;
use super::values::{Aim, Focus, Values};
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;

/// The state of the process written out in which the time is over.
const OVER: u32 = 0;
/// States between two looks at the clock.
const TICK: usize = 1 << 12;

/// The last instant that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// This one, with all that happens at it.
    At(u64),
    /// Everything before this one.
    Before(u64),
}

impl End {
    fn time(self) -> u64 {
        let (Self::At(time) | Self::Before(time)) = self;
        time
    }

    /// Whether what happens at a time still counts.
    fn counts(self, time: u64) -> bool {
        match self {
            Self::At(end) => time <= end,
            Self::Before(end) => time < end,
        }
    }
}

/// What is earned from the start until the time is over.
pub(crate) fn within(
    matrix: &Matrix,
    rewards: &Rewards,
    end: End,
    extremum: Extremum,
    fair: Option<&Fair>,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Tracked, Stop> {
    let n = matrix.n_states();
    let starts: Vec<u32> = match aim.focus {
        Focus::Initial => matrix.initial.clone(),
        Focus::Everywhere => (0..narrow(n)).collect(),
    };
    let mut unrolling = Unrolling::new(matrix, rewards, end);
    let places: Vec<u32> = starts.iter().map(|&state| unrolling.place(state, 0)).collect();
    unrolling.expand(meter)?;
    unrolling.timed.initial.clone_from(&places);
    let fair = fair.map(|fair| fair.carried(&unrolling.origins));
    let found = total(&unrolling.timed, &unrolling.earned, extremum, fair.as_ref(), aim, meter)?;
    let mut values = Values::constant(n, 0.0);
    values.high = vec![f64::INFINITY; n];
    values.method = found.method;
    if !found.exact.is_empty() {
        values.exact = vec![Default::default(); n];
    }
    for (&state, &place) in starts.iter().zip(&places) {
        let (state, place) = (state as usize, place as usize);
        (values.low[state], values.high[state]) = (found.low[place], found.high[place]);
        if let Some(exact) = found.exact.get(place) {
            values.exact[state] = exact.clone();
        }
    }
    let asked = aim.focus == Focus::Initial && !found.choices.is_empty();
    let plan = if asked { unrolling.plan(&found.choices, fair.as_ref()) } else { None };
    Ok(Tracked { values, plan })
}

struct Unrolling<'a> {
    matrix: &'a Matrix,
    rewards: &'a Rewards,
    end: End,
    timed: Matrix,
    earned: Rewards,
    /// Per choice of `timed`: its number in the process; [`NONE`] for one that is nobody's.
    origins: Vec<u32>,
    /// State and time of each state of `timed`, from the second on.
    places: Vec<(u32, u64)>,
    numbers: FxHashMap<(u32, u64), u32>,
    /// Numbers in `earned` of parts of what states earn.
    shares: FxHashMap<Ratio, u32>,
    certain: u32,
    nothing: u32,
}

impl<'a> Unrolling<'a> {
    fn new(matrix: &'a Matrix, rewards: &'a Rewards, end: End) -> Self {
        let mut ratios = matrix.ratios.clone();
        ratios.push(Ratio::ONE);
        let certain = narrow(ratios.len() - 1);
        let timed = Matrix { ratios, ..Matrix::default() };
        let mut earned = Rewards { ratios: rewards.ratios.clone(), ..Rewards::default() };
        earned.ratios.push(Ratio::ZERO);
        let nothing = narrow(earned.ratios.len() - 1);
        let mut unrolling = Self {
            matrix,
            rewards,
            end,
            timed,
            earned,
            origins: Vec::new(),
            places: Vec::new(),
            numbers: FxHashMap::default(),
            shares: FxHashMap::default(),
            certain,
            nothing,
        };
        unrolling.timed.choices.push(0);
        unrolling.push_end(nothing);
        unrolling
    }

    fn begin_choice(&mut self, origin: u32, (state, step): (u32, u32)) {
        self.origins.push(origin);
        self.timed.branches.push(narrow(self.timed.targets.len()));
        self.timed.delays.push(1);
        let nearest = |number: u32| self.earned.ratios[number as usize].to_f64();
        self.earned.choices.push(nearest(state) + nearest(step));
        self.earned.parts.push((state, step));
    }

    fn push_branch(&mut self, target: u32, chance: f64, exact: u32) {
        self.timed.targets.push(target);
        self.timed.chances.push(chance);
        self.timed.exact.push(exact);
    }

    /// A choice after which nothing counts any more.
    fn push_end(&mut self, earned: u32) {
        self.begin_choice(NONE, (earned, self.nothing));
        self.push_branch(OVER, 1.0, self.certain);
    }

    /// The state that stands for entering `state` at this time.
    fn place(&mut self, state: u32, time: u64) -> u32 {
        if !self.end.counts(time) {
            return OVER;
        }
        let next = narrow(self.places.len() + 1);
        let number = *self.numbers.entry((state, time)).or_insert(next);
        if number == next {
            self.places.push((state, time));
        }
        number
    }

    fn expand(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut done = 0;
        while let Some(&(state, time)) = self.places.get(done) {
            done += 1;
            if done.is_multiple_of(TICK) {
                meter.tick(40 * self.places.len() as u64 + 32 * self.timed.targets.len() as u64)?;
            }
            self.timed.choices.push(narrow(self.timed.branches.len()));
            for choice in self.matrix.choices_of(state) {
                self.take(choice, time)?;
            }
        }
        self.timed.choices.push(narrow(self.timed.branches.len()));
        self.timed.branches.push(narrow(self.timed.targets.len()));
        self.earned.states = vec![0.0; self.timed.n_states()];
        Ok(())
    }

    fn take(&mut self, choice: usize, time: u64) -> Result<(), Stop> {
        let (own, step) = self.rewards.parts[choice];
        let delay = u64::from(self.matrix.delays[choice]);
        let left = self.end.time().saturating_sub(time);
        if self.matrix.resting.get(choice) {
            let share = self.share(own, left, 1)?;
            self.push_end(share);
            return Ok(());
        }
        let later = time.saturating_add(delay);
        if delay > 0 && !self.end.counts(later) {
            let share = self.share(own, left, delay)?;
            self.push_end(share);
            return Ok(());
        }
        self.begin_choice(narrow(choice), (own, step));
        for branch in self.matrix.branches_of(choice) {
            let target = self.place(self.matrix.targets[branch], later);
            self.push_branch(target, self.matrix.chances[branch], self.matrix.exact[branch]);
        }
        Ok(())
    }

    /// The number of `part / whole` of what a state earns.
    fn share(&mut self, own: u32, part: u64, whole: u64) -> Result<u32, Stop> {
        let all = self.earned.ratios[own as usize];
        if all == Ratio::ZERO {
            return Ok(self.nothing);
        }
        let share = Ratio::new(part, whole).and_then(|share| share.checked_mul(all));
        let share = share.ok_or_else(|| unsupported("rewards that are too fine to be kept exactly"))?;
        let next = narrow(self.earned.ratios.len());
        let number = *self.shares.entry(share).or_insert(next);
        if number == next {
            self.earned.ratios.push(share);
        }
        Ok(number)
    }

    /// What to do at the times that are met from the start if these choices are taken.
    fn plan(&self, chosen: &[u32], fair: Option<&Fair>) -> Option<Plan> {
        let mut plan = Plan::new(Memory::TimeLeft, self.end.time());
        let met = strategy::met(&self.timed, &self.timed.initial, chosen);
        if let Some(fair) = fair {
            // Once the time is over nothing is decided any more.
            let during: Vec<u32> = met.iter().copied().filter(|&place| place >= 1).collect();
            plan.passed_over = fair.passed_over(&self.timed, &during, chosen);
        }
        for place in met {
            let Some(&(state, time)) = (place as usize).checked_sub(1).and_then(|at| self.places.get(at))
            else {
                continue;
            };
            if self.matrix.choices_of(state).len() > 1 {
                let ordinal = chosen[place as usize] - self.timed.choices[place as usize];
                let choice = self.matrix.choices[state as usize] + ordinal;
                plan.push(Move { state, memory: self.end.time() - time, choice })?;
            }
        }
        Some(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::written::chain;
    use super::*;
    use crate::checking::settings::Precision;
    use crate::exploration::limits::Limits;

    fn earned(matrix: &Matrix, parts: &[(u64, u64)], end: End) -> String {
        let (limits, mut watch) = (Limits::default(), |_| {});
        let mut meter = Meter::new(&limits, &mut watch);
        let aim = Aim { precision: Precision::Exact, focus: Focus::Initial };
        let mut rewards = Rewards::default();
        for (at, (state, step)) in parts.iter().enumerate() {
            rewards.ratios.extend([Ratio::new(*state, 1).unwrap(), Ratio::new(*step, 1).unwrap()]);
            rewards.parts.push((narrow(2 * at), narrow(2 * at + 1)));
        }
        let found = within(matrix, &rewards, end, Extremum::Max, None, aim, &mut meter).unwrap();
        found.values.exact[0].to_string()
    }

    #[test]
    fn a_state_that_lasts_beyond_the_end_earns_its_share_and_its_step_nothing() {
        // Four units at 8 in all, then a call; then ten units at 5 in all, and a call.
        let mut matrix = chain(&[vec![(1, 1, 1)], vec![(2, 1, 1)], vec![(2, 1, 1)]]);
        matrix.delays = vec![4, 10, 1];
        matrix.resting.insert(2);
        let parts = [(8, 1), (5, 1), (0, 0)];
        assert_eq!(earned(&matrix, &parts, End::At(3)), "6");
        assert_eq!(earned(&matrix, &parts, End::Before(4)), "8");
        assert_eq!(earned(&matrix, &parts, End::At(4)), "9");
        assert_eq!(earned(&matrix, &parts, End::At(6)), "10");
        assert_eq!(earned(&matrix, &parts, End::At(99)), "15");
    }

    #[test]
    fn steps_in_no_time_earn_again_and_again() {
        // A call is made until it gets through, with chance 1/3 each time.
        let mut matrix = chain(&[vec![(0, 2, 3), (1, 1, 3)], vec![(1, 1, 1)]]);
        matrix.delays = vec![0, 1];
        matrix.resting.insert(1);
        assert_eq!(earned(&matrix, &[(0, 1), (0, 0)], End::At(0)), "3");
    }
}
