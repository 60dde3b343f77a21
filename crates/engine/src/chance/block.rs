//! The equations of one component: unknowns, their choices, and what comes from outside.

use motet_property::Extremum;

use super::eliminate::{Number, Row};
use crate::exploration::threads::together;

/// Equations `x = best of (right + sum of chance * x) / leave` over the choices of each unknown, with `K` right sides.
/// Branches that lead back to the unknown itself are left out; `leave` makes up for them.
#[derive(Clone, Debug)]
pub(crate) struct Block<N, const K: usize> {
    /// Per unknown: its first choice; one more at the end.
    starts: Vec<u32>,
    /// Per choice: its first branch; one more at the end.
    branches: Vec<u32>,
    /// Per branch: the unknown it leads to.
    targets: Vec<u32>,
    chances: Vec<N>,
    /// Per choice: the chance to get to another unknown or out.
    leaves: Vec<N>,
    /// Per choice: the chance to get out.
    exits: Vec<N>,
    /// Per choice: what getting out and taking it are worth.
    pub(crate) rights: Vec<[N; K]>,
    /// Per choice: its number in the matrix.
    pub(crate) origins: Vec<u32>,
}

impl<N: Number, const K: usize> Block<N, K> {
    pub(crate) fn new() -> Self {
        Self {
            starts: Vec::new(),
            branches: Vec::new(),
            targets: Vec::new(),
            chances: Vec::new(),
            leaves: Vec::new(),
            exits: Vec::new(),
            rights: Vec::new(),
            origins: Vec::new(),
        }
    }

    /// Begins a further unknown; its choices follow.
    pub(crate) fn begin(&mut self) {
        self.starts.push(index(self.origins.len()));
    }

    /// Adds a choice. One that only leads back to its unknown is left out: taking it for ever never gets anywhere.
    pub(crate) fn push(
        &mut self,
        origin: u32,
        right: [N; K],
        exit: N,
        branches: impl Iterator<Item = (u32, N)>,
    ) {
        let own = index(self.starts.len() - 1);
        let first = self.targets.len();
        let mut leave = exit.clone();
        for (target, chance) in branches {
            if target != own {
                leave.add(&chance);
                self.targets.push(target);
                self.chances.push(chance);
            }
        }
        if leave.is_zero() {
            self.targets.truncate(first);
            self.chances.truncate(first);
            return;
        }
        self.branches.push(index(first));
        self.leaves.push(leave);
        self.exits.push(exit);
        self.rights.push(right);
        self.origins.push(origin);
    }

    /// Ends the last unknown.
    pub(crate) fn end(&mut self) {
        self.starts.push(index(self.origins.len()));
        self.branches.push(index(self.targets.len()));
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn choices_of(&self, unknown: usize) -> std::ops::Range<usize> {
        self.starts[unknown] as usize..self.starts[unknown + 1] as usize
    }

    /// Whether no unknown has more than one choice.
    pub(crate) fn is_chain(&self) -> bool {
        self.starts.windows(2).all(|pair| pair[1] <= pair[0] + 1)
    }

    /// The number of branches.
    pub(crate) fn size(&self) -> usize {
        self.targets.len()
    }

    /// The most branches that one choice has.
    pub(crate) fn widest(&self) -> usize {
        self.branches.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0) as usize
    }

    /// Whether a choice may lead to something known.
    pub(crate) fn leads_out(&self, choice: usize) -> bool {
        !self.exits[choice].is_zero()
    }

    /// The unknowns that a choice may lead to.
    pub(crate) fn targets_of(&self, choice: usize) -> &[u32] {
        &self.targets[self.branches[choice] as usize..self.branches[choice + 1] as usize]
    }

    /// What a choice is worth on one side if the unknowns have these values.
    pub(crate) fn worth(&self, choice: usize, side: usize, values: &[N]) -> N {
        let mut sum = self.rights[choice][side].clone();
        let range = self.branches[choice] as usize..self.branches[choice + 1] as usize;
        for (&target, chance) in self.targets[range.clone()].iter().zip(&self.chances[range]) {
            sum.add_product(chance, &values[target as usize]);
        }
        sum.over(&self.leaves[choice])
    }

    /// The best choice of an unknown and its worth; `None` if it has no choice.
    pub(crate) fn best(
        &self,
        unknown: usize,
        side: usize,
        values: &[N],
        extremum: Extremum,
    ) -> Option<(usize, N)> {
        let mut choices = self.choices_of(unknown);
        let first = choices.next()?;
        let mut best = (first, self.worth(first, side, values));
        for choice in choices {
            let worth = self.worth(choice, side, values);
            let better = match extremum {
                Extremum::Max => worth.exceeds(&best.1),
                Extremum::Min => best.1.exceeds(&worth),
            };
            if better {
                best = (choice, worth);
            }
        }
        Some(best)
    }

    /// The equation of an unknown that takes this choice.
    pub(crate) fn row(&self, choice: usize) -> Row<N, K> {
        let range = self.branches[choice] as usize..self.branches[choice + 1] as usize;
        let mut entries: Vec<(u32, N)> =
            range.map(|branch| (self.targets[branch], self.chances[branch].clone())).collect();
        entries.sort_by_key(|entry| entry.0);
        entries.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1.add(&later.1);
            }
            same
        });
        Row { entries, exit: self.exits[choice].clone(), right: self.rights[choice].clone() }
    }

    /// The equation of an unknown without choices: nothing is earned any more.
    pub(crate) fn rest() -> Row<N, K>
    where
        N: From<u8>,
    {
        Row { entries: Vec::new(), exit: N::from(1), right: [const { N::ZERO }; K] }
    }
}

/// Blocks with more unknowns are swept part by part, and each part by several threads. This does not depend on how many
/// there are, so that results do not. Smaller ones are swept as a whole: a value is seen at once by all that come after it,
/// and where a component is almost a chain of states that saves more sweeps than threads could make up for.
const PART: usize = 1 << 22;
/// The unknowns of a part that see each other's new values within a sweep.
const NEIGHBOURS: usize = 1 << 16;

/// What a sweep did: the extremes of what was told of the unknowns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Swept {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Swept {
    const NOTHING: Self = Self { least: f64::INFINITY, most: 0.0 };

    fn and(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

impl<const K: usize> Block<f64, K> {
    /// Goes through all unknowns that have a choice, last to first, with the best worth on one side. `rule` gives the new
    /// value from the old one and that worth, and a number that tells what happened.
    pub(crate) fn sweep(
        &self,
        values: &mut [f64],
        best: (usize, Extremum),
        threads: usize,
        rule: impl Fn(f64, f64) -> (f64, f64) + Sync,
    ) -> Swept {
        let n = values.len();
        let mut swept = Swept::NOTHING;
        if n <= PART {
            for unknown in (0..n).rev() {
                let Some(worth) = self.best_worth(unknown, best, |target| values[target]) else { continue };
                let (value, told) = rule(values[unknown], worth);
                values[unknown] = value;
                swept = swept.and(Swept { least: told, most: told });
            }
            return swept;
        }
        for part in (0..n.div_ceil(PART)).rev() {
            let (start, end) = (part * PART, ((part + 1) * PART).min(n));
            swept = swept.and(self.sweep_part(values, start..end, best, threads, &rule));
        }
        swept
    }

    /// Sweeps a part. Its neighbourhoods see the new values of later parts and their own, and the old ones of each other.
    fn sweep_part(
        &self,
        values: &mut [f64],
        part: std::ops::Range<usize>,
        best: (usize, Extremum),
        threads: usize,
        rule: &(impl Fn(f64, f64) -> (f64, f64) + Sync),
    ) -> Swept {
        let before = values[part.clone()].to_vec();
        let (head, rest) = values.split_at_mut(part.start);
        let (own, tail) = rest.split_at_mut(part.len());
        let (head, tail) = (&*head, &*tail);
        let mut crews: Vec<Vec<(usize, &mut [f64])>> = (0..threads.max(1)).map(|_| Vec::new()).collect();
        let n_crews = crews.len();
        for (number, near) in own.chunks_mut(NEIGHBOURS).enumerate() {
            crews[number % n_crews].push((part.start + number * NEIGHBOURS, near));
        }
        let sweep_near = |(first, near): (usize, &mut [f64])| {
            let mut swept = Swept::NOTHING;
            for unknown in (first..first + near.len()).rev() {
                let read = |target: usize| match target {
                    _ if (first..first + near.len()).contains(&target) => near[target - first],
                    _ if target < part.start => head[target],
                    _ if target >= part.end => tail[target - part.end],
                    _ => before[target - part.start],
                };
                let Some(worth) = self.best_worth(unknown, best, read) else { continue };
                let (value, told) = rule(near[unknown - first], worth);
                near[unknown - first] = value;
                swept = swept.and(Swept { least: told, most: told });
            }
            swept
        };
        let swept = together(crews, |crew| crew.into_iter().map(sweep_near).fold(Swept::NOTHING, Swept::and));
        swept.into_iter().fold(Swept::NOTHING, Swept::and)
    }

    /// What the best choice of an unknown is worth on a side; `None` if it has no choice.
    fn best_worth(
        &self,
        unknown: usize,
        (side, extremum): (usize, Extremum),
        read: impl Fn(usize) -> f64,
    ) -> Option<f64> {
        let worth = |choice: usize| {
            let range = self.branches[choice] as usize..self.branches[choice + 1] as usize;
            let branches = self.targets[range.clone()].iter().zip(&self.chances[range]);
            let start = self.rights[choice][side];
            branches.fold(start, |sum, (&target, chance)| sum + chance * read(target as usize))
                / self.leaves[choice]
        };
        let worths = self.choices_of(unknown).map(worth);
        match extremum {
            Extremum::Max => worths.reduce(|best, worth| if worth > best { worth } else { best }),
            Extremum::Min => worths.reduce(|best, worth| if worth < best { worth } else { best }),
        }
    }
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("a part has no more choices and branches than the whole")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance to win a walk from each of `n` places.
    fn walk(n: u32) -> Block<f64, 1> {
        let mut block = Block::new();
        for place in 0..n {
            block.begin();
            let inside = [place.checked_sub(1), Some(place + 1).filter(|&next| next < n)];
            let right = if place + 1 == n { 0.5 } else { 0.0 };
            let exit = if inside.contains(&None) { 0.5 } else { 0.0 };
            block.push(place, [right], exit, inside.into_iter().flatten().map(|target| (target, 0.5)));
        }
        block.end();
        block
    }

    #[test]
    fn a_part_is_swept_alike_by_any_number_of_threads() {
        let n = 3 * NEIGHBOURS + 100;
        let block = walk(index(n));
        let sweep = |threads: usize| {
            let mut values = vec![0.0; n];
            let mut told = Vec::new();
            for _ in 0..5 {
                let rule = |old: f64, worth: f64| (worth, worth - old);
                told.push(block.sweep_part(&mut values, 50..n, (0, Extremum::Max), threads, &rule));
                told.push(block.sweep_part(&mut values, 0..50, (0, Extremum::Max), threads, &rule));
            }
            (values, told)
        };
        let alone = sweep(1);
        assert!(alone.0[n - 1] > 0.5 && alone.0[n - 1] < 1.0);
        assert!([2, 3].iter().all(|&threads| sweep(threads) == alone));
    }

    /// What a sweep in parts gives lies between nothing and the value, and rises.
    #[test]
    fn sweeps_in_parts_close_in_on_the_value_like_whole_ones() {
        let n = 40;
        let block = walk(index(n));
        let mut values = vec![0.0; n];
        let rule = |old: f64, worth: f64| (worth.max(old), worth - old);
        for _ in 0..4000 {
            block.sweep_part(&mut values, 20..n, (0, Extremum::Max), 2, &rule);
            block.sweep_part(&mut values, 0..20, (0, Extremum::Max), 2, &rule);
        }
        for (place, value) in values.iter().enumerate() {
            let exact = (place + 1) as f64 / (n + 1) as f64;
            assert!((value - exact).abs() < 1e-9, "{place} {value} {exact}");
        }
    }
}
