//! What a run tells: after each step one line with the number of tokens of each place and a sum over what they are. Sums do
//! not depend on the order of the tokens, so the same line is computed from a native marking. Two markings with one line are
//! possible and rare; whoever follows a run then follows both.

use motet_machine::promela::{Define, Item, Meaning, Statement};
use motet_machine::{Expr as Term, Place};
use motet_model::State;

use crate::program::PlaceId;
use crate::promela::lack::Lack;
use crate::promela::scope::Owner;
use crate::promela::shape::{Shape, Store, code, leaf};
use crate::promela::world::{Table, World};
use crate::semantics::Semantics;
use crate::value::{Agent, Bag, NetId, Value};

/// Numbers are mixed modulo this prime.
const PRIME: i64 = 65_521;
/// Where the mixing starts.
const SEED: i64 = 7;

/// Turned bits keep sums over tokens from being sums over their fields: what two tokens exchange makes a difference. Their
/// products stay below 2^31.
const TURN: i64 = 21_845;
const FACTOR: i64 = 31_991;

/// The macro that mixes a number into others.
pub(crate) fn definition() -> Item {
    let turned = Term::parameter("h").bit_xor(TURN).times(FACTOR).modulo(PRIME);
    let mixed = turned.plus(Term::parameter("x").modulo(PRIME)).modulo(PRIME);
    define("H", &["h", "x"], mixed)
}

fn define(name: &str, parameters: &[&str], body: Term) -> Item {
    let parameters = parameters.iter().map(|&one| one.to_owned()).collect();
    Item::Define(Define { name: name.to_owned(), parameters, body: Meaning::Expr(body) })
}

/// A number, mixed into others.
fn mixed(hash: Term, number: impl Into<Term>) -> Term {
    Term::call("H", [hash, number.into()])
}

fn mix(hash: i64, number: i64) -> i64 {
    (((hash ^ TURN) * FACTOR) % PRIME + number % PRIME) % PRIME
}

impl World {
    /// The name of the macro for the contents of an agent of a net.
    fn contents(&self, net: NetId) -> String {
        format!("CONTENTS_{}", self.table(net).name)
    }

    /// The macros for the contents of agents.
    pub(crate) fn contents_definitions(&self) -> impl Iterator<Item = Item> {
        self.templates().map(|(net, table)| {
            let owner = Owner::agent(self, net, Term::parameter("a"));
            let mut hash = Term::from(i64::from(net.0));
            for (name, shape) in &table.parameters {
                hash = self.mixed(hash, shape, &owner.place(name));
            }
            for kept in &table.places {
                let at = owner.place(&kept.name);
                hash = match &kept.store {
                    Store::Count => mixed(hash, at),
                    Store::Value { shape } => self.mixed(hash, shape, &at),
                    store => mixed(hash, self.sum(store, &at, &owner.place(&kept.counter()))),
                };
            }
            define(&self.contents(net), &["a"], mixed(hash, 0))
        })
    }

    /// A row, mixed into what is there already.
    fn mixed(&self, hash: Term, shape: &Shape, base: &Place) -> Term {
        shape.leaves().iter().zip(told(shape)).fold(hash, |hash, ((way, _), told)| {
            let number = Term::from(leaf(base, way));
            let number = match told {
                Told::Number => number,
                Told::Nothing => Term::from(0),
                Told::Agent => {
                    let contents = |rest: Term, (net, table): (NetId, &Table)| {
                        let own = Term::call(&self.contents(net), [number.minus(Term::count(table.first))]);
                        Term::choose(&table.has(&number), &own, &rest)
                    };
                    self.templates().fold(Term::from(0), contents)
                }
            };
            mixed(hash, number)
        })
    }

    /// The sum over the rows that are there.
    fn sum(&self, store: &Store, at: &Place, counter: &Place) -> Term {
        let (Store::Rows { shape, bound } | Store::Members { shape, bound }) = store else {
            return Term::from(0);
        };
        Term::sum((0..*bound).map(|row| {
            let hash = self.mixed(Term::from(SEED), shape, &at.at(Term::count(row)));
            Term::choose(&counter.greater(Term::count(row)), &mixed(hash, 0), &Term::from(0))
        }))
    }

    /// The statements that print a line; `fired` are the variables that know what fired.
    pub(crate) fn tell(&self, fired: &[String]) -> Vec<Statement> {
        let print = |text: &str, values: Vec<Term>| Statement::Print(text.to_owned(), values);
        let mut all = vec![print("@motet state", Vec::new())];
        for kept in &self.table(self.program.system).places {
            let at = Place::named(&kept.name);
            all.push(match &kept.store {
                Store::Count => print(" %d", vec![at.into()]),
                Store::Value { shape } => print(" %d", vec![self.mixed(Term::from(SEED), shape, &at)]),
                store => {
                    let counter = Place::named(&kept.counter());
                    let sum = self.sum(store, &at, &counter);
                    print(" %d %d", vec![counter.into(), sum])
                }
            });
        }
        all.extend(fired.iter().map(|fired| print(" %d", vec![Term::variable(fired)])));
        all.push(print("\\n", Vec::new()));
        all
    }

    /// The same line for a native state, without what fired.
    pub(crate) fn told(&self, semantics: &Semantics, state: &State) -> Result<Vec<String>, Lack> {
        let mut words = Vec::new();
        for (place, bag) in (0..).map(PlaceId).zip(semantics.layout.marking(state)) {
            match &self.kept(self.program.system, place).store {
                Store::Count => words.push(bag.size().to_string()),
                Store::Value { shape } => words.push(self.value(SEED, shape, first(&bag))?.to_string()),
                store @ Store::Rows { .. } => {
                    words.extend([bag.size().to_string(), self.bag(store, &bag)?.to_string()]);
                }
                store @ Store::Members { .. } => {
                    words.extend([members(&bag).len().to_string(), self.bag(store, &bag)?.to_string()]);
                }
            }
        }
        Ok(words)
    }

    fn bag(&self, store: &Store, bag: &Bag) -> Result<i64, Lack> {
        let shape = store.shape();
        let mut sum = 0;
        if let Store::Members { .. } = store {
            for member in members(bag) {
                sum += mix(self.value(SEED, shape, member)?, 0);
            }
            return Ok(sum);
        }
        for (token, count) in bag.tokens() {
            sum += i64::from(*count) * mix(self.value(SEED, shape, token)?, 0);
        }
        Ok(sum)
    }

    fn value(&self, hash: i64, shape: &Shape, value: &Value) -> Result<i64, Lack> {
        Ok(match (shape, value) {
            (Shape::Unit, _) => hash,
            (Shape::Record(shapes), Value::Record(fields)) => {
                let mut hash = hash;
                for ((_, shape), field) in shapes.iter().zip(fields.iter()) {
                    hash = self.value(hash, shape, field)?;
                }
                hash
            }
            (Shape::Number { told: false, .. } | Shape::Bits { told: false, .. }, _) => mix(hash, 0),
            (Shape::Agent, Value::Agent(agent)) => mix(hash, self.agent(agent)?),
            (Shape::Bits { low, members, .. }, value) => mix(hash, bits(value, *low, *members)?),
            (_, value) => mix(hash, code(value)?),
        })
    }

    fn agent(&self, agent: &Agent) -> Result<i64, Lack> {
        let table = self.table(agent.net);
        let mut hash = i64::from(agent.net.0);
        for ((_, shape), argument) in table.parameters.iter().zip(agent.arguments.iter()) {
            hash = self.value(hash, shape, argument)?;
        }
        for (kept, bag) in table.places.iter().zip(&agent.places) {
            hash = match &kept.store {
                Store::Count => mix(hash, i64::try_from(bag.size()).unwrap_or(0)),
                Store::Value { shape } => self.value(hash, shape, first(bag))?,
                store => mix(hash, self.bag(store, bag)?),
            };
        }
        Ok(mix(hash, 0))
    }
}

/// The value of a cell.
pub(crate) fn first(bag: &Bag) -> &Value {
    bag.tokens().first().map_or(&Value::Token, |(value, _)| value)
}

/// The members of the set of a cell.
pub(crate) fn members(bag: &Bag) -> &[Value] {
    match first(bag) {
        Value::Set(members) => members,
        _ => &[],
    }
}

/// A set as bits.
pub(crate) fn bits(value: &Value, low: i64, members: i64) -> Result<i64, Lack> {
    let Value::Set(all) = value else { return Ok(0) };
    let mut sum = 0;
    for member in all.iter() {
        let place = code(member)? - low;
        if (0..members).contains(&place) {
            sum |= 1 << place;
        }
    }
    Ok(sum)
}

enum Told {
    Number,
    Nothing,
    Agent,
}

/// What is told of each number of a row.
fn told(shape: &Shape) -> Vec<Told> {
    match shape {
        Shape::Unit => Vec::new(),
        Shape::Number { told, .. } | Shape::Bits { told, .. } => {
            vec![if *told { Told::Number } else { Told::Nothing }]
        }
        Shape::Agent => vec![Told::Agent],
        Shape::Record(fields) => fields.iter().flat_map(|(_, shape)| self::told(shape)).collect(),
    }
}

/// The numbers of a value in a row; `number` numbers its agents.
pub(crate) fn row(
    shape: &Shape,
    value: &Value,
    number: &mut dyn FnMut(&Agent) -> Result<i64, Lack>,
) -> Result<Vec<i64>, Lack> {
    Ok(match (shape, value) {
        (Shape::Unit, _) => Vec::new(),
        (Shape::Record(shapes), Value::Record(fields)) => {
            let mut all = Vec::new();
            for ((_, shape), field) in shapes.iter().zip(fields.iter()) {
                all.extend(row(shape, field, number)?);
            }
            all
        }
        (Shape::Agent, Value::Agent(agent)) => vec![number(agent)?],
        (Shape::Bits { low, members, .. }, value) => vec![bits(value, *low, *members)?],
        (_, value) => vec![code(value)?],
    })
}
