//! Expressions: names to numbers, sorts, and where values flow.
//!
//! A definition is put in where it is used, because what its places and the sorts of its arguments are depends on that.

mod collections;
mod flow;
mod names;
mod operators;
mod records;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use motet_source::{Problem, Problems, Span};

use super::evaluate::{Failure, evaluate};
use super::scope::{Scope, Uses, index, nearest};
use super::sorts::shown;
use crate::program::{Body, Expr, PlaceId, RecordSort, Sort, VariableId};
use crate::syntax::{Expression, ExpressionNode, Name};
use crate::value::{NetId, Value};

/// How deep an expression may nest, with the definitions in it put in.
const LIMIT_DEPTH: usize = 220;

/// How many parts an expression may have, with the definitions in it put in.
const LIMIT_SIZE: usize = 20_000;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// A constant, the end of a range, a weight: nothing but constants.
    Constant,
    /// An initial marking: constants, parameters and new agents.
    Initial,
    /// A transition of a net.
    Transition,
    /// A goal of a net, a definition or a claim: looks only.
    Claim,
}

/// A compiled expression with what is known of its value.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) expr: Expr,
    pub(crate) kind: Kind,
    /// The agents that the value carries with it.
    pub(crate) agents: Vec<Carried>,
}

/// One value or many tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A value of this sort.
    Value(Sort),
    /// Tokens of this sort, as a bag.
    Tokens(Sort),
}

/// An agent in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Carried {
    /// That of the token of this arc: inputs first, then reads.
    Arc(usize),
    /// One that stays where it is: a quantifier or a pick looks at it.
    Borrowed,
}

/// What the surroundings would like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Want<'s> {
    /// Anything.
    Anything,
    /// A value of this sort.
    Value(&'s Sort),
    /// Members or tokens; of this sort, if that is known.
    Many(Option<&'s Sort>),
}

/// A variable of the environment.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) sort: Sort,
    pub(crate) origin: Origin,
    pub(crate) used: bool,
}

/// What binds a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A parameter of the net or of a definition.
    Parameter,
    /// A part of the token of an arc: inputs first, then reads.
    Arc(usize, Vec<usize>),
    /// A message, a `let`, or an arc that inhibits.
    Message,
    /// `let`.
    Let,
    /// A member of a set or a token, for a quantifier or a pick; of this cell, if it is one by name.
    Member(Option<PlaceId>),
}

/// What a visible name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Variable(VariableId),
    /// An argument of a definition.
    Argument(Typed),
}

/// What `x' = e` and `x'.f = e` of one disjunct say of `x`.
#[derive(Clone, Debug)]
pub(crate) struct Prime<'t> {
    pub(crate) name: &'t Name,
    pub(crate) parts: Vec<(&'t [Name], &'t Expression)>,
    pub(crate) used: bool,
}

/// Compiles the expressions of one environment: a disjunct, a definition, a claim.
pub(crate) struct Compiler<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) problems: &'a mut Problems,
    pub(crate) uses: &'a mut Uses,
    /// Whose marking is meant.
    pub(crate) net: Option<NetId>,
    pub(crate) context: Context,
    pub(crate) variables: Vec<Variable>,
    pub(crate) visible: Vec<(String, Meaning)>,
    pub(crate) primes: BTreeMap<&'a str, Prime<'a>>,
    /// Primes whose values are being computed.
    priming: Vec<String>,
    /// Definitions that are being put in.
    inside: Vec<usize>,
    /// Cells and places that were looked at.
    pub(crate) looked: BTreeSet<PlaceId>,
    depth: usize,
    size: usize,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(
        scope: &'a Scope,
        problems: &'a mut Problems,
        uses: &'a mut Uses,
        net: Option<NetId>,
        context: Context,
    ) -> Self {
        Self {
            scope,
            problems,
            uses,
            net,
            context,
            variables: Vec::new(),
            visible: Vec::new(),
            primes: BTreeMap::new(),
            priming: Vec::new(),
            inside: Vec::new(),
            looked: BTreeSet::new(),
            depth: 0,
            size: 0,
        }
    }

    /// Room for a variable, not visible yet.
    pub(crate) fn variable(&mut self, name: &Name, sort: Sort, origin: Origin) -> VariableId {
        self.variables.push(Variable { name: name.clone(), sort, origin, used: false });
        VariableId(index(self.variables.len() - 1))
    }

    /// Makes a variable visible. Enumerators, constants and templates may not be covered by one: a pattern with the name would
    /// mean something else than its reader thinks.
    pub(crate) fn bind(&mut self, name: &Name, sort: Sort, origin: Origin) -> VariableId {
        if let Some(what) = self.scope.fixed(&name.node) {
            let message = format!("`{}` is {what} and cannot be a variable", name.node);
            self.error("M1039", name.span, message, "choose another name for the variable");
        }
        let id = self.variable(name, sort, origin);
        self.visible.push((name.node.clone(), Meaning::Variable(id)));
        id
    }

    /// Says so about the names that nothing uses.
    pub(crate) fn unused(&mut self) {
        for variable in self.variables.iter().filter(|variable| !variable.used) {
            let name = &variable.name;
            let problem = match (&variable.origin, &variable.sort) {
                (Origin::Let, _) => {
                    let message = format!("nothing uses variable `{}`", name.node);
                    Problem::warning("M1038", name.span, message, "leave it out, or use it")
                }
                // A misspelt enumerator in a pattern is a variable that takes everything.
                (Origin::Arc(..) | Origin::Message, Sort::Enumeration(id)) if name.node.len() > 2 => {
                    let members = &self.scope.enumerations[id.0 as usize].members;
                    let Some(near) = nearest(&name.node, members.iter().map(String::as_str)) else {
                        continue;
                    };
                    let message = format!("`{}` takes any value here, not just `{near}`", name.node);
                    Problem::warning("M1039", name.span, message, format!("write `{near}`, or `_`"))
                }
                _ => continue,
            };
            self.problems.push(problem);
        }
    }

    pub(crate) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Typed {
        self.problems.push(Problem::error(code, span, message, help));
        Typed::unknown()
    }

    pub(crate) fn shown(&self, sort: &Sort) -> String {
        shown(sort, &self.scope.enumerations)
    }

    /// The body made of an expression.
    pub(crate) fn body(&self, expr: Expr) -> Body {
        Body { variables: self.names(), expr }
    }

    /// The names of all variables.
    pub(crate) fn names(&self) -> Vec<String> {
        self.variables.iter().map(|variable| variable.name.node.clone()).collect()
    }

    /// A truth.
    pub(crate) fn truth(&mut self, expression: &Expression) -> Expr {
        let typed = self.expression(expression, Want::Value(&Sort::Bool));
        self.flow(typed, &Sort::Bool, expression.span, "a condition")
    }

    /// A whole number.
    pub(crate) fn number(&mut self, expression: &Expression) -> Expr {
        let typed = self.expression(expression, Want::Value(&Sort::Int(None)));
        self.flow(typed, &Sort::Int(None), expression.span, "a calculation")
    }

    /// An expression, with what the surroundings would like. What does not fit is said by those that take the value.
    pub(crate) fn expression(&mut self, expression: &Expression, want: Want<'_>) -> Typed {
        self.depth += 1;
        self.size += 1;
        let typed = if self.depth > LIMIT_DEPTH || self.size > LIMIT_SIZE {
            let message = "this expression is too large, with its definitions put in";
            if self.size <= LIMIT_SIZE + 1 || self.depth > LIMIT_DEPTH {
                self.error("M1048", expression.span, message, "say it with fewer parts");
            }
            Typed::unknown()
        } else {
            self.node(expression, want)
        };
        self.depth -= 1;
        self.folded(typed, expression.span)
    }

    fn node(&mut self, expression: &Expression, want: Want<'_>) -> Typed {
        let span = expression.span;
        match &expression.node {
            ExpressionNode::Int(number) => Typed::value(Expr::Constant(Value::Int(*number)), Sort::Int(None)),
            ExpressionNode::Bool(truth) => Typed::value(Expr::Constant(Value::Bool(*truth)), Sort::Bool),
            ExpressionNode::Name(name) => self.name(name, span, want),
            ExpressionNode::Primed(name) => self.primed(name, span),
            ExpressionNode::Call(name, arguments) => self.call(name, arguments, span),
            ExpressionNode::Field(of, field) => self.field(of, field),
            ExpressionNode::Tuple(items) => self.tuple(items, want),
            ExpressionNode::Set(members) => self.set(members, want),
            ExpressionNode::Comprehension(term, domains, condition) => {
                self.comprehension(term, domains, condition.as_deref(), want)
            }
            ExpressionNode::Range(low, high) => {
                let (low, high) = (Box::new(self.number(low)), Box::new(self.number(high)));
                Typed::value(Expr::Range(low, high), Sort::Int(None).set())
            }
            ExpressionNode::Not(of) => Typed::value(Expr::Not(Box::new(self.truth(of))), Sort::Bool),
            ExpressionNode::Negative(of) => {
                Typed::value(Expr::Negative(Box::new(self.number(of))), Sort::Int(None))
            }
            ExpressionNode::Binary(operator, left, right) => self.binary(*operator, left, right, span, want),
            ExpressionNode::Quantified(quantifier, domains, body) => {
                self.quantified(*quantifier, domains, body)
            }
            ExpressionNode::If(condition, yes, no) => self.condition(condition, yes, no, want),
            ExpressionNode::With(of, changes) => self.with(of, changes, want),
            ExpressionNode::New(template, arguments) => self.new_agent(template, arguments, span),
            ExpressionNode::Any => {
                let help = "`_` stands for a part of a pattern: `(u, _) in p`, `count(p, (u, _))`";
                self.error("M1047", span, "`_` is no value", help)
            }
        }
    }

    /// Computes what needs no marking.
    fn folded(&mut self, typed: Typed, span: Span) -> Typed {
        let constant = |expr: &Expr| matches!(expr, Expr::Constant(_));
        let ready = match &typed.expr {
            Expr::Not(of) | Expr::Negative(of) | Expr::Size(of) | Expr::Field(of, _) => constant(of),
            Expr::Binary(_, left, right) => constant(left) && constant(right),
            Expr::Record(items) | Expr::Set(items) => items.iter().all(constant),
            Expr::If(condition, yes, no) => constant(condition) && constant(yes) && constant(no),
            _ => false,
        };
        if !ready {
            return typed;
        }
        match evaluate(&typed.expr, 0) {
            Ok(value) => Typed { expr: Expr::Constant(value), ..typed },
            Err(Failure::Open) => typed,
            Err(Failure::Fault(why)) => {
                self.error("M1024", span, format!("this {why}"), "choose other numbers")
            }
        }
    }

    fn condition(
        &mut self,
        condition: &Expression,
        yes: &Expression,
        no: &Expression,
        want: Want<'_>,
    ) -> Typed {
        let condition = self.truth(condition);
        let (yes, no) = self.pair(yes, no, want);
        let Some(kind) = self.joined(&yes.0, &no.0, no.1, "the branches of `if`") else {
            return Typed::unknown();
        };
        // Only one branch is taken, so an agent in both is there once.
        let mut agents = yes.0.agents;
        for agent in no.0.agents {
            if !agents.contains(&agent) {
                agents.push(agent);
            }
        }
        let expr = Expr::If(Box::new(condition), Box::new(yes.0.expr), Box::new(no.0.expr));
        Typed { expr, kind, agents }
    }
}

impl Typed {
    /// A value without agents.
    pub(crate) fn value(expr: Expr, sort: Sort) -> Self {
        Self { expr, kind: Kind::Value(sort), agents: Vec::new() }
    }

    /// Stands for something that was reported already, or is not known.
    pub(crate) fn unknown() -> Self {
        Self::value(Expr::Constant(Value::Token), Sort::Unknown)
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.kind == Kind::Value(Sort::Unknown)
    }
}

/// The record that has these fields' sorts, named as another one names them if it has as many.
pub(crate) fn record_like(like: Option<&Sort>, sorts: Vec<Sort>) -> Sort {
    match like {
        Some(Sort::Record(record)) if record.fields.len() == sorts.len() => {
            let fields = record.fields.iter().map(|(name, _)| name.clone()).zip(sorts).collect();
            Sort::Record(Arc::new(RecordSort { name: record.name.clone(), fields }))
        }
        _ => {
            let fields = sorts.into_iter().map(|sort| (String::new(), sort)).collect();
            Sort::Record(Arc::new(RecordSort { name: None, fields }))
        }
    }
}
