//! Bodies of plans: one formula of one intention is executed in the last step of the cycle.

use std::collections::BTreeSet;

use motet_machine::promela::{Branch, Statement, assign};
use motet_machine::{Expr, Place};

use crate::program::{
    Argument, Atom, Condition, Force, Instruction, Internal, Operation, Pattern, Plan, VariableIndex,
};
use crate::promela::Refusal;
use crate::promela::agent::{AgentWriter, forget, target};
use crate::promela::condition::{check_numbers, mentioned, mentioned_in, mentioned_in_arguments};
use crate::promela::flow::{self, Values};
use crate::promela::lack::Lack;
use crate::promela::layout::{event as event_code, find, perform, room, seat_of, this};
use crate::promela::names::Flat;
use crate::promela::scope::{Computed, Scope, cell};

/// More variables than this that may or may not have a value are not told apart.
const LIMIT_UNSURE: usize = 4;

impl<'a> AgentWriter<'a> {
    pub(crate) fn write_intend(&mut self, out: &mut Vec<Statement>) -> Result<(), Refusal> {
        let own = Place::named("i").at(Expr::count(self.agent));
        let more = Place::named("_more");
        out.extend([assign("_ok", 0), assign("_jump", 0)]);
        out.push(assign(&more, Expr::call("len", [Expr::from(&own)]).greater(0)));
        let i = Place::named("_i");
        out.push(Statement::when(more.equals(1), vec![Statement::Receive(own, vec![i.clone()])]));
        let mut body = vec![assign("_d", seat_of(self.agent, i.into())), assign("_st", go("GO"))];
        body.push(perform("fetch_variables", []));
        let mut branches = Vec::new();
        for (number, plan) in self.plans().iter().enumerate() {
            let mut inner = vec![Statement::Remark(plan.head_text.clone())];
            self.write_body(&mut inner, plan)?;
            branches.push(Branch::when(this().field("plan").equals(Expr::count(number + 1)), inner));
        }
        branches.push(Branch::otherwise(Vec::new()));
        body.push(Statement::If(branches));
        let advance = || perform(&format!("advance_{}", self.name), []);
        let st = Place::named("_st");
        body.push(Statement::If(vec![
            Branch::when(st.equals(go("GO")), vec![advance()]),
            Branch::when(st.equals(go("JUMP")), vec![assign("_jump", 1), advance()]),
            Branch::when(st.equals(go("FAIL")), vec![perform(&format!("fail_{}", self.name), [])]),
            Branch::otherwise(Vec::new()),
        ]));
        out.push(Statement::when(more.equals(1), body));
        Ok(())
    }

    fn write_body(&mut self, out: &mut Vec<Statement>, plan: &'a Plan) -> Result<(), Refusal> {
        if plan.body.len() > 250 {
            return Err(Lack::Size.at(plan.span));
        }
        let values = flow::values(self.context.program, plan);
        let mut branches = Vec::new();
        for (at, instruction) in plan.body.iter().enumerate() {
            let Some(values) = &values[at] else { continue };
            let mut inner = vec![Statement::Remark(instruction.text.clone())];
            self.write_instruction(&mut inner, plan, instruction, values)
                .map_err(|lack| lack.at(instruction.span))?;
            inner.push(Statement::Skip);
            branches.push(Branch::when(this().field("pc").equals(Expr::count(at)), inner));
        }
        branches.push(Branch::otherwise(Vec::new()));
        out.push(Statement::If(branches));
        Ok(())
    }

    /// The formula, once for each way in which its unsure variables may have values.
    fn write_instruction(
        &mut self,
        out: &mut Vec<Statement>,
        plan: &'a Plan,
        instruction: &'a Instruction,
        values: &Values,
    ) -> Result<(), Lack> {
        let used = used(&instruction.operation);
        let unsure: Vec<VariableIndex> = values
            .possibly
            .iter()
            .filter(|variable| !values.surely.contains(variable) && used.contains(variable))
            .copied()
            .collect();
        if unsure.len() > LIMIT_UNSURE {
            return Err(Lack::Size);
        }
        let mut scope = Scope::new(plan.variables.len());
        // Whatever may have a value and is not looked at keeps it.
        values.possibly.iter().filter(|variable| !unsure.contains(variable)).for_each(|v| scope.bind(*v));
        self.split(out, plan, instruction, &unsure, scope)
    }

    fn split(
        &mut self,
        out: &mut Vec<Statement>,
        plan: &'a Plan,
        instruction: &'a Instruction,
        unsure: &[VariableIndex],
        scope: Scope,
    ) -> Result<(), Lack> {
        let Some((first, rest)) = unsure.split_first() else {
            return self.write_operation(out, plan, &instruction.operation, &scope);
        };
        let mut bound = scope.clone();
        bound.bind(*first);
        let (mut without, mut with) = (Vec::new(), vec![]);
        self.split(&mut without, plan, instruction, rest, scope)?;
        self.split(&mut with, plan, instruction, rest, bound)?;
        let open = cell(*first).equals(self.context.names.unbound());
        out.push(Statement::If(vec![Branch::when(open, without), Branch::otherwise(with)]));
        Ok(())
    }

    fn write_operation(
        &mut self,
        out: &mut Vec<Statement>,
        plan: &'a Plan,
        operation: &'a Operation,
        scope: &Scope,
    ) -> Result<(), Lack> {
        match operation {
            Operation::Act(action) => self.write_act(out, action, scope),
            Operation::Achieve(goal) => self.write_goal(out, goal, scope, Expr::variable("_i").plus(1)),
            Operation::AchieveNew(goal) => self.write_goal(out, goal, scope, Expr::Number(0)),
            Operation::Test(condition) => self.write_test(out, condition, scope),
            Operation::Add(atom) => self.write_add(out, atom, scope),
            Operation::Delete(atom) => self.write_delete(out, atom, scope),
            Operation::Replace(atom) => self.write_replace(out, atom, scope),
            Operation::Send(to, force, content) => self.write_send(out, to, *force, content, scope),
            Operation::Broadcast(force, content) => self.write_broadcast(out, *force, content, scope),
            Operation::Internal(Internal::Print, _) => Ok(()),
            Operation::Internal(Internal::Fail, _) => {
                out.push(fails());
                Ok(())
            }
            Operation::Internal(Internal::Abolish, args) => self.write_abolish(out, args, scope),
            Operation::Internal(internal, args) => {
                let condition = Condition::Internal(*internal, args.clone());
                self.write_solved(out, &condition, scope, vec![fails()])
            }
            Operation::Relation(operator, left, right) => {
                let condition = Condition::Relation(*operator, left.clone(), right.clone());
                self.write_solved(out, &condition, scope, vec![fails()])
            }
            Operation::Stub(stub, args) => {
                let condition = Condition::Stub(*stub, args.clone());
                self.write_solved(out, &condition, scope, vec![fails()])
            }
            Operation::Branch(condition, otherwise) => {
                let onward = flow::onward(plan, *otherwise);
                self.write_solved(out, condition, scope, jump(&onward))
            }
            Operation::Jump(target) => {
                out.extend(jump(&flow::onward(plan, *target)));
                Ok(())
            }
            Operation::Forget(_) => Ok(()),
            Operation::Each { .. } => Err(Lack::Construct("`for`".to_owned())),
        }
    }

    /// Solves a condition; its values are kept if there is a solution.
    fn write_solved(
        &mut self,
        out: &mut Vec<Statement>,
        condition: &Condition,
        scope: &Scope,
        otherwise: Vec<Statement>,
    ) -> Result<(), Lack> {
        out.extend([assign("_ok", 0), self.load()]);
        self.solver.solve(out, condition, scope, "_ok")?;
        let found = Branch::when(Expr::variable("_ok").equals(1), vec![perform("keep_variables", [])]);
        out.push(Statement::If(vec![found, Branch::otherwise(otherwise)]));
        Ok(())
    }

    fn write_test(
        &mut self,
        out: &mut Vec<Statement>,
        condition: &Condition,
        scope: &Scope,
    ) -> Result<(), Lack> {
        let mut event = None;
        if let (true, Condition::Belief(atom)) = (self.context.jason(), condition) {
            let shape = shape(self.context.names, &atom.pattern)?;
            let asked = self.plans().iter().any(|plan| {
                plan.kind == crate::syntax::TriggerKind::Test
                    && crate::promela::body::shape(self.context.names, &plan.trigger.pattern) == Ok(shape)
            });
            if asked {
                let (goal, value) = scope.atom(self.context.names, &atom.pattern)?;
                event = Some((goal, value));
            }
        }
        let otherwise = match event {
            Some((goal, _)) => {
                let atom = self.coded(&goal);
                let kind = event_code("ADD_TEST");
                let asked = self.candidate(kind.clone(), &atom);
                let waiting = Expr::variable("_i").plus(1);
                let post = self.context.post(self.agent, kind, waiting, atom, Expr::Number(0));
                let asks = Branch::when(asked, vec![post, assign("_st", go("WAIT"))]);
                vec![Statement::If(vec![asks, Branch::otherwise(vec![fails()])])]
            }
            None => vec![fails()],
        };
        self.write_solved(out, condition, scope, otherwise)
    }

    fn write_act(&mut self, out: &mut Vec<Statement>, action: &Pattern, scope: &Scope) -> Result<(), Lack> {
        let (act, value) = scope.atom(self.context.names, action)?;
        let queue = Place::named("a");
        let mut record = vec![Expr::count(self.agent)];
        record.extend(self.context.sourced(Expr::variable("_i")));
        record.extend(self.coded(&act));
        let mut body = vec![room("actions", &queue, "M_ACT"), Statement::Send(queue, record)];
        body.extend(self.context.jason().then(|| assign("_st", go("WAIT"))));
        out.extend(guarded(&value, body));
        Ok(())
    }

    fn write_goal(
        &mut self,
        out: &mut Vec<Statement>,
        goal: &Pattern,
        scope: &Scope,
        waiting: Expr,
    ) -> Result<(), Lack> {
        let (goal, value) = scope.atom(self.context.names, goal)?;
        let waits = !waiting.is(false);
        let mut body =
            vec![self.context.post(self.agent, event_code("ADD_GOAL"), waiting, self.coded(&goal), 0.into())];
        body.extend(waits.then(|| assign("_st", go("WAIT"))));
        out.extend(guarded(&value, body));
        Ok(())
    }

    fn write_add(&mut self, out: &mut Vec<Statement>, atom: &Atom, scope: &Scope) -> Result<(), Lack> {
        let (new, value) = scope.atom(self.context.names, &atom.pattern)?;
        let source = self.source(atom)?;
        out.extend(guarded(&value, self.believe(&new, source)));
        Ok(())
    }

    /// The atom becomes a belief, with its event.
    fn believe(&self, new: &Flat<Expr>, source: usize) -> Vec<Statement> {
        let current = self.context.current().into_iter().zip(self.coded(new));
        let mut body: Vec<Statement> = current
            .filter_map(|(place, value)| match place {
                Expr::Read(place) => Some(assign(place, value)),
                _ => None,
            })
            .collect();
        body.extend([self.load(), perform("believe", [source_bit(source)]), self.save()]);
        let posts = self.own_event("ADD_BELIEF", source);
        body.push(Statement::when(Expr::variable("_new").equals(1), posts));
        body
    }

    pub(crate) fn load(&self) -> Statement {
        perform("load", [Expr::count(self.agent)])
    }

    pub(crate) fn save(&self) -> Statement {
        perform("save", [Expr::count(self.agent)])
    }

    /// The event about `_q(_x0, ..)` that this intention causes: apart in AgentSpeak(F), inside it in Jason.
    fn own_event(&self, kind: &str, source: usize) -> Vec<Statement> {
        let jason = self.context.jason();
        let waiting = if jason { Expr::variable("_i").plus(1) } else { Expr::Number(0) };
        let source = Expr::count(source);
        let mut all =
            vec![self.context.post(self.agent, event_code(kind), waiting, self.context.current(), source)];
        all.extend(jason.then(|| assign("_st", go("WAIT"))));
        all
    }

    fn write_delete(&mut self, out: &mut Vec<Statement>, atom: &Atom, scope: &Scope) -> Result<(), Lack> {
        let source = self.source(atom)?;
        let mut tests = self.belief_tests(&atom.pattern, scope)?;
        if self.context.jason() {
            tests.push(has_source(source));
        }
        out.push(self.load());
        out.extend(find(&Expr::all(tests)));
        let mut body = self.context.take_current();
        if self.context.jason() {
            body.extend(without_source(source));
        } else {
            body.push(perform("remove", []));
        }
        body.push(self.save());
        body.extend(self.own_event("DEL_BELIEF", source));
        out.push(Statement::when(found(), body));
        Ok(())
    }

    fn write_replace(&mut self, out: &mut Vec<Statement>, atom: &Atom, scope: &Scope) -> Result<(), Lack> {
        let (new, value) = scope.atom(self.context.names, &atom.pattern)?;
        let source = self.source(atom)?;
        let same = Place::named("_bp").at(Expr::variable("_j")).equals(self.symbol(&new));
        let mut body = vec![self.load()];
        body.extend(find(&same.and(&has_source(source))));
        let mut old = self.context.take_current();
        old.extend(without_source(source));
        old.push(self.save());
        old.push(self.post_belief("DEL_BELIEF", Expr::count(source)));
        body.push(Statement::when(found(), old));
        body.extend(self.believe(&new, source));
        out.extend(guarded(&value, body));
        Ok(())
    }

    fn write_abolish(
        &mut self,
        out: &mut Vec<Statement>,
        args: &[Argument],
        scope: &Scope,
    ) -> Result<(), Lack> {
        let fits = Expr::all(self.belief_tests(crate::promela::condition::term(args, 0)?, scope)?);
        out.push(self.load());
        out.extend(find(&fits));
        let mut body = self.context.take_current();
        body.extend([perform("remove", []), self.post_belief("DEL_BELIEF", Expr::Number(0))]);
        body.extend(find(&fits));
        out.extend([Statement::repeat(found(), body), self.save()]);
        Ok(())
    }

    /// Conditions for the belief at `_j` to match; variables without a value match anything.
    fn belief_tests(&self, pattern: &Pattern, scope: &Scope) -> Result<Vec<Expr>, Lack> {
        let column = |name: &str| Expr::from(Place::named(name).at(Expr::variable("_j")));
        let columns: Vec<Expr> = (0..self.context.names.arity).map(|at| column(&format!("_b{at}"))).collect();
        let found = scope.matching(self.context.names, pattern, &column("_bp"), &columns)?;
        if has_arithmetic(pattern) {
            return Err(Lack::Construct("arithmetic in a deleted belief".to_owned()));
        }
        Ok(found.tests)
    }

    fn write_send(
        &mut self,
        out: &mut Vec<Statement>,
        to: &Pattern,
        force: Force,
        content: &Pattern,
        scope: &Scope,
    ) -> Result<(), Lack> {
        let to = scope.compute(self.context.names, to)?;
        let (content, mut value) = scope.atom(self.context.names, content)?;
        value.guards.extend(to.guards);
        let mut deliveries = Vec::new();
        for (number, agent) in self.context.program.agents.iter().enumerate() {
            let code = self.context.names.term(self.context.names.terms.structure(agent.name, &[]))?;
            deliveries.push((code, self.delivery(number, force, &content)?));
        }
        let lost = if self.context.jason() { fails() } else { Statement::Skip };
        let branches = deliveries.into_iter();
        let branches = branches.map(|(code, delivery)| Branch::when(to.expr.equals(code), delivery));
        let all = branches.chain([Branch::otherwise(vec![lost])]).collect();
        out.extend(guarded(&value, vec![Statement::If(all)]));
        Ok(())
    }

    fn write_broadcast(
        &mut self,
        out: &mut Vec<Statement>,
        force: Force,
        content: &Pattern,
        scope: &Scope,
    ) -> Result<(), Lack> {
        let (content, value) = scope.atom(self.context.names, content)?;
        let others = (0..self.context.program.agents.len()).filter(|&agent| agent != self.agent);
        let deliveries =
            others.map(|agent| self.delivery(agent, force, &content)).collect::<Result<Vec<_>, _>>()?;
        out.extend(guarded(&value, deliveries.concat()));
        Ok(())
    }

    fn delivery(&self, to: usize, force: Force, content: &Flat<Expr>) -> Result<Vec<Statement>, Lack> {
        if !self.context.is_present(to) {
            return Ok(vec![Statement::Skip]);
        }
        let force = match force {
            Force::Tell => Expr::named("TELL", 1),
            Force::Untell => Expr::named("UNTELL", 2),
            Force::Achieve => Expr::named("ACHIEVE", 3),
            Force::Unachieve => return Err(Lack::Construct("`unachieve`".to_owned())),
        };
        let queue = Place::named("m").at(Expr::count(to));
        let mut message = vec![Expr::count(self.agent), force];
        message.extend(self.coded(content));
        Ok(vec![room("messages", &queue, "M_MSG"), Statement::Send(queue, message)])
    }

    fn symbol(&self, atom: &Flat<Expr>) -> Expr {
        self.context.names.predicate(atom.predicate)
    }

    /// Predicate and arguments.
    fn coded(&self, atom: &Flat<Expr>) -> Vec<Expr> {
        let args = self.context.padded(&atom.args);
        [self.symbol(atom)].into_iter().chain(args).collect()
    }

    /// The number of the source that an atom names.
    fn source(&self, atom: &Atom) -> Result<usize, Lack> {
        let Some(source) = &atom.source else { return Ok(0) };
        let terms = &self.context.names.terms;
        let term = match source {
            Pattern::Ground(term) => *term,
            Pattern::Structure(name, args) if args.is_empty() => terms.structure(*name, &[]),
            _ => return Err(Lack::Construct("a source that is no constant".to_owned())),
        };
        if term == terms.constant("self") {
            return Ok(0);
        }
        if term == terms.constant("percept") {
            return Ok(1);
        }
        let agents = &self.context.program.agents;
        let agent = agents.iter().position(|agent| terms.structure(agent.name, &[]) == term);
        agent.map(|agent| agent + 2).ok_or_else(|| Lack::Construct(format!("source({})", terms.show(term))))
    }
}

/// The statements, if all values exist; otherwise the formula fails.
fn guarded(value: &Computed, body: Vec<Statement>) -> Vec<Statement> {
    let mut all = check_numbers(&value.checks);
    all.extend(body);
    if value.guards.is_empty() {
        return all;
    }
    let exists = Branch::when(Expr::all(value.guards.iter().cloned()), all);
    vec![Statement::If(vec![exists, Branch::otherwise(vec![fails()])])]
}

fn jump(onward: &flow::Onward) -> Vec<Statement> {
    let mut all = forget(onward);
    all.extend([assign("_st", go("JUMP")), assign("_pc", target(onward))]);
    all
}

/// What becomes of the intention.
fn go(name: &str) -> Expr {
    let number = ["GO", "WAIT", "FAIL", "JUMP"].iter().position(|known| *known == name);
    Expr::named(name, number.map_or(0, |number| i64::try_from(number).unwrap_or(0)))
}

fn fails() -> Statement {
    assign("_st", go("FAIL"))
}

fn source_bit(source: usize) -> Expr {
    Expr::Number(1 << source)
}

/// The sources of the belief at `_j`.
fn sources() -> Place {
    Place::named("_bs").at(Expr::variable("_j"))
}

fn has_source(source: usize) -> Expr {
    sources().bit_and(source_bit(source))
}

/// The belief at `_j` loses a source, and goes with the last.
fn without_source(source: usize) -> [Statement; 2] {
    let gone = Statement::when(sources().equals(0), vec![perform("remove", [])]);
    [assign(sources(), sources().minus(source_bit(source))), gone]
}

/// Whether a belief was found.
fn found() -> Expr {
    Place::named("_j").less(Expr::variable("_n"))
}

fn has_arithmetic(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Arithmetic(..) => true,
        Pattern::Structure(_, args) => args.iter().any(has_arithmetic),
        _ => false,
    }
}

/// Name and arity of an atom.
fn shape(
    names: &crate::promela::names::Names,
    pattern: &Pattern,
) -> Result<(crate::term::Symbol, usize), Lack> {
    match pattern {
        Pattern::Structure(name, args) => Ok((*name, args.len())),
        Pattern::Ground(term) => match names.terms.get(*term) {
            crate::term::Term::Structure(name, args) => Ok((*name, args.len())),
            _ => Err(Lack::Open),
        },
        _ => Err(Lack::Construct("a variable in place of an atom".to_owned())),
    }
}

/// Variables that a formula looks at or binds.
fn used(operation: &Operation) -> BTreeSet<VariableIndex> {
    let mut out = Vec::new();
    let atom = |atom: &Atom, out: &mut Vec<VariableIndex>| {
        mentioned_in(&atom.pattern, out);
        atom.source.iter().for_each(|source| mentioned_in(source, out));
    };
    match operation {
        Operation::Act(pattern) | Operation::Achieve(pattern) | Operation::AchieveNew(pattern) => {
            mentioned_in(pattern, &mut out);
        }
        Operation::Broadcast(_, pattern) => mentioned_in(pattern, &mut out),
        Operation::Test(condition) | Operation::Branch(condition, _) => mentioned(condition, &mut out),
        Operation::Add(one) | Operation::Delete(one) | Operation::Replace(one) => atom(one, &mut out),
        Operation::Send(to, _, content) => {
            mentioned_in(to, &mut out);
            mentioned_in(content, &mut out);
        }
        // What is printed does not matter.
        Operation::Internal(Internal::Print | Internal::Wait, _) => {}
        Operation::Internal(_, args) => mentioned_in_arguments(args, &mut out),
        Operation::Relation(_, left, right) => {
            mentioned_in(left, &mut out);
            mentioned_in(right, &mut out);
        }
        Operation::Stub(_, args) => args.iter().for_each(|arg| mentioned_in(arg, &mut out)),
        Operation::Jump(_) | Operation::Forget(_) | Operation::Each { .. } => {}
    }
    out.into_iter().collect()
}
