//! Constants keep the promise of their sort: `duration`, `int`, `double`, `bool`, or a sort of the model.

use motet_source::suggest;

use super::{Env, Lowering};
use crate::syntax::{ConstItem, Node, Tree};

const SORTS: [&str; 6] = ["duration", "int", "double", "number", "bool", "agent"];

impl<'a> Lowering<'a> {
    /// Checks the value of every constant that has both a value and a sort.
    pub(super) fn check_constants(&mut self) {
        let constants: Vec<&'a ConstItem> = self.consts.values().copied().collect();
        for constant in constants {
            (self.parts, self.depth) = (0, 0);
            let name = constant.name.node.as_str();
            self.check_name(constant);
            let value = self.overrides.get(name).or(constant.value.as_ref());
            if let (Some(sort), Some(value)) = (&constant.sort, value) {
                self.check_constant(constant, &sort.node, value);
            }
        }
    }

    /// A constant with the name of something that changes would stand in its place: `never parts = 3` would compare two numbers.
    fn check_name(&mut self, constant: &'a ConstItem) {
        let name = constant.name.node.as_str();
        let bound = self.vocabulary.parameters.iter().any(|(known, _)| known == name);
        if bound || !self.vocabulary.terms.names.contains_key(name) {
            return;
        }
        let message = format!("`{name}` is something that the model computes, and cannot be a constant too");
        let place = match (&constant.value, self.overrides.get(name)) {
            (None, Some(given)) => given.span,
            _ => constant.name.span,
        };
        self.error("M0239", place, message, "give the constant another name, or leave `-D` out");
    }

    fn check_constant(&mut self, constant: &'a ConstItem, sort: &str, node: &'a Node) {
        let name = constant.name.node.as_str();
        let wrong = match sort {
            "duration" => match self.value(node, &Env::default()) {
                Some(value) => value.unit.is_none().then_some("a length with a unit, such as 4 min"),
                None => None,
            },
            "int" => match self.value(node, &Env::default()) {
                Some(value) => {
                    (value.unit.is_some() || value.number.as_whole().is_none()).then_some("a whole number")
                }
                None => None,
            },
            "double" | "number" => match self.value(node, &Env::default()) {
                Some(value) => value.unit.is_some().then_some("a number without a unit"),
                None => None,
            },
            "bool" => None,
            _ => return self.check_member(constant, sort, node),
        };
        if let Some(wanted) = wrong {
            let message = format!("the constant `{name}` is declared `{sort}`, and this is no such value");
            self.error("M0230", node.span, message, format!("give it {wanted}"));
        }
    }

    fn check_member(&mut self, constant: &'a ConstItem, sort: &str, node: &'a Node) {
        let agents = ("agent".to_owned(), self.vocabulary.agents.clone());
        let known = self.vocabulary.sorts.iter().find(|(name, _)| name == sort);
        let members = match known {
            Some((_, members)) => members,
            None if sort == "agent" => &agents.1,
            None => {
                let span = constant.sort.as_ref().map_or(constant.name.span, |sort| sort.span);
                let sorts = self.vocabulary.sorts.iter().map(|(name, _)| name.as_str());
                let help = match suggest(sort, SORTS.into_iter().chain(sorts)) {
                    Some(near) => format!("did you mean `{near}`"),
                    None => "constants are duration, int, double, bool, or of a sort of the model".to_owned(),
                };
                return self.error("M0224", span, format!("there is no sort `{sort}`"), help);
            }
        };
        let Tree::Name(value) = &node.bare().tree else { return };
        let other_constant = self.consts.contains_key(value.as_str()) || self.overrides.contains_key(value);
        if !members.is_empty() && !members.contains(value) && !other_constant {
            let help = match suggest(value, members.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`"),
                None => format!("the members are {}", super::atom::listed(members)),
            };
            self.error("M0225", node.span, format!("`{value}` is not a member of `{sort}`"), help);
        }
    }
}
