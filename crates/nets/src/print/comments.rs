//! Comments of a text. Texts without errors have no quoted texts, so `//` and `/*` start comments wherever they stand.

/// A comment, with its signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comment<'s> {
    /// What is written.
    pub(super) text: &'s str,
    /// First byte.
    pub(super) start: usize,
    /// Whether nothing stands before it on its line.
    pub(super) own_line: bool,
}

/// All comments, in order.
pub(super) fn comments(source: &str) -> Vec<Comment<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = source[at..].find('/') {
        let start = at + offset;
        let rest = &source[start..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            at = start + 1;
            continue;
        };
        let line = source[..start].rfind('\n').map_or(0, |end| end + 1);
        let own_line = source[line..start].trim().is_empty();
        found.push(Comment { text: rest[..length].trim_end(), start, own_line });
        at = start + length;
    }
    found
}

/// Whether the line above the one with this byte is blank.
pub(super) fn after_blank(source: &str, byte: usize) -> bool {
    let Some(end) = source[..byte].rfind('\n') else { return false };
    let line = source[..end].rfind('\n').map_or(0, |end| end + 1);
    source[line..end].trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_both_kinds_are_found_and_divisions_are_not() {
        let found = comments("a // b\n /* c\n d */ e / f /* open");
        let told: Vec<_> = found.iter().map(|comment| (comment.text, comment.own_line)).collect();
        assert_eq!(told, [("// b", false), ("/* c\n d */", true), ("/* open", false)]);
    }

    #[test]
    fn a_blank_line_above_is_seen() {
        let text = "a\n\n  b\nc";
        assert!(after_blank(text, 5) && !after_blank(text, 7) && !after_blank(text, 0));
    }
}
