//! The environment: one process that consumes actions, one for each declared step. Reactions run inside the same atomic
//! step until none applies.

use motet_machine::promela::{Branch, Item, Program, Statement, Variable, assign};
use motet_machine::{Expr, Place};

use crate::program::{ActionRule, Domain, Effect, Expr as Term, Parameter, StepRule, Value};
use crate::promela::lack::Lack;
use crate::promela::layout::{inline, perform};
use crate::promela::names::legal;
use crate::promela::world::{Local, Place as Where, World};
use crate::promela::{Context, Refusal};

/// Reactions that go on for more rounds than this never settle.
const MAX_ROUNDS: usize = 1000;

impl Context<'_> {
    fn world(&self) -> World<'_> {
        World { environment: &self.program.environment, names: self.names, place: Where::Code }
    }

    /// The variables with their first values.
    pub(crate) fn write_world(&self, out: &mut Program) -> Result<(), Refusal> {
        let environment = &self.program.environment;
        if environment.variables.is_empty() {
            return Ok(());
        }
        out.remark(format!("environment {}", environment.name));
        for variable in &environment.variables {
            for (at, (_, cell)) in self.world().cells(variable).iter().enumerate() {
                let first = self.names.value(environment.initial[variable.cell + at]);
                let first = first.map_err(|lack| lack.at(variable.span))?;
                out.push(Variable::new(self.names.width.kind, cell.as_str()).starting(first));
            }
        }
        out.gap();
        Ok(())
    }

    /// Stops the search where the native model would stop with a fault.
    pub(crate) fn check_world(&self, sound: &[Expr]) -> Vec<Statement> {
        let all = (!sound.is_empty()).then(|| Expr::all(sound.iter().cloned()));
        all.map(|all| Statement::check("bound_world", all)).into_iter().collect()
    }

    /// Whether something holds, after what must hold so that this can be asked.
    fn asked(&self, out: &mut Vec<Statement>, when: &Term, locals: &[Local]) -> Result<Expr, Lack> {
        let mut sound = Vec::new();
        self.world().sound_truth(when, locals, &mut sound)?;
        out.extend(self.check_world(&sound));
        self.world().condition(when, locals)
    }

    /// The reactions as an inline.
    pub(crate) fn write_reactions(&self, out: &mut Program) -> Result<(), Refusal> {
        let reactions = &self.program.environment.reactions;
        if reactions.is_empty() {
            return Ok(());
        }
        out.remark("reactions, until none applies");
        let round = Place::named("_round");
        let mut rest = vec![Statement::Break];
        for reaction in reactions.iter().rev() {
            let locals = vec![Local::Known(Value::None); reaction.n_locals];
            let write = |rest: Vec<Statement>| -> Result<Vec<Statement>, Lack> {
                let (mut all, mut effects) = (Vec::new(), Vec::new());
                let applies = self.asked(&mut all, &reaction.when, &locals)?;
                self.write_effects(&mut effects, &reaction.effects, &locals)?;
                all.push(Statement::If(vec![Branch::when(applies, effects), Branch::otherwise(rest)]));
                Ok(all)
            };
            rest = write(rest).map_err(|lack| lack.at(reaction.span))?;
        }
        let few = round.less(i64::try_from(MAX_ROUNDS).unwrap_or(i64::MAX));
        let mut body = vec![Statement::check("bound_reactions", few), Statement::increment(&round)];
        body.append(&mut rest);
        let all = vec![assign(&round, 0), Statement::Do(vec![Branch::open(body)]), assign(&round, 0)];
        out.push(inline("react", &[], all));
        out.gap();
        Ok(())
    }

    /// The process that executes the agents' actions.
    pub(crate) fn write_environment(&self, out: &mut Program, agents: &[String]) -> Result<(), Refusal> {
        let environment = &self.program.environment;
        let chooses = environment.actions.iter().any(|rule| chooses(&rule.effects))
            || environment.reactions.iter().any(|reaction| chooses(&reaction.effects));
        let queue = Place::named("a");
        let mut fields = vec![Place::named("_aw")];
        fields.extend(self.jason().then(|| Place::named("_as")));
        fields.push(Place::named("_ap"));
        fields.extend((0..self.names.arity).map(|at| Place::named(&format!("_a{at}"))));
        let mut body = vec![
            Statement::Wait(Expr::call("len", [Expr::from(&queue)]).greater(0)),
            Statement::Receive(queue, fields),
            assign("_rule", 0),
            assign("_outcome", 0),
        ];
        for rule in &environment.actions {
            self.write_action(&mut body, rule).map_err(|lack| lack.at(rule.span))?;
        }
        if environment.name.is_empty() {
            let remark = "there is no environment: every action succeeds and changes nothing";
            body.extend([Statement::Remark(remark.to_owned()), assign("_rule", 1)]);
        }
        self.write_answer(&mut body, agents);
        if self.asks_last {
            let mut last = vec![
                assign("last_by", Expr::variable("_aw").plus(1)),
                assign("last_p", Expr::variable("_ap")),
            ];
            let columns = self.columns("_a").into_iter().enumerate();
            last.extend(columns.map(|(at, value)| assign(&format!("last_x{at}"), value)));
            body.push(Statement::when(Expr::variable("_rule").equals(1), last));
        }
        let number = agents.len();
        body.extend(self.told(number));
        out.push(process("Environment", body, chooses));
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

    /// Tells what came about, and forgets it.
    fn told(&self, number: usize) -> Vec<Statement> {
        let outcome = vec![Expr::variable("_outcome")];
        let mut all = vec![Statement::Print(format!("@motet {number} %d\\n"), outcome)];
        if self.world_chooses {
            let names = ["_aw", "_as", "_ap", "_rule", "_round", "_w", "_outcome"].map(str::to_owned);
            let columns = (0..self.names.arity).map(|at| format!("_a{at}"));
            all.extend(names.into_iter().chain(columns).map(|name| assign(&name, 0)));
        }
        all.extend(self.mind_chooses.then(|| perform("wipe", [])));
        all.push(Statement::Skip);
        all
    }

    fn write_answer(&self, out: &mut Vec<Statement>, agents: &[String]) {
        let present: Vec<_> =
            agents.iter().enumerate().filter(|(number, _)| self.is_present(*number)).collect();
        if !self.jason() || present.is_empty() {
            return;
        }
        out.push(Statement::Remark("the intention that waits for the action goes on, or fails".to_owned()));
        out.extend([assign("_i", Expr::variable("_as")), assign("_jump", 0)]);
        let answer = |number: usize, name: &str, done: i64, what: &str| {
            let own = Expr::variable("_aw").equals(Expr::count(number));
            let done = Expr::variable("_rule").equals(done);
            Branch::when(own.and(&done), vec![perform(&format!("{what}_{name}"), [])])
        };
        let branches = present
            .into_iter()
            .flat_map(|(number, name)| [answer(number, name, 1, "advance"), answer(number, name, 0, "fail")]);
        out.push(Statement::If(branches.collect()));
    }

    fn write_action(&self, out: &mut Vec<Statement>, rule: &ActionRule) -> Result<(), Lack> {
        let mut locals = vec![Local::Known(Value::None); rule.n_locals];
        let symbol = self.names.predicate((rule.name, rule.params.len()));
        let mut tests = vec![Expr::variable("_rule").equals(0), Expr::variable("_ap").equals(symbol)];
        for (at, parameter) in rule.params.iter().enumerate() {
            match parameter {
                Parameter::Local(local) => {
                    let given = Expr::variable(&format!("_a{at}"));
                    tests.push(Expr::call("plain", [given.clone()]));
                    locals[*local] = Local::Named(given);
                }
                Parameter::Value(value) => {
                    tests.push(Expr::variable(&format!("_a{at}")).equals(self.names.value(*value)?));
                }
            }
        }
        let by = Expr::call("name_of", [Expr::variable("_aw")]);
        match &rule.by {
            None => {}
            Some(Parameter::Local(local)) => locals[*local] = Local::Named(by),
            Some(Parameter::Value(value)) => {
                tests.push(by.equals(self.names.value(*value)?));
            }
        }
        out.push(Statement::Remark(format!("action {}", self.names.terms.name(rule.name))));
        let mut body = Vec::new();
        self.write_rule(&mut body, rule, &locals)?;
        out.push(Statement::when(Expr::all(tests), body));
        Ok(())
    }

    fn write_rule(&self, out: &mut Vec<Statement>, rule: &ActionRule, locals: &[Local]) -> Result<(), Lack> {
        let mut body = vec![assign("_rule", 1)];
        self.write_effects(&mut body, &rule.effects, locals)?;
        body.extend((!self.program.environment.reactions.is_empty()).then(|| perform("react", [])));
        match &rule.when {
            None => out.append(&mut body),
            Some(when) => {
                let asked = self.asked(out, when, locals)?;
                out.push(Statement::when(asked, body));
            }
        }
        Ok(())
    }

    fn write_step(&self, out: &mut Program, step: &StepRule, number: usize) -> Result<(), Lack> {
        let locals = vec![Local::Known(Value::None); step.n_locals];
        let mut sound = Vec::new();
        let mut guard = Expr::Truth(true);
        if let Some(when) = &step.when {
            self.world().sound_truth(when, &locals, &mut sound)?;
            guard = self.world().condition(when, &locals)?;
            if !sound.is_empty() {
                guard = Expr::all(sound.iter().cloned()).not().or(&guard);
            }
        }
        let reactions = &self.program.environment.reactions;
        let chooses = chooses(&step.effects) || reactions.iter().any(|reaction| chooses(&reaction.effects));
        let mut body = vec![Statement::Wait(guard)];
        body.extend(self.check_world(&sound));
        body.push(assign("_outcome", 0));
        self.write_effects(&mut body, &step.effects, &locals)?;
        body.extend((!reactions.is_empty()).then(|| perform("react", [])));
        body.extend(self.told(number));
        out.remark(format!("step {}", step.name));
        out.push(process(&self.step_names()[number - self.program.agents.len() - 1], body, chooses));
        out.gap();
        Ok(())
    }

    fn write_effects(
        &self,
        out: &mut Vec<Statement>,
        effects: &[Effect],
        locals: &[Local],
    ) -> Result<(), Lack> {
        for effect in effects {
            self.write_effect(out, effect, locals)?;
        }
        Ok(())
    }

    fn write_effect(&self, out: &mut Vec<Statement>, effect: &Effect, locals: &[Local]) -> Result<(), Lack> {
        match effect {
            Effect::Assign(variable, index, value) => {
                self.write_assign(out, *variable, index.as_ref(), value, locals)?
            }
            Effect::AssignAll(variable, value) => {
                self.write_value(out, *variable, value, locals)?;
                for (_, cell) in self.world().cells(&self.program.environment.variables[*variable]) {
                    out.push(assign(&cell, Expr::variable("_w")));
                }
            }
            Effect::If(condition, then, otherwise) => {
                let asked = self.asked(out, condition, locals)?;
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.write_effects(&mut yes, then, locals)?;
                self.write_effects(&mut no, otherwise, locals)?;
                out.push(Statement::If(vec![Branch::when(asked, yes), Branch::otherwise(no)]));
            }
            Effect::Either(options) => {
                let options: Vec<&[Effect]> = options.iter().map(Vec::as_slice).collect();
                self.write_choice(out, &options, locals)?;
            }
            Effect::Chance(branches) => {
                out.push(Statement::Remark("chance; here every outcome is possible".to_owned()));
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

    fn write_choice(
        &self,
        out: &mut Vec<Statement>,
        options: &[&[Effect]],
        locals: &[Local],
    ) -> Result<(), Lack> {
        if options.is_empty() {
            return Ok(());
        }
        let mut branches = Vec::new();
        let outcome = Place::named("_outcome");
        for (number, effects) in options.iter().enumerate() {
            let chosen = outcome.times(Expr::count(options.len())).plus(Expr::count(number));
            let mut body = vec![assign(&outcome, chosen)];
            self.write_effects(&mut body, effects, locals)?;
            branches.push(Branch::when(Expr::Truth(true), body));
        }
        out.push(Statement::If(branches));
        Ok(())
    }

    fn write_assign(
        &self,
        out: &mut Vec<Statement>,
        variable: usize,
        index: Option<&Term>,
        value: &Term,
        locals: &[Local],
    ) -> Result<(), Lack> {
        let cells = self.world().cells(&self.program.environment.variables[variable]);
        let Some(index) = index else {
            self.write_value(out, variable, value, locals)?;
            out.push(assign(&cells[0].1, Expr::variable("_w")));
            return Ok(());
        };
        let mut sound = Vec::new();
        self.world().sound_index(variable, index, locals, &mut sound)?;
        out.extend(self.check_world(&sound));
        self.write_value(out, variable, value, locals)?;
        let index = self.world().value(index, locals)?;
        let mut branches = Vec::new();
        for (member, cell) in cells {
            let member = self.names.value(member.unwrap_or(Value::None))?;
            branches.push(Branch::when(index.equals(member), vec![assign(&cell, Expr::variable("_w"))]));
        }
        branches.push(Branch::otherwise(Vec::new()));
        out.push(Statement::If(branches));
        Ok(())
    }

    /// `_w` becomes the value, which must lie in the variable's domain.
    fn write_value(
        &self,
        out: &mut Vec<Statement>,
        variable: usize,
        value: &Term,
        locals: &[Local],
    ) -> Result<(), Lack> {
        let domain = &self.program.environment.variables[variable].domain;
        out.extend(self.check_world(&self.world().sound(value, locals)?));
        out.push(assign("_w", self.world().value(value, locals)?));
        let certain = matches!(value, Term::Value(value) if contains(domain, *value));
        if !certain {
            out.extend(self.check_world(&[self.world().within(domain, &Expr::variable("_w"))?]));
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

/// A process that does this whenever it can.
fn process(name: &str, body: Vec<Statement>, chooses: bool) -> Item {
    let step = if chooses { Statement::Atomic(body) } else { Statement::Step(body) };
    let body = vec![Statement::Do(vec![Branch::open(vec![step])])];
    Item::Process { name: name.to_owned(), active: false, body }
}
