//! What agents have in mind, for those who look: beliefs, events, desires and intentions.

use motet_model::{Mind, Snapshot, State, Words};
use motet_render::{RunChange, RunMind, RunSection, run_changes};

/// Sections whose lines change with every cycle and say nothing new.
const COUNTING: &str = "counters";
/// Plans that are asked about at most.
const LIMIT_PLANS: u32 = 500;

/// What was last seen of the agents' minds.
pub(crate) struct Mirror {
    last: Snapshot,
}

impl Mirror {
    /// The first look.
    pub(crate) fn new(words: &dyn Words, state: &State) -> Self {
        Self { last: words.snapshot(state) }
    }

    /// What has changed since the last look.
    pub(crate) fn look(&mut self, words: &dyn Words, state: &State) -> Vec<RunChange> {
        let now = words.snapshot(state);
        let mut changes = run_changes(&self.last, &now);
        changes.retain(|change| change.section != COUNTING);
        self.last = now;
        changes
    }

    /// The whole of the minds as of the last look: sections of the language's own, with events and desires where the
    /// language has none. An event is a belief that came or went; a desire is a plan whose conditions hold.
    pub(crate) fn minds(&self, words: &dyn Words, state: &State, changes: &[RunChange]) -> Vec<RunMind> {
        let desires = desires(words, state);
        self.last
            .minds
            .iter()
            .enumerate()
            .map(|(process, mind)| {
                let mut sections: Vec<RunSection> = Vec::new();
                for section in &mind.sections {
                    sections.push(RunSection { title: section.title.clone(), items: section.items.clone() });
                    if section.title == "beliefs" {
                        derived(mind, process, changes, &desires, &mut sections);
                    }
                }
                RunMind { agent: mind.name.clone(), sections }
            })
            .collect()
    }
}

fn derived(
    mind: &Mind,
    process: usize,
    changes: &[RunChange],
    desires: &[(usize, String)],
    sections: &mut Vec<RunSection>,
) {
    let has = |title: &str| mind.sections.iter().any(|section| section.title == title);
    if !has("events") {
        let own = changes.iter().filter(|change| change.agent == mind.name && change.section == "beliefs");
        let items = own.map(|change| format!("{}{}", change.sign, change.item)).collect();
        sections.push(RunSection { title: "events".to_owned(), items });
    }
    if !has("desires") && !desires.is_empty() {
        let own = desires.iter().filter(|(owner, _)| *owner == process);
        let items = own.map(|(_, text)| text.clone()).collect();
        sections.push(RunSection { title: "desires".to_owned(), items });
    }
}

/// Plans whose conditions hold, with the number of whose they are, for languages that number their plans.
fn desires(words: &dyn Words, state: &State) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for number in 1..=LIMIT_PLANS {
        let accounts = words.account(state, &format!("plan {number}"));
        if accounts.is_empty() {
            break;
        }
        for account in accounts {
            if account.lines.iter().all(|line| line.met != Some(false)) {
                found.push((account.process.index(), account.subject));
            }
        }
    }
    found
}

/// The sentences that are believed, each once; in a team also with the agent who believes it: `scout: Mine found`.
pub(crate) fn believed(words: &dyn Words, state: &State) -> Vec<String> {
    let mut beliefs: Vec<String> = Vec::new();
    let minds = words.snapshot(state).minds;
    let is_team = minds.len() > 1;
    for mind in minds {
        let own = mind.sections.into_iter().filter(|section| section.title == "beliefs");
        for belief in own.flat_map(|section| section.items) {
            let owned = is_team.then(|| format!("{}: {belief}", mind.name));
            for told in owned.into_iter().chain([belief]) {
                if !beliefs.contains(&told) {
                    beliefs.push(told);
                }
            }
        }
    }
    beliefs
}
