//! What has no translation, and what to say about it.

use motet_source::{Entry, Problem, Span};

/// A construct without a translation, as a problem.
pub(crate) type Refusal = Box<Problem>;

/// A construct without a translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// Something of the language, named.
    Construct(String),
    /// Nets in nets in nets.
    Depth(String),
    /// A number beyond 32 bits.
    Number(i64),
    /// Sets where they have no room.
    Set(String),
    /// More options, or more text, than a model should have.
    Size(String),
}

impl Lack {
    /// The problem at the place where it was met.
    pub(crate) fn at(&self, span: Span) -> Refusal {
        let native = "ask the engines of Motet: `motet check MODEL`";
        let (code, message, help) = match self {
            Self::Construct(what) => ("M0980", format!("{what} has no Promela translation"), native),
            Self::Depth(what) => {
                ("M0981", format!("{what} holds agents, and it is an agent net itself"), native)
            }
            Self::Number(number) => (
                "M0982",
                format!("{number} does not fit the numbers of Promela"),
                "use smaller numbers, or ask the engines of Motet",
            ),
            Self::Set(what) => (
                "M0983",
                format!("{what} is a set inside a token, and its members are not few and simple"),
                "make them an enumeration or a short range, or keep the set in a cell of its own",
            ),
            Self::Size(what) => {
                ("M0984", format!("the Promela translation would be too long: {what}"), native)
            }
        };
        Box::new(Problem::error(code, span, message, help))
    }
}

pub(crate) const CODES: &[Entry] = &[
    Entry {
        code: "M0980",
        title: "a construct of nets cannot be exported to Promela",
        text: "Guards become expressions over arrays that hold the tokens. A few constructs cannot be written so: differences of \
               bags, comparisons of agents by their contents, a division in a guard by something that may be zero, a new agent \
               under a condition. The engines of Motet know all of these; only the export is refused.",
    },
    Entry {
        code: "M0981",
        title: "nets nested more than two levels deep cannot be exported to Promela",
        text: "The Promela model has a table of agents for each agent net, and all of them are agents of the system net. An agent \
               net with places for agents has no such table.",
    },
    Entry {
        code: "M0982",
        title: "a number of a net cannot be exported to Promela",
        text: "Numbers of Promela have 32 bits; those of nets have 64.",
    },
    Entry {
        code: "M0983",
        title: "a set inside a token cannot be exported to Promela",
        text: "A set in a cell of its own is a sorted array. A set inside a token or a record is one number with a bit for each \
               possible member, so its members are of an enumeration, of `bool`, of `class` or of a range of at most 31 numbers.",
    },
    Entry {
        code: "M0984",
        title: "the Promela translation of a net is too long",
        text: "Each way to choose tokens, members and partners is an option of its own, so many tokens in the places around one \
               transition make very long texts.",
    },
];
