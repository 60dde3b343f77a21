//! From text to tree. The parser never fails: it returns what it understood and every problem of the file at once.

mod command;
mod composition;
mod cursor;
mod expression;
mod item;
mod module;

use motet_source::{FileId, Problems};

use crate::syntax::{Expression, Text};

pub(crate) use expression::FUNCTIONS;

/// Reads one file.
#[must_use]
pub fn parse(file: FileId, text: &str) -> (Text, Problems) {
    let mut cursor = cursor::Cursor::new(file, text);
    let tree = cursor.text();
    (tree, cursor.into_problems())
}

/// Reads a value given from outside; `None` when it is no expression.
pub(crate) fn parse_value(file: FileId, text: &str) -> Option<Expression> {
    let mut cursor = cursor::Cursor::new(file, text);
    let expression = cursor.expression().ok()?;
    (cursor.at_end() && cursor.problems.is_empty()).then_some(expression)
}
