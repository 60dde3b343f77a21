//! Thoughtframes: the highest that can fire does, again and again, until none can.

use crate::program::{Conclude, Reads, Statement, Ties};
use crate::promela::body::Site;
use crate::promela::expr::Look;
use crate::promela::ground::{Instance, Player};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::Scribe;
use crate::promela::test::Test;
use crate::promela::text::Text;

impl<'a> Scribe<'a> {
    /// When each thoughtframe can fire, as macros.
    pub(crate) fn write_thoughts(&self, out: &mut Text) {
        for player in self.players {
            for (room, one) in player.rooms.iter().enumerate() {
                for thought in &one.thoughts {
                    let mut tests = vec![self.live(player, room)];
                    if let Some((done, times)) = self.done(thought) {
                        tests.push(Test::text(format_args!("{done} < {times}")));
                    }
                    let (spent, bit) = self.spent_mark(player, thought);
                    tests.push(Test::text(format_args!("!({spent} & {})", 1_u32 << bit)));
                    tests.push(thought.guard.clone());
                    out.line(format_args!("#define can_{} {}", thought.label, Test::all(tests).show()));
                }
            }
        }
    }

    /// Lets an actor think to the end.
    pub(crate) fn think(&mut self, out: &mut Text, player: &'a Player) -> Result<(), Refusal> {
        let all: Vec<(usize, &'a Instance)> = player
            .rooms
            .iter()
            .enumerate()
            .flat_map(|(room, one)| one.thoughts.iter().map(move |thought| (room, thought)))
            .collect();
        if all.is_empty() {
            return Ok(());
        }
        out.label(format_args!("think_{}", player.name));
        let mut ranks: Vec<i64> = all.iter().map(|(_, one)| self.frame(one).priority).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let mut best = self.none.to_string();
        for rank in &ranks {
            let same = all.iter().filter(|(_, one)| self.frame(one).priority == *rank);
            let can: Vec<String> = same.map(|(_, one)| format!("can_{}", one.label)).collect();
            best = format!("({} -> {rank} : {best})", can.join(" || "));
        }
        out.line(format_args!("best = {best};"));
        out.open("if");
        out.line(format_args!(":: (best == {}) -> best = 0", self.none));
        let mut first = String::new();
        for (room, thought) in all {
            let rank = self.frame(thought).priority;
            out.open(format_args!(":: (best == {rank} && can_{}{first}) ->", thought.label));
            if self.world.program.rules.ties == Ties::First {
                first.push_str(&format!(" && !can_{}", thought.label));
            }
            self.fire(out, player, room, thought)?;
            self.watch(out);
            out.line(format_args!("goto think_{}", player.name));
            out.close("");
        }
        out.close("fi;");
        Ok(())
    }

    fn fire(
        &mut self,
        out: &mut Text,
        player: &'a Player,
        room: usize,
        thought: &'a Instance,
    ) -> Result<(), Refusal> {
        let frame = self.frame(thought);
        out.remark(&frame.name);
        let (spent, bit) = self.spent_mark(player, thought);
        out.step();
        out.line("best = 0; again = 1; effort = effort + 1; CHECK(bound_thoughts, effort < LIMIT_EFFORT);");
        if let Some((done, _)) = self.done(thought) {
            out.line(format_args!("{done} = {done} + 1;"));
        }
        out.line(format_args!("{spent} = {spent} | {}", 1_u32 << bit));
        out.step_end();
        let mut concludes: Vec<&Conclude> = Vec::new();
        for statement in &frame.body {
            match statement {
                Statement::Conclude(conclude) => concludes.push(conclude),
                Statement::Delete(_, span) => return Err(Lack::Construct("`delete`".to_owned()).at(*span)),
                Statement::Do(_) => {
                    return Err(Lack::Construct("an activity in a thoughtframe".to_owned()).at(frame.span));
                }
            }
        }
        let look = match frame.reads {
            Reads::Beliefs => Look::Beliefs,
            Reads::Facts => Look::Both,
        };
        let site = Site {
            world: self.world,
            actor: player.id,
            look,
            binding: &thought.binding,
            outer: &player.rooms[room].outer,
            thinks: true,
        };
        self.concludes(out, site, &concludes)
    }
}
