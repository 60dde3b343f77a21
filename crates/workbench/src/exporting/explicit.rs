//! The model state by state, for programs that read nothing else.

use std::collections::BTreeMap;

use motet_engine::{Limits, Place, Settings, Space};
use motet_evidence::Stop;
use motet_model::{ActionId, AtomId, Fault, Model, ProcessId, Ratio, RewardId, Words};
use motet_render::{Explicit, stop_reason};
use motet_source::{Problem, Span};

use crate::loading::load::Ready;

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
    /// Another limit ended the search.
    Limit(Stop),
    /// A bound of the model is exceeded.
    Fault(Fault),
    /// There is no initial state.
    Nothing,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooMany(limit) => write!(f, "the model has more than {limit} states"),
            Self::Limit(stop) => {
                write!(f, "the model was not written to its end: {}", stop_reason(stop))
            }
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
            Self::Limit(_) => {
                ("M0963", "make the instance smaller with -D, or take a machine with more memory")
            }
            Self::Fault(_) => ("M0964", "raise the bound with --bound NAME=N, or repair the model there"),
            Self::Nothing => ("M0964", "check the model: nothing can happen in it"),
        };
        Box::new(Problem::error(code, place, self.to_string(), help))
    }
}

/// Explores the model and lays it out, up to the limits. `command` stands in the first line of what is written;
/// `place` is where a problem points.
///
/// # Errors
/// When there are more states, or the model cannot say what comes next.
pub(crate) fn lay_out(
    ready: &Ready,
    command: &str,
    limits: &Limits,
    place: Span,
) -> Result<LaidOut, Box<Problem>> {
    explore(ready, command, limits).map_err(|obstacle| obstacle.problem(place))
}

/// The same with the bare reason.
pub(crate) fn explore(ready: &Ready, command: &str, limits: &Limits) -> Result<LaidOut, Obstacle> {
    // States are numbered in 32 bits.
    let most = limits.states.unwrap_or(MOST_STATES).min(u64::from(u32::MAX) - 1);
    let settings =
        Settings { limits: Limits { states: Some(most), ..limits.clone() }, ..Settings::default() };
    let mut unwatched = |_| {};
    let model = ready.system.model.as_ref();
    let space = Space::explore(model, &settings, &mut unwatched);
    if let Some((fault, _)) = space.fault() {
        return Err(Obstacle::Fault(fault.clone()));
    }
    match space.stop() {
        None if u64::from(space.n_states()) <= most => {}
        None | Some(Stop::States) => return Err(Obstacle::TooMany(most)),
        Some(stop) => return Err(Obstacle::Limit(stop)),
    }
    if space.n_states() == 0 {
        return Err(Obstacle::Nothing);
    }
    let mut scribe = Scribe::new(ready, command, space.n_initial());
    space
        .walk(&|_| true, &mut |place| {
            scribe.write(&place);
            Ok(())
        })
        .map_err(Obstacle::Limit)?;
    scribe.written.finish();
    Ok(LaidOut { model: scribe.written, pace: scribe.pace })
}

/// Writes states down as they come.
struct Scribe<'r> {
    model: &'r dyn Model,
    words: &'r dyn Words,
    written: Explicit,
    actions: BTreeMap<(ProcessId, ActionId), u32>,
    pace: Pace,
}

impl<'r> Scribe<'r> {
    fn new(ready: &'r Ready, command: &str, n_initial: u32) -> Self {
        let model = ready.system.model.as_ref();
        let signature = model.signature();
        let rewards: Vec<String> = signature.rewards.iter().map(|reward| reward.name.clone()).collect();
        let mut written = Explicit::new(command, &signature.atoms, &rewards);
        written.initial = (0..n_initial).collect();
        let words = ready.system.words.as_ref();
        Self { model, words, written, actions: BTreeMap::new(), pace: Pace::Even }
    }

    fn write(&mut self, place: &Place<'_>) {
        let (model, facets, state) = (self.model, self.model.facets(), place.state);
        let atom = |index: usize| AtomId(u32::try_from(index).expect("atoms are numbered in 32 bits"));
        let reward = |index: usize| RewardId(u32::try_from(index).expect("rewards are numbered in 32 bits"));
        self.written.begin_state(
            |index| model.holds(atom(index), state),
            |index| facets.state_reward(reward(index), state),
        );
        let mut targets = place.targets.iter().copied();
        for step in place.steps.iter() {
            if step.delay != 1 {
                self.pace = Pace::Uneven;
            }
            let action = self.action(step.process, step.action);
            let possible = step.branches().filter(|branch| !branch.chance.is_zero());
            let branches: Vec<(u32, Ratio)> = possible
                .map(|branch| (targets.next().expect("every possible branch leads somewhere"), branch.chance))
                .collect();
            let earns = |index: usize| facets.action_reward(reward(index), state, step.action);
            self.written.add_choice(action, earns, branches);
            self.written.fair_to(facets.subject(step.process, step.action));
        }
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
