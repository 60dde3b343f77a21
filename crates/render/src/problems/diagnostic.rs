//! Problems of the input as JSON: the `diagnostics` of a report's envelope.

use motet_source::{Problem, Problems, Severity, Sources, Span};
use serde::Serialize;

/// A problem of the input.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnostic {
    code: &'static str,
    severity: &'static str,
    file: String,
    range: Range,
    message: String,
    label: String,
    notes: Vec<String>,
    help: String,
    fixes: Vec<JsonFix>,
}

#[derive(Clone, Debug, Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Clone, Debug, Serialize)]
struct Position {
    line: usize,
    column: usize,
}

#[derive(Clone, Debug, Serialize)]
struct JsonFix {
    file: String,
    range: Range,
    text: String,
}

/// Problems as the envelope's `diagnostics`.
#[must_use]
pub fn diagnostics(problems: &Problems, sources: &Sources) -> Vec<Diagnostic> {
    problems.iter().map(|problem| diagnostic(problem, sources)).collect()
}

fn diagnostic(problem: &Problem, sources: &Sources) -> Diagnostic {
    Diagnostic {
        code: problem.code,
        severity: severity_word(problem.severity),
        file: sources.file(problem.span.file).path.clone(),
        range: range(problem.span, sources),
        message: problem.message.clone(),
        label: problem.label.clone(),
        notes: problem.notes.clone(),
        help: problem.help.clone(),
        fixes: problem
            .fix
            .iter()
            .map(|fix| JsonFix {
                file: sources.file(fix.span.file).path.clone(),
                range: range(fix.span, sources),
                text: fix.text.clone(),
            })
            .collect(),
    }
}

fn range(span: Span, sources: &Sources) -> Range {
    let position = |at: u32| {
        let place = sources.place(Span { start: at, end: at, ..span });
        Position { line: place.line, column: place.column }
    };
    Range { start: position(span.start), end: position(span.end) }
}

pub(crate) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}
