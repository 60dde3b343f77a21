//! What stretches of micro steps led to before.
//!
//! Within an instant an actor usually looks at few slots, so what it does in one configuration it does in all that agree on
//! those slots: five agents that each have two ways to go on make 32 outcomes, yet only five agents' work. A stretch is a
//! micro step with a choice, or runs from there, or from where a step begins, to the next choice or to a state that can be
//! seen. What it looks at is tracked ([`super::cells`]); what it leads to is a function of that, and is kept as the slots that change.
//!
//! Stretches that look at the same slots have the same *shape*. To find a known one, the values of a shape's slots are
//! looked up in the shape's table. Where values hardly ever come back the memo rests, so that it never costs much.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use motet_model::{Ratio, State};
use rustc_hash::FxBuildHasher;

use super::cells::Cells;
use super::layout::MOMENT;
use super::link::Link;
use super::oracle::{Made, Oracle, Weight};

/// Stretches that start at the same moment of an instant are kept in at most so many shapes.
const MOST_SHAPES: usize = 16;
/// After so many questions it is decided whether a place of the memo goes on or rests.
const TRIAL: u32 = 4096;
/// For how many questions a place rests that did not know at least half of the answers.
const REST: u32 = 1 << 17;
/// How many words are kept; beyond that everything is forgotten.
const MOST_WORDS: usize = 1 << 22;

/// Whether steps use what is known of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recall {
    /// They do.
    Kept,
    /// Every step is worked out anew.
    Nothing,
}

/// Where a stretch of micro steps starts, which is also how far it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// Where a step begins, or after a choice: it goes on up to the next choice.
    Onward,
    /// Before a choice: it is the one micro step that has it. What follows looks at other slots, and often not at what was
    /// chosen.
    Choice,
}

impl Start {
    /// Where the stretch starts that comes after one that started here.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Onward => Self::Choice,
            Self::Choice => Self::Onward,
        }
    }
}

/// Where a stretch of micro steps ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// At a state that can be seen.
    Seen,
    /// Where the next stretch starts.
    Open,
}

/// One alternative of a stretch.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    /// How likely it is as far as chance decides; `None` if that does not fit.
    pub(crate) chance: Option<Ratio>,
    /// Where it ends.
    pub(crate) stop: Stop,
    /// The end of its writes among those of all alternatives.
    pub(crate) writes_end: usize,
    /// The end of its choices among those of all alternatives.
    pub(crate) made_end: usize,
}

/// Who decides between the alternatives of a stretch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Decider {
    #[default]
    /// Any alternative may be taken; or there is one only.
    Nobody,
    /// Chance.
    Chance,
    /// Chance at some choices, nobody at others.
    Both,
}

/// What a stretch of micro steps leads to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stretch {
    /// The alternatives, in order.
    pub(crate) alternatives: Vec<Alternative>,
    /// The slots that change, and to what, one alternative after the other.
    pub(crate) writes: Vec<(u32, u32)>,
    /// The choices, one alternative after the other.
    pub(crate) made: Vec<Made>,
    /// Who has to look again, a few words for each alternative.
    pub(crate) awake: Vec<u64>,
    /// Who decides between the alternatives.
    pub(crate) decider: Decider,
}

impl Stretch {
    pub(super) fn clear(&mut self) {
        self.alternatives.clear();
        self.writes.clear();
        self.made.clear();
        self.awake.clear();
        self.decider = Decider::Nobody;
    }

    /// Adds an alternative that led from one configuration to another.
    pub(super) fn push(&mut self, oracle: &Oracle, stop: Stop, (from, to): (&State, &State), awake: &[u64]) {
        let changed = (0..).zip(from.iter().zip(to)).filter(|(_, (old, new))| old != new);
        self.writes.extend(changed.map(|(slot, (_, new)): (u32, _)| (slot, *new)));
        let free = |made: &Made| made.weight == Weight::Free;
        let (some, all) = (oracle.made().iter().any(free), oracle.made().iter().all(free));
        self.decider = match (self.decider, self.alternatives.is_empty()) {
            _ if some && !all => Decider::Both,
            (Decider::Nobody, true) if !all => Decider::Chance,
            (Decider::Chance, _) if some => Decider::Both,
            (Decider::Nobody, false) if !all => Decider::Both,
            (known, _) => known,
        };
        self.made.extend_from_slice(oracle.made());
        self.awake.extend_from_slice(awake);
        let (writes_end, made_end) = (self.writes.len(), self.made.len());
        self.alternatives.push(Alternative { chance: oracle.chance(), stop, writes_end, made_end });
    }

    /// Whether all alternatives with the same end lead to different configurations.
    fn is_injective(&self) -> bool {
        let mut first = 0;
        let mut changes: Vec<(bool, &[(u32, u32)])> = Vec::with_capacity(self.alternatives.len());
        for alternative in &self.alternatives {
            changes.push((alternative.stop == Stop::Seen, &self.writes[first..alternative.writes_end]));
            first = alternative.writes_end;
        }
        changes.sort_unstable();
        changes.windows(2).all(|two| two[0] != two[1])
    }

    /// The choices of an alternative.
    pub(super) fn made(&self, alternative: usize) -> &[Made] {
        let first = alternative.checked_sub(1).map_or(0, |before| self.alternatives[before].made_end);
        &self.made[first..self.alternatives[alternative].made_end]
    }

    /// The slots that an alternative changes.
    pub(super) fn writes(&self, alternative: usize) -> &[(u32, u32)] {
        let first = alternative.checked_sub(1).map_or(0, |before| self.alternatives[before].writes_end);
        &self.writes[first..self.alternatives[alternative].writes_end]
    }

    /// Who has to look again after an alternative.
    pub(super) fn awake(&self, alternative: usize) -> &[u64] {
        let words = self.awake.len() / self.alternatives.len();
        &self.awake[alternative * words..(alternative + 1) * words]
    }

    /// About how much memory it takes.
    fn words(&self) -> usize {
        2 * self.writes.len() + 4 * self.made.len() + 2 * self.awake.len() + 16 * self.alternatives.len()
    }
}

/// A configuration in which a stretch starts, with all that the stretch can depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    /// Where the stretch starts.
    pub(crate) start: Start,
    /// The slots.
    pub(crate) cells: &'a State,
    /// Who has to look again.
    pub(crate) awake: &'a [u64],
    /// The truth of each atom where the step began.
    pub(crate) truths: &'a [bool],
}

impl Origin<'_> {
    fn place(&self) -> usize {
        2 * self.cells[MOMENT] as usize + usize::from(self.start == Start::Choice)
    }
}

/// A stretch that is known.
#[derive(Debug)]
pub(crate) struct Known {
    /// What it leads to.
    pub(crate) stretch: Stretch,
    /// Its number. No other stretch ever had it.
    pub(crate) number: u64,
    /// Its number again, if its alternatives lead to different configurations.
    pub(crate) injective: Option<u64>,
    /// The same as a link of a chain, if it can be one.
    pub(super) link: Option<Link>,
}

/// Stretches that look at the same slots.
#[derive(Debug)]
struct Shape {
    slots: Box<[u32]>,
    atoms: Box<[u32]>,
    /// The keys one after the other: the slots, the truths, who is awake.
    keys: Vec<u32>,
    /// The stretches in the order of their keys.
    known: Vec<Known>,
    table: HashTable<u32>,
    /// The stretch that was found last: the next question is often the same.
    last: usize,
}

impl Shape {
    fn write_key(&self, origin: &Origin<'_>, key: &mut Vec<u32>) {
        key.clear();
        key.extend(self.slots.iter().map(|slot| origin.cells[*slot as usize]));
        key.extend(self.atoms.iter().map(|atom| u32::from(origin.truths[*atom as usize])));
        key.extend(origin.awake.iter().flat_map(|word| halves(*word)));
    }

    fn is_key(&self, number: usize, origin: &Origin<'_>) -> bool {
        let length = self.keys.len() / self.known.len();
        let (slots, others) = self.keys[number * length..][..length].split_at(self.slots.len());
        let (truths, awake) = others.split_at(self.atoms.len());
        slots.iter().zip(&self.slots).all(|(word, slot)| *word == origin.cells[*slot as usize])
            && truths.iter().zip(&self.atoms).all(|(t, atom)| (*t == 1) == origin.truths[*atom as usize])
            && awake.chunks_exact(2).zip(origin.awake).all(|(known, word)| *known == halves(*word))
    }

    fn find(&mut self, origin: &Origin<'_>, key: &mut Vec<u32>) -> Option<usize> {
        if self.is_key(self.last, origin) {
            return Some(self.last);
        }
        self.write_key(origin, key);
        let keys = &self.keys;
        let same = |at: &u32| keys[*at as usize * key.len()..][..key.len()] == **key;
        let found = *self.table.find(FxBuildHasher.hash_one(&**key), same)? as usize;
        self.last = found;
        Some(found)
    }

    fn insert(&mut self, origin: &Origin<'_>, known: Known) {
        let mut key = Vec::new();
        self.write_key(origin, &mut key);
        let length = key.len();
        self.keys.extend_from_slice(&key);
        self.last = self.known.len();
        self.known.push(known);
        let keys = &self.keys;
        let rehash = |at: &u32| FxBuildHasher.hash_one(&keys[*at as usize * length..][..length]);
        let at = u32::try_from(self.last).expect("the memory of a memo is bounded");
        self.table.insert_unique(FxBuildHasher.hash_one(&*key), at, rehash);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a word is cut into its halves")]
fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// All stretches that start at one moment of an instant.
#[derive(Debug, Default)]
struct Place {
    shapes: Vec<Shape>,
    /// The shape that was found last.
    last: usize,
    words: usize,
    asked: u32,
    answered: u32,
    rest: u32,
}

/// Where a known stretch is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    place: usize,
    shape: usize,
    at: usize,
}

/// What a memo says to a question.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    /// It is known.
    Known(Found),
    /// It is not known, and worth to be.
    New,
    /// It is not known and need not be.
    Resting,
}

/// What stretches of micro steps led to before.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    places: Vec<Place>,
    words: usize,
    /// How many stretches were ever learnt.
    learnt: u64,
    key: Vec<u32>,
    /// The chances of the alternatives of stretches, each list once: there are few.
    odds: Vec<Box<[Ratio]>>,
}

impl Memo {
    /// Whether it is known what a stretch leads to.
    pub(crate) fn ask(&mut self, origin: &Origin<'_>) -> Answer {
        let number = origin.place();
        if self.places.len() <= number {
            self.places.resize_with(number + 1, Place::default);
        }
        let place = &mut self.places[number];
        if place.rest > 0 {
            place.rest -= 1;
            return Answer::Resting;
        }
        if place.asked == TRIAL {
            if place.answered < TRIAL / 2 {
                self.words -= place.words;
                *place = Place { rest: REST, ..Place::default() };
                return Answer::Resting;
            }
            (place.asked, place.answered) = (0, 0);
        }
        place.asked += 1;
        let last = place.last;
        for at in std::iter::once(last).chain((0..place.shapes.len()).filter(|at| *at != last)) {
            let Some(shape) = place.shapes.get_mut(at) else { break };
            if let Some(found) = shape.find(origin, &mut self.key) {
                place.last = at;
                place.answered += 1;
                return Answer::Known(Found { place: number, shape: at, at: found });
            }
        }
        Answer::New
    }

    /// A known stretch.
    pub(crate) fn get(&self, found: Found) -> &Known {
        &self.places[found.place].shapes[found.shape].known[found.at]
    }

    /// The chances of the alternatives of links with these odds.
    pub(super) fn odds(&self, number: u32) -> &[Ratio] {
        &self.odds[number as usize]
    }

    /// Keeps what a stretch leads to; `cells` tracked what it looked at.
    pub(crate) fn learn(&mut self, origin: &Origin<'_>, cells: &Cells, stretch: &Stretch) {
        let number = |n: usize| u32::try_from(n).expect("slots are numbered with 32 bits");
        let width = origin.cells.len();
        let (slots, atoms): (Vec<usize>, Vec<usize>) = cells.footprint().partition(|at| *at < width);
        let slots: Box<[u32]> = slots.into_iter().map(number).collect();
        let atoms: Box<[u32]> = atoms.into_iter().map(|at| number(at - width)).collect();
        let injective = stretch.is_injective();
        let link = if injective { self.link(stretch, &slots, origin.cells) } else { None };
        let words = slots.len() + 2 * origin.awake.len() + atoms.len() + stretch.words();
        let words = words + link.as_ref().map_or(0, Link::words);
        if self.words + words > MOST_WORDS {
            for place in &mut self.places {
                *place = Place { rest: place.rest, ..Place::default() };
            }
            self.words = 0;
        }
        let place = &mut self.places[origin.place()];
        let known = place.shapes.iter().position(|shape| shape.slots == slots && shape.atoms == atoms);
        let at = known.unwrap_or(place.shapes.len());
        if at == MOST_SHAPES {
            return;
        }
        if at == place.shapes.len() {
            let (keys, known, table) = (Vec::new(), Vec::new(), HashTable::new());
            place.shapes.push(Shape { slots, atoms, keys, known, table, last: 0 });
        }
        self.learnt += 1;
        let injective = injective.then_some(self.learnt);
        let known = Known { stretch: stretch.clone(), number: self.learnt, injective, link };
        place.shapes[at].insert(origin, known);
        place.last = at;
        place.words += words;
        self.words += words;
    }

    fn link(&mut self, stretch: &Stretch, slots: &[u32], cells: &State) -> Option<Link> {
        Link::of(stretch, slots, cells, |chances| {
            let known = self.odds.iter().position(|odds| *odds == chances);
            let number = known.unwrap_or(self.odds.len());
            if known.is_none() {
                self.odds.push(chances);
            }
            u32::try_from(number).expect("the memory of a memo is bounded")
        })
    }
}
