//! Two interpreters of Brahms, written apart from each other: they must find the same situations and the same ways between
//! them. And a random run must be a path of the explored graph.

use std::collections::BTreeSet;

use motet_brahms::{Brahms, project};
use motet_engine::{Limits, Seed, Settings, check_all, sample};
use motet_model::{Language, Model, Options, State, Steps, System};
use motet_source::{Problems, Sources};
use motet_suite::brahms_twin::{covers, explore};
use motet_suite::generate_brahms;

/// Random models in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 400;
/// Larger models are passed over: the slow interpreter would take too long.
const LIMIT_STATES: u64 = 400;

fn rounds() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "tests may be widened from outside")]
    let asked = std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(ROUNDS)
}

fn sources(text: &str) -> Sources {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), text.to_owned());
    sources
}

fn system(text: &str) -> System {
    with_ties(text, "random")
}

/// Where ties are drawn a step leads through all of an instant; a tie that nobody decides ends it where chance has decided before.
fn with_ties(text: &str, how: &str) -> System {
    let mut problems = Problems::new();
    let mut options = Options::default();
    options.rules.insert("ties".to_owned(), how.to_owned());
    let draft = Brahms.read(&sources(text), &options, &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("the model is well-formed:\n{text}"));
    draft.system(&[], &mut problems).expect("a model without claims is built")
}

#[test]
fn two_interpreters_find_the_same_situations() {
    let mut compared = 0;
    for seed in 0..rounds() {
        let text = generate_brahms::model(seed);
        let settings = Settings {
            limits: Limits { states: Some(LIMIT_STATES), ..Limits::default() },
            ..Settings::default()
        };
        let report = check_all(system(&text).model.as_ref(), &[], &settings, &mut |_| {});
        if !report.coverage.complete {
            continue;
        }
        let mut problems = Problems::new();
        let program = project::read(&sources(&text), &Options::default(), &mut problems);
        let program = program.expect("the model is well-formed");
        if !covers(&program) {
            continue;
        }
        let twin = explore(&program, 10 * LIMIT_STATES as usize)
            .unwrap_or_else(|| panic!("seed {seed}: only the slow interpreter goes on for too long\n{text}"));
        let fast = (report.coverage.states, report.coverage.transitions);
        let slow = (twin.worlds.len() as u64, twin.transitions as u64);
        assert_eq!(fast, slow, "seed {seed}: (situations, transitions), fast against slow\n{text}");
        compared += 1;
    }
    assert!(compared * 12 > rounds(), "some models are small and plain enough to compare: {compared}");
}

/// All states that can be reached, by the definition.
fn reachable(model: &dyn Model) -> BTreeSet<Box<State>> {
    let mut open = Vec::new();
    model.initial(&mut open);
    let mut seen: BTreeSet<Box<State>> = open.iter().cloned().collect();
    let mut steps = Steps::new(model.signature().slots.len());
    while let Some(state) = open.pop() {
        steps.clear();
        model.steps(&state, &mut steps).expect("bounds are wide enough");
        for target in steps.iter().flat_map(|step| step.branches()).map(|branch| branch.target) {
            if seen.insert(target.into()) {
                open.push(target.into());
            }
        }
    }
    seen
}

#[test]
fn ties_that_are_drawn_and_ties_that_nobody_decides_lead_to_the_same_situations() {
    let (mut compared, mut longer) = (0, 0);
    for seed in 0..rounds().min(150) {
        let text = generate_brahms::model(seed);
        let settings = Settings {
            limits: Limits { states: Some(LIMIT_STATES), ..Limits::default() },
            ..Settings::default()
        };
        let [drawn, open] = ["random", "choice"].map(|how| {
            let system = with_ties(&text, how);
            let complete = check_all(system.model.as_ref(), &[], &settings, &mut |_| {}).coverage.complete;
            complete.then(|| reachable(system.model.as_ref()))
        });
        let (Some(drawn), Some(open)) = (drawn, open) else { continue };
        // Everybody is busy or idle where the first slot is 0.
        let at_rest = |states: &BTreeSet<Box<State>>| states.iter().filter(|state| state[0] == 0).count();
        assert_eq!(at_rest(&drawn), at_rest(&open), "seed {seed}\n{text}");
        compared += 1;
        longer += usize::from(open.len() > drawn.len());
    }
    assert!(compared > 40 && longer > 0, "{compared} models, {longer} with instants that are cut");
}

#[test]
fn a_random_run_is_a_path_of_the_explored_graph() {
    for seed in 0..rounds().min(20) {
        let text = generate_brahms::model(seed);
        let system = system(&text);
        let settings = Settings {
            limits: Limits { states: Some(LIMIT_STATES), ..Limits::default() },
            ..Settings::default()
        };
        if !check_all(system.model.as_ref(), &[], &settings, &mut |_| {}).coverage.complete {
            continue;
        }
        let model = system.model.as_ref();
        let states = reachable(model);
        for run in 0..5 {
            let sample = sample(model, Seed { series: seed, run }, 200);
            for state in &sample.run.states {
                assert!(states.contains(state), "seed {seed}, run {run}: a state beside the graph\n{text}");
            }
        }
    }
}
