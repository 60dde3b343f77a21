//! The words and signs of rules and plans.

use motet_source::Span;

use super::cursor::Cursor;
use super::numbers;
use crate::sentence::Sentence;
use crate::syntax::RewardTree;

/// One word or sign.
#[derive(Clone, Debug)]
pub(crate) enum Token {
    /// `if`, `while`, `then`, `and`, in lower case.
    Word(String),
    /// `^[sentence]`
    Belief(Sentence),
    /// `[sentence]`
    Action(Sentence),
    /// `{fuel=1}`
    Rewards(Vec<RewardTree>),
    /// `~ + - ( ) .`
    Sign(char),
    /// Nothing is left.
    End,
}

impl Token {
    /// As a message names it.
    pub(crate) fn named(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Belief(sentence) => format!("`^[{}]`", sentence.text),
            Self::Action(sentence) => format!("`[{}]`", sentence.text),
            Self::Rewards(_) => "a reward".to_owned(),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::End => "the end of the section".to_owned(),
        }
    }
}

/// The tokens of a part of a text, with an [`Token::End`] behind them.
pub(crate) fn tokens(cursor: &mut Cursor<'_>) -> Vec<(Token, Span)> {
    let mut tokens = Vec::new();
    loop {
        cursor.blanks();
        let start = cursor.at();
        let Some(next) = cursor.peek() else { break };
        let token = match next {
            '[' => cursor
                .bracketed('[', ']')
                .and_then(|(text, inner)| sentence(cursor, text, inner).map(Token::Action)),
            '^' => {
                cursor.take();
                cursor.spaces();
                if cursor.peek() == Some('[') {
                    cursor
                        .bracketed('[', ']')
                        .and_then(|(text, inner)| sentence(cursor, text, inner).map(Token::Belief))
                } else {
                    let span = cursor.span(start);
                    cursor.problem(
                        "M0860",
                        span,
                        "a sentence in brackets is expected behind `^`",
                        "write ^[sentence]",
                    );
                    None
                }
            }
            '{' => cursor
                .bracketed('{', '}')
                .map(|(text, inner)| Token::Rewards(numbers::rewards(cursor, text, inner))),
            '~' | '+' | '-' | '(' | ')' | '.' => {
                cursor.take();
                Some(Token::Sign(next))
            }
            ',' => {
                // Actions may be set apart by commas; they say nothing.
                cursor.take();
                None
            }
            _ => word(cursor),
        };
        if let Some(token) = token {
            tokens.push((token, cursor.span(start)));
        }
    }
    tokens.push((Token::End, cursor.here()));
    tokens
}

/// A sentence that says something.
fn sentence(cursor: &mut Cursor<'_>, text: &str, inner: usize) -> Option<Sentence> {
    let lead = text.len() - text.trim_start().len();
    let span = Span::new(cursor.here().file, inner + lead, inner + lead + text.trim().len());
    let sentence = Sentence::new(text, span);
    if sentence.key.is_empty() {
        let span = Span::new(span.file, inner.saturating_sub(1), inner + text.len() + 1);
        cursor.problem("M0860", span, "there is no sentence in the brackets", "write [words of a sentence]");
        return None;
    }
    Some(sentence)
}

fn word(cursor: &mut Cursor<'_>) -> Option<Token> {
    let start = cursor.at();
    let rest = cursor.rest();
    let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(rest.len());
    if length == 0 {
        let odd = cursor.take().unwrap_or(' ');
        let span = cursor.span(start);
        cursor.problem(
            "M0860",
            span,
            format!("`{odd}` has no meaning here"),
            "rules and plans are made of If, while, then, and, or, not, true, [actions], ^[beliefs], ~ + - ( ) and dots",
        );
        return None;
    }
    cursor.skip(length);
    Some(Token::Word(rest[..length].to_lowercase()))
}
