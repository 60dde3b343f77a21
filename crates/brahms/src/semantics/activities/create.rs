//! What comes into being and what ceases to be. Entities to come are kept in reserve, so that a state has a fixed width.

use motet_model::Fault;

use super::Doing;
use crate::program::{ActivityNode, ActorId, EntityId, Key};
use crate::semantics::Semantics;
use crate::semantics::layout::{Cell, subject_of};
use crate::semantics::record::Record;
use crate::semantics::value::{UNKNOWN, entity};
use crate::semantics::work::Work;
use crate::semantics::writes::{FACTS, beliefs_of};

impl Semantics {
    /// `create_agent`, `create_object`, `create_area`; the last one that was created.
    pub(super) fn create(&self, work: &mut Work, doing: &Doing<'_>) -> Result<Option<EntityId>, Fault> {
        let text = &self.program.activities[doing.activity.index()];
        let ActivityNode::Create { reserve, quantity, copy_of, location, .. } = &text.node else {
            return Ok(None);
        };
        let binding = self.controls.values(doing.instance.binding);
        let env = self.doing_env(&work.cells, doing, binding);
        let original = copy_of.and_then(|of| self.subject(&env, of));
        let place = location.and_then(|place| self.subject(&env, place));
        let mut last = None;
        for _ in 0..*quantity {
            let Some(new) = reserve.iter().copied().find(|entity| !self.is_there(work, *entity)) else {
                let message = format!(
                    "bound exceeded: {} would create more than {} entities (created)",
                    text.name,
                    reserve.len()
                );
                return Err(Fault { message });
            };
            self.appear(work, doing.actor, new)?;
            if let Some(original) = original {
                self.copy_beliefs(work, doing.actor, original, new)?;
            }
            if let Some((place, key)) = place.zip(self.layout.attribute(new, self.program.location)) {
                self.write_fact(work, key, entity(place), doing.actor)?;
                if let Some(actor) = self.program.entities[new.index()].actor {
                    self.write_belief(work, actor, key, entity(place), doing.actor)?;
                }
                self.show_at(work, doing, new, place)?;
            }
            last = Some(new);
        }
        Ok(last)
    }

    fn appear(&self, work: &mut Work, by: ActorId, new: EntityId) -> Result<(), Fault> {
        let Some(slot) = self.layout.exists[new.index()] else { return Ok(()) };
        work.set(slot, 1);
        work.note(|| Record::Created { actor: by, entity: new });
        for (key, value) in &self.program.facts {
            if subject_of(self.program.keys.get(*key)) == new {
                self.write_fact(work, *key, self.codec.encode(*value), by)?;
            }
        }
        work.wake_all(self.program.actors.len());
        Ok(())
    }

    fn copy_beliefs(
        &self,
        work: &mut Work,
        by: ActorId,
        original: EntityId,
        new: EntityId,
    ) -> Result<(), Fault> {
        let actor = |of: EntityId| self.program.entities[of.index()].actor;
        let (Some(from), Some(to)) = (actor(original), actor(new)) else { return Ok(()) };
        for (key, _) in self.program.keys.iter() {
            let word = self.layout.stored(&work.cells, beliefs_of(from), key);
            if word != UNKNOWN {
                self.write_belief(work, to, key, word, by)?;
            }
        }
        Ok(())
    }

    /// `delete v`: it is gone, with the facts about it, everybody's beliefs about it, and what it was doing. Should it
    /// be created again it begins anew.
    pub(in crate::semantics) fn delete(
        &self,
        work: &mut Work,
        by: ActorId,
        gone: EntityId,
    ) -> Result<(), Fault> {
        let Some(slot) = self.layout.exists[gone.index()].filter(|slot| work.cells[*slot] != 0) else {
            return Ok(());
        };
        work.set(slot, 0);
        work.note(|| Record::Deleted { actor: by, entity: gone });
        let speaks = |key: Key| match key {
            Key::Attribute(of, _) | Key::Entry(of, _, _) => of == gone,
            Key::Pair(of, _, to) => of == gone || to == gone,
        };
        for (key, _) in self.program.keys.iter().filter(|(_, key)| speaks(*key)) {
            if let Cell::Slot(_) = self.layout.cell(FACTS, key) {
                self.write_fact(work, key, UNKNOWN, by)?;
            }
            for whose in crate::semantics::layout::actors(&self.program) {
                if let Cell::Slot(_) = self.layout.cell(beliefs_of(whose), key) {
                    self.write_belief(work, whose, key, UNKNOWN, by)?;
                }
            }
        }
        if let Some(actor) = self.program.entities[gone.index()].actor {
            self.reset(work, actor);
        }
        work.wake_all(self.program.actors.len());
        Ok(())
    }

    /// An actor as it is at the beginning.
    fn reset(&self, work: &mut Work, actor: ActorId) {
        let seat = &self.layout.seats[actor.index()];
        let slots = [Some(seat.control), Some(seat.remaining), seat.done, seat.blocked, seat.spent];
        for slot in slots.into_iter().flatten().chain(seat.marks()) {
            work.set(slot, 0);
        }
        for (key, _) in self.program.keys.iter() {
            if let Cell::Slot(slot) = self.layout.cell(beliefs_of(actor), key) {
                work.set(slot as usize, self.layout.initial[slot as usize]);
            }
        }
    }
}
