//! Two interpreters of Brahms, written apart from each other: they must find the same situations and the same ways between
//! them. And a random run must be a path of the explored graph.

use std::collections::{BTreeMap, BTreeSet};

use motet_brahms::program::Program;
use motet_brahms::{Brahms, project};
use motet_engine::{Limits, Seed, Settings, check_all, sample};
use motet_model::{Language, Model, Options, State, Steps, System};
use motet_property::{lower_all, parse};
use motet_source::{Problems, Sources};
use motet_suite::brahms_twin::{covers, explore};
use motet_suite::generate_brahms;

/// Random models in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 400;
/// Larger models are passed over: the slow interpreter would take too long.
const LIMIT_STATES: u64 = 400;

fn rounds() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "tests may be widened from outside")]
    let asked = std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok());
    asked.unwrap_or(0).max(ROUNDS)
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

/// What a claim looks at: so that moments within an instant become situations, and orders that claims can see are tried.
const CLAIMS: &str = "possible One: Ann.a = true and Box.b = true\npossible Two: Bob believes Ann.n = 1 and Ann believes Bob.n = 1\n";

/// A system with turns in any order, and its program for the slow interpreter.
fn in_any_order(text: &str, claims: &str) -> (System, Program) {
    let mut sources = sources(text);
    let (mut options, mut problems) = (Options::default(), Problems::new());
    options.rules.insert("order".to_owned(), "choice".to_owned());
    let draft = Brahms.read(&sources, &options, &mut problems).expect("the model is well-formed");
    let program = project::read(&sources, &options, &mut problems).expect("the model is well-formed");
    let (tree, found) = parse(sources.add("claims.props", claims.to_owned()), claims, None);
    problems.extend(found);
    let atoms = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems).atoms;
    let system = draft.system(&atoms, &mut problems).expect("the claims are well-formed");
    (system, program)
}

/// The fast interpreter tries the orders that make a difference, and only those; the slow one tries all.
#[test]
fn orders_that_make_a_difference_lead_to_the_situations_of_all_orders() {
    let (mut compared, mut more) = (0, 0);
    for seed in 0..rounds() {
        let text = generate_brahms::model(seed);
        let (system, program) = in_any_order(&text, "");
        if !covers(&program) {
            continue;
        }
        let settings = Settings {
            limits: Limits { states: Some(5 * LIMIT_STATES), ..Limits::default() },
            ..Settings::default()
        };
        if !check_all(system.model.as_ref(), &[], &settings, &mut |_| {}).coverage.complete {
            continue;
        }
        let at_rest = |model: &dyn Model| reachable(model).iter().filter(|state| state[0] == 0).count();
        let Some(all) = explore(&program, 10 * LIMIT_STATES as usize) else { continue };
        let fast = at_rest(system.model.as_ref());
        assert_eq!(fast + 1, all.worlds.len(), "seed {seed}: situations at rest, and the start\n{text}");
        let (seen, _) = in_any_order(&text, CLAIMS);
        assert_eq!(at_rest(seen.model.as_ref()), fast, "seed {seed}: with claims that look on\n{text}");
        compared += 1;
        let declared = with_ties(&text, "choice");
        more += usize::from(at_rest(declared.model.as_ref()) < fast);
    }
    assert!(compared * 16 > rounds() && more > 3, "{compared} models, {more} with more situations");
}

/// What two write at one instant is found in the steps of a search: where it is not, all orders lead to the same facts that
/// nobody reads.
#[test]
fn without_a_clash_every_order_leaves_the_same_facts_where_nobody_reads_them() {
    let mut clashes = 0;
    for (first, second, start, is_clash) in [
        ("1", "2", "0", true),
        ("1", "1", "0", false),
        // The first states what is so already; its order counts all the same.
        ("0", "2", "0", true),
        ("2", "0", "0", true),
        ("0", "0", "0", false),
    ] {
        let agent = |name: &str, value: &str| {
            format!(
                "agent {name} {{ activities: primitive_activity work() {{ max_duration: 10; }} workframes: workframe wf {{ \
                 repeat: false; do {{ work(); conclude((Box.n = {value}), bc:0, fc:100); }} }} }}\n"
            )
        };
        let text = format!(
            "class Thing {{ attributes: public int n; }}\nobject Box instanceof Thing {{ initial_facts: (current.n = {start}); }}\n{}{}",
            agent("Ann", first),
            agent("Bob", second)
        );
        let system = with_ties(&text, "choice");
        let _ = reachable(system.model.as_ref());
        assert_eq!(system.review.clashes(None).len(), usize::from(is_clash), "{first} {second}\n{text}");
        let (open, program) = in_any_order(&text, "");
        let ends = reachable(open.model.as_ref()).len() - reachable(system.model.as_ref()).len();
        assert_eq!(ends, usize::from(is_clash), "a second end\n{text}");
        let all = explore(&program, 100).expect("there are few situations");
        assert_eq!(all.worlds.len(), 3 + usize::from(is_clash), "{text}");
        clashes += usize::from(is_clash);
    }
    assert_eq!(clashes, 3);
}
