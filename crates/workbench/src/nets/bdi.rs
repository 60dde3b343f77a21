//! Agents that are nets, read as minds: the reachable markings of an agent are its beliefs, the reachable ones among the
//! declared goals are its desires, and the firing sequences that lead to a goal are the intentions it can have.

mod followed;
mod ways;

use motet_engine::Limits;
use motet_model::NetPicture;
use motet_render::{Belief, Beliefs, GoalReport, Intention, Intentions, NetBeliefs};
use motet_source::suggest;

use crate::exporting::export::{Map, run_to};
use crate::loading::load::Ready;
use crate::nets::bdi::followed::Followed;
use crate::nets::bdi::ways::Ways;

/// What is asked about intentions.
#[derive(Clone, Debug)]
pub struct Desire<'a> {
    /// The goals of this net only.
    pub net: Option<&'a str>,
    /// The goals of this name only.
    pub goal: Option<&'a str>,
    /// Intentions that are listed for a goal, at most.
    pub most: usize,
    /// When to stop looking at markings of the model.
    pub limits: Limits,
}

/// The beliefs of the agents of each net, or of one, in the markings of the model up to the limits.
///
/// # Errors
/// When there is no such net.
pub fn beliefs(ready: &Ready, model: &str, net: Option<&str>, limits: &Limits) -> Result<Beliefs, String> {
    let pictures = ready.system.words.nets();
    let chosen = match net {
        Some(net) => vec![numbered(&pictures, net)?],
        None => (1..pictures.len()).collect(),
    };
    let map = Map::explore(ready.system.model.as_ref(), limits);
    let told = |net: usize| {
        let followed = Followed::new(ready, &map, &pictures, net);
        let last = followed.last();
        let first = followed.first();
        let belief = |(number, one): (usize, &followed::Held)| Belief {
            agent: one.agent.clone(),
            marking: one.words.clone(),
            goals: one.marking.goals.clone(),
            first: first.contains(&number),
            last: map.complete && last[number],
        };
        let beliefs = followed.beliefs.iter().enumerate().map(belief).collect();
        NetBeliefs { net: name(&pictures[net]).to_owned(), goals: pictures[net].goals.clone(), beliefs }
    };
    let nets = chosen.into_iter().map(told).collect();
    Ok(Beliefs { model: model.to_owned(), states: map.states.len() as u64, complete: map.complete, nets })
}

/// The ways to the goals.
///
/// # Errors
/// When there is no such net or no such goal.
pub fn intentions(ready: &Ready, model: &str, desire: &Desire<'_>) -> Result<Intentions, String> {
    let pictures = ready.system.words.nets();
    let chosen = match desire.net {
        Some(net) => vec![numbered(&pictures, net)?],
        None => (0..pictures.len()).collect(),
    };
    let goals = chosen.iter().flat_map(|&net| pictures[net].goals.iter().map(move |goal| (net, goal)));
    let known: Vec<(usize, &String)> = goals.collect();
    let mut wanted = known.clone();
    wanted.retain(|(_, goal)| desire.goal.is_none_or(|wanted| wanted == *goal));
    if let (Some(goal), true) = (desire.goal, wanted.is_empty()) {
        return Err(missing("goal", goal, known.iter().map(|(_, goal)| goal.as_str())));
    }
    let map = Map::explore(ready.system.model.as_ref(), &desire.limits);
    let mut reports = Vec::new();
    let mut followed: Option<(usize, Followed<'_>)> = None;
    for (net, goal) in wanted {
        if followed.as_ref().is_none_or(|(known, _)| *known != net) {
            followed = Some((net, Followed::new(ready, &map, &pictures, net)));
        }
        let Some((_, followed)) = &followed else { continue };
        reports.push(goal_report(ready, &map, followed, &pictures[net], goal, desire.most));
    }
    Ok(Intentions {
        model: model.to_owned(),
        states: map.states.len() as u64,
        complete: map.complete,
        goals: reports,
    })
}

fn goal_report(
    ready: &Ready,
    map: &Map,
    followed: &Followed<'_>,
    picture: &NetPicture,
    goal: &str,
    most: usize,
) -> GoalReport {
    let reached = followed.state_with(goal);
    let ways = Ways::to(followed, goal, most);
    let intention = |(agent, firings): &(String, Vec<usize>)| Intention {
        agent: agent.clone(),
        firings: firings.iter().map(|&transition| picture.transitions[transition].name.clone()).collect(),
    };
    GoalReport {
        net: name(picture).to_owned(),
        goal: goal.to_owned(),
        reachable: reached.is_some(),
        run: reached.map_or_else(Vec::new, |state| run_to(ready, map, state)),
        intentions: ways.found.iter().map(intention).collect(),
        more: ways.more,
    }
}

/// The name of a net without its parameters.
fn name(picture: &NetPicture) -> &str {
    picture.name.split('(').next().unwrap_or_default()
}

fn numbered(pictures: &[NetPicture], net: &str) -> Result<usize, String> {
    let known = pictures.iter().position(|picture| name(picture) == net);
    known.ok_or_else(|| missing("net", net, pictures.iter().map(name)))
}

fn missing<'a>(what: &str, wanted: &str, known: impl Iterator<Item = &'a str>) -> String {
    match suggest(wanted, known) {
        Some(near) => format!("there is no {what} {wanted}; did you mean {near}?"),
        None => format!("there is no {what} {wanted}"),
    }
}
