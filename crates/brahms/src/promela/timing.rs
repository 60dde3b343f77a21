//! Detectables that look at a point of their frame's time: `when(40)` looks once, when forty percent of it are done.

use crate::program::{ActivityNode, EntityId, Statement, Value};
use crate::promela::expr::{Form, Scope};
use crate::promela::ground::{Player, body_look};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Scribe, Work};
use crate::promela::test::Test;
use crate::promela::text::Text;

impl<'a> Scribe<'a> {
    /// Whether a frame keeps its time.
    pub(crate) fn timed(&self, work: Work<'_>) -> bool {
        work.frame.detectables.iter().any(|one| one.percent.is_some())
    }

    /// A frame that keeps its time begins: how long it is expected to take, all activities at their longest.
    pub(crate) fn begin_timing(&self, out: &mut Text, work: Work<'a>) -> Result<(), Refusal> {
        if !self.timed(work) {
            return Ok(());
        }
        let total = self.expected(work).map_err(|lack| lack.at(work.frame.span))?;
        let label = work.label();
        out.line(format_args!("elapsed_{label} = 0; reached_{label} = 0; total_{label} = {total};"));
        self.reach_points(out, work);
        Ok(())
    }

    /// Points of the frame's time that are reached: their detectables have to be looked at, once.
    fn reach_points(&self, out: &mut Text, work: Work<'a>) {
        let label = work.label();
        for (number, one) in work.frame.detectables.iter().enumerate() {
            let Some(percent) = one.percent.filter(|percent| *percent <= 100) else { continue };
            let (word, bit) = self.due_mark(work.player, one);
            let (reached, due) = (1_u64 << (number % 30), 1_u32 << bit);
            let (fresh, place) = self.fresh_mark(work.player, one);
            let new = 1_u32 << place;
            out.line(format_args!(
                "if :: (!(reached_{label} & {reached}) && elapsed_{label} >= {}) -> reached_{label} = reached_{label} | {reached}; {word} = {word} | {due}; {fresh} = {fresh} | {new} :: else fi;",
                point(label, percent),
            ));
        }
    }

    /// The time of a frame is forgotten with it.
    pub(crate) fn end_timing(&self, out: &mut Text, work: Work<'a>) {
        if self.timed(work) {
            out.line(format_args!("elapsed_{0} = 0; reached_{0} = 0; total_{0} = 0;", work.label()));
        }
    }

    /// Whether an actor's running activity takes time.
    fn busy(&self, player: &'a Player) -> Test {
        let rooms = (0..player.rooms.len()).filter(|room| !player.rooms[*room].works.is_empty());
        Test::any(rooms.map(|room| {
            let left = Test::text(format_args!("left_{} > 0", player.rooms[room].name));
            Test::all([self.live(player, room), left])
        }))
    }

    /// Whether the time of a frame passes.
    fn passes(&self, work: Work<'a>) -> Test {
        let now = Test::text(format_args!("now_{} == {}", work.room().name, work.number + 1));
        Test::all([self.live(work.player, work.room), now, self.busy(work.player)])
    }

    /// The next point of a frame's time may come before the next end of an activity.
    pub(crate) fn next_points(&self, out: &mut Text) {
        for work in
            self.players.iter().flat_map(|player| self.all_works(player)).filter(|work| self.timed(*work))
        {
            let label = work.label();
            for (number, one) in work.frame.detectables.iter().enumerate() {
                let Some(percent) = one.percent else { continue };
                let point = point(label, percent);
                let reached = 1_u64 << (number % 30);
                let sooner = format!(
                    "!(reached_{label} & {reached}) && {point} > elapsed_{label} && {point} - elapsed_{label} < least"
                );
                let test = Test::all([self.passes(work), Test::text(sooner)]);
                out.line(format_args!(
                    "if :: {} -> least = {point} - elapsed_{label} :: else fi;",
                    test.show()
                ));
            }
        }
    }

    /// Time passes for frames that keep it; called before the seconds that are left are counted down.
    pub(crate) fn pass_timing(&self, out: &mut Text) {
        for work in
            self.players.iter().flat_map(|player| self.all_works(player)).filter(|work| self.timed(*work))
        {
            out.open("if");
            out.open(format_args!(":: {} ->", self.passes(work).show()));
            out.line(format_args!("elapsed_{0} = elapsed_{0} + least;", work.label()));
            self.reach_points(out, work);
            out.line("skip");
            out.close("");
            out.line(":: else");
            out.close("fi;");
        }
    }

    /// The seconds that a frame is expected to take when it starts. Composite activities count nothing.
    fn expected(&self, work: Work<'a>) -> Result<String, Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        let mut place = self.whereabouts(program.actors[work.player.id.index()].entity)?;
        let mut parts = vec!["0".to_owned()];
        for statement in &work.frame.body {
            let Statement::Do(activity) = statement else { continue };
            let activity = &program.activities[activity.index()];
            let target = match &activity.node {
                ActivityNode::Move { to, .. } => scope.entity(*to)?,
                _ => None,
            };
            match (&activity.duration, target) {
                (Some(duration), _) => parts.push(self.seconds(&scope, &scope.expr(&duration.max)?)?),
                (None, Some(to)) => parts.push(self.distance(&scope, &place, to)?),
                (None, None) => {}
            }
            if let Some(to) = target {
                place = Form::Constant(Value::Entity(to));
            }
        }
        Ok(parts.join(" + "))
    }

    /// The seconds of the shortest way; 0 where there is none.
    fn distance(&self, scope: &Scope<'_>, from: &Form, to: EntityId) -> Result<String, Lack> {
        let ways = &self.world.program.ways;
        if let Form::Constant(Value::Entity(from)) = from {
            return Ok(ways.get(&(*from, to)).copied().unwrap_or(0).to_string());
        }
        let here = scope.cell(from)?;
        let mut text = "0".to_owned();
        for (&(from, until), seconds) in ways {
            if until == to {
                let from = self.world.values.word(Value::Entity(from))?;
                text = format!("({here} == {from} -> {seconds} : {text})");
            }
        }
        Ok(text)
    }
}

/// The second at which a percentage of a frame's time is done.
fn point(label: &str, percent: u32) -> String {
    format!("((total_{label} * {percent} + 99) / 100)")
}
