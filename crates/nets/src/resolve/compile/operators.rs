//! Operators between two operands.

use motet_source::Span;

use super::collections::has_any;
use super::{Compiler, Kind, Origin, Typed, Want};
use crate::program::{Expr, Operator, Sort, VariableId};
use crate::syntax::{BinaryOperator, Expression, ExpressionNode};

impl Compiler<'_> {
    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        span: Span,
        want: Want<'_>,
    ) -> Typed {
        let logic = |this: &mut Self, operator| {
            let (left, right) = (Box::new(this.truth(left)), Box::new(this.truth(right)));
            Typed::value(Expr::Binary(operator, left, right), Sort::Bool)
        };
        let order = |this: &mut Self, operator, left: &Expression, right: &Expression| {
            let (left, right) = (Box::new(this.number(left)), Box::new(this.number(right)));
            Typed::value(Expr::Binary(operator, left, right), Sort::Bool)
        };
        let sum = |this: &mut Self, operator| {
            let (left, right) = (Box::new(this.number(left)), Box::new(this.number(right)));
            Typed::value(Expr::Binary(operator, left, right), Sort::Int(None))
        };
        match operator {
            BinaryOperator::Implies => logic(self, Operator::Implies),
            BinaryOperator::Or => logic(self, Operator::Or),
            BinaryOperator::And => logic(self, Operator::And),
            BinaryOperator::Less => order(self, Operator::Less, left, right),
            BinaryOperator::LessEqual => order(self, Operator::LessEqual, left, right),
            BinaryOperator::Greater => order(self, Operator::Less, right, left),
            BinaryOperator::GreaterEqual => order(self, Operator::LessEqual, right, left),
            BinaryOperator::Add => sum(self, Operator::Add),
            BinaryOperator::Subtract => sum(self, Operator::Subtract),
            BinaryOperator::Multiply => sum(self, Operator::Multiply),
            BinaryOperator::Divide => sum(self, Operator::Divide),
            BinaryOperator::Modulo => sum(self, Operator::Modulo),
            BinaryOperator::Equal => self.equal(left, right, span),
            BinaryOperator::NotEqual => {
                let equal = self.equal(left, right, span);
                negated(equal)
            }
            BinaryOperator::In => self.member(left, right),
            BinaryOperator::NotIn => {
                let member = self.member(left, right);
                negated(member)
            }
            BinaryOperator::Union => self.union(Operator::Union, left, right, want),
            BinaryOperator::Minus => self.union(Operator::Minus, left, right, want),
        }
    }

    /// Two operands that should be alike; what is known of one helps the other.
    pub(super) fn pair<'e>(
        &mut self,
        left: &'e Expression,
        right: &'e Expression,
        want: Want<'_>,
    ) -> ((Typed, Span), (Typed, Span)) {
        let literal = |expression: &Expression| {
            matches!(
                expression.node,
                ExpressionNode::Tuple(_) | ExpressionNode::Set(_) | ExpressionNode::Comprehension(..)
            )
        };
        let wants_nothing = matches!(want, Want::Anything | Want::Many(None));
        if wants_nothing && literal(left) && !literal(right) {
            let second = self.expression(right, want);
            let first = self.like(left, &second, want);
            ((first, left.span), (second, right.span))
        } else {
            let first = self.expression(left, want);
            let second = self.like(right, &first, want);
            ((first, left.span), (second, right.span))
        }
    }

    fn like(&mut self, expression: &Expression, other: &Typed, want: Want<'_>) -> Typed {
        match (want, &other.kind) {
            (Want::Value(_) | Want::Many(Some(_)), _) => self.expression(expression, want),
            (_, Kind::Tokens(sort)) => self.expression(expression, Want::Many(Some(sort))),
            (_, Kind::Value(Sort::Set(sort))) => self.expression(expression, Want::Many(Some(sort))),
            (_, Kind::Value(sort)) => self.expression(expression, Want::Value(sort)),
        }
    }

    fn equal(&mut self, left: &Expression, right: &Expression, span: Span) -> Typed {
        if has_any(left) != has_any(right) {
            let (pattern, value) = if has_any(left) { (left, right) } else { (right, left) };
            let typed = self.expression(value, Want::Anything);
            let Kind::Value(sort) = typed.kind.clone() else {
                self.flow(typed, &Sort::Unknown, value.span, "a comparison");
                return Typed::value(Expr::Constant(crate::value::Value::Bool(false)), Sort::Bool);
            };
            // Some member of the set of just this value looks so.
            let single = Typed::value(Expr::Set(vec![typed.expr]), sort.clone().set());
            return self.some_like(pattern, single, &sort);
        }
        let ((left, _), (right, right_span)) = self.pair(left, right, Want::Anything);
        let sorts = match (&left.kind, &right.kind) {
            (Kind::Value(left), Kind::Value(right)) => (left.clone(), right.clone()),
            _ => {
                let help = "compare their sizes, or look at each token: `forall x in p: ...`";
                return self.error("M1023", right_span, "places are not compared as wholes", help);
            }
        };
        if !self.comparable(&sorts.0, &sorts.1, span) {
            return Typed::value(Expr::Constant(crate::value::Value::Bool(false)), Sort::Bool);
        }
        let expr = match (&left.expr, &right.expr) {
            (Expr::Variable(one), Expr::Variable(other)) if self.is_token(*one) && self.is_token(*other) => {
                Expr::SameToken(*one, *other)
            }
            _ => Expr::Binary(Operator::Equal, Box::new(left.expr), Box::new(right.expr)),
        };
        Typed::value(expr, Sort::Bool)
    }

    /// Whether a variable stands for one occurrence of a token with an agent in it. Two such tokens with equal contents are
    /// still two.
    fn is_token(&self, id: VariableId) -> bool {
        let variable = &self.variables[id.0 as usize];
        let whole = match &variable.origin {
            Origin::Arc(_, fields) => fields.is_empty(),
            Origin::Member(_) => true,
            _ => false,
        };
        whole && variable.sort.bears_agents()
    }

    fn member(&mut self, left: &Expression, right: &Expression) -> Typed {
        let domain = self.expression(right, Want::Many(None));
        let never = Typed::value(Expr::Constant(crate::value::Value::Bool(false)), Sort::Bool);
        let Some(sort) = self.members_of(&domain, right.span, "`in` looks among") else {
            self.expression(left, Want::Anything);
            return never;
        };
        if has_any(left) {
            return self.some_like(left, domain, &sort);
        }
        let typed = self.expression(left, Want::Value(&sort));
        let found = match &typed.kind {
            Kind::Value(found) => found.clone(),
            Kind::Tokens(_) => {
                self.flow(typed, &sort, left.span, "`in`");
                return never;
            }
        };
        if !self.comparable(&found, &sort, left.span) {
            return never;
        }
        let (member, domain) = (Box::new(typed.expr), Box::new(domain.expr));
        Typed::value(Expr::Binary(Operator::In, member, domain), Sort::Bool)
    }

    fn union(&mut self, operator: Operator, left: &Expression, right: &Expression, want: Want<'_>) -> Typed {
        let want = match want {
            Want::Value(Sort::Set(of)) => Want::Many(Some(of)),
            Want::Many(of) => Want::Many(of),
            _ => Want::Many(None),
        };
        let ((left, left_span), (right, right_span)) = self.pair(left, right, want);
        let who = if operator == Operator::Union { "`union` joins" } else { "`minus` takes away" };
        let known = self.members_of(&left, left_span, who);
        if known.is_none() || self.members_of(&right, right_span, who).is_none() {
            return Typed::unknown();
        }
        let Some(kind) = self.joined(&left, &right, right_span, "the two sides") else {
            return Typed::unknown();
        };
        let mut agents = left.agents;
        agents.extend(right.agents);
        let expr = Expr::Binary(operator, Box::new(left.expr), Box::new(right.expr));
        Typed { expr, kind, agents }
    }
}

fn negated(typed: Typed) -> Typed {
    if typed.is_unknown() { typed } else { Typed::value(Expr::Not(Box::new(typed.expr)), Sort::Bool) }
}
