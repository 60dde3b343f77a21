//! Brahms models whose members can change places: steps have images, verdicts are kept, and counts are those of combinatorics.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use motet_brahms::Brahms;
use motet_engine::Quotient;
use motet_evidence::Fairness;
use motet_model::{Language, Model, Options, State, Steps, System};
use motet_property::{lower_all, parse};
use motet_render::Report;
use motet_source::fuzz::Random;
use motet_source::{Problems, Sources};
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::folded::{all_ways, interchangeable};
use motet_suite::generate::dice;
use motet_suite::sliced::verdicts;
use motet_workbench::{Loaded, Project, load};

const ROUNDS: u64 = 120;
const STATES: u64 = 4_000;

fn read(model: &str, claims: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    sources.add("claims.props".to_owned(), claims.to_owned());
    let loaded = load(Project { path: "model.b".to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{model}\n{claims}", loaded.problems.lines(&loaded.sources));
    loaded
}

/// A team of alike helpers between a chief and an observer.
fn team(dice: &mut Random, helpers: usize) -> String {
    let mut text = String::from(
        "group Helper {\n  attributes:\n    public int n;\n    public int m;\n    public boolean called;\n    public boolean told;\n    \
         public boolean seen;\n  initial_beliefs:\n    (current.n = 0);\n    (current.m = 0);\n  initial_facts:\n    (current.m = 0);\n  \
         activities:\n    primitive_activity brief() { max_duration: 1; }\n    primitive_activity long() { max_duration: 3; }\n    \
         primitive_activity vague() { random: true; min_duration: 1; max_duration: 2; }\n    \
         communicate report() { max_duration: 1; with: Chief; about: send(current.n); }\n  workframes:\n",
    );
    let chance = dice.chance(40);
    let frames = if chance { 1 } else { 1 + dice.below(3) };
    for frame in 0..frames {
        let guard = match dice.below(3) {
            0 => "knownval(current.n < 2)".to_owned(),
            1 => "knownval(current.n < 2) and knownval(Chief.go = true)".to_owned(),
            _ => format!("knownval(current.n = {}) and knownval(current.m < 2)", dice.below(2)),
        };
        let act = dice.pick(if chance {
            &["brief", "long", "report"]
        } else {
            &["brief", "long", "vague", "report"]
        });
        let (bc, fc) =
            if chance { (50, dice.pick(&["0", "50", "100"])) } else { (100, dice.pick(&["0", "100"])) };
        let what = dice.pick(&["n", "m"]);
        let other = if what == "n" { "" } else { "conclude((current.n = current.n + 1), fc:0); " };
        let priority = dice.below(2);
        let repeat = dice.pick(&["true", "true", "false"]);
        let _ = writeln!(
            text,
            "    workframe wf_{frame} {{ repeat: {repeat}; priority: {priority}; when({guard}) do {{ {act}(); {other}conclude((current.{what} = current.{what} + 1), bc:{bc}, fc:{fc}); }} }}"
        );
    }
    if !chance && dice.chance(40) {
        text.push_str(
            "  thoughtframes:\n    thoughtframe tf_told { when(knownval(current.n = 1)) do { conclude((current.told = true)); } }\n",
        );
    }
    text.push_str("}\n");
    let variable = dice.pick(&["forone", "foreach", "collectall"]);
    let chief = match dice.below(4) {
        0 => String::new(),
        1 => format!(
            "  workframes:\n    workframe wf_watch {{ repeat: true; variables: {variable}(Helper) who; when(knownval(who.n = 1) and unknown(who.seen)) do {{ look(); conclude((who.seen = true), fc:0); }} }}\n"
        ),
        2 => "  workframes:\n    workframe wf_go { repeat: false; when(unknown(current.go)) do { look(); tell(); } }\n".to_owned(),
        _ => format!(
            "  workframes:\n    workframe wf_call {{ repeat: false; variables: {variable}(Helper) who; when(unknown(who.called)) do {{ look(); conclude((who.called = true)); tell(); }} }}\n"
        ),
    };
    let chief = format!(
        "agent Chief {{\n  attributes:\n    public boolean go;\n    public int count;\n  initial_beliefs:\n    (current.go = true);\n    (current.count = 0);\n  activities:\n    \
         primitive_activity look() {{ max_duration: 2; }}\n    communicate tell() {{ max_duration: 1; with: Helper; about: send(current.go = true); }}\n{chief}}}\n"
    );
    let members: String = (1..=helpers).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "agent Helper{number} memberof Helper {{ }}");
        text
    });
    let watch = "agent Watch {\n  attributes:\n    public int ticks;\n  initial_beliefs:\n    (current.ticks = 0);\n  activities:\n    primitive_activity tick() { max_duration: 1; }\n  workframes:\n    workframe wf_tick { repeat: true; when(knownval(current.ticks < 3)) do { tick(); conclude((current.ticks = current.ticks + 1)); } }\n}\n";
    match dice.below(3) {
        0 => text + &chief + &members + watch,
        1 => text + watch + &members + &chief,
        _ => text + &members + &chief + watch,
    }
}

fn claims(dice: &mut Random, helpers: usize) -> String {
    let mut text = String::new();
    for number in 0..5 {
        let atom = |dice: &mut Random| match dice.below(6) {
            0 => format!("Helper{}.m = {}", 1 + dice.below(helpers), dice.below(3)),
            1 => format!("Helper{0} believes Helper{0}.n = {1}", 1 + dice.below(helpers), dice.below(3)),
            2 => format!("Watch.ticks = {}", 1 + dice.below(3)),
            3 => format!("Chief believes Helper1.n = {}", dice.below(3)),
            4 => "Chief.go = true".to_owned(),
            _ => format!("Watch.ticks > {}", dice.below(4)),
        };
        let (p, q) = (atom(dice), atom(dice));
        let claim = match dice.below(7) {
            0 => format!("possible C{number}: {p}\n"),
            1 => format!("property C{number}: G not ({p})\n"),
            2 => format!("property C{number}: F ({p})\n"),
            3 => format!("property C{number}: G (({p}) -> F ({q}))\n"),
            4 => format!("property C{number}: F<=3s ({p})\n"),
            5 => format!("query C{number}: Pmax=? [ F ({p}) ]\n"),
            _ => format!("query C{number}: Pmin=? [ (not ({p})) U ({q}) ]\n"),
        };
        text.push_str(&claim);
    }
    text
}

#[test]
fn verdicts_are_the_same_with_interchangeable_members() {
    compare_random(ROUNDS, one);
}

fn one(seed: u64) -> Compared {
    let mut dice = dice(seed ^ 0x5e7);
    let helpers = 2 + dice.below(2);
    let model = team(&mut dice, helpers);
    let claims = claims(&mut dice, helpers);
    let loaded = read(&model, &claims);
    let [whole, folded, sliced] = all_ways(&loaded, None, STATES);
    if whole.stop.is_some() {
        return None;
    }
    for report in [&folded, &sliced] {
        let told = report.symmetry.as_ref().map(motet_render::SymmetryReport::lines);
        if rounded(&whole) != rounded(report) || !report.internal.is_empty() {
            let (whole, report_verdicts) = (verdicts(&whole), verdicts(report));
            return Some(Err(format!(
                "{whole:?}\n{report_verdicts:?}\n{:?}\n{told:?}\n{model}\n{claims}",
                report.internal
            )));
        }
    }
    if interchangeable(&folded) == 0 {
        return None;
    }
    let holds = verdicts(&whole).iter().filter(|(_, verdict)| verdict == "Holds").count();
    Some(Ok((holds, whole.claims.len() - holds)))
}

/// Verdicts, with numbers as exact as they are certified.
fn rounded(report: &Report) -> Vec<String> {
    let verdict = |claim: &motet_render::ClaimReport| match claim.outcome.verdict {
        motet_evidence::Verdict::Value { low, high } => format!("{:.4}", f64::midpoint(low, high)),
        ref other => format!("{other:?}"),
    };
    report.claims.iter().map(verdict).collect()
}

fn system(model: &str, claims: &str) -> System {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &Options::default(), &mut problems).expect("the model is well-formed");
    let (tree, found) = parse(sources.add("claims.props", claims.to_owned()), claims, None);
    problems.extend(found);
    let atoms = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems).atoms;
    let system = draft.system(&atoms, &mut problems);
    assert!(!problems.has_errors(), "{}\n{model}", problems.lines(&sources));
    system.expect("there were no problems")
}

type Told = BTreeSet<(u32, BTreeMap<Vec<u32>, (u64, u64)>)>;

/// The steps as delays and distributions, after a change of states.
fn told(model: &dyn Model, state: &State, change: &dyn Fn(&mut Vec<u32>)) -> Told {
    let mut steps = Steps::new(state.len());
    model.steps(state, &mut steps).expect("the model has no faults");
    let step = |step: motet_model::Step<'_>| {
        let mut targets: BTreeMap<Vec<u32>, motet_model::Ratio> = BTreeMap::new();
        for branch in step.branches() {
            let mut target = branch.target.to_vec();
            change(&mut target);
            let known = targets.get(&target).copied().unwrap_or(motet_model::Ratio::ZERO);
            targets.insert(target, known.checked_add(branch.chance).expect("small numbers"));
        }
        let fraction = |(target, chance): (Vec<u32>, motet_model::Ratio)| {
            (target, chance.words().expect("small numbers"))
        };
        (step.delay, targets.into_iter().map(fraction).collect())
    };
    steps.iter().map(step).collect()
}

/// Where nobody stops within an instant, the steps of an image are the images of the steps.
#[test]
fn steps_of_a_state_whose_members_changed_places_are_the_images_of_its_steps() {
    let (mut compared, mut models) = (0, 0);
    for seed in 0..60 {
        let mut dice = dice(seed ^ 0x5e7);
        let helpers = 2 + dice.below(3);
        let model = team(&mut dice, helpers);
        let system = system(&model, "possible C: Watch.ticks = 9\n");
        let model_of = system.model.as_ref();
        let symmetry = model_of.facets().symmetry.expect("Brahms models know their members");
        if symmetry.kinds().is_empty() {
            continue;
        }
        models += 1;
        let mut open: Vec<Box<State>> = Vec::new();
        model_of.initial(&mut open);
        let mut seen: BTreeSet<Box<State>> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            let mut steps = Steps::new(state.len());
            model_of.steps(&state, &mut steps).expect("the model has no faults");
            for step in steps.iter() {
                for branch in step.branches() {
                    if seen.len() < 300 && seen.insert(branch.target.into()) {
                        open.push(branch.target.into());
                    }
                }
            }
            // Moments within an instant are compared by their verdicts only.
            if state[0] != 0 {
                continue;
            }
            for (kind, text) in symmetry.kinds().iter().enumerate() {
                let mut from: Vec<usize> = (0..text.members.len()).collect();
                from.swap(0, text.members.len() - 1);
                let swap = |state: &mut Vec<u32>| symmetry.permute(kind, &from, state);
                let mut image = state.to_vec();
                swap(&mut image);
                let (steps, images) = (told(model_of, &image, &|_| {}), told(model_of, &state, &swap));
                let settled = |told: &Told| told.iter().all(|(_, targets)| targets.keys().all(|t| t[0] == 0));
                if settled(&steps) && settled(&images) {
                    assert_eq!(steps, images, "seed {seed}\n{model}");
                    compared += 1;
                }
                swap(&mut image);
                assert_eq!(*image, *state, "two changes are none, seed {seed}");
            }
        }
    }
    assert!(compared > 2_000 && models > 15, "{compared} states of {models} models");
}

/// Agents that count to a limit, each of whom may count along or not; as in the benchmark.
fn counters(agents: u64, limit: u64) -> String {
    let mut text = format!(
        "group Counters {{\n  attributes:\n    public int a;\n    public int b;\n  initial_beliefs:\n    (current.a = 0);\n    \
         (current.b = 0);\n  activities:\n    primitive_activity pause() {{ max_duration: 1; }}\n  workframes:\n    \
         workframe wf_count {{ repeat: true; when(knownval(current.a < {limit})) do {{ pause(); \
         conclude((current.a = current.a + 1), fc:0); conclude((current.b = current.b + 1), bc:50, fc:0); }} }}\n}}\n"
    );
    for number in 1..=agents {
        let _ = writeln!(text, "agent Counter{number} memberof Counters {{ }}");
    }
    text
}

/// In round `r` every count is one of 0 to `r`: a multiset of `agents` of them.
fn multisets(agents: u64, limit: u64) -> u64 {
    let choose = |n: u64, k: u64| (0..k).fold(1, |product, at| product * (n - at) / (at + 1));
    (0..=limit).map(|round| choose(round + agents, agents)).sum()
}

#[test]
fn counters_have_as_many_states_as_there_are_multisets_of_counts() {
    for (agents, limit) in [(2, 3), (3, 4), (5, 3)] {
        let system = system(&counters(agents, limit), "");
        let model = system.model.as_ref();
        let whole = motet_naive::Graph::of(model).expect("there are no faults").states.len() as u64;
        let quotient = Quotient::of(model, &[], Fairness::None, &|_| true).expect("there are members");
        assert_eq!(quotient.groups()[0].members.len() as u64, agents);
        let folded = motet_naive::Graph::of(&quotient).expect("there are no faults").states.len() as u64;
        // Beside the rounds there is the state before anything happened.
        let rounds: u64 = (0..=limit).map(|round| (round + 1).pow(u32::try_from(agents).unwrap())).sum();
        assert_eq!(whole, 1 + rounds, "{agents} agents");
        assert_eq!(folded, 1 + multisets(agents, limit), "{agents} agents");
    }
}

#[test]
fn a_counter_that_a_claim_names_stays_and_the_report_says_so() {
    let loaded = read(&counters(4, 2), "property Below: G not (Counter1 believes Counter1.b > 2)\n");
    let [whole, folded, _] = all_ways(&loaded, None, STATES);
    assert_eq!(verdicts(&whole), verdicts(&folded));
    let lines = folded.symmetry.expect("it was asked for").lines();
    assert_eq!(
        lines,
        [
            "Counters: 3 are interchangeable (Counter2, Counter3, Counter4)",
            "Counters: named by a claim: Counter1"
        ]
    );
    let states = |report: Option<motet_evidence::Coverage>| report.expect("it was explored").states;
    assert!(states(folded.coverage) < states(whole.coverage));
}

#[test]
fn claims_that_name_different_members_are_explored_apart() {
    let claims =
        "possible One: Counter1 believes Counter1.b = 2\npossible Four: Counter4 believes Counter4.b = 2\n";
    let loaded = read(&counters(4, 2), claims);
    let [whole, folded, sliced] = all_ways(&loaded, None, STATES);
    assert_eq!(verdicts(&whole), verdicts(&folded));
    assert_eq!(verdicts(&whole), verdicts(&sliced));
    let symmetry = folded.symmetry.expect("it was asked for");
    assert_eq!(symmetry.interchangeable.len(), 2);
    assert_eq!(symmetry.apart, ["One", "Four"]);
    assert!(folded.claims.iter().all(|claim| claim.tale.is_some()), "the runs are told");
}

fn obstacle(model: &str) -> String {
    let system = system(model, "");
    let symmetry = system.model.facets().symmetry.expect("Brahms models know their members");
    assert!(symmetry.kinds().is_empty(), "{model}");
    symmetry.obstacles().iter().map(|obstacle| obstacle.reason.clone()).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_tells_members_apart_is_said() {
    let group = "group G { attributes: public int n; public boolean b; activities: primitive_activity act() { max_duration: 1; } \
                 workframes: workframe wf { repeat: true; when(knownval(current.n < 2)) do { act(); conclude((current.n = current.n + 1)); } } }\n";
    let two = |one: &str, two: &str| {
        format!("{group}agent A memberof G {{ {one} }}\nagent B memberof G {{ {two} }}\n")
    };
    let beliefs = two("initial_beliefs: (current.n = 0);", "initial_beliefs: (current.n = 1);");
    assert_eq!(obstacle(&beliefs), "the initial beliefs of A and B differ");
    let facts = two("initial_facts: (current.n = 0);", "initial_facts: (current.n = 1);");
    assert_eq!(obstacle(&facts), "the initial facts about A and B differ");
    let named = two("", "")
        + "agent C { workframes: workframe wf_c { when(knownval(A.n = 1)) do { conclude((A.b = true)); } } }\n";
    assert_eq!(obstacle(&named), "wf_c of C tells A and B apart");
    let shared = two("", "").replace("conclude((current.n", "conclude((T.n")
        + "agent T { attributes: public int n; }\n";
    assert!(obstacle(&shared).contains("at the same instant"), "{}", obstacle(&shared));
    let between = format!(
        "{group}agent A memberof G {{ }}\nagent C {{ thoughtframes: thoughtframe tf {{ when(knownval(A.n = 5)) do {{ conclude((C.x = true)); }} }} attributes: public boolean x; }}\nagent B memberof G {{ }}\n"
    );
    assert_eq!(obstacle(&between), "tf of C tells A and B apart");
    let between = between.replace("A.n = 5", "C.x = false");
    assert_eq!(obstacle(&between), "others take their turns between A, B");
}
