//! Random runs, for a first look and for models too large to explore. They can show that a claim fails, never that it
//! holds.

use motet_evidence::{Run, Taken};
use motet_model::{Fault, Model, ProcessId, RewardId, State, Steps};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Which random run. The same numbers give the same run on every platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The series.
    pub series: u64,
    /// The number of the run in the series. It does not depend on how many runs came before.
    pub run: u64,
}

/// A random run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The run.
    pub run: Run,
    /// How it ended.
    pub end: SampleEnd,
}

/// How a random run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SampleEnd {
    /// After as many steps, or as much time, as asked for.
    Enough,
    /// In a deadlock.
    Deadlock,
    /// The model could not say what comes next.
    Fault(Fault),
}

/// One random run of at most `length` steps. In each state a process is drawn, then one of its steps, then the outcome of
/// chance: with probability one such a run, if it went on for ever, would be weakly fair.
#[must_use]
pub fn sample<M: Model + ?Sized>(model: &M, seed: Seed, length: u64) -> Sample {
    sample_until(model, seed, length, None)
}

/// The same, and no step that would lead beyond `until`, counted in the model's unit from the start.
#[must_use]
pub fn sample_until<M: Model + ?Sized>(model: &M, seed: Seed, length: u64, until: Option<u64>) -> Sample {
    sample_with(model, seed, length, until, None)
}

/// Who decides which step is taken where there are several, and remembers a number along the run.
pub trait Choose: Sync {
    /// What is remembered at the start.
    fn start(&self) -> u64 {
        0
    }

    /// The ordinal of the step to take from this state; `None` leaves it to chance.
    fn choose(&self, state: &State, memory: u64, steps: &Steps) -> Option<u32>;

    /// What is remembered after a step from this state that takes this long.
    fn remember(&self, _state: &State, memory: u64, _delay: u32) -> u64 {
        memory
    }
}

/// The same, with somebody who decides.
#[must_use]
pub fn sample_with<M: Model + ?Sized>(
    model: &M,
    seed: Seed,
    length: u64,
    until: Option<u64>,
    choose: Option<&dyn Choose>,
) -> Sample {
    let mut walker = Walker::new(model, seed, choose);
    let mut run = Run { initial: walker.initial, states: vec![walker.state.clone()], steps: Vec::new() };
    let mut now = 0_u64;
    while (run.steps.len() as u64) < length && !walker.is_empty() {
        if let Err(fault) = walker.look() {
            return Sample { run, end: SampleEnd::Fault(fault) };
        }
        let Some((taken, target)) = walker.draw() else {
            return Sample { run, end: SampleEnd::Deadlock };
        };
        now = now.saturating_add(u64::from(taken.delay));
        if until.is_some_and(|until| now > until) {
            break;
        }
        run.steps.push(taken);
        run.states.push(target.clone());
        walker.enter(target);
    }
    Sample { run, end: SampleEnd::Enough }
}

/// Somebody who walks at random, one step after the other.
pub(crate) struct Walker<'m, M: Model + ?Sized> {
    model: &'m M,
    random: Random,
    choose: Option<&'m dyn Choose>,
    /// What the one who decides remembers.
    memory: u64,
    steps: Steps,
    taken: u64,
    /// Which initial state the walk started in.
    pub(crate) initial: u32,
    /// Where it is.
    pub(crate) state: Box<State>,
    /// Whether some step was drawn where there were several.
    pub(crate) chose: bool,
    empty: bool,
}

impl<'m, M: Model + ?Sized> Walker<'m, M> {
    pub(crate) fn new(model: &'m M, seed: Seed, choose: Option<&'m dyn Choose>) -> Self {
        let mut random = Random::new(seed);
        let mut initial = Vec::new();
        model.initial(&mut initial);
        let first = random.below(initial.len().max(1));
        let state = initial.get(first).cloned().unwrap_or_default();
        let steps = Steps::new(model.signature().slots.len());
        let empty = initial.is_empty();
        let memory = choose.map_or(0, Choose::start);
        Self {
            model,
            random,
            choose,
            memory,
            steps,
            taken: 0,
            initial: narrow(first),
            state,
            chose: false,
            empty,
        }
    }

    /// Whether the model has no initial state.
    pub(crate) fn is_empty(&self) -> bool {
        self.empty
    }

    /// Asks the model for the steps from here.
    pub(crate) fn look(&mut self) -> Result<(), Fault> {
        self.steps.clear();
        self.model.steps(&self.state, &mut self.steps)
    }

    /// Whether nothing can change any more: there are no steps, or all of them lead back here.
    pub(crate) fn is_settled(&self) -> bool {
        self.steps.iter().all(|step| step.branches().all(|branch| *branch.target == *self.state))
    }

    /// How many steps were taken.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// What a step from here earns on top of the state's reward, where all of them earn the same.
    pub(crate) fn settled_reward(&self, reward: RewardId) -> Option<f64> {
        let earns =
            |step: motet_model::Step<'_>| self.model.facets().action_reward(reward, &self.state, step.action);
        let mut steps = self.steps.iter();
        let Some(first) = steps.next().map(earns) else { return Some(0.0) };
        steps.all(|step| earns(step) == first).then(|| first.to_f64())
    }

    /// One of the steps, and an outcome of it; `None` in a deadlock.
    pub(crate) fn draw(&mut self) -> Option<(Taken, Box<State>)> {
        let chosen = self.choose.and_then(|choose| choose.choose(&self.state, self.memory, &self.steps));
        self.chose |= chosen.is_none() && self.steps.len() > 1;
        let drawn = draw(&self.steps, chosen, &mut self.random);
        if let (Some(choose), Some((taken, _))) = (self.choose, &drawn) {
            self.memory = choose.remember(&self.state, self.memory, taken.delay);
        }
        drawn
    }

    /// Goes on from this state.
    pub(crate) fn enter(&mut self, state: Box<State>) {
        self.state = state;
        self.taken += 1;
    }
}

/// A process and one of its steps, unless that is decided already, and an outcome.
fn draw(steps: &Steps, chosen: Option<u32>, random: &mut Random) -> Option<(Taken, Box<State>)> {
    let ordinal = match chosen {
        Some(chosen) => chosen as usize,
        None => draw_step(steps, random)?,
    };
    let step = steps.get(ordinal)?;
    let mut left = random.draw();
    let (mut branch, mut target) = (0, None);
    for (number, outcome) in step.branches().enumerate().filter(|(_, b)| !b.chance.is_zero()) {
        (branch, target) = (number, Some(outcome.target));
        // The chance as a share of 2^64, rounded down; the last outcome takes what rounding leaves.
        let share = u64::try_from(outcome.chance.of_two_to_64()).unwrap_or(u64::MAX);
        if left < share {
            break;
        }
        left -= share;
    }
    let taken = Taken {
        ordinal: narrow(ordinal),
        branch: narrow(branch),
        process: step.process,
        action: step.action,
        delay: step.delay,
    };
    Some((taken, target?.into()))
}

/// A process, then one of its steps.
fn draw_step(steps: &Steps, random: &mut Random) -> Option<usize> {
    let mut processes: Vec<ProcessId> = steps.iter().map(|step| step.process).collect();
    processes.sort_unstable();
    processes.dedup();
    let process = *processes.get(random.below(processes.len()))?;
    let own: Vec<usize> =
        steps.iter().enumerate().filter(|(_, step)| step.process == process).map(|(at, _)| at).collect();
    Some(own[random.below(own.len())])
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("steps, branches and initial states are numbered with 32 bits")
}

/// Random numbers that a seed repeats: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// The numbers of this seed.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        let first = |seed| SplitMix64::seed_from_u64(seed).next_u64();
        Self(SplitMix64::seed_from_u64(first(seed.series) ^ first(seed.run)))
    }

    /// The next number, uniform over all of `u64`.
    pub fn draw(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `limit`; 0 if there is none.
    ///
    /// # Panics
    /// Never: the number is less than the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        let wide = u128::from(self.draw()) * limit as u128;
        usize::try_from(wide >> 64).expect("less than the limit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        // First outputs of SplitMix64 from seed 1234567, as given with its reference implementation.
        let mut random = Random(SplitMix64::seed_from_u64(1_234_567));
        let first: Vec<u64> = (0..3).map(|_| random.draw()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
