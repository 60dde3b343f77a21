//! Texts to resolved models, for tests.

use std::collections::BTreeMap;

use motet_model::Options;
use motet_nets::parse::parse;
use motet_nets::resolve::{Resolved, resolve};
use motet_source::{FileId, Sources, Span};

/// The model with these constants bound, and one line per problem.
pub(crate) fn read(text: &str, parameters: &[(&str, &str)]) -> (Option<Resolved>, String) {
    let mut sources = Sources::new();
    sources.add("m.npn", text);
    let (tree, mut problems) = parse(FileId(0), text);
    assert_eq!(problems.lines(&sources), "", "the text is read");
    let parameters: BTreeMap<String, String> =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let found = resolve(
        &tree,
        &Options { parameters, ..Options::default() },
        Span::new(FileId(0), 0, 0),
        &mut problems,
    );
    (found, problems.lines(&sources))
}

/// The problems of a text, one line each.
#[allow(dead_code, reason = "not every test needs it")]
pub(crate) fn said(text: &str) -> String {
    read(text, &[]).1
}

/// The model of a text without errors.
#[allow(dead_code, reason = "not every test needs it")]
pub(crate) fn resolved(text: &str) -> Resolved {
    let (found, problems) = read(text, &[]);
    found.unwrap_or_else(|| panic!("{problems}"))
}
