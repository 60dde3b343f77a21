//! The words that claims may use.

use motet_model::Vocabulary;

use crate::program::{BeliefKind, Program};

/// Agents, and what they believe, do and earn.
pub(crate) fn vocabulary(program: &Program, parameters: Vec<(String, String)>) -> Vocabulary {
    let agents: Vec<String> = program.agents.iter().map(|agent| agent.name.clone()).collect();
    let of = |kind: BeliefKind| -> Vec<String> {
        let beliefs = program.beliefs.iter().filter(|belief| belief.kind == kind);
        beliefs.map(|belief| format!("\"{}\" ({})", belief.text, program.slots[belief.slot].name)).collect()
    };
    let plan = |plan: &crate::program::Plan| {
        let whose = if agents.len() == 1 { String::new() } else { format!("{}.", agents[plan.agent]) };
        format!("{whose}plan[{}] = 0..{}: {}", plan.number, plan.actions.len(), plan.head)
    };
    let groups = vec![
        ("percepts".to_owned(), of(BeliefKind::Percept)),
        ("feedbacks".to_owned(), of(BeliefKind::Feedback)),
        ("mental notes".to_owned(), of(BeliefKind::Note)),
        ("actions".to_owned(), program.actions.iter().map(|action| format!("\"{}\"", action.text)).collect()),
        ("plans".to_owned(), program.plans.iter().map(plan).collect()),
        ("rewards".to_owned(), program.rewards.iter().map(|name| format!("R{{\"{name}\"}}")).collect()),
    ];
    let sorts = vec![("agent".to_owned(), agents.clone())];
    let groups = groups.into_iter().filter(|(_, words)| !words.is_empty()).collect();
    Vocabulary { agents, sorts, groups, parameters, ..Vocabulary::default() }
}
