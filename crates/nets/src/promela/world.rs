//! The model as the translation sees it: every place with its name and how it is kept, every agent net with its table.

use std::collections::BTreeSet;
use std::sync::Arc;

use motet_machine::promela::unique;
use motet_machine::{Expr as Term, Place};

use crate::program::{PlaceId, Program, Sort};
use crate::promela::bounds::Bounds;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::names::legal;
use crate::promela::shape::{Shape, Store};
use crate::value::{EnumerationId, NetId};

/// A place.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// In Promela; what holds the number of tokens has `_n` behind it.
    pub(crate) name: String,
    pub(crate) store: Store,
    /// The name of the row's type, if it is a record.
    pub(crate) row: String,
    /// The most tokens or members that were seen, with room to spare if not all markings were.
    pub(crate) most: usize,
}

/// A net.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The array of its agents; empty for the system net.
    pub(crate) name: String,
    /// The name of its type.
    pub(crate) kind: String,
    /// The number of its first agent.
    pub(crate) first: usize,
    /// How many agents there may be.
    pub(crate) room: usize,
    pub(crate) parameters: Vec<(String, Shape)>,
    pub(crate) places: Vec<Kept>,
}

impl Table {
    /// Whether an agent is of this net.
    pub(crate) fn has(&self, agent: &Term) -> Term {
        if self.room == 0 {
            return Term::Truth(false);
        }
        let (first, last) = (Term::count(self.first), Term::count(self.first + self.room - 1));
        if first.known() == last.known() {
            return agent.equals(first);
        }
        agent.at_least(first).and(&agent.at_most(last))
    }

    /// The variable that knows whether there was room for an agent.
    pub(crate) fn bound(&self) -> String {
        format!("bound_{}", self.name)
    }

    /// `Truck[1]`: the agent at a position.
    pub(crate) fn at(&self, position: impl Into<Term>) -> Place {
        Place::named(&self.name).at(position)
    }
}

/// Everything with its name.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) program: Arc<Program>,
    pub(crate) tables: Vec<Table>,
    members: Vec<Vec<String>>,
    pub(crate) taken: BTreeSet<String>,
}

impl World {
    pub(crate) fn new(program: &Arc<Program>, bounds: &Bounds) -> Result<Self, Refusal> {
        let mut world = Self {
            program: Arc::clone(program),
            tables: Vec::new(),
            members: Vec::new(),
            taken: BTreeSet::new(),
        };
        let mut first = 1;
        for (id, net) in (0..).map(NetId).zip(&program.nets) {
            let is_system = id == program.system;
            let name = if is_system { String::new() } else { unique(&mut world.taken, legal(&net.name)) };
            let kind = unique(
                &mut world.taken,
                format!("{}_net", net.name.replace(|c: char| !c.is_ascii_alphanumeric(), "_")),
            );
            let mut inside = BTreeSet::from(["alive".to_owned()]);
            let mut room = if is_system { 0 } else { bounds.agents(id) };
            if room > 0 && replaces(program) {
                // Whoever comes is there before whoever goes is gone.
                room += 1;
            }
            let mut parameters = Vec::new();
            for (name, sort) in &net.parameters {
                let shape = Shape::of(program, bounds, sort, name).map_err(|lack| lack.at(net.span))?;
                parameters.push((unique(&mut inside, legal(name)), shape));
            }
            let mut places = Vec::new();
            for (number, place) in net.places.iter().enumerate() {
                let bound = bounds.place(id, number);
                let store = Store::of(program, bounds, place, bound).map_err(|lack| lack.at(place.span))?;
                if !is_system && store.shape().holds_agents() {
                    return Err(Lack::Depth(net.name.clone()).at(place.span));
                }
                let names = if is_system { &mut world.taken } else { &mut inside };
                let name = unique(names, legal(&place.name));
                names.insert(format!("{name}_n"));
                let row = row_name(&place.sort).unwrap_or_else(|| format!("{}_{name}", legal(&net.name)));
                places.push(Kept { name, store, row: format!("{row}_row"), most: bound });
            }
            world.tables.push(Table { name, kind, first, room, parameters, places });
            first += room;
        }
        if first > 255 {
            let span = program.nets[program.system.0 as usize].span;
            return Err(Lack::Size(format!("{first} agents at a time")).at(span));
        }
        for enumeration in &program.enumerations {
            let name = |member: &String| format!("{}_{}", legal(&enumeration.name), legal(member));
            let names = enumeration.members.iter().map(|member| unique(&mut world.taken, name(member)));
            let names = names.collect();
            world.members.push(names);
        }
        Ok(world)
    }

    pub(crate) fn table(&self, net: NetId) -> &Table {
        &self.tables[net.0 as usize]
    }

    pub(crate) fn kept(&self, net: NetId, place: PlaceId) -> &Kept {
        &self.table(net).places[place.0 as usize]
    }

    /// The nets of agents.
    pub(crate) fn templates(&self) -> impl Iterator<Item = (NetId, &Table)> {
        (0..).map(NetId).zip(&self.tables).filter(|(id, table)| *id != self.program.system && table.room > 0)
    }

    /// A member of an enumeration.
    pub(crate) fn member(&self, sort: EnumerationId, member: u32) -> Term {
        Term::named(&self.members[sort.0 as usize][member as usize], i64::from(member))
    }

    /// The names of all members with their numbers.
    pub(crate) fn member_names(&self) -> impl Iterator<Item = (usize, &str)> {
        self.members.iter().flat_map(|names| names.iter().map(String::as_str).enumerate())
    }
}

impl Shape {
    pub(crate) fn holds_agents(&self) -> bool {
        match self {
            Self::Agent => true,
            Self::Record(fields) => fields.iter().any(|(_, shape)| shape.holds_agents()),
            Self::Unit | Self::Number { .. } | Self::Bits { .. } => false,
        }
    }
}

/// The declared name of the record that the tokens of a place, or the members of a cell's set, are.
fn row_name(sort: &Sort) -> Option<String> {
    match sort {
        Sort::Record(record) => record.name.as_deref().map(legal),
        Sort::Set(of) => row_name(of),
        _ => None,
    }
}

/// Whether some transition makes agents and takes others.
fn replaces(program: &Program) -> bool {
    program.nets.iter().any(|net| {
        let alternatives = net.transitions.iter().flat_map(|transition| &transition.alternatives);
        let agents = |place: PlaceId| net.places[place.0 as usize].sort.bears_agents();
        alternatives.into_iter().any(|alternative| {
            let mut makes = false;
            crate::semantics::parts::each_of_alternative(alternative, &mut |expr| makes |= is_new(expr));
            let takes = alternative.inputs.iter().any(|arc| agents(arc.place));
            makes && (takes || alternative.updates.iter().any(|(cell, _)| agents(*cell)))
        })
    })
}

fn is_new(expr: &crate::program::Expr) -> bool {
    let mut found = matches!(expr, crate::program::Expr::New(..));
    crate::semantics::parts::each(expr, &mut |part| found = found || is_new(part));
    found
}
