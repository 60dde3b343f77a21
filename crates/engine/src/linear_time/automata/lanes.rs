//! Formulas on sixty-four words at once: a truth is a bit, and words that differ in letters only share a machine word.

use super::formula::{Formulas, Ltl, Node};

/// How a word is laid out: its letters, and where it goes on behind the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) n: usize,
    pub(super) back: usize,
}

/// Sixty-four words of one shape.
pub(super) struct Words {
    pub(super) shape: Shape,
    /// Per letter, per column.
    truths: Vec<Vec<u64>>,
    /// Which of the sixty-four are words at all.
    there: u64,
}

/// The lowest bits of the numbers 0 to 63.
const LOW: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// Calls `look` for all words with `n` letters, shape by shape.
pub(super) fn for_words(n: usize, n_columns: usize, look: &mut dyn FnMut(&Words)) {
    let bits = n * n_columns;
    let there = if bits >= 6 { u64::MAX } else { (1 << (1_u64 << bits)) - 1 };
    for back in 0..n {
        for batch in 0..1_u64 << bits.saturating_sub(6) {
            let bit = |bit: usize| match LOW.get(bit) {
                Some(low) => *low,
                None => 0_u64.wrapping_sub(batch >> (bit - 6) & 1),
            };
            let letter = |at: usize| (0..n_columns).map(|column| bit(at * n_columns + column)).collect();
            look(&Words { shape: Shape { n, back }, truths: (0..n).map(letter).collect(), there });
        }
    }
}

impl Words {
    /// Which of the words satisfy a formula whose propositions are the columns.
    pub(super) fn value(&self, formulas: &Formulas, root: Node) -> u64 {
        let nodes = formulas.parts_below(root);
        let mut values: Vec<Vec<u64>> = vec![Vec::new(); formulas.len()];
        for node in nodes {
            values[node.index()] = self.truth(formulas.get(node), &values);
        }
        values[root.index()][0] & self.there
    }

    /// The truth of a formula at every letter, from that of its parts. An until is a least fixpoint, a release a greatest.
    fn truth(&self, formula: &Ltl, values: &[Vec<u64>]) -> Vec<u64> {
        let Shape { n, back } = self.shape;
        let next = |at: usize| if at + 1 < n { at + 1 } else { back };
        let of = |node: &Node| &values[node.index()];
        let every = |value: &dyn Fn(usize) -> u64| (0..n).map(value).collect::<Vec<u64>>();
        match formula {
            Ltl::True => vec![u64::MAX; n],
            Ltl::False => vec![0; n],
            Ltl::Literal(column, true) => every(&|at| self.truths[at][*column as usize]),
            Ltl::Literal(column, false) => every(&|at| !self.truths[at][*column as usize]),
            Ltl::And(parts) => every(&|at| parts.iter().fold(u64::MAX, |all, part| all & of(part)[at])),
            Ltl::Or(parts) => every(&|at| parts.iter().fold(0, |some, part| some | of(part)[at])),
            Ltl::Next(a) => every(&|at| of(a)[next(at)]),
            Ltl::Until(a, b) => {
                let mut value = vec![0; n];
                for at in (0..2 * n).rev().map(|at| at % n) {
                    value[at] = of(b)[at] | of(a)[at] & value[next(at)];
                }
                value
            }
            Ltl::Release(a, b) => {
                let mut value = vec![u64::MAX; n];
                for at in (0..2 * n).rev().map(|at| at % n) {
                    value[at] = of(b)[at] & (of(a)[at] | value[next(at)]);
                }
                value
            }
            // Bounds were written out letter by letter.
            _ => unreachable!("formulas over letters have no windows"),
        }
    }

    /// How many truths a word has.
    pub(super) fn truths(&self, lane: u32) -> usize {
        self.truths.iter().flatten().filter(|truths| **truths >> lane & 1 == 1).count()
    }

    /// One of the words.
    pub(super) fn letters(&self, lane: u32) -> Vec<Vec<bool>> {
        let letter = |truths: &Vec<u64>| truths.iter().map(|truths| truths >> lane & 1 == 1).collect();
        self.truths.iter().map(letter).collect()
    }
}
