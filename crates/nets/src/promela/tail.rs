//! The end of every step: the acts that wait in the queue are done. Arrays stay sorted, so that equal markings are equal
//! states, and what is not used is 0.

use motet_machine::promela::{Branch, Item, Statement, assign};
use motet_machine::{Expr as Term, Place};

use crate::program::PlaceId;
use crate::promela::scope::Owner;
use crate::promela::shape::{Shape, Store, leaf};
use crate::promela::world::{Kept, World};
use crate::value::NetId;

/// Something that waits to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Act {
    /// The token at a position goes.
    Take(NetId, PlaceId),
    /// A token comes, or a member of a set unless it is there.
    Put(NetId, PlaceId),
    /// A set becomes empty.
    Clear(NetId, PlaceId),
    /// An agent is gone.
    Free,
}

/// The acts that some option needs, with their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acts {
    acts: Vec<(Act, Term)>,
    names: Vec<Vec<String>>,
}

impl Acts {
    pub(crate) fn new(world: &World) -> Self {
        let names = world.tables.iter().map(|table| {
            let prefix = if table.name.is_empty() { String::new() } else { format!("{}_", table.name) };
            table.places.iter().map(|place| format!("{prefix}{}", place.name)).collect()
        });
        Self { acts: Vec::new(), names: names.collect() }
    }

    /// An act by its name.
    pub(crate) fn number(&mut self, act: Act) -> Term {
        if let Some((_, name)) = self.acts.iter().find(|(known, _)| *known == act) {
            return name.clone();
        }
        let place = |net: NetId, place: PlaceId| &self.names[net.0 as usize][place.0 as usize];
        let name = match act {
            Act::Take(net, at) => format!("TAKE_{}", place(net, at)),
            Act::Put(net, at) => format!("PUT_{}", place(net, at)),
            Act::Clear(net, at) => format!("CLEAR_{}", place(net, at)),
            Act::Free => "FREE".to_owned(),
        };
        let name = Term::named(&name, i64::try_from(self.acts.len() + 1).unwrap_or(i64::MAX));
        self.acts.push((act, name.clone()));
        name
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.acts.is_empty()
    }

    /// `#define TAKE_Users 1`
    pub(crate) fn definitions(&self) -> impl Iterator<Item = Item> {
        self.acts.iter().filter_map(|(_, act)| match act {
            Term::Named(name, number) => Some(Item::define(&**name, *number)),
            _ => None,
        })
    }

    /// What works off the queue.
    pub(crate) fn work(&self, world: &World) -> Vec<Statement> {
        let (k, ops) = (Place::named("k"), Place::named("ops"));
        let branch = |(act, name): &(Act, Term)| {
            let body = match act {
                Act::Take(net, place) => At::new(world, *net, *place).take(),
                Act::Put(net, place) => At::new(world, *net, *place).put(),
                Act::Clear(net, place) => vec![At::new(world, *net, *place).clear()],
                Act::Free => vec![free(world)],
            };
            Branch::when(now("op").equals(name), body)
        };
        let one = Statement::If(self.acts.iter().map(branch).collect());
        let zero = |place| assign(place, 0);
        vec![
            zero(&k),
            Statement::repeat(k.less(&ops), vec![one, Statement::increment(&k)]),
            zero(&ops),
            zero(&k),
            zero(&Place::named("i")),
        ]
    }
}

/// An act waits, with a position and a row.
pub(crate) fn waits(act: &Term, position: &Term, at: &Term) -> Statement {
    Statement::Call("DO".to_owned(), vec![act.clone(), position.clone(), at.clone()])
}

/// What [`waits`] stands for.
pub(crate) fn waits_item() -> Item {
    let last = |name: &str, parameter: &str| {
        assign(Place::named(name).at(Term::variable("ops")), Term::parameter(parameter))
    };
    let body =
        vec![last("op", "act"), last("who", "position"), last("at", "number"), Statement::increment("ops")];
    Item::abbreviate("DO", &["act", "position", "number"], body)
}

/// A number of the row that belongs to the act at this position.
pub(crate) fn row(position: &str, number: usize) -> Place {
    let start = Term::variable(position).times(Term::call("ROW", []));
    Place::named("row").at(start.plus(Term::count(number)))
}

/// What an array has for the act that is done.
fn now(name: &str) -> Place {
    Place::named(name).at(Term::variable("k"))
}

/// A place of the system net, or of the agent at position `who[k]`.
struct At<'w> {
    kept: &'w Kept,
    at: Place,
    counter: Place,
}

impl<'w> At<'w> {
    fn new(world: &'w World, net: NetId, place: PlaceId) -> Self {
        let owner = if net == world.program.system {
            Owner::system(world)
        } else {
            Owner::agent(world, net, now("who").into())
        };
        Self::of(&owner, world.kept(net, place))
    }

    fn of(owner: &Owner, kept: &'w Kept) -> Self {
        Self { kept, at: owner.place(&kept.name), counter: owner.place(&kept.counter()) }
    }

    fn ways(&self) -> Vec<String> {
        self.kept.store.shape().leaves().into_iter().map(|(way, _)| way).collect()
    }

    /// `Users[i].a = Users[i + 1].a; ...`
    fn copy(&self, to: impl Into<Term>, from: Term) -> Vec<Statement> {
        let (to, from) = (self.at.at(to), self.at.at(from));
        self.ways().iter().map(|way| assign(leaf(&to, way), leaf(&from, way))).collect()
    }

    fn blank(&self, position: &Place) -> Vec<Statement> {
        blank(&self.at.at(position), self.kept.store.shape())
    }

    fn take(&self) -> Vec<Statement> {
        let i = Place::named("i");
        let mut copy = self.copy(&i, i.plus(1));
        copy.push(Statement::increment(&i));
        let mut take = vec![assign(&i, now("at")), Statement::repeat(i.less(self.counter.minus(1)), copy)];
        take.extend(self.blank(&i));
        take.push(Statement::decrement(&self.counter));
        take
    }

    fn put(&self) -> Vec<Statement> {
        let i = Place::named("i");
        let (bound, is_set) = match &self.kept.store {
            Store::Rows { bound, .. } => (*bound, false),
            Store::Members { bound, .. } => (*bound, true),
            Store::Count | Store::Value { .. } => (0, false),
        };
        let own: Vec<(Place, String)> =
            self.ways().into_iter().enumerate().map(|(number, way)| (row("k", number), way)).collect();
        // The first difference decides.
        let before = self.at.at(i.minus(1));
        let mut less = Term::Truth(false);
        for (own, way) in own.iter().rev() {
            let other = leaf(&before, way);
            less = own.less(&other).or(&own.equals(&other).and(&less));
        }
        let mut copy = self.copy(&i, i.minus(1));
        copy.push(Statement::decrement(&i));
        let mut insert = vec![
            Statement::check(&self.kept.bound(), self.counter.less(Term::count(bound))),
            assign(&i, &self.counter),
            Statement::repeat(i.greater(0).and(&less), copy),
        ];
        let here = self.at.at(&i);
        insert.extend(own.iter().map(|(own, way)| assign(leaf(&here, way), own)));
        insert.push(Statement::increment(&self.counter));
        if !is_set {
            return insert;
        }
        let same = Term::all(own.iter().map(|(own, way)| own.equals(leaf(&here, way))));
        let some = i.less(&self.counter);
        vec![
            assign(&i, 0),
            Statement::repeat(some.and(&same.not()), vec![Statement::increment(&i)]),
            Statement::If(vec![Branch::when(some, Vec::new()), Branch::otherwise(insert)]),
        ]
    }

    fn clear(&self) -> Statement {
        let mut body = vec![Statement::decrement(&self.counter)];
        body.extend(self.blank(&self.counter));
        Statement::repeat(self.counter.greater(0), body)
    }
}

/// A row becomes 0.
fn blank(row: &Place, shape: &Shape) -> Vec<Statement> {
    shape.leaves().iter().map(|(way, _)| assign(leaf(row, way), 0)).collect()
}

/// The entry of an agent becomes free, and everything in it 0.
fn free(world: &World) -> Statement {
    let agent = Term::from(now("who"));
    let mut branches = Vec::new();
    for (net, table) in world.templates() {
        let owner = Owner::numbered(world, net, &agent);
        let mut all = vec![assign(owner.place("alive"), 0)];
        for (name, shape) in &table.parameters {
            all.extend(blank(&owner.place(name), shape));
        }
        for kept in &table.places {
            let at = At::of(&owner, kept);
            match &kept.store {
                Store::Count => all.push(assign(at.at, 0)),
                Store::Value { shape } => all.extend(blank(&at.at, shape)),
                Store::Rows { .. } | Store::Members { .. } => all.push(at.clear()),
            }
        }
        branches.push(Branch::when(table.has(&agent), all));
    }
    branches.push(Branch::otherwise(Vec::new()));
    Statement::If(branches)
}

impl Kept {
    /// The name of the number of tokens.
    pub(crate) fn counter(&self) -> String {
        format!("{}_n", self.name)
    }

    /// The variable that knows whether there was room.
    pub(crate) fn bound(&self) -> String {
        format!("bound_{}", self.name)
    }

    /// The Promela type of a number of tokens, and the most it holds.
    pub(crate) fn counter_kind(&self) -> &'static str {
        if self.most <= 255 { "byte" } else { "int" }
    }

    pub(crate) fn most_tokens(&self) -> i64 {
        if self.most <= 255 { 255 } else { 1_000_000_000 }
    }
}
