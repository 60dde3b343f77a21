//! Names and numbers: every predicate and every constant of the team becomes a macro for a number, as in Bordini et
//! al. 2003, 4.1. Constants are numbered above all whole numbers and in the standard order of terms, so that the order of
//! the codes is the order of the terms.

use std::collections::{BTreeMap, BTreeSet};

use motet_machine::Expr;
use motet_machine::promela::unique;

use crate::program::{Pattern, Value};
use crate::promela::lack::Lack;
use crate::term::{Symbol, Term, TermId, Terms};

/// What a value cell of the model can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Width {
    /// The Promela type.
    pub(crate) kind: &'static str,
    /// The largest whole number; the smallest is its opposite.
    pub(crate) limit: i64,
    /// The code of the first constant.
    pub(crate) constants: i64,
    /// A code above all others.
    pub(crate) top: i64,
}

const NARROW: Width = Width { kind: "short", limit: 16_000, constants: 16_001, top: 32_767 };
const WIDE: Width = Width { kind: "int", limit: 1_000_000, constants: 1_000_001, top: 2_000_000_000 };

/// A flat atom: a predicate and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flat<A> {
    /// Name and arity.
    pub(crate) predicate: (Symbol, usize),
    /// Arguments.
    pub(crate) args: Vec<A>,
}

/// All names of a team.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    pub(crate) terms: Terms,
    predicates: BTreeMap<(Symbol, usize), String>,
    order: Vec<(Symbol, usize)>,
    constants: BTreeMap<TermId, String>,
    sorted: Vec<TermId>,
    /// The type of value cells.
    pub(crate) width: Width,
    /// The largest arity.
    pub(crate) arity: usize,
}

/// Collects what needs a name.
#[derive(Debug)]
pub(crate) struct Collector {
    terms: Terms,
    predicates: BTreeSet<(String, usize, Symbol)>,
    constants: BTreeSet<(u8, String, TermId)>,
    largest: i64,
}

impl Collector {
    pub(crate) fn new(terms: &Terms) -> Self {
        let (predicates, constants) = (BTreeSet::new(), BTreeSet::new());
        Self { terms: terms.clone(), predicates, constants, largest: 0 }
    }

    /// A belief, goal, message or action.
    pub(crate) fn predicate(&mut self, name: Symbol, arity: usize) {
        self.predicates.insert((self.terms.name(name).to_string(), arity, name));
    }

    /// A number of the text.
    pub(crate) fn number(&mut self, number: i64) {
        self.largest = self.largest.max(number.saturating_abs());
    }

    /// A value that can be an argument; structures are refused where they are translated.
    pub(crate) fn term(&mut self, term: TermId) {
        match self.terms.get(term) {
            Term::Int(number) => self.largest = self.largest.max(number.saturating_abs()),
            Term::Text(text) => {
                self.constants.insert((0, self.terms.name(*text).to_string(), term));
            }
            Term::Structure(name, args) if args.is_empty() => {
                self.constants.insert((1, self.terms.name(*name).to_string(), term));
            }
            _ => {}
        }
    }

    /// A constant.
    pub(crate) fn symbol(&mut self, symbol: Symbol) {
        let term = self.terms.structure(symbol, &[]);
        self.term(term);
    }

    /// A constant by name.
    pub(crate) fn constant(&mut self, name: &str) {
        let term = self.terms.constant(name);
        self.term(term);
    }

    /// An atom as plans write it.
    pub(crate) fn atom(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Structure(name, args) => {
                self.predicate(*name, args.len());
                args.iter().for_each(|arg| self.value(arg));
            }
            Pattern::Ground(term) => {
                let terms = self.terms.clone();
                if let Term::Structure(name, args) = terms.get(*term) {
                    self.predicate(*name, args.len());
                    args.iter().for_each(|&arg| self.term(arg));
                }
            }
            _ => {}
        }
    }

    /// An argument as plans write it.
    pub(crate) fn value(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Ground(term) => self.term(*term),
            Pattern::Arithmetic(_, left, right) => {
                self.value(left);
                self.value(right);
            }
            _ => {}
        }
    }

    /// All of them, numbered.
    pub(crate) fn finish(self) -> Names {
        let mut taken = BTreeSet::new();
        let mut several = BTreeMap::new();
        for (name, _, _) in &self.predicates {
            *several.entry(name.clone()).or_insert(0) += 1;
        }
        let mut predicates = BTreeMap::new();
        for (name, arity, symbol) in &self.predicates {
            let suffix = if several[name] > 1 { format!("_{arity}") } else { String::new() };
            predicates.insert((*symbol, *arity), unique(&mut taken, format!("p_{}{suffix}", legal(name))));
        }
        let mut constants = BTreeMap::new();
        for (kind, name, term) in &self.constants {
            let prefix = if *kind == 0 { "t_" } else { "c_" };
            constants.insert(*term, unique(&mut taken, format!("{prefix}{}", legal(name))));
        }
        Names {
            terms: self.terms,
            arity: self.predicates.iter().map(|(_, arity, _)| *arity).max().unwrap_or(0),
            order: self.predicates.iter().map(|(_, arity, symbol)| (*symbol, *arity)).collect(),
            predicates,
            sorted: self.constants.iter().map(|(_, _, term)| *term).collect(),
            constants,
            width: if self.largest > NARROW.limit { WIDE } else { NARROW },
        }
    }
}

impl Names {
    /// The number of a predicate by its name.
    pub(crate) fn predicate(&self, predicate: (Symbol, usize)) -> Expr {
        let number = self.order.iter().position(|known| *known == predicate);
        number.map_or(Expr::Number(0), |number| {
            Expr::Named(self.predicates[&predicate].as_str().into(), count(number) + 1)
        })
    }

    /// The code of a ground argument.
    pub(crate) fn term(&self, term: TermId) -> Result<Expr, Lack> {
        match self.terms.get(term) {
            Term::Int(number) if number.abs() > self.width.limit => Err(Lack::Large),
            Term::Int(number) => Ok(Expr::Number(*number)),
            Term::Real(_) => Err(Lack::Real),
            Term::Variable(_) => Err(Lack::Open),
            // A constant that nothing in the team mentions equals none of its values.
            _ => match self.constants.get(&term) {
                Some(name) => {
                    let place = self.sorted.iter().position(|known| *known == term).unwrap_or(0);
                    Ok(Expr::named(name, self.width.constants + count(place)))
                }
                None if is_constant(&self.terms, term) => Ok(self.nowhere()),
                None => Err(Lack::Structure),
            },
        }
    }

    /// What no value is equal to.
    pub(crate) fn nowhere(&self) -> Expr {
        Expr::named("NOWHERE", self.width.top - 1)
    }

    /// What a variable without a value holds.
    pub(crate) fn unbound(&self) -> Expr {
        Expr::named("UNBOUND", self.width.top)
    }

    /// The code of a value of the environment. Truth values are constants, as agents see them.
    pub(crate) fn value(&self, value: Value) -> Result<Expr, Lack> {
        match value {
            Value::None => self.term(self.terms.constant("none")),
            Value::Bool(truth) => self.term(self.terms.constant(if truth { "true" } else { "false" })),
            Value::Int(number) => self.term(self.terms.int(number)),
            Value::Symbol(symbol) => self.term(self.terms.structure(symbol, &[])),
        }
    }

    /// A ground atom taken apart.
    pub(crate) fn flat(&self, term: TermId) -> Result<Flat<Expr>, Lack> {
        match self.terms.get(term) {
            Term::Structure(name, args) => {
                let codes = args.iter().map(|&arg| self.term(arg)).collect::<Result<Vec<_>, _>>()?;
                Ok(Flat { predicate: (*name, args.len()), args: codes })
            }
            Term::Real(_) => Err(Lack::Real),
            _ => Err(Lack::Open),
        }
    }

    /// All predicates with their macros, in order of their numbers, which start at 1.
    pub(crate) fn predicates(&self) -> impl Iterator<Item = (String, &str, usize)> {
        self.order
            .iter()
            .map(|key| (self.terms.name(key.0).to_string(), self.predicates[key].as_str(), key.1))
    }

    /// All constants with their macros and codes.
    pub(crate) fn constants(&self) -> impl Iterator<Item = (String, &str, i64)> {
        let codes = self.width.constants..;
        codes
            .zip(&self.sorted)
            .map(|(code, term)| (self.terms.show(*term), self.constants[term].as_str(), code))
    }

    /// The smallest type for the numbers of predicates.
    pub(crate) fn predicate_kind(&self) -> &'static str {
        if self.order.len() < 255 { "byte" } else { "short" }
    }
}

fn is_constant(terms: &Terms, term: TermId) -> bool {
    match terms.get(term) {
        Term::Structure(_, args) => args.is_empty(),
        Term::Text(_) => true,
        _ => false,
    }
}

/// A Promela identifier that still shows the name.
pub(crate) fn legal(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => out.push(c),
            '~' => out.push_str("not_"),
            '.' | '-' | ' ' => out.push('_'),
            _ => out.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    // Long texts would make long macros; the comment beside the macro shows all of it.
    out.truncate(40);
    out
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
