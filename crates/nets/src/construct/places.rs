//! The places around a transition.

use super::sorts::Declared;
use crate::syntax::{
    Field, Member, Net, PlaceKind, Statement, StatementNode, Transition, TypeNode, TypeText,
};

/// The places around a transition, each named once, in the order of the statements.
#[derive(Default)]
pub(crate) struct Touched {
    pub(crate) data: Vec<String>,
    pub(crate) agents: Vec<String>,
    pub(crate) preset: Vec<String>,
    pub(crate) postset: Vec<String>,
}

/// Which places a transition takes from and gives to. A place that is read and a cell that is updated is both.
pub(crate) fn touched(declared: &Declared, net: &Net, transition: &Transition) -> Touched {
    let mut touched = Touched::default();
    collect(&transition.body, net, &mut touched);
    for name in touched.preset.iter().chain(&touched.postset) {
        let agents = sort_of(net, name).is_some_and(|sort| holds_agents(declared, sort));
        let list = if agents { &mut touched.agents } else { &mut touched.data };
        if !list.contains(name) {
            list.push(name.clone());
        }
    }
    touched
}

fn collect(body: &[Statement], net: &Net, touched: &mut Touched) {
    let add = |list: &mut Vec<String>, name: &String| {
        if !list.contains(name) {
            list.push(name.clone());
        }
    };
    for statement in body {
        match &statement.node {
            StatementNode::In(arcs) => {
                for arc in arcs {
                    add(&mut touched.preset, &arc.place.node);
                }
            }
            StatementNode::Read(arcs) => {
                for arc in arcs {
                    add(&mut touched.preset, &arc.place.node);
                    add(&mut touched.postset, &arc.place.node);
                }
            }
            StatementNode::Out(arcs) => {
                for arc in arcs {
                    add(&mut touched.postset, &arc.place.node);
                }
            }
            StatementNode::Update(name, _, _) if is_cell(net, &name.node) => {
                add(&mut touched.preset, &name.node);
                add(&mut touched.postset, &name.node);
            }
            StatementNode::Alternative(parts) => collect(parts, net, touched),
            _ => {}
        }
    }
}

fn place<'n>(net: &'n Net, name: &str) -> Option<&'n crate::syntax::Place> {
    net.members.iter().find_map(|member| match member {
        Member::Place(place) if place.names.iter().any(|one| one.node == name) => Some(place),
        _ => None,
    })
}

fn sort_of<'n>(net: &'n Net, name: &str) -> Option<&'n TypeText> {
    place(net, name).map(|place| &place.sort)
}

fn is_cell(net: &Net, name: &str) -> bool {
    place(net, name).is_some_and(|place| place.kind == PlaceKind::Cell)
}

/// Whether tokens of this sort are agents or records with one.
fn holds_agents(declared: &Declared, sort: &TypeText) -> bool {
    let is_agent = |sort: &TypeText| declared.behind(sort).node == TypeNode::Agent;
    is_agent(sort)
        || declared.record(sort).is_some_and(|fields| fields.iter().any(|Field { sort, .. }| is_agent(sort)))
}
