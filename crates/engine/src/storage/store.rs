//! The states found so far, each with a number.

mod layout;
mod rows;
mod sought;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod widen;

use motet_model::State;

use crate::storage::spill::Spilling;

use layout::Layout;
use rows::{Row, Rows};
pub(crate) use sought::{Loaded, Sought};
use table::hash;
use tree::Tree;

/// Numbers states densely from 0 in the order of arrival. Exact: whole states are compared, a hash never stands for
/// one.
pub trait Store {
    /// The number of a state, and whether it is new. `None` when there is no number left for it.
    fn insert(&mut self, state: &State) -> Option<(u32, Arrival)>;

    /// Copies the state with this number into `out`.
    fn load(&self, number: u32, out: &mut Vec<u32>);

    /// Whether the state with this number is `state`.
    fn is(&self, number: u32, state: &State) -> bool;

    /// How many states there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory in use.
    fn bytes(&self) -> u64;

    /// Gives back what only [`Store::insert`] needs. Nothing may be inserted afterwards.
    fn freeze(&mut self);
}

/// Whether a state was known before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// First seen now.
    New,
    /// Seen before.
    Known,
}

/// A pair that is not in the store.
const MISSING: u32 = u32::MAX;

/// States as trees of pairs over packed words. How many bits a slot gets is found out on the way: when a value does not
/// fit, all states are packed anew.
///
/// Several threads may look states up while one adds some: what takes `&self` here takes no lock. Whoever keeps the store
/// sees to it that only one adds at a time, and that nobody looks while room is made.
#[derive(Debug)]
pub struct Arena {
    layout: Layout,
    tree: Tree,
    /// Pairs that are not a whole state.
    pairs: Rows,
    /// Whole states.
    roots: Rows,
    /// How many states were packed anew, each time counted.
    repacked: usize,
    /// Which layout this is; parts of a state mean nothing under another one.
    generation: u32,
}

impl Arena {
    /// An empty store for states of `width` slots.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self::of_layout(Layout::new(width), 0)
    }

    fn of_layout(layout: Layout, generation: u32) -> Self {
        let tree = Tree::new(layout.n_words());
        let roots = Rows::new(tree.row_width());
        Self { layout, tree, pairs: Rows::new(2), roots, repacked: 0, generation }
    }

    /// Takes a state apart.
    pub(crate) fn open(&self, number: u32, out: &mut Loaded) {
        self.tree.unfold(self.roots.get(number), &mut out.parts, |pair| self.pairs.get(pair));
        self.layout.unpack(&out.parts, &mut out.values);
    }

    /// Whether so many states can be added without [`Arena::reserve`]. `None` when there are not enough numbers left.
    pub(crate) fn has_room(&self, more: usize) -> Option<bool> {
        let pairs = more * self.tree.inner().len();
        // The last number is kept free: parents and rows use it for "none".
        let numbered =
            |rows: &Rows, more: usize| u32::try_from(rows.len() + more).is_ok_and(|end| end < u32::MAX);
        let numbers = numbered(&self.roots, more) && numbered(&self.pairs, pairs);
        numbers.then(|| self.roots.has_room(more) && self.pairs.has_room(pairs))
    }

    /// How many bytes [`Arena::reserve`] would take on top.
    pub(crate) fn growth(&self, more: usize) -> u64 {
        self.roots.growth(more) + self.pairs.growth(more * self.tree.inner().len())
    }

    /// Makes room for so many states, with so many threads.
    pub(crate) fn reserve(&mut self, more: usize, threads: usize) {
        self.roots.reserve(more, threads);
        self.pairs.reserve(more * self.tree.inner().len(), threads);
    }

    fn add_parts(&self, parts: &mut [u32]) -> (u32, Arrival) {
        self.pair_up(parts);
        let row = self.tree.root_of(parts);
        self.add_root(row, hash(row))
    }

    fn add_root(&self, row: Row, hash: u64) -> (u32, Arrival) {
        match self.roots.find(row, hash) {
            Some(number) => (number, Arrival::Known),
            None => (self.roots.add(row, hash), Arrival::New),
        }
    }

    /// Adds the pairs that are missing.
    fn pair_up(&self, parts: &mut [u32]) {
        let words = self.layout.n_words();
        for (pair, &(left, right)) in self.tree.inner().iter().enumerate() {
            if parts[words + pair] == MISSING {
                let row = [parts[left as usize], parts[right as usize]];
                let hash = hash(row);
                parts[words + pair] = self.pairs.find(row, hash).unwrap_or_else(|| self.pairs.add(row, hash));
            }
        }
    }

    /// Whether there is room for the values of a state.
    pub(crate) fn fits(&self, state: &State) -> bool {
        self.layout.fits(state)
    }

    /// Puts full chunks away, so many bytes of them or all. Says how many bytes that were. Whole states come first: those
    /// that were found long ago are hardly looked at, pairs always are.
    pub(crate) fn put_away(&mut self, home: &Spilling, bytes: u64) -> u64 {
        let freed = self.roots.put_away(home, bytes);
        freed + self.pairs.put_away(home, bytes.saturating_sub(freed))
    }

    /// How many bytes can be put away.
    pub(crate) fn here(&self) -> u64 {
        self.roots.here() + self.pairs.here()
    }

    /// Inserts a state that fits.
    fn insert_packed(&mut self, state: &State, parts: &mut Vec<u32>) -> Option<(u32, Arrival)> {
        if !self.has_room(1)? {
            self.reserve(1, 1);
        }
        self.pack_next(state, &[], parts);
        let row = self.tree.root_of(parts);
        Some(self.add_root(row, hash(row)))
    }

    /// The number of a state, if it is here. A store that was frozen has to be thawed first.
    pub(crate) fn find(&self, state: &State) -> Option<u32> {
        if state.len() != self.layout.n_slots() {
            return None;
        }
        let mut parts = Vec::with_capacity(self.tree.n_parts());
        if !self.layout.pack(state, &mut parts) {
            return None;
        }
        for &(left, right) in self.tree.inner() {
            let row = [parts[left as usize], parts[right as usize]];
            parts.push(self.pairs.find(row, hash(row))?);
        }
        let row = self.tree.root_of(&parts);
        self.roots.find(row, hash(row))
    }

    /// Makes the tables anew that [`Store::freeze`] gave back.
    pub(crate) fn thaw(&mut self) {
        self.roots.thaw();
        self.pairs.thaw();
    }
}

impl Store for Arena {
    fn insert(&mut self, state: &State) -> Option<(u32, Arrival)> {
        let mut parts = Vec::with_capacity(self.tree.n_parts());
        if !self.layout.pack(state, &mut parts) && !self.grow(state) {
            self.widen(state, 1);
        }
        self.insert_packed(state, &mut parts)
    }

    fn load(&self, number: u32, out: &mut Vec<u32>) {
        let mut parts = Vec::with_capacity(self.tree.n_parts());
        self.tree.unfold(self.roots.get(number), &mut parts, |pair| self.pairs.get(pair));
        self.layout.unpack(&parts, out);
    }

    fn is(&self, number: u32, state: &State) -> bool {
        let mut values = Vec::with_capacity(state.len());
        self.load(number, &mut values);
        values == state
    }

    fn len(&self) -> usize {
        self.roots.len()
    }

    fn bytes(&self) -> u64 {
        self.roots.bytes() + self.pairs.bytes()
    }

    fn freeze(&mut self) {
        self.roots.freeze();
        self.pairs.freeze();
    }
}
