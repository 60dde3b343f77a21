//! The words that claims may use: who there is, what is said of them, what they do, and what `-D` may bind.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{Entry, Field, Sort, Terms, TimeUnit, Vocabulary};

use crate::program::{
    ActivityNode, ActorId, AttributeId, AttributeKind, Entity, EntityId, EntityKind, FrameId, Key, Program,
    Statement, TypeId,
};

/// More names than this are counted in a title instead of listed.
const LISTED: usize = 3;

/// The words of a model. Whoever may come into being later can be named, but no quantifier ranges over it.
pub(crate) fn vocabulary(program: &Program) -> Vocabulary {
    // Objects hold beliefs too; agents are named first.
    let mut believers: Vec<&Entity> =
        program.actors.iter().map(|actor| &program.entities[actor.entity.index()]).collect();
    believers.sort_by_key(|entity| (!entity.exists, entity.kind == EntityKind::Object));
    let mut groups = attributes(program);
    groups.extend(doings(program));
    Vocabulary {
        agents: believers.into_iter().map(|entity| entity.name.clone()).collect(),
        sorts: sorts(program),
        groups,
        parameters: program.parameters.clone(),
        rewards: crate::semantics::rewards::names(program),
        terms: terms(program),
        events: vec!["Says".to_owned()],
        unit: Some(TimeUnit::Milliseconds),
        ..Vocabulary::default()
    }
}

fn sorts(program: &Program) -> Vec<(String, Vec<String>)> {
    let of = |wanted: &[EntityKind]| -> Vec<String> {
        let there = program.entities.iter().filter(|entity| entity.exists && wanted.contains(&entity.kind));
        there.map(|entity| entity.name.clone()).collect()
    };
    let mut sorts = vec![
        ("agent".to_owned(), of(&[EntityKind::Agent, EntityKind::ExternalAgent])),
        ("object".to_owned(), of(&[EntityKind::Object])),
        ("area".to_owned(), of(&[EntityKind::Area])),
    ];
    for kind in program.types.iter().filter(|kind| kind.declared) {
        if sorts.iter().any(|(name, _)| *name == kind.name) {
            continue;
        }
        let members = kind.members.iter().map(|member| &program.entities[member.index()]);
        let members = members.filter(|entity| entity.exists).map(|entity| entity.name.clone()).collect();
        sorts.push((kind.name.clone(), members));
    }
    sorts
}

/// Attributes and relations with what they hold. A store may hold nothing of any of them.
fn terms(program: &Program) -> Terms {
    let nothing = |sort: Sort| sort.beside(&["unknown", "none"]);
    let mut terms = Terms { texts: Some(program.texts.clone().into()), ..Terms::default() };
    for attribute in &program.attributes {
        if attribute.kind == AttributeKind::Relation {
            let value = nothing(Sort::Truth);
            let entry = Entry { arguments: vec![Sort::Open, Sort::Open], value };
            terms.calls.insert(attribute.name.clone(), entry);
            continue;
        }
        let of = attribute.of.iter().map(|(entity, kind)| {
            (program.entities[entity.index()].name.clone(), nothing(holds(program, *kind)))
        });
        let field = Field { sort: nothing(holds(program, attribute.kind)), of: of.collect() };
        terms.fields.insert(attribute.name.clone(), field);
    }
    terms
}

/// What an attribute of a kind holds. Whole numbers may take the values of fractions.
fn holds(program: &Program, kind: AttributeKind) -> Sort {
    match kind {
        AttributeKind::Int | AttributeKind::Double => Sort::Number,
        AttributeKind::Bool => Sort::Truth,
        AttributeKind::Text => Sort::Text,
        AttributeKind::Entity(kind) => {
            let members = &program.types[kind.index()].members;
            let names = members.iter().map(|member| program.entities[member.index()].name.clone());
            let names: Vec<String> = names.collect();
            match names.is_empty() {
                true => Sort::Open,
                false => Sort::members(sort(program, kind), names),
            }
        }
        AttributeKind::Relation | AttributeKind::Map | AttributeKind::Any => Sort::Open,
    }
}

/// Who shares a line: the members of a declared type, or somebody of no declared type.
fn owner(program: &Program, entity: EntityId) -> String {
    let entity = &program.entities[entity.index()];
    let declared = entity.types.iter().map(|kind| &program.types[kind.index()]).find(|kind| kind.declared);
    declared.map_or(&entity.name, |kind| &kind.name).clone()
}

fn attributes(program: &Program) -> Vec<(String, Vec<String>)> {
    let mut order: Vec<String> = Vec::new();
    let mut said: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, key) in program.keys.iter() {
        let (entity, word) = match key {
            Key::Attribute(entity, attribute) => (entity, plain(program, attribute)),
            Key::Entry(entity, attribute, _) => (entity, format!("{}(_)", name(program, attribute))),
            Key::Pair(entity, relation, _) => (entity, format!("{}(_)", name(program, relation))),
        };
        let owner = owner(program, entity);
        if !order.contains(&owner) {
            order.push(owner.clone());
        }
        said.entry(owner).or_default().insert(word);
    }
    let entries = |owner: String| {
        let words = said[&owner].iter().cloned().collect();
        (format!("attributes of {owner}"), words)
    };
    order.into_iter().map(entries).collect()
}

fn name(program: &Program, attribute: AttributeId) -> &str {
    &program.attributes[attribute.index()].name
}

fn plain(program: &Program, attribute: AttributeId) -> String {
    let kind = match program.attributes[attribute.index()].kind {
        AttributeKind::Int => " : int",
        AttributeKind::Double => " : double",
        AttributeKind::Bool => " : boolean",
        AttributeKind::Text => " : text",
        AttributeKind::Entity(kind) => {
            return format!("{} : {}", name(program, attribute), sort(program, kind));
        }
        AttributeKind::Relation | AttributeKind::Map | AttributeKind::Any => "",
    };
    format!("{}{kind}", name(program, attribute))
}

/// A type as claims know it: the roots of the base library are the sorts of everybody.
fn sort(program: &Program, kind: TypeId) -> &str {
    let kind = &program.types[kind.index()];
    match kind.name.as_str() {
        "BaseGroup" if !kind.declared => "agent",
        "BaseClass" if !kind.declared => "object",
        "BaseAreaDef" if !kind.declared => "area",
        name => name,
    }
}

/// Frames and activities of somebody.
type Doings = (Vec<String>, Vec<String>);

/// Frames and activities, once for all actors who have the same.
fn doings(program: &Program) -> Vec<(String, Vec<String>)> {
    let mut same: Vec<(Doings, Vec<&str>)> = Vec::new();
    for (number, actor) in (0..).map(ActorId).zip(&program.actors) {
        let entity = &program.entities[actor.entity.index()];
        if !entity.exists {
            continue;
        }
        let words = done_by(program, number);
        match same.iter_mut().find(|(known, _)| *known == words) {
            Some((_, who)) => who.push(&entity.name),
            None => same.push((words, vec![&entity.name])),
        }
    }
    let mut groups = Vec::new();
    for ((frames, activities), who) in same {
        let who = match who.len() {
            0..=LISTED => who.join(", "),
            more => format!("{} and {} more", who[..LISTED].join(", "), more - LISTED),
        };
        groups.push((format!("frames of {who}"), frames));
        groups.push((format!("activities of {who}"), activities));
    }
    groups.retain(|(_, words)| !words.is_empty());
    groups
}

fn done_by(program: &Program, actor: ActorId) -> Doings {
    let (mut frames, mut activities) = (BTreeSet::new(), BTreeSet::new());
    let who = &program.actors[actor.index()];
    let mut open: Vec<FrameId> = who.workframes.iter().chain(&who.thoughtframes).copied().collect();
    while let Some(frame) = open.pop() {
        let frame = &program.frames[frame.index()];
        frames.insert(frame.name.clone());
        for statement in &frame.body {
            let Statement::Do(activity) = statement else { continue };
            let activity = &program.activities[activity.index()];
            activities.insert(activity.name.clone());
            if let ActivityNode::Composite { workframes, thoughtframes, .. } = &activity.node {
                open.extend(workframes.iter().chain(thoughtframes));
            }
        }
    }
    (frames.into_iter().collect(), activities.into_iter().collect())
}
