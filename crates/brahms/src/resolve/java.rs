//! Activities that are written in Java, which is not run: those of the base library are known, others have a stub in the
//! sidecar, and the rest take their time and change nothing.

use std::collections::BTreeSet;

use motet_source::{Problem, Span};

use super::activity::{Call, Deed, Definition};
use super::base::Native;
use super::condition::read_by;
use super::expression::Bare;
use super::scope::{Meaning, Scope, Sort, Typed};
use super::{Resolver, number};
use crate::program::{Activity, ActivityId, ActivityNode, Expr, Key, Place, Subject, Value, Var};
use crate::sidecar::{Constant, Stub};
use crate::syntax::{ActivityKind, Expression, Name};

impl<'a> Resolver<'a> {
    /// A call of an activity of the base library.
    pub(crate) fn native(
        &mut self,
        scope: &Scope,
        native: Native,
        name: &Name,
        arguments: &[Expression],
        span: Span,
    ) -> Option<Call> {
        let mut shown = Vec::new();
        for argument in arguments {
            shown.push(self.expression(scope, argument, Bare::Symbol)?);
        }
        let mut read = BTreeSet::new();
        shown.iter().for_each(|typed| read_by(&typed.expr, &mut read));
        let node = match native {
            Native::Print => ActivityNode::Print(shown.into_iter().map(|typed| typed.expr).collect()),
            Native::Read => {
                let message = "no file is read while a model is checked";
                let help = "put the beliefs under `initial_beliefs:`; the call does nothing";
                self.say(Problem::warning("M0746", name.span, message, help));
                ActivityNode::Primitive
            }
            // Whatever is neither a belief nor somebody is shown as it is.
            Native::PrintBelief if !shown.iter().take(1).all(names_beliefs) => {
                ActivityNode::Print(shown.into_iter().map(|typed| typed.expr).collect())
            }
            Native::PrintBelief => ActivityNode::PrintBelief(self.places_of(&shown, span)?),
            Native::Retract => ActivityNode::Retract(self.places_of(&shown, span)?),
        };
        self.program.activities.push(Activity {
            name: name.node.clone(),
            node,
            duration: None,
            resources: Vec::new(),
            span: name.span,
            call: span,
        });
        let activity = ActivityId(number(self.program.activities.len() - 1));
        Some(Call { activity, priority: None, read, outputs: BTreeSet::new() })
    }

    /// `retractBelief(x.a)`, `retractBelief(x, "a")`, and `retractBeliefs(x)` for everything declared of `x`; the same for
    /// `printBelief`.
    fn places_of(&mut self, shown: &[Typed], span: Span) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        let mut rest = shown;
        while let [first, tail @ ..] = rest {
            rest = tail;
            if let Expr::Read(place) = &first.expr {
                places.push(place.clone());
                continue;
            }
            let (subject, domain) = self.subject(first, span)?;
            let named = match tail {
                [Typed { expr: Expr::Value(Value::Text(text)), .. }, further @ ..] => {
                    rest = further;
                    vec![self.program.texts[text.index()].clone()]
                }
                _ => self.declared_of(&domain),
            };
            for name in named {
                let attribute = self.attribute_number(&name);
                places.push(match subject {
                    Subject::Entity(entity) => {
                        Place::Fixed(self.program.keys.add(Key::Attribute(entity, attribute)))
                    }
                    Subject::Variable(variable) => {
                        self.attribute_keys(&domain, attribute);
                        Place::Attribute(variable, attribute)
                    }
                });
            }
        }
        Some(places)
    }

    fn declared_of(&self, domain: &[crate::program::EntityId]) -> Vec<String> {
        let mut names = BTreeSet::from(["location".to_owned()]);
        for entity in domain {
            for concept in self.lineages[entity.index()].iter() {
                let plain = |sort: &Sort| !matches!(sort, Sort::Relation | Sort::Map);
                let declared = self.properties[*concept].iter().filter(|(_, property)| plain(&property.sort));
                names.extend(declared.map(|(name, _)| name.clone()));
            }
        }
        names.into_iter().collect()
    }

    /// A declared Java activity.
    pub(crate) fn java(
        &mut self,
        scope: &Scope,
        definition: &Definition<'a>,
        assigned: &BTreeSet<u16>,
    ) -> Deed {
        match self.stub(definition) {
            Some(stub) => self.stubbed(scope, definition, stub, assigned),
            None => self.unknown_java(scope, definition, assigned),
        }
    }

    /// What the sidecar says of a Java activity, by its own name or by `Owner.name`.
    pub(crate) fn stub(&self, definition: &Definition<'a>) -> Option<&'a Stub> {
        if definition.tree.kind != ActivityKind::Java {
            return None;
        }
        let owner = &self.catalogue.entries[definition.concept].name;
        let name = &definition.tree.name.node;
        let stubs = &self.settings.stubs;
        stubs.get(&format!("{owner}.{name}")).or_else(|| stubs.get(name))
    }

    fn unknown_java(&mut self, scope: &Scope, definition: &Definition<'a>, assigned: &BTreeSet<u16>) -> Deed {
        let name = &definition.tree.name;
        let message =
            format!("the Java activity `{}` is not run: it takes its time and changes nothing", name.node);
        let help =
            format!("say what it does in motet.toml: [java.\"{}\"] concludes = [\"(x.a = v)\"]", name.node);
        self.say(Problem::warning("M0746", name.span, message, help));
        let mut outputs = BTreeSet::new();
        let mut choices = Vec::new();
        for (_, meaning) in &scope.parameters {
            let Some((variable, sort)) = output(meaning, assigned) else { continue };
            outputs.insert(variable);
            choices.extend(domain(&sort).map(|values| (Var::Own(variable), values)));
        }
        let node = if choices.is_empty() {
            ActivityNode::Primitive
        } else {
            ActivityNode::Foreign { outputs: choices, concludes: Vec::new() }
        };
        Deed { node, outputs }
    }

    fn stubbed(
        &mut self,
        scope: &Scope,
        definition: &Definition<'a>,
        stub: &Stub,
        assigned: &BTreeSet<u16>,
    ) -> Deed {
        let mut outputs = BTreeSet::new();
        let mut choices = Vec::new();
        for (name, constants, span) in &stub.outputs {
            let meaning =
                scope.parameters.iter().find(|(known, _)| known == name).map(|(_, meaning)| meaning);
            let Some(Meaning::Value(Typed { expr: Expr::Variable(variable), .. })) = meaning else {
                let message = match meaning {
                    None => format!("`{}` has no parameter `{name}`", definition.tree.name.node),
                    Some(_) => format!("a call gives no variable for the output `{name}`"),
                };
                let help = "name a parameter for which every call gives a variable";
                self.say(Problem::error("M0778", *span, message, help));
                continue;
            };
            if let Var::Own(number) = variable {
                outputs.insert(*number);
            }
            let values = constants.iter().map(|constant| self.constant(scope, constant)).collect();
            choices.push((*variable, values));
        }
        for (_, meaning) in &scope.parameters {
            outputs.extend(output(meaning, assigned).map(|(variable, _)| variable));
        }
        let mut concludes = Vec::new();
        for (tree, text, span) in &stub.concludes {
            // The text was read out of a string of the sidecar, so its places mean nothing there.
            let before = std::mem::take(&mut self.problems);
            self.quoted = Some(text.clone());
            let resolved = self.conclude(scope, tree);
            self.quoted = None;
            let found = std::mem::replace(&mut self.problems, before);
            for problem in &found {
                self.say(Problem { span: *span, also: Vec::new(), fix: None, ..problem.clone() });
            }
            concludes.extend(resolved.map(|conclude| crate::program::Conclude { span: *span, ..conclude }));
        }
        Deed { node: ActivityNode::Foreign { outputs: choices, concludes }, outputs }
    }

    fn constant(&mut self, scope: &Scope, constant: &Constant) -> Value {
        match constant {
            Constant::Int(number) => Value::Int(*number),
            Constant::Bool(truth) => Value::Bool(*truth),
            Constant::Double(number) => super::expression::double(*number),
            Constant::Text(text) => match self.meaning(scope, text) {
                Some(Meaning::Value(Typed { expr: Expr::Value(value), .. })) => value,
                _ => self.text(text),
            },
        }
    }
}

/// A variable that has no value yet is what the activity gives back.
fn output(meaning: &Meaning, assigned: &BTreeSet<u16>) -> Option<(u16, Sort)> {
    match meaning {
        Meaning::Value(Typed { expr: Expr::Variable(Var::Own(number)), sort, .. })
            if !assigned.contains(number) =>
        {
            Some((*number, sort.clone()))
        }
        _ => None,
    }
}

/// The values an output may have, where its type says which.
fn domain(sort: &Sort) -> Option<Vec<Value>> {
    match sort {
        Sort::Bool => Some(vec![Value::Bool(true), Value::Bool(false)]),
        Sort::Entity(members) if !members.is_empty() => {
            Some(members.iter().map(|entity| Value::Entity(*entity)).collect())
        }
        _ => None,
    }
}

/// Whether what is shown is a belief, or somebody about whom there are beliefs.
fn names_beliefs(shown: &Typed) -> bool {
    match &shown.expr {
        Expr::Read(_) | Expr::Value(Value::Entity(_)) => true,
        Expr::Variable(_) => matches!(shown.sort, Sort::Entity(_)),
        _ => false,
    }
}
