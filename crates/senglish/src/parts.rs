//! What the texts of a project are made of, and which of it has a share in a cycle: plans, and the rules that raise or lower
//! mental notes.

use motet_model::{Part, PartId, State};

use crate::formula::Formula;
use crate::program::Program;

/// The plans, then the notes that rules speak of.
pub(crate) fn parts(program: &Program) -> Vec<Part> {
    let plans = program.plans.iter().map(|plan| Part {
        name: format!("plan {}: {}", plan.number, plan.head),
        kind: "plan",
        owner: program.agents[plan.agent].name.clone(),
        span: plan.span,
    });
    let rules = ruled(program).map(|number| {
        let belief = &program.beliefs[program.notes[number].belief];
        let owner = belief.agent.map_or_else(String::new, |agent| program.agents[agent].name.clone());
        Part { name: belief.text.clone(), kind: "rule", owner, span: belief.span }
    });
    plans.chain(rules).collect()
}

/// The notes that a rule raises or lowers.
fn ruled(program: &Program) -> impl Iterator<Item = usize> {
    let never = |formula: &Formula| *formula == Formula::any([]);
    let notes = program.notes.iter().enumerate();
    notes.filter(move |(_, note)| !never(&note.raised) || !never(&note.lowered)).map(|(number, _)| number)
}

/// The plans that run before or after a cycle, and the rules that apply in it.
pub(crate) fn parts_of(program: &Program, before: &State, after: &State) -> Vec<PartId> {
    let plans = program.plans.iter().map(|plan| before[plan.slot] > 0 || after[plan.slot] > 0);
    let rules = ruled(program).map(|number| {
        let note = &program.notes[number];
        note.raised.holds(before) || note.lowered.holds(before)
    });
    (0..).map(PartId).zip(plans.chain(rules)).filter(|(_, shares)| *shares).map(|(part, _)| part).collect()
}
