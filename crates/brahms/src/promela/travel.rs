//! Going somewhere, and who notices.

use motet_machine::promela::{Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::program::{EntityId, Key, KeyId, Subject, Value};
use crate::promela::cells::{Store, agents};
use crate::promela::ground::body_look;
use crate::promela::lack::Lack;
use crate::promela::scribe::{Scribe, Work, step};

impl<'a> Scribe<'a> {
    /// Who moves, and the key of where it is.
    fn mover(&self, work: Work<'a>) -> Option<(EntityId, KeyId)> {
        let program = self.world.program;
        let me = program.actors[work.player.id.index()].entity;
        program.keys.find(Key::Attribute(me, program.location)).map(|key| (me, key))
    }

    /// Those who watch for departures learn where the actor is.
    pub(crate) fn depart(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        departure: &[(Subject, bool)],
    ) -> Result<(), Lack> {
        let Some((me, key)) = self.mover(work).filter(|_| !departure.is_empty()) else { return Ok(()) };
        let scope = self.scope(work, body_look(work.frame));
        let here = scope.cell(&self.whereabouts(me)?)?;
        let new = Variable::named("new");
        let mut body = vec![assign(&new, here)];
        self.announce(&mut body, work, departure, key, &new.into(), &Term::Truth(true))?;
        step(out, body);
        Ok(())
    }

    /// The actor is there, in fact and in its own mind, with everything it carries.
    pub(crate) fn arrive(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        to: Subject,
        arrival: &[(Subject, bool)],
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        let (Some(to), Some((me, key))) = (scope.entity(to)?, self.mover(work)) else { return Ok(()) };
        let word = self.world.values.word(Value::Entity(to))?;
        let new = Variable::named("new");
        // To come to where one is already is no arrival, unless the rules say so.
        let mut body = vec![assign(&new, scope.cell(&self.whereabouts(me)?)?)];
        let moves = new.differs(&word);
        let arrives = if program.rules.zero_move_asserts { Term::Truth(true) } else { moves.clone() };
        self.put(&mut body, (Store::Facts, key), &word, &arrives);
        self.put(&mut body, (Store::Beliefs(work.player.id), key), &word, &arrives);
        self.carry(&mut body, me, &word, &arrives, &mut vec![me])?;
        if program.rules.location_awareness {
            self.notice(&mut body, work, key, &word, &moves)?;
        }
        self.announce(&mut body, work, arrival, key, &word, &arrives)?;
        step(out, body);
        Ok(())
    }

    /// Those left behind do not know any more where the actor is, those it comes to do.
    fn notice(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        key: KeyId,
        word: &Term,
        moves: &Term,
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        for other in agents(program).filter(|other| *other != work.player.id) {
            let there = scope.cell(&self.whereabouts(program.actors[other.index()].entity)?)?;
            let (new, meets) = (Variable::named("new"), there.equals(word));
            let leaves =
                Term::all([there.equals(&new), new.differs(self.unknown()), meets.not(), moves.clone()]);
            self.put(out, (Store::Beliefs(other), key), word, &Term::all([meets, moves.clone()]));
            self.forget(out, (Store::Beliefs(other), key), &leaves);
        }
        Ok(())
    }

    /// Agents in the areas of a list learn where the actor is.
    fn announce(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        areas: &[(Subject, bool)],
        key: KeyId,
        place: &Term,
        when: &Term,
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        for (area, inside_too) in areas {
            let Some(area) = scope.entity(*area)? else { continue };
            for other in agents(program).filter(|other| *other != work.player.id) {
                let there = scope.cell(&self.whereabouts(program.actors[other.index()].entity)?)?;
                let inside = self.inside(&there, area, *inside_too)?;
                self.put(out, (Store::Beliefs(other), key), place, &Term::all([inside, when.clone()]));
            }
        }
        Ok(())
    }
}
