//! Where chance picks among several combinations, branches that lead to the same state are one.

use hashbrown::HashTable;
use motet_model::Ratio;

/// Up to this many branches are compared with each other.
const FEW: usize = 12;

/// Memory for merging.
#[derive(Debug, Default)]
pub(crate) struct Merger {
    table: HashTable<u32>,
}

impl Merger {
    /// Joins branches with equal targets; the first of equals stays. `None` when a sum is too fine to be kept.
    pub(crate) fn merge(
        &mut self,
        width: usize,
        targets: &mut Vec<u32>,
        chances: &mut Vec<Ratio>,
    ) -> Option<()> {
        let mut kept = 0_usize;
        let few = chances.len() <= FEW;
        self.table.clear();
        for next in 0..chances.len() {
            let (old, new) = targets.split_at(next * width);
            let target = &new[..width];
            let equal = |other: usize| old[other * width..(other + 1) * width] == *target;
            let found = if few {
                (0..kept).find(|other| equal(*other))
            } else {
                self.table.find(hash(target), |other| equal(*other as usize)).map(|other| *other as usize)
            };
            if let Some(other) = found {
                chances[other] = chances[other].checked_add(chances[next])?;
                continue;
            }
            if !few {
                let number = u32::try_from(kept).ok()?;
                let value = hash(target);
                // The table never grows while it is asked about entries that have moved.
                let hasher = |other: &u32| {
                    let at = *other as usize;
                    if at == kept { value } else { hash(&old[at * width..(at + 1) * width]) }
                };
                self.table.insert_unique(value, number, hasher);
            }
            chances[kept] = chances[next];
            targets.copy_within(next * width..(next + 1) * width, kept * width);
            kept += 1;
        }
        chances.truncate(kept);
        targets.truncate(kept * width);
        Some(())
    }
}

/// Multiplication and rotation, word by word (as `rustc-hash` does), with a last mixing.
fn hash(words: &[u32]) -> u64 {
    let mixed = words.iter().fold(0_u64, |mixed, word| {
        (mixed.rotate_left(5) ^ u64::from(*word)).wrapping_mul(0x517C_C1B7_2722_0A95)
    });
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_targets_become_one_whether_few_or_many() {
        for count in [5_u32, 100] {
            let mut targets: Vec<u32> = (0..count).flat_map(|n| [n % 3, 7]).collect();
            let mut chances = vec![Ratio::new(1, u64::from(count)).unwrap(); count as usize];
            Merger::default().merge(2, &mut targets, &mut chances).unwrap();
            assert_eq!(targets, [0, 7, 1, 7, 2, 7]);
            let sum = chances.iter().try_fold(Ratio::ZERO, |sum, chance| sum.checked_add(*chance));
            assert_eq!(sum, Some(Ratio::ONE));
        }
    }
}
