//! What activities change (`crate::semantics::activities`), piece by piece, each with what decides about it.

use super::Inquiry;
use super::effects::body;
use super::things::{Effect, Thing};
use crate::atoms::Predicate;
use crate::program::{ActivityNode, ActorId, EntityId, Frame, Key, KeyId, Sighted, Subject, Transfer};
use crate::semantics::layout::subject_of;
use crate::semantics::reach::Candidates;
use crate::semantics::writes::{FACTS, beliefs_of};

/// One who says something, and one who hears it.
#[derive(Clone, Copy)]
struct Talk {
    from: ActorId,
    to: ActorId,
}

impl Talk {
    /// The one who acts tells the partner, or asks it.
    fn of(frame: &Frame, transfer: &Transfer, partner: ActorId) -> Self {
        if transfer.send {
            Self { from: frame.actor, to: partner }
        } else {
            Self { from: partner, to: frame.actor }
        }
    }
}

impl Inquiry<'_> {
    /// What an activity changes.
    pub(super) fn activity(&self, frame: &Frame, node: &ActivityNode, effects: &mut Vec<Effect>) {
        match node {
            ActivityNode::Primitive
            | ActivityNode::Print(_)
            | ActivityNode::PrintBelief(_)
            | ActivityNode::Composite { .. } => {}
            ActivityNode::Move { arrival, departure, .. } => {
                let aware =
                    self.program.rules.location_awareness || !arrival.is_empty() || !departure.is_empty();
                self.travel(frame, aware, effects);
            }
            ActivityNode::Communicate { with, about, .. } => {
                for transfer in about {
                    with.iter().for_each(|with| effects.extend(self.told(frame, with, transfer)));
                }
            }
            ActivityNode::Broadcast { about, .. } => {
                about.iter().for_each(|transfer| effects.extend(self.announced(frame, transfer)));
            }
            ActivityNode::Get { items, source: other, .. }
            | ActivityNode::Put { items, destination: other, .. } => {
                self.handle(frame, items, *other, effects);
            }
            ActivityNode::Create { reserve, copy_of, .. } => self.create(frame, reserve, *copy_of, effects),
            ActivityNode::Foreign { concludes, .. } => {
                effects.extend(concludes.iter().map(|conclude| self.conclusion(frame, conclude, false)));
            }
            ActivityNode::Retract(places) => {
                for place in places {
                    let keys = self.reach.place(frame, place);
                    let own = beliefs_of(frame.actor);
                    let writes = keys.into_iter().map(|key| Thing::Value(own, key)).collect();
                    effects.push(Effect { writes, reads: self.index(frame, place) });
                }
            }
        }
    }

    /// Somebody goes somewhere, with everything that it carries.
    fn travel(&self, frame: &Frame, aware: bool, effects: &mut Vec<Effect>) {
        let own = self.program.actors[frame.actor.index()].entity;
        let Some(key) = self.location(own) else { return };
        let from = self.whereabouts(own);
        let writes = vec![Thing::Value(FACTS, key), Thing::Value(beliefs_of(frame.actor), key)];
        effects.push(Effect { writes, reads: from.clone() });
        for other in self.agents().filter(|_| aware) {
            let mut reads = self.whereabouts(self.program.actors[other.index()].entity);
            reads.extend_from_slice(&from);
            effects.push(Effect { writes: vec![Thing::Value(beliefs_of(other), key)], reads });
        }
        let held: Vec<(KeyId, EntityId)> = self.pairs_of(self.program.contains).collect();
        let mut reads: Vec<Thing> = held.iter().map(|(pair, _)| Thing::Value(FACTS, *pair)).collect();
        reads.extend(from);
        let places = held.iter().filter_map(|(_, item)| self.location(*item));
        let writes: Vec<Thing> = places.map(|place| Thing::Value(FACTS, place)).collect();
        effects.push(Effect { writes, reads });
    }

    /// The pairs of a relation, with their right sides.
    fn pairs_of(&self, wanted: crate::program::AttributeId) -> impl Iterator<Item = (KeyId, EntityId)> {
        self.program.keys.iter().filter_map(move |(number, key)| match key {
            Key::Pair(_, relation, object) if relation == wanted => Some((number, object)),
            _ => None,
        })
    }

    /// What those among `with` are told, or tell.
    pub(super) fn told(&self, frame: &Frame, with: &Sighted, transfer: &Transfer) -> Vec<Effect> {
        let partners = self.reach.actors(self.reach.sighted(frame, with));
        let talks = partners.into_iter().map(|partner| Talk::of(frame, transfer, partner));
        talks.flat_map(|talk| self.transfer(frame, transfer, talk, &[])).collect()
    }

    /// What all agents somewhere are told.
    pub(super) fn announced(&self, frame: &Frame, transfer: &Transfer) -> Vec<Effect> {
        let place = |actor: ActorId| self.whereabouts(self.program.actors[actor.index()].entity);
        let mut effects = Vec::new();
        for partner in self.agents().filter(|partner| *partner != frame.actor) {
            let mut reads = place(partner);
            reads.extend(place(frame.actor));
            effects.extend(self.transfer(frame, transfer, Talk::of(frame, transfer, partner), &reads));
        }
        effects
    }

    /// A belief of one becomes a belief of the other; an object without a belief says what is a fact.
    fn transfer(&self, frame: &Frame, transfer: &Transfer, talk: Talk, decided: &[Thing]) -> Vec<Effect> {
        let Talk { from, to } = talk;
        let test = body(frame, &self.reach.test(frame, &transfer.sought));
        let one = |key: KeyId| {
            let mut reads = vec![Thing::Value(beliefs_of(from), key)];
            if self.program.actors[from.index()].is_object {
                reads.push(Thing::Value(FACTS, key));
            }
            reads.extend(decided.iter().chain(&test));
            let mut writes = vec![Thing::Value(beliefs_of(to), key)];
            writes.extend(self.messages(from, to, key));
            Effect { writes, reads }
        };
        self.reach.sought(frame, &transfer.sought).into_iter().map(one).collect()
    }

    /// The claims that speak of such a message.
    fn messages(&self, from: ActorId, to: ActorId, key: KeyId) -> impl Iterator<Item = Thing> {
        let speaks = move |predicate: &Predicate| match predicate {
            Predicate::Says { from: teller, to: told, keys, .. } => {
                (*teller, *told) == (from, to) && keys.contains(&key)
            }
            Predicate::Test(_) => false,
        };
        let all = self.predicates.iter().enumerate();
        all.filter(move |(_, predicate)| speaks(predicate)).map(|(number, _)| Thing::Message(number))
    }

    /// Things are taken, or put down.
    fn handle(&self, frame: &Frame, items: &[Subject], other: Option<Subject>, effects: &mut Vec<Effect>) {
        let own = self.program.actors[frame.actor.index()].entity;
        let mut reads = self.whereabouts(own);
        for other in other.iter().flat_map(|other| self.reach.entities(self.reach.subject(frame, *other))) {
            reads.extend(self.whereabouts(other));
        }
        let candidates = items.iter().flat_map(|item| self.reach.entities(self.reach.subject(frame, *item)));
        let items: Vec<EntityId> = candidates.collect();
        let mut writes = Vec::new();
        for (pair, _) in self.pairs_of(self.program.contains).filter(|(_, item)| items.contains(item)) {
            writes.extend([Thing::Value(FACTS, pair), Thing::Value(beliefs_of(frame.actor), pair)]);
        }
        for key in items.iter().filter_map(|item| self.location(*item)) {
            writes.push(Thing::Value(FACTS, key));
            self.shown(key, &reads, effects);
        }
        effects.push(Effect { writes, reads });
    }

    /// Those who are where something is put learn where it is.
    fn shown(&self, place: KeyId, decided: &[Thing], effects: &mut Vec<Effect>) {
        for agent in self.agents() {
            let mut reads = self.whereabouts(self.program.actors[agent.index()].entity);
            reads.extend_from_slice(decided);
            effects.push(Effect { writes: vec![Thing::Value(beliefs_of(agent), place)], reads });
        }
    }

    /// Somebody or something comes into being, with its facts and with the beliefs of the one it is copied from.
    fn create(
        &self,
        frame: &Frame,
        reserve: &[EntityId],
        copy_of: Option<Subject>,
        effects: &mut Vec<Effect>,
    ) {
        let is_new = |key: KeyId| reserve.contains(&subject_of(self.program.keys.get(key)));
        let facts = self.program.facts.iter().filter(|(key, _)| is_new(*key));
        let mut writes: Vec<Thing> = facts.map(|(key, _)| Thing::Value(FACTS, *key)).collect();
        writes.push(Thing::Existence);
        let originals = copy_of.map_or(Candidates::Some(&[]), |of| self.reach.subject(frame, of));
        for new in reserve {
            let actor = self.program.entities[new.index()].actor;
            if let Some(key) = self.location(*new) {
                writes.push(Thing::Value(FACTS, key));
                writes.extend(actor.map(|actor| Thing::Value(beliefs_of(actor), key)));
                self.shown(key, &[], effects);
            }
            let Some(actor) = actor else { continue };
            for original in self.reach.actors(originals) {
                effects.extend(self.program.keys.iter().map(|(key, _)| Effect {
                    writes: vec![Thing::Value(beliefs_of(actor), key)],
                    reads: vec![Thing::Value(beliefs_of(original), key)],
                }));
            }
        }
        effects.push(Effect { writes, reads: Vec::new() });
    }
}
