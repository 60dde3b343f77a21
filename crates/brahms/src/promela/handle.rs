//! Where things are, and taking them and putting them down: the relation `contains` moves, and the things with it.

use motet_machine::Expr as Term;
use motet_machine::promela::Statement;

use crate::program::{EntityId, EntityKind, Key, Subject, Value};
use crate::promela::act::areas;
use crate::promela::cells::{Store, agents};
use crate::promela::expr::{Form, Look, Scope};
use crate::promela::ground::body_look;
use crate::promela::lack::Lack;
use crate::promela::scribe::{Scribe, Work, step};

/// What is taken or put down.
pub(crate) struct Handled<'a> {
    pub(crate) items: &'a [Subject],
    /// From whom, or to whom; `None` is where the actor is.
    pub(crate) other: Option<Subject>,
    pub(crate) gets: bool,
}

/// Who else holds, or shall hold, an item.
enum Other {
    Entity(EntityId),
    /// The area that this expression gives.
    Place(Term),
}

impl<'a> Scribe<'a> {
    /// Where an entity is: the fact; for an actor without one, its own belief.
    pub(crate) fn whereabouts(&self, of: EntityId) -> Result<Form, Lack> {
        let program = self.world.program;
        let Some(key) = program.keys.find(Key::Attribute(of, program.location)) else {
            return Ok(Form::Nothing);
        };
        let (actor, look) = match program.entities[of.index()].actor {
            Some(actor) => (actor, Look::Both),
            None => (crate::program::ActorId(0), Look::Facts),
        };
        Scope::new(self.world, actor, look, &[], &[]).key(key)
    }

    /// What somebody holds is where its holder is.
    pub(crate) fn carry(
        &self,
        out: &mut Vec<Statement>,
        holder: EntityId,
        place: &Term,
        when: &Term,
        seen: &mut Vec<EntityId>,
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let items: Vec<EntityId> =
            program.keys.pairs(holder, program.contains).map(|(item, _)| item).collect();
        for item in items {
            if seen.contains(&item) {
                continue;
            }
            let facts = Scope::new(self.world, crate::program::ActorId(0), Look::Facts, &[], &[]);
            let held = facts.related(holder, program.contains, item, true)?;
            let when = Term::all([when.clone(), held]);
            if when.is(false) {
                continue;
            }
            self.lay(out, item, place, &when);
            seen.push(item);
            self.carry(out, item, place, &when, seen)?;
            seen.pop();
        }
        Ok(())
    }

    fn lay(&self, out: &mut Vec<Statement>, item: EntityId, place: &Term, when: &Term) {
        let program = self.world.program;
        if let Some(key) = program.keys.find(Key::Attribute(item, program.location)) {
            self.put(out, (Store::Facts, key), place, when);
        }
    }

    /// `get` and `put`.
    pub(crate) fn handle(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        handled: &Handled<'_>,
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        let me = program.actors[work.player.id.index()].entity;
        let here = scope.cell(&self.whereabouts(me)?)?;
        let other = match handled.other {
            None => Some(Other::Place(here.clone())),
            Some(subject) => scope.entity(subject)?.map(Other::Entity),
        };
        let mut items = Vec::new();
        for item in handled.items {
            items.extend(scope.entities(*item)?);
        }
        let mut body = Vec::new();
        for item in items {
            if handled.gets {
                self.hold(&mut body, work, other.as_ref(), item, false)?;
                self.hold(&mut body, work, Some(&Other::Entity(me)), item, true)?;
                self.lay(&mut body, item, &here, &Term::Truth(true));
            } else {
                self.hold(&mut body, work, Some(&Other::Entity(me)), item, false)?;
                self.hold(&mut body, work, other.as_ref(), item, true)?;
                self.lay_down(&mut body, &scope, item, other.as_ref())?;
            }
        }
        step(out, body);
        Ok(())
    }

    fn hold(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        holder: Option<&Other>,
        item: EntityId,
        holds: bool,
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let word = self.world.values.word(Value::Bool(holds))?;
        let all: Vec<(EntityId, Term)> = match holder {
            None => Vec::new(),
            Some(Other::Entity(holder)) => vec![(*holder, Term::Truth(true))],
            Some(Other::Place(place)) => {
                let at = |area| Ok((area, place.equals(self.world.values.word(Value::Entity(area))?)));
                areas(self).map(at).collect::<Result<_, Lack>>()?
            }
        };
        for (holder, when) in all {
            if let Some(key) = program.keys.find(Key::Pair(holder, program.contains, item)) {
                self.put(out, (Store::Facts, key), &word, &when);
                self.put(out, (Store::Beliefs(work.player.id), key), &word, &when);
            }
        }
        Ok(())
    }

    /// A thing is where it is put, and those who are in that area notice it.
    fn lay_down(
        &self,
        out: &mut Vec<Statement>,
        scope: &Scope<'_>,
        item: EntityId,
        other: Option<&Other>,
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let area = match other {
            None => return Ok(()),
            Some(Other::Place(place)) => place.clone(),
            Some(Other::Entity(holder)) if program.entities[holder.index()].kind != EntityKind::Area => {
                let place = scope.cell(&self.whereabouts(*holder)?)?;
                self.lay(out, item, &place, &Term::Truth(true));
                return Ok(());
            }
            Some(Other::Entity(area)) => self.world.values.word(Value::Entity(*area))?,
        };
        self.lay(out, item, &area, &Term::Truth(true));
        let Some(key) = program.keys.find(Key::Attribute(item, program.location)) else { return Ok(()) };
        for agent in agents(program) {
            let there = scope.cell(&self.whereabouts(program.actors[agent.index()].entity)?)?;
            let same = there.equals(&area).and(&area.differs(self.unknown()));
            self.put(out, (Store::Beliefs(agent), key), &area, &same);
        }
        Ok(())
    }
}
