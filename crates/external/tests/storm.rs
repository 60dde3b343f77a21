//! Storm itself answers. The numbers are small enough to be checked by hand.

use motet_external::storm::{Arithmetic, Extent, Found, Input, Storm, Task, find};

/// From the start either a fair coin, whose heads lead to the goal with one third and back with two, or a biased one that
/// stays with 0.7 and stops with 0.3. Flipping the fair coin for ever, the goal is reached with
/// p = 1/2 (1/3 + 2/3 p), so p = 1/4.
const COINS: &str = r#"mdp
module coins
  s : [0..6] init 0;
  [fair] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
  [biased] s=0 -> 0.3:(s'=3) + 0.7:(s'=0);
  [] s=1 -> 1/3:(s'=6) + 2/3:(s'=0);
endmodule
label "goal" = s=6;
rewards "flips" [fair] true : 1; [biased] true : 1; endrewards
"#;

/// Storm, or `None` where it is not installed and not required.
#[expect(clippy::disallowed_methods, reason = "tests ask whether Storm is required")]
fn storm() -> Option<Storm> {
    match find() {
        Ok(storm) => Some(storm),
        Err(error) => {
            assert!(std::env::var("MOTET_REQUIRE_STORM").is_err(), "Storm is required here: {error}");
            None
        }
    }
}

fn ask(storm: &Storm, task: &Task) -> Vec<Found> {
    let answer = storm.ask(task, &std::env::temp_dir()).expect("Storm reads the model");
    answer.replies.into_iter().map(|reply| reply.found).collect()
}

fn texts(properties: &[&str]) -> Vec<String> {
    properties.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn numbers_come_with_bounds_that_hold_the_value() {
    let Some(storm) = storm() else { return };
    let properties =
        texts(&["Pmax=? [ F s=6 ]", "R{\"flips\"}min=? [ F s>0 ]", "R{\"flips\"}max=? [ F s=6 ]"]);
    let found = ask(&storm, &Task::new(Input::Prism(COINS.to_owned()), properties));
    let Found::Number { low, high, .. } = found[0] else { panic!("{found:?}") };
    assert!(low <= 0.25 && 0.25 <= high && high - low < 1e-5, "{low} to {high}");
    let Found::Number { low, high, .. } = found[1] else { panic!("{found:?}") };
    assert!(low <= 1.0 && 1.0 <= high && high - low < 1e-5, "{low} to {high}");
    assert_eq!(found[2], Found::Number { low: f64::INFINITY, high: f64::INFINITY, exact: None });
}

#[test]
fn a_threshold_on_the_edge_is_undecided_in_floats_and_decided_in_fractions() {
    let Some(storm) = storm() else { return };
    let properties = texts(&["Pmax>=0.25 [ F s=6 ]", "Pmax>=0.2 [ F s=6 ]", "P>=0.2 [ F s=6 ]"]);
    let task = Task::new(Input::Prism(COINS.to_owned()), properties);
    let sound = ask(&storm, &task);
    assert_eq!(sound[0], Found::Undecided);
    // A plain threshold speaks of all choices, and flipping the biased coin never reaches the goal.
    assert_eq!(sound[1..], [Found::Truth(true), Found::Truth(false)]);
    let exact = ask(&storm, &Task { arithmetic: Arithmetic::Exact, ..task });
    assert_eq!(exact[0], Found::Truth(true));
}

#[test]
fn filters_gather_over_the_states_they_select() {
    let Some(storm) = storm() else { return };
    let properties = texts(&[
        "filter(max, Pmax=? [ F s=6 ], (s=1) | (s=2))",
        "filter(count, P>0.1 [ F s=6 ])",
        "filter(exists, s=2)",
        "filter(forall, (s<6) | (\"goal\"))",
        "filter(print, Pmax=? [ F s=6 ])",
    ]);
    let found = ask(&storm, &Task::new(Input::Prism(COINS.to_owned()), properties));
    let Found::Number { low, high, .. } = found[0] else { panic!("{found:?}") };
    // From heads: 1/3 + 2/3 * 1/4.
    assert!(low <= 0.5 && 0.5 <= high, "{low} to {high}");
    assert_eq!(found[1], Found::Number { low: 2.0, high: 2.0, exact: None });
    assert_eq!(found[2..4], [Found::Truth(true), Found::Truth(true)]);
    assert!(matches!(&found[4], Found::Open(words) if words.contains("print")), "{found:?}");
}

#[test]
fn the_whole_model_is_built_unless_told_otherwise() {
    let Some(storm) = storm() else { return };
    let task = Task::new(Input::Prism(COINS.to_owned()), texts(&["Pmax=? [ F s=1 ]"]));
    let full = storm.ask(&task, &std::env::temp_dir()).expect("Storm reads the model");
    assert_eq!((full.sort.as_str(), full.states, full.choices, full.transitions), ("mdp", 5, 6, 9));
    let pruned = storm
        .ask(&Task { extent: Extent::Pruned, ..task }, &std::env::temp_dir())
        .expect("Storm reads the model");
    assert!(pruned.states < full.states, "{pruned:?}");
}

#[test]
fn a_broken_model_is_refused_and_a_broken_property_is_open() {
    let Some(storm) = storm() else { return };
    let broken = Task::new(Input::Prism("mdp module".to_owned()), Vec::new());
    assert!(storm.ask(&broken, &std::env::temp_dir()).is_err());
    let task = Task::new(Input::Prism(COINS.to_owned()), texts(&["P=? [ F", "Pmax=? [ F s=6 ]"]));
    let found = ask(&storm, &task);
    assert!(matches!(found[0], Found::Open(_)), "{found:?}");
    assert!(matches!(found[1], Found::Number { .. }), "{found:?}");
}
