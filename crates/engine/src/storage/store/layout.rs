//! How a state is packed: every slot gets as many bits as its largest value so far needs. Bits that are left are for slots
//! that need more later.

use motet_model::State;

/// Where each slot is in the words of a packed state.
///
/// A slot lies in one word, with others. When it needs more bits it gets a piece of what is left in a word, so that states
/// that were packed before need not be packed anew: in those the piece is zero.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    words: Vec<Word>,
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Field {
    /// The largest value that fits, with all pieces.
    largest: u32,
    /// The bits of it that are in the slot's own word.
    mask: u32,
    shift: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Word {
    /// How many slots are in it; those of one word after the other.
    slots: u32,
    /// How many of its bits belong to slots.
    used: u32,
    /// Those of them that are pieces of slots.
    pieces: u32,
}

/// Bits of a slot that are apart from the others.
#[derive(Clone, Copy, Debug)]
struct Piece {
    slot: u32,
    /// How many bits of the slot are below it.
    from: u32,
    mask: u32,
    word: u32,
    shift: u32,
}

/// Values of this many bits are numbers that somebody gives out one by one, so there will be larger ones soon.
const NUMBERED: u32 = 8;
/// Bits that such a slot gets beyond those it needs.
const SLACK: u32 = 2;
/// States of so many words have some more, for slots that need more bits. With fewer words that would show.
const MANY: usize = 8;

/// How much room is made when something does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// For this state.
    Exact,
    /// For every slot to become larger, and for those that do not fit to become much larger, so that there is no need again
    /// soon.
    Ample,
}

impl Layout {
    /// A layout in which the state of all zeros fits.
    pub(crate) fn new(slots: usize) -> Self {
        Self::of_widths(&vec![0; slots])
    }

    /// Slots of these widths, in as few words as hold them in order.
    fn of_widths(widths: &[u32]) -> Self {
        let mut fields = Vec::with_capacity(widths.len());
        let mut words = vec![Word::default()];
        for &width in widths {
            if words.last().is_some_and(|word| word.used + width > u32::BITS) {
                words.push(Word::default());
            }
            let word = words.last_mut().expect("there is a first word");
            fields.push(Field {
                largest: ones(width),
                mask: ones(width),
                shift: word.used.min(u32::BITS - 1),
            });
            word.slots += 1;
            word.used += width;
        }
        if words.len() >= MANY {
            words.resize(words.len() + words.len() / 2, Word::default());
        }
        Self { fields, words, pieces: Vec::new() }
    }

    /// The slots of a state.
    pub(crate) fn n_slots(&self) -> usize {
        self.fields.len()
    }

    /// The words of a packed state: at least one.
    pub(crate) fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Whether a state fits.
    pub(crate) fn fits(&self, state: &State) -> bool {
        self.fields.iter().zip(state).all(|(field, &value)| value & !field.largest == 0)
    }

    /// The same layout with more bits for what does not fit of a state, of those that are left. `None` if these are not enough.
    pub(crate) fn grown(&self, state: &State) -> Option<Self> {
        let mut grown = self.clone();
        let mut first = 0;
        for (own, word) in self.words.iter().enumerate() {
            let end = first + word.slots as usize;
            for (slot, &value) in (first..).zip(&state[first..end]) {
                grown.grow(slot, own, bits(value))?;
            }
            first = end;
        }
        Some(grown)
    }

    /// Gives a slot, whose own word this is, bits until it has so many.
    fn grow(&mut self, slot: usize, own: usize, needed: u32) -> Option<()> {
        let mut width = bits(self.fields[slot].largest);
        let wanted = if needed > width { with_slack(needed) } else { width };
        while width < wanted {
            let left = |at: usize| u32::BITS - self.words[at].used;
            let most = || (0..self.words.len()).max_by_key(|&at| left(at));
            let at = if left(own) > 0 { own } else { most()? };
            let taken = left(at).min(wanted - width);
            if taken == 0 {
                break;
            }
            self.extend(slot, width, (at, at == own), taken);
            width += taken;
        }
        (width >= needed).then_some(())
    }

    /// Gives a slot of this width so many bits of a word, which may be its own.
    fn extend(&mut self, slot: usize, width: u32, (at, own): (usize, bool), taken: u32) {
        let (field, word) = (&mut self.fields[slot], &mut self.words[at]);
        let shift = word.used;
        word.used += taken;
        field.largest = ones(width + taken);
        if own && (width == 0 || field.mask == ones(width) && field.shift + width == shift) {
            field.shift = if width == 0 { shift } else { field.shift };
            field.mask = ones(width + taken);
            return;
        }
        word.pieces |= ones(taken) << shift;
        let number = |n: usize| u32::try_from(n).expect("slots are numbered with 32 bits");
        let (slot, word) = (number(slot), number(at));
        self.pieces.push(Piece { slot, from: width, mask: ones(taken), word, shift });
    }

    /// A layout for these states: `known` has the bits of all that fit already, `state` those of others.
    pub(crate) fn widened(known: &State, state: &State, room: Room) -> Self {
        let slots = || known.iter().zip(state).map(|(&known, &value)| (bits(known), bits(value)));
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
                Room::Ample if needed > width => exact.max(2 * width).clamp(1, u32::BITS),
                Room::Ample => exact.max(width + 1).clamp(1, u32::BITS),
            }
        });
        Self::of_widths(&widths.collect::<Vec<u32>>())
    }

    /// Appends the words of a state; says whether it fits. If not, the words mean nothing.
    pub(crate) fn pack(&self, state: &State, out: &mut Vec<u32>) -> bool {
        debug_assert_eq!(state.len(), self.fields.len(), "all states of a store have one width");
        let (mut excess, mut first, start) = (0, 0, out.len());
        for word in &self.words {
            let end = first + word.slots as usize;
            out.push(packed(&self.fields[first..end], &state[first..end], &mut excess));
            first = end;
        }
        self.add_pieces(state, &mut out[start..]);
        excess == 0
    }

    /// The same for a state that is much like another one, whose words are known: most are taken over.
    pub(crate) fn pack_like(&self, known: &State, words: &[u32], state: &State, out: &mut Vec<u32>) -> bool {
        debug_assert_eq!(state.len(), self.fields.len(), "all states of a store have one width");
        let (mut excess, mut first, start) = (0, 0, out.len());
        for (word, &same) in self.words.iter().zip(words) {
            let end = first + word.slots as usize;
            out.push(if state[first..end] == known[first..end] {
                same & !word.pieces
            } else {
                packed(&self.fields[first..end], &state[first..end], &mut excess)
            });
            first = end;
        }
        self.add_pieces(state, &mut out[start..]);
        excess == 0
    }

    fn add_pieces(&self, state: &State, words: &mut [u32]) {
        for piece in &self.pieces {
            words[piece.word as usize] |=
                (state[piece.slot as usize] >> piece.from & piece.mask) << piece.shift;
        }
    }

    /// Puts the values of a packed state into `out`.
    pub(crate) fn unpack(&self, packed: &[u32], out: &mut Vec<u32>) {
        out.clear();
        let mut fields = self.fields.as_slice();
        for (word, &bits) in self.words.iter().zip(packed) {
            let (here, later) = fields.split_at(word.slots as usize);
            out.extend(here.iter().map(|field| (bits >> field.shift) & field.mask));
            fields = later;
        }
        for piece in &self.pieces {
            out[piece.slot as usize] |=
                (packed[piece.word as usize] >> piece.shift & piece.mask) << piece.from;
        }
    }
}

/// How many bits a value needs.
fn bits(value: u32) -> u32 {
    u32::BITS - value.leading_zeros()
}

/// The largest value of so many bits.
fn ones(bits: u32) -> u32 {
    u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0)
}

/// How many bits a slot gets that needs so many.
fn with_slack(needed: u32) -> u32 {
    (needed + if needed >= NUMBERED { SLACK } else { 0 }).min(u32::BITS)
}

/// The word of some slots; bits that do not fit are added to `excess`.
fn packed(fields: &[Field], values: &[u32], excess: &mut u32) -> u32 {
    fields.iter().zip(values).fold(0, |word, (field, &value)| {
        *excess |= value & !field.largest;
        word | (value & field.mask) << field.shift
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(known: &State, state: &State) -> Layout {
        Layout::widened(known, state, Room::Exact)
    }

    #[test]
    fn what_fits_comes_back_and_what_does_not_is_said() {
        let mut layout = Layout::new(4);
        let states: [[u32; 4]; 5] =
            [[0, 0, 0, 0], [1, 0, 7, 0], [0, u32::MAX, 0, 1], [8, 3, 9, 70_000], [1, 1, 1, 1]];
        let mut all = [0; 4];
        for (known, state) in states.iter().enumerate() {
            assert_eq!(layout.pack(state, &mut Vec::new()), layout.fits(state));
            if !layout.fits(state) {
                layout = exact(&all, state);
            }
            (0..4).for_each(|slot| all[slot] |= state[slot]);
            for earlier in &states[..=known] {
                let (mut packed, mut back) = (Vec::new(), Vec::new());
                assert!(layout.pack(earlier, &mut packed), "{earlier:?} in {layout:?}");
                layout.unpack(&packed, &mut back);
                assert_eq!((&back[..], packed.len()), (&earlier[..], layout.n_words()));
            }
        }
        assert!(!layout.fits(&[16, 0, 0, 0]) && !layout.fits(&[0, 0, 1 << 30, 0]));
    }

    /// The naive twin packs every word.
    #[test]
    fn a_state_is_packed_alike_with_and_without_one_that_is_known() {
        let layout = exact(&[0; 30], &[6; 30]);
        for number in 0..200_usize {
            let known: Vec<u32> = (0..30).map(|slot| (number as u32 * 7 + slot * 5) % 8).collect();
            let mut state = known.clone();
            state[number % 30] = number as u32 % 20;
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
        assert_eq!(exact(&[0; 16], &[5; 16]).n_words(), 2);
        assert_eq!(Layout::new(0).n_words(), 1);
    }

    /// A slot that is the last of its word, or that had no bits, grows where it is; others get pieces.
    #[test]
    fn a_slot_grows_into_what_is_left_of_its_word() {
        let layout = exact(&[0; 3], &[3, 0, 7]).grown(&[7, 5, 30]).unwrap();
        let fields: Vec<(u32, u32)> = layout.fields.iter().map(|field| (field.mask, field.shift)).collect();
        assert_eq!(fields, [(3, 0), (7, 6), (7, 2)]);
        let pieces: Vec<(u32, u32, u32)> = layout.pieces.iter().map(|p| (p.slot, p.mask, p.shift)).collect();
        assert_eq!(pieces, [(0, 1, 5), (2, 3, 9)]);
        let last = exact(&[0; 2], &[3, 7]).grown(&[0, 500]).unwrap();
        assert_eq!((last.pieces.len(), last.fields[1].mask, last.words[0].used), (0, 2047, 13));
    }

    /// 9 full words of 32 slots and 4 more: 128 bits, of which a numbered slot takes two more than it needs. Slots that need 1
    /// to 13 bits take 90 of them; those that need 1 to 7, 21; then 8 need 9, and 9 need the 8 that are left.
    #[test]
    fn slots_of_full_words_grow_into_spare_ones_and_nothing_moves() {
        let slots = 9 * 32;
        let (mut known, mut layout) = (vec![1; slots], exact(&vec![0; slots], &vec![1; slots]));
        let (mut packed, mut words, mut back) = (Vec::new(), Vec::new(), Vec::new());
        let mut grown = 0;
        for step in 0..40 {
            words.clear();
            layout.pack(&known, &mut words);
            let mut state = known.clone();
            state[step * 7] = 1 << (step % 13);
            let Some(larger) = layout.grown(&state) else { break };
            grown += 1;
            packed.clear();
            assert!(larger.pack(&known, &mut packed));
            assert_eq!(packed, words);
            packed.clear();
            assert!(larger.pack_like(&known, &words, &state, &mut packed));
            larger.unpack(&packed, &mut back);
            assert_eq!(back, state);
            (layout, known) = (larger, state);
        }
        assert_eq!((layout.n_words(), grown), (13, 22));
    }

    /// The naive twin packs without what is known of another state.
    #[test]
    fn grown_layouts_pack_what_they_unpack() {
        let mut layout = exact(&[0; 12], &[1; 12]);
        let mut known = vec![1; 12];
        for step in 0..60_usize {
            let mut state = known.clone();
            state[step * 5 % 12] = (step * step * 3) as u32 % 40;
            let Some(larger) = layout.grown(&state) else { break };
            let (mut before, mut whole, mut like, mut back) =
                (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            assert!(larger.pack(&known, &mut before) && larger.pack(&state, &mut whole), "{step}");
            assert!(larger.pack_like(&known, &before, &state, &mut like), "{step}");
            larger.unpack(&whole, &mut back);
            assert!(like == whole && back == state, "{step}");
            (layout, known) = (larger, state);
        }
        assert!(layout.pieces.len() > 3);
    }

    #[test]
    fn ample_room_is_for_all_that_may_grow() {
        let many = Layout::widened(&[1 << 9; 40], &[1 << 10; 40], Room::Ample);
        assert!(many.fits(&[(1 << 20) - 1; 40]));
        let others = Layout::widened(&[3; 40], &[0; 40], Room::Ample);
        assert!(others.fits(&[7; 40]));
    }
}
