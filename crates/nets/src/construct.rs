//! From several texts to one that has nets alone: roles and operations are expanded, aspects are woven in.
//!
//! The rules are those of L. Chang, "A Nested Petri Net Framework for Modeling and Analyzing Multi-Agent Systems" (Florida
//! International University, 2011): aspects 4.2, mediators 4.4, roles and operations 6.3. What is made is a tree like any
//! other, so it can be printed and read again.

mod advice;
mod aspect;
pub(crate) mod codes;
pub(crate) mod commands;
pub(crate) mod coordinate;
mod make;
mod mediate;
mod operation;
pub(crate) mod places;
mod planned;
mod rename;
mod requests;
mod role;
pub(crate) mod sorts;
mod total;
mod variables;
mod wording;

use std::collections::BTreeSet;

use motet_source::Problems;

use crate::syntax::{Item, Text};

pub use mediate::{Mediated, Note, mediate, skeleton};

/// Unites the texts and replaces roles, operations and aspects by what they stand for. Mediators stay, since they say how
/// a system net was meant; what is wrong with them is told.
#[must_use]
pub fn construct(texts: Vec<Text>, problems: &mut Problems) -> Text {
    built(united(texts), problems)
}

/// The text that mediators are made from. Aspects that refine the net of a mediator wait until there is one.
#[must_use]
pub fn construct_agents(texts: Vec<Text>, problems: &mut Problems) -> Text {
    let mut text = united(texts);
    let mut mediators: BTreeSet<String> = BTreeSet::new();
    let mut nets: BTreeSet<String> = BTreeSet::new();
    for item in &text.items {
        match item {
            Item::Mediator(mediator) => drop(mediators.insert(mediator.name.node.clone())),
            Item::Net(net) => drop(nets.insert(net.name.node.clone())),
            _ => {}
        }
    }
    for item in &mut text.items {
        if let Item::Aspect(aspect) = item {
            let waits = |name: &String| mediators.contains(name) && !nets.contains(name);
            aspect.weaves.retain(|weave| !waits(&weave.target.node));
        }
    }
    built(text, problems)
}

fn united(texts: Vec<Text>) -> Text {
    Text { items: texts.into_iter().flat_map(|text| text.items).collect() }
}

fn built(mut text: Text, problems: &mut Problems) -> Text {
    role::expand(&mut text, problems);
    operation::expand(&mut text, problems);
    aspect::weave(&mut text, problems);
    for item in &text.items {
        if let Item::Mediator(mediator) = item {
            let _ = mediate(&text, mediator, problems);
        }
    }
    text
}
