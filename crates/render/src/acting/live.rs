//! A run of agents that act, as events: what is logged, streamed to programs and pages, and told as text. All readers of a
//! run get the same events.

use motet_model::Snapshot;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::runs::mind::mind_changes;

/// The version of the events, in the first one of every run.
pub const RUN_SCHEMA: &str = "motet.run/1";

/// One event of a run; a line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum RunEvent {
    /// The first one.
    Begin(Box<RunHead>),
    /// One cycle.
    Cycle(Box<RunCycle>),
    /// The last one.
    End(Box<RunEnd>),
}

/// What a run is a run of, and how it was started: everything that has to be the same for the same run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunHead {
    /// [`RUN_SCHEMA`].
    pub schema: String,
    /// The model's path as the user wrote it.
    pub model: String,
    /// The digest of its texts.
    pub sha256: String,
    /// What the command line says about the model, in its spelling: `("-D LAST", "5")`.
    pub settings: Vec<(String, String)>,
    /// The skills' command line.
    pub skills: String,
    /// `lockstep` or `rate`.
    pub pace: String,
    /// Cycles a second, with a rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// How much faster than the clock.
    pub speed: f64,
    /// How alternatives are chosen between: `first`, `random`, `advise`.
    pub select: String,
    /// With advice: the queries it is asked by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// For what is chosen at random.
    pub seed: u64,
    /// When the run ends, as the user wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// How many cycles at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u64>,
    /// The agents.
    pub agents: Vec<String>,
    /// What skills may be asked for.
    pub actions: Vec<RunSkill>,
    /// What they may tell.
    pub percepts: Vec<String>,
    /// What the skills call themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<String>,
    /// What the agents have in mind before the first cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub minds: Vec<RunMind>,
}

/// An action that a skill carries out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunSkill {
    /// As it is called.
    pub name: String,
    /// `once` or `repeated`.
    pub repeat: String,
    /// What it may report.
    pub feedbacks: Vec<String>,
}

/// One cycle. What is empty is left out of the line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunCycle {
    /// Counted from 1.
    pub cycle: u64,
    /// Milliseconds since the first cycle, with a rate; a run in lockstep has no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
    /// What could be chosen; empty where there was nothing to choose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<RunAlternative>,
    /// Which alternative was, by its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<usize>,
    /// Why that one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What the skills were asked to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<RunOrder>,
    /// What was perceived, in the order in which the agents heard it. A run is a function of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub news: Vec<RunNews>,
    /// What changed in the agents' minds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<RunChange>,
    /// What is worth a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<RunRemark>,
    /// Objects as skills told them, never interpreted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<RunObject>,
    /// What skills want shown on a page, never interpreted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Value>,
    /// Lines that skills wrote for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// The whole of the agents' minds after the cycle, for those who asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub minds: Vec<RunMind>,
}

/// Something that could be chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunAlternative {
    /// In the user's words: `plan 4`.
    pub text: String,
    /// What advice says of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<RunValue>,
}

/// A number that advice gives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunValue {
    /// The query: `L2`.
    pub query: String,
    /// Its value, as text.
    pub value: String,
}

/// What skills were asked to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RunOrder {
    /// To carry out an action.
    Call {
        /// The action.
        call: String,
        /// Which call it is.
        id: u64,
        /// Who asks.
        agent: String,
        /// Its arguments.
        #[serde(default)]
        args: serde_json::Map<String, Value>,
        /// `once` or `repeated`.
        repeat: String,
    },
    /// To stop a repeated action.
    Stop {
        /// The action.
        stop: String,
        /// Who asks.
        agent: String,
    },
}

/// What was perceived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RunNews {
    /// Something is or is no longer perceived.
    Percept {
        /// What.
        percept: String,
        /// Whether it holds.
        value: bool,
        /// By whom; `None` for everybody who can.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
    },
    /// An action reports.
    Feedback {
        /// What.
        feedback: String,
        /// Which call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
    },
    /// Somebody says something.
    Message {
        /// What.
        message: String,
        /// Who.
        from: String,
        /// To whom; `None` for everybody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// Something went wrong.
    Trouble {
        /// The sentence of the trouble.
        trouble: String,
    },
}

/// A line of a mind that came or went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunChange {
    /// Whose mind.
    pub agent: String,
    /// Which part of it: `beliefs`.
    pub section: String,
    /// `+` or `-`.
    pub sign: char,
    /// The line.
    pub item: String,
}

/// Something worth a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRemark {
    /// What it is about: the sentence of a trouble, `claim`, `drift`, `impossible`, `skills`.
    pub about: String,
    /// In the user's words.
    pub text: String,
}

/// An object as skills told it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunObject {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// What one agent has in mind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunMind {
    /// The agent.
    pub agent: String,
    /// Beliefs, plans and so on, in a fixed order.
    pub sections: Vec<RunSection>,
}

/// One kind of content of a mind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSection {
    /// `beliefs`, `events`, `desires`, `plans`.
    pub title: String,
    /// A line each.
    pub items: Vec<String>,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnd {
    /// How many cycles there were.
    pub cycles: u64,
    /// Why it ended: `bye`, `cycles`, `until`, `dead`, `silent`, `fault`, `interrupted`, `difference`.
    pub end: String,
    /// In words.
    pub reason: String,
    /// How the claims stand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standings: Vec<RunStanding>,
    /// How often what went wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub troubles: Vec<(String, u64)>,
    /// Calls made.
    pub calls: u64,
    /// News heard.
    pub news: u64,
    /// Choices made between two alternatives or more.
    pub choices: u64,
    /// Last words: what was found while the skills were put away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<RunRemark>,
}

/// How a claim stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStanding {
    /// The claim's name.
    pub claim: String,
    /// `true`, `false`, `undecided: no violation was seen`, `undecided: it was not seen`, or what else is to be said.
    pub standing: String,
    /// Since which cycle it is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u64>,
    /// Whether this is not as its author expects.
    #[serde(default)]
    pub alarm: bool,
}

/// Where a run that is followed again is not as its log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunDifference {
    /// In which cycle.
    pub cycle: u64,
    /// What differs: `alternatives`, `choice`, `orders`, `changes`, `end`.
    pub what: String,
    /// As recorded.
    pub recorded: String,
    /// As it is now.
    pub now: String,
}

/// What changed between two situations, in the order of agents and sections.
#[must_use]
pub fn run_changes(before: &Snapshot, after: &Snapshot) -> Vec<RunChange> {
    let mut found = Vec::new();
    for mind in &after.minds {
        let old = before.minds.iter().find(|old| old.name == mind.name);
        for (section, sign, item) in mind_changes(old, mind) {
            let (section, item) = (section.to_owned(), item.to_owned());
            found.push(RunChange { agent: mind.name.clone(), section, sign, item });
        }
    }
    found
}
