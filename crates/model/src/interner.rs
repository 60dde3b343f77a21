//! Values as numbers, so that a belief base or an intention stack fits one slot of a state.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::Growing;

/// Numbers values densely from 0; equal values get equal numbers. Shared by reference: `steps` may be called from
/// several threads, and known values are found without a lock. The numbers depend on the order of arrival, so they never
/// leave the process.
#[derive(Debug)]
pub struct Interner<T> {
    values: Growing<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Growing::default() }
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
        self.values.add(FxBuildHasher.hash_one(&value), value, PartialEq::eq)
    }

    /// The value with this number.
    ///
    /// # Panics
    /// If `number` did not come from this interner.
    #[must_use]
    pub fn get(&self, number: u32) -> &T {
        self.values.get(number)
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was interned yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
