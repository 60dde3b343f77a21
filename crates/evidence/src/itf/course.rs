//! One run of a trace: what is written of each of its states, and how it is found again.

use motet_model::{Model, Snapshot, State, Words};
use serde_json::{Map, Value, json};

use super::{Unreadable, number};
use crate::follow::{go_on, rebuild};
use crate::{Evidence, Fairness, Forged, Run};

/// A run that was read: its choices, and the words to notice another model by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    /// Which initial state it starts in.
    initial: u32,
    /// How many of its first steps are those of the run that it is a branch of, and are not written again.
    shared: usize,
    /// The ordinal and the branch of each step.
    ordinals: Vec<(u32, u32)>,
    /// Where the run goes on after the last step, for ever.
    loop_start: Option<usize>,
    /// Which runs counted.
    fairness: Fairness,
    /// Who moved and what was done, per step.
    stories: Vec<(String, String)>,
    /// The variables, per state.
    states: Vec<Map<String, Value>>,
}

/// The states of a run that is entered at a time, as the format has them, from the state number `first` on.
pub(super) fn states(
    model: &dyn Model,
    words: &dyn Words,
    evidence: &Evidence,
    (entered, first): (u64, usize),
) -> Vec<Value> {
    let run = &evidence.run;
    // The last state of a loop is the loop's first one again; the field `loop` says so.
    let shown = run.states.len() - usize::from(evidence.loop_start.is_some());
    let mut time = entered;
    let mut previous: Option<Map<String, Value>> = None;
    let mut states = Vec::new();
    for (index, state) in run.states[..shown].iter().enumerate() {
        let delay = run.steps.get(index).map_or(0, |taken| u64::from(taken.delay));
        if index < first {
            time += delay;
            continue;
        }
        let told = variables(&words.snapshot(state));
        let mut written = told.clone();
        let meta = meta(model, words, (run, index), time, previous.as_ref(), &told);
        written.insert("#meta".to_owned(), meta);
        states.push(Value::Object(written));
        previous = Some(told);
        time += delay;
    }
    states
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

pub(super) fn fairness_word(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::None => "none",
        Fairness::Weak => "weak",
        Fairness::Strong => "strong",
    }
}

impl Course {
    /// A run whose start and fairness stand in `about`, and whose states and loop stand in `trace`.
    pub(super) fn read(about: &Value, trace: &Value) -> Result<Self, Unreadable> {
        let fairness = match about["fairness"].as_str() {
            Some("none") => Fairness::None,
            Some("weak") => Fairness::Weak,
            Some("strong") => Fairness::Strong,
            _ => return Err(Unreadable::Field("#meta.motet.fairness")),
        };
        let shared = if about["shared"].is_null() { 0 } else { number(&about["shared"], "shared")? as usize };
        let mut course = Self {
            initial: number(&about["initial"], "#meta.motet.initial")?,
            shared,
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
            course.loop_start = Some(start).filter(|&start| start < shared + states.len());
            course.loop_start.ok_or(Unreadable::Field("loop"))?;
        }
        let n_steps = states.len() - usize::from(course.loop_start.is_none());
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        for (index, state) in states.iter().enumerate() {
            let mut variables = state.as_object().ok_or(Unreadable::Field("states"))?.clone();
            let meta = variables.remove("#meta").unwrap_or_default();
            if index < n_steps {
                let branch = number(&meta["branch"], "branch")?;
                course.ordinals.push((number(&meta["ordinal"], "ordinal")?, branch));
                course.stories.push((text(&meta["agent"]), text(&meta["action"])));
            }
            course.states.push(variables);
        }
        Ok(course)
    }

    /// How many steps it has.
    pub(super) fn n_steps(&self) -> usize {
        self.shared + self.ordinals.len()
    }

    /// The run from its initial state; `other` is the run from an initial state that it may share its first steps with.
    pub(super) fn whole(
        &self,
        model: &dyn Model,
        words: &dyn Words,
        other: Option<&Run>,
    ) -> Result<Evidence, Unreadable> {
        if self.shared == 0 {
            return self.told(model, words, rebuild(model, self.initial, &self.ordinals)?);
        }
        let other = other.filter(|other| other.initial == self.initial && self.shared <= other.steps.len());
        let other = other.ok_or(Unreadable::Field("shared"))?;
        let run = Run {
            initial: self.initial,
            states: other.states[..=self.shared].to_vec(),
            steps: other.steps[..self.shared].to_vec(),
        };
        self.told(model, words, go_on(model, run, &self.ordinals)?)
    }

    /// The run from a state on.
    pub(super) fn onward(
        &self,
        model: &dyn Model,
        words: &dyn Words,
        state: &State,
    ) -> Result<Evidence, Unreadable> {
        if self.shared > 0 {
            return Err(Unreadable::Field("shared"));
        }
        let run = Run { initial: self.initial, states: vec![state.into()], steps: Vec::new() };
        self.told(model, words, go_on(model, run, &self.ordinals)?)
    }

    /// The run, if the model tells it as it was told.
    fn told(&self, model: &dyn Model, words: &dyn Words, run: Run) -> Result<Evidence, Unreadable> {
        for (number, recorded) in self.states.iter().enumerate() {
            let index = self.shared + number;
            let step = self.stories.get(number);
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
