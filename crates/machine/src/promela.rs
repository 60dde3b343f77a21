//! The part of Promela that translations use, as a tree: declarations, statements, processes. A program is built of these and
//! printed once.

mod names;
mod print;
mod statement;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use names::{is_reserved, legal, names_of, unique};
pub use statement::{Branch, Guard, Statement, assign, body};

use crate::expr::{Expr, Place};

/// A program: its declarations in order.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// In the order in which they are written.
    pub items: Vec<Item>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Item {
    /// A remark on a line of its own.
    Remark(String),
    /// An empty line.
    Gap,
    /// A name for a text that is put in its place before the program is read.
    Define(Define),
    /// A variable.
    Variable(Variable),
    /// A type with fields.
    Record(String, Vec<Variable>),
    /// A queue of messages.
    Channel(Channel),
    /// Statements with a name, put in its place.
    Inline {
        /// Its name.
        name: String,
        /// What is given to it.
        parameters: Vec<String>,
        /// What it does.
        body: Vec<Statement>,
    },
    /// A process.
    Process {
        /// Its name.
        name: String,
        /// Whether it runs from the start.
        active: bool,
        /// What it does.
        body: Vec<Statement>,
    },
    /// The process that starts the others.
    Init(Vec<Statement>),
    /// A claim: its name and its formula in Spin's syntax.
    Claim(String, String),
}

/// A name for an expression or for statements.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name.
    pub name: String,
    /// What is given to it.
    pub parameters: Vec<String>,
    /// What it stands for.
    pub body: Meaning,
}

/// What a definition stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// An expression.
    Expr(Expr),
    /// Statements.
    Statements(Vec<Statement>),
}

/// A variable, or a field of a record.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The type of its values.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// How many entries it has, if it is an array.
    pub room: Option<Expr>,
    /// What it holds at the start, if that is not 0.
    pub start: Option<Expr>,
    /// Whether it is left out of the states.
    pub hidden: bool,
}

/// A queue, or an array of queues.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// How many there are, if it is an array.
    pub room: Option<Expr>,
    /// How many messages there is room for.
    pub messages: Expr,
    /// The types of the fields of a message.
    pub fields: Vec<String>,
}

impl Variable {
    /// A variable that holds 0 at the start.
    pub fn new(kind: &str, name: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), name: name.into(), room: None, start: None, hidden: false }
    }

    /// An array of so many.
    #[must_use]
    pub fn with_room(self, room: impl Into<Expr>) -> Self {
        Self { room: Some(room.into()), ..self }
    }

    /// Another value at the start.
    #[must_use]
    pub fn starting(self, start: impl Into<Expr>) -> Self {
        Self { start: Some(start.into()), ..self }
    }

    /// Left out of the states: it is needed within a step only.
    #[must_use]
    pub fn hidden(self) -> Self {
        Self { hidden: true, ..self }
    }
}

impl From<Variable> for Item {
    fn from(variable: Variable) -> Self {
        Self::Variable(variable)
    }
}

impl Item {
    /// A remark.
    pub fn remark(text: impl Into<String>) -> Self {
        Self::Remark(text.into())
    }

    /// A name for an expression.
    pub fn define(name: impl Into<String>, expr: impl Into<Expr>) -> Self {
        let body = Meaning::Expr(expr.into());
        Self::Define(Define { name: name.into(), parameters: Vec::new(), body })
    }

    /// A name for statements.
    pub fn abbreviate(name: impl Into<String>, parameters: &[&str], body: Vec<Statement>) -> Self {
        let parameters = parameters.iter().map(|&one| one.to_owned()).collect();
        Self::Define(Define { name: name.into(), parameters, body: Meaning::Statements(body) })
    }

    /// What [`Statement::Check`] stands for: whatever is wrong is seen in a variable of the state in which it is asserted.
    pub fn check() -> Self {
        let flag = Place::named("flag");
        let held = Expr::Choose(Arc::new((Expr::parameter("condition"), Expr::Number(1), Expr::Number(0))));
        let body = vec![assign(&flag, held), Statement::Assert(flag.into())];
        Self::abbreviate("CHECK", &["flag", "condition"], body)
    }

    /// The statements in it.
    fn statements(&self) -> &[Statement] {
        match self {
            Self::Inline { body, .. } | Self::Process { body, .. } | Self::Init(body) => body,
            Self::Define(Define { body: Meaning::Statements(body), .. }) => body,
            _ => &[],
        }
    }
}

impl Program {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more declaration.
    pub fn push(&mut self, item: impl Into<Item>) {
        self.items.push(item.into());
    }

    /// A remark on a line of its own.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.items.push(Item::remark(text));
    }

    /// An empty line.
    pub fn gap(&mut self) {
        self.items.push(Item::Gap);
    }

    /// A claim with the text that it comes from.
    pub fn claim(&mut self, name: &str, text: &str, formula: &str) {
        self.gap();
        self.remark(text);
        self.push(Item::Claim(name.to_owned(), formula.to_owned()));
    }

    /// The names that statements and definitions use: of variables, constants and definitions.
    pub fn names(&self) -> BTreeSet<Arc<str>> {
        let mut found = BTreeSet::new();
        for item in &self.items {
            match item {
                Item::Define(Define { body: Meaning::Expr(expr), .. }) => expr.names(&mut found),
                Item::Variable(variable) => {
                    variable.room.iter().chain(&variable.start).for_each(|expr| expr.names(&mut found));
                }
                _ => statement::names(item.statements(), &mut found),
            }
        }
        found
    }

    /// The program as text.
    pub fn print(&self) -> String {
        print::program(self)
    }
}

/// An expression as text.
pub fn show(expr: &Expr) -> String {
    print::expr(expr)
}

#[cfg(test)]
mod tests;
