//! What a model's text is made of, for coverage.

use motet_source::Span;

/// A part of a model's text that may happen: a plan, a frame, a rule, a command, a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As a reader finds it: `+!deliver(Room) : free(Room)`, `wf_attendBob`.
    pub name: String,
    /// What it is, in the words of the language: `plan`, `workframe`, `command`.
    pub kind: &'static str,
    /// Whose it is: an agent, a module, a net.
    pub owner: String,
    /// Its text.
    pub span: Span,
}
