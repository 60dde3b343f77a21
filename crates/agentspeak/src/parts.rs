//! What the texts of a team are made of, and which of it has a share in a step: plans, and the rules and steps of the
//! environment.

use motet_model::{ActionId, Part, PartId};

use crate::semantics::deed::{Deed, Fate, Selection};
use crate::words::Teller;

impl Teller {
    /// The plans of each agent, then the environment's actions, then its steps.
    pub(crate) fn text_parts(&self) -> Vec<Part> {
        let program = &self.team.program;
        let mut parts = Vec::new();
        for agent in &program.agents {
            let owner = self.terms().name(agent.name).to_string();
            parts.extend(agent.plans.iter().map(|plan| Part {
                name: plan.head_text.clone(),
                kind: "plan",
                owner: owner.clone(),
                span: plan.span,
            }));
        }
        let environment = &program.environment;
        let owner = match environment.name.as_str() {
            "" => "environment".to_owned(),
            name => name.to_owned(),
        };
        parts.extend(environment.actions.iter().map(|rule| Part {
            name: self.terms().name(rule.name).to_string(),
            kind: "action",
            owner: owner.clone(),
            span: rule.span,
        }));
        parts.extend(environment.steps.iter().map(|step| Part {
            name: step.name.clone(),
            kind: "step",
            owner: owner.clone(),
            span: step.span,
        }));
        parts
    }

    /// The part behind an action: the plan that is chosen or executed, the rule that is applied.
    pub(crate) fn part_of(&self, action: ActionId) -> Option<PartId> {
        let program = &self.team.program;
        let plan = |agent: u32, plan: u32| {
            let before = &program.agents[..agent as usize];
            before.iter().map(|agent| agent.plans.len()).sum::<usize>() + plan as usize
        };
        let n_plans: usize = program.agents.iter().map(|agent| agent.plans.len()).sum();
        let number = match self.team.deed(action) {
            Deed::Select { agent, selected: Some((_, Selection::Plan(number))), .. } => plan(*agent, *number),
            Deed::Wake { agent, plan: number, .. } => plan(*agent, *number),
            Deed::Execute { agent, executed: Some(execution) } => plan(*agent, execution.plan),
            Deed::Act { fate: Fate::Rule(rule), .. } => n_plans + *rule as usize,
            Deed::Step { rule, .. } => n_plans + program.environment.actions.len() + *rule as usize,
            _ => return None,
        };
        Some(PartId(u32::try_from(number).expect("parts are numbered with 32 bits")))
    }
}
