//! Statements of transitions.

use motet_source::Span;

use super::expression::{expression, join, list, pattern, whole};
use super::page::{Gap, Page};
use crate::parse::strength::{POSTFIX, RANGE, SIGN};
use crate::syntax::{
    ArcIn, ArcOut, Exchange, Expression, ExpressionNode, Name, Partner, Statement, StatementNode, Sync,
};

/// `head { statements }`, on one line if it is narrow and simple enough.
pub(super) fn block(page: &mut Page<'_>, span: Span, gap: Gap, head: &str, body: &[Statement]) {
    let simple = !body.iter().any(|statement| matches!(statement.node, StatementNode::Alternative(_)));
    let text = if body.is_empty() { format!("{head} {{ }}") } else { format!("{head} {{ {} }}", line(body)) };
    if simple && page.fits(&text) && !page.has_comments(span) {
        page.line(span, gap, &text);
        return;
    }
    page.open(span, gap, &format!("{head} {{"));
    for statement in body {
        match &statement.node {
            StatementNode::Alternative(parts) => block(page, statement.span, Gap::Narrow, "alt", parts),
            _ => page.line(statement.span, Gap::Narrow, &simple_statement(statement)),
        }
    }
    page.close(span);
}

fn line(body: &[Statement]) -> String {
    body.iter().map(simple_statement).collect::<Vec<_>>().join(" ")
}

/// A statement on one line.
fn simple_statement(statement: &Statement) -> String {
    match &statement.node {
        StatementNode::In(arcs) => format!("in {};", join(arcs, arc_in)),
        StatementNode::Read(arcs) => format!("read {};", join(arcs, arc_in)),
        StatementNode::Inhibit(arcs) => format!("inhib {};", join(arcs, arc_in)),
        StatementNode::Out(arcs) => format!("out {};", join(arcs, arc_out)),
        StatementNode::When(condition) => format!("when {};", whole(condition)),
        StatementNode::Pick(name, from, condition) => {
            let condition = condition.as_ref().map_or_else(String::new, |c| format!(" where {}", whole(c)));
            format!("pick {} in {}{condition};", name.node, expression(from, RANGE))
        }
        StatementNode::Let(name, value) => format!("let {} = {};", name.node, whole(value)),
        StatementNode::Update(name, fields, value) => {
            let fields: String = fields.iter().map(|field| format!(".{}", field.node)).collect();
            format!("{}'{fields} = {};", name.node, whole(value))
        }
        StatementNode::Sync(written) => sync(written),
        StatementNode::Alternative(parts) => format!("alt {{ {} }}", line(parts)),
    }
}

pub(crate) fn arc_in(arc: &ArcIn) -> String {
    this_arc(&arc.place, &join(&arc.patterns, pattern), arc.weight.as_ref())
}

fn arc_out(arc: &ArcOut) -> String {
    this_arc(&arc.place, &list(&arc.terms), arc.weight.as_ref())
}

fn this_arc(place: &Name, token: &str, weight: Option<&Expression>) -> String {
    let token = if token.is_empty() { String::new() } else { format!("({token})") };
    let weight = weight.map_or_else(String::new, |weight| format!(" * {}", expression(weight, SIGN)));
    format!("{}{token}{weight}", place.node)
}

fn sync(written: &Sync) -> String {
    let partner = match &written.partner {
        Partner::Up => "up".to_owned(),
        Partner::Channel(value) => format!("chan({})", whole(value)),
        Partner::Agent(agent) if starts_with_channel(agent) => format!("({})", whole(agent)),
        Partner::Agent(agent) => expression(agent, POSTFIX),
    };
    let port = &written.port.node;
    match &written.exchange {
        Exchange::Send(values) => format!("sync {partner} ! {port}({});", list(values)),
        Exchange::Receive(patterns) => format!("sync {partner} ? {port}({});", join(patterns, pattern)),
    }
}

/// Whether the text of this agent would be read as a channel.
fn starts_with_channel(agent: &Expression) -> bool {
    match &agent.node {
        ExpressionNode::Call(name, _) => name.node == "chan",
        ExpressionNode::Field(of, _) | ExpressionNode::With(of, _) => starts_with_channel(of),
        _ => false,
    }
}
