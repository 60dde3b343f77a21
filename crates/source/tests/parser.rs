//! A small language, sums and blocks, read with the shared scan and cursor.

use logos::Logos;
use motet_source::{
    Cursor, FileId, Kind, LIMIT_PROBLEMS, Parse, Parser as _, Problem, Reading, Rules, Scan, Span, Unclosed,
    holds_cursor, nothing_meant, shortened, unquoted,
};

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip(r"/\*", motet_source::comment))]
enum TokenKind {
    #[regex(r"[a-z]+")]
    Word,
    #[regex(r"[0-9]+")]
    Int,
    #[token("\"", motet_source::text)]
    Text,
    OpenText,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(";")]
    Semicolon,
    #[token("+")]
    Plus,
    #[token("+=")]
    PlusEqual,
    #[token("/")]
    Slash,
    End,
}

impl Kind for TokenKind {
    const END: Self = Self::End;
    const TEXT: Self = Self::Text;
    const OPEN_TEXT: Self = Self::OpenText;
    const WORDS: &'static [Self] = &[Self::Word];
    const BRACES: (Self, Self) = (Self::OpenBrace, Self::CloseBrace);

    fn stray(span: Span, text: &str) -> Problem {
        Problem::error("T1", span, format!("`{}` is stray", shortened(text)), "take it out")
    }

    fn unclosed(span: Span, what: Unclosed) -> Problem {
        what.problem("T2", span)
    }
}

const RULES: Rules = Rules {
    unexpected: "T3",
    depth: 50,
    too_deep: |span| Problem::error("T4", span, "too deep", "split it"),
    chain: 30,
    too_long: |span| Problem::error("T5", span, "too long", "split it"),
    meant: |word| (word == "ned").then(|| "did you mean `end`".to_owned()),
};

fn scan(text: &str) -> Scan<'_, TokenKind> {
    Scan::new(FileId(0), text)
}

fn cursor(text: &str) -> Cursor<'_, TokenKind> {
    Cursor::new(scan(text), RULES)
}

fn kinds(text: &str) -> Vec<TokenKind> {
    scan(text).kinds()
}

/// Code, first byte and one past the last byte of each problem.
fn places(problems: &motet_source::Problems) -> Vec<(&'static str, u32, u32)> {
    problems.iter().map(|problem| (problem.code, problem.span.start, problem.span.end)).collect()
}

/// The value of a sum.
fn sum(cursor: &mut Cursor<'_, TokenKind>) -> Parse<u64> {
    let mut value = operand(cursor)?;
    while cursor.peek() == TokenKind::Plus {
        let operator = cursor.bump().span;
        cursor.link(operator)?;
        value += operand(cursor)?;
    }
    Ok(value)
}

fn operand(cursor: &mut Cursor<'_, TokenKind>) -> Parse<u64> {
    if cursor.eat(TokenKind::Open) {
        let value = cursor.nested(sum)?;
        cursor.expect(TokenKind::Close, "`)`", "close the parenthesis")?;
        return Ok(value);
    }
    let Ok(number) = cursor.token_text().parse() else {
        return Err(cursor.unexpected("a number", "write one"));
    };
    cursor.bump();
    Ok(number)
}

/// Sums that end with `;`, as many as can be read.
fn sums(text: &str) -> (Vec<u64>, Vec<(&'static str, u32, u32)>) {
    let mut cursor = cursor(text);
    let mut values = Vec::new();
    while !cursor.at_end() {
        let read = sum(&mut cursor).and_then(|value| {
            cursor.expect(TokenKind::Semicolon, "`;`", "end the sum")?;
            Ok(value)
        });
        match read {
            Ok(value) => values.push(value),
            Err(_) => {
                cursor.skip_to(&[TokenKind::Semicolon]);
                cursor.eat(TokenKind::Semicolon);
            }
        }
    }
    (values, places(&cursor.problems))
}

#[test]
fn the_longest_sign_wins_and_comments_are_skipped() {
    use TokenKind::{End, Int, Plus, PlusEqual, Slash, Word};
    assert_eq!(kinds("a += 1 + /* 2 */ 3 // 4\n / b"), [Word, PlusEqual, Int, Plus, Int, Slash, Word, End]);
}

#[test]
fn what_is_not_closed_is_reported_once_and_reading_goes_on() {
    use TokenKind::{End, OpenText, Text, Word};
    let scan = scan("\"a\\\"b\" \"open\nc /* for ever");
    assert_eq!(scan.kinds(), [Text, OpenText, Word, End]);
    assert_eq!(places(&scan.problems), [("T2", 7, 12), ("T2", 15, 17)]);
    assert_eq!(scan.problems.codes(), ["T2", "T2"]);
    assert_eq!(kinds("\"a\\\\\" b"), [Text, Word, End], "an escaped backslash does not escape the quote");
    assert_eq!(kinds("\"a\\"), [OpenText, End]);
}

#[test]
fn a_run_of_stray_characters_is_one_problem() {
    assert_eq!(places(&scan("a ééé b é").problems), [("T1", 2, 4), ("T1", 11, 13)]);
    assert_eq!(places(&scan("é/* open").problems), [("T1", 0, 2), ("T2", 2, 4)]);
    assert_eq!(scan(&"é ".repeat(1000)).problems.len(), LIMIT_PROBLEMS);
}

#[test]
fn a_text_inside_a_text_has_its_places_in_the_file() {
    let scan = Scan::<TokenKind>::with(FileId(0), "é (", 100, |kind, _, _| Reading::Token(kind));
    assert_eq!(places(&scan.problems), [("T1", 100, 102)]);
    let mut cursor = Cursor::new(scan, RULES);
    assert_eq!(cursor.span(), Span::new(FileId(0), 103, 104));
    assert!(cursor.expect(TokenKind::Close, "`)`", "close it").is_err());
    cursor.bump();
    assert!(cursor.expect(TokenKind::Close, "`)`", "close it").is_err());
    let messages: Vec<_> = cursor.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        ["`é` is stray", "expected `)`, found `(`", "expected `)`, found the end of the text"]
    );
    assert_eq!(places(&cursor.problems)[2], ("T3", 104, 104));
}

#[test]
fn a_language_may_change_a_token_or_leave_it_out() {
    let read = |kind, span, text: &str| match (kind, text) {
        (TokenKind::Int, _) => {
            Reading::Flawed(TokenKind::Word, Problem::warning("T6", span, "a number", "write a word"))
        }
        (_, "gone") => Reading::LeftOut(Problem::error("T7", span, "a ghost", "take it out")),
        _ => Reading::Token(kind),
    };
    let scan = Scan::with(FileId(0), "a 1 gone b", 0, read);
    assert!(scan.tokens[..3].iter().all(|token| token.kind == TokenKind::Word));
    assert_eq!(scan.tokens.len(), 4);
    assert_eq!(places(&scan.problems), [("T6", 2, 3), ("T7", 4, 8)]);
}

#[test]
fn tokens_know_whether_they_open_their_line() {
    let opens: Vec<bool> = scan(" a b /*\n*/ c\nd").tokens.iter().map(|token| token.opens_line).collect();
    assert_eq!(opens, [true, false, true, true, false]);
    let mut cursor = cursor("a(\n b\nc");
    assert!(cursor.at_margin());
    cursor.bump();
    assert!(cursor.is_adjacent() && !cursor.at_margin());
    cursor.bump();
    assert!(cursor.opens_line() && !cursor.at_margin() && !cursor.is_adjacent());
    cursor.bump();
    assert!(cursor.at_margin() && cursor.follows(TokenKind::Word));
}

#[test]
fn all_sums_are_read_and_all_wrong_ones_are_told() {
    assert_eq!(sums("1 + 2; (3 + (4)); 5;"), (vec![3, 7, 5], vec![]));
    assert_eq!(sums("1 + ; 2; (3; 4; 5"), (vec![2, 4], vec![("T3", 4, 5), ("T3", 11, 12), ("T3", 17, 17)]));
}

#[test]
fn blocks_are_skipped_whole() {
    assert_eq!(sums("x { 1; 2; } 3; 4;"), (vec![4], vec![("T3", 0, 1)]));
    let mut cursor = cursor("{ a } } b");
    cursor.skip_to(&[TokenKind::CloseBrace]);
    assert_eq!((cursor.position(), cursor.braces()), (3, 0));
}

/// A parser with a state of its own.
struct Counting<'t> {
    cursor: Cursor<'t, TokenKind>,
    words: usize,
}

holds_cursor!(Counting.cursor: TokenKind);

impl Counting<'_> {
    fn list(&mut self) -> Parse<()> {
        while !self.at_end() && self.peek() != TokenKind::Close {
            if self.eat(TokenKind::Open) {
                self.nested(Self::list)?;
                self.expect(TokenKind::Close, "`)`", "close it")?;
            } else {
                self.words += usize::from(self.peek() == TokenKind::Word);
                self.bump();
            }
        }
        Ok(())
    }
}

#[test]
fn a_parser_with_a_state_of_its_own_nests_and_skips() {
    let read = |text: &str| {
        let mut parser = Counting { cursor: cursor(text), words: 0 };
        let ended = parser.list();
        (ended.is_ok(), parser.words, places(&parser.problems))
    };
    assert_eq!(read("a (b (c) d) e"), (true, 5, vec![]));
    assert_eq!(read(&"(".repeat(100_000)), (false, 0, vec![("T4", 51, 52)]));
    let mut parser = Counting { cursor: cursor("{ a ; } b ; c"), words: 7 };
    parser.skip_until(|parser| parser.words == 7 && parser.peek() == TokenKind::Semicolon);
    assert_eq!(parser.position(), 5);
}

#[test]
fn depth_and_chains_are_limited() {
    let deep = |levels: usize| format!("{}1{};", "(".repeat(levels), ")".repeat(levels));
    assert_eq!(sums(&deep(50)).0, [1]);
    assert_eq!(sums(&deep(51)).1, [("T4", 51, 52)]);
    assert_eq!(sums(&deep(100_000)).1.len(), 1);
    assert_eq!(sums(&format!("{}1;", "1+".repeat(30))).0, [31]);
    assert_eq!(sums(&format!("{}1;", "1+".repeat(31))).1, [("T5", 61, 62)]);
}

#[test]
fn a_second_refusal_at_one_token_is_not_told_and_neither_is_an_open_text() {
    let mut cursor = cursor("( \"open");
    cursor.unexpected("a word", "write one");
    cursor.unexpected("a number", "write one");
    cursor.bump();
    cursor.unexpected("a number", "write one");
    let open = cursor.last_span();
    assert!(!cursor.text_left_open_after(open));
    cursor.bump();
    assert!(cursor.text_left_open_after(open));
    assert_eq!(places(&cursor.problems), [("T2", 2, 7), ("T3", 0, 1)]);
}

#[test]
fn a_forgotten_sign_comes_with_its_repair() {
    let mut cursor = cursor("1\n2");
    cursor.bump();
    cursor.forgotten(";", "a sum");
    let problem = cursor.problems.iter().next().expect("it was reported");
    assert_eq!((problem.message.as_str(), problem.span.start), ("expected `;` after a sum", 1));
    assert_eq!(problem.fix.as_ref().map(|fix| fix.text.as_str()), Some(";"));
}

#[test]
fn a_slip_of_the_pen_is_guessed_for_words_only() {
    let help = |text| {
        let mut cursor = cursor(text);
        assert!(cursor.expect_word("end", "close it").is_err());
        cursor.problems.iter().next_back().map(|problem| problem.help.clone())
    };
    assert_eq!(help("ned").as_deref(), Some("did you mean `end`"));
    assert_eq!(help("\"ned\"").as_deref(), Some("close it"));
    assert_eq!(nothing_meant("ned"), None);
    assert!(cursor("end").eat_word("end") && cursor("end").expect_word("end", "close it").is_ok());
    assert!(!cursor("\"end\"").eat_word("end"));
}

#[test]
fn at_the_limit_of_problems_reading_goes_to_the_end() {
    let text = "x; ".repeat(1000);
    let mut cursor = cursor(&text);
    let mut taken = 0;
    while !cursor.at_end() {
        cursor.unexpected("a number", "write one");
        cursor.bump();
        taken += 1;
    }
    assert_eq!((cursor.problems.len(), taken), (LIMIT_PROBLEMS, LIMIT_PROBLEMS));
}

#[test]
fn texts_lose_quotes_and_escapes_and_messages_cut_them() {
    assert_eq!(unquoted(r#""a\"b\\c\n\td\x""#), "a\"b\\c\n\tdx");
    assert_eq!(unquoted("\"open"), "open");
    assert_eq!(unquoted("\"open\\"), "open\\");
    assert_eq!(shortened(&"é".repeat(40)), "é".repeat(40));
    assert_eq!(shortened(&"é".repeat(41)), "é".repeat(40) + "…");
    assert_eq!(shortened("a\u{0}\t\"b\""), "a\\0\\t\"b\"");
}
