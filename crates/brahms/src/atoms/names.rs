//! The names that a model has, for atoms and for suggestions.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{
    ActorId, AttributeId, AttributeKind, EntityId, FrameId, Key, Program, Statement, TextId, TypeId, Value,
};

/// Names of a program, with what they stand for.
pub(super) struct Names<'p> {
    pub(super) program: &'p Program,
    entities: BTreeMap<&'p str, EntityId>,
    types: BTreeMap<&'p str, TypeId>,
    attributes: BTreeMap<&'p str, AttributeId>,
    texts: BTreeMap<&'p str, TextId>,
}

impl<'p> Names<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let entities = (0..).zip(&program.entities).map(|(n, e)| (e.name.as_str(), EntityId(n))).collect();
        let types = (0..).zip(&program.types).map(|(n, t)| (t.name.as_str(), TypeId(n))).collect();
        let attributes =
            (0..).zip(&program.attributes).map(|(n, a)| (a.name.as_str(), AttributeId(n))).collect();
        let texts = (0..).zip(&program.texts).map(|(n, t)| (t.as_str(), TextId(n))).collect();
        Self { program, entities, types, attributes, texts }
    }

    pub(super) fn entity(&self, name: &str) -> Option<EntityId> {
        self.entities.get(name).copied()
    }

    pub(super) fn members(&self, name: &str) -> Option<&'p [EntityId]> {
        self.types.get(name).map(|of| self.program.types[of.index()].members.as_slice())
    }

    pub(super) fn attribute(&self, name: &str) -> Option<AttributeId> {
        self.attributes.get(name).copied()
    }

    pub(super) fn text(&self, name: &str) -> Option<Value> {
        self.texts.get(name).copied().map(Value::Text)
    }

    pub(super) fn actor(&self, name: &str) -> Option<ActorId> {
        self.program.entities[self.entity(name)?.index()].actor
    }

    pub(super) fn kind(&self, attribute: AttributeId) -> AttributeKind {
        self.program.attributes[attribute.index()].kind
    }

    pub(super) fn entity_names(&self) -> impl Iterator<Item = &'p str> {
        self.entities.keys().copied()
    }

    pub(super) fn value_names(&self) -> impl Iterator<Item = &'p str> {
        self.entities.keys().copied().chain(self.texts.keys().copied())
    }

    /// The actors, in order.
    pub(super) fn actor_names(&self) -> Vec<&'p str> {
        let name = |entity: EntityId| self.program.entities[entity.index()].name.as_str();
        self.program.actors.iter().map(|actor| name(actor.entity)).collect()
    }

    /// The attributes that some text gives to an entity.
    pub(super) fn attributes_of(&self, entity: EntityId) -> BTreeSet<&'p str> {
        let name = |attribute: AttributeId| self.program.attributes[attribute.index()].name.as_str();
        let of = |(_, key)| match key {
            Key::Attribute(of, attribute) | Key::Entry(of, attribute, _) if of == entity => {
                Some(name(attribute))
            }
            _ => None,
        };
        self.program.keys.iter().filter_map(of).collect()
    }

    /// The relations.
    pub(super) fn relations(&self) -> BTreeSet<&'p str> {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for attribute in &self.program.attributes {
            if attribute.kind == AttributeKind::Relation {
                names.insert(&attribute.name);
            }
        }
        for (_, key) in self.program.keys.iter() {
            if let Key::Pair(_, relation, _) = key {
                names.insert(&self.program.attributes[relation.index()].name);
            }
        }
        names
    }

    /// The frames and activities of an actor.
    pub(super) fn works(&self, actor: ActorId) -> BTreeSet<&'p str> {
        let mut names = BTreeSet::new();
        for (number, frame) in (0..).zip(&self.program.frames).filter(|(_, frame)| frame.actor == actor) {
            if !crate::semantics::writes::is_thought(self.program, FrameId(number)) {
                names.insert(frame.name.as_str());
            }
            for statement in &frame.body {
                if let Statement::Do(activity) = statement {
                    names.insert(self.program.activities[activity.index()].name.as_str());
                }
            }
        }
        names
    }
}
