//! Automata in the Hanoi format: what is read, and what is said about what cannot be read.

use motet_property::{Guard, Sense, parse_hoa};
use motet_source::FileId;
use motet_source::fuzz::{Corpus, each_seed};

const RESPONSE: &str = r#"HOA: v1
name: "response"
claim: never
States: 2
Start: 0
AP: 2 "door = open" "alarm"
Alias: @open 0 & !1
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc
--BODY--
State: 0 "waits"
[t] 0
[@open] 1
State: 1 {0}
[!1] 1
--END--
"#;

fn codes(text: &str) -> Vec<&'static str> {
    parse_hoa(FileId(0), text).1.iter().map(|problem| problem.code).collect()
}

#[test]
fn an_automaton_is_read_with_its_aliases_names_and_sets() {
    let (read, problems) = parse_hoa(FileId(0), RESPONSE);
    assert!(!problems.has_errors());
    let automaton = &read[0];
    assert_eq!((automaton.name.as_deref(), automaton.sense), (Some("response"), Sense::Never));
    let propositions: Vec<&str> = automaton.propositions.iter().map(|text| text.node.as_str()).collect();
    assert_eq!(propositions, ["door = open", "alarm"]);
    let place = automaton.propositions[0].span;
    assert_eq!(&RESPONSE[place.start as usize..place.end as usize], "door = open");
    assert_eq!(automaton.edges.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    // Acceptance of a state is acceptance of the edges that leave it.
    assert_eq!((automaton.edges[0][1].sets, automaton.edges[1][0].sets), (0, 1));
    assert!(automaton.edges[0][1].guard.admits(&|proposition| proposition == 0));
    assert!(!automaton.edges[0][1].guard.admits(&|_| true));
}

/// The format puts a backslash before each quote and each backslash of a text.
#[test]
fn a_sentence_in_quotes_is_the_proposition_that_it_was() {
    let text = RESPONSE.replace("\"door = open\"", r#""\"Door is open\" | door = \"a\\b\"""#);
    let text = text.replace("name: \"response\"", r#"name: "the \"door\"""#);
    let (read, problems) = parse_hoa(FileId(0), &text);
    assert!(!problems.has_errors());
    assert_eq!(read[0].name.as_deref(), Some("the \"door\""));
    assert_eq!(read[0].propositions[0].node, r#""Door is open" | door = "a\b""#);
}

#[test]
fn labels_that_are_left_out_stand_for_all_letters_in_order() {
    let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t\n--BODY-- State: 0 0 0 --END--";
    let (read, problems) = parse_hoa(FileId(0), text);
    assert!(!problems.has_errors());
    let guards: Vec<&Guard> = read[0].edges[0].iter().map(|edge| &edge.guard).collect();
    assert_eq!(guards, [&Guard::Not(Box::new(Guard::Proposition(0))), &Guard::Proposition(0)]);
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    assert_eq!(codes("States: 1"), ["M0270"]);
    assert_eq!(codes(&RESPONSE.replace("1 Inf(0)", "2 Fin(0) & Inf(1)")), ["M0271"]);
    assert_eq!(codes(&RESPONSE.replace("Start: 0", "Start: 0&1")), ["M0272"]);
    assert_eq!(codes(&RESPONSE.replace("[!1] 1", "[!1] 0&1")), ["M0272"]);
    assert_eq!(codes(&RESPONSE.replace("[!1] 1", "[!7] 1")), ["M0273"]);
    assert_eq!(codes(&RESPONSE.replace("[!1] 1", "[!1] 9")), ["M0273"]);
    assert_eq!(codes(&RESPONSE.replace("@open]", "@shut]")), ["M0273"]);
    assert_eq!(codes(&RESPONSE.replace("{0}", "{4}")), ["M0273"]);
}

#[test]
fn all_automata_of_a_file_are_read_past_one_that_is_broken() {
    let text = format!("{}{RESPONSE}", RESPONSE.replace("1 Inf(0)", "1 Fin(0)"));
    let (read, problems) = parse_hoa(FileId(0), &text);
    assert_eq!((read.len(), problems.iter().count()), (1, 1));
}

#[test]
fn mutated_automata_are_read_or_refused() {
    const PIECES: &[&str] =
        &["HOA: v1", "[", "]", "{0}", "&", "!", "(", "\"", "--BODY--", "State:", "9999999999", "@", "é"];
    let corpus = Corpus { texts: &[RESPONSE], pieces: PIECES };
    each_seed(2_000, |_, random| {
        let text = corpus.mutant(random);
        let (read, problems) = parse_hoa(FileId(0), &text);
        assert!(!read.is_empty() || problems.has_errors() || text.trim().is_empty(), "{text}");
    });
}
