//! Text to tokens. Words are not told apart here: most of them mean something only where the grammar asks for it, so
//! `min` may be a unit, an extremum or a name.

use logos::Logos;
use motet_source::{FileId, Span};

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\u{000C}\u{00A0}\u{FEFF}]+")]
pub(crate) enum Kind {
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Word,
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    #[token("\"", |lexer| quoted(lexer, b'"'))]
    Text,
    #[token("`", |lexer| quoted(lexer, b'`'))]
    Quoted,
    #[token("//", |lexer| lexer.bump(lexer.remainder().find('\n').unwrap_or(lexer.remainder().len())))]
    LineComment,
    #[token("/*", |lexer| lexer.bump(lexer.remainder().find("*/").map_or(lexer.remainder().len(), |at| at + 2)))]
    BlockComment,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token("{")]
    OpenCurly,
    #[token("}")]
    CloseCurly,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("..")]
    Range,
    #[token("?")]
    Question,
    #[token("!")]
    #[token("¬")]
    #[token("~")]
    Not,
    #[token("[]")]
    #[token("□")]
    Always,
    #[token("<>")]
    #[token("◇")]
    Eventually,
    #[token("○")]
    Next,
    #[token("&")]
    #[token("&&")]
    #[token("∧")]
    And,
    #[token("|")]
    #[token("||")]
    #[token("∨")]
    Or,
    #[token("->")]
    #[token("=>")]
    #[token("⇒")]
    #[token("→")]
    Implies,
    #[token("<->")]
    #[token("<=>")]
    #[token("⇔")]
    #[token("↔")]
    Iff,
    #[token("∀")]
    ForAll,
    #[token("∃")]
    Exists,
    #[token("=")]
    #[token("==")]
    Eq,
    #[token("=?")]
    Ask,
    #[token("!=")]
    #[token("≠")]
    Ne,
    #[token("<")]
    Lt,
    #[token("<=")]
    #[token("≤")]
    Le,
    #[token(">")]
    Gt,
    #[token(">=")]
    #[token("≥")]
    Ge,
    #[token("∈")]
    In,
    #[token("+")]
    Plus,
    #[token("+-")]
    #[token("±")]
    PlusMinus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("#")]
    Hash,
    /// A run of characters that no token starts with.
    Unknown,
    /// After the last token.
    End,
}

/// A string or a name in back-ticks runs to its end sign, or to the end of the line when that is missing. A backslash
/// takes the next character with it inside a string.
fn quoted(lexer: &mut logos::Lexer<'_, Kind>, end: u8) {
    let rest = lexer.remainder();
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'\n' => return lexer.bump(at),
            _ if escaped => escaped = false,
            b'\\' if end == b'"' => escaped = true,
            _ if byte == end => return lexer.bump(at + 1),
            _ => {}
        }
    }
    lexer.bump(rest.len());
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Token {
    pub(crate) fn span(self, file: FileId) -> Span {
        Span { file, start: self.start, end: self.end }
    }

    pub(crate) fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// The tokens of a text, ending with [`Kind::End`], and its comments. Neighbouring unknown characters are one token.
pub(crate) fn tokens(text: &str) -> (Vec<Token>, Vec<Token>) {
    let (mut tokens, mut comments) = (Vec::<Token>::new(), Vec::new());
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    for (kind, range) in Kind::lexer(text).spanned() {
        let kind = kind.unwrap_or(Kind::Unknown);
        let token = Token { kind, start: number(range.start), end: number(range.end) };
        match (kind, tokens.last_mut()) {
            (Kind::LineComment | Kind::BlockComment, _) => comments.push(token),
            (Kind::Unknown, Some(last)) if last.kind == Kind::Unknown && last.end == token.start => {
                last.end = token.end;
            }
            _ => tokens.push(token),
        }
    }
    tokens.push(Token { kind: Kind::End, start: number(text.len()), end: number(text.len()) });
    (tokens, comments)
}

/// Words that are operators wherever they stand; as names they need back-ticks.
pub(crate) const OPERATORS: [&str; 26] = [
    "F",
    "G",
    "X",
    "U",
    "W",
    "R",
    "AG",
    "AF",
    "AX",
    "EG",
    "EF",
    "EX",
    "and",
    "or",
    "xor",
    "not",
    "implies",
    "iff",
    "until",
    "unless",
    "releases",
    "always",
    "eventually",
    "never",
    "next",
    "in",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).0.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn the_longest_symbol_wins_and_ranges_are_not_decimals() {
        use Kind::{Always, Ask, End, Eventually, Iff, Lt, Number, OpenSquare, Range, Word};
        assert_eq!(kinds("1..3"), [Number, Range, Number, End]);
        assert_eq!(
            kinds("<> [] <-> <u [4min"),
            [Eventually, Always, Iff, Lt, Word, OpenSquare, Number, Word, End]
        );
        assert_eq!(kinds("P=?"), [Word, Ask, End]);
        assert_eq!(kinds("1.5e-3 2.x"), [Number, Number, Kind::Dot, Word, End]);
    }

    #[test]
    fn a_string_without_an_end_stops_at_the_line() {
        assert_eq!(kinds("\"a\nb"), [Kind::Text, Kind::Word, Kind::End]);
        assert_eq!(kinds("\"a\\\"b\" c"), [Kind::Text, Kind::Word, Kind::End]);
        assert_eq!(kinds("/* a"), [Kind::End]);
    }
}
