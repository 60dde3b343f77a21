//! The environment: one process that consumes actions, one for each declared step. Reactions run inside the same atomic
//! step until none applies.

use crate::program::{ActionRule, Domain, Effect, Expr, Parameter, StepRule, Value};
use crate::promela::lack::Lack;
use crate::promela::names::legal;
use crate::promela::text::Text;
use crate::promela::world::{Local, Place, World};
use crate::promela::{Context, Refusal};

/// Reactions that go on for more rounds than this never settle.
const MAX_ROUNDS: usize = 1000;

impl Context<'_> {
    fn world(&self) -> World<'_> {
        World { environment: &self.program.environment, names: self.names, place: Place::Code }
    }

    /// The variables with their first values.
    pub(crate) fn write_world(&self, out: &mut Text) -> Result<(), Refusal> {
        let environment = &self.program.environment;
        if environment.variables.is_empty() {
            return Ok(());
        }
        out.remark(format_args!("environment {}", environment.name));
        for variable in &environment.variables {
            for (at, (_, cell)) in self.world().cells(variable).iter().enumerate() {
                let first = self.names.value(environment.initial[variable.cell + at]);
                let first = first.map_err(|lack| lack.at(variable.span))?;
                out.line(format_args!("{} {cell} = {first};", self.names.width.kind));
            }
        }
        out.gap();
        Ok(())
    }

    /// Stops the search where the native model would stop with a fault.
    pub(crate) fn check_world(&self, out: &mut Text, sound: &[String]) {
        if !sound.is_empty() {
            out.line(format_args!("check(bound_world, {});", sound.join(" && ")));
        }
    }

    /// The reactions as an inline.
    pub(crate) fn write_reactions(&self, out: &mut Text) -> Result<(), Refusal> {
        let reactions = &self.program.environment.reactions;
        if reactions.is_empty() {
            return Ok(());
        }
        out.remark("reactions, until none applies");
        out.open("inline react() {");
        out.line("_round = 0;");
        out.line("do");
        out.open("::");
        out.line(format_args!("check(bound_reactions, _round < {MAX_ROUNDS});"));
        out.line("_round++;");
        for reaction in reactions {
            let locals = vec![Local::Known(Value::None); reaction.n_locals];
            let write = |out: &mut Text| -> Result<(), Lack> {
                let mut sound = Vec::new();
                self.world().sound_truth(&reaction.when, &locals, &mut sound)?;
                self.check_world(out, &sound);
                out.line("if");
                out.open(format_args!(
                    ":: {} ->",
                    parenthesised(&self.world().condition(&reaction.when, &locals)?)
                ));
                self.write_effects(out, &reaction.effects, &locals)?;
                out.line("skip");
                out.turn(":: else ->");
                Ok(())
            };
            write(out).map_err(|lack| lack.at(reaction.span))?;
        }
        out.line("break");
        for _ in reactions {
            out.close("fi");
        }
        out.close("od;");
        out.line("_round = 0");
        out.close("}");
        out.gap();
        Ok(())
    }

    /// The process that executes the agents' actions.
    pub(crate) fn write_environment(&self, out: &mut Text, agents: &[String]) -> Result<(), Refusal> {
        let environment = &self.program.environment;
        let seat = if self.jason() { "_as," } else { "" };
        let chooses = environment.actions.iter().any(|rule| chooses(&rule.effects))
            || environment.reactions.iter().any(|reaction| chooses(&reaction.effects));
        out.open("proctype Environment() {");
        out.line("do");
        out.open(format_args!(":: {} {{ (len(a) > 0) ->", if chooses { "atomic" } else { "d_step" }));
        out.line(format_args!("a?_aw,{seat}_ap{};", self.columns("_a")));
        out.line("_rule = 0; _outcome = 0;");
        for rule in &environment.actions {
            self.write_action(out, rule).map_err(|lack| lack.at(rule.span))?;
        }
        if environment.name.is_empty() {
            out.remark("there is no environment: every action succeeds and changes nothing");
            out.line("_rule = 1;");
        }
        self.write_answer(out, agents);
        if self.asks_last {
            let columns: String = (0..self.names.arity).map(|at| format!(" last_x{at} = _a{at};")).collect();
            out.when("_rule == 1", |out| out.line(format_args!("last_by = _aw + 1; last_p = _ap;{columns}")));
        }
        let number = agents.len();
        out.line(format_args!("printf(\"@motet {number} %d\\n\", _outcome);"));
        self.write_forget(out);
        out.close("}");
        out.line("od");
        out.close("}");
        out.gap();
        for (at, step) in environment.steps.iter().enumerate() {
            self.write_step(out, step, number + 1 + at).map_err(|lack| lack.at(step.span))?;
        }
        Ok(())
    }

    /// Names of the processes of declared steps.
    pub(crate) fn step_names(&self) -> Vec<String> {
        let steps = &self.program.environment.steps;
        steps.iter().enumerate().map(|(at, step)| format!("step_{}_{}", at + 1, legal(&step.name))).collect()
    }

    fn write_forget(&self, out: &mut Text) {
        if self.world_chooses {
            let columns: String = (0..self.names.arity).map(|at| format!(" _a{at} = 0;")).collect();
            out.line(format_args!(
                "_aw = 0; _as = 0; _ap = 0;{columns} _rule = 0; _round = 0; _w = 0; _outcome = 0;"
            ));
        }
        if self.mind_chooses {
            out.line("wipe();");
        }
        out.line("skip");
    }

    fn write_answer(&self, out: &mut Text, agents: &[String]) {
        let present = || agents.iter().enumerate().filter(|(number, _)| self.is_present(*number));
        if !self.jason() || present().next().is_none() {
            return;
        }
        out.remark("the intention that waits for the action goes on, or fails");
        out.line("_i = _as; _jump = 0;");
        out.line("if");
        for (number, name) in present() {
            out.line(format_args!(":: (_aw == {number} && _rule == 1) -> advance_{name}()"));
            out.line(format_args!(":: (_aw == {number} && _rule == 0) -> fail_{name}()"));
        }
        out.line("fi;");
    }

    fn write_action(&self, out: &mut Text, rule: &ActionRule) -> Result<(), Lack> {
        let mut locals = vec![Local::Known(Value::None); rule.n_locals];
        let symbol = self.names.predicate((rule.name, rule.params.len()));
        let mut tests = vec![format!("_rule == 0 && _ap == {symbol}")];
        for (at, parameter) in rule.params.iter().enumerate() {
            match parameter {
                Parameter::Local(local) => {
                    tests.push(format!("plain(_a{at})"));
                    locals[*local] = Local::Named(format!("_a{at}"));
                }
                Parameter::Value(value) => tests.push(format!("_a{at} == {}", self.names.value(*value)?)),
            }
        }
        match &rule.by {
            None => {}
            Some(Parameter::Local(local)) => locals[*local] = Local::Named("name_of(_aw)".to_owned()),
            Some(Parameter::Value(value)) => {
                tests.push(format!("name_of(_aw) == {}", self.names.value(*value)?))
            }
        }
        out.remark(format_args!("action {}", self.names.terms.name(rule.name)));
        let mut result = Ok(());
        out.when(tests.join(" && "), |out| result = self.write_rule(out, rule, &locals));
        result
    }

    fn write_rule(&self, out: &mut Text, rule: &ActionRule, locals: &[Local]) -> Result<(), Lack> {
        let mut result = Ok(());
        let mut body = |out: &mut Text| {
            out.line("_rule = 1;");
            result = self.write_effects(out, &rule.effects, locals);
            if !self.program.environment.reactions.is_empty() {
                out.line("react();");
            }
        };
        match &rule.when {
            None => body(out),
            Some(when) => {
                let mut sound = Vec::new();
                self.world().sound_truth(when, locals, &mut sound)?;
                self.check_world(out, &sound);
                out.when(self.world().condition(when, locals)?, body);
            }
        }
        result
    }

    fn write_step(&self, out: &mut Text, step: &StepRule, number: usize) -> Result<(), Lack> {
        let locals = vec![Local::Known(Value::None); step.n_locals];
        let mut sound = Vec::new();
        let mut guard = "true".to_owned();
        if let Some(when) = &step.when {
            self.world().sound_truth(when, &locals, &mut sound)?;
            guard = self.world().condition(when, &locals)?;
            if !sound.is_empty() {
                guard = format!("!({}) || {guard}", sound.join(" && "));
            }
        }
        let reactions = &self.program.environment.reactions;
        let chooses = chooses(&step.effects) || reactions.iter().any(|reaction| chooses(&reaction.effects));
        out.remark(format_args!("step {}", step.name));
        out.open(format_args!("proctype {}() {{", self.step_names()[number - self.program.agents.len() - 1]));
        out.line("do");
        out.open(format_args!(
            ":: {} {{ {} ->",
            if chooses { "atomic" } else { "d_step" },
            parenthesised(&guard)
        ));
        self.check_world(out, &sound);
        out.line("_outcome = 0;");
        self.write_effects(out, &step.effects, &locals)?;
        if !reactions.is_empty() {
            out.line("react();");
        }
        out.line(format_args!("printf(\"@motet {number} %d\\n\", _outcome);"));
        self.write_forget(out);
        out.close("}");
        out.line("od");
        out.close("}");
        out.gap();
        Ok(())
    }

    fn write_effects(&self, out: &mut Text, effects: &[Effect], locals: &[Local]) -> Result<(), Lack> {
        for effect in effects {
            self.write_effect(out, effect, locals)?;
        }
        Ok(())
    }

    fn write_effect(&self, out: &mut Text, effect: &Effect, locals: &[Local]) -> Result<(), Lack> {
        match effect {
            Effect::Assign(variable, index, value) => {
                self.write_assign(out, *variable, index.as_ref(), value, locals)?
            }
            Effect::AssignAll(variable, value) => {
                self.write_value(out, *variable, value, locals)?;
                for (_, cell) in self.world().cells(&self.program.environment.variables[*variable]) {
                    out.line(format_args!("{cell} = _w;"));
                }
            }
            Effect::If(condition, then, otherwise) => {
                let mut sound = Vec::new();
                self.world().sound_truth(condition, locals, &mut sound)?;
                self.check_world(out, &sound);
                out.line("if");
                out.open(format_args!(
                    ":: {} ->",
                    parenthesised(&self.world().condition(condition, locals)?)
                ));
                self.write_effects(out, then, locals)?;
                out.line("skip");
                out.turn(":: else ->");
                self.write_effects(out, otherwise, locals)?;
                out.line("skip");
                out.close("fi;");
            }
            Effect::Either(options) => {
                let options: Vec<&[Effect]> = options.iter().map(Vec::as_slice).collect();
                self.write_choice(out, &options, locals)?;
            }
            Effect::Chance(branches) => {
                out.remark("chance; here every outcome is possible");
                let options: Vec<&[Effect]> = branches
                    .iter()
                    .filter(|(chance, _)| !chance.is_zero())
                    .map(|(_, effects)| effects.as_slice())
                    .collect();
                self.write_choice(out, &options, locals)?;
            }
        }
        Ok(())
    }

    fn write_choice(&self, out: &mut Text, options: &[&[Effect]], locals: &[Local]) -> Result<(), Lack> {
        if options.is_empty() {
            return Ok(());
        }
        out.line("if");
        for (number, effects) in options.iter().enumerate() {
            out.open(format_args!(":: true -> _outcome = _outcome * {} + {number};", options.len()));
            self.write_effects(out, effects, locals)?;
            out.line("skip");
            out.close("");
        }
        out.line("fi;");
        Ok(())
    }

    fn write_assign(
        &self,
        out: &mut Text,
        variable: usize,
        index: Option<&Expr>,
        value: &Expr,
        locals: &[Local],
    ) -> Result<(), Lack> {
        let cells = self.world().cells(&self.program.environment.variables[variable]);
        let Some(index) = index else {
            self.write_value(out, variable, value, locals)?;
            out.line(format_args!("{} = _w;", cells[0].1));
            return Ok(());
        };
        let mut sound = Vec::new();
        self.world().sound_index(variable, index, locals, &mut sound)?;
        self.check_world(out, &sound);
        self.write_value(out, variable, value, locals)?;
        let index = self.world().value(index, locals)?;
        out.line("if");
        for (member, cell) in cells {
            let member = self.names.value(member.unwrap_or(Value::None))?;
            out.line(format_args!(":: ({index} == {member}) -> {cell} = _w"));
        }
        out.line(":: else");
        out.line("fi;");
        Ok(())
    }

    /// `_w` becomes the value, which must lie in the variable's domain.
    fn write_value(
        &self,
        out: &mut Text,
        variable: usize,
        value: &Expr,
        locals: &[Local],
    ) -> Result<(), Lack> {
        let domain = &self.program.environment.variables[variable].domain;
        self.check_world(out, &self.world().sound(value, locals)?);
        out.line(format_args!("_w = {};", self.world().value(value, locals)?));
        let certain = matches!(value, Expr::Value(value) if contains(domain, *value));
        if !certain {
            self.check_world(out, &[self.world().within(domain, "_w")?]);
        }
        Ok(())
    }
}

fn contains(domain: &Domain, value: Value) -> bool {
    match domain {
        Domain::Range(low, high) => matches!(value, Value::Int(value) if (*low..=*high).contains(&value)),
        Domain::Bool => matches!(value, Value::Bool(_)),
        Domain::Members(members) => members.contains(&value),
        Domain::Optional(inner) => value == Value::None || contains(inner, value),
    }
}

/// Whether effects contain a choice.
pub(crate) fn chooses(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::Assign(..) | Effect::AssignAll(..) => false,
        Effect::If(_, then, otherwise) => chooses(then) || chooses(otherwise),
        Effect::Either(_) | Effect::Chance(_) => true,
    })
}

fn parenthesised(words: &str) -> String {
    if words.starts_with('(') && words.ends_with(')') && balanced(&words[1..words.len() - 1]) {
        words.to_owned()
    } else {
        format!("({words})")
    }
}

fn balanced(words: &str) -> bool {
    let mut depth = 0i64;
    for c in words.chars() {
        depth += i64::from(c == '(') - i64::from(c == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
