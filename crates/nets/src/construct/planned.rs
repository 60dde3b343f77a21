//! The places of a mediator: those that the modeller declares, and those that follow from the rows (Chang 2011, figure 26).

use motet_source::{Problem, Problems, Span};

use super::commands::Direction;
use super::coordinate::Coordination;
use super::make::Make;
use super::mediate::Note;
use super::sorts::Declared;
use crate::print::format_sort;
use crate::syntax::{Field, Initial, Mediator, Member, Place, PlaceKind, Port, TypeNode, TypeText};

/// The places of the net, those of the text first, then in the order in which they are met.
pub(super) struct Places<'a> {
    written: &'a [Place],
    met: Vec<(String, TypeText)>,
    /// What the modeller has to decide.
    pub(super) notes: Vec<Note>,
    make: Make,
    declared: &'a Declared,
}

impl<'a> Places<'a> {
    pub(super) fn of(mediator: &'a Mediator, declared: &'a Declared) -> Self {
        Self {
            written: &mediator.places,
            met: Vec::new(),
            notes: Vec::new(),
            make: Make(mediator.span),
            declared,
        }
    }

    /// The place that the modeller declared.
    pub(super) fn place(&self, name: &str) -> Option<&'a Place> {
        self.written.iter().find(|place| place.names.iter().any(|one| one.node == name))
    }

    pub(super) fn sort(&self, name: &str) -> Option<&TypeText> {
        let met = || self.met.iter().find(|(place, _)| place == name).map(|(_, sort)| sort);
        self.place(name).map(|place| &place.sort).or_else(met)
    }

    pub(super) fn is_cell(&self, name: &str) -> bool {
        self.place(name).is_some_and(|place| place.kind == PlaceKind::Cell)
    }

    pub(super) fn is_marked(&self, name: &str) -> bool {
        self.place(name).is_some_and(|place| place.initial != Initial::Empty)
    }

    /// The field of a token that is the agent, where tokens are records.
    pub(super) fn agent_field(&self, name: &str) -> Option<&str> {
        let is_agent = |field: &&Field| self.declared.behind(&field.sort).node == TypeNode::Agent;
        let field = self.declared.record(self.sort(name)?)?.iter().find(is_agent)?;
        Some(&field.name.node)
    }

    /// Where the agent is before and after. The token moves as a whole, so both places have one sort: the declared one if
    /// there is one.
    pub(super) fn agents(&mut self, before: &str, after: &str, problems: &mut Problems) {
        let agent = TypeText { node: TypeNode::Agent, span: self.make.0 };
        let known = [before, after].into_iter().find_map(|name| self.place(name));
        let sort = known.map_or(agent, |place| place.sort.clone());
        for name in [before, after] {
            self.meet(name, &sort, problems);
        }
        if let Some(place) = known
            && (place.kind == PlaceKind::Cell || !self.holds_agents(&place.sort))
        {
            let message = format!("`{before}` and `{after}` hold agents, and this place does not");
            let help = "the tokens of such a place are agents, or records with one: `(id: int, net: agent)`";
            problems.push(Problem::error("M1078", place.span, message, help));
        }
    }

    fn holds_agents(&self, sort: &TypeText) -> bool {
        let is_agent = |sort: &TypeText| self.declared.behind(sort).node == TypeNode::Agent;
        is_agent(sort)
            || self
                .declared
                .record(sort)
                .is_some_and(|fields| fields.iter().any(|field| is_agent(&field.sort)))
    }

    /// The place of a message. A declared record may have more fields than what is heard: the agent's token has the others.
    pub(super) fn message(
        &mut self,
        name: &str,
        port: &Port,
        row: &Coordination<'_>,
        problems: &mut Problems,
    ) {
        if self.is_cell(name) {
            return;
        }
        match self.wider(name, &port.fields) {
            Some(record) if row.command.direction() == Direction::Out => {
                let of_agent = self.sort(&row.before).and_then(|sort| self.declared.record(sort));
                let has = |fields: &[Field], name: &str| fields.iter().any(|field| field.name.node == name);
                let missing = record.iter().map(|field| field.name.node.as_str()).find(|field| {
                    !has(&port.fields, field) && !of_agent.is_some_and(|fields| has(fields, field))
                });
                if let Some(field) = missing {
                    let message = format!("nothing gives the field `{field}` of the place `{name}`");
                    let help = format!(
                        "neither port {} nor the tokens of `{}` have a field of this name",
                        port.name.node, row.before
                    );
                    problems.push(Problem::error("M1078", self.place_of(row), message, help));
                }
            }
            _ => self.meet(name, &carried(port), problems),
        }
    }

    fn place_of(&self, row: &Coordination<'_>) -> Span {
        row.row.map_or(self.make.0, |row| row.span)
    }

    /// The fields of a place that is declared as a record of something else than what a port carries.
    pub(super) fn wider(&self, name: &str, carried: &[Field]) -> Option<&'a [Field]> {
        let record = self.declared.record(&self.place(name)?.sort)?;
        let same = match carried {
            [field] => self.declared.same(&field.sort, &self.place(name)?.sort),
            fields => {
                fields.len() == record.len()
                    && fields.iter().zip(record).all(|(one, other)| {
                        one.name.node == other.name.node && self.declared.same(&one.sort, &other.sort)
                    })
            }
        };
        (!same).then_some(record)
    }

    fn meet(&mut self, name: &str, sort: &TypeText, problems: &mut Problems) {
        match self.sort(name) {
            None => self.met.push((name.to_owned(), sort.clone())),
            Some(there) if self.declared.same(there, sort) => {}
            Some(there) => {
                let (one, other) = (format_sort(there), format_sort(sort));
                let message = format!("the place `{name}` would hold {one} and {other}");
                let help = "places of one name are one place; name another place in one of the rows, or write \
                            `says` and the values that are sent";
                problems.push(Problem::error("M1078", self.make.0, message, help));
            }
        }
    }

    /// A place that no message tells the sort of.
    pub(super) fn unknown(&mut self, name: &str) {
        if self.sort(name).is_none() {
            let sort = TypeText { node: TypeNode::Token, span: self.make.0 };
            self.met.push((name.to_owned(), sort));
            let text = "its sort is not known from any message; `token` stands for it".to_owned();
            self.notes.push(Note { part: name.to_owned(), text });
        }
    }

    pub(super) fn members(&self) -> Vec<Member> {
        let written = self.written.iter().cloned().map(Member::Place);
        let met = self.met.iter().map(|(name, sort)| self.make.place(name, sort, Initial::Empty));
        written.chain(met).collect()
    }
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
