//! Thoughtframes: the highest that can fire does, again and again, until none can.

use motet_machine::promela::{Branch, Item, Program, Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::program::{Conclude, Reads, Statement as Line, Ties};
use crate::promela::body::Site;
use crate::promela::expr::Look;
use crate::promela::ground::{Instance, Player};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Scribe, can, effort, label, step};

impl<'a> Scribe<'a> {
    /// When each thoughtframe can fire, as macros.
    pub(crate) fn write_thoughts(&self, out: &mut Program) {
        for player in self.players {
            for (room, one) in player.rooms.iter().enumerate() {
                for thought in &one.thoughts {
                    let mut tests = vec![self.live(player, room)];
                    tests.extend(self.done(thought).map(|(done, times)| done.less(times)));
                    tests.push(self.spent_mark(player, thought).held().not());
                    tests.push(thought.guard.clone());
                    out.push(Item::define(format!("can_{}", thought.label), Term::all(tests)));
                }
            }
        }
    }

    /// Lets an actor think to the end.
    pub(crate) fn think(&mut self, out: &mut Vec<Statement>, player: &'a Player) -> Result<(), Refusal> {
        let all: Vec<(usize, &'a Instance)> = player
            .rooms
            .iter()
            .enumerate()
            .flat_map(|(room, one)| one.thoughts.iter().map(move |thought| (room, thought)))
            .collect();
        if all.is_empty() {
            return Ok(());
        }
        let again = format!("think_{}", player.name);
        label(out, &again);
        let mut ranks: Vec<i64> = all.iter().map(|(_, one)| self.frame(one).priority).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let highest = ranks.iter().fold(Term::from(self.none), |lower, rank| {
            let same = all.iter().filter(|(_, one)| self.frame(one).priority == *rank);
            Term::choose(&Term::any(same.map(|(_, one)| can(&one.label))), &(*rank).into(), &lower)
        });
        let best = Variable::named("best");
        out.push(assign(&best, highest));
        let mut branches = vec![Branch::when(best.equals(self.none), vec![assign(&best, 0)])];
        let mut earlier = Vec::new();
        for (room, thought) in all {
            let mut tests = vec![best.equals(self.frame(thought).priority), can(&thought.label)];
            tests.extend_from_slice(&earlier);
            if self.world.program.rules.ties == Ties::First {
                earlier.push(can(&thought.label).not());
            }
            let mut body = Vec::new();
            self.fire(&mut body, player, room, thought)?;
            self.watch(&mut body);
            body.push(Statement::goto(&again));
            branches.push(Branch::when(Term::all(tests), body));
        }
        out.push(Statement::If(branches));
        Ok(())
    }

    fn fire(
        &mut self,
        out: &mut Vec<Statement>,
        player: &'a Player,
        room: usize,
        thought: &'a Instance,
    ) -> Result<(), Refusal> {
        let frame = self.frame(thought);
        out.push(Statement::Remark(frame.name.clone()));
        let mut body = vec![assign("best", 0), assign("again", 1)];
        body.extend(effort("bound_thoughts"));
        body.extend(self.done(thought).map(|(done, _)| Statement::increment(done)));
        body.push(self.spent_mark(player, thought).set());
        step(out, body);
        let mut concludes: Vec<&Conclude> = Vec::new();
        for statement in &frame.body {
            match statement {
                Line::Conclude(conclude) => concludes.push(conclude),
                Line::Delete(_, span) => return Err(Lack::Construct("`delete`".to_owned()).at(*span)),
                Line::Do(_) => {
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
