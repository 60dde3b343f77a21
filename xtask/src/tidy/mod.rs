//! Checks of the whole repository that the compiler cannot make. `tests/tidy.rs` runs them with the other tests.

mod banned;
mod clocks;
mod edges;
mod limits;
mod links;
mod loops;
mod names;
mod problems;
mod type_names;

use std::fmt;

use crate::Tree;

/// Something untidy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file.
    pub path: String,
    /// 1-based; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong and what to do.
    pub message: String,
}

impl Finding {
    fn new(path: impl Into<String>, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.into(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// What the checks found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Must be repaired.
    pub findings: Vec<Finding>,
    /// Worth a look: files on their way to the limit.
    pub remarks: Vec<Finding>,
}

/// Runs all checks.
#[must_use]
pub fn tidy(tree: &Tree) -> Report {
    let checks: [fn(&Tree) -> Vec<Finding>; 11] = [
        edges::check,
        names::check,
        limits::files,
        limits::functions,
        banned::check,
        banned::roots,
        clocks::check,
        problems::check,
        links::check,
        loops::check,
        type_names::check,
    ];
    let mut findings: Vec<Finding> = checks.iter().flat_map(|check| check(tree)).collect();
    findings.sort();
    Report { findings, remarks: limits::long_files(tree) }
}

/// The 1-based line of a byte offset.
fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// The texts between single back-ticks, with their lines; fenced blocks are passed over.
fn back_ticked(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let pieces = line.split('`').skip(1).step_by(2);
            found.extend(pieces.map(|piece| (number + 1, piece)));
        }
    }
    found
}
