//! What detectables look for and transfers carry.

use std::rc::Rc;

use motet_source::{Problem, Span};

use super::Resolver;
use super::attribute::Demand;
use super::compare::Use;
use super::expression::Bare;
use super::scope::{Scope, Sort, Typed, Who};
use crate::program::{
    AttributeId, Comparison, DetectAction, Detectable, EntityId, Expr, Sighted, Sought, Transfer,
};
use crate::syntax::{self, Expression, ExpressionNode, Name, Reference, Statement, Truth};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A detectable: a relation without `is` is looked for as true.
    Detect,
    /// A transfer: any value that is held will do.
    Transfer,
}

/// The left side of what is looked for.
struct Target {
    who: Who,
    attribute: AttributeId,
    sort: Sort,
    index: Option<Expr>,
}

impl Resolver<'_> {
    /// The detectables of a frame or composite activity.
    pub(crate) fn detectables(
        &mut self,
        scope: &Scope,
        trees: &[syntax::Detectable],
        composite: bool,
    ) -> Vec<Detectable> {
        trees.iter().filter_map(|tree| self.detectable(scope, tree, composite)).collect()
    }

    fn detectable(
        &mut self,
        scope: &Scope,
        tree: &syntax::Detectable,
        composite: bool,
    ) -> Option<Detectable> {
        let sought = self.sought(scope, &tree.statement, Role::Detect, tree.span);
        let percent = tree.at.as_ref().map(|at| {
            if composite {
                let message = format!(
                    "`when({})` needs a length of time that a composite activity does not have",
                    at.node
                );
                let help =
                    "write `whenever`, or put the detectable into the workframe that performs the activity";
                self.say(Problem::error("M0748", at.span, message, help));
            } else if !(0.0..=100.0).contains(&at.node) {
                let message = format!("`when({})` is past the end of the frame", at.node);
                let help = "write the percentage of the frame's time, 0 to 100, or `whenever`";
                self.say(Problem::warning("M0751", at.span, message, help));
            }
            whole(at.node)
        });
        let certainty = certainty(tree.certainty.as_ref());
        let action =
            tree.then.as_ref().map_or(Some(DetectAction::Continue), |then| self.action(then, composite));
        Some(Detectable {
            name: tree.name.node.clone(),
            percent,
            sought: sought?,
            certainty,
            action: action?,
            span: tree.span,
        })
    }

    fn action(&mut self, then: &Name, composite: bool) -> Option<DetectAction> {
        const ALL: [(&str, DetectAction); 5] = [
            ("continue", DetectAction::Continue),
            ("abort", DetectAction::Abort),
            ("complete", DetectAction::Complete),
            ("impasse", DetectAction::Impasse),
            ("end_activity", DetectAction::EndActivity),
        ];
        let Some((_, action)) = ALL.iter().find(|(name, _)| *name == then.node) else {
            let help = match motet_source::suggest(&then.node, ALL.iter().map(|(name, _)| *name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write continue, abort, complete, impasse or end_activity".to_owned(),
            };
            let message = format!("a detectable cannot `{}`", then.node);
            self.say(Problem::error("M0756", then.span, message, help));
            return None;
        };
        let ends = *action == DetectAction::EndActivity;
        if composite && !ends && *action != DetectAction::Continue {
            let message = format!("a composite activity cannot `{}`", then.node);
            let help =
                "write `end_activity`, or put the detectable into the workframe that calls the activity";
            self.say(Problem::error("M0758", then.span, message, help));
            return None;
        }
        if !composite && ends {
            let message = "`end_activity` ends a composite activity; this is a workframe";
            self.say(Problem::error("M0758", then.span, message, "write `complete` or `abort`"));
            return None;
        }
        Some(*action)
    }

    /// `about: send(...), receive(...)`
    pub(crate) fn transfers(&mut self, scope: &Scope, trees: &[syntax::Transfer]) -> Vec<Transfer> {
        let mut transfers = Vec::new();
        for tree in trees {
            if let Some(sought) = self.sought(scope, &tree.statement, Role::Transfer, tree.span) {
                transfers.push(Transfer { send: tree.send, sought, span: tree.span });
            }
        }
        transfers
    }

    fn sought(&mut self, scope: &Scope, tree: &Statement, role: Role, span: Span) -> Option<Sought> {
        match tree {
            Statement::Compare { left, operator, right } => {
                // `detect((3 < x.a))` looks at the attribute, whichever side it is on.
                if !is_attribute(left) && is_attribute(right) {
                    return self.sought_attribute(scope, right, Some((mirrored(operator.node), left)), role);
                }
                self.sought_attribute(scope, left, Some((operator.node, right)), role)
            }
            Statement::Alone(expression) if is_attribute(expression) => {
                self.sought_attribute(scope, expression, None, role)
            }
            Statement::Alone(expression) if role == Role::Transfer => {
                let message = format!("`{}` is not sent: only beliefs are", self.wrote(expression.span));
                let help = "write an attribute or a relation: `send(x.a)`, `send(x R y)`";
                self.say(Problem::warning("M0769", span, message, help));
                None
            }
            Statement::Alone(expression) => {
                let message = format!("`{}` is not something that can be held", self.wrote(expression.span));
                let help = "write an attribute or a relation: `x.a`, `x R y`";
                self.say(Problem::error("M0756", span, message, help));
                None
            }
            Statement::Related { subject, relation, object, truth } => {
                let truth = truth.as_ref().map(|truth| truth.node);
                self.sought_pair(scope, (subject, relation, object.as_ref()), truth, role)
            }
        }
    }

    fn sought_pair(
        &mut self,
        scope: &Scope,
        (subject, relation, object): (&Reference, &Name, Option<&Reference>),
        truth: Option<Truth>,
        role: Role,
    ) -> Option<Sought> {
        let pair = self.pair(scope, subject, relation, object)?;
        let truth = match truth {
            Some(Truth::True) => Some(true),
            Some(Truth::False) => Some(false),
            Some(Truth::Unknown) => None,
            None if role == Role::Detect || pair.object.is_some() => Some(true),
            None => None,
        };
        let object = pair.object.as_ref().map(sighted);
        Some(Sought::Related { subject: sighted(&pair.subject), relation: pair.relation, object, truth })
    }

    fn sought_attribute(
        &mut self,
        scope: &Scope,
        left: &Expression,
        test: Option<(Comparison, &Expression)>,
        role: Role,
    ) -> Option<Sought> {
        if let Some((of, name)) = self.names_relation(scope, left) {
            let object = test.and_then(|(_, right)| match &right.node {
                ExpressionNode::Reference(object) => Some(object),
                _ => None,
            });
            return self.sought_pair(scope, (&of, &name, object), None, role);
        }
        let target = self.target(scope, left)?;
        let test = match test {
            None => None,
            Some((_, right)) if matches!(right.node, ExpressionNode::Any | ExpressionNode::Unknown) => None,
            Some((operator, right)) => self.test(scope, &target, (left, operator, right), role)?,
        };
        let subject = sighted(&target.who);
        Some(Sought::Attribute { subject, attribute: target.attribute, index: target.index, test })
    }

    fn target(&mut self, scope: &Scope, left: &Expression) -> Option<Target> {
        let (of, name, index) = match &left.node {
            ExpressionNode::Attribute(of, name) => (of, name, None),
            ExpressionNode::Entry(of, name, index) => (of, name, Some(index)),
            _ => {
                let message = format!("`{}` is not an attribute", self.wrote(left.span));
                let help = "write an attribute on the left side: `x.a = ...`";
                self.say(Problem::error("M0756", left.span, message, help));
                return None;
            }
        };
        let who = self.who(scope, of)?;
        let domain: Rc<[EntityId]> = who.domain().clone();
        let (attribute, sort) = self.attribute(scope, &domain, name, Demand::Strict);
        if sort == Sort::Relation {
            let message = format!("`{}` is a relation, not an attribute", name.node);
            let help = format!("write it between its two sides: `x {} y`", name.node);
            self.say(Problem::error("M0732", name.span, message, help));
            return None;
        }
        let Some(index) = index else {
            if sort != Sort::Map {
                self.attribute_keys(&domain, attribute);
            }
            return Some(Target { who, attribute, sort, index: None });
        };
        let index = self.expression(scope, index, Bare::Symbol)?;
        if let Expr::Value(value) = index.expr {
            self.indices.entry(attribute).or_default().insert(value);
            for entity in domain.iter() {
                self.program.keys.add(crate::program::Key::Entry(*entity, attribute, value));
            }
        }
        Some(Target { who, attribute, sort: Sort::Any, index: Some(index.expr) })
    }

    #[expect(clippy::option_option, reason = "no test is not the same as a test that is wrong")]
    fn test(
        &mut self,
        scope: &Scope,
        target: &Target,
        (left, operator, right): (&Expression, Comparison, &Expression),
        role: Role,
    ) -> Option<Option<(Comparison, Expr)>> {
        let value = self.expression(scope, right, Bare::Symbol)?;
        if role == Role::Transfer && !matches!(value.expr, Expr::Value(_) | Expr::Variable(_)) {
            // `send(x.a = x.a)` sends what is believed of `x.a`; the right side only repeats it.
            if self.wrote(left.span) != self.wrote(right.span) {
                let message = format!("the belief about `{}` is what is sent", self.wrote(left.span));
                let help = "write the same on both sides, or leave the right side out; it is not looked at";
                self.say(Problem::warning("M0769", right.span, message, help));
            }
            return Some(None);
        }
        let held = Typed::new(Expr::Unknown, target.sort.clone());
        if target.sort == Sort::Map {
            return Some(Some((operator, value.expr)));
        }
        if !self.compatible((&held, left.span), (&value, right.span), Use::Compare(operator)) {
            return None;
        }
        Some(Some((operator, value.expr)))
    }
}

/// Whom a detectable or an activity looks at.
pub(crate) fn sighted(who: &Who) -> Sighted {
    match who {
        Who::One(subject, _) => Sighted::One(*subject),
        Who::Every(domain) => Sighted::Every(domain.to_vec()),
    }
}

fn is_attribute(tree: &Expression) -> bool {
    matches!(tree.node, ExpressionNode::Attribute(..) | ExpressionNode::Entry(..))
}

fn mirrored(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        same => same,
    }
}

/// A certainty of 0 to 100; 100 where none is given. The parser refuses others.
pub(crate) fn certainty(tree: Option<&motet_source::Spanned<f64>>) -> u32 {
    tree.map_or(100, |tree| whole(tree.node))
}

/// A percentage as a whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=100 just before")]
fn whole(number: f64) -> u32 {
    number.clamp(0.0, 100.0).round() as u32
}
