//! Configurations with their chances, each once: choices that make no difference in the end cost little.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use motet_model::{Ratio, State};
use rustc_hash::FxBuildHasher;

/// So many are compared one by one, without a table.
const FEW: usize = 4;

/// Configurations with their chances, each once.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    width: usize,
    cells: Vec<u32>,
    chances: Vec<Ratio>,
    /// Who has to look again, a few words each.
    awake: Vec<u64>,
    /// The choices that lead there, if somebody wants to know.
    paths: Vec<Vec<u32>>,
    /// The first so many are in the table.
    indexed: usize,
    table: HashTable<u32>,
    sources: Sources,
    meeting: Meeting,
}

/// What becomes of two equal configurations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// Their chances are added up.
    #[default]
    Adds,
    /// They are one: nobody knows which way is taken, and both lead to the same.
    Unites,
}

/// Where configurations come from. Those to which one stretch leads from different configurations are different: a
/// stretch changes only what it looks at ([`super::memo`]), so they differ where their origins do. They need no table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sources {
    /// There are none.
    #[default]
    None,
    /// All come from different configurations by the stretch with this number.
    One(u64),
    /// Any may be equal to any.
    Several,
}

impl Merged {
    pub(super) fn clear(&mut self, width: usize, meeting: Meeting) {
        self.width = width;
        self.meeting = meeting;
        self.cells.clear();
        self.chances.clear();
        self.awake.clear();
        self.paths.clear();
        self.indexed = 0;
        self.table.clear();
        self.sources = Sources::None;
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.chances.len()
    }

    /// One of them.
    pub(crate) fn get(&self, at: usize) -> (Ratio, &State) {
        (self.chances[at], &self.cells[at * self.width..(at + 1) * self.width])
    }

    /// The choices that lead to one of them first.
    pub(crate) fn path(&self, at: usize) -> &[u32] {
        self.paths.get(at).map_or(&[], |path| path)
    }

    /// Who has to look again in one of them.
    pub(super) fn awake(&self, at: usize) -> &[u64] {
        let words = self.awake.len() / self.len();
        &self.awake[at * words..(at + 1) * words]
    }

    /// What comes from now on may be equal to what is there.
    pub(super) fn seal(&mut self) {
        if self.len() > 0 {
            self.sources = Sources::Several;
        }
    }

    /// Adds what becomes of a configuration when these slots get these values. The number of the stretch that does it is
    /// given if its alternatives lead to different configurations; until the next [`Self::seal`] it comes from different ones.
    pub(super) fn add(
        &mut self,
        stretch: Option<u64>,
        base: &State,
        writes: &[(u32, u32)],
        chance: Ratio,
        awake: &[u64],
        path: Option<Vec<u32>>,
    ) {
        let end = self.cells.len();
        self.cells.extend_from_slice(base);
        let new = &mut self.cells[end..];
        for (slot, value) in writes {
            new[*slot as usize] = *value;
        }
        let source = stretch.map_or(Sources::Several, Sources::One);
        if self.sources == Sources::None {
            self.sources = source;
        }
        if self.sources == source && source != Sources::Several {
            self.push(chance, awake, path);
            return;
        }
        self.sources = Sources::Several;
        if let Some(at) = self.find_last() {
            self.cells.truncate(end);
            if self.meeting == Meeting::Adds {
                let both = self.chances[at].checked_add(chance);
                self.chances[at] = both.expect("chances have a common denominator of 64 bits");
            }
            for (known, more) in self.awake[at * awake.len()..].iter_mut().zip(awake) {
                *known |= more;
            }
            return;
        }
        self.push(chance, awake, path);
    }

    /// Where there is the same configuration as the last one.
    fn find_last(&mut self) -> Option<usize> {
        let width = self.width;
        if self.len() > FEW {
            self.index();
        }
        let (all, last) = self.cells.split_at(self.len() * width);
        let same = |at: usize| all[at * width..(at + 1) * width] == *last;
        if self.len() <= FEW {
            return (0..self.len()).find(|at| same(*at));
        }
        let hash = FxBuildHasher.hash_one(last);
        self.table.find(hash, |at| same(*at as usize)).map(|at| *at as usize)
    }

    fn push(&mut self, chance: Ratio, awake: &[u64], path: Option<Vec<u32>>) {
        self.chances.push(chance);
        self.awake.extend_from_slice(awake);
        self.paths.extend(path);
    }

    /// Puts all that are not there yet into the table.
    fn index(&mut self) {
        let (all, width) = (&self.cells, self.width);
        let hash = |at: &u32| FxBuildHasher.hash_one(&all[*at as usize * width..(*at as usize + 1) * width]);
        for at in self.indexed..self.chances.len() {
            let number = u32::try_from(at).expect("fewer than 2^32 outcomes");
            self.table.insert_unique(hash(&number), number, hash);
        }
        self.indexed = self.chances.len();
    }
}
