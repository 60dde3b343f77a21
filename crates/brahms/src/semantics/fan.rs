//! Steps whose outcome is a matter of chance: how they begin, and what they lead to.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use motet_model::{Fault, Ratio, State};
use rustc_hash::FxBuildHasher;

use super::expand::unwieldy;
use super::memo::{Decider, Stop, Stretch};
use super::merged::Merged;
use super::oracle::{MOST_OUTCOMES, Made, Weight};

/// What chance has begun: configurations with their chances, which sum to one.
#[derive(Debug)]
pub(super) struct Row {
    /// The configurations.
    pub(super) entries: Vec<Entry>,
}

/// A configuration that chance led to.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) chance: Ratio,
    pub(super) stop: Stop,
    pub(super) cells: Box<State>,
    pub(super) awake: Box<[u64]>,
    /// The choices that led there.
    pub(super) path: Vec<u32>,
}

impl Row {
    /// The alternatives of a stretch with these chances, from a configuration to which these choices led.
    pub(super) fn new(stretch: &Stretch, chances: &[(Ratio, usize)], cells: &State, path: &[u32]) -> Self {
        let entry = |&(chance, number): &(Ratio, usize)| {
            let mut cells: Box<State> = cells.into();
            for (slot, value) in stretch.writes(number) {
                cells[*slot as usize] = *value;
            }
            let answers = stretch.made(number).iter().map(|made| made.answer);
            Entry {
                chance,
                stop: stretch.alternatives[number].stop,
                cells,
                awake: stretch.awake(number).into(),
                path: path.iter().copied().chain(answers).collect(),
            }
        };
        Self { entries: chances.iter().map(entry).collect() }
    }
}

/// Alternatives by their numbers, with the chances of a stretch in which somebody has decided whatever chance does not.
type Lot = Vec<(Ratio, usize)>;

/// The ways to decide what chance leaves open in a stretch; each is a distribution over its alternatives. Within one atomic
/// step it is decided with regard to what chance did before.
pub(super) fn lot(stretch: &Stretch) -> Result<Vec<Lot>, Fault> {
    let all = 0..stretch.alternatives.len();
    if stretch.decider == Decider::Chance {
        let chances = all.map(|number| Some((stretch.alternatives[number].chance?, number)));
        return chances.collect::<Option<Lot>>().map(|lot| vec![lot]).ok_or_else(unwieldy);
    }
    decide(stretch, all, 0)
}

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
        let hash = |cells: &[u32]| FxBuildHasher.hash_one(cells);
        let own = hash(&self.cells[first * width..]);
        let same = |step: &u32| {
            let range = self.range(*step as usize);
            self.chances[range.clone()] == self.chances[first..]
                && self.cells[range.start * width..range.end * width] == self.cells[first * width..]
        };
        if self.table.find(own, same).is_some() {
            self.cells.truncate(first * width);
            self.chances.truncate(first);
            return;
        }
        self.paths.extend((0..reached.len()).map(|at| reached.path(at).to_vec()));
        self.ends.push(self.chances.len());
        let step = u32::try_from(self.steps() - 1).expect("fewer than 2^32 steps");
        let (ends, cells) = (&self.ends, &self.cells);
        let start = |step: &u32| (*step as usize).checked_sub(1).map_or(0, |before| ends[before]);
        let rehash = |step: &u32| hash(&cells[start(step) * width..ends[*step as usize] * width]);
        self.table.insert_unique(own, step, rehash);
    }
}
