//! Why a run went as it did: who was busy with what while something else had to wait, and what a detectable ended.

use motet_model::{Ending, Model as _, State, Steps};

use crate::program::{ActorId, DetectAction, FrameId};
use crate::semantics::layout::actors;
use crate::semantics::record::Record;
use crate::words::events::action_word;
use crate::words::{Teller, naming};

/// How many lines one step gets.
const LIMIT_LINES: usize = 4;

/// How many steps are looked back at.
const LIMIT_STEPS: usize = 5_000;

/// A wait is worth a line if it is at least this part of the rest of the run.
const LEAST_SHARE: u64 = 10;

/// A run as [`motet_model::Words::why`] gets it.
struct Run<'a> {
    teller: &'a Teller,
    states: &'a [Box<State>],
    /// What happens in the step that is explained.
    records: Vec<Record>,
}

impl Teller {
    /// See [`motet_model::Words::why`].
    pub(crate) fn explain(&self, states: &[Box<State>], at: usize) -> Vec<String> {
        let Some(run) = Run::new(self, states, at) else { return Vec::new() };
        let mut lines = run.interventions(at);
        lines.extend(run.new_waits(at));
        lines.extend(run.delays(at));
        let mut seen = Vec::new();
        lines.retain(|line| {
            let new = !seen.contains(line);
            seen.push(line.clone());
            new
        });
        lines.truncate(LIMIT_LINES);
        lines
    }

    /// `otherDuties (priority 50, care.b:88)`
    fn placed(&self, frame: FrameId) -> String {
        let text = &self.program().frames[frame.index()];
        let line = naming::line(&self.sources, text.name_span);
        format!("{} (priority {}, {line})", text.name, naming::priority(text.priority))
    }

    /// The frame that an actor works on at the outermost level.
    fn current(&self, state: &State, actor: ActorId) -> Option<FrameId> {
        let level = self.level(state, actor, None)?;
        level.scope.current.map(|context| context.instance.frame)
    }

    /// The innermost frame that an actor works on.
    fn innermost(&self, state: &State, actor: ActorId) -> Option<FrameId> {
        let level = self.level(state, actor, None)?;
        level.scope.innermost().map(|context| context.instance.frame)
    }
}

impl<'a> Run<'a> {
    /// The run with what happens in step number `at`; `None` if there is no such step in this model.
    fn new(teller: &'a Teller, states: &'a [Box<State>], at: usize) -> Option<Self> {
        let (from, to) = (states.get(at)?, states.get(at + 1)?);
        let mut steps = Steps::new(teller.semantics.signature().slots.len());
        teller.semantics.steps(from, &mut steps).ok()?;
        let (step, branch) = (0..).zip(steps.iter()).find_map(|(number, step)| {
            let branch = step.branches().position(|branch| *branch.target == **to)?;
            Some((number, u32::try_from(branch).expect("branches are numbered with 32 bits")))
        })?;
        Some(Self { teller, states, records: teller.semantics.retell(from, step, branch) })
    }

    /// Whether time passes in a step.
    fn takes_time(&self, step: usize) -> bool {
        self.teller.semantics.delay(&self.states[step]).is_some_and(|delay| delay > 0)
    }

    /// When a state begins, for readers.
    fn time(&self, state: usize) -> String {
        let delays = self.states[..state].iter().filter_map(|state| self.teller.semantics.delay(state));
        naming::instant(delays.map(u64::from).sum())
    }

    /// Frames that a detectable ended or put aside in this step, and conclusions without a value.
    fn interventions(&self, at: usize) -> Vec<String> {
        let teller = self.teller;
        let mut lines = Vec::new();
        let records = &self.records;
        for (number, record) in records.iter().enumerate() {
            match record {
                Record::Detected { actor, name, action, span }
                    if !matches!(action, DetectAction::Continue | DetectAction::EndActivity) =>
                {
                    let ended = records[number..].iter().find_map(|later| match later {
                        Record::Ended {
                            actor: whose,
                            frame,
                            how: Ending::Aborted | Ending::Completed | Ending::Impassed,
                        } if whose == actor => Some(teller.placed(*frame)),
                        _ => None,
                    });
                    let who = naming::actor(teller.program(), *actor);
                    let (verb, line) = (action_word(*action), naming::line(&teller.sources, *span));
                    let what = ended.unwrap_or_else(|| "its frame".to_owned());
                    let time = self.time(at + 1);
                    lines.push(format!("at {time} the detectable {name} ({line}) makes {who} {verb} {what}"));
                }
                Record::Skipped { actor, span } => {
                    let who = naming::actor(teller.program(), *actor);
                    let (text, line) =
                        (naming::quoted(&teller.sources, *span), naming::line(&teller.sources, *span));
                    let time = self.time(at + 1);
                    lines.push(format!("at {time} {who} skips {text} ({line}): a value is unknown"));
                }
                _ => {}
            }
        }
        lines
    }

    /// Frames that became possible in this step, and have to wait for what their actor is inside of.
    fn new_waits(&self, at: usize) -> Vec<String> {
        let after = &self.states[at + 1];
        // An instant may have several steps; what became possible in any of them is new.
        let begun = (0..=at).rev().take(LIMIT_STEPS).find(|&step| self.takes_time(step));
        let before = begun.map(|step| &self.states[step]);
        let mut lines = Vec::new();
        for actor in actors(self.teller.program()) {
            let Some(current) = self.teller.innermost(after, actor) else { continue };
            let left = after[self.teller.semantics.layout.seats[actor.index()].remaining];
            if left == 0 {
                // Within an instant; it may be over before any time passes.
                continue;
            }
            let known = before.map_or_else(Vec::new, |before| self.teller.ready(before, actor));
            let waiting = self.teller.ready(after, actor);
            let threshold = self.teller.program().frames[current.index()].priority + 3;
            let new = waiting.into_iter().filter(|ready| {
                let waits = ready.frame != current && ready.priority <= threshold;
                waits && !known.contains(ready) && self.is_long(actor, ready.frame, at + 1)
            });
            let names: Vec<String> = new.map(|ready| self.teller.placed(ready.frame)).collect();
            if names.is_empty() {
                continue;
            }
            let verb = if names.len() == 1 { "has" } else { "have" };
            lines.push(format!(
                "at {} {} is inside {} for {} more; {} {verb} to wait for it to end",
                self.time(at + 1),
                naming::actor(self.teller.program(), actor),
                self.teller.placed(current),
                naming::length(left),
                names.join(" and "),
            ));
        }
        lines
    }

    /// Whether a frame that waits in a state does so for a part of the rest of the run that is worth a line.
    fn is_long(&self, actor: ActorId, frame: FrameId, from: usize) -> bool {
        let rest = from..self.states.len().saturating_sub(1).min(from + LIMIT_STEPS);
        let delay = |step: usize| u64::from(self.teller.semantics.delay(&self.states[step]).unwrap_or(0));
        let total: u64 = rest.clone().map(delay).sum();
        let waits = |step: &usize| {
            self.teller.ready(&self.states[*step], actor).iter().any(|ready| ready.frame == frame)
        };
        let waited: u64 = rest.take_while(waits).map(delay).sum();
        waited * LEAST_SHARE >= total
    }

    /// Frames that began in this step, or brought about its changes, and could have begun earlier.
    fn delays(&self, at: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for record in &self.records {
            match record {
                Record::Started { actor, frame, .. } => lines.extend(self.delay(*actor, *frame, at)),
                Record::Belief { actor, .. } | Record::Fact { actor, .. } | Record::Moved { actor, .. } => {
                    if let Some((frame, start)) = self.beginning(*actor, at) {
                        lines.extend(self.delay(*actor, frame, start));
                    }
                }
                _ => {}
            }
        }
        lines
    }

    /// The frame that an actor is inside of before a step, and the step in which it began.
    fn beginning(&self, actor: ActorId, at: usize) -> Option<(FrameId, usize)> {
        let frame = self.teller.current(&self.states[at], actor)?;
        let before =
            (0..at).rev().find(|&step| self.teller.current(&self.states[step], actor) != Some(frame))?;
        Some((frame, before))
    }

    /// What kept a frame that began in a step from beginning before.
    fn delay(&self, actor: ActorId, frame: FrameId, start: usize) -> Option<String> {
        let possible = |step: usize| {
            self.teller.ready(&self.states[step], actor).iter().any(|ready| ready.frame == frame)
        };
        let since = (0..=start).rev().take(LIMIT_STEPS).take_while(|&step| possible(step)).last()?;
        if !(since..=start).any(|step| self.takes_time(step)) {
            return None;
        }
        let mut busy: Vec<FrameId> = Vec::new();
        for state in &self.states[since..=start] {
            let current = self.teller.innermost(state, actor);
            busy.extend(current.filter(|current| !busy.contains(current) && *current != frame));
        }
        if busy.is_empty() {
            return None;
        }
        let busy: Vec<String> = busy.into_iter().take(3).map(|frame| self.teller.placed(frame)).collect();
        Some(format!(
            "{} was possible from {} on but began at {}: until then {} was inside {}",
            self.teller.placed(frame),
            self.time(since),
            self.time(start + 1),
            naming::actor(self.teller.program(), actor),
            busy.join(" and "),
        ))
    }
}
