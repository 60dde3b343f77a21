//! Questions about the whole team: events nobody raises, goals nobody has a plan for, beliefs nobody ever holds.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span, suggest};

use crate::program::{Agent, Audience, Environment, Force, Mode};
use crate::syntax::{Sign, TriggerKind};
use crate::term::{Term, Terms};

use super::traffic::{Key, Traffic};

/// The team as far as events are concerned.
pub(crate) struct Events<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) mode: Mode,
    pub(crate) names: &'a [String],
    pub(crate) agents: &'a [Agent],
    pub(crate) traffic: &'a [Traffic],
    pub(crate) environment: &'a Environment,
}

/// Some known keys, or anything at all.
#[derive(Default)]
struct Sources {
    keys: Vec<Key>,
    anything: bool,
}

impl Sources {
    fn has(&self, key: &Key) -> bool {
        self.anything || self.keys.contains(key)
    }

    /// The way out for a name that is not among these.
    fn help(&self, key: &Key, otherwise: &str) -> String {
        if let Some((name, arity)) = self.keys.iter().find(|(name, _)| *name == key.0) {
            return format!("there is `{}`: compare the number of arguments", show(name, *arity));
        }
        match suggest(&key.0, self.keys.iter().map(|(name, _)| name.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => otherwise.to_owned(),
        }
    }
}

fn show(name: &str, arity: usize) -> String {
    if arity == 0 { name.to_owned() } else { format!("{name}({})", vec!["_"; arity].join(",")) }
}

/// A warning per place, with the agents it concerns and the way out. Members that share a program share its places;
/// what one of them can use is no problem of the text.
#[derive(Default)]
struct Findings {
    places: BTreeMap<(Span, &'static str), Finding>,
}

struct Finding {
    /// How many agents have this place.
    n_agents: usize,
    /// Those for which it is a problem.
    agents: Vec<usize>,
    /// What is said after the agents' names.
    message: String,
    help: String,
}

impl Findings {
    /// Notes that an agent has this place, and what is wrong with it, if anything.
    fn note(&mut self, code: &'static str, span: Span, agent: usize, found: Option<(String, String)>) {
        let place = self.places.entry((span, code)).or_insert_with(|| Finding {
            n_agents: 0,
            agents: Vec::new(),
            message: String::new(),
            help: String::new(),
        });
        place.n_agents += 1;
        if let Some((message, help)) = found {
            place.agents.push(agent);
            (place.message, place.help) = (message, help);
        }
    }

    fn report(self, names: &[String], problems: &mut Problems) {
        for ((span, code), finding) in self.places {
            if finding.agents.is_empty() || finding.agents.len() < finding.n_agents {
                continue;
            }
            let mut agents: Vec<usize> = finding.agents;
            agents.dedup();
            let mut shown: Vec<&str> = agents.iter().take(3).map(|agent| names[*agent].as_str()).collect();
            if agents.len() > 3 {
                shown.push("..");
            }
            let message = finding.message.replace("{agents}", &shown.join(", "));
            problems.push(Problem::warning(code, span, message, finding.help));
        }
    }
}

impl Events<'_> {
    /// All warnings about events.
    pub(crate) fn check(&self, problems: &mut Problems) {
        let mut findings = Findings::default();
        for agent in 0..self.agents.len() {
            self.check_triggers(agent, &mut findings);
            let plans = self.plans(agent);
            for (key, span) in &self.traffic[agent].posted {
                self.check_goal(agent, &plans, key, *span, &mut findings);
            }
            self.check_beliefs(agent, &mut findings);
        }
        self.check_messages(&mut findings);
        findings.report(self.names, problems);
        self.hint_unused_actions(problems);
    }

    /// What others send an agent with this force.
    fn received(&self, agent: usize, force: Force, sources: &mut Sources) {
        for sent in self.traffic.iter().flat_map(|traffic| &traffic.sent) {
            if sent.force == force && sent.to.is_none_or(|to| to == agent) {
                match &sent.key {
                    Some(key) => sources.keys.push(key.clone()),
                    None => sources.anything = true,
                }
            }
        }
    }

    fn perceived(&self, agent: usize, sources: &mut Sources) {
        for percept in &self.environment.percepts {
            if !matches!(percept.to, Audience::Agent(other) if other != agent) {
                sources.keys.push((self.terms.name(percept.name).to_string(), percept.args.len()));
            }
        }
    }

    fn goals(&self, agent: usize) -> Sources {
        let mut sources = Sources::default();
        sources.keys.extend(self.traffic[agent].posted.iter().map(|(key, _)| key.clone()));
        self.received(agent, Force::Achieve, &mut sources);
        sources
    }

    fn beliefs(&self, agent: usize) -> Sources {
        let mut sources = Sources::default();
        sources.keys.extend(self.traffic[agent].added.iter().cloned());
        self.perceived(agent, &mut sources);
        self.received(agent, Force::Tell, &mut sources);
        sources
    }

    /// What can raise the event of a trigger.
    fn raisers(&self, agent: usize, sign: Sign, kind: TriggerKind) -> Sources {
        let traffic = &self.traffic[agent];
        match (sign, kind) {
            (_, TriggerKind::Achieve) => self.goals(agent),
            (_, TriggerKind::Test) => Sources { keys: traffic.tested.clone(), anything: false },
            (Sign::Added, TriggerKind::Belief) => {
                let mut sources = self.beliefs(agent);
                // In AgentSpeak(F) initial beliefs are simply there; in Jason they are events.
                if self.mode == Mode::Jason {
                    sources.keys.extend(traffic.believed.iter().cloned());
                }
                sources
            }
            (Sign::Deleted, TriggerKind::Belief) => {
                let mut sources =
                    Sources { keys: traffic.deleted.clone(), anything: traffic.deletes_anything };
                self.perceived(agent, &mut sources);
                self.received(agent, Force::Untell, &mut sources);
                sources
            }
        }
    }

    fn check_triggers(&self, agent: usize, findings: &mut Findings) {
        for plan in &self.agents[agent].plans {
            let strict_dead = self.mode == Mode::Strict
                && (plan.kind == TriggerKind::Test
                    || (plan.kind, plan.sign) == (TriggerKind::Achieve, Sign::Deleted));
            let Some(key) = self.key(&plan.trigger.pattern) else { continue };
            let sources = self.raisers(agent, plan.sign, plan.kind);
            let dead = !strict_dead && !sources.has(&key);
            let found = dead.then(|| {
                let (what, otherwise) = silence(plan.sign, plan.kind);
                let message = format!("the plan of {{agents}} for this event is never used: {what}");
                (message, sources.help(&key, otherwise))
            });
            findings.note("M0420", plan.span, agent, found);
        }
    }

    fn key(&self, pattern: &crate::program::Pattern) -> Option<Key> {
        match pattern {
            crate::program::Pattern::Structure(functor, args) => {
                Some((self.terms.name(*functor).to_string(), args.len()))
            }
            crate::program::Pattern::Ground(id) => match self.terms.get(*id) {
                Term::Structure(functor, args) => Some((self.terms.name(*functor).to_string(), args.len())),
                _ => None,
            },
            _ => None,
        }
    }

    /// The goals an agent has plans for.
    fn plans(&self, agent: usize) -> Sources {
        let plans = self.agents[agent].plans.iter();
        let plans = plans.filter(|plan| (plan.sign, plan.kind) == (Sign::Added, TriggerKind::Achieve));
        Sources { keys: plans.filter_map(|plan| self.key(&plan.trigger.pattern)).collect(), anything: false }
    }

    fn check_goal(&self, agent: usize, plans: &Sources, key: &Key, span: Span, findings: &mut Findings) {
        let found = (!plans.has(key)).then(|| {
            let verb = "there is no plan of {agents} for the goal";
            let message = format!("{verb} `{}`", show(&key.0, key.1));
            let otherwise = format!("write one: `+!{} <- ..`", key.0);
            (message, plans.help(key, &otherwise))
        });
        findings.note("M0429", span, agent, found);
    }

    fn check_messages(&self, findings: &mut Findings) {
        for sent in self.traffic.iter().flat_map(|traffic| &traffic.sent) {
            if let (Force::Achieve, Some(to), Some(key)) = (sent.force, sent.to, &sent.key) {
                self.check_goal(to, &self.plans(to), key, sent.span, findings);
            }
        }
    }

    fn check_beliefs(&self, agent: usize, findings: &mut Findings) {
        let mut sources = self.beliefs(agent);
        sources.keys.extend(self.traffic[agent].believed.iter().cloned());
        if self.mode == Mode::Jason {
            // A test that no belief answers raises `+?t`.
            let tests = self.agents[agent].plans.iter().filter(|plan| plan.kind == TriggerKind::Test);
            sources.keys.extend(tests.filter_map(|plan| self.key(&plan.trigger.pattern)));
        }
        for (key, span) in &self.traffic[agent].asked {
            let found = (!sources.has(key)).then(|| {
                let message = format!("`{}` is never among the beliefs of {{agents}}", show(&key.0, key.1));
                let otherwise = "declare a percept, tell it, add it with `+`, or make it an initial belief";
                (message, sources.help(key, otherwise))
            });
            findings.note("M0430", *span, agent, found);
        }
    }

    fn hint_unused_actions(&self, problems: &mut Problems) {
        let taken: Vec<&Key> =
            self.traffic.iter().flat_map(|traffic| &traffic.acted).map(|(key, _)| key).collect();
        for rule in &self.environment.actions {
            let key = (self.terms.name(rule.name).to_string(), rule.params.len());
            if !taken.contains(&&key) {
                problems.push(Problem::hint(
                    "M0544",
                    rule.span,
                    format!("no agent ever takes the action `{}`", show(&key.0, key.1)),
                    "leave the rule out, or compare its name with the plans",
                ));
            }
        }
    }
}

/// Why an event is never raised, and what to do about it.
fn silence(sign: Sign, kind: TriggerKind) -> (&'static str, &'static str) {
    match (sign, kind) {
        (_, TriggerKind::Achieve) => {
            ("nobody posts this goal", "post it with `!`, send it with `achieve`, or leave the plan out")
        }
        (_, TriggerKind::Test) => ("nobody tests this", "test it with `?`, or leave the plan out"),
        (Sign::Added, TriggerKind::Belief) => (
            "nobody tells, perceives or adds this belief",
            "declare a percept, send it with `tell`, add it with `+`, or leave the plan out",
        ),
        (Sign::Deleted, TriggerKind::Belief) => (
            "nothing ever takes this belief back",
            "declare a percept, send it with `untell`, delete it with `-`, or leave the plan out",
        ),
    }
}
