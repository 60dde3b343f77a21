//! Detectables that look at a point of their frame's time: `when(40)` looks once, when forty percent of it are done.

use motet_machine::promela::{Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::program::{ActivityNode, EntityId, Statement as Line, Value};
use crate::promela::expr::{Form, Scope};
use crate::promela::ground::{Player, body_look};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Mark, Scribe, Work, variable};

impl<'a> Scribe<'a> {
    /// Whether a frame keeps its time.
    pub(crate) fn timed(&self, work: Work<'_>) -> bool {
        work.frame.detectables.iter().any(|one| one.percent.is_some())
    }

    /// A frame that keeps its time begins: how long it is expected to take, all activities at their longest.
    pub(crate) fn begin_timing(&self, out: &mut Vec<Statement>, work: Work<'a>) -> Result<(), Refusal> {
        if !self.timed(work) {
            return Ok(());
        }
        let total = self.expected(work).map_err(|lack| lack.at(work.frame.span))?;
        out.extend([assign(work.own("elapsed"), 0), assign(work.own("reached"), 0)]);
        out.push(assign(work.own("total"), total));
        out.extend(self.reach_points(work));
        Ok(())
    }

    /// Points of the frame's time that are reached: their detectables have to be looked at, once.
    fn reach_points(&self, work: Work<'a>) -> Vec<Statement> {
        let mut all = Vec::new();
        for (number, one) in work.frame.detectables.iter().enumerate() {
            let Some(percent) = one.percent.filter(|percent| *percent <= 100) else { continue };
            let reached = reached(work, number);
            let due = work.own("elapsed").at_least(point(work, percent));
            let (mark, fresh) = (self.due_mark(work.player, one), self.fresh_mark(work.player, one));
            all.push(Statement::when(
                reached.held().not().and(&due),
                vec![reached.set(), mark.set(), fresh.set()],
            ));
        }
        all
    }

    /// The time of a frame is forgotten with it.
    pub(crate) fn end_timing(&self, work: Work<'a>) -> Vec<Statement> {
        let all: &[&str] = if self.timed(work) { &["elapsed", "reached", "total"] } else { &[] };
        all.iter().map(|what| assign(work.own(what), 0)).collect()
    }

    /// Whether an actor's running activity takes time.
    fn busy(&self, player: &'a Player) -> Term {
        let rooms = (0..player.rooms.len()).filter(|room| !player.rooms[*room].works.is_empty());
        Term::any(
            rooms.map(|room| {
                self.live(player, room).and(&variable("left", &player.rooms[room].name).greater(0))
            }),
        )
    }

    /// Whether the time of a frame passes.
    fn passes(&self, work: Work<'a>) -> Term {
        Term::all([self.live(work.player, work.room), work.now(), self.busy(work.player)])
    }

    fn all_timed(&self) -> impl Iterator<Item = Work<'a>> {
        self.players.iter().flat_map(|player| self.all_works(player)).filter(|work| self.timed(*work))
    }

    /// The next point of a frame's time may come before the next end of an activity.
    pub(crate) fn next_points(&self) -> Vec<Statement> {
        let least = Variable::named("least");
        let mut all = Vec::new();
        for work in self.all_timed() {
            let elapsed = work.own("elapsed");
            for (number, one) in work.frame.detectables.iter().enumerate() {
                let Some(percent) = one.percent else { continue };
                let point = point(work, percent);
                let rest = point.minus(&elapsed);
                let open = reached(work, number).held().not();
                let test = Term::all([self.passes(work), open, point.greater(&elapsed), rest.less(&least)]);
                all.push(Statement::when(test, vec![assign(&least, rest)]));
            }
        }
        all
    }

    /// Time passes for frames that keep it; called before the seconds that are left are counted down.
    pub(crate) fn pass_timing(&self) -> Vec<Statement> {
        let pass = |work: Work<'a>| {
            let elapsed = work.own("elapsed");
            let mut body = vec![assign(&elapsed, elapsed.plus(Term::variable("least")))];
            body.extend(self.reach_points(work));
            Statement::when(self.passes(work), body)
        };
        self.all_timed().map(pass).collect()
    }

    /// The seconds that a frame is expected to take when it starts. Composite activities count nothing.
    fn expected(&self, work: Work<'a>) -> Result<Term, Lack> {
        let program = self.world.program;
        let scope = self.scope(work, body_look(work.frame));
        let mut place = self.whereabouts(program.actors[work.player.id.index()].entity)?;
        let mut parts = Vec::new();
        for statement in &work.frame.body {
            let Line::Do(activity) = statement else { continue };
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
        Ok(Term::sum(parts))
    }

    /// The seconds of the shortest way; 0 where there is none.
    fn distance(&self, scope: &Scope<'_>, from: &Form, to: EntityId) -> Result<Term, Lack> {
        if let Form::Constant(Value::Entity(from)) = from {
            let seconds = self.world.program.ways.get(&(*from, to)).copied().unwrap_or(0);
            return Ok(i64::from(seconds).into());
        }
        self.ways(&scope.cell(from)?, to, 0.into())
    }
}

/// The second at which a percentage of a frame's time is done.
fn point(work: Work<'_>, percent: u32) -> Term {
    work.own("total").times(i64::from(percent)).plus(99).over(100)
}

/// Whether a point of the frame's time was reached.
fn reached(work: Work<'_>, number: usize) -> Mark {
    Mark { word: work.own("reached").name().to_string(), bits: 1 << (number % 30) }
}
