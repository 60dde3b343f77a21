//! Nets and what is declared in them.

use std::mem::discriminant;

use super::expression::{expression, fields, list, names, sort, whole};
use super::page::{Gap, Page};
use super::statement::block;
use crate::parse::strength::SUM;
use crate::syntax::{
    ExpressionNode, Initial, Level, Member, Net, Operation, OperationNames, Place, PlaceKind, Transition,
};

/// A whole net.
pub(super) fn net(page: &mut Page<'_>, net: &Net) {
    let level = match net.level {
        Level::System => "system",
        Level::Agent => "agent",
    };
    let head = format!("{level} net {}({}) {{", net.name.node, fields(&net.parameters));
    page.open(net.span, Gap::Wide, &head);
    let mut last = None;
    for member in &net.members {
        let kind = discriminant(member);
        let gap = if last.is_some_and(|last| last != kind) { Gap::Wide } else { Gap::Narrow };
        last = Some(kind);
        self::member(page, member, gap, "");
    }
    page.close(net.span);
}

/// A declaration in a net or, behind `before`, in an advice.
pub(super) fn member(page: &mut Page<'_>, member: &Member, gap: Gap, before: &str) {
    match member {
        Member::Place(written) => page.line(written.span, gap, &format!("{before}{}", place(written))),
        Member::Transition(written) => {
            let head = format!("{before}{}", transition_head(written));
            block(page, written.span, gap, &head, &written.body);
        }
        Member::Operation(written) => {
            block(page, written.span, gap, &format!("{before}{}", operation_head(written)), &written.work);
        }
        Member::Goal(name, wanted) => {
            let text = format!("{before}goal {} : {};", name.node, whole(wanted));
            page.line(name.span.to(wanted.span), gap, &text);
        }
    }
}

pub(super) fn place(place: &Place) -> String {
    let kind = match place.kind {
        PlaceKind::Tokens => "place",
        PlaceKind::Cell => "cell",
    };
    let capacity = place
        .capacity
        .as_ref()
        .map_or_else(String::new, |most| format!(" capacity {}", expression(most, SUM)));
    let initial = match &place.initial {
        Initial::Empty => String::new(),
        Initial::Value(value) => format!(" = {}", whole(value)),
        Initial::Tokens(tokens) => match &tokens.node {
            ExpressionNode::Set(parts) if !parts.is_empty() => format!(" = {{ {} }}", list(parts)),
            _ => format!(" = {}", whole(tokens)),
        },
    };
    format!("{kind} {} : {}{capacity}{initial};", names(&place.names), sort(&place.sort))
}

fn transition_head(transition: &Transition) -> String {
    let limit = transition
        .limit
        .as_ref()
        .map_or_else(String::new, |limit| format!(" limit {}", expression(limit, SUM)));
    format!("transition {}{limit}", transition.name.node)
}

fn operation_head(operation: &Operation) -> String {
    let called = match &operation.names {
        OperationNames::Derived(name) => name.node.clone(),
        OperationNames::Given(given) => names(given),
    };
    format!(
        "operation {called} on {} agents {} using {}, {} -> {}",
        operation.action.node,
        operation.agents.node,
        operation.busy.node,
        operation.request.node,
        operation.result.node
    )
}
