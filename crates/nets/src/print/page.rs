//! Lines as they are written, with the comments of the source between them.

use std::collections::VecDeque;

use motet_source::Span;

use super::comments::{Comment, after_blank, comments};

/// Lines are broken before they are wider.
const WIDTH: usize = 100;

/// Whether a blank line stands before a part. Where the source is known, its blank lines count instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// A blank line.
    Wide,
    /// None.
    Narrow,
}

/// What has been written, and the comments that have not.
pub(super) struct Page<'s> {
    out: String,
    depth: usize,
    source: Option<&'s str>,
    comments: VecDeque<Comment<'s>>,
}

impl<'s> Page<'s> {
    /// Nothing is known of the source.
    pub(super) fn new() -> Self {
        Self { out: String::new(), depth: 0, source: None, comments: VecDeque::new() }
    }

    /// Comments and blank lines are those of the source.
    pub(super) fn of(source: &'s str) -> Self {
        Self { source: Some(source), comments: comments(source).into(), ..Self::new() }
    }

    /// Everything, with the comments at the end of the source.
    pub(super) fn finish(mut self) -> String {
        self.comments_before(usize::MAX);
        self.out
    }

    /// Whether there is a comment inside this part.
    pub(super) fn has_comments(&self, span: Span) -> bool {
        let first = self.comments.partition_point(|comment| comment.start < span.start as usize);
        self.comments.get(first).is_some_and(|comment| comment.start < span.end as usize)
    }

    /// Whether this fits on one line.
    pub(super) fn fits(&self, line: &str) -> bool {
        line.chars().nth(WIDTH.saturating_sub(2 * self.depth)).is_none()
    }

    /// A part on its own line or lines. Comments inside it stand above it.
    pub(super) fn line(&mut self, span: Span, gap: Gap, text: &str) {
        let gap = self.gap(span, gap);
        self.comments_before(span.end as usize);
        self.blank(gap);
        self.write(text);
        self.comment_behind(span.end, is_end);
        self.out.push('\n');
    }

    /// The line that opens a block; comments before it stand above it.
    pub(super) fn open(&mut self, span: Span, gap: Gap, text: &str) {
        let gap = self.gap(span, gap);
        self.comments_before(span.start as usize);
        self.blank(gap);
        self.write(text);
        self.depth += 1;
        self.comment_behind(span.start, |gap| gap.trim_end().ends_with('{'));
        self.out.push('\n');
    }

    /// The line that closes a block; `span` is that of the block.
    pub(super) fn close(&mut self, span: Span) {
        self.comments_before(span.end as usize);
        self.depth -= 1;
        self.write("}");
        self.comment_behind(span.end, is_end);
        self.out.push('\n');
    }

    /// The line that opens a block whose place in the source is not known.
    pub(super) fn head(&mut self, text: &str) {
        self.write(text);
        self.depth += 1;
        self.out.push('\n');
    }

    /// The line that closes such a block.
    pub(super) fn tail(&mut self) {
        self.depth -= 1;
        self.write("}\n");
    }

    /// The gap before a part. A comment above it carries the gap of both.
    fn gap(&self, span: Span, usual: Gap) -> Gap {
        match self.source {
            None => usual,
            Some(source) if after_blank(source, span.start as usize) => Gap::Wide,
            Some(_) => Gap::Narrow,
        }
    }

    fn blank(&mut self, gap: Gap) {
        let opened = self.out.is_empty() || self.out.ends_with("{\n") || self.out.ends_with("\n\n");
        if gap == Gap::Wide && !opened {
            self.out.push('\n');
        }
    }

    fn next_comment(&mut self, wanted: impl Fn(&Comment<'s>) -> bool) -> Option<Comment<'s>> {
        if self.comments.front().is_some_and(wanted) { self.comments.pop_front() } else { None }
    }

    fn comments_before(&mut self, end: usize) {
        while let Some(comment) = self.next_comment(|comment| comment.start < end) {
            let blank =
                self.source.is_some_and(|source| comment.own_line && after_blank(source, comment.start));
            self.blank(if blank { Gap::Wide } else { Gap::Narrow });
            self.out.push_str(&"  ".repeat(self.depth));
            self.out.push_str(comment.text);
            self.out.push('\n');
        }
    }

    /// The comment behind a place in the source, if `between` says that nothing of importance stands before it.
    fn comment_behind(&mut self, place: u32, between: fn(&str) -> bool) {
        let Some(source) = self.source else { return };
        let behind = |comment: &Comment<'_>| {
            let gap = source.get(place as usize..comment.start);
            !comment.own_line && gap.is_some_and(|gap| !gap.contains('\n') && between(gap))
        };
        if let Some(comment) = self.next_comment(behind) {
            self.out.push_str("  ");
            self.out.push_str(comment.text);
        }
    }

    /// One line, or several if it is too wide: the later ones are indented twice as far.
    fn write(&mut self, text: &str) {
        let mut indent = 2 * self.depth;
        let mut rest = text;
        while let Some((line, next)) = broken(rest, WIDTH.saturating_sub(indent)) {
            self.out.push_str(&" ".repeat(indent));
            self.out.push_str(line);
            self.out.push('\n');
            rest = next;
            indent = 2 * self.depth + 4;
        }
        self.out.push_str(&" ".repeat(indent));
        self.out.push_str(rest);
    }
}

/// Whether this is only the end of a declaration: its span may lack the signs that close it.
fn is_end(gap: &str) -> bool {
    let signs: String = gap.split_whitespace().collect();
    matches!(signs.as_str(), "" | ";" | "};" | ");" | "();")
}

/// Operators that start a line if it is broken.
const BREAKS: &[&str] = &["and ", "or ", "=> ", "union ", "minus ", "else ", "where "];

/// Breaks a line that is wider at the outermost place in its later half where it may be broken. The language has no
/// quoted texts, so every space is one.
fn broken(text: &str, width: usize) -> Option<(&str, &str)> {
    text.char_indices().nth(width)?;
    let mut depth = 0_usize;
    let mut best: Option<(usize, usize)> = None;
    for (column, (at, character)) in text.char_indices().enumerate() {
        if column > width && best.is_some() {
            break;
        }
        match character {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ' ' => {
                let (before, after) = (&text[..at], &text[at + 1..]);
                let may = before.ends_with([',', ':', '{', ';'])
                    || BREAKS.iter().any(|sign| after.starts_with(sign));
                // Past the width the first place is taken, for want of a better one.
                if may && best.is_none_or(|(least, _)| depth <= least) && 3 * column >= width {
                    best = Some((depth, at));
                }
            }
            _ => {}
        }
    }
    best.map(|(_, at)| (&text[..at], &text[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_line_is_broken_at_its_outermost_place() {
        assert_eq!(broken("in p(a, b, c, d), q(x)", 20), Some(("in p(a, b, c, d),", "q(x)")));
        assert_eq!(broken("when aaaaaaaa and bbbbbbbb", 20), Some(("when aaaaaaaa", "and bbbbbbbb")));
        assert_eq!(broken("short", 20), None);
        assert_eq!(broken("nowhere_to_break_this_word", 20), None);
    }
}
