//! The declarations: stores, what actors work on, and what the process needs besides.

use std::collections::BTreeSet;

use motet_machine::promela::{Item, Program, Statement, Variable, assign};
use motet_machine::{Expr as Term, Place};
use motet_source::{FileId, Span};

use crate::promela::cells::Store;
use crate::promela::ground::Player;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{LIMIT_EFFORT, Mark, Scribe, gathered, variable};

impl<'a> Scribe<'a> {
    /// One variable for each fact and belief that can change.
    pub(crate) fn write_stores(&self, out: &mut Program) -> Result<(), Refusal> {
        let (program, values) = (self.world.program, self.world.values);
        let mut last = None;
        for ((store, key), name) in self.world.cells.iter() {
            if last != Some(store) {
                match store {
                    Store::Facts => out.remark("facts that can change"),
                    Store::Beliefs(actor) => {
                        let entity = program.actors[actor.index()].entity;
                        out.remark(format!("beliefs of {}", program.entities[entity.index()].name));
                    }
                }
                last = Some(store);
            }
            let first = match self.world.cells.initial((store, key)) {
                None => self.unknown(),
                Some(value) => {
                    let place = program.entities.first().map(|one| one.span);
                    let place = place.unwrap_or_else(|| Span::new(FileId(0), 0, 0));
                    values.word(value).map_err(|lack: Lack| lack.at(place))?
                }
            };
            out.push(Variable::new(values.width.kind, name).starting(first));
        }
        out.gap();
        Ok(())
    }

    /// What each actor works on.
    pub(crate) fn write_actors(&self, out: &mut Program) {
        for player in self.players {
            let works = self.all_works(player);
            let thoughts = player.rooms.iter().any(|room| !room.thoughts.is_empty());
            if works.is_empty() && !thoughts {
                continue;
            }
            out.remark(format!("what {} works on, how far it is, seconds left", player.name));
            for (number, room) in player.rooms.iter().enumerate() {
                let open = (number > 0).then_some(("bit", "open"));
                let all = [("short", "now"), ("short", "at"), ("int", "left")].into_iter().chain(open);
                out.items.extend(all.map(|(kind, what)| declared(kind, what, &room.name)));
                for (place, work) in room.works.iter().enumerate() {
                    out.remark(format!("{} is {}", place + 1, work.label));
                }
            }
            for work in works.iter().filter(|work| self.waits(**work)) {
                let all = [("byte", "mode"), ("short", "at"), ("int", "rest")];
                out.items.extend(all.map(|(kind, what)| declared(kind, what, work.label())));
            }
            for work in works.iter().filter(|work| self.timed(**work)) {
                let all = ["elapsed", "total", "reached"];
                out.items.extend(all.map(|what| declared("int", what, work.label())));
            }
            self.write_marks(out, player);
        }
        out.remark("blocked workframes, spent thoughtframes, detectables that are due and what is new to them, a bit each");
        out.items.extend(self.words().iter().map(|word| Item::from(Variable::new("int", word))));
        out.gap();
    }

    fn write_marks(&self, out: &mut Program, player: &'a Player) {
        let mut all: BTreeSet<(&str, Place)> = BTreeSet::new();
        for (number, room) in player.rooms.iter().enumerate() {
            for instance in room.thoughts.iter().chain(&room.works) {
                all.extend(self.done(instance).map(|(done, _)| ("byte", done)));
            }
            let pending = room.works.iter().filter_map(|work| self.pending(player, number, work));
            all.extend(pending.map(|pending| ("bit", pending)));
        }
        out.items.extend(all.iter().map(|(kind, place)| Item::from(Variable::new(kind, &**place.name()))));
    }

    /// What the process needs besides; all of it is 0 wherever a claim looks.
    pub(crate) fn write_needs(&self, out: &mut Program) {
        out.remark("needed within an instant; 0 when it is over");
        let kept = [
            ("short", "pause"),
            ("bit", "again"),
            ("bit", "learnt"),
            ("short", "effort"),
            ("int", "best"),
            ("int", "todo"),
            ("byte", "hit"),
            ("byte", "by"),
            ("int", "least"),
            ("bit", "draw_belief"),
            ("bit", "draw_fact"),
        ];
        out.items.extend(kept.map(|(kind, name)| Item::from(Variable::new(kind, name))));
        let hidden = |kind: &str, name: &str| Item::from(Variable::new(kind, name).hidden());
        out.push(hidden("int", "new"));
        out.push(hidden("byte", "kept"));
        out.items.extend((0..self.spares.get()).map(|number| hidden("int", self.spare(number).name())));
        for bound in ["keys", "rounds", "thoughts", "numbers", "ways"] {
            out.push(hidden("byte", &format!("bound_{bound}")));
        }
        out.push(Item::check());
        out.push(Item::define("LIMIT_EFFORT", LIMIT_EFFORT));
        out.remark("the time of an activity is over, and its end is not yet done");
        out.push(Item::define("OVER", -1));
        out.remark("what was blocked until something changes may start again");
        let again = || vec![assign("again", 1)];
        let mut fact = again();
        let blocked = self.players.iter().flat_map(|player| self.marks(player)[0].clone());
        fact.extend(gathered(blocked).iter().map(|mark| assign(&mark.word, 0)));
        out.push(Item::abbreviate("FACT_CHANGED", &[], fact));
        for player in self.players {
            let mut mind = again();
            mind.extend(self.marks(player)[0].iter().map(Mark::clear));
            out.push(Item::abbreviate(format!("MIND_CHANGED_{}", player.name), &[], mind));
        }
        out.gap();
    }

    /// The line that tells where a run is: all facts and beliefs, then the frame of each actor and its seconds left.
    pub(crate) fn write_tell(&self, out: &mut Program) {
        let mut values: Vec<Term> = self.world.cells.iter().map(|(_, name)| Term::variable(name)).collect();
        values.extend(self.players.iter().flat_map(|player| self.doing(player)));
        out.remark("one line for each point at which a claim looks: facts, beliefs, frames, seconds left");
        out.push(Item::abbreviate("TELL", &[], Statement::tell(values)));
        out.gap();
    }

    fn doing(&self, player: &'a Player) -> [Term; 2] {
        let works = self.all_works(player).into_iter().filter(|work| work.room == 0);
        let frame = works.fold(Term::from(-1), |other, work| {
            Term::choose(&work.now(), &i64::from(work.instance.frame.0).into(), &other)
        });
        let rooms = (0..player.rooms.len()).filter(|room| !player.rooms[*room].works.is_empty());
        let left = rooms.fold(Term::from(0), |other, room| {
            let left = variable("left", &player.rooms[room].name);
            Term::choose(&self.live(player, room).and(&left.greater(0)), &left.into(), &other)
        });
        [frame, left]
    }
}

fn declared(kind: &str, what: &str, name: &str) -> Item {
    Variable::new(kind, &**variable(what, name).name()).into()
}
