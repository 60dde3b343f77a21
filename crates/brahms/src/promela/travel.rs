//! Going somewhere, and who notices.

use crate::program::{EntityId, Key, KeyId, Subject, Value};
use crate::promela::act::equal;
use crate::promela::cells::{Store, agents};
use crate::promela::ground::body_look;
use crate::promela::lack::Lack;
use crate::promela::scribe::{Scribe, Work};
use crate::promela::test::Test;
use crate::promela::text::Text;

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
        out: &mut Text,
        work: Work<'a>,
        departure: &[(Subject, bool)],
    ) -> Result<(), Lack> {
        let Some((me, key)) = self.mover(work).filter(|_| !departure.is_empty()) else { return Ok(()) };
        let scope = self.scope(work, body_look(work.frame));
        let here = scope.cell(&self.whereabouts(me)?)?;
        out.step();
        out.line(format_args!("new = {here};"));
        self.announce(out, work, departure, key, "new", &Test::Sure(true))?;
        out.line("skip");
        out.step_end();
        Ok(())
    }

    /// The actor is there, in fact and in its own mind, with everything it carries.
    pub(crate) fn arrive(
        &self,
        out: &mut Text,
        work: Work<'a>,
        to: Subject,
        arrival: &[(Subject, bool)],
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        let (Some(to), Some((me, key))) = (scope.entity(to)?, self.mover(work)) else { return Ok(()) };
        let word = self.world.values.word(Value::Entity(to))?;
        out.step();
        // To come to where one is already is no arrival, unless the rules say so.
        out.line(format_args!("new = {};", scope.cell(&self.whereabouts(me)?)?));
        let moves = Test::text(format_args!("new != {word}"));
        let arrives = if program.rules.zero_move_asserts { Test::Sure(true) } else { moves.clone() };
        self.put(out, (Store::Facts, key), &word, &arrives);
        self.put(out, (Store::Beliefs(work.player.id), key), &word, &arrives);
        self.carry(out, me, &word, &arrives, &mut vec![me])?;
        if program.rules.location_awareness {
            self.notice(out, work, key, &word, &moves)?;
        }
        self.announce(out, work, arrival, key, &word, &arrives)?;
        out.line("skip");
        out.step_end();
        Ok(())
    }

    /// Those left behind do not know any more where the actor is, those it comes to do.
    fn notice(
        &self,
        out: &mut Text,
        work: Work<'a>,
        key: KeyId,
        word: &str,
        moves: &Test,
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        for other in agents(program).filter(|other| *other != work.player.id) {
            let there = scope.cell(&self.whereabouts(program.actors[other.index()].entity)?)?;
            let meets = equal(&there, word);
            let leaves = Test::all([
                Test::text(format_args!("{there} == new && new != unknown")),
                meets.clone().not(),
                moves.clone(),
            ]);
            self.put(out, (Store::Beliefs(other), key), word, &Test::all([meets, moves.clone()]));
            self.forget(out, (Store::Beliefs(other), key), &leaves);
        }
        Ok(())
    }

    /// Agents in the areas of a list learn where the actor is.
    fn announce(
        &self,
        out: &mut Text,
        work: Work<'a>,
        areas: &[(Subject, bool)],
        key: KeyId,
        place: &str,
        when: &Test,
    ) -> Result<(), Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        for (area, inside_too) in areas {
            let Some(area) = scope.entity(*area)? else { continue };
            for other in agents(program).filter(|other| *other != work.player.id) {
                let there = scope.cell(&self.whereabouts(program.actors[other.index()].entity)?)?;
                let inside = self.inside(&there, area, *inside_too)?;
                self.put(out, (Store::Beliefs(other), key), place, &Test::all([inside, when.clone()]));
            }
        }
        Ok(())
    }
}
