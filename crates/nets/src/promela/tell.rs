//! What a run tells: after each step one line with the number of tokens of each place and a sum over what they are. Sums do
//! not depend on the order of the tokens, so the same line is computed from a native marking. Two markings with one line are
//! possible and rare; whoever follows a run then follows both.

use motet_model::State;

use crate::program::PlaceId;
use crate::promela::lack::Lack;
use crate::promela::shape::{Shape, Store, code};
use crate::promela::term::Term;
use crate::promela::world::{World, index};
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
pub(crate) fn macro_line() -> String {
    format!("#define H(h, x) (((((h) ^ {TURN}) * {FACTOR}) % {PRIME} + ((x) % {PRIME})) % {PRIME})")
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
    pub(crate) fn contents_lines(&self) -> Vec<String> {
        let line = |(net, table): (NetId, &crate::promela::world::Table)| {
            let at = |name: &str| format!("{}[a].{name}", table.name);
            let mut hash = format!("{}", net.0);
            for (name, shape) in &table.parameters {
                hash = self.mixed(hash, shape, &at(name));
            }
            for kept in &table.places {
                hash = self.mixed_place(hash, &kept.store, &at(&kept.name));
            }
            format!("#define {}(a) H({hash}, 0)", self.contents(net))
        };
        self.templates().map(line).collect()
    }

    /// A row, mixed into what is there already.
    fn mixed(&self, hash: String, shape: &Shape, base: &str) -> String {
        let leaves = shape.leaves();
        let told = told(shape);
        let mut hash = hash;
        for ((way, _), told) in leaves.iter().zip(told) {
            let number = format!("{base}{way}");
            let number = match told {
                Told::Number => number,
                Told::Nothing => "0".to_owned(),
                Told::Agent => {
                    let agent = Term::text(number);
                    let contents = |rest: Term, (net, table): (NetId, &crate::promela::world::Table)| {
                        let position = agent.with("-", &index(table.first));
                        let own = Term::text(format!("{}(({}))", self.contents(net), position.show()));
                        Term::choose(&table.has(&agent), &own, &rest)
                    };
                    self.templates().fold(Term::number(0), contents).show().to_owned()
                }
            };
            hash = format!("H({hash}, {number})");
        }
        hash
    }

    fn mixed_place(&self, hash: String, store: &Store, at: &str) -> String {
        match store {
            Store::Count => format!("H({hash}, {at})"),
            Store::Value { shape } => self.mixed(hash, shape, at),
            Store::Rows { .. } | Store::Members { .. } => format!("H({hash}, {})", self.sum(store, at)),
        }
    }

    /// The sum over the rows that are there.
    fn sum(&self, store: &Store, at: &str) -> String {
        let (Store::Rows { shape, bound } | Store::Members { shape, bound }) = store else {
            return "0".to_owned();
        };
        let row = |row: usize| {
            let hash = self.mixed(SEED.to_string(), shape, &format!("{at}[{row}]"));
            format!("({at}_n > {row} -> H({hash}, 0) : 0)")
        };
        let rows: Vec<String> = (0..*bound).map(row).collect();
        format!("({})", rows.join(" + "))
    }

    /// The statements that print a line; `fired` are the variables that know what fired.
    pub(crate) fn tell(&self, fired: &[String]) -> Vec<String> {
        let mut lines = vec!["printf(\"@motet state\");".to_owned()];
        for kept in &self.table(self.program.system).places {
            let at = &kept.name;
            lines.push(match &kept.store {
                Store::Count => format!("printf(\" %d\", {at});"),
                Store::Value { shape } => {
                    format!("printf(\" %d\", {});", self.mixed(SEED.to_string(), shape, at))
                }
                store => format!("printf(\" %d %d\", {at}_n, {});", self.sum(store, at)),
            });
        }
        lines.extend(fired.iter().map(|fired| format!("printf(\" %d\", {fired});")));
        lines.push("printf(\"\\n\")".to_owned());
        lines
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
