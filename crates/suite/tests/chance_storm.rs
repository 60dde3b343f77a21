//! Chances and rewards of random Brahms models and AgentSpeak teams, with ties as choices and with ties drawn, against Storm, to
//! which they go state by state. Needs `stormpy`; `./test` installs it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use motet_evidence::{Fairness, Verdict};
use motet_external::storm;
use motet_source::Sources;
use motet_suite::generate::{self, dice};
use motet_suite::generate_brahms;
use motet_workbench::{
    ChanceForm, CheckOptions, Engine, Limits, Loaded, Options, Project, Settings, check, export_chance, load,
};

/// Models of each language in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 20;
/// Larger graphs are passed over: the point is variety.
const LIMIT_STATES: u64 = 2_000;

fn limits() -> Limits {
    Limits { states: Some(LIMIT_STATES), ..Limits::default() }
}
/// Most of the time a model waits for Storm to start.
const THREADS: usize = 4;

fn storm_is_here() -> bool {
    match storm::find() {
        Ok(_) => true,
        Err(error) => {
            assert!(std::env::var_os("MOTET_REQUIRE_STORM").is_none(), "Storm is required here: {error}");
            false
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "randomised tests can be widened")]
fn rounds() -> u64 {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(ROUNDS)
}

/// Questions of every sort over these atoms and rewards; ties that are drawn leave one strategy.
fn questions(seed: u64, atoms: &[String], rewards: &[&str]) -> String {
    let mut dice = dice(seed ^ 0x0c4a);
    let mut text = String::new();
    for (number, form) in [
        "Pmax=? [ F (A) ]",
        "Pmin=? [ F (A) ]",
        "Pmax=? [ (A) U (not (B)) ]",
        "Pmin=? [ (A) W (B) ]",
        "Pmax=? [ F<=7 steps (A) ]",
        "Pmin=? [ G<=9 steps (not (A)) ]",
        "Rmin=? [ F ((A) | deadlock) ]",
        "Rmax=? [ C<=8 steps ]",
        "Rmax=? [ F ((B) | deadlock) ]",
        "Rmin=? [ C<=5 steps ]",
    ]
    .iter()
    .enumerate()
    {
        let (a, b) = (dice.one(atoms).clone(), dice.one(atoms).clone());
        let reward = format!("R{{\"{}\"}}", dice.pick(rewards));
        let form = form.replace("(A)", &format!("({a})")).replace("(B)", &format!("({b})"));
        text.push_str(&format!("query q{number}: {}\n", form.replacen('R', &reward, 1)));
    }
    text
}

fn brahms(seed: u64) -> Loaded {
    let atoms: Vec<String> = ["Ann.n = 1", "Bob.n = 1", "Ann believes Bob.n = 1", "Bob believes Ann.n = 0"]
        .map(str::to_owned)
        .to_vec();
    let text = generate_brahms::model(seed);
    let known = |atom: &&String| loads(&text, atom);
    let atoms: Vec<String> = atoms.iter().filter(known).cloned().collect();
    let rewards = ["time", "busy", "busy(Ann)", "activities", "workframes(Bob)", "thoughts", "messages"];
    let atoms = if atoms.is_empty() { vec!["deadlock".to_owned()] } else { atoms };
    ready(vec![("model.b".to_owned(), text)], &questions(seed, &atoms, &rewards), seed)
}

/// Whether a claim can speak of this in a model.
fn loads(text: &str, atom: &str) -> bool {
    let mut sources = Sources::new();
    sources.add("model.b", text);
    sources.add("claims.props", format!("possible p: {atom}\n"));
    load(Project { sources, ..Project::default() }).ready.is_some()
}

fn team(seed: u64) -> Loaded {
    let atoms = ["n = 0", "n = 1", "n = 2", "f", "Bel(one, n(0))", "Bel(one, n(1))", "Bel(one, n(2))"];
    let atoms: Vec<String> = atoms.map(str::to_owned).to_vec();
    let rewards = ["cycles", "cycles(one)", "actions", "messages", "plans(one)"];
    ready(generate::team(seed), &questions(seed, &atoms, &rewards), seed)
}

/// The model; every other one with ties that are drawn, some with drawn durations and counted ties.
fn ready(files: Vec<(String, String)>, claims: &str, seed: u64) -> Loaded {
    let mut options = Options::default();
    if seed.is_multiple_of(2) {
        options.rules.insert("ties".to_owned(), "random".to_owned());
    } else if seed.is_multiple_of(3) && files.iter().any(|(name, _)| name.ends_with(".b")) {
        options.rules.insert("durations".to_owned(), "random".to_owned());
    }
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(name, text);
    }
    sources.add("claims.props", claims);
    let loaded = load(Project { path: "random".to_owned(), sources, options, ..Project::default() });
    let problems = loaded.problems.lines(&loaded.sources);
    assert!(loaded.ready.is_some(), "seed {seed}: the model and its claims are well-formed:\n{problems}");
    loaded
}

/// How many answers were compared about how many models. Every dispute and every failure is an error.
fn compare(model: fn(u64) -> Loaded, is_random: fn(u64) -> bool) -> (u64, usize) {
    let (next, models, compared) = (AtomicU64::new(0), AtomicU64::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while models.load(Ordering::Relaxed) < rounds() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if let Some(count) = is_random(seed).then(|| agree(&model(seed), seed)).flatten() {
                        models.fetch_add(1, Ordering::Relaxed);
                        compared.fetch_add(count, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    (models.into_inner(), compared.into_inner())
}

fn agree(loaded: &Loaded, seed: u64) -> Option<usize> {
    let ready = loaded.ready.as_ref()?;
    export_chance(loaded, ready, ChanceForm::Drn, "", &limits()).ok()?;
    let limits =
        Limits { states: Some(LIMIT_STATES), time: Some(Duration::from_secs(60)), ..Limits::default() };
    let options = CheckOptions {
        cross_check: Some(Engine::Storm),
        // Storm knows no fair strategies.
        fairness: Some(Fairness::None),
        scratch: std::env::temp_dir(),
        ..Settings { limits, ..Settings::default() }.into()
    };
    let report = check(loaded, &options, &mut |_| {});
    assert!(
        report.engine_failures.is_empty() && report.internal.is_empty(),
        "seed {seed}: {:?} {:?}",
        report.engine_failures,
        report.internal
    );
    let answered = |verdict: &Verdict| !matches!(verdict, Verdict::Unknown(_));
    let both = report.claims.iter().filter(|claim| {
        answered(&claim.outcome.verdict)
            && claim.second.as_ref().is_some_and(|second| answered(&second.verdict))
    });
    Some(both.count())
}

#[test]
fn random_brahms_models_have_storms_numbers() {
    if !storm_is_here() {
        return;
    }
    let uncertain = |seed| {
        let text = generate_brahms::model(seed);
        ["bc:50", "fc:50", "random: true"].iter().any(|sign| text.contains(sign))
    };
    let (models, compared) = compare(brahms, uncertain);
    assert!(compared as u64 >= 7 * models, "{compared} answers about {models} models");
}

#[test]
fn random_teams_have_storms_numbers() {
    if !storm_is_here() {
        return;
    }
    let uncertain = |seed| generate::team(seed).iter().any(|(_, text)| text.contains("prob {"));
    let (models, compared) = compare(team, uncertain);
    assert!(compared as u64 >= 7 * models, "{compared} answers about {models} models");
}
