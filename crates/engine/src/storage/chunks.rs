//! A long list that never moves its elements. A `Vec` of 100 million bytes needs 300 million while it grows; this does
//! not. Full chunks can be put away outside of memory.

use crate::storage::spill::{Attic, Cell, Spilling};

/// Elements per chunk, as a power of two; few in tests, so that small models have many chunks.
const CHUNK_LOG: u32 = if cfg!(test) { 4 } else { 16 };
const CHUNK: usize = 1 << CHUNK_LOG;

/// A list in chunks of equal length.
#[derive(Debug)]
pub(crate) struct Chunks<T> {
    /// Those that are away are empty.
    chunks: Vec<Vec<T>>,
    len: usize,
    attic: Attic,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0, attic: Attic::default() }
    }
}

impl<T: Cell> Chunks<T> {
    pub(crate) fn push(&mut self, value: T) {
        if self.len.is_multiple_of(CHUNK) {
            // The first chunk grows by itself so that small models stay small.
            self.chunks.push(if self.len == 0 { Vec::new() } else { Vec::with_capacity(CHUNK) });
        }
        self.chunks.last_mut().expect("a chunk was pushed when the last one was full").push(value);
        self.len += 1;
    }

    pub(crate) fn get(&self, at: usize) -> T {
        match self.chunks[at >> CHUNK_LOG].get(at & (CHUNK - 1)) {
            Some(&value) => value,
            None => self.fetch(at),
        }
    }

    /// An element that is away.
    #[cold]
    #[inline(never)]
    fn fetch(&self, at: usize) -> T {
        self.attic.get(at >> CHUNK_LOG, at & (CHUNK - 1))
    }

    /// Puts the oldest full chunks away, so many bytes of them or all. Says how many bytes that were. A list with chunks
    /// that are away must not be [`Chunks::set`].
    pub(crate) fn put_away(&mut self, home: &Spilling, bytes: u64) -> u64 {
        let mut freed = 0;
        while freed < bytes && self.here() > 0 {
            let chunk = &mut self.chunks[self.attic.len()];
            if !self.attic.put(home, chunk.iter().copied()) {
                break;
            }
            *chunk = Vec::new();
            freed += (CHUNK * size_of::<T>()) as u64;
        }
        freed
    }

    /// Takes chunks back that were put away, so many bytes of them at most. Says how many bytes that were.
    pub(crate) fn bring_back(&mut self, bytes: u64) -> u64 {
        let size = (CHUNK * size_of::<T>()) as u64;
        let mut taken = 0;
        while taken + size <= bytes
            && let Some(chunk) = self.attic.take(CHUNK)
        {
            self.chunks[self.attic.len()] = chunk;
            taken += size;
        }
        taken
    }

    /// How many bytes can be put away.
    pub(crate) fn here(&self) -> u64 {
        (((self.len >> CHUNK_LOG) - self.attic.len()) * CHUNK * size_of::<T>()) as u64
    }

    pub(crate) fn set(&mut self, at: usize, value: T) {
        self.chunks[at >> CHUNK_LOG][at & (CHUNK - 1)] = value;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        let first = self.chunks.first().map_or(0, Vec::capacity);
        let others = self.chunks.len().saturating_sub(self.attic.len().max(1)) * CHUNK;
        ((first + others) * size_of::<T>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_beyond_a_chunk_come_back() {
        let mut list = Chunks::default();
        (0..3 * CHUNK as u32 + 7).for_each(|n| list.push(n));
        list.set(CHUNK, 9);
        assert_eq!(
            (list.get(CHUNK - 1), list.get(CHUNK), list.get(3 * CHUNK + 6)),
            (CHUNK as u32 - 1, 9, 3 * CHUNK as u32 + 6)
        );
        assert!(list.bytes() >= 4 * list.len() as u64);
    }

    /// What was put away and what can be make up all full chunks, whatever is asked for.
    #[test]
    fn bytes_are_those_in_memory() {
        let home = Spilling::new(Box::new(Taken));
        let mut list = Chunks::default();
        (0..10 * CHUNK as u32 + 7).for_each(|n| list.push(n));
        let (size, before) = (4 * CHUNK as u64, list.bytes());
        assert_eq!(list.here(), 10 * size);
        assert_eq!(list.put_away(&home, 2 * size - 1), 2 * size);
        assert_eq!((list.here(), list.bytes()), (8 * size, before - 2 * size));
        assert_eq!(list.put_away(&home, u64::MAX), 8 * size);
        assert_eq!((list.here(), list.bytes()), (0, size));
        assert_eq!(list.bring_back(size - 1), 0);
        list.push(1);
        assert_eq!((list.get(10 * CHUNK + 6), list.get(10 * CHUNK + 7)), (10 * CHUNK as u32 + 6, 1));
    }

    #[test]
    fn chunks_come_back_as_far_as_there_is_room() {
        let home = crate::storage::spill::tests::spilling(usize::MAX);
        let mut list = Chunks::default();
        (0..10 * CHUNK as u32 + 7).for_each(|n| list.push(n));
        let (size, before) = (4 * CHUNK as u64, list.bytes());
        list.put_away(&home, u64::MAX);
        assert_eq!(list.bring_back(4 * size - 1), 3 * size);
        assert_eq!((list.here(), list.bring_back(u64::MAX), list.bytes()), (3 * size, 7 * size, before));
        assert!((0..list.len()).all(|at| list.get(at) == at as u32));
    }

    /// A place that takes everything and gives nothing.
    struct Taken;

    impl crate::storage::spill::Spill for Taken {
        fn write(&self, _: u64, _: &[u8]) -> std::io::Result<()> {
            Ok(())
        }

        fn read(&self, _: u64, _: &mut [u8]) -> std::io::Result<()> {
            Err(std::io::Error::other("gone"))
        }
    }
}
