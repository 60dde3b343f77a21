//! A net of black tokens in the language of nested nets.

use motet_nets::plain::{Arc, PlainNet, PlainTransition};
use motet_nets::syntax::{
    ArcIn, ArcOut, Initial, Item, Level, Member, Net, Place, PlaceKind, StatementNode, Text, Transition,
    TypeNode, TypeText,
};

use super::names::Names;
use super::{nowhere, statement, terms};

/// The net as a text with one system net. Names that our language does not have are replaced by near ones.
#[must_use]
pub fn plain_text(net: &PlainNet) -> Text {
    let mut names = Names::new();
    names.keep(net.places.iter().map(|place| place.name.as_str()));
    names.keep(net.transitions.iter().map(|transition| transition.name.as_str()));
    let places: Vec<String> = net.places.iter().map(|place| names.own(&place.name)).collect();
    let mut members = Vec::new();
    for (place, name) in net.places.iter().zip(&places) {
        let number = |number: u32| terms::number(i64::from(number));
        members.push(Member::Place(Place {
            names: vec![names.at(name)],
            kind: PlaceKind::Tokens,
            sort: TypeText { node: TypeNode::Token, span: nowhere() },
            capacity: place.capacity.map(number),
            initial: if place.initial == 0 { Initial::Empty } else { Initial::Value(number(place.initial)) },
            span: nowhere(),
        }));
    }
    for transition in &net.transitions {
        members.push(Member::Transition(self::transition(transition, &places, &mut names)));
    }
    let name = names.spanned(&net.name);
    let net = Net { name, level: Level::System, parameters: Vec::new(), members, span: nowhere() };
    Text { items: vec![Item::Net(net)] }
}

fn transition(transition: &PlainTransition, places: &[String], names: &mut Names) -> Transition {
    let name = names.own(&transition.name);
    let name = names.at(&name);
    let weight = |arc: &Arc| (arc.weight != 1).then(|| terms::number(i64::from(arc.weight)));
    let from = |arcs: &[Arc]| -> Vec<ArcIn> {
        let arc = |arc: &Arc| ArcIn {
            place: names.at(&places[arc.place]),
            patterns: Vec::new(),
            weight: weight(arc),
            span: nowhere(),
        };
        arcs.iter().map(arc).collect()
    };
    let to = |arc: &Arc| ArcOut {
        place: names.at(&places[arc.place]),
        terms: Vec::new(),
        weight: weight(arc),
        span: nowhere(),
    };
    let mut body = Vec::new();
    let mut add = |arcs: &[Arc], node: fn(Vec<ArcIn>) -> StatementNode| {
        if !arcs.is_empty() {
            body.push(statement(node(from(arcs))));
        }
    };
    add(&transition.inputs, StatementNode::In);
    add(&transition.reads, StatementNode::Read);
    add(&transition.inhibitors, StatementNode::Inhibit);
    if !transition.outputs.is_empty() {
        body.push(statement(StatementNode::Out(transition.outputs.iter().map(to).collect())));
    }
    Transition { name, limit: None, body, span: nowhere() }
}
