//! The slots of a state in the making, which can keep track of which of them were looked at.
//!
//! Rules get at slots only through [`Cells`] and [`View`], so nothing they look at can escape: that is what
//! [`super::memo`] relies on.

use std::cell::Cell;
use std::ops::{Index, Range, RangeFrom};

/// Slots that are being worked on.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    words: Vec<u32>,
    looked: Footprint,
}

/// Which slots were looked at, and the truth of which atoms where the step began: one bit each, the slots first. Without
/// bits nobody wants to know.
#[derive(Debug, Default)]
struct Footprint {
    bits: Vec<Cell<u64>>,
}

impl Footprint {
    fn mark(&self, at: usize) {
        if let Some(word) = self.bits.get(at / 64) {
            word.set(word.get() | 1 << (at % 64));
        }
    }
}

/// Slots that are looked at: those of a finished state, or those that are being worked on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    words: &'a [u32],
    looked: Option<&'a Footprint>,
}

impl Cells {
    /// The slots are those of a state.
    pub(crate) fn load(&mut self, state: &[u32]) {
        self.words.clear();
        self.words.extend_from_slice(state);
    }

    /// All of them, without a trace: not for rules.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// Writes a slot and says what it held, which is to look at it.
    pub(crate) fn replace(&mut self, slot: usize, value: u32) -> u32 {
        self.looked.mark(slot);
        std::mem::replace(&mut self.words[slot], value)
    }

    /// Writes back what a slot held.
    pub(crate) fn restore(&mut self, slot: usize, value: u32) {
        self.words[slot] = value;
    }

    /// From now on it is kept track of what is looked at.
    pub(crate) fn track(&mut self, atoms: usize) {
        self.looked.bits.clear();
        self.looked.bits.resize((self.words.len() + atoms).div_ceil(64), Cell::new(0));
    }

    /// Nobody wants to know any more.
    pub(crate) fn untrack(&mut self) {
        self.looked.bits.clear();
    }

    /// The truth of an atom where the step began is looked at.
    pub(crate) fn look_at_truth(&self, atom: usize) {
        self.looked.mark(self.words.len() + atom);
    }

    /// A slot is looked at by somebody who has all words.
    pub(crate) fn look_at(&self, slot: usize) {
        self.looked.mark(slot);
    }

    /// What was looked at, in order: slots, and atoms as numbers from the number of slots on.
    pub(crate) fn footprint(&self) -> impl Iterator<Item = usize> {
        self.looked.bits.iter().enumerate().flat_map(|(at, word)| {
            let mut bits = word.get();
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

impl Index<usize> for Cells {
    type Output = u32;

    fn index(&self, slot: usize) -> &u32 {
        self.looked.mark(slot);
        &self.words[slot]
    }
}

impl Index<Range<usize>> for Cells {
    type Output = [u32];

    fn index(&self, slots: Range<usize>) -> &[u32] {
        slots.clone().for_each(|slot| self.looked.mark(slot));
        &self.words[slots]
    }
}

impl Index<RangeFrom<usize>> for Cells {
    type Output = [u32];

    fn index(&self, slots: RangeFrom<usize>) -> &[u32] {
        &self[slots.start..self.words.len()]
    }
}

impl Index<usize> for View<'_> {
    type Output = u32;

    fn index(&self, slot: usize) -> &u32 {
        if let Some(looked) = self.looked {
            looked.mark(slot);
        }
        &self.words[slot]
    }
}

impl<'a> From<&'a [u32]> for View<'a> {
    fn from(words: &'a [u32]) -> Self {
        Self { words, looked: None }
    }
}

impl<'a> From<&'a Cells> for View<'a> {
    fn from(cells: &'a Cells) -> Self {
        Self { words: &cells.words, looked: Some(&cells.looked) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_read_or_written_leaves_a_trace_until_nobody_wants_to_know() {
        let mut cells = Cells::default();
        cells.load(&[7; 130]);
        cells.track(2);
        assert_eq!(View::from(&cells)[65], 7);
        assert_eq!(cells[0] + cells[3..5][1], 14);
        cells.replace(129, 8);
        cells.look_at_truth(1);
        assert_eq!(cells.footprint().collect::<Vec<usize>>(), [0, 3, 4, 65, 129, 131]);
        cells.untrack();
        assert_eq!(cells[129], 8);
        assert_eq!(cells.footprint().count(), 0);
    }
}
