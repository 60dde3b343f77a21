//! The process: everybody's turns until a round changes nothing, then time passes to the next end of an activity.

use motet_machine::promela::{Branch, Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::program::{Activity, ActivityNode, Moment, Order, Statement as Line};
use crate::promela::act::Takes;
use crate::promela::ground::Player;
use crate::promela::lack::Refusal;
use crate::promela::scribe::{Scribe, Work, effort, label, step, variable};

impl<'a> Scribe<'a> {
    /// The whole process.
    pub(crate) fn process(&mut self) -> Result<Vec<Statement>, Refusal> {
        let look = if self.atoms.is_empty() { Vec::new() } else { vec![Statement::call("LOOK")] };
        let mut out = if self.atoms.is_empty() { vec![Statement::Skip] } else { look.clone() };
        remark(
            &mut out,
            "an instant: turns in the order of declaration, until nobody does anything any more",
        );
        label(&mut out, "round");
        out.push(assign("again", 0));
        out.extend(effort("bound_rounds"));
        let players = self.players;
        let mut order: Vec<&'a Player> = players.iter().collect();
        if self.world.program.rules.order == Order::Reverse {
            order.reverse();
        }
        for player in &order {
            self.turn(&mut out, player)?;
        }
        out.push(Statement::when(Term::variable("again"), vec![Statement::goto("round")]));
        remark(&mut out, "everybody is busy or idle: time passes, if anybody is busy");
        self.pass_time(&mut out);
        for player in &order {
            self.deliver(&mut out, player)?;
        }
        out.push(Statement::goto("round"));
        remark(&mut out, "the claims look; then the run goes on where it paused");
        let mut tell = look.clone();
        tell.push(Statement::call("TELL"));
        label(&mut out, "stop");
        out.extend([Statement::Step(tell.clone()), Statement::goto("seen")]);
        label(&mut out, "back");
        if !self.events.is_empty() {
            out.extend(self.events.iter().map(|(name, _)| assign(variable("said", name), 0)));
            out.extend(look);
        }
        let pause = Variable::named("pause");
        let goes_on = |number: usize| {
            let body = vec![assign(&pause, 0), Statement::goto(format!("in_{number}"))];
            Branch::when(pause.equals(Term::count(number)), body)
        };
        out.push(Statement::If((0..=self.pauses).map(goes_on).collect()));
        label(&mut out, "last");
        out.extend([Statement::Step(tell), Statement::goto("end_of_run")]);
        Ok(vec![
            Statement::Atomic(out),
            Statement::Label("seen".to_owned()),
            Statement::goto("back"),
            Statement::Label("end_of_run".to_owned()),
            Statement::Wait(Term::Truth(false)),
        ])
    }

    fn pass_time(&self, out: &mut Vec<Statement>) {
        let mut rooms: Vec<(Variable, Term)> = Vec::new();
        for player in self.players {
            for (number, room) in player.rooms.iter().enumerate().filter(|(_, room)| !room.works.is_empty()) {
                rooms.push((variable("left", &room.name), self.live(player, number)));
            }
        }
        // A block on a frame whose guard is false says nothing: what makes the guard true lifts the block.
        for player in self.players {
            for work in self.all_works(player).into_iter().filter(|work| self.blocks(*work)) {
                let blocked = self.block_mark(work);
                let some = Term::any(self.same(work).iter().map(|other| other.instance.guard.clone()));
                let vain = blocked.held().and(&some.not());
                if !vain.is(false) {
                    out.push(Statement::when(vain, vec![blocked.clear()]));
                }
            }
        }
        let least = Variable::named("least");
        let find = || {
            rooms.iter().map(|(left, live)| {
                let soonest = left.greater(0).and(&least.equals(0).or(&left.less(&least)));
                Statement::when(live.and(&soonest), vec![assign(&least, left)])
            })
        };
        let mut first = vec![assign("again", 0), assign("effort", 0)];
        first.extend(find());
        step(out, first);
        out.push(Statement::If(vec![
            Branch::when(least.equals(0), vec![Statement::goto("last")]),
            Branch::otherwise(vec![assign(&least, 0), Statement::goto("stop")]),
        ]));
        label(out, "in_0");
        let mut pass: Vec<Statement> = find().collect();
        pass.extend(self.next_points());
        pass.extend(self.pass_timing());
        for (left, live) in &rooms {
            let rest = left.minus(&least);
            pass.push(Statement::If(vec![
                Branch::when(live.and(&left.greater(&least)), vec![assign(left, rest)]),
                Branch::when(live.and(&left.equals(&least)), vec![assign(left, over())]),
                Branch::otherwise(Vec::new()),
            ]));
        }
        pass.push(assign(&least, 0));
        step(out, pass);
    }

    /// The end effects of the activity of an actor whose time is over.
    fn deliver(&mut self, out: &mut Vec<Statement>, player: &'a Player) -> Result<(), Refusal> {
        for room in 0..player.rooms.len() {
            let mut ends = Vec::new();
            for work in self.works(player, room) {
                for (place, statement) in work.frame.body.iter().enumerate() {
                    let Line::Do(activity) = statement else { continue };
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
            let mut branches = Vec::new();
            for (work, place, activity) in ends {
                let (at, ended) = (work.about("at"), work.about("left").equals(over()));
                let test =
                    Term::all([self.live(player, room), work.now(), at.equals(Term::count(place)), ended]);
                let mut body = Vec::new();
                remark(&mut body, format!("{} of {}", activity.name, work.frame.name));
                self.end(&mut body, work, place, activity)?;
                branches.push(Branch::when(test, body));
            }
            branches.push(Branch::otherwise(Vec::new()));
            out.push(Statement::If(branches));
        }
        Ok(())
    }

    /// An activity ends, and the frame goes on after it.
    fn end(
        &mut self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        place: usize,
        activity: &'a Activity,
    ) -> Result<(), Refusal> {
        self.effects(out, work, activity, Moment::End)?;
        out.extend([assign(work.about("left"), 0), assign(work.about("at"), Term::count(place + 1))]);
        self.watch(out);
        Ok(())
    }

    /// One actor's turn: it goes on until it is busy or has nothing to do.
    fn turn(&mut self, out: &mut Vec<Statement>, player: &'a Player) -> Result<(), Refusal> {
        let empty = player.rooms.iter().all(|room| room.works.is_empty() && room.thoughts.is_empty());
        if empty {
            return Ok(());
        }
        remark(out, format!("the turn of {}", player.name));
        label(out, format!("turn_{}", player.name));
        out.extend(effort("bound_rounds"));
        self.think(out, player)?;
        self.detect(out, player)?;
        self.work_in(out, player, 0)?;
        label(out, format!("rest_{}", player.name));
        out.extend(self.nothing_due(player));
        Ok(())
    }

    /// Chooses in a room, and does the next thing of what is chosen.
    fn work_in(&mut self, out: &mut Vec<Statement>, player: &'a Player, room: usize) -> Result<(), Refusal> {
        self.select(out, player, room)?;
        let name = &player.rooms[room].name;
        let (now, left) = (variable("now", name), variable("left", name));
        let rest = Statement::goto(format!("rest_{}", player.name));
        let mut idle = Vec::new();
        if self.ends_alone(player, room) {
            // What waits for an obstacle to go is work.
            let waits = self.works(player, room).filter(|work| self.impasses(*work));
            idle.extend(waits.map(|work| Statement::when(work.own("mode").differs(0), vec![rest.clone()])));
            self.leave(&mut idle, player, room);
        } else {
            idle.push(rest.clone());
        }
        let mut branches = vec![Branch::when(now.equals(0), idle), Branch::when(left.greater(0), vec![rest])];
        let works: Vec<Work<'a>> = self.works(player, room).collect();
        for work in works {
            let shifts: &[usize] = if self.completes(work) { &[0, work.completing()] } else { &[0] };
            for shift in shifts {
                for place in stops(work) {
                    let at = work.about("at").equals(Term::count(place + shift));
                    let mut body = Vec::new();
                    self.proceed(&mut body, work, place, *shift)?;
                    branches.push(Branch::when(Term::all([work.now(), left.equals(0), at]), body));
                }
            }
        }
        out.push(Statement::If(branches));
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
    fn proceed(
        &mut self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        place: usize,
        shift: usize,
    ) -> Result<(), Refusal> {
        let (at, left) = (work.about("at"), work.about("left"));
        remark(out, format!("{} at {place}", work.frame.name));
        let (concludes, next) = self.block(work, place)?;
        let turn = Statement::goto(format!("turn_{}", work.player.name));
        let again = assign("again", 1);
        if !concludes.is_empty() || next == work.end() {
            let site = self.site(work);
            self.concludes(out, site, &concludes)?;
            let mut body = vec![again];
            if next == work.end() {
                body.extend(self.drop_current(work));
                body.extend((shift > 0).then(|| self.block_mark(work).set()));
            } else {
                body.push(assign(at, Term::count(next + shift)));
            }
            step(out, body);
            self.watch(out);
            out.push(turn);
            return Ok(());
        }
        let Some(Line::Do(id)) = work.frame.body.get(place) else { return Ok(()) };
        let activity = &self.world.program.activities[id.index()];
        if shift > 0 {
            out.extend([again, assign(at, Term::count(place + 1 + shift)), turn]);
            return Ok(());
        }
        if let ActivityNode::Composite { .. } = &activity.node {
            return self.enter(out, work, place);
        }
        remark(out, format!("activity {}", activity.name));
        self.length(out, work, activity)?;
        out.push(again);
        self.effects(out, work, activity, Moment::Start)?;
        let always = self.takes(work, activity) == Takes::Always;
        if !always {
            out.push(Statement::when(left.equals(0), vec![assign(&left, over())]));
        }
        self.watch(out);
        if !always {
            let mut body = Vec::new();
            self.end(&mut body, work, place, activity)?;
            out.push(Statement::when(left.equals(over()), body));
        }
        out.push(turn);
        Ok(())
    }

    /// Opens a composite activity, or goes on in it.
    fn enter(&mut self, out: &mut Vec<Statement>, work: Work<'a>, place: usize) -> Result<(), Refusal> {
        let here = Some((work.room, work.number, place));
        let doors =
            work.player.rooms.iter().map(|room| room.door.map(|(_, parent, by, at)| (parent, by, at)));
        let Some(inner) = doors.into_iter().position(|door| door == here) else { return Ok(()) };
        let open = variable("open", &work.player.rooms[inner].name);
        let mut body = Vec::new();
        if self.world.program.rules.detect_at_start {
            let all = self.composite(&work.player.rooms[inner]).into_iter().flatten();
            let all: Vec<_> = all.filter(|one| one.percent.is_none()).collect();
            body.extend(self.mark_due(work.player, &all));
        }
        body.extend([assign(&open, 1), assign("again", 1)]);
        let mut opens = Vec::new();
        step(&mut opens, body);
        self.watch(&mut opens);
        opens.push(Statement::goto(format!("turn_{}", work.player.name)));
        out.push(Statement::when(Term::from(open).not(), opens));
        self.work_in(out, work.player, inner)
    }
}

/// The time of an activity is over, and its end is not yet done.
fn over() -> Term {
    Term::named("OVER", -1)
}

fn remark(out: &mut Vec<Statement>, text: impl Into<String>) {
    out.push(Statement::Remark(text.into()));
}

/// The places of a body at which a frame can rest: the start, its activities, and what comes after them.
fn stops(work: Work<'_>) -> Vec<usize> {
    let mut all = vec![0];
    for (place, statement) in work.frame.body.iter().enumerate() {
        if matches!(statement, Line::Do(_)) {
            all.extend([place, place + 1]);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
