//! Many states are looked up at once: most of the time goes into waiting for memory, and the processor can wait for many places
//! at the same time.

use motet_model::State;

use super::rows::Rows;
use super::table::hash;
use super::{Arena, Arrival, MISSING};

/// A state of the store, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) values: Vec<u32>,
    pub(super) parts: Vec<u32>,
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
    /// The pairs that have to be looked up, by their height: those above others come after them.
    pairs: Vec<Vec<Pair>>,
}

/// A pair that has to be looked up.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// Where it is among all parts.
    at: u32,
    /// Where its two parts are, until they are known: then what they are.
    row: [u32; 2],
    /// The state it belongs to.
    of: u32,
    hash: u64,
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
        self.pairs.iter_mut().for_each(Vec::clear);
    }

    /// The memory in use.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.parts.capacity() + self.numbers.capacity();
        let pairs: usize = self.pairs.iter().map(Vec::capacity).sum();
        (4 * words + size_of::<Fit>() * self.fits.capacity() + size_of::<Pair>() * pairs) as u64
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
    /// Adds a state to what is sought, one that is much like `known`.
    pub(crate) fn seek(&self, known: &Loaded, state: &State, sought: &mut Sought) {
        if sought.fits.is_empty() {
            sought.generation = self.generation;
            sought.pairs.resize_with(self.tree.n_heights(), Vec::new);
        }
        let start = sought.parts.len();
        let words = self.layout.n_words();
        let fits = self.layout.pack_like(&known.values, &known.parts[..words], state, &mut sought.parts);
        sought.parts.resize(start + self.tree.n_parts(), MISSING);
        let number = |part: usize| u32::try_from(part).expect("what is sought has fewer than 2^32 parts");
        let of = number(sought.fits.len());
        sought.fits.push(if fits { Fit::Whole(0) } else { Fit::Not });
        if !fits {
            return;
        }
        let parts = &mut sought.parts[start..];
        for (pair, &(left, right)) in self.tree.inner().iter().enumerate() {
            let (left, right) = (left as usize, right as usize);
            if parts[left] == known.parts[left] && parts[right] == known.parts[right] {
                parts[words + pair] = known.parts[words + pair];
            } else {
                let row = [number(start + left), number(start + right)];
                let at = number(start + words + pair);
                sought.pairs[self.tree.height(pair)].push(Pair { at, row, of, hash: 0 });
            }
        }
    }

    /// Finds the numbers of everything that is sought: first all places are brought into the cache, then the rows that stand
    /// there, then rows are compared. What one state has to wait for never depends on what another one is.
    pub(crate) fn find_all(&self, sought: &mut Sought) {
        self.find_pairs(sought);
        let Sought { parts, fits, numbers, .. } = sought;
        let stride = self.tree.n_parts();
        let mut glances = 0_u32;
        for (fit, parts) in fits.iter_mut().zip(parts.chunks_exact(stride)) {
            if let Fit::Whole(root) = fit {
                *root = hash(self.tree.root_of(parts));
                glances = glances.wrapping_add(self.roots.glance(*root));
            }
        }
        numbers.extend(fits.iter().map(|fit| match *fit {
            Fit::Whole(hash) => likely(&self.roots, hash, &mut glances),
            Fit::Partly | Fit::Not => MISSING,
        }));
        std::hint::black_box(glances);
        let states = numbers.iter_mut().zip(&*fits).zip(parts.chunks_exact(stride));
        for ((number, fit), parts) in states {
            if let (Fit::Whole(hash), true) = (*fit, *number != MISSING) {
                *number = self.roots.confirm(*number, self.tree.root_of(parts), hash).unwrap_or(MISSING);
            }
        }
    }

    /// Finds the numbers of all pairs, the lowest first. A state without all its pairs is not here.
    fn find_pairs(&self, sought: &mut Sought) {
        let Sought { parts, fits, pairs, .. } = sought;
        for level in pairs {
            let mut glances = 0_u32;
            for pair in level.iter_mut() {
                pair.row = pair.row.map(|part| parts[part as usize]);
                pair.hash = hash(pair.row);
                glances = glances.wrapping_add(self.pairs.glance(pair.hash));
            }
            for pair in level.iter() {
                // Above a pair that is not here there is none either.
                if let Fit::Whole(_) = fits[pair.of as usize] {
                    parts[pair.at as usize] = likely(&self.pairs, pair.hash, &mut glances);
                }
            }
            std::hint::black_box(glances);
            for Pair { at, row, of, hash } in level.drain(..) {
                let part = &mut parts[at as usize];
                if *part != MISSING {
                    *part = self.pairs.confirm(*part, row, hash).unwrap_or(MISSING);
                }
                if let (Fit::Whole(_), MISSING) = (fits[of as usize], *part) {
                    fits[of as usize] = Fit::Partly;
                }
            }
        }
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
}

/// The row that most likely has this hash, [`MISSING`] if there is none. What is read of it is added to `glances`.
fn likely(rows: &Rows, hash: u64, glances: &mut u32) -> u32 {
    rows.likely(hash).map_or(MISSING, |(number, word)| {
        *glances = glances.wrapping_add(word);
        number
    })
}
