//! Activities that create entities. What may come into being is numbered beforehand: a reserve for each such activity.

use std::collections::BTreeSet;
use std::rc::Rc;

use motet_source::{Problem, Span};

use super::Resolver;
use super::activity::Deed;
use super::catalogue::{ConceptId, Found, Half, is_type};
use super::fields::{values, word};
use super::scope::{Meaning, Scope, Typed};
use crate::program::{ActivityNode, EntityId, EntityKind, Expr, Subject, Value, Var};
use crate::syntax::{Action, Activity, ActivityKind, Body, ExpressionNode, Frame, ReferenceNode, TypeNode};

/// One activity creates at most this many.
const LIMIT_RESERVE: u32 = 64;

/// An activity that creates, as the texts declare it.
struct Origin<'a> {
    tree: &'a Activity,
    unit: usize,
}

/// The field that says what is created.
fn type_field(kind: ActivityKind) -> &'static str {
    match kind {
        ActivityKind::CreateAgent => "memberof",
        ActivityKind::CreateArea => "instanceof",
        _ => "source",
    }
}

impl<'a> Resolver<'a> {
    /// Numbers the reserves of all activities that create something.
    pub(crate) fn reserves(&mut self) {
        let mut origins = Vec::new();
        for entry in &self.catalogue.entries {
            if let Some(tree) = entry.tree {
                collect(&tree.body, entry.unit, &mut origins);
            }
        }
        for origin in origins {
            for concepts in self.created_types(&origin) {
                self.reserve(&origin, &concepts);
            }
        }
    }

    /// The types an activity may create from; several where a parameter says which.
    fn created_types(&mut self, origin: &Origin<'a>) -> Vec<Vec<ConceptId>> {
        let tree = origin.tree;
        let written = values(tree, type_field(tree.kind));
        let names: Vec<&str> = written.iter().filter_map(name_of).collect();
        if let [only] = names.as_slice()
            && let Some(at) = tree.parameters.iter().position(|parameter| parameter.name.node == *only)
        {
            return self.types_of_parameter(origin, at);
        }
        let found: Vec<ConceptId> =
            names.iter().filter_map(|name| self.type_or_own(origin.unit, name)).collect();
        if found.is_empty() { Vec::new() } else { vec![found] }
    }

    /// A type, or for a copy the type of the entity that is copied.
    fn type_or_own(&self, unit: usize, name: &str) -> Option<ConceptId> {
        if let Found::One(concept) = self.catalogue.find(unit, name, Half::Types) {
            return Some(concept);
        }
        let entity = self.catalogue.entity(unit, name)?;
        self.catalogue.entries[entity].parents.first().copied()
    }

    fn types_of_parameter(&mut self, origin: &Origin<'a>, at: usize) -> Vec<Vec<ConceptId>> {
        if let TypeNode::Concept(name) = &origin.tree.parameters[at].kind.node
            && let Found::One(concept) = self.catalogue.find(origin.unit, name, Half::Types)
        {
            return vec![vec![concept]];
        }
        let mut named = BTreeSet::new();
        for entry in &self.catalogue.entries {
            if let Some(tree) = entry.tree {
                arguments(&tree.body, &origin.tree.name.node, at, entry.unit, &mut named);
            }
        }
        named.iter().filter_map(|(unit, name)| Some(vec![self.type_or_own(*unit, name)?])).collect()
    }

    fn reserve(&mut self, origin: &Origin<'a>, concepts: &[ConceptId]) {
        let key = (origin.tree.span, concepts[0]);
        if self.reserves.contains_key(&key) {
            return;
        }
        let mut lineage: Vec<ConceptId> = Vec::new();
        for concept in concepts {
            for &ancestor in &self.catalogue.entries[*concept].ancestors {
                if !lineage.contains(&ancestor) {
                    lineage.push(ancestor);
                }
            }
        }
        let lineage: Rc<[ConceptId]> = lineage.into();
        let kind = match origin.tree.kind {
            ActivityKind::CreateAgent => EntityKind::Agent,
            ActivityKind::CreateArea => EntityKind::Area,
            _ => EntityKind::Object,
        };
        let count = self.settings.bounds.created.max(quantity(origin.tree)).min(LIMIT_RESERVE);
        let mut reserve = Vec::new();
        for _ in 0..count {
            let name = self.reserve_name(origin.tree, concepts[0], reserve.is_empty());
            let entity = self.add_entity(name, kind, lineage.clone(), origin.tree.name.span);
            self.program.entities[entity.index()].exists = false;
            reserve.push(entity);
        }
        self.reserves.insert(key, reserve);
    }

    /// `destination_name`, else `type_1`, `type_2`, the first that nobody has.
    fn reserve_name(&self, tree: &Activity, concept: ConceptId, first: bool) -> String {
        let free = |name: &str| !self.program.entities.iter().any(|entity| entity.name == name);
        let is_parameter = |name: &str| tree.parameters.iter().any(|known| known.name.node == name);
        let wanted = word(tree, "destination_name").filter(|name| !is_parameter(name));
        if let Some(name) = wanted.as_deref().filter(|name| first && free(name)) {
            return name.to_owned();
        }
        let stem = wanted.unwrap_or_else(|| self.catalogue.entries[concept].name.clone());
        (1_u32..)
            .map(|number| format!("{stem}_{number}"))
            .find(|name| free(name))
            .expect("numbers do not end")
    }

    /// The call of an activity that creates something.
    pub(crate) fn create(&mut self, scope: &Scope, tree: &'a Activity) -> Option<Deed> {
        let field = type_field(tree.kind);
        let written = values(tree, field);
        let Some(first) = written.first() else {
            let message = format!("`{}` does not say what it creates", tree.name.node);
            self.say(Problem::error("M0745", tree.name.span, message, format!("add `{field}: NAME;`")));
            return None;
        };
        let copies = word(tree, "action").as_deref() == Some("copy");
        let copy_of = if copies { self.subjects(scope, written).first().copied() } else { None };
        let concept = self.created_type(scope, tree, first.span, name_of(first)?)?;
        let Some(reserve) = self.reserves.get(&(tree.span, concept)).cloned() else {
            let message = format!("`{}` cannot be told apart beforehand", self.wrote(first.span));
            let help = "name the group or class here, or give it as the argument of every call";
            self.say(Problem::error("M0767", first.span, message, help));
            return None;
        };
        let (destination, outputs) = self.destination(scope, tree);
        let at = self.moment(tree);
        let location = if tree.kind == ActivityKind::CreateArea {
            Vec::new()
        } else {
            self.subjects(scope, values(tree, "location"))
        };
        self.wholes(scope, tree, &reserve);
        let node = ActivityNode::Create {
            reserve,
            quantity: quantity(tree),
            copy_of,
            destination,
            location: location.first().copied(),
            at,
        };
        Some(Deed { node, outputs })
    }

    /// What new entities are parts of. Areas lie in areas; of others it changes nothing in a run.
    fn wholes(&mut self, scope: &Scope, tree: &Activity, reserve: &[EntityId]) {
        for field in ["conceptual_object", "partof"] {
            let written = values(tree, field);
            let Some(first) = written.first() else { continue };
            if tree.kind != ActivityKind::CreateArea || field == "conceptual_object" {
                let message = format!("`{field}` of `{}` changes nothing in a run", tree.name.node);
                let help = "leave it out, or state what belongs together as a relation";
                self.say(Problem::warning("M0739", first.span, message, help));
                continue;
            }
            let wholes = self.subjects(scope, written);
            let is_area = |of: EntityId| self.program.entities[of.index()].kind == EntityKind::Area;
            let [Subject::Entity(whole)] = wholes[..] else {
                let message = format!("it is not known beforehand which area `{}` lies in", tree.name.node);
                self.say(Problem::error("M0739", first.span, message, "name one area"));
                continue;
            };
            if !is_area(whole) {
                let message = format!("`{}` is not an area", self.wrote(first.span));
                self.say(Problem::error("M0724", first.span, message, "`partof` names an area"));
                continue;
            }
            for area in reserve {
                self.program.entities[area.index()].part_of = Some(whole);
            }
        }
    }

    fn created_type(&mut self, scope: &Scope, tree: &Activity, span: Span, name: &str) -> Option<ConceptId> {
        let parameter = scope.parameters.iter().find(|(known, _)| known == name);
        match parameter.map(|(_, meaning)| meaning.clone()) {
            Some(Meaning::Type(concept)) => return Some(concept),
            Some(Meaning::Value(Typed { expr: Expr::Value(Value::Entity(entity)), .. })) => {
                let lineage = self.lineages[entity.index()].clone();
                return lineage
                    .iter()
                    .copied()
                    .find(|concept| is_type(self.catalogue.entries[*concept].kind));
            }
            Some(Meaning::Value(_)) => {
                let at = tree.parameters.iter().position(|known| known.name.node == name)?;
                let TypeNode::Concept(kind) = &tree.parameters[at].kind.node else { return None };
                return match self.catalogue.find(scope.unit, kind, Half::Types) {
                    Found::One(concept) => Some(concept),
                    _ => None,
                };
            }
            None => {}
        }
        if let Some(concept) = self.type_or_own(scope.unit, name) {
            return Some(concept);
        }
        let name = crate::syntax::Name::new(name.to_owned(), span);
        self.catalogue.type_named(scope.unit, &name, None, &mut self.problems)
    }

    fn destination(&mut self, scope: &Scope, tree: &Activity) -> (Option<Var>, BTreeSet<u16>) {
        let Some(name) = values(tree, "destination").first().and_then(name_of) else {
            return (None, BTreeSet::new());
        };
        let parameter = scope.parameters.iter().find(|(known, _)| known == name);
        match parameter.map(|(_, meaning)| meaning) {
            Some(Meaning::Value(Typed { expr: Expr::Variable(variable), .. })) => {
                let own = match variable {
                    Var::Own(number) => BTreeSet::from([*number]),
                    Var::Parameter { .. } => BTreeSet::new(),
                };
                (Some(*variable), own)
            }
            _ => {
                let span = values(tree, "destination")[0].span;
                let message = format!("nothing can be given back through `{name}`");
                let help = "name a parameter for which every call gives a variable";
                self.say(Problem::error("M0767", span, message, help));
                (None, BTreeSet::new())
            }
        }
    }
}

fn quantity(tree: &Activity) -> u32 {
    match values(tree, "quantity").first().map(|value| &value.node) {
        Some(ExpressionNode::Int(number)) => u32::try_from(*number).unwrap_or(1).clamp(1, LIMIT_RESERVE),
        _ => 1,
    }
}

fn name_of(value: &crate::syntax::Expression) -> Option<&str> {
    match &value.node {
        ExpressionNode::Reference(reference) => match &reference.node {
            ReferenceNode::Name(name) | ReferenceNode::Every(name) => Some(name),
            _ => None,
        },
        ExpressionNode::Text(text) => Some(text),
        _ => None,
    }
}

fn collect<'a>(body: &'a Body, unit: usize, into: &mut Vec<Origin<'a>>) {
    for tree in &body.activities {
        let creates = [ActivityKind::CreateAgent, ActivityKind::CreateObject, ActivityKind::CreateArea];
        if creates.contains(&tree.kind) {
            into.push(Origin { tree, unit });
        }
        collect(&tree.body, unit, into);
    }
}

/// The names that calls of an activity give for one of its parameters.
fn arguments(body: &Body, activity: &str, at: usize, unit: usize, into: &mut BTreeSet<(usize, String)>) {
    let mut calls = |frame: &Frame| {
        for action in &frame.body {
            if let Action::Do { name, arguments, .. } = action
                && name.node == activity
                && let Some(given) = arguments.get(at).and_then(name_of)
            {
                into.insert((unit, given.to_owned()));
            }
        }
    };
    body.workframes.iter().for_each(&mut calls);
    for tree in &body.activities {
        arguments(&tree.body, activity, at, unit, into);
    }
}
