//! Types, tables, places and the initial marking (rules e.1 and p.1 to p.3).

use std::collections::BTreeSet;

use crate::promela::lack::Lack;
use crate::promela::names::remark;
use crate::promela::shape::{Shape, Store};
use crate::promela::tell::{first, members, row};
use crate::promela::world::{Kept, World};
use crate::value::{Agent, Bag, NetId, Value};

impl World {
    /// Everything that is declared before the process.
    pub(crate) fn declarations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.member_names().next().is_some() {
            lines.push("/* members of enumerations */".to_owned());
        }
        lines.extend(self.member_names().map(|(number, name)| format!("#define {name} {number}")));
        lines.push("/* p.2: what a token is */".to_owned());
        let mut known = BTreeSet::new();
        for kept in self.tables.iter().flat_map(|table| &table.places) {
            lines.extend(row_type(&kept.row, kept.store.shape(), &mut known));
        }
        for (net, table) in self.templates() {
            for (name, shape) in &table.parameters {
                lines.extend(row_type(&self.parameter_row(net, name), shape, &mut known));
            }
        }
        for (net, table) in self.templates() {
            let name = &self.program.nets[net.0 as usize].name;
            lines.push(remark(&format!(
                "e.1: agents of {name}: {} at a time, numbered from {}",
                table.room, table.first
            )));
            lines.push(format!("typedef {} {{", table.kind));
            lines.push("  bit alive;".to_owned());
            for (name, shape) in &table.parameters {
                lines.extend(
                    value_line(&self.parameter_row(net, name), shape, name).map(|line| format!("  {line}")),
                );
            }
            lines.extend(table.places.iter().map(|kept| format!("  {}", place_line(kept))));
            lines.push("};".to_owned());
            lines.push(format!("{} {}[{}];", table.kind, table.name, table.room));
        }
        let system = self.program.system;
        let name = &self.program.nets[system.0 as usize].name;
        lines.push(remark(&format!("p.1: places of {name}")));
        lines.extend(self.table(system).places.iter().map(place_line));
        lines
    }

    fn parameter_row(&self, net: NetId, name: &str) -> String {
        format!("{}_{name}_row", self.table(net).name)
    }

    /// The assignments that make the initial marking.
    pub(crate) fn start(&self, marking: &[Bag]) -> Result<Vec<String>, Lack> {
        let mut start = Start { world: self, agents: vec![0; self.tables.len()], lines: Vec::new() };
        for (kept, bag) in self.table(self.program.system).places.iter().zip(marking) {
            start.place("", kept, bag)?;
        }
        Ok(start.lines)
    }
}

/// The type of a row, unless it is one number or known already.
fn row_type(name: &str, shape: &Shape, known: &mut BTreeSet<String>) -> Option<String> {
    if !matches!(shape, Shape::Record(_)) || shape.leaves().is_empty() || !known.insert(name.to_owned()) {
        return None;
    }
    let fields: Vec<String> =
        shape.leaves().iter().map(|(way, kind)| format!("{kind} {}", way.trim_start_matches('.'))).collect();
    Some(format!("typedef {name} {{ {} }};", fields.join("; ")))
}

/// The type of what a row is.
fn kind_of<'n>(row: &'n str, shape: &Shape) -> &'n str {
    match shape {
        Shape::Record(_) => row,
        _ => shape.leaves().first().map_or("byte", |(_, kind)| kind),
    }
}

fn value_line(row: &str, shape: &Shape, name: &str) -> Option<String> {
    (!shape.leaves().is_empty()).then(|| format!("{} {name};", kind_of(row, shape)))
}

fn place_line(kept: &Kept) -> String {
    let name = &kept.name;
    match &kept.store {
        Store::Count => format!("{} {name};", kept.counter()),
        Store::Value { shape } => value_line(&kept.row, shape, name).unwrap_or_default(),
        Store::Rows { shape, bound } | Store::Members { shape, bound } => {
            format!("{} {name}[{bound}]; {} {name}_n;", kind_of(&kept.row, shape), kept.counter())
        }
    }
}

/// The initial marking in the making.
struct Start<'w> {
    world: &'w World,
    /// How many agents of each net there are.
    agents: Vec<usize>,
    lines: Vec<String>,
}

impl Start<'_> {
    fn place(&mut self, prefix: &str, kept: &Kept, bag: &Bag) -> Result<(), Lack> {
        let at = format!("{prefix}{}", kept.name);
        match &kept.store {
            Store::Count => self.assign(&at, i64::try_from(bag.size()).unwrap_or(i64::MAX)),
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
                self.rows(&at, shape, rows);
            }
            Store::Members { shape, .. } => {
                let rows = members(bag).iter().map(|member| self.row(shape, member));
                let rows = rows.collect::<Result<Vec<_>, Lack>>()?;
                self.rows(&at, shape, rows);
            }
        }
        Ok(())
    }

    fn rows(&mut self, at: &str, shape: &Shape, mut rows: Vec<Vec<i64>>) {
        rows.sort();
        for (position, numbers) in rows.iter().enumerate() {
            self.write(&format!("{at}[{position}]"), shape, numbers);
        }
        self.assign(&format!("{at}_n"), i64::try_from(rows.len()).unwrap_or(i64::MAX));
    }

    fn write(&mut self, at: &str, shape: &Shape, numbers: &[i64]) {
        for (number, (way, _)) in numbers.iter().zip(shape.leaves()) {
            self.assign(&format!("{at}{way}"), *number);
        }
    }

    fn assign(&mut self, at: &str, number: i64) {
        if number != 0 {
            self.lines.push(format!("{at} = {number}"));
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
        let prefix = format!("{}[{position}].", table.name);
        self.assign(&format!("{prefix}alive"), 1);
        for ((name, shape), argument) in table.parameters.iter().zip(agent.arguments.iter()) {
            let numbers = self.row(shape, argument)?;
            self.write(&format!("{prefix}{name}"), shape, &numbers);
        }
        for (kept, bag) in table.places.iter().zip(&agent.places) {
            self.place(&prefix, kept, bag)?;
        }
        i64::try_from(table.first + position).map_err(|_| Lack::Construct("so many agents".to_owned()))
    }
}
