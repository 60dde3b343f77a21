//! Taking things and putting them down: the relation `contains` moves, and the things with it.

use motet_model::Fault;

use super::Doing;
use crate::program::{EntityId, EntityKind, Subject};
use crate::semantics::Semantics;
use crate::semantics::value::{entity, truth};
use crate::semantics::work::Work;

impl Semantics {
    /// Items come to the actor.
    pub(super) fn get(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        items: &[Subject],
        source: Option<Subject>,
    ) -> Result<(), Fault> {
        let own = self.program.actors[doing.actor.index()].entity;
        let (items, other) = self.handled(work, doing, items, source);
        for item in items {
            if let Some(source) = other {
                self.hold(work, doing, source, item, false)?;
            }
            self.hold(work, doing, own, item, true)?;
            if let Some(place) = self.location(&work.cells, own) {
                self.lay(work, doing, item, place)?;
            }
        }
        Ok(())
    }

    /// Items go from the actor to somebody or somewhere. Those who are in an area notice what is put there.
    pub(super) fn put(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        items: &[Subject],
        destination: Option<Subject>,
    ) -> Result<(), Fault> {
        let own = self.program.actors[doing.actor.index()].entity;
        let (items, other) = self.handled(work, doing, items, destination);
        for item in items {
            self.hold(work, doing, own, item, false)?;
            let Some(destination) = other else { continue };
            self.hold(work, doing, destination, item, true)?;
            let is_area = self.program.entities[destination.index()].kind == EntityKind::Area;
            if is_area {
                self.lay(work, doing, item, destination)?;
                self.show_at(work, doing, item, destination)?;
            } else if let Some(place) = self.location(&work.cells, destination) {
                self.lay(work, doing, item, place)?;
            }
        }
        Ok(())
    }

    fn handled(
        &self,
        work: &Work,
        doing: &Doing<'_>,
        items: &[Subject],
        other: Option<Subject>,
    ) -> (Vec<EntityId>, Option<EntityId>) {
        let binding = self.controls.values(doing.instance.binding);
        let env = self.doing_env(&work.cells, doing, binding);
        let own = self.program.actors[doing.actor.index()].entity;
        let other = match other {
            Some(other) => self.subject(&env, other),
            None => self.location(&work.cells, own),
        };
        (items.iter().flat_map(|item| self.subjects(&env, *item)).collect(), other)
    }

    fn hold(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        holder: EntityId,
        item: EntityId,
        holds: bool,
    ) -> Result<(), Fault> {
        if let Some(key) = self.pair(holder, self.program.contains, item) {
            self.write_fact(work, key, truth(holds), doing.actor)?;
            self.write_belief(work, doing.actor, key, truth(holds), doing.actor)?;
        }
        Ok(())
    }

    fn lay(&self, work: &mut Work, doing: &Doing<'_>, item: EntityId, place: EntityId) -> Result<(), Fault> {
        if let Some(key) = self.layout.attribute(item, self.program.location) {
            self.write_fact(work, key, entity(place), doing.actor)?;
        }
        Ok(())
    }

    /// Agents in an area learn that something is there.
    pub(super) fn show_at(
        &self,
        work: &mut Work,
        doing: &Doing<'_>,
        item: EntityId,
        area: EntityId,
    ) -> Result<(), Fault> {
        let Some(key) = self.layout.attribute(item, self.program.location) else { return Ok(()) };
        for agent in self.agents(work) {
            if self.is_in(work, agent, area, false) {
                self.write_belief(work, agent, key, entity(area), doing.actor)?;
            }
        }
        Ok(())
    }
}
