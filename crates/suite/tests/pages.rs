//! The specification and the corpus are true.

use motet_suite::{folder, run};

fn assert_true(under: &str) {
    let failures = run::run_pages(&folder::root(), under);
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn pages_are_found() {
    let n_pages = |under| folder::pages(&folder::root(), under).len();
    assert!(n_pages("spec") >= 30 && n_pages("corpus") >= 30, "the walk is broken, or MOTET_PAGE is set");
}

#[test]
fn the_specification_of_agentspeak_is_true() {
    assert_true("spec/agentspeak");
}

#[test]
fn the_specification_of_brahms_is_true() {
    assert_true("spec/brahms");
}

#[test]
fn the_specification_of_prism_is_true() {
    assert_true("spec/prism");
}

#[test]
fn the_specification_of_senglish_is_true() {
    assert_true("spec/senglish");
}

#[test]
fn the_specification_of_nets_is_true() {
    assert_true("spec/nets");
}

#[test]
fn the_specification_of_claims_is_true() {
    assert_true("spec/claims");
}

#[test]
fn the_corpus_is_true() {
    assert_true("corpus");
}
