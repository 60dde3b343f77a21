//! Entities, types and who is an instance of what; reserves for the activities that create entities.

use std::collections::BTreeSet;
use std::rc::Rc;

use motet_model::Ratio;
use motet_source::{Problem, Severity, Span, suggest};

use super::base::{self, Meta};
use super::catalogue::{ConceptId, Half, is_type};
use super::scope::Sort;
use super::{Resolver, number};
use crate::program::{Actor, ActorId, Entity, EntityId, EntityKind, Type, TypeId};
use crate::syntax::{self, ConceptKind, Name, TypeNode};

impl Resolver<'_> {
    /// Numbers entities, types and actors.
    pub(crate) fn entities(&mut self) {
        self.number_types();
        let ids: Vec<ConceptId> = (0..self.catalogue.entries.len()).collect();
        for &concept in &ids {
            if !is_type(self.catalogue.entries[concept].kind) {
                self.add_declared(concept);
            }
        }
        for &concept in &ids {
            self.part_of(concept);
        }
        self.reserves();
        self.members();
        if self.program.actors.is_empty() && !self.problems.has_errors() {
            let help = "declare one: `agent bob { }`";
            self.say(Problem::error("M0768", self.place, "there is no agent or object in this model", help));
        }
    }

    fn number_types(&mut self) {
        for concept in 0..self.catalogue.entries.len() {
            if !is_type(self.catalogue.entries[concept].kind) {
                continue;
            }
            self.catalogue.entries[concept].kind_id = Some(TypeId(number(self.program.types.len())));
            let name = self.unique_name(concept);
            let declared = self.catalogue.entries[concept].tree.is_some();
            self.program.types.push(Type { name, parents: Vec::new(), members: Vec::new(), declared });
        }
        for entry in &self.catalogue.entries {
            let Some(id) = entry.kind_id else { continue };
            let parents = entry.parents.iter().filter_map(|parent| self.catalogue.entries[*parent].kind_id);
            self.program.types[id.index()].parents = parents.collect();
        }
    }

    /// The short name where nobody else of that half has it.
    fn unique_name(&self, concept: ConceptId) -> String {
        let entry = &self.catalogue.entries[concept];
        let shared = self.catalogue.shares_name(concept);
        if shared { entry.qualified.clone() } else { entry.name.clone() }
    }

    fn add_declared(&mut self, concept: ConceptId) {
        let name = self.unique_name(concept);
        let lineage: Rc<[ConceptId]> = self.catalogue.entries[concept].ancestors.as_slice().into();
        let entry = &self.catalogue.entries[concept];
        let kind = match entry.kind {
            ConceptKind::ExternalAgent => EntityKind::ExternalAgent,
            ConceptKind::Object => EntityKind::Object,
            ConceptKind::ConceptualObject => EntityKind::ConceptualObject,
            ConceptKind::Area => EntityKind::Area,
            _ => EntityKind::Agent,
        };
        let span = entry.tree.map_or(self.place, |tree| tree.name.span);
        let entity = self.add_entity(name, kind, lineage, span);
        self.catalogue.entries[concept].entity = Some(entity);
    }

    /// Adds an entity with its actor, if it can act.
    pub(crate) fn add_entity(
        &mut self,
        name: String,
        kind: EntityKind,
        lineage: Rc<[ConceptId]>,
        span: Span,
    ) -> EntityId {
        let entity = EntityId(number(self.program.entities.len()));
        let acts = matches!(kind, EntityKind::Agent | EntityKind::ExternalAgent | EntityKind::Object);
        let actor = acts.then(|| {
            self.program.actors.push(Actor {
                entity,
                is_object: kind == EntityKind::Object,
                beliefs: Vec::new(),
                workframes: Vec::new(),
                thoughtframes: Vec::new(),
            });
            ActorId(number(self.program.actors.len() - 1))
        });
        let trees: Vec<&syntax::Concept> =
            lineage.iter().filter_map(|concept| self.catalogue.entries[*concept].tree).collect();
        let own = trees.first().copied();
        let is_own = own.is_some_and(|tree| !is_type(tree.kind));
        let cost =
            trees.iter().find_map(|tree| tree.body.cost.as_ref()).map_or(Ratio::ZERO, |cost| cost.node);
        let unit =
            trees.iter().find_map(|tree| tree.body.time_unit.as_ref()).map_or(Ratio::ONE, |unit| unit.node);
        let resource = trees.iter().find_map(|tree| tree.body.resource.as_ref()).is_some_and(|it| it.node);
        let display = own.filter(|_| is_own).and_then(|tree| tree.body.display.as_ref());
        let display = display.map(|text| text.node.clone()).filter(|text| *text != name);
        let first = lineage.first().copied();
        let types = match first {
            Some(concept) if is_own => self.catalogue.entries[concept].parents.clone(),
            Some(concept) if is_type(self.catalogue.entries[concept].kind) => vec![concept],
            Some(concept) => self.catalogue.entries[concept].parents.clone(),
            None => Vec::new(),
        };
        let types = types.iter().filter_map(|of| self.catalogue.entries[*of].kind_id).collect();
        self.program.entities.push(Entity {
            name,
            kind,
            types,
            part_of: None,
            actor,
            cost,
            time_unit: unit,
            resource,
            display,
            exists: true,
            span,
        });
        self.lineages.push(lineage);
        entity
    }

    fn part_of(&mut self, concept: ConceptId) {
        let entry = &self.catalogue.entries[concept];
        let (Some(tree), Some(entity), unit) = (entry.tree, entry.entity, entry.unit) else { return };
        for name in &tree.part_of {
            let Some(whole) = self.entity_named(unit, name) else { continue };
            let kind = self.program.entities[whole.index()].kind;
            let wanted =
                if tree.kind == ConceptKind::Area { EntityKind::Area } else { EntityKind::ConceptualObject };
            if kind != wanted {
                let noun = if wanted == EntityKind::Area { "an area" } else { "a conceptual object" };
                let message = format!("`{}` is not {noun}", name.node);
                let help = format!("`partof` names {noun}");
                let problem = Problem::error("M0724", name.span, message, help);
                // What an object is part of changes nothing in a run.
                let severity =
                    if tree.kind == ConceptKind::Area { Severity::Error } else { Severity::Warning };
                self.say(Problem { severity, ..problem });
            } else if wanted == EntityKind::Area {
                self.program.entities[entity.index()].part_of = Some(whole);
            }
        }
        if self.encloses_itself(entity) {
            let message = format!("`{}` is part of itself", tree.name.node);
            self.say(Problem::error("M0725", tree.name.span, message, "take one `partof` out of the circle"));
            self.program.entities[entity.index()].part_of = None;
        }
    }

    fn encloses_itself(&self, entity: EntityId) -> bool {
        let mut at = entity;
        for _ in 0..self.program.entities.len() {
            match self.program.entities[at.index()].part_of {
                Some(whole) if whole == entity => return true,
                Some(whole) => at = whole,
                None => return false,
            }
        }
        false
    }

    /// The entity of this name; says what is wrong otherwise.
    pub(crate) fn entity_named(&mut self, unit: usize, name: &Name) -> Option<EntityId> {
        self.catalogue.check_ambiguity(unit, &name.node, name.span, &mut self.problems);
        if let Some(concept) = self.catalogue.entity(unit, &name.node) {
            return self.catalogue.entries[concept].entity;
        }
        let help = match suggest(&name.node, self.catalogue.names(Half::Entities)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "declare it, or add the file that declares it".to_owned(),
        };
        let message = format!("there is no agent, object or area `{}`", name.node);
        self.say(Problem::error("M0722", name.span, message, help).label("not declared"));
        None
    }

    fn members(&mut self) {
        for (entity, lineage) in self.lineages.iter().enumerate() {
            for concept in lineage.iter() {
                if let Some(id) = self.catalogue.entries[*concept].kind_id {
                    self.program.types[id.index()].members.push(EntityId(number(entity)));
                }
            }
        }
    }

    /// The members of a type.
    pub(crate) fn members_of(&self, concept: ConceptId) -> Rc<[EntityId]> {
        let id = self.catalogue.entries[concept].kind_id;
        id.map_or(Rc::from([]), |id| self.program.types[id.index()].members.as_slice().into())
    }

    /// The members of the type that a text names, or the entities that `Agent`, `Object` and so on stand for.
    pub(crate) fn instances(&mut self, unit: usize, name: &Name) -> Option<Rc<[EntityId]>> {
        let declared =
            matches!(self.catalogue.find(unit, &name.node, Half::Types), super::catalogue::Found::One(_));
        if !declared && let Some(Meta::Entities(roots)) = base::meta(&name.node) {
            let mut all = BTreeSet::new();
            for root in roots.iter().filter_map(|root| self.catalogue.base(root)) {
                all.extend(self.members_of(root).iter().copied());
            }
            return Some(all.into_iter().collect());
        }
        let concept = self.catalogue.type_named(unit, name, None, &mut self.problems)?;
        Some(self.members_of(concept))
    }

    /// What values of a written type can be.
    pub(crate) fn sort_of(&mut self, unit: usize, written: &syntax::Type) -> Sort {
        match &written.node {
            TypeNode::Int | TypeNode::Long => Sort::Int,
            TypeNode::Double => Sort::Double,
            TypeNode::Symbol => Sort::Symbol,
            TypeNode::Text => Sort::Text,
            TypeNode::Boolean => Sort::Bool,
            TypeNode::Map => Sort::Map,
            TypeNode::Relation(_) => Sort::Relation,
            TypeNode::Java(_) => Sort::Any,
            TypeNode::Concept(name) => {
                let declared =
                    matches!(self.catalogue.find(unit, name, Half::Types), super::catalogue::Found::One(_));
                if !declared && base::meta(name) == Some(Meta::Types) {
                    return Sort::Any;
                }
                let name = Name::new(name.clone(), written.span);
                self.instances(unit, &name).map_or(Sort::Any, Sort::Entity)
            }
        }
    }
}
