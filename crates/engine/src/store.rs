//! The states found so far, each with a number.

mod layout;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod tree;

use motet_model::State;

use crate::spill::Spilling;

use layout::{Layout, Room};
use rows::{Row, Rows};
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

/// How often every state may be packed anew on average, before room is made for what may come.
const PATIENCE: usize = 4;
/// Below this many states packing anew costs nothing.
const FEW: usize = 1 << 12;

/// Bytes that are worth putting away while states are packed anew.
const AT_ONCE: u64 = 1 << 20;

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

/// A state of the store, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) values: Vec<u32>,
    parts: Vec<u32>,
}

/// States that somebody wants to know the numbers of.
#[derive(Debug, Default)]
pub(crate) struct Sought {
    generation: u32,
    /// The parts of one after the other, as far as they are known.
    parts: Vec<u32>,
    fits: Vec<Fit>,
    /// Their numbers, [`MISSING`] for those that were not in the store.
    numbers: Vec<u32>,
}

/// What the store knew of a state when it was sought.
#[derive(Clone, Copy, Debug)]
enum Fit {
    /// All its pairs; this is its hash.
    Whole(u64),
    /// Not all its pairs, so it was not in the store.
    Partly,
    /// Not even room for its values.
    Not,
}

impl Sought {
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
        self.fits.clear();
        self.numbers.clear();
    }

    /// The memory in use.
    pub(crate) fn bytes(&self) -> u64 {
        (4 * (self.parts.capacity() + self.numbers.capacity()) + size_of::<Fit>() * self.fits.capacity())
            as u64
    }

    /// How many are sought.
    pub(crate) fn len(&self) -> usize {
        self.fits.len()
    }

    /// The number of a state that was in the store.
    pub(crate) fn number(&self, index: usize) -> Option<u32> {
        Some(self.numbers[index]).filter(|&number| number != MISSING)
    }

    /// How many were not in the store.
    pub(crate) fn n_missing(&self) -> usize {
        self.numbers.iter().filter(|&&number| number == MISSING).count()
    }
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

    /// Adds a state to what is sought, one that is much like `known`.
    pub(crate) fn seek(&self, known: &Loaded, state: &State, sought: &mut Sought) {
        if sought.fits.is_empty() {
            sought.generation = self.generation;
        }
        let start = sought.parts.len();
        let words = self.layout.n_words();
        let fits = self.layout.pack_like(&known.values, &known.parts[..words], state, &mut sought.parts);
        sought.parts.resize(start + self.tree.n_parts(), MISSING);
        let parts = &mut sought.parts[start..];
        let mut whole = fits;
        if fits {
            for (pair, &(left, right)) in self.tree.inner().iter().enumerate() {
                let (left, right) = (left as usize, right as usize);
                let row = [parts[left], parts[right]];
                if row == [known.parts[left], known.parts[right]] {
                    parts[words + pair] = known.parts[words + pair];
                } else if [left, right].iter().all(|&part| part < words || parts[part] != MISSING) {
                    parts[words + pair] = self.pairs.find(row, hash(row)).unwrap_or(MISSING);
                }
                whole &= parts[words + pair] != MISSING;
            }
        }
        sought.fits.push(match (fits, whole) {
            (_, true) => Fit::Whole(hash(self.tree.root_of(parts))),
            (true, false) => Fit::Partly,
            (false, _) => Fit::Not,
        });
    }

    /// Finds the numbers of everything that is sought.
    ///
    /// Many states at once are faster than one after the other: most of the time goes into waiting for memory, and the
    /// processor can wait for many places at the same time.
    pub(crate) fn find_all(&self, sought: &mut Sought) {
        let glances = sought
            .fits
            .iter()
            .map(|fit| if let Fit::Whole(hash) = *fit { self.roots.glance(hash) } else { 0 });
        std::hint::black_box(glances.fold(0, u32::wrapping_add));
        let parts = sought.parts.chunks_exact(self.tree.n_parts());
        sought.numbers.extend(sought.fits.iter().zip(parts).map(|(fit, parts)| match *fit {
            Fit::Whole(hash) => self.roots.find(self.tree.root_of(parts), hash).unwrap_or(MISSING),
            Fit::Partly | Fit::Not => MISSING,
        }));
    }

    /// Brings the places into the cache where states belong that were sought and not found.
    pub(crate) fn glance_at_missing(&self, sought: &Sought) {
        let glances = sought.fits.iter().zip(&sought.numbers).map(|(fit, &number)| match *fit {
            Fit::Whole(hash) if number == MISSING => self.roots.glance(hash),
            _ => 0,
        });
        std::hint::black_box(glances.fold(0, u32::wrapping_add));
    }

    /// Whether a state that was sought and not found may have no room for its values.
    pub(crate) fn may_not_fit(&self, sought: &Sought, index: usize) -> bool {
        let strange = sought.generation != self.generation || matches!(sought.fits[index], Fit::Not);
        strange && sought.numbers[index] == MISSING
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

    /// The number of a state that was sought and not found; it is in the store now. `None` if its values do not fit:
    /// [`Arena::widen`] first. There has to be room, and only one thread at a time may do this. The state itself is asked for
    /// where the layout changed since.
    pub(crate) fn add<'s>(
        &self,
        sought: &mut Sought,
        index: usize,
        state: impl FnOnce() -> &'s State,
    ) -> Option<(u32, Arrival)> {
        let stride = self.tree.n_parts();
        let parts = index * stride..(index + 1) * stride;
        match sought.fits[index] {
            Fit::Whole(hash) if sought.generation == self.generation => {
                Some(self.add_root(self.tree.root_of(&sought.parts[parts]), hash))
            }
            Fit::Partly if sought.generation == self.generation => {
                Some(self.add_parts(&mut sought.parts[parts]))
            }
            _ => {
                let mut parts = Vec::with_capacity(stride);
                self.layout.pack(state(), &mut parts).then(|| {
                    parts.resize(stride, MISSING);
                    self.add_parts(&mut parts)
                })
            }
        }
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

    /// Makes room for a state that does not fit, or for several of which this one has all bits, if that can be done without
    /// touching the others. Says whether.
    pub(crate) fn grow(&mut self, state: &State) -> bool {
        // A few are packed anew at once, so that a layout without pieces is found.
        let grown = if self.len() < FEW { None } else { self.layout.grown(state) };
        grown.map(|grown| self.layout = grown).is_some()
    }

    /// Makes room for a state that does not fit, or for several of which this one has all bits, and packs all others anew. So
    /// many threads may take part.
    pub(crate) fn widen(&mut self, state: &State, threads: usize) {
        let len = self.len();
        self.repacked += len;
        let patient = self.repacked <= PATIENCE * len + FEW;
        let room = if patient { Room::Exact } else { Room::Ample };
        let mut wider = Self::of_layout(Layout::widened(&self.used(), state, room), self.generation + 1);
        wider.repacked = self.repacked;
        wider.pairs.reserve(self.pairs.len(), threads);
        let (mut loaded, mut parts, mut last) = (Loaded::default(), Vec::new(), Vec::new());
        let home = self.roots.home().or(self.pairs.home()).cloned();
        for number in 0..u32::try_from(len).expect("states are numbered with 32 bits") {
            self.open(number, &mut loaded);
            wider.pack_next(&loaded.values, &last, &mut parts);
            wider.roots.push(wider.tree.root_of(&parts));
            std::mem::swap(&mut last, &mut parts);
            // As much of it is put away as of what it replaces.
            if let Some(home) = home.as_ref().filter(|_| wider.here() > self.here().max(AT_ONCE)) {
                wider.put_away(home, u64::MAX);
            }
        }
        wider.roots.rebuild(0, threads);
        *self = wider;
    }

    /// The parts of a state that fits; most are those of the `last` one.
    fn pack_next(&mut self, state: &State, last: &[u32], parts: &mut Vec<u32>) {
        parts.clear();
        let fits = self.layout.pack(state, parts);
        debug_assert!(fits, "room was made for this state");
        parts.resize(self.tree.n_parts(), MISSING);
        let words = self.layout.n_words();
        for (pair, &(left, right)) in self.tree.inner().iter().enumerate() {
            let (left, right) = (left as usize, right as usize);
            if last.get(left) == Some(&parts[left]) && last.get(right) == Some(&parts[right]) {
                parts[words + pair] = last[words + pair];
            }
        }
        if !self.pairs.has_room(self.tree.inner().len()) {
            self.pairs.reserve(self.tree.inner().len(), 1);
        }
        self.pair_up(parts);
    }

    /// The bits that some state has, slot by slot. Slots have room for more.
    fn used(&self) -> Vec<u32> {
        let mut words = vec![0; self.layout.n_words()];
        let mut parts = Vec::new();
        for row in self.roots.each() {
            self.tree.unfold(row, &mut parts, |pair| self.pairs.get(pair));
            words.iter_mut().zip(&parts).for_each(|(used, word)| *used |= word);
        }
        let mut values = Vec::new();
        self.layout.unpack(&words, &mut values);
        values
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
        parts.clear();
        let fits = self.layout.pack(state, parts);
        debug_assert!(fits, "room was made for this state");
        parts.resize(self.tree.n_parts(), MISSING);
        Some(self.add_parts(parts))
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
