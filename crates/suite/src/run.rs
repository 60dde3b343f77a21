//! Runs a page: every check of every example, in every configuration that applies, against what the page expects.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use motet_evidence::{Fairness, Verdict};
use motet_model::Options;
use motet_render::Report;
use motet_source::{Problems, Severity, Sources};
use motet_workbench::{Loaded, Project, check, check_sliced, load, promela};

use crate::configuration::Configuration;
use crate::expectation::{Expected, Word};
use crate::folder;
use crate::insight::insights;
use crate::markdown::{Check, Example, read};

/// Runs all pages under a folder, side by side, and returns what went wrong: an empty list is a pass.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn run_pages(root: &Path, under: &str) -> Vec<String> {
    let pages = folder::pages(root, under);
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let n_workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(|| {
                while let Some((path, text)) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = run_page(root, path, text);
                    failures.lock().expect("no worker panics while it holds the list").extend(found);
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no worker panicked");
    failures.sort();
    failures
}

/// Runs one page.
#[must_use]
pub fn run_page(root: &Path, path: &str, text: &str) -> Vec<String> {
    let examples = match read(text) {
        Ok(examples) => examples,
        Err(errors) => return errors.into_iter().map(|error| format!("{path}: {error}")).collect(),
    };
    let mut failures = Vec::new();
    for example in &examples {
        for check in example.checks.iter().filter(|check| is_due(check)) {
            for message in run_check(root, example, check) {
                failures.push(format!("{path}:{}: {}: {message}", check.line, example.title));
            }
        }
    }
    failures
}

/// Large checks run in optimised builds only.
fn is_due(check: &Check) -> bool {
    !check.has_mark("release") || !cfg!(debug_assertions)
}

fn run_check(root: &Path, example: &Example, check: &Check) -> Vec<String> {
    let mut failures = unfounded(check);
    let fairness = match check.settings.get("fair").map(String::as_str) {
        None => None,
        Some("none") => Some(Fairness::None),
        Some("weak") => Some(Fairness::Weak),
        Some("strong" | "choices") => Some(Fairness::Strong),
        Some(other) => return vec![format!("fair={other} is neither weak, strong, choices nor none")],
    };
    let mut native = None;
    for configuration in Configuration::ALL.into_iter().filter(|known| known.applies(check)) {
        let project = match project(root, example, check) {
            Ok(project) => project,
            Err(message) => return vec![message],
        };
        let loaded = load(project);
        let options = configuration.options(fairness, check);
        let ask = if check.has_mark("slice") { check_sliced } else { motet_workbench::check };
        let mut report = ask(&loaded, &options, &mut |_| {});
        match (&native, configuration) {
            (None, _) => {
                if check.has_mark("coverage") {
                    report.texts = motet_workbench::coverage(&loaded, &options, &report, &mut |_| {});
                }
                failures.extend(compare(&report, check));
                failures.extend(insights(&report, check));
                failures.extend(export(&loaded, check));
                native = Some(report);
            }
            (Some(native), Configuration::AllRuns) => failures.extend(all_runs(native, &report)),
            (Some(_), Configuration::Exact) => {
                failures
                    .extend(compare(&report, check).into_iter().map(|failure| format!("exactly: {failure}")));
            }
            (Some(_), _) => failures.extend(second_opinion(&report)),
        }
    }
    failures
}

/// A count needs an origin: one that was copied from the program shows nothing.
fn unfounded(check: &Check) -> Vec<String> {
    let counts = check.expected.iter().any(|expected| matches!(expected, Expected::Size { .. }));
    if counts && check.origins.is_empty() { vec!["a count without an ORIGIN".to_owned()] } else { Vec::new() }
}

/// The example's texts with the check's settings.
fn project(root: &Path, example: &Example, check: &Check) -> Result<Project, String> {
    let sources = match &example.folder {
        Some(path) => folder::sources(root, path)?,
        None => texts(example),
    };
    let mut options = Options::default();
    for (name, value) in &check.settings {
        match name.split_once('.') {
            Some(("bound", what)) => {
                let limit = value.parse().map_err(|_| format!("{name}={value} is not a number"))?;
                options.bounds.insert(what.to_owned(), limit);
            }
            Some(("rule", what)) => {
                options.rules.insert(what.to_owned(), value.clone());
            }
            _ if name == "mode" => options.mode = Some(value.clone()),
            _ if name == "fair" => {}
            _ => {
                options.parameters.insert(name.clone(), value.clone());
            }
        }
    }
    Ok(Project { path: example.title.clone(), sources, options, ..Project::default() })
}

fn texts(example: &Example) -> Sources {
    let mut sources = Sources::new();
    if let Some(team) = &example.team {
        sources.add("example.team", team.as_str());
    }
    for (name, text) in &example.programs {
        sources.add(name.as_str(), text.as_str());
    }
    if let Some(claims) = &example.claims {
        let extension = example.extension.as_deref().unwrap_or("props");
        sources.add(format!("example.{extension}"), claims.as_str());
    }
    sources
}

/// What the page expects against what came out, in both directions.
fn compare(report: &Report, check: &Check) -> Vec<String> {
    let mut failures: Vec<String> = report.internal.clone();
    failures.extend(report.engine_failures.iter().cloned());
    failures.extend(check.expected.iter().filter_map(|expected| missing(report, expected)));
    for claim in &report.claims {
        let named = |expected: &Expected| matches!(expected, Expected::Verdict(_, name) | Expected::Value { name, .. } if *name == claim.name);
        if !check.expected.iter().any(named) {
            failures.push(format!("no RESULT for {}, which {}", claim.name, claim.verdict()));
        }
    }
    failures.extend(unannounced(&report.problems, check));
    failures
}

/// Why an expectation is not met.
fn missing(report: &Report, expected: &Expected) -> Option<String> {
    match expected {
        Expected::Verdict(word, name) => {
            let Some(claim) = report.claims.iter().find(|claim| claim.name == *name) else {
                let problems: Vec<_> =
                    report.problems.iter().map(|p| format!("{}: {}", p.code, p.message)).collect();
                return Some(format!("there is no answer to {name}; problems: {problems:?}"));
            };
            let found = if claim.vacuous() { "vacuous" } else { claim.verdict() };
            let detail = match &claim.outcome.verdict {
                Verdict::Unknown(stop) => format!(" ({stop:?})"),
                _ => String::new(),
            };
            (found != word.to_string()).then(|| format!("{name}: expected {word}, found {found}{detail}"))
        }
        Expected::Value { name, value, tolerance } => {
            let claim = report.claims.iter().find(|claim| claim.name == *name);
            let Some(claim) = claim else { return Some(format!("there is no answer to {name}")) };
            let found = &claim.outcome.verdict;
            let told = || format!("{name}: expected {value:?} +- {tolerance}, found {found:?}");
            (!claim.may_be(*value, *tolerance)).then(told)
        }
        Expected::Size { states, transitions, choices } => {
            let Some(coverage) = &report.coverage else { return Some("nothing was explored".to_owned()) };
            let same = coverage.states == *states
                && transitions.is_none_or(|n| n == coverage.transitions)
                && choices.is_none_or(|n| n == coverage.choices);
            let found = format!(
                "found {} states, {} transitions, {} choices",
                coverage.states, coverage.transitions, coverage.choices
            );
            (!same || !coverage.complete)
                .then(|| format!("expected {states} states, {transitions:?}, {choices:?}: {found}"))
        }
        Expected::Problem(code) => {
            let raised = report.problems.iter().any(|problem| problem.code == code);
            (!raised).then(|| format!("expected the problem {code}, found {:?}", codes(&report.problems)))
        }
        // Compared by `export`: a report knows nothing of it.
        Expected::Export(_) => None,
        // Compared by `insights`, in both directions.
        Expected::Part(..) | Expected::Fact(..) | Expected::Without(..) => None,
        Expected::Never(_) | Expected::Unneeded(_) => None,
        Expected::Notice(code) => {
            let given: Vec<&str> = report.notices.iter().map(|notice| notice.notice.code).collect();
            (!given.contains(&code.as_str())).then(|| format!("expected the notice {code}, found {given:?}"))
        }
    }
}

/// The translation is refused for the reason that the page gives.
fn export(loaded: &Loaded, check: &Check) -> Vec<String> {
    let expected = check.expected.iter().filter_map(|expected| match expected {
        Expected::Export(code) => Some(code),
        _ => None,
    });
    let found = loaded.ready.as_ref().map(|ready| match promela(ready, "motet export") {
        Ok(_) => "a translation".to_owned(),
        Err(problem) => problem.code.to_owned(),
    });
    let found = found.unwrap_or_else(|| "no model".to_owned());
    expected
        .filter(|code| found != **code)
        .map(|code| format!("export: expected {code}, found {found}"))
        .collect()
}

/// Errors that no line of the page announces; with the mark `lints` also warnings and hints.
fn unannounced(problems: &Problems, check: &Check) -> Vec<String> {
    let announced = |code: &str| {
        check.expected.iter().any(|expected| matches!(expected, Expected::Problem(known) if known == code))
    };
    let counts = |severity: Severity| severity == Severity::Error || check.has_mark("lints");
    let found = problems.iter().filter(|problem| counts(problem.severity) && !announced(problem.code));
    found.map(|problem| format!("not announced: {}: {}", problem.code, problem.message)).collect()
}

fn codes(problems: &Problems) -> Vec<&'static str> {
    problems.iter().map(|problem| problem.code).collect()
}

/// A property that holds on all runs holds on the fair ones, unless it asks for some run; and the graph does not depend on
/// fairness.
fn all_runs(native: &Report, all: &Report) -> Vec<String> {
    let mut failures = Vec::new();
    let size = |report: &Report| report.coverage.as_ref().map(|found| (found.states, found.transitions));
    if size(native) != size(all) {
        failures.push(format!("the graph depends on fairness: {:?}, {:?}", size(native), size(all)));
    }
    for (fair, unfair) in native.claims.iter().zip(&all.claims) {
        let quantifies = ["on some run from here", "on all runs from here"];
        if quantifies.iter().any(|words| fair.english.contains(words)) {
            continue;
        }
        if unfair.outcome.verdict == Verdict::Holds && fair.outcome.verdict == Verdict::Fails {
            failures.push(format!("{} holds on all runs and fails on fair ones", fair.name));
        }
    }
    failures
}

/// The second engine answered every claim, and in the same way.
fn second_opinion(report: &Report) -> Vec<String> {
    let mut failures: Vec<String> = report.internal.iter().chain(&report.engine_failures).cloned().collect();
    for claim in &report.claims {
        match &claim.second {
            None => failures.push(format!("{}: nobody else was asked", claim.name)),
            Some(second)
                if claim.disputed() || is_unknown(&second.verdict) != is_unknown(&claim.outcome.verdict) =>
            {
                let found = (&claim.outcome.verdict, &second.verdict);
                failures.push(format!("{}: native and {} differ: {found:?}", claim.name, second.engine));
            }
            Some(_) => {}
        }
    }
    failures
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

/// The claims of a folder of examples, each as its author expects.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn run_example(root: &Path, path: &str) -> Vec<String> {
    let sources = folder::sources(root, path).expect("the folder can be read");
    let project = Project { path: path.to_owned(), sources, ..Project::default() };
    let report = check(&load(project), &Configuration::Native.options(None, &Check::default()), &mut |_| {});
    let mut failures: Vec<String> = report.internal.clone();
    failures.extend(unannounced(&report.problems, &Check::default()));
    let surprising = report.claims.iter().filter(|claim| claim.as_expected() != Some(true));
    failures.extend(surprising.map(|claim| format!("{} {}", claim.name, claim.verdict())));
    let vacuous = report.claims.iter().filter(|claim| claim.vacuous());
    failures.extend(vacuous.map(|claim| format!("{} is {}", claim.name, Word::Vacuous)));
    failures.into_iter().map(|failure| format!("{path}: {failure}")).collect()
}
