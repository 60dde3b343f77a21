//! Parts of nets that nobody wrote. Their place is that of what they are made from.

use motet_source::Span;

use crate::syntax::{
    ArcIn, ArcOut, BinaryOperator, Exchange, Expression, ExpressionNode, Initial, Member, Name, Partner,
    Pattern, PatternNode, Place, PlaceKind, Statement, StatementNode, Sync, Transition, TypeText,
};

/// Makes parts that stand at one place.
#[derive(Clone, Copy)]
pub(super) struct Make(pub(super) Span);

impl Make {
    pub(super) fn name(self, text: &str) -> Name {
        Name::new(text.to_owned(), self.0)
    }

    pub(super) fn expression(self, node: ExpressionNode) -> Expression {
        Expression { node, span: self.0 }
    }

    pub(super) fn value(self, name: &str) -> Expression {
        self.expression(ExpressionNode::Name(name.to_owned()))
    }

    pub(super) fn field(self, of: &str, field: &str) -> Expression {
        self.expression(ExpressionNode::Field(Box::new(self.value(of)), self.name(field)))
    }

    pub(super) fn equal(self, left: Expression, right: Expression) -> Expression {
        self.binary(BinaryOperator::Equal, left, right)
    }

    pub(super) fn binary(self, operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
        self.expression(ExpressionNode::Binary(operator, Box::new(left), Box::new(right)))
    }

    pub(super) fn variable(self, name: &str) -> Pattern {
        Pattern { node: PatternNode::Name(name.to_owned()), span: self.0 }
    }

    pub(super) fn arc_in(self, place: &str, patterns: Vec<Pattern>) -> ArcIn {
        ArcIn { place: self.name(place), patterns, weight: None, span: self.0 }
    }

    pub(super) fn arc_out(self, place: &str, terms: Vec<Expression>) -> ArcOut {
        ArcOut { place: self.name(place), terms, weight: None, span: self.0 }
    }

    pub(super) fn statement(self, node: StatementNode) -> Statement {
        Statement { node, span: self.0 }
    }

    /// `in place(variable), ...;`
    pub(super) fn takes(self, arcs: &[(&str, &str)]) -> Statement {
        let arcs = arcs.iter().map(|(place, variable)| self.arc_in(place, vec![self.variable(variable)]));
        self.statement(StatementNode::In(arcs.collect()))
    }

    /// `out place(variable), ...;`
    pub(super) fn puts(self, arcs: &[(&str, &str)]) -> Statement {
        let arcs = arcs.iter().map(|(place, variable)| self.arc_out(place, vec![self.value(variable)]));
        self.statement(StatementNode::Out(arcs.collect()))
    }

    pub(super) fn when(self, condition: Expression) -> Statement {
        self.statement(StatementNode::When(condition))
    }

    pub(super) fn sends(self, partner: Partner, port: &str, values: Vec<Expression>) -> Statement {
        let sync = Sync { partner, port: self.name(port), exchange: Exchange::Send(values) };
        self.statement(StatementNode::Sync(sync))
    }

    pub(super) fn receives(self, partner: Partner, port: &str, variables: &[&str]) -> Statement {
        let patterns = variables.iter().map(|variable| self.variable(variable)).collect();
        let sync = Sync { partner, port: self.name(port), exchange: Exchange::Receive(patterns) };
        self.statement(StatementNode::Sync(sync))
    }

    pub(super) fn transition(self, name: &Name, body: Vec<Statement>) -> Member {
        Member::Transition(Transition { name: name.clone(), limit: None, body, span: self.0 })
    }

    pub(super) fn place(self, name: &str, sort: &TypeText, initial: Initial) -> Member {
        Member::Place(Place {
            names: vec![self.name(name)],
            kind: PlaceKind::Tokens,
            sort: sort.clone(),
            capacity: None,
            initial,
            span: self.0,
        })
    }
}
