//! What belongs to one actor alone and changes places with it: a patient's bed.
//!
//! That is where an actor is at the start, what its attributes name and what it stands in a relation to, unless another of its
//! kind has to do with that too; and whatever that names or is part of in turn. It is a guess that decides nothing: `find`
//! compares the programs before and after, with everything in its new place.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{ActorId, AttributeId, EntityId, EntityKind, Key, KeyId, Program, Value};

/// Somebody who may change places, with what belongs to him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Who.
    pub(super) actor: ActorId,
    /// The actor itself, then what belongs to it, in an order that members share.
    pub(super) entities: Vec<EntityId>,
}

impl Member {
    /// The kinds of what belongs to it: `Bed`.
    pub(super) fn belongings(&self, program: &Program) -> Vec<String> {
        let kind = |entity: &EntityId| {
            let entity = &program.entities[entity.index()];
            entity.types.first().map_or(entity.name.clone(), |of| program.types[of.index()].name.clone())
        };
        self.entities[1..].iter().map(kind).collect()
    }
}

/// These actors as members.
pub(super) fn members(program: &Program, actors: &[ActorId]) -> Vec<Member> {
    let reached: Vec<Vec<EntityId>> = actors.iter().map(|actor| reached(program, *actor)).collect();
    let mut owners: BTreeMap<EntityId, u32> = BTreeMap::new();
    reached.iter().flatten().for_each(|entity| *owners.entry(*entity).or_default() += 1);
    let member = |(actor, reached): (&ActorId, Vec<EntityId>)| {
        let own = reached.into_iter().filter(|entity| owners[entity] == 1).collect();
        Member { actor: *actor, entities: own }
    };
    actors.iter().zip(reached).map(member).collect()
}

/// The actor, and what it has to do with at the start.
fn reached(program: &Program, actor: ActorId) -> Vec<EntityId> {
    let Some(own) = program.actors.get(actor.index()) else { return Vec::new() };
    let mut found = vec![own.entity];
    let mut at = 0;
    while let Some(&of) = found.get(at) {
        at += 1;
        // Attributes are numbered by their names, so members find the same in the same order.
        let said: BTreeSet<(AttributeId, EntityId)> =
            program.facts.iter().chain(&own.beliefs).filter_map(|said| named(program, of, said)).collect();
        let part_of = program.entities[of.index()].part_of;
        for entity in said.into_iter().map(|(_, entity)| entity).chain(part_of) {
            if can_belong(program, entity) && !found.contains(&entity) {
                found.push(entity);
            }
        }
    }
    found
}

/// What something that is said of an entity names.
fn named(program: &Program, of: EntityId, (key, value): &(KeyId, Value)) -> Option<(AttributeId, EntityId)> {
    match (program.keys.get(*key), value) {
        (Key::Attribute(subject, name), Value::Entity(named)) if subject == of => Some((name, *named)),
        (Key::Pair(subject, name, named), Value::Bool(true)) if subject == of => Some((name, named)),
        _ => None,
    }
}

/// Those who act are members themselves, or nobody's.
fn can_belong(program: &Program, entity: EntityId) -> bool {
    let entity = &program.entities[entity.index()];
    entity.exists && matches!(entity.kind, EntityKind::Area | EntityKind::ConceptualObject)
}
