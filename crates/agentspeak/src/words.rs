//! Numbers back into the user's words.

mod phrase;
mod snapshot;
mod waits;
mod why;

use std::sync::Arc;

use motet_model::{ActionId, Model, ProcessId, SlotId, Snapshot, State, Story, Weight, Words};
use motet_source::{Sources, Span};

use crate::semantics::deed::{Deed, Effect, Execution, Failure, Fate, Receipt, Selection};
use crate::semantics::mind::{Event, Trigger};
use crate::semantics::team::{MINDS, QUEUE, Team, WORLD};
use crate::term::{TermId, Terms};

/// Tells what a team does.
pub(crate) struct Teller {
    pub(crate) team: Arc<Team>,
    pub(crate) sources: Arc<Sources>,
}

impl Teller {
    pub(crate) fn terms(&self) -> &Terms {
        &self.team.program.terms
    }

    pub(crate) fn show(&self, term: TermId) -> String {
        self.terms().show(term)
    }

    /// The name of an agent.
    pub(crate) fn agent(&self, agent: u32) -> String {
        self.terms().name(self.team.program.speaker(agent)).to_string()
    }

    /// `+!alliance(ag3,ag2)`
    pub(crate) fn trigger(&self, trigger: Trigger) -> String {
        phrase::trigger(self.terms(), trigger)
    }

    /// `ag3.asl:27`
    pub(crate) fn line(&self, span: Span) -> String {
        let file = self.sources.file(span.file);
        let name = file.path.rsplit(['/', '\\']).next().unwrap_or(&file.path);
        format!("{name}:{}", self.sources.place(span).line)
    }

    /// `plan ag3.asl:27`
    pub(crate) fn plan(&self, agent: u32, plan: u32) -> String {
        let plan = &self.team.program.agents[agent as usize].plans[plan as usize];
        format!("plan {}", self.line(plan.span))
    }

    fn process(&self, number: usize) -> ProcessId {
        ProcessId(u32::try_from(number).expect("a team has few processes"))
    }

    /// What a failure led to, as the end of a sentence.
    fn failure(&self, failure: Failure) -> String {
        match failure {
            Failure::None => String::new(),
            Failure::Recovering(trigger) => format!(", posts {}", self.trigger(trigger)),
            Failure::Lost(trigger) => format!(", intention for {} lost", self.trigger(trigger)),
        }
    }

    fn told(&self, deed: &Deed) -> String {
        match deed {
            Deed::Mail { letter: None, .. } => "idle: no mail".to_owned(),
            Deed::Mail { letter: Some((message, receipt)), .. } => {
                let told = phrase::message(self, *message);
                let made = match receipt {
                    Receipt::Believed => "",
                    Receipt::Known => ", nothing new",
                    Receipt::Distrusted => ", not trusted",
                    Receipt::Taken => "",
                    Receipt::Unanswerable => ", no plan is relevant",
                };
                format!("reads mail: {told}{made}")
            }
            Deed::Revise { gained, lost, .. } if gained.is_empty() && lost.is_empty() => {
                "idle: perceives nothing new".to_owned()
            }
            Deed::Revise { gained, lost, .. } => {
                let mut parts = Vec::new();
                if !gained.is_empty() {
                    parts.push(format!("perceives {}", self.list(gained)));
                }
                if !lost.is_empty() {
                    parts.push(format!("no longer {}", self.list(lost)));
                }
                parts.join(", ")
            }
            Deed::Select { passed_over, selected: None, .. } => match passed_over[..] {
                [] => "idle: no event".to_owned(),
                _ => self.passed_over(passed_over),
            },
            Deed::Select { agent, passed_over, selected: Some((event, selection)) } => {
                let before = if passed_over.is_empty() {
                    String::new()
                } else {
                    format!("{}, ", self.passed_over(passed_over))
                };
                let event = self.trigger(event.trigger);
                match selection {
                    Selection::Plan(plan) => format!("{before}selects {event}: {}", self.plan(*agent, *plan)),
                    Selection::Dropped(_, failure) => {
                        format!("{before}selects {event}: no applicable plan{}", self.failure(*failure))
                    }
                }
            }
            Deed::Wake { agent, plan, formula, trigger } => {
                let body = &self.team.program.agents[*agent as usize].plans[*plan as usize].body;
                let text = &body[*formula as usize].text;
                format!("the time of {text} for {} is over", self.trigger(*trigger))
            }
            Deed::Execute { executed: None, .. } => "idle: no intention".to_owned(),
            Deed::Execute { agent, executed: Some(execution) } => self.executed(*agent, execution),
            Deed::Act { agent, action, fate, from, to, failure } => {
                let (name, action) = (self.agent(*agent), self.show(*action));
                match fate {
                    Fate::Rule(_) => format!("executes {action} of {name}{}", self.changes(*from, *to)),
                    Fate::Unobserved => format!("lets {name} do {action}"),
                    Fate::Refused => format!("refuses {action} of {name}{}", self.failure(*failure)),
                }
            }
            Deed::Step { rule, from, to } => {
                let name = &self.team.program.environment.steps[*rule as usize].name;
                format!("{name}{}", self.changes(*from, *to))
            }
            Deed::Draw => "draws who moves".to_owned(),
        }
    }

    fn passed_over(&self, events: &[Event]) -> String {
        let events: Vec<String> = events.iter().map(|event| self.trigger(event.trigger)).collect();
        format!("no plan applies to {}", events.join(", "))
    }

    fn executed(&self, agent: u32, execution: &Execution) -> String {
        let plan = &self.team.program.agents[agent as usize].plans[execution.plan as usize];
        let text = plan.body.get(execution.formula as usize).map_or("an empty body", |formula| &formula.text);
        match &execution.effect {
            Effect::Act(action) => format!("executes {}", self.show(*action)),
            Effect::Goal(trigger) => format!("posts {}", self.trigger(*trigger)),
            Effect::Sent(to, force, content) => {
                let to: Vec<String> = to.iter().map(|&to| self.agent(to)).collect();
                phrase::sent(*force, &to.join(", "), &self.show(*content))
            }
            Effect::DeadLetter(to, force, content, failure) => {
                let sent = phrase::sent(*force, &self.show(*to), &self.show(*content));
                format!("{sent}, but there is no such agent{}", self.failure(*failure))
            }
            Effect::Beliefs { gained, lost } => match (gained.is_empty(), lost.is_empty()) {
                (true, true) => format!("executes {text}, nothing new"),
                (false, true) => format!("believes {}", self.list(gained)),
                (true, false) => format!("no longer believes {}", self.list(lost)),
                (false, false) => {
                    format!("believes {}, no longer {}", self.list(gained), self.list(lost))
                }
            },
            Effect::Waits(time) => format!("waits for {} ms", self.show(*time)),
            Effect::Printed(line) => format!("prints {line}"),
            Effect::Failed(failure) => format!("fails at {text}{}", self.failure(*failure)),
            Effect::Silent => format!("executes {text}"),
        }
    }

    pub(crate) fn list(&self, terms: &[TermId]) -> String {
        terms.iter().map(|&term| self.show(term)).collect::<Vec<_>>().join(", ")
    }

    /// Variables that a step of the environment changed: `: n 4 → 5, w none → ag1`.
    fn changes(&self, from: u32, to: Option<u32>) -> String {
        let Some(to) = to else { return ", by chance".to_owned() };
        let changed = snapshot::changed_cells(self, from, to);
        if changed.is_empty() { String::new() } else { format!(": {}", changed.join(", ")) }
    }

    /// Percepts that appeared in a step of the environment, for charts.
    fn appeared(&self, from: u32, to: u32) -> Vec<TermId> {
        let mut all = Vec::new();
        for agent in 0..self.team.program.agents.len() {
            let before = self.team.percepts(from, agent).unwrap_or(&[]);
            let after = self.team.percepts(to, agent).unwrap_or(&[]);
            for term in after {
                if !before.contains(term) && !all.contains(term) {
                    all.push(*term);
                }
            }
        }
        all
    }

    fn world_story(&self, text: String, from: u32, to: Option<u32>) -> (String, Weight) {
        let appeared = to.map_or(Vec::new(), |to| self.appeared(from, to));
        let text = if appeared.is_empty() { text } else { self.list(&appeared) };
        (text, Weight::Notable)
    }

    fn execution_story(&self, agent: u32, execution: &Execution) -> Story {
        let lost = |failure: &Failure| matches!(failure, Failure::Lost(_));
        let weight = match &execution.effect {
            Effect::Failed(failure) if lost(failure) => Weight::Alarm,
            Effect::DeadLetter(..) => Weight::Alarm,
            Effect::Silent => Weight::Routine,
            Effect::Beliefs { gained, lost } if gained.is_empty() && lost.is_empty() => Weight::Routine,
            _ => Weight::Notable,
        };
        let (text, to) = match &execution.effect {
            Effect::Act(action) => {
                let environment = self.process(self.team.program.agents.len());
                (String::new(), Some((environment, self.show(*action))))
            }
            // A chart has one arrow per step; further receivers are named in the text.
            Effect::Sent(to, force, content) => {
                let label = format!("{} {}", phrase::force(*force), self.show(*content));
                let others: Vec<String> = to.iter().skip(1).map(|&to| self.agent(to)).collect();
                let text =
                    if others.is_empty() { String::new() } else { format!("also to {}", others.join(", ")) };
                (text, to.first().map(|&to| (ProcessId(to), label)))
            }
            Effect::Goal(trigger) => (self.trigger(*trigger), None),
            _ => (self.executed(agent, execution), None),
        };
        Story { process: ProcessId(agent), text, to, weight }
    }
}

impl Words for Teller {
    fn value(&self, slot: SlotId, value: u32) -> String {
        match slot.index() {
            WORLD => snapshot::cells(self, value).join(", "),
            QUEUE => snapshot::actions(self, value).join(", "),
            slot if slot < MINDS + self.team.program.agents.len() => {
                snapshot::mind_line(self, slot - MINDS, value)
            }
            slot if self.team.board.has(slot) => {
                let said = self.team.board.in_slot(slot, value);
                let said: Vec<&str> =
                    said.map(|number| self.team.signature().atoms[number].as_str()).collect();
                if said.is_empty() { "none".to_owned() } else { said.join(", ") }
            }
            slot if self.team.is_turn(slot) => match value {
                0 => "not drawn".to_owned(),
                number => format!("step {number}"),
            },
            _ => self.team.last_action(value).map_or("none".to_owned(), |act| {
                format!("{} of {}", self.show(act.action), self.agent(act.agent))
            }),
        }
    }

    fn action(&self, action: ActionId) -> String {
        self.told(self.team.deed(action))
    }

    fn story(&self, action: ActionId) -> Story {
        let deed = self.team.deed(action);
        let story =
            |agent: u32, weight| Story { process: ProcessId(agent), text: self.told(deed), to: None, weight };
        match deed {
            Deed::Mail { agent, letter } => story(
                *agent,
                match letter {
                    None => Weight::Idle,
                    Some((_, Receipt::Distrusted | Receipt::Unanswerable)) => Weight::Alarm,
                    Some((_, Receipt::Known)) => Weight::Routine,
                    Some(_) => Weight::Notable,
                },
            ),
            Deed::Revise { agent, gained, lost } => {
                let idle = gained.is_empty() && lost.is_empty();
                story(*agent, if idle { Weight::Idle } else { Weight::Notable })
            }
            Deed::Wake { agent, .. } => story(*agent, Weight::Notable),
            Deed::Select { agent, passed_over, selected } => match selected {
                None if passed_over.is_empty() => story(*agent, Weight::Idle),
                None => story(*agent, Weight::Routine),
                Some((event, Selection::Dropped(_, Failure::Lost(_)))) => Story {
                    text: format!("{} dropped, no plan", self.trigger(event.trigger)),
                    ..story(*agent, Weight::Alarm)
                },
                Some((_, Selection::Dropped(_, Failure::Recovering(_)))) => story(*agent, Weight::Notable),
                Some(_) => story(*agent, Weight::Routine),
            },
            Deed::Execute { agent, executed: None } => story(*agent, Weight::Idle),
            Deed::Execute { agent, executed: Some(execution) } => self.execution_story(*agent, execution),
            Deed::Act { fate, from, to, .. } => {
                let process = self.process(self.team.program.agents.len());
                let (text, weight) = match fate {
                    Fate::Rule(_) => self.world_story(self.told(deed), *from, *to),
                    Fate::Unobserved => (self.told(deed), Weight::Notable),
                    Fate::Refused => (self.told(deed), Weight::Alarm),
                };
                Story { process, text, to: None, weight }
            }
            Deed::Step { rule, from, to } => {
                let process = self.process(self.team.program.agents.len() + 1 + *rule as usize);
                let (text, weight) = self.world_story(self.told(deed), *from, *to);
                Story { process, text, to: None, weight }
            }
            Deed::Draw => {
                let environment = &self.team.program.environment;
                let process = self.process(self.team.program.agents.len() + 1 + environment.steps.len());
                Story { process, text: self.told(deed), to: None, weight: Weight::Idle }
            }
        }
    }

    fn origin(&self, action: ActionId) -> Option<Span> {
        let program = &self.team.program;
        match self.team.deed(action) {
            Deed::Wake { agent, plan, formula, .. } => {
                let body = &program.agents[*agent as usize].plans[*plan as usize].body;
                body.get(*formula as usize).map(|formula| formula.span)
            }
            Deed::Select { agent, selected: Some((event, selection)), .. } => match selection {
                Selection::Plan(plan) => Some(program.agents[*agent as usize].plans[*plan as usize].span),
                Selection::Dropped(..) => {
                    self.relevant(*agent as usize, event).first().map(|(_, plan)| plan.span)
                }
            },
            Deed::Execute { agent, executed: Some(execution) } => {
                let plan = &program.agents[*agent as usize].plans[execution.plan as usize];
                Some(plan.body.get(execution.formula as usize).map_or(plan.span, |formula| formula.span))
            }
            Deed::Act { fate: Fate::Rule(rule), .. } => {
                Some(program.environment.actions[*rule as usize].span)
            }
            Deed::Step { rule, .. } => Some(program.environment.steps[*rule as usize].span),
            _ => None,
        }
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        snapshot::snapshot(self, state)
    }

    fn why(&self, states: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String> {
        self.explain(states, actions, at)
    }

    fn waits(&self, process: ProcessId, state: &State) -> Option<String> {
        let environment = process.index() == self.team.program.agents.len();
        environment.then(|| self.environment_waits(state)).flatten()
    }
}
