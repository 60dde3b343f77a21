//! The model for other programs.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{
    ActionId, Model, ProcessId, PromelaClaim, State, Steps, TeamEdge, TeamKind, TeamLink, TeamNode,
    TeamPicture,
};
use motet_render::{Graph, GraphEdge, GraphNode};
use motet_source::Problem;

use crate::load::Ready;
use crate::promela::promela_claims;

/// The model with its claims in Promela, and why some claims are not in it.
pub struct Promela {
    /// The text.
    pub text: String,
    /// Claims that Spin cannot be asked, with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Translates the model. `command` stands in the first line.
///
/// # Errors
/// When the model uses something that has no translation.
pub fn promela(ready: &Ready, command: &str) -> Result<Promela, Box<Problem>> {
    let asked = promela_claims(ready);
    let claims: Vec<PromelaClaim> = asked.iter().filter_map(|asked| asked.claim.clone().ok()).collect();
    let body = ready.system.export.promela(&claims)?;
    let left_out = ready
        .claims
        .iter()
        .zip(&asked)
        .filter_map(|(claim, asked)| Some((claim.name.clone(), asked.claim.as_ref().err()?.clone())))
        .collect();
    let command = command.replace("*/", "* /");
    Ok(Promela { text: format!("/* {command} */\n{body}"), left_out })
}

/// The situations of a small model and the steps between them, in the model's words; at most `limit` situations.
#[must_use]
pub fn state_graph(ready: &Ready, name: &str, limit: u64) -> Graph {
    let map = Map::explore(ready.system.model.as_ref(), limit);
    let processes = &ready.system.model.signature().processes;
    let edge = |edge: &Edge| GraphEdge {
        from: edge.from,
        to: edge.to,
        who: processes.get(edge.process.index()).cloned().unwrap_or_default(),
        label: ready.system.words.action(edge.action),
        kind: None,
    };
    Graph {
        name: name.to_string(),
        nodes: map
            .states
            .iter()
            .enumerate()
            .map(|(at, state)| GraphNode {
                lines: situation(ready, state),
                initial: at < map.n_initial,
                kind: None,
            })
            .collect(),
        edges: map.edges.iter().map(edge).collect(),
        complete: map.complete,
    }
}

/// Who sends what to whom: as the texts say where the language knows that, else as far as the first `limit` situations show.
#[must_use]
pub fn team_graph(ready: &Ready, name: &str, limit: u64) -> Graph {
    if let Some(team) = ready.system.words.team() {
        return drawn_team(name, team);
    }
    let map = Map::explore(ready.system.model.as_ref(), limit);
    let processes = &ready.system.model.signature().processes;
    let message = |edge: &Edge| {
        let story = ready.system.words.story(edge.action);
        story.to.map(|(to, label)| (story.process.index(), to.index(), label))
    };
    let messages: BTreeSet<(usize, usize, String)> = map.edges.iter().filter_map(message).collect();
    Graph {
        name: name.to_string(),
        nodes: processes
            .iter()
            .map(|process| GraphNode { lines: vec![process.clone()], ..GraphNode::default() })
            .collect(),
        edges: messages
            .into_iter()
            .map(|(from, to, label)| GraphEdge { from, to, label, ..GraphEdge::default() })
            .collect(),
        complete: map.complete,
    }
}

/// A team as its texts describe it.
fn drawn_team(name: &str, team: TeamPicture) -> Graph {
    let node = |node: TeamNode| {
        let kind = match node.kind {
            TeamKind::Type => "group",
            TeamKind::Agent => "agent",
            TeamKind::Object => "object",
            TeamKind::Area => "area",
        };
        GraphNode { lines: vec![node.name], initial: false, kind: Some(kind) }
    };
    let edge = |edge: TeamEdge| {
        let kind = match edge.link {
            TeamLink::Belongs => "belongs",
            TeamLink::LiesIn => "in",
            TeamLink::Tells => "tells",
            TeamLink::Writes => "writes",
        };
        GraphEdge { from: edge.from, to: edge.to, who: String::new(), label: edge.label, kind: Some(kind) }
    };
    Graph {
        name: name.to_string(),
        nodes: team.nodes.into_iter().map(node).collect(),
        edges: team.edges.into_iter().map(edge).collect(),
        complete: true,
    }
}

/// A situation in a few lines: every mind, without its empty sections.
fn situation(ready: &Ready, state: &State) -> Vec<String> {
    let snapshot = ready.system.words.snapshot(state);
    let mut lines = Vec::new();
    for mind in &snapshot.minds {
        for section in mind.sections.iter().filter(|section| !section.items.is_empty()) {
            lines.push(format!("{} {}: {}", mind.name, section.title, section.items.join(", ")));
        }
    }
    lines
}

/// The nearest situations and the steps between them.
pub(crate) struct Map {
    pub(crate) states: Vec<Box<State>>,
    pub(crate) n_initial: usize,
    pub(crate) edges: Vec<Edge>,
    pub(crate) complete: bool,
}

pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) process: ProcessId,
    pub(crate) action: ActionId,
}

impl Map {
    /// Breadth first, up to `limit` situations. For drawing, not for proving: nothing is concluded from it.
    pub(crate) fn explore(model: &dyn Model, limit: u64) -> Self {
        let mut states = Vec::new();
        model.initial(&mut states);
        let mut numbers: BTreeMap<Box<State>, usize> =
            states.iter().enumerate().map(|(at, state)| (state.clone(), at)).collect();
        let mut map = Self { n_initial: states.len(), states, edges: Vec::new(), complete: true };
        let mut steps = Steps::new(model.signature().slots.len());
        let mut from = 0;
        while from < map.states.len() {
            steps.clear();
            if model.steps(&map.states[from], &mut steps).is_err() {
                map.complete = false;
                steps.clear();
            }
            for step in steps.iter() {
                for outcome in step.branches() {
                    let known = numbers.get(outcome.target).copied();
                    let Some(to) = known.or_else(|| map.add(outcome.target, limit)) else { continue };
                    if known.is_none() {
                        numbers.insert(outcome.target.into(), to);
                    }
                    map.edges.push(Edge { from, to, process: step.process, action: step.action });
                }
            }
            from += 1;
        }
        map
    }

    fn add(&mut self, state: &State, limit: u64) -> Option<usize> {
        if self.states.len() as u64 >= limit {
            self.complete = false;
            return None;
        }
        self.states.push(state.into());
        Some(self.states.len() - 1)
    }
}
