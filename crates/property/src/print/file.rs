//! A whole file in canonical form. Comments are kept: those inside an item move above it, those behind it stay behind.

use crate::claim::Kind;
use crate::print::{name, surface};
use crate::syntax::{ClaimsFile, Comment, Dialect, Expectation, Item, ItemNode};

/// An item that is wider stands on several lines.
const WIDTH: usize = 100;
const INDENT: &str = "  ";

/// The file in Motet's dialect. A file of another dialect is rewritten with the parentheses it needs; what it means stays.
/// Files with errors must not be printed: what was not understood would be lost.
#[must_use]
pub fn format_file(file: &ClaimsFile) -> String {
    let mut out = String::new();
    let mut comments = file.comments.iter().peekable();
    let printed = file.items.iter().filter(|item| {
        // The dialect line of another dialect would be a lie in the result.
        !matches!(item.node, ItemNode::Dialect(dialect) if dialect != Dialect::Motet)
    });
    let mut items = printed.peekable();
    while let Some(item) = items.next() {
        let before = item.span.end;
        let mut blank = item.after_blank;
        while let Some(comment) = comments.next_if(|comment| comment.span.start < before) {
            write_blank(&mut out, comment.after_blank || blank);
            write_comment(&mut out, comment);
            blank = false;
            if comment.span.start < item.span.start && comment.span.end <= item.span.start {
                blank = item.after_blank && comments.peek().is_none_or(|next| next.span.start >= before);
            }
        }
        write_blank(&mut out, blank);
        out.push_str(&lines(item));
        let end = items.peek().map_or(u32::MAX, |next| next.span.start);
        if let Some(comment) = comments.next_if(|comment| !comment.own_line && comment.span.start < end) {
            out.push_str("  ");
            out.push_str(&comment.text);
        }
        out.push('\n');
    }
    for comment in comments {
        write_blank(&mut out, comment.after_blank);
        write_comment(&mut out, comment);
    }
    out
}

fn write_blank(out: &mut String, blank: bool) {
    if blank && !out.is_empty() {
        out.push('\n');
    }
}

fn write_comment(out: &mut String, comment: &Comment) {
    out.push_str(&comment.text);
    out.push('\n');
}

/// The parts of an item that may stand on lines of their own: its name, its formula, what is expected.
struct Parts {
    head: String,
    body: Option<String>,
    tail: Option<String>,
}

/// An item on one line if it fits, else its formula below its name.
fn lines(item: &Item) -> String {
    let parts = parts(item);
    let all: Vec<&str> = [Some(&parts.head), parts.body.as_ref(), parts.tail.as_ref()]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let line = all.join(" ");
    if line.chars().count() <= WIDTH {
        return line;
    }
    let mut lines = parts.head;
    for part in [parts.body, parts.tail].into_iter().flatten() {
        lines.push('\n');
        lines.push_str(&wrapped(&part));
    }
    lines
}

fn parts(item: &Item) -> Parts {
    match &item.node {
        ItemNode::Dialect(_) => whole("dialect motet".to_owned()),
        ItemNode::Model(path) => whole(format!("model {}", name::quoted(&path.node))),
        ItemNode::Const(constant) => {
            let mut text = format!("const {}", name::declared(&constant.name.node));
            if let Some(sort) = &constant.sort {
                text += &format!(": {}", name::declared(&sort.node));
            }
            if let Some(value) = &constant.value {
                text += &format!(" = {}", surface::value(value));
            }
            whole(text)
        }
        ItemNode::Define(define) => {
            let mut head = format!("define {}", name::declared(&define.name.node));
            if !define.parameters.is_empty() {
                let names: Vec<String> =
                    define.parameters.iter().map(|parameter| name::declared(&parameter.node)).collect();
                head += &format!("({})", names.join(", "));
            }
            Parts { head: head + " =", body: Some(surface::readable(&define.body)), tail: None }
        }
        ItemNode::Claim(claim) => {
            let word = match claim.kind {
                Kind::Property => "property",
                Kind::Possible => "possible",
                Kind::Query => "query",
                Kind::Assume => "assume",
            };
            let mut head = format!("{word} {}", name::declared(&claim.name.node));
            if let Some(words) = &claim.words {
                head += &format!(" {}", name::quoted(&words.node));
            }
            let tail = claim.expect.as_ref().map(|expect| format!("expect {}", expectation(&expect.node)));
            Parts { head: head + ":", body: Some(surface::readable(&claim.body)), tail }
        }
    }
}

fn whole(head: String) -> Parts {
    Parts { head, body: None, tail: None }
}

fn expectation(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Holds => "holds".to_owned(),
        Expectation::Fails => "fails".to_owned(),
        Expectation::Reachable => "reachable".to_owned(),
        Expectation::Unreachable => "unreachable".to_owned(),
        Expectation::Compare(relation, value, tolerance) => {
            let mut text = format!("{} {}", surface::relation(*relation), surface::value(value));
            if let Some(tolerance) = tolerance {
                text += &format!(" +- {}", surface::value(tolerance));
            }
            text
        }
        Expectation::Infinite => "= infinity".to_owned(),
        Expectation::Within(low, high) => format!("in [{}, {}]", surface::value(low), surface::value(high)),
    }
}

/// Indented, and broken behind operators where it is too wide; never inside an atom, a text or a name in back-ticks.
fn wrapped(text: &str) -> String {
    let mut out = String::from(INDENT);
    let mut column = INDENT.len();
    for chunk in chunks(text) {
        let width = chunk.chars().count();
        if column > INDENT.len() && column + 1 + width > WIDTH {
            out.push('\n');
            out.push_str(INDENT);
            out.push_str(INDENT);
            column = 2 * INDENT.len();
        } else if column > INDENT.len() {
            out.push(' ');
            column += 1;
        }
        out.push_str(&chunk);
        column += width;
    }
    out
}

/// Pieces of a formula between which a line may end: behind operators, colons, and commas outside of brackets.
fn chunks(text: &str) -> Vec<String> {
    const ENDS: [&str; 14] =
        ["&", "|", "->", "<->", "and", "or", "xor", "implies", "iff", "U", "W", "R", "until", "unless"];
    let mut chunks: Vec<String> = vec![String::new()];
    let mut depth = 0_usize;
    for word in words(text) {
        let chunk = chunks.last_mut().expect("there is always a last chunk");
        if !chunk.is_empty() {
            chunk.push(' ');
        }
        chunk.push_str(word);
        if !word.starts_with(['"', '`']) {
            depth += word.matches(['(', '[', '{']).count();
            depth = depth.saturating_sub(word.matches([')', ']', '}']).count());
        }
        if ENDS.contains(&word) || word.ends_with(':') || (word.ends_with(',') && depth == 0) {
            chunks.push(String::new());
        }
    }
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut inside, mut escaped) = (0, None, false);
    for (at, c) in text.char_indices() {
        match (inside, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(end), _) if c == end => inside = None,
            (Some(_), _) => {}
            (None, '"' | '`') => inside = Some(c),
            (None, ' ') => {
                words.push(&text[start..at]);
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    words.push(&text[start..]);
    words
}
