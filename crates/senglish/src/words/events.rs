//! A cycle, event by event: plans begin, go on and end, beliefs change.

use motet_model::{Change, Ending, Event, Model as _, ProcessId, State, Steps, What, Work};

use crate::program::{BeliefKind, FALSE, Program, TRUE};
use crate::semantics::Cycle;

fn process(agent: usize) -> ProcessId {
    ProcessId(u32::try_from(agent).unwrap_or(0))
}

/// What the agents believe at the start.
pub(crate) fn opening(program: &Program, state: &State) -> Vec<Event> {
    let mut events = Vec::new();
    for (agent, member) in program.agents.iter().enumerate() {
        for belief in member.beliefs.iter().filter(|belief| program.value(**belief, state) == TRUE) {
            let belief = &program.beliefs[*belief];
            let text = format!("believes {} at the start", belief.text);
            events.push(Event {
                process: process(agent),
                what: What::Remarks { text },
                origin: Some(belief.span),
            });
        }
    }
    events
}

/// What happens in one step and branch.
pub(crate) fn events(cycle: &Cycle, state: &State, ordinal: u32, branch: u32) -> Vec<Event> {
    let program = &*cycle.program;
    let mut steps = Steps::new(state.len());
    if cycle.steps(state, &mut steps).is_err() {
        return Vec::new();
    }
    let Some(step) = steps.get(ordinal as usize) else { return Vec::new() };
    let Some(branch) = step.branches().nth(branch as usize) else { return Vec::new() };
    let mut events = Vec::new();
    plan_events(program, state, branch.target, &mut events);
    belief_events(program, state, branch.target, &mut events);
    events
}

fn plan_events(program: &Program, before: &State, after: &State, events: &mut Vec<Event>) {
    for plan in &program.plans {
        let (old, new) = (before[plan.slot] as usize, after[plan.slot] as usize);
        if old == new {
            continue;
        }
        let mut tell = |what: What| {
            events.push(Event { process: process(plan.agent), what, origin: Some(plan.span) });
        };
        let frame = format!("plan {}", plan.number);
        if old > 0 {
            let name = plan.actions[old - 1].text.clone();
            tell(What::Ends { work: Work::Primitive, name, how: Ending::Done });
        } else {
            let detail = plan.head.clone();
            let name = frame.clone();
            tell(What::Begins { work: Work::Frame, name, detail, length: None, priority: None });
        }
        if new > 0 {
            let name = plan.actions[new - 1].text.clone();
            let detail = String::new();
            tell(What::Begins { work: Work::Primitive, name, detail, length: None, priority: None });
        } else {
            tell(What::Ends { work: Work::Frame, name: frame, how: Ending::Done });
        }
    }
}

fn belief_events(program: &Program, before: &State, after: &State, events: &mut Vec<Event>) {
    let shown = |value: u32| match value {
        TRUE => "true",
        FALSE => "false",
        _ => "unknown",
    };
    for (agent, member) in program.agents.iter().enumerate() {
        for belief in &member.beliefs {
            let (old, new) = (program.value(*belief, before), program.value(*belief, after));
            let feedback = program.beliefs[*belief].kind == BeliefKind::Feedback;
            // A feedback that goes after its one cycle is no news.
            if old == new || (feedback && new == FALSE) {
                continue;
            }
            let change = Change {
                subject: program.beliefs[*belief].text.clone(),
                before: shown(old).to_owned(),
                after: shown(new).to_owned(),
            };
            let origin = Some(program.beliefs[*belief].span);
            events.push(Event { process: process(agent), what: What::Believes(change), origin });
        }
    }
}
