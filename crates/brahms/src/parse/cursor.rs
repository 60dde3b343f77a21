//! The parser's place in the tokens, and how it gets back on its feet.

use motet_source::{FileId, Problem, Problems, Span, Spanned, suggest};

use crate::lexer::{Token, TokenKind, tokens};
use crate::syntax::Name;

/// How deep parentheses and composite activities may nest. Trees are walked recursively, so depth is stack.
pub(crate) const LIMIT_DEPTH: usize = 100;
/// How many operators one expression may chain. A chain of operators becomes a deep tree too.
pub(crate) const LIMIT_CHAIN: usize = 500;
/// How many problems of one text are reported.
pub(crate) const LIMIT_PROBLEMS: usize = 200;

/// The problem has been reported; the caller recovers or passes this on.
#[derive(Debug)]
pub(crate) struct Refused;

/// What parsing a part returns.
pub(crate) type Parse<T> = Result<T, Refused>;

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
pub(crate) struct Cursor<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub(crate) problems: Problems,
    /// Where the last "expected" was reported: a second one at the same token is a consequence of the first.
    refused_at: Option<usize>,
    depth: usize,
    chain: usize,
    /// How many braces are open.
    braces: usize,
    /// Where the last text that is not closed starts; the rest of its line is lost.
    open_text: Option<usize>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(file: FileId, text: &'a str) -> Self {
        let mut problems = Problems::new();
        let tokens = tokens(file, text, &mut problems);
        Self {
            file,
            text,
            tokens,
            at: 0,
            problems,
            refused_at: None,
            depth: 0,
            chain: 0,
            braces: 0,
            open_text: None,
        }
    }

    pub(crate) fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    /// The token `n` places ahead.
    pub(crate) fn ahead(&self, n: usize) -> TokenKind {
        self.tokens.get(self.at + n).map_or(TokenKind::End, |token| token.kind)
    }

    /// The text of the token `n` places ahead.
    pub(crate) fn ahead_text(&self, n: usize) -> &'a str {
        self.tokens.get(self.at + n).map_or("", |token| &self.text[token.start..token.end])
    }

    pub(crate) fn token_text(&self) -> &'a str {
        self.ahead_text(0)
    }

    pub(crate) fn span(&self) -> Span {
        let token = self.tokens[self.at];
        Span::new(self.file, token.start, token.end)
    }

    /// The span of the token before this one, or of nothing at the start.
    pub(crate) fn last_span(&self) -> Span {
        self.at.checked_sub(1).map_or(Span::new(self.file, 0, 0), |last| {
            let token = self.tokens[last];
            Span::new(self.file, token.start, token.end)
        })
    }

    /// Takes the token. The end is never passed.
    pub(crate) fn bump(&mut self) -> Spanned<&'a str> {
        let taken = Spanned::new(self.token_text(), self.span());
        match self.peek() {
            TokenKind::OpenBrace => self.braces += 1,
            TokenKind::CloseBrace => self.braces = self.braces.saturating_sub(1),
            TokenKind::OpenText => self.open_text = Some(self.tokens[self.at].start),
            _ => {}
        }
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        taken
    }

    pub(crate) fn at_end(&self) -> bool {
        self.peek() == TokenKind::End
    }

    /// Takes the token if it is of this kind.
    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Whether this is the given word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.peek() == TokenKind::Word && self.token_text() == word
    }

    /// Takes the word if it is the given one.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn expect(&mut self, kind: TokenKind, wanted: &str, help: &str) -> Parse<Span> {
        if self.peek() == kind { Ok(self.bump().span) } else { Err(self.unexpected(wanted, help)) }
    }

    /// The semicolon after `what`. Where it is plainly forgotten, at the end of a line or of a block, reading goes on.
    pub(crate) fn semicolon(&mut self, what: &str) -> Parse<()> {
        let after_text = self.at > 0 && self.tokens[self.at - 1].kind == TokenKind::OpenText;
        if self.eat(TokenKind::Semicolon) || after_text {
            return Ok(());
        }
        let last = self.last_span();
        if self.at_end() || self.peek() == TokenKind::CloseBrace || self.tokens[self.at].opens_line {
            let end = Span { start: last.end, ..last };
            let problem = Problem::error("M0701", end, format!("expected `;` after {what}"), "write the `;`")
                .fix(end, ";");
            self.refuse(problem);
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
        if !self.tokens[self.at].opens_line
            || self.peek() != TokenKind::Word
            || self.ahead(1) != TokenKind::Word
        {
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
        let block = self.braces;
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
            let before = self.at;
            if item(self).is_err() {
                self.skip_item(before, block);
            } else if self.at == before {
                self.bump();
            }
        }
        self.braces = block - 1;
        Ok(())
    }

    /// Goes on behind the item that was refused: after its `;` or its block, or where something else plainly starts.
    fn skip_item(&mut self, before: usize, block: usize) {
        if self.at == before && self.peek() != TokenKind::CloseBrace {
            self.bump();
        }
        while !self.at_end() {
            match self.peek() {
                TokenKind::Semicolon if self.braces <= block => {
                    self.bump();
                    return;
                }
                TokenKind::CloseBrace if self.braces <= block => return,
                TokenKind::CloseBrace => {
                    self.bump();
                    if self.braces == block {
                        return;
                    }
                    continue;
                }
                _ if self.at_outer(Outer::Detectable) || (self.braces <= block && self.at_part()) => return,
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
            _ => {
                self.tokens[self.at].opens_line && self.peek() == TokenKind::Word && next == TokenKind::Colon
            }
        }
    }

    /// Skips to the next declaration.
    pub(crate) fn skip_to_declaration(&mut self) {
        self.bump();
        while !self.at_end() && !self.at_declaration() {
            self.bump();
        }
        self.braces = 0;
    }

    fn unclosed(&mut self, open: Span, what: &str) {
        if self.open_text.is_some_and(|at| at > open.start as usize) {
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

    /// Reports what stands at the present token, unless something was said about this token already.
    pub(crate) fn refuse(&mut self, problem: Problem) -> Refused {
        if self.refused_at.replace(self.at) == Some(self.at) {
            return Refused;
        }
        self.report(problem);
        if self.problems.len() >= LIMIT_PROBLEMS {
            // A text with this many problems is of another language; nobody reads the rest.
            self.at = self.tokens.len() - 1;
        }
        Refused
    }

    /// Reports something that does not stop reading.
    pub(crate) fn report(&mut self, problem: Problem) {
        if self.problems.len() < LIMIT_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// `expected X, found Y`. At the end of the text the mark stands behind the last token.
    pub(crate) fn unexpected(&mut self, wanted: &str, help: &str) -> Refused {
        let (span, found) = match self.peek() {
            // A text that is not closed was reported as such.
            TokenKind::OpenText => return Refused,
            TokenKind::End => {
                let last = self.last_span();
                (Span { start: last.end, ..last }, "the end of the file".to_owned())
            }
            _ => (self.span(), format!("`{}`", shortened(self.token_text()))),
        };
        self.refuse(Problem::error("M0701", span, format!("expected {wanted}, found {found}"), help))
    }

    /// Runs `part` one level deeper; past the limit the nesting is reported instead.
    pub(crate) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= LIMIT_DEPTH {
            let message = format!("this is nested more than {LIMIT_DEPTH} levels deep");
            let problem =
                Problem::error("M0704", self.span(), message, "give the inner part a place of its own");
            return Err(self.refuse(problem));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Counts one operator of the present expression.
    pub(crate) fn link(&mut self, operator: Span) -> Parse<()> {
        self.chain += 1;
        if self.chain <= LIMIT_CHAIN {
            return Ok(());
        }
        let message = format!("one expression chains more than {LIMIT_CHAIN} operators");
        let problem = Problem::error("M0704", operator, message, "compute it in several conclusions");
        Err(self.refuse(problem))
    }

    /// Starts a new expression: chains are counted afresh.
    pub(crate) fn new_chain(&mut self) {
        self.chain = 0;
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
        let start = self.span();
        let negative = self.peek() == TokenKind::Minus
            && matches!(self.ahead(1), TokenKind::Int | TokenKind::Real)
            && self.eat(TokenKind::Minus);
        if !matches!(self.peek(), TokenKind::Int | TokenKind::Real) {
            return Err(self.unexpected(&format!("a number for {what}"), "write a number such as `10`"));
        }
        let token = self.bump();
        let span = start.to(token.span);
        let value: f64 = token.node.parse().unwrap_or(f64::INFINITY);
        if !value.is_finite() {
            self.report(too_large(span, token.node));
            return Ok(Spanned::new(0.0, span));
        }
        Ok(Spanned::new(if negative { -value } else { value }, span))
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

/// A long token, cut for a message.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 24 {
        text.escape_debug().to_string()
    } else {
        format!("{}...", text.chars().take(20).collect::<String>().escape_debug())
    }
}

/// A text token without quotes and escapes.
pub(crate) fn unquoted(token: &str) -> String {
    let body = token.strip_prefix('"').unwrap_or(token);
    let body = body.strip_suffix('"').unwrap_or(body);
    let mut out = String::with_capacity(body.len());
    let mut characters = body.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    out
}
