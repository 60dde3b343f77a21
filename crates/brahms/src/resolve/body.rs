//! Bodies of frames: conclusions, deletions and calls, and whether every variable has a value by then.

use std::collections::BTreeSet;
use std::rc::Rc;

use motet_source::{Problem, Span};

use super::Resolver;
use super::compare::Use;
use super::condition::{at_place, of_subject, read_by};
use super::expression::Bare;
use super::frame::FrameKind;
use super::scope::{Scope, Sort, Typed, Who};
use super::sought::certainty;
use crate::program::{Conclude, ConcludeNode, Detectable, EntityId, Expr, Place, Sighted, Sought, Statement};
use crate::syntax::{self, Action, Comparison, Expression, ExpressionNode, Name, Reference, Truth};

/// A resolved body.
pub(crate) struct Body {
    /// What is done.
    pub(crate) statements: Vec<Statement>,
    /// The variables that have a value at its end.
    pub(crate) assigned: BTreeSet<u16>,
    /// The highest priority among its activities.
    pub(crate) priority: Option<f64>,
}

impl<'a> Resolver<'a> {
    /// The body of a frame whose guard mentions these variables.
    pub(crate) fn body(
        &mut self,
        scope: &Scope,
        tree: &'a syntax::Frame,
        kind: FrameKind,
        guarded: &BTreeSet<u16>,
    ) -> Body {
        let mut body = Body { statements: Vec::new(), assigned: guarded.clone(), priority: None };
        for action in &tree.body {
            match action {
                Action::Conclude(conclude) => {
                    let Some(conclude) = self.conclude(scope, conclude) else { continue };
                    self.has_values(scope, &of_conclude(&conclude), &body.assigned, conclude.span);
                    body.statements.push(Statement::Conclude(conclude));
                }
                _ if kind == FrameKind::Thought => self.only_concludes(action),
                Action::Delete(name) => self.delete(scope, name, &mut body),
                Action::Do { name, arguments, span } => {
                    self.perform(scope, (name, arguments, *span), &mut body);
                }
            }
        }
        body
    }

    fn only_concludes(&mut self, action: &Action) {
        let span = match action {
            Action::Conclude(conclude) => conclude.span,
            Action::Delete(name) => name.span,
            Action::Do { span, .. } => *span,
        };
        let help = "move it to a workframe; a thoughtframe only concludes";
        self.say(Problem::error("M0759", span, "a thoughtframe cannot do this", help));
    }

    fn delete(&mut self, scope: &Scope, name: &Name, body: &mut Body) {
        let reference = Reference { node: syntax::ReferenceNode::Name(name.node.clone()), span: name.span };
        let Some(Who::One(subject, _)) = self.who(scope, &reference) else { return };
        let mut read = BTreeSet::new();
        of_subject(subject, &mut read);
        self.has_values(scope, &read, &body.assigned, name.span);
        body.statements.push(Statement::Delete(subject, name.span));
    }

    fn perform(
        &mut self,
        scope: &Scope,
        (name, arguments, span): (&'a Name, &'a [Expression], Span),
        body: &mut Body,
    ) {
        let Some(call) = self.call(scope, name, arguments, span, &body.assigned) else { return };
        if let Some(priority) = call.priority {
            body.priority = Some(body.priority.map_or(priority, |known| known.max(priority)));
        }
        let read: BTreeSet<u16> = call.read.difference(&call.outputs).copied().collect();
        self.has_values(scope, &read, &body.assigned, span);
        body.assigned.extend(call.outputs);
        body.statements.push(Statement::Do(call.activity));
    }

    fn has_values(&mut self, scope: &Scope, read: &BTreeSet<u16>, assigned: &BTreeSet<u16>, span: Span) {
        let Some(lacking) = read.difference(assigned).next() else { return };
        let local = &scope.variables[usize::from(*lacking)];
        let message = format!("the variable `{}` has no value here", local.name);
        let help = "mention it in the guard, or let an activity give it a value before".to_owned();
        let problem = Problem::error("M0753", span, message, help).also(local.span, "declared here");
        self.say(problem);
    }

    /// Detectables may look at variables that the body gives a value.
    pub(crate) fn detected_variables(
        &mut self,
        scope: &Scope,
        detectables: &[Detectable],
        assigned: &BTreeSet<u16>,
    ) {
        for detectable in detectables {
            let mut read = BTreeSet::new();
            of_sought(&detectable.sought, &mut read);
            self.has_values(scope, &read, assigned, detectable.span);
        }
    }

    /// `conclude(...)`
    pub(crate) fn conclude(&mut self, scope: &Scope, tree: &syntax::Conclude) -> Option<Conclude> {
        let belief = certainty(tree.belief.as_ref());
        let fact = certainty(tree.fact.as_ref());
        let node = match &tree.statement {
            syntax::Statement::Compare { left, operator, right } => {
                if operator.node != Comparison::Eq {
                    let message = "a conclusion gives a value; it cannot compare";
                    self.say(Problem::error("M0752", operator.span, message, "write `=`"));
                    return None;
                }
                self.assignment(scope, left, right)?
            }
            syntax::Statement::Alone(expression) => {
                let message = "this conclusion has no value";
                let help = format!("write `{} = ...`", self.wrote(expression.span));
                self.say(Problem::error("M0752", expression.span, message, help));
                return None;
            }
            syntax::Statement::Related { subject, relation, object, truth } => {
                let truth = match truth.as_ref().map(|truth| truth.node) {
                    Some(Truth::Unknown) => None,
                    Some(Truth::False) => Some(false),
                    Some(Truth::True) | None => Some(true),
                };
                self.relate(scope, (subject, relation, object.as_ref()), truth, tree.span)?
            }
        };
        Some(Conclude { node, belief, fact, span: tree.span })
    }

    fn relate(
        &mut self,
        scope: &Scope,
        (subject, relation, object): (&Reference, &Name, Option<&Reference>),
        truth: Option<bool>,
        span: Span,
    ) -> Option<ConcludeNode> {
        let pair = self.pair(scope, subject, relation, object)?;
        let left = self.one(&pair.subject, subject.span)?;
        let Some(right) = &pair.object else {
            let message = format!("whom `{}` relates to is missing", relation.node);
            self.say(Problem::error("M0752", span, message, "name both sides: `x R y`"));
            return None;
        };
        let right = self.one(right, span)?;
        Some(ConcludeNode::Relate(left, pair.relation, right, truth))
    }

    fn assignment(&mut self, scope: &Scope, left: &Expression, right: &Expression) -> Option<ConcludeNode> {
        if let Some((of, name)) = self.names_relation(scope, left)
            && let ExpressionNode::Reference(object) = &right.node
        {
            return self.relate(scope, (&of, &name, Some(object)), Some(true), left.span);
        }
        let target = self.expression(scope, left, Bare::Unknown);
        let value = self.expression(scope, right, Bare::Symbol);
        let (target, value) = (target?, value?);
        let Expr::Read(place) = &target.expr else {
            let message = format!("`{}` cannot be given a value", self.wrote(left.span));
            let help = "name an attribute on the left side: `current.a = ...`";
            self.say(Problem::error("M0752", left.span, message, help));
            return None;
        };
        if value.expr != Expr::Unknown
            && !self.compatible((&target, left.span), (&value, right.span), Use::Assign)
        {
            return None;
        }
        self.note_written(scope, left, place);
        Some(ConcludeNode::Assign(place.clone(), value.expr))
    }

    /// Remembers what a computed index may be.
    pub(crate) fn note_written(&mut self, scope: &Scope, left: &Expression, place: &Place) {
        let (Place::Entry(subject, ..), ExpressionNode::Entry(of, _, index)) = (place, &left.node) else {
            return;
        };
        let domain: Rc<[EntityId]> = match subject {
            crate::program::Subject::Entity(entity) => Rc::from([*entity]),
            crate::program::Subject::Variable(_) => match self.who(scope, of) {
                Some(who) => who.domain().clone(),
                None => return,
            },
        };
        let sort = self.expression(scope, index, Bare::Symbol).map_or(Sort::Any, |typed: Typed| typed.sort);
        self.written(place, &domain, &sort);
    }
}

fn of_conclude(conclude: &Conclude) -> BTreeSet<u16> {
    let mut read = BTreeSet::new();
    match &conclude.node {
        ConcludeNode::Assign(place, value) => {
            at_place(place, &mut read);
            read_by(value, &mut read);
        }
        ConcludeNode::Relate(left, _, right, _) => {
            of_subject(*left, &mut read);
            of_subject(*right, &mut read);
        }
    }
    read
}

fn of_sighted(sighted: &Sighted, into: &mut BTreeSet<u16>) {
    if let Sighted::One(subject) = sighted {
        of_subject(*subject, into);
    }
}

fn of_sought(sought: &Sought, into: &mut BTreeSet<u16>) {
    match sought {
        Sought::Attribute { subject, index, test, .. } => {
            of_sighted(subject, into);
            index.iter().for_each(|index| read_by(index, into));
            test.iter().for_each(|(_, value)| read_by(value, into));
        }
        Sought::Related { subject, object, .. } => {
            of_sighted(subject, into);
            object.iter().for_each(|object| of_sighted(object, into));
        }
    }
}
