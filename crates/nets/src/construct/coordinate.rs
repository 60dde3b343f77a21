//! Which coordinator answers which agent (Chang 2011, figure 26): one row for each channel transition of the agent nets of a
//! mediator. What the modeller does not say is named by rule.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, suggest};

use super::commands::{Command, Direction, commands_of, nets};
use crate::print::expression::{join, list};
use crate::print::statement::arc_in;
use crate::syntax::{ArcIn, Expression, Level, Mediator, MediatorRow, Net, RowMessage, Text};

/// How one channel transition of an agent net is coordinated.
pub(crate) struct Coordination<'t> {
    pub(crate) command: Command<'t>,
    /// The transition of the mediator.
    pub(crate) coordinator: String,
    /// Where the agent is before and after.
    pub(crate) before: String,
    pub(crate) after: String,
    /// What is exchanged, and where it lies.
    pub(crate) message: Exchanged,
    /// What else the coordinator takes.
    pub(crate) also: Vec<ArcIn>,
    /// What the modeller said.
    pub(crate) row: Option<&'t MediatorRow>,
}

/// What a coordinator exchanges with an agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Exchanged {
    /// The port carries nothing.
    Nothing,
    /// What this place holds, or what comes into it.
    Place(String),
    /// These values.
    Values(Vec<Expression>),
}

impl Coordination<'_> {
    /// The place of the message.
    pub(crate) fn place(&self) -> Option<&String> {
        match &self.message {
            Exchanged::Place(place) => Some(place),
            Exchanged::Nothing | Exchanged::Values(_) => None,
        }
    }

    /// The other places that the coordinator takes from.
    pub(crate) fn others(&self) -> impl Iterator<Item = &ArcIn> {
        self.also.iter().filter(|arc| self.place() != Some(&arc.place.node))
    }

    /// Whether two rows can be one transition.
    fn agrees(&self, other: &Self) -> bool {
        self.command.port() == other.command.port()
            && self.command.direction() == other.command.direction()
            && (&self.before, &self.after) == (&other.before, &other.after)
            && (self.told() == other.told())
    }

    /// What is exchanged and taken, as it is written: the same words mean the same, wherever they stand.
    fn told(&self) -> String {
        let message = match &self.message {
            Exchanged::Nothing => String::new(),
            Exchanged::Place(place) => format!("msg {place}"),
            Exchanged::Values(values) => format!("says {}", list(values)),
        };
        format!("{message} also {}", join(&self.also, arc_in))
    }
}

/// All rows of a mediator, those of the first net first. What is wrong with the mediator is told.
pub(crate) fn coordinations<'t>(
    text: &'t Text,
    mediator: &'t Mediator,
    problems: &mut Problems,
) -> Vec<Coordination<'t>> {
    let agents = agents(text, mediator, problems);
    let commands: Vec<Command<'t>> =
        agents.iter().flat_map(|net| commands_of(net)).filter(Command::is_upward).collect();
    rows_fit(mediator, &agents, &commands, problems);
    let given = |command: &Command<'_>| {
        let (net, transition) = (&command.net.name.node, &command.transition.name.node);
        let of = move |row: &&MediatorRow| row.net.node == *net && row.transition.node == *transition;
        mediator.rows.iter().filter(of).collect::<Vec<_>>()
    };
    let mut made: Vec<Coordination<'t>> = Vec::new();
    // What is said comes first, so that transitions of the same name in other nets follow it.
    for command in &commands {
        made.extend(given(command).into_iter().map(|row| said(text, *command, row)));
    }
    for command in &commands {
        if given(command).is_empty() {
            let named = by_rule(text, *command, &made);
            made.extend(named);
        }
    }
    let place = |row: &Coordination<'_>| {
        commands.iter().position(|one| std::ptr::eq(one.transition, row.command.transition))
    };
    made.sort_by_key(|row| place(row));
    agree(&made, mediator, problems);
    made
}

fn agents<'t>(text: &'t Text, mediator: &Mediator, problems: &mut Problems) -> Vec<&'t Net> {
    let of_agents = || nets(text).filter(|net| net.level == Level::Agent);
    let mut agents: Vec<&'t Net> = Vec::new();
    for name in &mediator.agents {
        if agents.iter().any(|net| net.name.node == name.node) {
            let message = format!("`{}` is named twice", name.node);
            problems.push(Problem::error("M1075", name.span, message, "name it once"));
        } else if let Some(net) = of_agents().find(|net| net.name.node == name.node) {
            agents.push(net);
        } else {
            let near = suggest(&name.node, of_agents().map(|net| net.name.node.as_str()));
            let help = near.map_or_else(|| "declare it".to_owned(), |near| format!("did you mean `{near}`"));
            let message = format!("there is no agent net `{}` to coordinate", name.node);
            problems.push(Problem::error("M1075", name.span, message, help));
        }
    }
    agents
}

/// Every row is about a channel transition of one of the agents. Several coordinators may answer one transition, each once.
fn rows_fit(mediator: &Mediator, agents: &[&Net], commands: &[Command<'_>], problems: &mut Problems) {
    let mut seen = BTreeMap::new();
    for row in &mediator.rows {
        let (net, transition) = (&row.net.node, &row.transition.node);
        let of_net = || commands.iter().filter(|command| command.net.name.node == *net);
        if !agents.iter().any(|agent| agent.name.node == *net) {
            let message = format!("`{net}` is not one of the nets of `{}`", mediator.name.node);
            let help = "name it behind `from`";
            problems.push(Problem::error("M1075", row.net.span, message, help));
        } else if !of_net().any(|command| command.transition.name.node == *transition) {
            let names: Vec<&str> = of_net().map(|command| command.transition.name.node.as_str()).collect();
            let help = match suggest(transition, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`"),
                None if names.is_empty() => format!("`{net}` has none: nothing is said to `up`"),
                None => format!("there are {}", names.join(", ")),
            };
            let message = format!("`{net}` has no channel transition `{transition}`");
            problems.push(Problem::error("M1076", row.transition.span, message, help));
        }
        if let Some(first) = seen.insert((net, transition, &row.coordinator.node), row.span) {
            let coordinator = &row.coordinator.node;
            let message = format!("`{coordinator}` answers `{net}.{transition}` in two rows");
            let help = "keep one of them, or name another coordinator";
            problems.push(Problem::error("M1076", row.span, message, help).also(first, "the first one"));
        }
        let hears = |command: &Command<'_>| -> bool {
            command.transition.name.node == *transition && command.direction() == Direction::Out
        };
        if matches!(row.message, RowMessage::Values(_)) && of_net().any(hears) {
            let message = format!("`{}` hears `{net}.{transition}` and says nothing", row.coordinator.node);
            let help = "write `msg place`, where what is heard goes";
            problems.push(Problem::error("M1076", row.span, message, help));
        }
    }
}

/// Rows with one coordinator are one transition.
fn agree(made: &[Coordination<'_>], mediator: &Mediator, problems: &mut Problems) {
    let mut first: BTreeMap<&str, &Coordination<'_>> = BTreeMap::new();
    for row in made {
        let before = *first.entry(&row.coordinator).or_insert(row);
        if !before.agrees(row) {
            let span = row.row.or(before.row).map_or(mediator.name.span, |row| row.span);
            let message = format!("two rows say different things about `{}`", row.coordinator);
            let help = "rows with one coordinator have the same port, direction and places; name another coordinator";
            problems.push(Problem::error("M1077", span, message, help));
        }
    }
}

fn said<'t>(text: &Text, command: Command<'t>, row: &'t MediatorRow) -> Coordination<'t> {
    let message = match &row.message {
        RowMessage::Rule => default_message(text, &command),
        RowMessage::Place(name) => Exchanged::Place(name.node.clone()),
        RowMessage::Values(values) => Exchanged::Values(values.clone()),
    };
    Coordination {
        command,
        coordinator: row.coordinator.node.clone(),
        before: row.before.node.clone(),
        after: row.after.node.clone(),
        message,
        also: row.also.clone(),
        row: Some(row),
    }
}

/// Like the rows for the same transition and command of another net; otherwise by the name of the transition.
fn by_rule<'t>(text: &Text, command: Command<'t>, made: &[Coordination<'t>]) -> Vec<Coordination<'t>> {
    let transition = &command.transition.name.node;
    let is_alike = |row: &&Coordination<'t>| {
        row.command.transition.name.node == *transition
            && row.command.port() == command.port()
            && row.command.direction() == command.direction()
    };
    if let Some(first) = made.iter().find(is_alike) {
        let of_one_net = |row: &&Coordination<'t>| row.command.net.name.node == first.command.net.name.node;
        let alike = made.iter().filter(is_alike).filter(of_one_net).map(|row| Coordination {
            command,
            coordinator: row.coordinator.clone(),
            before: row.before.clone(),
            after: row.after.clone(),
            message: row.message.clone(),
            also: row.also.clone(),
            row: None,
        });
        return alike.collect();
    }
    let net = &command.net.name.node;
    let taken = made.iter().any(|row| row.coordinator == *transition);
    vec![Coordination {
        command,
        coordinator: if taken { format!("{net}_{transition}") } else { transition.clone() },
        before: format!("{net}_before_{transition}"),
        after: format!("{net}_after_{transition}"),
        message: default_message(text, &command),
        also: Vec::new(),
        row: None,
    }]
}

fn default_message(text: &Text, command: &Command<'_>) -> Exchanged {
    let carries = super::mediate::port(text, command.port()).is_none_or(|port| !port.fields.is_empty());
    if carries {
        Exchanged::Place(format!("{}_msg", command.transition.name.node))
    } else {
        Exchanged::Nothing
    }
}
