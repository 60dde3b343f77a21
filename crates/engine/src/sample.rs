//! Random runs, for a first look and for models too large to explore. They can show that a claim fails, never that it
//! holds.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use motet_evidence::{Run, Taken};
use motet_model::{ActionId, AtomId, Fault, Model, ProcessId, State, Steps};
use motet_property::{Claim, Formula, Kind};

use crate::atoms::atoms_of;
use crate::linear::reached;
use crate::quest::{Quest, Wanted};

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
    /// After as many steps as asked for.
    Enough,
    /// In a deadlock.
    Deadlock,
    /// The model could not say what comes next.
    Fault(Fault),
}

/// Many random runs, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// How many runs were made.
    pub runs: u64,
    /// How many ended in a deadlock.
    pub deadlocks: u64,
    /// How many ended where the model could not go on.
    pub faults: u64,
    /// How often each action was taken.
    pub actions: BTreeMap<ActionId, u64>,
    /// On how many runs each atom of the claims held at least once.
    pub atoms: BTreeMap<AtomId, u64>,
    /// Per claim about single states, by its position. Other claims are absent: a finite run does not decide them.
    pub decided: BTreeMap<usize, Decided>,
}

/// On how many runs some state decided a claim: broke a property, or reached a possibility.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// How many.
    pub runs: u64,
    /// The first of them.
    pub first: Option<u64>,
}

/// One random run of at most `length` steps. In each state a process is drawn, then one of its steps, then the outcome of
/// chance: with probability one such a run, if it went on for ever, would be weakly fair.
#[must_use]
pub fn sample<M: Model + ?Sized>(model: &M, seed: Seed, length: u64) -> Sample {
    let mut random = Random::new(seed);
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let first = random.below(initial.len().max(1));
    let start = initial.get(first).cloned().unwrap_or_default();
    let mut run = Run { initial: narrow(first), states: vec![start], steps: Vec::new() };
    let mut steps = Steps::new(model.signature().slots.len());
    while (run.steps.len() as u64) < length && !initial.is_empty() {
        steps.clear();
        if let Err(fault) = model.steps(&run.states[run.steps.len()], &mut steps) {
            return Sample { run, end: SampleEnd::Fault(fault) };
        }
        let Some((taken, target)) = draw(&steps, &mut random) else {
            return Sample { run, end: SampleEnd::Deadlock };
        };
        run.steps.push(taken);
        run.states.push(target);
    }
    Sample { run, end: SampleEnd::Enough }
}

/// The first `runs` runs of a series, counted. `watch` is told after each run and says whether to go on.
pub fn survey<M: Model + ?Sized>(
    model: &M,
    claims: &[Claim<AtomId>],
    series: u64,
    runs: u64,
    length: u64,
    watch: &mut dyn FnMut(&Survey) -> ControlFlow<()>,
) -> Survey {
    let goals = goals(model, claims);
    let atoms = atoms_of(claims);
    let mut survey = Survey::default();
    for run in 0..runs {
        let sample = sample(model, Seed { series, run }, length);
        survey.runs += 1;
        survey.deadlocks += u64::from(sample.end == SampleEnd::Deadlock);
        survey.faults += u64::from(matches!(sample.end, SampleEnd::Fault(_)));
        for taken in &sample.run.steps {
            *survey.actions.entry(taken.action).or_default() += 1;
        }
        for &atom in &atoms {
            let seen = sample.run.states.iter().any(|state| model.holds(atom, state));
            *survey.atoms.entry(atom).or_default() += u64::from(seen);
        }
        for (claim, goal) in &goals {
            let decided = survey.decided.entry(*claim).or_default();
            if sample.meets(model, goal) {
                decided.runs += 1;
                decided.first.get_or_insert(run);
            }
        }
        if watch(&survey).is_break() {
            break;
        }
    }
    survey
}

/// The claims that a single state decides, and what that state has to satisfy.
fn goals<M: Model + ?Sized>(model: &M, claims: &[Claim<AtomId>]) -> Vec<(usize, Formula<AtomId>)> {
    let unit = model.signature().unit;
    let quest = |claim: &Claim<AtomId>| match claim.kind {
        Kind::Property => Quest::new(&[], &claim.formula, Wanted::Breaks, unit).ok(),
        Kind::Possible => Quest::new(&[], &reached(&claim.formula), Wanted::Satisfies, unit).ok(),
        Kind::Query | Kind::Assume => None,
    };
    let goal = |(number, claim)| match quest(claim) {
        Some(Quest::Goal(goal)) => Some((number, goal)),
        _ => None,
    };
    claims.iter().enumerate().filter_map(goal).collect()
}

impl Sample {
    /// Whether some state of the run satisfies a state formula. That the last state is a deadlock is known only if the
    /// run ended for that reason.
    fn meets<M: Model + ?Sized>(&self, model: &M, goal: &Formula<AtomId>) -> bool {
        let last = self.run.steps.len();
        self.run.states.iter().enumerate().any(|(at, state)| {
            let deadlock = match self.end {
                SampleEnd::Deadlock => Some(at == last),
                _ if at < last => Some(false),
                _ => None,
            };
            holds(model, goal, state, deadlock) == Some(true)
        })
    }
}

/// The value of a state formula; `None` if it depends on a deadlock that is not known.
fn holds<M: Model + ?Sized>(
    model: &M,
    formula: &Formula<AtomId>,
    state: &State,
    deadlock: Option<bool>,
) -> Option<bool> {
    let holds = |formula| holds(model, formula, state, deadlock);
    match formula {
        Formula::True => Some(true),
        Formula::Deadlock => deadlock,
        Formula::Atom(atom) => Some(model.holds(*atom, state)),
        Formula::Not(a) => Some(!holds(a)?),
        Formula::And(a, b) => Some(holds(a)? && holds(b)?),
        Formula::Or(a, b) => Some(holds(a)? || holds(b)?),
        Formula::Implies(a, b) => Some(!holds(a)? || holds(b)?),
        Formula::Iff(a, b) => Some(holds(a)? == holds(b)?),
        _ => Some(false),
    }
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
    let taken = Taken { ordinal: narrow(ordinal), branch: narrow(branch), process, action: step.action };
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
