//! The token game: a run that a person decides step by step, by the numbers of the steps that are enabled.

use std::sync::OnceLock;

use motet_engine::Choose;
use motet_evidence::Evidence;
use motet_model::{State, Step, Steps};
use motet_render::{Offer, Turn, View, changes, marking_changes};

use crate::loading::load::Ready;

/// A list of steps by their numbers, from 1. Where the list is over, the step is drawn at random.
pub struct Chosen {
    numbers: Vec<u32>,
    /// The first number that means nothing: which one, and how many steps there are.
    wrong: OnceLock<(usize, usize)>,
}

impl Chosen {
    /// Takes these steps.
    #[must_use]
    pub fn new(numbers: &[u32]) -> Self {
        Self { numbers: numbers.to_vec(), wrong: OnceLock::new() }
    }

    /// Why the list could not be followed on a run of so many steps.
    #[must_use]
    pub fn fault(&self, steps: usize) -> Option<String> {
        match self.wrong.get() {
            Some((at, 1)) => {
                Some(format!("step {} is to be number {}, and one is enabled", at + 1, self.numbers[*at]))
            }
            Some((at, many)) => {
                Some(format!("step {} is to be number {}, and {many} are enabled", at + 1, self.numbers[*at]))
            }
            None if steps < self.numbers.len() => {
                Some(format!("{} steps are chosen, and nothing is enabled after {steps}", self.numbers.len()))
            }
            None => None,
        }
    }
}

impl Choose for Chosen {
    fn choose(&self, _state: &State, memory: u64, steps: &Steps) -> Option<u32> {
        let at = usize::try_from(memory).ok()?;
        let number = *self.numbers.get(at)?;
        match number.checked_sub(1) {
            Some(ordinal) if (ordinal as usize) < steps.len() => Some(ordinal),
            _ => {
                if !steps.is_empty() {
                    self.wrong.get_or_init(|| (at, steps.len()));
                }
                None
            }
        }
    }

    /// How many steps were taken.
    fn remember(&self, _state: &State, memory: u64, _delay: u32) -> u64 {
        memory + 1
    }
}

/// The steps that are enabled in a state, in their order; none where the model has a fault.
#[must_use]
pub fn enabled(ready: &Ready, state: &State) -> Vec<Offer> {
    let model = ready.system.model.as_ref();
    let mut steps = Steps::new(model.signature().slots.len());
    if model.steps(state, &mut steps).is_err() {
        return Vec::new();
    }
    steps.iter().map(|step| offer(ready, step)).collect()
}

fn offer(ready: &Ready, step: Step<'_>) -> Offer {
    let words = ready.system.words.as_ref();
    let processes = &ready.system.model.signature().processes;
    let story = words.story(step.action);
    let name = |process: motet_model::ProcessId| processes.get(process.index()).cloned().unwrap_or_default();
    let participants = words.participants(step.action);
    // One that fires alone is told with its binding already.
    let told = participants.iter().filter(|one| participants.len() > 1 && !one.binding.is_empty());
    Offer {
        who: name(story.process),
        text: story.text,
        to: story.to.map(|(process, label)| (name(process), label)),
        bindings: told.map(|one| format!("{}: {}", one.instance, one.binding.join(", "))).collect(),
    }
}

/// A run with what could have been taken at each step, and what each changed.
#[must_use]
pub fn turns(ready: &Ready, evidence: &Evidence, view: &View) -> Vec<Turn> {
    let (states, words) = (&evidence.run.states, ready.system.words.as_ref());
    let nets = words.nets();
    let changed = |before: &State, after: &State| match (words.marking(before), words.marking(after)) {
        (Some(before), Some(after)) => marking_changes(&nets, &before, &after, view),
        _ => changes(&words.snapshot(before), &words.snapshot(after), view),
    };
    let turn = |(at, taken): (usize, &motet_evidence::Taken)| Turn {
        offers: enabled(ready, &states[at]),
        taken: taken.ordinal as usize,
        changes: changed(&states[at], &states[at + 1]),
    };
    evidence.run.steps.iter().enumerate().map(turn).collect()
}
