//! From text to tokens. A language gives a table of its tokens, an enum that derives [`logos::Logos`]; what every table
//! needs besides stands here: texts and comments that are not closed, stray characters, the end, and which token opens
//! its line.
//!
//! ```text
//! #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
//! #[logos(skip r"[ \t\r\n\u{FEFF}]+")]
//! #[logos(skip(r"//[^\n]*", allow_greedy = true))]
//! #[logos(skip(r"/\*", motet_source::comment))]
//! enum TokenKind {
//!     #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
//!     Word,
//!     #[token("\"", motet_source::text)]
//!     Text,
//!     OpenText,
//!     ...
//! ```

use std::fmt::Debug;

use logos::{Lexer, Logos};

use crate::problem::{Problem, Problems};
use crate::sources::{FileId, Span};

/// How many problems of one text are reported. A text with more is of another language; nobody reads the rest.
pub const LIMIT_PROBLEMS: usize = 200;

/// The tokens of one language.
pub trait Kind:
    for<'t> Logos<'t, Source = str, Error = (), Extras = ()> + Copy + Eq + Debug + 'static
{
    /// Behind the last token.
    const END: Self;
    /// `"text"`
    const TEXT: Self;
    /// A text without its closing quote. It is a token, so that reading goes on, and parsers say nothing more of it.
    const OPEN_TEXT: Self;
    /// The kinds that keywords are: see [`Cursor::is_word`](crate::Cursor::is_word).
    const WORDS: &'static [Self];
    /// What opens and closes a block. Recovery passes whole blocks.
    const BRACES: (Self, Self);

    /// The problem of a character that no token starts with; `text` is that character.
    fn stray(span: Span, text: &str) -> Problem;

    /// The problem of a text or comment that is not closed.
    fn unclosed(span: Span, what: Unclosed) -> Problem;
}

/// What is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclosed {
    /// `"text`
    Text,
    /// `/* comment`
    Comment,
}

impl Unclosed {
    /// The usual words for it.
    #[must_use]
    pub fn problem(self, code: &'static str, span: Span) -> Problem {
        match self {
            Self::Text => {
                Problem::error(code, span, "this text is not closed", "close it with `\"` on the same line")
            }
            Self::Comment => Problem::error(code, span, "this comment is not closed", "close it with `*/`"),
        }
    }
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Whether it is the first of its line.
    pub opens_line: bool,
}

/// What a language makes of a token that its table has found.
#[derive(Clone, Debug)]
pub enum Reading<K> {
    /// It stands.
    Token(K),
    /// It stands, and something is wrong with it.
    Flawed(K, Problem),
    /// It is left out.
    LeftOut(Problem),
}

/// The tokens of one text, the last one [`Kind::END`], and what was wrong with them.
#[derive(Clone, Debug)]
pub struct Scan<'t, K> {
    /// The file.
    pub file: FileId,
    /// What was read.
    pub text: &'t str,
    /// Where the text starts in its file; the tokens count from there.
    pub base: usize,
    /// The tokens.
    pub tokens: Vec<Token<K>>,
    /// Stray characters, texts and comments that are not closed, and what the language found.
    pub problems: Problems,
}

impl<'t, K: Kind> Scan<'t, K> {
    /// All tokens of a file.
    #[must_use]
    pub fn new(file: FileId, text: &'t str) -> Self {
        Self::with(file, text, 0, |kind, _, _| Reading::Token(kind))
    }

    /// All tokens of a text that starts at byte `base` of its file. `read` sees each token before it is taken, with its
    /// place and its text.
    #[must_use]
    pub fn with(
        file: FileId,
        text: &'t str,
        base: usize,
        mut read: impl FnMut(K, Span, &'t str) -> Reading<K>,
    ) -> Self {
        let tokens = Vec::with_capacity(text.len() / 4 + 1);
        let mut scan = Self { file, text, base, tokens, problems: Problems::new() };
        let mut last_stray = usize::MAX;
        for (found, range) in K::lexer(text).spanned() {
            let (start, end) = (range.start, range.end);
            let span = Span::new(file, base + start, base + end);
            match found {
                Ok(kind) if kind == K::OPEN_TEXT => {
                    scan.report(K::unclosed(span, Unclosed::Text));
                    scan.push(kind, start, end);
                }
                Ok(kind) => match read(kind, span, &text[range]) {
                    Reading::Token(kind) => scan.push(kind, start, end),
                    Reading::Flawed(kind, problem) => {
                        scan.report(problem);
                        scan.push(kind, start, end);
                    }
                    Reading::LeftOut(problem) => scan.report(problem),
                },
                Err(()) if text[range.clone()].starts_with("/*") => {
                    let span = Span::new(file, base + start, base + start + 2);
                    scan.report(K::unclosed(span, Unclosed::Comment));
                }
                Err(()) => {
                    // A run of stray characters is one problem, not one per character.
                    if start != last_stray {
                        scan.report(K::stray(span, &text[range]));
                    }
                    last_stray = end;
                }
            }
        }
        scan.push(K::END, text.len(), text.len());
        scan
    }

    /// What each token is.
    #[must_use]
    pub fn kinds(&self) -> Vec<K> {
        self.tokens.iter().map(|token| token.kind).collect()
    }

    fn push(&mut self, kind: K, start: usize, end: usize) {
        let opens_line = self.tokens.last().is_none_or(|last| self.text[last.end..start].contains('\n'));
        self.tokens.push(Token { kind, start, end, opens_line });
    }

    fn report(&mut self, problem: Problem) {
        if self.problems.len() < LIMIT_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

/// For a table of tokens, after `"`: reads up to the closing quote. A backslash takes the next character with it; a text
/// ends on its line.
pub fn text<K: Kind>(lexer: &mut Lexer<'_, K>) -> K {
    let mut escaped = false;
    for (at, byte) in lexer.remainder().bytes().enumerate() {
        match byte {
            b'\n' => {
                lexer.bump(at);
                return K::OPEN_TEXT;
            }
            b'"' if !escaped => {
                lexer.bump(at + 1);
                return K::TEXT;
            }
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    lexer.bump(lexer.remainder().len());
    K::OPEN_TEXT
}

/// For a table of tokens, after `/*`: skips a comment. One that is never closed swallows the rest and is an error.
///
/// # Errors
///
/// When there is no `*/`.
#[expect(clippy::result_unit_err, reason = "a table of tokens knows no other error")]
pub fn comment<K: Kind>(lexer: &mut Lexer<'_, K>) -> Result<(), ()> {
    let rest = lexer.remainder();
    let end = rest.find("*/");
    lexer.bump(end.map_or(rest.len(), |at| at + 2));
    end.map(|_| ()).ok_or(())
}

/// A text token without quotes and escapes.
#[must_use]
pub fn unquoted(token: &str) -> String {
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

/// The longest piece of the user's text that a message repeats, in characters.
const LIMIT_SHOWN: usize = 40;

/// A piece of the user's text as a message shows it: long ones are cut, and control characters are spelt.
#[must_use]
pub fn shortened(text: &str) -> String {
    let mut shown = String::new();
    for (number, character) in text.chars().enumerate() {
        if number == LIMIT_SHOWN {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.extend(character.escape_debug());
        } else {
            shown.push(character);
        }
    }
    shown
}
