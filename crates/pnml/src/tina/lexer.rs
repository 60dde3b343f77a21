//! Words of a line.

/// A word with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) token: Token,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, also one in braces; a number is a name until it is used as one.
    Name(String),
    /// `->`
    Arrow,
    /// `*`
    Times,
    /// `?`
    Test,
    /// `?-`
    Inhibit,
    /// `:`
    Colon,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[0,w[` as written.
    Interval(String),
    /// Anything else.
    Other(char),
}

/// The words of a line that starts at byte `offset` of the file. A comment ends the line.
pub(crate) fn words(line: &str, offset: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let start = line.len() - rest.len();
        let Some(first) = rest.chars().next() else { break };
        let (token, length) = match first {
            '#' => break,
            '{' => braced(rest),
            '[' | ']' => interval(rest),
            '*' => (Token::Times, 1),
            ':' => (Token::Colon, 1),
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            '?' if rest.starts_with("?-") => (Token::Inhibit, 2),
            '?' => (Token::Test, 1),
            '-' if rest.starts_with("->") => (Token::Arrow, 2),
            letter if is_plain(letter) => {
                let length = rest.find(|letter| !is_plain(letter)).unwrap_or(rest.len());
                (Token::Name(rest[..length].to_owned()), length)
            }
            other => (Token::Other(other), other.len_utf8()),
        };
        words.push(Word { token, start: offset + start, end: offset + start + length });
        rest = &rest[length..];
    }
    words
}

/// Letters of names that need no braces.
pub(crate) fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '\''
}

/// `{any name}`, with `\` before `{`, `}` and `\`.
fn braced(text: &str) -> (Token, usize) {
    let mut name = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '}' => return (Token::Name(name), at + 1),
            '\\' => name.extend(letters.next().map(|(_, letter)| letter)),
            other => name.push(other),
        }
    }
    (Token::Other('{'), text.len())
}

/// `[0,w[`, `]1,2]`: up to the second bracket.
fn interval(text: &str) -> (Token, usize) {
    match text[1..].find(['[', ']']) {
        Some(at) => (Token::Interval(text[..at + 2].to_owned()), at + 2),
        None => (Token::Interval(text.to_owned()), text.len()),
    }
}
