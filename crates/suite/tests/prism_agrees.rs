//! Chains and decision processes from random programs: the engine, the slow twin in rational numbers and Storm agree, on sizes
//! first and then on every number. Needs `stormpy`; `./test` installs it.

use std::time::Duration;

use motet_evidence::Verdict;
use motet_external::storm::{self, Answer, Found, Input, Storm, Task};
use motet_model::AtomId;
use motet_naive::chance;
use motet_property::{Claim, Path};
use motet_source::Sources;
use motet_suite::generate_prism::{Case, case};
use motet_workbench::{CheckOptions, Loaded, Project, check, load};

/// Random programs in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 24;
/// Questions about each.
const QUERIES: usize = 8;
/// States up to which the slow twin is asked too: it tries all policies.
const LIMIT_TWIN: u64 = 40;

fn loaded(case: &Case) -> Loaded {
    let mut sources = Sources::new();
    sources.add("model.prism", case.program.as_str());
    let claims = case.queries.iter().enumerate().map(|(at, query)| format!("query q{at}: {query}\n"));
    sources.add("model.props", format!("dialect motet\n{}", claims.collect::<String>()));
    load(Project { path: "random".to_owned(), sources, ..Project::default() })
}

fn ask(storm: &Storm, case: &Case) -> Result<Answer, String> {
    let mut task = Task::new(Input::Prism(case.program.clone()), case.queries.clone());
    task.time = Duration::from_secs(60);
    storm.ask(&task, &std::env::temp_dir()).map_err(|error| error.to_string())
}

/// The certified interval against Storm's.
fn same(native: &Verdict, found: &Found) -> Result<(), String> {
    match (native, found) {
        (Verdict::Value { low, high }, Found::Number { low: least, high: most, .. }) => {
            // Storm's bounds are floating-point sums themselves.
            let slack = 1e-9 * high.abs().max(1.0);
            let meet = low - slack <= *most && *least <= high + slack;
            let both_infinite = low.is_infinite() && least.is_infinite();
            if meet || both_infinite { Ok(()) } else { Err(format!("native {native:?}, Storm {found:?}")) }
        }
        // Storm does not take every formula; the twin does.
        (Verdict::Value { .. }, Found::Open(_)) => Ok(()),
        _ => Err(format!("native {native:?}, Storm {found:?}")),
    }
}

/// The certified interval holds the exact value.
fn holds_exactly(claim: &Claim<AtomId>, native: &Verdict, loaded: &Loaded) -> Result<(), String> {
    let ready = loaded.ready.as_ref().expect("the case loads");
    let Path::Now(formula) = &claim.formula else { return Err("a query is a state formula".to_owned()) };
    let Ok(value) = chance::value(ready.system.model.as_ref(), formula) else { return Ok(()) };
    let exact = match value {
        chance::Value::Number(number) => number.to_f64().value(),
        chance::Value::Infinite => f64::INFINITY,
        chance::Value::Truth(_) => return Err("a query has a number".to_owned()),
    };
    // The twin's fraction is rounded to the nearest double here.
    let slack = if exact.is_finite() { 1e-12 * exact.abs() } else { 0.0 };
    match native {
        Verdict::Value { low, high } if low - slack <= exact && exact <= high + slack => Ok(()),
        _ => Err(format!("native {native:?}, exactly {exact}")),
    }
}

/// `Ok` is how many numbers were compared.
fn compare(storm: &Storm, seed: u64) -> Result<usize, String> {
    let case = case(seed, QUERIES);
    let words = |what: String| format!("seed {seed}: {what}\n{}\n{:#?}", case.program, case.queries);
    let loaded = loaded(&case);
    let Some(ready) = &loaded.ready else { return Err(words(format!("{:?}", loaded.problems))) };
    let report = check(&loaded, &CheckOptions::default(), &mut |_| {});
    let answer = ask(storm, &case).map_err(words)?;
    let coverage = report.coverage.as_ref().expect("the model was explored");
    let sizes = (coverage.states, coverage.transitions, coverage.choices);
    if sizes != (answer.states, answer.transitions, answer.choices) {
        let found = (answer.states, answer.transitions, answer.choices);
        return Err(words(format!("sizes {sizes:?}, in Storm {found:?}")));
    }
    for ((claim, asked), reply) in report.claims.iter().zip(&ready.claims).zip(&answer.replies) {
        let verdict = &claim.outcome.verdict;
        same(verdict, &reply.found).map_err(|why| words(format!("{}: {why}", claim.text)))?;
        if coverage.states <= LIMIT_TWIN {
            holds_exactly(asked, verdict, &loaded).map_err(|why| words(format!("{}: {why}", claim.text)))?;
        }
    }
    Ok(answer.replies.iter().filter(|reply| !matches!(reply.found, Found::Open(_))).count())
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test may be widened and must not be skipped by accident")]
fn random_programs_have_the_same_sizes_and_numbers_in_storm() {
    let storm = match storm::find() {
        Ok(storm) => storm,
        Err(_) if std::env::var_os("MOTET_REQUIRE_STORM").is_none() => return,
        Err(error) => panic!("{error}"),
    };
    let rounds =
        std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(ROUNDS);
    let results: Vec<Result<usize, String>> = (0..rounds).map(|seed| compare(&storm, seed)).collect();
    let failures: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    let compared: usize = results.iter().filter_map(|result| result.as_ref().ok()).sum();
    let heads: Vec<&str> = failures.iter().filter_map(|failure| failure.lines().next()).collect();
    let heads = heads.join("\n");
    assert!(failures.is_empty(), "{} of {rounds} differ:\n{heads}\n{}", failures.len(), failures[0]);
    assert!(compared as u64 > 4 * rounds, "Storm answered only {compared} questions");
}
