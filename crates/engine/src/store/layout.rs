//! How a state is packed: every slot gets as many bits as its largest value so far needs.

use motet_model::State;

/// Where each slot is in the words of a packed state. A slot never lies across two words.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    /// How many slots each word holds; they follow one another.
    words: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Field {
    /// The largest value that fits.
    mask: u32,
    shift: u32,
}

/// Values of this many bits are numbers that somebody gives out one by one, so there will be larger ones soon.
const NUMBERED: u32 = 8;
/// Bits that such a slot gets beyond those it needs.
const SLACK: u32 = 2;

/// How much room is made when something does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// For this state.
    Exact,
    /// For every slot to become much larger, so that there is no need again soon.
    Ample,
}

impl Layout {
    /// A layout in which only the state of all zeros fits.
    pub(crate) fn new(slots: usize) -> Self {
        Self::of_widths(&vec![0; slots])
    }

    fn of_widths(widths: &[u32]) -> Self {
        let mut fields = Vec::with_capacity(widths.len());
        let mut words = Vec::new();
        let mut used = u32::BITS;
        for &width in widths {
            if words.is_empty() || used + width > u32::BITS {
                words.push(0);
                used = 0;
            }
            *words.last_mut().expect("the first slot opens a word") += 1;
            let mask = u32::MAX.checked_shr(u32::BITS - width).unwrap_or(0);
            fields.push(Field { mask, shift: if width == 0 { 0 } else { used } });
            used += width;
        }
        if words.is_empty() {
            words.push(0);
        }
        Self { fields, words }
    }

    /// The slots of a state.
    pub(crate) fn n_slots(&self) -> usize {
        self.fields.len()
    }

    /// The words of a packed state: at least one.
    pub(crate) fn n_words(&self) -> usize {
        self.words.len()
    }

    /// A layout in which this state fits too.
    pub(crate) fn widened(&self, state: &State, room: Room) -> Self {
        let bits = |value: u32| u32::BITS - value.leading_zeros();
        let slots = || self.fields.iter().zip(state).map(|(field, &value)| (bits(field.mask), bits(value)));
        let with_slack = |needed: u32| (needed + if needed >= NUMBERED { SLACK } else { 0 }).min(u32::BITS);
        let numbered = |&(width, needed): &(u32, u32)| needed > width && needed >= NUMBERED;
        let widest = slots().filter(numbered).map(|(_, needed)| with_slack(needed)).max().unwrap_or(0);
        let widths = slots().map(|(width, needed)| {
            let exact = if needed > width {
                with_slack(needed)
            } else if width >= NUMBERED && width + 2 * SLACK >= widest {
                // A slot that is almost as wide is numbered as fast, so it would be the next.
                width.max(widest)
            } else {
                width
            };
            match room {
                Room::Exact => exact,
                Room::Ample => exact.max(2 * width).clamp(1, u32::BITS),
            }
        });
        Self::of_widths(&widths.collect::<Vec<u32>>())
    }

    /// Appends the words of a state; says whether it fits. If not, the words mean nothing.
    pub(crate) fn pack(&self, state: &State, out: &mut Vec<u32>) -> bool {
        debug_assert_eq!(state.len(), self.fields.len(), "all states of a store have one width");
        let mut excess = 0;
        let mut first = 0;
        for &slots in &self.words {
            let end = first + slots as usize;
            out.push(word(&self.fields[first..end], &state[first..end], &mut excess));
            first = end;
        }
        excess == 0
    }

    /// The same for a state that is much like another one, whose words are known: most are taken over.
    pub(crate) fn pack_like(&self, known: &State, packed: &[u32], state: &State, out: &mut Vec<u32>) -> bool {
        debug_assert_eq!(state.len(), self.fields.len(), "all states of a store have one width");
        let mut excess = 0;
        let mut first = 0;
        for (&slots, &same) in self.words.iter().zip(packed) {
            let end = first + slots as usize;
            out.push(if state[first..end] == known[first..end] {
                same
            } else {
                word(&self.fields[first..end], &state[first..end], &mut excess)
            });
            first = end;
        }
        excess == 0
    }

    /// Puts the values of a packed state into `out`.
    pub(crate) fn unpack(&self, packed: &[u32], out: &mut Vec<u32>) {
        out.clear();
        let mut fields = self.fields.as_slice();
        for (&slots, &word) in self.words.iter().zip(packed) {
            let (here, later) = fields.split_at(slots as usize);
            out.extend(here.iter().map(|field| (word >> field.shift) & field.mask));
            fields = later;
        }
    }
}

/// The word of some slots; bits that do not fit are added to `excess`.
fn word(fields: &[Field], values: &[u32], excess: &mut u32) -> u32 {
    fields.iter().zip(values).fold(0, |word, (field, &value)| {
        *excess |= value & !field.mask;
        word | value << field.shift
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_comes_back_and_what_does_not_is_said() {
        let mut layout = Layout::new(4);
        let states: [[u32; 4]; 5] =
            [[0, 0, 0, 0], [1, 0, 7, 0], [0, u32::MAX, 0, 1], [8, 3, 9, 70_000], [1, 1, 1, 1]];
        let fits = |layout: &Layout, state: &State| layout.pack(state, &mut Vec::new());
        for (known, state) in states.iter().enumerate() {
            if !fits(&layout, state) {
                layout = layout.widened(state, Room::Exact);
            }
            for earlier in &states[..=known] {
                let (mut packed, mut back) = (Vec::new(), Vec::new());
                assert!(layout.pack(earlier, &mut packed), "{earlier:?} in {layout:?}");
                layout.unpack(&packed, &mut back);
                assert_eq!((&back[..], packed.len()), (&earlier[..], layout.n_words()));
            }
        }
        assert!(!fits(&layout, &[16, 0, 0, 0]) && !fits(&layout, &[0, 0, 1 << 30, 0]));
    }

    /// The naive twin packs every word.
    #[test]
    fn a_state_is_packed_alike_with_and_without_one_that_is_known() {
        let layout = Layout::new(30).widened(&[6; 30], Room::Exact);
        for number in 0..200_usize {
            let known: Vec<u32> = (0..30).map(|slot| (number as u32 * 7 + slot * 5) % 8).collect();
            let mut state = known.clone();
            state[number % 30] = number as u32 % 10;
            state[number / 7] = 1;
            let (mut packed, mut whole, mut like) = (Vec::new(), Vec::new(), Vec::new());
            assert!(layout.pack(&known, &mut packed));
            let fits = layout.pack(&state, &mut whole);
            assert_eq!(layout.pack_like(&known, &packed, &state, &mut like), fits, "{number}");
            assert!(like == whole, "{number}");
        }
    }

    /// 16 places with at most 5 tokens each: 48 bits.
    #[test]
    fn small_numbers_share_a_word() {
        assert_eq!(Layout::new(16).widened(&[5; 16], Room::Exact).n_words(), 2);
        assert_eq!(Layout::new(0).n_words(), 1);
    }

    #[test]
    fn ample_room_doubles_until_everything_fits() {
        let mut layout = Layout::new(2);
        for _ in 0..6 {
            layout = layout.widened(&[0, 0], Room::Ample);
        }
        assert!(layout.pack(&[u32::MAX, u32::MAX], &mut Vec::new()));
    }
}
