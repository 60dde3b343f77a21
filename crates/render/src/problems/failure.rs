//! A command that could not do what it was asked for, as JSON: schema `motet.failure/1`. Fields are only ever added.

use motet_source::{Problems, Sources};
use serde::Serialize;

use crate::problems::diagnostic::{Diagnostic, diagnostics};
use crate::typesetting::page::{Spacing, document};

#[derive(Serialize)]
struct JsonFailure<'a> {
    schema: &'static str,
    motet: &'static str,
    command: &'a [String],
    diagnostics: Vec<Diagnostic>,
    exit: u8,
}

/// The failure as an object with its problems and the exit code.
#[must_use]
pub fn failure_json(
    problems: &Problems,
    sources: &Sources,
    command: &[String],
    exit: u8,
    spacing: Spacing,
) -> String {
    let failure = JsonFailure {
        schema: "motet.failure/1",
        motet: env!("CARGO_PKG_VERSION"),
        command,
        diagnostics: diagnostics(problems, sources),
        exit,
    };
    document(&failure, spacing)
}

#[cfg(test)]
mod tests {
    use motet_source::{Problem, Span};

    use super::*;

    #[test]
    fn a_failure_carries_its_problems_and_the_exit_code() {
        let mut sources = Sources::new();
        let file = sources.add("a.asl", "+!x <- .");
        let mut problems = Problems::new();
        problems.push(Problem::error("M0001", Span::new(file, 3, 4), "there is nothing", "look"));
        let command = ["sim".to_owned(), "a.asl".to_owned()];
        let text = failure_json(&problems, &sources, &command, 3, Spacing::Line);
        assert_eq!(text.lines().count(), 1);
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!((&value["schema"], &value["exit"]), (&"motet.failure/1".into(), &3.into()));
        assert_eq!(value["diagnostics"][0]["range"]["start"]["column"], 4);
    }
}
