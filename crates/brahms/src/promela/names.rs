//! Names and numbers: every value of the model is a whole number in Promela. Numbers stand for themselves; truth values,
//! entities and texts are macros for numbers above all of them, and `unknown` is the largest.

use std::collections::BTreeSet;
use std::sync::Arc;

use motet_machine::Expr as Term;
use motet_machine::promela::{Item, Program, legal, unique};

use crate::program::{Expr, Program as Model, Value};
use crate::promela::lack::Lack;

/// What a variable of the model can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Width {
    /// The Promela type.
    pub(crate) kind: &'static str,
    /// The largest whole number; the smallest is its opposite.
    pub(crate) limit: i64,
}

const NARROW: Width = Width { kind: "short", limit: 16_000 };
const WIDE: Width = Width { kind: "int", limit: 1_000_000_000 };

/// Names of all values.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// The type of variables.
    pub(crate) width: Width,
    entities: Vec<String>,
    texts: Vec<String>,
}

impl Values {
    /// The names for a model; `largest` is the largest number that it mentions.
    pub(crate) fn new(program: &Model, largest: i64) -> Self {
        let mut taken = reserved();
        let entity = |name: &str| format!("e_{}", legal(name));
        let entities = program.entities.iter().map(|one| unique(&mut taken, entity(&one.name))).collect();
        let text = |text: &String| format!("t_{}", legal(text));
        let texts: Vec<String> = program.texts.iter().map(|one| unique(&mut taken, text(one))).collect();
        let n_names = i64::try_from(program.entities.len() + texts.len()).unwrap_or(i64::MAX);
        let narrow = largest <= NARROW.limit / 4 && n_names < 15_000;
        Self { width: if narrow { NARROW } else { WIDE }, entities, texts }
    }

    /// The first number that is none.
    fn first(&self) -> i64 {
        self.width.limit + 1
    }

    /// The number of a value.
    pub(crate) fn code(&self, value: Value) -> Option<i64> {
        let after = |place: usize| self.first() + 2 + i64::try_from(place).unwrap_or(0);
        match value {
            Value::Int(number) => (number.abs() <= self.width.limit).then_some(number),
            Value::Double(_) => None,
            Value::Bool(truth) => Some(self.first() + i64::from(truth)),
            Value::Entity(entity) => Some(after(entity.index())),
            Value::Text(text) => Some(after(self.entities.len() + text.index())),
        }
    }

    /// The number that stands for no value.
    pub(crate) fn unknown_code(&self) -> i64 {
        self.first() + 2 + i64::try_from(self.entities.len() + self.texts.len()).unwrap_or(0)
    }

    /// A value as the program has it.
    pub(crate) fn word(&self, value: Value) -> Result<Term, Lack> {
        let named = |name: &str, value| Term::named(name, self.code(value).unwrap_or(0));
        match value {
            Value::Int(number) if number.abs() > self.width.limit => Err(Lack::Number),
            Value::Int(number) => Ok(number.into()),
            Value::Double(_) => Err(Lack::Number),
            Value::Bool(truth) => Ok(named(if truth { "c_true" } else { "c_false" }, value)),
            Value::Entity(entity) => Ok(named(&self.entities[entity.index()], value)),
            Value::Text(text) => Ok(named(&self.texts[text.index()], value)),
        }
    }

    /// What stands for no value.
    pub(crate) fn unknown(&self) -> Term {
        Term::named("unknown", self.unknown_code())
    }

    /// Numbers are below this.
    pub(crate) fn names_from(&self) -> Term {
        Term::named("names_from", self.first())
    }

    /// The definitions of the values that a program uses.
    pub(crate) fn define(&self, program: &mut Program, used: &BTreeSet<Arc<str>>) {
        program.remark("values: numbers are themselves, everything else is a number above them");
        program.push(Item::define("names_from", self.first()));
        let names = ["c_false", "c_true"].into_iter();
        let names = names.chain(self.entities.iter().chain(&self.texts).map(String::as_str));
        let used = (self.first()..).zip(names).filter(|(_, name)| used.contains(*name));
        program.items.extend(used.map(|(code, name)| Item::define(name, code)));
        program.push(Item::define("unknown", self.unknown_code()));
        program.gap();
    }
}

/// The largest number that the texts and the start of a model mention.
pub(crate) fn largest(expr: &Expr) -> i64 {
    match expr {
        Expr::Value(Value::Int(number)) => number.saturating_abs(),
        Expr::Negate(inner) => largest(inner),
        Expr::Binary(_, left, right) => largest(left).max(largest(right)),
        _ => 0,
    }
}

/// Names that the translation uses itself; those of a user's words have a prefix or are kept apart from these.
fn reserved() -> BTreeSet<String> {
    ["names_from", "unknown", "c_true", "c_false"].map(str::to_owned).into_iter().collect()
}
