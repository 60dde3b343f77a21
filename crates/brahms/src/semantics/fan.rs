//! Steps whose outcome is a matter of chance: how they begin, and what they lead to.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use motet_model::{Fault, Ratio, State};
use rustc_hash::FxBuildHasher;

use super::expand::unwieldy;
use super::memo::{Decider, Stop, Stretch};
use super::merged::Merged;
use super::oracle::{MOST_OUTCOMES, Made, Weight};

/// What chance has begun: rows of configurations with their chances, which sum to one in each row.
#[derive(Debug, Default)]
pub(super) struct Rows {
    width: usize,
    cells: Vec<u32>,
    /// Who has to look again, a few words for each configuration.
    awake: Vec<u64>,
    chances: Vec<(Ratio, Stop)>,
    /// The choices that led to each configuration, if somebody wants to know.
    paths: Vec<Vec<u32>>,
    /// The end of each row among all configurations.
    ends: Vec<usize>,
}

/// A configuration that chance led to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) chance: Ratio,
    pub(super) stop: Stop,
    pub(super) cells: &'a State,
    pub(super) awake: &'a [u64],
    /// The choices that led there.
    pub(super) path: &'a [u32],
}

impl Rows {
    pub(super) fn clear(&mut self, width: usize) {
        self.width = width;
        self.cells.clear();
        self.awake.clear();
        self.chances.clear();
        self.paths.clear();
        self.ends.clear();
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many configurations there are in all rows together.
    pub(super) fn entries(&self) -> usize {
        self.chances.len()
    }

    /// Adds a row for each way to decide what chance leaves open in a stretch, which starts from a configuration. `path`
    /// leads to it, if somebody wants to know.
    pub(super) fn push(
        &mut self,
        stretch: &Stretch,
        cells: &State,
        path: Option<&[u32]>,
    ) -> Result<(), Fault> {
        if stretch.decider != Decider::Chance {
            for lot in decide(stretch, 0..stretch.alternatives.len(), 0)? {
                self.push_row(stretch, lot.into_iter().map(Ok), cells, path)?;
            }
            return Ok(());
        }
        let chances = stretch.alternatives.iter().zip(0..);
        let chances = chances.map(|(one, number)| Ok((one.chance.ok_or_else(unwieldy)?, number)));
        self.push_row(stretch, chances, cells, path)
    }

    fn push_row(
        &mut self,
        stretch: &Stretch,
        chances: impl Iterator<Item = Result<(Ratio, usize), Fault>>,
        cells: &State,
        path: Option<&[u32]>,
    ) -> Result<(), Fault> {
        for entry in chances {
            let (chance, number) = entry?;
            let end = self.cells.len();
            self.cells.extend_from_slice(cells);
            for (slot, value) in stretch.writes(number) {
                self.cells[end + *slot as usize] = *value;
            }
            self.awake.extend_from_slice(stretch.awake(number));
            self.chances.push((chance, stretch.alternatives[number].stop));
            let answers = stretch.made(number).iter().map(|made| made.answer);
            self.paths.extend(path.map(|path| path.iter().copied().chain(answers).collect()));
        }
        self.ends.push(self.chances.len());
        Ok(())
    }

    /// The configurations of a row.
    pub(super) fn get(&self, row: usize) -> impl Iterator<Item = Entry<'_>> {
        let first = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        let (width, words) = (self.width, self.awake.len() / self.chances.len());
        (first..self.ends[row]).map(move |at| {
            let (chance, stop) = self.chances[at];
            let cells = &self.cells[at * width..(at + 1) * width];
            let awake = &self.awake[at * words..(at + 1) * words];
            Entry { chance, stop, cells, awake, path: self.paths.get(at).map_or(&[], |path| path) }
        })
    }
}

/// Alternatives by their numbers, with the chances of a stretch in which somebody has decided whatever chance does not.
type Lot = Vec<(Ratio, usize)>;

/// The ways to decide what chance leaves open in a stretch; each is a distribution over its alternatives. Within one atomic
/// step it is decided with regard to what chance did before.
fn decide(stretch: &Stretch, among: std::ops::Range<usize>, depth: usize) -> Result<Vec<Lot>, Fault> {
    let Some(first) = stretch.made(among.start).get(depth) else {
        return Ok(vec![vec![(Ratio::ONE, among.start)]]);
    };
    let mut parts: Vec<(Made, Vec<Lot>)> = Vec::new();
    let mut start = among.start;
    while start < among.end {
        let made = stretch.made(start)[depth];
        let same = |number: &usize| stretch.made(*number)[depth].answer == made.answer;
        let end = (start..among.end).find(|number| !same(number)).unwrap_or(among.end);
        parts.push((made, decide(stretch, start..end, depth + 1)?));
        start = end;
    }
    if first.weight == Weight::Free {
        return Ok(parts.into_iter().flat_map(|(_, lots)| lots).collect());
    }
    let mut together: Vec<Lot> = vec![Vec::new()];
    for (made, lots) in parts {
        let factor = made.chance().ok_or_else(unwieldy)?;
        if together.len() * lots.len() > MOST_OUTCOMES {
            let message = format!("bound exceeded: one atomic step has more than {MOST_OUTCOMES} outcomes");
            return Err(Fault { message });
        }
        let mut more = Vec::with_capacity(together.len() * lots.len());
        for before in &together {
            for lot in &lots {
                let mut joined = before.clone();
                for (chance, number) in lot {
                    joined.push((chance.checked_mul(factor).ok_or_else(unwieldy)?, *number));
                }
                more.push(joined);
            }
        }
        together = more;
    }
    Ok(together)
}

/// Steps with the states they lead to, each step once.
#[derive(Debug, Default)]
pub(crate) struct Fan {
    width: usize,
    cells: Vec<u32>,
    chances: Vec<Ratio>,
    paths: Vec<Vec<u32>>,
    /// The end of each step among all branches.
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Fan {
    pub(super) fn clear(&mut self, width: usize) {
        self.width = width;
        self.cells.clear();
        self.chances.clear();
        self.paths.clear();
        self.ends.clear();
        self.table.clear();
    }

    /// How many branches there are in all steps together.
    pub(super) fn len(&self) -> usize {
        self.chances.len()
    }

    /// How many steps there are.
    pub(crate) fn steps(&self) -> usize {
        self.ends.len()
    }

    fn range(&self, step: usize) -> std::ops::Range<usize> {
        step.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[step]
    }

    /// The branches of a step.
    pub(crate) fn branches(&self, step: usize) -> impl ExactSizeIterator<Item = (Ratio, &State)> {
        let width = self.width;
        self.range(step).map(move |at| (self.chances[at], &self.cells[at * width..(at + 1) * width]))
    }

    /// The choices that lead to a branch, if they were kept.
    pub(super) fn path(&self, step: usize, branch: usize) -> Option<&[u32]> {
        let range = if step < self.steps() { self.range(step) } else { 0..0 };
        (branch < range.len()).then(|| self.paths.get(range.start + branch).map_or(&[][..], |path| path))
    }

    /// Adds a step, unless there is the same already.
    pub(super) fn push(&mut self, reached: &Merged) {
        let (first, width) = (self.len(), self.width);
        for at in 0..reached.len() {
            let (chance, cells) = reached.get(at);
            self.cells.extend_from_slice(cells);
            self.chances.push(chance);
        }
        self.index();
        let same = |step: &u32| {
            let range = self.range(*step as usize);
            self.chances[range.clone()] == self.chances[first..]
                && self.cells[range.start * width..range.end * width] == self.cells[first * width..]
        };
        let own = || FxBuildHasher.hash_one(&self.cells[first * width..]);
        if self.steps() > 0 && self.table.find(own(), same).is_some() {
            self.cells.truncate(first * width);
            self.chances.truncate(first);
            return;
        }
        self.paths.extend((0..reached.len()).map(|at| reached.path(at).to_vec()));
        self.ends.push(self.chances.len());
    }

    /// Puts all steps that are not there yet into the table.
    fn index(&mut self) {
        let (ends, cells, width) = (&self.ends, &self.cells, self.width);
        let start = |step: &u32| (*step as usize).checked_sub(1).map_or(0, |before| ends[before]);
        let hash =
            |step: &u32| FxBuildHasher.hash_one(&cells[start(step) * width..ends[*step as usize] * width]);
        for step in self.table.len()..ends.len() {
            let step = u32::try_from(step).expect("fewer than 2^32 steps");
            self.table.insert_unique(hash(&step), step, hash);
        }
    }
}
