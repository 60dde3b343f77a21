//! Lines from the agent, none longer than the protocol allows.

use std::io::{self, BufRead};

/// Longest line in bytes.
pub const LONGEST: usize = 64 << 10;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line.
    Text(String),
    /// Something that is no line of the protocol, in the user's words.
    Bad(&'static str),
    /// Nothing will come any more.
    End,
}

/// The next line. A longer one than [`LONGEST`] is passed over without keeping it.
///
/// # Errors
/// When the stream cannot be read.
pub fn next(reader: &mut impl BufRead) -> io::Result<Line> {
    let mut line: Vec<u8> = Vec::new();
    let mut too_long = false;
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        if line.len() + part.len() <= LONGEST {
            line.extend_from_slice(part);
        } else {
            too_long = true;
        }
        let used = end.map_or(bytes.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(finished(line, too_long));
        }
    }
    Ok(if line.is_empty() && !too_long { Line::End } else { finished(line, too_long) })
}

fn finished(line: Vec<u8>, too_long: bool) -> Line {
    if too_long {
        return Line::Bad("a line is longer than 64 KiB");
    }
    String::from_utf8(line).map_or(Line::Bad("a line is no UTF-8"), Line::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Line> {
        // A tiny buffer, so that lines are put together from several reads.
        let mut reader = io::BufReader::with_capacity(7, bytes);
        let mut lines = Vec::new();
        loop {
            match next(&mut reader).expect("memory can be read") {
                Line::End => return lines,
                line => lines.push(line),
            }
        }
    }

    #[test]
    fn lines_are_told_apart_and_the_last_needs_no_end() {
        let text = |text: &str| Line::Text(text.to_string());
        assert_eq!(all(b"one and a half\n\nthree"), [text("one and a half"), text(""), text("three")]);
    }

    #[test]
    fn too_long_and_foreign_bytes_are_told_and_passed_over() {
        let mut bytes = vec![b'x'; LONGEST + 1];
        bytes.extend_from_slice(b"\n\xff\xfe\nok\n");
        let lines = all(&bytes);
        assert!(matches!(lines[..], [Line::Bad(_), Line::Bad(_), Line::Text(_)]), "{}", lines.len());
        let mut fits = vec![b'x'; LONGEST];
        fits.push(b'\n');
        assert!(matches!(all(&fits)[..], [Line::Text(_)]));
    }
}
