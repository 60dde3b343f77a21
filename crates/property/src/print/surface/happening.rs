//! What happens, and how often, as text.

use super::{Level, bound_value, said, text};
use crate::formula::Relation;
use crate::syntax::{Count, Form, Node, Passing, Times, Tree, Wording};

pub(super) fn shown(node: &Node) -> String {
    match &node.tree {
        Tree::Becomes(Form::Sentence, what) => match &what.tree {
            Tree::Compare(left, rest) => match rest.as_slice() {
                [(Relation::Eq, right)] => {
                    format!("{} becomes {}", text(left, Level::Sum), text(right, Level::Sum))
                }
                _ => prefixed("becomes", what),
            },
            _ => prefixed("becomes", what),
        },
        Tree::Becomes(_, what) => prefixed("becomes", what),
        // The words of `becomes p again` reach over both.
        Tree::Again(what) => format!("{} again", super::plain(what)),
        Tree::Counted(count) => counted(count),
        Tree::Passes(passing, form, from, to, content) => passed(*passing, *form, (from, to), content),
        _ => String::new(),
    }
}

fn prefixed(word: &str, what: &Node) -> String {
    let what = text(what, Level::Prefix);
    if what.starts_with(['<', '[', '-']) { format!("{word} ({what})") } else { format!("{word} {what}") }
}

fn counted(count: &Count) -> String {
    let times = match &count.times {
        Times::Once => "once".to_owned(),
        Times::Twice => "twice".to_owned(),
        Times::Number(number) => format!("{} times", bound_value(number)),
    };
    let tally = count.tally.words();
    match count.wording {
        Wording::Before => prefixed(&format!("{tally} {times}"), &count.what),
        Wording::Behind => format!("{} {tally} {times}", text(&count.what, Level::Comparison)),
        Wording::NeverTwice => format!("never {} twice", text(&count.what, Level::Prefix)),
        Wording::NeverMoreThan => {
            format!("never {} more than {times}", text(&count.what, Level::Prefix))
        }
    }
}

fn passed(passing: Passing, form: Form, (from, to): (&Node, &Node), content: &Node) -> String {
    let function = |word: &str, one: &Node, other: &Node| {
        let (one, other) = (text(one, Level::Sum), text(other, Level::Sum));
        format!("{word}({one}, {other}, {})", text(content, Level::Iff))
    };
    match (passing, form) {
        (Passing::Sends, Form::Sentence) => {
            format!("{} sends {} {}", text(from, Level::Sum), text(to, Level::Operand), said(content))
        }
        (Passing::Reads, Form::Sentence) => {
            format!("{} reads {} from {}", text(to, Level::Sum), said(content), text(from, Level::Operand))
        }
        (Passing::Sends, Form::Function) => function("Sends", from, to),
        (Passing::Reads, Form::Function) => function("Reads", to, from),
    }
}
