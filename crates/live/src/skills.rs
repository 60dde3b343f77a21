//! Who carries out what agents decide: a process, or the log of a run that is followed again.

use motet_model::{News, Order, Trouble};
use motet_render::{RunObject, RunRemark};
use serde_json::Value;

use crate::protocol::Hello;

/// The other end of a run.
pub trait Skills {
    /// Greets, and waits until the skills can be called.
    fn begin(&mut self, hello: &Hello) -> Gathered;

    /// Tells the orders of a cycle and what is believed in it.
    fn order(&mut self, cycle: u64, orders: &[Order], beliefs: &[String]);

    /// What was said in this cycle. It ends in bounded time.
    fn gather(&mut self, cycle: u64) -> Gathered;

    /// Ends the conversation: what is to be said of it.
    fn end(&mut self, why: &str) -> Vec<RunRemark>;

    /// Where the news come from.
    fn source(&self) -> Source {
        Source::Live
    }
}

/// Where news come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// From the world, while it happens.
    Live,
    /// From the log of an earlier run, whose news hold the troubles of that run already.
    Log,
}

/// What was said in a cycle.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// What happened, in the order in which it was said.
    pub news: Vec<News>,
    /// What went wrong with the skills.
    pub troubles: Vec<Trouble>,
    /// The same in words, and more.
    pub remarks: Vec<RunRemark>,
    /// Objects, each with its last value.
    pub objects: Vec<RunObject>,
    /// What is to be shown.
    pub shown: Vec<Value>,
    /// What was said for people.
    pub said: Vec<String>,
    /// What the skills call themselves, when they said so.
    pub ready: Option<String>,
    /// Milliseconds since the beginning, where a clock counts.
    pub millis: Option<u64>,
    /// How things stand after it.
    pub standing: Standing,
}

impl Gathered {
    /// Adds a trouble with its words, once in a cycle.
    pub(crate) fn trouble(&mut self, trouble: Trouble, text: impl Into<String>) {
        if !self.troubles.contains(&trouble) {
            self.troubles.push(trouble);
        }
        self.remarks.push(RunRemark { about: trouble.sentence().to_owned(), text: text.into() });
    }
}

/// How it stands with the skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// They talk.
    #[default]
    Alive,
    /// They did not say in time that they are done.
    Stalled,
    /// They will not say anything any more.
    Dead,
    /// They ended the run.
    Bye(String),
    /// What was recorded is at its end, which came about in this way.
    Recorded(Box<motet_render::RunEnd>),
}
