//! Tokens of a PRISM file.

use logos::Logos;
use motet_source::{FileId, Kind, Problem, Reading, Scan, Span, Unclosed, shortened};

/// What a token is. Keywords are words; the parser knows them by their text.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{A0}\u{FEFF}\x1A]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r"[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Real,
    /// `2nd`, which is neither a number nor a name.
    #[regex(r"[0-9]+[A-Za-z_][A-Za-z0-9_]*")]
    DigitWord,
    /// `"text"`, on one line.
    #[regex(r#""[^"\n]*""#)]
    Text,
    /// A text without its closing quote.
    #[regex(r#""[^"\n]*"#)]
    OpenText,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("..")]
    Dots,
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
    #[token("<-")]
    BackArrow,
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
    #[token("<=>")]
    Iff,
    #[token("!")]
    Not,
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("?")]
    Question,
    /// Full parallel composition.
    #[token("||")]
    Parallel,
    /// Interleaving.
    #[token("|||")]
    Interleave,
    #[token("|[")]
    OpenSync,
    #[token("]|")]
    CloseSync,
    /// Operators of other languages, for a better message.
    #[token("==")]
    #[token("&&")]
    #[token("<>")]
    #[token(":=")]
    #[token("^")]
    #[token("%")]
    Foreign,
    /// `/* ... */`, as in other languages.
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    StarComment,
    /// The end of the text.
    End,
}

impl Kind for TokenKind {
    const END: Self = Self::End;
    const TEXT: Self = Self::Text;
    const OPEN_TEXT: Self = Self::OpenText;
    const WORDS: &'static [Self] = &[Self::Word];
    const BRACES: (Self, Self) = (Self::OpenBrace, Self::CloseBrace);

    fn unclosed(span: Span, _: Unclosed) -> Problem {
        Problem::error("M0802", span, "this text is not closed", "close it with `\"`")
    }

    fn stray(span: Span, text: &str) -> Problem {
        Problem::error(
            "M0800",
            span,
            format!("`{}` is not part of the language", shortened(text)),
            "names are written with letters, digits and `_`; other characters belong in comments",
        )
    }
}

/// All tokens of a text. What is no token is reported and left out.
pub(crate) fn scan(file: FileId, text: &str) -> Scan<'_, TokenKind> {
    Scan::with(file, text, 0, |kind, span, _| match kind {
        TokenKind::StarComment => Reading::LeftOut(star_comment(span)),
        _ => Reading::Token(kind),
    })
}

fn star_comment(span: Span) -> Problem {
    Problem::warning(
        "M0806",
        span,
        "PRISM has no comments of this kind; it is skipped",
        "write `//` at the start of each of its lines",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<TokenKind>, Vec<&'static str>) {
        let scan = scan(FileId(0), text);
        (scan.kinds(), scan.problems.codes())
    }

    #[test]
    fn a_range_is_not_a_decimal() {
        use TokenKind::{CloseBracket, Dots, End, Int, OpenBracket, Real};
        assert_eq!(read("[0..5]").0, [OpenBracket, Int, Dots, Int, CloseBracket, End]);
        assert_eq!(read("0.5 .5 1e-3 2.5E4").0, [Real, Real, Real, Real, End]);
    }

    #[test]
    fn composition_signs_are_read_as_long_as_possible() {
        use TokenKind::{CloseSync, End, Interleave, OpenSync, Or, Parallel, Word};
        assert_eq!(
            read("a || b ||| c |[x]| d | e").0,
            [Word, Parallel, Word, Interleave, Word, OpenSync, Word, CloseSync, Word, Or, Word, End]
        );
    }

    #[test]
    fn comments_reach_to_the_end_of_the_line_and_others_are_told() {
        assert_eq!(read("a // b\nc").0.len(), 3);
        assert_eq!(
            read("a /* b\n */ c"),
            (vec![TokenKind::Word, TokenKind::Word, TokenKind::End], vec!["M0806"])
        );
        assert_eq!(read("\"open\n").1, ["M0802"]);
        assert_eq!(read("§§ §").1, ["M0800", "M0800"]);
    }
}
