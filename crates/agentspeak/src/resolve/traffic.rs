//! What an agent's text says about events: which it can raise, which it listens for, what it asks its beliefs.

use motet_source::Span;

use crate::program::Force;

/// A name with its arity; strong negation is part of the name.
pub(crate) type Key = (String, usize);

/// What an agent sends.
#[derive(Debug)]
pub(crate) struct Sent {
    /// The receiver, if it is written down.
    pub(crate) to: Option<usize>,
    /// The force.
    pub(crate) force: Force,
    /// What is sent, if it is written down.
    pub(crate) key: Option<Key>,
    /// Where.
    pub(crate) span: Span,
}

/// Everything one agent's text says about events.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    /// Initial beliefs and heads of rules.
    pub(crate) believed: Vec<Key>,
    /// Initial goals, `!g` and `!!g`.
    pub(crate) posted: Vec<(Key, Span)>,
    /// `?t`
    pub(crate) tested: Vec<Key>,
    /// `+b`, `-+b`
    pub(crate) added: Vec<Key>,
    /// `-b`, `-+b`, `.abolish(b)`
    pub(crate) deleted: Vec<Key>,
    /// `.abolish(X)`
    pub(crate) deletes_anything: bool,
    /// Messages.
    pub(crate) sent: Vec<Sent>,
    /// Beliefs that conditions ask for.
    pub(crate) asked: Vec<(Key, Span)>,
    /// Actions on the environment.
    pub(crate) acted: Vec<(Key, Span)>,
}
