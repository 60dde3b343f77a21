//! Types, tables, places and the initial marking (rules e.1 and p.1 to p.3).

use std::collections::BTreeSet;

use motet_machine::promela::{Item, Statement, Variable, assign};
use motet_machine::{Expr, Place};

use crate::promela::lack::Lack;
use crate::promela::scope::Owner;
use crate::promela::shape::{Shape, Store, leaf};
use crate::promela::tell::{first, members, row};
use crate::promela::world::{Kept, World};
use crate::value::{Agent, Bag, NetId, Value};

impl World {
    /// Everything that is declared before the process.
    pub(crate) fn declarations(&self) -> Vec<Item> {
        let mut items = Vec::new();
        if self.member_names().next().is_some() {
            items.push(Item::remark("members of enumerations"));
        }
        items.extend(self.member_names().map(|(number, name)| Item::define(name, Expr::count(number))));
        items.push(Item::remark("p.2: what a token is"));
        let mut known = BTreeSet::new();
        for kept in self.tables.iter().flat_map(|table| &table.places) {
            items.extend(row_type(&kept.row, kept.store.shape(), &mut known));
        }
        for (net, table) in self.templates() {
            for (name, shape) in &table.parameters {
                items.extend(row_type(&self.parameter_row(net, name), shape, &mut known));
            }
        }
        for (net, table) in self.templates() {
            let name = &self.program.nets[net.0 as usize].name;
            let (room, first) = (table.room, table.first);
            items.push(Item::remark(format!(
                "e.1: agents of {name}: {room} at a time, numbered from {first}"
            )));
            let mut fields = vec![Variable::new("bit", "alive")];
            for (name, shape) in &table.parameters {
                fields.extend(value(&self.parameter_row(net, name), shape, name));
            }
            fields.extend(table.places.iter().flat_map(place));
            items.push(Item::Record(table.kind.clone(), fields));
            items.push(Variable::new(&table.kind, &table.name).with_room(Expr::count(room)).into());
        }
        let system = self.program.system;
        let name = &self.program.nets[system.0 as usize].name;
        items.push(Item::remark(format!("p.1: places of {name}")));
        items.extend(self.table(system).places.iter().flat_map(place).map(Item::from));
        items
    }

    fn parameter_row(&self, net: NetId, name: &str) -> String {
        format!("{}_{name}_row", self.table(net).name)
    }

    /// The assignments that make the initial marking.
    pub(crate) fn start(&self, marking: &[Bag]) -> Result<Vec<Statement>, Lack> {
        let mut start = Start { world: self, agents: vec![0; self.tables.len()], statements: Vec::new() };
        let owner = Owner::system(self);
        for (kept, bag) in self.table(self.program.system).places.iter().zip(marking) {
            start.place(&owner, kept, bag)?;
        }
        Ok(start.statements)
    }
}

/// The type of a row, unless it is one number or known already.
fn row_type(name: &str, shape: &Shape, known: &mut BTreeSet<String>) -> Option<Item> {
    if !matches!(shape, Shape::Record(_)) || shape.leaves().is_empty() || !known.insert(name.to_owned()) {
        return None;
    }
    let fields = shape.leaves().into_iter().map(|(way, kind)| Variable::new(kind, way));
    Some(Item::Record(name.to_owned(), fields.collect()))
}

/// The type of what a row is.
fn kind_of<'n>(row: &'n str, shape: &Shape) -> &'n str {
    match shape {
        Shape::Record(_) => row,
        _ => shape.leaves().first().map_or("byte", |(_, kind)| kind),
    }
}

fn value(row: &str, shape: &Shape, name: &str) -> Option<Variable> {
    (!shape.leaves().is_empty()).then(|| Variable::new(kind_of(row, shape), name))
}

/// What a place is kept in.
fn place(kept: &Kept) -> Vec<Variable> {
    match &kept.store {
        Store::Count => vec![Variable::new(kept.counter_kind(), &kept.name)],
        Store::Value { shape } => value(&kept.row, shape, &kept.name).into_iter().collect(),
        Store::Rows { shape, bound } | Store::Members { shape, bound } => vec![
            Variable::new(kind_of(&kept.row, shape), &kept.name).with_room(Expr::count(*bound)),
            Variable::new(kept.counter_kind(), kept.counter()),
        ],
    }
}

/// The initial marking in the making.
struct Start<'w> {
    world: &'w World,
    /// How many agents of each net there are.
    agents: Vec<usize>,
    statements: Vec<Statement>,
}

impl Start<'_> {
    fn place(&mut self, owner: &Owner, kept: &Kept, bag: &Bag) -> Result<(), Lack> {
        let at = owner.place(&kept.name);
        match &kept.store {
            Store::Count => self.assign(at, count(bag.size())),
            Store::Value { shape } => {
                let numbers = self.row(shape, first(bag))?;
                self.write(&at, shape, &numbers);
            }
            Store::Rows { shape, .. } => {
                let mut rows = Vec::new();
                for (token, count) in bag.tokens() {
                    // Each copy has an agent of its own.
                    for _ in 0..*count {
                        rows.push(self.row(shape, token)?);
                    }
                }
                self.rows(owner, kept, rows);
            }
            Store::Members { shape, .. } => {
                let rows = members(bag).iter().map(|member| self.row(shape, member));
                let rows = rows.collect::<Result<Vec<_>, Lack>>()?;
                self.rows(owner, kept, rows);
            }
        }
        Ok(())
    }

    fn rows(&mut self, owner: &Owner, kept: &Kept, mut rows: Vec<Vec<i64>>) {
        rows.sort();
        let at = owner.place(&kept.name);
        for (position, numbers) in rows.iter().enumerate() {
            self.write(&at.at(Expr::count(position)), kept.store.shape(), numbers);
        }
        self.assign(owner.place(&kept.counter()), count(rows.len()));
    }

    fn write(&mut self, at: &Place, shape: &Shape, numbers: &[i64]) {
        for (number, (way, _)) in numbers.iter().zip(shape.leaves()) {
            self.assign(leaf(at, &way), *number);
        }
    }

    fn assign(&mut self, at: Place, number: i64) {
        if number != 0 {
            self.statements.push(assign(at, number));
        }
    }

    fn row(&mut self, shape: &Shape, value: &Value) -> Result<Vec<i64>, Lack> {
        row(shape, value, &mut |agent| self.agent(agent))
    }

    fn agent(&mut self, agent: &Agent) -> Result<i64, Lack> {
        let world = self.world;
        let table = world.table(agent.net);
        let position = self.agents[agent.net.0 as usize];
        self.agents[agent.net.0 as usize] += 1;
        let owner = Owner::agent(world, agent.net, Expr::count(position));
        self.assign(owner.place("alive"), 1);
        for ((name, shape), argument) in table.parameters.iter().zip(agent.arguments.iter()) {
            let numbers = self.row(shape, argument)?;
            self.write(&owner.place(name), shape, &numbers);
        }
        for (kept, bag) in table.places.iter().zip(&agent.places) {
            self.place(&owner, kept, bag)?;
        }
        i64::try_from(table.first + position).map_err(|_| Lack::Construct("so many agents".to_owned()))
    }
}

fn count(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
