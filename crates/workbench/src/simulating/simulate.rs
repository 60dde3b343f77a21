//! Random runs: one to look at, or many to count.

use motet_engine::{Choose, Known, Monitor, Sample, SampleEnd, Seed, sample_with};
use motet_evidence::Evidence;
use motet_model::{Model, State};
use motet_property::{Interval, Kind, Path};
use motet_render::{ClaimTally, Simulation};
use motet_source::Sources;

use crate::loading::load::Ready;
use crate::simulating::estimate::is_estimated;
use crate::simulating::tally::Tally;

/// One random run.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The run.
    pub evidence: Evidence,
    /// How it ended.
    pub end: SampleEnd,
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

/// Many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// How many.
    pub runs: u64,
    /// How long each.
    pub length: Length,
    /// The seed.
    pub seed: u64,
}

/// How long a run is at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Steps.
    pub steps: u64,
    /// Time in the model's unit, if that matters.
    pub time: Option<u64>,
}

/// One random run with what it decides. The same seed and number give the same run on every platform.
#[must_use]
pub fn walk(ready: &Ready, seed: Seed, length: Length) -> Walk {
    walk_with(ready, seed, length, None)
}

/// The same, with somebody who decides where there are several steps.
#[must_use]
pub fn walk_with(ready: &Ready, seed: Seed, length: Length, choose: Option<&dyn Choose>) -> Walk {
    let model = ready.system.model.as_ref();
    let Sample { run, end } = sample_with(model, seed, length.steps, length.time, choose);
    let mut watchers = Watchers::new(ready);
    for (steps, state) in run.states.iter().enumerate() {
        let delay = steps.checked_sub(1).map_or(0, |before| run.steps[before].delay);
        watchers.read(model, state, delay, steps);
    }
    if let (SampleEnd::Deadlock, Some(last)) = (&end, run.states.last()) {
        watchers.end(model, last, run.steps.len());
    }
    let evidence = Evidence::finite(run);
    Walk { evidence, end, decided: watchers.decided }
}

/// The claims along one run.
struct Watchers {
    open: Vec<(usize, Monitor)>,
    decided: Vec<Decided>,
}

impl Watchers {
    fn new(ready: &Ready) -> Self {
        let unit = ready.system.model.signature().unit;
        let watched = ready.claims.iter().enumerate().filter_map(|(claim, item)| match item.kind {
            Kind::Property => Some((claim, Monitor::timed(&item.formula, unit))),
            // That a run reaches it satisfies a possibility; that it does not says nothing.
            Kind::Possible => {
                let reached = Path::Eventually(Interval::default(), Box::new(item.formula.clone()));
                Some((claim, Monitor::timed(&reached, unit)))
            }
            Kind::Query | Kind::Assume => None,
        });
        Self { open: watched.collect(), decided: Vec::new() }
    }

    fn read(&mut self, model: &dyn Model, state: &State, delay: u32, steps: usize) {
        self.settle(steps, &mut |monitor| monitor.read_after(delay, &|atom| model.holds(atom, state)));
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
pub fn simulate(
    ready: &Ready,
    sources: &Sources,
    series: Series,
    choose: Option<&dyn Choose>,
    watch: &mut dyn FnMut(u64) -> Proceed,
) -> Simulation {
    let unit = ready.system.model.signature().unit;
    let mut simulation =
        Simulation { steps: series.length.steps, time: series.length.time, unit, ..Simulation::default() };
    simulation.claims = ready
        .claims
        .iter()
        .map(|claim| ClaimTally { name: claim.name.clone(), ..ClaimTally::default() })
        .collect();
    let mut notices: Vec<(String, u64)> = Vec::new();
    let mut tally = Tally::new(ready);
    for run in 0..series.runs {
        let walk = walk_with(ready, Seed { series: series.seed, run }, series.length, choose);
        simulation.runs += 1;
        tally.count(ready, sources, &walk.evidence, run);
        match walk.end {
            SampleEnd::Enough => {}
            SampleEnd::Deadlock => simulation.stuck += 1,
            SampleEnd::Fault(_) => simulation.exceeded += 1,
        }
        for decided in &walk.decided {
            let possible = ready.claims[decided.claim].kind == Kind::Possible;
            let claim = &mut simulation.claims[decided.claim];
            if !decided.violated {
                claim.satisfied += 1;
            } else if !possible {
                claim.violated += 1;
                claim.first.get_or_insert(run);
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
    tally.finish(ready, &mut simulation);
    // A single run says nothing about a number; `estimates` has them.
    let mut claims = ready.claims.iter();
    simulation.claims.retain(|_| claims.next().is_some_and(|claim| !is_estimated(claim)));
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
