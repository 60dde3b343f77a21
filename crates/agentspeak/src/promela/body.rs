//! Bodies of plans: one formula of one intention is executed in the last step of the cycle.

use std::collections::BTreeSet;

use crate::program::{
    Argument, Atom, Condition, Force, Instruction, Internal, Operation, Pattern, Plan, VariableIndex,
};
use crate::promela::Refusal;
use crate::promela::agent::AgentWriter;
use crate::promela::condition::{check_numbers, mentioned, mentioned_in, mentioned_in_arguments};
use crate::promela::flow::{self, Values};
use crate::promela::lack::Lack;
use crate::promela::names::Flat;
use crate::promela::scope::{Computed, Scope};
use crate::promela::text::Text;

/// More variables than this that may or may not have a value are not told apart.
const LIMIT_UNSURE: usize = 4;

impl<'a> AgentWriter<'a> {
    pub(crate) fn write_intend(&mut self, out: &mut Text) -> Result<(), Refusal> {
        let (me, name) = (self.agent, self.name);
        out.line("_ok = 0; _jump = 0;");
        out.line(format_args!("_more = (len(i[{me}]) > 0);"));
        out.when("_more == 1", |out| out.line(format_args!("i[{me}]?_i;")));
        out.line("if");
        out.open(":: (_more == 1) ->");
        out.line(format_args!("_d = {me} * M_INT + _i; _st = GO;"));
        out.line("fetch_variables();");
        out.line("if");
        for (number, plan) in self.plans().iter().enumerate() {
            out.open(format_args!(":: (i_data[_d].plan == {}) ->", number + 1));
            out.remark(&plan.head_text);
            self.write_body(out, plan)?;
            out.line("skip");
            out.close("");
        }
        out.line(":: else");
        out.line("fi;");
        out.line("if");
        out.line(format_args!(":: (_st == GO) -> advance_{name}()"));
        out.line(format_args!(":: (_st == JUMP) -> _jump = 1; advance_{name}()"));
        out.line(format_args!(":: (_st == FAIL) -> fail_{name}()"));
        out.line(":: else");
        out.line("fi");
        out.close(":: else");
        out.line("fi;");
        Ok(())
    }

    fn write_body(&mut self, out: &mut Text, plan: &'a Plan) -> Result<(), Refusal> {
        if plan.body.len() > 250 {
            return Err(Lack::Size.at(plan.span));
        }
        let values = flow::values(self.context.program, plan);
        out.line("if");
        for (at, instruction) in plan.body.iter().enumerate() {
            let Some(values) = &values[at] else { continue };
            out.open(format_args!(":: (i_data[_d].pc == {at}) ->"));
            out.remark(&instruction.text);
            self.write_instruction(out, plan, instruction, values)
                .map_err(|lack| lack.at(instruction.span))?;
            out.line("skip");
            out.close("");
        }
        out.line(":: else");
        out.line("fi;");
        Ok(())
    }

    /// The formula, once for each way in which its unsure variables may have values.
    fn write_instruction(
        &mut self,
        out: &mut Text,
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
        out: &mut Text,
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
        out.line("if");
        out.open(format_args!(":: (VAR({}) == UNBOUND) ->", first.0));
        self.split(out, plan, instruction, rest, scope)?;
        out.line("skip");
        out.turn(":: else ->");
        self.split(out, plan, instruction, rest, bound)?;
        out.line("skip");
        out.close("fi;");
        Ok(())
    }

    fn write_operation(
        &mut self,
        out: &mut Text,
        plan: &'a Plan,
        operation: &'a Operation,
        scope: &Scope,
    ) -> Result<(), Lack> {
        match operation {
            Operation::Act(action) => self.write_act(out, action, scope),
            Operation::Achieve(goal) => self.write_goal(out, goal, scope, "_i + 1"),
            Operation::AchieveNew(goal) => self.write_goal(out, goal, scope, "0"),
            Operation::Test(condition) => self.write_test(out, condition, scope),
            Operation::Add(atom) => self.write_add(out, atom, scope),
            Operation::Delete(atom) => self.write_delete(out, atom, scope),
            Operation::Replace(atom) => self.write_replace(out, atom, scope),
            Operation::Send(to, force, content) => self.write_send(out, to, *force, content, scope),
            Operation::Broadcast(force, content) => self.write_broadcast(out, *force, content, scope),
            Operation::Internal(Internal::Print, _) => Ok(()),
            Operation::Internal(Internal::Fail, _) => {
                out.line("_st = FAIL;");
                Ok(())
            }
            Operation::Internal(Internal::Abolish, args) => self.write_abolish(out, args, scope),
            Operation::Internal(internal, args) => {
                let condition = Condition::Internal(*internal, args.clone());
                self.write_solved(out, &condition, scope, |out| out.line("_st = FAIL"))
            }
            Operation::Relation(operator, left, right) => {
                let condition = Condition::Relation(*operator, left.clone(), right.clone());
                self.write_solved(out, &condition, scope, |out| out.line("_st = FAIL"))
            }
            Operation::Stub(stub, args) => {
                let condition = Condition::Stub(*stub, args.clone());
                self.write_solved(out, &condition, scope, |out| out.line("_st = FAIL"))
            }
            Operation::Branch(condition, otherwise) => {
                let onward = flow::onward(plan, *otherwise);
                self.write_solved(out, condition, scope, |out| write_jump(out, &onward))
            }
            Operation::Jump(target) => {
                write_jump(out, &flow::onward(plan, *target));
                Ok(())
            }
            Operation::Forget(_) => Ok(()),
            Operation::Each { .. } => Err(Lack::Construct("`for`".to_owned())),
        }
    }

    /// Solves a condition; its values are kept if there is a solution.
    fn write_solved(
        &mut self,
        out: &mut Text,
        condition: &Condition,
        scope: &Scope,
        otherwise: impl FnOnce(&mut Text),
    ) -> Result<(), Lack> {
        out.line(format_args!("_ok = 0; load({});", self.agent));
        self.solver.solve(out, condition, scope, "_ok")?;
        out.line("if");
        out.line(":: (_ok == 1) -> keep_variables()");
        out.open(":: else ->");
        otherwise(out);
        out.close("fi;");
        Ok(())
    }

    fn write_test(&mut self, out: &mut Text, condition: &Condition, scope: &Scope) -> Result<(), Lack> {
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
        let (me, name) = (self.agent, self.name);
        let padded = event.as_ref().map(|(goal, _)| self.context.padded(&goal.args));
        let symbol = event.as_ref().map(|(goal, _)| self.context.names.predicate(goal.predicate));
        self.write_solved(out, condition, scope, |out| match (padded, symbol) {
            (Some(args), Some(symbol)) => {
                out.line("if");
                out.line(format_args!(":: (cand_{name}(ADD_TEST, {symbol}{args})) -> post({me}, ADD_TEST, _i + 1, {symbol}{args}, 0); _st = WAIT"));
                out.line(":: else -> _st = FAIL");
                out.line("fi");
            }
            _ => out.line("_st = FAIL"),
        })
    }

    fn write_act(&mut self, out: &mut Text, action: &Pattern, scope: &Scope) -> Result<(), Lack> {
        let (act, value) = scope.atom(self.context.names, action)?;
        let seat = if self.context.jason() { "_i," } else { "" };
        let record = format!("{},{seat}{}{}", self.agent, self.symbol(&act), self.context.padded(&act.args));
        let wait = self.context.jason();
        guarded(out, &value, |out| {
            out.line("check(bound_actions, len(a) < M_ACT);");
            out.line(format_args!("a!{record};"));
            if wait {
                out.line("_st = WAIT;");
            }
        });
        Ok(())
    }

    fn write_goal(
        &mut self,
        out: &mut Text,
        goal: &Pattern,
        scope: &Scope,
        waiting: &str,
    ) -> Result<(), Lack> {
        let (goal, value) = scope.atom(self.context.names, goal)?;
        let post = format!(
            "post({}, ADD_GOAL, {waiting}, {}{}{});",
            self.agent,
            self.symbol(&goal),
            self.context.padded(&goal.args),
            self.context.sourced("0")
        );
        guarded(out, &value, |out| {
            out.line(post);
            if waiting != "0" {
                out.line("_st = WAIT;");
            }
        });
        Ok(())
    }

    fn write_add(&mut self, out: &mut Text, atom: &Atom, scope: &Scope) -> Result<(), Lack> {
        let (new, value) = scope.atom(self.context.names, &atom.pattern)?;
        let source = self.source(atom)?;
        let mut result = Ok(());
        guarded(out, &value, |out| result = self.write_believe(out, &new, source));
        result
    }

    /// The atom becomes a belief, with its event.
    fn write_believe(&self, out: &mut Text, new: &Flat<String>, source: usize) -> Result<(), Lack> {
        let me = self.agent;
        self.write_current(out, new);
        out.line(format_args!("load({me}); believe({}); save({me});", 1u64 << source));
        out.when("_new == 1", |out| self.write_own_event(out, "ADD_BELIEF", source));
        Ok(())
    }

    /// The event about `_q(_x0, ..)` that this intention causes: apart in AgentSpeak(F), inside it in Jason.
    fn write_own_event(&self, out: &mut Text, kind: &str, source: usize) {
        let (me, x) = (self.agent, self.context.columns("_x"));
        if self.context.jason() {
            out.line(format_args!("post({me}, {kind}, _i + 1, _q{x}, {source}); _st = WAIT;"));
        } else {
            out.line(format_args!("post({me}, {kind}, 0, _q{x});"));
        }
    }

    fn write_current(&self, out: &mut Text, atom: &Flat<String>) {
        out.line(format_args!("_q = {};", self.symbol(atom)));
        for at in 0..self.context.names.arity {
            let value = atom.args.get(at).map_or("0", String::as_str);
            out.line(format_args!("_x{at} = {value};"));
        }
    }

    fn write_delete(&mut self, out: &mut Text, atom: &Atom, scope: &Scope) -> Result<(), Lack> {
        let source = self.source(atom)?;
        let me = self.agent;
        let mut tests = self.belief_tests(&atom.pattern, scope)?;
        if self.context.jason() {
            tests.push(format!("(_bs[_j] & {})", 1u64 << source));
        }
        out.line(format_args!("load({me});"));
        self.write_find(out, &tests);
        out.when("_j < _n", |out| {
            self.write_taken(out);
            if self.context.jason() {
                out.line(format_args!("_bs[_j] = _bs[_j] - {};", 1u64 << source));
                out.line("if :: (_bs[_j] == 0) -> remove() :: else fi;");
            } else {
                out.line("remove();");
            }
            out.line(format_args!("save({me});"));
            self.write_own_event(out, "DEL_BELIEF", source);
        });
        Ok(())
    }

    fn write_replace(&mut self, out: &mut Text, atom: &Atom, scope: &Scope) -> Result<(), Lack> {
        let (new, value) = scope.atom(self.context.names, &atom.pattern)?;
        let source = self.source(atom)?;
        let me = self.agent;
        let tests =
            vec![format!("_bp[_j] == {}", self.symbol(&new)), format!("(_bs[_j] & {})", 1u64 << source)];
        let mut result = Ok(());
        guarded(out, &value, |out| {
            out.line(format_args!("load({me});"));
            self.write_find(out, &tests);
            out.when("_j < _n", |out| {
                self.write_taken(out);
                out.line(format_args!("_bs[_j] = _bs[_j] - {};", 1u64 << source));
                out.line("if :: (_bs[_j] == 0) -> remove() :: else fi;");
                out.line(format_args!("save({me});"));
                self.post_belief(out, "DEL_BELIEF", &source.to_string());
            });
            result = self.write_believe(out, &new, source);
        });
        result
    }

    fn write_abolish(&mut self, out: &mut Text, args: &[Argument], scope: &Scope) -> Result<(), Lack> {
        let me = self.agent;
        let tests = self.belief_tests(crate::promela::condition::term(args, 0)?, scope)?;
        out.line(format_args!("load({me});"));
        self.write_find(out, &tests);
        out.line("do");
        out.open(":: (_j < _n) ->");
        self.write_taken(out);
        out.line("remove();");
        self.post_belief(out, "DEL_BELIEF", "0");
        self.write_find(out, &tests);
        out.line("skip");
        out.close(":: else -> break");
        out.line("od;");
        out.line(format_args!("save({me});"));
        Ok(())
    }

    /// Conditions for the belief at `_j` to match; variables without a value match anything.
    fn belief_tests(&self, pattern: &Pattern, scope: &Scope) -> Result<Vec<String>, Lack> {
        let columns: Vec<String> = (0..self.context.names.arity).map(|at| format!("_b{at}[_j]")).collect();
        let found = scope.matching(self.context.names, pattern, "_bp[_j]", &columns)?;
        if has_arithmetic(pattern) {
            return Err(Lack::Construct("arithmetic in a deleted belief".to_owned()));
        }
        Ok(found.tests)
    }

    fn write_find(&self, out: &mut Text, tests: &[String]) {
        out.line("_j = 0;");
        out.line(format_args!("do :: (_j < _n && !({})) -> _j++ :: else -> break od;", tests.join(" && ")));
    }

    /// `_q(_x0, ..)` is the belief at `_j`.
    fn write_taken(&self, out: &mut Text) {
        let columns: String =
            (0..self.context.names.arity).map(|at| format!(" _x{at} = _b{at}[_j];")).collect();
        out.line(format_args!("_q = _bp[_j];{columns}"));
    }

    fn write_send(
        &mut self,
        out: &mut Text,
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
        let lost = if self.context.jason() { "_st = FAIL" } else { "skip" };
        guarded(out, &value, |out| {
            out.line("if");
            for (code, delivery) in deliveries {
                out.line(format_args!(":: ({} == {code}) -> {delivery}", to.expr));
            }
            out.line(format_args!(":: else -> {lost}"));
            out.line("fi;");
        });
        Ok(())
    }

    fn write_broadcast(
        &mut self,
        out: &mut Text,
        force: Force,
        content: &Pattern,
        scope: &Scope,
    ) -> Result<(), Lack> {
        let (content, value) = scope.atom(self.context.names, content)?;
        let others = (0..self.context.program.agents.len()).filter(|&agent| agent != self.agent);
        let deliveries =
            others.map(|agent| self.delivery(agent, force, &content)).collect::<Result<Vec<_>, _>>()?;
        guarded(out, &value, |out| {
            for delivery in deliveries {
                out.line(format_args!("{delivery};"));
            }
        });
        Ok(())
    }

    fn delivery(&self, to: usize, force: Force, content: &Flat<String>) -> Result<String, Lack> {
        if !self.context.is_present(to) {
            return Ok("skip".to_owned());
        }
        let force = match force {
            Force::Tell => "TELL",
            Force::Untell => "UNTELL",
            Force::Achieve => "ACHIEVE",
            Force::Unachieve => return Err(Lack::Construct("`unachieve`".to_owned())),
        };
        let (symbol, args) = (self.symbol(content), self.context.padded(&content.args));
        let from = self.agent;
        Ok(format!("check(bound_messages, len(m[{to}]) < M_MSG); m[{to}]!{from},{force},{symbol}{args}"))
    }

    fn symbol(&self, atom: &Flat<String>) -> String {
        self.context.names.predicate(atom.predicate)
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

/// The code, if all of its values exist; otherwise the formula fails.
fn guarded(out: &mut Text, value: &Computed, block: impl FnOnce(&mut Text)) {
    if value.guards.is_empty() {
        check_numbers(out, &value.checks);
        block(out);
        return;
    }
    out.line("if");
    out.open(format_args!(":: ({}) ->", value.guards.join(" && ")));
    check_numbers(out, &value.checks);
    block(out);
    out.line("skip");
    out.close(":: else -> _st = FAIL");
    out.line("fi;");
}

fn write_jump(out: &mut Text, onward: &flow::Onward) {
    let target = onward.at.map_or_else(|| "END".to_owned(), |at| at.to_string());
    for variable in &onward.forgotten {
        out.line(format_args!("i_data[_d].v[{}] = UNBOUND;", variable.0));
    }
    out.line(format_args!("_st = JUMP; _pc = {target}"));
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
