//! A parser's place in the tokens, and how it gets back on its feet.
//!
//! A parser is either a set of functions over `&mut Cursor<'_, TokenKind>`, or a struct of its own that holds a cursor
//! and dereferences to it, where it needs more state: see [`Parser`] and [`holds_cursor!`](crate::holds_cursor). A part
//! that cannot be read is reported and gives [`Refused`]; who knows where the next part starts skips to it and goes on,
//! so that one run tells all problems of a text.

use std::ops::DerefMut;

use crate::problem::{Problem, Problems};
use crate::sources::{FileId, Span, Spanned};
use crate::token::{Kind, LIMIT_PROBLEMS, Scan, Token, shortened};
use crate::work;

/// The problem has been reported; the caller recovers or passes this on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// What parsing a part returns.
pub type Parse<T> = Result<T, Refused>;

/// What a language's parser says, and how much it takes.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The code of "expected X, found Y".
    pub unexpected: &'static str,
    /// How deep parts may nest. Trees are walked recursively, so depth is stack.
    pub depth: usize,
    /// The problem of what is nested deeper.
    pub too_deep: fn(Span) -> Problem,
    /// How many operators one formula may chain. A chain of operators becomes a deep tree too.
    pub chain: usize,
    /// The problem of a formula that chains more.
    pub too_long: fn(Span) -> Problem,
    /// The way out where this word was found instead of what was expected, if it looks like a slip of the pen.
    pub meant: fn(&str) -> Option<String>,
}

/// For [`Rules::meant`], where no word is meant.
#[must_use]
pub fn nothing_meant(_: &str) -> Option<String> {
    None
}

/// A place in the tokens of one text.
#[derive(Clone, Debug)]
pub struct Cursor<'t, K> {
    file: FileId,
    text: &'t str,
    base: usize,
    tokens: Vec<Token<K>>,
    at: usize,
    rules: Rules,
    /// All problems so far, of the tokens and of the parser.
    pub problems: Problems,
    /// Where something was refused last: a second refusal at the same token is a consequence of the first.
    refused_at: Option<usize>,
    depth: usize,
    chain: usize,
    braces: usize,
    /// Where the last text that is not closed starts; the rest of its line is lost.
    open_text: Option<usize>,
}

impl<'t, K: Kind> Cursor<'t, K> {
    /// Stands at the first token.
    #[must_use]
    pub fn new(scan: Scan<'t, K>, rules: Rules) -> Self {
        Self {
            file: scan.file,
            text: scan.text,
            base: scan.base,
            tokens: scan.tokens,
            at: 0,
            rules,
            problems: scan.problems,
            refused_at: None,
            depth: 0,
            chain: 0,
            braces: 0,
            open_text: None,
        }
    }

    /// The file that is read.
    #[must_use]
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The text that is read.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// What the present token is.
    #[must_use]
    pub fn peek(&self) -> K {
        work::step();
        self.tokens[self.at].kind
    }

    /// The token `n` places ahead.
    #[must_use]
    pub fn ahead(&self, n: usize) -> K {
        work::step();
        self.tokens.get(self.at + n).map_or(K::END, |token| token.kind)
    }

    /// The text of the token `n` places ahead.
    #[must_use]
    pub fn ahead_text(&self, n: usize) -> &'t str {
        work::step();
        self.tokens.get(self.at + n).map_or("", |token| &self.text[token.start..token.end])
    }

    /// The text of the present token.
    #[must_use]
    pub fn token_text(&self) -> &'t str {
        self.ahead_text(0)
    }

    /// The present token and its bytes, counted from the start of [`Cursor::text`].
    #[must_use]
    pub fn token(&self) -> Token<K> {
        work::step();
        self.tokens[self.at]
    }

    /// The token before the present one.
    #[must_use]
    pub fn last(&self) -> Option<Token<K>> {
        self.at.checked_sub(1).map(|last| self.tokens[last])
    }

    /// Where the present token stands.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span_of(self.token())
    }

    /// The span of the token before this one, or of nothing at the start.
    #[must_use]
    pub fn last_span(&self) -> Span {
        self.last().map_or(Span::new(self.file, self.base, self.base), |token| self.span_of(token))
    }

    /// The empty place behind the token before this one, where something was forgotten.
    #[must_use]
    pub fn behind(&self) -> Span {
        let last = self.last_span();
        Span { start: last.end, ..last }
    }

    fn span_of(&self, token: Token<K>) -> Span {
        Span::new(self.file, self.base + token.start, self.base + token.end)
    }

    /// The number of the present token: whether it grows shows whether reading moves on.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.peek() == K::END
    }

    /// Takes the token. The end is never passed.
    pub fn bump(&mut self) -> Spanned<&'t str> {
        let taken = Spanned::new(self.token_text(), self.span());
        let kind = self.peek();
        if kind == K::BRACES.0 {
            self.braces += 1;
        } else if kind == K::BRACES.1 {
            self.braces = self.braces.saturating_sub(1);
        } else if kind == K::OPEN_TEXT {
            self.open_text = Some(self.token().start);
        }
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        taken
    }

    /// Takes the token if it is of this kind.
    pub fn eat(&mut self, kind: K) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Whether this is the given word.
    #[must_use]
    pub fn is_word(&self, word: &str) -> bool {
        K::WORDS.contains(&self.peek()) && self.token_text() == word
    }

    /// Takes the word if it is the given one.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Takes a token of this kind, or says that `wanted` was expected.
    ///
    /// # Errors
    ///
    /// When something else stands here.
    pub fn expect(&mut self, kind: K, wanted: &str, help: &str) -> Parse<Span> {
        if self.peek() == kind { Ok(self.bump().span) } else { Err(self.unexpected(wanted, help)) }
    }

    /// Takes this word, or says that it was expected.
    ///
    /// # Errors
    ///
    /// When something else stands here.
    pub fn expect_word(&mut self, word: &str, help: &str) -> Parse<Span> {
        if self.is_word(word) {
            Ok(self.bump().span)
        } else {
            Err(self.unexpected(&format!("`{word}`"), help))
        }
    }

    /// Reads the present token as one of another kind.
    pub fn replace(&mut self, kind: K) {
        self.tokens[self.at].kind = kind;
    }

    /// Reads the present token, whose first letter is ASCII, as `kind` without that letter.
    pub fn behead(&mut self, kind: K) {
        self.tokens[self.at].kind = kind;
        self.tokens[self.at].start += 1;
    }

    /// Whether the token is the first of its line.
    #[must_use]
    pub fn opens_line(&self) -> bool {
        self.token().opens_line
    }

    /// Whether the token is the first of its line, without indentation.
    #[must_use]
    pub fn at_margin(&self) -> bool {
        let start = self.token().start;
        start == 0 || self.text.as_bytes()[start - 1] == b'\n'
    }

    /// Whether there is nothing between the token before and this one.
    #[must_use]
    pub fn is_adjacent(&self) -> bool {
        self.last().is_some_and(|last| last.end == self.token().start)
    }

    /// Whether the token before this one is of this kind.
    #[must_use]
    pub fn follows(&self, kind: K) -> bool {
        self.last().is_some_and(|last| last.kind == kind)
    }

    /// Whether a text behind this place was left open, so that what is missing may be part of it.
    #[must_use]
    pub fn text_left_open_after(&self, place: Span) -> bool {
        self.open_text.is_some_and(|at| self.base + at > place.start as usize)
    }

    /// How many braces are open here.
    #[must_use]
    pub fn braces(&self) -> usize {
        self.braces
    }

    /// Says how many braces are open here, where recovery has passed some that were missing or too many.
    pub fn set_braces(&mut self, open: usize) {
        self.braces = open;
    }

    /// Passes one token, or a whole block in braces.
    pub fn pass(&mut self) {
        let mut open = 0_usize;
        while !self.at_end() {
            let kind = self.peek();
            self.bump();
            if kind == K::BRACES.0 {
                open += 1;
            } else if kind == K::BRACES.1 {
                open = open.saturating_sub(1);
            }
            if open == 0 {
                return;
            }
        }
    }

    /// Skips until `stop` says so, past whole blocks in braces.
    pub fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        while !self.at_end() && !stop(self) {
            self.pass();
        }
    }

    /// Skips to the next token of one of these kinds, past whole blocks in braces.
    pub fn skip_to(&mut self, kinds: &[K]) {
        self.skip_until(|cursor| kinds.contains(&cursor.peek()));
    }

    /// Reports something that does not stop reading. At the limit reading goes to the end.
    pub fn report(&mut self, problem: Problem) {
        if self.problems.len() < LIMIT_PROBLEMS {
            self.problems.push(problem);
        }
        if self.problems.len() >= LIMIT_PROBLEMS {
            self.at = self.tokens.len() - 1;
        }
    }

    /// Reports what stands at the present token, unless something was refused at this token already.
    pub fn refuse(&mut self, problem: Problem) -> Refused {
        if self.refused_at.replace(self.at) != Some(self.at) {
            self.report(problem);
        }
        Refused
    }

    /// `expected X, found Y`. At the end of the text the mark stands behind the last token.
    pub fn unexpected(&mut self, wanted: &str, help: &str) -> Refused {
        let kind = self.peek();
        if kind == K::OPEN_TEXT {
            // It was reported as such.
            return Refused;
        }
        let (span, found) = if kind == K::END {
            let end = if self.base == 0 { "the end of the file" } else { "the end of the text" };
            (self.behind(), end.to_owned())
        } else {
            (self.span(), format!("`{}`", shortened(self.token_text())))
        };
        let meant = if K::WORDS.contains(&kind) { (self.rules.meant)(self.token_text()) } else { None };
        let help = meant.unwrap_or_else(|| help.to_owned());
        let message = format!("expected {wanted}, found {found}");
        self.refuse(Problem::error(self.rules.unexpected, span, message, help))
    }

    /// Reports a sign that was plainly forgotten behind `what`, with its repair; reading goes on as if it were there.
    pub fn forgotten(&mut self, sign: &str, what: &str) {
        let end = self.behind();
        let message = format!("expected `{sign}` after {what}");
        let problem = Problem::error(self.rules.unexpected, end, message, format!("write the `{sign}`"));
        self.refuse(problem.fix(end, sign));
    }

    /// Runs `part` one level deeper; past the limit the nesting is reported instead.
    ///
    /// # Errors
    ///
    /// Those of `part`, and when the limit is reached.
    pub fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        nested(&mut { self }, |cursor| part(cursor))
    }

    /// Whether nothing is nested here.
    #[must_use]
    pub fn is_outermost(&self) -> bool {
        self.depth == 0
    }

    /// Counts one operator of the present formula.
    ///
    /// # Errors
    ///
    /// When the formula has too many, which is reported.
    pub fn link(&mut self, operator: Span) -> Parse<()> {
        self.chain += 1;
        if self.chain <= self.rules.chain {
            return Ok(());
        }
        Err(self.refuse((self.rules.too_long)(operator)))
    }

    /// How many operators of the present formula were counted.
    #[must_use]
    pub fn chain(&self) -> usize {
        self.chain
    }

    /// Counts on from this number of operators, where parts stand side by side in the tree.
    pub fn set_chain(&mut self, operators: usize) {
        self.chain = operators;
    }

    /// Starts a new formula: operators are counted afresh.
    pub fn new_chain(&mut self) {
        self.chain = 0;
    }
}

/// What a parser of its own that holds a cursor can do besides. Its own methods take `&mut Self`, so these do too.
pub trait Parser<'t, K: Kind>: DerefMut<Target = Cursor<'t, K>> + Sized {
    /// As [`Cursor::nested`].
    ///
    /// # Errors
    ///
    /// Those of `part`, and when the limit is reached.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        nested(self, part)
    }

    /// As [`Cursor::skip_until`].
    fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        while !self.at_end() && !stop(self) {
            self.pass();
        }
    }
}

impl<'t, K: Kind, P: DerefMut<Target = Cursor<'t, K>>> Parser<'t, K> for P {}

fn nested<'t, K: Kind, P: DerefMut<Target = Cursor<'t, K>>, T>(
    parser: &mut P,
    part: impl FnOnce(&mut P) -> Parse<T>,
) -> Parse<T> {
    if parser.depth >= parser.rules.depth {
        let problem = (parser.rules.too_deep)(parser.span());
        return Err(parser.refuse(problem));
    }
    parser.depth += 1;
    let result = part(parser);
    parser.depth -= 1;
    result
}

/// Lets a parser dereference to the cursor that it holds: `holds_cursor!(Reader.cursor: TokenKind)` for a
/// `struct Reader<'t> { cursor: Cursor<'t, TokenKind>, .. }`. With [`Parser`] in scope its own methods nest and skip.
#[macro_export]
macro_rules! holds_cursor {
    ($parser:ident.$field:tt: $kind:ty) => {
        impl<'t> std::ops::Deref for $parser<'t> {
            type Target = $crate::Cursor<'t, $kind>;

            fn deref(&self) -> &Self::Target {
                &self.$field
            }
        }

        impl std::ops::DerefMut for $parser<'_> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.$field
            }
        }
    };
}
