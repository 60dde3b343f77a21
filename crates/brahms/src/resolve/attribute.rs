//! Attributes and relations: who declares them, and what may be said of whom.

use std::collections::{BTreeMap, BTreeSet};

use motet_source::{Problem, Span, suggest};

use super::catalogue::ConceptId;
use super::scope::{Scope, Sort};
use super::{Resolver, number};
use crate::program::{Attribute, AttributeId, AttributeKind, EntityId};
use crate::syntax::{self, Name, TypeNode, Visibility};

/// An attribute or relation as a concept declares it.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    /// What it holds; [`Sort::Relation`] for relations.
    pub(crate) sort: Sort,
    /// Whether only its concept may name it.
    private: bool,
    span: Span,
}

/// How strictly an attribute must be declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// In initial beliefs and facts: a warning, and the attribute counts as declared from then on.
    Initial,
    /// In frames and activities.
    Strict,
}

impl Resolver<'_> {
    /// The number of an attribute's name.
    pub(crate) fn attribute_number(&mut self, name: &str) -> AttributeId {
        if let Some(known) = self.attributes.get(name) {
            return *known;
        }
        let id = AttributeId(number(self.program.attributes.len()));
        let attribute = Attribute { name: name.to_owned(), kind: AttributeKind::Any, of: BTreeMap::new() };
        self.program.attributes.push(attribute);
        self.attributes.insert(name.to_owned(), id);
        id
    }

    /// Reads all declarations of attributes and relations.
    pub(crate) fn properties(&mut self) {
        let root = self.catalogue.base("BaseAreaDef").and_then(|root| self.catalogue.entries[root].kind_id);
        let location = self.program.location;
        self.program.attributes[location.index()].kind =
            root.map_or(AttributeKind::Any, AttributeKind::Entity);
        let contains = self.program.contains;
        self.program.attributes[contains.index()].kind = AttributeKind::Relation;
        for concept in 0..self.catalogue.entries.len() {
            let entry = &self.catalogue.entries[concept];
            let (tree, unit) = (entry.tree, entry.unit);
            let mut declared = BTreeMap::new();
            if let Some(tree) = tree {
                for attribute in &tree.body.attributes {
                    let sort = self.sort_of(unit, &attribute.kind);
                    self.property(&mut declared, unit, attribute, sort);
                }
                for relation in &tree.body.relations {
                    self.sort_of(unit, &relation.kind);
                    self.property(&mut declared, unit, relation, Sort::Relation);
                }
            }
            self.properties.push(declared);
        }
    }

    fn property(
        &mut self,
        declared: &mut BTreeMap<String, Property>,
        unit: usize,
        tree: &syntax::Attribute,
        sort: Sort,
    ) {
        let id = self.attribute_number(&tree.name.node);
        if self.program.attributes[id.index()].kind == AttributeKind::Any {
            self.program.attributes[id.index()].kind = self.kind(unit, &tree.kind, &sort);
        }
        let property =
            Property { sort, private: tree.visibility == Visibility::Private, span: tree.name.span };
        match declared.get(&tree.name.node) {
            None => {
                declared.insert(tree.name.node.clone(), property);
            }
            Some(earlier) if earlier.sort == property.sort => {}
            Some(earlier) => {
                let message = format!("`{}` is declared twice with different types", tree.name.node);
                let problem =
                    Problem::error("M0728", tree.name.span, message, "keep one of the two declarations")
                        .also(earlier.span, "first declared here");
                self.say(problem);
            }
        }
    }

    fn kind(&self, unit: usize, written: &syntax::Type, sort: &Sort) -> AttributeKind {
        match sort {
            Sort::Int => AttributeKind::Int,
            Sort::Double => AttributeKind::Double,
            Sort::Bool => AttributeKind::Bool,
            Sort::Symbol | Sort::Text => AttributeKind::Text,
            Sort::Map => AttributeKind::Map,
            Sort::Relation => AttributeKind::Relation,
            Sort::Any => AttributeKind::Any,
            Sort::Entity(_) => {
                let TypeNode::Concept(name) = &written.node else { return AttributeKind::Any };
                match self.catalogue.find(unit, name, super::catalogue::Half::Types) {
                    super::catalogue::Found::One(concept) => {
                        let id = self.catalogue.entries[concept].kind_id;
                        id.map_or(AttributeKind::Any, AttributeKind::Entity)
                    }
                    _ => AttributeKind::Any,
                }
            }
        }
    }

    /// Notes whose attribute is what, where one name is declared with different types.
    pub(crate) fn differing(&mut self) {
        let mut kinds: BTreeMap<&str, BTreeSet<AttributeKind>> = BTreeMap::new();
        for (name, property) in self.properties.iter().flatten() {
            kinds.entry(name).or_default().insert(bare(&property.sort));
        }
        // Two classes of entities differ, too, and only the declaration that counts knows its class.
        let mut found = Vec::new();
        for (name, kinds) in kinds {
            let classes = self.properties.iter().filter_map(|declared| declared.get(name)).map(|p| &p.sort);
            let mut classes = classes.filter(|sort| matches!(sort, Sort::Entity(_)));
            let first = classes.next();
            if kinds.len() > 1 || classes.any(|sort| Some(sort) != first) {
                found.push((self.attributes[name], name.to_owned()));
            }
        }
        for (id, name) in found {
            let of = (0..number(self.program.entities.len())).map(EntityId).map(|entity| {
                let declared = self.declared(entity, &name);
                (entity, declared.map_or(AttributeKind::Any, |(_, property)| bare(&property.sort)))
            });
            self.program.attributes[id.index()].of = of.collect();
        }
    }

    /// The declaration of an attribute that counts for an entity.
    pub(crate) fn declared(&self, entity: EntityId, name: &str) -> Option<(ConceptId, &Property)> {
        let mut lineage = self.lineages[entity.index()].iter();
        lineage.find_map(|concept| Some((*concept, self.properties[*concept].get(name)?)))
    }

    /// The attribute or relation that a text names of somebody among `of`, and what it holds.
    pub(crate) fn attribute(
        &mut self,
        scope: &Scope,
        of: &[EntityId],
        name: &Name,
        demand: Demand,
    ) -> (AttributeId, Sort) {
        let id = self.attribute_number(&name.node);
        if id == self.program.location {
            let areas = self.catalogue.base("BaseAreaDef");
            return (id, areas.map_or(Sort::Any, |root| Sort::Entity(self.members_of(root))));
        }
        if id == self.program.contains {
            return (id, Sort::Relation);
        }
        let found = of.iter().find_map(|entity| self.declared(*entity, &name.node));
        if let Some((owner, property)) = found {
            let (sort, hidden, span) =
                (property.sort.clone(), property.private && owner != scope.concept, property.span);
            if hidden {
                let owner = self.catalogue.entries[owner].name.clone();
                let message = format!("`{}` is private to `{owner}`", name.node);
                let help = "make it `protected` or `public` where it is declared";
                self.say(Problem::warning("M0733", name.span, message, help).also(span, "declared here"));
            }
            return (id, sort);
        }
        let sort = self.undeclared(scope, of, name, demand);
        (id, sort)
    }

    fn undeclared(&mut self, scope: &Scope, of: &[EntityId], name: &Name, demand: Demand) -> Sort {
        let is_loose = |entity: &EntityId| self.loose.contains(&(*entity, name.node.clone()));
        let is_opaque = |entity: &EntityId| {
            self.lineages[entity.index()].iter().any(|concept| self.catalogue.entries[*concept].opaque)
        };
        let elsewhere = self.properties.iter().enumerate().find_map(|(owner, known)| {
            Some((self.catalogue.entries[owner].name.clone(), known.get(&name.node)?.sort.clone()))
        });
        let sort = elsewhere.as_ref().map_or(Sort::Any, |(_, sort)| sort.clone());
        if of.is_empty() && elsewhere.is_some()
            || of.iter().any(|entity| is_loose(entity) || is_opaque(entity))
        {
            return sort;
        }
        let whose = match of {
            // What a group says of `current` is told once, not for each of its members.
            [one] if *one == scope.current => format!("`{}`", self.catalogue.entries[scope.concept].name),
            [one] => format!("`{}`", self.program.entities[one.index()].name),
            _ => "none of the possible values".to_owned(),
        };
        let has = if of.len() == 1 { "has no" } else { "has an" };
        let message = format!("{whose} {has} attribute or relation `{}`", name.node);
        let near = self.near_attribute(of, &name.node);
        let problem = match (&elsewhere, demand) {
            (Some((owner, _)), _) => {
                let help = match near {
                    Some(near) => format!("did you mean `{near}`? `{owner}` declares `{}`", name.node),
                    None => format!("declare it; `{owner}` does"),
                };
                Problem::warning("M0731", name.span, message, help)
            }
            (None, demand) => {
                let help = near.map_or("declare it under `attributes:`".to_owned(), |near| {
                    format!("did you mean `{near}`?")
                });
                match demand {
                    Demand::Initial => Problem::warning("M0731", name.span, message, help),
                    Demand::Strict => Problem::error("M0730", name.span, message, help).label("not declared"),
                }
            }
        };
        self.say(problem);
        if demand == Demand::Initial {
            self.loose.extend(of.iter().map(|entity| (*entity, name.node.clone())));
        }
        sort
    }

    fn near_attribute(&self, of: &[EntityId], name: &str) -> Option<String> {
        let mut concepts = BTreeSet::new();
        for entity in of {
            concepts.extend(self.lineages[entity.index()].iter().copied());
        }
        let own = concepts.iter().flat_map(|concept| self.properties[*concept].keys());
        suggest(name, own.map(String::as_str).chain(["location"])).map(str::to_owned)
    }
}

/// What is known of a sort without the text that names it.
fn bare(sort: &Sort) -> AttributeKind {
    match sort {
        Sort::Int => AttributeKind::Int,
        Sort::Double => AttributeKind::Double,
        Sort::Bool => AttributeKind::Bool,
        Sort::Symbol | Sort::Text => AttributeKind::Text,
        Sort::Map => AttributeKind::Map,
        Sort::Relation => AttributeKind::Relation,
        Sort::Entity(_) | Sort::Any => AttributeKind::Any,
    }
}
