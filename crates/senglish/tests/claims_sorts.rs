//! Claims are held against what the model declares: a claim, the code of its problem, and the text that is marked.

use std::collections::BTreeMap;

use motet_model::{Language as _, Options};
use motet_property::{lower, parse};
use motet_senglish::SEnglish;
use motet_source::{Problems, Sources};

const FILES: &[(&str, &str)] = &[(
    "a.sej",
    "INITIAL BELIEFS AND GOALS
Mission ordered.
",
)];

/// The codes of the problems of a claim, and the texts at which they stand.
fn problems(claim: &str) -> Vec<(&'static str, String)> {
    let mut sources = Sources::new();
    for (name, text) in FILES {
        sources.add(*name, *text);
    }
    let mut found = Problems::new();
    let draft = SEnglish.read(&sources, &Options::default(), &mut found).expect("the model has no faults");
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
        ("never mission_ordered = 2", "M0233", "2"),
        ("never \"Mission ordered\" = 3", "M0233", "3"),
        ("never mission_ordered > 0", "M0236", "mission_ordered"),
    ] {
        assert_eq!(problems(claim), [(code, text.to_owned())], "{claim}");
    }
}

#[test]
fn what_the_model_may_hold_is_not_doubted() {
    for claim in
        ["never mission_ordered = 1", "never \"Mission ordered\" = 0", "never mission_ordered = true"]
    {
        assert_eq!(problems(claim), [], "{claim}");
    }
}
