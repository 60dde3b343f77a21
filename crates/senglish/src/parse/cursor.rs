//! A place in a text, and what can be read from there.

use motet_source::{FileId, Problem, Problems, Span};

/// A part of a text that is read from left to right. All offsets count from the start of the file.
pub(crate) struct Cursor<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    end: usize,
    /// What was wrong.
    pub(crate) problems: Problems,
}

impl<'a> Cursor<'a> {
    /// The bytes `start..end` of a text.
    pub(crate) fn new(file: FileId, text: &'a str, start: usize, end: usize) -> Self {
        Self { file, text, at: start, end, problems: Problems::new() }
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or("")
    }

    /// The next character.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Where it stands.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Goes on by this many bytes.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.end);
    }

    /// Takes one character.
    pub(crate) fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes this text if it is next.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Skips blanks and line breaks.
    pub(crate) fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Skips blanks, but stays on the line.
    pub(crate) fn spaces(&mut self) {
        let rest = self.rest();
        let blank = |c: char| c.is_whitespace() && c != '\n';
        self.at += rest.len() - rest.trim_start_matches(blank).len();
    }

    /// Takes everything before the first of these characters, or before the end.
    pub(crate) fn until(&mut self, stops: &[char]) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| stops.contains(&c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// From a place to here.
    pub(crate) fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at.max(start))
    }

    /// The character here, or the empty place at the end.
    pub(crate) fn here(&self) -> Span {
        let width = self.peek().map_or(0, char::len_utf8);
        Span::new(self.file, self.at, self.at + width)
    }

    /// Notes a problem.
    pub(crate) fn problem(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.push(Problem::error(code, span, message, help));
    }

    /// Takes what stands between an opening bracket, which is next, and its closing one. `None` when it is never closed: then
    /// the rest of the line is skipped.
    pub(crate) fn bracketed(&mut self, open: char, close: char) -> Option<(&'a str, usize)> {
        let start = self.at;
        self.take();
        let inner = self.at;
        let content = self.until(&[open, close]);
        if self.peek() == Some(close) {
            self.take();
            return Some((content, inner));
        }
        self.at = start;
        let mark = Span::new(self.file, start, start + open.len_utf8());
        self.problem(
            "M0862",
            mark,
            format!("`{open}` is never closed"),
            format!("write `{close}` behind the sentence"),
        );
        self.until(&['\n']);
        None
    }

    /// A cursor over a part of the same text.
    pub(crate) fn part(&self, start: usize, end: usize) -> Cursor<'a> {
        Cursor::new(self.file, self.text, start, end)
    }
}

/// The text with comments blanked out, so that offsets stay.
pub(crate) fn without_comments(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.find("//") {
            Some(at) => {
                clean.push_str(&line[..at]);
                clean.extend(line[at..].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            }
            None => clean.push_str(line),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_leave_blanks_so_that_places_stay() {
        let text = "a // é\nb\n// c";
        let clean = without_comments(text);
        assert_eq!(clean.len(), text.len());
        assert_eq!(clean.find('b'), text.find('b'));
        assert!(!clean.contains('c'));
    }
}
