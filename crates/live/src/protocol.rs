//! The skill protocol, `motet.skills/1`: what agents and skills say to each other, one JSON object a line.
//!
//! Calls, stops and news have the same form in the protocol and in the log of a run.

use motet_model::{Manifest, News, Order, Repeat, Skill, Trouble};
use motet_render::{RunNews, RunObject, RunOrder, RunSkill};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::lines::excerpt;

/// The version of the protocol, in the first line that skills hear.
pub const PROTOCOL: &str = "motet.skills/1";

/// The first line that skills hear.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub hello: String,
    /// The agents.
    pub agents: Vec<String>,
    /// What may be called.
    pub actions: Vec<RunSkill>,
    /// What may be told; empty where every term means something.
    pub percepts: Vec<String>,
    /// `lockstep` or `rate`.
    pub pace: String,
    /// Cycles a second, with a rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// How much faster than the clock.
    pub speed: f64,
}

/// The line that ends the orders of a cycle.
#[derive(Clone, Debug, Serialize)]
pub struct Tick<'a> {
    /// The number of the cycle.
    pub tick: u64,
    /// The sentences that are believed.
    pub beliefs: &'a [String],
}

/// How a run keeps time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Each cycle waits until the skills have said everything of it.
    Lockstep,
    /// So many cycles a second; what has arrived by the end of a cycle counts.
    Rate(f64),
}

impl Pace {
    /// As the protocol spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lockstep => "lockstep",
            Self::Rate(_) => "rate",
        }
    }

    /// Cycles a second, with a rate.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        match self {
            Self::Lockstep => None,
            Self::Rate(rate) => Some(rate),
        }
    }
}

impl Hello {
    /// The greeting for skills of this team.
    #[must_use]
    pub fn new(manifest: &Manifest, pace: Pace, speed: f64) -> Self {
        Self {
            hello: PROTOCOL.to_owned(),
            agents: manifest.agents.clone(),
            actions: manifest.actions.iter().map(skill).collect(),
            percepts: manifest.percepts.clone(),
            pace: pace.name().to_owned(),
            rate: pace.rate(),
            speed,
        }
    }
}

fn skill(skill: &Skill) -> RunSkill {
    RunSkill {
        name: skill.name.clone(),
        repeat: repeat_text(skill.repeat).to_owned(),
        feedbacks: skill.feedbacks.clone(),
    }
}

fn repeat_text(repeat: Repeat) -> &'static str {
    match repeat {
        Repeat::Once => "once",
        Repeat::Repeated => "repeated",
    }
}

/// What skills are told.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// The greeting; who speaks which version.
    Hello(String),
    /// A call or a stop.
    Order(Order),
    /// A cycle's orders are complete: its number, and the sentences that are believed.
    Tick(u64, Vec<String>),
    /// The run ends.
    Bye(String),
}

/// What skills say.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// The skills can be called.
    Ready(String),
    /// Something happened.
    News(News),
    /// The value of an object.
    Object(RunObject),
    /// Something for a page.
    Show(Value),
    /// Something for people.
    Log(String),
    /// Everything of this cycle was said.
    Done(u64),
    /// The run is over.
    Bye(String),
}

/// A line that is no message of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nonsense {
    /// What kind: one line of a log is enough for each in a cycle.
    pub kind: &'static str,
    /// What is wrong, and an excerpt.
    pub text: String,
}

impl Nonsense {
    fn new(kind: &'static str, detail: &str, line: &str) -> Self {
        let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
        Self { kind, text: format!("{kind}{detail}: {}", excerpt(line)) }
    }
}

/// The line of a call or a stop.
#[must_use]
pub fn order_text(order: &Order) -> RunOrder {
    match order {
        Order::Call { agent, call, action, arguments, repeat } => RunOrder::Call {
            call: action.clone(),
            id: *call,
            agent: agent.clone(),
            args: arguments.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect(),
            repeat: repeat_text(*repeat).to_owned(),
        },
        Order::Stop { agent, action } => RunOrder::Stop { stop: action.clone(), agent: agent.clone() },
    }
}

/// The line of something that happened.
#[must_use]
pub fn news_text(news: &News) -> RunNews {
    match news {
        News::Percept { agent, what, holds } => {
            RunNews::Percept { percept: what.clone(), value: *holds, agent: agent.clone() }
        }
        News::Feedback { call, what } => RunNews::Feedback { feedback: what.clone(), id: *call },
        News::Message { from, to, what } => {
            RunNews::Message { message: what.clone(), from: from.clone(), to: to.clone() }
        }
        News::Trouble(trouble) => RunNews::Trouble { trouble: trouble.sentence().to_owned() },
    }
}

/// What happened, from its line. `None` for a trouble that this version does not know.
#[must_use]
pub fn news_of(text: &RunNews) -> Option<News> {
    Some(match text {
        RunNews::Percept { percept, value, agent } => {
            News::Percept { agent: agent.clone(), what: percept.clone(), holds: *value }
        }
        RunNews::Feedback { feedback, id } => News::Feedback { call: *id, what: feedback.clone() },
        RunNews::Message { message, from, to } => {
            News::Message { from: from.clone(), to: to.clone(), what: message.clone() }
        }
        RunNews::Trouble { trouble } => {
            News::Trouble(Trouble::ALL.into_iter().find(|known| known.sentence() == trouble)?)
        }
    })
}

/// The line of a message, with its end.
#[must_use]
pub fn line(message: &impl Serialize) -> String {
    let mut text = serde_json::to_string(message).expect("messages hold texts and numbers only");
    text.push('\n');
    text
}

/// What a line of a skill says.
///
/// # Errors
/// What is wrong with it.
pub fn hear(line: &str) -> Result<Heard, Nonsense> {
    let fields = Fields::read(line)?;
    let first = ["ready", "feedback", "percept", "message", "object", "show", "log", "done", "bye"]
        .into_iter()
        .find(|key| fields.map.contains_key(*key));
    Ok(match first {
        Some("ready") => Heard::Ready(fields.text("ready")?),
        Some("feedback") => {
            Heard::News(News::Feedback { call: fields.number("id")?, what: fields.text("feedback")? })
        }
        Some("percept") => Heard::News(News::Percept {
            agent: fields.perhaps("agent")?,
            what: fields.text("percept")?,
            holds: fields.truth("value")?,
        }),
        Some("message") => Heard::News(News::Message {
            from: fields.perhaps("from")?.unwrap_or_default(),
            to: fields.perhaps("to")?,
            what: fields.text("message")?,
        }),
        Some("object") => {
            let value = fields.map.get("value").cloned().unwrap_or(Value::Null);
            Heard::Object(RunObject { name: fields.text("object")?, value })
        }
        Some("show") => Heard::Show(fields.map.get("show").cloned().unwrap_or(Value::Null)),
        Some("log") => Heard::Log(fields.text("log")?),
        Some("done") => match fields.number("done")? {
            Some(cycle) => Heard::Done(cycle),
            None => return Err(fields.wrong("`done` is no number")),
        },
        Some(_) => Heard::Bye(fields.perhaps("bye")?.unwrap_or_default()),
        None => return Err(Nonsense::new("no message of the protocol", "", line)),
    })
}

/// What a line of an agent says, for skills. Further fields of the greeting are left to those who want them.
///
/// # Errors
/// What is wrong with it.
pub fn told(line: &str) -> Result<Told, Nonsense> {
    let fields = Fields::read(line)?;
    let has = |key: &str| fields.map.contains_key(key);
    Ok(if has("hello") {
        Told::Hello(fields.text("hello")?)
    } else if has("call") {
        Told::Order(Order::Call {
            agent: fields.text("agent")?,
            call: fields.number("id")?.ok_or_else(|| fields.wrong("`id` is missing"))?,
            action: fields.text("call")?,
            arguments: fields.arguments(),
            repeat: match fields.perhaps("repeat")?.as_deref() {
                Some("repeated") => Repeat::Repeated,
                _ => Repeat::Once,
            },
        })
    } else if has("stop") {
        Told::Order(Order::Stop { agent: fields.text("agent")?, action: fields.text("stop")? })
    } else if has("tick") {
        let cycle = fields.number("tick")?.ok_or_else(|| fields.wrong("`tick` is no number"))?;
        Told::Tick(cycle, fields.texts("beliefs"))
    } else if has("bye") {
        Told::Bye(fields.perhaps("bye")?.unwrap_or_default())
    } else {
        return Err(Nonsense::new("no message of the protocol", "", line));
    })
}

/// The fields of a line.
struct Fields<'a> {
    line: &'a str,
    map: Map<String, Value>,
}

impl<'a> Fields<'a> {
    fn read(line: &'a str) -> Result<Self, Nonsense> {
        match serde_json::from_str(line) {
            Ok(Value::Object(map)) => Ok(Self { line, map }),
            Ok(_) => Err(Nonsense::new("not a JSON object", "", line)),
            Err(_) => Err(Nonsense::new("not JSON", "", line)),
        }
    }

    fn wrong(&self, detail: &str) -> Nonsense {
        Nonsense::new("a message of the wrong shape", detail, self.line)
    }

    fn text(&self, key: &str) -> Result<String, Nonsense> {
        self.perhaps(key)?.ok_or_else(|| self.wrong(&format!("`{key}` is missing")))
    }

    fn perhaps(&self, key: &str) -> Result<Option<String>, Nonsense> {
        match self.map.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(&format!("`{key}` is no text"))),
        }
    }

    fn number(&self, key: &str) -> Result<Option<u64>, Nonsense> {
        match self.map.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) => Ok(Some(number)),
                None => Err(self.wrong(&format!("`{key}` is no whole number"))),
            },
        }
    }

    fn truth(&self, key: &str) -> Result<bool, Nonsense> {
        match self.map.get(key) {
            Some(Value::Bool(value)) => Ok(*value),
            _ => Err(self.wrong(&format!("`{key}` is neither true nor false"))),
        }
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let items = self.map.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
    }

    fn arguments(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let fields = self.map.get("args").and_then(Value::as_object);
        fields.into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let order = Order::Call {
            agent: "asv".to_owned(),
            call: 17,
            action: "Get under way".to_owned(),
            arguments: vec![("speed".to_owned(), "3".to_owned())],
            repeat: Repeat::Repeated,
        };
        let stop = Order::Stop { agent: "asv".to_owned(), action: "Get under way".to_owned() };
        for order in [order, stop] {
            assert_eq!(told(&line(&order_text(&order))), Ok(Told::Order(order)));
        }
        for news in [
            News::Percept { agent: None, what: "It rains".to_owned(), holds: false },
            News::Feedback { call: Some(3), what: "Under way".to_owned() },
            News::Message { from: "operator".to_owned(), to: None, what: "Continue".to_owned() },
        ] {
            assert_eq!(hear(&line(&news_text(&news))), Ok(Heard::News(news)));
        }
    }

    #[test]
    fn every_trouble_is_read_again_from_a_log() {
        for trouble in Trouble::ALL {
            assert_eq!(news_of(&news_text(&News::Trouble(trouble))), Some(News::Trouble(trouble)));
        }
    }

    #[test]
    fn a_line_of_the_wrong_shape_is_told_with_what_is_wrong() {
        let kinds = [
            ("hello", "not JSON"),
            ("[1]", "not a JSON object"),
            ("{\"x\":1}", "no message of the protocol"),
            ("{\"percept\":\"It rains\"}", "a message of the wrong shape"),
            ("{\"done\":-1}", "a message of the wrong shape"),
            ("{\"trouble\":\"Skills are dead\"}", "no message of the protocol"),
        ];
        for (line, kind) in kinds {
            assert_eq!(hear(line).unwrap_err().kind, kind, "{line}");
        }
        let text = hear("{\"percept\":\"It rains\"}").unwrap_err().text;
        assert!(text.contains("`value` is neither true nor false") && text.contains("It rains"), "{text}");
        // Nesting without end is refused by the reader of JSON, not by the stack.
        assert_eq!(hear(&"[".repeat(60_000)).unwrap_err().kind, "not JSON");
    }
}
