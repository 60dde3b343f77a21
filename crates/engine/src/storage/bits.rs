//! A set of small numbers as a row of bits: one bit per state for every atom costs a megabyte per 8 million states.

/// A growing row of bits. Bits that were never set are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// All zero, with room for `n` bits.
    pub(crate) fn zeros(n: usize) -> Self {
        Self { words: vec![0; n.div_ceil(64)] }
    }

    pub(crate) fn from_words(words: Vec<u64>) -> Self {
        Self { words }
    }

    pub(crate) fn get(&self, at: usize) -> bool {
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Sets a bit and says whether it was 0 before.
    pub(crate) fn insert(&mut self, at: usize) -> bool {
        if at / 64 >= self.words.len() {
            self.words.resize(at / 64 + 1, 0);
        }
        let word = &mut self.words[at / 64];
        let before = *word;
        *word |= 1 << (at % 64);
        *word != before
    }

    /// All one, for `n` bits.
    pub(crate) fn all(n: usize) -> Self {
        let mut words = vec![u64::MAX; n.div_ceil(64)];
        if let (Some(last), rest @ 1..) = (words.last_mut(), n % 64) {
            *last = (1 << rest) - 1;
        }
        Self { words }
    }

    pub(crate) fn remove(&mut self, at: usize) {
        if let Some(word) = self.words.get_mut(at / 64) {
            *word &= !(1 << (at % 64));
        }
    }

    /// The numbers below `n` that are not in it.
    pub(crate) fn complement(&self, n: usize) -> Self {
        let mut all = Self::all(n);
        all.words.iter_mut().enumerate().for_each(|(index, word)| *word &= !self.word(index));
        all
    }

    /// The numbers that are in both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self { words: self.words.iter().enumerate().map(|(index, word)| word & other.word(index)).collect() }
    }

    /// The numbers that are in one of them.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let n = self.words.len().max(other.words.len());
        Self { words: (0..n).map(|index| self.word(index) | other.word(index)).collect() }
    }

    /// How many numbers are in it.
    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The 64 bits from `64 * index` on.
    pub(crate) fn word(&self, index: usize) -> u64 {
        self.words.get(index).copied().unwrap_or(0)
    }

    /// The position of the first 1.
    pub(crate) fn first(&self) -> Option<usize> {
        let index = self.words.iter().position(|&word| word != 0)?;
        Some(64 * index + self.words[index].trailing_zeros() as usize)
    }

    /// The positions of all ones, in order.
    pub(crate) fn ones(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |rest| Some(rest & (rest.wrapping_sub(1))))
                .take_while(|rest| *rest != 0)
                .map(move |rest| 64 * index + rest.trailing_zeros() as usize)
        })
    }

    pub(crate) fn bytes(&self) -> u64 {
        8 * self.words.capacity() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_come_back_in_order() {
        let mut bits = Bits::default();
        for at in [130, 3, 64, 63, 3] {
            bits.insert(at);
        }
        assert_eq!(bits.ones().collect::<Vec<_>>(), [3, 63, 64, 130]);
        assert_eq!((bits.first(), bits.get(64), bits.get(65), bits.get(1000)), (Some(3), true, false, false));
    }
}
