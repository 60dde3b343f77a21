//! The reasoning file and its five sections (Izzo 2016, section 3.4).

use motet_source::{FileId, Problem, Problems, Span};

use super::cursor::{Cursor, without_comments};
use super::{perception, plans, tokens};
use crate::sentence::{Sentence, fold, nearest};
use crate::syntax::{InitialBelief, ReasoningTree, Sign};

/// The titles, in their order.
const TITLES: [&str; 5] =
    ["INITIAL BELIEFS AND GOALS", "INITIAL ACTIONS", "PERCEPTION PROCESS", "REASONING", "EXECUTABLE PLANS"];

const ORDER: &str = "the order is INITIAL BELIEFS AND GOALS, INITIAL ACTIONS, PERCEPTION PROCESS, REASONING, EXECUTABLE PLANS; \
                     what an agent does not need may be left out";

/// Reads a reasoning file.
pub(crate) fn read(file: FileId, text: &str) -> (ReasoningTree, Problems) {
    let clean = without_comments(text);
    let mut problems = Problems::new();
    let mut tree = ReasoningTree {
        file,
        beliefs: Vec::new(),
        actions: Vec::new(),
        percepts: Vec::new(),
        objects: Vec::new(),
        rules: Vec::new(),
        plans: Vec::new(),
    };
    for (section, start, end) in sections(file, &clean, &mut problems) {
        let mut cursor = Cursor::new(file, &clean, start, end);
        match section {
            0 => tree.beliefs.extend(initial_beliefs(&mut cursor)),
            1 => tree.actions.extend(bare(&mut cursor).into_iter().map(|(sentence, _)| sentence)),
            2 => perception::read(&mut cursor, &mut tree),
            3 => {
                let tokens = tokens::tokens(&mut cursor);
                tree.rules.extend(plans::rules(&tokens, &mut cursor.problems));
            }
            _ => {
                let tokens = tokens::tokens(&mut cursor);
                tree.plans.extend(plans::plans(&tokens, &mut cursor.problems));
            }
        }
        problems.extend(cursor.problems);
    }
    (tree, problems)
}

/// Which section stands where: number, first byte, one past the last byte.
fn sections(file: FileId, clean: &str, problems: &mut Problems) -> Vec<(usize, usize, usize)> {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    let mut at = 0;
    let mut stray: Option<Span> = None;
    for line in clean.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let text = line.trim();
        let lead = line.len() - line.trim_start().len();
        let span = Span::new(file, start + lead, start + lead + text.len());
        let Some(title) = title(text, span, problems) else {
            if found.is_empty() && !text.is_empty() && stray.is_none() {
                stray = Some(span);
            }
            if let Some(last) = found.last_mut() {
                last.2 = end;
            }
            continue;
        };
        if let Some((last, ..)) = found.last()
            && title < *last
        {
            let message = format!("{} comes too late", TITLES[title]);
            problems.push(Problem::error("M0861", span, message, ORDER));
        } else if found.iter().any(|(section, ..)| *section == title) {
            let message = format!("{} is there twice", TITLES[title]);
            problems.push(Problem::error("M0861", span, message, "put both parts under one title"));
        }
        found.push((title, end, end));
    }
    if let Some(span) = stray {
        problems.push(Problem::error("M0861", span, "this stands before the first section", ORDER));
    } else if found.is_empty() {
        let span = Span::new(file, 0, 0);
        problems.push(Problem::error("M0861", span, "the reasoning file has no sections", ORDER));
    }
    found
}

/// The number of the section whose title this line is.
fn title(text: &str, span: Span, problems: &mut Problems) -> Option<usize> {
    let text = text.trim_end_matches(':');
    let capitals = text.chars().filter(|c| c.is_alphabetic()).count() >= 4
        && text.chars().all(|c| c.is_uppercase() || c.is_whitespace() || c == '_' || c == '&');
    let key = fold(text);
    let known = TITLES.iter().position(|title| fold(title) == key);
    if let Some(number) = known {
        if !capitals {
            let message = "a section's title is written in capitals";
            let help = format!("write {}", TITLES[number]);
            problems.push(Problem::error("M0861", span, message, help).fix(span, TITLES[number]));
        }
        return known;
    }
    if !capitals {
        return None;
    }
    let near = nearest(text, TITLES);
    let help = near.map_or_else(|| ORDER.to_owned(), |near| format!("did you mean {near}?"));
    problems.push(Problem::error("M0861", span, format!("there is no section {text}"), help));
    near.and_then(|near| TITLES.iter().position(|title| *title == near))
}

fn initial_beliefs(cursor: &mut Cursor<'_>) -> Vec<InitialBelief> {
    bare(cursor).into_iter().map(|(sentence, sign)| InitialBelief { sentence, sign }).collect()
}

/// Sentences that need no brackets: each on a line of its own, with a dot.
fn bare(cursor: &mut Cursor<'_>) -> Vec<(Sentence, Sign)> {
    let mut list = Vec::new();
    loop {
        cursor.blanks();
        if cursor.peek().is_none() {
            return list;
        }
        let sign = if cursor.eat("~") {
            cursor.spaces();
            Sign::HoldsNot
        } else {
            Sign::Holds
        };
        if cursor.eat("^") {
            cursor.spaces();
        }
        if let Some(sentence) = entry(cursor) {
            list.push((sentence, sign));
        }
    }
}

/// One sentence with its dot, in brackets or not.
pub(crate) fn entry(cursor: &mut Cursor<'_>) -> Option<Sentence> {
    let start = cursor.at();
    let (text, inner) = if cursor.peek() == Some('[') {
        let (text, inner) = cursor.bracketed('[', ']')?;
        cursor.spaces();
        cursor.eat(".");
        (text, inner)
    } else {
        let text = cursor.until(&['.', '\n', '[', ']', '{', '}']);
        let span = cursor.span(start);
        let trimmed = Span::new(span.file, start, start + text.trim_end().len());
        if cursor.eat(".") {
        } else if matches!(cursor.peek(), Some('[' | ']' | '}'))
            || (text.trim().is_empty() && cursor.peek().is_some())
        {
            let here = cursor.here();
            let odd = cursor.until(&['\n']).trim().to_owned();
            cursor.problem(
                "M0860",
                here,
                format!("`{}` has no meaning here", first(&odd)),
                "write a sentence and a dot",
            );
            return None;
        } else {
            let place = Span { start: trimmed.end, ..trimmed };
            let problem = Problem::error(
                "M0863",
                trimmed,
                "the sentence does not end with a dot",
                "write a dot behind it",
            );
            cursor.problems.push(problem.fix(place, "."));
        }
        (text, start)
    };
    let lead = text.len() - text.trim_start().len();
    let file = cursor.here().file;
    let sentence = Sentence::new(text, Span::new(file, inner + lead, inner + lead + text.trim().len()));
    if sentence.key.is_empty() {
        let span = cursor.span(start);
        cursor.problem(
            "M0860",
            span,
            "there is no sentence before the dot",
            "write words, or take the dot away",
        );
        return None;
    }
    Some(sentence)
}

fn first(text: &str) -> String {
    text.chars().take(1).collect()
}
