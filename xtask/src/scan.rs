//! A scanner that knows just enough Rust to tell code from comments and literals.

/// The same text with comments and the insides of literals blanked; line breaks and all other bytes stay in place.
#[must_use]
pub(crate) fn blank(text: &str) -> String {
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0, out: Vec::with_capacity(text.len()) };
    while scanner.at < scanner.bytes.len() {
        scanner.token();
    }
    String::from_utf8(scanner.out).expect("blanking replaces whole characters by spaces")
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    out: Vec<u8>,
}

impl Scanner<'_> {
    fn token(&mut self) {
        let rest = &self.bytes[self.at..];
        match rest {
            [b'/', b'/', ..] => {
                let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                self.erase(length);
            }
            [b'/', b'*', ..] => self.erase(block_comment(rest)),
            [b'"', ..] => self.literal(string(rest)),
            [b'\'', ..] => match character(rest) {
                Some(length) => self.literal(length),
                None => self.keep(1),
            },
            [first, ..] if is_word(*first) => self.word(),
            _ => self.keep(1),
        }
    }

    /// A word, or the prefix of a raw or byte string.
    fn word(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        let after = &rest[length..];
        self.keep(length);
        match &rest[..length] {
            b"r" | b"br" | b"cr" => {
                if let Some(raw) = raw_string(after) {
                    self.literal(raw);
                }
            }
            b"b" | b"c" if after.first() == Some(&b'"') => self.literal(string(after)),
            _ => {}
        }
    }

    fn keep(&mut self, length: usize) {
        self.out.extend_from_slice(&self.bytes[self.at..self.at + length]);
        self.at += length;
    }

    fn erase(&mut self, length: usize) {
        let blanked = self.bytes[self.at..self.at + length].iter();
        self.out.extend(blanked.map(|&byte| if byte == b'\n' { b'\n' } else { b' ' }));
        self.at += length;
    }

    /// Keeps the quotes, so that a literal still looks like one.
    fn literal(&mut self, length: usize) {
        self.keep(1);
        if length > 1 {
            self.erase(length.saturating_sub(2));
            self.keep(1);
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn block_comment(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at + 1 < text.len() {
        match &text[at..at + 2] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

fn string(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

fn raw_string(text: &[u8]) -> Option<usize> {
    let hashes = text.iter().position(|&byte| byte != b'#')?;
    if text[hashes] != b'"' {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(hashes + 1, b'#');
    let inside = &text[hashes + 1..];
    let end = inside.windows(close.len()).position(|window| window == close)?;
    Some(hashes + 1 + end + close.len())
}

/// The length of a character literal; `None` for a lifetime.
fn character(text: &[u8]) -> Option<usize> {
    if text.get(1) == Some(&b'\\') {
        let end = text.iter().skip(3).position(|&byte| byte == b'\'')?;
        return Some(end + 4);
    }
    let text = std::str::from_utf8(&text[1..text.len().min(6)])
        .or_else(|error| std::str::from_utf8(&text[1..=error.valid_up_to()]));
    let first = text.ok()?.chars().next()?;
    let end = 1 + first.len_utf8();
    (text.ok()?.as_bytes().get(end - 1) == Some(&b'\'')).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_code_stays_in_place() {
        let text = "a(\"{\\\"\"); // }\nlet c = '{'; /* { /* } */ */ b\n";
        let code = blank(text);
        assert_eq!(code.len(), text.len());
        assert!(!code.contains(['{', '}']), "{code}");
        assert!(code.contains("let c = ' ';") && code.contains('b'), "{code}");
    }

    #[test]
    fn raw_strings_end_at_their_own_hashes() {
        let code = blank("let a = r#\"{ \" }\"#; let b = r\"{\"; c{");
        assert_eq!(code.matches('{').count(), 1, "{code}");
    }

    #[test]
    fn a_lifetime_is_not_a_character() {
        let code = blank("fn f<'a>(x: &'a str) -> char { '\\'' }");
        assert!(code.contains("fn f<'a>(x: &'a str) -> char {") && code.ends_with('}'), "{code}");
    }
}
