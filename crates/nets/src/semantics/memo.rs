//! Answers that were given before, by the contents of the slots they depend on.

use std::borrow::Cow;
use std::sync::Arc;

use motet_model::Answers;

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
    answers: Answers<Box<[u32]>, V>,
}

impl<V: Clone> Memo<V> {
    pub(crate) fn new(memory: Memory) -> Self {
        Self { memory, answers: Answers::default() }
    }

    /// The answer for these contents.
    pub(crate) fn recall(&self, key: &[u32], compute: impl FnOnce() -> V) -> Cow<'_, V> {
        if self.memory == Memory::None {
            return Cow::Owned(compute());
        }
        if let Some(answer) = self.answers.find(key) {
            return Cow::Borrowed(answer);
        }
        let answer = compute();
        if self.answers.len() >= LIMIT_ENTRIES {
            return Cow::Owned(answer);
        }
        Cow::Borrowed(self.answers.keep(key.into(), answer))
    }
}

/// Answers that are shared.
pub(crate) type Shared<T> = Arc<[T]>;
