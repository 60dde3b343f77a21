//! Wrong texts and what is said about them. Each model of `tests/corpus/wrong` lies beside a file of the same name that
//! ends in `.problems` and lists what must be reported, exactly; `MOTET_UPDATE=1` rewrites it, for review before it is
//! committed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use motet_brahms::CODES;
use motet_brahms::parse::parse;
use motet_source::{Problems, Sources};

#[expect(clippy::disallowed_methods, reason = "the cases of this test are files")]
fn text_of(path: &PathBuf) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn cases() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/wrong");
    let files = std::fs::read_dir(folder).expect("the cases exist");
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "b"));
    paths.sort();
    paths
}

fn problems(path: &PathBuf) -> (Problems, Sources) {
    let text = text_of(path).expect("a case is a text");
    let mut sources = Sources::new();
    let file = sources.add(path.file_name().expect("a file").to_string_lossy(), text.as_str());
    let (_, mut problems) = parse(file, &text);
    problems.sort();
    (problems, sources)
}

#[test]
fn wrong_texts_get_exactly_the_expected_problems() {
    #[expect(clippy::disallowed_methods, reason = "a switch for whoever updates the expectations")]
    let update = std::env::var("MOTET_UPDATE").is_ok();
    let cases = cases();
    assert!(cases.len() >= 8, "the cases are found");
    let mut differing = String::new();
    for case in &cases {
        let (problems, sources) = problems(case);
        let found = problems.lines(&sources);
        for problem in &problems {
            let first = problem.message.chars().next().expect("a message is not empty");
            assert!(!first.is_uppercase() && !problem.message.ends_with('.'), "{}", problem.message);
            assert!(!problem.help.is_empty(), "no way out of {problem:?}");
        }
        let expectation = case.with_extension("problems");
        if text_of(&expectation).as_deref() == Some(found.as_str()) && !found.is_empty() {
            continue;
        }
        if update {
            #[expect(clippy::disallowed_methods, reason = "the cases of this test are files")]
            std::fs::write(&expectation, &found).unwrap();
        }
        differing += &format!("{}:\n{found}\n", case.display());
    }
    assert!(differing.is_empty(), "{differing}");
}

#[test]
fn every_code_of_syntax_is_explained_and_exercised() {
    let mut raised: BTreeSet<&str> = BTreeSet::new();
    for case in cases() {
        raised.extend(problems(&case).0.iter().map(|problem| problem.code));
    }
    let deep = format!("agent A {{ initial_beliefs: (x.a = {}1); }}", "(".repeat(500));
    let others = [deep.as_str(), include_str!("corpus/untidy.b")];
    for text in others {
        raised.extend(parse(motet_source::FileId(0), text).1.iter().map(|problem| problem.code));
    }
    let is_syntax = |code: &&str| ("M0700".."M0720").contains(code);
    let explained: BTreeSet<&str> = CODES.iter().map(|entry| entry.code).filter(is_syntax).collect();
    assert_eq!(raised, explained);
}
