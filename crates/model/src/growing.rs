//! Entries that only grow in number. Several threads read them without waiting for each other: a search asks millions of
//! times for each new entry, and whoever only reads takes no lock and writes nothing that others read.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Size of the first page of entries; each further page doubles.
const FIRST_PAGE: usize = 64;
/// Enough pages for 2^32 entries.
const PAGES: usize = 27;
/// Size of the first index; each further index doubles.
const FIRST_INDEX: usize = 128;
/// Enough indexes for 2^32 entries, each at most half full.
const INDEXES: usize = 27;

type Page<E> = Box<[OnceLock<E>]>;

/// Entries numbered densely from 0, and found again by a hash of what they are about.
///
/// An index holds for each entry its number and 32 bits of its hash, one word, in the first free place from the one that
/// these bits say. When it is half full, the next one takes over: whoever still reads the old one finds less in it, and
/// looks again under the lock before anything is added.
pub struct Growing<E> {
    pages: [OnceLock<Page<E>>; PAGES],
    indexes: [OnceLock<Box<[AtomicU64]>>; INDEXES],
    /// Which index is in use.
    current: AtomicUsize,
    len: AtomicU32,
    /// Whoever adds an entry holds it.
    adding: Mutex<()>,
}

impl<E> Default for Growing<E> {
    fn default() -> Self {
        Self {
            pages: std::array::from_fn(|_| OnceLock::new()),
            indexes: std::array::from_fn(|_| OnceLock::new()),
            current: AtomicUsize::new(0),
            len: AtomicU32::new(0),
            adding: Mutex::new(()),
        }
    }
}

impl<E> std::fmt::Debug for Growing<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Growing").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<E> Growing<E> {
    /// The entry with this number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn get(&self, number: u32) -> &E {
        let (page, at) = position(number);
        let entry = self.pages[page].get().and_then(|page| page[at].get());
        entry.expect("the number of an entry came from here")
    }

    /// The number of the entry with this hash that is the same as the one sought.
    pub fn find(&self, hash: u64, same: impl Fn(&E) -> bool) -> Option<u32> {
        let index = self.indexes[self.current.load(Ordering::Acquire)].get()?;
        let tag = tag(hash);
        for at in places(tag, index.len()) {
            let word = index[at].load(Ordering::Acquire);
            let (found, number) = parts(word);
            let number = number.checked_sub(1)?;
            if found == tag && same(self.get(number)) {
                return Some(number);
            }
        }
        None
    }

    /// The number of an entry with this hash: of the same one that is there already, or of this one from now on.
    ///
    /// # Panics
    /// After 2^32 entries, or when another thread panicked inside.
    pub fn add(&self, hash: u64, entry: E, same: impl Fn(&E, &E) -> bool) -> u32 {
        if let Some(number) = self.find(hash, |known| same(known, &entry)) {
            return number;
        }
        let _adding = self.adding.lock().expect("no thread panics while it adds an entry");
        if let Some(number) = self.find(hash, |known| same(known, &entry)) {
            return number;
        }
        let number = self.len.load(Ordering::Relaxed);
        let (page, at) = position(number);
        let page =
            self.pages[page].get_or_init(|| (0..FIRST_PAGE << page).map(|_| OnceLock::new()).collect());
        let vacant = page[at].set(entry).is_ok();
        assert!(vacant, "a number was given twice; this is a bug in the tool");
        let len = number.checked_add(1).expect("fewer than 2^32 entries");
        self.len.store(len, Ordering::Release);
        self.enter(tag(hash), len);
        number
    }

    /// Puts an entry into the index, under its number plus one; the lock is held.
    fn enter(&self, tag: u32, number: u32) {
        let current = self.current.load(Ordering::Relaxed);
        let index = self.index(current);
        if number as usize <= index.len() / 2 {
            return put(index, word(tag, number));
        }
        let larger = self.index(current + 1);
        for old in index.iter().map(|old| old.load(Ordering::Relaxed)).filter(|old| *old != 0) {
            put(larger, old);
        }
        put(larger, word(tag, number));
        self.current.store(current + 1, Ordering::Release);
    }

    fn index(&self, number: usize) -> &[AtomicU64] {
        self.indexes[number].get_or_init(|| (0..FIRST_INDEX << number).map(|_| AtomicU64::new(0)).collect())
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Acquire) as usize
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Page and place of a number: page `k` holds `FIRST_PAGE << k` entries.
fn position(number: u32) -> (usize, usize) {
    let number = number as usize;
    let page = (number / FIRST_PAGE + 1).ilog2() as usize;
    (page, number - FIRST_PAGE * ((1 << page) - 1))
}

fn put(index: &[AtomicU64], word: u64) {
    let free = places(parts(word).0, index.len()).find(|at| index[*at].load(Ordering::Relaxed) == 0);
    let free = free.expect("an index is at most half full");
    index[free].store(word, Ordering::Release);
}

/// All places of an index, from the one that the bits of a hash say.
fn places(tag: u32, len: usize) -> impl Iterator<Item = usize> {
    (0..len).map(move |step| (tag as usize + step) & (len - 1))
}

#[expect(clippy::cast_possible_truncation, reason = "both halves of the hash are used")]
fn tag(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

fn word(tag: u32, number: u32) -> u64 {
    u64::from(tag) << 32 | u64::from(number)
}

#[expect(clippy::cast_possible_truncation, reason = "a word is cut into its halves")]
fn parts(word: u64) -> (u32, u32) {
    ((word >> 32) as u32, word as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(entries: &Growing<u64>, hash: u64, value: u64) -> u32 {
        entries.add(hash, value, PartialEq::eq)
    }

    #[test]
    fn numbers_are_dense_across_pages_and_lead_back_to_the_entries() {
        let entries = Growing::default();
        for value in 0..5000_u64 {
            assert_eq!(u64::from(add(&entries, value.wrapping_mul(0x9e37_79b9_7f4a_7c15), value)), value);
        }
        assert_eq!(add(&entries, 4321_u64.wrapping_mul(0x9e37_79b9_7f4a_7c15), 4321), 4321);
        assert_eq!((*entries.get(4999), entries.len()), (4999, 5000));
    }

    #[test]
    fn entries_with_equal_hashes_are_told_apart() {
        let entries = Growing::default();
        let numbers: Vec<u32> = [5, 6, 5, 7, 6].into_iter().map(|value| add(&entries, 1, value)).collect();
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!(entries.find(1, |entry| *entry == 8), None);
    }

    #[test]
    fn threads_that_add_the_same_entries_agree_on_their_numbers() {
        let entries = Growing::default();
        let numbers = |reverse: bool| -> Vec<u32> {
            let values: Vec<u64> = if reverse { (0..3000).rev().collect() } else { (0..3000).collect() };
            let mut found: Vec<(u64, u32)> = values
                .into_iter()
                .map(|v| (v, add(&entries, v.wrapping_mul(0x1234_5678_9abc_def1), v)))
                .collect();
            found.sort_unstable();
            found.into_iter().map(|(_, number)| number).collect()
        };
        let (one, two) = std::thread::scope(|threads| {
            let other = threads.spawn(|| numbers(true));
            (numbers(false), other.join().expect("it does not panic"))
        });
        assert_eq!(one, two);
        assert_eq!(entries.len(), 3000);
    }
}
