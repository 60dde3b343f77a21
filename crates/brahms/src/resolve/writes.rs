//! Which keys somebody may write, store by store. What nobody writes keeps its initial value for ever.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{
    ActivityNode, ActorId, AttributeId, Conclude, ConcludeNode, Domain, EntityId, EntityKind, Frame, FrameId,
    Key, KeyId, Place, Program, Sighted, Sought, Statement, Subject, Transfer, Value, Var,
};

/// A store: the facts, or the beliefs of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Store {
    /// The facts.
    Facts,
    /// What this actor believes.
    Beliefs(ActorId),
}

/// What may change.
pub(crate) struct Writes<'p> {
    program: &'p Program,
    /// What some statement writes.
    written: BTreeSet<(Store, KeyId)>,
    /// What is taken over from one store to another.
    copied: Vec<(Store, Store, KeyId)>,
    held: BTreeMap<(Store, KeyId), Value>,
    by_attribute: BTreeMap<AttributeId, Vec<KeyId>>,
    thoughts: BTreeSet<FrameId>,
    /// Places that something else than the own moves of an actor sets.
    pub(crate) carried: BTreeSet<EntityId>,
}

impl<'p> Writes<'p> {
    /// Looks at everything that every frame may do.
    pub(crate) fn of(program: &'p Program) -> Self {
        let mut held = BTreeMap::new();
        held.extend(program.facts.iter().map(|(key, value)| ((Store::Facts, *key), *value)));
        let mut thoughts = BTreeSet::new();
        for (number, actor) in (0..).map(ActorId).zip(&program.actors) {
            held.extend(actor.beliefs.iter().map(|(key, value)| ((Store::Beliefs(number), *key), *value)));
            thoughts.extend(&actor.thoughtframes);
        }
        for activity in &program.activities {
            if let ActivityNode::Composite { thoughtframes, .. } = &activity.node {
                thoughts.extend(thoughtframes);
            }
        }
        let mut by_attribute: BTreeMap<AttributeId, Vec<KeyId>> = BTreeMap::new();
        for (number, key) in program.keys.iter() {
            by_attribute.entry(attribute_of(key)).or_default().push(number);
        }
        let mut writes = Self {
            program,
            written: BTreeSet::new(),
            copied: Vec::new(),
            held,
            by_attribute,
            thoughts,
            carried: BTreeSet::new(),
        };
        for (number, frame) in (0..).map(FrameId).zip(&program.frames) {
            writes.frame(number, frame);
        }
        for activity in &program.activities {
            if let ActivityNode::Composite { detectables, workframes, thoughtframes, .. } = &activity.node {
                let Some(first) = workframes.iter().chain(thoughtframes).next() else { continue };
                let frame = &program.frames[first.index()];
                for detectable in detectables {
                    writes.seen(frame, &detectable.sought);
                }
            }
        }
        writes.spread();
        writes
    }

    /// Whether a store may ever hold another value for a key than at the start.
    pub(crate) fn varies(&self, store: Store, key: KeyId) -> bool {
        self.written.contains(&(store, key))
    }

    /// What a store holds at the start.
    pub(crate) fn initial(&self, store: Store, key: KeyId) -> Option<Value> {
        self.held.get(&(store, key)).copied()
    }

    /// A value is taken over only where there is one.
    fn spread(&mut self) {
        loop {
            let before = self.written.len();
            for (from, to, key) in std::mem::take(&mut self.copied) {
                let has = self.written.contains(&(from, key)) || self.held.contains_key(&(from, key));
                if has {
                    self.written.insert((to, key));
                } else {
                    self.copied.push((from, to, key));
                }
            }
            if self.written.len() == before {
                return;
            }
        }
    }

    fn frame(&mut self, number: FrameId, frame: &Frame) {
        let thinks = self.thoughts.contains(&number);
        for detectable in &frame.detectables {
            self.seen(frame, &detectable.sought);
        }
        for statement in &frame.body {
            match statement {
                Statement::Conclude(conclude) => self.conclude(frame, conclude, thinks),
                Statement::Delete(subject, _) => self.delete(frame, *subject),
                Statement::Do(activity) => {
                    let node = &self.program.activities[activity.index()].node;
                    self.activity(frame, node);
                }
            }
        }
    }

    fn conclude(&mut self, frame: &Frame, conclude: &Conclude, thinks: bool) {
        let keys = match &conclude.node {
            ConcludeNode::Assign(place, _) => self.at(frame, place),
            ConcludeNode::Relate(left, relation, right, _) => {
                self.pairs(frame, *left, *relation, Some(*right))
            }
        };
        for key in keys {
            if let Key::Attribute(entity, attribute) = self.program.keys.get(key)
                && attribute == self.program.location
            {
                self.carried.insert(entity);
            }
            if conclude.belief > 0 {
                self.written.insert((Store::Beliefs(frame.actor), key));
            }
            if conclude.fact > 0 && !thinks {
                self.written.insert((Store::Facts, key));
            }
        }
    }

    fn activity(&mut self, frame: &Frame, node: &ActivityNode) {
        match node {
            ActivityNode::Move { .. } => self.moved(frame.actor, node),
            ActivityNode::Communicate { with, about, .. } => {
                let partners: Vec<EntityId> = with.iter().flat_map(|who| self.sighted(frame, who)).collect();
                self.transfers(frame, &partners, about);
            }
            ActivityNode::Broadcast { about, .. } => {
                let agents = self.program.entities.iter().filter(|entity| entity.kind != EntityKind::Object);
                let agents: Vec<EntityId> = agents
                    .filter_map(|entity| Some(self.program.actors[entity.actor?.index()].entity))
                    .collect();
                self.transfers(frame, &agents, about);
            }
            ActivityNode::Get { .. } | ActivityNode::Put { .. } | ActivityNode::Create { .. } => {
                self.everywhere(self.program.contains);
                self.everywhere(self.program.location);
                self.carried
                    .extend((0..self.program.entities.len()).map(|entity| EntityId(super::number(entity))));
                if let ActivityNode::Create { reserve, copy_of: Some(_), .. } = node {
                    self.all_beliefs(reserve);
                }
            }
            ActivityNode::Foreign { concludes, .. } => {
                for conclude in concludes {
                    self.conclude(frame, conclude, false);
                }
            }
            ActivityNode::Retract(places) => {
                for place in places {
                    let keys = self.at(frame, place);
                    self.written.extend(keys.into_iter().map(|key| (Store::Beliefs(frame.actor), key)));
                }
            }
            ActivityNode::Primitive
            | ActivityNode::Composite { .. }
            | ActivityNode::Print(_)
            | ActivityNode::PrintBelief(_) => {}
        }
    }

    fn moved(&mut self, actor: ActorId, node: &ActivityNode) {
        let entity = self.program.actors[actor.index()].entity;
        let Some(key) = self.program.keys.find(Key::Attribute(entity, self.program.location)) else { return };
        self.written.insert((Store::Facts, key));
        self.written.insert((Store::Beliefs(actor), key));
        let watched = match node {
            ActivityNode::Move { arrival, departure, .. } => !arrival.is_empty() || !departure.is_empty(),
            _ => false,
        };
        if watched || self.program.rules.location_awareness {
            for other in 0..self.program.actors.len() {
                self.written.insert((Store::Beliefs(ActorId(super::number(other))), key));
            }
        }
    }

    fn everywhere(&mut self, attribute: AttributeId) {
        for key in self.by_attribute.get(&attribute).cloned().unwrap_or_default() {
            self.written.insert((Store::Facts, key));
            for actor in 0..self.program.actors.len() {
                self.written.insert((Store::Beliefs(ActorId(super::number(actor))), key));
            }
        }
    }

    fn all_beliefs(&mut self, of: &[EntityId]) {
        for entity in of {
            let Some(actor) = self.program.entities[entity.index()].actor else { continue };
            self.written.extend(self.program.keys.iter().map(|(key, _)| (Store::Beliefs(actor), key)));
        }
    }

    fn delete(&mut self, frame: &Frame, subject: Subject) {
        let gone = self.subject(frame, subject);
        for (number, key) in self.program.keys.iter() {
            if !gone.contains(&super::initial::subject_of(key)) {
                continue;
            }
            self.written.insert((Store::Facts, number));
            for actor in 0..self.program.actors.len() {
                self.written.insert((Store::Beliefs(ActorId(super::number(actor))), number));
            }
        }
    }

    /// What a detectable looks at becomes a belief where it is a fact.
    fn seen(&mut self, frame: &Frame, sought: &Sought) {
        let mut keys = self.sought(frame, sought);
        if let Sought::Attribute { test: Some((_, crate::program::Expr::Read(place))), .. } = sought {
            keys.extend(self.at(frame, place));
        }
        let to = Store::Beliefs(frame.actor);
        self.copied.extend(keys.into_iter().map(|key| (Store::Facts, to, key)));
    }

    fn transfers(&mut self, frame: &Frame, partners: &[EntityId], about: &[Transfer]) {
        let me = frame.actor;
        let i_am_object = self.program.actors[me.index()].is_object;
        for transfer in about {
            let keys = self.sought(frame, &transfer.sought);
            for partner in partners {
                let Some(partner) = self.program.entities[partner.index()].actor else { continue };
                let (from, to) = if transfer.send { (me, partner) } else { (partner, me) };
                let from_object =
                    if transfer.send { i_am_object } else { self.program.actors[partner.index()].is_object };
                for &key in &keys {
                    self.copied.push((Store::Beliefs(from), Store::Beliefs(to), key));
                    if from_object {
                        self.copied.push((Store::Facts, Store::Beliefs(to), key));
                    }
                }
            }
        }
    }

    fn sought(&self, frame: &Frame, sought: &Sought) -> Vec<KeyId> {
        match sought {
            Sought::Attribute { subject, attribute, .. } => {
                let who = self.sighted(frame, subject);
                self.of_attribute(*attribute, &who)
            }
            Sought::Related { subject, relation, .. } => {
                let who = self.sighted(frame, subject);
                self.of_attribute(*relation, &who)
            }
        }
    }

    /// All keys of these entities with this attribute or relation.
    fn of_attribute(&self, attribute: AttributeId, who: &[EntityId]) -> Vec<KeyId> {
        let keys = &self.program.keys;
        let mut found = Vec::new();
        for entity in who {
            found.extend(keys.find(Key::Attribute(*entity, attribute)));
            found.extend(keys.entries(*entity, attribute).map(|(_, key)| key));
            found.extend(keys.pairs(*entity, attribute).map(|(_, key)| key));
        }
        found
    }

    fn sighted(&self, frame: &Frame, sighted: &Sighted) -> Vec<EntityId> {
        match sighted {
            Sighted::One(subject) => self.subject(frame, *subject),
            Sighted::Every(all) => all.clone(),
        }
    }

    /// Whom a subject may mean; everybody where that is not known here.
    pub(crate) fn subject(&self, frame: &Frame, subject: Subject) -> Vec<EntityId> {
        match subject {
            Subject::Entity(entity) => vec![entity],
            Subject::Variable(Var::Own(number)) => match &frame.variables[usize::from(number)].domain {
                Domain::Entities(all) => all.clone(),
                Domain::Values => self.everybody(),
            },
            Subject::Variable(Var::Parameter { .. }) => self.everybody(),
        }
    }

    fn everybody(&self) -> Vec<EntityId> {
        (0..self.program.entities.len()).map(|entity| EntityId(super::number(entity))).collect()
    }

    fn at(&self, frame: &Frame, place: &Place) -> Vec<KeyId> {
        match place {
            Place::Fixed(key) => vec![*key],
            Place::Attribute(variable, attribute) => {
                self.of_attribute(*attribute, &self.subject(frame, Subject::Variable(*variable)))
            }
            Place::Entry(subject, attribute, _) => {
                self.of_attribute(*attribute, &self.subject(frame, *subject))
            }
        }
    }

    fn pairs(
        &self,
        frame: &Frame,
        left: Subject,
        relation: AttributeId,
        right: Option<Subject>,
    ) -> Vec<KeyId> {
        let mut keys = self.of_attribute(relation, &self.subject(frame, left));
        if let Some(right) = right {
            let right = self.subject(frame, right);
            keys.retain(
                |key| matches!(self.program.keys.get(*key), Key::Pair(_, _, y) if right.contains(&y)),
            );
        }
        keys
    }
}

/// Which attribute or relation a key is about.
fn attribute_of(key: Key) -> AttributeId {
    match key {
        Key::Attribute(_, attribute) | Key::Entry(_, attribute, _) | Key::Pair(_, attribute, _) => attribute,
    }
}
