//! A team that acts beside its model: what the model's outcomes look like as news, and what its states look like as words.

// Every test binary compiles this file and uses a part of it.
#![allow(dead_code)]

use std::collections::BTreeMap;

use motet_model::{
    Acting, Actor, Draft, Language as _, News, Options, Order, Ratio, Situation, State, Steps, System, World,
};
use motet_senglish::SEnglish;
use motet_source::{Problems, Sources};

/// A team, its model and its world.
pub(crate) struct Stage {
    pub(crate) draft: Box<dyn Draft>,
    pub(crate) system: System,
    pub(crate) actor: Box<dyn Actor>,
    /// The last call of each agent's actions.
    pub(crate) calls: BTreeMap<(String, String), u64>,
}

pub(crate) fn options(logic: &str) -> Options {
    let mut options = Options::default();
    options.rules.insert("beliefs".to_owned(), logic.to_owned());
    options
}

impl Stage {
    pub(crate) fn new<T: AsRef<str>>(files: &[(T, T)], options: &Options) -> Self {
        let mut sources = Sources::new();
        for (path, text) in files {
            sources.add(path.as_ref(), text.as_ref());
        }
        let mut problems = Problems::new();
        let draft = SEnglish.read(&sources, options, &mut problems);
        let draft = draft.unwrap_or_else(|| panic!("{}", problems.lines(&sources)));
        let Acting { system, actor } = draft.acting(&[], &mut problems).expect("teams in sEnglish act");
        Self { draft, system, actor, calls: BTreeMap::new() }
    }

    pub(crate) fn world(&self) -> Box<dyn World> {
        self.draft.world().expect("a project says how its world behaves")
    }

    /// The model's steps from the present state.
    pub(crate) fn steps(&self) -> Steps {
        let mut steps = Steps::new(self.actor.state().len());
        self.system.model.steps(self.actor.state(), &mut steps).expect("no bound is exceeded");
        steps
    }

    /// Decides, and keeps the numbers of the calls.
    pub(crate) fn decide(&mut self, alternative: usize) -> Vec<Order> {
        let orders = self.actor.decide(alternative).expect("no bound is exceeded");
        for order in &orders {
            if let Order::Call { agent, call, action, .. } = order {
                self.calls.insert((agent.clone(), action.clone()), *call);
            }
        }
        orders
    }

    /// What each agent believes (`agent`, `sentence`), or does not know.
    pub(crate) fn section(&self, state: &State, title: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for mind in self.system.words.snapshot(state).minds {
            for section in mind.sections.into_iter().filter(|section| section.title == title) {
                found.extend(section.items.into_iter().map(|item| (mind.name.clone(), item)));
            }
        }
        found
    }

    /// The sentences that hold, with their agents where there are several.
    pub(crate) fn believed(&self) -> Vec<String> {
        let one = self.actor.manifest().agents.len() == 1;
        let told = |(agent, text): (String, String)| if one { text } else { format!("{agent}: {text}") };
        self.section(self.actor.state(), "beliefs").into_iter().map(told).collect()
    }

    /// What a skill would tell if the model went from the present state to this one.
    pub(crate) fn news(&self, target: &State) -> Vec<News> {
        let manifest = self.actor.manifest();
        let value = |state: &State, text: &str| {
            let has = |title: &str| self.section(state, title).iter().any(|(_, item)| item == text);
            if has("beliefs") {
                Some(true)
            } else if has("unknown") {
                None
            } else {
                Some(false)
            }
        };
        let mut news = Vec::new();
        for (agent, text) in self.section(target, "beliefs") {
            let skill = manifest.actions.iter().find(|skill| skill.feedbacks.contains(&text));
            if let Some(skill) = skill {
                let call = self.calls.get(&(agent, skill.name.clone())).copied();
                news.push(News::Feedback { call, what: text });
            }
        }
        for what in manifest.percepts {
            let (before, after) = (value(self.actor.state(), &what), value(target, &what));
            if let (true, Some(holds)) = (before != after, after) {
                news.push(News::Percept { agent: None, what, holds });
            }
        }
        news
    }

    /// The present situation, from what a user is shown of it.
    pub(crate) fn described(&self) -> Situation {
        let state = self.actor.state();
        let team = self.actor.manifest().agents.len() > 1;
        let own = |agent: &str, text: &str| if team { format!("{agent}: {text}") } else { text.to_owned() };
        let held = self.section(state, "beliefs");
        let unknown = self.section(state, "unknown");
        let mut situation = Situation::default();
        for (title, entries) in &self.draft.vocabulary().groups {
            if !["percepts", "feedbacks", "mental notes"].contains(&title.as_str()) {
                continue;
            }
            for entry in entries {
                let text = entry.split('"').nth(1).expect("a belief stands in quotes");
                for agent in self.actor.manifest().agents {
                    let pair = (agent.clone(), text.to_owned());
                    // The projects of `generate` name the owner of a percept that is not shared.
                    let mine = !text.contains(" for ") || text.ends_with(&format!(" for {agent}"));
                    if mine && !unknown.contains(&pair) {
                        situation.beliefs.push((own(&agent, text), held.contains(&pair)));
                    }
                }
            }
        }
        for (agent, line) in self.section(state, "plans") {
            let number = line.split([' ', ':']).nth(1).expect("plan N: ...");
            let index = line.rsplit('(').next().and_then(|tail| tail.split(' ').next());
            let index = index.and_then(|index| index.parse().ok()).expect("(I of N)");
            let name = if team { format!("{agent}.{number}") } else { number.to_owned() };
            situation.plans.push((name, index));
        }
        for (agent, line) in self.section(state, "counters") {
            let (name, rest) = match line.split_once("] runs since ") {
                Some((name, rest)) => (name.trim_start_matches('['), rest),
                None => line.split_once(": ").expect("PERCEPT: COUNT of MEAN"),
            };
            let count = rest.split(' ').next().and_then(|count| count.parse().ok()).expect("a count");
            situation.counters.push((own(&agent, name), count));
        }
        situation
    }
}

/// The product of the chances of what happened.
pub(crate) fn chance(trials: &[motet_model::Trial]) -> Ratio {
    trials.iter().fold(Ratio::ONE, |product, trial| {
        assert!(trial.chance != Ratio::ZERO && trial.chance != Ratio::ONE, "{trial:?} is no trial");
        let missing = motet_senglish::number::complement(trial.chance).expect("a chance is at most one");
        product.checked_mul(if trial.happened { trial.chance } else { missing }).expect("chances are round")
    })
}
