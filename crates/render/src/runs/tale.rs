//! A run in the user's words, as plain data.

use motet_evidence::Evidence;
use motet_model::{ActionId, AtomId, Model, ProcessId, State, Steps, Weight, Words};
use motet_property::Path;
use motet_source::Sources;

use crate::drawings::net::{Album, FRAMES, Frame};
use crate::runs::cause::Fact;
use crate::runs::chronicle::{Chronicle, chronicle};
use crate::runs::critical::{Link, critical};
use crate::runs::deadline::deadline;
use crate::runs::tree::BranchTale;
use crate::typesetting::page::plain;

/// A run in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tale {
    /// Names of the lanes: agents and the environment.
    pub processes: Vec<String>,
    /// The steps in order.
    pub beats: Vec<Beat>,
    /// Which steps repeat for ever: from this one (0-based) to the last.
    pub loop_start: Option<usize>,
    /// How it ends.
    pub end: End,
    /// The claim's atoms and whether each holds at the start.
    pub atoms: Vec<(String, bool)>,
    /// Explanations of single steps.
    pub whys: Vec<Why>,
    /// The facts that decide the claim on it; see [`Tale::state_facts`].
    pub facts: Vec<Fact>,
    /// Per process, what it waits for where the loop starts; may be empty.
    pub waits: Vec<String>,
    /// Processes that could move all along the loop and never do; none on fair runs.
    pub unscheduled: Vec<usize>,
    /// The run with its times, for models with a clock: stories are told from it then.
    pub chronicle: Option<Chronicle>,
    /// The run as pictures, for models that are nets.
    pub album: Option<Album>,
    /// Steps before this one (0-based) are told elsewhere: a run that goes on from another one is told from there.
    pub from: usize,
    /// What the run alone does not show; empty for claims in linear time.
    pub branches: Vec<BranchTale>,
    /// The chain of work behind a longest time, for models with a clock.
    pub critical: Vec<Link>,
}

/// One step of a tale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Whose: an index into the processes.
    pub process: usize,
    /// What happens there.
    pub text: String,
    /// A message to another lane, with its label.
    pub to: Option<(usize, String)>,
    /// How much a reader wants to see it.
    pub weight: Weight,
    /// Which atoms of the claim change with it.
    pub changes: Vec<Change>,
    /// Where its text stands: `ag3.asl:27`.
    pub origin: Option<String>,
}

/// An atom that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The atom, printed.
    pub atom: String,
    /// Whether it holds from now on.
    pub now: bool,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its last steps repeat for ever.
    Loop,
    /// Nothing can happen any more.
    Stuck,
    /// What matters has happened; the run could go on.
    Open,
}

/// Why a step went as it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// Which step, 0-based.
    pub step: usize,
    /// Lines of text.
    pub lines: Vec<String>,
}

/// The most explanations a tale carries: the last alarms explain a failure, earlier ones repeat it.
const LIMIT_WHYS: usize = 2;

/// Tells a run. `atoms` are those of the claim; their changes are the marks of a story.
#[must_use]
pub fn tale(
    evidence: &Evidence,
    model: &dyn Model,
    words: &dyn Words,
    sources: &Sources,
    atoms: &[AtomId],
) -> Tale {
    let signature = model.signature();
    let run = &evidence.run;
    let name = |atom: &AtomId| plain(signature.atoms.get(atom.index()).map_or("", String::as_str));
    let beat = |(at, taken): (usize, &motet_evidence::Taken)| {
        let story = words.story(taken.action);
        let origin = words
            .origin(taken.action)
            .map(|span| format!("{}:{}", sources.file(span.file).path, sources.place(span).line));
        Beat {
            process: story.process.index(),
            text: plain(&story.text),
            to: story.to.map(|(process, label)| (process.index(), plain(&label))),
            weight: story.weight,
            changes: changes(model, atoms, &run.states[at], &run.states[at + 1])
                .map(|(atom, now)| Change { atom: name(&atom), now })
                .collect(),
            origin,
        }
    };
    let beats: Vec<Beat> = run.steps.iter().enumerate().map(beat).collect();
    let first = run.states.first();
    Tale {
        processes: signature.processes.clone(),
        loop_start: evidence.loop_start,
        end: end(evidence, model),
        atoms: atoms
            .iter()
            .map(|atom| (name(atom), first.is_some_and(|state| model.holds(*atom, state))))
            .collect(),
        whys: whys(&beats, &run.states, &run.steps, words),
        facts: Vec::new(),
        waits: waits(evidence, signature.processes.len(), words),
        unscheduled: unscheduled(evidence, model),
        chronicle: chronicle(evidence, model, words, sources, atoms),
        album: album(&evidence.run, words),
        from: 0,
        branches: Vec::new(),
        critical: Vec::new(),
        beats,
    }
}

/// The run as pictures; `None` for models that are not nets.
fn album(run: &motet_evidence::Run, words: &dyn Words) -> Option<Album> {
    let nets = words.nets();
    if nets.is_empty() {
        return None;
    }
    let frame = |(at, state): (usize, &State)| {
        let taken = at.checked_sub(1).and_then(|step| run.steps.get(step));
        Some(Frame {
            marking: words.marking(state)?,
            fired: taken.map_or_else(Vec::new, |taken| words.fired(taken.action)),
            text: taken.map_or_else(String::new, |taken| words.action(taken.action)),
        })
    };
    let states = run.states.iter().map(Box::as_ref).take(FRAMES).enumerate();
    let frames = states.map(frame).collect::<Option<Vec<_>>>()?;
    Some(Album { nets, more: run.states.len() - frames.len(), frames })
}

impl Tale {
    /// How many steps are told here.
    pub(crate) fn n_steps(&self) -> usize {
        self.beats.len() - self.from
    }

    /// When the step with this index (0-based) ends, in the model's unit; `None` for models without a clock.
    pub(crate) fn time(&self, step: usize) -> Option<u64> {
        self.chronicle.as_ref().and_then(|chronicle| chronicle.times.get(step + 1).copied())
    }

    /// Reads the deadline of the claim off the run, where the claim bounds a time and the model has a clock; and the chain of
    /// work, where it asks for a longest time.
    pub fn judge(&mut self, evidence: &Evidence, model: &dyn Model, formula: &Path<AtomId>) {
        if let Some(chronicle) = &mut self.chronicle {
            chronicle.deadline = deadline(evidence, model, formula);
            self.critical = critical(chronicle, evidence, model, formula);
        }
    }
}

impl Tale {
    /// Explains a missed deadline from where its time began to count and from where it was over or answered, in place of
    /// the explanations of other steps. To be called after [`Tale::judge`]; without a missed deadline nothing changes.
    pub fn explain_deadline(&mut self, evidence: &Evidence, words: &dyn Words) {
        let Some(chronicle) = &self.chronicle else { return };
        let Some(deadline) = chronicle.deadline.as_ref().filter(|deadline| deadline.missed) else { return };
        let run = &evidence.run;
        let actions: Vec<ActionId> = run.steps.iter().map(|taken| taken.action).collect();
        let ends = |step: &usize| chronicle.times[step + 1];
        let trigger = (0..run.steps.len()).rfind(|step| ends(step) == deadline.start);
        let over = (0..run.steps.len())
            .find(|step| deadline.answer.map_or(ends(step) > deadline.due, |answer| ends(step) >= answer));
        let mut steps: Vec<usize> = trigger.into_iter().chain(over).collect();
        steps.dedup();
        let explained: Vec<Why> = steps
            .into_iter()
            .map(|step| {
                let lines = words.why(&run.states, &actions, step);
                Why { step, lines: lines.iter().map(|line| plain(line)).collect() }
            })
            .filter(|why| !why.lines.is_empty())
            .collect();
        if !explained.is_empty() {
            self.whys = explained;
        }
    }
}

fn changes<'a>(
    model: &'a dyn Model,
    atoms: &'a [AtomId],
    before: &'a State,
    after: &'a State,
) -> impl Iterator<Item = (AtomId, bool)> + 'a {
    atoms.iter().filter_map(move |atom| {
        let now = model.holds(*atom, after);
        (model.holds(*atom, before) != now).then_some((*atom, now))
    })
}

fn waits(evidence: &Evidence, n_processes: usize, words: &dyn Words) -> Vec<String> {
    let Some(state) = evidence.loop_start.and_then(|start| evidence.run.states.get(start)) else {
        return Vec::new();
    };
    let number = |process: usize| u32::try_from(process).expect("processes are numbered with 32 bits");
    (0..n_processes)
        .map(|process| words.waits(ProcessId(number(process)), state))
        .map(|text| text.map(|text| plain(&text)).unwrap_or_default())
        .collect()
}

fn unscheduled(evidence: &Evidence, model: &dyn Model) -> Vec<usize> {
    let Some(start) = evidence.loop_start else { return Vec::new() };
    let signature = model.signature();
    let mut candidates: Vec<usize> = (0..signature.processes.len()).collect();
    candidates
        .retain(|process| evidence.run.steps[start..].iter().all(|taken| taken.process.index() != *process));
    let mut steps = Steps::new(signature.slots.len());
    for state in &evidence.run.states[start..] {
        steps.clear();
        if model.steps(state, &mut steps).is_err() {
            return Vec::new();
        }
        candidates.retain(|process| steps.iter().any(|step| step.process.index() == *process));
    }
    candidates
}

fn end(evidence: &Evidence, model: &dyn Model) -> End {
    if evidence.loop_start.is_some() {
        return End::Loop;
    }
    let mut steps = Steps::new(model.signature().slots.len());
    let stuck = evidence
        .run
        .states
        .last()
        .is_some_and(|last| model.steps(last, &mut steps).is_ok() && steps.is_empty());
    if stuck { End::Stuck } else { End::Open }
}

/// The last alarms explained, else the last step with a change of the claim's atoms that the model can explain.
fn whys(
    beats: &[Beat],
    states: &[Box<State>],
    taken: &[motet_evidence::Taken],
    words: &dyn Words,
) -> Vec<Why> {
    let actions: Vec<ActionId> = taken.iter().map(|taken| taken.action).collect();
    let explain = |step: usize| {
        let lines: Vec<String> = words.why(states, &actions, step).iter().map(|line| plain(line)).collect();
        (!lines.is_empty()).then_some(Why { step, lines })
    };
    let last_steps = |wanted: &dyn Fn(&Beat) -> bool| {
        let mut steps: Vec<usize> = (0..beats.len()).filter(|at| wanted(&beats[*at])).collect();
        steps.reverse();
        steps
    };
    let alarms = last_steps(&|beat| beat.weight == Weight::Alarm);
    let mut found: Vec<Why> = alarms.into_iter().filter_map(explain).take(LIMIT_WHYS).collect();
    if found.is_empty() {
        let changing = last_steps(&|beat| !beat.changes.is_empty());
        found = changing.into_iter().filter_map(explain).take(1).collect();
    }
    found.reverse();
    found
}
