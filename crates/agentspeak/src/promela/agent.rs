//! One agent as a process: the four atomic steps of the reasoning cycle (Bordini et al. 2003, 4.1, figure 2).

use crate::program::{Audience, Force, Operation, Pattern, Percept, Plan, Value};
use crate::promela::condition::Solver;
use crate::promela::flow;
use crate::promela::lack::Lack;
use crate::promela::layout::{EVENTS, Scratch};
use crate::promela::scope::{Scope, cell};
use crate::promela::text::Text;
use crate::promela::world::{Local, Place, World};
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
pub(crate) fn event_kind(sign: Sign, kind: TriggerKind) -> &'static str {
    let kind = match kind {
        TriggerKind::Belief => 0,
        TriggerKind::Achieve => 2,
        TriggerKind::Test => 4,
    };
    EVENTS[kind + usize::from(sign == Sign::Deleted)]
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
    pub(crate) fn write(&mut self, out: &mut Text) -> Result<(), Refusal> {
        out.gap();
        out.remark(format_args!("---- agent {} ----", self.context.agent_name(self.agent)));
        if self.context.jason() {
            self.refuse_recovery()?;
            self.write_candidates(out)?;
        }
        self.write_onward(out);
        let mut mail = Text::default();
        self.write_mail(&mut mail)?;
        let mut revise = Text::default();
        self.write_revise(&mut revise)?;
        let mut event = Text::default();
        let event_chooses = self.choosing(|writer| writer.write_event(&mut event))?;
        let mut intend = Text::default();
        let intend_chooses = self.choosing(|writer| writer.write_intend(&mut intend))?;
        let steps = [
            ("mail", mail, false),
            ("brf", revise, false),
            ("event", event, event_chooses),
            ("intend", intend, intend_chooses),
        ];
        let mut kinds = Vec::new();
        for (name, body, chooses) in steps {
            out.open(format_args!("inline {name}_{}() {{", self.name));
            out.block(&body.finish());
            out.line("skip");
            out.close("}");
            out.gap();
            kinds.push((name, chooses));
        }
        out.open(format_args!("proctype {}() {{", self.name));
        out.line("do");
        out.open("::");
        for (name, chooses) in kinds {
            let atomic = if chooses { "atomic" } else { "d_step" };
            let (number, wipe) = (self.agent, if self.context.mind_chooses { " wipe();" } else { "" });
            let print = if chooses {
                format!("printf(\"@motet {number} %d\\n\", _choice);{wipe} skip")
            } else {
                format!("{}printf(\"@motet {number} 0\\n\")", wipe.trim_start())
            };
            out.line(format_args!("{atomic} {{ {name}_{}(); {print} }};", self.name));
        }
        out.close("od");
        out.close("}");
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
    pub(crate) fn post_belief(&self, out: &mut Text, kind: &str, source: &str) {
        let (me, columns) = (self.agent, self.context.columns("_x"));
        let post = format!("post({me}, {kind}, 0, _q{columns}{})", self.context.sourced(source));
        if self.context.jason() {
            out.when(format_args!("cand_{}({kind}, _q{columns})", self.name), |out| out.line(post));
        } else {
            out.line(format_args!("{post};"));
        }
    }

    fn write_candidates(&self, out: &mut Text) -> Result<(), Refusal> {
        let mut tests: Vec<String> = Vec::new();
        for plan in self.plans() {
            let kind = event_kind(plan.sign, plan.kind);
            let lack = |lack: Lack| lack.at(plan.span);
            let test = match &plan.trigger.pattern {
                Pattern::Structure(name, params) => {
                    let symbol = self.context.names.predicate((*name, params.len()));
                    format!("((kind) == {kind} && (q) == {symbol})")
                }
                Pattern::Ground(term) => {
                    let flat = self.context.names.flat(*term).map_err(lack)?;
                    format!("((kind) == {kind} && (q) == {})", self.context.names.predicate(flat.predicate))
                }
                _ => return Err(lack(Lack::Construct("a variable as a trigger".to_owned()))),
            };
            if !tests.contains(&test) {
                tests.push(test);
            }
        }
        let all = if tests.is_empty() { "0".to_owned() } else { tests.join(" || ") };
        out.remark("whether some plan has this kind of trigger");
        out.line(format_args!("#define cand_{}(kind,q{}) ({all})", self.name, self.context.columns("y")));
        Ok(())
    }

    /// Where the instance in seat `_i` goes on after its formula, and what becomes of those below it.
    fn write_onward(&self, out: &mut Text) {
        let (name, me) = (self.name, self.agent);
        out.remark("_pc is the formula after the present one of the instance in _d");
        out.open(format_args!("inline next_{name}() {{"));
        out.line("if");
        for (number, plan) in self.plans().iter().enumerate() {
            out.open(format_args!(":: (i_data[_d].plan == {}) ->", number + 1));
            out.line("if");
            for at in 0..plan.body.len().max(1) {
                let onward = flow::onward(plan, at + 1);
                let target = onward.at.map_or_else(|| "END".to_owned(), |at| at.to_string());
                let forget: String =
                    onward.forgotten.iter().map(|v| format!("; i_data[_d].v[{}] = UNBOUND", v.0)).collect();
                out.line(format_args!(":: (i_data[_d].pc == {at}) -> _pc = {target}{forget}"));
            }
            out.line(":: else -> _pc = END");
            out.close("fi");
        }
        out.line(":: else -> _pc = END");
        out.line("fi");
        out.close("}");
        out.remark("the instance in _i goes on after its formula, or at _pc if _jump is set; finished ones are cleared");
        out.open(format_args!("inline advance_{name}() {{"));
        out.line("_more = 1;");
        out.line("do");
        out.open(":: (_more == 1) ->");
        out.line("_d = N_SEATS(_i);".replace("N_SEATS(_i)", &format!("{me} * M_INT + _i")));
        out.line("if");
        out.line(":: (_jump == 1) -> _jump = 0");
        out.line(format_args!(":: else -> next_{name}()"));
        out.line("fi;");
        out.line("if");
        out.line(format_args!(":: (_pc != END) -> i_data[_d].pc = _pc; i[{me}]!_i; _more = 0"));
        out.open(":: else ->");
        out.line("_up = i_data[_d].up; leave(_d);");
        out.line("if :: (_up == 0) -> _more = 0 :: else -> _i = _up - 1 fi");
        out.close("fi");
        out.line(":: else -> break");
        out.line("od");
        out.close("}");
        if self.context.jason() {
            out.remark("the instance in _i goes on after its formula in a later turn, also at its end");
            out.open(format_args!("inline requeue_{name}() {{"));
            out.line(format_args!("_d = {me} * M_INT + _i; next_{name}(); i_data[_d].pc = _pc; i[{me}]!_i"));
            out.close("}");
        }
        self.write_fail(out);
    }

    /// Recovery plans have no translation, so that nothing recovers.
    fn write_fail(&self, out: &mut Text) {
        let (name, me) = (self.name, self.agent);
        out.remark("the plan in _i failed: the whole intention is lost");
        out.open(format_args!("inline fail_{name}() {{"));
        out.line("_more = 1;");
        out.line("do");
        out.open(":: (_more == 1) ->");
        out.line(format_args!("_d = {me} * M_INT + _i; _up = i_data[_d].up;"));
        out.line("leave(_d);");
        out.line("if :: (_up == 0) -> _more = 0 :: else -> _i = _up - 1 fi");
        out.close(":: else -> break");
        out.line("od");
        out.close("}");
        out.gap();
    }

    fn write_mail(&self, out: &mut Text) -> Result<(), Refusal> {
        let (me, x) = (self.agent, self.context.columns("_x"));
        out.line("_new = 0;");
        out.line("if");
        out.open(format_args!(":: (len(m[{me}]) > 0) ->"));
        out.line(format_args!("m[{me}]?_from,_force,_q{x};"));
        out.line("if");
        out.line(format_args!(":: !({}) -> skip", self.trust()?));
        out.open(":: else ->");
        out.line("if");
        out.open(":: (_force == TELL) ->");
        // What an agent tells itself is its own in the Jason dialect.
        let (bit, source) = if self.context.jason() {
            (format!("(_from == {me} -> SELF : FROM(_from))"), format!("(_from == {me} -> 0 : _from + 2)"))
        } else {
            ("FROM(_from)".to_owned(), "_from + 2".to_owned())
        };
        out.line(format_args!("load({me}); believe({bit}); save({me});"));
        out.when("_new == 1", |out| self.post_belief(out, "ADD_BELIEF", &source));
        out.turn(":: (_force == UNTELL) ->");
        out.line(format_args!("load({me}); find();"));
        out.when(format_args!("_j < _n && (_bs[_j] & {bit}) != 0"), |out| {
            out.line(format_args!("_bs[_j] = _bs[_j] - {bit};"));
            out.line(if self.context.jason() { "_new = 1;" } else { "_new = 0;" });
            out.line("if :: (_bs[_j] == 0) -> _new = 1; remove() :: else fi;");
            out.line(format_args!("save({me});"));
            out.when("_new == 1", |out| self.post_belief(out, "DEL_BELIEF", &source));
        });
        out.turn(":: (_force == ACHIEVE) ->");
        out.line(format_args!("post({me}, ADD_GOAL, 0, _q{x}{})", self.context.sourced(&source)));
        out.close(":: else");
        out.line("fi");
        out.close("fi");
        out.close(":: else");
        out.line("fi;");
        Ok(())
    }

    /// Whether the message in `_from`, `_force`, `_q`, `_x0`, .. is trusted: the last rule that fits decides.
    fn trust(&self) -> Result<String, Refusal> {
        let mut words = "1".to_owned();
        for rule in &self.context.program.trust {
            if rule.receiver.is_some_and(|receiver| receiver != self.agent) {
                continue;
            }
            let tells = matches!(rule.force, Force::Tell | Force::Untell);
            let mut fits = vec![if tells { "_force != ACHIEVE" } else { "_force == ACHIEVE" }.to_owned()];
            fits.extend(rule.sender.map(|sender| format!("_from == {sender}")));
            let trusted = match &rule.only {
                None => "1".to_owned(),
                Some(patterns) => {
                    let columns: Vec<String> =
                        (0..self.context.names.arity).map(|at| format!("_x{at}")).collect();
                    let scope = Scope::new(0);
                    let one = |pattern: &Pattern| {
                        let found = scope.matching(self.context.names, pattern, "_q", &columns)?;
                        Ok(format!("({})", found.tests.join(" && ")))
                    };
                    let each = patterns.iter().map(one).collect::<Result<Vec<_>, Lack>>();
                    let each = each.map_err(|lack| lack.at(self.context.anywhere()))?;
                    if each.is_empty() { "0".to_owned() } else { each.join(" || ") }
                }
            };
            words = format!("(({}) -> ({trusted}) : {words})", fits.join(" && "));
        }
        Ok(words)
    }

    fn write_revise(&self, out: &mut Text) -> Result<(), Refusal> {
        let me = self.agent;
        out.line(format_args!("load({me});"));
        for percept in &self.context.program.environment.percepts {
            self.write_percept(out, percept).map_err(|lack| lack.at(percept.span))?;
        }
        out.remark("percepts that are gone");
        out.line("_j = 0;");
        out.line("do");
        out.open(":: (_j < _n) ->");
        out.line("if");
        out.line(":: (_bs[_j] & SEEN) -> _bs[_j] = _bs[_j] - SEEN; _j++");
        out.open(":: (!(_bs[_j] & SEEN) && (_bs[_j] & PERCEPT)) ->");
        let columns: String =
            (0..self.context.names.arity).map(|at| format!(" _x{at} = _b{at}[_j];")).collect();
        out.line(format_args!("_q = _bp[_j];{columns}"));
        out.line("_bs[_j] = _bs[_j] - PERCEPT;");
        out.line("if");
        // `remove` moves _j; the belief that follows has taken the place.
        out.line(":: (_bs[_j] == 0) -> _k = _j; remove(); _j = _k; _new = 1");
        let due = if self.context.jason() { "1" } else { "0" };
        out.line(format_args!(":: else -> _j++; _new = {due}"));
        out.line("fi;");
        out.when("_new == 1", |out| self.post_belief(out, "DEL_BELIEF", "1"));
        out.close(":: else -> _j++");
        out.line("fi");
        out.line(":: else -> break");
        out.line("od;");
        out.line(format_args!("save({me});"));
        Ok(())
    }

    fn write_percept(&self, out: &mut Text, percept: &'a Percept) -> Result<(), Lack> {
        let program = self.context.program;
        let world =
            World { environment: &program.environment, names: self.context.names, place: Place::Code };
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
            self.context.check_world(out, &checks);
            let mut inner = Text::default();
            let mut sound = Vec::new();
            for arg in &percept.args {
                sound.extend(world.sound(arg, &locals)?);
            }
            self.context.check_world(&mut inner, &sound);
            inner.line(format_args!("_q = {name};"));
            for at in 0..self.context.names.arity {
                let value =
                    percept.args.get(at).map_or(Ok("0".to_owned()), |arg| world.value(arg, &locals))?;
                inner.line(format_args!("_x{at} = {value};"));
            }
            inner.line("believe(PERCEPT); _bs[_j] = _bs[_j] | SEEN;");
            inner.when("_new == 1", |out| self.post_belief(out, "ADD_BELIEF", "1"));
            let inner = inner.finish();
            match when {
                Some(when) => out.when(when, |out| out.block(&inner)),
                None => out.block(&inner),
            }
        }
        Ok(())
    }

    /// Jason passes over beliefs from outside that no plan applies to; `_jump` tells whether to take the next event.
    fn write_event(&mut self, out: &mut Text) -> Result<(), Refusal> {
        if !self.context.jason() {
            return self.write_selection(out);
        }
        out.line("_jump = 1;");
        out.line("do");
        out.open(":: (_jump == 1) ->");
        out.line("_jump = 0;");
        self.write_selection(out)?;
        out.line("skip");
        out.close(":: else -> break");
        out.line("od;");
        Ok(())
    }

    fn write_selection(&mut self, out: &mut Text) -> Result<(), Refusal> {
        let (me, x, source) = (self.agent, self.context.columns("_x"), self.context.sourced("_src"));
        out.line("_plan = 0; _ok = 0;");
        out.line(format_args!("_st = (len(e[{me}]) > 0);"));
        out.when("_st == 1", |out| out.line(format_args!("e[{me}]?_te,_up,_q{x}{source};")));
        out.line("if");
        out.open(":: (_st == 1) ->");
        out.line(format_args!("load({me});"));
        for (number, plan) in self.plans().iter().enumerate() {
            self.write_trial(out, number, plan).map_err(|lack| lack.at(plan.span))?;
        }
        out.line("if");
        out.open(":: (_plan > 0) ->");
        if self.context.jason() {
            self.write_room(out);
        }
        out.line(format_args!(
            "_i = 0; do :: (_i < M_INT && i_data[{me} * M_INT + _i].plan != 0) -> _i++ :: else -> break od;"
        ));
        out.line("check(bound_intentions, _i < M_INT);");
        out.line(format_args!("_d = {me} * M_INT + _i;"));
        let columns: String =
            (0..self.context.names.arity).map(|at| format!(" i_data[_d].x{at} = _x{at};")).collect();
        out.line("i_data[_d].plan = _plan; i_data[_d].te = _te; i_data[_d].up = _up;");
        out.line(format_args!("i_data[_d].p = _q;{columns}"));
        out.line("keep_variables();");
        out.line(format_args!("i[{me}]!_i"));
        out.turn(":: else ->");
        self.write_dropped(out);
        out.close("fi");
        out.close(":: else");
        out.line("fi;");
        Ok(())
    }

    /// A plan that called a goal like its own last makes room for the plan for it.
    fn write_room(&self, out: &mut Text) {
        let mut last = Vec::new();
        for (number, plan) in self.plans().iter().enumerate() {
            for (at, instruction) in plan.body.iter().enumerate() {
                let posts = matches!(instruction.operation, Operation::Achieve(_) | Operation::Test(_));
                if posts && plan.sign == Sign::Added && flow::onward(plan, at + 1).at.is_none() {
                    last.push(format!("(i_data[_d].plan == {} && i_data[_d].pc == {at})", number + 1));
                }
            }
        }
        if last.is_empty() {
            return;
        }
        let (me, goal) = (self.agent, |te: &str| format!("({te} == ADD_GOAL || {te} == ADD_TEST)"));
        out.remark("a plan that called a goal like its own last makes room");
        out.when(format_args!("_up > 0 && {}", goal("_te")), |out| {
            out.line(format_args!("_d = {me} * M_INT + _up - 1;"));
            let tests = format!("{} && i_data[_d].p == _q && ({})", goal("i_data[_d].te"), last.join(" || "));
            out.when(tests, |out| out.line("_up = i_data[_d].up; leave(_d)"));
        });
    }

    fn write_trial(&mut self, out: &mut Text, number: usize, plan: &'a Plan) -> Result<(), Lack> {
        let names = self.context.names;
        let columns: Vec<String> = (0..names.arity).map(|at| format!("_x{at}")).collect();
        let mut scope = Scope::new(plan.variables.len());
        let mut found = scope.matching(names, &plan.trigger.pattern, "_q", &columns)?;
        let kind = event_kind(plan.sign, plan.kind);
        found.binds.iter().for_each(|(variable, _)| scope.bind(*variable));
        if let (true, Some(source)) = (self.context.jason(), &plan.trigger.source) {
            let before = found.binds.len();
            scope.match_value(names, source, "source_of(_src)", &mut found)?;
            found.binds[before..].iter().for_each(|(variable, _)| scope.bind(*variable));
        }
        let mut tests = vec![format!("_plan == 0 && _te == {kind}")];
        tests.extend(found.tests);
        out.remark(&plan.head_text);
        let mut result = Ok(());
        out.when(tests.join(" && "), |out| {
            for unused in 0..self.context.n_variables() {
                out.line(format_args!("VAR({unused}) = 0;"));
            }
            for (variable, value) in &found.binds {
                out.line(format_args!("{} = {value};", cell(*variable)));
            }
            result = self.solver.solve(out, &plan.context, &scope, "_ok");
            out.line(format_args!("if :: (_ok == 1) -> _plan = {} :: else fi", number + 1));
        });
        result
    }

    fn write_dropped(&self, out: &mut Text) {
        let name = self.name;
        if !self.context.jason() {
            out.remark("no plan: the event is discarded, and with it the intention that waits for it");
            out.line(format_args!("if :: (_up > 0) -> _i = _up - 1; fail_{name}() :: else fi"));
            return;
        }
        out.line("if");
        out.open(":: (_te == ADD_BELIEF || _te == DEL_BELIEF) ->");
        out.line(format_args!("if :: (_up > 0) -> _i = _up - 1; requeue_{name}() :: else -> _jump = 1 fi"));
        out.turn(":: else ->");
        out.line(format_args!("if :: (_up > 0) -> _i = _up - 1; fail_{name}() :: else fi"));
        out.close("fi");
    }
}
