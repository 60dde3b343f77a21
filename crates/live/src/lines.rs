//! Lines from somebody who may not keep to any rule: no line is kept beyond a limit.

use std::io::{BufRead, BufReader, Read};

/// Bytes of a line at most; longer ones are skipped as they come.
pub const LIMIT_LINE: usize = 64 << 10;
/// Characters of a line that a complaint shows.
const LIMIT_EXCERPT: usize = 100;

/// A line, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A text, without its end.
    Text(String),
    /// Something longer than [`LIMIT_LINE`]; its beginning.
    TooLong(String),
    /// Something that is not UTF-8; what can be read of its beginning.
    NotText(String),
}

/// The lines of a stream. Empty lines are left out.
pub struct Lines<R> {
    reader: BufReader<R>,
}

impl<R: Read> Lines<R> {
    /// Reads from the start of a stream.
    pub fn new(stream: R) -> Self {
        Self { reader: BufReader::with_capacity(16 << 10, stream) }
    }

    /// The bytes of a line up to the limit, and how many there were.
    fn bytes(&mut self) -> Option<(Vec<u8>, usize)> {
        let mut kept = Vec::new();
        let mut length = 0usize;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            if buffer.is_empty() {
                return (length > 0).then_some((kept, length));
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = LIMIT_LINE.saturating_sub(kept.len()).min(part.len());
            kept.extend_from_slice(&part[..room]);
            length = length.saturating_add(part.len());
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Some((kept, length));
            }
        }
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = Line;

    /// The next line that is not empty. `None` at the end, and where the stream fails, which is an end too.
    fn next(&mut self) -> Option<Line> {
        loop {
            let (bytes, length) = self.bytes()?;
            if length > LIMIT_LINE {
                return Some(Line::TooLong(String::from_utf8_lossy(&bytes).into_owned()));
            }
            match String::from_utf8(bytes) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Some(Line::Text(text)),
                Err(error) => {
                    return Some(Line::NotText(String::from_utf8_lossy(error.as_bytes()).into_owned()));
                }
            }
        }
    }
}

/// The beginning of a text on one line, for a complaint.
pub(crate) fn excerpt(text: &str) -> String {
    let shown = text.trim_end().chars().take(LIMIT_EXCERPT);
    let mut shown: String = shown.map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if text.trim_end().chars().nth(LIMIT_EXCERPT).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_beyond_the_limit_is_skipped_and_the_next_one_is_read() {
        let text = format!("one\n\n{}\ntwo", "x".repeat(10 * LIMIT_LINE));
        let mut lines = Lines::new(text.as_bytes());
        assert_eq!(lines.next(), Some(Line::Text("one".to_owned())));
        assert_eq!(lines.next(), Some(Line::TooLong("x".repeat(LIMIT_LINE))));
        assert_eq!(lines.next(), Some(Line::Text("two".to_owned())));
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_kept() {
        let text = format!("{}\n", "x".repeat(LIMIT_LINE));
        assert_eq!(Lines::new(text.as_bytes()).next(), Some(Line::Text("x".repeat(LIMIT_LINE))));
    }

    #[test]
    fn bytes_that_are_no_text_are_told_apart() {
        assert_eq!(
            Lines::new(&b"\xff\xfe{}\n"[..]).next(),
            Some(Line::NotText("\u{fffd}\u{fffd}{}".to_owned()))
        );
    }

    #[test]
    fn an_excerpt_is_short_and_on_one_line() {
        assert_eq!(excerpt("a\tb\r\n"), "a b");
        assert_eq!(excerpt(&"y".repeat(500)).chars().count(), LIMIT_EXCERPT + 1);
    }
}
