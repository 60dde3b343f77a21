//! The words that claims may use.

use std::collections::BTreeMap;
use std::sync::Arc;

use motet_model::{Entry, Field, Terms, TimeUnit, Vocabulary};

use crate::program::{Enumeration, Net, Place, PlaceKind, Sort};
use crate::resolve::sorts::{fields, shown};
use crate::resolve::{Resolved, defined_collections, defined_sorts};
use crate::syntax::Level;

/// Ranges with more members than this are no sorts to quantify over.
const LIMIT_MEMBERS: i64 = 4096;

/// Agent nets, sorts, places, transitions, definitions, ports and constants.
pub(crate) fn vocabulary(resolved: &Resolved) -> Vocabulary {
    let program = &resolved.program;
    let templates = program.nets.iter().filter(|net| net.level == Level::Agent);
    let agents: Vec<String> = templates.map(|net| net.name.clone()).collect();
    let mut groups = Vec::new();
    let system = &program.nets[program.system.0 as usize];
    groups.extend(words_of(system, resolved));
    let definition = |definition: &crate::syntax::Definition| match definition.parameters.len() {
        0 => definition.name.node.clone(),
        count => format!("{}({})", definition.name.node, vec!["_"; count].join(", ")),
    };
    groups.push(("definitions".to_owned(), resolved.scope.definitions.iter().map(definition).collect()));
    for net in program.nets.iter().filter(|net| net.level == Level::Agent) {
        groups.extend(words_of(net, resolved));
    }
    let port =
        |port: &crate::program::Port| format!("{}{}", port.name, fields(&port.fields, &program.enumerations));
    groups.push(("ports".to_owned(), program.ports.iter().map(port).collect()));
    groups.retain(|(_, words)| !words.is_empty());
    let constants = program.constants.iter();
    let parameters = constants
        .map(|(name, value)| (name.clone(), crate::semantics::show::value(program, value)))
        .collect();
    let (observers, teams) = crate::semantics::local::observers(program);
    let mut sorts = sorts(resolved, &agents);
    sorts.extend(teams);
    Vocabulary {
        sorts,
        collections: collections(resolved),
        observers,
        agents,
        groups,
        parameters,
        terms: terms(resolved),
        events: vec!["fires".to_owned()],
        unit: Some(TimeUnit::Firings),
        ..Vocabulary::default()
    }
}

/// Places, cells and definitions with what they hold; what the places of agent nets hold, where one name has one meaning.
fn terms(resolved: &Resolved) -> Terms {
    let program = &resolved.program;
    let enumerations = &program.enumerations;
    let of = |place: &Place| match place.kind {
        PlaceKind::Tokens => many(known(&place.sort, enumerations)),
        PlaceKind::Cell => known(&place.sort, enumerations),
        PlaceKind::Limit => motet_model::Sort::Open,
    };
    let system = &program.nets[program.system.0 as usize];
    let mut names: BTreeMap<String, motet_model::Sort> =
        system.places.iter().map(|place| (place.name.clone(), of(place))).collect();
    for (name, tokens, sort) in defined_sorts(resolved) {
        let sort = known(&sort, enumerations);
        names.insert(name, if tokens { many(sort) } else { sort });
    }
    let mut fields: BTreeMap<String, Field> = BTreeMap::new();
    for net in program.nets.iter().filter(|net| net.level == Level::Agent) {
        for place in &net.places {
            let sort = of(place);
            let field = fields
                .entry(place.name.clone())
                .or_insert_with(|| Field { sort: sort.clone(), ..Field::default() });
            if field.sort != sort {
                field.sort = motet_model::Sort::Open;
            }
        }
    }
    let mut calls = BTreeMap::new();
    if !resolved.scope.definitions.iter().any(|definition| definition.name.node == "size") {
        let value = motet_model::Sort::Whole(Some(0), None);
        calls.insert("size".to_owned(), Entry { arguments: vec![motet_model::Sort::Open], value });
    }
    Terms { names, fields, calls, ..Terms::default() }
}

fn many(sort: motet_model::Sort) -> motet_model::Sort {
    motet_model::Sort::Many(Arc::new(sort))
}

/// A sort as claims know it. Black tokens, templates and agents are left open.
fn known(sort: &Sort, enumerations: &[Enumeration]) -> motet_model::Sort {
    match sort {
        Sort::Bool => motet_model::Sort::Truth,
        Sort::Int(None) => motet_model::Sort::Whole(None, None),
        Sort::Int(Some((low, high))) => motet_model::Sort::Whole(Some(*low), Some(*high)),
        Sort::Enumeration(id) => {
            let enumeration = &enumerations[id.0 as usize];
            motet_model::Sort::members(enumeration.name.as_str(), enumeration.members.clone())
        }
        Sort::Set(of) => many(known(of, enumerations)),
        Sort::Record(record) => {
            let parts = record.fields.iter();
            motet_model::Sort::Record(
                parts.map(|(name, sort)| (name.clone(), known(sort, enumerations))).collect(),
            )
        }
        Sort::Token | Sort::Class | Sort::Agent | Sort::Unknown => motet_model::Sort::Open,
    }
}

/// Enumerations and named ranges, with their members.
fn sorts(resolved: &Resolved, agents: &[String]) -> Vec<(String, Vec<String>)> {
    let mut all = vec![("agent".to_owned(), agents.to_vec())];
    for enumeration in &resolved.scope.enumerations {
        all.push((enumeration.name.clone(), enumeration.members.clone()));
    }
    for (name, sort) in &resolved.scope.sorts {
        if let Sort::Int(Some((low, high))) = sort
            && high.saturating_sub(*low) < LIMIT_MEMBERS
        {
            all.push((name.clone(), (*low..=*high).map(|number| number.to_string()).collect()));
        }
    }
    all
}

/// What a quantifier looks into: places, cells that hold sets, and definitions of such.
fn collections(resolved: &Resolved) -> Vec<String> {
    let system = &resolved.program.nets[resolved.program.system.0 as usize];
    let many = |place: &&Place| match place.kind {
        PlaceKind::Tokens => true,
        PlaceKind::Cell => matches!(place.sort, Sort::Set(_)),
        PlaceKind::Limit => false,
    };
    let places = system.places.iter().filter(many).map(|place| place.name.clone());
    places.chain(defined_collections(resolved)).collect()
}

/// The places, cells, transitions and goals of a net.
fn words_of(net: &Net, resolved: &Resolved) -> Vec<(String, Vec<String>)> {
    let enumerations = &resolved.program.enumerations;
    let of_kind = |kind: PlaceKind| {
        let places = net.places.iter().filter(move |place| place.kind == kind);
        places.map(|place| format!("{} : {}", place.name, shown(&place.sort, enumerations))).collect()
    };
    let transitions = net.transitions.iter().map(|transition| transition.name.clone()).collect();
    let goals = net.goals.iter().map(|(name, _)| name.clone()).collect();
    vec![
        (format!("places of {}", net.name), of_kind(PlaceKind::Tokens)),
        (format!("cells of {}", net.name), of_kind(PlaceKind::Cell)),
        (format!("transitions of {}", net.name), transitions),
        (format!("goals of {}", net.name), goals),
    ]
}
