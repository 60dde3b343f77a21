//! Claims that are automata, beside a model.

use motet_evidence::Verdict;
use motet_workbench::{CheckOptions, Loaded, Project, Sources, check, load};

const LIGHT: &str = "mdp\nmodule light\n  on : bool init false;\n  [] true -> (on' = !on);\nendmodule\n";

fn hoa(claim: &str, propositions: &str, body: &str) -> String {
    format!(
        "HOA: v1\nname: \"again\"\nclaim: {claim}\nStates: 2\nStart: 0\nAP: {propositions}\nAcceptance: 1 \
         Inf(0)\n--BODY--\n{body}\n--END--\n"
    )
}

fn read(automaton: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add("light.prism", LIGHT);
    sources.add("light.hoa", automaton);
    load(Project { path: "light".to_owned(), sources, ..Project::default() })
}

fn verdict(automaton: &str) -> Verdict {
    let loaded = read(automaton);
    assert!(loaded.ready.is_some(), "{}", loaded.problems.lines(&loaded.sources));
    let report = check(&loaded, &CheckOptions::default(), &mut |_| {});
    assert!(report.internal.is_empty(), "{:?}", report.internal);
    assert_eq!(report.claims[0].name, "again");
    report.claims[0].outcome.verdict.clone()
}

/// On every second state and on no other: deterministic, and it ends where the light stays.
const BLINKS: &str = "State: 0 {0}\n[!0] 1\nState: 1\n[0] 0";
/// The light is on from some state on, for ever.
const STAYS: &str = "State: 0\n[t] 0\n[0] 1\nState: 1 {0}\n[0] 1";

#[test]
fn an_automaton_beside_a_model_is_a_claim_about_all_its_runs() {
    assert_eq!(verdict(&hoa("property", "1 \"on\"", BLINKS)), Verdict::Holds);
    assert_eq!(verdict(&hoa("never", "1 \"on\"", BLINKS)), Verdict::Fails);
    assert_eq!(verdict(&hoa("possible", "1 \"on\"", BLINKS)), Verdict::Holds);
    assert_eq!(verdict(&hoa("never", "1 \"on\"", STAYS)), Verdict::Holds);
    assert_eq!(verdict(&hoa("possible", "1 \"on\"", STAYS)), Verdict::Fails);
}

#[test]
fn an_automaton_with_choices_cannot_be_asked_of_all_runs() {
    assert!(matches!(verdict(&hoa("property", "1 \"on\"", STAYS)), Verdict::Unknown(_)));
}

#[test]
fn propositions_are_about_single_states_in_the_words_of_the_model() {
    assert_eq!(read(&hoa("never", "1 \"F on\"", STAYS)).problems.codes(), ["M0274"]);
    let unknown = read(&hoa("never", "1 \"off\"", STAYS));
    assert!(unknown.ready.is_none());
    let place = unknown.problems.lines(&unknown.sources);
    assert!(place.starts_with("light.hoa:6:"), "{place}");
}
