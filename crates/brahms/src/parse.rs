//! From text to tree. The parser never fails: it returns what it understood and every problem of the file at once.

mod activity;
mod cursor;
mod expression;
mod frame;
mod section;
mod statement;
mod unit;

use motet_source::{FileId, Problems};

use crate::syntax::Unit;

/// Reads one file.
#[must_use]
pub fn parse(file: FileId, text: &str) -> (Unit, Problems) {
    let mut cursor = cursor::Cursor::new(file, text);
    let unit = cursor.unit();
    (unit, cursor.into_problems())
}
