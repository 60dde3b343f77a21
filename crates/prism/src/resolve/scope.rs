//! What names mean.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span, Spanned};

use crate::fold::Value;
use crate::nearest::nearest;
use crate::program::Variable;
use crate::syntax::{Expression, ValueKind};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Constant(usize),
    Formula(usize),
    Variable(u32),
}

/// All names of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) meanings: BTreeMap<String, (Meaning, Span)>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) formulas: Vec<Formula>,
    pub(crate) variables: Vec<Variable>,
    /// `label "x" = ...`
    pub(crate) labels: BTreeMap<String, Expression>,
}

#[derive(Clone, Debug)]
pub(crate) struct Constant {
    pub(crate) name: Spanned<String>,
    pub(crate) kind: ValueKind,
    pub(crate) written: Option<Expression>,
    /// `None` until it is computed, or where it cannot be.
    pub(crate) value: Option<Value>,
}

#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) name: Spanned<String>,
    pub(crate) body: Expression,
    /// Whether it is defined through itself.
    pub(crate) cyclic: bool,
}

impl Scope {
    /// Gives a name its meaning, unless it has another one.
    pub(crate) fn declare(&mut self, name: &str, span: Span, meaning: Meaning, problems: &mut Problems) {
        if let Some((_, first)) = self.meanings.get(name) {
            problems.push(twice(name, span, *first));
            return;
        }
        self.meanings.insert(name.to_owned(), (meaning, span));
    }

    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).map(|(meaning, _)| *meaning)
    }

    /// A known name near this one.
    pub(crate) fn near(&self, name: &str) -> Option<&str> {
        nearest(name, self.meanings.keys().map(String::as_str))
    }
}

/// Two things of one name.
pub(crate) fn twice(name: &str, span: Span, first: Span) -> Problem {
    Problem::error("M0812", span, format!("`{name}` is declared twice"), "give one of them another name")
        .also(first, "here first")
}
