//! Storm, asked through the workbench, against the native engine: examples with chance through the PRISM language, random
//! teams of AgentSpeak state by state, and the explicit forms against each other. Needs `stormpy`; `./test` installs it.

use std::time::Duration;

use motet_evidence::{Fairness, Verdict};
use motet_external::storm::{self, Found, Input, Storm, Task};
use motet_render::Report;
use motet_source::Sources;
use motet_suite::folder;
use motet_suite::generate::{self, dice};
use motet_suite::generate_prism::case;
use motet_workbench::{
    ChanceForm, CheckOptions, Engine, Limits, Loaded, Project, Selection, Settings, check, export_chance,
    load,
};

/// Random teams in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 10;
/// Larger graphs are passed over: the point is variety.
const LIMIT_STATES: u64 = 3_000;

fn up_to() -> Limits {
    Limits { states: Some(LIMIT_STATES), ..Limits::default() }
}

/// Storm, or `None` where it is not installed and not required.
fn storm() -> Option<Storm> {
    match storm::find() {
        Ok(storm) => Some(storm),
        Err(error) => {
            assert!(std::env::var_os("MOTET_REQUIRE_STORM").is_none(), "Storm is required here: {error}");
            None
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "randomised tests can be widened")]
fn rounds() -> u64 {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(ROUNDS)
}

fn options() -> CheckOptions {
    let limits = Limits { time: Some(Duration::from_secs(300)), ..Limits::default() };
    CheckOptions {
        cross_check: Some(Engine::Storm),
        scratch: std::env::temp_dir(),
        ..Settings { limits, ..Settings::default() }.into()
    }
}

/// How many numbers and truths were compared; every dispute and every failure is an error.
fn compared(report: &Report) -> Result<usize, String> {
    if !report.engine_failures.is_empty() || !report.internal.is_empty() {
        return Err(format!("{:?} {:?}", report.engine_failures, report.internal));
    }
    let answered = |verdict: &Verdict| !matches!(verdict, Verdict::Unknown(_));
    let both = report.claims.iter().filter(|claim| {
        answered(&claim.outcome.verdict)
            && claim.second.as_ref().is_some_and(|second| answered(&second.verdict))
    });
    Ok(both.count())
}

#[test]
fn examples_with_chance_have_storms_numbers() {
    if storm().is_none() {
        return;
    }
    let root = folder::root();
    let mut n_compared = 0;
    for name in folder::names(&root.join("examples")) {
        let path = format!("examples/{name}");
        if !root.join(&path).is_dir() {
            continue;
        }
        let sources = folder::sources(&root, &path).expect("an example holds a model");
        let asks = |text: &str| ["=? [", "P>", "P<", "R{"].iter().any(|sign| text.contains(sign));
        if !sources.iter().any(|(_, file)| file.path.ends_with(".props") && asks(&file.text)) {
            continue;
        }
        // Optimised builds ask everything; others leave the long ones out.
        let globs = if cfg!(debug_assertions) && name.starts_with("asv") {
            vec!["L5".to_owned()]
        } else {
            Vec::new()
        };
        let selection = Selection { globs, ..Selection::default() };
        let loaded = load(Project { path: path.clone(), sources, selection, ..Project::default() });
        let report = check(&loaded, &options(), &mut |_| {});
        n_compared += compared(&report).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
    assert!(n_compared >= 5, "almost nothing was compared: {n_compared}");
}

/// A question about two atoms.
type Form<'f> = &'f dyn Fn(&str, &str) -> String;

/// Questions of every sort about the beliefs and the environment of a random team.
fn questions(seed: u64) -> String {
    let mut dice = dice(seed ^ 0x51f0);
    let mut atom = || {
        let words = ["n = 0", "n = 1", "n = 2", "f", "Bel(one, n(0))", "Bel(one, n(1))", "Bel(one, n(2))"];
        dice.pick(&words).to_owned()
    };
    // The first atom, so that it is always among the labels.
    let mut text = "query always_asked: Pmax=? [ F (f) ]\n".to_owned();
    let forms: [Form<'_>; 9] = [
        &|a, _| format!("query Q: Pmax=? [ F ({a}) ]"),
        &|a, _| format!("query Q: Pmin=? [ F ({a}) ]"),
        &|a, b| format!("query Q: Pmax=? [ ({a}) U (not ({b})) ]"),
        &|a, b| format!("query Q: Pmin=? [ ({a}) W ({b}) ]"),
        &|a, _| format!("query Q: Pmax=? [ F<=9 steps ({a}) ]"),
        &|a, _| format!("query Q: Pmin=? [ G<=12 steps (not ({a})) ]"),
        &|a, b| format!("query Q: Pmax=? [ (G (F ({a}))) & (F ({b})) ]"),
        &|a, b| format!("property Q: P>=0.5 [ F (({a}) | ({b})) ]"),
        &|a, b| format!("query Q: Pmax=? [ (F ({a})) -> (X ({b})) ]"),
    ];
    for (number, form) in forms.iter().enumerate() {
        let (a, b) = (atom(), atom());
        text.push_str(&form(&a, &b).replacen('Q', &format!("q{number}"), 1));
        text.push('\n');
    }
    text
}

fn team(seed: u64) -> Loaded {
    let mut sources = Sources::new();
    for (name, text) in generate::team(seed) {
        sources.add(name, text);
    }
    sources.add("claims.props", questions(seed));
    let loaded = load(Project { path: "random".to_owned(), sources, ..Project::default() });
    let problems = loaded.problems.lines(&loaded.sources);
    assert!(loaded.ready.is_some(), "seed {seed}: the team and its claims are well-formed:\n{problems}");
    loaded
}

/// Seeds of teams in which chance plays a part and that are not too large.
fn seeds() -> impl Iterator<Item = u64> {
    let random = |seed: &u64| generate::team(*seed).iter().any(|(_, text)| text.contains("prob {"));
    (0..).filter(random)
}

#[test]
fn random_teams_have_the_same_numbers_state_by_state() {
    if storm().is_none() {
        return;
    }
    let (mut n_teams, mut n_compared) = (0, 0);
    for seed in seeds() {
        let loaded = team(seed);
        let limits = up_to();
        let ready = loaded.ready.as_ref().expect("the team was loaded");
        if export_chance(&loaded, ready, ChanceForm::Drn, "", &up_to()).is_err() {
            continue;
        }
        // Storm knows no fair strategies.
        let options = CheckOptions {
            fairness: Some(Fairness::None),
            settings: Settings { limits, ..Settings::default() },
            ..options()
        };
        let report = check(&loaded, &options, &mut |_| {});
        n_compared +=
            compared(&report).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{}", questions(seed)));
        n_teams += 1;
        if n_teams == rounds() {
            break;
        }
    }
    assert!(n_compared as u64 >= 6 * n_teams, "{n_compared} answers about {n_teams} teams");
}

#[test]
fn explicit_forms_are_the_same_model() {
    let Some(storm) = storm() else { return };
    let mut n_teams = 0;
    for seed in seeds() {
        let loaded = team(seed);
        let ready = loaded.ready.as_ref().expect("the team was loaded");
        let write = |form| export_chance(&loaded, ready, form, "test", &up_to());
        let (Ok(drn), Ok(jani)) = (write(ChanceForm::Drn), write(ChanceForm::Jani)) else { continue };
        let questions = vec!["Pmax=? [ F \"f\" ]".to_owned(), "Pmin=? [ F<=9 \"f\" ]".to_owned()];
        if !drn.files[0]
            .1
            .lines()
            .any(|line| line.starts_with("state ") && line.split(' ').any(|word| word == "f"))
        {
            continue;
        }
        let ask = |model| {
            let answer = storm.ask(&Task::new(model, questions.clone()), &std::env::temp_dir());
            answer.unwrap_or_else(|error| panic!("seed {seed}: {error}"))
        };
        let first = ask(Input::Drn(drn.files[0].1.clone()));
        let second = ask(Input::Jani(jani.files[0].1.clone()));
        let size = |answer: &storm::Answer| (answer.states, answer.choices, answer.transitions);
        assert_eq!(size(&first), size(&second), "seed {seed}");
        for (one, other) in first.replies.iter().zip(&second.replies) {
            let (Found::Number { low, high, .. }, Found::Number { low: least, high: most, .. }) =
                (&one.found, &other.found)
            else {
                panic!("seed {seed}: {:?} and {:?}", one.found, other.found)
            };
            assert!(low <= most && least <= high, "seed {seed}: {:?} and {:?}", one.found, other.found);
        }
        n_teams += 1;
        if n_teams == 3 {
            break;
        }
    }
}

/// The questions that stand in the first comments of a file in Storm's explicit format.
fn asked(drn: &str) -> Vec<String> {
    let comments = drn.lines().map_while(|line| line.strip_prefix("// "));
    comments
        .filter_map(|line| line.strip_prefix('"')?.split_once("\": "))
        .map(|(_, text)| text.to_owned())
        .collect()
}

#[test]
fn random_programs_are_the_same_state_by_state_with_their_rewards() {
    let Some(storm) = storm() else { return };
    let mut n_compared = 0;
    for seed in 0..rounds() {
        let case = case(seed, 8);
        let mut sources = Sources::new();
        sources.add("model.prism", case.program.as_str());
        let claims = case.queries.iter().enumerate().map(|(at, query)| format!("query q{at}: {query}\n"));
        sources.add("model.props", format!("dialect motet\n{}", claims.collect::<String>()));
        let loaded = load(Project { path: "random".to_owned(), sources, ..Project::default() });
        let ready = loaded.ready.as_ref().unwrap_or_else(|| panic!("seed {seed}: {:?}", loaded.problems));
        let write = |form| export_chance(&loaded, ready, form, "test", &up_to());
        let (Ok(drn), Ok(jani)) = (write(ChanceForm::Drn), write(ChanceForm::Jani)) else { continue };
        let ask = |model, questions: Vec<String>| {
            let answer = storm.ask(&Task::new(model, questions), &std::env::temp_dir());
            answer.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", case.program))
        };
        let questions = asked(&drn.files[0].1);
        if questions.len() != case.queries.len() {
            continue;
        }
        let text = ask(Input::Prism(case.program.clone()), case.queries.clone());
        for form in [Input::Drn(drn.files[0].1.clone()), Input::Jani(jani.files[0].1.clone())] {
            let states = ask(form, questions.clone());
            assert_eq!((states.states, states.choices), (text.states, text.choices), "seed {seed}");
            for ((one, other), question) in text.replies.iter().zip(&states.replies).zip(&case.queries) {
                let what = || format!("seed {seed}: {question}: {one:?}, {other:?}\n{}", case.program);
                if let (Found::Number { low, high, .. }, Found::Number { low: least, high: most, .. }) =
                    (&one.found, &other.found)
                {
                    let slack = 1e-9 * high.abs().max(1.0);
                    let meet = low - slack <= *most && *least <= high + slack;
                    assert!(meet || (low.is_infinite() && least.is_infinite()), "{}", what());
                    n_compared += 1;
                } else {
                    // Storm does not take every formula, and no rewards in a moment where no state earns any.
                    let open = |found: &Found| matches!(found, Found::Open(_));
                    assert!(open(&one.found) || open(&other.found), "{}", what());
                }
            }
        }
    }
    assert!(n_compared as u64 >= 8 * rounds(), "almost nothing was compared: {n_compared}");
}
