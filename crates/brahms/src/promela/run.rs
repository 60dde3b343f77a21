//! The process: everybody's turns until a round changes nothing, then time passes to the next end of an activity.

use crate::program::{ActivityNode, Moment, Order, Statement};
use crate::promela::act::Takes;
use crate::promela::ground::Player;
use crate::promela::lack::Refusal;
use crate::promela::scribe::{Scribe, Work};
use crate::promela::test::Test;
use crate::promela::text::Text;

impl<'a> Scribe<'a> {
    /// The whole process.
    pub(crate) fn write_process(&mut self, out: &mut Text) -> Result<(), Refusal> {
        out.open("active proctype brahms() {");
        out.open("atomic {");
        out.line(if self.atoms.is_empty() { "skip;" } else { "LOOK;" });
        out.gap();
        out.remark("an instant: turns in the order of declaration, until nobody does anything any more");
        out.label("round");
        out.line("again = 0; effort = effort + 1; CHECK(bound_rounds, effort < LIMIT_EFFORT);");
        let players = self.players;
        let mut order: Vec<&'a Player> = players.iter().collect();
        if self.world.program.rules.order == Order::Reverse {
            order.reverse();
        }
        for player in &order {
            self.turn(out, player)?;
        }
        out.line("if :: again -> goto round :: else fi;");
        out.gap();
        out.remark("everybody is busy or idle: time passes, if anybody is busy");
        self.pass_time(out);
        for player in &order {
            self.deliver(out, player)?;
        }
        out.line("goto round;");
        out.gap();
        let look = if self.atoms.is_empty() { "" } else { "LOOK; " };
        out.remark("the claims look; then the run goes on where it paused");
        out.label("stop");
        out.line(format_args!("d_step {{ {look}TELL }};"));
        out.line("goto seen;");
        out.label("back");
        if !self.events.is_empty() {
            for (name, _) in &self.events {
                out.line(format_args!("said_{name} = 0;"));
            }
            out.line("LOOK;");
        }
        out.open("if");
        for pause in 0..=self.pauses {
            out.line(format_args!(":: (pause == {pause}) -> pause = 0; goto in_{pause}"));
        }
        out.close("fi;");
        out.label("last");
        out.line(format_args!("d_step {{ {look}TELL }};"));
        out.line("goto end_of_run");
        out.close("}");
        out.line("seen: goto back;");
        out.line("end_of_run: (0)");
        out.close("}");
        Ok(())
    }

    fn pass_time(&self, out: &mut Text) {
        let mut rooms: Vec<(String, Test)> = Vec::new();
        for player in self.players {
            for (number, room) in player.rooms.iter().enumerate().filter(|(_, room)| !room.works.is_empty()) {
                rooms.push((format!("left_{}", room.name), self.live(player, number)));
            }
        }
        // A block on a frame whose guard is false says nothing: what makes the guard true lifts the block.
        for player in self.players {
            for work in self.all_works(player).into_iter().filter(|work| self.blocks(*work)) {
                let (blocked, bit) = self.block_mark(work);
                let mask = 1_u32 << bit;
                let vain = Test::all([
                    Test::text(format_args!("{blocked} & {mask}")),
                    Test::any(self.same(work).iter().map(|other| other.instance.guard.clone())).not(),
                ]);
                if vain != Test::Sure(false) {
                    out.line(format_args!(
                        "if :: {} -> {blocked} = {blocked} & ~{mask} :: else fi;",
                        vain.show()
                    ));
                }
            }
        }
        let least = |out: &mut Text| {
            for (left, live) in &rooms {
                let soonest = Test::text(format_args!("{left} > 0 && (least == 0 || {left} < least)"));
                let test = Test::all([live.clone(), soonest]);
                out.line(format_args!("if :: {} -> least = {left} :: else fi;", test.show()));
            }
        };
        out.step();
        out.line("again = 0; effort = 0;");
        least(out);
        out.line("skip");
        out.step_end();
        out.line("if :: (least == 0) -> goto last :: else -> least = 0; goto stop fi;");
        out.label("in_0");
        out.step();
        least(out);
        self.next_points(out);
        self.pass_timing(out);
        for (left, live) in &rooms {
            let test =
                |sign: &str| Test::all([live.clone(), Test::text(format_args!("{left} {sign} least"))]);
            out.open("if");
            out.line(format_args!(":: {} -> {left} = {left} - least", test(">").show()));
            out.line(format_args!(":: {} -> {left} = OVER", test("==").show()));
            out.line(":: else");
            out.close("fi;");
        }
        out.line("least = 0");
        out.step_end();
    }

    /// The end effects of the activity of an actor whose time is over.
    fn deliver(&mut self, out: &mut Text, player: &'a Player) -> Result<(), Refusal> {
        for room in 0..player.rooms.len() {
            let mut ends = Vec::new();
            for work in self.works(player, room) {
                for (place, statement) in work.frame.body.iter().enumerate() {
                    let Statement::Do(activity) = statement else { continue };
                    let activity = &self.world.program.activities[activity.index()];
                    let composite = matches!(activity.node, ActivityNode::Composite { .. });
                    if !composite && self.takes(work, activity) != Takes::Never {
                        ends.push((work, place, activity));
                    }
                }
            }
            if ends.is_empty() {
                continue;
            }
            let name = player.rooms[room].name.clone();
            out.open("if");
            for (work, place, activity) in ends {
                let over = Test::text(format_args!(
                    "now_{name} == {} && at_{name} == {place} && left_{name} == OVER",
                    work.number + 1
                ));
                let test = Test::all([self.live(player, room), over]);
                out.open(format_args!(":: {} ->", test.show()));
                out.remark(format_args!("{} of {}", activity.name, work.frame.name));
                self.effects(out, work, activity, Moment::End)?;
                out.line(format_args!("left_{name} = 0; at_{name} = {};", place + 1));
                self.watch(out);
                out.line("skip");
                out.close("");
            }
            out.line(":: else");
            out.close("fi;");
        }
        Ok(())
    }

    /// One actor's turn: it goes on until it is busy or has nothing to do.
    fn turn(&mut self, out: &mut Text, player: &'a Player) -> Result<(), Refusal> {
        let empty = player.rooms.iter().all(|room| room.works.is_empty() && room.thoughts.is_empty());
        if empty {
            return Ok(());
        }
        out.gap();
        out.remark(format_args!("the turn of {}", player.name));
        out.label(format_args!("turn_{}", player.name));
        out.line("effort = effort + 1; CHECK(bound_rounds, effort < LIMIT_EFFORT);");
        self.think(out, player)?;
        self.detect(out, player)?;
        self.work_in(out, player, 0)?;
        out.label(format_args!("rest_{}", player.name));
        let due = self.nothing_due(player);
        if !due.is_empty() {
            out.line(format_args!("{due};"));
        }
        Ok(())
    }

    /// Chooses in a room, and does the next thing of what is chosen.
    fn work_in(&mut self, out: &mut Text, player: &'a Player, room: usize) -> Result<(), Refusal> {
        self.select(out, player, room)?;
        let works: Vec<Work<'a>> = self.works(player, room).collect();
        let name = player.rooms[room].name.clone();
        let rest = format!("goto rest_{}", player.name);
        out.open("if");
        out.open(format_args!(":: (now_{name} == 0) ->"));
        if self.ends_alone(player, room) {
            // What waits for an obstacle to go is work.
            let waits: Vec<Work<'a>> = self.works(player, room).filter(|work| self.impasses(*work)).collect();
            for work in waits {
                out.line(format_args!("if :: (mode_{} != 0) -> {rest} :: else fi;", work.label()));
            }
            self.leave(out, player, room);
        } else {
            out.line(&rest);
        }
        out.close("");
        out.line(format_args!(":: (left_{name} > 0) -> {rest}"));
        for work in works {
            for place in stops(work) {
                out.open(format_args!(
                    ":: (now_{name} == {} && left_{name} == 0 && at_{name} == {place}) ->",
                    work.number + 1
                ));
                self.proceed(out, work, place, 0)?;
                out.close("");
            }
            if self.completes(work) {
                for place in stops(work) {
                    let shift = work.completing();
                    out.open(format_args!(
                        ":: (now_{name} == {} && left_{name} == 0 && at_{name} == {}) ->",
                        work.number + 1,
                        place + shift
                    ));
                    self.proceed(out, work, place, shift)?;
                    out.close("");
                }
            }
        }
        out.close("fi;");
        Ok(())
    }

    /// Whether a composite activity ends when there is no work left in it.
    fn ends_alone(&self, player: &Player, room: usize) -> bool {
        let Some((activity, ..)) = player.rooms[room].door else { return false };
        match &self.world.program.activities[activity.index()].node {
            ActivityNode::Composite { endless, .. } => !endless,
            _ => false,
        }
    }

    /// The next thing of a body; with a shift, only conclusions are done.
    fn proceed(&mut self, out: &mut Text, work: Work<'a>, place: usize, shift: usize) -> Result<(), Refusal> {
        let name = work.room().name.clone();
        out.remark(format_args!("{} at {place}", work.frame.name));
        let (concludes, next) = self.block(work, place)?;
        let turn = format!("goto turn_{}", work.player.name);
        if !concludes.is_empty() || next == work.end() {
            let site = self.site(work);
            self.concludes(out, site, &concludes)?;
            out.step();
            out.line("again = 1;");
            if next == work.end() {
                self.finish(out, work, shift);
            } else {
                out.line(format_args!("at_{name} = {}", next + shift));
            }
            out.step_end();
            self.watch(out);
            out.line(turn);
            return Ok(());
        }
        let Some(Statement::Do(id)) = work.frame.body.get(place) else { return Ok(()) };
        let activity = &self.world.program.activities[id.index()];
        if shift > 0 {
            out.line(format_args!("again = 1; at_{name} = {};", place + 1 + shift));
            out.line(turn);
            return Ok(());
        }
        if let ActivityNode::Composite { .. } = &activity.node {
            return self.enter(out, work, place);
        }
        out.remark(format_args!("activity {}", activity.name));
        self.length(out, work, activity)?;
        out.line("again = 1;");
        self.effects(out, work, activity, Moment::Start)?;
        if self.takes(work, activity) != Takes::Always {
            out.line(format_args!("if :: (left_{name} == 0) -> left_{name} = OVER :: else fi;"));
        }
        self.watch(out);
        if self.takes(work, activity) == Takes::Always {
            out.line(turn);
            return Ok(());
        }
        out.open("if");
        out.open(format_args!(":: (left_{name} == OVER) ->"));
        self.effects(out, work, activity, Moment::End)?;
        out.line(format_args!("left_{name} = 0; at_{name} = {};", place + 1));
        self.watch(out);
        out.line("skip");
        out.close("");
        out.line(":: else");
        out.close("fi;");
        out.line(turn);
        Ok(())
    }

    /// A frame comes to its end.
    fn finish(&self, out: &mut Text, work: Work<'a>, shift: usize) {
        self.drop_current(out, work);
        if shift > 0 {
            let (blocked, bit) = self.block_mark(work);
            out.line(format_args!("{blocked} = {blocked} | {};", 1_u32 << bit));
        }
        out.line("skip");
    }

    /// Opens a composite activity, or goes on in it.
    fn enter(&mut self, out: &mut Text, work: Work<'a>, place: usize) -> Result<(), Refusal> {
        let here = Some((work.room, work.number, place));
        let doors =
            work.player.rooms.iter().map(|room| room.door.map(|(_, parent, by, at)| (parent, by, at)));
        let Some(inner) = doors.into_iter().position(|door| door == here) else { return Ok(()) };
        let name = work.player.rooms[inner].name.clone();
        out.open("if");
        out.open(format_args!(":: !open_{name} ->"));
        out.step();
        if self.world.program.rules.detect_at_start {
            let all = self.composite(&work.player.rooms[inner]).into_iter().flatten();
            let all: Vec<_> = all.filter(|one| one.percent.is_none()).collect();
            self.mark_due(out, work.player, &all);
        }
        out.line(format_args!("open_{name} = 1; again = 1"));
        out.step_end();
        self.watch(out);
        out.line(format_args!("goto turn_{}", work.player.name));
        out.close("");
        out.line(":: else");
        out.close("fi;");
        self.work_in(out, work.player, inner)
    }
}

/// The places of a body at which a frame can rest: the start, its activities, and what comes after them.
fn stops(work: Work<'_>) -> Vec<usize> {
    let mut all = vec![0];
    for (place, statement) in work.frame.body.iter().enumerate() {
        if matches!(statement, Statement::Do(_)) {
            all.extend([place, place + 1]);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
