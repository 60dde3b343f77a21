//! One agent as a process: the four atomic steps of the reasoning cycle (Bordini et al. 2003, 4.1, figure 2).

use crate::program::{Audience, Force, Pattern, Plan};
use crate::program::{Percept, Value};
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
                    let args: String = (0..)
                        .zip(&flat.args)
                        .map(|(at, arg): (usize, _)| format!(" && (y{at}) == {arg}"))
                        .collect();
                    format!(
                        "((kind) == {kind} && (q) == {}{args})",
                        self.context.names.predicate(flat.predicate)
                    )
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
        self.write_fail(out);
    }

    fn write_fail(&self, out: &mut Text) {
        let (name, me) = (self.name, self.agent);
        if self.context.jason() {
            out.remark(
                "the plan in _i failed: its recovery plan is called, or the plan below has failed in turn",
            );
        } else {
            out.remark("the plan in _i failed: the whole intention is lost");
        }
        out.open(format_args!("inline fail_{name}() {{"));
        out.line("_more = 1;");
        out.line("do");
        out.open(":: (_more == 1) ->");
        out.line(format_args!("_d = {me} * M_INT + _i; _up = i_data[_d].up;"));
        if self.context.jason() {
            let columns: String =
                (0..self.context.names.arity).map(|at| format!(" _x{at} = i_data[_d].x{at};")).collect();
            out.line(format_args!("_te = i_data[_d].te; _q = i_data[_d].p;{columns}"));
            out.line("leave(_d);");
            let x = self.context.columns("_x");
            out.line("if");
            out.open(format_args!(
                ":: ((_te == ADD_GOAL || _te == ADD_TEST) && cand_{name}((_te + 1), _q{x})) ->"
            ));
            out.line(format_args!("post({me}, _te + 1, _up, _q{x}, 0); _more = 0"));
            out.close(":: else -> if :: (_up == 0) -> _more = 0 :: else -> _i = _up - 1 fi");
            out.line("fi");
        } else {
            out.line("leave(_d);");
            out.line("if :: (_up == 0) -> _more = 0 :: else -> _i = _up - 1 fi");
        }
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
        out.line(format_args!("load({me}); believe(FROM(_from)); save({me});"));
        out.when("_new == 1", |out| self.post_belief(out, "ADD_BELIEF", "_from + 2"));
        out.turn(":: (_force == UNTELL) ->");
        out.line(format_args!("load({me}); find();"));
        out.when("_j < _n && (_bs[_j] & FROM(_from)) != 0", |out| {
            out.line("_bs[_j] = _bs[_j] - FROM(_from);");
            out.line(if self.context.jason() { "_new = 1;" } else { "_new = 0;" });
            out.line("if :: (_bs[_j] == 0) -> _new = 1; remove() :: else fi;");
            out.line(format_args!("save({me});"));
            out.when("_new == 1", |out| self.post_belief(out, "DEL_BELIEF", "_from + 2"));
        });
        out.turn(":: (_force == ACHIEVE) ->");
        out.line(format_args!("post({me}, ADD_GOAL, 0, _q{x}{})", self.context.sourced("_from + 2")));
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

    fn write_event(&mut self, out: &mut Text) -> Result<(), Refusal> {
        let (me, x, source) = (self.agent, self.context.columns("_x"), self.context.sourced("_src"));
        let atomic = self.plans().iter().any(|plan| plan.atomic) && self.context.jason();
        out.line("_plan = 0; _ok = 0;");
        if atomic {
            self.write_family(out);
            self.write_take_event(out);
        } else {
            out.line(format_args!("_st = (len(e[{me}]) > 0);"));
            out.when("_st == 1", |out| out.line(format_args!("e[{me}]?_te,_up,_q{x}{source};")));
        }
        out.line("if");
        out.open(":: (_st == 1) ->");
        out.line(format_args!("load({me});"));
        for (number, plan) in self.plans().iter().enumerate() {
            self.write_trial(out, number, plan).map_err(|lack| lack.at(plan.span))?;
        }
        out.line("if");
        out.open(":: (_plan > 0) ->");
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
        let (name, me, x) = (self.name, self.agent, self.context.columns("_x"));
        if !self.context.jason() {
            out.remark("no plan: the event is discarded, and with it the intention that waits for it");
            out.line(format_args!("if :: (_up > 0) -> _i = _up - 1; fail_{name}() :: else fi"));
            return;
        }
        out.line("if");
        out.open(":: (_te == ADD_BELIEF || _te == DEL_BELIEF) ->");
        out.line(format_args!("if :: (_up > 0) -> _i = _up - 1; _jump = 0; advance_{name}() :: else fi"));
        out.turn(format_args!(
            ":: ((_te == ADD_GOAL || _te == ADD_TEST) && cand_{name}((_te + 1), _q{x})) ->"
        ));
        out.line(format_args!("post({me}, _te + 1, _up, _q{x}, 0)"));
        out.turn(":: else ->");
        out.line(format_args!("if :: (_up > 0) -> _i = _up - 1; fail_{name}() :: else fi"));
        out.close("fi");
    }

    /// `_family` becomes the set of seats of the atomic intention, 0 if there is none.
    pub(crate) fn write_family(&self, out: &mut Text) {
        let me = self.agent;
        let atomic = self.plans().iter().enumerate().filter(|(_, plan)| plan.atomic);
        let tests: Vec<String> =
            atomic.map(|(number, _)| format!("i_data[{me} * M_INT + _i].plan == {}", number + 1)).collect();
        out.line("_family = 0; _i = 0;");
        out.line(format_args!(
            "do :: (_i < M_INT && !({})) -> _i++ :: else -> break od;",
            tests.join(" || ")
        ));
        out.when("_i < M_INT", |out| {
            out.remark("the seats below");
            out.line("_k = _i + 1;");
            out.line(format_args!(
                "do :: (_k > 0) -> _family = _family | (1 << (_k - 1)); _k = i_data[{me} * M_INT + _k - 1].up :: else -> break od;"
            ));
            out.remark("the seats above");
            out.line("_j = 0;");
            out.line("do");
            out.open(":: (_j < M_INT) ->");
            out.when(format_args!("i_data[{me} * M_INT + _j].plan != 0"), |out| {
                out.line("_k = _j + 1;");
                out.line(format_args!(
                    "do :: (_k > 0 && _k != _i + 1) -> _k = i_data[{me} * M_INT + _k - 1].up :: else -> break od;"
                ));
                out.line("if :: (_k > 0) -> _family = _family | (1 << _j) :: else fi");
            });
            out.line("_j++");
            out.close(":: else -> break");
            out.line("od");
        });
    }

    /// The first event that the atomic intention lets through; `_st` tells whether there is one.
    fn write_take_event(&self, out: &mut Text) {
        let (me, x) = (self.agent, self.context.columns("_x"));
        out.line(format_args!("_st = 0; _j = len(e[{me}]); _k = 0; _n = 0;"));
        out.remark("_n is the place of the event");
        out.line("do");
        out.open(":: (_k < _j) ->");
        out.line(format_args!("e[{me}]?_te,_up,_q{x},_src;"));
        out.when("_st == 0 && (_family == 0 || (_up > 0 && (_family & (1 << (_up - 1)))))", |out| {
            out.line("_st = 1; _n = _k");
        });
        out.line(format_args!("e[{me}]!_te,_up,_q{x},_src;"));
        out.line("_k++");
        out.close(":: else -> break");
        out.line("od;");
        out.when("_st == 1", |out| {
            out.remark("turns the queue until the event is at its head, takes it, and turns on");
            out.line("_k = 0;");
            out.line(format_args!("do :: (_k < _n) -> e[{me}]?_te,_up,_q{x},_src; e[{me}]!_te,_up,_q{x},_src; _k++ :: else -> break od;"));
            out.line(format_args!("_k = _j - _n - 1; _n = _k;"));
            out.line(format_args!("e[{me}]?_te,_up,_q{x},_src;"));
            let spare: String = (0..self.context.names.arity).map(|at| format!(",_b{at}[0]")).collect();
            out.line(format_args!(
                "do :: (_k > 0) -> e[{me}]?_from,_force,_bp[0]{spare},_new; e[{me}]!_from,_force,_bp[0]{spare},_new; _k-- :: else -> break od"
            ));
        });
    }
}
