//! Detectables: facts that are looked for become beliefs, and what is believed then may end, pause or finish the frame.

use motet_machine::promela::{Branch, Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::program::{DetectAction, Detectable};
use crate::promela::body::chosen;
use crate::promela::cells::Store;
use crate::promela::expr::{Form, Look, Scope};
use crate::promela::ground::Player;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Mark, Scribe, Work, step, variable};
use crate::promela::select::set_aside;
use crate::promela::sought::{compared, fits, holds, keys};

/// Whose detectables are looked at.
#[derive(Clone, Copy)]
enum Level {
    /// Those of a frame.
    Frame,
    /// Those of the composite activity that has this room.
    Composite(usize),
}

/// Actions as numbers, the strongest last.
fn strength(action: DetectAction) -> i64 {
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
    pub(crate) fn detect(&mut self, out: &mut Vec<Statement>, player: &'a Player) -> Result<(), Refusal> {
        let marks = &self.marks(player)[2];
        if !self.detects(player) || marks.is_empty() {
            return Ok(());
        }
        let mut due = Vec::new();
        for room in 0..player.rooms.len() {
            self.detect_composite(&mut due, player, room)?;
            let works: Vec<Work<'a>> =
                self.works(player, room).filter(|work| !work.frame.detectables.is_empty()).collect();
            if works.is_empty() {
                continue;
            }
            let mut branches = Vec::new();
            for work in works {
                let mut body = vec![Statement::Remark(work.frame.name.clone())];
                let scope = self.scope(work, self.sight());
                self.look_out(&mut body, player, &scope, &work.frame.detectables)?;
                self.act_on(&mut body, work, &work.frame.detectables, Level::Frame);
                branches.push(Branch::when(self.live(player, room).and(&work.now()), body));
            }
            branches.push(Branch::otherwise(Vec::new()));
            due.push(Statement::If(branches));
        }
        let mut learnt = vec![assign("learnt", 0)];
        learnt.extend(self.nothing_new(player));
        self.watch(&mut learnt);
        learnt.push(Statement::goto(format!("turn_{}", player.name)));
        due.push(Statement::If(vec![
            Branch::when(Term::variable("learnt"), learnt),
            Branch::otherwise(self.nothing_due(player)),
        ]));
        out.push(Statement::when(Term::any(marks.iter().map(Mark::held)), due));
        Ok(())
    }

    /// Nothing has to be looked at, and nothing is new.
    pub(crate) fn nothing_due(&self, player: &'a Player) -> Vec<Statement> {
        self.marks(player)[2..].iter().flatten().map(Mark::clear).collect()
    }

    /// What was new was looked at. What was learnt meanwhile has to be, except by uncertain ones that had their chance.
    fn nothing_new(&self, player: &'a Player) -> Vec<Statement> {
        let [_, _, _, fresh, drawn, news] = self.marks(player);
        let had = drawn.iter().map(|mark| {
            let due = Variable::named(&mark.word.replacen("drawn", "due", 1));
            assign(&due, due.bit_and(Term::variable(&mark.word).complement()))
        });
        had.chain(fresh.iter().chain(&drawn).chain(&news).map(Mark::clear)).collect()
    }

    /// What the composite activity of a room looks out for.
    fn detect_composite(
        &mut self,
        out: &mut Vec<Statement>,
        player: &'a Player,
        room: usize,
    ) -> Result<(), Refusal> {
        let Some(detectables) = self.composite(&player.rooms[room]).filter(|all| !all.is_empty()) else {
            return Ok(());
        };
        let Some((_, parent, number, _)) = player.rooms[room].door else { return Ok(()) };
        let Some(caller) = self.works(player, parent).nth(number) else { return Ok(()) };
        let binding = &caller.instance.binding;
        let scope = Scope::new(self.world, player.id, self.sight(), binding, &player.rooms[room].outer);
        let mut body = Vec::new();
        self.look_out(&mut body, player, &scope, detectables)?;
        self.act_on(&mut body, caller, detectables, Level::Composite(room));
        out.push(Statement::when(self.live(player, room), body));
        Ok(())
    }

    /// A composite activity ends, and its caller goes on after it.
    pub(crate) fn leave(&mut self, out: &mut Vec<Statement>, player: &'a Player, room: usize) {
        let Some((_, parent, _, place)) = player.rooms[room].door else { return };
        let mut body = acted();
        if self.detects(player) {
            body.extend(self.nothing_new(player));
        }
        body.extend(self.close_room(player, room));
        body.push(assign(variable("at", &player.rooms[parent].name), Term::count(place + 1)));
        step(out, body);
        self.watch(out);
        out.push(Statement::goto(format!("turn_{}", player.name)));
    }

    /// Both steps of detection for a list of detectables: facts become beliefs, then the strongest action that is due is
    /// in `hit`, and its detectable in `by`.
    fn look_out(
        &mut self,
        out: &mut Vec<Statement>,
        player: &'a Player,
        scope: &Scope<'a>,
        detectables: &'a [Detectable],
    ) -> Result<(), Refusal> {
        for (number, one) in detectables.iter().enumerate() {
            if (1..100).contains(&one.certainty) {
                let bit = bit(number).map_err(|lack| lack.at(one.span))?;
                out.push(chosen(Statement::set_bits("todo", bit), one.certainty));
            }
        }
        let (again, learnt) = (Variable::named("again"), Variable::named("learnt"));
        let mut body = vec![assign("kept", &again), assign(&again, 0)];
        for (number, one) in detectables.iter().enumerate().filter(|(_, one)| one.certainty > 0) {
            let bit = bit(number).map_err(|lack| lack.at(one.span))?;
            let due = self.due_mark(player, one);
            let mut branches = Vec::new();
            let (mut looks, mut condition) = (Vec::new(), due.held());
            if one.certainty < 100 {
                let drawn = self.drawn_mark(player, one).set();
                let todo = Variable::named("todo").bit_and(i64::from(bit));
                branches.push(Branch::when(condition.and(&todo.not()), vec![due.clear(), drawn.clone()]));
                condition = condition.and(&todo);
                looks.push(drawn);
            }
            self.detect_one(&mut looks, player, scope, number, one).map_err(|lack| lack.at(one.span))?;
            looks.push(due.clear());
            branches.extend([Branch::when(condition, looks), Branch::otherwise(Vec::new())]);
            body.push(Statement::If(branches));
        }
        let bit = |one: &Term| Term::choose(one, &1.into(), &0.into());
        let now = Term::from(&again);
        body.push(assign(&learnt, bit(&Term::from(&learnt).or(&now))));
        body.push(assign(&again, bit(&now.or(&Term::variable("kept")))));
        body.push(assign("todo", 0));
        step(out, body);
        Ok(())
    }

    fn detect_one(
        &self,
        out: &mut Vec<Statement>,
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
                *when = Term::all([when.clone(), fits(scope, &one.sought, &scope.key(*key)?)?]);
            }
            for (_, when) in &mut others {
                *when = Term::all([when.clone(), holds(scope, &one.sought)?]);
            }
        }
        seen.extend(others);
        let fresh = self.fresh_mark(player, one).held();
        for (key, mut when) in seen {
            if !self.world.program.rules.detect_on_facts {
                let news = self.news_mark(player, key);
                when =
                    when.and(&Term::any(std::iter::once(fresh.clone()).chain(news.map(|news| news.held()))));
            }
            let held = match (
                self.world.cells.name((Store::Facts, key)),
                self.world.cells.initial((Store::Facts, key)),
            ) {
                (Some(name), _) => Form::Cell(Term::variable(name)),
                (None, Some(value)) => Form::Constant(value),
                (None, None) => continue,
            };
            self.put(out, (Store::Beliefs(player.id), key), &facts.cell(&held)?, &when);
        }
        if one.action == DetectAction::Continue {
            return Ok(());
        }
        let (hit, level) = (Variable::named("hit"), strength(one.action));
        let due = holds(scope, &one.sought)?.and(&hit.less(level));
        if !due.is(false) {
            out.push(Statement::when(due, vec![assign(hit, level), assign("by", Term::count(number))]));
        }
        Ok(())
    }

    /// What becomes of the frame; the composite activity's detectables speak of the frame that performs it.
    fn act_on(&mut self, out: &mut Vec<Statement>, work: Work<'a>, detectables: &[Detectable], level: Level) {
        let has = |action| detectables.iter().any(|one| one.action == action);
        if detectables.iter().all(|one| one.action == DetectAction::Continue) {
            return;
        }
        let (abort, impasse) = (has(DetectAction::Abort), has(DetectAction::Impasse));
        let hit = Variable::named("hit");
        let mut branches = Vec::new();
        match level {
            Level::Frame if abort => branches.push(self.acts(work, hit.equals(4), self.abort(work))),
            Level::Composite(_) if abort || impasse => {
                branches.push(self.acts(work, hit.at_least(3), self.abort(work)));
            }
            _ => {}
        }
        if impasse && matches!(level, Level::Frame) {
            let mode = Term::from(2).plus(Term::variable("by"));
            branches.push(self.acts(work, hit.equals(3), set_aside(work, mode)));
        }
        if has(DetectAction::Complete) {
            let (at, completing) = (work.about("at"), Term::count(work.completing()));
            let due = hit.equals(2).and(&at.less(&completing));
            let mut body = self.close_rooms_of(work);
            body.extend([assign(work.about("left"), 0), assign(&at, at.plus(completing))]);
            branches.push(self.acts(work, due, body));
        }
        let ended = match level {
            Level::Frame => work.room,
            Level::Composite(room) => room,
        };
        if has(DetectAction::EndActivity) && ended > 0 {
            let mut body = Vec::new();
            self.leave(&mut body, work.player, ended);
            branches.push(Branch::when(hit.equals(1), body));
        }
        branches.push(Branch::otherwise(vec![assign(hit, 0), assign("by", 0)]));
        out.push(Statement::If(branches));
    }

    /// One thing that a detectable leads to; then the turn begins anew.
    fn acts(&mut self, work: Work<'a>, due: Term, mut body: Vec<Statement>) -> Branch {
        body.extend(acted());
        body.extend(self.nothing_new(work.player));
        let mut all = Vec::new();
        step(&mut all, body);
        self.watch(&mut all);
        all.push(Statement::goto(format!("turn_{}", work.player.name)));
        Branch::when(due, all)
    }

    fn abort(&self, work: Work<'a>) -> Vec<Statement> {
        let mut body = self.drop_current(work);
        if let (false, Some((done, _))) = (self.world.program.rules.aborted_counts, self.done(work.instance))
        {
            body.push(assign(done, 0));
        }
        body.push(self.block_mark(work).set());
        body
    }

    /// Whether a paused frame may go on: the condition that paused it is gone.
    pub(crate) fn resolved(&self, work: Work<'a>) -> Result<Term, Refusal> {
        let scope = self.scope(work, self.sight());
        let mut tests = Vec::new();
        for (number, one) in work.frame.detectables.iter().enumerate() {
            if one.action == DetectAction::Impasse {
                let gone = holds(&scope, &one.sought).map_err(|lack| lack.at(one.span))?.not();
                tests.push(work.own("mode").equals(Term::count(number + 2)).and(&gone));
            }
        }
        Ok(Term::any(tests))
    }
}

/// What a detectable led to is done.
fn acted() -> Vec<Statement> {
    vec![assign("hit", 0), assign("by", 0), assign("learnt", 0), assign("again", 1)]
}

fn bit(number: usize) -> Result<u32, Lack> {
    match u32::try_from(number) {
        Ok(number) if number < 30 => Ok(1 << number),
        _ => Err(Lack::Size("a frame with more than 30 uncertain detectables".to_owned())),
    }
}
