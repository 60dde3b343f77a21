//! A long list that never moves its elements. A `Vec` of 100 million bytes needs 300 million while it grows; this does
//! not.

/// Elements per chunk, as a power of two.
const CHUNK_LOG: u32 = 16;
const CHUNK: usize = 1 << CHUNK_LOG;

/// A list in chunks of equal length.
#[derive(Debug)]
pub(crate) struct Chunks<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Chunks<T> {
    pub(crate) fn push(&mut self, value: T) {
        if self.len.is_multiple_of(CHUNK) {
            // The first chunk grows by itself so that small models stay small.
            self.chunks.push(if self.len == 0 { Vec::new() } else { Vec::with_capacity(CHUNK) });
        }
        self.chunks.last_mut().expect("a chunk was pushed when the last one was full").push(value);
        self.len += 1;
    }

    pub(crate) fn get(&self, at: usize) -> T {
        self.chunks[at >> CHUNK_LOG][at & (CHUNK - 1)]
    }

    pub(crate) fn set(&mut self, at: usize, value: T) {
        self.chunks[at >> CHUNK_LOG][at & (CHUNK - 1)] = value;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        let first = self.chunks.first().map_or(0, Vec::capacity);
        let others = self.chunks.len().saturating_sub(1) * CHUNK;
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
}
