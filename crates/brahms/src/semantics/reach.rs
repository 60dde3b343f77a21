//! Which keys a piece of text can speak of, whatever the values of its variables are.

use crate::program::{
    ActorId, AttributeId, AttributeKind, ConditionNode, Domain, EntityId, Expr, Frame, Key, KeyId, Place,
    Program, Sighted, Sought, Subject, Var,
};

/// Candidates for an entity.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Candidates<'p> {
    /// This one.
    One(EntityId),
    /// One of these.
    Some(&'p [EntityId]),
    /// Nothing is known about it.
    Any,
}

/// Looks at a program without running it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<'p> {
    pub(crate) program: &'p Program,
}

impl<'p> Reach<'p> {
    /// Whom a variable can stand for.
    pub(crate) fn variable(self, frame: &'p Frame, var: Var) -> Candidates<'p> {
        match var {
            Var::Own(index) => match frame.variables.get(usize::from(index)).map(|v| &v.domain) {
                Some(Domain::Entities(entities)) => Candidates::Some(entities),
                _ => Candidates::Any,
            },
            Var::Parameter { .. } => Candidates::Any,
        }
    }

    /// Whom a subject can stand for.
    pub(crate) fn subject(self, frame: &'p Frame, subject: Subject) -> Candidates<'p> {
        match subject {
            Subject::Entity(entity) => Candidates::One(entity),
            Subject::Variable(var) => self.variable(frame, var),
        }
    }

    /// Whom a detectable or transfer can be about.
    pub(crate) fn sighted(self, frame: &'p Frame, sighted: &'p Sighted) -> Candidates<'p> {
        match sighted {
            Sighted::One(subject) => self.subject(frame, *subject),
            Sighted::Every(entities) => Candidates::Some(entities),
        }
    }

    /// The candidates as a list.
    pub(crate) fn entities(self, candidates: Candidates<'p>) -> Vec<EntityId> {
        match candidates {
            Candidates::One(entity) => vec![entity],
            Candidates::Some(entities) => entities.to_vec(),
            Candidates::Any => (0..u32::try_from(self.program.entities.len())
                .expect("entities are numbered"))
                .map(EntityId)
                .collect(),
        }
    }

    /// Those among the candidates that can act.
    pub(crate) fn actors(self, candidates: Candidates<'p>) -> Vec<ActorId> {
        let entities = self.entities(candidates);
        entities.into_iter().filter_map(|entity| self.program.entities[entity.index()].actor).collect()
    }

    /// The keys `x.a` for all candidates `x`.
    pub(crate) fn attribute(self, of: Candidates<'p>, attribute: AttributeId) -> Vec<KeyId> {
        let find = |entity| self.program.keys.find(Key::Attribute(entity, attribute));
        self.entities(of).into_iter().filter_map(find).collect()
    }

    fn entries(self, of: Candidates<'p>, map: AttributeId, index: &Expr) -> Vec<KeyId> {
        let keys = &self.program.keys;
        let mut found = Vec::new();
        for entity in self.entities(of) {
            match index {
                Expr::Value(index) => found.extend(keys.find(Key::Entry(entity, map, *index))),
                _ => found.extend(keys.entries(entity, map).map(|(_, key)| key)),
            }
        }
        found
    }

    /// The keys of a place.
    pub(crate) fn place(self, frame: &'p Frame, place: &Place) -> Vec<KeyId> {
        match place {
            Place::Fixed(key) => vec![*key],
            Place::Attribute(var, attribute) => self.attribute(self.variable(frame, *var), *attribute),
            Place::Entry(subject, map, index) => self.entries(self.subject(frame, *subject), *map, index),
        }
    }

    /// The keys of pairs.
    pub(crate) fn pairs(
        self,
        subjects: Candidates<'p>,
        relation: AttributeId,
        objects: Candidates<'p>,
    ) -> Vec<KeyId> {
        let keys = &self.program.keys;
        let mut found = Vec::new();
        for subject in self.entities(subjects) {
            match objects {
                Candidates::One(object) => found.extend(keys.find(Key::Pair(subject, relation, object))),
                _ => {
                    let allowed = |object: EntityId| match objects {
                        Candidates::Some(list) => list.contains(&object),
                        _ => true,
                    };
                    let pairs = keys.pairs(subject, relation).filter(|(object, _)| allowed(*object));
                    found.extend(pairs.map(|(_, key)| key));
                }
            }
        }
        found
    }

    /// The keys that an expression reads.
    pub(crate) fn expr(self, frame: &'p Frame, expr: &Expr, found: &mut Vec<KeyId>) {
        match expr {
            Expr::Value(_) | Expr::Unknown | Expr::Variable(_) => {}
            Expr::Read(place) => {
                found.extend(self.place(frame, place));
                if let Place::Entry(_, _, index) = place {
                    self.expr(frame, index, found);
                }
            }
            Expr::Negate(of) => self.expr(frame, of, found),
            Expr::Binary(_, left, right) => {
                self.expr(frame, left, found);
                self.expr(frame, right, found);
            }
        }
    }

    /// The keys that something looked for, or transferred, can be.
    pub(crate) fn sought(self, frame: &'p Frame, sought: &'p Sought) -> Vec<KeyId> {
        match sought {
            Sought::Attribute { subject, attribute, index, .. } => {
                let of = self.sighted(frame, subject);
                match index {
                    Some(index) => self.entries(of, *attribute, index),
                    None if self.program.attributes[attribute.index()].kind == AttributeKind::Map => {
                        let mut all = self.entries(of, *attribute, &Expr::Unknown);
                        all.extend(self.attribute(of, *attribute));
                        all
                    }
                    None => self.attribute(of, *attribute),
                }
            }
            Sought::Related { subject, relation, object, .. } => {
                let objects = object.as_ref().map_or(Candidates::Any, |object| self.sighted(frame, object));
                self.pairs(self.sighted(frame, subject), *relation, objects)
            }
        }
    }

    /// The keys that the other side of a test reads.
    pub(crate) fn test(self, frame: &'p Frame, sought: &Sought) -> Vec<KeyId> {
        let mut found = Vec::new();
        if let Sought::Attribute { index, test, .. } = sought {
            if let Some((_, right)) = test {
                self.expr(frame, right, &mut found);
            }
            if let Some(index) = index {
                self.expr(frame, index, &mut found);
            }
        }
        found
    }

    /// The keys that a condition reads.
    pub(crate) fn condition(self, frame: &'p Frame, condition: &ConditionNode) -> Vec<KeyId> {
        let mut found = Vec::new();
        match condition {
            ConditionNode::Compare { left, right, .. } => {
                self.expr(frame, left, &mut found);
                self.expr(frame, right, &mut found);
            }
            ConditionNode::Related { subject, relation, object, .. } => {
                let (subjects, objects) = (self.subject(frame, *subject), self.subject(frame, *object));
                found = self.pairs(subjects, *relation, objects);
            }
            ConditionNode::Known { place, .. } => self.expr(frame, &Expr::Read(place.clone()), &mut found),
            ConditionNode::KnownPairs { subject, relation, .. } => {
                found = self.pairs(self.subject(frame, *subject), *relation, Candidates::Any);
            }
            ConditionNode::Bind { value, .. } => self.expr(frame, value, &mut found),
        }
        found
    }

    /// The keys that speak of an entity: its attributes, and pairs on either side.
    pub(crate) fn about(self, entity: EntityId) -> Vec<KeyId> {
        let speaks = |key: Key| match key {
            Key::Attribute(of, _) | Key::Entry(of, _, _) => of == entity,
            Key::Pair(of, _, to) => of == entity || to == entity,
        };
        self.program.keys.iter().filter(|(_, key)| speaks(*key)).map(|(number, _)| number).collect()
    }
}
