//! A Brahms model keeps what stretches of its steps led to. Its steps are those of the same model that keeps nothing: the
//! same outcomes in the same order, with the same chances.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use motet_brahms::{Brahms, afresh, project};
use motet_model::{Language, Model, Options, State, Steps};
use motet_property::{lower_all, parse};
use motet_source::{Problems, Sources};
use motet_suite::generate_brahms;

/// Random models in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 150;
/// How many states of each model are compared.
const MOST_STATES: usize = 600;

fn rounds() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "tests may be widened from outside")]
    let asked = std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok());
    asked.unwrap_or(0).max(ROUNDS)
}

/// The model as users get it, and the one that keeps nothing.
fn both(text: &str, claims: &str) -> [Arc<dyn Model>; 2] {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), text.to_owned());
    let (options, mut problems) = (Options::default(), Problems::new());
    let draft = Brahms.read(&sources, &options, &mut problems).expect("the model is well-formed");
    let program = project::read(&sources, &options, &mut problems).expect("the model is well-formed");
    let (tree, found) = parse(sources.add("claims.props", claims.to_owned()), claims, None);
    problems.extend(found);
    let atoms = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems).atoms;
    let system = draft.system(&atoms, &mut problems);
    assert!(!problems.has_errors(), "the claims are well-formed:\n{}\n{text}", problems.lines(&sources));
    let plain = afresh(&program, &atoms, &mut problems).expect("it was built already");
    [system.expect("there were no problems").model, plain]
}

fn told(steps: &Steps) -> Vec<String> {
    let step = |step: motet_model::Step<'_>| {
        let branches: Vec<_> = step.branches().map(|branch| (branch.chance, branch.target)).collect();
        format!("{:?} {:?} {} {branches:?}", step.process, step.action, step.delay)
    };
    steps.iter().map(step).collect()
}

/// Compares the steps of states as they are found, and says how many there were.
fn compare(text: &str, claims: &str, most: usize, about: &str) -> usize {
    let [kept, plain] = both(text, claims);
    let mut open: Vec<Box<State>> = Vec::new();
    kept.initial(&mut open);
    let mut seen: BTreeSet<Box<State>> = open.iter().cloned().collect();
    let width = kept.signature().slots.len();
    let (mut one, mut other) = (Steps::new(width), Steps::new(width));
    while let Some(state) = open.pop() {
        one.clear();
        other.clear();
        let results = (kept.steps(&state, &mut one), plain.steps(&state, &mut other));
        let message = |result: Result<(), motet_model::Fault>| result.map_err(|fault| fault.message);
        assert_eq!(message(results.0), message(results.1), "{about}: {state:?}\n{text}");
        assert_eq!(told(&one), told(&other), "{about}: {state:?}\n{text}\n{claims}");
        for target in one.iter().flat_map(|step| step.branches()).map(|branch| branch.target) {
            if seen.len() < most && seen.insert(target.into()) {
                open.push(target.into());
            }
        }
    }
    seen.len()
}

#[test]
fn steps_are_those_of_the_model_that_keeps_nothing() {
    let mut states = 0;
    for seed in 0..rounds() {
        let about = format!("seed {seed}");
        states += compare(&generate_brahms::model(seed), "", MOST_STATES, &about);
    }
    assert!(states as u64 > 20 * rounds(), "some models have many states: {states}");
}

#[test]
fn steps_that_claims_cut_are_those_of_the_model_that_keeps_nothing() {
    for seed in 0..rounds() {
        let claims = generate_brahms::claims(seed, 4);
        compare(&generate_brahms::model(seed), &claims, MOST_STATES, &format!("seed {seed}"));
    }
}

/// Agents that count apart from each other: here the memo knows almost everything, and it is long enough in use to
/// decide what is worth keeping. A claim looks at the counts of some.
#[test]
fn counts_of_many_agents_are_those_of_the_model_that_keeps_nothing() {
    let mut text = String::from(
        "group Counters {\n  attributes:\n    public int a;\n    public int b;\n  initial_beliefs:\n    (current.a = \
         0);\n    (current.b = 0);\n  activities:\n    primitive_activity pause() { max_duration: 1; }\n  \
         workframes:\n    workframe wf_count { repeat: true; when(knownval(current.a < 5)) do { pause(); \
         conclude((current.a = current.a + 1), fc:0); conclude((current.b = current.b + 1), bc:30, fc:0); } }\n}\n",
    );
    for name in ["Ann", "Bob", "Cid", "Dan"] {
        text.push_str(&format!("agent {name} memberof Counters {{ }}\n"));
    }
    let claims = "property few: G not (Bel(Ann, Ann.b > 1) and Bel(Cid, Cid.b < 3))\n\
                  property more: F Bel(Dan, Dan.b = 2)\n";
    // Each of 0..=r for four counts after each of the rounds 0 to 5, and where it begins.
    let combinations: usize = (1..=6usize).map(|rounds| rounds.pow(4)).sum();
    assert_eq!(compare(&text, "", usize::MAX, "without claims"), combinations + 1);
    assert!(compare(&text, claims, usize::MAX, "with claims") > combinations);
}

/// A team whose members may each do this or that at the same instant, as one group writes it.
fn team(members: usize, frames: &str) -> String {
    let mut text = format!(
        "group Team {{\n  attributes:\n    public int a;\n    public int b;\n  initial_beliefs:\n    (current.a = 0);\n    \
         (current.b = 0);\n  activities:\n    primitive_activity pause() {{ max_duration: 1; }}\n  \
         workframes:\n{frames}}}\n"
    );
    (1..=members).for_each(|number| text.push_str(&format!("agent M{number} memberof Team {{ }}\n")));
    text
}

/// What is combined: chances that differ, ties between frames that come before chance, ties that chance comes before, and
/// ties alone.
#[test]
fn outcomes_that_are_combined_are_those_of_the_model_that_keeps_nothing() {
    let uneven = "workframe wf { repeat: true; when(knownval(current.a < 3)) do { pause(); conclude((current.a = \
                  current.a + 1), fc:0); conclude((current.b = current.a), bc:30, fc:0); conclude((current.b = 9), \
                  bc:80, fc:0); } }\n";
    let tied = "workframe one { repeat: true; when(knownval(current.a < 2)) do { pause(); conclude((current.a = \
                current.a + 1), fc:0); } }\nworkframe two { repeat: true; when(knownval(current.a < 2)) do { pause(); \
                conclude((current.a = current.a + 1), fc:0); conclude((current.b = current.b + 1), fc:0); } }\n";
    let both = "workframe one { repeat: true; when(knownval(current.a < 2)) do { pause(); conclude((current.a = \
                current.a + 1), fc:0); conclude((current.b = 1), bc:25, fc:0); } }\nworkframe two { repeat: true; \
                when(knownval(current.a < 2)) do { pause(); conclude((current.a = current.a + 1), fc:0); \
                conclude((current.b = current.b + 2), fc:0); } }\n";
    for (about, frames) in [("uneven", uneven), ("tied", tied), ("both", both)] {
        for claims in ["", "property some: F Bel(M2, M2.b > 0)\n"] {
            assert!(compare(&team(3, frames), claims, 2_000, about) > 50, "{about} has many states");
        }
    }
}

/// What one member concludes is seen by the next at the same instant, so that nothing can be combined; and more members
/// than may be combined at all.
#[test]
fn outcomes_that_cannot_be_combined_are_those_of_the_model_that_keeps_nothing() {
    let seen = "workframe wf { repeat: true; when(knownval(current.a < 3)) do { pause(); conclude((current.a = \
                current.a + 1), fc:0); conclude((Post.flag = current.a), bc:100, fc:50); } }\nworkframe look { repeat: \
                true; priority: 5; when(knownval(Post.flag = 2)) do { conclude((current.b = current.b + 1), bc:50, \
                fc:0); conclude((Post.flag = 0), bc:100, fc:0); } }\n";
    let post = "class Posts { attributes: public int flag; }\nobject Post instanceof Posts { initial_facts: \
                (current.flag = 0); }\n";
    assert!(compare(&format!("{post}{}", team(3, seen)), "", 2_000, "seen") > 50);
    let many = "workframe wf { repeat: true; when(knownval(current.a < 1)) do { pause(); conclude((current.a = \
                current.a + 1), fc:0); conclude((current.b = 1), bc:50, fc:0); } }\n";
    assert!(compare(&team(12, many), "", 6, "many") >= 6);
}
