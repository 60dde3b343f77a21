//! Room for values that do not fit.

use motet_model::State;

use super::layout::{Layout, Room};
use super::{Arena, Loaded, MISSING, Store};

/// How often every state may be packed anew on average, before room is made for what may come.
const PATIENCE: usize = 4;
/// Below this many states packing anew costs nothing.
pub(super) const FEW: usize = 1 << 12;

/// Bytes that are worth putting away while states are packed anew.
const AT_ONCE: u64 = 1 << 20;

impl Arena {
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
        let home = self.roots.home().or(self.pairs.home()).cloned();
        if home.is_none() {
            wider.pairs.reserve(self.pairs.len(), threads);
        }
        let (mut loaded, mut parts, mut last) = (Loaded::default(), Vec::new(), Vec::new());
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
    pub(super) fn pack_next(&mut self, state: &State, last: &[u32], parts: &mut Vec<u32>) {
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
}
