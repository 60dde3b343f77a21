//! What a run of a team earns: cycles, actions, messages and plans, of everybody or of one agent, and single actions and steps
//! of the environment by their names (`spec/agentspeak/chance.md`). All of it is earned by what is done in a step.

use std::collections::BTreeSet;

use motet_model::Ratio;

use crate::program::Program;
use crate::semantics::deed::{Deed, Effect, Fate, Selection};
use crate::term::Term;

/// Rewards of everybody and of each agent.
const KINDS: [&str; 4] = ["cycles", "actions", "messages", "plans"];

/// A reward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Earning {
    /// What is counted: one of the kinds, the name of an action or of a step of the environment.
    what: String,
    /// Whose.
    agent: Option<u32>,
}

/// The rewards with these names, with their names; what means nothing is left out. `None` means the first one.
pub(crate) fn earnings(
    program: &Program,
    known: &[String],
    asked: &[Option<String>],
) -> Vec<(String, Earning)> {
    let mut found: Vec<(String, Earning)> = Vec::new();
    let first = asked.contains(&None).then_some(KINDS[0]);
    for name in first.into_iter().chain(asked.iter().flatten().map(String::as_str)) {
        let is_new = !found.iter().any(|(taken, _)| taken == name);
        if let Some(earning) = earning(program, known, name).filter(|_| is_new) {
            found.push((name.to_owned(), earning));
        }
    }
    found
}

/// The reward with a name: `actions`, `actions(robot)`, `lift`, `lift(robot)`.
fn earning(program: &Program, known: &[String], name: &str) -> Option<Earning> {
    if !known.iter().any(|known| known == name) {
        return None;
    }
    let Some((what, who)) = name.strip_suffix(')').and_then(|name| name.split_once('(')) else {
        return Some(Earning { what: name.to_owned(), agent: None });
    };
    let is_it = |agent: &crate::program::Agent| *program.terms.name(agent.name) == *who;
    let agent = u32::try_from(program.agents.iter().position(is_it)?).ok();
    Some(Earning { what: what.to_owned(), agent })
}

/// The names of all rewards of a team whose agents take these actions.
pub(crate) fn names(program: &Program, actions: &[BTreeSet<(String, usize)>]) -> Vec<String> {
    let mut names: Vec<String> = KINDS.map(str::to_owned).to_vec();
    let name = |agent: &crate::program::Agent| program.terms.name(agent.name).to_string();
    let agents: Vec<String> = program.agents.iter().map(name).collect();
    for agent in &agents {
        names.extend(KINDS.iter().map(|kind| format!("{kind}({agent})")));
    }
    let mut done = BTreeSet::new();
    for (own, agent) in actions.iter().zip(&agents) {
        done.extend(own.iter().flat_map(|(action, _)| [action.clone(), format!("{action}({agent})")]));
    }
    let steps = program.environment.steps.iter().map(|step| step.name.clone());
    for name in done.into_iter().chain(steps) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl Earning {
    /// What is counted, and whose, if it is somebody's.
    pub(crate) fn parts(&self) -> (&str, Option<usize>) {
        (&self.what, self.agent.map(|agent| agent as usize))
    }

    /// How much of it something done earns.
    pub(crate) fn earned(&self, program: &Program, deed: &Deed) -> Ratio {
        let is_his = |agent: u32| self.agent.is_none_or(|own| own == agent);
        let count = match (self.what.as_str(), deed) {
            ("cycles", Deed::Execute { agent, .. }) => u64::from(is_his(*agent)),
            ("plans", Deed::Select { agent, selected: Some((_, Selection::Plan(_))), .. }) => {
                u64::from(is_his(*agent))
            }
            ("messages", Deed::Execute { agent, executed: Some(executed) }) => match &executed.effect {
                Effect::Sent(to, ..) if is_his(*agent) => to.len() as u64,
                _ => 0,
            },
            (what, Deed::Act { agent, action, fate, .. }) if *fate != Fate::Refused && is_his(*agent) => {
                let named = match program.terms.get(*action) {
                    Term::Structure(name, _) => *program.terms.name(*name) == *what,
                    _ => false,
                };
                u64::from(what == "actions" || named)
            }
            (what, Deed::Step { rule, .. }) if self.agent.is_none() => {
                u64::from(program.environment.steps[*rule as usize].name == what)
            }
            _ => 0,
        };
        Ratio::new(count, 1).unwrap_or(Ratio::ZERO)
    }
}
