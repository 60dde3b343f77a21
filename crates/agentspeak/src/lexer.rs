//! Tokens of all three texts: agent programs, team files and Jason projects. One alphabet serves them all, so that the
//! parsers share one cursor.

use logos::Logos;
use motet_source::{Kind, Problem, Span, Unclosed};

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0C\u{FEFF}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip(r"/\*", motet_source::comment))]
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
    #[token("\"", motet_source::text)]
    Text,
    /// A text without its closing quote.
    OpenText,
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

impl Kind for TokenKind {
    const END: Self = Self::End;
    const TEXT: Self = Self::Text;
    const OPEN_TEXT: Self = Self::OpenText;
    const WORDS: &'static [Self] = &[Self::Name, Self::Variable];
    const BRACES: (Self, Self) = (Self::OpenBrace, Self::CloseBrace);

    fn unclosed(span: Span, what: Unclosed) -> Problem {
        what.problem("M0404", span)
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
}

#[cfg(test)]
mod tests {
    use motet_source::{FileId, Problems, Scan};

    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let scan = Scan::new(FileId(0), text);
        assert!(scan.problems.is_empty(), "{:?}", scan.problems);
        scan.kinds()
    }

    fn problems(text: &str) -> Problems {
        Scan::<TokenKind>::new(FileId(0), text).problems
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
        let problems = problems("p(\"abc).\nq. /* for ever");
        let codes: Vec<_> = problems.iter().map(|problem| (problem.code, problem.span.start)).collect();
        assert_eq!(codes, [("M0404", 2), ("M0404", 12)]);
    }

    #[test]
    fn a_run_of_stray_characters_is_one_problem() {
        assert_eq!(problems("p. ééé q.").len(), 1);
    }
}
