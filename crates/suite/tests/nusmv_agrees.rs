//! NuSMV, asked about the state space, against the native engine: branching time, linear time and the past on random nets, on
//! all runs and on weakly fair ones. `./test` builds NuSMV; where it is missing this is passed over.

use motet_evidence::{Fairness, Verdict};
use motet_external::Nusmv;
use motet_render::Report;
use motet_source::fuzz::Random;
use motet_source::{Problems, Sources};
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::generate::dice;
use motet_suite::generate_nets;
use motet_workbench::{CheckOptions, Engine, Limits, Loaded, Project, Settings, check, load};

/// Random nets in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 40;
/// Claims about each random net.
const CLAIMS: usize = 8;
/// Larger graphs are passed over: the point is variety.
const LIMIT_STATES: u64 = 300;

/// How deep random formulas are.
const DEPTH: usize = 3;

#[test]
fn nusmv_agrees_on_random_nets() {
    if !is_there() {
        return;
    }
    compare_random(ROUNDS, |seed| compared(seed, Fairness::None));
}

#[test]
fn nusmv_agrees_on_weakly_fair_runs_of_random_nets() {
    if !is_there() {
        return;
    }
    compare_random(ROUNDS, |seed| compared(seed ^ 0xfa1f, Fairness::Weak));
}

fn is_there() -> bool {
    match Nusmv::find() {
        Ok(_) => true,
        Err(error) => {
            assert!(std::env::var_os("MOTET_REQUIRE_NUSMV").is_none(), "NuSMV is required here: {error}");
            false
        }
    }
}

fn compared(seed: u64, fairness: Fairness) -> Compared {
    let claims = claims(seed);
    let loaded = read(&generate_nets::plain(seed), &claims);
    let limits = Limits { states: Some(LIMIT_STATES), ..Limits::default() };
    let options = CheckOptions {
        fairness: Some(fairness),
        cross_check: Some(Engine::Nusmv),
        scratch: std::env::temp_dir(),
        ..Settings { limits, ..Settings::default() }.into()
    };
    let report = check(&loaded, &options, &mut |_| {});
    if report.stop.is_some() {
        return None;
    }
    Some(judged(&report, &claims))
}

fn judged(report: &Report, claims: &str) -> Result<(usize, usize), String> {
    if !report.engine_failures.is_empty() || !report.internal.is_empty() {
        let messages: Vec<&String> = report.engine_failures.iter().chain(&report.internal).collect();
        return Err(format!("{messages:?}\n{claims}"));
    }
    let (mut holds, mut fails) = (0, 0);
    for claim in &report.claims {
        let second = claim.second.as_ref().map(|second| &second.verdict);
        match (&claim.outcome.verdict, second) {
            (Verdict::Holds, Some(Verdict::Holds)) => holds += 1,
            (Verdict::Fails, Some(Verdict::Fails)) => fails += 1,
            (native, second) => {
                return Err(format!("{}: native {native:?}, NuSMV {second:?}\n{}", claim.name, claim.text));
            }
        }
    }
    Ok((holds, fails))
}

fn read(model: &str, claims: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add("model.npn".to_owned(), model.to_owned());
    sources.add("claims.props".to_owned(), claims.to_owned());
    let loaded = load(Project { path: "model.npn".to_owned(), sources, ..Project::default() });
    let lines = |problems: &Problems| problems.lines(&loaded.sources);
    assert!(loaded.ready.is_some(), "{}\n{model}\n{claims}", lines(&loaded.problems));
    loaded
}

/// Half of them in branching time, a quarter each in linear time with and without the past.
fn claims(seed: u64) -> String {
    let mut dice = dice(seed ^ 0x5a5a);
    let mut text = String::new();
    for number in 0..CLAIMS {
        let formula = match number % 4 {
            0 | 2 => branching(&mut dice, DEPTH),
            1 => linear(&mut dice, DEPTH),
            _ => format!("G (({}) -> ({}))", atom(&mut dice), past(&mut dice)),
        };
        text.push_str(&format!("property C{number}: {formula}\n"));
    }
    text
}

fn atom(dice: &mut Random) -> String {
    match dice.below(5) {
        0 => "deadlock".to_owned(),
        1 => format!("enabled(t{})", dice.below(3)),
        _ => format!("#p{} {} {}", dice.below(3), dice.pick(&["=", ">=", "<"]), dice.below(3)),
    }
}

fn branching(dice: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return atom(dice);
    }
    let operator = dice.pick(&["AG", "AF", "AX", "EG", "EF", "EX"]);
    match dice.below(9) {
        0 => format!("not ({})", branching(dice, depth - 1)),
        1 => format!("({}) and ({})", branching(dice, depth - 1), branching(dice, depth - 1)),
        2 => format!("({}) -> ({})", branching(dice, depth - 1), branching(dice, depth - 1)),
        3 => format!(
            "{} [ ({}) {} ({}) ]",
            dice.pick(&["A", "E"]),
            branching(dice, depth - 1),
            dice.pick(&["U", "W", "R"]),
            branching(dice, depth - 1)
        ),
        _ => format!("{operator} ({})", branching(dice, depth - 1)),
    }
}

fn linear(dice: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return atom(dice);
    }
    match dice.below(7) {
        0 => format!("not ({})", linear(dice, depth - 1)),
        1 => format!("({}) or ({})", linear(dice, depth - 1), linear(dice, depth - 1)),
        2 => format!(
            "({}) {} ({})",
            linear(dice, depth - 1),
            dice.pick(&["U", "W", "R"]),
            linear(dice, depth - 1)
        ),
        _ => format!("{} ({})", dice.pick(&["G", "F", "X", "G", "F"]), linear(dice, depth - 1)),
    }
}

fn past(dice: &mut Random) -> String {
    let (one, two) = (atom(dice), atom(dice));
    match dice.below(4) {
        0 => format!("once({one})"),
        1 => format!("historically({one})"),
        2 => format!("previously({one})"),
        _ => format!("({one}) since ({two})"),
    }
}
