//! From a requirement as written to its formula.

use motet_model::AtomId;
use motet_source::{Problem, suggest};

use super::connect::not;
use super::requirement::{Place, Timing, Trigger, required};
use super::{Env, Lowering};
use crate::formula::{Bound, Formula, Path};
use crate::syntax::{Cause, Due, ModeWord, Node, Requirement, Tree};

/// Stands for the model as a whole.
const SYSTEM: &str = "system";

impl<'a> Lowering<'a> {
    pub(super) fn shall(&mut self, node: &'a Node, shall: &'a Requirement, env: &Env<'a>) -> Path<AtomId> {
        self.introduce(node, shall, env);
        let place = self.place(shall, env);
        let trigger = match &shall.condition {
            None => Trigger::Beginning,
            Some((cause, condition)) => {
                let condition = self.moment(condition, env, "what starts a requirement");
                match cause {
                    Cause::Upon | Cause::When | Cause::If | Cause::Where => Trigger::Edge(condition),
                    Cause::Unless => Trigger::Edge(not(condition)),
                    Cause::Whenever => Trigger::Level(condition),
                }
            }
        };
        let timing = self.due(&shall.due, env);
        let response = self.moment(&shall.response, env, "what a requirement asks for");
        required(place, trigger, timing, response)
    }

    fn place(&mut self, shall: &'a Requirement, env: &Env<'a>) -> Place<AtomId> {
        let Some(mode) = &shall.mode else { return Place::Everywhere };
        let what = self.moment(&mode.what, env, "the mode of a requirement");
        match mode.word {
            ModeWord::In | ModeWord::During | ModeWord::WhenIn | ModeWord::While => Place::In(what),
            ModeWord::NotIn | ModeWord::WhenNotIn => Place::NotIn(what),
            ModeWord::Before => Place::Before(what),
            ModeWord::After => Place::After(what),
            ModeWord::OnlyIn | ModeWord::OnlyDuring => Place::OnlyIn(what),
            ModeWord::OnlyBefore => Place::OnlyBefore(what),
            ModeWord::OnlyAfter => Place::OnlyAfter(what),
        }
    }

    fn due(&mut self, due: &'a Due, env: &Env<'a>) -> Timing<AtomId> {
        // A bound without a value was reported, and the claim is dropped.
        let nothing = || Bound { amount: 0, unit: None, strict: false };
        match due {
            Due::Immediately => Timing::Immediately,
            Due::AtNext => Timing::Next,
            Due::Always => Timing::Always,
            Due::Never => Timing::Never,
            Due::Eventually => Timing::Eventually,
            Due::Until(stop) => Timing::Until(self.moment(stop, env, "what ends a requirement")),
            Due::Before(stop) => Timing::Before(self.moment(stop, env, "what ends a requirement")),
            Due::Within(length) => Timing::Within(self.bound(length, env).unwrap_or_else(nothing)),
            Due::For(length) => Timing::For(self.bound(length, env).unwrap_or_else(nothing)),
            Due::After(length) => Timing::After(self.bound(length, env).unwrap_or_else(nothing)),
        }
    }

    /// The parts of a requirement speak of moments; what happens when is said by its words.
    fn moment(&mut self, node: &'a Node, env: &Env<'a>, what: &str) -> Path<AtomId> {
        match self.state(node, env, what) {
            formula @ (Formula::Chance(..)
            | Formula::Steady(..)
            | Formula::Reward(..)
            | Formula::Wait(..)
            | Formula::Filter(..)) => {
                let message = format!("{what} must be a condition, and this is a number");
                self.error("M0227", node.span, message, "say it without `shall`");
                Path::Now(formula)
            }
            formula => Path::Now(formula),
        }
    }

    /// A hint where the component is neither a name of the model nor spoken of: it was probably misspelt.
    fn introduce(&mut self, node: &'a Node, shall: &'a Requirement, env: &Env<'a>) {
        let component = shall.component.node.as_str();
        let words = self.vocabulary;
        let names = words.agents.iter().chain(words.sorts.iter().flat_map(|(_, members)| members));
        let known: Vec<&str> = names.map(String::as_str).collect();
        let spoken_of = node_mentions(node, component);
        if known.is_empty() || known.contains(&component) || component == SYSTEM || spoken_of {
            return;
        }
        if env.get(component).is_some() {
            return;
        }
        let help = match suggest(component, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`"),
            None => "name an agent or an object of the model, or say `the system`".to_owned(),
        };
        let message =
            format!("`{component}` is no name of this model, and the requirement does not speak of it");
        let problem = Problem::hint("M0250", shall.component.span, message, help);
        if !self.problems.iter().any(|other| *other == problem) {
            self.problems.push(problem);
        }
    }
}

/// Whether the name occurs in the requirement.
fn node_mentions(node: &Node, name: &str) -> bool {
    let here = match &node.tree {
        Tree::Name(found) | Tree::Call(found, _) | Tree::Field(_, found) => found == name,
        _ => false,
    };
    let mut found = here;
    node.each_child(&mut |child| found = found || node_mentions(child, name));
    found
}
