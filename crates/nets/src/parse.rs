//! From text to tree. The parser never fails: it returns what it understood and every problem of the text at once.

pub(crate) mod codes;
mod construction;
mod expression;
mod item;
mod net;
mod recover;
mod sort;
mod statement;
pub(crate) mod strength;
pub(crate) mod words;

use std::ops::{Deref, DerefMut};

use motet_source::{Cursor, FileId, Parse, Problem, Problems, Reading, Rules, Scan, Span};

use crate::lexer::TokenKind;
use crate::syntax::{Expression, Name, Text};

/// How deep parentheses, sorts and blocks may nest. Trees are walked recursively, so depth is stack.
const LIMIT_DEPTH: usize = 150;
/// How many operators one expression may chain. A chain becomes a deep tree too.
const LIMIT_CHAIN: usize = 400;

const RULES: Rules = Rules {
    unexpected: "M1001",
    depth: LIMIT_DEPTH,
    too_deep: |span| {
        let help = format!("at most {LIMIT_DEPTH} levels; give parts of it names with `def` or `let`");
        Problem::error("M1003", span, "this is nested too deeply", help)
    },
    chain: LIMIT_CHAIN,
    too_long: |span| {
        let help = format!("at most {LIMIT_CHAIN} operators; give parts of it names with `def` or `let`");
        Problem::error("M1003", span, "this expression is too long", help)
    },
    meant: words::meant,
};

/// Reads one text.
#[must_use]
pub fn parse(file: FileId, text: &str) -> (Text, Problems) {
    let mut parser = Parser { cursor: Cursor::new(Scan::new(file, text), RULES) };
    let tree = parser.text();
    (tree, parser.cursor.problems)
}

/// Reads one expression that starts at byte `base` of its file, for claims and values given from outside.
///
/// # Errors
///
/// When the text is no expression, or when something stands behind it.
pub fn parse_expression(file: FileId, base: usize, text: &str) -> Result<Expression, Problems> {
    let scan = Scan::with(file, text, base, |kind, _, _| Reading::Token(kind));
    let mut parser = Parser { cursor: Cursor::new(scan, RULES) };
    let read = parser.expression();
    if read.is_ok() && !parser.at_end() {
        parser.unexpected("the end of the expression", "an operator is missing here, or this is too much");
    }
    match read {
        Ok(expression) if !parser.cursor.problems.has_errors() => Ok(expression),
        _ => Err(parser.cursor.problems),
    }
}

/// A place in the tokens of a net text.
pub(crate) struct Parser<'t> {
    cursor: Cursor<'t, TokenKind>,
}

impl<'t> Deref for Parser<'t> {
    type Target = Cursor<'t, TokenKind>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl Parser<'_> {
    /// Runs `part` one level deeper.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        motet_source::Parser::nested(self, part)
    }

    /// A name that is declared or used.
    fn name(&mut self, what: &str) -> Parse<Name> {
        match self.peek() {
            TokenKind::Word => {
                let text = self.token_text();
                if words::RESERVED.contains(&text) || text == "_" {
                    return self.reserved(what);
                }
                let word = self.bump();
                Ok(Name::new(word.node.to_owned(), word.span))
            }
            TokenKind::DigitWord => {
                let word = self.bump();
                let message = format!("`{}` is neither a name nor a number", word.node);
                self.report(Problem::error("M1004", word.span, message, "names start with a letter"));
                Ok(Name::new(word.node.to_owned(), word.span))
            }
            _ => Err(self.unexpected(what, "names are written with letters, digits and `_`")),
        }
    }

    /// A word of the language where a name is expected: usually it is meant as one, and reading goes on.
    fn reserved(&mut self, what: &str) -> Parse<Name> {
        let word = self.token_text();
        let (message, help) = if word == "_" {
            (format!("`_` stands for anything and cannot be {what}"), "give it a name".to_owned())
        } else {
            let message = format!("`{word}` is a word of the language and cannot be {what}");
            (message, format!("choose another name, such as `{word}_`"))
        };
        let mut problem = Problem::error("M1005", self.span(), message, help);
        if word != "_" {
            problem = problem.fix(self.span(), format!("{word}_"));
        }
        let refused = self.refuse(problem);
        if self.at_item() || self.at_member() {
            return Err(refused);
        }
        let word = self.bump();
        Ok(Name::new(word.node.to_owned(), word.span))
    }

    /// Names between commas.
    fn names(&mut self, what: &str) -> Parse<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Parts between commas, up to `end`, which is taken. The parts stand side by side in the tree, so the longest chain
    /// of operators counts, not all of them.
    fn list<T>(
        &mut self,
        end: TokenKind,
        wanted: &str,
        mut part: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut parts = Vec::new();
        if self.eat(end) {
            return Ok(parts);
        }
        let (entry, mut longest) = (self.chain(), self.chain());
        loop {
            self.set_chain(entry);
            parts.push(part(self)?);
            longest = longest.max(self.chain());
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.set_chain(longest);
        self.expect(end, wanted, "close it here, or put `,` between the parts")?;
        Ok(parts)
    }

    /// From the start of a part to the last token taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.last_span())
    }
}
