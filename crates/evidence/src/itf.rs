//! The one form of a run on disk: the Informal Trace Format of Apalache (its ADR 015), which other viewers open.
//!
//! Each agent is a variable, a record of its sections. What Motet needs to follow the run again is in the `#meta` fields:
//! the ordinals of the steps, never the numbers inside states, because those depend on the order of a search. A state's
//! `#meta` tells the step that leaves it, and the model time at which it is entered; the time is for readers, because the
//! model knows the delays. In a run that repeats for ever the field `loop` is the number of the state that
//! follows the last one.

use motet_model::{Model, Snapshot, TimeUnit, Words};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::{Evidence, Fairness, Forged, Run, rebuild};

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
    /// Which initial state it starts in.
    pub initial: u32,
    /// The ordinal and the branch of each step.
    pub ordinals: Vec<(u32, u32)>,
    /// Where the run goes on after the last step, for ever.
    pub loop_start: Option<usize>,
    /// Which runs counted.
    pub fairness: Fairness,
    /// Who moved and what was done, per step.
    stories: Vec<(String, String)>,
    /// The variables, per state.
    states: Vec<Map<String, Value>>,
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
}

/// The trace as JSON text.
#[must_use]
pub fn to_itf(model: &dyn Model, words: &dyn Words, title: &Title, evidence: &Evidence) -> String {
    let run = &evidence.run;
    // The last state of a loop is the loop's first one again; the field `loop` says so.
    let shown = run.states.len() - usize::from(evidence.loop_start.is_some());
    let states: Vec<Map<String, Value>> =
        run.states[..shown].iter().map(|s| variables(&words.snapshot(s))).collect();
    let names: Vec<&String> =
        states.iter().flat_map(Map::keys).collect::<std::collections::BTreeSet<_>>().into_iter().collect();
    let entered = run.steps.iter().scan(0_u64, |time, taken| {
        *time += u64::from(taken.delay);
        Some(*time)
    });
    let times: Vec<u64> = std::iter::once(0).chain(entered).collect();
    let state = |(index, state): (usize, &Map<String, Value>)| {
        let mut state = state.clone();
        let previous = index.checked_sub(1).map(|before| &states[before]);
        state.insert("#meta".to_owned(), meta(model, words, (run, index), times[index], previous, &state));
        Value::Object(state)
    };
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
                "initial": run.initial,
                "unit": unit(model.signature().unit),
                "fairness": match evidence.fairness { Fairness::None => "none", Fairness::Weak => "weak", Fairness::Strong => "strong" },
            },
        },
        "vars": names,
        "states": states.iter().enumerate().map(state).collect::<Vec<_>>(),
    });
    if let Some(start) = evidence.loop_start {
        trace["loop"] = json!(start);
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

/// Each mind as a record of lists. Names are made unique, and kept apart from the format's own.
fn variables(snapshot: &Snapshot) -> Map<String, Value> {
    let mut variables = Map::new();
    for mind in &snapshot.minds {
        let mut sections = Map::new();
        for section in &mind.sections {
            insert_unique(&mut sections, &section.title, json!(section.items));
        }
        insert_unique(&mut variables, &mind.name, Value::Object(sections));
    }
    variables
}

fn insert_unique(map: &mut Map<String, Value>, name: &str, value: Value) {
    let mut name = if name.starts_with('#') { format!("_{name}") } else { name.to_owned() };
    while map.contains_key(&name) {
        name.push('_');
    }
    map.insert(name, value);
}

fn meta(
    model: &dyn Model,
    words: &dyn Words,
    (run, index): (&Run, usize),
    time: u64,
    previous: Option<&Map<String, Value>>,
    state: &Map<String, Value>,
) -> Value {
    let mut meta = json!({ "index": index, "time": time });
    if let Some(taken) = run.steps.get(index) {
        let (agent, action) = story(model, words, run, index);
        meta["agent"] = json!(agent);
        meta["action"] = json!(action);
        meta["ordinal"] = json!(taken.ordinal);
        meta["branch"] = json!(taken.branch);
    }
    if let Some(previous) = previous {
        let changed: Vec<&String> =
            state.iter().filter(|(k, v)| previous.get(*k) != Some(v)).map(|(k, _)| k).collect();
        meta["changed"] = json!(changed);
    }
    meta
}

fn story(model: &dyn Model, words: &dyn Words, run: &Run, step: usize) -> (String, String) {
    let taken = run.steps[step];
    let agent = model.signature().processes.get(taken.process.index()).cloned().unwrap_or_default();
    (agent, words.action(taken.action))
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
    let fairness = match about["fairness"].as_str() {
        Some("none") => Fairness::None,
        Some("weak") => Fairness::Weak,
        Some("strong") => Fairness::Strong,
        _ => return Err(Unreadable::Field("#meta.motet.fairness")),
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut recorded = Recorded {
        title: Title {
            claim: text(&about["claim"]),
            text: text(&trace["#meta"]["description"]),
            model: text(&about["model"]),
            settings: about["settings"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|pair| (text(&pair[0]), text(&pair[1])))
                .collect(),
        },
        initial: number(&about["initial"], "#meta.motet.initial")?,
        ordinals: Vec::new(),
        loop_start: None,
        fairness,
        stories: Vec::new(),
        states: Vec::new(),
    };
    let states = trace["states"].as_array().filter(|states| !states.is_empty());
    let states = states.ok_or(Unreadable::Field("states"))?;
    if !trace["loop"].is_null() {
        let start = number(&trace["loop"], "loop")? as usize;
        recorded.loop_start = Some(start).filter(|&start| start < states.len());
        recorded.loop_start.ok_or(Unreadable::Field("loop"))?;
    }
    let n_steps = states.len() - usize::from(recorded.loop_start.is_none());
    for (index, state) in states.iter().enumerate() {
        let mut variables = state.as_object().ok_or(Unreadable::Field("states"))?.clone();
        let meta = variables.remove("#meta").unwrap_or_default();
        if index < n_steps {
            let branch = number(&meta["branch"], "branch")?;
            recorded.ordinals.push((number(&meta["ordinal"], "ordinal")?, branch));
            recorded.stories.push((text(&meta["agent"]), text(&meta["action"])));
        }
        recorded.states.push(variables);
    }
    Ok(recorded)
}

fn number(value: &Value, field: &'static str) -> Result<u32, Unreadable> {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).ok_or(Unreadable::Field(field))
}

impl Recorded {
    /// Finds the run in the model again. Whether it proves anything is for a replay to say.
    ///
    /// # Errors
    /// When the model has no such run, or tells it in other words.
    pub fn evidence(&self, model: &dyn Model, words: &dyn Words) -> Result<Evidence, Unreadable> {
        let run = rebuild(model, self.initial, &self.ordinals)?;
        for (index, recorded) in self.states.iter().enumerate() {
            let step = self.stories.get(index);
            let told = step.is_none_or(|step| *step == story(model, words, &run, index));
            if !told || variables(&words.snapshot(&run.states[index])) != *recorded {
                return Err(Unreadable::Changed(index));
            }
        }
        if let Some(start) = self.loop_start
            && run.states.last() != run.states.get(start)
        {
            return Err(Forged::Loop.into());
        }
        Ok(Evidence::new(run, self.loop_start, self.fairness))
    }
}
