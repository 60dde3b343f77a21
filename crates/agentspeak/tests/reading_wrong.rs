//! Wrong texts and what is said about them. Each file of `tests/wrong` holds the texts of one team, each behind a line
//! `--- NAME`, then the options under `--- options`, then every problem under `--- expected`. Files are compared
//! exactly; `MOTET_UPDATE=1` rewrites what is expected, for review before it is committed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use motet_agentspeak::CODES;
use motet_agentspeak::project::read;
use motet_model::Options;
use motet_source::{Problems, Sources};

/// One wrong team.
struct Case {
    path: PathBuf,
    /// Everything up to the expectation.
    input: String,
    expected: Option<String>,
}

fn cases() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the cases exist")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths.into_iter().map(case).collect()
}

fn case(path: PathBuf) -> Case {
    #[expect(clippy::disallowed_methods, reason = "the cases of this test are files")]
    let text = std::fs::read_to_string(&path).expect("a case is a text");
    match text.split_once("--- expected\n") {
        Some((input, expected)) => {
            Case { path, input: input.to_owned(), expected: Some(expected.to_owned()) }
        }
        None => Case { path, input: text, expected: None },
    }
}

fn sections(text: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("--- ") {
            sections.push((name.trim().to_owned(), String::new()));
        } else {
            let (_, body) = sections.last_mut().expect("a case starts with `--- NAME`");
            body.push_str(line);
        }
    }
    sections
}

fn options(text: &str) -> Options {
    let mut options = Options::default();
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').expect("options read `-D NAME=VALUE`");
        match (word, rest.split_once('=')) {
            ("-D", Some((name, value))) => {
                options.parameters.insert(name.to_owned(), value.to_owned());
            }
            ("--bound", Some((name, value))) => {
                options.bounds.insert(name.to_owned(), value.parse().expect("a bound is a number"));
            }
            ("--rule", Some((name, value))) => {
                options.rules.insert(name.to_owned(), value.to_owned());
            }
            ("--mode", None) => options.mode = Some(rest.to_owned()),
            _ => panic!("unknown option {line}"),
        }
    }
    options
}

/// The problems of a case, line by line, and their codes.
fn problems(case: &Case) -> (String, BTreeSet<&'static str>) {
    let mut sources = Sources::new();
    let mut given = Options::default();
    for (name, text) in sections(&case.input) {
        if name == "options" {
            given = options(&text);
        } else {
            sources.add(name, text);
        }
    }
    let mut problems = Problems::new();
    let program = read(&sources, &given, &mut problems);
    assert_eq!(
        program.is_none(),
        problems.has_errors(),
        "{}: errors and only errors stop",
        case.path.display()
    );
    for problem in &problems {
        assert!(!problem.help.is_empty(), "{}: no way out of {problem:?}", case.path.display());
        let first = problem.message.chars().next().expect("a message is not empty");
        assert!(!first.is_uppercase() || problem.message.starts_with("AgentSpeak"), "{}", problem.message);
        assert!(!problem.message.ends_with('.'), "{}", problem.message);
    }
    let codes = problems.iter().map(|problem| problem.code).collect();
    (problems.lines(&sources), codes)
}

#[test]
fn wrong_texts_get_exactly_the_expected_problems() {
    #[expect(clippy::disallowed_methods, reason = "a switch for whoever updates the expectations")]
    let update = std::env::var("MOTET_UPDATE").is_ok();
    let cases = cases();
    assert!(cases.len() >= 30, "the cases are found");
    let mut differing = String::new();
    for case in &cases {
        let (found, _) = problems(case);
        if case.expected.as_deref() == Some(found.as_str()) && !found.is_empty() {
            continue;
        }
        if update {
            #[expect(clippy::disallowed_methods, reason = "the cases of this test are files")]
            std::fs::write(&case.path, format!("{}--- expected\n{found}", case.input)).unwrap();
        }
        let expected = case.expected.as_deref().unwrap_or("(nothing is expected: write `--- expected`)");
        differing += &format!("{}\nexpected:\n{expected}\nfound:\n{found}\n", case.path.display());
    }
    assert!(differing.is_empty(), "{differing}");
}

#[test]
fn every_code_of_reading_is_explained_and_exercised() {
    let raised: BTreeSet<&str> = cases().iter().flat_map(|case| problems(case).1).collect();
    let explained: BTreeSet<&str> = CODES.iter().map(|entry| entry.code).collect();
    let unexplained: Vec<_> = raised.difference(&explained).collect();
    assert!(unexplained.is_empty(), "no entry for {unexplained:?}");
    // The tables beside this one are about claims and finished explorations; neither comes from reading.
    let of_reading = explained.iter();
    let silent: Vec<_> = of_reading.filter(|code| !raised.contains(*code)).collect();
    assert!(silent.is_empty(), "no wrong text raises {silent:?}");
}
