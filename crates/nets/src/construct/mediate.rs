//! The skeleton of a system net, made of the agents it coordinates (Chang 2011, 4.4): places and coordinators. Guards and local
//! transitions stay with the modeller, who may give sorts and first markings with the rows or later.

use std::collections::BTreeMap;

use motet_source::{FileId, Problems};

use super::commands::Direction;
use super::coordinate::{Coordination, Exchanged, coordinations};
use super::make::Make;
use super::planned::Places;
use super::sorts::Declared;
use crate::print::{format_net, format_source};
use crate::syntax::{
    ArcIn, Expression, ExpressionNode, Field, Item, Level, Mediator, Member, Net, Partner, Pattern,
    PatternNode, Port, Statement, StatementNode, Text, TypeNode,
};

/// A generated net, and what is left to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Mediated {
    /// The skeleton. Its guards are `when true;`.
    pub net: Net,
    /// What the modeller has to decide.
    pub notes: Vec<Note>,
}

/// Something the generator could not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place or transition it is about.
    pub part: String,
    /// What is left to do.
    pub text: String,
}

/// The port of this name.
pub(super) fn port<'t>(text: &'t Text, name: &str) -> Option<&'t Port> {
    text.items.iter().find_map(|item| match item {
        Item::Port(port) if port.name.node == name => Some(port),
        _ => None,
    })
}

/// The system net of a mediator. Rows with the same coordinator are one transition, and places of the same name are one
/// place, whose sorts must agree.
pub fn mediate(text: &Text, mediator: &Mediator, problems: &mut Problems) -> Mediated {
    let rows = coordinations(text, mediator, problems);
    let declared = Declared::of(text);
    let mut places = Places::of(mediator, &declared);
    for row in &rows {
        places.agents(&row.before, &row.after, problems);
        if let (Some(name), Some(port)) = (row.place(), port(text, row.command.port())) {
            places.message(name, port, row, problems);
        }
    }
    for arc in rows.iter().flat_map(|row| &row.also) {
        places.unknown(&arc.place.node);
    }
    let mut made: BTreeMap<&str, ()> = BTreeMap::new();
    let mut transitions = Vec::new();
    for row in &rows {
        if made.insert(&row.coordinator, ()).is_none() {
            let coordinator = Coordinator::of(text, row, &places, &declared);
            transitions.push(coordinator.transition());
        }
    }
    let mut notes = places.notes.clone();
    notes.extend(starts(&rows, &places));
    notes.extend(changes(&rows, &places));
    let mut members = places.members();
    members.extend(transitions);
    let net = Net {
        name: mediator.name.clone(),
        level: Level::System,
        parameters: Vec::new(),
        members,
        span: mediator.span,
    };
    Mediated { net, notes }
}

/// One transition of the skeleton, while it is made.
struct Coordinator<'a> {
    row: &'a Coordination<'a>,
    places: &'a Places<'a>,
    make: Make,
    /// The variable of the token with the agent.
    agent: String,
    fields: &'a [Field],
    /// One variable for each field of the port.
    variables: Vec<String>,
}

impl<'a> Coordinator<'a> {
    fn of(text: &'a Text, row: &'a Coordination<'a>, places: &'a Places<'a>, declared: &Declared) -> Self {
        let make = Make(row.row.map_or(row.command.transition.span, |row| row.span));
        let fields = port(text, row.command.port()).map_or(&[][..], |port| &port.fields);
        let is_taken = |name: &str| declared.values.contains(name) || places.place(name).is_some();
        let agent = fresh("a", &|name| is_taken(name) || fields.iter().any(|field| field.name.node == name));
        let variables = fields.iter().map(|field| fresh(&field.name.node, &is_taken)).collect();
        Self { row, places, make, agent, fields, variables }
    }

    fn transition(&self) -> Member {
        let make = self.make;
        let direction = self.row.command.direction().opposite();
        let (mut reads, mut takes, mut puts) = (Vec::new(), Vec::new(), Vec::new());
        let taken = make.arc_in(&self.row.before, vec![make.variable(&self.agent)]);
        if self.row.before == self.row.after {
            reads.push(taken);
        } else {
            takes.push(taken);
            puts.push(make.arc_out(&self.row.after, vec![make.value(&self.agent)]));
        }
        if let Some(place) = self.row.place().filter(|place| !self.places.is_cell(place)) {
            match direction {
                Direction::Out => {
                    let variables = self.variables.iter().map(|name| make.variable(name));
                    takes.push(make.arc_in(place, variables.collect()));
                }
                Direction::In => puts.push(make.arc_out(place, self.arriving(place))),
            }
        }
        takes.extend(self.row.others().filter_map(|arc| self.other(arc)));
        let arcs = |arcs: Vec<ArcIn>, node: fn(Vec<ArcIn>) -> StatementNode| {
            (!arcs.is_empty()).then(|| make.statement(node(arcs)))
        };
        let mut body: Vec<Statement> =
            arcs(takes, StatementNode::In).into_iter().chain(arcs(reads, StatementNode::Read)).collect();
        body.push(self.command(direction));
        body.push(make.when(make.expression(ExpressionNode::Bool(true))));
        if !puts.is_empty() {
            body.push(make.statement(StatementNode::Out(puts)));
        }
        make.transition(&make.name(&self.row.coordinator), body)
    }

    /// What a message leaves in its place: its own values and, for fields that it does not have, those of the agent's token.
    fn arriving(&self, place: &str) -> Vec<Expression> {
        let whole = || self.variables.iter().map(|name| self.make.value(name)).collect();
        let Some(record) = self.places.wider(place, self.fields) else { return whole() };
        let value = |field: &Field| match self.fields.iter().position(|one| one.name.node == field.name.node)
        {
            Some(at) => self.make.value(&self.variables[at]),
            None => self.make.field(&self.agent, &field.name.node),
        };
        record.iter().map(value).collect()
    }

    /// A further arc. A cell has none: how it changes is left to the modeller.
    fn other(&self, arc: &ArcIn) -> Option<ArcIn> {
        let place = &arc.place.node;
        if self.places.is_cell(place) {
            return None;
        }
        let mut arc = arc.clone();
        let black = self.places.sort(place).is_none_or(|sort| sort.node == TypeNode::Token);
        if arc.patterns.is_empty() && !black {
            arc.patterns.push(Pattern { node: PatternNode::Any, span: self.make.0 });
        }
        Some(arc)
    }

    fn command(&self, direction: Direction) -> Statement {
        let make = self.make;
        let agent = match self.places.agent_field(&self.row.before) {
            Some(field) => make.field(&self.agent, field),
            None => make.value(&self.agent),
        };
        let partner = Partner::Agent(agent);
        let port = self.row.command.port();
        let variables: Vec<&str> = self.variables.iter().map(String::as_str).collect();
        match (direction, &self.row.message) {
            (Direction::In, _) => make.receives(partner, port, &variables),
            (Direction::Out, Exchanged::Values(values)) => make.sends(partner, port, values.clone()),
            // How a cell is told is left to the modeller; its value as it is can be said.
            (Direction::Out, Exchanged::Place(place)) if self.places.is_cell(place) => {
                make.sends(partner, port, vec![make.value(place)])
            }
            (Direction::Out, _) => {
                make.sends(partner, port, variables.iter().map(|name| make.value(name)).collect())
            }
        }
    }
}

/// This name, or a longer one if it is taken.
fn fresh(name: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// Where agents start: places that no coordinator leads to and that nobody has marked.
fn starts(rows: &[Coordination<'_>], places: &Places<'_>) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for row in rows {
        let net = row.command.net;
        let filled = rows.iter().any(|other| other.after == row.before && other.before != row.before);
        let filled = filled || places.is_marked(&row.before);
        if filled || notes.iter().any(|note| note.part == row.before) {
            continue;
        }
        let parameters: Vec<String> =
            net.parameters.iter().map(|Field { name, .. }| name.node.clone()).collect();
        let text = format!(
            "no coordinator leads here; mark it with agents, such as `new {}({})`",
            net.name.node,
            parameters.join(", ")
        );
        notes.push(Note { part: row.before.clone(), text });
    }
    notes
}

/// Cells of the rows: a table does not say how they change.
fn changes(rows: &[Coordination<'_>], places: &Places<'_>) -> Vec<Note> {
    let mut by_cell: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows {
        let named = row.place().into_iter().chain(row.also.iter().map(|arc| &arc.place.node));
        for cell in named.filter(|name| places.is_cell(name)) {
            let coordinators = by_cell.entry(cell).or_default();
            if !coordinators.contains(&row.coordinator.as_str()) {
                coordinators.push(&row.coordinator);
            }
        }
    }
    let note = |(cell, coordinators): (&str, Vec<&str>)| Note {
        part: cell.to_owned(),
        text: format!(
            "say what becomes of it, such as `{cell}' = {cell} - 1;`, in {}",
            coordinators.join(", ")
        ),
    };
    by_cell.into_iter().map(note).collect()
}

/// The skeleton as a text, with what is left to do in comments.
#[must_use]
pub fn skeleton(mediated: &Mediated) -> String {
    let mut text = String::new();
    for note in &mediated.notes {
        text += &format!("// {}: {}\n", note.part, note.text);
    }
    // A comment ends its line, so no other line may end where the guard does.
    let net = format_net(&mediated.net).replace("when true;\n", "when true;");
    text += &net.replace("when true;", "when true; // to be refined\n");
    format_source(FileId(0), &text).unwrap_or(text)
}
