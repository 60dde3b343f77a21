//! A run of a model with a clock as plain data: who did what from when to when, who told whom, what changed. The event
//! list, the timeline and the page are views of it, and so is its JSON.

use motet_evidence::Evidence;
use motet_model::{AtomId, Model, TimeUnit, Words};
use motet_source::{Sources, Span};
use serde::{Serialize, Serializer};

use crate::runs::deadline::Deadline;
use crate::runs::recorder::Recorder;
use crate::typesetting::page::plain;

/// A run with its times. All times are in the model's unit from the start of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chronicle {
    /// What times count.
    #[serde(serialize_with = "unit_name")]
    pub unit: TimeUnit,
    /// The last instant of the run.
    pub end: u64,
    /// From which instant on the run repeats for ever; `None` when it does not.
    pub repeats: Option<u64>,
    /// How many steps the run has.
    pub steps: usize,
    /// When each state of the run begins; one more than there are steps.
    pub times: Vec<u64>,
    /// One per process, in the model's order.
    pub lanes: Vec<Lane>,
    /// Everything that happens, in order.
    pub entries: Vec<Entry>,
    /// The claim's atoms and when each holds; empty for a run without a claim.
    pub strips: Vec<Strip>,
    /// What the claim allows and what the run makes of it, for claims that bound a time.
    pub deadline: Option<Deadline>,
}

/// The lane of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// Its work, in order of beginning; an inner bar comes after the one around it.
    pub bars: Vec<Bar>,
    /// Where it is, in order; the last stay lasts to the end of the run.
    pub stays: Vec<Stay>,
}

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// Which sort.
    pub work: WorkSort,
    /// Its name: `wf_attendBob`.
    pub name: String,
    /// What it is about: `to bedOne`; may be empty.
    pub detail: String,
    /// As the user writes it.
    pub priority: Option<String>,
    /// How long it was to take when it began.
    pub length: Option<u64>,
    /// When it began.
    pub start: u64,
    /// When it ended, or the end of the run.
    pub end: u64,
    /// How it ended; `None` when it goes on at the end of the run.
    pub ending: Option<BarEnd>,
    /// Times in which it was put aside, in order.
    pub breaks: Vec<Break>,
    /// The bar around it: an index into the lane's bars.
    pub inside: Option<usize>,
    /// The row of the lane it is drawn in: no two bars of a row overlap, and an inner bar has a larger row than the one
    /// around it.
    pub row: usize,
    /// Where its text stands: `care.b:88`.
    pub origin: Option<String>,
    /// The conditions that let it begin, with their values; empty until [`Chronicle::explain`] asks for them.
    pub guard: Vec<String>,
    /// The entry that tells of its beginning: an index into [`Chronicle::entries`].
    pub entry: usize,
}

impl Bar {
    /// The time it covers less its breaks.
    fn time(&self) -> u64 {
        let aside: u64 = self.breaks.iter().map(|gap| gap.end - gap.start).sum();
        (self.end - self.start).saturating_sub(aside)
    }
}

/// A time in which work was put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Break {
    /// From.
    pub start: u64,
    /// To.
    pub end: u64,
    /// Why.
    pub why: BreakSort,
}

/// Why work is put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BreakSort {
    /// For something more urgent.
    Interrupted,
    /// Until an obstacle is gone.
    Impassed,
}

/// How a bar ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BarEnd {
    /// As planned.
    Done,
    /// Given up.
    Aborted,
    /// Cut short.
    Completed,
    /// Still put aside for something more urgent at the end of the run.
    Interrupted,
    /// Still at an impasse at the end of the run.
    Impassed,
}

/// Sorts of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkSort {
    /// A frame that holds activities.
    Frame,
    /// An activity that only takes time.
    Primitive,
    /// Going somewhere.
    Move,
    /// Telling or asking.
    Communicate,
    /// An activity made of frames.
    Composite,
    /// Taking or putting down a thing.
    Handle,
    /// Making something new.
    Create,
    /// A program from outside.
    Foreign,
}

/// A time somebody is somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stay {
    /// From when on.
    pub start: u64,
    /// Until when.
    pub end: u64,
    /// Where.
    pub place: String,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// When.
    pub time: u64,
    /// In which step, from 1; 0 for how things stand at the start.
    pub step: usize,
    /// On whose lane.
    pub lane: usize,
    /// What.
    #[serde(flatten)]
    pub what: Happening,
    /// Whether it belongs to a change of the claim's atoms.
    pub cause: bool,
    /// Where the text stands that made it happen.
    pub origin: Option<String>,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Happening {
    /// Work begins.
    Begins {
        /// Which sort.
        work: WorkSort,
        /// Its name.
        name: String,
        /// What it is about.
        detail: String,
        /// How long it will take.
        length: Option<u64>,
        /// Its priority.
        priority: Option<String>,
    },
    /// Work ends or is put aside.
    Ends {
        /// Which sort.
        work: WorkSort,
        /// Its name.
        name: String,
        /// How.
        ending: BarEnd,
    },
    /// Work goes on.
    Resumes {
        /// Its name.
        name: String,
        /// How long it still takes.
        length: Option<u64>,
    },
    /// A thought.
    Thinks {
        /// The rule.
        name: String,
    },
    /// A belief changes.
    Believes(Shift),
    /// The world changes.
    Makes(Shift),
    /// Another lane is told something: an arrow.
    Tells {
        /// Which lane.
        to: usize,
        /// What.
        content: String,
    },
    /// Something is noticed.
    Detects {
        /// The name of the detectable.
        name: String,
        /// What it leads to.
        action: String,
    },
    /// Somebody is somewhere else now.
    Arrives {
        /// Where it was; empty at the start.
        from: String,
        /// Where it is.
        place: String,
    },
    /// Anything else.
    Remarks {
        /// A line.
        text: String,
    },
}

/// A value that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shift {
    /// Whose: `Bob.location`.
    pub subject: String,
    /// Before.
    pub before: String,
    /// Now.
    pub after: String,
}

/// When an atom of the claim holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Strip {
    /// The atom, printed.
    pub atom: String,
    /// From when to when it holds; it may hold for no time at all, within an instant.
    pub holds: Vec<(u64, u64)>,
}

/// Frames whose conditions are asked for, at most.
const LIMIT_GUARDS: usize = 5_000;

/// The run with its times. `atoms` are those of the claim. `None` for models without a chronicle, whose steps a
/// [`crate::Tale`] tells.
#[must_use]
pub fn chronicle(
    evidence: &Evidence,
    model: &dyn Model,
    words: &dyn Words,
    sources: &Sources,
    atoms: &[AtomId],
) -> Option<Chronicle> {
    let run = &evidence.run;
    let first = run.states.first()?;
    let signature = model.signature();
    let place = |span: Span| format!("{}:{}", sources.file(span.file).path, sources.place(span).line);
    let mut recorder = Recorder::new(&signature.processes);
    for event in words.opening(first) {
        recorder.hear(0, 0, &event, event.origin.map(place));
    }
    let times = times(evidence);
    for (at, taken) in run.steps.iter().enumerate() {
        let state = &run.states[at];
        let changed = changed(model, atoms, state, &run.states[at + 1]);
        let from = recorder.n_entries();
        for event in words.events(state, taken.ordinal, taken.branch) {
            recorder.hear(times[at + 1], at + 1, &event, event.origin.map(place));
        }
        recorder.blame(from, &changed);
    }
    if recorder.n_entries() == 0 {
        return None;
    }
    let end = times.last().copied().unwrap_or(0);
    let (lanes, entries) = recorder.finish(end);
    Some(Chronicle {
        unit: signature.unit,
        end,
        repeats: evidence.loop_start.and_then(|start| times.get(start).copied()),
        steps: run.steps.len(),
        lanes,
        entries,
        strips: atoms.iter().map(|atom| strip(evidence, model, &times, *atom)).collect(),
        times,
        deadline: None,
    })
}

/// When each state of the run begins.
pub(crate) fn times(evidence: &Evidence) -> Vec<u64> {
    let mut times = vec![0_u64];
    for taken in &evidence.run.steps {
        let last = times.last().copied().unwrap_or(0);
        times.push(last.saturating_add(u64::from(taken.delay)));
    }
    times
}

/// The claim's atoms that change with a step, printed.
fn changed(
    model: &dyn Model,
    atoms: &[AtomId],
    before: &motet_model::State,
    after: &motet_model::State,
) -> Vec<String> {
    let name = |atom: &AtomId| model.signature().atoms.get(atom.index()).cloned().unwrap_or_default();
    atoms.iter().filter(|atom| model.holds(**atom, before) != model.holds(**atom, after)).map(name).collect()
}

fn strip(evidence: &Evidence, model: &dyn Model, times: &[u64], atom: AtomId) -> Strip {
    let mut holds: Vec<(u64, u64)> = Vec::new();
    let mut open: Option<u64> = None;
    for (state, time) in evidence.run.states.iter().zip(times) {
        match (open, model.holds(atom, state)) {
            (None, true) => open = Some(*time),
            (Some(start), false) => {
                holds.push((start, *time));
                open = None;
            }
            _ => {}
        }
    }
    if let (Some(start), Some(end)) = (open, times.last()) {
        holds.push((start, *end));
    }
    let atom = plain(model.signature().atoms.get(atom.index()).map_or("", String::as_str));
    Strip { atom, holds }
}

impl Chronicle {
    /// The messages between lanes, as (when, from, to, what).
    pub fn arrows(&self) -> impl Iterator<Item = (u64, usize, usize, &str)> {
        self.entries.iter().filter_map(|entry| match &entry.what {
            Happening::Tells { to, content } => Some((entry.time, entry.lane, *to, content.as_str())),
            _ => None,
        })
    }

    /// How long a lane is busy in all: the time covered by its outermost bars less their breaks.
    #[must_use]
    pub fn busy(&self, lane: usize) -> u64 {
        let Some(lane) = self.lanes.get(lane) else { return 0 };
        lane.bars.iter().filter(|bar| bar.inside.is_none()).map(Bar::time).sum()
    }

    /// How long a lane is at the activities of this name in all, less their breaks.
    #[must_use]
    pub fn spent(&self, lane: usize, activity: &str) -> u64 {
        let Some(lane) = self.lanes.get(lane) else { return 0 };
        let named = |bar: &&Bar| bar.work != WorkSort::Frame && bar.name == activity;
        lane.bars.iter().filter(named).map(Bar::time).sum()
    }

    /// Asks for the conditions of the frames that begin, for views that show them: those of each frame in the situation
    /// right after it began. Only the first few thousand are asked for.
    pub fn explain(&mut self, evidence: &Evidence, words: &dyn Words) {
        let mut left = LIMIT_GUARDS;
        for (lane, one) in self.lanes.iter_mut().enumerate() {
            for bar in one.bars.iter_mut().filter(|bar| bar.work == WorkSort::Frame) {
                let step = self.entries.get(bar.entry).map_or(0, |entry| entry.step);
                let Some(state) = evidence.run.states.get(step).filter(|_| left > 0) else { return };
                left -= 1;
                let accounts = words.account(state, &bar.name);
                let own = accounts.iter().find(|account| account.process.index() == lane);
                bar.guard = own
                    .map_or(&[][..], |account| &account.lines)
                    .iter()
                    .map(|line| plain(&line.text))
                    .collect();
            }
        }
    }

    /// When work of this name began on a lane.
    #[must_use]
    pub fn begins(&self, lane: usize, name: &str) -> Vec<u64> {
        let bars = self.lanes.get(lane).map_or(&[][..], |lane| &lane.bars);
        bars.iter().filter(|bar| bar.name == name).map(|bar| bar.start).collect()
    }

    /// How often each activity began, by lane and name, in order of lane and name.
    #[must_use]
    pub fn activities(&self) -> std::collections::BTreeMap<(usize, String), u64> {
        let mut counts = std::collections::BTreeMap::new();
        for (at, lane) in self.lanes.iter().enumerate() {
            for bar in lane.bars.iter().filter(|bar| bar.work != WorkSort::Frame) {
                *counts.entry((at, bar.name.clone())).or_insert(0) += 1;
            }
        }
        counts
    }
}

fn unit_name<S: Serializer>(unit: &TimeUnit, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(crate::typesetting::duration::unit_word(*unit))
}
