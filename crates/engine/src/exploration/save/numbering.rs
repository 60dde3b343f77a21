//! Numbers that mean the same in every process.
//!
//! What a slot holds is a number that the front-end gave out when it first met a value, in an order that may be another one
//! in the next process. In a log every value of a slot has the number of its first appearance there. Whoever reads the log
//! asks the model again at each first appearance and so learns which number of its own is meant.

use rustc_hash::FxHashMap;

/// The values of one slot, or the subjects: numbers of this process beside those of the log.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// Process to log.
    known: FxHashMap<u32, u32>,
    /// Log to process.
    met: Vec<u32>,
}

impl Numbering {
    /// The log's number for a number of this process, and whether it appears for the first time.
    pub(super) fn number(&mut self, own: u32) -> (u32, bool) {
        let next = u32::try_from(self.met.len()).expect("values are numbered with 32 bits");
        let number = *self.known.entry(own).or_insert(next);
        if number == next {
            self.met.push(own);
        }
        (number, number == next)
    }

    /// The number of this process for one of the log; `None` at its first appearance.
    pub(super) fn own(&self, number: u32) -> Option<u32> {
        self.met.get(number as usize).copied()
    }

    /// Learns what the log means by a number. `false` if that contradicts what is known.
    pub(super) fn learn(&mut self, number: u32, own: u32) -> bool {
        self.number(own).0 == number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_first_appearance_and_two_values_never_share_one() {
        let mut written = Numbering::default();
        let log: Vec<u32> = [70, 3, 70, 9].into_iter().map(|own| written.number(own).0).collect();
        assert_eq!(log, [0, 1, 0, 2]);
        let mut read = Numbering::default();
        assert!(read.own(0).is_none() && read.learn(0, 5) && read.learn(1, 6) && read.learn(0, 5));
        assert_eq!((read.own(0), read.own(1), read.own(2)), (Some(5), Some(6), None));
        assert!(!read.learn(2, 5), "5 is the first one already");
        assert!(!read.learn(0, 8), "0 is another one already");
    }
}
