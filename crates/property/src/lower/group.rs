//! Whose knowledge a claim speaks of.

use motet_model::Observers;
use motet_source::suggest;

use super::atom::{dotted, listed};
use super::{Env, Lowering};
use crate::formula::Knowledge;
use crate::syntax::{Domain, Node, Tree};

impl<'a> Lowering<'a> {
    /// The names in `K[...]`, `EK[...]`, `CK[...]` or `DK[...]`.
    pub(super) fn group(
        &mut self,
        node: &'a Node,
        knowledge: Knowledge,
        group: &'a Domain,
        env: &Env<'a>,
    ) -> Vec<String> {
        if let Observers::Nobody(why) = &self.vocabulary.observers {
            let message = format!("nobody can know anything here: {why}");
            let help = "ask what is true, or what is possible, instead of who knows it";
            self.error("M0280", node.span, message, help);
            return Vec::new();
        }
        let before = self.faults.len();
        let mut names: Vec<String> = match group {
            Domain::Name(name) => match self.sort_named(name, env) {
                Some(members) if knowledge != Knowledge::One => self.all_observers(name, members),
                Some(members) if !self.is_observer(name) => {
                    self.not_one(name, members.first());
                    Vec::new()
                }
                _ => self.observer(name, env).into_iter().collect(),
            },
            Domain::Set(members) => members.iter().filter_map(|member| self.observer(member, env)).collect(),
            Domain::Range(..) => {
                self.error("M0226", node.span, "agents are not numbers", "name them: `{ag1, ag2}`");
                Vec::new()
            }
        };
        if knowledge == Knowledge::One && names.len() > 1 {
            let help = "write EK (each of them), CK (commonly) or DK (put together) for a group";
            self.error("M0226", node.span, "`K` is about one agent", help);
        }
        if names.is_empty() && self.faults.len() == before && !self.failed {
            let help = "name somebody: `EK[{ag1, ag2}](...)`";
            self.error("M0281", node.span, "this group has no members", help);
        }
        self.observers.extend(names.iter().cloned());
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    fn is_observer(&self, node: &Node) -> bool {
        matches!(&node.bare().tree, Tree::Name(name) if self.vocabulary.observers().contains(name))
    }

    /// The members of a sort, if all of them can know something.
    fn all_observers(&mut self, sort: &'a Node, members: Vec<String>) -> Vec<String> {
        let known = self.vocabulary.observers();
        let Some(stranger) = members.iter().find(|member| !known.contains(member)) else { return members };
        let message = format!("`{stranger}` is no agent, so it knows nothing");
        let help = format!("those who can know something are {}", listed(known));
        self.error("M0225", sort.span, message, help);
        Vec::new()
    }

    fn not_one(&mut self, sort: &'a Node, first: Option<&String>) {
        let name = crate::print::surface::readable(sort);
        let example =
            first.map_or_else(String::new, |first| format!("name one of them, `K[{first}](...)`, or "));
        let help = format!("{example}ask for each of them, `EK[{name}](...)`");
        self.error("M0226", sort.span, format!("`K` is about one agent, and `{name}` is a sort"), help);
    }

    /// The name of one who can know something: `ag1`, or `Child(ann)` where agents have arguments.
    fn observer(&mut self, node: &'a Node, env: &Env<'a>) -> Option<String> {
        let expr = self.expr(node, env);
        let name = match (dotted(&expr), &expr) {
            (Some(name), _) => name,
            (None, motet_model::Expr::Call(..)) => expr.to_string(),
            _ => {
                if !matches!(node.bare().tree, Tree::Error) {
                    self.error(
                        "M0226",
                        node.span,
                        "this is not an agent",
                        "name the agent, as in `K[ag1](...)`",
                    );
                }
                return None;
            }
        };
        let known = self.vocabulary.observers();
        // A vocabulary without anybody is that of a text on its own.
        if known.is_empty() || known.contains(&name) {
            return Some(name);
        }
        let help = match suggest(&name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`"),
            None => format!("those who can know something are {}", listed(known)),
        };
        self.error("M0225", node.span, format!("there is no agent `{name}`"), help);
        None
    }
}
