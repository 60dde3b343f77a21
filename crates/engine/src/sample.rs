//! Random runs, for a first look and for models too large to explore. They can show that a claim fails, never that it
//! holds.

use motet_evidence::{Run, Taken};
use motet_model::{Fault, Model, ProcessId, State, Steps};

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
    let mut random = Random::new(seed);
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let first = random.below(initial.len().max(1));
    let start = initial.get(first).cloned().unwrap_or_default();
    let mut run = Run { initial: narrow(first), states: vec![start], steps: Vec::new() };
    let mut steps = Steps::new(model.signature().slots.len());
    let mut now = 0_u64;
    while (run.steps.len() as u64) < length && !initial.is_empty() {
        steps.clear();
        if let Err(fault) = model.steps(&run.states[run.steps.len()], &mut steps) {
            return Sample { run, end: SampleEnd::Fault(fault) };
        }
        let Some((taken, target)) = draw(&steps, &mut random) else {
            return Sample { run, end: SampleEnd::Deadlock };
        };
        now = now.saturating_add(u64::from(taken.delay));
        if until.is_some_and(|until| now > until) {
            break;
        }
        run.steps.push(taken);
        run.states.push(target);
    }
    Sample { run, end: SampleEnd::Enough }
}

/// A process, one of its steps, an outcome.
fn draw(steps: &Steps, random: &mut Random) -> Option<(Taken, Box<State>)> {
    let mut processes: Vec<ProcessId> = steps.iter().map(|step| step.process).collect();
    processes.sort_unstable();
    processes.dedup();
    let process = *processes.get(random.below(processes.len()))?;
    let own: Vec<usize> =
        steps.iter().enumerate().filter(|(_, step)| step.process == process).map(|(at, _)| at).collect();
    let ordinal = own[random.below(own.len())];
    let step = steps.get(ordinal)?;
    let mut left = random.next();
    let (mut branch, mut target) = (0, None);
    for (number, outcome) in step.branches().enumerate().filter(|(_, b)| b.chance.numerator() > 0) {
        (branch, target) = (number, Some(outcome.target));
        // The chance as a share of 2^64, rounded down; the last outcome takes what rounding leaves.
        let chance = outcome.chance;
        let share = (u128::from(chance.numerator()) << 64) / u128::from(chance.denominator());
        let share = u64::try_from(share).unwrap_or(u64::MAX);
        if left < share {
            break;
        }
        left -= share;
    }
    let taken = Taken {
        ordinal: narrow(ordinal),
        branch: narrow(branch),
        process,
        action: step.action,
        delay: step.delay,
    };
    Some((taken, target?.into()))
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("steps, branches and initial states are numbered with 32 bits")
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn new(seed: Seed) -> Self {
        let start = Self(seed.series).next();
        Self(start ^ Self(seed.run).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 if there is none.
    fn below(&mut self, limit: usize) -> usize {
        let wide = u128::from(self.next()) * limit as u128;
        usize::try_from(wide >> 64).expect("less than the limit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        // First outputs of SplitMix64 from seed 1234567, as given with its reference implementation.
        let mut random = Random(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
