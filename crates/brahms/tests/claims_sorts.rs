//! Claims are held against what the model declares: a claim, the code of its problem, and the text that is marked.

use std::collections::BTreeMap;

use motet_brahms::Brahms;
use motet_model::{Language as _, Options};
use motet_property::{lower, parse};
use motet_source::{Problems, Sources};

const FILES: &[(&str, &str)] = &[(
    "m.b",
    "group Patient { attributes: public boolean fallen; public int age; public symbol mood; public Patient friend; }
group Team { relations: public Patient knows; }
agent Bob memberof Patient, Team { location: ward;
  initial_beliefs: (current.fallen = false);
  initial_facts: (current.fallen = false); (current.mood = happy); (current.age = 3); (current knows Bob);
  activities: primitive_activity fall() { max_duration: 5; }
  workframes: workframe w { when(knownval(current.fallen = false)) do { fall(); conclude((current.fallen = true)); } } }
agent Robot { location: kitchen; attributes: public int mood; initial_facts: (current.mood = 7); }
areadef Room { }
area kitchen instanceof Room { }
area ward instanceof Room { }
",
)];

/// The codes of the problems of a claim, and the texts at which they stand.
fn problems(claim: &str) -> Vec<(&'static str, String)> {
    let mut sources = Sources::new();
    for (name, text) in FILES {
        sources.add(*name, *text);
    }
    let mut found = Problems::new();
    let draft = Brahms.read(&sources, &Options::default(), &mut found).expect("the model has no faults");
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
        ("never Bob.fallen = 1", "M0233", "1"),
        ("never 1 = Bob.fallen", "M0233", "1"),
        ("never Bob.fallen = \"yes\"", "M0233", "\"yes\""),
        ("never Bob.fallen = Bob", "M0233", "Bob"),
        ("never Bob.fallen = happy", "M0233", "happy"),
        ("never Bob.location = Robot", "M0233", "Robot"),
        ("never Robot.location = \"kitchn\"", "M0234", "\"kitchn\""),
        ("never Robot.location = kitchn", "M0234", "kitchn"),
        ("never Robot.location = \"kitchen\"", "M0233", "\"kitchen\""),
        ("never Bob.friend = Robot", "M0233", "Robot"),
        ("never Bob.age = true", "M0233", "true"),
        ("never Bob.mood = 3", "M0233", "3"),
        ("never Robot.mood = happy", "M0233", "happy"),
        ("never Bob.mood = \"hapy\"", "M0311", "\"hapy\""),
        ("never (Bob believes Bob.fallen = 1)", "M0233", "1"),
        ("never Bel(Bob, Bob.age = 1 and Bob.fallen = 1)", "M0233", "1"),
        ("never belief(Bob, Bob.fallen) = 3", "M0233", "3"),
        ("never Bob.fallen > 0", "M0236", "Bob.fallen"),
        ("never Bob.fallen = Bob.age", "M0233", "Bob.age"),
        ("never Bob.age = Bob.fallen + 1", "M0233", "Bob.fallen"),
        ("never Bob.location in Patient", "M0233", "Patient"),
        ("never Bob.location in {Robot, ward}", "M0233", "Robot"),
        ("forall p in Patient: never p.fallen = 1", "M0233", "1"),
        ("never knows(Bob, Bob) = 3", "M0233", "3"),
        ("never knows(Bob) = true", "M0235", "knows(Bob)"),
    ] {
        assert_eq!(problems(claim), [(code, text.to_owned())], "{claim}");
    }
}

#[test]
fn what_the_model_may_hold_is_not_doubted() {
    for claim in [
        "never Bob.fallen = true",
        "never Bob.fallen = unknown",
        "never Bob.age = 3.5",
        "never Bob.mood = happy",
        "never Bob.mood = \"happy\"",
        "never Robot.mood = 7",
        "never Bob.mood = Robot.location",
        "never Bob.friend = none",
        "never Bob.location = Robot.location",
        "never Bob.location in Room",
        "never Bob.location in {kitchen, ward}",
        "never knows(Bob, Bob) = true",
        "never Bob.age < Robot.mood",
    ] {
        assert_eq!(problems(claim), [], "{claim}");
    }
}
