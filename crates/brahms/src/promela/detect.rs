//! Detectables: facts that are looked for become beliefs, and what is believed then may end, pause or finish the frame.

use crate::program::{DetectAction, Detectable};
use crate::promela::cells::Store;
use crate::promela::expr::{Form, Look, Scope};
use crate::promela::ground::Player;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Scribe, Work};
use crate::promela::sought::{compared, fits, holds, keys};
use crate::promela::test::Test;
use crate::promela::text::Text;

/// Whose detectables are looked at.
#[derive(Clone, Copy)]
enum Level {
    /// Those of a frame.
    Frame,
    /// Those of the composite activity that has this room.
    Composite(usize),
}

/// Actions as numbers, the strongest last.
fn strength(action: DetectAction) -> usize {
    match action {
        DetectAction::Continue => 0,
        DetectAction::EndActivity => 1,
        DetectAction::Complete => 2,
        DetectAction::Impasse => 3,
        DetectAction::Abort => 4,
    }
}

impl<'a> Scribe<'a> {
    /// An actor looks out for what changed since it last did, from the outside in.
    pub(crate) fn detect(&mut self, out: &mut Text, player: &'a Player) -> Result<(), Refusal> {
        let marks = &self.marks(player)[2];
        if !self.detects(player) || marks.is_empty() {
            return Ok(());
        }
        let any: Vec<String> = marks.iter().map(|(word, mask)| format!("({word} & {mask})")).collect();
        out.open("if");
        out.open(format_args!(":: ({}) ->", any.join(" || ")));
        for room in 0..player.rooms.len() {
            self.detect_composite(out, player, room)?;
            let works: Vec<Work<'a>> =
                self.works(player, room).filter(|work| !work.frame.detectables.is_empty()).collect();
            if works.is_empty() {
                continue;
            }
            out.open("if");
            for work in works {
                let here = Test::text(format_args!("now_{} == {}", work.room().name, work.number + 1));
                out.open(format_args!(":: {} ->", Test::all([self.live(player, room), here]).show()));
                out.remark(&work.frame.name);
                let scope = self.scope(work, self.sight());
                self.look_out(out, player, &scope, &work.frame.detectables)?;
                self.act_on(out, work, &work.frame.detectables, Level::Frame);
                out.line("skip");
                out.close("");
            }
            out.line(":: else");
            out.close("fi;");
        }
        out.open("if");
        out.open(":: learnt ->");
        out.line(format_args!("learnt = 0; {};", self.nothing_new(player)));
        self.watch(out);
        out.line(format_args!("goto turn_{}", player.name));
        out.close("");
        out.line(format_args!(":: else -> {}", self.nothing_due(player)));
        out.close("fi");
        out.close("");
        out.line(":: else");
        out.close("fi;");
        Ok(())
    }

    /// Nothing has to be looked at, and nothing is new.
    pub(crate) fn nothing_due(&self, player: &'a Player) -> String {
        let marks = self.marks(player);
        let marks = marks[2..].iter().flatten();
        marks.map(|(word, mask)| format!("{word} = {word} & ~{mask}")).collect::<Vec<_>>().join("; ")
    }

    /// What was new was looked at. What was learnt meanwhile has to be, except by uncertain ones that had their chance.
    fn nothing_new(&self, player: &'a Player) -> String {
        let [_, _, _, fresh, drawn, news] = self.marks(player);
        let mut all: Vec<String> = Vec::new();
        for word in drawn.keys() {
            let due = word.replacen("drawn", "due", 1);
            all.push(format!("{due} = {due} & ~{word}"));
        }
        let marks = fresh.iter().chain(&drawn).chain(&news);
        all.extend(marks.map(|(word, mask)| format!("{word} = {word} & ~{mask}")));
        all.join("; ")
    }

    /// What the composite activity of a room looks out for.
    fn detect_composite(&mut self, out: &mut Text, player: &'a Player, room: usize) -> Result<(), Refusal> {
        let Some(detectables) = self.composite(&player.rooms[room]).filter(|all| !all.is_empty()) else {
            return Ok(());
        };
        let Some((_, parent, number, _)) = player.rooms[room].door else { return Ok(()) };
        let Some(caller) = self.works(player, parent).nth(number) else { return Ok(()) };
        out.open("if");
        out.open(format_args!(":: {} ->", self.live(player, room).show()));
        let binding = &caller.instance.binding;
        let scope = Scope::new(self.world, player.id, self.sight(), binding, &player.rooms[room].outer);
        self.look_out(out, player, &scope, detectables)?;
        self.act_on(out, caller, detectables, Level::Composite(room));
        out.line("skip");
        out.close("");
        out.line(":: else");
        out.close("fi;");
        Ok(())
    }

    /// A composite activity ends, and its caller goes on after it.
    pub(crate) fn leave(&mut self, out: &mut Text, player: &'a Player, room: usize) {
        let Some((_, parent, _, place)) = player.rooms[room].door else { return };
        out.step();
        out.line("hit = 0; by = 0; learnt = 0; again = 1;");
        if self.detects(player) {
            out.line(format_args!("{};", self.nothing_new(player)));
        }
        self.close_room(out, player, room);
        out.line(format_args!("at_{} = {}", player.rooms[parent].name, place + 1));
        out.step_end();
        self.watch(out);
        out.line(format_args!("goto turn_{}", player.name));
    }

    /// Both steps of detection for a list of detectables: facts become beliefs, then the strongest action that is due is
    /// in `hit`, and its detectable in `by`.
    fn look_out(
        &mut self,
        out: &mut Text,
        player: &'a Player,
        scope: &Scope<'a>,
        detectables: &'a [Detectable],
    ) -> Result<(), Refusal> {
        for (number, one) in detectables.iter().enumerate() {
            if (1..100).contains(&one.certainty) {
                let bit = bit(number).map_err(|lack| lack.at(one.span))?;
                let percent = one.certainty;
                out.line(format_args!("if :: todo = todo | {bit} :: skip fi; /* {percent} percent */"));
            }
        }
        out.step();
        out.line("kept = again; again = 0;");
        for (number, one) in detectables.iter().enumerate().filter(|(_, one)| one.certainty > 0) {
            let bit = bit(number).map_err(|lack| lack.at(one.span))?;
            let (word, due) = self.due_mark(player, one);
            let looked = format!("{word} = {word} & ~{}", 1_u32 << due);
            out.open("if");
            if one.certainty < 100 {
                let (mark, place) = self.drawn_mark(player, one);
                let drawn = format!("{mark} = {mark} | {}", 1_u32 << place);
                out.line(format_args!(
                    ":: (({word} & {}) && !(todo & {bit})) -> {looked}; {drawn}",
                    1_u32 << due
                ));
                out.open(format_args!(":: (({word} & {}) && (todo & {bit})) ->", 1_u32 << due));
                out.line(format_args!("{drawn};"));
            } else {
                out.open(format_args!(":: ({word} & {}) ->", 1_u32 << due));
            }
            self.detect_one(out, player, scope, number, one).map_err(|lack| lack.at(one.span))?;
            out.line(looked);
            out.close("");
            out.line(":: else");
            out.close("fi;");
        }
        out.line("learnt = (learnt || again -> 1 : 0); again = (again || kept -> 1 : 0); todo = 0");
        out.step_end();
        Ok(())
    }

    fn detect_one(
        &self,
        out: &mut Text,
        player: &'a Player,
        scope: &Scope<'a>,
        number: usize,
        one: &'a Detectable,
    ) -> Result<(), Lack> {
        let facts = Scope::new(scope.world, scope.actor, Look::Facts, scope.binding, scope.outer);
        let mut seen = keys(scope, &one.sought)?;
        let mut others = compared(scope, &one.sought)?;
        if self.world.program.rules.detect_on_facts {
            for (key, when) in &mut seen {
                *when = Test::all([when.clone(), fits(scope, &one.sought, &scope.key(*key)?)?]);
            }
            for (_, when) in &mut others {
                *when = Test::all([when.clone(), holds(scope, &one.sought)?]);
            }
        }
        seen.extend(others);
        let (fresh, place) = self.fresh_mark(player, one);
        let fresh = format!("{fresh} & {}", 1_u32 << place);
        for (key, mut when) in seen {
            if !self.world.program.rules.detect_on_facts {
                let news = self.news_mark(player, key);
                let news = news.map(|(word, bit)| format!(" || ({word} & {})", 1_u32 << bit));
                let is_new = Test::text(format_args!("({fresh}){}", news.unwrap_or_default()));
                when = Test::all([when, is_new]);
            }
            let held = match (
                self.world.cells.name((Store::Facts, key)),
                self.world.cells.initial((Store::Facts, key)),
            ) {
                (Some(name), _) => Form::Cell(name.to_owned()),
                (None, Some(value)) => Form::Constant(value),
                (None, None) => continue,
            };
            self.put(out, (Store::Beliefs(player.id), key), &facts.cell(&held)?, &when);
        }
        if one.action == DetectAction::Continue {
            return Ok(());
        }
        let level = strength(one.action);
        let due = Test::all([holds(scope, &one.sought)?, Test::text(format_args!("hit < {level}"))]);
        if due != Test::Sure(false) {
            out.line(format_args!("if :: {} -> hit = {level}; by = {number} :: else fi;", due.show()));
        }
        Ok(())
    }

    /// What becomes of the frame; the composite activity's detectables speak of the frame that performs it.
    fn act_on(&mut self, out: &mut Text, work: Work<'a>, detectables: &[Detectable], level: Level) {
        let has = |action| detectables.iter().any(|one| one.action == action);
        if detectables.iter().all(|one| one.action == DetectAction::Continue) {
            return;
        }
        let room = work.room().name.clone();
        let (abort, impasse) = (has(DetectAction::Abort), has(DetectAction::Impasse));
        out.open("if");
        match level {
            Level::Frame if abort => self.acts(out, work, "hit == 4", |scribe, out| scribe.abort(out, work)),
            Level::Composite(_) if abort || impasse => {
                self.acts(out, work, "hit >= 3", |scribe, out| scribe.abort(out, work));
            }
            _ => {}
        }
        if impasse && matches!(level, Level::Frame) {
            self.acts(out, work, "hit == 3", |scribe, out| scribe.set_aside(out, work, "2 + by"));
        }
        if has(DetectAction::Complete) {
            let due = format!("hit == 2 && at_{room} < {}", work.completing());
            self.acts(out, work, &due, |scribe, out| {
                scribe.close_rooms_of(out, work);
                out.line(format_args!("left_{room} = 0; at_{room} = at_{room} + {};", work.completing()));
            });
        }
        let ended = match level {
            Level::Frame => work.room,
            Level::Composite(room) => room,
        };
        if has(DetectAction::EndActivity) && ended > 0 {
            out.open(":: (hit == 1) ->");
            self.leave(out, work.player, ended);
            out.close("");
        }
        out.line(":: else -> hit = 0; by = 0");
        out.close("fi;");
    }

    /// One thing that a detectable leads to; then the turn begins anew.
    fn acts(&mut self, out: &mut Text, work: Work<'a>, due: &str, block: impl FnOnce(&Self, &mut Text)) {
        out.open(format_args!(":: ({due}) ->"));
        out.step();
        block(self, out);
        out.line(format_args!("hit = 0; by = 0; learnt = 0; again = 1; {}", self.nothing_new(work.player)));
        out.step_end();
        self.watch(out);
        out.line(format_args!("goto turn_{}", work.player.name));
        out.close("");
    }

    fn abort(&self, out: &mut Text, work: Work<'a>) {
        self.drop_current(out, work);
        if let (false, Some((done, _))) = (self.world.program.rules.aborted_counts, self.done(work.instance))
        {
            out.line(format_args!("{done} = 0;"));
        }
        let (blocked, bit) = self.block_mark(work);
        out.line(format_args!("{blocked} = {blocked} | {};", 1_u32 << bit));
    }

    /// Whether a paused frame may go on: the condition that paused it is gone.
    pub(crate) fn resolved(&self, work: Work<'a>) -> Result<Test, Refusal> {
        let scope = self.scope(work, self.sight());
        let mut tests = Vec::new();
        for (number, one) in work.frame.detectables.iter().enumerate() {
            if one.action == DetectAction::Impasse {
                let gone = holds(&scope, &one.sought).map_err(|lack| lack.at(one.span))?.not();
                let this = Test::text(format_args!("mode_{} == {}", work.label(), number + 2));
                tests.push(Test::all([this, gone]));
            }
        }
        Ok(Test::any(tests))
    }
}

fn bit(number: usize) -> Result<u32, Lack> {
    match u32::try_from(number) {
        Ok(number) if number < 30 => Ok(1 << number),
        _ => Err(Lack::Size("a frame with more than 30 uncertain detectables".to_owned())),
    }
}
