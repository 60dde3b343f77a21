//! What an exploration found: states, how each was first reached, and on request the steps between them.

use motet_evidence::{Run, Stop, Taken};
use motet_model::{ActionId, AtomId, Fault, Model, Ratio, RewardId, Steps, SubjectId};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::chunks::Chunks;
use crate::store::{Arena, Store};

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

/// The steps between states, without their actions: those are asked of the model again when a run is told. Each branch
/// of chance is an edge.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Per expansion: where its edges start.
    starts: Chunks<u32>,
    targets: Chunks<u32>,
    /// To whom each edge is fair.
    subjects: Subjects,
    /// How much time passes, if somebody wants to know.
    delays: Option<Chunks<u32>>,
    /// Which edges are outcomes of one step, and how probable they are, if somebody wants to know.
    outcomes: Option<Outcomes>,
    /// Per state: which expansion was its own. Absent when states are expanded in the order of their numbers.
    ranks: Option<Chunks<u32>>,
    expansions: u32,
}

impl Rows {
    pub(crate) fn new(ordered: Ordered) -> Self {
        let mut starts = Chunks::default();
        starts.push(0);
        Self {
            starts,
            targets: Chunks::default(),
            subjects: Subjects::default(),
            delays: None,
            outcomes: None,
            ranks: (ordered == Ordered::No).then(Chunks::default),
            expansions: 0,
        }
    }

    /// The same with room for delays.
    pub(crate) fn with_delays(self) -> Self {
        Self { delays: Some(Chunks::default()), ..self }
    }

    /// The same with room for chances.
    pub(crate) fn with_outcomes(self) -> Self {
        Self { outcomes: Some(Outcomes::default()), ..self }
    }

    /// Says that the edges pushed from now on are the outcomes of a further step of the same state.
    pub(crate) fn begin_step(&mut self) {
        let edge = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.steps.push(edge);
        }
    }

    /// Says how probable the edge is that was pushed last.
    pub(crate) fn push_chance(&mut self, chance: Ratio) {
        if let Some(outcomes) = &mut self.outcomes {
            let number = outcomes.ratios.number(chance);
            outcomes.chances.push(number);
        }
    }

    pub(crate) fn outcomes(&self) -> Option<&Outcomes> {
        self.outcomes.as_ref()
    }

    /// The steps of a state, by their numbers; none if it was not expanded or steps were not kept.
    pub(crate) fn steps(&self, state: u32) -> std::ops::Range<u32> {
        let rank = self.ranks.as_ref().map_or(state, |ranks| ranks.get(state as usize));
        match &self.outcomes {
            Some(outcomes) if rank < self.expansions => {
                let first = if rank == 0 { 0 } else { outcomes.ends.get(rank as usize - 1) };
                first..outcomes.ends.get(rank as usize)
            }
            _ => 0..0,
        }
    }

    /// The edges of a step.
    pub(crate) fn edges(&self, step: u32) -> std::ops::Range<u32> {
        let Some(outcomes) = &self.outcomes else { return 0..0 };
        let next = step as usize + 1;
        let end = if next < outcomes.steps.len() {
            outcomes.steps.get(next)
        } else {
            u32::try_from(self.targets.len()).unwrap_or(u32::MAX)
        };
        outcomes.steps.get(step as usize)..end
    }

    /// Makes room for a new state.
    pub(crate) fn admit(&mut self) {
        if let Some(ranks) = &mut self.ranks {
            ranks.push(NONE);
        }
    }

    pub(crate) fn push(&mut self, subject: SubjectId, target: u32, delay: u32) {
        self.targets.push(target);
        self.subjects.push(subject);
        if let Some(delays) = &mut self.delays {
            delays.push(delay);
        }
    }

    /// Ends the row of `state`. `Err` when the edges cannot be numbered any more.
    pub(crate) fn close(&mut self, state: u32) -> Result<(), Stop> {
        let end = u32::try_from(self.targets.len()).map_err(|_| Stop::Memory)?;
        self.starts.push(end);
        if let Some(outcomes) = &mut self.outcomes {
            let steps = u32::try_from(outcomes.steps.len()).map_err(|_| Stop::Memory)?;
            outcomes.ends.push(steps);
        }
        if let Some(ranks) = &mut self.ranks {
            ranks.set(state as usize, self.expansions);
        }
        self.expansions += 1;
        Ok(())
    }

    /// The edges of a state; none if it was not expanded.
    pub(crate) fn row(&self, state: u32) -> std::ops::Range<u32> {
        let rank = self.ranks.as_ref().map_or(state, |ranks| ranks.get(state as usize));
        if rank >= self.expansions {
            return 0..0;
        }
        self.starts.get(rank as usize)..self.starts.get(rank as usize + 1)
    }

    pub(crate) fn target(&self, edge: u32) -> u32 {
        self.targets.get(edge as usize)
    }

    /// To whom an edge is fair.
    pub(crate) fn subject(&self, edge: u32) -> SubjectId {
        self.subjects.get(edge as usize)
    }

    /// All subjects have smaller numbers.
    pub(crate) fn n_subjects(&self) -> u32 {
        self.subjects.end
    }

    /// Whether they know how much time passes.
    pub(crate) fn has_delays(&self) -> bool {
        self.delays.is_some()
    }

    /// How much time passes. Asked only of rows that know.
    pub(crate) fn delay(&self, edge: u32) -> u32 {
        self.delays.as_ref().map_or(0, |delays| delays.get(edge as usize))
    }

    fn bytes(&self) -> u64 {
        let ranks = self.ranks.as_ref().map_or(0, Chunks::bytes);
        let delays = self.delays.as_ref().map_or(0, Chunks::bytes);
        let outcomes = self.outcomes.as_ref().map_or(0, Outcomes::bytes);
        self.starts.bytes() + self.targets.bytes() + self.subjects.bytes() + ranks + delays + outcomes
    }
}

/// Subjects by edge, a byte each while their numbers are small. Most models have fewer than 256 of them; how many there are
/// is known only when the last one has turned up.
#[derive(Debug, Default)]
struct Subjects {
    low: Chunks<u8>,
    /// The second byte, once a number needs it.
    middle: Option<Chunks<u8>>,
    /// The third and fourth byte, once a number needs them.
    high: Option<Chunks<u16>>,
    /// One more than the largest number.
    end: u32,
}

impl Subjects {
    fn push(&mut self, subject: SubjectId) {
        let [low, middle, third, fourth] = subject.0.to_le_bytes();
        let high = u16::from_le_bytes([third, fourth]);
        extend(&mut self.middle, middle, self.low.len());
        extend(&mut self.high, high, self.low.len());
        self.low.push(low);
        self.end = self.end.max(subject.0.saturating_add(1));
    }

    fn get(&self, edge: usize) -> SubjectId {
        let low = self.low.get(edge);
        let middle = self.middle.as_ref().map_or(0, |column| column.get(edge));
        let [third, fourth] = self.high.as_ref().map_or(0, |column| column.get(edge)).to_le_bytes();
        SubjectId(u32::from_le_bytes([low, middle, third, fourth]))
    }

    fn bytes(&self) -> u64 {
        let middle = self.middle.as_ref().map_or(0, Chunks::bytes);
        self.low.bytes() + middle + self.high.as_ref().map_or(0, Chunks::bytes)
    }
}

/// Appends to a column that exists only from its first value on that is not zero; `len` zeros come before that.
fn extend<T: Copy + Default + PartialEq>(column: &mut Option<Chunks<T>>, value: T, len: usize) {
    if column.is_none() && value != T::default() {
        let mut zeros = Chunks::default();
        (0..len).for_each(|_| zeros.push(T::default()));
        *column = Some(zeros);
    }
    if let Some(column) = column {
        column.push(value);
    }
}

/// Which edges are outcomes of one step, and how probable they are.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    /// Per step: its first edge.
    steps: Chunks<u32>,
    /// Per expansion: the number of steps so far.
    ends: Chunks<u32>,
    /// Per edge: the number of its chance.
    chances: Chunks<u32>,
    pub(crate) ratios: Ratios,
}

impl Outcomes {
    /// The number in [`Outcomes::ratios`] of the chance of an edge.
    pub(crate) fn chance(&self, edge: u32) -> u32 {
        self.chances.get(edge as usize)
    }

    fn bytes(&self) -> u64 {
        self.steps.bytes() + self.ends.bytes() + self.chances.bytes()
    }
}

/// Fractions by number. A model has few different chances and rewards, however many transitions it has.
#[derive(Debug, Default)]
pub(crate) struct Ratios {
    table: Vec<Ratio>,
    numbers: FxHashMap<Ratio, u32>,
    last: Option<(Ratio, u32)>,
}

impl Ratios {
    pub(crate) fn number(&mut self, ratio: Ratio) -> u32 {
        if let Some((known, number)) = self.last
            && known == ratio
        {
            return number;
        }
        let next = u32::try_from(self.table.len()).expect("distinct fractions are numbered with 32 bits");
        let number = *self.numbers.entry(ratio).or_insert(next);
        if number == next {
            self.table.push(ratio);
        }
        self.last = Some((ratio, number));
        number
    }

    pub(crate) fn table(&self) -> &[Ratio] {
        &self.table
    }
}

/// What states and steps earn of one reward, by numbers of fractions.
#[derive(Debug)]
pub(crate) struct Earned {
    pub(crate) reward: RewardId,
    /// Per state, in the order of their numbers.
    pub(crate) states: Chunks<u32>,
    /// Per step, in the order of [`Rows::steps`].
    pub(crate) steps: Chunks<u32>,
    pub(crate) ratios: Ratios,
}

/// Whether states are expanded in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordered {
    Yes,
    No,
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
            hop.subject.is_none_or(|subject| subject == model.subject(step.process, step.action))
                && hop.delay.is_none_or(|delay| delay == step.delay)
        });
        let mut found = wanted.flat_map(|(ordinal, step)| {
            step.branches().enumerate().map(move |(branch, outcome)| (ordinal, branch, step, outcome))
        });
        let found = found.find(|(.., outcome)| {
            outcome.chance.numerator() > 0 && self.store.is(hop.target, outcome.target)
        });
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
