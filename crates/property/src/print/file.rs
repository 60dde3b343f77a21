//! A whole file in canonical form. Comments are kept: those inside an item move above it, those behind it stay behind.

use crate::claim::Kind;
use crate::print::{name, surface};
use crate::syntax::{ClaimsFile, Comment, Dialect, Expectation, Item, ItemNode};

/// Lines are wrapped at blanks beyond this column.
const WIDTH: usize = 100;

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
        let text = wrapped(&item_text(item));
        out.push_str(&text);
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

fn item_text(item: &Item) -> String {
    match &item.node {
        ItemNode::Dialect(_) => "dialect motet".to_owned(),
        ItemNode::Model(path) => format!("model {}", name::quoted(&path.node)),
        ItemNode::Const(constant) => {
            let mut text = format!("const {}", name::declared(&constant.name.node));
            if let Some(sort) = &constant.sort {
                text += &format!(": {}", name::declared(&sort.node));
            }
            if let Some(value) = &constant.value {
                text += &format!(" = {}", surface::value(value));
            }
            text
        }
        ItemNode::Define(define) => {
            let mut text = format!("define {}", name::declared(&define.name.node));
            if !define.parameters.is_empty() {
                let names: Vec<String> =
                    define.parameters.iter().map(|parameter| name::declared(&parameter.node)).collect();
                text += &format!("({})", names.join(", "));
            }
            format!("{text} = {}", surface::readable(&define.body))
        }
        ItemNode::Claim(claim) => {
            let word = match claim.kind {
                Kind::Property => "property",
                Kind::Possible => "possible",
                Kind::Query => "query",
                Kind::Assume => "assume",
            };
            let mut text = format!("{word} {}", name::declared(&claim.name.node));
            if let Some(words) = &claim.words {
                text += &format!(" {}", name::quoted(&words.node));
            }
            text += &format!(": {}", surface::readable(&claim.body));
            if let Some(expect) = &claim.expect {
                text += &format!(" expect {}", expectation(&expect.node));
            }
            text
        }
    }
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
        Expectation::Within(low, high) => format!("in [{}, {}]", surface::value(low), surface::value(high)),
    }
}

/// Breaks a long line at blanks, never inside a text or a name in back-ticks.
fn wrapped(text: &str) -> String {
    if text.chars().count() <= WIDTH {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut column = 0;
    for word in words(text) {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            out.push_str("\n    ");
            column = 4;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out
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
