//! Initial beliefs and facts: for one key the nearest definition wins, pairs of relations accumulate, `location` is both a
//! fact and a belief of one's own.

use std::collections::BTreeMap;

use motet_source::{Problem, Span};

use super::attribute::Demand;
use super::compare::Use;
use super::expression::Bare;
use super::scope::{Scope, Sort, Typed, Who};
use super::{Resolver, number};
use crate::program::{EntityId, Expr, Key, KeyId, Value};
use crate::syntax::{
    Body, Comparison, Expression, ExpressionNode, Initial, Name, Reference, Statement, Truth,
};

/// What is said of a key, and where; `None` says that nothing is known.
type Said = BTreeMap<KeyId, (Option<Value>, Span)>;

impl Resolver<'_> {
    /// Reads the initial beliefs and facts of everybody.
    pub(crate) fn initials(&mut self) {
        let mut facts: Said = BTreeMap::new();
        for entity in 0..self.program.entities.len() {
            let entity = EntityId(number(entity));
            let mut own = self.gather(entity, |body| &body.initial_facts);
            let mut beliefs = self.gather(entity, |body| &body.initial_beliefs);
            if let Some((key, value, span)) = self.location_of(entity) {
                own.entry(key).or_insert((Some(value), span));
                beliefs.entry(key).or_insert((Some(value), span));
            }
            self.state_facts(&mut facts, own, entity);
            if let Some(actor) = self.program.entities[entity.index()].actor {
                self.program.actors[actor.index()].beliefs = stored(&beliefs);
            }
        }
        self.program.facts = stored(&facts);
    }

    /// Later declarations win over earlier ones that say something else.
    fn state_facts(&mut self, facts: &mut Said, own: Said, entity: EntityId) {
        let in_reserve = !self.program.entities[entity.index()].exists;
        for (key, (value, span)) in own {
            if in_reserve && subject_of(self.program.keys.get(key)) != entity {
                let message = "a fact about something else cannot come into being with a new entity";
                let help = "conclude it after the activity that creates the entity; it is left out";
                self.say(Problem::warning("M0767", span, message, help));
                continue;
            }
            if let Some((earlier, place)) = facts.get(&key)
                && *earlier != value
            {
                let message = format!("`{}` is a fact with two values", self.wrote(span));
                let help = "keep one of them; the later one counts";
                let mut problem = Problem::warning("M0760", span, message, help);
                if *place != span {
                    problem = problem.also(*place, "the other one");
                }
                self.say(problem);
            }
            facts.insert(key, (value, span));
        }
    }

    fn location_of(&mut self, entity: EntityId) -> Option<(KeyId, Value, Span)> {
        let lineage = self.lineages[entity.index()].clone();
        let (unit, name): (usize, &Name) = lineage.iter().find_map(|concept| {
            let entry = &self.catalogue.entries[*concept];
            Some((entry.unit, entry.tree?.body.location.as_ref()?))
        })?;
        let area = self.entity_named(unit, name)?;
        if self.program.entities[area.index()].kind != crate::program::EntityKind::Area {
            let message = format!("`{}` is not an area", name.node);
            self.say(Problem::error("M0724", name.span, message, "name an area as the location"));
            return None;
        }
        let key = self.program.keys.add(Key::Attribute(entity, self.program.location));
        Some((key, Value::Entity(area), name.span))
    }

    fn gather(&mut self, entity: EntityId, list: impl Fn(&Body) -> &Vec<Initial>) -> Said {
        let mut all = Said::new();
        let lineage = self.lineages[entity.index()].clone();
        for &concept in lineage.iter() {
            let Some(tree) = self.catalogue.entries[concept].tree else { continue };
            let scope = self.scope(concept, entity);
            let mut here = Said::new();
            for initial in list(&tree.body) {
                for (key, value) in self.initial(&scope, initial).unwrap_or_default() {
                    self.contradicted(&here, key, value, initial.span);
                    here.insert(key, (value, initial.span));
                }
            }
            for (key, said) in here {
                all.entry(key).or_insert(said);
            }
        }
        all
    }

    fn contradicted(&mut self, here: &Said, key: KeyId, value: Option<Value>, span: Span) {
        let Some((earlier, place)) = here.get(&key) else { return };
        if *earlier == value {
            return;
        }
        let message = format!("`{}` was said with another value before", self.wrote(span));
        let help = "keep one of the two; the later one counts";
        let problem = Problem::warning("M0761", span, message, help);
        self.say(problem.also(*place, "said here"));
    }

    /// What one line says: keys with values.
    fn initial(&mut self, scope: &Scope, tree: &Initial) -> Option<Vec<(KeyId, Option<Value>)>> {
        match &tree.statement {
            Statement::Compare { left, operator, right } => match operator.node {
                Comparison::Eq => self.initial_value(scope, left, right),
                Comparison::Ne => {
                    let keys = self.initial_keys(scope, left)?;
                    let message = format!("`{}` says what is not, but no value", self.wrote(tree.span));
                    let help = "write the value with `=`; it counts as unknown now";
                    self.say(Problem::warning("M0762", tree.span, message, help));
                    Some(keys.0.into_iter().map(|key| (key, None)).collect())
                }
                _ => {
                    let message = "an initial belief or fact has one value";
                    self.say(Problem::error("M0762", operator.span, message, "write `=`"));
                    None
                }
            },
            Statement::Alone(left) => {
                let keys = self.initial_keys(scope, left)?;
                let message = format!("`{}` has no value", self.wrote(left.span));
                let help = format!("write `({} = ...)`; it counts as unknown now", self.wrote(left.span));
                self.say(Problem::warning("M0762", tree.span, message, help));
                Some(keys.0.into_iter().map(|key| (key, None)).collect())
            }
            Statement::Related { subject, relation, object, truth } => {
                let value = match truth.as_ref().map(|truth| truth.node) {
                    Some(Truth::Unknown) => None,
                    Some(Truth::False) => Some(Value::Bool(false)),
                    Some(Truth::True) | None => Some(Value::Bool(true)),
                };
                self.initial_pair(scope, (subject, relation, object.as_ref()), value, tree.span)
            }
        }
    }

    fn initial_pair(
        &mut self,
        scope: &Scope,
        (subject, relation, object): (&Reference, &Name, Option<&Reference>),
        value: Option<Value>,
        span: Span,
    ) -> Option<Vec<(KeyId, Option<Value>)>> {
        let left = self.who(scope, subject);
        let Some(object) = object else {
            let message = format!("whom `{}` relates to is missing", relation.node);
            self.say(Problem::error("M0762", span, message, "name both sides: `(x R y)`"));
            return None;
        };
        let right = self.who(scope, object);
        let (left, right): (Who, Who) = (left?, right?);
        let (id, sort) = self.attribute(scope, &left.domain().clone(), relation, Demand::Initial);
        if !matches!(sort, Sort::Relation | Sort::Any) {
            let message = format!("`{}` is an attribute, not a relation", relation.node);
            let help = format!("write `(x.{} = ...)`", relation.node);
            self.say(Problem::error("M0732", relation.span, message, help));
            return None;
        }
        if self.mentions_too_much(left.domain().len().saturating_mul(right.domain().len())) {
            return None;
        }
        let mut pairs = Vec::new();
        for x in left.domain().iter() {
            for y in right.domain().iter() {
                pairs.push((self.program.keys.add(Key::Pair(*x, id, *y)), value));
            }
        }
        Some(pairs)
    }

    fn initial_value(
        &mut self,
        scope: &Scope,
        left: &Expression,
        right: &Expression,
    ) -> Option<Vec<(KeyId, Option<Value>)>> {
        if let Some((of, name)) = self.names_relation(scope, left)
            && let ExpressionNode::Reference(object) = &right.node
        {
            let truth = Some(Value::Bool(true));
            return self.initial_pair(scope, (&of, &name, Some(object)), truth, left.span.to(right.span));
        }
        let keys = self.initial_keys(scope, left);
        let value = self.expression(scope, right, Bare::Symbol);
        let ((keys, sort), value) = (keys?, value?);
        let constant = match value.expr {
            Expr::Value(constant) => Some(constant),
            Expr::Unknown => None,
            _ => {
                let message = format!("`{}` is not a constant", self.wrote(right.span));
                self.say(Problem::error("M0762", right.span, message, "write a value"));
                return None;
            }
        };
        let target = Typed::new(Expr::Unknown, sort);
        if constant.is_some() && !self.compatible((&target, left.span), (&value, right.span), Use::Assign) {
            return None;
        }
        Some(keys.into_iter().map(|key| (key, constant)).collect())
    }

    fn initial_keys(&mut self, scope: &Scope, left: &Expression) -> Option<(Vec<KeyId>, Sort)> {
        let (of, name, index) = match &left.node {
            ExpressionNode::Attribute(of, name) => (of, name, None),
            ExpressionNode::Entry(of, name, index) => (of, name, Some(index)),
            _ => {
                let message = format!("`{}` is not an attribute", self.wrote(left.span));
                self.say(Problem::error("M0762", left.span, message, "write `(x.a = v)` or `(x R y)`"));
                return None;
            }
        };
        let who = self.who(scope, of)?;
        let (attribute, sort) = self.attribute(scope, &who.domain().clone(), name, Demand::Initial);
        if sort == Sort::Relation {
            let message = format!("`{}` is a relation, not an attribute", name.node);
            let help = format!("write it between its two sides: `(x {} y)`", name.node);
            self.say(Problem::error("M0732", name.span, message, help));
            return None;
        }
        let index = match index {
            None => None,
            Some(index) => Some(self.constant_index(scope, attribute, index)?),
        };
        if (sort == Sort::Map) != index.is_some() && sort != Sort::Any {
            let (message, help) = if index.is_some() {
                (format!("`{}` is not a map", name.node), "leave the index out".to_owned())
            } else {
                (format!("`{}` is a map", name.node), format!("give the index: `{}(1)`", name.node))
            };
            self.say(Problem::error("M0734", name.span, message, help));
            return None;
        }
        let sort = if index.is_some() { Sort::Any } else { sort };
        let key = |entity: &EntityId| match index {
            Some(index) => Key::Entry(*entity, attribute, index),
            None => Key::Attribute(*entity, attribute),
        };
        let keys: Vec<Key> = who.domain().iter().map(key).collect();
        if keys.len() > 1 && self.mentions_too_much(keys.len()) {
            return None;
        }
        Some((keys.into_iter().map(|key| self.program.keys.add(key)).collect(), sort))
    }

    fn constant_index(
        &mut self,
        scope: &Scope,
        attribute: crate::program::AttributeId,
        index: &Expression,
    ) -> Option<Value> {
        let typed = self.expression(scope, index, Bare::Symbol)?;
        let Expr::Value(value) = typed.expr else {
            let message = format!("`{}` is not a constant", self.wrote(index.span));
            self.say(Problem::error("M0762", index.span, message, "write a number or a text as the index"));
            return None;
        };
        self.indices.entry(attribute).or_default().insert(value);
        Some(value)
    }
}

fn stored(said: &Said) -> Vec<(KeyId, Value)> {
    said.iter().filter_map(|(key, (value, _))| Some((*key, (*value)?))).collect()
}

/// Whom a key speaks of.
pub(crate) fn subject_of(key: Key) -> EntityId {
    match key {
        Key::Attribute(entity, _) | Key::Entry(entity, ..) | Key::Pair(entity, ..) => entity,
    }
}
