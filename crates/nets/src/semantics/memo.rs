//! Answers that were given before, by the contents of the slots they depend on.

use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

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
    table: RwLock<HashMap<Box<[u32]>, V, FxBuildHasher>>,
}

impl<V: Clone> Memo<V> {
    pub(crate) fn new(memory: Memory) -> Self {
        Self { memory, table: RwLock::default() }
    }

    /// The answer for these contents.
    pub(crate) fn recall(&self, key: &[u32], compute: impl FnOnce() -> V) -> V {
        if self.memory == Memory::None {
            return compute();
        }
        if let Some(answer) = self.table.read().unwrap_or_else(PoisonError::into_inner).get(key) {
            return answer.clone();
        }
        let answer = compute();
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if table.len() < LIMIT_ENTRIES {
            table.insert(key.into(), answer.clone());
        }
        answer
    }
}

/// Answers that are shared.
pub(crate) type Shared<T> = Arc<[T]>;
