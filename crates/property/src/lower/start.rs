//! `initially (p)`: what holds in the first state of every run.
//!
//! A formula without an operator of time is about the first state anyway; the word says that this is meant.

use super::connect::constant;
use super::{Env, Lowering};
use crate::formula::Path;
use crate::syntax::{Node, Scope, Tree};

/// Whether a claim says `initially`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Said,
    Unsaid,
}

/// The word.
pub(crate) const INITIALLY: &str = "initially";

impl<'a> Lowering<'a> {
    /// `initially (p)`, unless the file or the model means something else by that name.
    pub(super) fn initially(
        &mut self,
        node: &'a Node,
        name: &str,
        arguments: &'a [Node],
        env: &Env<'a>,
    ) -> Option<Path<motet_model::AtomId>> {
        let [inner] = arguments else { return None };
        if name != INITIALLY || self.is_predicate(name) {
            return None;
        }
        if self.later > 0 {
            let help = "take it out of the operator: `initially (p) and always (q)`; what was so at the start is \
                        `once(p and not previously(true))`";
            let message = "`initially` speaks of the start, and here another moment is looked at";
            self.error("M0331", node.span, message, help);
            return Some(constant(true));
        }
        self.start = Start::Said;
        Some(self.path(inner, env))
    }
}

/// Whether what stands inside is looked at later than at the start, or on other runs.
pub(super) fn looks_further(tree: &Tree) -> bool {
    !matches!(
        tree,
        Tree::Group(_)
            | Tree::Name(_)
            | Tree::Call(..)
            | Tree::Not(..)
            | Tree::Join(..)
            | Tree::Implies(..)
            | Tree::Iff(..)
            | Tree::Quantified(..)
            | Tree::Scoped(Scope::Globally, _)
    )
}
