//! The graph of a model with time written out: a node is a state of the model together with the values of the claim's
//! clocks and what the claim still owes. It is made from the explored graph; the model is not asked again.
//!
//! Nodes are visited in the order of their time, then of their steps, so that the first node at which nothing more is owed
//! ends a run that shows it at the earliest time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use motet_evidence::Stop;
use motet_model::{AtomId, SubjectId};
use motet_property::Formula;
use rustc_hash::FxBuildHasher;

use crate::exploration::graph::{End, Graph, Hop, NONE, Ordered, Rows};
use crate::exploration::limits::Meter;
use crate::formulas::valuation::{column, mentions_deadlock};
use crate::linear_time::automata::formula::Moments;
use crate::linear_time::automata::{Automaton, Label, Transition};
use crate::linear_time::product::Home;
use crate::linear_time::shrink::Lasso;
use crate::metric_time::clocks::{Dials, Test};
use crate::metric_time::owing::{Debt, Ledger, Letter, TooLarge};
use crate::metric_time::timed::TimedRun;
use crate::metric_time::window::{HALVES, Passage};
use crate::storage::bits::Bits;
use crate::storage::chunks::Chunks;
use crate::storage::store::{Arena, Arrival, Store};

/// Between two looks at the clock, in nodes.
const TICK: u64 = 1024;
/// Sets of put-off untils that can be told apart; labels are bit sets.
const POSTPONED_MAX: usize = 64;

/// What a node is beside a state of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Aspect {
    /// How long the state has lasted already.
    elapsed: u64,
    /// The number of the faces of the clocks.
    faces: u32,
    debt: Debt,
    /// The untils that were put off on the way here.
    postponed: u32,
}

/// What unrolling came to.
pub(crate) enum Unrolled {
    /// At this node nothing more is owed.
    Settled(u32),
    /// Everything was unrolled, and something is always owed.
    Complete,
    /// Neither, after as many nodes as the caller had patience for.
    Tired,
}

/// How long to look for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// To the end.
    Endless,
    /// A moment: the caller can do without, and wants the run at the earliest time only if it is near.
    Short,
}

/// Nodes that are unrolled with short patience.
const PATIENCE: usize = 200_000;

/// The unrolled graph while it grows.
pub(crate) struct Unrolling<'a> {
    base: &'a Graph,
    rows: &'a Rows,
    ledger: Ledger,
    /// Whether a state is still there at the instant at which it is left.
    dense: bool,
    /// Owed at the start.
    debt: Debt,
    dials: Dials,
    /// Per formula without clocks: where it holds, and whether it speaks of deadlock.
    leaves: Vec<(Bits, bool)>,
    /// Per proposition.
    tests: Vec<Test>,
    faces: Table<Box<[u64]>>,
    aspects: Table<Aspect>,
    /// States are pairs of a state of the model and the number of an aspect.
    graph: Graph,
    /// Per node: the state of the model.
    states: Chunks<u32>,
    /// Per edge: the edge of the model, or [`NONE`] when only time passes.
    origins: Chunks<u32>,
    /// Per node: time and steps from the start.
    best: Chunks<(u64, u32)>,
    waiting: BinaryHeap<Reverse<(u64, u32, u32)>>,
    turns: u64,
}

impl<'a> Unrolling<'a> {
    pub(crate) fn new(base: &'a Graph, quest: &TimedRun) -> Self {
        let dense = quest.formulas.moments() == Moments::Time;
        let (ledger, debt) = Ledger::new(quest.formulas.clone(), quest.root);
        let mut leaves = Vec::new();
        let dials = Dials::new(&mut leaves, &quest.clocks);
        let test = |&proposition: &u32| {
            Test::new(&mut leaves, &quest.clocks, quest.formulas.proposition(proposition))
        };
        let tests = quest.formulas.used(quest.root).iter().map(test).collect();
        let leaf = |formula| (column(base, formula), mentions_deadlock(formula));
        let leaves = leaves.iter().map(leaf).collect();
        Self {
            base,
            rows: base.rows.as_ref().expect("claims about time are checked on a graph with edges"),
            ledger,
            dense,
            debt,
            dials,
            leaves,
            tests,
            faces: Table::default(),
            aspects: Table::default(),
            graph: Graph {
                store: Arena::new(2),
                initial: Vec::new(),
                parents: Chunks::default(),
                rows: Some(Rows::new(Ordered::No)),
                settled: Bits::default(),
                deadlocks: Bits::default(),
                atoms: Vec::new(),
                columns: Vec::new(),
                actions: Vec::new(),
                fault: None,
                transitions: 0,
                choices: 0,
                earnings: Vec::new(),
                depth: 0,
                open: 0,
                partly: 0,
                end: End::Complete,
            },
            states: Chunks::default(),
            origins: Chunks::default(),
            best: Chunks::default(),
            waiting: BinaryHeap::new(),
            turns: 0,
        }
    }

    /// Unrolls from these states of the model.
    pub(crate) fn run(
        &mut self,
        starts: &[u32],
        patience: Patience,
        meter: &mut Meter<'_>,
    ) -> Result<Unrolled, Stop> {
        self.start(starts)?;
        while let Some((node, met)) = self.turn(meter)? {
            if met {
                return Ok(Unrolled::Settled(node));
            }
            if patience == Patience::Short && self.graph.store.len() > PATIENCE {
                return Ok(Unrolled::Tired);
            }
        }
        meter.tick(self.bytes())?;
        Ok(Unrolled::Complete)
    }

    /// Unrolls from these states of the model to the end, and tells all nodes at which nothing more is owed.
    pub(crate) fn run_past(&mut self, starts: &[u32], meter: &mut Meter<'_>) -> Result<Vec<u32>, Stop> {
        self.start(starts)?;
        let mut settled = Vec::new();
        while let Some((node, met)) = self.turn(meter)? {
            settled.extend(met.then_some(node));
        }
        meter.tick(self.bytes())?;
        Ok(settled)
    }

    fn start(&mut self, starts: &[u32]) -> Result<(), Stop> {
        for &state in starts {
            let Some(faces) = self.dials.start(&|leaf| self.leaf(leaf, state)) else { continue };
            let faces = self.faces.number(faces.into());
            let aspect = Aspect { elapsed: 0, faces, debt: self.debt, postponed: 0 };
            let node = self.reach(state, aspect, NONE, (0, 0))?;
            self.graph.initial.push(node);
        }
        Ok(())
    }

    /// Expands the next node, and says whether nothing more is owed there; `None` when no node is left.
    fn turn(&mut self, meter: &mut Meter<'_>) -> Result<Option<(u32, bool)>, Stop> {
        while let Some(Reverse((time, steps, node))) = self.waiting.pop() {
            if self.turns.is_multiple_of(TICK) {
                meter.tick(self.bytes())?;
                if self.graph.store.len() as u64 > meter.limits().states.unwrap_or(u64::MAX) {
                    return Err(Stop::States);
                }
            }
            self.turns += 1;
            if (time, steps) == self.best.get(node as usize) {
                return Ok(Some((node, self.expand(node, time, steps)?)));
            }
        }
        Ok(None)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let leaves: u64 = self.leaves.iter().map(|(bits, _)| bits.bytes()).sum();
        let clocks = 8 * (self.dials.len() as u64 + 6) * self.faces.len() as u64;
        self.base.bytes()
            + self.graph.bytes()
            + self.ledger.bytes()
            + leaves
            + clocks
            + 64 * self.aspects.len() as u64
            + self.states.bytes()
            + self.origins.bytes()
            + self.best.bytes()
            + 16 * self.waiting.capacity() as u64
    }

    fn leaf(&self, leaf: usize, state: u32) -> Option<bool> {
        let (holds, cautious) = &self.leaves[leaf];
        (!cautious || self.base.settled.get(state as usize)).then(|| holds.get(state as usize))
    }

    fn letter(&self, state: u32, faces: u32) -> Letter {
        let values = self.dials.values(self.faces.get(faces));
        let ground = |leaf| self.leaf(leaf, state);
        let mut letter = Letter { holds: 0, fails: 0 };
        for (bit, test) in self.tests.iter().enumerate() {
            match test.holds(&ground, &values) {
                Some(true) => letter.holds |= 1 << bit,
                Some(false) => letter.fails |= 1 << bit,
                None => {}
            }
        }
        letter
    }

    /// The state of the model and the aspect of a node.
    fn node(&self, node: u32) -> (u32, Aspect) {
        let mut pair = Vec::with_capacity(2);
        self.graph.store.load(node, &mut pair);
        (pair[0], *self.aspects.get(pair[1]))
    }

    /// Numbers a node that can be reached at this time and with this many steps.
    fn reach(&mut self, state: u32, aspect: Aspect, from: u32, at: (u64, u32)) -> Result<u32, Stop> {
        let aspect = self.aspects.number(aspect);
        let (node, arrival) = self.graph.store.insert(&[state, aspect]).ok_or(Stop::Memory)?;
        if arrival == Arrival::New {
            self.states.push(state);
            self.best.push(at);
            self.graph.parents.push(from);
            if let Some(rows) = &mut self.graph.rows {
                rows.admit();
            }
        } else if at < self.best.get(node as usize) {
            self.best.set(node as usize, at);
            self.graph.parents.set(node as usize, from);
        } else {
            return Ok(node);
        }
        self.waiting.push(Reverse((at.0, at.1, node)));
        Ok(node)
    }

    /// Adds the edges of a node; `true` if nothing is owed there.
    fn expand(&mut self, node: u32, time: u64, steps: u32) -> Result<bool, Stop> {
        let (state, aspect) = self.node(node);
        let letter = self.letter(state, aspect.faces);
        if self.ledger.is_met(aspect.debt, letter) {
            return Ok(true);
        }
        let change = self.dials.next_change(self.faces.get(aspect.faces));
        let row = self.rows.row(state);
        let mut here = Here { node, aspect, letter, time, steps };
        if row.is_empty() && self.base.deadlocks.get(state as usize) {
            // How long a deadlock has lasted matters to nobody but the clocks.
            here.aspect.elapsed = 0;
            let passage = change.map_or(Passage::Forever, Passage::Wait);
            self.go(&here, passage, state, NONE)?;
        }
        let mut waits = false;
        for edge in row {
            let delay = HALVES * u64::from(self.rows.delay(edge));
            let Some(rest) = delay.checked_sub(aspect.elapsed) else { continue };
            match change {
                // A clock that changes at the instant at which the state is left changes first.
                Some(change) if change < rest || change == rest && self.dense => waits = true,
                _ => self.go(&here, Passage::Step(rest), self.rows.target(edge), edge)?,
            }
        }
        if let (true, Some(change)) = (waits, change) {
            self.go(&here, Passage::Wait(change), state, NONE)?;
        }
        let rows = self.graph.rows.as_mut().expect("an unrolled graph has edges");
        rows.close(node)?;
        Ok(false)
    }

    /// Adds the edges for one way in which a moment can pass.
    fn go(&mut self, here: &Here, passage: Passage, target: u32, origin: u32) -> Result<(), Stop> {
        let outcomes = self.ledger.outcomes(here.aspect.debt, here.letter, passage);
        let outcomes = outcomes.map_err(|TooLarge| Stop::Unsupported("a formula this large".to_owned()))?;
        if outcomes.is_empty() {
            return Ok(());
        }
        let length = passage.length().unwrap_or(0);
        let faces = if self.dials.is_empty() {
            here.aspect.faces
        } else {
            let before = self.faces.get(here.aspect.faces);
            let ground = |leaf| self.leaf(leaf, target);
            let Some(faces) = self.dials.advance(&ground, before, passage) else { return Ok(()) };
            self.faces.number(faces.into())
        };
        let (elapsed, steps) = match passage {
            Passage::Wait(_) if self.base.deadlocks.get(target as usize) => (0, here.steps),
            Passage::Wait(length) => (here.aspect.elapsed + length, here.steps),
            Passage::Step(_) | Passage::Forever => (0, here.steps.saturating_add(1)),
        };
        // When only time passes nobody moves: a subject that the model does not have, and that has a step nowhere.
        let nobody = SubjectId(self.rows.n_subjects());
        let subject = if origin == NONE { nobody } else { self.rows.subject(origin) };
        for &(debt, postponed) in outcomes.iter() {
            let aspect = Aspect { elapsed, faces, debt, postponed };
            let at = (here.time.saturating_add(length), steps);
            let node = self.reach(target, aspect, here.node, at)?;
            let rows = self.graph.rows.as_mut().expect("an unrolled graph has edges");
            rows.push(subject, node, 0);
            self.origins.push(origin);
            self.graph.transitions += 1;
        }
        Ok(())
    }
}

/// The node that is being left.
struct Here {
    node: u32,
    aspect: Aspect,
    letter: Letter,
    time: u64,
    steps: u32,
}

/// What is left of unrolling when it is over.
impl Unrolling<'_> {
    /// The graph, and an automaton that accepts the runs on which no until is put off for ever. The untils that an edge
    /// puts off are noted at its target, and each set of them is an atom.
    pub(crate) fn accepting(&mut self) -> Result<(&Graph, Automaton, Home<'_>), Stop> {
        self.graph.store.freeze();
        self.waiting = BinaryHeap::new();
        let n_sets = self.ledger.n_untils();
        let mut sets: Vec<u32> = Vec::new();
        let mut columns: Vec<Bits> = Vec::new();
        for node in 0..self.graph.n_states() {
            let number = u32::try_from(node).expect("nodes are numbered with 32 bits");
            let postponed = self.node(number).1.postponed;
            let at = sets.iter().position(|&set| set == postponed).unwrap_or_else(|| {
                sets.push(postponed);
                columns.push(Bits::zeros(self.graph.n_states()));
                sets.len() - 1
            });
            columns[at].insert(node);
        }
        if sets.len() > POSTPONED_MAX {
            return Err(Stop::Unsupported("a formula this large".to_owned()));
        }
        let atoms = || (0..sets.len()).map(|at| AtomId(u32::try_from(at).expect("at most 64")));
        let mut automaton = Automaton {
            propositions: atoms().map(Formula::Atom).collect(),
            transitions: Vec::new(),
            n_sets,
            sink: None,
        };
        let all = automaton.all_sets();
        let transition = |(at, postponed): (usize, &u32)| Transition {
            label: Label { positive: 1 << at, negative: 0 },
            sets: all & !postponed,
            target: 0,
        };
        automaton.transitions = vec![sets.iter().enumerate().map(transition).collect()];
        self.graph.atoms = atoms().collect();
        self.graph.columns = columns;
        Ok((&self.graph, automaton, Home { rows: self.rows, states: &self.states }))
    }

    /// The nodes on the way to a node.
    pub(crate) fn way_to(&self, node: u32) -> Lasso {
        let states = self.graph.way_to(node);
        let movers = vec![None; states.len() - 1];
        Lasso { entry: movers.len(), states, movers }
    }

    /// A walk through the unrolled graph as a walk through the model: where it starts, its steps, and after how many of
    /// them it goes round, if it does.
    pub(crate) fn walk(&self, lasso: &Lasso) -> (u32, Vec<Hop>, Option<usize>) {
        let mut hops = Vec::new();
        let mut entry = None;
        for (at, mover) in lasso.movers.iter().enumerate() {
            if at == lasso.entry {
                entry = Some(hops.len());
            }
            let origin = self.origin(lasso.states[at], lasso.states[at + 1], *mover);
            hops.extend((origin != NONE).then(|| self.hop(origin)));
        }
        let entry = entry.filter(|&entry| entry < hops.len());
        if !lasso.repeats() {
            hops.extend(self.departure(lasso.states[lasso.states.len() - 1]));
        }
        (self.states.get(lasso.states[0] as usize), hops, entry)
    }

    fn hop(&self, edge: u32) -> Hop {
        Hop {
            subject: Some(self.rows.subject(edge)),
            target: self.rows.target(edge),
            delay: Some(self.rows.delay(edge)),
        }
    }

    /// The edge of the model behind an edge.
    fn origin(&self, from: u32, to: u32, mover: Option<SubjectId>) -> u32 {
        let rows = self.graph.rows.as_ref().expect("an unrolled graph has edges");
        let mut row = rows.row(from);
        let edge = row
            .find(|&edge| rows.target(edge) == to && mover.is_none_or(|mover| rows.subject(edge) == mover));
        self.origins.get(edge.expect("the walk has come this way") as usize)
    }

    /// The step that shows that a state lasts as long as it has to: the soonest one.
    fn departure(&self, node: u32) -> Option<Hop> {
        let (state, aspect) = self.node(node);
        let late = |&edge: &u32| {
            let delay = HALVES * u64::from(self.rows.delay(edge));
            delay > aspect.elapsed || delay == aspect.elapsed && self.dense
        };
        let edges = self.rows.row(state).filter(late);
        let soonest = edges.min_by_key(|&edge| self.rows.delay(edge)).filter(|_| aspect.elapsed > 0);
        soonest.map(|edge| self.hop(edge))
    }
}

/// Things that are numbered in the order of arrival.
struct Table<T> {
    items: Vec<T>,
    numbers: HashMap<T, u32, FxBuildHasher>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { items: Vec::new(), numbers: HashMap::default() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Table<T> {
    fn number(&mut self, item: T) -> u32 {
        if let Some(&number) = self.numbers.get(&item) {
            return number;
        }
        let number = u32::try_from(self.items.len()).expect("there are no more of them than nodes");
        self.items.push(item.clone());
        self.numbers.insert(item, number);
        number
    }

    fn get(&self, number: u32) -> &T {
        &self.items[number as usize]
    }

    fn len(&self) -> usize {
        self.items.len()
    }
}
