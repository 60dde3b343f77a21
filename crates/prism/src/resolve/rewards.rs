//! Labels of states and rewards.

use std::collections::BTreeMap;

use motet_source::{Problem, Span};

use super::commands::Labels;
use super::compile::{Compiler, Renaming};
use super::scope::twice;
use crate::expr::Test;
use crate::nearest::nearest;
use crate::number::Number;
use crate::program::{Earned, RewardItem, Rewards};
use crate::syntax::{self, Item, Text};

/// Labels that every model has.
const BUILT_IN: [&str; 2] = ["init", "deadlock"];

/// `label "x" = ...`
pub(crate) fn conditions(compiler: &mut Compiler<'_>, text: &Text) -> Vec<(String, Test)> {
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    let mut conditions = Vec::new();
    for item in &text.items {
        let Item::Label(definition) = item else { continue };
        let name = &definition.name;
        if BUILT_IN.contains(&name.node.as_str()) {
            let message = format!("every model has a label \"{}\" already", name.node);
            compiler.error("M0812", name.span, message, "give it another name");
        } else if let Some(first) = known.insert(&name.node, name.span) {
            compiler.problems.push(twice(&format!("\"{}\"", name.node), name.span, first));
        }
        if let Some(test) = compiler.test(&definition.body, &Renaming::new()) {
            conditions.push((name.node.clone(), test));
        }
    }
    conditions
}

/// `rewards ... endrewards`
pub(crate) fn rewards(compiler: &mut Compiler<'_>, text: &Text, labels: &Labels) -> Vec<Rewards> {
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    let mut all = Vec::new();
    for item in &text.items {
        let Item::Rewards(written) = item else { continue };
        if let Some(name) = &written.name
            && let Some(first) = known.insert(&name.node, name.span)
        {
            compiler.problems.push(twice(&format!("\"{}\"", name.node), name.span, first));
        }
        let items = written.items.iter().filter_map(|item| reward(compiler, item, labels)).collect();
        let name = written.name.as_ref().map_or_else(String::new, |name| name.node.clone());
        all.push(Rewards { name, items });
    }
    all
}

fn reward(compiler: &mut Compiler<'_>, written: &syntax::RewardItem, labels: &Labels) -> Option<RewardItem> {
    let earned = match &written.earned {
        syntax::Earned::State => Some(Earned::State),
        syntax::Earned::Unlabelled => Some(Earned::Step(None)),
        syntax::Earned::Label(label) => {
            let number = labels.get(&label.node);
            if number.is_none() {
                let help = match nearest(&label.node, labels.names.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`"),
                    None => "the reward is never earned; remove it, or give a command this label".to_owned(),
                };
                let message = format!("no command has the label `{}`", label.node);
                compiler.problems.push(Problem::warning("M0836", label.span, message, help));
            }
            number.map(|number| Earned::Step(Some(number)))
        }
    };
    let guard = compiler.test(&written.guard, &Renaming::new());
    let value = compiler.real(&written.value, &Renaming::new());
    let (guard, value) = (guard?, value?);
    if let Some(value) = value.constant()
        && guard != Test::Constant(false)
        && value < Number::ZERO
    {
        let help = "rewards are not negative; measure what is left, or what is lost, instead";
        compiler.error("M0827", written.value.span, format!("a reward of {value} is negative"), help);
    }
    Some(RewardItem { earned: earned?, guard, value, span: written.span })
}
