//! Numbers estimated from random runs, for models too large to explore. The runs are numbered and each has its own random
//! numbers, so that the result does not depend on how many threads share the work.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use motet_evidence::Taken;
use motet_model::{AtomId, Model, RewardId, State, TimeUnit};
use motet_property::{Bound, Path, RewardGoal, Unit};

use crate::exploration::threads::start;
use crate::runtime::monitor::{Known, Monitor};
use crate::statistical::sample::{Choose, Seed, Walker};

/// Runs that a thread takes at a time. The sums of a block are added in the order of blocks, so they do not depend on which
/// thread made them.
const BLOCK: u64 = 64;

/// What is estimated.
#[derive(Clone, Debug)]
pub enum Question {
    /// How probable it is that a run satisfies the formula.
    Probability(Path<AtomId>),
    /// What a run earns on average.
    Reward(RewardId, RewardGoal<AtomId>),
}

/// Which runs.
pub struct Sampling<'a> {
    /// The series of random numbers.
    pub series: u64,
    /// The numbers of the runs.
    pub runs: Range<u64>,
    /// Steps of a run at most.
    pub steps: u64,
    /// How many threads share the work.
    pub threads: usize,
    /// Who decides where there are several steps; chance, if nobody does.
    pub choose: Option<&'a dyn Choose>,
    /// Set by a user who wants to stop.
    pub interrupt: Option<&'a AtomicBool>,
}

/// What the runs say about a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Runs that satisfy the formula; runs that reached their goal or bound, for rewards.
    pub yes: u64,
    /// Runs that violate it; for rewards, runs that never reach the goal and stay where they are for ever.
    pub no: u64,
    /// Runs that were too short to tell.
    pub open: u64,
    /// What the runs earned that reached their goal or bound.
    pub sum: f64,
    /// The sum of the squares.
    pub squares: f64,
    /// For probabilities, what each run said in the order of runs; `None` where it was too short.
    pub verdicts: Vec<Option<bool>>,
    /// Whether some step was drawn at random where there were several.
    pub chose: bool,
}

/// Estimates all questions from the same runs.
#[must_use]
pub fn estimate(model: &dyn Model, questions: &[Question], sampling: &Sampling<'_>) -> Vec<Estimate> {
    let n_blocks = (sampling.runs.end.saturating_sub(sampling.runs.start)).div_ceil(BLOCK);
    let next = AtomicU64::new(0);
    let done: Mutex<Vec<(u64, Vec<Estimate>)>> = Mutex::new(Vec::new());
    let stopped = || sampling.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    let work = || {
        while !stopped() {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= n_blocks {
                break;
            }
            let first = sampling.runs.start + block * BLOCK;
            let runs = first..(first + BLOCK).min(sampling.runs.end);
            let mut sums = vec![Estimate::default(); questions.len()];
            runs.for_each(|run| one_run(model, questions, sampling, run, &mut sums));
            done.lock().expect("no thread panics while it adds its block").push((block, sums));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..sampling.threads {
            start(scope, work);
        }
        work();
    });
    let mut blocks = done.into_inner().expect("no thread panics while it adds its block");
    blocks.sort_by_key(|(block, _)| *block);
    let mut estimates = vec![Estimate::default(); questions.len()];
    for (number, (block, sums)) in blocks.into_iter().enumerate() {
        // After an interruption a later block may be there without an earlier one.
        if block != number as u64 {
            break;
        }
        estimates.iter_mut().zip(sums).for_each(|(estimate, sums)| estimate.add(sums));
    }
    estimates
}

/// How many runs make the estimate of a probability so good that it is off by more than half the width with a chance of at
/// most `1 - confidence` (Hoeffding 1963; Okamoto 1958).
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and saturates")]
pub fn chernoff_runs(width: f64, confidence: f64) -> u64 {
    let error = width / 2.0;
    ((2.0 / (1.0 - confidence)).ln() / (2.0 * error * error)).ceil() as u64
}

impl Estimate {
    /// Adds what later runs say.
    pub fn add(&mut self, other: Self) {
        self.yes += other.yes;
        self.no += other.no;
        self.open += other.open;
        self.sum += other.sum;
        self.squares += other.squares;
        self.verdicts.extend(other.verdicts);
        self.chose |= other.chose;
    }

    fn count(&mut self, answer: Option<bool>) {
        match answer {
            Some(true) => self.yes += 1,
            Some(false) => self.no += 1,
            None => self.open += 1,
        }
    }
}

/// A question along one run.
enum Watch<'q> {
    Formula(Monitor, Option<bool>),
    Reward(Purse<'q>),
}

fn one_run(
    model: &dyn Model,
    questions: &[Question],
    sampling: &Sampling<'_>,
    run: u64,
    sums: &mut [Estimate],
) {
    let unit = model.signature().unit;
    let mut walker = Walker::new(model, Seed { series: sampling.series, run }, sampling.choose);
    let mut watches: Vec<Watch<'_>> = questions.iter().map(|question| Watch::new(question, unit)).collect();
    let mut delay = 0;
    for taken in 0..=sampling.steps {
        watches.iter_mut().for_each(|watch| watch.arrive(model, &walker.state, delay, taken));
        let last = taken == sampling.steps || walker.is_empty();
        if last || watches.iter().all(Watch::is_decided) || walker.look().is_err() {
            break;
        }
        if walker.is_settled() {
            watches.iter_mut().for_each(|watch| watch.settle(model, &walker));
            break;
        }
        let Some((step, target)) = walker.draw() else { break };
        watches.iter_mut().for_each(|watch| watch.leave(model, &walker.state, step));
        delay = step.delay;
        walker.enter(target);
    }
    for (watch, sum) in watches.into_iter().zip(sums) {
        sum.chose |= walker.chose;
        match watch {
            Watch::Formula(_, answer) => {
                sum.count(answer);
                sum.verdicts.push(answer);
            }
            Watch::Reward(purse) => {
                sum.count(purse.reached);
                if purse.reached == Some(true) {
                    sum.sum += purse.earned;
                    sum.squares += purse.earned * purse.earned;
                }
            }
        }
    }
}

impl<'q> Watch<'q> {
    fn new(question: &'q Question, unit: TimeUnit) -> Self {
        match question {
            Question::Probability(path) => Self::Formula(Monitor::timed(path, unit), None),
            Question::Reward(reward, goal) => Self::Reward(Purse {
                reward: *reward,
                goal,
                goal_monitor: match goal {
                    RewardGoal::Until(path) => Some(Monitor::timed(path, unit)),
                    _ => None,
                },
                time: 0,
                earned: 0.0,
                reached: None,
            }),
        }
    }

    fn is_decided(&self) -> bool {
        match self {
            Self::Formula(_, answer) => answer.is_some(),
            Self::Reward(purse) => purse.reached.is_some(),
        }
    }

    fn arrive(&mut self, model: &dyn Model, state: &State, delay: u32, taken: u64) {
        match self {
            Self::Formula(monitor, answer @ None) => {
                *answer = known(monitor.read_after(delay, &|atom| model.holds(atom, state)));
            }
            Self::Formula(..) => {}
            Self::Reward(purse) => purse.arrive(model, state, delay, taken),
        }
    }

    fn leave(&mut self, model: &dyn Model, state: &State, step: Taken) {
        if let Self::Reward(purse) = self {
            purse.leave(model, state, step);
        }
    }

    /// The run stays where it is for ever.
    fn settle(&mut self, model: &dyn Model, walker: &Walker<'_, dyn Model + '_>) {
        let state = &walker.state;
        match self {
            Self::Formula(monitor, answer @ None) => {
                *answer = known(monitor.end(&|atom| model.holds(atom, state)));
            }
            Self::Formula(..) => {}
            Self::Reward(purse) => purse.settle(model, walker),
        }
    }
}

fn known(known: Known) -> Option<bool> {
    match known {
        Known::Satisfied => Some(true),
        Known::Violated => Some(false),
        Known::Open => None,
    }
}

/// What a run has earned so far.
struct Purse<'q> {
    reward: RewardId,
    goal: &'q RewardGoal<AtomId>,
    goal_monitor: Option<Monitor>,
    /// Model time since the start.
    time: u64,
    earned: f64,
    /// Whether the goal or the bound was reached; `Some(false)` when it never is.
    reached: Option<bool>,
}

/// Whether a bound counts the model's own time.
fn is_time(bound: &Bound) -> bool {
    !matches!(bound.unit, None | Some(Unit::Steps))
}

impl Purse<'_> {
    /// How far a bound has come: steps, or the model's own time.
    fn come(&self, bound: &Bound, taken: u64) -> u64 {
        match bound.unit {
            None | Some(Unit::Steps) => taken,
            Some(_) => self.time,
        }
    }

    fn arrive(&mut self, model: &dyn Model, state: &State, delay: u32, taken: u64) {
        if self.reached.is_some() {
            return;
        }
        self.time += u64::from(delay);
        match self.goal {
            RewardGoal::Until(_) => {
                let holds = |atom| model.holds(atom, state);
                let said = self.goal_monitor.as_mut().map(|monitor| monitor.read_after(delay, &holds));
                self.reached = said.and_then(known);
            }
            RewardGoal::Cumulative(Some(bound)) => {
                let come = self.come(bound, taken);
                // At the last instant of a time everything counts; with the last step everything is over.
                if come > bound.amount || come == bound.amount && (bound.strict || !is_time(bound)) {
                    self.reached = Some(true);
                }
            }
            RewardGoal::Instant(bound) => {
                if self.come(bound, taken) >= bound.amount {
                    self.earned = model.facets().state_reward(self.reward, state).to_f64();
                    self.reached = Some(true);
                }
            }
            RewardGoal::Cumulative(None) | RewardGoal::Average => {}
        }
    }

    fn leave(&mut self, model: &dyn Model, state: &State, step: Taken) {
        let instant = matches!(self.goal, RewardGoal::Instant(_));
        if let RewardGoal::Cumulative(Some(bound)) = self.goal
            && is_time(bound)
            && self.reached.is_none()
            && self.time + u64::from(step.delay) > bound.amount
        {
            // What lasts beyond the end earns its share (`chance::accrual`).
            #[expect(clippy::cast_precision_loss, reason = "bounds are far below 2^52")]
            let share = bound.amount.saturating_sub(self.time) as f64 / f64::from(step.delay);
            self.earned += share * model.facets().state_reward(self.reward, state).to_f64();
            self.reached = Some(true);
            return;
        }
        if self.reached.is_none() && !instant {
            self.earned += model.facets().state_reward(self.reward, state).to_f64();
            self.earned += model.facets().action_reward(self.reward, state, step.action).to_f64();
        }
    }

    fn settle(&mut self, model: &dyn Model, walker: &Walker<'_, dyn Model + '_>) {
        if self.reached.is_some() {
            return;
        }
        let state = &walker.state;
        let each = model.facets().state_reward(self.reward, state).to_f64();
        let moving = walker.settled_reward(self.reward);
        self.reached = match self.goal {
            RewardGoal::Until(_) => Some(false),
            RewardGoal::Instant(_) => {
                self.earned = each;
                Some(true)
            }
            RewardGoal::Cumulative(None) => Some(each == 0.0 && moving == Some(0.0)),
            // The rest of the steps earn the same; where they could earn different amounts nobody knows.
            RewardGoal::Cumulative(Some(bound)) => {
                let steps = match bound.unit {
                    None | Some(Unit::Steps) => bound.amount.saturating_sub(walker.taken()),
                    // Where it stays it stays for all of the time.
                    Some(_) if each == 0.0 && moving == Some(0.0) => 0,
                    Some(_) => return,
                };
                let Some(moving) = moving else { return };
                #[expect(clippy::cast_precision_loss, reason = "bounds are far below 2^52")]
                let rest = steps as f64 * (each + moving);
                self.earned += rest;
                Some(true)
            }
            RewardGoal::Average => None,
        };
    }
}
