//! What the graph alone decides: where `left U right` is impossible, and where it is certain.
//!
//! The chances do not matter for this, only which branches there are (Baier and Katoen, Principles of Model Checking,
//! section 10.6). Values of the remaining states lie strictly between 0 and 1.

use motet_property::Extremum;

use super::components::Inward;
use super::matrix::{Matrix, narrow};
use crate::storage::bits::Bits;

/// The states where the greatest, or the least, chance is 0 and where it is 1.
#[derive(Clone, Debug)]
pub(crate) struct Certain {
    pub(crate) zero: Bits,
    pub(crate) one: Bits,
}

impl Certain {
    pub(crate) fn of(matrix: &Matrix, left: &Bits, right: &Bits, extremum: Extremum) -> Self {
        let question = Question { matrix, inward: matrix.inward(), left, right };
        match extremum {
            Extremum::Max => {
                let possible = question.possible(None);
                let one = question.certain_for_some(&possible);
                Self { zero: possible.complement(matrix.n_states()), one }
            }
            Extremum::Min => {
                let zero = question.unavoidable().complement(matrix.n_states());
                let one = question.avoiding(&zero);
                Self { zero, one }
            }
        }
    }

    /// The states that neither decides.
    pub(crate) fn open(&self, n: usize) -> Bits {
        self.zero.or(&self.one).complement(n)
    }
}

struct Question<'a> {
    matrix: &'a Matrix,
    inward: &'a Inward,
    left: &'a Bits,
    right: &'a Bits,
}

impl Question<'_> {
    /// Whether `left` holds and the matter is still open.
    fn passes(&self, state: u32) -> bool {
        self.left.get(state as usize) && !self.right.get(state as usize)
    }

    fn targets(&self) -> Vec<u32> {
        self.right.ones().map(narrow).collect()
    }

    /// The states from which some choices (of those kept) make it possible.
    fn possible(&self, kept: Option<&Bits>) -> Bits {
        let mut found = self.right.clone();
        let mut waiting = self.targets();
        while let Some(state) = waiting.pop() {
            for &choice in self.inward.of(state) {
                let owner = self.inward.owners[choice as usize];
                let kept = kept.is_none_or(|kept| kept.get(choice as usize));
                if kept && self.passes(owner) && found.insert(owner as usize) {
                    waiting.push(owner);
                }
            }
        }
        found
    }

    /// The states from which all choices leave it possible.
    fn unavoidable(&self) -> Bits {
        let mut found = self.right.clone();
        let mut hit = Bits::zeros(self.matrix.n_choices());
        let mut missing: Vec<u32> = self.matrix.choices.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut waiting = self.targets();
        while let Some(state) = waiting.pop() {
            for &choice in self.inward.of(state) {
                let owner = self.inward.owners[choice as usize];
                if !self.passes(owner) || !hit.insert(choice as usize) {
                    continue;
                }
                missing[owner as usize] -= 1;
                if missing[owner as usize] == 0 && found.insert(owner as usize) {
                    waiting.push(owner);
                }
            }
        }
        found
    }

    /// The states from which no choices lead to `trap` before `right`: there it is certain under all of them.
    fn avoiding(&self, trap: &Bits) -> Bits {
        let mut doomed = trap.clone();
        let mut waiting: Vec<u32> = trap.ones().map(narrow).collect();
        while let Some(state) = waiting.pop() {
            for &choice in self.inward.of(state) {
                let owner = self.inward.owners[choice as usize];
                if !self.right.get(owner as usize) && doomed.insert(owner as usize) {
                    waiting.push(owner);
                }
            }
        }
        doomed.complement(self.matrix.n_states())
    }

    /// The states from which some choices make it certain: those that can go on towards `right` by choices that never
    /// leave such states. States that cannot are taken away, and the choices that may lead to them, until nothing
    /// changes.
    fn certain_for_some(&self, possible: &Bits) -> Bits {
        let n = self.matrix.n_states();
        let mut kept = Bits::all(self.matrix.n_choices());
        let mut left: Vec<u32> = self.matrix.choices.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut gone = possible.complement(n);
        let mut lost: Vec<u32> = gone.ones().map(narrow).collect();
        loop {
            while let Some(state) = lost.pop() {
                for &choice in self.inward.of(state) {
                    let owner = self.inward.owners[choice as usize];
                    if self.right.get(owner as usize) || !kept.get(choice as usize) {
                        continue;
                    }
                    kept.remove(choice as usize);
                    left[owner as usize] -= 1;
                    if left[owner as usize] == 0 && gone.insert(owner as usize) {
                        lost.push(owner);
                    }
                }
            }
            let still = self.possible(Some(&kept));
            lost = (0..n).filter(|&state| !still.get(state) && !gone.get(state)).map(narrow).collect();
            if lost.is_empty() {
                return still.and(&gone.complement(n));
            }
            lost.iter().for_each(|&state| {
                gone.insert(state as usize);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::written::{process, set};
    use super::*;

    #[test]
    fn a_choice_decides_what_is_possible_and_a_loop_does_not_make_it_uncertain() {
        // 0 chooses between waiting and trying; trying succeeds in 2, fails back to 0; 1 gambles; 3 is a trap.
        let matrix = process(&[
            vec![vec![(0, 1, 1)], vec![(0, 1, 2), (2, 1, 2)]],
            vec![vec![(2, 1, 2), (3, 1, 2)]],
            vec![vec![(2, 1, 1)]],
            vec![vec![(3, 1, 1)]],
        ]);
        let ones = |bits: &Bits| bits.ones().collect::<Vec<_>>();
        let certain = |extremum| Certain::of(&matrix, &Bits::all(4), &set(&[2]), extremum);
        let (best, worst) = (certain(Extremum::Max), certain(Extremum::Min));
        assert_eq!((ones(&best.zero), ones(&best.one), ones(&best.open(4))), (vec![3], vec![0, 2], vec![1]));
        assert_eq!(
            (ones(&worst.zero), ones(&worst.one), ones(&worst.open(4))),
            (vec![0, 3], vec![2], vec![1])
        );
    }

    #[test]
    fn nothing_counts_that_comes_after_left_was_given_up() {
        let matrix = process(&[vec![vec![(1, 1, 1)]], vec![vec![(2, 1, 1)]], vec![vec![(2, 1, 1)]]]);
        let certain = Certain::of(&matrix, &set(&[0]), &set(&[2]), Extremum::Max);
        assert_eq!(certain.zero.ones().collect::<Vec<_>>(), [0, 1]);
    }
}
