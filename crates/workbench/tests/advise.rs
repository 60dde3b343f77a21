//! Advice: which queries it takes, how it ranks, and what it refuses.

use motet_evidence::Fit;
use motet_workbench::{AdviceDesk, AdviseOptions, Limits, Project, Selection, Sources, Threshold, load};

/// Whoever settles with plan 2 sits outside, where it may rain; with plan 1 nobody is ever outside.
const AGENT: &str = include_str!("advise/porch.sej");

const CLAIMS: &str = "\
query Out: Pmax=? [F<=9 cycles (\"Outside\" & \"The gate opens\")]
query Wet: Pmin=? [F<=4 cycles (\"Outside\" & \"It rains\")]
query Twice: Pmax=? [F (\"It rains\" & X F \"Outside\")]
property Never: never \"Outside\" expect fails
";

struct Asked<'a> {
    claims: &'a str,
    names: &'a [&'a str],
    formulas: &'a [&'a str],
    thresholds: &'a [&'a str],
    states: Option<u64>,
}

const ASKED: Asked<'static> =
    Asked { claims: CLAIMS, names: &["Out", "Wet"], formulas: &[], thresholds: &[], states: None };

/// The desk, or the code and the words of the first problem.
fn open(agent: (&str, &str), asked: &Asked<'_>) -> Result<AdviceDesk, (String, String)> {
    let mut sources = Sources::new();
    sources.add(agent.0, agent.1);
    sources.add("porch.props", asked.claims);
    let queries = asked.formulas.iter().map(ToString::to_string).collect();
    let selection = Selection { queries, ..Selection::default() };
    let mut loaded = load(Project { sources, selection, ..Project::default() });
    let ready = loaded.ready.take().unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let names = asked.names.iter().chain(asked.formulas).map(ToString::to_string).collect();
    let options = AdviseOptions {
        queries: names,
        thresholds: asked
            .thresholds
            .iter()
            .map(|text| Threshold::parse(text).expect("a threshold"))
            .collect(),
        limits: Limits { states: asked.states, ..Limits::default() },
        ..AdviseOptions::default()
    };
    AdviceDesk::open(&ready, &mut loaded.sources, &options, &mut |_| {}).map_err(|problems| {
        let problem = problems.iter().next().expect("a refusal says why");
        (problem.code.to_owned(), format!("{}; {}", problem.message, problem.help))
    })
}

const PORCH: (&str, &str) = ("porch.sej", AGENT);
const MORNING: &str = r#"{"beliefs": {"Day begins": true}, "counters": {"The gate opens": 2}}"#;

fn ranking(asked: &Asked<'_>) -> Vec<String> {
    let mut desk = open(PORCH, asked).expect("the porch is solved");
    let advice = desk.answer(MORNING).expect("a situation");
    advice.ranked.into_iter().map(|ranked| ranked.text).collect()
}

#[test]
fn the_greatest_wants_more_and_the_least_wants_less() {
    assert_eq!(ranking(&Asked { names: &["Out", "Wet"], ..ASKED }), ["plan 2", "plan 1"]);
    assert_eq!(ranking(&Asked { names: &["Wet", "Out"], ..ASKED }), ["plan 1", "plan 2"]);
}

/// Both plans settle, so the first query says nothing and the second one ranks.
#[test]
fn what_is_equally_good_is_told_apart_by_the_next_query() {
    let settled = "Pmax=? [F \"Settled\"]";
    let formulas = [settled, "Pmax=? [F \"Outside\"]"];
    assert_eq!(ranking(&Asked { names: &[], formulas: &formulas, ..ASKED }), ["plan 2", "plan 1"]);
    let formulas = [settled, "Pmin=? [F \"Outside\"]"];
    assert_eq!(ranking(&Asked { names: &[], formulas: &formulas, ..ASKED }), ["plan 1", "plan 2"]);
    assert_eq!(ranking(&Asked { names: &[], formulas: &[settled], ..ASKED }), ["plan 1", "plan 2"]);
}

/// Plan 1 leaves nobody outside; with plan 2 the gate, which counts to 4 and then opens every second time, opens at count 4
/// after two cycles, then after five more.
#[test]
fn a_choice_is_worth_what_comes_of_it() {
    let advice = open(PORCH, &ASKED).unwrap().answer(MORNING).unwrap();
    assert_eq!(advice.fit, Fit::Exact);
    let worth = |at: usize| (advice.ranked[at].values[0].low, advice.ranked[at].values[0].high);
    assert_eq!(worth(1), (0.0, 0.0));
    let (low, high) = worth(0);
    assert!(low <= 0.75 && 0.75 <= high && high - low < 1e-9, "{low} {high}");
    assert_eq!(advice.now[0].query, "Out");
    assert!((advice.now[0].high - high).abs() < 1e-9, "the best choice is worth what the situation is");
}

#[test]
fn a_formula_of_the_command_line_is_named_by_its_text() {
    let formula = "Pmax=? [F \"Outside\"]";
    let mut desk = open(PORCH, &Asked { formulas: &[formula], ..ASKED }).unwrap();
    assert_eq!(desk.adviser().queries(), ["Out", "Wet", formula]);
    assert_eq!(desk.at_start().now.len(), 3);
}

#[test]
fn thresholds_make_beliefs_and_what_lies_on_both_sides_makes_none() {
    let thresholds = ["Go out: Out > 0.5", "Stay in: Out < 0.75", "Dry: Wet <= 0"];
    let mut desk = open(PORCH, &Asked { names: &["Wet"], thresholds: &thresholds, ..ASKED }).unwrap();
    assert_eq!(desk.adviser().queries(), ["Wet", "Out"], "the query of a threshold is answered, too");
    let beliefs = desk.answer(MORNING).unwrap().beliefs;
    // The number is 0.75, certified between two others.
    assert_eq!(beliefs, [("Go out".to_owned(), true), ("Dry".to_owned(), true)]);
}

#[test]
fn what_has_no_answer_by_look_up_is_refused() {
    let refused = |asked: &Asked<'_>| open(PORCH, asked).err().expect("it is refused");
    let (code, words) = refused(&Asked { names: &["Ouf"], ..ASKED });
    assert!(code == "M0070" && words.contains("there is `Out`"), "{code} {words}");
    let (code, words) = refused(&Asked { names: &["Never"], ..ASKED });
    assert!(code == "M0070" && words.contains("asks for no number"), "{code} {words}");
    let (code, _) = refused(&Asked { names: &[], claims: "possible P: \"Outside\"", ..ASKED });
    assert_eq!(code, "M0070");
    let (code, words) = refused(&Asked { names: &["Out", "Twice"], ..ASKED });
    assert!(code == "M0071" && words.contains("Twice") && words.contains("remember"), "{code} {words}");
    let (code, _) = refused(&Asked { states: Some(3), ..ASKED });
    assert_eq!(code, "M0072");
    let assumed = format!("assume Rain: eventually \"It rains\"\n{CLAIMS}");
    let (code, _) = refused(&Asked { claims: &assumed, ..ASKED });
    assert_eq!(code, "M0073");
    let (code, words) = refused(&Asked { thresholds: &["Go out: Oft > 1"], ..ASKED });
    assert!(code == "M0075" && words.contains("there is `Out`"), "{code} {words}");
}

/// The coin may be thrown or kept; a PRISM model has no team that could be put into a situation.
#[test]
fn a_model_whose_situations_cannot_be_described_is_advised_at_its_start() {
    let coin = "mdp\nmodule m\n s : [0..2];\n [keep] s=0 -> (s'=2);\n [throw] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);\nendmodule\n";
    let asked = Asked { claims: "query Win: Pmax=? [F s=1]", names: &[], ..ASKED };
    let mut desk = open(("coin.prism", coin), &asked).unwrap();
    let start = desk.at_start();
    assert_eq!(start.fit, Fit::Exact);
    assert_eq!(start.ranked.len(), 2);
    assert!(start.ranked[0].text.contains("throw") && start.ranked[1].text.contains("keep"), "{start:?}");
    let wrong = desk.answer("{}").unwrap_err();
    assert_eq!(wrong.code, "M0076");
}
