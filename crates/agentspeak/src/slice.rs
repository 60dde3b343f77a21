//! What a claim does not need: agents, steps, variables and percepts that cannot influence its atoms.
//!
//! `spec/agentspeak/slices.md` says what influences what. A member that is left out keeps its slot and never moves; what is
//! written to it does not arrive. Assignments to variables that nothing depends on are left out of the rules that stay.

mod cells;
mod conduct;
mod cone;
mod mentions;

pub(crate) use conduct::Conduct;

use std::sync::Arc;

use motet_model::Haste;

use crate::atoms::Predicate;
use crate::program::{ActionRule, Environment, Presence, Program, Reaction, StepRule, Ties};
use crate::slice::cells::cells_of;
use crate::slice::cone::Cone;

/// A team without what some predicates do not need.
pub(crate) struct Sliced {
    pub(crate) program: Arc<Program>,
    pub(crate) left_out: Vec<String>,
    pub(crate) haste: Haste,
}

/// The team without what these predicates do not need; `None` if they need everything. Where chance decides who moves a
/// slice would change who is how likely to, so there is none.
pub(crate) fn slice(program: &Program, predicates: &[Predicate]) -> Option<Sliced> {
    if program.ties == Ties::Random {
        return None;
    }
    let cone = Cone::of(program, predicates);
    let mut left_out = Vec::new();
    let mut sliced = program.clone();
    for (agent, _) in sliced.agents.iter_mut().zip(&cone.agents).filter(|(_, matters)| !**matters) {
        agent.presence = Presence::LeftOut;
        left_out.push(format!("agent {}", program.terms.name(agent.name)));
    }
    let mut gone = Vec::new();
    sliced.environment = environment(&program.environment, &cone, &mut gone);
    let steps = program.environment.steps.iter().zip(&cone.steps).filter(|(_, matters)| !**matters);
    left_out.extend(steps.map(|(step, _)| format!("step {}", step.name)));
    // Without these two the team moves as before, only that it carries less.
    let haste = if left_out.is_empty() { Haste::Stepwise } else { Haste::Delayed };
    left_out.extend(unread(program, &cone));
    for (number, variable) in program.environment.variables.iter().enumerate() {
        if gone.contains(&number) && !cone.cells.meets(cells_of(&program.environment, number)) {
            left_out.push(format!("variable {}", variable.name));
        }
    }
    (!left_out.is_empty()).then(|| Sliced { program: Arc::new(sliced), left_out, haste })
}

/// The percepts that somebody who is left perceives and nobody looks at.
fn unread(program: &Program, cone: &Cone<'_>) -> Vec<String> {
    let mut words = Vec::new();
    for (number, percept) in program.environment.percepts.iter().enumerate() {
        let word = format!("percept {}", program.terms.name(percept.name));
        if cone.is_perceived(number) && !cone.is_read(number) && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The environment without steps, reactions, percepts and assignments that do not matter; `gone` gets the variables of the
/// assignments.
fn environment(whole: &Environment, cone: &Cone<'_>, gone: &mut Vec<usize>) -> Environment {
    let actions = whole.actions.iter().map(|rule| {
        let effects = cone.stripped(&rule.effects, &cone.uses(rule), gone);
        ActionRule { effects, ..rule.clone() }
    });
    let actions = actions.collect();
    let steps = whole.steps.iter().zip(&cone.steps).filter(|(_, matters)| **matters).map(|(step, _)| {
        let effects = cone.stripped(&step.effects, &[vec![None; step.n_locals]], gone);
        StepRule { effects, ..step.clone() }
    });
    let steps = steps.collect();
    let reactions = whole.reactions.iter().map(|reaction| {
        let effects = cone.stripped(&reaction.effects, &[vec![None; reaction.n_locals]], gone);
        Reaction { effects, ..reaction.clone() }
    });
    let reactions = reactions.zip(&cone.reactions).filter(|(_, matters)| **matters);
    let reactions = reactions.map(|(reaction, _)| reaction).collect();
    let percepts = whole.percepts.iter().enumerate().filter(|(number, _)| cone.is_read(*number));
    let percepts = percepts.map(|(_, percept)| percept.clone()).collect();
    Environment { actions, steps, reactions, percepts, ..whole.clone() }
}
