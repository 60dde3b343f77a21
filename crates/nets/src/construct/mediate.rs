//! The skeleton of a system net, made of the agents it coordinates (Chang 2011, 4.4): places and coordinators. Guards, local
//! transitions and the initial marking stay with the modeller.

use std::collections::BTreeMap;

use motet_source::{FileId, Problem, Problems};

use super::commands::Direction;
use super::coordinate::{Coordination, coordinations};
use super::make::Make;
use super::sorts::Declared;
use crate::print::{format_net, format_source};
use crate::syntax::{
    ExpressionNode, Field, Initial, Item, Level, Mediator, Member, Net, Partner, Pattern, PatternNode, Port,
    Statement, StatementNode, Text, TypeNode, TypeText,
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
    let mut places = Places { sorts: Vec::new(), notes: Vec::new(), make: Make(mediator.span) };
    for row in &rows {
        for name in [&row.before, &row.after] {
            places.declare(name, &agent(mediator), &declared, problems);
        }
        if let (Some(name), Some(port)) = (&row.message, port(text, row.command.port())) {
            places.declare(name, &carried(port), &declared, problems);
        }
    }
    for name in rows.iter().flat_map(|row| &row.also) {
        places.declare_unknown(name);
    }
    let mut made: BTreeMap<&str, ()> = BTreeMap::new();
    let mut transitions = Vec::new();
    for row in &rows {
        if made.insert(&row.coordinator, ()).is_none() {
            transitions.push(coordinator(text, row, &places, &declared));
        }
    }
    let mut notes = places.notes.clone();
    notes.extend(starts(&rows));
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

fn agent(mediator: &Mediator) -> TypeText {
    TypeText { node: TypeNode::Agent, span: mediator.span }
}

/// The sort of what a port carries.
fn carried(port: &Port) -> TypeText {
    let node = match &port.fields[..] {
        [] => TypeNode::Token,
        [field] => return field.sort.clone(),
        fields => TypeNode::Record(fields.to_vec()),
    };
    TypeText { node, span: port.name.span }
}

/// The places of the net, in the order in which they are met.
struct Places {
    sorts: Vec<(String, TypeText)>,
    notes: Vec<Note>,
    make: Make,
}

impl Places {
    fn sort(&self, name: &str) -> Option<&TypeText> {
        self.sorts.iter().find(|(place, _)| place == name).map(|(_, sort)| sort)
    }

    fn declare(&mut self, name: &str, sort: &TypeText, declared: &Declared, problems: &mut Problems) {
        match self.sort(name) {
            None => self.sorts.push((name.to_owned(), sort.clone())),
            Some(there) if declared.same(there, sort) => {}
            Some(there) => {
                let (one, other) = (crate::print::format_sort(there), crate::print::format_sort(sort));
                let message = format!("the place `{name}` would hold {one} and {other}");
                let help = "places of one name are one place; name another place in one of the rows";
                problems.push(Problem::error("M1078", self.make.0, message, help));
            }
        }
    }

    /// A place that no message tells the sort of.
    fn declare_unknown(&mut self, name: &str) {
        if self.sort(name).is_none() {
            let sort = TypeText { node: TypeNode::Token, span: self.make.0 };
            self.sorts.push((name.to_owned(), sort));
            let text = "its sort is not known from any message; `token` stands for it".to_owned();
            self.notes.push(Note { part: name.to_owned(), text });
        }
    }

    fn members(&self) -> Vec<Member> {
        self.sorts.iter().map(|(name, sort)| self.make.place(name, sort, Initial::Empty)).collect()
    }
}

/// One transition of the skeleton.
fn coordinator(text: &Text, row: &Coordination<'_>, places: &Places, declared: &Declared) -> Member {
    let make = Make(row.row.map_or(row.command.transition.span, |row| row.span));
    let fields = port(text, row.command.port()).map_or(&[][..], |port| &port.fields);
    let is_taken = |name: &str| declared.values.contains(name);
    let agent = fresh("a", &|name| is_taken(name) || fields.iter().any(|field| field.name.node == name));
    let variables: Vec<String> = fields.iter().map(|field| fresh(&field.name.node, &is_taken)).collect();
    let variables: Vec<&str> = variables.iter().map(String::as_str).collect();
    let partner = Partner::Agent(make.value(&agent));
    let mut takes = vec![make.arc_in(&row.before, vec![make.variable(&agent)])];
    let mut puts = vec![make.arc_out(&row.after, vec![make.value(&agent)])];
    let values = || variables.iter().map(|name| make.value(name)).collect::<Vec<_>>();
    let direction = row.command.direction().opposite();
    if let Some(message) = &row.message {
        match direction {
            Direction::Out => {
                takes.push(make.arc_in(message, variables.iter().map(|name| make.variable(name)).collect()));
            }
            Direction::In => puts.push(make.arc_out(message, values())),
        }
    }
    for place in row.also.iter().filter(|place| row.message.as_ref() != Some(place)) {
        let black = places.sort(place).is_none_or(|sort| sort.node == TypeNode::Token);
        let anything = Pattern { node: PatternNode::Any, span: make.0 };
        takes.push(make.arc_in(place, if black { Vec::new() } else { vec![anything] }));
    }
    let command = match direction {
        Direction::Out => make.sends(partner, row.command.port(), values()),
        Direction::In => make.receives(partner, row.command.port(), &variables),
    };
    let guard = make.when(make.expression(ExpressionNode::Bool(true)));
    let body: Vec<Statement> = vec![
        make.statement(StatementNode::In(takes)),
        command,
        guard,
        make.statement(StatementNode::Out(puts)),
    ];
    make.transition(&make.name(&row.coordinator), body)
}

/// This name, or a longer one if it is taken.
fn fresh(name: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// Where agents start: places that no coordinator leads to.
fn starts(rows: &[Coordination<'_>]) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for row in rows {
        let net = row.command.net;
        let filled = rows.iter().any(|other| other.after == row.before);
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
