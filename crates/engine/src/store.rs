//! The states found so far, each with a number.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use motet_model::State;
use rustc_hash::FxBuildHasher;

/// Numbers states densely from 0 in the order of arrival. Exact: whole states are compared, a hash never stands for
/// one.
pub trait Store {
    /// The number of a state, and whether it is new. `None` when there is no number left for it.
    fn insert(&mut self, state: &State) -> Option<(u32, Arrival)>;

    /// Copies the state with this number into `out`.
    fn load(&self, number: u32, out: &mut Vec<u32>);

    /// Whether the state with this number is `state`.
    fn is(&self, number: u32, state: &State) -> bool;

    /// How many states there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory in use.
    fn bytes(&self) -> u64;

    /// Gives back what only [`Store::insert`] needs. Nothing may be inserted afterwards.
    fn freeze(&mut self);
}

/// Whether a state was known before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// First seen now.
    New,
    /// Seen before.
    Known,
}

/// Words per chunk of the arena.
const CHUNK_WORDS: usize = 1 << 16;

/// All states one after the other, and a table of their numbers.
#[derive(Debug)]
pub struct Arena {
    width: usize,
    /// States per chunk, as a power of two.
    chunk_log: u32,
    chunks: Vec<Vec<u32>>,
    len: usize,
    table: HashTable<u32>,
}

impl Arena {
    /// An empty store for states of `width` slots.
    #[must_use]
    pub fn new(width: usize) -> Self {
        let chunk_log = (CHUNK_WORDS / width.max(1)).max(1).ilog2();
        Self { width, chunk_log, chunks: Vec::new(), len: 0, table: HashTable::new() }
    }

    /// The state with this number.
    fn state(&self, number: u32) -> &State {
        slice(&self.chunks, self.chunk_log, self.width, number)
    }

    fn append(&mut self, state: &State) {
        if self.len.is_multiple_of(1 << self.chunk_log) {
            let full = self.width << self.chunk_log;
            // The first chunk grows by itself so that small models stay small.
            self.chunks.push(if self.len == 0 { Vec::new() } else { Vec::with_capacity(full) });
        }
        let chunk = self.chunks.last_mut().expect("a chunk was pushed when the last one was full");
        chunk.extend_from_slice(state);
        self.len += 1;
    }
}

impl Store for Arena {
    fn insert(&mut self, state: &State) -> Option<(u32, Arrival)> {
        let hash = FxBuildHasher.hash_one(state);
        if let Some(&number) = self.table.find(hash, |&number| self.state(number) == state) {
            return Some((number, Arrival::Known));
        }
        // The last number is kept free: parents and rows use it for "none".
        let number = u32::try_from(self.len).ok().filter(|&number| number < u32::MAX)?;
        self.append(state);
        let (chunks, log, width) = (&self.chunks, self.chunk_log, self.width);
        self.table.insert_unique(hash, number, |&n| FxBuildHasher.hash_one(slice(chunks, log, width, n)));
        Some((number, Arrival::New))
    }

    fn load(&self, number: u32, out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(self.state(number));
    }

    fn is(&self, number: u32, state: &State) -> bool {
        self.state(number) == state
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> u64 {
        let first = self.chunks.first().map_or(0, Vec::capacity);
        let others = self.chunks.len().saturating_sub(1) * (self.width << self.chunk_log);
        4 * (first + others) as u64 + self.table.allocation_size() as u64
    }

    fn freeze(&mut self) {
        self.table = HashTable::new();
    }
}

fn slice(chunks: &[Vec<u32>], log: u32, width: usize, number: u32) -> &State {
    let number = number as usize;
    let at = (number & ((1 << log) - 1)) * width;
    &chunks[number >> log][at..at + width]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_share_a_number_and_different_ones_never_do() {
        for width in [1, 3, 5, 70_000] {
            let mut store = Arena::new(width);
            let state = |n: u32| (0..width as u32).map(|slot| (n >> (slot % 3)) & 7).collect::<Vec<u32>>();
            let mut seen = std::collections::BTreeMap::new();
            for n in (0..40).chain(0..40) {
                let expected = seen.len() as u32;
                let known = seen.contains_key(&state(n));
                let number = *seen.entry(state(n)).or_insert(expected);
                let arrival = if known { Arrival::Known } else { Arrival::New };
                assert_eq!(store.insert(&state(n)), Some((number, arrival)), "width {width}, state {n}");
            }
            let mut out = Vec::new();
            for (state, number) in &seen {
                store.load(*number, &mut out);
                assert!(out == *state && store.is(*number, state));
            }
        }
    }

    #[test]
    fn a_model_without_slots_has_one_state() {
        let mut store = Arena::new(0);
        assert_eq!(store.insert(&[]), Some((0, Arrival::New)));
        assert_eq!(store.insert(&[]), Some((0, Arrival::Known)));
    }
}
