//! What can be said about a team without any claim.

use std::collections::BTreeSet;

use motet_model::{ActionId, Notice, Occurrence, Part, PartId, Review, State};
use motet_source::{Severity, Span};

use crate::program::{Mode, Operation, Ties};
use crate::semantics::deed::{Deed, Effect, Execution, Failure, Fate, Receipt, Selection};
use crate::semantics::mind::Event;
use crate::syntax::TriggerKind;
use crate::words::Teller;
use motet_model::Words as _;

impl Review for Teller {
    fn happened(&self, action: ActionId) -> Option<Notice> {
        let origin = self.origin(action);
        match self.team.deed(action) {
            Deed::Mail { agent, letter: Some((message, receipt)) } => {
                let (to, from) = (self.agent(*agent), self.agent(message.sender));
                let content = self.show(message.content);
                match receipt {
                    Receipt::Distrusted => Some(warning(
                        "M0603",
                        format!("{to} does not trust {from} with {content}"),
                        None,
                        "widen the `trust` lines of the team file, or do not send it",
                    )),
                    Receipt::Unanswerable => Some(warning(
                        "M0603",
                        format!("{to} has no plan for {content}, which {from} asks for"),
                        None,
                        format!("add a plan for +!{content} to {to}"),
                    )),
                    _ => None,
                }
            }
            Deed::Select { agent, selected: Some((event, Selection::Dropped(_, failure))), .. } => {
                self.dropped(*agent, event, *failure, origin)
            }
            Deed::Execute { agent, executed: Some(execution) } => self.execution(*agent, execution, origin),
            Deed::Act { agent, action, fate: Fate::Refused, .. } => {
                let (name, action) = (self.agent(*agent), self.show(*action));
                Some(warning(
                    "M0602",
                    format!("the environment refuses {action} of {name}"),
                    None,
                    "add a rule for this case, or let the plan check its condition",
                ))
            }
            _ => None,
        }
    }

    fn missing(&self, seen: &[ActionId]) -> Vec<Notice> {
        let agents = &self.team.program.agents;
        let mut selected_plans: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); agents.len()];
        let mut came: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); agents.len()];
        let mut known: Vec<Vec<Event>> = vec![Vec::new(); agents.len()];
        for &action in seen {
            let Deed::Select { agent, passed_over, selected } = self.team.deed(action) else { continue };
            let agent = *agent as usize;
            if let Some((_, Selection::Plan(plan))) = selected {
                selected_plans[agent].insert(*plan as usize);
            }
            for event in passed_over.iter().chain(selected.iter().map(|(event, _)| event)) {
                let event = Event { parent: None, ..*event };
                if !known[agent].contains(&event) {
                    came[agent].extend(self.relevant(agent, &event).into_iter().map(|(plan, _)| plan));
                    known[agent].push(event);
                }
            }
        }
        let mut notices = Vec::new();
        for (agent, member) in agents.iter().enumerate() {
            for (number, plan) in member.plans.iter().enumerate() {
                if selected_plans[agent].contains(&number) {
                    continue;
                }
                let name = self.terms().name(member.name);
                notices.push(if came[agent].contains(&number) {
                    warning(
                        "M0606",
                        format!("{name} never selects the plan {}", plan.head_text),
                        Some(plan.span),
                        "its context never held, or a plan above it was always taken; compare them",
                    )
                } else {
                    warning(
                        "M0607",
                        format!("{name} never meets an event for the plan {}", plan.head_text),
                        Some(plan.span),
                        "check the trigger's name and arguments, or remove the plan",
                    )
                });
            }
        }
        notices
    }

    fn remarks(&self) -> Vec<String> {
        vec![format!("most at once: {}", self.team.marks.show())]
    }

    fn narrowed(&self) -> Vec<String> {
        let drawn = self.team.program.ties == Ties::Random;
        if drawn { vec!["ties=random".to_owned()] } else { Vec::new() }
    }

    fn parts(&self) -> Vec<Part> {
        self.text_parts()
    }

    fn parts_of(&self, _state: &State, taken: Occurrence<'_>) -> Vec<PartId> {
        self.part_of(taken.action).into_iter().collect()
    }
}

impl Teller {
    fn dropped(&self, agent: u32, event: &Event, failure: Failure, origin: Option<Span>) -> Option<Notice> {
        let name = self.agent(agent);
        let posted = self.trigger(event.trigger);
        let help = format!("add a plan for {posted} that applies in the remaining situations");
        match failure {
            Failure::Lost(lost) if event.parent.is_some() => {
                let code = if self.team.program.mode == Mode::Jason { "M0605" } else { "M0601" };
                let lost = self.trigger(lost);
                let message = format!("{name} loses its intention for {lost}: no plan applies to {posted}");
                Some(warning(code, message, origin, help))
            }
            Failure::Recovering(_) => None,
            _ if event.trigger.kind == TriggerKind::Belief => None,
            _ => Some(warning("M0608", format!("{name} drops {posted}: no plan applies"), origin, help)),
        }
    }

    fn execution(&self, agent: u32, execution: &Execution, origin: Option<Span>) -> Option<Notice> {
        let name = self.agent(agent);
        let plan = &self.team.program.agents[agent as usize].plans[execution.plan as usize];
        let formula = plan.body.get(execution.formula as usize)?;
        match &execution.effect {
            Effect::DeadLetter(to, _, content, _) => Some(warning(
                "M0603",
                format!("{name} sends {} to {}, who does not exist", self.show(*content), self.show(*to)),
                origin,
                "check the receiver's name",
            )),
            Effect::Failed(Failure::Lost(lost)) => {
                let test = matches!(formula.operation, Operation::Test(_));
                let code = if test { "M0604" } else { "M0605" };
                let lost = self.trigger(*lost);
                let message = format!("{name} loses its intention for {lost}: {} fails", formula.text);
                let help = match self.team.program.mode {
                    Mode::Strict => "test it in the plan's context, where failing only means not applicable",
                    Mode::Jason => "add a recovery plan, or test it in the plan's context",
                };
                Some(warning(code, message, origin, help))
            }
            _ => None,
        }
    }
}

fn warning(code: &'static str, message: String, span: Option<Span>, help: impl Into<String>) -> Notice {
    Notice { code, severity: Severity::Warning, message, span, help: help.into() }
}
