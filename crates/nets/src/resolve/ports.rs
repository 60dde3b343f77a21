//! Which ports are answered.

use motet_source::{Problem, Span};

use super::declare::Declarations;
use crate::program::PortId;

/// Where a command stands in relation to its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// An agent speaks with its host: `sync up`.
    Agent,
    /// A host speaks with an agent: `sync a.net`.
    Host,
    /// An agent speaks with another: `sync chan(e)`.
    Peer,
}

/// A channel command, as its port sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) port: PortId,
    pub(crate) side: Side,
    pub(crate) sends: bool,
    pub(crate) span: Span,
}

/// Which way values go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
    Across,
}

impl Use {
    fn direction(&self) -> Direction {
        match (self.side, self.sends) {
            (Side::Agent, true) | (Side::Host, false) => Direction::Up,
            (Side::Agent, false) | (Side::Host, true) => Direction::Down,
            (Side::Peer, _) => Direction::Across,
        }
    }
}

/// A port goes one way, and somebody is at either end of it.
pub(crate) fn check(declared: &mut Declarations<'_>, all: &[Use]) {
    for (number, port) in (0..).zip(declared.scope.ports.clone()) {
        let uses: Vec<&Use> = all.iter().filter(|other| other.port == PortId(number)).collect();
        let Some(first) = uses.first() else {
            let message = format!("nothing uses port `{}`", port.name);
            let help = "leave it out, or synchronise through it";
            declared.problems.push(Problem::warning("M1038", port.span, message, help));
            continue;
        };
        let shown = |direction| match direction {
            Direction::Up => "from agents to their host",
            Direction::Down => "from a host to its agents",
            Direction::Across => "between agents",
        };
        if let Some(other) = uses.iter().find(|other| other.direction() != first.direction()) {
            let (one, two) = (shown(first.direction()), shown(other.direction()));
            let message = format!("port `{}` goes {one}, and here it goes {two}", port.name);
            let help = "declare a port for each direction";
            let problem = Problem::error("M1035", other.span, message, help);
            declared.problems.push(problem.also(first.span, "the first use"));
            continue;
        }
        let missing = if uses.iter().all(|other| other.sends) {
            Some("receives from it")
        } else if uses.iter().all(|other| !other.sends) {
            Some("sends to it")
        } else {
            None
        };
        if let Some(missing) = missing {
            let message = format!("port `{}` is dead: nothing {missing}", port.name);
            let help = "its transitions can never fire: write the other side";
            let problem = Problem::warning("M1034", port.span, message, help);
            declared.problems.push(problem.also(first.span, "waits here"));
        }
    }
}
