//! Going somewhere.

use motet_model::Fault;

use super::Doing;
use crate::program::{Activity, ActorId, EntityId, Subject};
use crate::semantics::Semantics;
use crate::semantics::cells::Cells;
use crate::semantics::record::Record;
use crate::semantics::value::{TRUE, UNKNOWN, as_entity, entity};
use crate::semantics::work::Work;
use crate::semantics::writes::{FACTS, beliefs_of};

impl Semantics {
    /// Where an entity is: the fact; for an actor without one, its own belief.
    pub(crate) fn location(&self, cells: &Cells, of: EntityId) -> Option<EntityId> {
        let key = self.layout.attribute(of, self.program.location)?;
        let fact = as_entity(self.layout.stored(cells, FACTS, key));
        fact.or_else(|| {
            let actor = self.program.entities[of.index()].actor?;
            as_entity(self.layout.stored(cells, beliefs_of(actor), key))
        })
    }

    /// Seconds of the shortest way between two areas.
    pub(in crate::semantics) fn distance(&self, from: EntityId, to: EntityId) -> Option<u32> {
        if from == to { Some(0) } else { self.program.ways.get(&(from, to)).copied() }
    }

    /// How long a move takes for which the text gives no time.
    pub(super) fn way(
        &self,
        cells: &Cells,
        actor: ActorId,
        target: Option<EntityId>,
        text: &Activity,
    ) -> Result<u32, Fault> {
        let own = self.program.actors[actor.index()].entity;
        let name = |of: EntityId| &self.program.entities[of.index()].name;
        let Some(to) = target else {
            return Err(Fault {
                message: format!("{} of {}: where it goes has no value", text.name, name(own)),
            });
        };
        let Some(from) = self.location(cells, own) else {
            let (who, where_to) = (name(own), name(to));
            let message = format!("{} of {who}: {who} is nowhere, so no way leads to {where_to}", text.name);
            return Err(Fault { message });
        };
        self.distance(from, to).ok_or_else(|| {
            let (from, to) = (name(from), name(to));
            Fault { message: format!("{} of {}: no path leads from {from} to {to}", text.name, name(own)) }
        })
    }

    /// Those who watch for departures learn where the actor is.
    pub(super) fn depart(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        departure: &[(Subject, bool)],
    ) -> Result<(), Fault> {
        let own = self.program.actors[doing.actor.index()].entity;
        let Some(place) = self.location(&work.cells, own).filter(|_| !departure.is_empty()) else {
            return Ok(());
        };
        self.announce(work, doing, departure, place)
    }

    /// The rule `Pop_move(t=0)`: the actor is there, in fact and in its own mind, with everything it carries.
    pub(super) fn arrive(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        to: Subject,
        arrival: &[(Subject, bool)],
    ) -> Result<(), Fault> {
        let own = self.program.actors[doing.actor.index()].entity;
        let binding = self.controls.values(doing.instance.binding);
        let target = self.subject(&self.doing_env(&work.cells, doing, binding), to);
        let (Some(target), Some(key)) = (target, self.layout.attribute(own, self.program.location)) else {
            return Ok(());
        };
        let from = self.location(&work.cells, own);
        if from == Some(target) && !self.program.rules.zero_move_asserts {
            return Ok(());
        }
        self.write_fact(work, key, entity(target), doing.actor)?;
        self.write_belief(work, doing.actor, key, entity(target), doing.actor)?;
        work.note(|| Record::Moved { actor: doing.actor, from, to: target });
        self.carry(work, doing.actor, own, target, &mut vec![own])?;
        if self.program.rules.location_awareness && from != Some(target) {
            self.notice(work, doing.actor, from, target)?;
        }
        self.announce(work, doing, arrival, target)
    }

    /// What somebody holds is where its holder is.
    fn carry(
        &self,
        work: &mut Work,
        by: ActorId,
        holder: EntityId,
        place: EntityId,
        seen: &mut Vec<EntityId>,
    ) -> Result<(), Fault> {
        let held: Vec<EntityId> = self
            .program
            .keys
            .pairs(holder, self.program.contains)
            .filter(|(_, key)| self.layout.stored(&work.cells, FACTS, *key) == TRUE)
            .map(|(item, _)| item)
            .collect();
        for item in held {
            if seen.contains(&item) {
                continue;
            }
            seen.push(item);
            if let Some(key) = self.layout.attribute(item, self.program.location) {
                self.write_fact(work, key, entity(place), by)?;
            }
            self.carry(work, by, item, place, seen)?;
        }
        Ok(())
    }

    /// `location-awareness`: those left behind do not know any more where the actor is, those it comes to do.
    fn notice(
        &self,
        work: &mut Work,
        mover: ActorId,
        from: Option<EntityId>,
        to: EntityId,
    ) -> Result<(), Fault> {
        let own = self.program.actors[mover.index()].entity;
        let Some(key) = self.layout.attribute(own, self.program.location) else { return Ok(()) };
        for other in self.agents(work).into_iter().filter(|other| *other != mover) {
            let place = self.location(&work.cells, self.program.actors[other.index()].entity);
            if place == Some(to) {
                self.write_belief(work, other, key, entity(to), mover)?;
            } else if place.is_some() && place == from {
                self.write_belief(work, other, key, UNKNOWN, mover)?;
            }
        }
        Ok(())
    }

    /// Agents in the areas of a list learn where the actor is.
    fn announce(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        areas: &[(Subject, bool)],
        place: EntityId,
    ) -> Result<(), Fault> {
        let own = self.program.actors[doing.actor.index()].entity;
        let Some(key) = self.layout.attribute(own, self.program.location) else { return Ok(()) };
        let binding = self.controls.values(doing.instance.binding);
        for (area, inside_too) in areas {
            let Some(area) = self.subject(&self.doing_env(&work.cells, doing, binding), *area) else {
                continue;
            };
            for other in self.agents(work).into_iter().filter(|other| *other != doing.actor) {
                if self.is_in(work, other, area, *inside_too) {
                    self.write_belief(work, other, key, entity(place), doing.actor)?;
                }
            }
        }
        Ok(())
    }

    /// The agents that are there.
    pub(super) fn agents(&self, work: &Work) -> Vec<ActorId> {
        let all = crate::semantics::layout::actors(&self.program);
        all.filter(|actor| !self.program.actors[actor.index()].is_object && self.is_present(work, *actor))
            .collect()
    }

    /// Whether an actor is in an area, or in an area inside it.
    pub(super) fn is_in(&self, work: &Work, actor: ActorId, area: EntityId, inside_too: bool) -> bool {
        let mut place = self.location(&work.cells, self.program.actors[actor.index()].entity);
        let mut levels = self.program.entities.len();
        while let Some(at) = place {
            if at == area {
                return true;
            }
            levels = levels.saturating_sub(1);
            place = if inside_too && levels > 0 { self.program.entities[at.index()].part_of } else { None };
        }
        false
    }
}
