//! Who has a share in a cycle: what `--coverage` counts.

mod lab;

use lab::system;
use motet_model::{Occurrence, Options, State, Steps};

/// The parts that have a share in each cycle of the only run, by name, in the order of the texts.
fn shares(text: &str, cycles: usize) -> Vec<Vec<String>> {
    let system = system(&[("a.sej", text)], &Options::default(), &[]);
    let parts = system.review.parts();
    let mut starts = Vec::new();
    system.model.initial(&mut starts);
    let mut state: Box<State> = starts.swap_remove(0);
    let mut steps = Steps::new(state.len());
    let mut all = Vec::new();
    for _ in 0..cycles {
        steps.clear();
        system.model.steps(&state, &mut steps).expect("no bound is exceeded");
        assert_eq!(steps.len(), 1, "one run");
        let step = steps.get(0).expect("a step");
        let target: Box<State> = step.branches().next().expect("an outcome").target.into();
        let taken = Occurrence { ordinal: 0, branch: 0, action: step.action, target: &target };
        let of = system.review.parts_of(&state, taken);
        all.push(of.into_iter().map(|part| parts[part.0 as usize].name.clone()).collect());
        state = target;
    }
    all
}

#[test]
fn a_plan_has_a_share_in_the_cycle_it_starts_in_and_in_each_in_which_it_runs() {
    let text =
        "INITIAL BELIEFS AND GOALS\nGo.\nEXECUTABLE PLANS\nIf ^[Go] while true then -^[Go] +^[Gone].\n";
    let plan = ["plan 1: If ^[Go] while true".to_owned()];
    let found = shares(text, 6);
    // It starts in one cycle, takes two more for its two actions, and rests.
    let first = found.iter().position(|parts| !parts.is_empty()).expect("the plan starts");
    let lasts = found.iter().filter(|parts| **parts == plan).count();
    assert_eq!((lasts, found.iter().filter(|parts| parts.is_empty()).count()), (3, 3), "{found:?}");
    assert!(found[first..first + 3].iter().all(|parts| *parts == plan), "{found:?}");
}

#[test]
fn a_rule_has_a_share_in_the_cycle_in_which_it_applies() {
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nREASONING\nIf ^[Go] then ^[Gone]\nIf ^[Gone] then ^[Lost]\n";
    assert_eq!(shares(text, 2), [vec!["Gone"], vec!["Gone", "Lost"]]);
}
