//! `-D X.a=V`: durations of activities and initial values of attributes, set from outside.

use std::collections::BTreeSet;

use motet_source::{Problem, suggest};

use super::attribute::Demand;
use super::catalogue::{ConceptId, is_type};
use super::compare::Use;
use super::fields::values;
use super::scope::{Meaning, Sort, Typed};
use super::{Resolver, number};
use crate::program::{ActorId, EntityId, Expr, Key, KeyId, Value};
use crate::settings::{Parameter, seconds};
use crate::syntax::{Activity, Body, ExpressionNode, Name};

/// More are not listed.
const LIMIT_LISTED: usize = 400;

impl Resolver<'_> {
    /// Durations that are set; wrong names are said here.
    pub(crate) fn durations(&mut self) {
        for parameter in &self.settings.parameters {
            let Some((front, name)) = parameter.name.rsplit_once('.') else {
                self.unknown_parameter(parameter);
                continue;
            };
            let Some(concept) = self.concept_named(front) else {
                self.unknown_parameter(parameter);
                continue;
            };
            let is_activity = self.activity_names(concept).contains(name);
            let is_attribute = self.attribute_names(concept).contains(name);
            match seconds(&parameter.value) {
                Some(seconds) if is_activity => {
                    self.durations.insert((concept, name.to_owned()), seconds);
                }
                None if is_activity && !is_attribute => {
                    let message = format!("`{}` is no duration", parameter.value);
                    let help = "write seconds, or a unit: 90, 150min, 2h";
                    self.say(
                        Problem::error("M0775", parameter.span, message, help).note(parameter.shown.clone()),
                    );
                }
                _ if is_attribute || self.frame_names(concept).contains(name) => {}
                _ => self.unknown_parameter(parameter),
            }
        }
    }

    fn unknown_parameter(&mut self, parameter: &Parameter) {
        let mut known = Vec::new();
        for (concept, entry) in self.catalogue.entries.iter().enumerate() {
            if entry.tree.is_none() {
                continue;
            }
            let names = self.activity_names(concept).into_iter().chain(self.attribute_names(concept));
            let names = names.chain(self.frame_names(concept));
            known.extend(names.map(|name| format!("{}.{name}", entry.name)));
        }
        let help = match suggest(&parameter.name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name an activity or attribute with its owner: careWorker.stuff=2h".to_owned(),
        };
        let message = format!("{} names nothing in this model", parameter.shown);
        self.say(Problem::error("M0774", parameter.span, message, help));
    }

    pub(crate) fn concept_named(&self, name: &str) -> Option<ConceptId> {
        let all = self.catalogue.entries.iter().enumerate();
        let declared = all.filter(|(_, entry)| entry.tree.is_some());
        let mut found = declared.filter(|(_, entry)| entry.name == name || entry.qualified == name);
        found.next().map(|(concept, _)| concept)
    }

    fn activity_names(&self, concept: ConceptId) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for ancestor in &self.catalogue.entries[concept].ancestors {
            if let Some(tree) = self.catalogue.entries[*ancestor].tree {
                each_activity(&tree.body, &mut |activity| {
                    names.insert(activity.name.node.clone());
                });
            }
        }
        names
    }

    fn attribute_names(&self, concept: ConceptId) -> BTreeSet<String> {
        let mut names = BTreeSet::from(["location".to_owned()]);
        for ancestor in &self.catalogue.entries[concept].ancestors {
            let plain = |sort: &Sort| !matches!(sort, Sort::Relation | Sort::Map);
            let declared = self.properties[*ancestor].iter().filter(|(_, property)| plain(&property.sort));
            names.extend(declared.map(|(name, _)| name.clone()));
        }
        names
    }

    /// Attributes that are set: every store that holds a value gets the new one; where none does, the fact and the own
    /// belief are added.
    pub(crate) fn attributes_set(&mut self) {
        for parameter in &self.settings.parameters {
            let Some((front, name)) = parameter.name.rsplit_once('.') else { continue };
            let Some(concept) = self.concept_named(front) else { continue };
            let as_duration = self.durations.contains_key(&(concept, name.to_owned()));
            if as_duration || !self.attribute_names(concept).contains(name) {
                continue;
            }
            let entry = &self.catalogue.entries[concept];
            let owners: Vec<EntityId> = if is_type(entry.kind) {
                self.members_of(concept).to_vec()
            } else {
                entry.entity.into_iter().collect()
            };
            for owner in owners {
                self.set(parameter, concept, owner, name);
            }
        }
    }

    fn set(&mut self, parameter: &Parameter, concept: ConceptId, owner: EntityId, name: &str) {
        let scope = self.scope(concept, owner);
        let written = Name::new(name.to_owned(), parameter.span);
        let (attribute, sort) = self.attribute(&scope, &[owner], &written, Demand::Initial);
        let value = self.outside_value(concept, owner, &sort, &parameter.value);
        let target = Typed::new(Expr::Unknown, sort);
        let fits =
            matches!((&target.sort, &value.sort), (Sort::Symbol | Sort::Text, Sort::Symbol | Sort::Text));
        // What is compared here was not written in a file, so the message is our own.
        let before = std::mem::take(&mut self.problems);
        let fits = fits || self.compatible((&target, parameter.span), (&value, parameter.span), Use::Assign);
        self.problems = before;
        let Expr::Value(constant) = value.expr else { return };
        if !fits {
            let wanted = super::scope::describe(&target.sort);
            let message = format!("`{}` cannot be `{}`", parameter.name, parameter.value);
            let help = format!("give {wanted}");
            self.say(Problem::error("M0775", parameter.span, message, help));
            return;
        }
        let key = self.program.keys.add(Key::Attribute(owner, attribute));
        self.store(key, constant, owner);
    }

    fn outside_value(&mut self, concept: ConceptId, owner: EntityId, sort: &Sort, text: &str) -> Typed {
        let text = text.trim();
        if let Ok(number) = text.parse::<i64>() {
            return Typed::new(Expr::Value(Value::Int(number)), Sort::Int);
        }
        if let Some(number) = text.parse::<f64>().ok().filter(|number| number.is_finite()) {
            return Typed::new(Expr::Value(super::expression::double(number)), Sort::Double);
        }
        if let Ok(truth) = text.to_ascii_lowercase().parse::<bool>() {
            return Typed::new(Expr::Value(Value::Bool(truth)), Sort::Bool);
        }
        let scope = self.scope(concept, owner);
        if !matches!(sort, Sort::Text)
            && let Some(Meaning::Value(typed)) = self.meaning(&scope, text)
        {
            return typed;
        }
        Typed { expr: Expr::Value(self.text(text.trim_matches('"'))), sort: Sort::Symbol, bare: true }
    }

    fn store(&mut self, key: KeyId, value: Value, owner: EntityId) {
        let mut held = replace(&mut self.program.facts, key, value);
        for actor in &mut self.program.actors {
            held |= replace(&mut actor.beliefs, key, value);
        }
        if held {
            return;
        }
        self.program.facts.push((key, value));
        if let Some(ActorId(actor)) = self.program.entities[owner.index()].actor {
            self.program.actors[actor as usize].beliefs.push((key, value));
        }
    }

    /// Lists what `-D` may bind, with the present values: durations first, then whole numbers and truth values.
    pub(crate) fn parameters(&mut self) {
        let mut listed: Vec<(String, String)> = Vec::new();
        for (concept, entry) in self.catalogue.entries.iter().enumerate() {
            let Some(tree) = entry.tree else { continue };
            each_activity(&tree.body, &mut |activity| {
                let set = self.durations.get(&(concept, activity.name.node.clone())).copied();
                let written = match values(activity, "max_duration").first().map(|value| &value.node) {
                    Some(ExpressionNode::Int(seconds)) => Some(*seconds),
                    _ => None,
                };
                if let Some(seconds) = set.or(written) {
                    listed.push((format!("{}.{}", entry.name, activity.name.node), format!("{seconds} s")));
                }
            });
        }
        let mut seen = BTreeSet::new();
        for entity in 0..self.program.entities.len() {
            let entity = EntityId(number(entity));
            if !self.program.entities[entity.index()].exists {
                continue;
            }
            let own = self.program.entities[entity.index()].actor;
            let beliefs = own.map_or(&[][..], |actor| self.program.actors[actor.index()].beliefs.as_slice());
            for (key, value) in self.program.facts.iter().chain(beliefs) {
                let Key::Attribute(of, attribute) = self.program.keys.get(*key) else { continue };
                let shown = match value {
                    Value::Int(number) => number.to_string(),
                    Value::Bool(truth) => truth.to_string(),
                    _ => continue,
                };
                if of == entity && seen.insert(*key) {
                    let name = &self.program.entities[of.index()].name;
                    let attribute = &self.program.attributes[attribute.index()].name;
                    listed.push((format!("{name}.{attribute}"), shown));
                }
            }
        }
        listed.truncate(LIMIT_LISTED);
        self.program.parameters = listed;
    }
}

fn replace(store: &mut [(KeyId, Value)], key: KeyId, value: Value) -> bool {
    let mut found = false;
    for (known, held) in store.iter_mut().filter(|(known, _)| *known == key) {
        debug_assert_eq!(*known, key);
        *held = value;
        found = true;
    }
    found
}

/// Calls `visit` for every activity of a body, those inside composite activities too.
pub(crate) fn each_activity<'t>(body: &'t Body, visit: &mut dyn FnMut(&'t Activity)) {
    for activity in &body.activities {
        visit(activity);
        each_activity(&activity.body, visit);
    }
}
