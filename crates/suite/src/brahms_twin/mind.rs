//! The whole situation as plain collections.

use std::collections::{BTreeMap, BTreeSet};

use motet_brahms::program::{FrameId, KeyId, Program, Value};

/// Values of the variables of a frame, in their order; `collectall` holds several, an unassigned one none.
pub(super) type Binding = Vec<Vec<Value>>;

/// A frame with its binding.
pub(super) type Instance = (FrameId, Binding);

/// Everything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct World {
    /// What holds.
    pub facts: BTreeMap<KeyId, Value>,
    /// One per actor.
    pub minds: Vec<Mind>,
}

/// One actor.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mind {
    /// What it believes.
    pub beliefs: BTreeMap<KeyId, Value>,
    /// The workframe it is in.
    pub current: Option<Context>,
    /// Workframes put aside for more urgent ones.
    pub interrupted: BTreeSet<Context>,
    /// Workframes at an impasse.
    pub impassed: BTreeSet<Context>,
    pub(super) pending: BTreeSet<Instance>,
    pub(super) done: BTreeMap<Instance, u32>,
    pub(super) blocked: BTreeSet<Instance>,
    pub(super) spent: BTreeSet<Instance>,
    /// Whether detectables must be looked at: something changed, or a frame started or resumed.
    pub(super) due: bool,
    /// A frame has started or resumed since detectables were looked at: every fact is new.
    pub(super) fresh: bool,
    /// Facts that were stated since detectables were looked at.
    pub(super) stated: BTreeSet<KeyId>,
    /// Whether a fact changed since it last concluded something; nothing depends on it.
    pub(super) news: bool,
}

/// Which marks a situation at the end of an instant keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marks {
    /// Those that say something about what may come.
    Telling,
    /// Also those of frames that cannot start anyway, and who heard of a change of facts since it last concluded.
    All,
}

/// A workframe that was started.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Context {
    /// Which.
    pub frame: FrameId,
    pub(super) binding: Binding,
    pub(super) pc: usize,
    /// Seconds left of the running activity.
    pub(super) remaining: Option<u32>,
    /// Where it stands.
    pub mode: Mode,
    /// At an impasse: waits until this detectable's condition is false.
    pub(super) impasse: Option<usize>,
}

/// Where a context stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// As usual.
    Working,
    /// Only conclusions are left to do.
    Completing,
}

impl Context {
    /// A workframe that starts.
    pub(super) fn new(frame: FrameId, binding: Binding) -> Self {
        Self { frame, binding, pc: 0, remaining: None, mode: Mode::Working, impasse: None }
    }
}

impl World {
    /// The situation before anything happens.
    pub(super) fn new(program: &Program) -> Self {
        let minds = program
            .actors
            .iter()
            .map(|actor| Mind { beliefs: actor.beliefs.iter().copied().collect(), ..Mind::default() });
        Self { facts: program.facts.iter().copied().collect(), minds: minds.collect() }
    }

    /// States a fact. What is stated already is no change.
    pub(super) fn state(&mut self, key: KeyId, value: Option<Value>) {
        if self.facts.get(&key).copied() == value {
            return;
        }
        match value {
            Some(value) => self.facts.insert(key, value),
            None => self.facts.remove(&key),
        };
        for mind in &mut self.minds {
            mind.blocked.clear();
            mind.due = true;
            mind.stated.insert(key);
            mind.news = true;
        }
    }
}
