//! Tokens of a Brahms file. Nothing is reserved: every word is a [`TokenKind::Word`], and the parser decides from its
//! place whether it is a keyword or a name.

use std::collections::BTreeSet;

use logos::{Lexer, Logos};
use motet_source::{FileId, Kind, Problem, Reading, Scan, Span, Unclosed, shortened};

/// What a token is. The replacement character stands for a byte of another encoding and counts as a letter.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{A0}\u{FEFF}\x1A]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip(r"/\*", motet_source::comment))]
pub(crate) enum TokenKind {
    /// `wf_askForFood`
    #[regex(r"[\p{XID_Start}_\u{FFFD}][\p{XID_Continue}\u{FFFD}]*")]
    Word,
    /// `first-floor`: a hyphen between letters or digits belongs to the name (Stocker 2013, Appendix A, `name`).
    #[regex(r"[\p{XID_Start}_\u{FFFD}][\p{XID_Continue}\u{FFFD}]*(-[\p{XID_Continue}\u{FFFD}]+)+")]
    HyphenWord,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Real,
    /// `2nd`, which is neither a number nor a name.
    #[regex(r"[0-9]+[\p{XID_Start}_\u{FFFD}][\p{XID_Continue}\u{FFFD}]*")]
    DigitWord,
    /// `"text"`
    #[token("\"", text)]
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
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("=")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    /// `=<`
    #[token("=<")]
    EqualLess,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    /// `=>`
    #[token("=>")]
    EqualGreater,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("^")]
    Caret,
    #[token("?")]
    Question,
    /// Operators of other languages, for a better message.
    #[token("==")]
    #[token("<>")]
    #[token(":=")]
    #[token("&&")]
    #[token("||")]
    #[token("&")]
    #[token("|")]
    #[token("!")]
    #[token("%")]
    Foreign,
    /// The end of the text.
    End,
}

/// How many lines a text may span.
const LIMIT_TEXT_LINES: usize = 20;

/// Reads up to the closing quote. A text ends on its line, or on a later one if what follows its quote shows that the
/// quote closes a text rather than opens the next.
fn text(lexer: &mut Lexer<'_, TokenKind>) -> TokenKind {
    let rest = lexer.remainder();
    let mut first_line = None;
    let mut lines = 0;
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'"' if !escaped => {
                let closes = rest[at + 1..].trim_start().starts_with([';', ',', ')']);
                if first_line.is_none() || closes {
                    lexer.bump(at + 1);
                    return TokenKind::Text;
                }
                break;
            }
            b'\n' => {
                first_line.get_or_insert(at);
                lines += 1;
                escaped = false;
                if lines > LIMIT_TEXT_LINES {
                    break;
                }
            }
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    lexer.bump(first_line.unwrap_or(rest.len()));
    TokenKind::OpenText
}

impl Kind for TokenKind {
    const END: Self = Self::End;
    const TEXT: Self = Self::Text;
    const OPEN_TEXT: Self = Self::OpenText;
    const WORDS: &'static [Self] = &[Self::Word];
    const BRACES: (Self, Self) = (Self::OpenBrace, Self::CloseBrace);

    fn unclosed(span: Span, what: Unclosed) -> Problem {
        what.problem("M0703", span)
    }

    fn stray(span: Span, text: &str) -> Problem {
        let help = match text {
            "'" => "texts are written in double quotes",
            "\\" => "a backslash has a meaning inside texts only",
            _ => {
                "names are written with letters, digits and `_`; other characters belong in texts and comments"
            }
        };
        Problem::error("M0700", span, format!("`{}` is not part of the language", shortened(text)), help)
    }
}

/// All tokens of a text. What is no token is reported and left out; each name with a hyphen is told once.
pub(crate) fn scan(file: FileId, text: &str) -> Scan<'_, TokenKind> {
    let mut hyphenated = BTreeSet::new();
    Scan::with(file, text, 0, |kind, span, text| match kind {
        TokenKind::HyphenWord if hyphenated.insert(text) => {
            Reading::Flawed(TokenKind::Word, hyphen(span, text))
        }
        TokenKind::HyphenWord => Reading::Token(TokenKind::Word),
        _ => Reading::Token(kind),
    })
}

fn hyphen(span: Span, name: &str) -> Problem {
    Problem::warning(
        "M0712",
        span,
        format!("`{name}` is read as one name, not as a subtraction"),
        "put spaces around `-` to subtract, or write the name with `_`",
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
    fn a_hyphen_joins_names_only_without_spaces() {
        use TokenKind::{End, Int, Minus, Plus, Word};
        assert_eq!(read("a-b"), (vec![Word, End], vec!["M0712"]));
        assert_eq!(read("a - b"), (vec![Word, Minus, Word, End], vec![]));
        assert_eq!(read("a -b a- b"), (vec![Word, Minus, Word, Word, Minus, Word, End], vec![]));
        assert_eq!(read("a+1"), (vec![Word, Plus, Int, End], vec![]));
        assert_eq!(read("3-a"), (vec![Int, Minus, Word, End], vec![]));
        assert_eq!(read("a-b a-b").1, ["M0712"], "one warning per name");
    }

    #[test]
    fn a_text_may_reach_over_lines_but_does_not_swallow_the_next_text() {
        use TokenKind::{Colon, End, OpenText, Semicolon, Text, Word};
        assert_eq!(read("display: \"two\nlines\";").0, [Word, Colon, Text, Semicolon, End]);
        assert_eq!(
            read("display: \"one;\ndisplay: \"two\";").0,
            [Word, Colon, OpenText, Word, Colon, Text, Semicolon, End]
        );
        assert_eq!(read("\"a \\\" b\"").0, [Text, End]);
    }

    #[test]
    fn comments_are_skipped_and_an_open_one_is_reported() {
        use TokenKind::{End, Word};
        assert_eq!(read("a // b\r\n c /* d\n e */ f"), (vec![Word, Word, Word, End], vec![]));
        assert_eq!(read("a /* for ever"), (vec![Word, End], vec!["M0703"]));
    }

    #[test]
    fn bytes_of_other_encodings_count_as_letters() {
        assert_eq!(read("situa\u{FFFD}\u{FFFD}o"), (vec![TokenKind::Word, TokenKind::End], vec![]));
        assert_eq!(read("é"), (vec![TokenKind::Word, TokenKind::End], vec![]));
        assert_eq!(read("§§ §").1, ["M0700", "M0700"]);
    }
}
