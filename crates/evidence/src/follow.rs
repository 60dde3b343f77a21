//! A run followed in the model, step by step.

use std::collections::BTreeSet;

use motet_model::{Model, State, Steps, SubjectId};

use crate::kleene::Truth;
use crate::{Forged, Run, Taken};

/// What the model said along the way.
pub(crate) struct Followed {
    /// Per state: whether it has no steps; `None` for a last state that the model cannot leave.
    pub(crate) deadlocks: Vec<Truth>,
    /// Per state: the subjects of fairness that have a step.
    pub(crate) enabled: Vec<BTreeSet<SubjectId>>,
    /// The model's words if it cannot say what follows the last state.
    pub(crate) fault: Option<String>,
}

/// Follows a run from an initial state; every number and every state must be the model's own.
pub(crate) fn follow(model: &dyn Model, run: &Run) -> Result<Followed, Forged> {
    let first = initial(model, run.initial)?;
    if run.states.first().is_some_and(|state| *state != first) {
        return Err(Forged::State(0));
    }
    follow_on(model, run)
}

/// Follows a run from its first state, whatever that is.
pub(crate) fn follow_on(model: &dyn Model, run: &Run) -> Result<Followed, Forged> {
    if run.states.len() != run.steps.len() + 1 {
        return Err(Forged::Length { states: run.states.len(), steps: run.steps.len() });
    }
    let mut followed = Followed { deadlocks: Vec::new(), enabled: Vec::new(), fault: None };
    let mut steps = Steps::new(model.signature().slots.len());
    for (at, state) in run.states.iter().enumerate() {
        steps.clear();
        match model.steps(state, &mut steps) {
            Err(fault) if at == run.steps.len() => {
                followed.fault = Some(fault.message);
                followed.deadlocks.push(None);
            }
            Err(fault) => return Err(Forged::Stops { at, message: fault.message }),
            Ok(()) => followed.deadlocks.push(Some(steps.is_empty())),
        }
        followed.enabled.push(movers(model, &steps));
        if let Some(taken) = run.steps.get(at) {
            follow_step(&steps, at, taken, &run.states[at + 1])?;
        }
    }
    Ok(followed)
}

/// The run that these ordinals and branches describe.
pub(crate) fn rebuild(model: &dyn Model, start: u32, ordinals: &[(u32, u32)]) -> Result<Run, Forged> {
    let run = Run { initial: start, states: vec![initial(model, start)?], steps: Vec::new() };
    go_on(model, run, ordinals)
}

/// The run with these ordinals and branches after its last state.
pub(crate) fn go_on(model: &dyn Model, mut run: Run, ordinals: &[(u32, u32)]) -> Result<Run, Forged> {
    let mut steps = Steps::new(model.signature().slots.len());
    for &(ordinal, branch) in ordinals {
        let at = run.steps.len();
        steps.clear();
        let outcome = model.steps(&run.states[at], &mut steps);
        outcome.map_err(|fault| Forged::Stops { at, message: fault.message })?;
        let step = steps.get(ordinal as usize).ok_or(Forged::Step(at))?;
        let chosen = step.branches().nth(branch as usize).ok_or(Forged::Step(at))?;
        run.states.push(chosen.target.into());
        run.steps.push(Taken {
            ordinal,
            branch,
            process: step.process,
            action: step.action,
            delay: step.delay,
        });
    }
    Ok(run)
}

fn initial(model: &dyn Model, number: u32) -> Result<Box<State>, Forged> {
    let mut states = Vec::new();
    model.initial(&mut states);
    let wanted = states.into_iter().nth(number as usize);
    wanted.ok_or(Forged::Initial(number))
}

fn follow_step(steps: &Steps, at: usize, taken: &Taken, next: &State) -> Result<(), Forged> {
    let step = steps.get(taken.ordinal as usize).ok_or(Forged::Step(at))?;
    if (step.process, step.action, step.delay) != (taken.process, taken.action, taken.delay) {
        return Err(Forged::Label(at));
    }
    let branch = step.branches().nth(taken.branch as usize).ok_or(Forged::Step(at))?;
    if branch.chance.is_zero() {
        return Err(Forged::Step(at));
    }
    if branch.target != next {
        return Err(Forged::State(at + 1));
    }
    Ok(())
}

fn movers(model: &dyn Model, steps: &Steps) -> BTreeSet<SubjectId> {
    steps.iter().map(|step| model.facets().subject(step.process, step.action)).collect()
}
