//! Why a transition is enabled or not: which place lacks a token, which guard is false with which values, who does not answer.

use motet_model::{Account, AccountLine, ProcessId, State};

use crate::program::{Alternative, Exchange, Input, Net, Partner, Transition, TransitionId};
use crate::semantics::effect::agent_at;
use crate::semantics::firing::{AgentName, Firing, Half};
use crate::semantics::instance::instance_of;
use crate::semantics::modes::Mode;
use crate::semantics::plan::Plan;
use crate::semantics::scope::{Budget, Instance, Scope, Trouble};
use crate::semantics::show;
use crate::value::{Agent, Value};
use crate::words::Teller;
use crate::words::picture::{bindings, command, guards, is_limit};
use crate::words::print;
use crate::words::typing::Variables;

/// How many bindings are looked at to explain a guard.
const LIMIT_BINDINGS: usize = 2000;

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
        let unguarded = Plan {
            bound: plan.bound.clone(),
            guards: vec![Vec::new(); plan.guards.len()],
            ignores: plan.ignores,
            places: Vec::new(),
        };
        let budget = Budget::new();
        let program = self.program();
        let scope = Scope { program, instance, budget: &budget, depth: 0, enabled: None };
        let mut guards_met = vec![Met::default(); alternative.guards.len()];
        let mut tried = 0;
        let mut partners: Vec<String> = Vec::new();
        let receives =
            matches!(alternative.sync.as_ref().map(|sync| &sync.exchange), Some(Exchange::Receive(_)));
        // What is received is not known here, so guards that speak of it cannot be asked.
        let askable: Vec<bool> = (0..alternative.guards.len())
            .map(|guard| {
                !receives || plan.guards[..=arcs(alternative)].iter().flatten().any(|at| *at == guard)
            })
            .collect();
        let mut look = |mode: &mut Mode<'_>| {
            tried += 1;
            if tried > LIMIT_BINDINGS {
                return Trouble::new("enough");
            }
            for ((met, guard), askable) in guards_met.iter_mut().zip(&alternative.guards).zip(&askable) {
                if *askable {
                    let truth = mode.scope.truth(guard, &mut mode.env);
                    met.note(truth.unwrap_or(false), || self.binding_of(mode, variables));
                }
            }
            if let Some(Partner::Agent { arc, fields }) = alternative.sync.as_ref().map(|sync| &sync.partner)
            {
                let name = AgentName::of(agent_at(&mode.tokens[*arc], fields));
                let name = show::agent_name(program, &name);
                if !partners.contains(&name) {
                    partners.push(name);
                }
            }
            Ok(())
        };
        let mut mode = Mode::new(scope, alternative, &unguarded);
        let _ = if receives {
            mode.match_arcs(&mut look)
        } else {
            mode.match_arcs(&mut |mode| mode.finish(&mut look))
        };
        let has_picks = !bindings(alternative, variables).is_empty();
        let arcs_fit = findings.lack.is_none();
        if tried == 0 && arcs_fit && (has_picks || arcs(alternative) > 0) {
            let picks = bindings(alternative, variables).join(", ");
            let text = if has_picks {
                format!("{picks}: nothing to pick")
            } else {
                "no tokens fit the patterns".to_owned()
            };
            findings.add(false, text);
        }
        for ((guard, met), askable) in alternative.guards.iter().zip(&guards_met).zip(&askable) {
            if tried > 0 && *askable {
                findings.add(met.some, self.guard_text(guard, met, variables));
            }
        }
        if !askable.iter().all(|askable| *askable) {
            let rest: Vec<String> = guards(alternative, variables);
            findings.lines.push(AccountLine { met: None, text: format!("when {}", rest.join(" and ")) });
        }
        if let Some(sync) = &alternative.sync {
            let text = format!("sync {}", command(program, net, sync, alternative));
            let with = if partners.is_empty() { String::new() } else { format!(": {}", partners.join(", ")) };
            findings.lines.push(AccountLine { met: None, text: format!("{text}{with}") });
        }
    }

    fn guard_text(&self, guard: &crate::program::Expr, met: &Met, variables: &Variables<'_>) -> String {
        if is_limit(guard, variables) {
            return "its limit is not reached".to_owned();
        }
        let text = format!("when {}", print::expr(guard, variables));
        match &met.refuted {
            Some(binding) if !met.some && !binding.is_empty() => format!("{text}: false with {binding}"),
            _ => text,
        }
    }

    fn binding_of(&self, mode: &Mode<'_>, variables: &Variables<'_>) -> String {
        let bound = mode.plan.bound.iter().zip(mode.binding_values());
        let text = bound.map(|(variable, value)| {
            format!("{} = {}", variables.name(*variable), show::value(self.program(), &value))
        });
        text.collect::<Vec<_>>().join(", ")
    }
}

fn arcs(alternative: &Alternative) -> usize {
    alternative.inputs.len() + alternative.reads.len()
}

/// What became of a guard.
#[derive(Clone, Default)]
struct Met {
    /// Some binding satisfies it.
    some: bool,
    /// The first binding that does not.
    refuted: Option<String>,
}

impl Met {
    fn note(&mut self, truth: bool, binding: impl FnOnce() -> String) {
        self.some = self.some || truth;
        if !truth && self.refuted.is_none() {
            self.refuted = Some(binding());
        }
    }
}
