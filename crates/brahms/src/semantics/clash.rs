//! Who writes the same thing at the same instant.
//!
//! Brahms promises no order among those who act at one instant, and a search looks at one of the orders unless it is told to
//! look at all (`order=choice`). Where two actors give one fact, or one belief of a third, two contents, the order decides which of
//! them stays. For every such value that two actors can write a slot says who did at this instant. It is part of the state, so that nothing is
//! lost where a step ends within an instant, and empty whenever the instant is over. So clashes are found in the very steps
//! that a search makes, in all of them, and nobody has to search for them.

use std::collections::BTreeMap;
use std::sync::RwLock;

use super::Semantics;
use super::record::Record;
use super::work::Work;
use super::writes::beliefs_of;
use crate::program::{ActorId, KeyId};

/// Two actors that wrote different contents at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Clash {
    /// In which store: 0 for facts, 1 + actor for beliefs.
    pub(crate) store: usize,
    /// Of which key.
    pub(crate) key: KeyId,
    /// Who wrote first.
    pub(crate) first: ActorId,
    /// Who wrote then.
    pub(crate) second: ActorId,
}

/// The clashes in all steps that were asked for, with what the two wrote the first time in the order of words.
#[derive(Debug, Default)]
pub(super) struct Clashes(RwLock<BTreeMap<Clash, (u32, u32)>>);

impl Clashes {
    fn add(&self, clash: Clash, words: (u32, u32)) {
        let is_known =
            self.0.read().is_ok_and(|known| known.get(&clash).is_some_and(|before| *before <= words));
        if !is_known && let Ok(mut known) = self.0.write() {
            let least = known.entry(clash).or_insert(words);
            *least = words.min(*least);
        }
    }

    fn all(&self) -> BTreeMap<Clash, (u32, u32)> {
        self.0.read().map_or_else(|_| BTreeMap::new(), |known| known.clone())
    }
}

/// Who wrote a value at this instant: the last one, and another who wrote the same before.
#[derive(Clone, Copy)]
struct Writers {
    last: Option<u16>,
    other: Option<u16>,
}

impl Writers {
    fn of(word: u32) -> Self {
        let one = |half: u32| u16::try_from(half & 0xffff).ok().and_then(|half| half.checked_sub(1));
        Self { last: one(word), other: one(word >> 16) }
    }

    fn word(self) -> u32 {
        let half = |one: Option<u16>| one.map_or(0, |one| u32::from(one) + 1);
        half(self.last) | half(self.other) << 16
    }

    /// One of them that is somebody else.
    fn rival(self, by: u16) -> Option<ActorId> {
        let rival = self.last.into_iter().chain(self.other).find(|one| *one != by)?;
        Some(ActorId(u32::from(rival)))
    }

    /// After somebody has written, the same as stood there or something else.
    fn after(self, by: u16, same: bool) -> Self {
        let other = match self.last {
            Some(last) if last != by && same => Some(last),
            Some(last) if last != by => None,
            _ => self.other,
        };
        Self { last: Some(by), other }
    }
}

impl Semantics {
    /// Somebody writes a value: whether somebody else wrote another one at this instant.
    pub(super) fn contend(&self, work: &mut Work, store: usize, key: KeyId, word: u32, by: ActorId) {
        // What somebody concludes for itself is its own affair, whatever it is told.
        let Some(slot) = self.layout.writers(store, key).filter(|_| store != beliefs_of(by)) else { return };
        let actor = u16::try_from(by.0).expect("slots for writers are made where their numbers fit");
        let (writers, stands) = (Writers::of(work.cells[slot]), self.layout.stored(&work.cells, store, key));
        if let Some(first) = writers.rival(actor).filter(|_| stands != word) {
            self.clashes.add(Clash { store, key, first, second: by }, (stands, word));
            let whose =
                store.checked_sub(1).map(|of| ActorId(u32::try_from(of).expect("actors are numbered")));
            work.note(|| Record::Race { first, second: by, key, store: whose });
        }
        work.set(slot, writers.after(actor, stands == word).word());
    }

    /// An instant is over: nobody has written anything at the next one.
    pub(super) fn forget_writers(&self, work: &mut Work) {
        for slot in &self.layout.contended {
            work.set(*slot, 0);
        }
    }

    /// All clashes in steps that were asked for, with the words that the two wrote.
    pub(crate) fn clashes(&self) -> BTreeMap<Clash, (u32, u32)> {
        self.clashes.all()
    }

    /// Whether two actors can write the same value at all.
    pub(crate) fn may_clash(&self) -> bool {
        !self.layout.contended.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_wrote_the_same_before_is_a_rival_of_who_writes_something_else() {
        let nobody = Writers::of(0);
        assert_eq!(nobody.word(), 0);
        assert_eq!(nobody.rival(7), None);
        let one = Writers::of(nobody.after(0, false).word());
        assert_eq!((one.rival(0), one.rival(1)), (None, Some(ActorId(0))));
        // The second wrote the same: then its own next value clashes with that of the first.
        let both = Writers::of(one.after(1, true).word());
        assert_eq!((both.rival(0), both.rival(1)), (Some(ActorId(1)), Some(ActorId(0))));
        let later = Writers::of(both.after(1, false).word());
        assert_eq!(later.rival(1), Some(ActorId(0)), "its own writes in between change nothing");
        let other = Writers::of(one.after(2, false).word());
        assert_eq!((other.rival(2), other.rival(0)), (None, Some(ActorId(2))));
    }
}
