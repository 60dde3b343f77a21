//! The tables of a multi-agent design (Chang 2011, 4.4), as plain data: who says what, who answers, and who is not answered.

use motet_source::{Problems, Span};

pub use crate::construct::commands::Direction;
use crate::construct::commands::{Command, commands, nets};
use crate::construct::coordinate::{Coordination, coordinations};
use crate::construct::places::{Touched, touched};
use crate::construct::sorts::Declared;
use crate::syntax::{Item, Level, Mediator, Partner, Text};

/// A row of the interaction elicitation table: one channel transition of an agent net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InteractionRow {
    /// The agent net.
    pub net: String,
    /// Its transition.
    pub transition: String,
    /// Which way the information goes, seen from the agent.
    pub direction: Direction,
    /// What is exchanged: `st`, or `<c.kind, cr, c.st>`.
    pub information: String,
    /// `S?st`, `S!<c.kind, cr, c.st>`
    pub command: String,
    /// Through which port.
    pub port: String,
}

/// A row of the coordination elicitation table: a channel transition of an agent net and the transition that answers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoordinationRow {
    /// The agent net.
    pub net: String,
    /// Its transition.
    pub transition: String,
    /// Its command: `S?st`
    pub command: String,
    /// The transition of the system net.
    pub coordinator: String,
    /// The coordinator's command: `N!st`
    pub answer: String,
    /// Places of data around the coordinator.
    pub data: Vec<String>,
    /// Places of agents around the coordinator.
    pub agents: Vec<String>,
    /// All places it takes from.
    pub preset: Vec<String>,
    /// All places it gives to.
    pub postset: Vec<String>,
}

/// On which side somebody waits in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// An agent speaks, and no transition of the system net answers.
    Agent,
    /// A transition of the system net speaks, and no agent answers.
    Coordinator,
}

/// A command without a counterpart: its transition never fires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// Who speaks.
    pub side: Side,
    /// The net.
    pub net: String,
    /// The transition.
    pub transition: String,
    /// The port.
    pub port: String,
    /// What the transition does there.
    pub direction: Direction,
    /// The transition's name in the text.
    pub span: Span,
}

/// What the agent nets say to the net that holds them, in the order of the text.
#[must_use]
pub fn interactions(text: &Text) -> Vec<InteractionRow> {
    let upward = commands(text, Level::Agent).into_iter().filter(Command::is_upward);
    let row = |command: Command<'_>| InteractionRow {
        net: command.net.name.node.clone(),
        transition: command.transition.name.node.clone(),
        direction: command.direction(),
        information: command.information(),
        command: said('S', command.direction(), &command.information()),
        port: command.port().to_owned(),
    };
    upward.map(row).collect()
}

fn said(partner: char, direction: Direction, information: &str) -> String {
    format!("{partner}{}{information}", direction.sign())
}

/// How the agents are coordinated: by the mediators of the text, or, where there are none, by its system net.
#[must_use]
pub fn coordination(text: &Text) -> Vec<CoordinationRow> {
    let mut ignored = Problems::new();
    let mut rows = Vec::new();
    for item in &text.items {
        if let Item::Mediator(mediator) = item {
            rows.extend(coordinations(text, mediator, &mut ignored).iter().map(planned));
        }
    }
    if rows.is_empty() { built(text) } else { rows }
}

/// With A1 and A2 where the agent is before and after and p the place of the message, a coordinator that receives has the
/// preset {A1} and the postset {A2, p}, one that sends the preset {A1, p} and the postset {A2}.
fn planned(row: &Coordination<'_>) -> CoordinationRow {
    let direction = row.command.direction();
    let also: Vec<String> = row.also.iter().map(|arc| arc.place.node.clone()).collect();
    let message = row.place();
    let mut data = also.clone();
    data.extend(message.filter(|place| !also.contains(place)).cloned());
    let (mut preset, mut postset) = match direction {
        Direction::In => (data.clone(), Vec::new()),
        Direction::Out => (also, message.into_iter().cloned().collect()),
    };
    preset.push(row.before.clone());
    postset.insert(0, row.after.clone());
    let mut agents = vec![row.before.clone()];
    if row.after != row.before {
        agents.push(row.after.clone());
    }
    let answer = direction.opposite();
    CoordinationRow {
        coordinator: row.coordinator.clone(),
        data,
        agents,
        preset,
        postset,
        ..blank(&row.command, answer)
    }
}

/// A row without coordinator and places.
fn blank(command: &Command<'_>, answer: Direction) -> CoordinationRow {
    let information = command.information();
    CoordinationRow {
        net: command.net.name.node.clone(),
        transition: command.transition.name.node.clone(),
        command: said('S', command.direction(), &information),
        coordinator: String::new(),
        answer: said('N', answer, &information),
        data: Vec::new(),
        agents: Vec::new(),
        preset: Vec::new(),
        postset: Vec::new(),
    }
}

/// The rows that a finished system net has.
fn built(text: &Text) -> Vec<CoordinationRow> {
    let coordinators = commands(text, Level::System);
    let declared = Declared::of(text);
    let mut rows = Vec::new();
    for command in commands(text, Level::Agent).into_iter().filter(Command::is_upward) {
        for coordinator in coordinators.iter().filter(|coordinator| coordinator.answers(&command)) {
            let Touched { data, agents, preset, postset } =
                touched(&declared, coordinator.net, coordinator.transition);
            let coordinator_name = coordinator.transition.name.node.clone();
            let row = blank(&command, coordinator.direction());
            rows.push(CoordinationRow {
                coordinator: coordinator_name,
                data,
                agents,
                preset,
                postset,
                ..row
            });
        }
    }
    rows
}

/// Agent commands without a coordinator, coordinators without a partner, and channels that nobody answers. Before there is a
/// system net, the mediators answer for it.
#[must_use]
pub fn unanswered(text: &Text) -> Vec<Unanswered> {
    let (agents, coordinators) = (commands(text, Level::Agent), commands(text, Level::System));
    let built = nets(text).any(|net| net.level == Level::System);
    let planned = |command: &Command<'_>| {
        let is_mediated =
            |mediator: &Mediator| mediator.agents.iter().any(|agent| agent.node == command.net.name.node);
        !built && text.items.iter().any(|item| matches!(item, Item::Mediator(plan) if is_mediated(plan)))
    };
    let row = |command: &Command<'_>, side| Unanswered {
        side,
        net: command.net.name.node.clone(),
        transition: command.transition.name.node.clone(),
        port: command.port().to_owned(),
        direction: command.direction(),
        span: command.transition.name.span,
    };
    let is_channel = |command: &&Command<'_>| matches!(command.sync.partner, Partner::Channel(_));
    let alone = |command: &Command<'_>| match command.sync.partner {
        Partner::Channel(_) => !agents.iter().filter(is_channel).any(|other| other.answers(command)),
        Partner::Up => !planned(command) && !coordinators.iter().any(|other| other.answers(command)),
        Partner::Agent(_) => !agents.iter().any(|other| other.is_upward() && other.answers(command)),
    };
    let of_agents = agents.iter().filter(|command| alone(command)).map(|command| row(command, Side::Agent));
    let of_system = coordinators.iter().filter(|command| alone(command));
    of_agents.chain(of_system.map(|command| row(command, Side::Coordinator))).collect()
}
