//! Numbers back into the user's words.

mod account;
mod events;
mod guard;
pub(crate) mod naming;
mod readiness;
mod snapshot;
mod team;
mod why;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use motet_model::{
    Account, ActionId, Event, ProcessId, Rate, SlotId, Snapshot, State, Story, TeamPicture, Weight, What,
    Words,
};
use motet_source::{Sources, Span};

use crate::program::{ActorId, Entity, EntityId, Key, Program, Statement, Subject};
use crate::semantics::Semantics;
use crate::semantics::layout::{Meaning, actors};
use crate::semantics::record::Record;
use crate::semantics::rewards::{rate, takes_time};
use crate::semantics::writes::FACTS;

/// Tells what a model does.
pub(crate) struct Teller {
    pub(crate) semantics: Arc<Semantics>,
    pub(crate) sources: Arc<Sources>,
}

impl Teller {
    pub(crate) fn program(&self) -> &Program {
        &self.semantics.program
    }

    /// What keeps an actor from going on with something it has begun.
    fn held_up(&self, actor: ActorId, state: &State) -> Option<String> {
        let scope = self.level(state, actor, None)?.scope;
        let impasse = scope.impassed.first()?;
        let frame = &self.program().frames[impasse.context.instance.frame.index()];
        let detectable = frame.detectables.get(impasse.detectable as usize)?;
        Some(format!("the end of {}, to go on with {}", detectable.name, frame.name))
    }

    /// Whether a change of a fact is told by an arrival that follows.
    fn is_part_of_arrival(&self, record: &Record, later: &[Record]) -> bool {
        let Record::Fact { actor, key, .. } = record else { return false };
        let program = self.program();
        let own = Key::Attribute(program.actors[actor.index()].entity, program.location);
        let arrives = |record: &Record| matches!(record, Record::Moved { actor: who, .. } if who == actor);
        program.keys.get(*key) == own && later.iter().any(arrives)
    }

    /// Where an actor is.
    fn whereabouts(&self, state: &State, actor: ActorId) -> Option<String> {
        let program = self.program();
        let entity = program.actors[actor.index()].entity;
        let key = self.semantics.layout.attribute(entity, program.location)?;
        let place = self.semantics.codec.decode(self.semantics.layout.stored(state, FACTS, key))?;
        Some(naming::value(program, place))
    }
}

impl Words for Teller {
    fn value(&self, slot: SlotId, value: u32) -> String {
        let program = self.program();
        match self.semantics.layout.meanings.get(slot.index()) {
            Some(Meaning::Value { .. }) => naming::known(program, self.semantics.codec.decode(value)),
            Some(Meaning::Exists(_)) => if value == 0 { "no" } else { "yes" }.to_owned(),
            Some(Meaning::Control(actor)) => {
                let seat = &self.semantics.layout.seats[actor.index()];
                if slot.index() == seat.remaining {
                    return naming::length(value);
                }
                if slot.index() != seat.control {
                    return value.to_string();
                }
                let scope = self.semantics.controls.decode(value);
                scope.current.map_or_else(|| "idle".to_owned(), |context| self.context(&context, None))
            }
            Some(Meaning::Moment | Meaning::Writers { .. } | Meaning::Said | Meaning::Earned) | None => {
                value.to_string()
            }
        }
    }

    fn action(&self, action: ActionId) -> String {
        if takes_time(action) { "time passes" } else { "the instant goes on" }.to_owned()
    }

    fn story(&self, action: ActionId) -> Story {
        Story { process: ProcessId(0), text: self.action(action), to: None, weight: Weight::Routine }
    }

    fn origin(&self, _action: ActionId) -> Option<Span> {
        None
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        self.situation(state)
    }

    fn why(&self, states: &[Box<State>], _actions: &[ActionId], at: usize) -> Vec<String> {
        self.explain(states, at)
    }

    fn team(&self) -> Option<TeamPicture> {
        Some(self.sketch())
    }

    fn waits(&self, process: ProcessId, state: &State) -> Option<String> {
        self.held_up(ActorId(process.0), state)
    }

    fn opening(&self, state: &State) -> Vec<Event> {
        let everybody = actors(self.program());
        let place = |actor| Some((actor, self.whereabouts(state, actor)?));
        everybody
            .filter_map(place)
            .map(|(actor, to)| Event {
                process: events::process(actor),
                what: What::Arrives { from: String::new(), to },
                origin: None,
            })
            .collect()
    }

    fn events(&self, state: &State, ordinal: u32, branch: u32) -> Vec<Event> {
        let records = self.semantics.retell(state, ordinal, branch);
        let mut told = Vec::with_capacity(records.len());
        for (at, record) in records.iter().enumerate() {
            if !self.is_part_of_arrival(record, &records[at + 1..]) {
                told.push(self.event(record));
            }
        }
        told
    }

    /// What the time of each actor costs, and what it uses: an object with `resource: true` costs while somebody does an
    /// activity that names it under `resources`.
    fn rates(&self) -> Vec<Rate> {
        let program = self.program();
        let own = actors(program)
            .map(|actor| (actor, "cost".to_owned(), program.actors[actor.index()].entity, Vec::new()));
        let mut used: BTreeMap<(ActorId, EntityId), BTreeSet<String>> = BTreeMap::new();
        for frame in &program.frames {
            for statement in &frame.body {
                let Statement::Do(activity) = statement else { continue };
                let activity = &program.activities[activity.index()];
                for resource in &activity.resources {
                    let Subject::Entity(object) = *resource else { continue };
                    if program.entities[object.index()].resource {
                        used.entry((frame.actor, object)).or_default().insert(activity.name.clone());
                    }
                }
            }
        }
        let used = used.into_iter().map(|((actor, object), during)| {
            let name = program.entities[object.index()].name.clone();
            (actor, name, object, during.into_iter().collect())
        });
        let priced = own.chain(used).filter_map(|(actor, resource, of, during)| {
            let per_unit = per_millisecond(&program.entities[of.index()])?;
            Some(Rate { process: ProcessId(actor.0), resource, per_unit, during })
        });
        priced.collect()
    }

    fn account(&self, state: &State, subject: &str) -> Vec<Account> {
        self.accounts(state, subject)
    }
}

/// What a millisecond of somebody costs, where that is anything.
fn per_millisecond(entity: &Entity) -> Option<f64> {
    rate(entity).map(|rate| rate.to_f64() / 1000.0).filter(|rate| *rate > 0.0)
}
