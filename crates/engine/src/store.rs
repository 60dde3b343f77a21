//! The states found so far, each with a number.

mod layout;
mod table;

use motet_model::State;

use layout::{Layout, Room};
use table::{Table, hash};

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

/// How often every state may be packed anew on average, before room is made for what may come.
const PATIENCE: usize = 4;

/// All states one after the other, packed, and a table of their numbers. How many bits a slot gets is found out on the
/// way: when a value does not fit, all states are packed anew.
#[derive(Debug)]
pub struct Arena {
    layout: Layout,
    /// Words per state.
    width: usize,
    /// States per chunk, as a power of two.
    chunk_log: u32,
    chunks: Vec<Vec<u32>>,
    len: usize,
    table: Table,
    /// How many states were packed anew, each time counted.
    repacked: usize,
    /// States that are to be inserted together, packed, and their hashes.
    staged: Vec<u32>,
    hashes: Vec<u64>,
}

impl Arena {
    /// An empty store for states of `width` slots.
    #[must_use]
    pub fn new(width: usize) -> Self {
        let layout = Layout::new(width);
        Self {
            width: layout.n_words(),
            chunk_log: chunk_log(layout.n_words()),
            layout,
            chunks: Vec::new(),
            len: 0,
            table: Table::default(),
            repacked: 0,
            staged: Vec::new(),
            hashes: Vec::new(),
        }
    }

    /// Makes a state ready for [`Arena::insert_staged`].
    pub(crate) fn stage(&mut self, state: &State) {
        let start = self.staged.len();
        if !self.layout.pack(state, &mut self.staged) {
            self.stage_wide(state, start);
        }
        self.hashes.push(hash(&self.staged[self.staged.len() - self.width..]));
    }

    /// The same for a state that is much like `known`, which is in the store under the number `number`.
    pub(crate) fn stage_like(&mut self, number: u32, known: &State, state: &State) {
        let start = self.staged.len();
        let packed = slice(&self.chunks, self.chunk_log, self.width, number);
        if !self.layout.pack_like(known, packed, state, &mut self.staged) {
            self.stage_wide(state, start);
        }
        self.hashes.push(hash(&self.staged[self.staged.len() - self.width..]));
    }

    /// Stages a state that does not fit; `start` is where its words began.
    fn stage_wide(&mut self, state: &State, start: usize) {
        self.staged.truncate(start);
        self.widen(state);
        let fits = self.layout.pack(state, &mut self.staged);
        debug_assert!(fits, "room was made for this state");
    }

    /// Inserts what was staged, in order, and appends what [`Store::insert`] says of each. `None` when there are not
    /// enough numbers left; then nothing was inserted.
    ///
    /// Several states at once are faster than one after the other: most of the time goes into waiting for memory, and
    /// the processor can wait for many places at the same time.
    pub(crate) fn insert_staged(&mut self, out: &mut Vec<(u32, Arrival)>) -> Option<()> {
        let (staged, hashes) = (std::mem::take(&mut self.staged), std::mem::take(&mut self.hashes));
        // The last number is kept free: parents and rows use it for "none".
        let room = u32::try_from(self.len + hashes.len()).is_ok_and(|end| end < u32::MAX);
        if room {
            self.warm(&hashes);
            out.extend(hashes.iter().enumerate().map(|(index, &hash)| {
                let packed = &staged[index * self.width..(index + 1) * self.width];
                self.insert_packed(packed, hash)
            }));
        }
        (self.staged, self.hashes) = (staged, hashes);
        self.staged.clear();
        self.hashes.clear();
        room.then_some(())
    }

    /// Reads what the table and the states hold for these hashes, so that it is in the cache.
    fn warm(&self, hashes: &[u64]) {
        if hashes.len() < 2 || self.width == 0 {
            return;
        }
        let first = |&hash: &u64| self.table.glance(hash).map_or(0, |number| self.packed(number)[0]);
        std::hint::black_box(hashes.iter().map(first).fold(0, u32::wrapping_add));
    }

    fn insert_packed(&mut self, packed: &[u32], hash: u64) -> (u32, Arrival) {
        if let Some(number) = self.table.find(hash, |number| self.packed(number) == packed) {
            return (number, Arrival::Known);
        }
        if self.table.is_full() {
            self.rebuild();
        }
        let number = u32::try_from(self.len).expect("there is a number left");
        self.append(packed);
        self.table.insert(hash, number);
        (number, Arrival::New)
    }

    fn rebuild(&mut self) {
        let (chunks, log, width) = (&self.chunks, self.chunk_log, self.width);
        let numbers = 0..u32::try_from(self.len).expect("states are numbered with 32 bits");
        self.table.rebuild(self.len, numbers.map(|number| hash(slice(chunks, log, width, number))));
    }

    /// Makes room for a state that does not fit, and packs all others anew.
    fn widen(&mut self, state: &State) {
        self.repacked += self.len;
        let patient = self.repacked <= PATIENCE * self.len + CHUNK_WORDS;
        let layout = self.layout.widened(state, if patient { Room::Exact } else { Room::Ample });
        let old = std::mem::replace(&mut self.layout, layout);
        let old_width = std::mem::replace(&mut self.width, self.layout.n_words());
        let staged = std::mem::take(&mut self.staged);
        self.hashes.clear();
        let mut values = Vec::new();
        for packed in staged.chunks_exact(old_width.max(1)) {
            old.unpack(packed, &mut values);
            self.stage(&values);
        }
        let (chunks, len) = (std::mem::take(&mut self.chunks), std::mem::take(&mut self.len));
        self.chunk_log = chunk_log(self.width);
        let mut packed = Vec::new();
        // Each chunk is given back before the next one is read, so that there are never two of all.
        for chunk in chunks {
            for state in chunk.chunks_exact(old_width.max(1)) {
                old.unpack(state, &mut values);
                packed.clear();
                self.layout.pack(&values, &mut packed);
                self.append(&packed);
            }
        }
        debug_assert_eq!(self.len, len, "no state is lost");
        self.rebuild();
    }

    /// The number of a state, if it is here. A store that was frozen has to be thawed first.
    pub(crate) fn find(&self, state: &State) -> Option<u32> {
        if state.len() != self.layout.n_slots() {
            return None;
        }
        let mut packed = Vec::with_capacity(self.width);
        let fits = self.layout.pack(state, &mut packed);
        fits.then(|| self.table.find(hash(&packed), |number| self.packed(number) == packed))?
    }

    /// Makes the table anew that [`Store::freeze`] gave back.
    pub(crate) fn thaw(&mut self) {
        self.rebuild();
    }

    /// The state with this number, packed.
    fn packed(&self, number: u32) -> &[u32] {
        slice(&self.chunks, self.chunk_log, self.width, number)
    }

    fn append(&mut self, packed: &[u32]) {
        if self.len.is_multiple_of(1 << self.chunk_log) {
            let full = self.width << self.chunk_log;
            // The first chunk grows by itself so that small models stay small.
            self.chunks.push(if self.len == 0 { Vec::new() } else { Vec::with_capacity(full) });
        }
        let chunk = self.chunks.last_mut().expect("a chunk was pushed when the last one was full");
        chunk.extend_from_slice(packed);
        self.len += 1;
    }
}

impl Store for Arena {
    fn insert(&mut self, state: &State) -> Option<(u32, Arrival)> {
        u32::try_from(self.len + 1).ok().filter(|&end| end < u32::MAX)?;
        self.stage(state);
        let staged = std::mem::take(&mut self.staged);
        let hash = self.hashes.pop().expect("the state was staged");
        let inserted = self.insert_packed(&staged, hash);
        self.staged = staged;
        self.staged.clear();
        Some(inserted)
    }

    fn load(&self, number: u32, out: &mut Vec<u32>) {
        self.layout.unpack(self.packed(number), out);
    }

    fn is(&self, number: u32, state: &State) -> bool {
        self.layout.values(self.packed(number)).eq(state.iter().copied())
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> u64 {
        let first = self.chunks.first().map_or(0, Vec::capacity);
        let others = self.chunks.len().saturating_sub(1) * (self.width << self.chunk_log);
        4 * (first + others) as u64 + self.table.bytes()
    }

    fn freeze(&mut self) {
        self.table = Table::default();
    }
}

fn chunk_log(width: usize) -> u32 {
    (CHUNK_WORDS / width.max(1)).max(1).ilog2()
}

fn slice(chunks: &[Vec<u32>], log: u32, width: usize, number: u32) -> &[u32] {
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

    /// The naive twin is a map from whole states to numbers. Values grow on the way, some slots late and often, so that
    /// states are packed anew at all sizes, also in the middle of what is staged together.
    #[test]
    fn packed_states_are_numbered_like_whole_ones() {
        for seed in [1, 2, 3, 4, 5, 6] {
            let mut random = seed;
            let mut next = |below: u64| {
                random = u64::wrapping_mul(random, 6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                u32::try_from((random >> 33) % below).unwrap()
            };
            let width = [1, 2, 7, 16, 40, 150][seed as usize - 1];
            let (mut store, mut seen) =
                (Arena::new(width), std::collections::BTreeMap::<Vec<u32>, u32>::new());
            let mut arrivals = Vec::new();
            for round in 0..1500_u64 {
                let batch: Vec<Vec<u32>> = (0..next(5))
                    .map(|_| {
                        let mut state = vec![0; width];
                        for slot in 0..width as u64 {
                            let late = round > 9 * slot;
                            let largest = if slot % 5 == 4 { 1 << (round / 50).min(31) } else { 3 };
                            state[slot as usize] = if late { next(largest) } else { 0 };
                        }
                        state
                    })
                    .collect();
                for (index, state) in batch.iter().enumerate() {
                    match seen.iter().nth(index * 7) {
                        Some((known, &number)) if index > 1 => store.stage_like(number, known, state),
                        _ => store.stage(state),
                    }
                }
                arrivals.clear();
                store.insert_staged(&mut arrivals).unwrap();
                let expected = batch.iter().map(|state| {
                    let new = seen.len() as u32;
                    let number = *seen.entry(state.clone()).or_insert(new);
                    (number, if number == new { Arrival::New } else { Arrival::Known })
                });
                assert_eq!(arrivals, expected.collect::<Vec<_>>(), "seed {seed}, round {round}");
            }
            let mut out = Vec::new();
            for (state, number) in &seen {
                store.load(*number, &mut out);
                assert!(out == *state && store.is(*number, state), "seed {seed}, state {number}");
                assert_eq!(store.insert(state), Some((*number, Arrival::Known)));
                out[0] ^= 1;
                assert!(!store.is(*number, &out));
            }
        }
    }

    /// When every slot grows late, packing anew each time would take the square of the time: patience ends.
    #[test]
    fn states_are_not_packed_anew_all_the_time() {
        let (slots, states) = (200, 30_000);
        let mut store = Arena::new(slots + 1);
        let mut state = vec![0; slots + 1];
        for number in 0..states {
            state[0] = number;
            state[1 + number as usize * slots / states as usize] = 1;
            store.insert(&state).unwrap();
        }
        assert_eq!(store.len(), states as usize);
        assert!(store.repacked <= 12 * store.len() + CHUNK_WORDS, "{}", store.repacked);
    }

    #[test]
    fn a_store_that_was_thawed_finds_its_states_and_no_others() {
        let mut store = Arena::new(3);
        let state = |n: u32| [n % 7, n / 7, 1];
        (0..500).for_each(|n| assert_eq!(store.insert(&state(n)), Some((n, Arrival::New))));
        store.freeze();
        store.thaw();
        (0..500).for_each(|n| assert_eq!(store.find(&state(n)), Some(n)));
        assert_eq!([store.find(&state(500)), store.find(&[0, 0, 0]), store.find(&[0, 0, 7])], [None; 3]);
        assert_eq!(
            [store.find(&[u32::MAX, 0, 1]), store.find(&[0, 0]), store.find(&[0, 0, 1, 0])],
            [None; 3]
        );
    }

    #[test]
    fn a_model_without_slots_has_one_state() {
        let mut store = Arena::new(0);
        assert_eq!(store.insert(&[]), Some((0, Arrival::New)));
        assert_eq!(store.insert(&[]), Some((0, Arrival::Known)));
    }
}
