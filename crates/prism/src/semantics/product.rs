//! What commands that happen together lead to. They change different variables, so every combination of their outcomes is a
//! different state.

use motet_model::Ratio;

use super::effects::{Outcomes, Row};

/// How many outcomes all steps of one state may have together.
const LIMIT_BRANCHES: usize = 1 << 22;
/// How many values of variables these may have together.
const LIMIT_WORDS: usize = 1 << 27;
/// Entries of the memory for reduced fractions.
const REMEMBERED: usize = 256;

/// The branches of one step, or of several.
#[derive(Debug)]
pub(crate) struct Branches {
    pub(crate) targets: Vec<u32>,
    pub(crate) chances: Vec<Ratio>,
    numerators: Vec<u64>,
    /// How many branches this state has got so far.
    spent: usize,
    /// Fractions that were reduced lately.
    memory: Box<[(u64, u64, Ratio)]>,
}

impl Default for Branches {
    fn default() -> Self {
        Self {
            targets: Vec::new(),
            chances: Vec::new(),
            numerators: Vec::new(),
            spent: 0,
            memory: vec![(0, 0, Ratio::ZERO); REMEMBERED].into(),
        }
    }
}

/// Why a step cannot be built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Excess {
    Branches,
    Precision,
}

impl Branches {
    pub(crate) fn clear(&mut self) {
        self.targets.clear();
        self.chances.clear();
    }

    /// Forgets the last state.
    pub(crate) fn restart(&mut self) {
        self.clear();
        self.spent = 0;
    }

    /// Appends all combinations of the outcomes of these rows; chances are multiplied by `1 / share`.
    pub(crate) fn combine(
        &mut self,
        state: &[u32],
        rows: &[Row],
        outcomes: &Outcomes,
        share: u64,
    ) -> Result<(), Excess> {
        let width = state.len();
        let first = self.targets.len();
        let count = rows.iter().try_fold(1_usize, |count, row| {
            count.checked_mul((row.end - row.start) as usize).filter(|count| *count <= LIMIT_BRANCHES)
        });
        let count = count.ok_or(Excess::Branches)?;
        self.spent += count;
        if self.spent > LIMIT_BRANCHES || self.spent.saturating_mul(width) > LIMIT_WORDS {
            return Err(Excess::Branches);
        }
        self.targets.reserve(count * width);
        self.targets.extend_from_slice(state);
        for row in rows {
            self.spread(first, width, *row, outcomes);
        }
        let shared = rows
            .iter()
            .try_fold(share, |product, row| product.checked_mul(row.shared).filter(|product| *product > 0));
        match shared {
            Some(shared) => self.multiply(rows, outcomes, shared, count),
            None => return self.multiply_slowly(rows, outcomes, share),
        }
        Ok(())
    }

    /// Copies what is there once for each further outcome, and makes the changes.
    fn spread(&mut self, first: usize, width: usize, row: Row, outcomes: &Outcomes) {
        let length = self.targets.len() - first;
        if length == 0 {
            // A model without variables has one state.
            return;
        }
        let list = outcomes.row(row);
        for _ in 1..list.len() {
            self.targets.extend_from_within(first..first + length);
        }
        for (outcome, block) in list.iter().zip(self.targets[first..].chunks_exact_mut(length)) {
            for &(slot, value) in outcomes.writes(*outcome) {
                let mut at = slot as usize;
                while at < length {
                    block[at] = value;
                    at += width;
                }
            }
        }
    }

    fn multiply(&mut self, rows: &[Row], outcomes: &Outcomes, shared: u64, count: usize) {
        if count == 1 && shared == 1 {
            self.chances.push(Ratio::ONE);
            return;
        }
        if let [row] = rows
            && shared == row.shared
        {
            self.chances.extend(outcomes.row(*row).iter().map(|outcome| outcome.chance.ratio));
            return;
        }
        let mut numerators = std::mem::take(&mut self.numerators);
        numerators.clear();
        numerators.push(1);
        for row in rows {
            let length = numerators.len();
            let (first, rest) = outcomes.row(*row).split_first().expect("a command has an outcome");
            for outcome in rest {
                for at in 0..length {
                    numerators.push(numerators[at] * outcome.chance.numerator);
                }
            }
            if first.chance.numerator != 1 {
                numerators[..length].iter_mut().for_each(|numerator| *numerator *= first.chance.numerator);
            }
        }
        self.chances.reserve(numerators.len());
        for numerator in &numerators {
            let ratio = self.reduced(*numerator, shared);
            self.chances.push(ratio);
        }
        self.numerators = numerators;
    }

    #[inline]
    fn reduced(&mut self, numerator: u64, denominator: u64) -> Ratio {
        let mixed =
            numerator.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ denominator.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let entry = &mut self.memory[(mixed >> 32) as usize % REMEMBERED];
        if (entry.0, entry.1) != (numerator, denominator) {
            let ratio = Ratio::new(numerator, denominator).expect("denominators are not zero");
            *entry = (numerator, denominator, ratio);
        }
        entry.2
    }

    /// Fraction by fraction, where the product of the denominators does not fit.
    fn multiply_slowly(&mut self, rows: &[Row], outcomes: &Outcomes, share: u64) -> Result<(), Excess> {
        let first = self.chances.len();
        self.chances.push(Ratio::new(1, share).ok_or(Excess::Precision)?);
        for row in rows {
            let length = self.chances.len() - first;
            let (one, rest) = outcomes.row(*row).split_first().expect("a command has an outcome");
            for outcome in rest {
                for at in first..first + length {
                    let product =
                        self.chances[at].checked_mul(outcome.chance.ratio).ok_or(Excess::Precision)?;
                    self.chances.push(product);
                }
            }
            for chance in &mut self.chances[first..first + length] {
                *chance = chance.checked_mul(one.chance.ratio).ok_or(Excess::Precision)?;
            }
        }
        Ok(())
    }
}
