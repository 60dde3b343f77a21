//! The examples of the reference page are what the program reads.

mod support;

use support::{codes, read_as, vocabulary_with_agents};

const PAGE: &str = include_str!("../../../docs/book/src/reference/claims.md");

/// The blocks of the page with this label.
fn blocks(label: &str) -> Vec<&'static str> {
    let start = format!("```{label}\n");
    PAGE.split(&start).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_example_of_the_reference_is_read() {
    let vocabulary = motet_model::Vocabulary {
        agents: vocabulary_with_agents()
            .agents
            .into_iter()
            .chain(["Deputy".into(), "Nurse".into()])
            .collect(),
        ..vocabulary_with_agents()
    };
    let blocks = blocks("claims");
    assert_eq!(blocks.len(), 4);
    for block in blocks {
        let read = read_as(block, None, &vocabulary);
        assert!(read.problems.is_empty(), "{block}\n{}", read.problems.lines(&read.sources));
        assert!(!read.lowered.claims.is_empty());
    }
}

#[test]
fn every_refusal_of_the_reference_is_refused_with_its_code() {
    let lines: Vec<&str> = blocks("refused")[0].lines().collect();
    assert_eq!(lines.len(), 15);
    for line in lines {
        let (formula, code) = line.split_once("//").unwrap();
        assert_eq!(codes(&format!("property x: {formula}")).first(), Some(&code.trim()), "{formula}");
    }
}
