//! Markings of the system net as vectors of numbers: one slot for each place. Black tokens and limits are the count
//! itself; anything else is the number of an interned bag.

use motet_model::{Interner, State};

use crate::program::{Net, PlaceId, PlaceKind, Sort};
use crate::value::{Bag, Value};

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// How many black tokens there are.
    Black,
    /// How often a transition may still fire.
    Limit,
    /// The number of a bag.
    Bag,
}

/// The slots of a system net.
#[derive(Debug)]
pub(crate) struct Layout {
    slots: Vec<Slot>,
    bags: Interner<Bag>,
    /// The number of the bag without tokens.
    nothing: u32,
}

impl Layout {
    pub(crate) fn of(net: &Net) -> Self {
        let slot = |place: &crate::program::Place| match (place.kind, &place.sort) {
            (PlaceKind::Limit, _) => Slot::Limit,
            (PlaceKind::Tokens, Sort::Token) => Slot::Black,
            _ => Slot::Bag,
        };
        let bags = Interner::new();
        let nothing = bags.intern(Bag::default());
        Self { slots: net.places.iter().map(slot).collect(), bags, nothing }
    }

    /// What a slot holds while its place is empty; `None` if it never is.
    pub(crate) fn empty(&self, place: PlaceId) -> Option<u32> {
        match self.slots[place.0 as usize] {
            Slot::Black => Some(0),
            Slot::Bag => Some(self.nothing),
            Slot::Limit => None,
        }
    }

    /// How many slots the marking takes.
    pub(crate) fn width(&self) -> usize {
        self.slots.len()
    }

    /// The contents of a slot as a number.
    pub(crate) fn encode(&self, place: PlaceId, bag: Bag) -> u32 {
        match (self.slots[place.0 as usize], bag.tokens()) {
            (Slot::Bag, _) => self.bags.intern(bag),
            (Slot::Black, _) => bag.count(&Value::Token),
            (Slot::Limit, [(Value::Int(count), 1)]) => {
                u32::try_from(*count).expect("a limit only falls, and never below zero")
            }
            (Slot::Limit, other) => unreachable!("a limit is one number, not {other:?}"),
        }
    }

    /// The tokens of a place.
    pub(crate) fn decode(&self, place: PlaceId, content: u32) -> Bag {
        match self.slots[place.0 as usize] {
            Slot::Bag => (*self.bags.get(content)).clone(),
            Slot::Black => Bag::new([(Value::Token, content)]),
            Slot::Limit => Bag::one(Value::Int(i64::from(content))),
        }
    }

    /// The marking of a state.
    pub(crate) fn marking(&self, state: &State) -> Vec<Bag> {
        let places = (0..).map(PlaceId).zip(&state[..self.width()]);
        places.map(|(place, content)| self.decode(place, *content)).collect()
    }

    /// The marking of a state as far as it is in these slots; the other places look empty.
    pub(crate) fn marking_of(&self, state: &State, slots: &[usize]) -> Vec<Bag> {
        let mut marking = vec![Bag::default(); self.width()];
        for (place, slot) in
            slots.iter().map(|slot| (PlaceId(u32::try_from(*slot).expect("fewer than 2^32 places")), *slot))
        {
            marking[slot] = self.decode(place, state[slot]);
        }
        marking
    }

    /// The state of a marking.
    pub(crate) fn state(&self, marking: Vec<Bag>) -> Vec<u32> {
        (0..).map(PlaceId).zip(marking).map(|(place, bag)| self.encode(place, bag)).collect()
    }
}
