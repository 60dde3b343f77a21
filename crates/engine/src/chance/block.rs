//! The equations of one component: unknowns, their choices, and what comes from outside.

use motet_property::Extremum;

use super::eliminate::{Number, Row};

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

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("a part has no more choices and branches than the whole")
}
