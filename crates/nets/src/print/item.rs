//! Declarations at the top level.

use std::mem::discriminant;

use motet_source::Span;

use super::expression::{fields, join, list, names, sort, whole};
use super::net::{self, place};
use super::page::{Gap, Page};
use super::statement::arc_in;
use crate::syntax::{
    AdviceRole, Aspect, Definition, Enumeration, Item, Mediator, MediatorRow, Name, Port, Role, RowMessage,
    Symmetry, Text, Weave,
};

/// A whole text.
pub(super) fn text(mut page: Page<'_>, text: &Text) -> String {
    let mut last = None;
    for item in &text.items {
        // Declarations of one kind stand together; blocks stand apart.
        let kind = discriminant(item);
        let gap = if last == Some(kind) { Gap::Narrow } else { Gap::Wide };
        last = Some(kind);
        print_item(&mut page, item, gap);
    }
    page.finish()
}

fn print_item(page: &mut Page<'_>, item: &Item, gap: Gap) {
    match item {
        Item::Enumeration(written) => {
            page.line(from(&written.name, written.members.last()), gap, &enumeration(written));
        }
        Item::Type(name, of) => {
            page.line(name.span.to(of.span), gap, &format!("type {} = {};", name.node, sort(of)));
        }
        Item::Constant(name, value) => {
            page.line(name.span.to(value.span), gap, &format!("const {} = {};", name.node, whole(value)));
        }
        Item::Port(written) => page.line(port_span(written), gap, &port(written)),
        Item::Definition(written) => {
            page.line(written.name.span.to(written.body.span), gap, &definition(written));
        }
        Item::Net(written) => net::net(page, written),
        Item::Aspect(written) => aspect(page, written),
        Item::Role(written) => page.line(written.span, gap, &role(written)),
        Item::Mediator(written) => mediator(page, written),
    }
}

/// From a name to the last part behind it.
fn from(name: &Name, last: Option<&Name>) -> Span {
    last.map_or(name.span, |last| name.span.to(last.span))
}

fn enumeration(written: &Enumeration) -> String {
    let symmetry = match written.symmetry {
        Symmetry::Distinct => "",
        Symmetry::Interchangeable => "interchangeable ",
    };
    format!("{symmetry}enum {} = {{{}}};", written.name.node, names(&written.members))
}

fn port_span(port: &Port) -> Span {
    port.fields.last().map_or(port.name.span, |field| port.name.span.to(field.sort.span))
}

fn port(written: &Port) -> String {
    format!("port {}({});", written.name.node, fields(&written.fields))
}

fn definition(written: &Definition) -> String {
    let parameters = match &written.parameters[..] {
        [] => String::new(),
        parameters => format!("({})", names(parameters)),
    };
    format!("def {}{parameters} = {};", written.name.node, whole(&written.body))
}

fn role(written: &Role) -> String {
    let starts =
        written.starts.as_ref().map_or_else(String::new, |first| format!(" starts {}", whole(first)));
    let (name, permits) = (&written.name.node, names(&written.permits));
    format!("role {name}({}) permits {permits}{starts};", fields(&written.parameters))
}

fn aspect(page: &mut Page<'_>, written: &Aspect) {
    page.open(written.span, Gap::Wide, &format!("aspect {} {{", written.name.node));
    if !written.advice.is_empty() {
        page.head("advice {");
        for advice in &written.advice {
            let before = match advice.role {
                AdviceRole::Added => "",
                AdviceRole::Pointcut => "pointcut ",
            };
            net::member(page, &advice.member, Gap::Narrow, before);
        }
        page.tail();
    }
    for written in &written.weaves {
        page.line(written.span, Gap::Narrow, &weave(written));
    }
    page.close(written.span);
}

fn weave(written: &Weave) -> String {
    let prefix = written.prefix.as_ref().map_or_else(String::new, |prefix| format!(" as {}", prefix.node));
    let joins = join(&written.joins, |(pointcut, point)| format!("{} -> {}", pointcut.node, point.node));
    let joins = if joins.is_empty() { joins } else { format!("{joins} ") };
    format!("weave {}{prefix} {{ {joins}}}", written.target.node)
}

fn mediator(page: &mut Page<'_>, written: &Mediator) {
    let head = format!("mediator {} from {} {{", written.name.node, names(&written.agents));
    page.open(written.span, Gap::Wide, &head);
    let places = written.places.iter().map(|written| (written.span, place(written)));
    let rows = written.rows.iter().map(|written| (written.span, row(written)));
    let mut lines: Vec<(Span, String)> = places.chain(rows).collect();
    lines.sort_by_key(|(span, _)| span.start);
    for (span, line) in lines {
        page.line(span, Gap::Narrow, &line);
    }
    page.close(written.span);
}

fn row(row: &MediatorRow) -> String {
    let message = match &row.message {
        RowMessage::Rule => String::new(),
        RowMessage::Place(place) => format!(" msg {}", place.node),
        RowMessage::Values(values) => format!(" says {}", list(values)),
    };
    let also = match &row.also[..] {
        [] => String::new(),
        arcs => format!(" also {}", join(arcs, arc_in)),
    };
    format!(
        "{}.{} : {} {} -> {}{message}{also};",
        row.net.node, row.transition.node, row.coordinator.node, row.before.node, row.after.node
    )
}
