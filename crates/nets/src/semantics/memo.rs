//! Answers that were given before, by the contents of the slots they depend on.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use motet_model::Growing;

/// How many answers one table keeps. What does not fit is computed again.
pub(crate) const LIMIT_ENTRIES: usize = 1 << 20;

/// Whether answers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// They are.
    Kept,
    /// Everything is worked out afresh, from the trees of expressions. Slow, and there to be compared with.
    None,
}

/// A table of answers.
#[derive(Debug)]
pub(crate) struct Memo<V> {
    memory: Memory,
    /// Contents, all of one length, with their answers.
    answers: Growing<(Box<[u32]>, V)>,
    /// Answers by the content of the only slot: contents are numbered densely, so most of them are small.
    direct: Option<Direct<V>>,
}

/// How many pages there are: a content of the first has 0 to 6 bits, each further page has one bit more.
const PAGES: usize = 11;
/// The bits of a content of the first page.
const FIRST_BITS: usize = 6;

/// Answers that are found by a number alone.
#[derive(Debug)]
struct Direct<V> {
    pages: [OnceLock<Box<[OnceLock<V>]>>; PAGES],
}

impl<V> Direct<V> {
    fn new() -> Self {
        Self { pages: std::array::from_fn(|_| OnceLock::new()) }
    }

    /// The place of an answer; `None` if the number is too great.
    fn place(&self, number: u32) -> Option<&OnceLock<V>> {
        let bits = (u32::BITS - number.leading_zeros()) as usize;
        let page = self.pages.get(bits.saturating_sub(FIRST_BITS))?;
        let size = 1 << bits.max(FIRST_BITS);
        page.get_or_init(|| (0..size).map(|_| OnceLock::new()).collect()).get(number as usize)
    }
}

impl<V: Clone> Memo<V> {
    /// A table for the contents of so many slots.
    pub(crate) fn new(memory: Memory, slots: usize) -> Self {
        Self { memory, answers: Growing::default(), direct: (slots == 1).then(Direct::new) }
    }

    /// The answer for these contents. A search asks many times for each new answer, so known contents are neither gathered
    /// nor copied.
    pub(crate) fn recall(
        &self,
        contents: impl Iterator<Item = u32> + Clone,
        compute: impl FnOnce() -> V,
    ) -> Cow<'_, V> {
        if self.memory == Memory::None {
            return Cow::Owned(compute());
        }
        let only = contents.clone().next();
        let place = self.direct.as_ref().zip(only).and_then(|(direct, only)| direct.place(only));
        if let Some(place) = place {
            return Cow::Borrowed(place.get_or_init(compute));
        }
        let hash = contents.clone().fold(0, mixed);
        let same =
            |known: &(Box<[u32]>, V)| known.0.iter().zip(contents.clone()).all(|(one, other)| *one == other);
        if let Some(number) = self.answers.find(hash, same) {
            return Cow::Borrowed(&self.answers.get(number).1);
        }
        let answer = compute();
        if self.answers.len() >= LIMIT_ENTRIES {
            return Cow::Owned(answer);
        }
        let number = self.answers.add(hash, (contents.collect(), answer), |one, other| one.0 == other.0);
        Cow::Borrowed(&self.answers.get(number).1)
    }
}

/// A hash with one more content. Contents are small numbers: multiplication by an odd number of 64 random bits spreads them
/// (Knuth 1998, 6.4), and the turn keeps what was spread before.
fn mixed(hash: u64, content: u32) -> u64 {
    (hash.rotate_left(29) ^ u64::from(content)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Answers that are shared.
pub(crate) type Shared<T> = Arc<[T]>;

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn an_answer_is_worked_out_once_for_the_same_contents() {
        let numbers = [0, 1, 63, 64, 65, 127, 128, 4_000, 65_535, 65_536, 1 << 20, u32::MAX];
        for slots in 1..4 {
            let memo = Memo::new(Memory::Kept, slots);
            let asked = Cell::new(0);
            for round in 0..2 {
                for (at, first) in numbers.iter().enumerate() {
                    let contents: Vec<u32> =
                        (0..slots).map(|slot| numbers[(at + slot) % numbers.len()]).collect();
                    let answer = memo.recall(contents.iter().copied(), || {
                        asked.set(asked.get() + 1);
                        *first
                    });
                    assert_eq!(*answer, *first, "round {round}, {contents:?}");
                }
            }
            assert_eq!(asked.get(), numbers.len(), "{slots} slots");
        }
    }
}
