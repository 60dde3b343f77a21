//! Expanded batches go into the graph here, one at a time and in order, so that a graph is the same however many threads
//! took part.

use std::sync::RwLock;

use motet_evidence::Stop;
use motet_model::{ActionId, AtomId, Model};
use motet_property::Formula;

use super::batch::Batch;
use super::clerk::Clerk;
use crate::exploration::graph::{End, Graph, NONE};
use crate::exploration::limits::Room;
use crate::exploration::save::Position;
use crate::formulas::valuation::holds_at;
use crate::reductions::ample::Proviso;
use crate::storage::spill::{Spilling, give_up};
use crate::storage::store::{Arena, Arrival, Store};

/// The graph so far, and what has to be known to go on with it.
pub(crate) struct Ledger<'m, M: ?Sized> {
    model: &'m M,
    /// Without its store, which others read meanwhile.
    pub(crate) graph: Graph,
    goals: Vec<Formula<AtomId>>,
    /// States whose turn came.
    begun: u64,
    /// States that were not expanded because they are too deep.
    cut: u64,
    /// Distances from the start, when states come in the order of their numbers.
    levels: Option<Levels>,
    /// States that are new since somebody asked, with their depths.
    pub(crate) new: Vec<(u32, u64)>,
    limit_states: u64,
    limit_depth: u64,
    room: Room,
    threads: usize,
    proviso: Proviso,
    /// Whether a state is half filed.
    torn: bool,
    /// How it ended, once it has.
    pub(crate) end: Option<Result<End, Stop>>,
}

/// Where a level of a breadth-first search ends.
#[derive(Default)]
struct Levels {
    end: u32,
    depth: u64,
}

impl Levels {
    /// The depth of the state whose turn it is, when so many states are known.
    fn begin(&mut self, state: u32, known: usize) -> u64 {
        if state == self.end {
            self.depth += u64::from(state > 0);
            self.end = u32::try_from(known).expect("states are numbered with 32 bits");
        }
        self.depth
    }
}

/// How far a ledger may go.
pub(crate) struct Bounds {
    pub(crate) states: Option<u64>,
    pub(crate) depth: Option<u64>,
    pub(crate) room: Room,
    /// Threads that make room, and that may have expanded what is filed.
    pub(crate) threads: usize,
    pub(crate) proviso: Proviso,
}

/// Whether states come in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    ByNumber,
    ByDepth,
}

impl<'m, M: Model + ?Sized> Ledger<'m, M> {
    pub(crate) fn new(
        model: &'m M,
        graph: Graph,
        goals: Vec<Formula<AtomId>>,
        turn: Turn,
        bounds: &Bounds,
    ) -> Self {
        Self {
            model,
            graph,
            goals,
            begun: 0,
            cut: 0,
            levels: (turn == Turn::ByNumber).then(Levels::default),
            new: Vec::new(),
            limit_states: bounds.states.unwrap_or(u64::MAX),
            limit_depth: bounds.depth.unwrap_or(u64::MAX),
            room: bounds.room.clone(),
            threads: bounds.threads,
            proviso: bounds.proviso,
            torn: false,
            end: None,
        }
    }

    /// How far it is. `None` if states do not come in the order of their numbers, or one is half filed.
    pub(crate) fn position(&self) -> Option<Position> {
        let levels = self.levels.as_ref().filter(|_| !self.torn)?;
        let expanded = u32::try_from(self.begun - self.cut).ok()?;
        Some(Position { expanded, depth: levels.depth, level_end: levels.end })
    }

    /// Goes on from where another exploration was.
    pub(crate) fn resume(&mut self, position: Position) {
        self.begun = position.expanded.into();
        self.levels = Some(Levels { end: position.level_end, depth: position.depth });
    }

    /// States that were found and not expanded.
    pub(crate) fn open(&self, known: usize) -> u64 {
        (known as u64).saturating_sub(self.begun) + self.cut
    }

    /// Whether some state was not expanded because it is too deep.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut > 0
    }

    /// Takes in the initial states.
    pub(crate) fn start(&mut self, store: &mut Arena) -> Result<(), Stop> {
        let mut states = Vec::new();
        self.model.initial(&mut states);
        for state in states {
            let (number, arrival) = store.insert(&state).ok_or(Stop::Memory)?;
            if arrival == Arrival::New {
                let atoms: Vec<bool> =
                    self.graph.atoms.iter().map(|&atom| self.model.holds(atom, &state)).collect();
                for earned in &mut self.graph.earnings {
                    let number =
                        earned.ratios.number(self.model.facets().state_reward(earned.reward, &state));
                    earned.states.push(number);
                }
                self.admit(number, NONE, 0, &atoms);
            }
            self.graph.initial.push(number);
        }
        Ok(())
    }

    /// Puts what a batch found into the graph. `Err` and [`End::Decided`] end the exploration.
    /// `nearby` says whether the one who files it expanded it too.
    pub(crate) fn file(
        &mut self,
        batch: &mut Batch,
        shelf: &RwLock<Arena>,
        nearby: bool,
    ) -> Result<End, Stop> {
        let mut clerk = self.clerk(batch, shelf, nearby)?;
        let mut filed = Filed::default();
        for position in 0..batch.sources.len() {
            let (number, depth) = batch.sources[position];
            if clerk.known() as u64 > self.limit_states {
                return Err(Stop::States);
            }
            let depth = match &mut self.levels {
                Some(levels) => levels.begin(number, clerk.known()),
                None => depth,
            };
            self.begun += 1;
            let end = batch.ends[position];
            if depth >= self.limit_depth {
                self.cut += 1;
                filed.skip(batch, end);
                continue;
            }
            self.torn = true;
            if let Some((_, fault)) = batch.faults.iter().find(|(place, _)| *place == position) {
                self.graph.fault.get_or_insert((number, fault.clone()));
                self.close(number)?;
                self.torn = false;
                continue;
            }
            self.file_one(number, depth, batch, position, &mut filed, &mut clerk)?;
            self.torn = false;
            if self.is_decided(number) {
                return Ok(End::Decided);
            }
        }
        Ok(End::Complete)
    }

    /// Somebody who adds to the store. When there is no room for what may come, everything is put away that can be.
    fn clerk<'a>(
        &mut self,
        batch: &Batch,
        shelf: &'a RwLock<Arena>,
        nearby: bool,
    ) -> Result<Clerk<'a>, Stop> {
        let who = (self.threads, nearby);
        let held = |graph: &Graph| graph.bytes() + self.room.spill.as_ref().map_or(0, Spilling::memory);
        match (Clerk::new(shelf, batch, &self.room, who, held(&self.graph)), &self.room.spill) {
            (Err(Stop::Memory), Some(home)) => {
                self.graph.put_away(home, u64::MAX);
                shelf.write().unwrap_or_else(|_| give_up()).put_away(home, u64::MAX);
                Clerk::new(shelf, batch, &self.room, who, held(&self.graph))
            }
            (clerk, _) => clerk,
        }
    }

    /// Puts the steps of one state into the graph, or a part of them if that is enough: it is if its steps lead to states
    /// that are expanded later (see `ample`).
    fn file_one(
        &mut self,
        number: u32,
        depth: u64,
        batch: &mut Batch,
        position: usize,
        filed: &mut Filed,
        clerk: &mut Clerk<'_>,
    ) -> Result<(), Stop> {
        let (first, part, end) = (filed.steps, batch.part(position), batch.ends[position]);
        let partly = part < end
            && self.file_steps(number, depth, batch, (first, part, Some(self.proviso)), filed, clerk);
        if partly {
            self.graph.partly += 1;
            filed.skip(batch, end);
        } else {
            self.file_steps(number, depth, batch, (first, end, None), filed, clerk);
        }
        self.graph.settled.insert(number as usize);
        if first == end {
            self.graph.deadlocks.insert(number as usize);
        }
        self.close(number)
    }

    /// Puts steps of one state, which begin at `first`, into the graph: those of the batch from where `filed` is up to `end`.
    /// Says whether they lead on to states that are expanded later, as far as somebody asks for it.
    fn file_steps(
        &mut self,
        number: u32,
        depth: u64,
        batch: &mut Batch,
        (first, end, proviso): (usize, usize, Option<Proviso>),
        filed: &mut Filed,
        clerk: &mut Clerk<'_>,
    ) -> bool {
        let mut leads_on = proviso == Some(Proviso::Each);
        for ordinal in filed.steps..end {
            let head = batch.heads[ordinal];
            self.note(head.action, number, batch.ordinal(first, ordinal));
            self.graph.choices += 1;
            self.file_rewards(batch, ordinal);
            if let Some(rows) = &mut self.graph.rows {
                rows.begin_step();
            }
            let begin = filed.branches;
            for index in begin..head.end as usize {
                let target = match batch.sought.number(index) {
                    Some(target) => target,
                    None => {
                        let state = || Batch::target(&batch.steps, ordinal, index - begin);
                        let (target, arrival) = clerk.add(&mut batch.sought, index, state);
                        if arrival == Arrival::New {
                            self.file_state(target, number, depth + 1, batch, filed.missing);
                        }
                        filed.missing += 1;
                        target
                    }
                };
                let is_later = || target != number && !self.graph.settled.get(target as usize);
                match proviso {
                    None => {}
                    Some(Proviso::Each) => leads_on = leads_on && is_later(),
                    Some(Proviso::One) => leads_on = leads_on || is_later(),
                }
                if let Some(rows) = &mut self.graph.rows {
                    rows.push(head.subject, target, head.delay);
                    if let Some(&chance) = batch.chances.get(index) {
                        rows.push_chance(chance);
                    }
                }
            }
            filed.branches = head.end as usize;
            self.graph.transitions += (filed.branches - begin) as u64;
        }
        filed.steps = end;
        leads_on
    }

    /// What a step earns.
    fn file_rewards(&mut self, batch: &Batch, ordinal: usize) {
        let rewards = self.graph.earnings.len();
        for (reward, earned) in self.graph.earnings.iter_mut().enumerate() {
            let ratio = earned.ratios.number(batch.step_rewards[ordinal * rewards + reward]);
            earned.steps.push(ratio);
        }
    }

    /// A new state, which was the `missing`th of those that were not in the store, and what it earns.
    fn file_state(&mut self, number: u32, parent: u32, depth: u64, batch: &Batch, missing: usize) {
        let rewards = self.graph.earnings.len();
        for (reward, earned) in self.graph.earnings.iter_mut().enumerate() {
            let ratio = earned.ratios.number(batch.state_rewards[missing * rewards + reward]);
            earned.states.push(ratio);
        }
        self.admit(number, parent, depth, batch.marks(missing, self.graph.atoms.len()));
    }

    /// Takes note of a new state.
    fn admit(&mut self, number: u32, parent: u32, depth: u64, atoms: &[bool]) {
        let graph = &mut self.graph;
        graph.parents.push(parent);
        graph.depth = graph.depth.max(depth);
        if let Some(rows) = &mut graph.rows {
            rows.admit();
        }
        for (column, _) in graph.columns.iter_mut().zip(atoms).filter(|(_, holds)| **holds) {
            column.insert(number as usize);
        }
        self.new.push((number, depth));
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

/// How far into a batch the filing is.
#[derive(Default)]
struct Filed {
    steps: usize,
    /// Possible branches, and those of them whose targets were not in the store.
    branches: usize,
    missing: usize,
}

impl Filed {
    /// Passes over the steps up to `end`.
    fn skip(&mut self, batch: &Batch, end: usize) {
        let branches = end.checked_sub(1).map_or(0, |last| batch.heads[last].end as usize);
        for index in self.branches..branches {
            self.missing += usize::from(batch.sought.number(index).is_none());
        }
        self.branches = self.branches.max(branches);
        self.steps = end;
    }
}
