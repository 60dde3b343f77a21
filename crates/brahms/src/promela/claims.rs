//! Atoms of claims as macros over the stores and what actors work on.

use crate::atoms::{Predicate, Term, Test as Asked};
use crate::program::{ActivityNode, ActorId, KeyId, Statement};
use crate::promela::Promela;
use crate::promela::expr::{Form, Look, Scope};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::Scribe;
use crate::promela::test::Test;
use crate::promela::text::Text;

impl Promela {
    /// The atoms that the claims use, as macros.
    pub(crate) fn define_atoms(&self, out: &mut Text, scribe: &Scribe<'_>) -> Result<(), Refusal> {
        for (predicate, name) in self.semantics.atoms.iter().zip(&self.atoms) {
            if scribe.atoms.contains(name) {
                let test = match predicate {
                    Predicate::Test(test) => {
                        scribe.asked(test).map_err(|lack| unasked(lack).at(self.anywhere()))?
                    }
                    // Set by the message, and taken back once the claims have seen it.
                    Predicate::Says { .. } => {
                        out.line(format_args!("bit said_{name};"));
                        Test::text(format_args!("said_{name}"))
                    }
                };
                out.line(format_args!("#define {name} {}", test.show()));
            }
        }
        Ok(())
    }
}

/// A number that the model cannot hold is the claim's, not the model's.
fn unasked(lack: Lack) -> Lack {
    match lack {
        Lack::Number => Lack::Claimed("a number with a fraction, or beyond one billion,".to_owned()),
        other => other,
    }
}

impl<'a> Scribe<'a> {
    /// The claims hear a message, if one of them speaks of it.
    pub(crate) fn hear(
        &self,
        out: &mut Text,
        (teller, told): (ActorId, ActorId),
        key: KeyId,
        value: &Form,
        when: &Test,
    ) -> Result<(), Lack> {
        for (name, predicate) in &self.events {
            let Predicate::Says { from, to, keys, value: wanted } = predicate else { continue };
            if (*from, *to) != (teller, told) || !keys.contains(&key) {
                continue;
            }
            let reader = self.reader(0);
            let fits = match wanted {
                Some((operator, wanted)) => reader.compare(value, *operator, &Form::Constant(*wanted))?,
                None => reader.is_known(value),
            };
            let heard = Test::all([when.clone(), fits]);
            if heard != Test::Sure(false) {
                out.line(format_args!("if :: {} -> said_{name} = 1 :: else fi;", heard.show()));
            }
        }
        Ok(())
    }

    fn asked(&self, test: &Asked) -> Result<Test, Lack> {
        let nobody = self.reader(0);
        Ok(match test {
            Asked::Constant(truth) => Test::Sure(*truth),
            Asked::Not(of) => self.asked(of)?.not(),
            Asked::And(left, right) => Test::all([self.asked(left)?, self.asked(right)?]),
            Asked::Or(left, right) => Test::any([self.asked(left)?, self.asked(right)?]),
            Asked::Compare(left, operator, right) => {
                nobody.compare(&self.term(left)?, *operator, &self.term(right)?)?
            }
            Asked::Known(term) => nobody.is_known(&self.term(term)?),
            Asked::Does(actor, name) => self.does(*actor, name),
            Asked::Idle(actor) => {
                let player = &self.players[actor.index()];
                if player.rooms[0].works.is_empty() {
                    return Ok(Test::Sure(true));
                }
                Test::text(format_args!("now_{} == 0", player.rooms[0].name))
            }
        })
    }

    /// Reads one store: 0 is the facts, `1 + a` the beliefs of actor `a`.
    fn reader(&self, store: usize) -> Scope<'a> {
        let (actor, look) = match store.checked_sub(1) {
            None => (ActorId(0), Look::Facts),
            Some(actor) => (ActorId(u32::try_from(actor).unwrap_or(u32::MAX)), Look::Beliefs),
        };
        Scope::new(self.world, actor, look, &[], &[])
    }

    fn term(&self, term: &Term) -> Result<Form, Lack> {
        match term {
            Term::Value(value) => self.world.values.word(*value).map(|_| Form::Constant(*value)),
            Term::Unknown => Ok(Form::Nothing),
            Term::Read(store, key) => self.reader(*store).key(*key),
            Term::Binary(operator, left, right) => {
                self.reader(0).binary(*operator, &self.term(left)?, &self.term(right)?)
            }
        }
    }

    /// An actor works on a frame of this name, or performs an activity of this name.
    fn does(&self, actor: ActorId, name: &str) -> Test {
        let player = &self.players[actor.index()];
        let mut tests = Vec::new();
        for work in self.all_works(player) {
            let room = &work.room().name;
            let live = self.live(player, work.room);
            let now = Test::text(format_args!("now_{room} == {}", work.number + 1));
            if work.frame.name == name {
                tests.push(Test::all([live.clone(), now.clone()]));
            }
            for (place, statement) in work.frame.body.iter().enumerate() {
                let Statement::Do(activity) = statement else { continue };
                let activity = &self.world.program.activities[activity.index()];
                if activity.name != name {
                    continue;
                }
                let running = if matches!(activity.node, ActivityNode::Composite { .. }) {
                    let here = |room: &crate::promela::ground::Room| {
                        room.door.is_some_and(|(_, parent, by, at)| {
                            (parent, by, at) == (work.room, work.number, place)
                        })
                    };
                    let inner = player.rooms.iter().find(|room| here(room));
                    inner.map_or(Test::Sure(false), |inner| Test::text(format_args!("open_{}", inner.name)))
                } else {
                    Test::text(format_args!("left_{room} != 0"))
                };
                let at = Test::text(format_args!("at_{room} == {place}"));
                tests.push(Test::all([live.clone(), now.clone(), at, running]));
            }
        }
        Test::any(tests)
    }
}
