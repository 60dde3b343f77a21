//! What is nearly a claim of this language: attitudes and knowledge as others write them, and a scope that is left at once.

use motet_model::AtomId;
use motet_source::{Problem, Severity, suggest};

use super::connect::constant;
use super::{Env, Lowering};
use crate::formula::Path;
use crate::print::surface;
use crate::syntax::{Node, Scope, Tree};

/// Operators over an agent and a content, which take parentheses.
const ATTITUDES: [&str; 6] = ["Bel", "Des", "Int", "Does", "Did", "ItD"];

impl<'a> Lowering<'a> {
    /// `K(a, p)`, `Believes(a, p)`: `None` unless somebody who is known stands where the agent does, and the model has nothing of
    /// this name.
    pub(super) fn other_words(
        &mut self,
        node: &'a Node,
        name: &str,
        arguments: &'a [Node],
        env: &Env<'a>,
    ) -> Option<Path<AtomId>> {
        let [agent, content] = arguments else { return None };
        let known = self.vocabulary.terms.calls.contains_key(name) || self.is_predicate(name);
        let who = match &agent.bare().tree {
            Tree::Name(who) => who,
            _ => return None,
        };
        if known || !(self.vocabulary.agents.contains(who) || env.get(who).is_some()) {
            return None;
        }
        let (who, content) = (surface::readable(agent), surface::readable(content));
        let meant = match name {
            "K" | "EK" | "CK" | "DK" => format!("{name}[{who}]({content})"),
            "Knows" | "knows" | "Know" => format!("K[{who}]({content})"),
            "B" | "Believes" | "believes" | "Belief" => format!("Bel({who}, {content})"),
            "D" | "Desires" | "desires" | "Goal" | "G" => format!("Des({who}, {content})"),
            "I" | "Intends" | "intends" => format!("Int({who}, {content})"),
            _ => format!("{}({who}, {content})", suggest(name, ATTITUDES)?),
        };
        self.error(
            "M0238",
            node.span,
            format!("`{name}` is no operator over an agent"),
            format!("write `{meant}`"),
        );
        Some(constant(true))
    }

    /// `after q, p` where `p` is about one moment: the one that opens the scope, and nothing later.
    pub(super) fn opening_only(&mut self, scope: &'a Scope, body: &'a Node) {
        let (scope, said) = (surface::scope(scope), surface::readable(body));
        let message = "this speaks of the moment that opens the scope, and says nothing of what comes later";
        let meant = match &body.bare().tree {
            Tree::Not(_, inner) => format!("never ({})", surface::readable(inner)),
            _ => format!("always ({said})"),
        };
        let help = format!("write `{scope}, {meant}` for all of it, or `eventually (...)`");
        let problem =
            Problem::warning("M0332", body.span, message, help).label("no operator of time stands here");
        let known = |other: &&Problem| other.code == problem.code && other.span == problem.span;
        debug_assert!(problem.severity == Severity::Warning);
        if self.problems.iter().find(known).is_none() {
            self.problems.push(problem);
        }
    }
}
