//! States that were found are added to the store here.

use std::sync::{RwLock, RwLockReadGuard};

use motet_evidence::Stop;
use motet_model::State;

use super::batch::Batch;
use crate::exploration::limits::Room;
use crate::storage::spill::give_up;
use crate::storage::store::{Arena, Arrival, Sought, Store};

/// The one who adds to the store while others read it; room is made when nobody does.
pub(crate) struct Clerk<'a> {
    shelf: &'a RwLock<Arena>,
    store: Option<RwLockReadGuard<'a, Arena>>,
}

impl<'a> Clerk<'a> {
    /// For all targets of a batch there is room then. So many threads may make it; `nearby` says whether what is sought was
    /// sought by this one. `held` is the memory that is in use beside the store.
    pub(crate) fn new(
        shelf: &'a RwLock<Arena>,
        batch: &Batch,
        room: &Room,
        (threads, nearby): (usize, bool),
        held: u64,
    ) -> Result<Self, Stop> {
        let expected = batch.sought.n_missing();
        let mut clerk = Self { shelf, store: None };
        let store = clerk.store();
        let full = !store.has_room(expected).ok_or(Stop::Memory)?;
        let misfit = batch.misfit(store);
        let misfit = misfit.filter(|misfit| !clerk.alone(|store| store.grow(misfit)));
        let store = clerk.store();
        // When a state does not fit, all are packed anew, and for a while there are two stores.
        let growth = store.growth(expected) + if misfit.is_some() { store.bytes() } else { 0 };
        if growth > 0 {
            room.allows(held + store.bytes(), growth)?;
        }
        if let Some(misfit) = &misfit {
            clerk.alone(|store| store.widen(misfit, threads));
            clerk.store().has_room(expected).ok_or(Stop::Memory)?;
        }
        if full || misfit.is_some() {
            clerk.alone(|store| store.reserve(expected, threads));
        }
        // What another core looked up is not in the cache of this one.
        if !nearby {
            clerk.store().glance_at_missing(&batch.sought);
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
    fn alone<T>(&mut self, change: impl FnOnce(&mut Arena) -> T) -> T {
        self.store = None;
        change(&mut self.shelf.write().unwrap_or_else(|_| give_up()))
    }

    /// The number of a target that was not in the store; it is afterwards.
    pub(crate) fn add<'s>(
        &mut self,
        sought: &mut Sought,
        index: usize,
        state: impl Fn() -> &'s State,
    ) -> (u32, Arrival) {
        self.store().add(sought, index, state).expect("there is room for all targets of the batch")
    }
}
