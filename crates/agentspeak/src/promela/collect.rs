//! Goes through a whole team and collects what needs a name in Promela.

use crate::atoms::{Fact, MindTest, Predicate};
use crate::program::{
    Answer, Argument, Atom, Condition, Domain, Effect, Environment, Expr, Mode, Operation, Parameter,
    Pattern, Program, Value,
};
use crate::promela::names::{Collector, Names};

/// All names of a team and of the claims about it.
pub(crate) fn names(program: &Program, predicates: &[Predicate]) -> Names {
    let mut all = Collector::new(&program.terms);
    for word in ["true", "false", "none"] {
        all.constant(word);
    }
    if program.mode == Mode::Jason {
        all.constant("self");
        all.constant("percept");
    }
    for agent in &program.agents {
        all.term(program.terms.structure(agent.name, &[]));
        for &term in agent.beliefs.iter().chain(&agent.goals) {
            all.atom(&Pattern::Ground(term));
        }
        for plan in &agent.plans {
            atom(&mut all, &plan.trigger);
            condition(&mut all, &plan.context);
            plan.body.iter().for_each(|instruction| operation(&mut all, &instruction.operation));
        }
    }
    for rule in &program.trust {
        rule.only.iter().flatten().for_each(|pattern| all.atom(pattern));
    }
    for stub in &program.stubs {
        match &stub.answer {
            Answer::OneOf(values) => values.iter().for_each(|&value| all.term(value)),
            Answer::Value(value) => expr(&mut all, value),
            Answer::Succeeds | Answer::Either => {}
        }
    }
    environment(&mut all, &program.environment);
    predicates.iter().for_each(|predicate| claimed(&mut all, predicate));
    all.finish()
}

fn atom(all: &mut Collector, atom: &Atom) {
    all.atom(&atom.pattern);
    atom.source.iter().for_each(|source| all.value(source));
}

fn condition(all: &mut Collector, of: &Condition) {
    match of {
        Condition::True | Condition::False => {}
        Condition::Belief(one) => atom(all, one),
        Condition::Not(inner) => condition(all, inner),
        Condition::And(inner) | Condition::Or(inner) => inner.iter().for_each(|one| condition(all, one)),
        Condition::Relation(_, left, right) => {
            all.value(left);
            all.value(right);
        }
        Condition::Internal(_, args) => arguments(all, args),
        Condition::Stub(_, args) => args.iter().for_each(|arg| all.value(arg)),
    }
}

fn arguments(all: &mut Collector, args: &[Argument]) {
    for arg in args {
        match arg {
            Argument::Term(pattern) => all.value(pattern),
            Argument::Condition(inner) => condition(all, inner),
        }
    }
}

fn operation(all: &mut Collector, of: &Operation) {
    match of {
        Operation::Act(pattern) | Operation::Achieve(pattern) | Operation::AchieveNew(pattern) => {
            all.atom(pattern)
        }
        Operation::Test(inner) | Operation::Branch(inner, _) => condition(all, inner),
        Operation::Each { condition: inner, .. } => condition(all, inner),
        Operation::Add(one) | Operation::Delete(one) | Operation::Replace(one) => atom(all, one),
        Operation::Send(to, _, content) => {
            all.value(to);
            all.atom(content);
        }
        Operation::Broadcast(_, content) => all.atom(content),
        Operation::Internal(crate::program::Internal::Abolish, args) => {
            for arg in args {
                if let Argument::Term(pattern) = arg {
                    all.atom(pattern);
                }
            }
        }
        // What is printed needs no code.
        Operation::Internal(crate::program::Internal::Print, _) => {}
        Operation::Internal(_, args) => arguments(all, args),
        Operation::Relation(_, left, right) => {
            all.value(left);
            all.value(right);
        }
        Operation::Stub(_, args) => args.iter().for_each(|arg| all.value(arg)),
        Operation::Jump(_) | Operation::Forget(_) => {}
    }
}

fn environment(all: &mut Collector, of: &Environment) {
    for (_, members) in &of.sorts {
        members.iter().for_each(|&member| value(all, member));
    }
    of.initial.iter().for_each(|&first| value(all, first));
    of.variables.iter().for_each(|variable| domain(all, &variable.domain));
    for percept in &of.percepts {
        all.predicate(percept.name, percept.args.len());
        percept.args.iter().chain(&percept.when).for_each(|one| expr(all, one));
    }
    for rule in &of.actions {
        all.predicate(rule.name, rule.params.len());
        for parameter in rule.params.iter().chain(&rule.by) {
            if let Parameter::Value(wanted) = parameter {
                value(all, *wanted);
            }
        }
        rule.when.iter().for_each(|one| expr(all, one));
        effects(all, &rule.effects);
    }
    for step in &of.steps {
        step.when.iter().for_each(|one| expr(all, one));
        effects(all, &step.effects);
    }
    for reaction in &of.reactions {
        expr(all, &reaction.when);
        effects(all, &reaction.effects);
    }
}

fn effects(all: &mut Collector, of: &[Effect]) {
    for effect in of {
        match effect {
            Effect::Assign(_, index, new) => index.iter().chain([new]).for_each(|one| expr(all, one)),
            Effect::AssignAll(_, new) => expr(all, new),
            Effect::If(when, then, otherwise) => {
                expr(all, when);
                effects(all, then);
                effects(all, otherwise);
            }
            Effect::Either(options) => options.iter().for_each(|option| effects(all, option)),
            Effect::Chance(branches) => branches.iter().for_each(|(_, branch)| effects(all, branch)),
        }
    }
}

fn domain(all: &mut Collector, of: &Domain) {
    match of {
        Domain::Range(low, high) => {
            all.number(*low);
            all.number(*high);
        }
        Domain::Bool => {}
        Domain::Members(members) => members.iter().for_each(|&member| value(all, member)),
        Domain::Optional(inner) => domain(all, inner),
    }
}

fn value(all: &mut Collector, of: Value) {
    match of {
        Value::None | Value::Bool(_) => {}
        Value::Int(number) => all.number(number),
        Value::Symbol(symbol) => all.symbol(symbol),
    }
}

fn expr(all: &mut Collector, of: &Expr) {
    match of {
        Expr::Value(one) => value(all, *one),
        Expr::Variable(_) | Expr::Local(_) => {}
        Expr::At(_, inner)
        | Expr::Negative(inner)
        | Expr::Not(inner)
        | Expr::Absolute(inner)
        | Expr::Fold(_, _, _, inner) => expr(all, inner),
        Expr::Lesser(left, right) | Expr::Larger(left, right) | Expr::Binary(_, left, right) => {
            expr(all, left);
            expr(all, right);
        }
    }
}

fn claimed(all: &mut Collector, predicate: &Predicate) {
    match predicate {
        Predicate::Mind(_, test) => match test {
            MindTest::Believes(inner) => condition(all, inner),
            MindTest::Desires(pattern)
            | MindTest::Intends(pattern)
            | MindTest::WillDo(pattern)
            | MindTest::Hears(_, pattern) => all.atom(pattern),
        },
        Predicate::World(inner) => fact(all, inner),
        Predicate::Next(_, pattern)
        | Predicate::Last(_, pattern)
        | Predicate::Sends(_, _, pattern)
        | Predicate::Reads(_, _, pattern) => all.atom(pattern),
    }
}

fn fact(all: &mut Collector, of: &Fact) {
    match of {
        Fact::Percept(pattern) => all.atom(pattern),
        Fact::Expr(one) => expr(all, one),
        Fact::Not(inner) => fact(all, inner),
        Fact::And(left, right) | Fact::Or(left, right) => {
            fact(all, left);
            fact(all, right);
        }
    }
}
