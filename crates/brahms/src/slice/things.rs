//! What frames look at and change, and which of it is needed.

use crate::program::{ActorId, KeyId, Program};
use crate::semantics::writes::FACTS;

/// Something that a frame can look at or change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// What a store holds for a key; the stores are numbered as in [`crate::semantics::writes`].
    Value(usize, KeyId),
    /// That any fact changes, whichever.
    AnyFact,
    /// That any belief of an actor changes.
    AnyBelief(ActorId),
    /// Who is there.
    Existence,
    /// That something is said which a claim speaks of, by the number of its predicate.
    Message(usize),
}

/// What a piece of text changes, and what decides about that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    /// What may change.
    pub(crate) writes: Vec<Thing>,
    /// What decides whether, and to what.
    pub(crate) reads: Vec<Thing>,
}

/// Things that are needed.
#[derive(Debug)]
pub(super) struct Needed {
    keys: usize,
    values: Vec<bool>,
    any_fact: bool,
    any_belief: Vec<bool>,
    existence: bool,
    messages: Vec<bool>,
}

impl Needed {
    /// Nothing.
    pub(super) fn nothing(program: &Program, predicates: usize) -> Self {
        let (keys, actors) = (program.keys.len(), program.actors.len());
        Self {
            keys,
            values: vec![false; keys * (1 + actors)],
            any_fact: false,
            any_belief: vec![false; actors],
            existence: false,
            messages: vec![false; predicates],
        }
    }

    /// Notes that something is needed; true if that is new.
    pub(super) fn add(&mut self, thing: Thing) -> bool {
        let known = match thing {
            Thing::Value(store, key) => &mut self.values[store * self.keys + key.index()],
            Thing::AnyFact => &mut self.any_fact,
            Thing::AnyBelief(actor) => &mut self.any_belief[actor.index()],
            Thing::Existence => &mut self.existence,
            Thing::Message(number) => &mut self.messages[number],
        };
        !std::mem::replace(known, true)
    }

    /// Notes that all of these are needed; true if some are new.
    pub(super) fn add_all(&mut self, things: &[Thing]) -> bool {
        things.iter().fold(false, |grown, thing| self.add(*thing) | grown)
    }

    /// Whether a change of something is needed.
    pub(super) fn wants(&self, thing: Thing) -> bool {
        match thing {
            Thing::Value(store, key) => {
                let any = if store == FACTS { self.any_fact } else { self.any_belief[store - 1] };
                any || self.values[store * self.keys + key.index()]
            }
            Thing::AnyFact => self.any_fact,
            Thing::AnyBelief(actor) => self.any_belief[actor.index()],
            Thing::Existence => self.existence,
            Thing::Message(number) => self.messages[number],
        }
    }

    /// Whether an effect changes something that is needed.
    pub(super) fn wants_effect(&self, effect: &Effect) -> bool {
        effect.writes.iter().any(|thing| self.wants(*thing))
    }
}
