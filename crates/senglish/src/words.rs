//! Numbers back into the user's sentences.

mod events;
mod why;

use std::sync::Arc;

use motet_model::{
    Account, ActionId, Event, Mind, Notice, Occurrence, Part, PartId, ProcessId, Review, Section, SlotId,
    Snapshot, State, Story, Weight, Words,
};
use motet_source::{Severity, Span};

use crate::parts;
use crate::program::{BEGUN, BeliefKind, Logic, Program, TRUE, UNKNOWN};
use crate::semantics::{Choice, Cycle, EVERYBODY};
use crate::syntax::Condition;

/// Tells what happens.
pub(crate) struct Teller {
    /// What runs.
    pub(crate) cycle: Arc<Cycle>,
}

impl Teller {
    fn program(&self) -> &Program {
        &self.cycle.program
    }

    /// `Plan 4`, with the agent's name where there are several.
    fn plan(&self, plan: usize) -> String {
        let program = self.program();
        let (agent, number) = (program.plans[plan].agent, program.plans[plan].number);
        if program.agents.len() == 1 {
            format!("Plan {number}")
        } else {
            format!("Plan {number} of {}", program.agents[agent].name)
        }
    }

    fn chosen(&self, action: ActionId) -> Vec<usize> {
        Choice::of(self.program(), action).plans(self.program())
    }

    /// What one agent has in mind.
    fn mind(&self, agent: usize, state: &State) -> Mind {
        let program = self.program();
        let member = &program.agents[agent];
        let with = |value: u32| -> Vec<String> {
            let beliefs = member.beliefs.iter().filter(|belief| program.value(**belief, state) == value);
            beliefs.map(|belief| program.beliefs[*belief].text.clone()).collect()
        };
        let mut sections = vec![Section { title: "beliefs".to_owned(), items: with(TRUE) }];
        if program.logic == Logic::ThreeValued {
            sections.push(Section { title: "unknown".to_owned(), items: with(UNKNOWN) });
        }
        let plans = member.plans.iter().filter(|plan| state[program.plans[**plan].slot] > 0);
        let running = |plan: &usize| {
            let plan = &program.plans[*plan];
            let index = state[plan.slot] as usize;
            format!(
                "plan {}: {} ({index} of {})",
                plan.number,
                plan.actions[index - 1].text,
                plan.actions.len()
            )
        };
        sections.push(Section { title: "plans".to_owned(), items: plans.map(running).collect() });
        sections.push(Section { title: "counters".to_owned(), items: self.counters(agent, state) });
        sections.retain(|section| section.title != "counters" || !section.items.is_empty());
        Mind { name: member.name.clone(), sections }
    }

    /// Actions that run, and percepts that count towards a trial.
    fn counters(&self, agent: usize, state: &State) -> Vec<String> {
        let program = self.program();
        let mut lines = Vec::new();
        for action in program.actions.iter().filter(|action| action.agent == agent) {
            let Some((first, _)) = action.feedbacks.first() else { continue };
            let count = state[program.beliefs[*first].slot];
            if count > TRUE {
                let passed = action.mean + action.spread + 1 - count;
                let last = action.mean + action.spread;
                lines.push(format!("[{}] runs since {passed} of at most {last} cycles", action.text));
            }
        }
        for percept in &program.percepts {
            let belief = &program.beliefs[percept.belief];
            if let Some(counter) = percept.counter
                && program.agents[agent].beliefs.contains(&percept.belief)
            {
                let holds = state[belief.slot] == TRUE;
                let numbers = if holds { percept.deactivation } else { percept.activation };
                if numbers.is_counted() {
                    lines.push(format!("{}: {} of {}", belief.text, state[counter], numbers.mean));
                }
            }
        }
        lines
    }
}

impl Words for Teller {
    fn value(&self, slot: SlotId, value: u32) -> String {
        let program = self.program();
        let belief = program.beliefs.iter().find(|belief| belief.slot == slot.index());
        match belief.map(|belief| belief.kind) {
            Some(BeliefKind::Percept | BeliefKind::Note) => match value {
                TRUE => "true".to_owned(),
                UNKNOWN => "unknown".to_owned(),
                _ => "false".to_owned(),
            },
            Some(BeliefKind::Feedback) if value == TRUE => "true".to_owned(),
            Some(BeliefKind::Feedback) if value == 0 => "false".to_owned(),
            _ => value.to_string(),
        }
    }

    fn action(&self, action: ActionId) -> String {
        let chosen = self.chosen(action);
        match &chosen[..] {
            [] => "one cycle".to_owned(),
            [plan] => format!("{} is chosen", self.plan(*plan)),
            more => {
                let names: Vec<String> = more.iter().map(|plan| self.plan(*plan)).collect();
                format!("{} are chosen", listed(names.iter().map(String::as_str)))
            }
        }
    }

    fn story(&self, action: ActionId) -> Story {
        let chosen = self.chosen(action);
        let process = match chosen.first() {
            Some(plan) => ProcessId(u32::try_from(self.program().plans[*plan].agent).unwrap_or(0)),
            None => EVERYBODY,
        };
        let weight = if chosen.is_empty() { Weight::Routine } else { Weight::Notable };
        Story { process, text: self.action(action), to: None, weight }
    }

    fn origin(&self, action: ActionId) -> Option<Span> {
        let plan = self.chosen(action).first().copied()?;
        Some(self.program().plans[plan].span)
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        Snapshot { minds: (0..self.program().agents.len()).map(|agent| self.mind(agent, state)).collect() }
    }

    fn why(&self, states: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String> {
        why::why(self, states, actions, at)
    }

    fn waits(&self, process: ProcessId, state: &State) -> Option<String> {
        why::waits(self.program(), process.index(), state)
    }

    fn opening(&self, state: &State) -> Vec<Event> {
        events::opening(self.program(), state)
    }

    fn events(&self, state: &State, ordinal: u32, branch: u32) -> Vec<Event> {
        events::events(&self.cycle, state, ordinal, branch)
    }

    fn account(&self, state: &State, subject: &str) -> Vec<Account> {
        why::account(self, state, subject)
    }
}

impl Review for Teller {
    fn happened(&self, _action: ActionId) -> Option<Notice> {
        None
    }

    /// A choice that was never offered: its plans share a condition that never comes true.
    fn missing(&self, seen: &[ActionId]) -> Vec<Notice> {
        let program = self.program();
        let mut offered = vec![false; program.groups.len()];
        for action in seen {
            let choice = Choice::of(program, *action);
            for (group, offered) in offered.iter_mut().enumerate() {
                *offered |= choice.plan(program, group).is_some();
            }
        }
        let never = (0..offered.len()).filter(|group| !offered[*group] && program.groups[*group].chooses);
        never
            .map(|group| {
                let plans = &program.groups[group].plans;
                let names: Vec<String> = plans.iter().map(|plan| self.plan(*plan)).collect();
                Notice {
                    code: "M0894",
                    severity: Severity::Warning,
                    message: format!("{} are never chosen", listed(names.iter().map(String::as_str))),
                    span: Some(program.plans[plans[0]].span),
                    help: "their condition never holds while all of them rest; look at what it needs"
                        .to_owned(),
                }
            })
            .collect()
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    fn parts(&self) -> Vec<Part> {
        parts::parts(self.program())
    }

    fn parts_of(&self, state: &State, taken: Occurrence<'_>) -> Vec<PartId> {
        parts::parts_of(self.program(), state, taken.target)
    }
}

/// Whether the first cycle was begun.
pub(crate) fn has_begun(state: &State) -> bool {
    state[BEGUN] == 1
}

/// `a`, `a and b`, `a, b and c`
pub(crate) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match &words[..] {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A condition as the user writes it.
pub(crate) fn condition(tree: &Condition) -> String {
    let inner = |part: &Condition| match part {
        Condition::And(_) | Condition::Or(_) => format!("({})", condition(part)),
        other => condition(other),
    };
    let joined = |parts: &[Condition], word: &str| parts.iter().map(inner).collect::<Vec<_>>().join(word);
    match tree {
        Condition::True => "true".to_owned(),
        Condition::False => "false".to_owned(),
        Condition::Belief(sentence) => format!("^[{}]", sentence.text),
        Condition::Not(part) => format!("~{}", inner(part)),
        Condition::And(parts) => joined(parts, " and "),
        Condition::Or(parts) => joined(parts, " or "),
    }
}
