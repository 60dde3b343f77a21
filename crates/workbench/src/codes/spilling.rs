//! The code of a problem with `--spill`.

use motet_source::{Entry, Problem, Span};

/// The manual entries of the codes about putting states away.
pub const SPILL_CODES: &[Entry] = &[Entry {
    code: "M0024",
    title: "nothing can be put away there",
    text: "`motet check --spill DIR` puts states and steps that do not fit into memory into a file in that folder. The folder \
           could not be made, or no file could be made in it.\n\n\
           Name a folder on a local disk that may be written and has room, such as `--spill /var/tmp`, or leave the option \
           out: the check then ends at its memory limit.",
}];

/// The problem that a folder takes nothing.
#[must_use]
pub fn no_spill(span: Span, path: &str, why: &str) -> Problem {
    let help = "name a folder that may be written and has room, or leave out --spill";
    Problem::error("M0024", span, format!("nothing can be put away in `{path}`: {why}"), help)
}
