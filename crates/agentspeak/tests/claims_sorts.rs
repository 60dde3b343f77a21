//! Claims are held against what the model declares: a claim, the code of its problem, and the text that is marked.

use std::collections::BTreeMap;

use motet_agentspeak::AgentSpeak;
use motet_model::{Language as _, Options};
use motet_property::{lower, parse};
use motet_source::{Problems, Sources};

const FILES: &[(&str, &str)] = &[
    (
        "ag.asl",
        "+start <- act.
",
    ),
    (
        "t.team",
        "team small
agent ag
env world {
  sort zone = {inside, outside}
  sort floor = {1, 2, 3}
  var robot : zone = inside
  var level : floor = 1
  var parts : 0..5 = 0
  var wish : bool = false
  var seat : opt zone = none
  var bid[agent] : 0..3 = 0
  percept start
  action act { parts := 1 }
}
",
    ),
];

/// The codes of the problems of a claim, and the texts at which they stand.
fn problems(claim: &str) -> Vec<(&'static str, String)> {
    let mut sources = Sources::new();
    for (name, text) in FILES {
        sources.add(*name, *text);
    }
    let mut found = Problems::new();
    let draft = AgentSpeak.read(&sources, &Options::default(), &mut found).expect("the model has no faults");
    let claim = format!("property A: {claim}");
    let id = sources.add("a.props", claim.as_str());
    let (file, mut found) = parse(id, &claim, None);
    let lowered = lower(&file, draft.vocabulary(), &BTreeMap::new(), &mut found);
    assert_eq!(lowered.claims.is_empty(), found.has_errors(), "{claim}");
    found.iter().map(|problem| (problem.code, sources.text(problem.span).to_owned())).collect()
}

#[test]
fn a_value_that_is_never_one_is_marked_where_it_stands() {
    for (claim, code, text) in [
        ("never robot = 3", "M0233", "3"),
        ("never parts = inside", "M0233", "inside"),
        ("never wish > 1", "M0236", "wish"),
        ("never wish = 1", "M0233", "1"),
        ("never robot = insde", "M0234", "insde"),
        ("never robot = none", "M0233", "none"),
        ("never parts = 9", "M0311", "9"),
        ("never level = 4", "M0311", "4"),
        ("never bid[ag] = 7", "M0311", "7"),
        ("never bid[ag9] = 1", "M0234", "ag9"),
        ("never bid[3] = 1", "M0233", "3"),
        ("never parts = robot", "M0233", "robot"),
        ("never robot < outside", "M0236", "robot"),
        ("forall z in zone: never parts = z", "M0233", "z"),
    ] {
        assert_eq!(problems(claim), [(code, text.to_owned())], "{claim}");
    }
}

#[test]
fn what_the_model_may_hold_is_not_doubted() {
    for claim in [
        "never robot = outside",
        "never seat = none",
        "never seat = robot",
        "never level > 1",
        "never bid[ag] = 3",
        "forall a in agent: never bid[a] = 2",
        "never parts = level",
        "never wish = true",
        "Bel(ag, start)",
    ] {
        assert_eq!(problems(claim), [], "{claim}");
    }
}
