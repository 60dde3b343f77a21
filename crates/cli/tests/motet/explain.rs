//! `motet explain` with claims: formulas without a model, claims of a model, other forms, and wrong input.

use crate::folder::Folder;

fn explain(name: &str, arguments: &[&str]) -> crate::folder::Answer {
    let all: Vec<&str> = ["explain"].iter().chain(arguments).copied().collect();
    Folder::new(name, &[]).motet(&all)
}

#[test]
fn a_formula_is_explained_without_a_model() {
    for arguments in [&["-e", "G (alarm -> F helped)"][..], &["G (alarm -> F helped)"]] {
        let answer = explain("explain-formula", arguments);
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        let text = &answer.stdout;
        assert!(text.contains("always, if alarm, then eventually helped"), "{text}");
        assert!(text.contains("linear time") && text.contains("automaton"), "{text}");
        // The shortest word against it: an alarm and no help, for ever.
        let (satisfies, violates) = text.split_once("\n  a run that violates it\n").expect("two runs");
        let marks = |text: &str| text.chars().filter(|letter| "✓✗◀".contains(*letter)).collect::<String>();
        assert_eq!(marks(satisfies), "✓✓✗✗◀", "{text}");
        assert_eq!(marks(violates), "✓✗◀", "{text}");
    }
}

#[test]
fn bounds_give_times_and_lints_are_told() {
    let answer = explain("explain-bound", &["-e", "F<=90 seconds (a -> b)"]);
    assert!(answer.stdout.contains("time  a  b") && answer.stdout.contains("M0303"), "{}", answer.stdout);
}

#[test]
fn knowledge_chance_and_choices_are_explained_in_their_own_way() {
    let text = |formula: &str| explain("explain-kinds", &["-e", formula]).stdout;
    assert!(
        text("K[Bob](p)")
            .contains("some situation looks the same to Bob as the present one, and there: not p")
    );
    assert!(text("P>=0.5 [ F p ]").contains("no example runs"));
    let choice = text("(EF p) & (EG !p)");
    assert!(choice.contains("a system that satisfies it") && choice.contains("└ 1"), "{choice}");
    assert!(text("p & !p").contains("no run satisfies it"));
}

#[test]
fn a_requirement_is_explained_by_its_formula() {
    let answer = explain("explain-shall", &["-e", "in m, the system shall always satisfy p"]);
    assert!(answer.stdout.contains("formula   G ((m) -> (p))"), "{}", answer.stdout);
}

#[test]
fn programs_get_json() {
    let answer = explain("explain-json", &["-e", "F p", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    assert_eq!(json["schema"], "motet.explain/1");
    assert_eq!(json["claims"][0]["runs"]["satisfied"]["steps"][0]["holds"][0], true);
    assert_eq!(json["claims"][0]["runs"]["violated"]["steps"][0]["holds"][0], false);
}

#[test]
fn what_cannot_be_read_is_a_problem_of_the_input() {
    let answer = explain("explain-broken", &["-e", "F a & b"]);
    assert_eq!(answer.code, 3);
    assert!(answer.stdout.is_empty() && answer.stderr.contains("M0210"), "{}", answer.stderr);
    assert_eq!(explain("explain-nothing", &[]).code, 2);
    assert_eq!(explain("explain-nowhere", &["nosuch"]).code, 3);
}

#[test]
fn sentences_become_formulas() {
    let claims = "property Help: whenever alarm, eventually helped\nproperty Each: forall n in Nurse: whenever n.called, eventually n.here\n";
    let folder = Folder::new("fmt-formulas", &[("t.props", claims)]);
    assert_eq!(folder.motet(&["fmt", "t.props", "--check"]).code, 0);
    let answer = folder.motet(&["fmt", "--to", "motet", "t.props"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stderr.contains("Each") && !answer.stderr.contains("Help"), "{}", answer.stderr);
    let text = folder.read("t.props");
    assert!(text.starts_with("property Help: G (alarm -> F helped)\nproperty Each: forall"), "{text}");
}
