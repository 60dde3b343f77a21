//! Tokens of a net text. Keywords are words; the parser knows them by their text.

use logos::Logos;
use motet_source::{Kind, Problem, Span, Unclosed, shortened};

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{A0}\u{FEFF}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip(r"/\*", motet_source::comment))]
pub(crate) enum TokenKind {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[0-9]+")]
    Int,
    /// `2nd`, which is neither a number nor a name.
    #[regex(r"[0-9]+[A-Za-z_][A-Za-z0-9_]*")]
    DigitWord,
    #[token("\"", motet_source::text)]
    Text,
    /// A text without its closing quote.
    OpenText,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("..")]
    Dots,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("'")]
    Prime,
    #[token("->")]
    Arrow,
    #[token("=")]
    Equal,
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
    #[token("=>")]
    Implies,
    #[token("|")]
    Bar,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    /// Operators of other languages, for a better message.
    #[token("==")]
    #[token("&&")]
    #[token("&")]
    #[token("||")]
    #[token("<>")]
    #[token(":=")]
    #[token("[")]
    #[token("]")]
    Foreign,
    /// The end of the text.
    End,
}

impl Kind for TokenKind {
    const END: Self = Self::End;
    const TEXT: Self = Self::Text;
    const OPEN_TEXT: Self = Self::OpenText;
    const WORDS: &'static [Self] = &[Self::Word];
    const BRACES: (Self, Self) = (Self::OpenBrace, Self::CloseBrace);

    fn stray(span: Span, text: &str) -> Problem {
        let message = format!("`{}` is not part of the language", shortened(text));
        let help = "names are written with letters, digits and `_`; other characters belong in comments";
        Problem::error("M1000", span, message, help)
    }

    fn unclosed(span: Span, what: Unclosed) -> Problem {
        what.problem("M1002", span)
    }
}

#[cfg(test)]
mod tests {
    use motet_source::{FileId, Scan};

    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        Scan::new(FileId(0), text).tokens.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn a_range_is_two_numbers_and_a_field_is_a_dot() {
        use TokenKind::{Dot, Dots, End, Int, Minus, Prime, Word};
        assert_eq!(
            kinds("0..5 a.b x'.c a..b -3"),
            [Int, Dots, Int, Word, Dot, Word, Word, Prime, Dot, Word, Word, Dots, Word, Minus, Int, End]
        );
    }

    #[test]
    fn signs_are_read_as_long_as_possible() {
        use TokenKind::{Arrow, Bang, Bar, End, Equal, Foreign, Implies, LessEqual, NotEqual, Question};
        assert_eq!(
            kinds("-> => != ! ? <= = == | ||"),
            [Arrow, Implies, NotEqual, Bang, Question, LessEqual, Equal, Foreign, Bar, Foreign, End]
        );
    }
}
