//! The declarations: stores, what actors work on, and what the process needs besides.

use std::collections::BTreeSet;

use motet_source::{FileId, Span};

use crate::promela::cells::Store;
use crate::promela::ground::Player;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::Scribe;
use crate::promela::text::Text;

/// Turns and thoughts at one instant; more than these are a cycle without time.
const LIMIT_EFFORT: u32 = 30_000;

impl<'a> Scribe<'a> {
    /// One variable for each fact and belief that can change.
    pub(crate) fn write_stores(&self, out: &mut Text) -> Result<(), Refusal> {
        let (program, values) = (self.world.program, self.world.values);
        let mut last = None;
        for ((store, key), name) in self.world.cells.iter() {
            if last != Some(store) {
                match store {
                    Store::Facts => out.remark("facts that can change"),
                    Store::Beliefs(actor) => {
                        let entity = program.actors[actor.index()].entity;
                        out.remark(format_args!("beliefs of {}", program.entities[entity.index()].name));
                    }
                }
                last = Some(store);
            }
            let first = match self.world.cells.initial((store, key)) {
                None => "unknown".to_owned(),
                Some(value) => {
                    let place = program.entities.first().map(|one| one.span);
                    let place = place.unwrap_or_else(|| Span::new(FileId(0), 0, 0));
                    values.word(value).map_err(|lack: Lack| lack.at(place))?
                }
            };
            out.line(format_args!("{} {name} = {first};", values.width.kind));
        }
        out.gap();
        Ok(())
    }

    /// What each actor works on.
    pub(crate) fn write_actors(&self, out: &mut Text) {
        for player in self.players {
            let works = self.all_works(player);
            let thoughts = player.rooms.iter().any(|room| !room.thoughts.is_empty());
            if works.is_empty() && !thoughts {
                continue;
            }
            out.remark(format_args!("what {} works on, how far it is, seconds left", player.name));
            for (number, room) in player.rooms.iter().enumerate() {
                let open = if number > 0 { format!(" bit open_{};", room.name) } else { String::new() };
                out.line(format_args!("short now_{0}; short at_{0}; int left_{0};{open}", room.name));
                for (place, work) in room.works.iter().enumerate() {
                    out.remark(format_args!("{} is {}", place + 1, work.label));
                }
            }
            for work in works.iter().filter(|work| self.waits(**work)) {
                out.line(format_args!("byte mode_{0}; short at_{0}; int rest_{0};", work.label()));
            }
            for work in works.iter().filter(|work| self.timed(**work)) {
                out.line(format_args!("int elapsed_{0}; int total_{0}; int reached_{0};", work.label()));
            }
            self.write_marks(out, player);
        }
        out.remark("blocked workframes, spent thoughtframes, detectables that are due and what is new to them, a bit each");
        self.words().iter().for_each(|word| out.line(format_args!("int {word};")));
        out.gap();
    }

    fn write_marks(&self, out: &mut Text, player: &'a Player) {
        let mut all: BTreeSet<String> = BTreeSet::new();
        for (number, room) in player.rooms.iter().enumerate() {
            for instance in room.thoughts.iter().chain(&room.works) {
                all.extend(self.done(instance).map(|(done, _)| format!("byte {done};")));
            }
            let pending = room.works.iter().filter_map(|work| self.pending(player, number, work));
            all.extend(pending.map(|pending| format!("bit {pending};")));
        }
        all.iter().for_each(|line| out.line(line));
    }

    /// What the process needs besides; all of it is 0 wherever a claim looks.
    pub(crate) fn write_needs(&self, out: &mut Text) {
        out.remark("needed within an instant; 0 when it is over");
        out.line("short pause; bit again; bit learnt; short effort; int best; int todo; byte hit; byte by; int least;");
        out.line("bit draw_belief; bit draw_fact;");
        out.line("hidden int new; hidden byte kept;");
        for number in 0..self.spares.get() {
            out.line(format_args!("hidden int new_{number};"));
        }
        out.line("hidden byte bound_keys;");
        out.line("hidden byte bound_rounds; hidden byte bound_thoughts; hidden byte bound_numbers; hidden byte bound_ways;");
        out.line("#define CHECK(flag, condition) flag = ((condition) -> 1 : 0); assert(flag)");
        out.line(format_args!("#define LIMIT_EFFORT {LIMIT_EFFORT}"));
        out.remark("the time of an activity is over, and its end is not yet done");
        out.line("#define OVER (-1)");
        out.remark("what was blocked until something changes may start again");
        let words = self.words();
        let blocked = words.iter().filter(|word| word.starts_with("blocked_"));
        let clear: String = blocked.map(|word| format!("; {word} = 0")).collect();
        out.line(format_args!("#define FACT_CHANGED again = 1{clear}"));
        for player in self.players {
            let marks = &self.marks(player)[0];
            let clear: String =
                marks.iter().map(|(word, mask)| format!("; {word} = {word} & ~{mask}")).collect();
            out.line(format_args!("#define MIND_CHANGED_{} again = 1{clear}", player.name));
        }
        out.gap();
    }

    /// The line that tells where a run is: all facts and beliefs, then the frame of each actor and its seconds left.
    pub(crate) fn write_tell(&self, out: &mut Text) {
        let mut values: Vec<String> = self.world.cells.iter().map(|(_, name)| name.to_owned()).collect();
        for player in self.players {
            values.extend(self.doing(player));
        }
        let mut words = "printf(\"@motet state\")".to_owned();
        for some in values.chunks(6) {
            words.push_str(&format!("; printf(\"{}\", {})", " %d".repeat(some.len()), some.join(", ")));
        }
        out.remark("one line for each point at which a claim looks: facts, beliefs, frames, seconds left");
        out.line(format_args!("#define TELL {words}; printf(\"\\n\")"));
        out.gap();
    }

    fn doing(&self, player: &'a Player) -> [String; 2] {
        let works: Vec<_> = self.all_works(player);
        let mut frame = "-1".to_owned();
        for work in works.iter().filter(|work| work.room == 0) {
            let now = &work.room().name;
            frame = format!("(now_{now} == {} -> {} : {frame})", work.number + 1, work.instance.frame.0);
        }
        let mut left = "0".to_owned();
        for room in (0..player.rooms.len()).filter(|room| !player.rooms[*room].works.is_empty()) {
            let name = &player.rooms[room].name;
            let busy = crate::promela::test::Test::all([
                self.live(player, room),
                crate::promela::test::Test::text(format_args!("left_{name} > 0")),
            ]);
            left = format!("({} -> left_{name} : {left})", busy.show());
        }
        [frame, left]
    }
}
