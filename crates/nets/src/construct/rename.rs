//! New names for the places and transitions of an advice. Variables keep theirs.

use std::collections::{BTreeMap, BTreeSet};

use motet_source::Span;

use super::variables::variables;
use crate::syntax::{
    ArcIn, ArcOut, Exchange, Expression, ExpressionNode, Initial, Member, Name, Partner, Statement,
    StatementNode,
};

/// What is renamed, and what went wrong.
pub(super) struct Renaming<'a> {
    /// New names for old ones.
    pub(super) names: &'a BTreeMap<String, String>,
    /// Names that are never variables.
    pub(super) is_value: &'a dyn Fn(&str) -> bool,
    /// Names whose new form is a variable where they stand, so that they would be taken for it.
    pub(super) captured: Vec<(String, Span)>,
    bound: BTreeSet<String>,
}

impl<'a> Renaming<'a> {
    pub(super) fn new(names: &'a BTreeMap<String, String>, is_value: &'a dyn Fn(&str) -> bool) -> Self {
        Self { names, is_value, captured: Vec::new(), bound: BTreeSet::new() }
    }

    /// A part of a net: the names it declares and those it uses.
    pub(super) fn member(&mut self, member: &mut Member) {
        match member {
            Member::Place(place) => {
                for name in &mut place.names {
                    self.name(name);
                }
                if let Some(capacity) = &mut place.capacity {
                    self.expression(capacity);
                }
                match &mut place.initial {
                    Initial::Empty => {}
                    Initial::Tokens(value) | Initial::Value(value) => self.expression(value),
                }
            }
            Member::Transition(transition) => {
                self.name(&mut transition.name);
                if let Some(limit) = &mut transition.limit {
                    self.expression(limit);
                }
                self.body(&mut transition.body);
            }
            Member::Goal(name, wanted) => {
                self.name(name);
                self.expression(wanted);
            }
            // Operations were expanded before.
            Member::Operation(_) => {}
        }
    }

    /// The statements of a transition.
    pub(super) fn body(&mut self, body: &mut [Statement]) {
        self.bound = variables(body, self.is_value).into_keys().collect();
        self.statements(body);
        self.bound.clear();
    }

    fn name(&self, name: &mut Name) {
        if let Some(new) = self.names.get(&name.node) {
            name.node.clone_from(new);
        }
    }

    /// A name that is a variable if the transition binds it.
    fn used(&mut self, name: &mut String, span: Span) {
        if self.bound.contains(name) {
            return;
        }
        if let Some(new) = self.names.get(name) {
            if self.bound.contains(new) {
                self.captured.push((new.clone(), span));
            }
            name.clone_from(new);
        }
    }

    fn statements(&mut self, body: &mut [Statement]) {
        for statement in body {
            self.statement(&mut statement.node);
        }
    }

    fn statement(&mut self, node: &mut StatementNode) {
        match node {
            StatementNode::In(arcs) | StatementNode::Read(arcs) | StatementNode::Inhibit(arcs) => {
                for ArcIn { place, weight, .. } in arcs {
                    self.name(place);
                    self.optional(weight.as_mut());
                }
            }
            StatementNode::Out(arcs) => {
                for ArcOut { place, terms, weight, .. } in arcs {
                    self.name(place);
                    self.all(terms);
                    self.optional(weight.as_mut());
                }
            }
            StatementNode::When(value) | StatementNode::Let(_, value) => self.expression(value),
            StatementNode::Pick(_, from, condition) => {
                self.expression(from);
                self.optional(condition.as_mut());
            }
            StatementNode::Update(name, _, value) => {
                self.used(&mut name.node, name.span);
                self.expression(value);
            }
            StatementNode::Sync(sync) => {
                match &mut sync.partner {
                    Partner::Up => {}
                    Partner::Agent(value) | Partner::Channel(value) => self.expression(value),
                }
                if let Exchange::Send(values) = &mut sync.exchange {
                    self.all(values);
                }
            }
            StatementNode::Alternative(parts) => self.statements(parts),
        }
    }

    fn optional(&mut self, value: Option<&mut Expression>) {
        if let Some(value) = value {
            self.expression(value);
        }
    }

    fn all(&mut self, values: &mut [Expression]) {
        for value in values {
            self.expression(value);
        }
    }

    fn expression(&mut self, written: &mut Expression) {
        let span = written.span;
        match &mut written.node {
            ExpressionNode::Int(_) | ExpressionNode::Bool(_) | ExpressionNode::Any => {}
            ExpressionNode::Name(name) | ExpressionNode::Primed(name) => self.used(name, span),
            ExpressionNode::Call(_, parts) | ExpressionNode::Tuple(parts) | ExpressionNode::Set(parts) => {
                self.all(parts);
            }
            ExpressionNode::Field(of, _) | ExpressionNode::Not(of) | ExpressionNode::Negative(of) => {
                self.expression(of);
            }
            ExpressionNode::Comprehension(value, from, condition) => {
                self.under(from, |renaming| {
                    renaming.expression(value);
                    renaming.optional(condition.as_deref_mut());
                });
            }
            ExpressionNode::Quantified(_, from, body) => {
                self.under(from, |renaming| renaming.expression(body))
            }
            ExpressionNode::Range(one, other) | ExpressionNode::Binary(_, one, other) => {
                self.expression(one);
                self.expression(other);
            }
            ExpressionNode::If(condition, yes, no) => {
                self.expression(condition);
                self.expression(yes);
                self.expression(no);
            }
            ExpressionNode::With(of, changes) => {
                self.expression(of);
                for (_, value) in changes {
                    self.expression(value);
                }
            }
            ExpressionNode::New(template, arguments) => {
                self.expression(template);
                self.all(arguments);
            }
        }
    }

    /// What stands under quantifiers or in a comprehension: each range may use the variables before it.
    fn under(&mut self, from: &mut [(Name, Expression)], inner: impl FnOnce(&mut Self)) {
        let mut added = Vec::new();
        for (name, set) in from {
            self.expression(set);
            if self.bound.insert(name.node.clone()) {
                added.push(name.node.clone());
            }
        }
        inner(self);
        for name in added {
            self.bound.remove(&name);
        }
    }
}
