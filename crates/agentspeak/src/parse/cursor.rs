//! The parsers' place in the tokens, and how they get back on their feet.

use motet_source::{
    FileId, Parse, Problem, Problems, Reading, Refused, Rules, Scan, Span, Spanned, holds_cursor,
    nothing_meant, shortened,
};

use crate::lexer::TokenKind;

/// How deep parentheses, lists and blocks may nest.
const LIMIT_DEPTH: usize = 120;
/// How many operators one formula may chain.
const LIMIT_CHAIN: usize = 1000;
/// How many elements a list or argument list may have.
const LIMIT_ITEMS: usize = 1000;

/// What the parsers say; `code` is that of "this does not belong here".
fn rules(code: &'static str) -> Rules {
    Rules {
        unexpected: code,
        depth: LIMIT_DEPTH,
        too_deep: |span| {
            let message = format!("this is nested more than {LIMIT_DEPTH} levels deep");
            let help = "split it: name the inner part by a rule, a belief or a plan of its own";
            Problem::error("M0403", span, message, help)
        },
        chain: LIMIT_CHAIN,
        too_long: |operator| {
            let message = format!("one formula chains more than {LIMIT_CHAIN} operators");
            Problem::error("M0403", operator, message, "split it into several rules, beliefs or formulas")
        },
        meant: nothing_meant,
    }
}

/// A place in the tokens of one text.
pub(crate) struct Cursor<'a>(motet_source::Cursor<'a, TokenKind>);

holds_cursor!(Cursor.0: TokenKind);

impl<'a> Cursor<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, code: &'static str) -> Self {
        Self::inside(file, text, 0, code)
    }

    /// A cursor over a part of a file that starts at byte `base`.
    pub(crate) fn inside(file: FileId, text: &'a str, base: usize, code: &'static str) -> Self {
        let scan = Scan::with(file, text, base, |kind, _, _| Reading::Token(kind));
        Self(motet_source::Cursor::new(scan, rules(code)))
    }

    /// What is wrong with the text.
    pub(crate) fn into_problems(self) -> Problems {
        self.0.problems
    }

    /// Goes on at the next item, or at the brace that closes the block whose items these are. A brace may be missing or
    /// too many in what is skipped, so an item at the start of a line counts wherever it stands.
    pub(crate) fn skip_to_item(&mut self, items: &[&str], block: usize) {
        while !self.at_end() {
            let closes = self.peek() == TokenKind::CloseBrace && self.braces() <= block;
            if closes || self.at_item(items) {
                break;
            }
            self.bump();
        }
        self.set_braces(block);
    }

    /// Whether an item starts here: its word opens a line and is not used as a variable's name.
    pub(crate) fn at_item(&self, items: &[&str]) -> bool {
        self.opens_line()
            && items.contains(&self.token_text())
            && !matches!(self.ahead(1), TokenKind::Assign | TokenKind::OpenBracket)
    }

    /// Reports an error; reading stops here.
    pub(crate) fn refuse(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Refused {
        self.report(Problem::error(code, span, message, help));
        Refused
    }

    /// Reports a list that grew too long.
    pub(crate) fn check_items(&mut self, n: usize) -> Parse<()> {
        if n <= LIMIT_ITEMS {
            return Ok(());
        }
        let message = format!("more than {LIMIT_ITEMS} elements");
        Err(self.refuse("M0403", self.span(), message, "keep long tables as beliefs, one per line"))
    }

    /// The number of an integer token.
    pub(crate) fn integer(&mut self) -> Parse<Spanned<i64>> {
        let token = self.bump();
        match token.node.parse() {
            Ok(value) => Ok(Spanned::new(value, token.span)),
            Err(_) => Err(self.refuse(
                "M0407",
                token.span,
                format!("`{}` does not fit 64 bits", shortened(token.node)),
                format!("the largest number is {}", i64::MAX),
            )),
        }
    }
}
