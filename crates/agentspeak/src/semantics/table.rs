//! Tables that only grow: values as dense numbers, and answers that are computed once. Reading takes no lock, because
//! a search asks millions of times for each new entry.

use std::hash::{BuildHasher, Hash};
use std::sync::{OnceLock, RwLock};

use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;

/// Size of the first page; each further page doubles.
const FIRST: usize = 64;
/// Enough pages for 2^32 entries.
const PAGES: usize = 27;
/// Parts of a [`Cache`], so that threads seldom meet.
const SHARDS: usize = 16;

/// Equal keys get equal numbers, densely from 0. Each entry carries a place `C` for answers about its key.
#[derive(Debug)]
pub(crate) struct Table<K, C> {
    pages: [OnceLock<Page<K, C>>; PAGES],
    index: RwLock<HashTable<u32>>,
}

type Page<K, C> = Box<[OnceLock<Entry<K, C>>]>;

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
        Self { pages: std::array::from_fn(|_| OnceLock::new()), index: RwLock::new(HashTable::new()) }
    }
}

impl<K: Eq + Hash, C: Default> Table<K, C> {
    /// The number of `key`, a new one if it was never seen.
    pub(crate) fn intern(&self, key: K) -> u32 {
        let hash = FxBuildHasher.hash_one(&key);
        let known = self.index.read().expect("no thread panics inside a table");
        if let Some(&number) = known.find(hash, |&number| self.get(number).key == key) {
            return number;
        }
        drop(known);
        let mut index = self.index.write().expect("no thread panics inside a table");
        if let Some(&number) = index.find(hash, |&number| self.get(number).key == key) {
            return number;
        }
        let number = u32::try_from(index.len()).expect("fewer than 2^32 different values");
        let (page, at) = position(number);
        let page = self.pages[page].get_or_init(|| (0..FIRST << page).map(|_| OnceLock::new()).collect());
        let vacant = page[at].set(Entry { key, known: C::default() }).is_ok();
        assert!(vacant, "a number was given twice; this is a bug in the tool");
        index.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(&self.get(number).key));
        number
    }

    /// The entry with this number.
    pub(crate) fn get(&self, number: u32) -> &Entry<K, C> {
        let (page, at) = position(number);
        let entry = self.pages[page].get().and_then(|page| page[at].get());
        entry.expect("the number came from this table")
    }
}

/// Page and place of a number: page `k` holds `FIRST << k` entries.
fn position(number: u32) -> (usize, usize) {
    let number = number as usize;
    let page = (number / FIRST + 1).ilog2() as usize;
    (page, number - FIRST * ((1 << page) - 1))
}

/// Answers by key, computed at most once each in practice; two threads may both compute one and then agree.
#[derive(Debug)]
pub(crate) struct Cache<V> {
    shards: [RwLock<HashMap<u64, V, FxBuildHasher>>; SHARDS],
}

impl<V> Default for Cache<V> {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| RwLock::default()) }
    }
}

impl<V: Clone> Cache<V> {
    /// The answer for two numbers.
    pub(crate) fn get(&self, one: u32, two: u32, compute: impl FnOnce() -> V) -> V {
        let key = u64::from(one) << 32 | u64::from(two);
        let shard = &self.shards[(one ^ two.rotate_left(3)) as usize % SHARDS];
        if let Some(value) = shard.read().expect("no thread panics inside a cache").get(&key) {
            return value.clone();
        }
        let value = compute();
        shard.write().expect("no thread panics inside a cache").entry(key).or_insert(value).clone()
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
        assert_eq!(cache.get(1, 2, || 5), 5);
        assert_eq!(cache.get(1, 2, || unreachable!("the answer is known")), 5);
    }
}
