//! The parsers' place in the tokens, and how they get back on their feet.

use motet_source::{FileId, Problem, Problems, Span, Spanned};

use crate::lexer::{Token, TokenKind, tokens};

/// How deep parentheses, lists and blocks may nest. Trees are walked recursively, so depth is stack.
pub(crate) const LIMIT_DEPTH: usize = 120;
/// How many operators one formula may chain. A chain of operators becomes a deep tree too.
pub(crate) const LIMIT_CHAIN: usize = 1000;
/// How many elements a list or argument list may have.
pub(crate) const LIMIT_ITEMS: usize = 1000;

/// How many problems of one text are reported.
pub(crate) const LIMIT_PROBLEMS: usize = 200;

/// The problem has been reported; the caller recovers or passes this on.
#[derive(Debug)]
pub(crate) struct Refused;

/// What parsing a part returns.
pub(crate) type Parse<T> = Result<T, Refused>;

/// A place in the tokens of one text.
pub(crate) struct Cursor<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// Added to every position: a text inside a text starts there.
    base: usize,
    /// The code of "this does not belong here".
    code: &'static str,
    pub(crate) problems: Problems,
    depth: usize,
    chain: usize,
    /// How many braces are open.
    braces: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, code: &'static str) -> Self {
        let mut problems = Problems::new();
        let tokens = tokens(file, text, &mut problems);
        Self { file, text, tokens, at: 0, base: 0, code, problems, depth: 0, chain: 0, braces: 0 }
    }

    /// A cursor over a part of a file that starts at byte `base`.
    pub(crate) fn inside(file: FileId, text: &'a str, base: usize, code: &'static str) -> Self {
        let mut found = Problems::new();
        let tokens = tokens(file, text, &mut found);
        let mut problems = Problems::new();
        for problem in &found {
            let mut problem = problem.clone();
            problem.span =
                Span::new(file, problem.span.start as usize + base, problem.span.end as usize + base);
            problems.push(problem);
        }
        Self { file, text, tokens, at: 0, base, code, problems, depth: 0, chain: 0, braces: 0 }
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

    pub(crate) fn span(&self) -> Span {
        let token = self.tokens[self.at];
        Span::new(self.file, self.base + token.start, self.base + token.end)
    }

    /// The span of the token before this one, or of nothing at the start.
    pub(crate) fn last_span(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(last) => {
                let token = self.tokens[last];
                Span::new(self.file, self.base + token.start, self.base + token.end)
            }
            None => Span::new(self.file, self.base, self.base),
        }
    }

    pub(crate) fn token_text(&self) -> &'a str {
        self.ahead_text(0)
    }

    /// Takes the token. The end is never passed.
    pub(crate) fn bump(&mut self) -> Spanned<&'a str> {
        let taken = Spanned::new(self.token_text(), self.span());
        match self.peek() {
            TokenKind::OpenBrace => self.braces += 1,
            TokenKind::CloseBrace => self.braces = self.braces.saturating_sub(1),
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
        matches!(self.peek(), TokenKind::Name | TokenKind::Variable) && self.token_text() == word
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

    /// Whether the token is the first of its line, without indentation: where clauses usually start.
    pub(crate) fn at_margin(&self) -> bool {
        let start = self.tokens[self.at].start;
        start == 0 || self.text.as_bytes()[start - 1] == b'\n'
    }

    /// Whether the token is the first of its line.
    pub(crate) fn opens_line(&self) -> bool {
        let start = self.tokens[self.at].start;
        let before = self.at.checked_sub(1).map_or(0, |last| self.tokens[last].end);
        start == 0 || self.text[before..start].contains('\n')
    }

    /// Whether there is nothing between the token before and this one.
    pub(crate) fn is_adjacent(&self) -> bool {
        self.at > 0 && self.tokens[self.at - 1].end == self.tokens[self.at].start
    }

    /// Skips until `stop` says so, past whole blocks in braces.
    pub(crate) fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        let mut braces = 0_usize;
        while !self.at_end() {
            if braces == 0 && stop(self) {
                return;
            }
            match self.peek() {
                TokenKind::OpenBrace => braces += 1,
                TokenKind::CloseBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// How many braces are open here.
    pub(crate) fn braces(&self) -> usize {
        self.braces
    }

    /// Goes on at the next item, or at the brace that closes the block whose items these are. A brace may be missing or
    /// too many in what is skipped, so an item at the start of a line counts wherever it stands.
    pub(crate) fn skip_to_item(&mut self, items: &[&str], block: usize) {
        while !self.at_end() {
            let closes = self.peek() == TokenKind::CloseBrace && self.braces <= block;
            if closes || self.at_item(items) {
                break;
            }
            self.bump();
        }
        self.braces = block;
    }

    /// Whether an item starts here: its word opens a line and is not used as a variable's name.
    pub(crate) fn at_item(&self, items: &[&str]) -> bool {
        self.opens_line()
            && items.contains(&self.token_text())
            && !matches!(self.ahead(1), TokenKind::Assign | TokenKind::OpenBracket)
    }

    /// Whether a text was left open before this token, so that the end of its line is lost.
    pub(crate) fn follows_open_text(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|last| self.tokens[last].kind == TokenKind::OpenText)
    }

    pub(crate) fn report(&mut self, problem: Problem) -> Refused {
        if self.problems.len() < LIMIT_PROBLEMS {
            self.problems.push(problem);
        } else {
            // A text with this many problems is of another language; nobody reads the rest.
            self.at = self.tokens.len() - 1;
        }
        Refused
    }

    pub(crate) fn refuse(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Refused {
        self.report(Problem::error(code, span, message, help))
    }

    /// `expected X, found Y`. At the end of the text the mark stands behind the last token.
    pub(crate) fn unexpected(&mut self, wanted: &str, help: &str) -> Refused {
        if self.peek() == TokenKind::OpenText {
            return Refused;
        }
        let (span, found) = if self.at_end() {
            let last = self.last_span();
            let end = if self.base == 0 { "the end of the file" } else { "the end of the text" };
            (Span { start: last.end, ..last }, end.to_owned())
        } else {
            (self.span(), format!("`{}`", self.token_text()))
        };
        self.refuse(self.code, span, format!("expected {wanted}, found {found}"), help)
    }

    /// Runs `part` one level deeper; past the limit the nesting is reported instead.
    pub(crate) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= LIMIT_DEPTH {
            let message = format!("this is nested more than {LIMIT_DEPTH} levels deep");
            return Err(self.refuse(
                "M0403",
                self.span(),
                message,
                "split it: name the inner part by a rule, a belief or a plan of its own",
            ));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Counts one operator of the present formula.
    pub(crate) fn link(&mut self, operator: Span) -> Parse<()> {
        self.chain += 1;
        if self.chain <= LIMIT_CHAIN {
            return Ok(());
        }
        let message = format!("one formula chains more than {LIMIT_CHAIN} operators");
        Err(self.refuse("M0403", operator, message, "split it into several rules, beliefs or formulas"))
    }

    /// Starts a new formula: chains are counted afresh.
    pub(crate) fn new_chain(&mut self) {
        self.chain = 0;
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

/// A long token, cut for a message.
fn shortened(text: &str) -> String {
    if text.len() <= 24 { text.to_owned() } else { format!("{}...", &text[..20]) }
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
