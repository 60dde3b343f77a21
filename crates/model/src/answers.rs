//! Answers that were given before, by question.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::Growing;

/// Answers by question. Known ones are found without a lock. Two threads may both work out an answer; then they agree on
/// the one that is kept.
#[derive(Debug)]
pub struct Answers<K, V> {
    kept: Growing<(K, V)>,
}

impl<K, V> Default for Answers<K, V> {
    fn default() -> Self {
        Self { kept: Growing::default() }
    }
}

impl<K: Eq + Hash, V> Answers<K, V> {
    /// The answer, if it is known.
    pub fn find<Q: Eq + Hash + ?Sized>(&self, question: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let hash = FxBuildHasher.hash_one(question);
        let number = self.kept.find(hash, |(known, _)| known.borrow() == question)?;
        Some(&self.kept.get(number).1)
    }

    /// Keeps an answer, and gives the one that is kept.
    ///
    /// # Panics
    /// After 2^32 answers, or when another thread panicked inside.
    pub fn keep(&self, question: K, answer: V) -> &V {
        let hash = FxBuildHasher.hash_one(&question);
        let number = self.kept.add(hash, (question, answer), |one, other| one.0 == other.0);
        &self.kept.get(number).1
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_is_kept_and_found_by_what_the_question_looks_like() {
        let answers: Answers<Box<[u32]>, &str> = Answers::default();
        assert_eq!(answers.find(&[1, 2][..]), None);
        assert_eq!(*answers.keep([1, 2].into(), "first"), "first");
        assert_eq!(*answers.keep([1, 2].into(), "second"), "first");
        assert_eq!((answers.find(&[1, 2][..]), answers.len()), (Some(&"first"), 1));
    }
}
