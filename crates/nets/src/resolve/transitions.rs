//! Transitions: from statements to disjuncts, in the order in which they are evaluated.
//!
//! Consumed tokens first, then tests, then what is received, then picks and names in the order of the text, then conditions,
//! and last everything that is sent, stored or produced. All of it looks at the marking before the firing.

mod arcs;
mod channel;
mod effects;

use motet_source::{Problem, Span};

use super::compile::{Compiler, Context, Kind, Origin, Prime, Want};
use super::declare::Declarations;
use super::nets::note_used;
use super::ports::Use;
use crate::program::{Alternative, Binding, Expr, Operator, PlaceId, Sort, Sync, Transition, VariableId};
use crate::syntax::{self, ArcIn, ArcOut, Expression, Level, Name, Statement, StatementNode};
use crate::value::{NetId, Value};

/// One disjunct as written: the common part and one `alt`.
#[derive(Default)]
struct Disjunct<'t> {
    inputs: Vec<(&'t ArcIn, u32)>,
    reads: Vec<(&'t ArcIn, u32)>,
    inhibitors: Vec<(&'t ArcIn, u32)>,
    outputs: Vec<(&'t ArcOut, u32)>,
    syncs: Vec<(&'t syntax::Sync, Span)>,
    bindings: Vec<&'t Statement>,
    conditions: Vec<&'t Expression>,
    updates: Vec<(&'t Name, &'t [Name], &'t Expression)>,
}

/// Resolves a transition.
pub(crate) fn transition(
    declared: &mut Declarations<'_>,
    id: NetId,
    net: &syntax::Net,
    transition: &syntax::Transition,
    counter: Option<PlaceId>,
    ports: &mut Vec<Use>,
) -> Transition {
    let written = alternatives(transition, declared);
    let mut all = Vec::new();
    for (statements, span) in written {
        let disjunct = sorted(&statements, declared);
        let parameters = declared.scope.net(id).parameters.clone();
        let uses = &mut declared.uses;
        let mut compiler =
            Compiler::new(&declared.scope, declared.problems, uses, Some(id), Context::Transition);
        compiler.parameters(net, &parameters);
        let mut alternative = compiler.disjunct(&disjunct, net.level, span, ports);
        if let Some(counter) = counter {
            limit(&mut alternative, counter);
        } else if compiler.is_source(&alternative) {
            let message = format!("`{}` can fire without end: nothing holds it back", transition.name.node);
            let help = format!("write `transition {} limit 3 {{ ... }}`", transition.name.node);
            compiler.error("M1033", transition.name.span, message, help);
        }
        let used: Vec<bool> = compiler.variables.iter().map(|variable| variable.used).collect();
        note_used(&mut declared.uses, id, &used);
        all.push(alternative);
    }
    same_channel(&all, transition, declared);
    Transition { name: transition.name.node.clone(), alternatives: all, span: transition.name.span }
}

/// The disjuncts: the statements outside belong to each `alt`; without one there is a single disjunct.
fn alternatives<'t>(
    transition: &'t syntax::Transition,
    declared: &mut Declarations<'_>,
) -> Vec<(Vec<&'t Statement>, Span)> {
    let body = &transition.body;
    let choices: Vec<usize> = (0..body.len())
        .filter(|number| matches!(body[*number].node, StatementNode::Alternative(_)))
        .collect();
    if choices.is_empty() {
        return vec![(body.iter().collect(), transition.span)];
    }
    let mut all = Vec::new();
    for choice in choices {
        let mut statements = Vec::new();
        for (number, statement) in body.iter().enumerate() {
            match &statement.node {
                StatementNode::Alternative(inner) if number == choice => {
                    for statement in inner {
                        if matches!(statement.node, StatementNode::Alternative(_)) {
                            let help = "write all the alternatives side by side";
                            let message = "an `alt` inside an `alt`";
                            declared.problems.push(Problem::error("M1049", statement.span, message, help));
                        } else {
                            statements.push(statement);
                        }
                    }
                }
                StatementNode::Alternative(_) => {}
                _ => statements.push(statement),
            }
        }
        all.push((statements, body[choice].span));
    }
    all
}

/// The statements by stage, with the weights of arcs.
fn sorted<'t>(statements: &[&'t Statement], declared: &mut Declarations<'_>) -> Disjunct<'t> {
    let mut disjunct = Disjunct::default();
    let mut weight = |written: &Option<Expression>| {
        written.as_ref().map_or(1, |written| declared.counted(written, 1, "a weight").unwrap_or(1))
    };
    for statement in statements {
        match &statement.node {
            StatementNode::In(arcs) => {
                disjunct.inputs.extend(arcs.iter().map(|arc| (arc, weight(&arc.weight))))
            }
            StatementNode::Read(arcs) => {
                disjunct.reads.extend(arcs.iter().map(|arc| (arc, weight(&arc.weight))))
            }
            StatementNode::Inhibit(arcs) => {
                disjunct.inhibitors.extend(arcs.iter().map(|arc| (arc, weight(&arc.weight))));
            }
            StatementNode::Out(arcs) => {
                disjunct.outputs.extend(arcs.iter().map(|arc| (arc, weight(&arc.weight))))
            }
            StatementNode::When(condition) => disjunct.conditions.push(condition),
            StatementNode::Pick(..) | StatementNode::Let(..) => disjunct.bindings.push(statement),
            StatementNode::Update(name, fields, value) => disjunct.updates.push((name, fields, value)),
            StatementNode::Sync(sync) => disjunct.syncs.push((sync, statement.span)),
            StatementNode::Alternative(_) => {}
        }
    }
    disjunct
}

impl<'a> Compiler<'a> {
    fn disjunct(
        &mut self,
        disjunct: &Disjunct<'a>,
        level: Level,
        span: Span,
        ports: &mut Vec<Use>,
    ) -> Alternative {
        self.primed_names(disjunct);
        let inputs = self.arcs(&disjunct.inputs, 0, arcs::Way::Consumed);
        let bound = self.variables.len();
        let reads = self.arcs(&disjunct.reads, inputs.len(), arcs::Way::Tested);
        let inhibitors = self.arcs(&disjunct.inhibitors, 0, arcs::Way::Inhibited);
        let mut guards = Vec::new();
        // What is received comes before picks, what is sent after the conditions.
        let mut sync = self.first_sync(disjunct, level, ports, &inputs, &reads);
        let bindings: Vec<Binding> =
            disjunct.bindings.iter().filter_map(|statement| self.binding(statement, &mut guards)).collect();
        for condition in &disjunct.conditions {
            conjuncts(self.truth(condition), &mut guards);
        }
        self.last_sync(disjunct, &mut sync);
        let updates = self.updates(disjunct);
        let outputs = self.outputs(&disjunct.outputs, inputs.len());
        self.unused_primes();
        self.unused();
        let key = (0..bound).filter(|number| self.is_key(*number));
        let key = key.map(|number| VariableId(super::scope::index(number))).collect();
        let variables = self.names();
        Alternative {
            variables,
            inputs,
            reads,
            inhibitors,
            sync,
            bindings,
            guards,
            updates,
            outputs,
            key,
            span,
        }
    }

    fn is_key(&self, number: usize) -> bool {
        matches!(self.variables[number].origin, Origin::Arc(..))
    }

    /// `pick` and `let`. A name that is bound already means equality.
    fn binding(&mut self, statement: &Statement, guards: &mut Vec<Expr>) -> Option<Binding> {
        match &statement.node {
            StatementNode::Pick(name, domain, condition) if self.is_visible(&name.node) => {
                let member = syntax::ExpressionNode::Name(name.node.clone());
                let member = Expression { node: member, span: name.span };
                let domain = Box::new(domain.clone());
                let node =
                    syntax::ExpressionNode::Binary(syntax::BinaryOperator::In, Box::new(member), domain);
                guards.push(self.truth(&Expression { node, span: statement.span }));
                guards.extend(condition.as_ref().map(|condition| self.truth(condition)));
                None
            }
            StatementNode::Pick(name, domain, condition) => {
                let (variable, domain) = self.domain(name, domain);
                let condition = condition.as_ref().map(|condition| self.truth(condition));
                Some(Binding::Pick(variable, domain, condition))
            }
            StatementNode::Let(name, value) => {
                let known = if self.is_visible(&name.node) { self.visible(&name.node) } else { None };
                let like = match &known {
                    Some(known) => known.kind.clone(),
                    None => Kind::Value(Sort::Unknown),
                };
                let Kind::Value(sort) = like else { return None };
                let typed = self.expression(value, Want::Value(&sort));
                if !typed.agents.is_empty() {
                    let help = "an agent has one name, that of its token";
                    self.error("M1029", value.span, "`let` would make a second name for an agent", help);
                }
                if let Some(known) = known {
                    let right = self.flow(typed, &sort, value.span, &format!("`{}`", name.node));
                    guards.push(Expr::Binary(Operator::Equal, Box::new(known.expr), Box::new(right)));
                    return None;
                }
                let Kind::Value(sort) = typed.kind.clone() else {
                    self.flow(typed, &Sort::Unknown, value.span, "`let`");
                    return None;
                };
                let variable = self.bind(name, sort, Origin::Let);
                Some(Binding::Let(variable, typed.expr))
            }
            _ => None,
        }
    }

    /// Whether a disjunct makes tokens out of nothing, so that nothing would ever stop it.
    fn is_source(&self, alternative: &Alternative) -> bool {
        alternative.inputs.is_empty()
            && alternative.reads.is_empty()
            && alternative.inhibitors.is_empty()
            && alternative.sync.is_none()
            && alternative.updates.is_empty()
            && self.looked.is_empty()
            && !alternative.outputs.is_empty()
    }

    fn primed_names(&mut self, disjunct: &Disjunct<'a>) {
        for (name, fields, value) in &disjunct.updates {
            let prime = self.primes.entry(name.node.as_str());
            let prime = prime.or_insert_with(|| Prime { name, parts: Vec::new(), used: false });
            prime.parts.push((fields, value));
        }
    }

    fn unused_primes(&mut self) {
        let unused: Vec<Name> =
            self.primes.values().filter(|prime| !prime.used).map(|prime| prime.name.clone()).collect();
        for name in unused {
            let message = format!("`{}'` is defined, but no output arc mentions it", name.node);
            let help = format!("write `out p({}')`, or leave the definition out", name.node);
            self.problems.push(Problem::warning("M1038", name.span, message, help));
        }
    }
}

/// The parts of a conjunction, so that each can be tested as soon as its variables are bound.
fn conjuncts(condition: Expr, all: &mut Vec<Expr>) {
    match condition {
        Expr::Binary(Operator::And, left, right) => {
            conjuncts(*left, all);
            conjuncts(*right, all);
        }
        Expr::Constant(Value::Bool(true)) => {}
        other => all.push(other),
    }
}

/// A limited transition needs a unit of its counter and takes it away.
fn limit(alternative: &mut Alternative, counter: PlaceId) {
    let (cell, number) =
        (|| Box::new(Expr::Cell(counter)), |number| Box::new(Expr::Constant(Value::Int(number))));
    alternative.guards.insert(0, Expr::Binary(Operator::Less, number(0), cell()));
    alternative.updates.push((counter, Expr::Binary(Operator::Subtract, cell(), number(1))));
}

/// Either all disjuncts of a transition use one port in one direction, or none uses any.
fn same_channel(all: &[Alternative], transition: &syntax::Transition, declared: &mut Declarations<'_>) {
    let channel = |sync: &Option<Sync>| {
        sync.as_ref().map(|sync| (sync.port, matches!(sync.exchange, crate::program::Exchange::Send(_))))
    };
    let Some((first, rest)) = all.split_first() else { return };
    for other in rest {
        if channel(&other.sync) != channel(&first.sync) {
            let message = format!("the alternatives of `{}` do not use one port alike", transition.name.node);
            let help = "write a transition for each way to communicate";
            let problem = Problem::error("M1028", other.span, message, help);
            declared.problems.push(problem.also(first.span, "the first alternative"));
            return;
        }
    }
}
