//! The model state by state, for programs that read nothing else.

use std::collections::{BTreeMap, HashMap};

use motet_model::{ActionId, AtomId, Fault, Model, ProcessId, Ratio, RewardId, State, Steps, Words};
use motet_render::Explicit;
use motet_source::{Problem, Span};

use crate::load::Ready;

/// States that are written unless the user says otherwise.
pub const MOST_STATES: u64 = 1_000_000;

/// A model that was explored and laid out.
pub(crate) struct LaidOut {
    /// States, choices, labels for the atoms of all claims, rewards.
    pub(crate) model: Explicit,
    /// Whether each step takes one unit of the model's time, so that counting units is counting steps.
    pub(crate) pace: Pace,
}

/// How long steps take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// One unit each.
    Even,
    /// It depends.
    Uneven,
}

/// Why a model cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// There are more states than this.
    TooMany(u64),
    /// A bound of the model is exceeded.
    Fault(Fault),
    /// There is no initial state.
    Nothing,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooMany(limit) => write!(f, "the model has more than {limit} states"),
            Self::Fault(fault) => write!(f, "the model cannot be written to its end: {fault}"),
            Self::Nothing => f.write_str("the model has no initial state"),
        }
    }
}

impl Obstacle {
    fn problem(&self, place: Span) -> Box<Problem> {
        let (code, help) = match self {
            Self::TooMany(_) => {
                ("M0963", "raise the limit with --states N, or make the instance smaller with -D")
            }
            Self::Fault(_) => ("M0964", "raise the bound with --bound NAME=N, or repair the model there"),
            Self::Nothing => ("M0964", "check the model: nothing can happen in it"),
        };
        Box::new(Problem::error(code, place, self.to_string(), help))
    }
}

/// Explores the model and lays it out, at most `limit` states. `command` stands in the first line of what is written;
/// `place` is where a problem points.
///
/// # Errors
/// When there are more states, or the model cannot say what comes next.
pub(crate) fn lay_out(
    ready: &Ready,
    command: &str,
    limit: u64,
    place: Span,
) -> Result<LaidOut, Box<Problem>> {
    explore(ready, command, limit).map_err(|obstacle| obstacle.problem(place))
}

/// The same with the bare reason.
pub(crate) fn explore(ready: &Ready, command: &str, limit: u64) -> Result<LaidOut, Obstacle> {
    let mut explorer = Explorer::new(ready, command, limit)?;
    let mut from = 0;
    while from < explorer.states.len() {
        explorer.expand(from)?;
        from += 1;
    }
    explorer.written.finish();
    Ok(LaidOut { model: explorer.written, pace: explorer.pace })
}

struct Explorer<'r> {
    model: &'r dyn Model,
    words: &'r dyn Words,
    written: Explicit,
    states: Vec<Box<State>>,
    /// Only looked up, never walked through, so its order does not matter.
    numbers: HashMap<Box<State>, u32>,
    actions: BTreeMap<(ProcessId, ActionId), u32>,
    steps: Steps,
    pace: Pace,
    limit: u64,
}

impl<'r> Explorer<'r> {
    fn new(ready: &'r Ready, command: &str, limit: u64) -> Result<Self, Obstacle> {
        let model = ready.system.model.as_ref();
        let signature = model.signature();
        let rewards: Vec<String> = signature.rewards.iter().map(|reward| reward.name.clone()).collect();
        let mut explorer = Self {
            model,
            words: ready.system.words.as_ref(),
            written: Explicit::new(command, &signature.atoms, &rewards),
            states: Vec::new(),
            numbers: HashMap::new(),
            actions: BTreeMap::new(),
            steps: Steps::new(signature.slots.len()),
            pace: Pace::Even,
            // States are numbered in 32 bits.
            limit: limit.min(u64::from(u32::MAX) - 1),
        };
        let mut initial = Vec::new();
        model.initial(&mut initial);
        for state in initial {
            let number = explorer.number(&state)?;
            if !explorer.written.initial.contains(&number) {
                explorer.written.initial.push(number);
            }
        }
        if explorer.states.is_empty() { Err(Obstacle::Nothing) } else { Ok(explorer) }
    }

    fn number(&mut self, state: &State) -> Result<u32, Obstacle> {
        if let Some(number) = self.numbers.get(state) {
            return Ok(*number);
        }
        if self.states.len() as u64 >= self.limit {
            return Err(Obstacle::TooMany(self.limit));
        }
        let number = u32::try_from(self.states.len()).expect("the limit is below 2^32");
        self.states.push(state.into());
        self.numbers.insert(state.into(), number);
        Ok(number)
    }

    fn expand(&mut self, from: usize) -> Result<(), Obstacle> {
        let state = self.states[from].clone();
        let model = self.model;
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        model.steps(&state, &mut steps).map_err(Obstacle::Fault)?;
        let atom = |index: usize| AtomId(u32::try_from(index).expect("atoms are numbered in 32 bits"));
        let reward = |index: usize| RewardId(u32::try_from(index).expect("rewards are numbered in 32 bits"));
        self.written.begin_state(
            |index| model.holds(atom(index), &state),
            |index| model.state_reward(reward(index), &state),
        );
        for step in steps.iter() {
            if step.delay != 1 {
                self.pace = Pace::Uneven;
            }
            let action = self.action(step.process, step.action);
            let mut branches: Vec<(u32, Ratio)> = Vec::with_capacity(step.branches().len());
            for branch in step.branches() {
                branches.push((self.number(branch.target)?, branch.chance));
            }
            let earns = |index: usize| model.action_reward(reward(index), &state, step.action);
            self.written.add_choice(action, earns, branches);
            self.written.fair_to(model.subject(step.process, step.action));
        }
        self.steps = steps;
        Ok(())
    }

    /// Who does what: the same words of different processes are different actions.
    fn action(&mut self, process: ProcessId, action: ActionId) -> u32 {
        if let Some(number) = self.actions.get(&(process, action)) {
            return *number;
        }
        let who = self.model.signature().processes.get(process.index()).map_or("", String::as_str);
        let what = self.words.action(action);
        let number = self.written.add_action(format!("{who} {what}").trim_start());
        self.actions.insert((process, action), number);
        number
    }
}
