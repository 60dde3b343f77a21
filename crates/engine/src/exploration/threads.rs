//! Work shared by threads. Nothing here decides a result: what threads find together is a set, a sum or a list in the
//! order of its parts, and so the same however many there are.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{Scope, ScopedJoinHandle};

use motet_evidence::Stop;

use crate::storage::bits::Bits;

/// How many threads work: as many as asked for, or as there are cores.
pub(crate) fn n_threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        asked => asked,
    }
}

/// States from which on it is worth to have threads for something short; few where tests are to meet it.
pub(crate) const LARGE: usize = if cfg!(debug_assertions) { 64 } else { 1 << 16 };

/// Cuts `0..n` into at most `parts` ranges of about equal length, none shorter than `least` unless there is only one.
pub(crate) fn ranges(n: usize, parts: usize, least: usize) -> Vec<Range<usize>> {
    let parts = parts.min(n / least.max(1)).max(1);
    (0..parts).map(|part| n * part / parts..n * (part + 1) / parts).collect()
}

/// Cuts a list into pieces of these lengths; what is left over stays out.
pub(crate) fn pieces<T>(mut list: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let cut = lengths.map(|length| {
        let (piece, rest) = std::mem::take(&mut list).split_at_mut(length);
        list = rest;
        piece
    });
    cut.collect()
}

/// Does something with each part, all at the same time; the answers come in the order of the parts.
pub(crate) fn together<P: Send, T: Send>(parts: Vec<P>, work: impl Fn(P) -> T + Sync) -> Vec<T> {
    let mut parts = parts.into_iter();
    let Some(own) = parts.next() else { return Vec::new() };
    if parts.len() == 0 {
        return vec![work(own)];
    }
    let parts: Vec<Mutex<Option<P>>> = parts.map(|part| Mutex::new(Some(part))).collect();
    let done = |part: &Mutex<Option<P>>| {
        let part = part.lock().expect("nobody panics while it takes a part").take();
        work(part.expect("each part is taken once"))
    };
    let done = &done;
    std::thread::scope(|scope| {
        let others: Vec<_> = parts.iter().map(|part| (part, start(scope, move || done(part)))).collect();
        let mut answers = vec![work(own)];
        for (part, other) in others {
            answers.push(match other {
                Some(other) => other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                None => done(part),
            });
        }
        answers
    })
}

/// Starts a thread. `None` if the system starts no more: then somebody else has to do the work, and it takes longer.
pub(crate) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    std::thread::Builder::new().spawn_scoped(scope, work).ok()
}

/// Items that a thread does between two looks at the clock.
const TICK: u32 = 1 << 14;
/// Items that are handed over at a time.
const HANDFUL: usize = 512;

/// Works off a list to which the work itself adds, in no particular order. `tick` is called by the calling thread every
/// now and then; what it returns ends the work early.
pub(crate) fn exhaust<T: Send>(
    threads: usize,
    first: Vec<T>,
    tick: &mut dyn FnMut() -> Result<(), Stop>,
    work: impl Fn(T, &mut Vec<T>) + Sync,
) -> Result<(), Stop> {
    if threads <= 1 {
        return exhaust_alone(first, tick, &work);
    }
    let list = List {
        shared: Mutex::new(Vec::new()),
        handfuls: AtomicUsize::new(0),
        idle: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        threads,
    };
    let mut own = first;
    let mut hands = Vec::new();
    let part = own.len().div_ceil(threads).max(1);
    for _ in 1..threads {
        hands.push(own.split_off(own.len().saturating_sub(part)));
    }
    std::thread::scope(|scope| {
        for hand in hands {
            let (list, work) = (&list, &work);
            // Given away first, so that nothing is lost with a thread that the system does not start.
            list.give(hand);
            if start(scope, move || list.work_off(Vec::new(), &mut || Ok(()), work)).is_none() {
                list.idle.fetch_add(1, Ordering::AcqRel);
            }
        }
        list.work_off(own, tick, &work)
    })
}

fn exhaust_alone<T>(
    mut waiting: Vec<T>,
    tick: &mut dyn FnMut() -> Result<(), Stop>,
    work: &impl Fn(T, &mut Vec<T>),
) -> Result<(), Stop> {
    let mut done = 0_u32;
    while let Some(item) = waiting.pop() {
        work(item, &mut waiting);
        done = done.wrapping_add(1);
        if done.is_multiple_of(TICK) {
            tick()?;
        }
    }
    Ok(())
}

/// What threads hand over to those that have nothing left.
struct List<T> {
    shared: Mutex<Vec<Vec<T>>>,
    /// How many handfuls lie there; read without taking the lock.
    handfuls: AtomicUsize,
    idle: AtomicUsize,
    stopped: AtomicBool,
    threads: usize,
}

impl<T: Send> List<T> {
    fn work_off(
        &self,
        mut waiting: Vec<T>,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
        work: &impl Fn(T, &mut Vec<T>),
    ) -> Result<(), Stop> {
        let _guard = Panicking(&self.stopped);
        let mut done = 0_u32;
        loop {
            while let Some(item) = waiting.pop() {
                work(item, &mut waiting);
                done = done.wrapping_add(1);
                if done.is_multiple_of(TICK) {
                    self.ticked(tick)?;
                }
                let wanted =
                    waiting.len() > 2 * HANDFUL && self.handfuls.load(Ordering::Relaxed) < self.threads;
                if wanted {
                    self.give(waiting.split_off(waiting.len() - HANDFUL));
                }
            }
            match self.take(tick)? {
                Some(handful) => waiting = handful,
                None => return Ok(()),
            }
        }
    }

    fn ticked(&self, tick: &mut dyn FnMut() -> Result<(), Stop>) -> Result<(), Stop> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        tick().inspect_err(|_| self.stopped.store(true, Ordering::Relaxed))
    }

    fn give(&self, handful: Vec<T>) {
        self.shared.lock().expect("nobody panics holding the list").push(handful);
        self.handfuls.fetch_add(1, Ordering::Release);
    }

    /// Waits until there is something to do; `None` when nobody has anything any more.
    fn take(&self, tick: &mut dyn FnMut() -> Result<(), Stop>) -> Result<Option<Vec<T>>, Stop> {
        self.idle.fetch_add(1, Ordering::AcqRel);
        for turn in 1_u32.. {
            if self.handfuls.load(Ordering::Acquire) > 0 {
                // Whoever may take something is not idle while it does: otherwise the others might leave too early.
                self.idle.fetch_sub(1, Ordering::AcqRel);
                let handful = self.shared.lock().expect("nobody panics holding the list").pop();
                if let Some(handful) = handful {
                    self.handfuls.fetch_sub(1, Ordering::AcqRel);
                    return Ok(Some(handful));
                }
                self.idle.fetch_add(1, Ordering::AcqRel);
            }
            if self.idle.load(Ordering::Acquire) == self.threads || self.stopped.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if turn.is_multiple_of(1 << 10) {
                self.ticked(tick)?;
            }
            if turn.is_multiple_of(64) { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        Ok(None)
    }
}

/// Nobody waits for a thread that is no more.
struct Panicking<'a>(&'a AtomicBool);

impl Drop for Panicking<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// A set of small numbers that several threads add to.
#[derive(Debug, Default)]
pub(crate) struct SharedBits {
    words: Vec<AtomicU64>,
}

impl SharedBits {
    /// All zero, with room for `n` bits and no more.
    pub(crate) fn zeros(n: usize) -> Self {
        Self { words: (0..n.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    pub(crate) fn of(bits: &Bits, n: usize) -> Self {
        Self { words: (0..n.div_ceil(64)).map(|index| AtomicU64::new(bits.word(index))).collect() }
    }

    pub(crate) fn get(&self, at: usize) -> bool {
        self.words[at / 64].load(Ordering::Relaxed) >> (at % 64) & 1 == 1
    }

    /// Sets a bit and says whether it was 0 before.
    pub(crate) fn insert(&self, at: usize) -> bool {
        let bit = 1 << (at % 64);
        // Most are there already, and reading is cheaper than writing.
        self.words[at / 64].load(Ordering::Relaxed) & bit == 0
            && self.words[at / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Clears a bit and says whether it was 1 before.
    pub(crate) fn remove(&self, at: usize) -> bool {
        let bit = 1 << (at % 64);
        self.words[at / 64].fetch_and(!bit, Ordering::Relaxed) & bit != 0
    }

    pub(crate) fn word(&self, index: usize) -> u64 {
        self.words[index].load(Ordering::Relaxed)
    }

    pub(crate) fn into_bits(self) -> Bits {
        Bits::from_words(self.words.into_iter().map(AtomicU64::into_inner).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_everything_once() {
        for (n, parts, least) in [(0, 4, 1), (10, 3, 1), (10, 3, 5), (7, 100, 1), (1000, 4, 300)] {
            let cut = ranges(n, parts, least);
            assert_eq!(cut.iter().cloned().flatten().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
            assert!(cut.len() <= parts.max(1));
        }
    }

    #[test]
    fn answers_come_in_the_order_of_the_parts() {
        assert_eq!(together((0..9).collect(), |part: u64| part * part), [0, 1, 4, 9, 16, 25, 36, 49, 64]);
        assert_eq!(together(Vec::new(), |part: u64| part), Vec::<u64>::new());
    }

    /// Every number below `n` has its two successors in a binary tree, and each is met once.
    #[test]
    fn all_that_is_added_is_worked_off_by_any_number_of_threads() {
        let n = 200_000;
        for threads in [1, 2, 3, 8] {
            let (met, twice) = (SharedBits::zeros(n), AtomicU64::new(0));
            let done = exhaust(threads, vec![1_usize], &mut || Ok(()), |item, more| {
                if !met.insert(item) {
                    twice.fetch_add(1, Ordering::Relaxed);
                }
                more.extend([2 * item, 2 * item + 1].into_iter().filter(|&next| next < n));
            });
            assert_eq!((done, twice.into_inner()), (Ok(()), 0));
            assert_eq!(met.into_bits().count(), n - 1, "{threads}");
        }
    }

    #[test]
    fn a_limit_ends_the_work() {
        for threads in [1, 2, 4] {
            let endless =
                exhaust(threads, vec![0_u64], &mut || Err(Stop::Time), |item, more| more.push(item + 1));
            assert_eq!(endless, Err(Stop::Time), "{threads}");
        }
    }
}
