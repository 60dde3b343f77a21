//! The one search loop. What is expanded next is a strategy plugged in: a queue or a stack.

use motet_evidence::Stop;
use motet_model::{ActionId, AtomId, Branch, Model, RewardId, State, Steps};
use motet_property::Formula;

use crate::bits::Bits;
use crate::graph::{Earned, End, Graph, NONE, Ordered, Rows};
use crate::limits::Meter;
use crate::settings::Order;
use crate::store::{Arena, Arrival, Store};
use crate::valuation::holds_at;

/// What an exploration has to bring back.
pub(crate) struct Plan {
    /// Evaluated in every state.
    pub(crate) atoms: Vec<AtomId>,
    /// Whether the steps between states are kept.
    pub(crate) edges: Edges,
    pub(crate) order: Order,
    /// Asked of every state and step.
    pub(crate) rewards: Vec<RewardId>,
    /// The exploration ends when each of these state formulas was found to hold somewhere; empty means never.
    pub(crate) goals: Vec<Formula<AtomId>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edges {
    Keep,
    KeepDelays,
    /// Delays, chances and which edges belong to one step.
    KeepChances,
    Drop,
}

/// Explores a model until everything is expanded, everything is decided or a limit is reached.
pub(crate) fn explore<M: Model + ?Sized>(model: &M, plan: Plan, meter: &mut Meter<'_>) -> Graph {
    match plan.order {
        Order::BreadthFirst => Explorer::new(model, plan, Queue::default(), Ordered::Yes).run(meter),
        Order::DepthFirst => Explorer::new(model, plan, Stack::default(), Ordered::No).run(meter),
    }
}

/// What waits to be expanded. A state is pushed once, in the order of the numbers.
trait Frontier {
    fn push(&mut self, state: u32, depth: u64);
    fn pop(&mut self) -> Option<(u32, u64)>;
    fn len(&self) -> u64;
    fn bytes(&self) -> u64;
}

/// First come, first served. States are numbered as they come, so the queue is two counters.
#[derive(Default)]
struct Queue {
    next: u32,
    pushed: u32,
    level_end: u32,
    depth: u64,
}

impl Frontier for Queue {
    fn push(&mut self, _: u32, _: u64) {
        self.pushed += 1;
    }

    fn pop(&mut self) -> Option<(u32, u64)> {
        if self.next == self.pushed {
            return None;
        }
        if self.next == self.level_end {
            self.depth += u64::from(self.next > 0);
            self.level_end = self.pushed;
        }
        self.next += 1;
        Some((self.next - 1, self.depth))
    }

    fn len(&self) -> u64 {
        u64::from(self.pushed - self.next)
    }

    fn bytes(&self) -> u64 {
        0
    }
}

/// Last come, first served.
#[derive(Default)]
struct Stack(Vec<(u32, u64)>);

impl Frontier for Stack {
    fn push(&mut self, state: u32, depth: u64) {
        self.0.push((state, depth));
    }

    fn pop(&mut self) -> Option<(u32, u64)> {
        self.0.pop()
    }

    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn bytes(&self) -> u64 {
        16 * self.0.capacity() as u64
    }
}

/// Between two looks at the clock and the memory, in states.
const TICK: u64 = 256;

struct Explorer<'m, M: ?Sized, F> {
    model: &'m M,
    graph: Graph,
    frontier: F,
    goals: Vec<Formula<AtomId>>,
    /// Where the branches of the steps of one state lead.
    arrivals: Vec<(u32, Arrival)>,
    /// States that were not expanded because they are too deep.
    cut: u64,
}

impl<'m, M: Model + ?Sized, F: Frontier> Explorer<'m, M, F> {
    fn new(model: &'m M, plan: Plan, frontier: F, ordered: Ordered) -> Self {
        let signature = model.signature();
        let rows = match plan.edges {
            Edges::Drop => None,
            Edges::Keep => Some(Rows::new(ordered)),
            Edges::KeepDelays => Some(Rows::new(ordered).with_delays()),
            Edges::KeepChances => Some(Rows::new(ordered).with_delays().with_outcomes()),
        };
        let earned = |&reward: &RewardId| Earned {
            reward,
            states: Default::default(),
            steps: Default::default(),
            ratios: Default::default(),
        };
        let graph = Graph {
            store: Arena::new(signature.slots.len()),
            initial: Vec::new(),
            parents: Default::default(),
            rows,
            settled: Bits::default(),
            deadlocks: Bits::default(),
            columns: vec![Bits::default(); plan.atoms.len()],
            atoms: plan.atoms,
            actions: Vec::new(),
            fault: None,
            earnings: plan.rewards.iter().map(earned).collect(),
            transitions: 0,
            choices: 0,
            depth: 0,
            open: 0,
            end: End::Complete,
        };
        Self { model, graph, frontier, goals: plan.goals, arrivals: Vec::new(), cut: 0 }
    }

    fn run(mut self, meter: &mut Meter<'_>) -> Graph {
        let end = self.search(meter);
        self.graph.open = self.frontier.len() + self.cut;
        self.graph.end = match end {
            Ok(End::Complete) if self.cut > 0 => End::Stopped(Stop::Depth),
            Ok(end) => end,
            Err(stop) => {
                // The state in the middle of which the search stopped is open as well.
                self.graph.open = self.graph.open.max(1);
                End::Stopped(stop)
            }
        };
        let _ = self.tick(meter);
        self.graph.store.freeze();
        self.graph
    }

    fn search(&mut self, meter: &mut Meter<'_>) -> Result<End, Stop> {
        self.start()?;
        let limit_states = meter.limits().states.unwrap_or(u64::MAX);
        let limit_depth = meter.limits().depth.unwrap_or(u64::MAX);
        let mut steps = Steps::new(self.model.signature().slots.len());
        let mut state = Vec::new();
        for turn in 0_u64.. {
            if turn.is_multiple_of(TICK) {
                self.tick(meter)?;
            }
            if self.frontier.len() > 0 && self.graph.store.len() as u64 > limit_states {
                return Err(Stop::States);
            }
            let Some((number, depth)) = self.frontier.pop() else { break };
            if depth >= limit_depth {
                self.cut += 1;
                continue;
            }
            self.graph.store.load(number, &mut state);
            self.expand(number, depth, &state, &mut steps)?;
            if self.is_decided(number) {
                return Ok(End::Decided);
            }
        }
        Ok(End::Complete)
    }

    fn tick(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let graph = &self.graph;
        meter.record(graph.store.len() as u64, graph.transitions, self.frontier.len(), graph.depth);
        meter.tick(graph.bytes() + self.frontier.bytes())
    }

    fn start(&mut self) -> Result<(), Stop> {
        let mut states = Vec::new();
        self.model.initial(&mut states);
        for state in states {
            let (number, arrival) = self.graph.store.insert(&state).ok_or(Stop::Memory)?;
            self.admit(number, arrival, &state, NONE, 0);
            self.graph.initial.push(number);
        }
        Ok(())
    }

    /// Takes note of a state that was reached.
    fn admit(&mut self, number: u32, arrival: Arrival, state: &State, parent: u32, depth: u64) {
        if arrival == Arrival::Known {
            return;
        }
        let graph = &mut self.graph;
        graph.parents.push(parent);
        graph.depth = graph.depth.max(depth);
        if let Some(rows) = &mut graph.rows {
            rows.admit();
        }
        for earned in &mut graph.earnings {
            let number = earned.ratios.number(self.model.state_reward(earned.reward, state));
            earned.states.push(number);
        }
        for (column, &atom) in graph.columns.iter_mut().zip(&graph.atoms) {
            if self.model.holds(atom, state) {
                column.insert(number as usize);
            }
        }
        self.frontier.push(number, depth);
    }

    fn expand(&mut self, number: u32, depth: u64, state: &State, steps: &mut Steps) -> Result<(), Stop> {
        steps.clear();
        if let Err(fault) = self.model.steps(state, steps) {
            self.graph.fault.get_or_insert((number, fault));
            return self.close(number);
        }
        let possible = |branch: &Branch<'_>| branch.chance.numerator() > 0;
        for step in steps.iter() {
            for branch in step.branches().filter(possible) {
                self.graph.store.stage_like(number, state, branch.target);
            }
        }
        let mut arrivals = std::mem::take(&mut self.arrivals);
        arrivals.clear();
        self.graph.store.insert_staged(&mut arrivals).ok_or(Stop::Memory)?;
        let mut reached = arrivals.iter();
        for (ordinal, step) in steps.iter().enumerate() {
            self.note(step.action, number, ordinal);
            self.graph.choices += 1;
            self.earn(state, step.action);
            if let Some(rows) = &mut self.graph.rows {
                rows.begin_step();
            }
            let subject = self.graph.rows.as_ref().map(|_| self.model.subject(step.process, step.action));
            for branch in step.branches().filter(possible) {
                let &(target, arrival) = reached.next().expect("every branch was inserted");
                self.admit(target, arrival, branch.target, number, depth + 1);
                self.graph.transitions += 1;
                if let (Some(rows), Some(subject)) = (&mut self.graph.rows, subject) {
                    rows.push(subject, target, step.delay);
                    rows.push_chance(branch.chance);
                }
            }
        }
        self.arrivals = arrivals;
        self.graph.settled.insert(number as usize);
        if steps.is_empty() {
            self.graph.deadlocks.insert(number as usize);
        }
        self.close(number)
    }

    fn earn(&mut self, state: &State, action: ActionId) {
        for earned in &mut self.graph.earnings {
            let number = earned.ratios.number(self.model.action_reward(earned.reward, state, action));
            earned.steps.push(number);
        }
    }

    fn close(&mut self, number: u32) -> Result<(), Stop> {
        self.graph.rows.as_mut().map_or(Ok(()), |rows| rows.close(number))
    }

    /// Remembers where an action was first taken.
    fn note(&mut self, action: ActionId, state: u32, ordinal: usize) {
        let first = &mut self.graph.actions;
        if action.index() >= first.len() {
            first.resize(action.index() + 1, (NONE, 0));
        }
        let slot = &mut first[action.index()];
        if slot.0 == NONE {
            *slot = (state, u32::try_from(ordinal).expect("a state has fewer than 2^32 steps"));
        }
    }

    /// Strikes off the goals that hold here, and says whether the last one was struck off.
    fn is_decided(&mut self, state: u32) -> bool {
        if self.goals.is_empty() {
            return false;
        }
        let graph = &self.graph;
        self.goals.retain(|goal| holds_at(graph, goal, state) != Some(true));
        self.goals.is_empty()
    }
}
