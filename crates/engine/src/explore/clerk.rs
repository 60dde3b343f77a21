//! States that were found are added to the store here.

use std::sync::{RwLock, RwLockReadGuard};

use motet_evidence::Stop;
use motet_model::State;

use crate::limits::Room;
use crate::spill::give_up;
use crate::store::{Arena, Arrival, Sought, Store};

/// The one who adds to the store while others read it; room is made when nobody does.
pub(crate) struct Clerk<'a> {
    shelf: &'a RwLock<Arena>,
    store: Option<RwLockReadGuard<'a, Arena>>,
    /// How many states may come.
    expected: usize,
    threads: usize,
}

impl<'a> Clerk<'a> {
    /// So many threads may make room; `nearby` says whether what is sought was sought by this one. `held` is the memory that is
    /// in use beside the store.
    pub(crate) fn new(
        shelf: &'a RwLock<Arena>,
        sought: &Sought,
        room: &Room,
        (threads, nearby): (usize, bool),
        held: u64,
    ) -> Result<Self, Stop> {
        let expected = sought.n_missing();
        let mut clerk = Self { shelf, store: None, expected, threads };
        let store = clerk.store();
        let full = !store.has_room(expected).ok_or(Stop::Memory)?;
        // When a state does not fit, all are packed anew, and for a while there are two stores.
        let growth = store.growth(expected) + if sought.has_misfits() { store.bytes() } else { 0 };
        if growth > 0 {
            room.allows(held + store.bytes(), growth)?;
        }
        if full {
            clerk.alone(|store| store.reserve(expected, threads));
        }
        // What another core looked up is not in the cache of this one.
        if !nearby {
            clerk.store().glance_at_missing(sought);
        }
        Ok(clerk)
    }

    fn store(&mut self) -> &Arena {
        self.store.get_or_insert_with(|| self.shelf.read().unwrap_or_else(|_| give_up()))
    }

    pub(crate) fn known(&mut self) -> usize {
        self.store().len()
    }

    /// Does something that nobody else may see.
    fn alone(&mut self, change: impl FnOnce(&mut Arena)) {
        self.store = None;
        change(&mut self.shelf.write().unwrap_or_else(|_| give_up()));
    }

    /// The number of a target that was not in the store; it is afterwards.
    pub(crate) fn add<'s>(
        &mut self,
        sought: &mut Sought,
        index: usize,
        state: impl Fn() -> &'s State,
    ) -> Result<(u32, Arrival), Stop> {
        if let Some(added) = self.store().add(sought, index, &state) {
            return Ok(added);
        }
        let (expected, threads) = (self.expected, self.threads);
        self.alone(|store| {
            store.widen(state());
            store.reserve(expected, threads);
        });
        self.store().has_room(expected).ok_or(Stop::Memory)?;
        Ok(self.store().add(sought, index, &state).expect("room was made for this state"))
    }
}
