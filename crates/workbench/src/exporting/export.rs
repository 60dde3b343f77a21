//! The model for other programs.

use std::collections::{BTreeMap, BTreeSet};

use motet_engine::{Limits, Settings, Space};
use motet_evidence::{Stop, rebuild};
use motet_model::{
    ActionId, Model, ProcessId, PromelaClaim, State, Steps, TeamEdge, TeamKind, TeamLink, TeamNode,
    TeamPicture,
};
use motet_render::{Graph, GraphEdge, GraphNode};
use motet_source::Problem;

use crate::exporting::promela::promela_claims;
use crate::loading::load::Ready;

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
    let body = ready.system.export.promela(&claims, &Settings::default())?;
    let left_out = ready
        .claims
        .iter()
        .zip(&asked)
        .filter_map(|(claim, asked)| Some((claim.name.clone(), asked.claim.as_ref().err()?.clone())))
        .collect();
    let command = command.replace("*/", "* /");
    Ok(Promela { text: format!("/* {command} */\n{body}"), left_out })
}

/// The situations of a small model and the steps between them, in the model's words, up to the limits.
#[must_use]
pub fn state_graph(ready: &Ready, name: &str, limits: &Limits) -> Graph {
    let map = Map::explore(ready.system.model.as_ref(), limits);
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

/// Who sends what to whom: as the texts say where the language knows that, else as far as the situations up to the limits show.
#[must_use]
pub fn team_graph(ready: &Ready, name: &str, limits: &Limits) -> Graph {
    if let Some(team) = ready.system.words.team() {
        return drawn_team(name, team);
    }
    let map = Map::explore(ready.system.model.as_ref(), limits);
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
    /// Why it is not complete.
    pub(crate) stop: Option<Stop>,
}

pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) process: ProcessId,
    pub(crate) action: ActionId,
    /// The number of the step among those of its state, and of the outcome among those of the step.
    pub(crate) address: (u32, u32),
}

impl Map {
    /// What the search finds up to the limits, and no more than so many situations as they say. For drawing and telling, not for proving: nothing is concluded
    /// from it.
    pub(crate) fn explore(model: &dyn Model, limits: &Limits) -> Self {
        let settings = Settings { limits: limits.clone(), ..Settings::default() };
        let mut unwatched = |_| {};
        let space = Space::explore(model, &settings, &mut unwatched);
        let most = limits.states.unwrap_or(u64::MAX).max(space.n_initial().into());
        let mut map = Self {
            states: Vec::new(),
            n_initial: space.n_initial() as usize,
            edges: Vec::new(),
            complete: true,
            stop: space.stop(),
        };
        let looked = space.look(&mut |number, state| {
            if u64::from(number) < most {
                map.states.push(state.into());
            }
        });
        let walked = looked.and_then(|()| {
            space.walk(&|state| (state as usize) < map.states.len(), &mut |place| {
                let targets = place.targets.iter().map(|target| *target as usize);
                add_steps(&mut map.edges, place.number as usize, place.steps, targets, map.states.len());
                Ok(())
            })
        });
        map.stop = map.stop.or(walked.err());
        if u64::from(space.n_states()) > most {
            map.stop.get_or_insert(Stop::States);
        }
        map.complete = map.stop.is_none();
        if !map.complete {
            map.join(model, &|state| space.is_settled(state));
        }
        map
    }

    /// The steps between the situations that are there, from those that the search found and came to no more.
    fn join(&mut self, model: &dyn Model, is_settled: &dyn Fn(u32) -> bool) {
        let numbers: BTreeMap<&State, usize> =
            self.states.iter().enumerate().map(|(number, state)| (state.as_ref(), number)).collect();
        let mut steps = Steps::new(model.signature().slots.len());
        for (from, state) in self.states.iter().enumerate() {
            steps.clear();
            if is_settled(from as u32) || model.steps(state, &mut steps).is_err() {
                continue;
            }
            let possible = steps.iter().flat_map(|step| step.branches());
            let possible = possible.filter(|branch| !branch.chance.is_zero());
            let targets = possible.map(|branch| numbers.get(branch.target).copied().unwrap_or(usize::MAX));
            add_steps(&mut self.edges, from, &steps, targets, self.states.len());
        }
        self.edges.sort_by_key(|edge| edge.from);
    }
}

/// The steps of a situation to those that are kept; `targets` says where each possible branch leads.
fn add_steps(
    edges: &mut Vec<Edge>,
    from: usize,
    steps: &Steps,
    mut targets: impl Iterator<Item = usize>,
    kept: usize,
) {
    for (ordinal, step) in (0..).zip(steps.iter()) {
        for (number, branch) in (0..).zip(step.branches()) {
            if branch.chance.is_zero() {
                continue;
            }
            let to = targets.next().expect("every possible branch leads somewhere");
            if to < kept {
                let (process, action) = (step.process, step.action);
                edges.push(Edge { from, to, process, action, address: (ordinal, number) });
            }
        }
    }
}

/// The words of a shortest run to a situation. States are numbered in the order of their distance, so the first edge to a state is one.
/// The run is followed in the model again before it is told.
pub(crate) fn run_to(ready: &Ready, map: &Map, goal: usize) -> Vec<String> {
    let mut first: Vec<Option<usize>> = vec![None; map.states.len()];
    for (number, edge) in map.edges.iter().enumerate() {
        if edge.to >= map.n_initial && first[edge.to].is_none() {
            first[edge.to] = Some(number);
        }
    }
    let mut addresses = Vec::new();
    let mut at = goal;
    while let Some(edge) = first[at] {
        addresses.push(map.edges[edge].address);
        at = map.edges[edge].from;
    }
    addresses.reverse();
    let (model, mut starts) = (ready.system.model.as_ref(), Vec::new());
    model.initial(&mut starts);
    let start = starts.iter().position(|start| *start == map.states[at]);
    let start = start.and_then(|start| u32::try_from(start).ok()).expect("runs begin at an initial state");
    let run = rebuild(model, start, &addresses).expect("the model follows a run that the search found in it");
    assert!(run.states.last() == Some(&map.states[goal]), "and comes to the same state");
    run.steps.iter().map(|taken| ready.system.words.action(taken.action)).collect()
}
