//! What an exploration found: states, how each was first reached, and on request the steps between them.

mod rows;

use motet_evidence::{Run, Stop, Taken};
use motet_model::{ActionId, AtomId, Fault, Model, Steps, SubjectId};

pub(crate) use self::rows::{Earned, Ordered, Ratios, Rows};
use crate::storage::bits::Bits;
use crate::storage::chunks::Chunks;
use crate::storage::spill::Spilling;
use crate::storage::store::{Arena, Store};

/// No state.
pub(crate) const NONE: u32 = u32::MAX;

/// The reachable part of a model, as far as it was explored.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) store: Arena,
    /// The state of each of the model's initial states, in the model's order.
    pub(crate) initial: Vec<u32>,
    /// Whence each state was first reached; [`NONE`] for initial states.
    pub(crate) parents: Chunks<u32>,
    pub(crate) rows: Option<Rows>,
    /// States whose steps are known: expanded, and without a fault.
    pub(crate) settled: Bits,
    /// Settled states without steps.
    pub(crate) deadlocks: Bits,
    pub(crate) atoms: Vec<AtomId>,
    /// Per element of `atoms`: the states where it holds.
    pub(crate) columns: Vec<Bits>,
    /// Per action: the first state it was taken in and its ordinal there.
    pub(crate) actions: Vec<(u32, u32)>,
    /// The first state where the model could not say what comes next.
    pub(crate) fault: Option<(u32, Fault)>,
    /// What states and steps earn, for the rewards that claims ask for.
    pub(crate) earnings: Vec<Earned>,
    pub(crate) transitions: u64,
    /// Steps, each counted once however many outcomes it has.
    pub(crate) choices: u64,
    pub(crate) depth: u64,
    pub(crate) open: u64,
    /// States of which only a part of the steps was taken, because the others can wait.
    pub(crate) partly: u64,
    pub(crate) end: End,
}

/// How an exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Every reachable state was expanded.
    Complete,
    /// Everything that was asked was decided.
    Decided,
    /// A limit was reached.
    Stopped(Stop),
}

impl End {
    /// The limit, if it was one.
    pub(crate) fn stop(&self) -> Option<Stop> {
        match self {
            Self::Stopped(stop) => Some(stop.clone()),
            Self::Complete | Self::Decided => None,
        }
    }
}

impl Graph {
    /// How many states were found.
    pub(crate) fn n_states(&self) -> usize {
        self.store.len()
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.end == End::Complete && self.fault.is_none()
    }

    /// Why an answer that needs every state cannot be given; `None` when it can.
    pub(crate) fn obstacle(&self) -> Option<Stop> {
        match &self.fault {
            Some((_, fault)) => Some(Stop::Bound(fault.message.clone())),
            None => self.end.stop(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let columns: u64 = self.columns.iter().map(Bits::bytes).sum();
        let rows = self.rows.as_ref().map_or(0, Rows::bytes);
        let actions = 8 * self.actions.capacity() as u64;
        self.store.bytes()
            + self.parents.bytes()
            + rows
            + columns
            + actions
            + self.settled.bytes()
            + self.deadlocks.bytes()
            + self.earnings.iter().map(|earned| earned.states.bytes() + earned.steps.bytes()).sum::<u64>()
    }

    /// Puts full chunks of the lists away that nobody reads while states are found, so many bytes of them or all. Says how
    /// many bytes that were.
    pub(crate) fn put_away(&mut self, home: &Spilling, bytes: u64) -> u64 {
        let mut freed = self.parents.put_away(home, bytes);
        for earned in &mut self.earnings {
            for list in [&mut earned.states, &mut earned.steps] {
                freed += list.put_away(home, bytes.saturating_sub(freed));
            }
        }
        let rows = self.rows.as_mut();
        freed + rows.map_or(0, |rows| rows.put_away(home, bytes.saturating_sub(freed)))
    }

    /// How many bytes can be put away, without the store.
    pub(crate) fn here(&self) -> u64 {
        let earned: u64 = self.earnings.iter().map(|earned| earned.states.here() + earned.steps.here()).sum();
        self.parents.here() + earned + self.rows.as_ref().map_or(0, Rows::here)
    }

    /// The states on the way on which `state` was first reached. With a breadth-first search no way is shorter.
    pub(crate) fn way_to(&self, state: u32) -> Vec<u32> {
        let parent = |&state: &u32| Some(self.parents.get(state as usize)).filter(|&parent| parent != NONE);
        let mut way: Vec<u32> = std::iter::successors(Some(state), parent).collect();
        way.reverse();
        way
    }

    /// The run to a state, as [`Graph::way_to`].
    pub(crate) fn run_to<M: Model + ?Sized>(&self, model: &M, state: u32) -> Run {
        let way = self.way_to(state);
        let hops: Vec<Hop> =
            way[1..].iter().map(|&target| Hop { subject: None, target, delay: None }).collect();
        self.run(model, way[0], &hops)
    }

    /// The run along `hops` from `start`, which need be an initial state only if the run is to be told from the beginning.
    /// The model is asked again for ordinals and actions.
    pub(crate) fn run<M: Model + ?Sized>(&self, model: &M, start: u32, hops: &[Hop]) -> Run {
        let initial = self.initial.iter().position(|&state| state == start).unwrap_or(0);
        let initial = u32::try_from(initial).expect("initial states are numbered with 32 bits");
        Run { initial, ..self.run_on(model, start, hops) }
    }

    /// The same from any state: a run without its beginning.
    pub(crate) fn run_on<M: Model + ?Sized>(&self, model: &M, start: u32, hops: &[Hop]) -> Run {
        let mut state = Vec::new();
        self.store.load(start, &mut state);
        let mut run = Run { initial: 0, states: vec![state.as_slice().into()], steps: Vec::new() };
        let mut steps = Steps::new(model.signature().slots.len());
        for hop in hops {
            steps.clear();
            model.steps(&state, &mut steps).expect("edges leave only states whose steps are known");
            run.steps.push(self.taken(model, &steps, hop));
            self.store.load(hop.target, &mut state);
            run.states.push(state.as_slice().into());
        }
        run
    }

    fn taken<M: Model + ?Sized>(&self, model: &M, steps: &Steps, hop: &Hop) -> Taken {
        let wanted = steps.iter().enumerate().filter(|(_, step)| {
            hop.subject.is_none_or(|subject| subject == model.facets().subject(step.process, step.action))
                && hop.delay.is_none_or(|delay| delay == step.delay)
        });
        let mut found = wanted.flat_map(|(ordinal, step)| {
            step.branches().enumerate().map(move |(branch, outcome)| (ordinal, branch, step, outcome))
        });
        let found = found
            .find(|(.., outcome)| !outcome.chance.is_zero() && self.store.is(hop.target, outcome.target));
        let (ordinal, branch, step, _) = found.expect("the model gives the same steps for the same state");
        let number = |n: usize| u32::try_from(n).expect("steps and branches are numbered with 32 bits");
        Taken {
            ordinal: number(ordinal),
            branch: number(branch),
            process: step.process,
            action: step.action,
            delay: step.delay,
        }
    }

    /// Actions that some step has.
    pub(crate) fn actions_taken(&self) -> Vec<ActionId> {
        let taken = self.actions.iter().enumerate().filter(|(_, first)| first.0 != NONE);
        let number =
            |action: usize| ActionId(u32::try_from(action).expect("actions are numbered with 32 bits"));
        taken.map(|(action, _)| number(action)).collect()
    }

    /// The shortest run whose last step has this action, if some step has.
    pub(crate) fn run_to_action<M: Model + ?Sized>(&self, model: &M, action: ActionId) -> Option<Run> {
        let &(state, ordinal) = self.actions.get(action.index())?;
        if state == NONE {
            return None;
        }
        let mut run = self.run_to(model, state);
        let mut steps = Steps::new(model.signature().slots.len());
        model
            .steps(run.states.last()?, &mut steps)
            .expect("actions are noted only where the steps are known");
        let step = steps.get(ordinal as usize)?;
        let target = step.branches().next()?.target;
        run.steps.push(Taken { ordinal, branch: 0, process: step.process, action, delay: step.delay });
        run.states.push(target.into());
        Some(run)
    }
}

/// A step to another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hop {
    /// To whom it is fair, if that matters.
    pub(crate) subject: Option<SubjectId>,
    pub(crate) target: u32,
    /// How much time passes, if that matters.
    pub(crate) delay: Option<u32>,
}

impl Hop {
    /// Along an edge whose delays are kept.
    pub(crate) fn along(rows: &Rows, edge: u32) -> Self {
        Self { subject: Some(rows.subject(edge)), target: rows.target(edge), delay: Some(rows.delay(edge)) }
    }
}
