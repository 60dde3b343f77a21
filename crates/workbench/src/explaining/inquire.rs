//! Why a frame fired or did not fire: a run, the moments at which the frame began, and an account of a chosen moment.

use motet_engine::Seed;
use motet_model::{Account, ActionId, Event, ProcessId, What, Words, Work};

use crate::loading::load::Ready;
use crate::simulating::simulate::{Length, walk};

/// What to look at.
#[derive(Clone, Debug)]
pub struct Question {
    /// The frame, plan or rule.
    pub subject: String,
    /// The moment, in the model's unit; the end of the run when `None`.
    pub at: Option<u64>,
    /// Which random run.
    pub seed: Seed,
    /// Steps of the run at most.
    pub steps: u64,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// When the run was looked at, in the model's unit.
    pub at: u64,
    /// One per process that has the frame; empty when nobody has it.
    pub accounts: Vec<Account>,
    /// When it began on the run up to that moment, and what went before it in the same instant.
    pub beginnings: Vec<Beginning>,
}

/// A moment at which the frame began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// Who began it.
    pub process: ProcessId,
    /// When.
    pub time: u64,
    /// What the same process learned, thought or noticed in the same instant before it began.
    pub before: Vec<Event>,
}

/// Follows a random run to the moment asked for and looks at the frame there.
#[must_use]
pub fn inquire(ready: &Ready, question: &Question) -> Answer {
    let walk = walk(ready, question.seed, Length { steps: question.steps, time: question.at });
    let words = ready.system.words.as_ref();
    let run = &walk.evidence.run;
    let nets = words.nets();
    let mut time = 0;
    let mut beginnings = Vec::new();
    for (state, taken) in run.states.iter().zip(&run.steps) {
        time += u64::from(taken.delay);
        let events = words.events(state, taken.ordinal, taken.branch);
        for (number, event) in events.iter().enumerate().filter(|(_, event)| begins(event, question)) {
            let own = events[..number].iter().filter(|earlier| earlier.process == event.process);
            let told = |event: &&Event| {
                matches!(event.what, What::Believes(_) | What::Thinks { .. } | What::Detects { .. })
            };
            let before = own.filter(told).cloned().collect();
            beginnings.push(Beginning { process: event.process, time, before });
        }
        for (net, transition) in words.fired(taken.action) {
            let name = nets.get(net).and_then(|net| net.transitions.get(transition)).map(|found| &found.name);
            if name == Some(&question.subject) {
                let process = lane(words, taken.action, net);
                beginnings.push(Beginning { process, time, before: Vec::new() });
            }
        }
    }
    let accounts = run.states.last().map_or_else(Vec::new, |state| words.account(state, &question.subject));
    Answer { at: question.at.map_or(time, |at| at.max(time)), accounts, beginnings }
}

/// Who fires: the outermost net has the first lane, and a step fires at most one transition outside it for each other lane.
fn lane(words: &dyn Words, action: ActionId, net: usize) -> ProcessId {
    let story = words.story(action);
    let other = story.to.map(|(to, _)| to).filter(|to| to.index() != 0);
    match net {
        0 => ProcessId(0),
        _ if story.process.index() != 0 => story.process,
        _ => other.unwrap_or(story.process),
    }
}

fn begins(event: &Event, question: &Question) -> bool {
    match &event.what {
        What::Begins { work: Work::Frame, name, .. } | What::Thinks { name } => *name == question.subject,
        _ => false,
    }
}
