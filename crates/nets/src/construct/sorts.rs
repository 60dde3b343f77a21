//! What sorts and names mean before anything is resolved.

use std::collections::{BTreeMap, BTreeSet};

use crate::print::format_expression;
use crate::syntax::{Field, Item, Text, TypeNode, TypeText};

/// How many steps two sorts are compared for: sorts that are defined by each other have no end.
const LIMIT_STEPS: usize = 10_000;

/// The declared sorts and the names that are never variables.
pub(crate) struct Declared {
    sorts: BTreeMap<String, TypeText>,
    enumerations: BTreeMap<String, Vec<String>>,
    /// Enumerators, constants, definitions and nets.
    pub(super) values: BTreeSet<String>,
}

impl Declared {
    pub(crate) fn of(text: &Text) -> Self {
        let mut declared =
            Self { sorts: BTreeMap::new(), enumerations: BTreeMap::new(), values: BTreeSet::new() };
        for item in &text.items {
            match item {
                Item::Type(name, sort) => {
                    declared.sorts.entry(name.node.clone()).or_insert_with(|| sort.clone());
                }
                Item::Enumeration(sort) => {
                    let members: Vec<String> =
                        sort.members.iter().map(|member| member.node.clone()).collect();
                    declared.values.extend(members.iter().cloned());
                    declared.enumerations.entry(sort.name.node.clone()).or_insert(members);
                }
                Item::Constant(name, _) => drop(declared.values.insert(name.node.clone())),
                Item::Definition(definition) => drop(declared.values.insert(definition.name.node.clone())),
                Item::Net(net) => drop(declared.values.insert(net.name.node.clone())),
                Item::Role(role) => drop(declared.values.insert(role.name.node.clone())),
                Item::Port(_) | Item::Aspect(_) | Item::Mediator(_) => {}
            }
        }
        declared
    }

    /// What a sort is, behind the names that stand for it.
    pub(super) fn behind<'s>(&'s self, sort: &'s TypeText) -> &'s TypeText {
        let mut sort = sort;
        for _ in 0..=self.sorts.len() {
            match &sort.node {
                TypeNode::Named(name) if self.sorts.contains_key(name) => sort = &self.sorts[name],
                _ => break,
            }
        }
        sort
    }

    /// The members of an enumeration.
    pub(super) fn members(&self, name: &str) -> Option<&[String]> {
        self.enumerations.get(name).map(Vec::as_slice)
    }

    /// The fields of a record.
    pub(super) fn record<'s>(&'s self, sort: &'s TypeText) -> Option<&'s [Field]> {
        match &self.behind(sort).node {
            TypeNode::Record(fields) => Some(fields),
            _ => None,
        }
    }

    /// Whether two sorts are the same. Ranges are the same if they are written alike: constants may be bound anew.
    pub(super) fn same(&self, one: &TypeText, other: &TypeText) -> bool {
        let mut steps = 0;
        self.same_from(one, other, &mut steps)
    }

    fn same_from(&self, one: &TypeText, other: &TypeText, steps: &mut usize) -> bool {
        if let (TypeNode::Named(one), TypeNode::Named(other)) = (&one.node, &other.node)
            && one == other
        {
            return true;
        }
        *steps += 1;
        if *steps > LIMIT_STEPS {
            return false;
        }
        match (&self.behind(one).node, &self.behind(other).node) {
            (TypeNode::Int(None), TypeNode::Int(None))
            | (TypeNode::Bool, TypeNode::Bool)
            | (TypeNode::Token, TypeNode::Token)
            | (TypeNode::Class, TypeNode::Class)
            | (TypeNode::Agent, TypeNode::Agent) => true,
            (TypeNode::Int(Some((low, high))), TypeNode::Int(Some((least, most)))) => {
                format_expression(low) == format_expression(least)
                    && format_expression(high) == format_expression(most)
            }
            (TypeNode::Named(one), TypeNode::Named(other)) => one == other,
            (TypeNode::Set(one), TypeNode::Set(other)) => self.same_from(one, other, steps),
            (TypeNode::Record(fields), TypeNode::Record(others)) => {
                fields.len() == others.len()
                    && fields.iter().zip(others).all(|(field, other)| {
                        field.name.node == other.name.node && self.same_from(&field.sort, &other.sort, steps)
                    })
            }
            _ => false,
        }
    }
}
