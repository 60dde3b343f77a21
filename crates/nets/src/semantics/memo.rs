//! Answers that were given before, by the contents of the slots they depend on.

use std::borrow::Cow;
use std::sync::Arc;

use motet_model::Growing;

/// How many answers one table keeps. What does not fit is computed again.
pub(crate) const LIMIT_ENTRIES: usize = 1 << 20;

/// Whether answers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// They are.
    Kept,
    /// Everything is worked out afresh. Slow, and there to be compared with.
    None,
}

/// A table of answers.
#[derive(Debug)]
pub(crate) struct Memo<V> {
    memory: Memory,
    /// Contents, all of one length, with their answers.
    answers: Growing<(Box<[u32]>, V)>,
}

impl<V: Clone> Memo<V> {
    pub(crate) fn new(memory: Memory) -> Self {
        Self { memory, answers: Growing::default() }
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
        let hash = contents.clone().fold(0, mixed);
        let same = |known: &(Box<[u32]>, V)| known.0.iter().zip(contents.clone()).all(|(one, other)| *one == other);
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
