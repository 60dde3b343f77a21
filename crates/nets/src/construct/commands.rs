//! The channel commands of the nets of a text.

use crate::print::expression::{join, list, pattern};
use crate::syntax::{Exchange, Item, Level, Net, Partner, Statement, StatementNode, Sync, Text, Transition};

/// Which way what is exchanged goes, seen from the transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// It receives: `?`
    In,
    /// It sends: `!`
    Out,
}

impl Direction {
    /// What the partner does.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::In => Self::Out,
            Self::Out => Self::In,
        }
    }

    pub(crate) fn sign(self) -> char {
        match self {
            Self::In => '?',
            Self::Out => '!',
        }
    }
}

/// A command and the transition it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Command<'t> {
    pub(crate) net: &'t Net,
    pub(crate) transition: &'t Transition,
    pub(crate) sync: &'t Sync,
}

impl Command<'_> {
    pub(crate) fn direction(&self) -> Direction {
        match self.sync.exchange {
            Exchange::Send(_) => Direction::Out,
            Exchange::Receive(_) => Direction::In,
        }
    }

    pub(crate) fn port(&self) -> &str {
        &self.sync.port.node
    }

    /// Whether this is a command to the net that holds the agent.
    pub(crate) fn is_upward(&self) -> bool {
        self.sync.partner == Partner::Up
    }

    /// What is exchanged: `st`, or `<c.kind, cr, c.st>` if there are several values.
    pub(crate) fn information(&self) -> String {
        let (text, count) = match &self.sync.exchange {
            Exchange::Send(values) => (list(values), values.len()),
            Exchange::Receive(patterns) => (join(patterns, pattern), patterns.len()),
        };
        if count == 1 { text } else { format!("<{text}>") }
    }

    /// Whether two commands synchronise: same port, opposite direction.
    pub(crate) fn answers(&self, other: &Command<'_>) -> bool {
        self.port() == other.port() && self.direction() != other.direction()
    }
}

/// The nets of a text.
pub(crate) fn nets(text: &Text) -> impl Iterator<Item = &Net> {
    text.items.iter().filter_map(|item| if let Item::Net(net) = item { Some(net) } else { None })
}

/// All commands of the nets of one level, in the order of the text. Alternatives of one transition that exchange the same
/// are one command.
pub(crate) fn commands(text: &Text, level: Level) -> Vec<Command<'_>> {
    nets(text).filter(|net| net.level == level).flat_map(commands_of).collect()
}

/// All commands of one net.
pub(crate) fn commands_of(net: &Net) -> Vec<Command<'_>> {
    let mut found: Vec<Command<'_>> = Vec::new();
    for member in &net.members {
        let crate::syntax::Member::Transition(transition) = member else { continue };
        let first = found.len();
        syncs(&transition.body, &mut |sync| {
            let command = Command { net, transition, sync };
            let same = |there: &Command<'_>| {
                there.port() == command.port()
                    && there.direction() == command.direction()
                    && there.information() == command.information()
            };
            if !found[first..].iter().any(same) {
                found.push(command);
            }
        });
    }
    found
}

fn syncs<'t>(body: &'t [Statement], found: &mut dyn FnMut(&'t Sync)) {
    for statement in body {
        match &statement.node {
            StatementNode::Sync(sync) => found(sync),
            StatementNode::Alternative(parts) => syncs(parts, found),
            _ => {}
        }
    }
}
