//! One agent as a process: the four atomic steps of the reasoning cycle (Bordini et al. 2003, 4.1, figure 2).

use motet_machine::promela::{Branch, Item, Program, Statement, assign};
use motet_machine::{Expr, Place};

use crate::program::{Audience, Force, Operation, Pattern, Percept, Plan, Value};
use crate::promela::condition::{Solver, bound};
use crate::promela::flow;
use crate::promela::lack::Lack;
use crate::promela::layout::{
    Scratch, capacity, define, event, inline, instance, kept, perform, seat_of, this,
};
use crate::promela::scope::Scope;
use crate::promela::world::{Local, Place as Where, World};
use crate::promela::{Context, Refusal};
use crate::syntax::{Sign, TriggerKind};

/// Writes one agent.
pub(crate) struct AgentWriter<'a> {
    pub(crate) context: Context<'a>,
    pub(crate) agent: usize,
    /// The agent's part in names.
    pub(crate) name: &'a str,
    pub(crate) solver: Solver<'a>,
}

/// The code of an event.
fn event_kind(sign: Sign, kind: TriggerKind) -> Expr {
    let kind = match kind {
        TriggerKind::Belief => "BELIEF",
        TriggerKind::Achieve => "GOAL",
        TriggerKind::Test => "TEST",
    };
    event(&format!("{}_{kind}", if sign == Sign::Deleted { "DEL" } else { "ADD" }))
}

impl<'a> AgentWriter<'a> {
    pub(crate) fn new(context: Context<'a>, agent: usize, name: &'a str) -> Self {
        Self { context, agent, name, solver: Solver::new(context.program, context.names, agent) }
    }

    pub(crate) fn scratch(&self) -> Scratch {
        Scratch { loops: self.solver.loops, flags: self.solver.flags, counts: self.solver.counts }
    }

    pub(crate) fn plans(&self) -> &'a [Plan] {
        &self.context.program.agents[self.agent].plans
    }

    /// Inlines of this agent that the environment needs too, and then its process.
    pub(crate) fn write(&mut self, out: &mut Program) -> Result<(), Refusal> {
        out.gap();
        out.remark(format!("---- agent {} ----", self.context.agent_name(self.agent)));
        if self.context.jason() {
            self.refuse_recovery()?;
            self.write_candidates(out)?;
        }
        self.write_onward(out);
        let mut steps = [
            ("mail", self.mail()?, false),
            ("brf", self.revise()?, false),
            ("event", Vec::new(), false),
            ("intend", Vec::new(), false),
        ];
        steps[2].2 = self.choosing(|writer| writer.write_event(&mut steps[2].1))?;
        steps[3].2 = self.choosing(|writer| writer.write_intend(&mut steps[3].1))?;
        let mut cycle = Vec::new();
        for (name, body, chooses) in steps {
            let name = format!("{name}_{}", self.name);
            out.push(inline(&name, &[], body));
            out.gap();
            let mut step = vec![perform(&name, [])];
            let number = self.agent;
            let wipe = self.context.mind_chooses.then(|| perform("wipe", []));
            if chooses {
                let choice = vec![Expr::variable("_choice")];
                step.push(Statement::Print(format!("@motet {number} %d\\n"), choice));
                step.extend(wipe);
                step.push(Statement::Skip);
                cycle.push(Statement::Atomic(step));
            } else {
                step.extend(wipe);
                step.push(Statement::Print(format!("@motet {number} 0\\n"), Vec::new()));
                cycle.push(Statement::Step(step));
            }
        }
        let body = vec![Statement::Do(vec![Branch::open(cycle)])];
        out.push(Item::Process { name: self.name.to_owned(), active: false, body });
        Ok(())
    }

    /// What failed stays on its stack while a recovery plan runs, and how high such a stack may be is not known before.
    fn refuse_recovery(&self) -> Result<(), Refusal> {
        for plan in self.plans() {
            let what = match plan {
                Plan { atomic: true, .. } => "an atomic plan",
                Plan { sign: Sign::Deleted, kind: TriggerKind::Achieve | TriggerKind::Test, .. } => {
                    "a plan for a goal that failed (`-!`)"
                }
                _ => continue,
            };
            return Err(Lack::Construct(what.to_owned()).at(plan.span));
        }
        Ok(())
    }

    /// Whether what is written contains a choice.
    fn choosing(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Refusal>) -> Result<bool, Refusal> {
        let before = std::mem::take(&mut self.solver.chooses);
        write(self)?;
        let chose = self.solver.chooses;
        self.solver.chooses |= before;
        Ok(chose)
    }

    /// Posts the belief event about `_q(_x0, ..)`; Jason posts none that no plan could ever be relevant for.
    pub(crate) fn post_belief(&self, kind: &str, source: Expr) -> Statement {
        let current = self.context.current();
        let post = self.context.post(self.agent, event(kind), Expr::Number(0), current.clone(), source);
        if self.context.jason() {
            Statement::when(self.candidate(event(kind), &current), vec![post])
        } else {
            post
        }
    }

    /// Whether some plan has this kind of trigger.
    pub(crate) fn candidate(&self, kind: Expr, atom: &[Expr]) -> Expr {
        Expr::call(&format!("cand_{}", self.name), [kind].into_iter().chain(atom.iter().cloned()))
    }

    fn write_candidates(&self, out: &mut Program) -> Result<(), Refusal> {
        let mut tests = Vec::new();
        let (given, q) = (Expr::parameter("kind"), Expr::parameter("q"));
        for plan in self.plans() {
            let kind = event_kind(plan.sign, plan.kind);
            let lack = |lack: Lack| lack.at(plan.span);
            let symbol = match &plan.trigger.pattern {
                Pattern::Structure(name, params) => self.context.names.predicate((*name, params.len())),
                Pattern::Ground(term) => {
                    let flat = self.context.names.flat(*term).map_err(lack)?;
                    self.context.names.predicate(flat.predicate)
                }
                _ => return Err(lack(Lack::Construct("a variable as a trigger".to_owned()))),
            };
            tests.push(given.equals(kind).and(&q.equals(symbol)));
        }
        out.remark("whether some plan has this kind of trigger");
        let columns: Vec<String> = (0..self.context.names.arity).map(|at| format!("y{at}")).collect();
        let parameters: Vec<&str> =
            ["kind", "q"].into_iter().chain(columns.iter().map(String::as_str)).collect();
        out.push(define(&format!("cand_{}", self.name), &parameters, Expr::any(tests)));
        Ok(())
    }

    /// Where the instance in seat `_i` goes on after its formula, and what becomes of those below it.
    fn write_onward(&self, out: &mut Program) {
        let name = self.name;
        out.remark("_pc is the formula after the present one of the instance in _d");
        let end = || Branch::otherwise(vec![assign("_pc", capacity("END"))]);
        let mut plans = Vec::new();
        for (number, plan) in self.plans().iter().enumerate() {
            let mut branches = Vec::new();
            for at in 0..plan.body.len().max(1) {
                let onward = flow::onward(plan, at + 1);
                let mut body = vec![assign("_pc", target(&onward))];
                body.extend(forget(&onward));
                branches.push(Branch::when(this().field("pc").equals(Expr::count(at)), body));
            }
            branches.push(end());
            let own = this().field("plan").equals(Expr::count(number + 1));
            plans.push(Branch::when(own, vec![Statement::If(branches)]));
        }
        plans.push(end());
        let next = format!("next_{name}");
        out.push(inline(&next, &[], vec![Statement::If(plans)]));
        let (more, i) = (Place::named("_more"), Place::named("_i"));
        let own = Place::named("i").at(Expr::count(self.agent));
        let stay = Statement::Send(own, vec![Expr::from(&i)]);
        let keep = assign(this().field("pc"), Expr::variable("_pc"));
        let seat = assign("_d", seat_of(self.agent, Expr::from(&i)));
        let up = assign("_up", this().field("up"));
        let leave = perform("leave", [Expr::variable("_d")]);
        out.remark("the instance in _i goes on after its formula, or at _pc if _jump is set; finished ones are cleared");
        let jump = Branch::when(Expr::variable("_jump").equals(1), vec![assign("_jump", 0)]);
        let goes_on = Branch::when(
            Expr::variable("_pc").differs(capacity("END")),
            vec![keep.clone(), stay.clone(), assign(&more, 0)],
        );
        let body = vec![
            seat.clone(),
            Statement::If(vec![jump, Branch::otherwise(vec![perform(&next, [])])]),
            Statement::If(vec![goes_on, Branch::otherwise(vec![up.clone(), leave.clone(), below()])]),
        ];
        let whole = |body: Vec<Statement>| vec![assign(&more, 1), Statement::repeat(more.equals(1), body)];
        out.push(inline(&format!("advance_{name}"), &[], whole(body)));
        if self.context.jason() {
            out.remark("the instance in _i goes on after its formula in a later turn, also at its end");
            let body = vec![seat.clone(), perform(&next, []), keep, stay];
            out.push(inline(&format!("requeue_{name}"), &[], body));
        }
        // Recovery plans have no translation, so that nothing recovers.
        out.remark("the plan in _i failed: the whole intention is lost");
        out.push(inline(&format!("fail_{name}"), &[], whole(vec![seat, up, leave, below()])));
        out.gap();
    }

    fn mail(&self) -> Result<Vec<Statement>, Refusal> {
        let (me, jason) = (Expr::count(self.agent), self.context.jason());
        let (from, force) = (Place::named("_from"), Place::named("_force"));
        let queue = Place::named("m").at(&me);
        // What an agent tells itself is its own in the Jason dialect.
        let (mut bit, mut source) = (Expr::call("FROM", [Expr::from(&from)]), from.plus(2));
        if jason {
            let own = from.equals(&me);
            bit = Expr::choose(&own, &Expr::named("SELF", 1), &bit);
            source = Expr::choose(&own, &Expr::Number(0), &source);
        }
        let is_new = || Expr::variable("_new").equals(1);
        let tell = vec![
            self.load(),
            perform("believe", [bit.clone()]),
            self.save(),
            Statement::when(is_new(), vec![self.post_belief("ADD_BELIEF", source.clone())]),
        ];
        let sources = Place::named("_bs").at(Expr::variable("_j"));
        let known = Place::named("_j").less(Expr::variable("_n")).and(&sources.bit_and(&bit).differs(0));
        let gone = vec![
            assign(&sources, sources.minus(&bit)),
            assign("_new", Expr::Number(i64::from(jason))),
            Statement::when(sources.equals(0), vec![assign("_new", 1), perform("remove", [])]),
            self.save(),
            Statement::when(is_new(), vec![self.post_belief("DEL_BELIEF", source.clone())]),
        ];
        let untell = vec![self.load(), perform("find", []), Statement::when(known, gone)];
        let goal = event("ADD_GOAL");
        let achieve = self.context.post(self.agent, goal, Expr::Number(0), self.context.current(), source);
        let trusted = Statement::If(vec![
            Branch::when(force.equals(Expr::named("TELL", 1)), tell),
            Branch::when(force.equals(Expr::named("UNTELL", 2)), untell),
            Branch::when(force.equals(Expr::named("ACHIEVE", 3)), vec![achieve]),
            Branch::otherwise(Vec::new()),
        ]);
        let mut fields = vec![from, force];
        fields.extend(places(self.context.current()));
        let read = vec![
            Statement::Receive(queue.clone(), fields),
            Statement::If(vec![
                Branch::when(self.trust()?.not(), vec![Statement::Skip]),
                Branch::otherwise(vec![trusted]),
            ]),
        ];
        let some = Expr::call("len", [queue.into()]).greater(0);
        Ok(vec![assign("_new", 0), Statement::when(some, read)])
    }

    /// Whether the message in `_from`, `_force`, `_q`, `_x0`, .. is trusted: the last rule that fits decides.
    fn trust(&self) -> Result<Expr, Refusal> {
        let mut trust = Expr::Truth(true);
        let achieve = Expr::named("ACHIEVE", 3);
        for rule in &self.context.program.trust {
            if rule.receiver.is_some_and(|receiver| receiver != self.agent) {
                continue;
            }
            let tells = matches!(rule.force, Force::Tell | Force::Untell);
            let force = Place::named("_force");
            let mut fits = vec![if tells { force.differs(&achieve) } else { force.equals(&achieve) }];
            fits.extend(rule.sender.map(|sender| Expr::variable("_from").equals(Expr::count(sender))));
            let trusted = match &rule.only {
                None => Expr::Truth(true),
                Some(patterns) => {
                    let columns = self.context.columns("_x");
                    let scope = Scope::new(0);
                    let one = |pattern: &Pattern| {
                        let predicate = Expr::variable("_q");
                        let found = scope.matching(self.context.names, pattern, &predicate, &columns)?;
                        Ok(Expr::all(found.tests))
                    };
                    let each = patterns.iter().map(one).collect::<Result<Vec<_>, Lack>>();
                    Expr::any(each.map_err(|lack| lack.at(self.context.anywhere()))?)
                }
            };
            trust = Expr::choose(&Expr::all(fits), &trusted, &trust);
        }
        Ok(trust)
    }

    fn revise(&self) -> Result<Vec<Statement>, Refusal> {
        let mut out = vec![self.load()];
        for percept in &self.context.program.environment.percepts {
            self.write_percept(&mut out, percept).map_err(|lack| lack.at(percept.span))?;
        }
        out.push(Statement::Remark("percepts that are gone".to_owned()));
        let (j, k) = (Place::named("_j"), Place::named("_k"));
        let sources = Place::named("_bs").at(&j);
        let seen = capacity("SEEN");
        let percept = Expr::named("PERCEPT", 2);
        let mut gone = self.context.take_current();
        gone.push(assign(&sources, sources.minus(&percept)));
        // `remove` moves _j; the belief that follows has taken the place.
        let last = vec![assign(&k, &j), perform("remove", []), assign(&j, &k), assign("_new", 1)];
        let due = Expr::Number(i64::from(self.context.jason()));
        gone.push(Statement::If(vec![
            Branch::when(sources.equals(0), last),
            Branch::otherwise(vec![Statement::increment(&j), assign("_new", due)]),
        ]));
        let posts = vec![self.post_belief("DEL_BELIEF", Expr::Number(1))];
        gone.push(Statement::when(Expr::variable("_new").equals(1), posts));
        let is_seen = sources.bit_and(&seen);
        let stays = vec![assign(&sources, sources.minus(&seen)), Statement::increment(&j)];
        let each = Statement::If(vec![
            Branch::when(is_seen.clone(), stays),
            Branch::when(is_seen.not().and(&sources.bit_and(&percept)), gone),
            Branch::otherwise(vec![Statement::increment(&j)]),
        ]);
        out.push(assign(&j, 0));
        out.push(Statement::repeat(j.less(Expr::variable("_n")), vec![each]));
        out.push(self.save());
        Ok(out)
    }

    fn write_percept(&self, out: &mut Vec<Statement>, percept: &'a Percept) -> Result<(), Lack> {
        let program = self.context.program;
        let world =
            World { environment: &program.environment, names: self.context.names, place: Where::Code };
        let mut locals = vec![Local::Known(Value::None); percept.n_locals];
        match percept.to {
            Audience::Everyone => {}
            Audience::Agent(only) if only == self.agent => {}
            Audience::Agent(_) => return Ok(()),
            Audience::Each(local) => {
                locals[local] = Local::Known(Value::Symbol(program.agents[self.agent].name))
            }
        }
        let members: &[Value] = match percept.each {
            Some((sort, _)) => &program.environment.sorts[sort].1,
            None => &[Value::None],
        };
        let name = self.context.names.predicate((percept.name, percept.args.len()));
        for &member in members {
            if let Some((_, local)) = percept.each {
                locals[local] = Local::Known(member);
            }
            let mut checks = Vec::new();
            let when = match &percept.when {
                Some(when) => {
                    world.sound_truth(when, &locals, &mut checks)?;
                    Some(world.condition(when, &locals)?)
                }
                None => None,
            };
            out.extend(self.context.check_world(&checks));
            let mut sound = Vec::new();
            for arg in &percept.args {
                sound.extend(world.sound(arg, &locals)?);
            }
            let values = percept.args.iter().map(|arg| world.value(arg, &locals));
            let values = self.context.padded(&values.collect::<Result<Vec<_>, _>>()?);
            let mut inner = self.context.check_world(&sound);
            let current = places(self.context.current());
            let all = [name.clone()].into_iter().chain(values);
            inner.extend(current.into_iter().zip(all).map(|(place, value)| assign(place, value)));
            let sources = Place::named("_bs").at(Expr::variable("_j"));
            inner.push(perform("believe", [Expr::named("PERCEPT", 2)]));
            inner.push(assign(&sources, sources.bit_or(capacity("SEEN"))));
            let posts = vec![self.post_belief("ADD_BELIEF", Expr::Number(1))];
            inner.push(Statement::when(Expr::variable("_new").equals(1), posts));
            match when {
                Some(when) => out.push(Statement::when(when, inner)),
                None => out.append(&mut inner),
            }
        }
        Ok(())
    }

    /// Jason passes over beliefs from outside that no plan applies to; `_jump` tells whether to take the next event.
    fn write_event(&mut self, out: &mut Vec<Statement>) -> Result<(), Refusal> {
        if !self.context.jason() {
            return self.write_selection(out);
        }
        let mut body = vec![assign("_jump", 0)];
        self.write_selection(&mut body)?;
        out.push(assign("_jump", 1));
        out.push(Statement::repeat(Expr::variable("_jump").equals(1), body));
        Ok(())
    }

    fn write_selection(&mut self, out: &mut Vec<Statement>) -> Result<(), Refusal> {
        let queue = Place::named("e").at(Expr::count(self.agent));
        let (st, i) = (Place::named("_st"), Place::named("_i"));
        out.extend([assign("_plan", 0), assign("_ok", 0)]);
        out.push(assign(&st, Expr::call("len", [Expr::from(&queue)]).greater(0)));
        let mut fields = vec![Place::named("_te"), Place::named("_up")];
        fields.extend(places(self.context.current()));
        fields.extend(self.context.jason().then(|| Place::named("_src")));
        out.push(Statement::when(st.equals(1), vec![Statement::Receive(queue, fields)]));
        let mut body = vec![self.load()];
        for (number, plan) in self.plans().iter().enumerate() {
            self.write_trial(&mut body, number, plan).map_err(|lack| lack.at(plan.span))?;
        }
        let mut chosen = Vec::new();
        if self.context.jason() {
            self.write_room(&mut chosen);
        }
        let most = capacity("M_INT");
        let taken = instance(seat_of(self.agent, Expr::from(&i))).field("plan").differs(0);
        chosen.push(assign(&i, 0));
        chosen.push(Statement::repeat(i.less(&most).and(&taken), vec![Statement::increment(&i)]));
        chosen.push(Statement::check("bound_intentions", i.less(&most)));
        chosen.push(assign("_d", seat_of(self.agent, Expr::from(&i))));
        for (field, from) in [("plan", "_plan"), ("te", "_te"), ("up", "_up"), ("p", "_q")] {
            chosen.push(assign(this().field(field), Expr::variable(from)));
        }
        let columns = (0..self.context.names.arity).map(|at| format!("x{at}"));
        chosen.extend(columns.map(|x| assign(this().field(&x), Expr::variable(&format!("_{x}")))));
        chosen.push(perform("keep_variables", []));
        chosen.push(Statement::Send(Place::named("i").at(Expr::count(self.agent)), vec![i.into()]));
        let some = Branch::when(Expr::variable("_plan").greater(0), chosen);
        body.push(Statement::If(vec![some, Branch::otherwise(self.dropped())]));
        out.push(Statement::when(st.equals(1), body));
        Ok(())
    }

    /// A plan that called a goal like its own last makes room for the plan for it.
    fn write_room(&self, out: &mut Vec<Statement>) {
        let mut last = Vec::new();
        for (number, plan) in self.plans().iter().enumerate() {
            for (at, instruction) in plan.body.iter().enumerate() {
                let posts = matches!(instruction.operation, Operation::Achieve(_) | Operation::Test(_));
                if posts && plan.sign == Sign::Added && flow::onward(plan, at + 1).at.is_none() {
                    let own = this().field("plan").equals(Expr::count(number + 1));
                    last.push(own.and(&this().field("pc").equals(Expr::count(at))));
                }
            }
        }
        if last.is_empty() {
            return;
        }
        let goal = |te: Place| te.equals(event("ADD_GOAL")).or(&te.equals(event("ADD_TEST")));
        let up = Place::named("_up");
        out.push(Statement::Remark("a plan that called a goal like its own last makes room".to_owned()));
        let same = this().field("p").equals(Expr::variable("_q"));
        let tests = Expr::all([goal(this().field("te")), same, Expr::any(last)]);
        let leave = vec![assign(&up, this().field("up")), perform("leave", [Expr::variable("_d")])];
        let below = assign("_d", seat_of(self.agent, up.minus(1)));
        let waits = up.greater(0).and(&goal(Place::named("_te")));
        out.push(Statement::when(waits, vec![below, Statement::when(tests, leave)]));
    }

    fn write_trial(&mut self, out: &mut Vec<Statement>, number: usize, plan: &'a Plan) -> Result<(), Lack> {
        let names = self.context.names;
        let columns = self.context.columns("_x");
        let mut scope = Scope::new(plan.variables.len());
        let mut found = scope.matching(names, &plan.trigger.pattern, &Expr::variable("_q"), &columns)?;
        found.binds.iter().for_each(|(variable, _)| scope.bind(*variable));
        if let (true, Some(source)) = (self.context.jason(), &plan.trigger.source) {
            let before = found.binds.len();
            let named = Expr::call("source_of", [Expr::variable("_src")]);
            scope.match_value(names, source, &named, &mut found)?;
            found.binds[before..].iter().for_each(|(variable, _)| scope.bind(*variable));
        }
        let kind = Expr::variable("_te").equals(event_kind(plan.sign, plan.kind));
        let open = [Expr::variable("_plan").equals(0), kind];
        out.push(Statement::Remark(plan.head_text.clone()));
        let unused = (0..self.context.n_variables()).map(|at| Place::named("_v").at(Expr::count(at)));
        let mut body: Vec<Statement> = unused.map(|place| assign(place, 0)).collect();
        body.extend(bound(&found.binds));
        self.solver.solve(&mut body, &plan.context, &scope, "_ok")?;
        let takes = vec![assign("_plan", Expr::count(number + 1))];
        body.push(Statement::when(Expr::variable("_ok").equals(1), takes));
        out.push(Statement::when(Expr::all(open.into_iter().chain(found.tests)), body));
        Ok(())
    }

    fn dropped(&self) -> Vec<Statement> {
        let name = self.name;
        let waits = Expr::variable("_up").greater(0);
        let goes = |what: &str| {
            vec![assign("_i", Expr::variable("_up").minus(1)), perform(&format!("{what}_{name}"), [])]
        };
        let fails = Statement::when(waits.clone(), goes("fail"));
        if !self.context.jason() {
            let remark = "no plan: the event is discarded, and with it the intention that waits for it";
            return vec![Statement::Remark(remark.to_owned()), fails];
        }
        let te = Place::named("_te");
        let belief = te.equals(event("ADD_BELIEF")).or(&te.equals(event("DEL_BELIEF")));
        let later = Statement::If(vec![
            Branch::when(waits, goes("requeue")),
            Branch::otherwise(vec![assign("_jump", 1)]),
        ]);
        vec![Statement::If(vec![Branch::when(belief, vec![later]), Branch::otherwise(vec![fails])])]
    }
}

/// The formula where a plan goes on.
pub(crate) fn target(onward: &flow::Onward) -> Expr {
    onward.at.map_or_else(|| capacity("END"), Expr::count)
}

/// Variables lose their values on the way.
pub(crate) fn forget(onward: &flow::Onward) -> Vec<Statement> {
    onward.forgotten.iter().map(|variable| assign(kept(variable.0), Expr::call("UNBOUND", []))).collect()
}

/// The next instance of the intention, if there is one.
fn below() -> Statement {
    let up = Place::named("_up");
    Statement::If(vec![
        Branch::when(up.equals(0), vec![assign("_more", 0)]),
        Branch::otherwise(vec![assign("_i", up.minus(1))]),
    ])
}

/// The places of variables.
fn places(read: Vec<Expr>) -> Vec<Place> {
    let place = |expr| if let Expr::Read(place) = expr { Some(place) } else { None };
    read.into_iter().filter_map(place).collect()
}
