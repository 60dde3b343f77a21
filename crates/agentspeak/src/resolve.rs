//! From trees to a [`Program`]: names become numbers, bodies become code, and what is certainly wrong is said before
//! anything runs.

mod agent;
mod body;
mod condition;
mod constant;
mod effects;
mod environment;
mod events;
mod internals;
mod kind;
mod pattern;
mod rules;
mod scope;
mod spelling;
mod spoken;
mod stubs;
mod traffic;
mod trust;
mod world;

use std::collections::BTreeMap;

use motet_model::Options;
use motet_source::{Problem, Problems, Span, Spanned, suggest};

use crate::program::{Environment, Mode, Program, Stub};
use crate::strangers::Strangers;
use crate::syntax::{AgentTree, TeamTree};
use crate::term::Terms;

pub(crate) use spoken::{Content, described, spoken};

/// A team whose texts have been read: who is in it, and what the team file says.
#[derive(Clone, Debug)]
pub struct Team {
    /// Which language.
    pub mode: Mode,
    /// The members, in order.
    pub members: Vec<Member>,
    /// The programs; several members may share one.
    pub programs: Vec<AgentTree>,
    /// Bounds, trust, stubs and the environment.
    pub tree: TeamTree,
    /// Where problems of the whole team are shown.
    pub place: Span,
}

/// A member of a team.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name and where it was written.
    pub name: Spanned<String>,
    /// Its program, an index into [`Team::programs`].
    pub program: usize,
    /// Beliefs and goals that a project file adds.
    pub extra: Option<AgentTree>,
}

/// Resolves a team. Without errors there is a program; warnings and hints come beside it.
#[must_use]
pub fn resolve(team: &Team, options: &Options) -> (Option<Program>, Problems) {
    let mut problems = Problems::new();
    let terms = Terms::new();
    let agents: Vec<String> = team.members.iter().map(|member| member.name.node.clone()).collect();
    let (environment, stubs) = surroundings(team, options, &agents, &terms, &mut problems);
    check_parameters(team, options, &environment, &mut problems);
    let trust = trust::trust(&team.tree.trust, &agents, &terms, &mut problems);
    let bounds = trust::bounds(&team.tree, options, team.place, &mut problems);
    let ties = trust::ties(options, team.place, &mut problems);

    let mut actions: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for rule in &environment.actions {
        actions.entry(terms.name(rule.name).to_string()).or_default().push(rule.params.len());
    }
    let context = agent::Context {
        terms: &terms,
        mode: team.mode,
        agents: &agents,
        stubs: &stubs,
        actions: &actions,
        has_environment: team.tree.environment.is_some(),
    };
    let mut resolved = Vec::new();
    let mut traffic = Vec::new();
    for member in &team.members {
        let mut trees = vec![&team.programs[member.program]];
        trees.extend(&member.extra);
        let (agent, says) = agent::agent(&context, &member.name.node, &trees, &mut problems);
        resolved.push(agent);
        traffic.push(says);
    }
    if !context.has_environment {
        warn_without_environment(&traffic, &mut problems);
    }
    // Texts with errors raise follow-up warnings here that would only distract.
    if !problems.has_errors() {
        let events = events::Events {
            terms: &terms,
            mode: team.mode,
            names: &agents,
            agents: &resolved,
            traffic: &traffic,
            environment: &environment,
        };
        events.check(&mut problems);
    }
    problems.sort();
    if problems.has_errors() {
        return (None, problems);
    }
    let strangers = Strangers::default();
    let mode = team.mode;
    let program =
        Program { terms, mode, agents: resolved, environment, trust, stubs, bounds, ties, strangers };
    (Some(program), problems)
}

fn surroundings(
    team: &Team,
    options: &Options,
    agents: &[String],
    terms: &Terms,
    problems: &mut Problems,
) -> (Environment, Vec<Stub>) {
    let mut world = world::World::new(terms, agents, problems);
    if let Some(tree) = &team.tree.environment {
        world.block(tree, options);
    }
    let stubs = world.stubs(&team.tree.stubs);
    (world.environment, stubs)
}

/// `-D` names a constant of the environment.
fn check_parameters(team: &Team, options: &Options, environment: &Environment, problems: &mut Problems) {
    let declared =
        |name: &str| {
            team.tree.environment.iter().flat_map(|tree| &tree.items).any(
                |item| matches!(item, crate::syntax::EnvironmentItem::Const(known, _) if known.node == name),
            )
        };
    for (name, value) in &options.parameters {
        if declared(name) {
            continue;
        }
        let known = environment.constants.iter().map(|(known, _)| known.as_str());
        let help = match suggest(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let known: Vec<&str> = known.collect();
                if known.is_empty() {
                    "the team has no constants; declare one in its environment: `const LAST = 10`".to_owned()
                } else {
                    format!("the constants are {}", known.join(", "))
                }
            }
        };
        let place = team.tree.environment.as_ref().map_or(team.place, |tree| tree.name.span);
        let place = options.place_of("-D", name, place).name;
        let message = format!("-D {name}={value} names no constant");
        problems.push(Problem::error("M0501", place, message, help));
    }
}

fn warn_without_environment(traffic: &[traffic::Traffic], problems: &mut Problems) {
    if let Some((key, span)) = traffic.iter().flat_map(|traffic| &traffic.acted).next() {
        problems.push(Problem::warning(
            "M0417",
            *span,
            format!(
                "the team has no environment: `{}` and all other actions succeed and change nothing",
                key.0
            ),
            format!("declare one in a .team file: `env NAME {{ action {} .. }}`", key.0),
        ));
    }
}
