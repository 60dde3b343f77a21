//! Statements, and what they read, write and name.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::expr::{Expr, Place};

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Nothing.
    Skip,
    /// The loop is left.
    Break,
    /// Goes on when this holds.
    Wait(Expr),
    /// A variable gets a value.
    Assign(Place, Expr),
    /// One of these.
    If(Vec<Branch>),
    /// One of these, again and again.
    Do(Vec<Branch>),
    /// Nobody else goes between these.
    Atomic(Vec<Self>),
    /// These are one step.
    Step(Vec<Self>),
    /// Goes on elsewhere.
    Goto(String),
    /// Where it goes on.
    Label(String),
    /// The model is wrong if this does not hold.
    Assert(Expr),
    /// Keeps in a variable whether something holds, and asserts it.
    Check(Place, Expr),
    /// Prints a line, or a part of one.
    Print(String, Vec<Expr>),
    /// Any number between two.
    Select(Place, Expr, Expr),
    /// Statements that are defined elsewhere, with what they are given.
    Call(String, Vec<Expr>),
    /// An inline is done, with what it is given.
    Inline(String, Vec<Expr>),
    /// A process begins.
    Run(String),
    /// A message goes into a queue.
    Send(Place, Vec<Expr>),
    /// The first message of a queue is taken.
    Receive(Place, Vec<Place>),
    /// A remark.
    Remark(String),
}

/// One of several ways to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// A remark before it.
    pub title: Option<String>,
    /// When it may be taken.
    pub guard: Guard,
    /// What is done then.
    pub body: Vec<Statement>,
}

/// When a branch may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// If this holds.
    When(Expr),
    /// If its first statement can be done.
    Open,
    /// If no other branch may be.
    Else,
}

impl Branch {
    /// Taken if something holds.
    pub fn when(condition: impl Into<Expr>, body: Vec<Statement>) -> Self {
        Self { title: None, guard: Guard::When(condition.into()), body }
    }

    /// Taken whenever its first statement can be done.
    pub fn open(body: Vec<Statement>) -> Self {
        Self { title: None, guard: Guard::Open, body }
    }

    /// Taken if no other may be.
    pub fn otherwise(body: Vec<Statement>) -> Self {
        Self { title: None, guard: Guard::Else, body }
    }

    /// With a remark before it.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }
}

/// A variable gets a value.
pub fn assign(place: impl Into<Place>, value: impl Into<Expr>) -> Statement {
    Statement::Assign(place.into(), value.into())
}

/// Statements from parts of one and of many.
pub fn body(parts: impl IntoIterator<Item = Vec<Statement>>) -> Vec<Statement> {
    parts.into_iter().flatten().collect()
}

impl From<&Place> for Place {
    fn from(place: &Place) -> Self {
        place.clone()
    }
}

impl Statement {
    /// Done if something holds, else nothing is.
    pub fn when(condition: Expr, body: Vec<Self>) -> Self {
        Self::If(vec![Branch::when(condition, body), Branch::otherwise(Vec::new())])
    }

    /// Again and again while something holds.
    pub fn repeat(condition: Expr, body: Vec<Self>) -> Self {
        Self::Do(vec![Branch::when(condition, body), Branch::otherwise(vec![Self::Break])])
    }

    /// Keeps in a variable whether something holds, and asserts it.
    pub fn check(flag: impl Into<Place>, condition: impl Into<Expr>) -> Self {
        Self::Check(flag.into(), condition.into())
    }

    /// Sets these bits of a variable.
    pub fn set_bits(place: impl Into<Place>, bits: u32) -> Self {
        let place = place.into();
        let value = place.bit_or(i64::from(bits));
        Self::Assign(place, value)
    }

    /// Clears these bits of a variable.
    pub fn clear_bits(place: impl Into<Place>, bits: u32) -> Self {
        let place = place.into();
        let rest = Expr::Unary(crate::expr::Unary::Complement, Arc::new(Expr::from(i64::from(bits))));
        let value = place.bit_and(rest);
        Self::Assign(place, value)
    }

    /// One more.
    pub fn increment(place: impl Into<Place>) -> Self {
        let place = place.into();
        let value = place.plus(1);
        Self::Assign(place, value)
    }

    /// One less.
    pub fn decrement(place: impl Into<Place>) -> Self {
        let place = place.into();
        let value = place.minus(1);
        Self::Assign(place, value)
    }

    /// Prints these numbers on a line that tells where a run is.
    pub fn tell(values: impl IntoIterator<Item = Expr>) -> Vec<Self> {
        let values: Vec<Expr> = values.into_iter().collect();
        let mut all = vec![Self::Print("@motet state".to_owned(), Vec::new())];
        all.extend(values.chunks(6).map(|some| Self::Print(" %d".repeat(some.len()), some.to_vec())));
        all.push(Self::Print("\\n".to_owned(), Vec::new()));
        all
    }

    /// Goes on at a label.
    pub fn goto(label: impl Into<String>) -> Self {
        Self::Goto(label.into())
    }

    /// Statements that are defined elsewhere.
    pub fn call(name: impl Into<String>) -> Self {
        Self::Call(name.into(), Vec::new())
    }

    /// The lists of statements in it.
    pub fn inner(&self) -> impl Iterator<Item = &[Self]> {
        let (list, branches): (Option<&[Self]>, &[Branch]) = match self {
            Self::Atomic(body) | Self::Step(body) => (Some(body), &[]),
            Self::If(branches) | Self::Do(branches) => (None, branches),
            _ => (None, &[]),
        };
        list.into_iter().chain(branches.iter().map(|branch| branch.body.as_slice()))
    }

    /// The expressions that it computes itself.
    fn exprs<'s>(&'s self, visit: &mut dyn FnMut(&'s Expr)) {
        match self {
            Self::Wait(expr) | Self::Assert(expr) | Self::Assign(_, expr) | Self::Check(_, expr) => {
                visit(expr)
            }
            Self::Print(_, exprs) | Self::Call(_, exprs) | Self::Inline(_, exprs) | Self::Send(_, exprs) => {
                exprs.iter().for_each(visit)
            }
            Self::Select(_, low, high) => [low, high].into_iter().for_each(visit),
            Self::If(branches) | Self::Do(branches) => {
                for branch in branches {
                    if let Guard::When(condition) = &branch.guard {
                        visit(condition);
                    }
                }
            }
            _ => {}
        }
    }

    /// The places that it changes itself.
    fn targets(&self) -> Vec<&Place> {
        match self {
            Self::Assign(place, _)
            | Self::Check(place, _)
            | Self::Select(place, ..)
            | Self::Send(place, _) => {
                vec![place]
            }
            Self::Receive(queue, places) => std::iter::once(queue).chain(places).collect(),
            _ => Vec::new(),
        }
    }

    /// Itself and everything in it.
    pub fn each<'s>(&'s self, visit: &mut dyn FnMut(&'s Self)) {
        visit(self);
        self.inner().flatten().for_each(|inner| inner.each(visit));
    }

    /// What it reads, with what is in it; not what definitions read that it calls.
    pub fn reads(&self) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        self.each(&mut |one| {
            one.exprs(&mut |expr| found.extend(expr.reads()));
            one.targets()
                .iter()
                .flat_map(|place| place.indices())
                .for_each(|index| found.extend(index.reads()));
        });
        found
    }

    /// What it writes, with what is in it; not what definitions write that it calls.
    pub fn writes(&self) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        self.each(&mut |one| found.extend(one.targets().into_iter().cloned()));
        found
    }
}

/// The names that statements use.
pub(crate) fn names(statements: &[Statement], found: &mut BTreeSet<Arc<str>>) {
    for statement in statements {
        statement.each(&mut |one| {
            one.exprs(&mut |expr| expr.names(found));
            one.targets().into_iter().for_each(|place| Expr::from(place).names(found));
            if let Statement::Call(name, _) | Statement::Inline(name, _) = one {
                found.insert(name.as_str().into());
            }
        });
    }
}
