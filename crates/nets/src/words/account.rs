//! Why a transition is enabled or not: which place lacks a token, which guard is false with which values, who does not answer.

use motet_model::{Account, AccountLine, ProcessId, State};

use crate::program::{Alternative, Input, Net, Transition, TransitionId};
use crate::semantics::firing::{AgentName, Firing, Half};
use crate::semantics::instance::instance_of;
use crate::semantics::plan::Plan;
use crate::semantics::scope::{Instance, Trouble};
use crate::semantics::show;
use crate::value::{Agent, Value};
use crate::words::Teller;
use crate::words::inspection::{Inspection, guard_text};
use crate::words::picture::{bindings, command};
use crate::words::print;
use crate::words::typing::Variables;

/// How many modes are listed.
const LIMIT_MODES: usize = 12;

/// What was found out about an alternative.
#[derive(Default)]
struct Findings {
    lines: Vec<AccountLine>,
    /// The first thing that is missing.
    lack: Option<String>,
}

impl Findings {
    fn add(&mut self, met: bool, text: String) {
        if !met && self.lack.is_none() {
            self.lack = Some(text.clone());
        }
        self.lines.push(AccountLine { met: Some(met), text });
    }
}

impl Teller {
    /// See [`motet_model::Words::account`]. `Park` means the transitions of this name in all nets, `Diesel.Park` that of one.
    pub(crate) fn accounts(&self, state: &State, subject: &str) -> Vec<Account> {
        let marking = self.semantics.layout.marking(state);
        let system = self.semantics.root(&marking);
        let mut agents: Vec<&Agent> = Vec::new();
        self.agents_within(system.net, &marking, &mut agents);
        let mut accounts = Vec::new();
        let name = self.semantics.system().name.clone();
        self.accounts_of(system, &name, ProcessId(0), state, subject, &mut accounts);
        let mut seen: Vec<&Agent> = Vec::new();
        for agent in agents {
            if seen.contains(&agent) {
                continue;
            }
            seen.push(agent);
            let name = AgentName::of(agent);
            let process = self.semantics.lanes.of_agent(&name);
            let name = show::agent_name(self.program(), &name);
            self.accounts_of(instance_of(agent), &name, process, state, subject, &mut accounts);
        }
        accounts
    }

    fn accounts_of(
        &self,
        instance: Instance<'_>,
        owner: &str,
        process: ProcessId,
        state: &State,
        subject: &str,
        accounts: &mut Vec<Account>,
    ) {
        let net = self.net(instance.net);
        let is_meant = |transition: &Transition| match subject.split_once('.') {
            Some((of, name)) => transition.name == name && (of == net.name || of == owner),
            None => transition.name == subject,
        };
        for (id, transition) in (0..).map(TransitionId).zip(&net.transitions) {
            if is_meant(transition) {
                accounts.push(self.account_of(instance, process, state, net, (id, transition)));
            }
        }
    }

    fn account_of(
        &self,
        instance: Instance<'_>,
        process: ProcessId,
        state: &State,
        net: &Net,
        (id, transition): (TransitionId, &Transition),
    ) -> Account {
        let modes = self.modes(instance, state, id);
        let mut lines = Vec::new();
        let mut lack = None;
        for (number, alternative) in transition.alternatives.iter().enumerate() {
            if transition.alternatives.len() > 1 {
                lines.push(AccountLine { met: None, text: format!("alternative {}", number + 1) });
            }
            let plan = &self.semantics.plans.net(instance.net).transitions[id.0 as usize][number];
            let findings = self.findings(instance, net, alternative, plan);
            lines.extend(findings.lines);
            lack = lack.or(findings.lack);
        }
        let (active, status) = match &modes {
            Err(trouble) => (false, format!("a fault of the model: {trouble}")),
            Ok(modes) if modes.is_empty() => {
                let lack = lack.unwrap_or_else(|| "no binding meets everything at once".to_owned());
                (false, format!("not enabled: {lack}"))
            }
            Ok(modes) if modes.len() == 1 => (true, format!("enabled: {}", modes[0])),
            Ok(modes) => (true, format!("enabled in {} modes", modes.len())),
        };
        if let Ok(modes) = modes
            && modes.len() > 1
        {
            let told = modes.into_iter().take(LIMIT_MODES).map(|text| AccountLine { met: Some(true), text });
            lines.extend(told);
        }
        let subject = format!("{}.{}", net.name, transition.name);
        Account { process, subject, status, active, lines, origin: Some(transition.span) }
    }

    /// The modes in which the transition takes part in a step of the whole model.
    fn modes(
        &self,
        instance: Instance<'_>,
        state: &State,
        transition: TransitionId,
    ) -> Result<Vec<String>, Trouble> {
        let is_system = instance.net == self.program().system;
        let mut texts: Vec<String> = Vec::new();
        for firing in self.semantics.possible(state)? {
            let of_instance = |half: &Half| {
                half.transition == transition
                    && match half.path.last() {
                        None => is_system,
                        Some(agent) => {
                            !is_system && agent.net == instance.net && *agent.arguments == *instance.arguments
                        }
                    }
            };
            let Some(half) = firing.halves().find(|half| of_instance(half)) else { continue };
            let mut text = self.fired_text(half);
            if let Firing::Together { sender, receiver, port, sent } = &firing {
                let other = if std::ptr::eq(half, sender) { receiver } else { sender };
                let (owner, name) = (self.owner(other), self.transition(other));
                text = format!("{text} with {owner}.{name}, {}", self.message(*port, sent));
            }
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        Ok(texts)
    }

    fn findings(
        &self,
        instance: Instance<'_>,
        net: &Net,
        alternative: &Alternative,
        plan: &Plan,
    ) -> Findings {
        let variables = Variables::of(self.program(), net, alternative);
        let mut findings = Findings::default();
        let arcs = alternative.inputs.iter().map(|arc| ("in", arc));
        for (word, arc) in arcs.chain(alternative.reads.iter().map(|arc| ("read", arc))) {
            self.arc_finding(instance, net, word, arc, &variables, &mut findings);
        }
        self.inhibitor_findings(instance, net, alternative, &variables, &mut findings);
        self.binding_findings(instance, net, alternative, plan, &variables, &mut findings);
        findings
    }

    /// Whether the place of an arc has enough tokens at all.
    fn arc_finding(
        &self,
        instance: Instance<'_>,
        net: &Net,
        word: &str,
        arc: &Input,
        variables: &Variables<'_>,
        findings: &mut Findings,
    ) {
        let place = &net.places[arc.place.0 as usize].name;
        let bag = &instance.places[arc.place.0 as usize];
        let label = match (bag.tokens(), &arc.pattern) {
            ([(Value::Token, _)], _) | (_, crate::program::Pattern::Any) => place.clone(),
            (_, pattern) => format!("{place}({})", print::pattern(pattern, variables)),
        };
        let label = if arc.weight == 1 { label } else { format!("{label} * {}", arc.weight) };
        let enough = bag.tokens().iter().any(|(_, count)| *count >= arc.weight);
        let holds = match bag.tokens() {
            [] => format!("{place} is empty"),
            _ => format!("{place} holds {}", show::bag(self.program(), bag)),
        };
        findings.add(enough, format!("{word} {label}: {holds}"));
    }

    fn inhibitor_findings(
        &self,
        instance: Instance<'_>,
        net: &Net,
        alternative: &Alternative,
        variables: &Variables<'_>,
        findings: &mut Findings,
    ) {
        for arc in &alternative.inhibitors {
            let place = &net.places[arc.place.0 as usize].name;
            let bag = &instance.places[arc.place.0 as usize];
            let text = format!(
                "inhib {place}({}): {place} holds {}",
                print::pattern(&arc.pattern, variables),
                show::bag(self.program(), bag)
            );
            let blocked = bag.tokens().iter().any(|(_, count)| *count >= arc.weight);
            // A pattern may still let other tokens pass; then this is a remark.
            let certain = !blocked || matches!(arc.pattern, crate::program::Pattern::Any);
            if certain {
                findings.add(!blocked, text);
            } else {
                findings.lines.push(AccountLine { met: None, text });
            }
        }
    }

    /// Guards, picks and the partner, over the bindings that the arcs give when no guard is asked.
    fn binding_findings(
        &self,
        instance: Instance<'_>,
        net: &Net,
        alternative: &Alternative,
        plan: &Plan,
        variables: &Variables<'_>,
        findings: &mut Findings,
    ) {
        let inspection = Inspection::of(self, instance, alternative, plan, variables);
        let picks = bindings(alternative, variables);
        if inspection.tried == 0 && findings.lack.is_none() {
            if !picks.is_empty() {
                findings.add(false, format!("{}: nothing to pick", picks.join(", ")));
            } else if !alternative.inputs.is_empty() || !alternative.reads.is_empty() {
                findings.add(false, "no tokens fit the patterns".to_owned());
            }
        }
        for (guard, met) in alternative.guards.iter().zip(&inspection.guards) {
            let text = guard_text(guard, met, variables);
            match met.asked && inspection.tried > 0 {
                true => findings.add(met.some, text),
                false => findings.lines.push(AccountLine { met: None, text }),
            }
        }
        if let Some(nearest) = &inspection.nearest
            && findings.lack.is_none()
        {
            findings.lack = Some(nearest.clone());
        }
        if let Some(sync) = &alternative.sync {
            let text = format!("sync {}", command(self.program(), net, sync, alternative));
            let with = inspection.partners.join(", ");
            let text = if with.is_empty() { text } else { format!("{text}: {with}") };
            if inspection.tried > 0 && findings.lack.is_none() {
                findings.lack = Some(format!("nobody answers: {text}"));
            }
            findings.lines.push(AccountLine { met: None, text });
        }
    }
}
