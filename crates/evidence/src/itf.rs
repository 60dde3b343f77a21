//! The one form of a run on disk: the Informal Trace Format of Apalache (its ADR 015), which other viewers open.
//!
//! Each agent is a variable, a record of its sections. What Motet needs to follow the run again is in the `#meta` fields:
//! the ordinals of the steps, never the numbers inside states, because those depend on the order of a search. A state's
//! `#meta` tells the step that leaves it, and the model time at which it is entered; the time is for readers, because the
//! model knows the delays. In a run that repeats for ever the field `loop` is the number of the state that
//! follows the last one.
//!
//! Evidence that is a tree keeps its other runs in `#meta.motet.branches`, in the same form; viewers of single runs pass
//! over them.

mod branches;
mod course;
mod notation;

use motet_model::{Model, TimeUnit, Words};
use serde_json::{Value, json};
use thiserror::Error;

use crate::{Evidence, Forged};
use branches::RecordedBranch;
use course::Course;

/// The version of what is in the `#meta` fields.
const SCHEMA: &str = "motet.trace/1";

/// What a trace is about, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// The name of the claim.
    pub claim: String,
    /// The claim as its author wrote it.
    pub text: String,
    /// Where the model is.
    pub model: String,
    /// What the host has to say again to load the same model: names and values, such as `-D LAST` and `5`.
    pub settings: Vec<(String, String)>,
}

/// A trace that was read: enough to find the same run in the same model, and the words to notice another model by.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// What it is about.
    pub title: Title,
    course: Course,
    branches: Vec<RecordedBranch>,
}

/// Why a text is not a trace of this model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// Not JSON.
    #[error("the trace is not valid JSON: {0}")]
    Json(String),
    /// Not a trace that Motet wrote.
    #[error("the trace has no usable `{0}`")]
    Field(&'static str),
    /// Written by a later version.
    #[error("the trace has the form `{0}`, which this version does not know")]
    Schema(String),
    /// The model has no such run any more.
    #[error("the trace does not fit the model: {0}")]
    Forged(#[from] Forged),
    /// The model has a run with these ordinals, but it tells another story.
    #[error("the model tells another story at state {0}; it was changed since the trace was written")]
    Changed(usize),
    /// A branch says something that the model has no words for.
    #[error("the trace speaks of what the model and its claims do not know: {0}")]
    Foreign(String),
}

/// The trace as JSON text.
#[must_use]
pub fn to_itf(model: &dyn Model, words: &dyn Words, title: &Title, evidence: &Evidence) -> String {
    let states = course::states(model, words, evidence, (0, 0));
    let names: std::collections::BTreeSet<&String> = states
        .iter()
        .filter_map(Value::as_object)
        .flat_map(|state| state.keys())
        .filter(|name| *name != "#meta")
        .collect();
    let mut trace = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": title.text,
            "motet": {
                "schema": SCHEMA,
                "claim": title.claim,
                "model": title.model,
                "settings": title.settings,
                "initial": evidence.run.initial,
                "unit": unit(model.signature().unit),
                "fairness": course::fairness_word(evidence.fairness),
            },
        },
        "vars": names,
        "states": states,
    });
    if let Some(start) = evidence.loop_start {
        trace["loop"] = json!(start);
    }
    if !evidence.branches.is_empty() {
        trace["#meta"]["motet"]["branches"] = json!(branches::write(model, words, evidence));
    }
    serde_json::to_string_pretty(&trace).expect("a JSON value can be written")
}

/// What `time` counts.
fn unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Milliseconds => "ms",
        TimeUnit::Cycles => "cycles",
        TimeUnit::Firings => "firings",
        TimeUnit::Steps => "steps",
    }
}

/// Reads a trace that [`to_itf`] wrote.
///
/// # Errors
/// When the text is no such trace.
pub fn read_itf(text: &str) -> Result<Recorded, Unreadable> {
    let trace: Value = serde_json::from_str(text).map_err(|error| Unreadable::Json(error.to_string()))?;
    let about = &trace["#meta"]["motet"];
    match about["schema"].as_str() {
        Some(SCHEMA) => {}
        Some(other) => return Err(Unreadable::Schema(other.to_owned())),
        None => return Err(Unreadable::Field("#meta.motet.schema")),
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let settings = about["settings"].as_array().into_iter().flatten();
    Ok(Recorded {
        title: Title {
            claim: text(&about["claim"]),
            text: text(&trace["#meta"]["description"]),
            model: text(&about["model"]),
            settings: settings.map(|pair| (text(&pair[0]), text(&pair[1]))).collect(),
        },
        course: Course::read(about, &trace)?,
        branches: branches::read(&about["branches"])?,
    })
}

fn number(value: &Value, field: &'static str) -> Result<u32, Unreadable> {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).ok_or(Unreadable::Field(field))
}

impl Recorded {
    /// Finds the run in the model again, and the other runs of a tree. Whether they prove anything is for a replay to say.
    ///
    /// # Errors
    /// When the model has no such run, or tells it in other words.
    pub fn evidence(&self, model: &dyn Model, words: &dyn Words) -> Result<Evidence, Unreadable> {
        let main = self.course.whole(model, words, None)?;
        branches::grow(model, words, main, &self.branches)
    }
}
