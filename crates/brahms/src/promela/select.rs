//! Which workframe is worked on: the most urgent of those that can start, that were interrupted, or whose pause is over.

use crate::program::{Detectable, Ties};
use crate::promela::ground::Player;
use crate::promela::lack::Refusal;
use crate::promela::scribe::{Scribe, Work};
use crate::promela::test::Test;
use crate::promela::text::Text;

/// Spin does not take a `d_step` of any length.
const LONGEST: usize = 60;

impl<'a> Scribe<'a> {
    /// When each workframe can start, and how urgent it is, as macros.
    pub(crate) fn write_works(&self, out: &mut Text) -> Result<(), Refusal> {
        for player in self.players {
            for (number, room) in player.rooms.iter().enumerate() {
                let mut floor = self.none.to_string();
                let works: Vec<Work<'a>> = self.works(player, number).collect();
                for same in works.chunk_by(|a, b| a.frame.priority == b.frame.priority).rev() {
                    let (from, to) = (same[0].number + 1, same[same.len() - 1].number + 1);
                    let keeps = same[0].frame.priority + 3;
                    floor = format!("(now_{0} >= {from} && now_{0} <= {to} -> {keeps} : {floor})", room.name);
                }
                out.line(format_args!("#define floor_{} {floor}", room.name));
            }
            for work in self.all_works(player) {
                out.line(format_args!("#define can_{} {}", work.label(), self.startable(work).show()));
                let rank = self.rank(work)?;
                out.line(format_args!("#define rank_{} {rank}", work.label()));
            }
        }
        Ok(())
    }

    fn startable(&self, work: Work<'a>) -> Test {
        let mut tests = Vec::new();
        for other in self.works(work.player, work.room).filter(|other| other.instance.is_same(work.instance))
        {
            tests.push(Test::text(format_args!("now_{} != {}", work.room().name, other.number + 1)));
            if self.waits(other) {
                tests.push(Test::text(format_args!("mode_{} == 0", other.label())));
            }
        }
        if let Some((done, times)) = self.done(work.instance) {
            tests.push(Test::text(format_args!("{done} < {times}")));
        }
        if self.blocks(work) {
            let (blocked, bit) = self.block_mark(work);
            tests.push(Test::text(format_args!("!({blocked} & {})", 1_u32 << bit)));
        }
        tests.push(work.instance.guard.clone());
        Test::all(tests)
    }

    /// The effective priority, in tenths; `none` if it is no candidate.
    fn rank(&self, work: Work<'a>) -> Result<String, Refusal> {
        let (label, base, none) = (work.label(), work.frame.priority, self.none);
        let fresh = match self.pending(work.player, work.room, work.instance) {
            Some(pending) => format!("({pending} -> {} : {base})", base + 1),
            None => base.to_string(),
        };
        let mut rank = format!("(can_{label} -> {fresh} : {none})");
        if self.impasses(work) {
            let gone = self.resolved(work)?;
            rank = format!("(mode_{label} >= 2 -> ({} -> {} : {none}) : {rank})", gone.show(), base + 1);
        }
        if self.waits(work) {
            let resumes = if self.world.program.rules.resume_tests_guard {
                format!("({} -> {} : {none})", work.instance.guard.show(), base + 2)
            } else {
                (base + 2).to_string()
            };
            rank = format!("(mode_{label} == 1 -> {resumes} : {rank})");
        }
        Ok(rank)
    }

    /// Takes up something more urgent than what an actor does now, if there is something.
    pub(crate) fn select(&mut self, out: &mut Text, player: &'a Player, room: usize) -> Result<(), Refusal> {
        let works: Vec<Work<'a>> = self.works(player, room).collect();
        if works.is_empty() {
            return Ok(());
        }
        let name = &player.rooms[room].name;
        out.step();
        out.line(format_args!("best = {};", self.none));
        for (number, work) in works.iter().enumerate() {
            let label = work.label();
            if number % LONGEST == LONGEST - 1 {
                out.line("skip");
                out.step_end();
                out.step();
            }
            out.line(format_args!("if :: (rank_{label} > best) -> best = rank_{label} :: else fi;"));
        }
        // It would be the turn of an instance that cannot start any more: it is dropped.
        for (pending, waiting) in self.rounds(player, room) {
            let rank = waiting[0].frame.priority + 1;
            let starts = waiting.iter().map(|work| Test::text(format_args!("can_{}", work.label())));
            let vain = Test::all([
                Test::text(format_args!("{pending} && best <= {rank} && floor_{name} < {rank}")),
                Test::any(starts).not(),
            ]);
            out.line(format_args!("if :: {} -> {pending} = 0 :: else fi;", vain.show()));
        }
        // What is being done is kept unless something is more urgent by more than three tenths.
        out.line(format_args!("if :: (best <= floor_{name}) -> best = {} :: else fi;", self.none));
        out.line("skip");
        out.step_end();
        out.open("if");
        out.line(format_args!(":: (best == {}) -> best = 0", self.none));
        out.open(":: else ->");
        self.interrupt(out, &works);
        out.open("if");
        let mut first = String::new();
        for work in works {
            out.open(format_args!(":: (rank_{} == best{first}) ->", work.label()));
            if self.world.program.rules.ties == Ties::First {
                first.push_str(&format!(" && rank_{} != best", work.label()));
            }
            self.take(out, work)?;
            self.watch(out);
            out.line(format_args!("goto turn_{}", player.name));
            out.close("");
        }
        out.close("fi");
        out.close("");
        out.close("fi;");
        Ok(())
    }

    /// What is being done is put aside for something more urgent.
    fn interrupt(&self, out: &mut Text, works: &[Work<'a>]) {
        let less = |work: &&Work<'a>| works.iter().any(|other| other.frame.priority > work.frame.priority);
        let less: Vec<&Work<'a>> = works.iter().filter(less).collect();
        if less.is_empty() {
            return;
        }
        out.open("if");
        for work in less {
            out.open(format_args!(":: (now_{} == {}) ->", work.room().name, work.number + 1));
            self.set_aside(out, *work, "1");
            out.line("skip");
            out.close("");
        }
        out.line(":: else");
        out.close("fi;");
    }

    fn take(&self, out: &mut Text, work: Work<'a>) -> Result<(), Refusal> {
        let room = &work.room().name;
        out.remark(&work.frame.name);
        out.step();
        out.line("best = 0; again = 1;");
        self.look_anew(out, work);
        let label = work.label();
        if self.waits(work) {
            out.open("if");
            out.open(format_args!(":: (mode_{label} > 0) ->"));
            out.line(format_args!("at_{room} = at_{label}; left_{room} = rest_{label};"));
            out.line(format_args!("mode_{label} = 0; at_{label} = 0; rest_{label} = 0"));
            out.close("");
            out.open(":: else ->");
            self.start(out, work)?;
            out.line("skip");
            out.close("");
            out.close("fi;");
        } else {
            self.start(out, work)?;
        }
        out.line(format_args!("now_{room} = {}", work.number + 1));
        out.step_end();
        Ok(())
    }

    /// The detectables of a frame that starts or resumes, and of everything open in it, have to be looked at.
    pub(crate) fn look_anew(&self, out: &mut Text, work: Work<'a>) {
        let mut all: Vec<&Detectable> = work.frame.detectables.iter().collect();
        let mut inside = vec![(work.room, work.number)];
        while let Some(outer) = inside.pop() {
            for (number, room) in work.player.rooms.iter().enumerate() {
                if room.door.is_some_and(|(_, parent, by, _)| (parent, by) == outer) {
                    all.extend(self.composite(room).into_iter().flatten());
                    all.extend(self.works(work.player, number).flat_map(|inner| &inner.frame.detectables));
                    inside.extend((0..room.works.len()).map(|inner| (number, inner)));
                }
            }
        }
        let at_once = self.world.program.rules.detect_at_start;
        let (due, later): (Vec<&Detectable>, Vec<&Detectable>) =
            all.into_iter().partition(|one| at_once && one.percent.is_none());
        if !at_once && self.detects(work.player) {
            // What was stated before the frame starts is not stated later.
            out.line(format_args!("{};", self.nothing_due(work.player)));
        }
        self.mark_due(out, work.player, &due);
        for one in later {
            for (word, bit) in [self.due_mark(work.player, one), self.fresh_mark(work.player, one)] {
                out.line(format_args!("{word} = {word} & ~{};", 1_u32 << bit));
            }
        }
    }

    /// A new instance: it counts as done from now on, and the other bindings of a `foreach` frame become pending.
    fn start(&self, out: &mut Text, work: Work<'a>) -> Result<(), Refusal> {
        if let Some(own) = self.pending(work.player, work.room, work.instance) {
            out.open("if");
            out.line(format_args!(":: {own} -> {own} = 0"));
            out.open(":: else ->");
            for (pending, works) in self.rounds(work.player, work.room) {
                let same = works.iter().any(|other| other.instance.frame == work.instance.frame);
                if same && pending != own {
                    let can: Vec<String> =
                        works.iter().map(|other| format!("can_{}", other.label())).collect();
                    out.line(format_args!("{pending} = ({} -> 1 : 0);", can.join(" || ")));
                }
            }
            out.line("skip");
            out.close("");
            out.close("fi;");
        }
        if let Some((done, _)) = self.done(work.instance) {
            out.line(format_args!("{done} = {done} + 1;"));
        }
        self.begin_timing(out, work)
    }

    /// The pending marks of a room, each with the instances that it stands for.
    fn rounds(&self, player: &'a Player, room: usize) -> Vec<(String, Vec<Work<'a>>)> {
        let mut all: Vec<(String, Vec<Work<'a>>)> = Vec::new();
        for work in self.works(player, room) {
            let Some(pending) = self.pending(player, room, work.instance) else { continue };
            match all.iter_mut().find(|(name, _)| *name == pending) {
                Some((_, works)) => works.push(work),
                None => all.push((pending, vec![work])),
            }
        }
        all
    }

    /// What is being done is put aside, with where it is and what is left of its time.
    pub(crate) fn set_aside(&self, out: &mut Text, work: Work<'a>, mode: &str) {
        let (room, label) = (&work.room().name, work.label());
        out.line(format_args!("mode_{label} = {mode}; at_{label} = at_{room}; rest_{label} = left_{room};"));
        out.line(format_args!("now_{room} = 0; at_{room} = 0; left_{room} = 0;"));
    }

    /// What is being done is over.
    pub(crate) fn drop_current(&self, out: &mut Text, work: Work<'a>) {
        let room = &work.room().name;
        self.close_rooms_of(out, work);
        self.end_timing(out, work);
        out.line(format_args!("now_{room} = 0; at_{room} = 0; left_{room} = 0;"));
    }

    /// Closes the composite activities that a frame may have open.
    pub(crate) fn close_rooms_of(&self, out: &mut Text, work: Work<'a>) {
        for (number, room) in work.player.rooms.iter().enumerate() {
            if room.door.is_some_and(|(_, parent, by, _)| (parent, by) == (work.room, work.number)) {
                self.close_room(out, work.player, number);
            }
        }
    }

    /// Forgets everything inside a composite activity.
    pub(crate) fn close_room(&self, out: &mut Text, player: &'a Player, room: usize) {
        let name = &player.rooms[room].name;
        out.line(format_args!("open_{name} = 0; now_{name} = 0; at_{name} = 0; left_{name} = 0;"));
        for work in self.works(player, room) {
            let label = work.label();
            if self.waits(work) {
                out.line(format_args!("mode_{label} = 0; at_{label} = 0; rest_{label} = 0;"));
            }
            if let Some((done, _)) = self.done(work.instance) {
                out.line(format_args!("{done} = 0;"));
            }
            if let Some(pending) = self.pending(player, room, work.instance) {
                out.line(format_args!("{pending} = 0;"));
            }
            if self.blocks(work) {
                let (blocked, bit) = self.block_mark(work);
                out.line(format_args!("{blocked} = {blocked} & ~{};", 1_u32 << bit));
            }
            self.end_timing(out, work);
            self.close_rooms_of(out, work);
        }
        for thought in &player.rooms[room].thoughts {
            if let Some((done, _)) = self.done(thought) {
                out.line(format_args!("{done} = 0;"));
            }
            let (spent, bit) = self.spent_mark(player, thought);
            out.line(format_args!("{spent} = {spent} & ~{};", 1_u32 << bit));
        }
    }
}
