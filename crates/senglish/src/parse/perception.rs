//! `PERCEPTION PROCESS`: what the agent perceives, with numbers about the world (Izzo 2016, section 3.4.1).

use motet_source::{Span, Spanned};

use super::cursor::Cursor;
use super::numbers;
use super::sections::entry;
use crate::sentence::{Sentence, fold};
use crate::syntax::{ConditionTree, NumbersTree, ObjectTree, PerceptTree, ReasoningTree};

/// Which list the lines belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    None,
    Booleans,
    Objects,
}

/// Reads the section into the tree.
pub(crate) fn read(cursor: &mut Cursor<'_>, tree: &mut ReasoningTree) {
    let mut list = List::None;
    loop {
        cursor.blanks();
        if cursor.peek().is_none() {
            return;
        }
        if let Some(title) = title(cursor) {
            list = title;
            continue;
        }
        if list == List::Objects {
            tree.objects.extend(object(cursor));
            continue;
        }
        if list == List::None {
            let here = cursor.here();
            let help = "write `Monitor the following booleans:` above the percepts";
            cursor.problem("M0860", here, "this line belongs to no list", help);
            list = List::Booleans;
        }
        tree.percepts.extend(percept(cursor));
    }
}

/// `Monitor the following booleans:` or `... objects:`
fn title(cursor: &mut Cursor<'_>) -> Option<List> {
    let line = cursor.rest().lines().next().unwrap_or("");
    let (words, _) = line.split_once(':')?;
    let list = match fold(words).as_str() {
        "monitor_the_following_booleans" => List::Booleans,
        "monitor_the_following_objects" => List::Objects,
        _ => return None,
    };
    cursor.skip(words.len() + 1);
    Some(list)
}

/// `position [P].`
fn object(cursor: &mut Cursor<'_>) -> Option<ObjectTree> {
    let start = cursor.at();
    let file = cursor.here().file;
    let text = cursor.until(&['.', '\n', '[', ']', '{', '}']);
    let class = Sentence::new(text, Span::new(file, start, start + text.trim_end().len()));
    let name = if cursor.peek() == Some('[') {
        let (text, inner) = cursor.bracketed('[', ']')?;
        Some(Spanned::new(text.trim().to_owned(), Span::new(file, inner, inner + text.len())))
    } else {
        None
    };
    cursor.spaces();
    if class.key.is_empty() || !cursor.eat(".") {
        let span = cursor.span(start);
        cursor.until(&['\n']);
        cursor.problem(
            "M0860",
            span,
            "this is not an object",
            "write its class, its name in brackets and a dot: position [P].",
        );
        return None;
    }
    Some(ObjectTree { class, name })
}

fn percept(cursor: &mut Cursor<'_>) -> Option<PerceptTree> {
    let sentence = entry(cursor)?;
    let (mut numbers, mut rewards) = (None, Vec::new());
    loop {
        cursor.blanks();
        if cursor.peek() != Some('{') {
            break;
        }
        let start = cursor.at();
        let Some((content, inner)) = cursor.bracketed('{', '}') else { break };
        let span = cursor.span(start);
        if content.trim_start().starts_with('[') {
            numbers = group(cursor, inner, inner + content.len(), span).or(numbers);
        } else {
            rewards.extend(numbers::rewards(cursor, content, inner));
        }
    }
    Some(PerceptTree { sentence, numbers, rewards })
}

/// `[conditions],[p,mu,sigma],[p,mu,sigma]`
fn group(cursor: &mut Cursor<'_>, start: usize, end: usize, span: Span) -> Option<NumbersTree> {
    let mut inner = cursor.part(start, end);
    let mut parts: Vec<(&str, usize, Span)> = Vec::new();
    loop {
        inner.blanks();
        inner.eat(",");
        inner.blanks();
        match inner.peek() {
            Some('[') => {
                let at = inner.at();
                let Some((text, place)) = inner.bracketed('[', ']') else { break };
                let span = inner.span(at);
                parts.push((text, place, span));
            }
            Some(_) => {
                let here = inner.here();
                inner.until(&['[']);
                inner.problem("M0864", here, "a list in brackets is expected here", SHAPE);
            }
            None => break,
        }
    }
    let failed = inner.problems.has_errors();
    cursor.problems.extend(inner.problems);
    let [conditions, activation, deactivation] = parts[..] else {
        if !failed {
            let message = format!("three lists are expected here, and there are {}", parts.len());
            cursor.problem("M0864", span, message, SHAPE);
        }
        return None;
    };
    let conditions = conditions_of(conditions.0, conditions.1, span);
    let activation = numbers::distribution(cursor, activation.0, activation.1, activation.2);
    let deactivation = numbers::distribution(cursor, deactivation.0, deactivation.1, deactivation.2);
    Some(NumbersTree { conditions, activation: activation?, deactivation: deactivation?, span })
}

const SHAPE: &str = "write {[conditions],[p,mu,sigma],[p,mu,sigma]}: how it comes, then how it goes";

fn conditions_of(text: &str, inner: usize, span: Span) -> Vec<ConditionTree> {
    let mut conditions = Vec::new();
    let mut at = inner;
    for part in text.split(',') {
        let begin = at;
        at += part.len() + 1;
        let (agent, words, offset) = match part.split_once(':') {
            Some((agent, words)) => (Some(agent), words, agent.len() + 1),
            None => (None, part, 0),
        };
        let lead = words.len() - words.trim_start().len();
        let start = begin + offset + lead;
        let sentence = Sentence::new(words, Span::new(span.file, start, start + words.trim().len()));
        if sentence.key.is_empty() {
            continue;
        }
        let agent = agent.map(|agent| {
            let lead = agent.len() - agent.trim_start().len();
            let place = Span::new(span.file, begin + lead, begin + lead + agent.trim().len());
            Spanned::new(fold(agent), place)
        });
        conditions.push(ConditionTree { agent, sentence });
    }
    conditions
}
