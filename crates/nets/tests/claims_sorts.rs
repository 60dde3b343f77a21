//! Claims are held against what the model declares: a claim, the code of its problem, and the text that is marked.

use std::collections::BTreeMap;

use motet_model::{Language as _, Options};
use motet_nets::Nets;
use motet_property::{lower, parse};
use motet_source::{Problems, Sources};

const FILES: &[(&str, &str)] = &[(
    "m.npn",
    "enum HEAT = {cold, hot};
type Cup = (heat: HEAT, level: int 0..3);
system net Bar() {
  place full : Cup = { (hot, 3) };
  place count : int 0..5 = { 0 };
  cell opened : bool = true;
  cell warmth : HEAT = hot;
  cell best : int 0..3 = 0;
  transition Drink { in full(c); }
}
",
)];

/// The codes of the problems of a claim, and the texts at which they stand.
fn problems(claim: &str) -> Vec<(&'static str, String)> {
    let mut sources = Sources::new();
    for (name, text) in FILES {
        sources.add(*name, *text);
    }
    let mut found = Problems::new();
    let draft = Nets.read(&sources, &Options::default(), &mut found).expect("the model has no faults");
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
        ("never <hot, 9> in full", "M0311", "9"),
        ("never <warm, 1> in full", "M0234", "warm"),
        ("never <3, 1> in full", "M0233", "3"),
        ("never <hot> in full", "M0235", "<hot>"),
        ("never <hot, 1, 2> in full", "M0235", "<hot, 1, 2>"),
        ("never count(full, <hot, 9>) = 1", "M0311", "9"),
        ("never #full = -1", "M0311", "-1"),
        ("never #full = hot", "M0233", "hot"),
        ("never opened = 1", "M0233", "1"),
        ("never best = 7", "M0311", "7"),
        ("always (exists c in full: c.level = 9)", "M0311", "9"),
        ("never (exists c in full: c.heat = 1)", "M0233", "1"),
        ("never 9 in count", "M0311", "9"),
    ] {
        assert_eq!(problems(claim), [(code, text.to_owned())], "{claim}");
    }
}

#[test]
fn what_the_model_may_hold_is_not_doubted() {
    for claim in [
        "never <hot, 3> in full",
        "never <_, 3> in full",
        "never #full = 7",
        "never opened = true",
        "never (exists c in full: c.heat = cold)",
        "never best < 3",
        "never <warmth, best> in full",
        "never (exists c in full: <c.heat, c.level> in full)",
    ] {
        assert_eq!(problems(claim), [], "{claim}");
    }
}
