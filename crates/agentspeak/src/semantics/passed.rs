//! Messages as events: what a step sent and read, which is true in the one state that it led to.

use crate::atoms::{Predicate, matches};
use crate::semantics::deed::Deed;
use crate::semantics::mind::Message;
use crate::term::{TermId, Terms};

/// Predicates that one slot of a state answers.
const PER_SLOT: usize = 32;

/// A message that a step sent or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    /// Which end of it.
    pub(crate) end: End,
    /// Who sent it.
    pub(crate) from: usize,
    /// Who reads it.
    pub(crate) to: usize,
    /// What it says.
    pub(crate) content: TermId,
}

/// An end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It was sent.
    Sent,
    /// It was taken out of the mailbox.
    Read,
}

impl Passed {
    /// What a step of an agent passed on and took.
    pub(crate) fn of(deed: &Deed, sent: impl Iterator<Item = (u32, Message)>) -> Vec<Self> {
        let passed = |end, to: u32, message: Message| {
            let (from, to) = (message.sender as usize, to as usize);
            Self { end, from, to, content: message.content }
        };
        let read = match deed {
            Deed::Mail { agent, letter: Some((message, _)) } => Some(passed(End::Read, *agent, *message)),
            _ => None,
        };
        sent.map(|(to, message)| passed(End::Sent, to, message)).chain(read).collect()
    }
}

/// Which predicates are about messages, and the slots that keep their truth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    /// The first slot, if there is one.
    pub(crate) first: Option<usize>,
    /// The predicates by number.
    asked: Vec<usize>,
}

impl Board {
    /// The board of these predicates; its slots start at `first`.
    pub(crate) fn new(predicates: &[Predicate], first: usize) -> Self {
        let asked: Vec<usize> =
            (0..predicates.len()).filter(|&number| predicates[number].is_event()).collect();
        Self { first: (!asked.is_empty()).then_some(first), asked }
    }

    /// How many slots it has.
    pub(crate) fn slots(&self) -> usize {
        self.asked.len().div_ceil(PER_SLOT)
    }

    /// Whether it keeps something in a slot.
    pub(crate) fn has(&self, slot: usize) -> bool {
        self.first.is_some_and(|first| (first..first + self.slots()).contains(&slot))
    }

    /// Wipes it.
    pub(crate) fn clear(&self, state: &mut [u32]) {
        let slots = self.first.map_or(0..0, |first| first..first + self.slots());
        state[slots].fill(0);
    }

    /// Writes what was passed; nothing stands there yet.
    pub(crate) fn write(
        &self,
        terms: &Terms,
        predicates: &[Predicate],
        passed: &[Passed],
        state: &mut [u32],
    ) {
        let Some(first) = self.first else { return };
        for (bit, &number) in self.asked.iter().enumerate() {
            if passed.iter().any(|passed| predicates[number].is_passed(terms, passed)) {
                state[first + bit / PER_SLOT] |= 1 << (bit % PER_SLOT);
            }
        }
    }

    /// Whether what a predicate is about was passed in the step to this state.
    pub(crate) fn holds(&self, number: usize, state: &[u32]) -> bool {
        let bit = self.asked.iter().position(|&asked| asked == number);
        let first_and_bit = self.first.zip(bit);
        first_and_bit.is_some_and(|(first, bit)| state[first + bit / PER_SLOT] >> (bit % PER_SLOT) & 1 == 1)
    }

    /// The predicates whose bits stand in the value of a slot.
    pub(crate) fn in_slot(&self, slot: usize, value: u32) -> impl Iterator<Item = usize> {
        let start = self.first.map_or(0, |first| slot.saturating_sub(first) * PER_SLOT);
        let here = self.asked.iter().skip(start).take(PER_SLOT).enumerate();
        here.filter(move |(bit, _)| value >> bit & 1 == 1).map(|(_, &number)| number)
    }
}

impl Predicate {
    /// Whether it is about something that happens in a step.
    pub(crate) fn is_event(&self) -> bool {
        matches!(self, Self::Sends(..) | Self::Reads(..))
    }

    fn is_passed(&self, terms: &Terms, passed: &Passed) -> bool {
        let (end, from, to, content) = match self {
            Self::Sends(from, to, content) => (End::Sent, from, to, content),
            Self::Reads(from, to, content) => (End::Read, from, to, content),
            _ => return false,
        };
        (end, *from, *to) == (passed.end, passed.from, passed.to) && matches(terms, content, passed.content)
    }
}
