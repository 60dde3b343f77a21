//! Action files: `key :: value` lines, where a value may go on over several lines (Izzo 2016, figures 3.4 and 3.6).

use motet_source::{FileId, Problem, Problems, Span, Spanned};

use super::cursor::Cursor;
use super::numbers;
use crate::sentence::{Sentence, fold};
use crate::syntax::{ArgumentTree, FeedbackTree, ProcedureTree, Repeat, Role};

/// The keys this program reads.
const KEYS: [&str; 7] = [
    "procedure name",
    "senglish sentences",
    "process, repeat mode",
    "input classes and local names",
    "output classes and local names",
    "senglish code",
    "performance feedback",
];

/// Keys of other tools, which are read over.
const FOREIGN: [&str; 9] = [
    "mol reference",
    "matlab libraries",
    "matlab url",
    "conceptual graphs",
    "author data",
    "section number",
    "ros package",
    "description",
    "comment",
];

/// One value: where it stands in the file, and its text.
struct Value<'a> {
    key: usize,
    text: &'a str,
    start: usize,
}

/// Reads an action file.
pub(crate) fn read(file: FileId, text: &str) -> (ProcedureTree, Problems) {
    let mut cursor = Cursor::new(file, text, 0, text.len());
    let mut tree = ProcedureTree {
        file,
        name: None,
        sentences: Vec::new(),
        mode: None,
        arguments: Vec::new(),
        feedbacks: Vec::new(),
    };
    let values = values(file, text, &mut cursor.problems);
    for value in &values {
        match value.key {
            0 => tree.name = sentences(file, value).into_iter().next(),
            1 => tree.sentences = sentences(file, value),
            2 => tree.mode = mode(&mut cursor, file, value),
            3 => tree.arguments.extend(arguments(&mut cursor, value, Role::Input)),
            4 => tree.arguments.extend(arguments(&mut cursor, value, Role::Output)),
            6 => tree.feedbacks = feedbacks(&mut cursor, value),
            _ => {}
        }
    }
    for (key, missing) in
        [(0, tree.name.is_none()), (1, tree.sentences.is_empty()), (2, !values.iter().any(|v| v.key == 2))]
    {
        if missing {
            let given = values.iter().find(|value| value.key == key);
            let place = given.map_or(0, |value| value.start);
            let message = format!("the action file has no {}", KEYS[key]);
            let help = format!("add the line `{} :: {}`", KEYS[key], EXAMPLE[key]);
            cursor.problem("M0867", Span::new(file, place, place), message, help);
        }
    }
    (tree, cursor.problems)
}

const EXAMPLE: [&str; 3] = ["open the gate", "Open the gate.", "control, runOnce"];

/// The values of the keys we know, each once.
fn values<'a>(file: FileId, text: &'a str, problems: &mut Problems) -> Vec<Value<'a>> {
    let mut values: Vec<Value<'a>> = Vec::new();
    let mut open = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if line.trim_start().starts_with("//") {
            continue;
        }
        let Some((key, value)) = key_of(line) else {
            if open && let Some(last) = values.last_mut() {
                last.text = &text[last.start..at];
            } else if values.is_empty() && !line.trim().is_empty() && !open {
                let lead = line.len() - line.trim_start().len();
                let span = Span::new(file, start + lead, start + lead + line.trim().len());
                problems.push(Problem::error("M0868", span, "this line has no key", "write `key :: value`"));
                open = false;
            }
            continue;
        };
        let lead = key.len() - key.trim_start().len();
        let span = Span::new(file, start + lead, start + lead + key.trim().len());
        let folded = fold(key);
        let Some(number) = KEYS.iter().position(|known| fold(known) == folded) else {
            open = false;
            let foreign = FOREIGN.iter().any(|known| fold(known) == folded);
            if !foreign && let Some(near) = motet_source::suggest(key.trim(), KEYS) {
                let message = format!("there is no key `{}`", key.trim());
                problems.push(Problem::error("M0868", span, message, format!("did you mean `{near}`?")));
            }
            continue;
        };
        if values.iter().any(|known| known.key == number) {
            let message = format!("`{}` is given twice", KEYS[number]);
            problems.push(Problem::error("M0868", span, message, "keep one of the lines"));
            open = false;
            continue;
        }
        open = true;
        values.push(Value { key: number, text: value, start: start + key.len() + 2 });
    }
    values
}

/// A key is made of words; code that happens to hold `::` is not.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once("::")?;
    let words = key.chars().all(|c| c.is_alphabetic() || c.is_whitespace() || c == ',' || c == '_');
    (words && !key.trim().is_empty()).then_some((key, value))
}

/// `One sentence. Another sentence.`
fn sentences(file: FileId, value: &Value<'_>) -> Vec<Sentence> {
    let mut list = Vec::new();
    let mut at = value.start;
    for part in value.text.split('.') {
        let lead = part.len() - part.trim_start().len();
        let span = Span::new(file, at + lead, at + lead + part.trim().len());
        let sentence = Sentence::new(part, span);
        if !sentence.key.is_empty() {
            list.push(sentence);
        }
        at += part.len() + 1;
    }
    list
}

/// `control, runOnce`
fn mode(
    cursor: &mut Cursor<'_>,
    file: FileId,
    value: &Value<'_>,
) -> Option<(Spanned<String>, Spanned<Repeat>)> {
    let lead = value.text.len() - value.text.trim_start().len();
    let whole = Span::new(file, value.start + lead, value.start + lead + value.text.trim().len());
    let help = "write the subsystem and how it runs: `control, runOnce` or `sensing, runRepeated`";
    let Some((process, repeat)) = value.text.split_once(',') else {
        cursor.problem("M0869", whole, "how the action runs is not said", help);
        return None;
    };
    let start = value.start + process.len() + 1 + (repeat.len() - repeat.trim_start().len());
    let place = Span::new(file, start, start + repeat.trim().len());
    let mode = match fold(repeat).as_str() {
        "runonce" | "run_once" => Repeat::Once,
        "runrepeated" | "run_repeated" => Repeat::Repeated,
        _ => {
            let near = motet_source::suggest(repeat.trim(), ["runOnce", "runRepeated"]);
            let help = near.map_or_else(|| help.to_owned(), |near| format!("did you mean `{near}`?"));
            cursor.problem("M0869", place, format!("`{}` is not a way to run", repeat.trim()), help);
            return None;
        }
    };
    Some((Spanned::new(process.trim().to_owned(), whole), Spanned::new(mode, place)))
}

/// `position [P], desired state vector[X]`
fn arguments(cursor: &mut Cursor<'_>, value: &Value<'_>, role: Role) -> Vec<ArgumentTree> {
    let mut list = Vec::new();
    let mut inner = cursor.part(value.start, value.start + value.text.len());
    loop {
        inner.blanks();
        while inner.eat(",") {
            inner.blanks();
        }
        let start = inner.at();
        let class = inner.until(&['[', ',']);
        let span = Span::new(inner.here().file, start, start + class.trim_end().len());
        if class.trim().is_empty() && inner.peek() != Some('[') {
            break;
        }
        let help = "write class [Name], class [Name]";
        if inner.peek() != Some('[') {
            inner.problem("M0860", span, format!("`{}` has no local name", class.trim()), help);
            continue;
        }
        let Some((local, at)) = inner.bracketed('[', ']') else { break };
        let place = Span::new(span.file, at, at + local.len());
        let class = Sentence::new(class, span);
        if class.key.is_empty() || local.trim().is_empty() {
            inner.problem("M0860", place, "a class and a local name are expected here", help);
            continue;
        }
        list.push(ArgumentTree { class, local: Spanned::new(local.trim().to_owned(), place), role });
    }
    cursor.problems.extend(inner.problems);
    list
}

/// `Continue[0.6,5,2], Abort[0.4,5,2]`
fn feedbacks(cursor: &mut Cursor<'_>, value: &Value<'_>) -> Vec<FeedbackTree> {
    let mut list = Vec::new();
    let mut inner = cursor.part(value.start, value.start + value.text.len());
    loop {
        inner.blanks();
        while inner.eat(",") || inner.eat(".") {
            inner.blanks();
        }
        let start = inner.at();
        let name = inner.until(&['[', ',', ']']);
        let span = Span::new(inner.here().file, start, start + name.trim_end().len());
        if name.trim().is_empty() && inner.peek() != Some('[') {
            if inner.take().is_none() {
                break;
            }
            let stray = inner.span(start);
            inner.problem("M0862", stray, "`]` closes nothing", "write Name[p,mu,sigma], Name[p,mu,sigma]");
            continue;
        }
        let help = "write how it comes behind it: Name[p,mu,sigma]";
        if inner.peek() != Some('[') {
            inner.problem("M0864", span, format!("the feedback `{}` has no numbers", name.trim()), help);
            continue;
        }
        let bracket = inner.at();
        let Some((content, at)) = inner.bracketed('[', ']') else { break };
        let place = inner.span(bracket);
        let sentence = Sentence::new(name, span);
        if sentence.key.is_empty() {
            inner.problem("M0860", place, "the feedback has no name", help);
            continue;
        }
        if let Some(numbers) = numbers::distribution(&mut inner, content, at, place) {
            list.push(FeedbackTree { sentence, numbers });
        }
    }
    cursor.problems.extend(inner.problems);
    list
}
