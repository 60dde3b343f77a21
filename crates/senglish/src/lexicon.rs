//! The words that claims may use.

use std::collections::BTreeMap;

use motet_model::{Field, Sort, Terms, TimeUnit, Vocabulary};

use crate::program::{BeliefKind, Logic, Program};
use crate::sentence::{fold, identifier};

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
    let terms = terms(program);
    let unit = Some(TimeUnit::Cycles);
    Vocabulary { agents, sorts, groups, parameters, terms, unit, ..Vocabulary::default() }
}

/// Sentences hold or do not, and 1 and 0 say so; plans and counters are numbers.
fn terms(program: &Program) -> Terms {
    let words: &[&str] = match program.logic {
        Logic::ThreeValued => &["0", "1", "unknown"],
        Logic::TwoValued => &["0", "1"],
    };
    let truth = Sort::Truth.beside(words);
    let count = |slot: usize| Sort::Whole(Some(0), Some(i64::from(program.slots[slot].most)));
    let mut names = BTreeMap::new();
    let mut fields = BTreeMap::new();
    for belief in &program.beliefs {
        for name in [identifier(&fold(&belief.text)), program.slots[belief.slot].name.clone()] {
            fields.insert(name.clone(), Field { sort: truth.clone(), ..Field::default() });
            names.insert(name, truth.clone());
        }
    }
    let alone = program.agents.len() == 1;
    for plan in &program.plans {
        let agent = &program.agents[plan.agent].name;
        names.insert(format!("{agent}.plan[{}]", plan.number), count(plan.slot));
        if alone {
            names.insert(format!("plan[{}]", plan.number), count(plan.slot));
        }
    }
    for percept in &program.percepts {
        let Some(counter) = percept.counter else { continue };
        let belief = &program.beliefs[percept.belief];
        let agents = program.agents.iter().enumerate();
        let owner = agents.filter(|(number, _)| belief.agent.is_none_or(|agent| agent == *number));
        for name in [identifier(&fold(&belief.text)), format!("\"{}\"", belief.text)] {
            for (_, agent) in owner.clone() {
                names.insert(format!("{}.counter[{name}]", agent.name), count(counter));
            }
            if alone {
                names.insert(format!("counter[{name}]"), count(counter));
            }
        }
    }
    Terms { names, fields, quoted: Some(truth), ..Terms::default() }
}
