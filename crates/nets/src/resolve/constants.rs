//! Constants, and numbers that are made of them.

use std::collections::BTreeSet;

use motet_model::Options;
use motet_source::{Problem, Span};

use super::compile::{Compiler, Context, Kind, Want};
use super::declare::Declarations;
use super::evaluate::{Failure, evaluate};
use super::scope::{meant, nearest};
use super::sorts::{fits, shown};
use crate::program::Sort;
use crate::syntax::{self, Expression, ExpressionNode, Item, Text};
use crate::value::Value;

impl Declarations<'_> {
    /// The constants, each after those that it is made of.
    pub(super) fn constants(&mut self, text: &Text, options: &Options, place: Span) {
        let parameters = &options.parameters;
        let written = text.items.iter().filter_map(|item| match item {
            Item::Constant(name, value) => Some((name, value)),
            _ => None,
        });
        let mut left: Vec<_> = written.collect();
        let known: Vec<String> = left.iter().map(|(name, _)| name.node.clone()).collect();
        for name in parameters.keys().filter(|name| !known.contains(name)) {
            let help = meant(name, known.iter().map(String::as_str), "see the `const` lines of the model");
            let message = format!("there is no constant `{name}` to bind");
            let place = options.place_of("-D", name, place).name;
            self.problems.push(Problem::error("M1025", place, message, help));
        }
        while !left.is_empty() {
            let open: BTreeSet<&str> = left.iter().map(|(name, _)| name.node.as_str()).collect();
            let (ready, rest): (Vec<_>, Vec<_>) =
                left.iter().copied().partition(|(_, value)| !mentions(value, &open, 0));
            if ready.is_empty() {
                for (name, _) in &rest {
                    let message = format!("the constant `{}` depends on itself", name.node);
                    let help = "give one of the constants a number";
                    self.problems.push(Problem::error("M1024", name.span, message, help));
                    self.scope.constants.entry(name.node.clone()).or_insert((Sort::Unknown, Value::Token));
                }
                return;
            }
            for (name, value) in ready {
                let found = self.constant(value);
                let bound = parameters.get(&name.node).map(|text| self.bound(name, text, &found));
                let value = bound.flatten().unwrap_or(found);
                self.scope.constants.entry(name.node.clone()).or_insert(value);
            }
            left = rest;
        }
    }

    fn constant(&mut self, expression: &Expression) -> (Sort, Value) {
        let mut compiler = Compiler::new(&self.scope, self.problems, &mut self.uses, None, Context::Constant);
        let typed = compiler.expression(expression, Want::Anything);
        let variables = compiler.variables.len();
        let (Kind::Value(sort), false) = (typed.kind.clone(), typed.is_unknown()) else {
            return (Sort::Unknown, Value::Token);
        };
        match evaluate(&typed.expr, variables) {
            Ok(value) => (sort, value),
            Err(failure) => {
                let why = match failure {
                    Failure::Fault(why) => why,
                    Failure::Open => "is no constant",
                };
                let help = "write numbers, enumerators and other constants";
                self.problems.push(Problem::error("M1024", expression.span, format!("this {why}"), help));
                (Sort::Unknown, Value::Token)
            }
        }
    }

    /// What `-D` says.
    fn bound(&mut self, name: &syntax::Name, text: &str, found: &(Sort, Value)) -> Option<(Sort, Value)> {
        let text = text.trim();
        let value = match (text.parse(), text) {
            (Ok(number), _) => Some((Sort::Int(None), Value::Int(number))),
            (_, "true") => Some((Sort::Bool, Value::Bool(true))),
            (_, "false") => Some((Sort::Bool, Value::Bool(false))),
            _ => self
                .scope
                .members
                .get(text)
                .map(|&(id, member)| (Sort::Enumeration(id), Value::Member(id, member))),
        };
        if let Some((sort, value)) = value.filter(|(sort, _)| fits(sort, &found.0)) {
            return Some((sort, value));
        }
        let sort = shown(&found.0, &self.scope.enumerations);
        let message = format!("`{text}` is no value for the constant `{}`, which is {sort}", name.node);
        let near = nearest(text, self.scope.members.keys().map(String::as_str));
        let help = match (&found.0, near) {
            (Sort::Enumeration(_), Some(near)) => format!("did you mean `{near}`?"),
            _ => "bind it with `-D NAME=VALUE` to a value of its sort".to_owned(),
        };
        self.problems.push(Problem::error("M1025", name.span, message, help));
        None
    }

    /// A whole number made of constants.
    pub(crate) fn whole(&mut self, expression: &Expression, what: &str) -> Option<i64> {
        match self.constant(expression) {
            (_, Value::Int(number)) => Some(number),
            (Sort::Unknown, _) => None,
            (sort, _) => {
                let sort = shown(&sort, &self.scope.enumerations);
                let message = format!("{what} is a whole number, and this is {sort}");
                let help = "write a number or a constant";
                self.problems.push(Problem::error("M1024", expression.span, message, help));
                None
            }
        }
    }

    /// A count made of constants, at least this.
    pub(crate) fn counted(&mut self, expression: &Expression, least: u32, what: &str) -> Option<u32> {
        let number = self.whole(expression, what)?;
        let count = u32::try_from(number).ok().filter(|count| *count >= least);
        if count.is_none() {
            let message = format!("{what} is at least {least} and fits 32 bits, and this is {number}");
            self.problems.push(Problem::error("M1024", expression.span, message, "write another number"));
        }
        count
    }
}

/// Whether an expression mentions one of these names.
fn mentions(expression: &Expression, names: &BTreeSet<&str>, depth: usize) -> bool {
    let inner = |expression: &Expression| mentions(expression, names, depth + 1);
    if depth > 300 {
        return false;
    }
    match &expression.node {
        ExpressionNode::Name(name) => names.contains(name.as_str()),
        ExpressionNode::Int(_)
        | ExpressionNode::Bool(_)
        | ExpressionNode::Primed(_)
        | ExpressionNode::Any => false,
        ExpressionNode::Call(_, all) | ExpressionNode::Tuple(all) | ExpressionNode::Set(all) => {
            all.iter().any(inner)
        }
        ExpressionNode::Field(of, _) | ExpressionNode::Not(of) | ExpressionNode::Negative(of) => inner(of),
        ExpressionNode::Range(left, right) | ExpressionNode::Binary(_, left, right) => {
            inner(left) || inner(right)
        }
        ExpressionNode::Comprehension(term, domains, condition) => {
            inner(term)
                || domains.iter().any(|(_, domain)| inner(domain))
                || condition.as_deref().is_some_and(inner)
        }
        ExpressionNode::Quantified(_, domains, body) => {
            domains.iter().any(|(_, domain)| inner(domain)) || inner(body)
        }
        ExpressionNode::If(condition, yes, no) => inner(condition) || inner(yes) || inner(no),
        ExpressionNode::With(of, changes) => inner(of) || changes.iter().any(|(_, value)| inner(value)),
        ExpressionNode::New(of, arguments) => inner(of) || arguments.iter().any(inner),
    }
}
