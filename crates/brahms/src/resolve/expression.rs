//! Expressions, and the places in a store that they read.

use std::rc::Rc;

use motet_source::{Problem, Span};

use super::Resolver;
use super::attribute::Demand;
use super::scope::{Meaning, Scope, Sort, Typed, Who, constant, describe};
use crate::program::{AttributeId, EntityId, Expr, Key, Place, Subject, Value};
use crate::syntax::{Arithmetic, Expression, ExpressionNode, Name, Reference, ReferenceNode};

/// What a name that means nothing else is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bare {
    /// A symbol.
    Symbol,
    /// A slip.
    Unknown,
}

/// A double as programs hold it.
pub(crate) fn double(number: f64) -> Value {
    // Minus zero equals zero, so both must have the same bits.
    Value::Double(if number == 0.0 { 0.0_f64.to_bits() } else { number.to_bits() })
}

impl Resolver<'_> {
    /// An expression; `None` after a problem was said.
    pub(crate) fn expression(&mut self, scope: &Scope, tree: &Expression, bare: Bare) -> Option<Typed> {
        let span = tree.span;
        Some(match &tree.node {
            ExpressionNode::Int(number) => Typed::new(Expr::Value(Value::Int(*number)), Sort::Int),
            ExpressionNode::Double(number) => self.decimal(*number, span)?,
            ExpressionNode::Text(text) => Typed::new(Expr::Value(self.text(text)), Sort::Text),
            ExpressionNode::Bool(truth) => Typed::new(Expr::Value(Value::Bool(*truth)), Sort::Bool),
            ExpressionNode::Unknown => Typed::new(Expr::Unknown, Sort::Any),
            ExpressionNode::Any => {
                let help = "write a value; `?` is for detectables and transfers";
                self.say(Problem::error("M0755", span, "`?` cannot stand here", help));
                return None;
            }
            ExpressionNode::Attribute(of, name) => {
                if let Some(entity) = self.dotted(scope, of, name) {
                    return Some(constant(entity));
                }
                let (place, sort) = self.place(scope, of, name, None)?;
                Typed::new(Expr::Read(place), sort)
            }
            ExpressionNode::Entry(of, name, index) => {
                let (place, sort) = self.place(scope, of, name, Some(index))?;
                Typed::new(Expr::Read(place), sort)
            }
            ExpressionNode::Reference(reference) => self.reference(scope, reference, bare)?,
            ExpressionNode::Negate(inner) => {
                let inner = self.operand(scope, inner)?;
                negate(inner)
            }
            ExpressionNode::Binary(operator, left, right) => {
                let left = self.operand(scope, left);
                let right = self.operand(scope, right);
                self.binary(*operator, left?, right?, span)?
            }
        })
    }

    fn decimal(&mut self, number: f64, span: Span) -> Option<Typed> {
        if number.is_nan() || number.is_infinite() {
            self.say(Problem::error("M0736", span, "this number is too large", "use a smaller one"));
            return None;
        }
        Some(Typed::new(Expr::Value(double(number)), Sort::Double))
    }

    fn reference(&mut self, scope: &Scope, reference: &Reference, bare: Bare) -> Option<Typed> {
        let name = match &reference.node {
            ReferenceNode::Current => return Some(constant(scope.current)),
            ReferenceNode::Name(name) => name,
            ReferenceNode::Every(_) | ReferenceNode::Any => {
                let message = format!("`{}` cannot stand here", self.wrote(reference.span));
                let help = "declare a variable of that type: `foreach(Sensor) s`";
                self.say(Problem::error("M0755", reference.span, message, help));
                return None;
            }
        };
        match self.meaning(scope, name) {
            Some(Meaning::Value(typed)) => {
                self.catalogue.check_ambiguity(scope.unit, name, reference.span, &mut self.problems);
                Some(typed)
            }
            // `x.kind = Sensor` compares with the name of the type.
            Some(Meaning::Type(_)) | None if bare == Bare::Symbol => {
                Some(Typed { expr: Expr::Value(self.text(name)), sort: Sort::Symbol, bare: true })
            }
            Some(Meaning::Type(concept)) => {
                self.type_as_member(name, concept, reference.span);
                None
            }
            None => {
                let problem = self.unknown(scope, name, reference.span);
                self.say(problem);
                None
            }
        }
    }

    /// `projects.ward.Robot`: a qualified name looks like an attribute of its package.
    pub(crate) fn dotted(&self, scope: &Scope, of: &Reference, name: &Name) -> Option<EntityId> {
        let ReferenceNode::Name(front) = &of.node else { return None };
        if self.meaning(scope, front).is_some() {
            return None;
        }
        let concept = self.catalogue.entity(scope.unit, &format!("{front}.{}", name.node))?;
        self.catalogue.entries[concept].entity
    }

    fn operand(&mut self, scope: &Scope, tree: &Expression) -> Option<Typed> {
        let typed = self.expression(scope, tree, Bare::Unknown)?;
        if matches!(typed.sort, Sort::Int | Sort::Double | Sort::Any) {
            return Some(typed);
        }
        let message = format!(
            "`{}` is {}, and cannot be calculated with",
            self.wrote(tree.span),
            describe(&typed.sort)
        );
        self.say(Problem::error("M0736", tree.span, message, "calculate with numbers"));
        None
    }

    fn binary(&mut self, operator: Arithmetic, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        let whole = matches!(operator, Arithmetic::WholeDiv | Arithmetic::Mod);
        let sort = match (&left.sort, &right.sort) {
            _ if whole => Sort::Int,
            (Sort::Int, Sort::Int) if operator == Arithmetic::Div && self.program.rules.exact_division => {
                Sort::Double
            }
            (Sort::Int, Sort::Int) => Sort::Int,
            (Sort::Double, _) | (_, Sort::Double) => Sort::Double,
            _ => Sort::Any,
        };
        let divides = whole || operator == Arithmetic::Div;
        if divides && right.expr == Expr::Value(Value::Int(0)) {
            let help = "divide by something else; a value divided by zero is unknown";
            self.say(Problem::warning("M0736", span, "this divides by zero", help));
        }
        Some(Typed::new(Expr::Binary(operator, Box::new(left.expr), Box::new(right.expr)), sort))
    }

    /// `x.a` or `x.m(i)`: the place, and what it holds. All keys it can mean are numbered.
    pub(crate) fn place(
        &mut self,
        scope: &Scope,
        of: &Reference,
        name: &Name,
        index: Option<&Expression>,
    ) -> Option<(Place, Sort)> {
        let (subject, domain) = match self.who(scope, of)? {
            Who::One(subject, domain) => (subject, domain),
            Who::Every(_) => {
                let message = format!("`{}` means many and cannot stand here", self.wrote(of.span));
                let help = "declare a variable of that type: `foreach(Sensor) s`";
                self.say(Problem::error("M0755", of.span, message, help));
                return None;
            }
        };
        let (attribute, sort) = self.attribute(scope, &domain, name, Demand::Strict);
        if sort == Sort::Relation {
            self.relation_as_attribute(name);
            return None;
        }
        match index {
            Some(index) => self.entry(scope, subject, &domain, (attribute, &sort, name), index),
            None => self.plain(subject, &domain, (attribute, sort, name)),
        }
    }

    fn relation_as_attribute(&mut self, name: &Name) {
        let message = format!("`{}` is a relation, not an attribute", name.node);
        let help = format!("write it between its two sides: `x {} y`", name.node);
        self.say(Problem::error("M0732", name.span, message, help));
    }

    fn plain(
        &mut self,
        subject: Subject,
        domain: &[EntityId],
        (attribute, sort, name): (AttributeId, Sort, &Name),
    ) -> Option<(Place, Sort)> {
        if sort == Sort::Map {
            let message = format!("`{}` is a map; one of its entries is needed here", name.node);
            let help = format!("give the index: `{}(1)`", name.node);
            self.say(Problem::error("M0734", name.span, message, help));
            return None;
        }
        let place = match subject {
            Subject::Entity(entity) => Place::Fixed(self.program.keys.add(Key::Attribute(entity, attribute))),
            Subject::Variable(variable) => {
                self.attribute_keys(domain, attribute);
                Place::Attribute(variable, attribute)
            }
        };
        Some((place, sort))
    }

    fn entry(
        &mut self,
        scope: &Scope,
        subject: Subject,
        domain: &Rc<[EntityId]>,
        (attribute, sort, name): (AttributeId, &Sort, &Name),
        index: &Expression,
    ) -> Option<(Place, Sort)> {
        if !matches!(sort, Sort::Map | Sort::Any) {
            let message = format!("`{}` is {}, not a map", name.node, describe(sort));
            let help = format!("leave the index out, or declare it: `map {};`", name.node);
            self.say(Problem::error("M0734", name.span, message, help));
            return None;
        }
        let index = self.expression(scope, index, Bare::Symbol)?;
        Some((self.entry_place(subject, domain, attribute, index.expr), Sort::Any))
    }

    /// The place of an entry of a map.
    pub(crate) fn entry_place(
        &mut self,
        subject: Subject,
        domain: &Rc<[EntityId]>,
        attribute: AttributeId,
        index: Expr,
    ) -> Place {
        let Expr::Value(value) = index else {
            return Place::Entry(subject, attribute, Box::new(index));
        };
        self.indices.entry(attribute).or_default().insert(value);
        match subject {
            Subject::Entity(entity) => {
                Place::Fixed(self.program.keys.add(Key::Entry(entity, attribute, value)))
            }
            Subject::Variable(_) => {
                for entity in domain.iter() {
                    self.program.keys.add(Key::Entry(*entity, attribute, value));
                }
                Place::Entry(subject, attribute, Box::new(Expr::Value(value)))
            }
        }
    }

    /// Numbers `x.a` for everybody in a domain.
    pub(crate) fn attribute_keys(&mut self, domain: &[EntityId], attribute: AttributeId) {
        // No partners at all mark the attribute itself.
        let known = self.numbered.entry(attribute).or_default().entry(domain.into()).or_default();
        if !known.insert(Rc::from([])) {
            return;
        }
        if self.mentions_too_much(domain.len()) {
            return;
        }
        for entity in domain {
            self.program.keys.add(Key::Attribute(*entity, attribute));
        }
    }

    /// Numbers `x R y` for everybody in two domains.
    pub(crate) fn pair_keys(&mut self, left: &[EntityId], relation: AttributeId, right: &[EntityId]) {
        let known = self.numbered.entry(relation).or_default().entry(left.into()).or_default();
        if known.contains(right) {
            return;
        }
        known.insert(right.into());
        if self.mentions_too_much(left.len().saturating_mul(right.len())) {
            return;
        }
        for subject in left {
            for object in right {
                self.program.keys.add(Key::Pair(*subject, relation, *object));
            }
        }
    }

    /// A place that is written: a computed index of a map may then be any of those that are provided for.
    pub(crate) fn written(&mut self, place: &Place, domain: &Rc<[EntityId]>, index: &Sort) {
        if let Place::Entry(_, attribute, at) = place
            && !matches!(**at, Expr::Value(_))
        {
            self.computed.push((domain.clone(), *attribute, index.clone()));
        }
    }

    /// Numbers the entries of maps that computed indices can write: whole numbers from 0 up to the bound, indices that
    /// texts mention, all texts for an index that is a text, and the possible entities for one that is an entity.
    pub(crate) fn map_entries(&mut self) {
        let computed = std::mem::take(&mut self.computed);
        for (domain, attribute, sort) in &computed {
            let mut values: Vec<Value> = self.indices.get(attribute).into_iter().flatten().copied().collect();
            match sort {
                Sort::Symbol | Sort::Text => {
                    values.extend(self.texts.values().map(|text| Value::Text(*text)))
                }
                Sort::Entity(among) => values.extend(among.iter().map(|entity| Value::Entity(*entity))),
                _ => values.extend((0..i64::from(self.program.bounds.indices)).map(Value::Int)),
            }
            if self.mentions_too_much(domain.len().saturating_mul(values.len())) {
                return;
            }
            for entity in domain.iter() {
                for value in &values {
                    self.program.keys.add(Key::Entry(*entity, *attribute, *value));
                }
            }
        }
    }
}

fn negate(inner: Typed) -> Typed {
    let expr = match inner.expr {
        Expr::Value(Value::Int(number)) if number != i64::MIN => Expr::Value(Value::Int(-number)),
        Expr::Value(Value::Double(bits)) => Expr::Value(double(-f64::from_bits(bits))),
        other => Expr::Negate(Box::new(other)),
    };
    Typed::new(expr, inner.sort)
}
