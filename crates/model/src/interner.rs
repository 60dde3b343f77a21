//! Values as numbers, so that a belief base or an intention stack fits one slot of a state.

use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, RwLock};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Numbers values densely from 0; equal values get equal numbers. Shared by reference: `steps` may be called from
/// several threads. The numbers depend on the order of arrival, so they never leave the process.
#[derive(Debug)]
pub struct Interner<T> {
    inner: RwLock<Inner<T>>,
}

#[derive(Debug)]
struct Inner<T> {
    values: Vec<Arc<T>>,
    table: HashTable<u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { inner: RwLock::new(Inner { values: Vec::new(), table: HashTable::new() }) }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// An empty interner.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of `value`, a new one if it was never seen.
    ///
    /// # Panics
    /// After 2^32 values, or when another thread panicked inside.
    pub fn intern(&self, value: T) -> u32 {
        let hash = FxBuildHasher.hash_one(&value);
        if let Some(number) = self.find(hash, &value) {
            return number;
        }
        let mut guard = self.inner.write().expect("no thread panics while it holds the interner");
        let Inner { values, table } = &mut *guard;
        if let Some(&number) = table.find(hash, |&n| *values[n as usize] == value) {
            return number;
        }
        let number = u32::try_from(values.len()).expect("fewer than 2^32 interned values");
        values.push(Arc::new(value));
        table.insert_unique(hash, number, |&n| FxBuildHasher.hash_one(&*values[n as usize]));
        number
    }

    /// The value with this number.
    ///
    /// # Panics
    /// If `number` did not come from this interner.
    #[must_use]
    pub fn get(&self, number: u32) -> Arc<T> {
        Arc::clone(
            &self.inner.read().expect("no thread panics while it holds the interner").values[number as usize],
        )
    }

    /// How many values there are.
    ///
    /// # Panics
    /// When another thread panicked inside.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.read().expect("no thread panics while it holds the interner").values.len()
    }

    /// Whether nothing was interned yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn find(&self, hash: u64, value: &T) -> Option<u32> {
        let guard = self.inner.read().expect("no thread panics while it holds the interner");
        guard.table.find(hash, |&n| *guard.values[n as usize] == *value).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_get_equal_numbers_and_come_back_unchanged() {
        let interner = Interner::new();
        let numbers: Vec<u32> = ["a", "b", "a", "c", "b"].into_iter().map(|v| interner.intern(v)).collect();
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!((*interner.get(2), interner.len()), ("c", 3));
    }
}
