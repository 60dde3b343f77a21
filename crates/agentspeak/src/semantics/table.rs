//! Tables that only grow: values as dense numbers, and answers that are computed once. Reading takes no lock, because
//! a search asks millions of times for each new entry.

use std::hash::{BuildHasher, Hash};

use motet_model::{Answers, Growing};
use rustc_hash::FxBuildHasher;

/// Equal keys get equal numbers, densely from 0. Each entry carries a place `C` for answers about its key.
#[derive(Debug)]
pub(crate) struct Table<K, C> {
    entries: Growing<Entry<K, C>>,
}

/// A key with what is known about it.
#[derive(Debug)]
pub(crate) struct Entry<K, C> {
    /// The value itself.
    pub(crate) key: K,
    /// Answers about it, each computed at most once.
    pub(crate) known: C,
}

impl<K, C> Default for Table<K, C> {
    fn default() -> Self {
        Self { entries: Growing::default() }
    }
}

impl<K: Eq + Hash, C: Default> Table<K, C> {
    /// The number of `key`, a new one if it was never seen.
    pub(crate) fn intern(&self, key: K) -> u32 {
        let hash = FxBuildHasher.hash_one(&key);
        if let Some(number) = self.entries.find(hash, |entry| entry.key == key) {
            return number;
        }
        self.entries.add(hash, Entry { key, known: C::default() }, |one, other| one.key == other.key)
    }

    /// The entry with this number.
    pub(crate) fn get(&self, number: u32) -> &Entry<K, C> {
        self.entries.get(number)
    }
}

/// Answers by key, computed at most once each in practice; two threads may both compute one and then agree.
#[derive(Debug)]
pub(crate) struct Cache<V> {
    answers: Answers<u64, V>,
}

impl<V> Default for Cache<V> {
    fn default() -> Self {
        Self { answers: Answers::default() }
    }
}

impl<V> Cache<V> {
    /// The answer for two numbers.
    pub(crate) fn get(&self, one: u32, two: u32, compute: impl FnOnce() -> V) -> &V {
        let key = u64::from(one) << 32 | u64::from(two);
        match self.answers.find(&key) {
            Some(answer) => answer,
            None => self.answers.keep(key, compute()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_across_pages_and_lead_back_to_the_keys() {
        let table: Table<u64, ()> = Table::default();
        for key in 0..1000 {
            assert_eq!(u64::from(table.intern(key * 7)), key);
        }
        assert_eq!(table.intern(7 * 500), 500);
        assert_eq!(table.get(999).key, 7 * 999);
    }

    #[test]
    fn a_cached_answer_is_computed_once() {
        let cache = Cache::default();
        assert_eq!(*cache.get(1, 2, || 5), 5);
        assert_eq!(*cache.get(1, 2, || unreachable!("the answer is known")), 5);
    }
}
