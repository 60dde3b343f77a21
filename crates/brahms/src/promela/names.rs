//! Names and numbers: every value of the model is a whole number in Promela. Numbers stand for themselves; truth values,
//! entities and texts are macros for numbers above all of them, and `unknown` is the largest.

use std::collections::BTreeSet;

use crate::program::{Expr, Program, Value};
use crate::promela::lack::Lack;
use crate::promela::text::Text;

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
    pub(crate) fn new(program: &Program, largest: i64) -> Self {
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
    pub(crate) fn unknown(&self) -> i64 {
        self.first() + 2 + i64::try_from(self.entities.len() + self.texts.len()).unwrap_or(0)
    }

    /// A value as the text has it.
    pub(crate) fn word(&self, value: Value) -> Result<String, Lack> {
        match value {
            Value::Int(number) if number.abs() > self.width.limit => Err(Lack::Number),
            Value::Int(number) if number < 0 => Ok(format!("({number})")),
            Value::Int(number) => Ok(number.to_string()),
            Value::Double(_) => Err(Lack::Number),
            Value::Bool(truth) => Ok(if truth { "c_true" } else { "c_false" }.to_owned()),
            Value::Entity(entity) => Ok(self.entities[entity.index()].clone()),
            Value::Text(text) => Ok(self.texts[text.index()].clone()),
        }
    }

    /// The macros of the values that a text uses.
    pub(crate) fn write(&self, out: &mut Text, used: &BTreeSet<&str>) {
        out.remark("values: numbers are themselves, everything else is a number above them");
        out.line(format_args!("#define names_from {}", self.first()));
        let mut define = |name: &str, code: i64| {
            if used.contains(name) {
                out.line(format_args!("#define {name} {code}"));
            }
        };
        define("c_false", self.first());
        define("c_true", self.first() + 1);
        let names = self.entities.iter().chain(&self.texts);
        for (code, name) in (self.first() + 2..).zip(names) {
            define(name, code);
        }
        out.line(format_args!("#define unknown {}", self.unknown()));
        out.gap();
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

/// Letters, digits and `_` only.
pub(crate) fn legal(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    out.truncate(60);
    out
}

/// A name that is not taken yet, as near as possible.
pub(crate) fn unique(taken: &mut BTreeSet<String>, name: String) -> String {
    let mut one = name.clone();
    let mut number = 2;
    while !taken.insert(one.clone()) {
        one = format!("{name}_{number}");
        number += 1;
    }
    one
}

/// Names that the translation uses itself; those of a user's words have a prefix or are kept apart from these.
pub(crate) fn reserved() -> BTreeSet<String> {
    ["names_from", "unknown", "c_true", "c_false"].map(str::to_owned).into_iter().collect()
}
