//! Claims are held against what the model declares: a claim, the code of its problem, and the text that is marked.

use std::collections::BTreeMap;

use motet_model::{Language as _, Options};
use motet_prism::Prism;
use motet_property::{lower, parse};
use motet_source::{Problems, Sources};

const FILES: &[(&str, &str)] = &[(
    "m.prism",
    r#"mdp
const int N = 9;
formula big = x > 2;
formula more = x + 1;
module m
  x : [0..3] init 0;
  b : bool init false;
  [] x < 3 -> (x' = x + 1);
endmodule
label "top" = x = 3;
"#,
)];

/// The codes of the problems of a claim, and the texts at which they stand.
fn problems(claim: &str) -> Vec<(&'static str, String)> {
    let mut sources = Sources::new();
    for (name, text) in FILES {
        sources.add(*name, *text);
    }
    let mut found = Problems::new();
    let draft = Prism.read(&sources, &Options::default(), &mut found).expect("the model has no faults");
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
        ("never x = 7", "M0311", "7"),
        ("never 7 = x", "M0311", "7"),
        ("never x = N", "M0311", "N"),
        ("never x + 1 = 9", "M0311", "9"),
        ("always x < 5", "M0311", "5"),
        ("never x = 1.5", "M0311", "1.5"),
        ("never x in {1, 8}", "M0311", "8"),
        ("never x = true", "M0233", "true"),
        ("never b = 1", "M0233", "1"),
        ("never big = 3", "M0233", "3"),
        ("never \"top\" = 1", "M0233", "1"),
        ("never x = b", "M0233", "b"),
        ("never b + 1 = 1", "M0233", "b"),
        ("never b > 0", "M0236", "b"),
    ] {
        assert_eq!(problems(claim), [(code, text.to_owned())], "{claim}");
    }
}

#[test]
fn what_the_model_may_hold_is_not_doubted() {
    for claim in [
        "never x = 3",
        "always x <= 3",
        "never b = true",
        "never big = b",
        "never more = 9",
        "never x > 1.5",
        "never \"top\" = true",
        "forall i in 0..5: never x = i",
    ] {
        assert_eq!(problems(claim), [], "{claim}");
    }
}
