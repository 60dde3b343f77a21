//! A situation that somebody describes: the start of the team with other initial beliefs.

use motet_model::Situation;

use crate::actor::{Moment, agent_named, names, term_of};
use crate::program::Program;
use crate::resolve::Content;
use crate::semantics::team::Team;
use crate::term::TermId;

/// The situation, or what in its description means nothing to the team.
pub(super) fn place(team: &Team, next: u64, situation: &Situation) -> Result<Moment, Vec<String>> {
    let program = &*team.program;
    let mut beliefs: Vec<Vec<TermId>> = program.agents.iter().map(|agent| agent.beliefs.clone()).collect();
    let mut wrong = Vec::new();
    for (text, holds) in &situation.beliefs {
        let (agents, term) = match belief(program, text) {
            Ok(belief) => belief,
            Err(why) => {
                wrong.push(why);
                continue;
            }
        };
        for agent in agents {
            beliefs[agent].retain(|&known| known != term || *holds);
            if *holds && !beliefs[agent].contains(&term) {
                beliefs[agent].push(term);
            }
        }
    }
    for (plan, _) in &situation.plans {
        wrong.push(format!("plan `{plan}` cannot be put into a team of AgentSpeak; describe its beliefs"));
    }
    for (counter, _) in &situation.counters {
        wrong.push(format!("nothing counts the cycles of `{counter}` in AgentSpeak; leave it out"));
    }
    let bound = program.bounds.beliefs as usize;
    for (agent, name) in beliefs.iter().zip(names(program)).filter(|(agent, _)| agent.len() > bound) {
        wrong.push(format!("{name} can have {bound} beliefs, not {}", agent.len()));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let minds = beliefs.iter().enumerate().map(|(agent, beliefs)| team.first_mind(agent, beliefs));
    let (percepts, minds) = (vec![Vec::new(); program.agents.len()], minds.collect());
    Ok(Moment {
        minds,
        percepts,
        passing: Vec::new(),
        open: Vec::new(),
        waits: Vec::new(),
        last: None,
        passed: Vec::new(),
        next,
    })
}

/// Who believes what: `ag1.at(3,4)` is a belief of one agent, `at(3,4)` of all.
fn belief(program: &Program, text: &str) -> Result<(std::ops::Range<usize>, TermId), String> {
    let owner = text.split_once('.').filter(|(owner, _)| is_name(owner.trim()));
    let (agents, text) = match owner {
        Some((owner, text)) => {
            let agent = agent_named(program, owner.trim())?;
            (agent..agent + 1, text)
        }
        None => (0..program.agents.len(), text),
    };
    Ok((agents, term_of(program, text, Content::Belief)?))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
