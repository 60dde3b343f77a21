//! What happens, and how often: `at most twice p`, `p again`, `each time p`, messages as events.

use super::Node;

/// `at most twice p`
#[derive(Clone, Debug)]
pub struct Count {
    /// Which numbers will do.
    pub tally: Tally,
    /// The number.
    pub times: Times,
    /// How it was written.
    pub wording: Wording,
    /// What happens.
    pub what: Node,
}

/// Which numbers of times will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// `at most`
    AtMost,
    /// `at least`
    AtLeast,
    /// `exactly`
    Exactly,
}

/// How many times.
#[derive(Clone, Debug)]
pub enum Times {
    /// `once`
    Once,
    /// `twice`
    Twice,
    /// `3 times`, `N times`
    Number(Box<Node>),
}

/// Where the words of a count stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// `at most twice p`
    Before,
    /// `p at most twice`
    Behind,
    /// `never p twice`: that is at most once.
    NeverTwice,
    /// `never p more than twice`
    NeverMoreThan,
}

/// One end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// `a sends b c`
    Sends,
    /// `b reads c from a`
    Reads,
}

impl Tally {
    /// As written.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::AtMost => "at most",
            Self::AtLeast => "at least",
            Self::Exactly => "exactly",
        }
    }
}
