//! Numbers by hash: an open table of 32-bit entries.
//!
//! An entry is a number, and in the bits that numbers do not need yet a piece of the hash, so that a state is hardly ever
//! compared with one that is different. One thread at a time adds numbers; others look up meanwhile.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crate::exploration::threads::{ranges, together};

/// The numbers from 0 on, each at the place of its hash or soon after.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// A number plus one below, a piece of its hash above; 0 is free.
    entries: Box<[AtomicU32]>,
    /// How many bits of an entry are the number.
    bits: u32,
    len: Apart<AtomicUsize>,
}

/// Something that is written often, away from what others read all the time: a core that writes takes the whole line of memory
/// from the others. Two lines, because processors fetch them in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);

/// The table grows when four of five entries are in use.
const FULL: (usize, usize) = (4, 5);
const SMALLEST: usize = 16;
/// Numbers whose places are looked up at the same time.
const BLOCK: usize = 32;
/// Entries of a page of memory.
const PAGE: usize = 1024;
/// Numbers per thread at least.
const MANY: usize = if cfg!(debug_assertions) { 64 } else { 1 << 16 };

impl Table {
    /// Whether so many more fit; else see [`Table::rebuild`].
    pub(crate) fn has_room(&self, more: usize) -> bool {
        (self.len.0.load(Ordering::Relaxed) + more) * FULL.1 <= self.entries.len() * FULL.0
    }

    /// How many bytes [`Table::rebuild`] would take on top, if there is no room for so many more.
    pub(crate) fn growth(&self, len: usize, more: usize, spare: usize) -> u64 {
        let room = (len + more.max(spare)) * FULL.1 / FULL.0 + 1;
        if self.has_room(more) { 0 } else { 4 * (room.saturating_sub(self.entries.len())) as u64 }
    }

    /// Forgets everything and takes in the numbers below `len`, in a table with room for so many `more`. So many threads may
    /// do this together.
    pub(crate) fn rebuild(
        &mut self,
        len: usize,
        more: usize,
        threads: usize,
        hash_of: impl Fn(u32) -> u64 + Sync,
    ) {
        self.renew(len, more);
        // Everybody fills a part of the table and looks at all numbers for it: two cores that write to one part would take its
        // lines from each other all the time.
        let late =
            together(ranges(self.entries.len(), threads, MANY), |places| self.fill(&places, len, &hash_of));
        late.into_iter().flatten().for_each(|number| self.place(hash_of(number), number));
    }

    /// Takes in the numbers below `len` whose places are these; says which ones found no place before the end of them.
    fn fill(&self, places: &Range<usize>, len: usize, hash_of: impl Fn(u32) -> u64) -> Vec<u32> {
        // A page that is read before it is written is given twice, and all cores have to hear of it.
        places.clone().step_by(PAGE).for_each(|at| self.entries[at].store(0, Ordering::Relaxed));
        let (mut late, mut block, mut filled) = (Vec::new(), [(0, 0); BLOCK], 0);
        for number in 0..u32::try_from(len).expect("rows are numbered with 32 bits") {
            let hash = hash_of(number);
            block[filled] = (number, hash);
            // Nobody can guess whether its place is one of these, so there is no branch.
            filled += usize::from(self.home(hash).wrapping_sub(places.start) < places.len());
            if filled == BLOCK {
                self.fill_block(&block, places, &mut late);
                filled = 0;
            }
        }
        self.fill_block(&block[..filled], places, &mut late);
        late
    }

    /// Takes in some numbers with their hashes; those that find no place among these are `late`.
    fn fill_block(&self, block: &[(u32, u64)], places: &Range<usize>, late: &mut Vec<u32>) {
        // The processor waits for all places of a block at the same time.
        std::hint::black_box(block.iter().map(|&(_, hash)| self.glance(hash)).fold(0, u32::wrapping_add));
        for &(number, hash) in block {
            let free = |at: &usize| self.entries[*at].load(Ordering::Relaxed) == 0;
            match (self.home(hash)..places.end).find(free) {
                Some(at) => self.entries[at].store(self.entry(hash, number), Ordering::Relaxed),
                None => late.push(number),
            }
        }
    }

    /// The same with the hashes in the order of their numbers.
    pub(crate) fn rebuild_in_order(&mut self, len: usize, more: usize, hashes: impl Iterator<Item = u64>) {
        self.renew(len, more);
        hashes.zip(0..).for_each(|(hash, number)| self.place(hash, number));
    }

    /// An empty table that counts `len` numbers as there, with room for so many `more`.
    fn renew(&mut self, len: usize, more: usize) {
        let room = (len + more) * FULL.1 / FULL.0 + 1;
        // The old table goes first, so that there are never two.
        self.entries = Box::default();
        self.entries = (0..room.max(SMALLEST)).map(|_| AtomicU32::new(0)).collect();
        self.bits = (usize::BITS - self.entries.len().leading_zeros()).min(u32::BITS);
        self.len = Apart(AtomicUsize::new(len));
    }

    /// Adds a number. The table must not be full, and only one thread at a time may do so.
    pub(crate) fn insert(&self, hash: u64, number: u32) {
        self.place(hash, number);
        self.len.0.store(self.len.0.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    fn place(&self, hash: u64, number: u32) {
        let mut at = self.home(hash);
        while self.entries[at].load(Ordering::Relaxed) != 0 {
            at = self.after(at);
        }
        // Whoever sees the number sees what was written before it: the row it stands for.
        self.entries[at].store(self.entry(hash, number), Ordering::Release);
    }

    fn entry(&self, hash: u64, number: u32) -> u32 {
        let piece = u64::from(low(hash)) >> self.bits << self.bits;
        u32::try_from(piece).expect("a piece of 32 bits") | (number + 1)
    }

    /// The number with this hash that `is` the one.
    pub(crate) fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let mut at = self.home(hash);
        loop {
            let entry = self.entries[at].load(Ordering::Acquire);
            if entry == 0 {
                return None;
            }
            if u64::from(entry ^ low(hash)) >> self.bits == 0 {
                let number = self.number(entry);
                if is(number) {
                    return Some(number);
                }
            }
            at = self.after(at);
        }
    }

    /// Reads what stands where this hash belongs. Whoever does this for many of them, one after the other, waits for all places
    /// at the same time: nothing depends on what is read.
    pub(crate) fn glance(&self, hash: u64) -> u32 {
        self.entries.get(self.home(hash)).map_or(0, |entry| entry.load(Ordering::Relaxed))
    }

    /// The first number that may be the one with this hash; it hardly ever is another one.
    pub(crate) fn likely(&self, hash: u64) -> Option<u32> {
        self.find(hash, |_| true)
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * self.entries.len() as u64
    }

    fn number(&self, entry: u32) -> u32 {
        let mask = u32::MAX.checked_shr(u32::BITS - self.bits).unwrap_or(0);
        (entry & mask) - 1
    }

    fn home(&self, hash: u64) -> usize {
        let product = u128::from(hash) * self.entries.len() as u128;
        usize::try_from(product >> u64::BITS).expect("smaller than the table")
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.entries.len() { 0 } else { at + 1 }
    }
}

/// The half of a hash that does not say where its place is.
#[expect(clippy::cast_possible_truncation, reason = "half of the bits are wanted")]
fn low(hash: u64) -> u32 {
    hash as u32
}

/// A hash of a row: it is multiplied twice, and both halves of each product count.
pub(crate) fn hash([first, second]: [u32; 2]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let fold = |value: u64| {
        let product = u128::from(value) * u128::from(FACTOR);
        low_half(product) ^ low_half(product >> u64::BITS)
    };
    let row = u64::from(first) | u64::from(second) << u32::BITS;
    fold(fold(row ^ 0x517C_C1B7_2722_0A95) ^ (FACTOR >> 1))
}

#[expect(clippy::cast_possible_truncation, reason = "half of the bits are wanted")]
fn low_half(product: u128) -> u64 {
    product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_hash_also_where_hashes_collide() {
        for spread in [1, 3, 1 << 20, u64::MAX] {
            let hash_of = |number: u32| hash([u32::try_from(u64::from(number) % spread).unwrap(), 0]);
            let mut table = Table::default();
            for number in 0..300 {
                if !table.has_room(1) {
                    table.rebuild(number as usize, 1 + number as usize / 2, 3, hash_of);
                }
                assert_eq!(table.find(hash_of(number), |found| found == number), None);
                table.insert(hash_of(number), number);
            }
            for number in 0..300 {
                assert_eq!(table.find(hash_of(number), |found| found == number), Some(number));
            }
            assert_eq!(table.find(hash([7, 7]), |_| true).filter(|&n| n >= 300), None);
        }
    }

    /// 4 million small vectors would fill a third of the places twice by chance alone; a hash that forgets bits does worse.
    #[test]
    fn hashes_of_small_vectors_are_spread() {
        let mut homes = vec![0_u32; 1 << 16];
        for number in 0..1_u32 << 16 {
            let words = [number & 0x1f | (number >> 5 & 0x7) << 20, (number >> 8) << 9];
            homes[(hash(words) >> 48) as usize] += 1;
        }
        let free = homes.iter().filter(|count| **count == 0).count();
        let expected = 65536.0 / std::f64::consts::E;
        assert!((free as f64 - expected).abs() < 1000.0, "{free} places are free, by chance {expected}");
    }
}
