//! Atoms of claims as macros over the stores and what actors work on.

use motet_machine::Expr as Term;
use motet_machine::promela::{Item, Program, Statement, Variable as Declared, assign};

use crate::atoms::{Predicate, Term as AskedTerm, Test as Asked};
use crate::program::{ActivityNode, ActorId, KeyId, Statement as Line};
use crate::promela::Promela;
use crate::promela::expr::{Form, Look, Scope};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Scribe, variable};

impl Promela {
    /// The atoms that the claims use, as macros.
    pub(crate) fn define_atoms(&self, out: &mut Program, scribe: &Scribe<'_>) -> Result<(), Refusal> {
        for (predicate, name) in self.semantics.atoms.iter().zip(&self.atoms) {
            if scribe.atoms.contains(name) {
                let test = match predicate {
                    Predicate::Test(test) => {
                        scribe.asked(test).map_err(|lack| unasked(lack).at(self.anywhere()))?
                    }
                    // Set by the message, and taken back once the claims have seen it.
                    Predicate::Says { .. } => {
                        let said = variable("said", name);
                        out.push(Declared::new("bit", &**said.name()));
                        said.into()
                    }
                };
                out.push(Item::define(name, test));
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
        out: &mut Vec<Statement>,
        (teller, told): (ActorId, ActorId),
        key: KeyId,
        value: &Form,
        when: &Term,
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
            let heard = when.and(&fits);
            if !heard.is(false) {
                out.push(Statement::when(heard, vec![assign(variable("said", name), 1)]));
            }
        }
        Ok(())
    }

    fn asked(&self, test: &Asked) -> Result<Term, Lack> {
        let nobody = self.reader(0);
        Ok(match test {
            Asked::Constant(truth) => Term::Truth(*truth),
            Asked::Not(of) => self.asked(of)?.not(),
            Asked::And(left, right) => Term::all([self.asked(left)?, self.asked(right)?]),
            Asked::Or(left, right) => Term::any([self.asked(left)?, self.asked(right)?]),
            Asked::Compare(left, operator, right) => {
                nobody.compare(&self.term(left)?, *operator, &self.term(right)?)?
            }
            Asked::Known(term) => nobody.is_known(&self.term(term)?),
            Asked::Does(actor, name) => self.does(*actor, name),
            Asked::Idle(actor) => {
                let player = &self.players[actor.index()];
                if player.rooms[0].works.is_empty() {
                    return Ok(Term::Truth(true));
                }
                variable("now", &player.rooms[0].name).equals(0)
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

    fn term(&self, term: &AskedTerm) -> Result<Form, Lack> {
        match term {
            AskedTerm::Value(value) => self.world.values.word(*value).map(|_| Form::Constant(*value)),
            AskedTerm::Unknown => Ok(Form::Nothing),
            AskedTerm::Read(store, key) => self.reader(*store).key(*key),
            AskedTerm::Binary(operator, left, right) => {
                self.reader(0).binary(*operator, &self.term(left)?, &self.term(right)?)
            }
        }
    }

    /// An actor works on a frame of this name, or performs an activity of this name.
    fn does(&self, actor: ActorId, name: &str) -> Term {
        let player = &self.players[actor.index()];
        let mut tests = Vec::new();
        for work in self.all_works(player) {
            let here = self.live(player, work.room).and(&work.now());
            if work.frame.name == name {
                tests.push(here.clone());
            }
            for (place, statement) in work.frame.body.iter().enumerate() {
                let Line::Do(activity) = statement else { continue };
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
                    inner.map_or(Term::Truth(false), |inner| variable("open", &inner.name).into())
                } else {
                    work.about("left").differs(0)
                };
                let at = work.about("at").equals(Term::count(place));
                tests.push(Term::all([here.clone(), at, running]));
            }
        }
        Term::any(tests)
    }
}
