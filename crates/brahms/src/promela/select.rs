//! Which workframe is worked on: the most urgent of those that can start, that were interrupted, or whose pause is over.

use motet_machine::promela::{Branch, Item, Program, Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::program::{Detectable, Ties};
use crate::promela::ground::Player;
use crate::promela::lack::Refusal;
use crate::promela::scribe::{Mark, Scribe, Work, can, step, variable};

/// Spin does not take a `d_step` of any length.
const LONGEST: usize = 60;

impl<'a> Scribe<'a> {
    /// When each workframe can start, and how urgent it is, as macros.
    pub(crate) fn write_works(&self, out: &mut Program) -> Result<(), Refusal> {
        for player in self.players {
            for (number, room) in player.rooms.iter().enumerate() {
                let works: Vec<Work<'a>> = self.works(player, number).collect();
                let ranks = works.chunk_by(|a, b| a.frame.priority == b.frame.priority).rev();
                let floor = ranks.fold(Term::from(self.none), |lower, same| {
                    let now = variable("now", &room.name);
                    let here = now.at_least(same[0].one()).and(&now.at_most(same[same.len() - 1].one()));
                    Term::choose(&here, &(same[0].frame.priority + 3).into(), &lower)
                });
                out.push(Item::define(format!("floor_{}", room.name), floor));
            }
            for work in self.all_works(player) {
                out.push(Item::define(format!("can_{}", work.label()), self.startable(work)));
                out.push(Item::define(format!("rank_{}", work.label()), self.rank(work)?));
            }
        }
        Ok(())
    }

    fn startable(&self, work: Work<'a>) -> Term {
        let mut tests = Vec::new();
        for other in self.works(work.player, work.room).filter(|other| other.instance.is_same(work.instance))
        {
            tests.push(work.about("now").differs(other.one()));
            if self.waits(other) {
                tests.push(other.own("mode").equals(0));
            }
        }
        tests.extend(self.done(work.instance).map(|(done, times)| done.less(times)));
        if self.blocks(work) {
            tests.push(self.block_mark(work).held().not());
        }
        tests.push(work.instance.guard.clone());
        Term::all(tests)
    }

    /// The effective priority, in tenths; `none` if it is no candidate.
    fn rank(&self, work: Work<'a>) -> Result<Term, Refusal> {
        let base = work.frame.priority;
        let (none, mode) = (Term::from(self.none), work.own("mode"));
        let fresh = match self.pending(work.player, work.room, work.instance) {
            Some(pending) => Term::choose(&pending.into(), &(base + 1).into(), &base.into()),
            None => base.into(),
        };
        let mut rank = Term::choose(&can(work.label()), &fresh, &none);
        if self.impasses(work) {
            let gone = Term::choose(&self.resolved(work)?, &(base + 1).into(), &none);
            rank = Term::choose(&mode.at_least(2), &gone, &rank);
        }
        if self.waits(work) {
            let tests = self.world.program.rules.resume_tests_guard;
            let goes_on = if tests { work.instance.guard.clone() } else { Term::Truth(true) };
            let resumes = Term::choose(&goes_on, &(base + 2).into(), &none);
            rank = Term::choose(&mode.equals(1), &resumes, &rank);
        }
        Ok(rank)
    }

    /// Takes up something more urgent than what an actor does now, if there is something.
    pub(crate) fn select(
        &mut self,
        out: &mut Vec<Statement>,
        player: &'a Player,
        room: usize,
    ) -> Result<(), Refusal> {
        let works: Vec<Work<'a>> = self.works(player, room).collect();
        if works.is_empty() {
            return Ok(());
        }
        self.find_best(out, player, room);
        let best = Variable::named("best");
        let mut branches = Vec::new();
        let mut earlier = Vec::new();
        let mut body = Vec::new();
        self.interrupt(&mut body, &works);
        for work in works {
            let own = rank(work);
            let tests = std::iter::once(own.equals(&best)).chain(earlier.iter().cloned());
            let test = Term::all(tests);
            if self.world.program.rules.ties == Ties::First {
                earlier.push(own.differs(&best));
            }
            let mut taken = Vec::new();
            self.take(&mut taken, work)?;
            self.watch(&mut taken);
            taken.push(Statement::goto(format!("turn_{}", player.name)));
            branches.push(Branch::when(test, taken));
        }
        body.push(Statement::If(branches));
        let nothing = Branch::when(best.equals(self.none), vec![assign(&best, 0)]);
        out.push(Statement::If(vec![nothing, Branch::otherwise(body)]));
        Ok(())
    }

    /// How urgent the most urgent is.
    fn find_best(&self, out: &mut Vec<Statement>, player: &'a Player, room: usize) {
        let best = Variable::named("best");
        let floor = Term::call(&format!("floor_{}", player.rooms[room].name), []);
        let mut body = vec![assign(&best, self.none)];
        for (number, work) in self.works(player, room).enumerate() {
            if number % LONGEST == LONGEST - 1 {
                step(out, std::mem::take(&mut body));
            }
            body.push(Statement::when(rank(work).greater(&best), vec![assign(&best, rank(work))]));
        }
        // It would be the turn of an instance that cannot start any more: it is dropped.
        for (pending, waiting) in self.rounds(player, room) {
            let rank = waiting[0].frame.priority + 1;
            let starts = Term::any(waiting.iter().map(|work| can(work.label())));
            let vain = Term::all([(&pending).into(), best.at_most(rank), floor.less(rank), starts.not()]);
            body.push(Statement::when(vain, vec![assign(pending, 0)]));
        }
        // What is being done is kept unless something is more urgent by more than three tenths.
        body.push(Statement::when(best.at_most(floor), vec![assign(&best, self.none)]));
        step(out, body);
    }

    /// What is being done is put aside for something more urgent.
    fn interrupt(&self, out: &mut Vec<Statement>, works: &[Work<'a>]) {
        let less = |work: &&Work<'a>| works.iter().any(|other| other.frame.priority > work.frame.priority);
        let mut branches: Vec<Branch> = works
            .iter()
            .filter(less)
            .map(|work| Branch::when(work.now(), set_aside(*work, Term::from(1))))
            .collect();
        if !branches.is_empty() {
            branches.push(Branch::otherwise(Vec::new()));
            out.push(Statement::If(branches));
        }
    }

    fn take(&self, out: &mut Vec<Statement>, work: Work<'a>) -> Result<(), Refusal> {
        out.push(Statement::Remark(work.frame.name.clone()));
        let mut body = vec![assign("best", 0), assign("again", 1)];
        body.extend(self.look_anew(work));
        let start = self.start(work)?;
        if self.waits(work) {
            let resume = vec![
                assign(work.about("at"), work.own("at")),
                assign(work.about("left"), work.own("rest")),
                assign(work.own("mode"), 0),
                assign(work.own("at"), 0),
                assign(work.own("rest"), 0),
            ];
            let waits = work.own("mode").greater(0);
            body.push(Statement::If(vec![Branch::when(waits, resume), Branch::otherwise(start)]));
        } else {
            body.extend(start);
        }
        body.push(assign(work.about("now"), work.one()));
        step(out, body);
        Ok(())
    }

    /// The detectables of a frame that starts or resumes, and of everything open in it, have to be looked at.
    fn look_anew(&self, work: Work<'a>) -> Vec<Statement> {
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
        let mut body = Vec::new();
        if !at_once && self.detects(work.player) {
            // What was stated before the frame starts is not stated later.
            body.extend(self.nothing_due(work.player));
        }
        body.extend(self.mark_due(work.player, &due));
        for one in later {
            let marks = [self.due_mark(work.player, one), self.fresh_mark(work.player, one)];
            body.extend(marks.iter().map(Mark::clear));
        }
        body
    }

    /// A new instance: it counts as done from now on, and the other bindings of a `foreach` frame become pending.
    fn start(&self, work: Work<'a>) -> Result<Vec<Statement>, Refusal> {
        let mut body = Vec::new();
        if let Some(own) = self.pending(work.player, work.room, work.instance) {
            let mut others = Vec::new();
            for (pending, works) in self.rounds(work.player, work.room) {
                let same = works.iter().any(|other| other.instance.frame == work.instance.frame);
                if same && pending != own {
                    let some = Term::any(works.iter().map(|other| can(other.label())));
                    others.push(assign(pending, Term::choose(&some, &1.into(), &0.into())));
                }
            }
            let first = Branch::when(&own, vec![assign(&own, 0)]);
            body.push(Statement::If(vec![first, Branch::otherwise(others)]));
        }
        body.extend(self.done(work.instance).map(|(done, _)| Statement::increment(done)));
        self.begin_timing(&mut body, work)?;
        Ok(body)
    }

    /// The pending marks of a room, each with the instances that it stands for.
    fn rounds(&self, player: &'a Player, room: usize) -> Vec<(Variable, Vec<Work<'a>>)> {
        let mut all: Vec<(Variable, Vec<Work<'a>>)> = Vec::new();
        for work in self.works(player, room) {
            let Some(pending) = self.pending(player, room, work.instance) else { continue };
            match all.iter_mut().find(|(name, _)| *name == pending) {
                Some((_, works)) => works.push(work),
                None => all.push((pending, vec![work])),
            }
        }
        all
    }

    /// What is being done is over.
    pub(crate) fn drop_current(&self, work: Work<'a>) -> Vec<Statement> {
        let mut body = self.close_rooms_of(work);
        body.extend(self.end_timing(work));
        body.extend(idle(&work.room().name));
        body
    }

    /// Closes the composite activities that a frame may have open.
    pub(crate) fn close_rooms_of(&self, work: Work<'a>) -> Vec<Statement> {
        let inside = work.player.rooms.iter().enumerate().filter(|(_, room)| {
            room.door.is_some_and(|(_, parent, by, _)| (parent, by) == (work.room, work.number))
        });
        inside.flat_map(|(number, _)| self.close_room(work.player, number)).collect()
    }

    /// Forgets everything inside a composite activity.
    pub(crate) fn close_room(&self, player: &'a Player, room: usize) -> Vec<Statement> {
        let name = &player.rooms[room].name;
        let mut body = vec![assign(variable("open", name), 0)];
        body.extend(idle(name));
        for work in self.works(player, room) {
            if self.waits(work) {
                body.extend(["mode", "at", "rest"].map(|what| assign(work.own(what), 0)));
            }
            body.extend(self.done(work.instance).map(|(done, _)| assign(done, 0)));
            body.extend(self.pending(player, room, work.instance).map(|pending| assign(pending, 0)));
            if self.blocks(work) {
                body.push(self.block_mark(work).clear());
            }
            body.extend(self.end_timing(work));
            body.extend(self.close_rooms_of(work));
        }
        for thought in &player.rooms[room].thoughts {
            body.extend(self.done(thought).map(|(done, _)| assign(done, 0)));
            body.push(self.spent_mark(player, thought).clear());
        }
        body
    }
}

/// How urgent a frame is.
fn rank(work: Work<'_>) -> Term {
    Term::call(&format!("rank_{}", work.label()), [])
}

/// What is being done is put aside, with where it is and what is left of its time.
pub(crate) fn set_aside(work: Work<'_>, mode: Term) -> Vec<Statement> {
    let mut body = vec![
        assign(work.own("mode"), mode),
        assign(work.own("at"), work.about("at")),
        assign(work.own("rest"), work.about("left")),
    ];
    body.extend(idle(&work.room().name));
    body
}

/// A room works on nothing.
fn idle(room: &str) -> [Statement; 3] {
    ["now", "at", "left"].map(|what| assign(variable(what, room), 0))
}
