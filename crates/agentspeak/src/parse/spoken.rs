//! One literal on its own: what somebody tells a team while it acts.

use motet_source::{FileId, Problem, Problems};

use crate::lexer::TokenKind;
use crate::syntax::Literal;

use super::cursor::Cursor;

/// Reads a text that is one literal and nothing else; without one the problem says why.
pub(crate) fn parse_literal(text: &str) -> Result<Literal, Box<Problem>> {
    let mut cursor = Cursor::new(FileId(0), text, "M0402");
    cursor.new_chain();
    let literal = cursor.literal();
    if literal.is_ok() && cursor.peek() != TokenKind::End {
        let _ = cursor.unexpected("the end", "one literal is told at a time: `at(3, 4)`");
    }
    let problems: Problems = cursor.into_problems();
    match (literal, problems.iter().next()) {
        (Ok(literal), None) => Ok(literal),
        (_, Some(problem)) => Err(Box::new(problem.clone())),
        (Err(_), None) => unreachable!("whoever refuses a text says why"),
    }
}
