//! The parser's place in the tokens, and how it gets back on its feet.

use motet_model::Ratio;
use motet_source::{
    FileId, Parse, Problem, Problems, Refused, Rules, Span, Spanned, holds_cursor, nothing_meant, shortened,
    suggest,
};

use crate::lexer::{TokenKind, scan};
use crate::syntax::Name;

/// How deep parentheses and composite activities may nest.
const LIMIT_DEPTH: usize = 100;
/// How many operators one expression may chain.
const LIMIT_CHAIN: usize = 500;

const RULES: Rules = Rules {
    unexpected: "M0701",
    depth: LIMIT_DEPTH,
    too_deep: |span| {
        let message = format!("this is nested more than {LIMIT_DEPTH} levels deep");
        Problem::error("M0704", span, message, "give the inner part a place of its own")
    },
    chain: LIMIT_CHAIN,
    too_long: |operator| {
        let message = format!("one expression chains more than {LIMIT_CHAIN} operators");
        Problem::error("M0704", operator, message, "compute it in several conclusions")
    },
    meant: nothing_meant,
};

/// What ends a block whose closing brace is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outer {
    /// A declaration: `agent Bob {`. Concepts and composite activities hold everything else.
    Declaration,
    /// Also a frame, an activity or a section of a concept.
    Member,
    /// Also a detectable.
    Detectable,
}

/// A place in the tokens of one text.
pub(crate) struct Cursor<'a>(motet_source::Cursor<'a, TokenKind>);

holds_cursor!(Cursor.0: TokenKind);

impl<'a> Cursor<'a> {
    pub(crate) fn new(file: FileId, text: &'a str) -> Self {
        Self(motet_source::Cursor::new(scan(file, text), RULES))
    }

    /// What is wrong with the text.
    pub(crate) fn into_problems(self) -> Problems {
        self.0.problems
    }

    /// The semicolon after `what`. Where it is plainly forgotten, at the end of a line or of a block, reading goes on.
    pub(crate) fn semicolon(&mut self, what: &str) -> Parse<()> {
        let after_text = self.follows(TokenKind::OpenText);
        if self.eat(TokenKind::Semicolon) || after_text {
            return Ok(());
        }
        if self.at_end() || self.peek() == TokenKind::CloseBrace || self.opens_line() {
            self.forgotten(";", what);
            return Ok(());
        }
        Err(self.unexpected(&format!("`;` after {what}"), "write the `;`"))
    }

    /// Whether a declaration starts here: its word opens a line, followed by a name and what follows names there.
    pub(crate) fn at_declaration(&self) -> bool {
        const KINDS: &[&str] = &[
            "group",
            "agent",
            "class",
            "object",
            "conceptual_class",
            "conceptual_object",
            "areadef",
            "area",
            "path",
        ];
        if !self.opens_line() || self.peek() != TokenKind::Word || self.ahead(1) != TokenKind::Word {
            return false;
        }
        if self.is_word("external") && self.ahead_text(1) == "agent" {
            return true;
        }
        KINDS.contains(&self.token_text())
            && (self.ahead(2) == TokenKind::OpenBrace
                || ["memberof", "extends", "instanceof", "partof"].contains(&self.ahead_text(2)))
    }

    /// Whether a frame or an activity starts here.
    pub(crate) fn at_member(&self) -> bool {
        if self.peek() != TokenKind::Word || self.ahead(1) != TokenKind::Word {
            return false;
        }
        let word = self.token_text();
        (["workframe", "thoughtframe"].contains(&word) && self.ahead(2) == TokenKind::OpenBrace)
            || (super::activity::kind(word).is_some() && self.ahead(2) == TokenKind::Open)
    }

    /// Whether a block whose brace is missing must have ended before this token.
    fn at_outer(&self, outer: Outer) -> bool {
        self.at_declaration()
            || (outer != Outer::Declaration && (self.at_member() || self.at_heading()))
            || (outer == Outer::Detectable
                && self.is_word("detectable")
                && self.ahead(1) == TokenKind::Word
                && self.ahead(2) == TokenKind::OpenBrace)
    }

    /// Whether a section of a concept starts here that nothing inside frames and simple activities is called.
    fn at_heading(&self) -> bool {
        const HEADINGS: &[&str] = &[
            "attributes",
            "relations",
            "initial_beliefs",
            "initial_facts",
            "activities",
            "workframes",
            "thoughtframes",
        ];
        self.ahead(1) == TokenKind::Colon && HEADINGS.contains(&self.token_text())
    }

    /// A block in braces: `item` is called at each item and moves past it; an item that is refused is skipped.
    pub(crate) fn block(
        &mut self,
        what: &str,
        outer: Outer,
        mut item: impl FnMut(&mut Self) -> Parse<()>,
    ) -> Parse<()> {
        let open =
            self.expect(TokenKind::OpenBrace, &format!("`{{` after {what}"), "write its parts in braces")?;
        let block = self.braces();
        loop {
            match self.peek() {
                TokenKind::CloseBrace => {
                    self.bump();
                    break;
                }
                TokenKind::Semicolon => {
                    self.bump();
                    continue;
                }
                _ => {}
            }
            if self.at_end() || self.at_outer(outer) {
                self.unclosed(open, what);
                break;
            }
            let before = self.position();
            if item(self).is_err() {
                self.skip_item(before, block);
            } else if self.position() == before {
                self.bump();
            }
        }
        self.set_braces(block - 1);
        Ok(())
    }

    /// Goes on behind the item that was refused: after its `;` or its block, or where something else plainly starts.
    fn skip_item(&mut self, before: usize, block: usize) {
        if self.position() == before && self.peek() != TokenKind::CloseBrace {
            self.bump();
        }
        while !self.at_end() {
            match self.peek() {
                TokenKind::Semicolon if self.braces() <= block => {
                    self.bump();
                    return;
                }
                TokenKind::CloseBrace if self.braces() <= block => return,
                TokenKind::CloseBrace => {
                    self.bump();
                    if self.braces() == block {
                        return;
                    }
                    continue;
                }
                _ if self.at_outer(Outer::Detectable) || (self.braces() <= block && self.at_part()) => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether the next part of a frame or of a detectable starts here.
    fn at_part(&self) -> bool {
        let next = self.ahead(1);
        match self.token_text() {
            "do" => next == TokenKind::OpenBrace,
            "detect" => next == TokenKind::Open,
            "then" => next == TokenKind::Word && self.ahead(2) == TokenKind::Semicolon,
            _ => self.opens_line() && self.peek() == TokenKind::Word && next == TokenKind::Colon,
        }
    }

    /// Skips to the next declaration.
    pub(crate) fn skip_to_declaration(&mut self) {
        self.bump();
        while !self.at_end() && !self.at_declaration() {
            self.bump();
        }
        self.set_braces(0);
    }

    fn unclosed(&mut self, open: Span, what: &str) {
        if self.text_left_open_after(open) {
            // The brace may be part of the text that is not closed.
            return;
        }
        let help =
            if self.at_end() { "write `}` where it ends" } else { "write `}` before the next part starts" };
        let mut problem = Problem::error("M0702", open, format!("the `{{` of {what} is not closed"), help);
        if !self.at_end() {
            problem = problem.also(self.span(), "this cannot be part of it");
        }
        self.refuse(problem);
    }

    /// The name of `what`. One that is missing is reported and left empty, so that the rest can be read.
    pub(crate) fn name_of(&mut self, what: &str) -> Name {
        match self.peek() {
            TokenKind::Word => owned(self.bump()),
            TokenKind::DigitWord => {
                let problem = digit_word(self.span(), self.token_text());
                self.refuse(problem);
                owned(self.bump())
            }
            _ => {
                let span = Span { end: self.span().start, ..self.span() };
                self.unexpected(&format!("the name of {what}"), "names start with a letter");
                Name::new(String::new(), span)
            }
        }
    }

    /// A dotted name.
    pub(crate) fn dotted(&mut self, wanted: &str) -> Parse<Name> {
        if self.peek() == TokenKind::DigitWord {
            let problem = digit_word(self.span(), self.token_text());
            self.refuse(problem);
            return Ok(owned(self.bump()));
        }
        if self.peek() != TokenKind::Word {
            return Err(self.unexpected(wanted, "names start with a letter"));
        }
        let mut name = owned(self.bump());
        while self.peek() == TokenKind::Dot && self.ahead(1) == TokenKind::Word {
            self.bump();
            let part = self.bump();
            name.node.push('.');
            name.node.push_str(part.node);
            name.span = name.span.to(part.span);
        }
        Ok(name)
    }

    /// `A, p.B`
    pub(crate) fn dotted_list(&mut self, wanted: &str) -> Parse<Vec<Name>> {
        let mut names = vec![self.dotted(wanted)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.dotted(wanted)?);
        }
        Ok(names)
    }

    /// A number with its sign.
    pub(crate) fn number(&mut self, what: &str) -> Parse<Spanned<f64>> {
        let exact = self.fraction(what)?;
        Ok(Spanned::new(exact.node.to_f64(), exact.span))
    }

    /// The same, exactly.
    pub(crate) fn fraction(&mut self, what: &str) -> Parse<Spanned<Ratio>> {
        let start = self.span();
        let negative = self.peek() == TokenKind::Minus
            && matches!(self.ahead(1), TokenKind::Int | TokenKind::Real)
            && self.eat(TokenKind::Minus);
        if !matches!(self.peek(), TokenKind::Int | TokenKind::Real) {
            return Err(self.unexpected(&format!("a number for {what}"), "write a number such as `10`"));
        }
        let token = self.bump();
        let span = start.to(token.span);
        let value = Ratio::read(token.node).filter(|value| value.to_f64().is_finite());
        let value = value.and_then(|value| if negative { value.negated() } else { Some(value) });
        let Some(value) = value else {
            self.report(too_large(span, token.node));
            return Ok(Spanned::new(Ratio::ZERO, span));
        };
        Ok(Spanned::new(value, span))
    }

    /// A word that nothing is called here, with the nearest that something is.
    pub(crate) fn unknown_word(&mut self, message: &str, known: &[&str], help: &str) -> Refused {
        let help = match suggest(self.token_text(), known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => help.to_owned(),
        };
        let problem = Problem::error("M0705", self.span(), message, help);
        self.refuse(problem)
    }
}

/// A token's text as a name.
pub(crate) fn owned(token: Spanned<&str>) -> Name {
    Name::new(token.node.to_owned(), token.span)
}

/// A number that does not fit.
pub(crate) fn too_large(span: Span, text: &str) -> Problem {
    Problem::error(
        "M0706",
        span,
        format!("`{}` is too large", shortened(text)),
        format!("the largest whole number is {}", i64::MAX),
    )
}

/// A word that starts with digits.
pub(crate) fn digit_word(span: Span, text: &str) -> Problem {
    let message = format!("`{}` is neither a number nor a name", shortened(text));
    Problem::error("M0706", span, message, "names start with a letter; put a space after a number")
}
