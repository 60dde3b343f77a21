//! The environment language: views, rules, reactions, choice and chance.

mod support;

use motet_model::{Ratio, Steps, System};
use support::{explore, load, run, section, story, try_explore};

fn world(environment: &str, program: &str) -> System {
    let team = format!("team t\nmode strict\nagent a\nenv w {{\n{environment}\n}}\n");
    load(&[("t.team", &team), ("a.asl", program)])
}

const IDLE: &str = "+nothing : true <- .print(x). +z : true <- +nothing.";

fn values(system: &System) -> Vec<Vec<String>> {
    let graph = explore(system);
    let mut all: Vec<Vec<String>> =
        graph.states.iter().map(|state| section(system, state, "environment", "variables")).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn a_step_is_a_process_of_its_own_with_a_guard() {
    let system = world("var n : 0..2 = 0\nstep tick when n < 2 { n := n + 1 }", IDLE);
    assert_eq!(values(&system), [["n = 0"], ["n = 1"], ["n = 2"]]);
    assert_eq!(system.model.signature().processes, ["a", "environment", "tick"]);
}

#[test]
fn the_first_matching_rule_is_taken_and_others_are_refused() {
    let environment = "var n : 0..9 = 0\npercept at(n)
        action go(k) by x when k == 1 { n := 1 }
        action go(k) by x when k < 3 { n := 2 }";
    let system = world(environment, "+at(0) : true <- go(2); go(1); go(5).");
    let lines: Vec<String> =
        story(&system).into_iter().filter(|line| line.starts_with("environment")).collect();
    assert_eq!(
        lines,
        [
            "environment: executes go(2) of a: n 0 → 2",
            "environment: executes go(1) of a: n 2 → 1",
            "environment: refuses go(5) of a",
        ]
    );
}

#[test]
fn reactions_run_to_a_fixpoint_in_the_same_step() {
    let environment = "var n : 0..5 = 0\nvar done : bool = false\npercept at(n)
        action go by x { n := 1 }
        react when n > 0 and n < 5 { n := n + 1 }
        react when n == 5 and not done { done := true }";
    let system = world(environment, "+at(0) : true <- go.");
    assert_eq!(values(&system), [["n = 0", "done = false"], ["n = 5", "done = true"]]);
}

#[test]
fn reactions_that_never_settle_are_a_fault() {
    let environment =
        "var n : 0..1 = 0\npercept at(n)\naction go by x { n := 1 }\nreact when n == 1 { n := 1 }";
    let system = world(environment, "+at(0) : true <- go.");
    assert_eq!(try_explore(&system).err().expect("it never settles").message, "reactions never settle");
}

#[test]
fn a_value_outside_its_domain_is_a_fault_that_names_both() {
    let system = world("var n : 0..1 = 0\nstep tick { n := n + 1 }", IDLE);
    assert_eq!(
        try_explore(&system).err().expect("2 is too much").message,
        "n is set to 2, outside its domain"
    );
}

#[test]
fn a_choice_is_one_step_per_option() {
    let system = world("var n : 0..9 = 0\nstep pick when n == 0 { either { n := 3 } or { n := 5 } }", IDLE);
    assert_eq!(values(&system), [["n = 0"], ["n = 3"], ["n = 5"]]);
}

/// The chances of the steps of the first process beyond the environment, from the initial state.
fn chances(system: &System) -> Vec<Vec<Ratio>> {
    let mut first = Vec::new();
    system.model.initial(&mut first);
    let mut out = Steps::new(system.model.signature().slots.len());
    system.model.steps(&first[0], &mut out).expect("no fault");
    let steps = out.iter().filter(|step| step.process.0 == 2);
    steps.map(|step| step.branches().map(|branch| branch.chance).collect()).collect()
}

#[test]
fn chance_is_one_step_with_branches_and_equal_outcomes_are_merged() {
    let system = world(
        "var n : 0..9 = 0\nstep roll when n == 0 { prob { 0.5: { n := 1 }, 0.3: { n := 2 }, 0.2: { n := 1 } } }",
        IDLE,
    );
    let ratio = |above, below| Ratio::new(above, below).expect("a proper fraction");
    assert_eq!(chances(&system), [[ratio(7, 10), ratio(3, 10)]]);
}

#[test]
fn a_choice_after_chance_may_depend_on_it() {
    let system = world(
        "var n : 0..9 = 0\nstep roll when n == 0 { prob { 0.5: { either { n := 1 } or { n := 2 } }, 0.5: { n := 3 } } }",
        IDLE,
    );
    assert_eq!(chances(&system).len(), 2);
    let system = world(
        "var n : 0..9 = 0\nvar m : 0..9 = 0\nstep roll when n == 0 { either { n := 1 } or { n := 2 }; prob { 0.5: { m := 1 }, 0.5: { m := 2 } } }",
        IDLE,
    );
    assert_eq!(chances(&system).len(), 2);
    explore(&system);
}

#[test]
fn percepts_may_be_for_one_agent_or_one_per_member() {
    let team = "team t\nmode strict\nagent a\nagent b\nenv w {
        var at[agent] : {home, away} = home
        percept to a: secret
        percept to x: here(at[x])
        percept for x in agent: seen(x) when at[x] == home
    }\n";
    let system =
        load(&[("t.team", team), ("a.asl", "+z : true <- .print(1)."), ("b.asl", "+z : true <- .print(1).")]);
    let (state, _) = run(&system);
    let percept = |terms: &[&str]| terms.iter().map(|term| format!("{term} [percept]")).collect::<Vec<_>>();
    assert_eq!(
        section(&system, &state, "a", "beliefs"),
        percept(&["secret", "here(home)", "seen(a)", "seen(b)"])
    );
    assert_eq!(section(&system, &state, "b", "beliefs"), percept(&["here(home)", "seen(a)", "seen(b)"]));
}

#[test]
fn without_an_environment_actions_succeed_and_change_nothing() {
    let team = "team t\nmode jason\nagent a\n";
    let system = load(&[("t.team", team), ("a.asl", "!go. +!go <- wave; +done.")]);
    let lines: Vec<String> =
        story(&system).into_iter().filter(|line| line.starts_with("environment")).collect();
    assert_eq!(lines, ["environment: lets a do wave"]);
    let graph = explore(&system);
    let done =
        |state| section(&system, state, "a", "beliefs").iter().any(|belief| belief.starts_with("done"));
    assert!(graph.states.iter().any(|state| done(state)), "the plan goes on after its action");
}
