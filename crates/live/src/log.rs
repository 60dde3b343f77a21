//! The log of a run, read again.

use motet_render::{RUN_SCHEMA, RunCycle, RunEnd, RunEvent, RunHead};
use motet_source::{FileId, Problem, Span};
use serde_json::Value;

/// A run as it was logged.
#[derive(Clone, Debug)]
pub struct Log {
    /// What it is a run of.
    pub head: RunHead,
    /// Its cycles, without a gap.
    pub cycles: Vec<RunCycle>,
    /// How it ended; `None` where the log stops before.
    pub end: Option<RunEnd>,
}

impl Log {
    /// How it ended, or that the log says no more.
    #[must_use]
    pub fn ending(&self) -> RunEnd {
        self.end.clone().unwrap_or_else(|| RunEnd {
            cycles: self.cycles.len() as u64,
            end: "log".to_owned(),
            reason: "the log says no more".to_owned(),
            ..RunEnd::default()
        })
    }
}

/// Reads a log.
///
/// # Errors
/// The first line that is none of a log, and a way out.
pub fn read_log(file: FileId, text: &str) -> Result<Log, Box<Problem>> {
    let mut lines = Numbered { file, text, at: 0 };
    let Some((first, span)) = lines.next() else {
        let span = Span::new(file, 0, 0);
        return Err(foreign(span, "the file is empty"));
    };
    let head = head(first, span)?;
    let mut log = Log { head, cycles: Vec::new(), end: None };
    for (line, span) in lines {
        if log.end.is_some() {
            return Err(torn(span, "the run has ended before this line"));
        }
        match serde_json::from_str(line) {
            Ok(RunEvent::Cycle(cycle)) if cycle.cycle == log.cycles.len() as u64 + 1 => {
                log.cycles.push(*cycle);
            }
            Ok(RunEvent::Cycle(cycle)) => {
                let missing = log.cycles.len() + 1;
                let text = format!("this is cycle {}, where cycle {missing} should be", cycle.cycle);
                return Err(torn(span, &text));
            }
            Ok(RunEvent::End(end)) => log.end = Some(*end),
            Ok(RunEvent::Begin(_)) => return Err(torn(span, "a second run begins here")),
            Err(error) => return Err(torn(span, &format!("the line is no event of a run: {error}"))),
        }
    }
    Ok(log)
}

/// The first line, which says whether the others can be understood.
fn head(line: &str, span: Span) -> Result<RunHead, Box<Problem>> {
    let Ok(value) = serde_json::from_str::<Value>(line) else {
        return Err(foreign(span, "the first line is not JSON"));
    };
    let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default();
    let (name, version) = schema.split_once('/').unwrap_or((schema, ""));
    if name != "motet.run" {
        return Err(foreign(span, "the first line does not say `motet.run`"));
    }
    if schema != RUN_SCHEMA {
        let message =
            format!("the log is in version {version}, this version of Motet reads `{RUN_SCHEMA}` only");
        let help = "follow the run with the version of Motet that made it";
        return Err(Box::new(Problem::error("M0061", span, message, help)));
    }
    match serde_json::from_value(value) {
        Ok(RunEvent::Begin(head)) => Ok(*head),
        Ok(_) => Err(foreign(span, "the first line is not the beginning of a run")),
        Err(error) => Err(torn(span, &format!("the first line is incomplete: {error}"))),
    }
}

fn foreign(span: Span, why: &str) -> Box<Problem> {
    let help = "`motet run MODEL --skills CMD --log FILE` writes one";
    Box::new(Problem::error("M0060", span, format!("this is no log of a run: {why}"), help))
}

fn torn(span: Span, why: &str) -> Box<Problem> {
    let help = "delete this line and all after it to follow the run up to here";
    Box::new(Problem::error("M0062", span, format!("the log is torn: {why}"), help))
}

/// That the log is one of another model.
#[must_use]
pub fn other_model(file: FileId, head: &RunHead, sha256: &str) -> Problem {
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    let message =
        format!("the log is of another model: it says {}, this is {}", short(&head.sha256), short(sha256));
    let help = format!("give the model as it was when the log was made; it was read from `{}`", head.model);
    Problem::error("M0063", Span::new(file, 0, 0), message, help)
}

/// Lines with their places. A line is what ends with a line feed; the rest is one too, because a torn log ends in it.
struct Numbered<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Numbered<'a> {
    type Item = (&'a str, Span);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        // A line may be long: the place of its beginning is enough.
        let start = self.at;
        let shown = rest[..length].char_indices().nth(60).map_or(length, |(at, _)| at);
        self.at += (length + 1).min(rest.len());
        Some((&rest[..length], Span::new(self.file, start, start + shown)))
    }
}
