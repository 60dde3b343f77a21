//! How a state is packed: every slot gets as many bits as its largest value so far needs, and a share of those that are left
//! in its word.

use motet_model::State;

/// Where each slot is in the words of a packed state.
///
/// A slot lies in one word, with others. Words at the end may be spare: when a slot needs more bits it gets pieces of them, so
/// that states that were packed before need not be packed anew. In those the pieces are zero.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    /// How many slots each word holds; they follow one another. A spare word holds none.
    words: Vec<u32>,
    /// How many words are spare.
    spare: u32,
    /// How many bits of the spare words were given to slots.
    given: u32,
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

/// Bits of a slot that lie in a spare word.
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
/// States of fewer words than this have no spare ones: with few words it shows, and packing anew costs little.
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
        Self::of_widths(vec![0; slots])
    }

    /// Slots of at least these widths, in as few words as hold them in order, and half as many spare ones.
    fn of_widths(mut widths: Vec<u32>) -> Self {
        let mut words = vec![0];
        let mut used = 0;
        for &width in &widths {
            if used + width > u32::BITS {
                words.push(0);
                used = 0;
            }
            *words.last_mut().expect("there is a first word") += 1;
            used += width;
        }
        let mut fields = Vec::with_capacity(widths.len());
        let mut rest = widths.as_mut_slice();
        for &slots in &words {
            let (here, later) = rest.split_at_mut(slots as usize);
            give_away(here);
            fields.extend(here.iter().scan(0, |used, &width| {
                let shift = if width == 0 { 0 } else { *used };
                *used += width;
                Some(Field { largest: ones(width), mask: ones(width), shift })
            }));
            rest = later;
        }
        let spare = if words.len() < MANY { 0 } else { words.len() / 2 };
        words.resize(words.len() + spare, 0);
        let spare = u32::try_from(spare).expect("slots are numbered with 32 bits");
        Self { fields, words, spare, given: 0, pieces: Vec::new() }
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

    /// The same layout with pieces of spare words for what does not fit of a state. `None` if there are not enough.
    pub(crate) fn grown(&self, state: &State) -> Option<Self> {
        let mut grown = self.clone();
        for (slot, &value) in (0..).zip(state) {
            grown.grow(slot, bits(value))?;
        }
        Some(grown)
    }

    /// Gives a slot pieces until it has so many bits.
    fn grow(&mut self, slot: u32, needed: u32) -> Option<()> {
        let field = &mut self.fields[slot as usize];
        let mut width = bits(field.largest);
        if needed <= width {
            return Some(());
        }
        let wanted = with_slack(needed);
        while width < wanted {
            let (word, shift) = (self.given / u32::BITS, self.given % u32::BITS);
            if word == self.spare {
                break;
            }
            let taken = (wanted - width).min(u32::BITS - shift);
            let word = u32::try_from(self.words.len()).ok()? - self.spare + word;
            self.pieces.push(Piece { slot, from: width, mask: ones(taken), word, shift });
            self.given += taken;
            width += taken;
        }
        field.largest = ones(width);
        (width >= needed).then_some(())
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
        Self::of_widths(widths.collect())
    }

    /// Appends the words of a state; says whether it fits. If not, the words mean nothing.
    pub(crate) fn pack(&self, state: &State, out: &mut Vec<u32>) -> bool {
        debug_assert_eq!(state.len(), self.fields.len(), "all states of a store have one width");
        let (mut excess, mut first, start) = (0, 0, out.len());
        for &slots in &self.words {
            let end = first + slots as usize;
            out.push(word(&self.fields[first..end], &state[first..end], &mut excess));
            first = end;
        }
        self.add_pieces(state, &mut out[start..]);
        excess == 0
    }

    /// The same for a state that is much like another one, whose words are known: most are taken over.
    pub(crate) fn pack_like(&self, known: &State, packed: &[u32], state: &State, out: &mut Vec<u32>) -> bool {
        debug_assert_eq!(state.len(), self.fields.len(), "all states of a store have one width");
        let (mut excess, mut first, start) = (0, 0, out.len());
        for (&slots, &same) in self.words.iter().zip(packed) {
            let end = first + slots as usize;
            out.push(if state[first..end] == known[first..end] {
                same
            } else {
                word(&self.fields[first..end], &state[first..end], &mut excess)
            });
            first = end;
        }
        if !self.pieces.is_empty() {
            let spare = out.len() - self.spare as usize;
            out[spare..].fill(0);
            self.add_pieces(state, &mut out[start..]);
        }
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
        for (&slots, &word) in self.words.iter().zip(packed) {
            let (here, later) = fields.split_at(slots as usize);
            out.extend(here.iter().map(|field| (word >> field.shift) & field.mask));
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

/// Gives the bits that are left in a word to its slots: to those that are numbered, so that they will need them soon, to
/// those that never changed so far, then to all in turn, and twice to those that are wide already.
fn give_away(widths: &mut [u32]) {
    if widths.is_empty() {
        return;
    }
    let widest = widths.iter().copied().max().unwrap_or(0);
    let mut free = u32::BITS - widths.iter().sum::<u32>();
    let mut give = |wants: &dyn Fn(u32) -> bool| {
        for width in widths.iter_mut().filter(|width| wants(**width)) {
            if free == 0 {
                break;
            }
            *width += 1;
            free -= 1;
        }
        free > 0
    };
    let numbered = |width| width >= NUMBERED;
    if give(&numbered) && give(&numbered) && give(&|width| width == 0) {
        while give(&|width| 2 * width >= widest) && give(&|_| true) {}
    }
}

/// The word of some slots; bits that do not fit are added to `excess`.
fn word(fields: &[Field], values: &[u32], excess: &mut u32) -> u32 {
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
        assert!(!layout.fits(&[0, 0, 1 << 30, 0]) && !layout.fits(&[0, 0, 0, 1 << 31]));
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

    /// 10 bits and 2 of slack, 3, and none, so 17 are left: the first gets 2, the third 1; then there are 3 rounds for all and
    /// before each of them one for the first, and the last two are for it and for the second, which is half as wide by then.
    #[test]
    fn what_is_left_in_a_word_is_given_to_its_slots() {
        let layout = exact(&[0, 7, 0], &[1000, 0, 0]);
        let widths: Vec<u32> = layout.fields.iter().map(|field| field.mask.count_ones()).collect();
        assert_eq!((widths.as_slice(), layout.n_words()), ([21, 7, 4].as_slice(), 1));
        let shifts: Vec<u32> = layout.fields.iter().map(|field| field.shift).collect();
        assert_eq!(shifts, [0, 21, 28]);
    }

    /// 9 words of 32 slots and 4 spare ones: 128 bits, of which a numbered slot takes two more than it needs. Slots that need 1
    /// to 13 bits take 90 of them; those that need 1 to 7, 21; then 8 need 9, and 9 need the 8 that are left.
    #[test]
    fn a_slot_grows_into_spare_words_without_moving_anything() {
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
            for (state, fits) in [(&known, true), (&state, layout.fits(&state))] {
                packed.clear();
                assert!(larger.pack(state, &mut packed) && layout.fits(state) == fits);
                larger.unpack(&packed, &mut back);
                assert_eq!(&back, state);
            }
            packed.clear();
            assert!(larger.pack_like(&known, &words, &state, &mut packed));
            larger.unpack(&packed, &mut back);
            assert_eq!(back, state);
            (layout, known) = (larger, state);
        }
        assert_eq!((layout.n_words(), grown), (13, 22));
    }

    #[test]
    fn ample_room_is_for_all_that_may_grow() {
        let many = Layout::widened(&[1 << 9; 40], &[1 << 10; 40], Room::Ample);
        assert!(many.fits(&[(1 << 20) - 1; 40]));
        let others = Layout::widened(&[3; 40], &[0; 40], Room::Ample);
        assert!(others.fits(&[7; 40]));
    }
}
