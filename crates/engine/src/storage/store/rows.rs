//! Rows of one or two words, each once, numbered in the order of arrival. One thread at a time adds rows; others look rows up
//! meanwhile and take no lock. Full chunks can be put away outside of memory.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::table::{Apart, Table, hash};
use crate::storage::spill::{Attic, Spilling};

/// A row; the second word is 0 where rows have one word.
pub(crate) type Row = [u32; 2];

/// Words per chunk; few in tests, so that small models have many chunks.
const CHUNK_WORDS: usize = if cfg!(test) { 1 << 5 } else { 1 << 16 };
/// Rows in the first chunk to begin with.
const FEW: usize = if cfg!(test) { 8 } else { 64 };

/// The rows from 0 on, and a table of their numbers.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Words per row: one or two.
    width: usize,
    /// Rows per chunk, as a power of two.
    chunk_log: u32,
    /// All are full size but a first one that is alone, so that small models stay small, and those that are away, which are
    /// empty.
    chunks: Vec<Box<[AtomicU32]>>,
    attic: Attic,
    len: Apart<AtomicUsize>,
    table: Table,
}

impl Rows {
    /// None yet.
    pub(crate) fn new(width: usize) -> Self {
        debug_assert!((1..=2).contains(&width), "a row has one or two words");
        Self {
            width,
            chunk_log: (CHUNK_WORDS / width).ilog2(),
            chunks: Vec::new(),
            attic: Attic::default(),
            len: Apart::default(),
            table: Table::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        // What was added is seen before the number that says so.
        self.len.0.load(Ordering::Acquire)
    }

    /// The row with this number.
    pub(crate) fn get(&self, number: u32) -> Row {
        let number = number as usize;
        let chunk = &self.chunks[number >> self.chunk_log];
        let at = number & ((1 << self.chunk_log) - 1);
        if self.width == 1 {
            return match chunk.get(at) {
                Some(word) => [word.load(Ordering::Relaxed), 0],
                None => self.fetch(number),
            };
        }
        match chunk.get(2 * at..2 * at + 2) {
            Some(pair) => [pair[0].load(Ordering::Relaxed), pair[1].load(Ordering::Relaxed)],
            None => self.fetch(number),
        }
    }

    /// A row that is away.
    #[cold]
    #[inline(never)]
    fn fetch(&self, number: usize) -> Row {
        let (chunk, at) = (number >> self.chunk_log, number & ((1 << self.chunk_log) - 1));
        if self.width == 1 { [self.attic.get(chunk, at), 0] } else { self.attic.get(chunk, at) }
    }

    /// All rows in order; chunks that are away are read one by one.
    pub(crate) fn each(&self) -> impl Iterator<Item = Row> {
        let away = (0..self.attic.len()).flat_map(|chunk| {
            let page = self.attic.page(chunk);
            let words = page.chunks_exact(4).map(|word| word.try_into().map_or(0, u32::from_le_bytes));
            let words: Vec<u32> = words.collect();
            let rows = words.chunks_exact(self.width).map(|row| [row[0], row.get(1).copied().unwrap_or(0)]);
            rows.take(1 << self.chunk_log).collect::<Vec<Row>>()
        });
        let here = self.attic.len() << self.chunk_log;
        away.chain((here..self.len()).map(|number| self.get(narrow(number))))
    }

    /// Puts the oldest full chunks away, so many bytes of them or all. Says how many bytes that were.
    pub(crate) fn put_away(&mut self, home: &Spilling, bytes: u64) -> u64 {
        let mut freed = 0;
        while freed < bytes && self.here() > 0 {
            let chunk = &mut self.chunks[self.attic.len()];
            if !self.attic.put(home, chunk.iter().map(|word| word.load(Ordering::Relaxed))) {
                break;
            }
            freed += 4 * chunk.len() as u64;
            *chunk = Box::default();
        }
        freed
    }

    /// How many bytes can be put away. A chunk that is alone stays.
    pub(crate) fn here(&self) -> u64 {
        let full = (self.len() >> self.chunk_log).min(self.chunks.len().saturating_sub(1));
        4 * (self.width << self.chunk_log) as u64 * (full - self.attic.len()) as u64
    }

    /// Where chunks were put away.
    pub(crate) fn home(&self) -> Option<&Spilling> {
        self.attic.home()
    }

    /// The number of a row, if it is here. `hash` is its [`hash`].
    pub(crate) fn find(&self, row: Row, hash: u64) -> Option<u32> {
        self.table.find(hash, |number| self.get(number) == row)
    }

    /// Reads what stands where this hash belongs, so that it is in the cache when it is looked for.
    pub(crate) fn glance(&self, hash: u64) -> u32 {
        self.table.glance(hash)
    }

    /// The row that most likely has this hash, if there is one, and a word of it, so that it is in the cache when it is compared.
    pub(crate) fn likely(&self, hash: u64) -> Option<(u32, u32)> {
        let number = self.table.likely(hash)?;
        let at = number as usize;
        // What is away is not brought back for a glance.
        let word = self.chunks[at >> self.chunk_log].get((at & ((1 << self.chunk_log) - 1)) * self.width);
        Some((number, word.map_or(0, |word| word.load(Ordering::Relaxed))))
    }

    /// The number of a row, if it is here, most likely this one. `hash` is its [`hash`].
    pub(crate) fn confirm(&self, likely: u32, row: Row, hash: u64) -> Option<u32> {
        if self.get(likely) == row { Some(likely) } else { self.find(row, hash) }
    }

    /// Whether so many rows can be added before [`Rows::reserve`] has to be called.
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.table.has_room(more) && self.len() + more <= self.capacity()
    }

    /// Makes room for so many rows and some more, with so many threads.
    pub(crate) fn reserve(&mut self, more: usize, threads: usize) {
        self.add_chunks(self.wanted(more));
        if !self.table.has_room(more) {
            self.rebuild(more, threads);
        }
    }

    /// Makes chunks until there is room for so many rows.
    fn add_chunks(&mut self, rows: usize) {
        if self.capacity() < rows && self.chunks.len() < 2 {
            self.enlarge(rows);
        }
        while self.capacity() < rows {
            self.chunks.push(zeros(self.width << self.chunk_log));
        }
    }

    /// Adds a row that is not here, and is not found before [`Rows::rebuild`].
    pub(crate) fn push(&mut self, row: Row) {
        let len = self.len();
        self.add_chunks(len + 1);
        self.write(len, row);
        *self.len.0.get_mut() = len + 1;
    }

    fn write(&self, number: usize, row: Row) {
        let chunk = &self.chunks[number >> self.chunk_log];
        let at = (number & ((1 << self.chunk_log) - 1)) * self.width;
        for (word, value) in chunk[at..at + self.width].iter().zip(row) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// How many rows there should be room for when so many are to come.
    fn wanted(&self, more: usize) -> usize {
        let len = self.len();
        // When some are away there is no memory to spare.
        len + more + if len > CHUNK_WORDS && self.attic.len() == 0 { len / 16 } else { 0 }
    }

    /// Makes the table anew, with room for so many more.
    pub(crate) fn rebuild(&mut self, more: usize, threads: usize) {
        let (len, spare) = (self.len(), self.spare());
        let mut table = std::mem::take(&mut self.table);
        if self.attic.len() == 0 {
            table.rebuild(len, more.max(spare), threads, |number| hash(self.get(number)));
        } else {
            table.rebuild_in_order(len, more.max(spare), self.each().map(hash));
        }
        self.table = table;
    }

    /// How many places of the table are to be free beyond those that are asked for: fewer when there is no memory to spare,
    /// though it has to be made anew more often then.
    fn spare(&self) -> usize {
        self.len() / if self.attic.len() == 0 { 2 } else { 8 }
    }

    /// How many bytes [`Rows::reserve`] would take on top.
    pub(crate) fn growth(&self, more: usize) -> u64 {
        let len = self.len();
        let rows =
            if len + more <= self.capacity() { 0 } else { self.wanted(more).saturating_sub(self.capacity()) };
        4 * (rows * self.width) as u64 + self.table.growth(len, more, self.spare())
    }

    fn capacity(&self) -> usize {
        match &self.chunks[..] {
            [only] => only.len() / self.width,
            all => all.len() << self.chunk_log,
        }
    }

    /// Makes the first chunk larger, while it is alone.
    fn enlarge(&mut self, rows: usize) {
        let rows = rows.next_power_of_two().clamp(FEW, 1 << self.chunk_log);
        let larger = zeros(self.width * rows);
        for (word, old) in larger.iter().zip(self.chunks.pop().unwrap_or_default()) {
            word.store(old.into_inner(), Ordering::Relaxed);
        }
        self.chunks.push(larger);
    }

    /// Adds a row that is not here; there has to be room. Only one thread at a time may do so.
    pub(crate) fn add(&self, row: Row, hash: u64) -> u32 {
        let len = self.len.0.load(Ordering::Relaxed);
        self.write(len, row);
        let number = narrow(len);
        self.table.insert(hash, number);
        self.len.0.store(len + 1, Ordering::Release);
        number
    }

    /// Gives back what only [`Rows::find`] and [`Rows::add`] need.
    pub(crate) fn freeze(&mut self) {
        self.table = Table::default();
    }

    /// Makes again what [`Rows::freeze`] gave back.
    pub(crate) fn thaw(&mut self) {
        self.table = Table::default();
        self.rebuild(0, 1);
    }

    pub(crate) fn bytes(&self) -> u64 {
        let here = self.capacity() - (self.attic.len() << self.chunk_log);
        4 * (self.width * here) as u64 + self.table.bytes()
    }
}

fn zeros(words: usize) -> Box<[AtomicU32]> {
    (0..words).map(|_| AtomicU32::new(0)).collect()
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("rows are numbered with 32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: u32) -> Row {
        [number.wrapping_mul(2_654_435_761) >> 7, number / 3]
    }

    #[test]
    fn rows_are_found_under_their_numbers_also_after_a_thaw() {
        let mut rows = Rows::new(2);
        for number in 0..200_000 {
            if !rows.has_room(1) {
                rows.reserve(1, 2);
            }
            let hash = hash(row(number));
            assert_eq!(rows.find(row(number), hash), None);
            assert_eq!(rows.add(row(number), hash), number);
        }
        rows.freeze();
        rows.thaw();
        for number in 0..200_000 {
            assert_eq!(rows.find(row(number), hash(row(number))), Some(number));
            assert_eq!(rows.get(number), row(number));
        }
        assert_eq!(rows.find([1, 1], hash([1, 1])), None);
    }

    /// Readers see a row wholly or not at all, and whatever was there when they began.
    #[test]
    fn others_look_up_while_one_adds() {
        let mut rows = Rows::new(2);
        rows.reserve(300_000, 1);
        let rows = &rows;
        std::thread::scope(|scope| {
            for reader in 0..3_u32 {
                scope.spawn(move || {
                    loop {
                        let known = rows.len();
                        let mut sought = reader;
                        while (sought as usize) < 300_000 {
                            let found = rows.find(row(sought), hash(row(sought)));
                            assert!(found == Some(sought) || (found.is_none() && sought as usize >= known));
                            sought += 997;
                        }
                        if known == 300_000 {
                            break;
                        }
                    }
                });
            }
            (0..300_000).for_each(|number| assert_eq!(rows.add(row(number), hash(row(number))), number));
        });
    }
}
