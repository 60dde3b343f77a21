//! Where parts start and end, and how the parser gets back on its feet.

use motet_source::{Problem, Span};

use super::Parser;
use crate::lexer::TokenKind;

impl Parser<'_> {
    /// Whether a declaration at the top level starts here. Inside a net none can, so a `}` is missing there.
    pub(super) fn at_item(&self) -> bool {
        if self.peek() != TokenKind::Word {
            return false;
        }
        let named = self.ahead(1) == TokenKind::Word;
        match self.token_text() {
            "enum" | "type" | "const" | "port" | "def" => named,
            "agent" | "system" => self.ahead_text(1) == "net",
            "interchangeable" => self.ahead_text(1) == "enum",
            "aspect" => named && self.ahead(2) == TokenKind::OpenBrace,
            "role" => named && self.ahead(2) == TokenKind::Open && self.opens_line(),
            "mediator" => named && self.ahead_text(2) == "from",
            "property" => named && self.ahead(2) == TokenKind::Colon,
            _ => false,
        }
    }

    /// Whether a declaration inside a net starts here. Inside a transition none can.
    pub(super) fn at_member(&self) -> bool {
        if self.peek() != TokenKind::Word {
            return false;
        }
        let named = self.ahead(1) == TokenKind::Word;
        match self.token_text() {
            "place" | "cell" | "transition" => true,
            "goal" => named && self.ahead(2) == TokenKind::Colon,
            "operation" => named && (self.ahead_text(2) == "on" || self.ahead(2) == TokenKind::Comma),
            "pointcut" => matches!(self.ahead_text(1), "place" | "cell" | "transition"),
            "weave" => named && (self.ahead(2) == TokenKind::OpenBrace || self.ahead_text(2) == "as"),
            _ => false,
        }
    }

    /// Whether a statement starts on this line.
    pub(super) fn at_statement(&self) -> bool {
        if self.peek() != TokenKind::Word || !self.opens_line() {
            return false;
        }
        let text = self.token_text();
        matches!(text, "in" | "read" | "inhib" | "out" | "when" | "pick" | "let" | "sync" | "alt")
    }

    /// Goes on behind a part that was refused: after its `;` or its block, or where something else plainly starts.
    /// `start` is where the part began, `level` how many braces were open there.
    pub(super) fn skip_part(&mut self, start: usize, level: usize, next: impl Fn(&Self) -> bool) {
        if self.position() == start && self.peek() != TokenKind::CloseBrace {
            self.bump();
        }
        while !self.at_end() && !self.at_item() {
            let inside = self.braces() > level;
            if !inside && (next(self) || self.peek() == TokenKind::CloseBrace) {
                return;
            }
            let ends = matches!(self.peek(), TokenKind::Semicolon | TokenKind::CloseBrace);
            self.bump();
            if ends && self.braces() <= level {
                return;
            }
        }
    }

    /// The brace that closes a block; `level` braces are open behind it.
    pub(super) fn close(&mut self, open: Span, level: usize, what: &str) {
        if self.eat(TokenKind::CloseBrace) {
            self.set_braces(level);
            return;
        }
        let help = "write `}` where it ends";
        let mut problem = Problem::error("M1010", open, format!("{what} is not closed"), help);
        if !self.at_end() {
            problem = problem.also(self.span(), "this cannot be part of it");
        }
        self.refuse(problem);
        self.set_braces(level);
    }

    /// The semicolon after `what`. Where it is plainly forgotten, at the end of a line or of a block, reading goes on.
    pub(super) fn semicolon(&mut self, what: &str) -> motet_source::Parse<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        if self.at_end() || self.opens_line() || self.peek() == TokenKind::CloseBrace {
            self.forgotten(";", what);
            return Ok(());
        }
        Err(self.unexpected(&format!("`;` after {what}"), "write the `;`"))
    }
}
