//! What an actor sees of a state (`spec/claims/knowledge.md`): whether it is there, what it believes, what it works on and
//! where it is.
//!
//! It sees no clock. A state exists only where something happens, so an actor that could tell how long its activity has
//! been going on would learn from it that something happens elsewhere. What the tool notes for itself, such as which
//! detectables have to be looked at, is nothing that an actor sees either: it changes with facts that nobody has detected.

use motet_model::State;

use super::control::{Context, Controls, Scope};
use super::layout::{Layout, Meaning};
use super::writes::{FACTS, beliefs_of};
use crate::program::{ActorId, Key, Program};

/// The slots that an actor sees.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// Where it says whether the actor is there, if it can come and go.
    exists: Option<usize>,
    /// What it works on.
    control: usize,
    /// Its beliefs, its place, and what it does only once.
    others: Vec<usize>,
}

impl Local {
    /// What each actor sees.
    pub(super) fn all(program: &Program, layout: &Layout) -> Vec<Self> {
        super::layout::actors(program).map(|actor| Self::of(program, layout, actor)).collect()
    }

    fn of(program: &Program, layout: &Layout, actor: ActorId) -> Self {
        let entity = program.actors[actor.index()].entity;
        let seat = &layout.seats[actor.index()];
        let place = Key::Attribute(entity, program.location);
        let is_place = |key| program.keys.get(key) == place;
        let is_seen = |meaning: &Meaning| {
            matches!(*meaning, Meaning::Value { store, key }
                if store == beliefs_of(actor) || (store == FACTS && is_place(key)))
        };
        let values = layout.meanings.iter().enumerate().filter(|(_, meaning)| is_seen(meaning));
        let others = values.map(|(slot, _)| slot).chain(seat.done).collect();
        Self { exists: layout.exists[entity.index()], control: seat.control, others }
    }

    /// Every slot that it looks at.
    pub(super) fn slots(&self) -> impl Iterator<Item = usize> {
        self.others.iter().copied().chain([self.control]).chain(self.exists)
    }

    /// Appends what the actor sees. One who is not there sees nothing.
    pub(super) fn observe(&self, controls: &Controls, state: &State, out: &mut Vec<u32>) {
        let is_there = self.exists.is_none_or(|slot| state[slot] != 0);
        out.push(u32::from(is_there));
        if is_there {
            out.push(timeless(controls, state[self.control]));
            out.extend(self.others.iter().map(|slot| state[*slot]));
        }
    }
}

/// What an actor works on, without how long any of it has taken.
fn timeless(controls: &Controls, word: u32) -> u32 {
    let mut scope = controls.decode(word);
    stop_clocks(&mut scope);
    controls.encode(&scope)
}

fn stop_clocks(scope: &mut Scope) {
    let contexts = scope.current.iter_mut().chain(&mut scope.interrupted);
    contexts.chain(scope.impassed.iter_mut().map(|impasse| &mut impasse.context)).for_each(stop_clock);
}

fn stop_clock(context: &mut Context) {
    context.remaining = 0;
    context.timing = None;
    if let Some(opened) = &mut context.inside {
        stop_clocks(&mut opened.scope);
    }
}
