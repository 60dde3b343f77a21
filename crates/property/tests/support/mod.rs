//! Shared by the tests: a vocabulary, reading and lowering in one go, and a small random source.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses a part")]

use std::collections::BTreeMap;

use motet_model::{Observers, Vocabulary};
use motet_property::{ClaimsFile, Dialect, Lowered, lower, parse};
use motet_source::fuzz::check_problems;
use motet_source::{FileId, Problems, Sources};

/// A small team: sorts as in the examples, agents left open unless asked for. Everybody may know something.
pub fn vocabulary() -> Vocabulary {
    let sort = |name: &str, members: &[&str]| {
        (name.to_owned(), members.iter().map(|member| (*member).to_owned()).collect::<Vec<_>>())
    };
    Vocabulary {
        sorts: vec![
            sort("Patient", &["Patient_one", "Patient_two"]),
            sort("Nurse", &["Nurse_one", "Nurse_two"]),
            sort("Users", &["Emily", "Eve"]),
            sort("Roles", &["reader", "writer"]),
            sort("Requests", &["1", "2"]),
        ],
        observers: Observers::Named(
            ["ag1", "ag2", "ag3", "Bob", "Robot", "Nurse_one", "Nurse_two", "Doctor_one", "a", "b", "x", "y"]
                .map(str::to_owned)
                .to_vec(),
        ),
        ..Vocabulary::default()
    }
}

/// The same with agents, so that agent names are checked.
pub fn vocabulary_with_agents() -> Vocabulary {
    let agents = ["ag1", "ag2", "ag3", "Bob", "Robot"];
    let agents: Vec<String> = agents.iter().map(|agent| (*agent).to_owned()).collect();
    Vocabulary { agents, observers: Observers::Agents, ..vocabulary() }
}

pub struct Read {
    pub file: ClaimsFile,
    pub lowered: Lowered,
    pub problems: Problems,
    pub sources: Sources,
}

pub fn read_as(text: &str, dialect: Option<Dialect>, vocabulary: &Vocabulary) -> Read {
    let mut sources = Sources::new();
    let id = sources.add("test.props", text);
    let (file, mut problems) = parse(id, text, dialect);
    let lowered = lower(&file, vocabulary, &BTreeMap::new(), &mut problems);
    Read { file, lowered, problems, sources }
}

pub fn read(text: &str) -> Read {
    read_as(text, None, &vocabulary())
}

/// The one formula of a file without problems, printed with every parenthesis.
pub fn formula(text: &str) -> String {
    let read = read(&format!("property x: {text}"));
    assert!(read.problems.is_empty(), "{text}\n{}", read.problems.lines(&read.sources));
    motet_property::print_formula(&read.lowered.claims[0].formula, &read.lowered.atoms)
}

/// The codes of all problems of a file, in order.
pub fn codes(text: &str) -> Vec<&'static str> {
    read_as(text, None, &vocabulary_with_agents()).problems.iter().map(|problem| problem.code).collect()
}

/// Every span must lie inside its file.
pub fn check_spans(read: &Read) {
    let length = u32::try_from(read.sources.file(FileId(0)).text.len()).expect("test texts are short");
    check_problems(&read.problems, &read.sources);
    for atom in &read.lowered.atoms {
        assert!(atom.span.start <= atom.span.end && atom.span.end <= length);
    }
}

/// How many rounds a randomised test makes; `MOTET_ROUNDS` asks for more.
#[expect(
    clippy::disallowed_methods,
    reason = "widening a test is the one thing a test reads the environment for"
)]
pub fn rounds(usual: usize) -> usize {
    let asked = std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
    asked.max(usual)
}
