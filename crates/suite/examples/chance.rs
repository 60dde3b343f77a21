//! Motet beside Storm on the models of chance in the corpus, in one run: `cargo xtask bench chance`. Both build the whole model
//! and answer all questions with certified bounds of relative width 1e-6; Storm's start-up and parsing are not counted, ours
//! neither. Machines differ, so only the ratios mean anything.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::path::Path;
use std::time::{Duration, Instant};

use motet_evidence::Verdict;
use motet_external::storm::{self, Found, Input, Storm, Task};
use motet_model::AtomId;
use motet_property::{Claim, Moments, PrismNames, prism_formula};
use motet_source::Sources;
use motet_suite::folder;
use motet_suite::markdown::{Check, Example, read};
use motet_workbench::{CheckOptions, Examine, Loaded, Options, Project, check, load};

/// Storm's time for one model. A model that needs more counts with this much.
const PATIENCE: Duration = Duration::from_secs(60);

/// What one engine needed for one model.
#[derive(Clone, Copy)]
struct Cost {
    build: f64,
    answers: f64,
}

struct Row {
    name: String,
    states: u64,
    transitions: u64,
    native: Cost,
    storm: Cost,
    bytes_per_state: f64,
}

fn main() {
    let storm = storm::find().expect("this benchmark needs stormpy; ./test installs it");
    let root = folder::root();
    let mut rows = Vec::new();
    for (path, text) in folder::pages(&root, "corpus/prism") {
        for example in read(&text).expect("the page is well formed") {
            for check in example.checks.iter().filter(|check| check.has_mark("storm")) {
                let name = title(&path, &example, check);
                rows.push(measure(&storm, &name, &project(&root, &example, check)));
            }
        }
    }
    for example in ["examples/asv", "examples/asv-dtmc"] {
        if let Ok(sources) = folder::sources(&root, example) {
            let project = Project { path: example.to_owned(), sources, ..Project::default() };
            rows.push(measure(&storm, example, &project));
        }
    }
    print!("{}", table(&rows));
}

fn title(path: &str, example: &Example, check: &Check) -> String {
    let page = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
    let settings: Vec<String> =
        check.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("{page}:{} {}", example.line, settings.join(" "))
}

fn project(root: &Path, example: &Example, check: &Check) -> Project {
    let mut sources = Sources::new();
    if let Some(path) = &example.folder {
        sources = folder::sources(root, path).expect("the folder can be read");
    }
    for (name, text) in &example.programs {
        sources.add(name.as_str(), text.as_str());
    }
    if let Some(claims) = &example.claims {
        sources.add("example.props", claims.as_str());
    }
    let options = Options { parameters: check.settings.clone(), ..Options::default() };
    Project { path: example.title.clone(), sources, options, ..Project::default() }
}

/// Builds the model and answers everything, here and in Storm, and insists that they agree.
fn measure(storm: &Storm, name: &str, project: &Project) -> Row {
    let loaded = load(project.clone());
    let start = Instant::now();
    // Storm is asked for values, so nothing else is worked out here either.
    let options = CheckOptions { background: Examine::No, vacuity: Examine::No, ..CheckOptions::default() };
    let report = check(&loaded, &options, &mut |_| {});
    let total = start.elapsed().as_secs_f64();
    let answers: f64 = report.claims.iter().map(|claim| claim.outcome.coverage.seconds).sum();
    let coverage = report.coverage.clone().unwrap_or_else(|| panic!("{name} does not load"));
    let task = task(&loaded);
    let answer = storm.ask(&task, &std::env::temp_dir()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let open = answer.replies.iter().filter(|reply| matches!(reply.found, Found::Open(_))).count();
    if open > 0 {
        println!("{name}: Storm left {open} of {} questions open", answer.replies.len());
    }
    for (claim, reply) in report.claims.iter().zip(&answer.replies) {
        if let (Verdict::Value { low, high }, Found::Number { low: least, high: most, .. }) =
            (&claim.outcome.verdict, &reply.found)
        {
            let slack = 1e-9 * high.abs().max(1.0);
            let agree = (low - slack <= *most && *least <= high + slack) || low.is_infinite();
            assert!(agree, "{name}: {}: [{low}, {high}] and [{least}, {most}]", claim.name);
        }
    }
    Row {
        name: name.to_owned(),
        states: coverage.states,
        transitions: coverage.transitions,
        native: Cost { build: (total - answers).max(0.0), answers },
        storm: Cost {
            build: answer.build_seconds,
            answers: answer.replies.iter().map(|reply| reply.seconds).sum(),
        },
        bytes_per_state: coverage.peak_bytes as f64 / coverage.states as f64,
    }
}

/// The model and its questions in the PRISM language.
fn task(loaded: &Loaded) -> Task {
    let ready = loaded.ready.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let text = ready.system.export.prism().expect("the language has a translation");
    let text = text.unwrap_or_else(|problem| panic!("{}", problem.message));
    let rewards = &ready.system.model.signature().rewards;
    let reward = |name: Option<&str>| {
        let number = name.map_or(Some(0), |name| rewards.iter().position(|reward| reward.name == name))?;
        text.rewards.get(number).cloned()
    };
    let names = PrismNames {
        atom: &|atom| text.atoms[atom.index()].clone(),
        reward: &reward,
        per_step: text.steps,
        per_unit: Some(text.steps),
        moments: text.moments.as_ref().map(|expression| Moments { expression, wavering: &text.wavering }),
    };
    let question = |claim: &Claim<AtomId>| {
        prism_formula(&claim.formula, &names).unwrap_or_else(|refused| panic!("{}: {refused}", claim.name))
    };
    let questions = ready.claims.iter().map(question).collect();
    let mut task = Task::new(Input::Prism(text.text.clone()), questions);
    task.time = PATIENCE;
    task
}

fn table(rows: &[Row]) -> String {
    let mut out = format!(
        "{:<34} {:>9} {:>11}  {:>8} {:>8}  {:>8} {:>8} {:>7} {:>8}\n",
        "", "states", "transitions", "build s", "solve s", "Storm b", "Storm s", "ratio", "B/state"
    );
    let (mut all, mut large) = (Vec::new(), Vec::new());
    for row in rows {
        let (ours, theirs) = (row.native.build + row.native.answers, row.storm.build + row.storm.answers);
        let ratio = ours / theirs;
        all.push(ratio);
        if row.states >= 1_000 {
            large.push(ratio);
        }
        out += &format!(
            "{:<34} {:>9} {:>11}  {:>8.4} {:>8.4}  {:>8.4} {:>8.4} {ratio:>7.2} {:>8.0}\n",
            row.name,
            row.states,
            row.transitions,
            row.native.build,
            row.native.answers,
            row.storm.build,
            row.storm.answers,
            row.bytes_per_state
        );
    }
    out + &format!(
        "geometric mean of the ratios Motet/Storm, build and all questions: {:.3}; with 1000 states or more: {:.3}\n",
        mean(&all),
        mean(&large)
    )
}

fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}
