//! Tokens of all three texts: agent programs, team files and Jason projects. One alphabet serves them all, so that the
//! parsers share one cursor.

use logos::{Lexer, Logos};
use motet_source::{FileId, Problem, Problems, Span};

use crate::parse::LIMIT_PROBLEMS;

/// A token and its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// First byte.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
}

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0C\u{FEFF}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    /// `ag1`, `'a name'`
    #[regex(r"[a-z][A-Za-z0-9_]*")]
    #[regex(r"'[^'\n]*'")]
    Name,
    /// `X`, `LAST`, `_x`
    #[regex(r"[A-Z][A-Za-z0-9_]*")]
    #[regex(r"_[A-Za-z0-9_]+")]
    Variable,
    /// `_`
    #[token("_")]
    Anonymous,
    /// `jia.dist`, `worker.asl`
    #[regex(r"[a-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+")]
    Dotted,
    /// `.send`
    #[regex(r"\.[a-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*")]
    Internal,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Real,
    /// `"text"`
    #[token("\"", text)]
    Text,
    /// A text without its closing quote.
    OpenText,
    #[token("/*", comment)]
    OpenComment,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("::")]
    ColonColon,
    #[token(":-")]
    If,
    #[token(":=")]
    Assign,
    #[token("<-")]
    Arrow,
    #[token("->")]
    Implies,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("**")]
    StarStar,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("=")]
    Equal,
    #[token("==")]
    EqualEqual,
    #[token("\\==")]
    Different,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("=..")]
    Decompose,
    #[token("&")]
    And,
    #[token("&&")]
    AndAnd,
    #[token("|")]
    Or,
    #[token("||")]
    OrOr,
    /// Jason's concurrent bodies.
    #[token("|||")]
    #[token("|&|")]
    Fork,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
    #[token("@")]
    At,
    #[token("#")]
    Hash,
    #[token("^")]
    Caret,
    /// The end of the text.
    End,
}

/// Reads up to the closing quote; a text ends on its line.
fn text(lexer: &mut Lexer<'_, TokenKind>) -> TokenKind {
    let mut escaped = false;
    for (at, byte) in lexer.remainder().bytes().enumerate() {
        match byte {
            b'\n' => {
                lexer.bump(at);
                return TokenKind::OpenText;
            }
            b'"' if !escaped => {
                lexer.bump(at + 1);
                return TokenKind::Text;
            }
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    lexer.bump(lexer.remainder().len());
    TokenKind::OpenText
}

/// Skips a comment; one that is never closed swallows the rest and becomes a token of its own.
fn comment(lexer: &mut Lexer<'_, TokenKind>) -> logos::Filter<TokenKind> {
    if let Some(at) = lexer.remainder().find("*/") {
        lexer.bump(at + 2);
        logos::Filter::Skip
    } else {
        lexer.bump(lexer.remainder().len());
        logos::Filter::Emit(TokenKind::OpenComment)
    }
}

/// All tokens of a text, the last one [`TokenKind::End`]. What is no token is reported and left out.
pub(crate) fn tokens(file: FileId, text: &str, problems: &mut Problems) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut last_refused = usize::MAX;
    for (result, range) in TokenKind::lexer(text).spanned() {
        let span = Span::new(file, range.start, range.end);
        match result {
            Ok(TokenKind::OpenText) => {
                problems.push(open(span, "this text is not closed", "close it with `\"` on the same line"));
                tokens.push(Token { kind: TokenKind::OpenText, start: range.start, end: range.end });
            }
            Ok(TokenKind::OpenComment) => {
                problems.push(open(
                    Span::new(file, range.start, range.start + 2),
                    "this comment is not closed",
                    "close it with `*/`",
                ));
            }
            Ok(kind) => tokens.push(Token { kind, start: range.start, end: range.end }),
            // A run of stray characters is one problem, not one per character.
            Err(()) if range.start == last_refused => last_refused = range.end,
            Err(()) => {
                last_refused = range.end;
                if problems.len() < LIMIT_PROBLEMS {
                    problems.push(stray(span, &text[range]));
                }
            }
        }
    }
    tokens.push(Token { kind: TokenKind::End, start: text.len(), end: text.len() });
    tokens
}

fn open(span: Span, message: &str, help: &str) -> Problem {
    Problem::error("M0404", span, message, help)
}

fn stray(span: Span, text: &str) -> Problem {
    let help = match text {
        "'" => "a name in quotes ends on its line; a text is written in double quotes",
        "\\" => "`\\==` is \"different from\"; there is no other use of a backslash outside texts",
        _ => {
            "names are written with the letters a to z, digits and `_`; other characters belong in texts and comments"
        }
    };
    Problem::error("M0401", span, format!("`{}` is not part of the language", text.escape_debug()), help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let mut problems = Problems::new();
        let tokens = tokens(FileId(0), text, &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        tokens.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn a_dot_before_a_name_belongs_to_the_name_and_any_other_ends_a_clause() {
        use TokenKind::{Close, Dot, DotDot, Dotted, End, Int, Internal, Name, Open, Real};
        assert_eq!(
            kinds("p(1). .send jia.dist 1..20 0.5."),
            [Name, Open, Int, Close, Dot, Internal, Dotted, Int, DotDot, Int, Real, Dot, End]
        );
    }

    #[test]
    fn comments_are_skipped_and_texts_keep_their_escapes() {
        use TokenKind::{End, Name, Text};
        assert_eq!(kinds("a /* b\n c */ d // e\n \"f \\\" g\" h"), [Name, Name, Text, Name, End]);
    }

    #[test]
    fn what_is_not_closed_is_reported_once() {
        let mut problems = Problems::new();
        tokens(FileId(0), "p(\"abc).\nq. /* for ever", &mut problems);
        let codes: Vec<_> = problems.iter().map(|problem| (problem.code, problem.span.start)).collect();
        assert_eq!(codes, [("M0404", 2), ("M0404", 12)]);
    }

    #[test]
    fn a_run_of_stray_characters_is_one_problem() {
        let mut problems = Problems::new();
        tokens(FileId(0), "p. ééé q.", &mut problems);
        assert_eq!(problems.len(), 1);
    }
}
