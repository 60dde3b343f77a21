//! Random runs: one to look at, or many to count.

use motet_evidence::{Evidence, Fairness, Run, Taken};
use motet_model::{Fault, Model, ProcessId, State, Steps};
use motet_property::{Interval, Kind, Path};
use motet_render::{ClaimTally, Simulation};

use crate::load::Ready;
use crate::monitor::{Known, Monitor};
use crate::random::Random;

/// One random run.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The run.
    pub evidence: Evidence,
    /// How it ended.
    pub end: WalkEnd,
    /// Per claim: decided on the run so far, and by which step; claims that stay open are absent.
    pub decided: Vec<Decided>,
}

/// A claim that a run decides, whatever comes after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Which claim.
    pub claim: usize,
    /// Whether the run violates it.
    pub violated: bool,
    /// After how many steps.
    pub steps: usize,
}

/// How a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// After as many steps as asked for.
    Enough,
    /// Nothing can happen any more.
    Stuck,
    /// A bound of the model was exceeded.
    Exceeded(Fault),
}

/// Many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// How many.
    pub runs: u64,
    /// Steps of each at most.
    pub steps: u64,
    /// The seed.
    pub seed: u64,
}

/// One run: in each state a process is drawn, then one of its steps, then the outcome of chance. The same seed and
/// number give the same run on every platform.
#[must_use]
pub fn walk(ready: &Ready, seed: u64, run: u64, n_steps: u64) -> Walk {
    let model = ready.system.model.as_ref();
    let mut random = Random::of_run(seed, run);
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let first = random.below(initial.len().max(1));
    let start = initial.get(first).cloned().unwrap_or_default();
    let mut watchers = Watchers::new(ready);
    watchers.read(model, &start, 0);
    let number = u32::try_from(first).unwrap_or(u32::MAX);
    let mut run = Run { initial: number, states: vec![start], steps: Vec::new() };
    let mut steps = Steps::new(model.signature().slots.len());
    let end = loop {
        if run.steps.len() as u64 >= n_steps {
            break WalkEnd::Enough;
        }
        let here = run.states.last().expect("a run has a first state");
        steps.clear();
        if let Err(fault) = model.steps(here, &mut steps) {
            break WalkEnd::Exceeded(fault);
        }
        let Some((taken, target)) = draw(&steps, &mut random) else {
            watchers.end(model, here, run.steps.len());
            break WalkEnd::Stuck;
        };
        watchers.read(model, &target, run.steps.len() + 1);
        run.steps.push(taken);
        run.states.push(target);
    };
    let evidence = Evidence { run, loop_start: None, fairness: Fairness::None };
    Walk { evidence, end, decided: watchers.decided }
}

/// A process, one of its steps, an outcome.
fn draw(steps: &Steps, random: &mut Random) -> Option<(Taken, Box<State>)> {
    let mut processes: Vec<ProcessId> = steps.iter().map(|step| step.process).collect();
    processes.sort();
    processes.dedup();
    if processes.is_empty() {
        return None;
    }
    let process = processes[random.below(processes.len())];
    let own: Vec<usize> = steps
        .iter()
        .enumerate()
        .filter(|(_, step)| step.process == process)
        .map(|(ordinal, _)| ordinal)
        .collect();
    let ordinal = own[random.below(own.len())];
    let step = steps.get(ordinal).expect("the ordinal was listed");
    let mut left = random.next();
    let mut chosen = 0;
    for (branch, outcome) in step.branches().enumerate() {
        chosen = branch;
        // The chance as a share of 2^64, rounded down; the last outcome takes what rounding leaves.
        let chance = outcome.chance;
        let share = (u128::from(chance.numerator()) << 64) / u128::from(chance.denominator().max(1));
        let share = u64::try_from(share).unwrap_or(u64::MAX);
        if left < share {
            break;
        }
        left -= share;
    }
    let target: Box<State> = step.branches().nth(chosen).expect("a step has an outcome").target.into();
    let number = |at: usize| u32::try_from(at).expect("a state has fewer than 2^32 steps");
    let taken = Taken { ordinal: number(ordinal), branch: number(chosen), process, action: step.action };
    Some((taken, target))
}

/// The claims along one run.
struct Watchers {
    open: Vec<(usize, Monitor)>,
    decided: Vec<Decided>,
}

impl Watchers {
    fn new(ready: &Ready) -> Self {
        let watched = ready.claims.iter().enumerate().filter_map(|(claim, item)| match item.kind {
            Kind::Property => Some((claim, Monitor::new(&item.formula))),
            // That a run reaches it satisfies a possibility; that it does not says nothing.
            Kind::Possible => {
                let reached = Path::Eventually(Interval::default(), Box::new(item.formula.clone()));
                Some((claim, Monitor::new(&reached)))
            }
            Kind::Query | Kind::Assume => None,
        });
        Self { open: watched.collect(), decided: Vec::new() }
    }

    fn read(&mut self, model: &dyn Model, state: &State, steps: usize) {
        self.settle(steps, &mut |monitor| monitor.read(&|atom| model.holds(atom, state)));
    }

    fn end(&mut self, model: &dyn Model, state: &State, steps: usize) {
        self.settle(steps, &mut |monitor| monitor.end(&|atom| model.holds(atom, state)));
    }

    fn settle(&mut self, steps: usize, ask: &mut dyn FnMut(&mut Monitor) -> Known) {
        let decided = &mut self.decided;
        self.open.retain_mut(|(claim, monitor)| match ask(monitor) {
            Known::Open => true,
            known => {
                decided.push(Decided { claim: *claim, violated: known == Known::Violated, steps });
                false
            }
        });
    }
}

/// Many runs, counted. `watch` is told after each run and answers whether to go on.
#[must_use]
pub fn simulate(ready: &Ready, series: Series, watch: &mut dyn FnMut(u64) -> Proceed) -> Simulation {
    let mut simulation = Simulation { steps: series.steps, ..Simulation::default() };
    simulation.claims = ready
        .claims
        .iter()
        .map(|claim| ClaimTally { name: claim.name.clone(), ..ClaimTally::default() })
        .collect();
    let mut notices: Vec<(String, u64)> = Vec::new();
    for run in 0..series.runs {
        let walk = walk(ready, series.seed, run, series.steps);
        simulation.runs += 1;
        match walk.end {
            WalkEnd::Enough => {}
            WalkEnd::Stuck => simulation.stuck += 1,
            WalkEnd::Exceeded(_) => simulation.exceeded += 1,
        }
        for decided in &walk.decided {
            let possible = ready.claims[decided.claim].kind == Kind::Possible;
            let tally = &mut simulation.claims[decided.claim];
            if !decided.violated {
                tally.satisfied += 1;
            } else if !possible {
                tally.violated += 1;
                tally.first.get_or_insert(run);
            }
        }
        for message in happened(ready, &walk) {
            match notices.iter_mut().find(|(known, _)| *known == message) {
                Some((_, runs)) => *runs += 1,
                None => notices.push((message, 1)),
            }
        }
        if watch(run + 1) == Proceed::Stop {
            break;
        }
    }
    simulation.notices = notices;
    simulation
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proceed {
    /// Yes.
    Go,
    /// No.
    Stop,
}

/// The notices of one run, each once.
fn happened(ready: &Ready, walk: &Walk) -> Vec<String> {
    let mut messages = Vec::new();
    for taken in &walk.evidence.run.steps {
        if let Some(notice) = ready.system.review.happened(taken.action) {
            let message = format!("{} [{}]", notice.message, notice.code);
            if !messages.contains(&message) {
                messages.push(message);
            }
        }
    }
    messages
}
