//! Lists that do not fit: full chunks are put away outside of memory, and read back a little at a time.
//!
//! A chunk never changes once it is full, so that nothing is ever written twice, and whoever looks an element up takes the
//! way here only when it is not in memory. See `docs/adr` for why this is not left to the system.

mod attic;
mod lines;
#[cfg(test)]
pub(crate) mod tests;

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use motet_evidence::Stop;

pub(crate) use attic::{Attic, Cell};
use lines::Lines;

/// A place outside of memory: the host's side of lists that do not fit.
pub trait Spill: Send + Sync {
    /// Keeps a page at this place. Nobody reads there meanwhile.
    ///
    /// # Errors
    /// There is no room, or the place will not take it. The page stays in memory then.
    fn write(&self, place: u64, page: &[u8]) -> io::Result<()>;

    /// Reads what was kept from this place on. Several threads may do so at the same time.
    ///
    /// # Errors
    /// It cannot be read any more. The search ends then and says nothing.
    fn read(&self, place: u64, out: &mut [u8]) -> io::Result<()>;
}

/// Where full chunks go, for one search or several.
#[derive(Clone)]
pub struct Spilling(Arc<Space>);

struct Space {
    host: Box<dyn Spill>,
    /// When to begin, if not when memory gets tight.
    beyond: Option<u64>,
    lines: Lines,
    /// Where the next page goes, unless one of its size was given back.
    end: AtomicU64,
    /// Places that were given back, by size.
    free: Mutex<BTreeMap<usize, Vec<u64>>>,
    /// Why no more pages are taken.
    full: OnceLock<String>,
    /// Why a page could not be read.
    lost: OnceLock<String>,
}

/// What unwinds a search that cannot read what it put away.
struct Lost;

impl std::fmt::Debug for Spilling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spilling").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

impl Spilling {
    /// Chunks go to this place when memory gets tight.
    #[must_use]
    pub fn new(host: Box<dyn Spill>) -> Self {
        Self::made(host, None)
    }

    /// Chunks go to this place when the search counts more than so many bytes, and then all of them.
    #[must_use]
    pub fn beyond(bytes: u64, host: Box<dyn Spill>) -> Self {
        Self::made(host, Some(bytes))
    }

    fn made(host: Box<dyn Spill>, beyond: Option<u64>) -> Self {
        Self(Arc::new(Space {
            host,
            beyond,
            lines: Lines::default(),
            end: AtomicU64::new(0),
            free: Mutex::default(),
            full: OnceLock::new(),
            lost: OnceLock::new(),
        }))
    }

    /// How many bytes the place had to take at most.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.end.load(Ordering::Relaxed)
    }

    /// Why no more chunks were put away, if that was so.
    #[must_use]
    pub fn full(&self) -> Option<&str> {
        self.0.full.get().map(String::as_str)
    }

    /// Why nothing can be said, if a chunk could not be read.
    #[must_use]
    pub fn lost(&self) -> Option<Stop> {
        let why = self.0.lost.get()?;
        Some(Stop::Engine(format!("what was put away could not be read again: {why}")))
    }

    /// Does something that may read what was put away. `Err` if that could not be read: nothing that was on the way is
    /// believed.
    pub(crate) fn guard<T>(&self, act: impl FnOnce() -> T) -> Result<T, Stop> {
        match catch_unwind(AssertUnwindSafe(act)) {
            Ok(done) => self.lost().map_or(Ok(done), Err),
            // Another thread may have been the one that could not read.
            Err(cause) => Err(self.lost().unwrap_or_else(|| resume_unwind(cause))),
        }
    }

    /// How many bytes should be put away now, when so many are counted and so many of them can be: none before memory gets
    /// tight, and then some more, so that it does not happen all the time. What was found last is looked at most, and stays.
    pub(crate) fn excess(&self, limit: Option<u64>, resident: u64, counted: u64, here: u64) -> u64 {
        if let Some(beyond) = self.0.beyond {
            return if counted > beyond { here } else { 0 };
        }
        let Some(limit) = limit else { return 0 };
        let share = limit / 16;
        let fixed = counted.saturating_sub(here);
        let high = (8 * share).max(fixed + 2 * share);
        if counted > high {
            return counted - (high - share);
        }
        // The system may have given more than was counted.
        if resident > 12 * share && here > 2 * share { here - share } else { 0 }
    }

    /// Whether it may soon be time to put something away, when so many bytes are counted.
    pub(crate) fn is_near(&self, limit: Option<u64>, counted: u64) -> bool {
        let begin = self.0.beyond.or(limit.map(|limit| limit / 2));
        begin.is_some_and(|begin| counted > begin / 2)
    }

    /// Memory that is taken for what was read back.
    pub(crate) fn memory(&self) -> u64 {
        self.0.lines.memory()
    }

    /// Makes the memory for what is read back fit under a limit.
    pub(crate) fn fit(&self, limit: Option<u64>) {
        self.0.lines.fit(limit);
    }

    /// Puts a page away, unless there is no room for it.
    fn put(&self, page: &[u8]) -> Option<u64> {
        let space = &*self.0;
        let given_back = self.free().get_mut(&page.len()).and_then(Vec::pop);
        let size = page.len() as u64;
        let place = given_back.unwrap_or_else(|| space.end.fetch_add(size, Ordering::Relaxed));
        if let Err(error) = space.host.write(place, page) {
            let _ = space.full.set(error.to_string());
            if given_back.is_none() {
                space.end.fetch_sub(size, Ordering::Relaxed);
            }
            return None;
        }
        if given_back.is_some() {
            space.lines.forget(place, page.len());
        }
        Some(place)
    }

    /// Gives back a place whose page nobody needs any more.
    fn give_back(&self, place: u64, size: usize) {
        self.free().entry(size).or_default().push(place);
    }

    fn free(&self) -> MutexGuard<'_, BTreeMap<usize, Vec<u64>>> {
        self.0.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads from a page. Where that fails, nobody goes on with what is not there: the search unwinds up to
    /// [`Spilling::guard`].
    fn read(&self, place: u64, out: &mut [u8]) {
        if let Err(error) = self.0.host.read(place, out) {
            let _ = self.0.lost.set(error.to_string());
            resume_unwind(Box::new(Lost));
        }
    }
}

/// Lets a thread end quietly that could not read what was put away: the one that started it looks at
/// [`Spilling::lost`]. Every other panic goes on.
pub(crate) fn unless_lost(act: impl FnOnce()) {
    let quiet = |cause: Box<dyn Any + Send>| if cause.is::<Lost>() { Ok(()) } else { Err(cause) };
    catch_unwind(AssertUnwindSafe(act)).or_else(quiet).unwrap_or_else(|cause| resume_unwind(cause));
}

/// Ends this thread because another one could not read what was put away.
pub(crate) fn give_up() -> ! {
    resume_unwind(Box::new(Lost))
}

#[cfg(test)]
mod units {
    use super::*;

    struct Nowhere;

    impl Spill for Nowhere {
        fn write(&self, _: u64, _: &[u8]) -> io::Result<()> {
            Ok(())
        }

        fn read(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
            Err(io::Error::other("it is not there"))
        }
    }

    #[test]
    fn nothing_is_put_away_before_memory_gets_tight() {
        let spilling = Spilling::new(Box::new(Nowhere));
        let excess = |counted, here| spilling.excess(Some(1600), 0, counted, here);
        assert_eq!([excess(800, 700), excess(801, 700), excess(900, 900)], [0, 101, 200]);
        // What cannot be put away leaves less to the rest, and some of the rest stays.
        assert_eq!([excess(1400, 200), excess(1410, 210), excess(1599, 399)], [0, 110, 299]);
        assert_eq!(spilling.excess(None, 1 << 40, 1 << 40, 1 << 40), 0);
    }

    #[test]
    fn a_process_that_is_larger_than_what_was_counted_is_tight_as_well() {
        let spilling = Spilling::new(Box::new(Nowhere));
        assert_eq!(spilling.excess(Some(1600), 1201, 700, 300), 200);
        assert_eq!(spilling.excess(Some(1600), 1201, 500, 200), 0, "the last ones stay");
    }

    #[test]
    fn places_that_were_given_back_are_used_again() {
        let spilling = Spilling::new(Box::new(Nowhere));
        let [first, second] = [spilling.put(&[1; 4096]), spilling.put(&[2; 8192])];
        assert_eq!((first, second), (Some(0), Some(4096)));
        spilling.give_back(0, 4096);
        assert_eq!((spilling.put(&[3; 8192]), spilling.put(&[3; 4096])), (Some(12288), Some(0)));
        assert_eq!(spilling.bytes(), 20480);
    }

    #[test]
    fn what_cannot_be_read_ends_everything_up_to_the_guard() {
        let spilling = Spilling::new(Box::new(Nowhere));
        let mut bytes = [0; 4];
        let told = spilling.guard(|| spilling.read(0, &mut bytes));
        assert!(matches!(told, Err(Stop::Engine(_))));
        assert!(spilling.guard(|| ()).is_err(), "and everything afterwards");
    }
}
