//! When a search is saved, and how it begins with what was saved.

use std::sync::{MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use motet_evidence::Stop;
use motet_model::Model;

use super::write::Trouble;
use super::{Damage, Keeper, Keeping, Log, Position};
use crate::exploration::graph::Graph;
use crate::exploration::limits::Room;
use crate::storage::store::{Arena, Store};

/// The checkpoints of one exploration.
pub(crate) struct Saving<'k> {
    keeping: &'k Keeping,
    /// `None` before the exploration starts, and when nothing more can be saved.
    log: Option<Log>,
    /// When it was last saved, or started.
    saved: Instant,
    /// How far it is.
    position: Position,
    /// How many states and expansions were saved.
    committed: Option<(u32, u32)>,
    /// How long saving a state takes, in seconds, once it is known.
    cost: Option<f64>,
    /// Why the log cannot be continued.
    refused: Option<Damage>,
}

impl<'k> Saving<'k> {
    pub(crate) fn new(keeping: &'k Keeping) -> Self {
        Self {
            keeping,
            log: None,
            saved: Instant::now(),
            position: Position::default(),
            committed: None,
            cost: None,
            refused: None,
        }
    }

    fn keeper(&self) -> MutexGuard<'k, dyn Keeper + 'static> {
        // A keeper that panicked has lost nothing but its own log.
        self.keeping.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be called with the initial states alone in the graph. Reads what was saved, if the search is to be continued,
    /// and says how far it is then.
    pub(crate) fn start<M: Model + ?Sized>(
        &mut self,
        model: &M,
        graph: &mut Graph,
        store: &mut Arena,
        room: &Room,
    ) -> Result<Option<Position>, Damage> {
        let input = self.keeper().open(&self.keeping.search);
        let found = match input {
            Ok(None) => {
                self.log = Some(Log::new(model, (graph, store)));
                return Ok(None);
            }
            Ok(Some(mut input)) => Log::restore(model, (graph, store), &mut input, room),
            Err(error) => Err(Damage::Unreadable(error.to_string())),
        };
        match found {
            Ok((log, position)) => {
                self.committed = Some((log.states, log.expanded));
                self.log = Some(log);
                self.position = position;
                self.saved = Instant::now();
                Ok(Some(position))
            }
            Err(damage) => {
                self.keeper().refuse(damage.clone());
                self.refused = Some(damage.clone());
                Err(damage)
            }
        }
    }

    /// Why nothing is known, if the log could not be continued.
    pub(crate) fn refused(&self) -> Option<Stop> {
        self.refused.as_ref().map(|damage| Stop::Engine(format!("the checkpoint cannot be used: {damage}")))
    }

    /// Whether it is time to save, when so much of the time limit is left, if there is one. Before the limit is near it has
    /// to be known how long saving takes.
    pub(crate) fn is_due(&self, left: Option<(Duration, Duration)>) -> bool {
        let half = left.is_some_and(|(spent, limit)| self.cost.is_none() && 2 * spent > limit);
        self.log.is_some() && (half || self.saved.elapsed() >= self.keeping.every)
    }

    /// About how long it takes to save a search with so many states.
    pub(crate) fn time_to_save(&self, states: usize) -> Duration {
        let known = self.committed.map_or(0, |(states, _)| states as usize);
        let new = u32::try_from(states.saturating_sub(known)).unwrap_or(u32::MAX);
        Duration::from_secs_f64(self.cost.filter(|_| self.log.is_some()).unwrap_or(0.0) * f64::from(new))
    }

    /// Saves what is new. The first `position.expanded` states are expanded, and nothing of the next one is in the graph.
    pub(crate) fn save<M: Model + ?Sized>(
        &mut self,
        model: &M,
        graph: &Graph,
        store: &Arena,
        position: Position,
    ) {
        let Some(mut log) = self.log.take() else { return };
        let (began, before) = (Instant::now(), log.states);
        let mut keeper = self.keeper();
        let written = log.append(model, (graph, store), position, &mut |bytes| keeper.append(bytes));
        let states = log.states;
        let done = written.and_then(|()| Ok(keeper.commit(log.states.into())?));
        self.position = position;
        match done {
            Ok(()) => {
                self.committed = Some((log.states, log.expanded));
                self.log = Some(log);
            }
            Err(Trouble::Disk(error)) => keeper.abandon(&error.to_string()),
            Err(Trouble::Unreadable) => keeper.abandon("this search cannot be followed again"),
        }
        self.cost = Some(began.elapsed().as_secs_f64() / f64::from((states - before).max(1)));
        // The next one is due when the search has had ten times as long as this one took.
        self.saved = Instant::now() + (10 * began.elapsed()).saturating_sub(self.keeping.every);
    }

    /// Remembers how far the exploration came, for [`Saving::save_all`].
    pub(crate) fn leave_at(&mut self, position: Option<Position>) {
        match position {
            Some(position) => self.position = position,
            // What is half done cannot be saved; the last checkpoint stays.
            None => self.log = None,
        }
    }

    /// Saves an exploration that has ended, unless it is saved already.
    pub(crate) fn save_all<M: Model + ?Sized>(&mut self, model: &M, graph: &Graph, store: &Arena) {
        let states = u32::try_from(store.len()).unwrap_or(u32::MAX);
        if self.committed != Some((states, self.position.expanded)) {
            self.save(model, graph, store, self.position);
        }
    }
}
