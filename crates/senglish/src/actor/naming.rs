//! What a text from outside means to a team, and how it is told when it means nothing.

use crate::program::{Belief, Program};
use crate::sentence::{fold, identifier, nearest, tidy};

/// Longer texts are cut when they are shown, and have no nearest name.
const LONGEST_SHOWN: usize = 120;

/// The agent with this name.
pub(crate) fn agent(program: &Program, name: &str) -> Result<usize, String> {
    let wanted = identifier(&fold(name));
    let found = program.agents.iter().position(|agent| agent.name == wanted);
    found.ok_or_else(|| {
        let names = || program.agents.iter().map(|agent| agent.name.as_str());
        let help = near(name, names());
        format!(
            "there is no agent {}; {}",
            shown(name),
            help.unwrap_or_else(|| { format!("the agents are {}", crate::words::listed(names())) })
        )
    })
}

/// A text without the agent in front of it (`scout: Mine found`, `scout.Mine found`), and that agent.
pub(crate) fn owner<'a>(program: &Program, text: &'a str) -> (Option<usize>, &'a str) {
    let split = text.find([':', '.']).map(|at| (&text[..at], &text[at + 1..]));
    let Some((name, rest)) = split.filter(|(_, rest)| !rest.trim().is_empty()) else { return (None, text) };
    let wanted = identifier(&fold(name));
    match program.agents.iter().position(|agent| agent.name == wanted) {
        Some(agent) => (Some(agent), rest),
        None => (None, text),
    }
}

/// The beliefs with this sentence, of one agent or of all; a percept that agents share is one belief.
pub(crate) fn beliefs(program: &Program, agent: Option<usize>, sentence: &str) -> Vec<usize> {
    let key = fold(sentence);
    let mine = |number: usize| agent.is_none_or(|agent| program.agents[agent].beliefs.contains(&number));
    (0..program.beliefs.len()).filter(|number| program.beliefs[*number].key == key && mine(*number)).collect()
}

/// `did you mean ...?` with the nearest belief of some sort.
pub(crate) fn near_belief(program: &Program, text: &str, sort: impl Fn(&Belief) -> bool) -> Option<String> {
    let known = program.beliefs.iter().filter(|belief| sort(belief)).map(|belief| belief.text.as_str());
    near(text, known)
}

/// `did you mean ...?`
pub(crate) fn near<'a>(text: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    if text.len() > LONGEST_SHOWN {
        return None;
    }
    nearest(text, known).map(|name| format!("did you mean `{name}`?"))
}

/// A text from outside in quotes, not longer than a line.
pub(crate) fn shown(text: &str) -> String {
    let mut letters = text.chars().filter(|c| !c.is_control());
    let cut: String = letters.by_ref().take(LONGEST_SHOWN).collect();
    let more = if letters.next().is_some() { "..." } else { "" };
    format!("`{}{more}`", tidy(&cut))
}
