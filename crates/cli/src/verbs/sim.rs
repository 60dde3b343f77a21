//! `motet sim`

use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use std::path::Path;

use anyhow::Context as _;
use motet_render::{
    Detail, EstimateAnswer, EstimateReport, Estimates, Offer, Simulation, Spacing, StrategyTable, Tale,
    WalkReport, album_page, duration, estimates as estimate_table, estimates_json, events, html_page,
    offered, read_strategy, seconds, simulation, simulation_json, story, timeline, turns as told_turns,
    walk_json,
};
use motet_workbench::{
    Choose, Chosen, Decided, EstimateOptions, Length, Loaded, Options, Player, Proceed, Purpose, Ready,
    SampleEnd, Seed, Series, TraceOrigin, Walk, enabled, estimates, is_estimated, load, simulate, tell,
    turns, walk_with, write_trace,
};

use crate::arguments::{Format, ReportKind, Sim};
use crate::deliver::deliver;
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::{model_time, options, project, refuse};

/// Steps of a run at most, unless the user says otherwise: enough to look at, or enough for a clock to run.
const STEPS: u64 = 1_000;
const STEPS_WITH_CLOCK: u64 = 100_000;
/// Steps of a run that estimates something; it ends as soon as everything is decided.
const STEPS_TO_DECIDE: u64 = 1_000;

/// One run step by step, or many counted.
pub(crate) fn sim(host: &Host, arguments: &Sim) -> anyhow::Result<ExitCode> {
    if arguments.report.iter().any(|(kind, _)| *kind != ReportKind::Html) {
        anyhow::bail!("a run is drawn as html: --report html=FILE");
    }
    let mut project = project(&arguments.model, Some(&arguments.claims));
    project.options = simulated(arguments);
    let loaded = load(project);
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    let series = arguments.seed.unwrap_or_else(fresh_seed);
    let time = arguments.until.map(|until| model_time(ready, until)).transpose()?;
    let usual = if time.is_some() { STEPS_WITH_CLOCK } else { STEPS };
    let length = Length { steps: arguments.steps.unwrap_or(usual), time };
    let table = arguments.strategy.as_deref().map(strategy).transpose()?;
    let player = table.as_ref().map(|table| Player::new(ready, table));
    if let Some(numbers) = &arguments.choose {
        return game(host, arguments, &loaded, ready, (Seed { series, run: 0 }, length), numbers);
    }
    let choose = player.as_ref().map(|player| player as &dyn Choose);
    let many = arguments.runs.is_some_and(|runs| runs > 1) || arguments.width.is_some();
    match arguments.run {
        None if many && arguments.report.is_empty() && !arguments.timeline => {
            let series = Series { runs: arguments.runs.unwrap_or(1), length, seed: series };
            Ok(several(host, arguments, &loaded, ready, series, choose))
        }
        None if many => {
            anyhow::bail!("a picture shows one run: leave out -n, or choose one of the runs with --run")
        }
        run => {
            let seed = Seed { series, run: run.unwrap_or(0) };
            Ok(one(host, arguments, &loaded, ready, (seed, length), choose))
        }
    }
}

/// What the command line says about the model. What nobody decides is drawn, unless somebody plays.
fn simulated(arguments: &Sim) -> Options {
    let played = arguments.strategy.is_some() || arguments.choose.is_some();
    let purpose = if played { Purpose::Claims } else { Purpose::Simulation };
    Options { purpose, ..options(&arguments.model.settings) }
}

/// The strategy in a file.
fn strategy(path: &Path) -> anyhow::Result<StrategyTable> {
    #[expect(clippy::disallowed_methods, reason = "the command line is a host")]
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    read_strategy(&text)
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("{} is no strategy", path.display()))
}

/// Many runs: counted for claims that a run decides, and as estimates for claims about numbers. For programs both are one
/// document.
fn several(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    series: Series,
    choose: Option<&dyn Choose>,
) -> ExitCode {
    let numbers = ready.claims.iter().filter(|claim| is_estimated(claim)).count();
    let estimated = (numbers > 0).then(|| estimated(host, arguments, ready, series, choose));
    let spacing = spacing(arguments.format);
    if let (Some((found, _)), None) = (&estimated, spacing) {
        host.say(&estimate_table(found, &host.view));
    }
    let interrupted = || host.interrupt.load(Ordering::Relaxed);
    let others = (ready.claims.len() > numbers || ready.claims.is_empty()) && !interrupted();
    let counted = others.then(|| many(host, loaded, ready, series, choose));
    match (&estimated, &counted, spacing) {
        (_, Some(counted), None) => host.say(&simulation(counted, &host.view)),
        (_, None, None) => {}
        (Some((found, _)), counted, Some(spacing)) => {
            host.say(&estimates_json(found, counted.as_ref(), spacing));
        }
        (None, Some(counted), Some(spacing)) => host.say(&simulation_json(counted, spacing)),
        (None, None, Some(spacing)) => host.say(&simulation_json(&Simulation::default(), spacing)),
    }
    let violated = |counted: &Simulation| counted.claims.iter().any(|claim| claim.violated > 0);
    match estimated.map_or(ExitCode::AsExpected, |(_, exit)| exit) {
        _ if interrupted() => ExitCode::Interrupted,
        ExitCode::AsExpected if counted.as_ref().is_some_and(violated) => ExitCode::NotAsExpected,
        exit => exit,
    }
}

/// How documents are laid out, for programs that read them.
fn spacing(format: Format) -> Option<Spacing> {
    match format {
        Format::Human => None,
        Format::Json => Some(Spacing::Wide),
        Format::Jsonl => Some(Spacing::Line),
    }
}

/// Estimates with their intervals. A run is given more steps than one to look at: it ends as soon as all is decided.
fn estimated(
    host: &Host,
    arguments: &Sim,
    ready: &Ready,
    series: Series,
    choose: Option<&dyn Choose>,
) -> (Estimates, ExitCode) {
    let start = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let options = EstimateOptions {
        runs: arguments.runs,
        seed: series.seed,
        steps: arguments.steps.unwrap_or(STEPS_TO_DECIDE),
        threads: arguments.threads.unwrap_or(cores).max(1),
        confidence: arguments.confidence,
        width: arguments.width,
        choose,
        interrupt: Some(&host.interrupt),
    };
    let mut found = estimates(ready, &options);
    found.seconds = start.elapsed().as_secs_f64();
    found.again = again(host, series.seed);
    let failed = |claim: &EstimateReport| {
        matches!(claim.answer, EstimateAnswer::Test { as_expected: Some(false), .. })
    };
    let exit = if found.claims.iter().any(failed) { ExitCode::NotAsExpected } else { ExitCode::AsExpected };
    (found, exit)
}

/// A run that a person decides, and what is enabled at its end.
fn game(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    (seed, length): (Seed, Length),
    numbers: &[u32],
) -> anyhow::Result<ExitCode> {
    let chosen = Chosen::new(numbers);
    let steps = arguments.steps.unwrap_or(numbers.len() as u64).max(numbers.len() as u64);
    let start = Instant::now();
    let walked = walk_with(ready, seed, Length { steps, ..length }, Some(&chosen));
    let took = start.elapsed().as_secs_f64();
    if let Some(fault) = chosen.fault(walked.evidence.run.steps.len()) {
        anyhow::bail!("{fault}; shorten --choose to see what is");
    }
    let run = &walked.evidence.run;
    let offers = run.states.last().map(|state| enabled(ready, state)).unwrap_or_default();
    let exit = tell_run(host, arguments, loaded, ready, seed, (&walked, took), Some(&offers));
    let taken: Vec<String> = run.steps.iter().map(|taken| (taken.ordinal + 1).to_string()).collect();
    if arguments.format == Format::Human && !run.states.is_empty() {
        let ways = [on(&taken, offers.len()), back(&taken)].into_iter().flatten().collect::<Vec<_>>();
        host.say(&format!("\n{}  {}\n", offered(&offers, &host.view), ways.join(" · ")));
    }
    Ok(exit)
}

/// How the game goes on.
fn on(taken: &[String], n_offers: usize) -> Option<String> {
    let numbers: Vec<&str> = taken.iter().map(String::as_str).chain(["N"]).collect();
    (n_offers > 0).then(|| format!("on: --choose {}", numbers.join(",")))
}

/// How the game goes one step back.
fn back(taken: &[String]) -> Option<String> {
    let (_, earlier) = taken.split_last()?;
    Some(format!("back: --choose {}", earlier.join(",")).trim_end().to_owned())
}

fn one(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    (seed, length): (Seed, Length),
    choose: Option<&dyn Choose>,
) -> ExitCode {
    let start = Instant::now();
    let walked = walk_with(ready, seed, length, choose);
    let took = start.elapsed().as_secs_f64();
    tell_run(host, arguments, loaded, ready, seed, (&walked, took), None)
}

/// Shows and saves a run that took so many seconds to make, at whose end this can be taken.
fn tell_run(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    seed: Seed,
    (walked, took): (&Walk, f64),
    offers: Option<&[Offer]>,
) -> ExitCode {
    let tale = tell(ready, &loaded.sources, &walked.evidence, &[]);
    let saved = save(host, arguments, loaded, ready, seed, walked);
    pictures(arguments, loaded, &tale);
    match spacing(arguments.format) {
        None => host.say(&told(host, arguments, ready, seed, (walked, took), &tale, saved.as_deref())),
        Some(spacing) => {
            let report = WalkReport {
                model: &loaded.head.path,
                tale: &tale,
                decided: walked.decided.iter().map(|decided| named(ready, decided)).collect(),
                end: match walked.end {
                    SampleEnd::Enough => "enough",
                    SampleEnd::Deadlock => "deadlock",
                    SampleEnd::Fault(_) => "fault",
                },
                fault: fault(walked),
                offers,
                trace: saved,
                seconds: took,
                again: again(host, seed.series),
            };
            host.say(&walk_json(&report, spacing));
        }
    }
    let violates = |decided: &&Decided| {
        decided.violated && ready.claims[decided.claim].kind == motet_workbench::Kind::Property
    };
    match walked.decided.iter().find(violates) {
        Some(_) => ExitCode::NotAsExpected,
        None => ExitCode::AsExpected,
    }
}

fn named<'a>(ready: &'a Ready, decided: &Decided) -> (&'a str, bool, usize) {
    (ready.claims[decided.claim].name.as_str(), decided.violated, decided.steps)
}

fn fault(walked: &Walk) -> Option<String> {
    match &walked.end {
        SampleEnd::Fault(fault) => Some(fault.to_string()),
        SampleEnd::Enough | SampleEnd::Deadlock => None,
    }
}

/// The run as text.
fn told(
    host: &Host,
    arguments: &Sim,
    ready: &Ready,
    seed: Seed,
    (walked, took): (&Walk, f64),
    tale: &Tale,
    saved: Option<&str>,
) -> String {
    let mut page = match &tale.chronicle {
        Some(chronicle) if arguments.timeline => timeline(chronicle, &host.view),
        Some(chronicle) => events(chronicle, &host.view),
        None if arguments.choose.is_some() && tale.beats.is_empty() => "  At the start\n".to_owned(),
        None => {
            let title = if arguments.choose.is_some() { "Chosen run" } else { "Random run" };
            story(tale, title, &host.view)
        }
    };
    page.push('\n');
    if host.view.detail == Detail::Verbose && tale.chronicle.is_none() {
        page.push_str(&told_turns(&turns(ready, &walked.evidence, &host.view), &host.view));
        page.push('\n');
    }
    for decided in &walked.decided {
        let (name, violated, steps) = named(ready, decided);
        let verdict = if violated { "violated" } else { "satisfied" };
        let _ = writeln!(page, "  {name}: {verdict} after {steps} steps");
    }
    if let Some(fault) = fault(walked) {
        let _ = writeln!(page, "  {fault}");
    }
    let n_steps = walked.evidence.run.steps.len();
    let length = match &tale.chronicle {
        Some(chronicle) => format!("{} simulated", duration(chronicle.end, chronicle.unit)),
        None => format!("{n_steps} steps"),
    };
    let saved = saved.map(|path| format!(" · trace: {path}")).unwrap_or_default();
    let _ = writeln!(page, "{length} in {}{saved}", seconds(took));
    let _ = writeln!(page, "Again: {}", again(host, seed.series));
    page
}

/// Saves the run, and says where.
fn save(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    seed: Seed,
    walked: &Walk,
) -> Option<String> {
    let origin = TraceOrigin {
        model: loaded.head.path.clone(),
        language: arguments.model.settings.lang.clone(),
        options: simulated(arguments),
        claim: None,
    };
    let name = format!("sim-{}-{}.itf.json", seed.series, seed.run);
    host.keep(&arguments.trace_dir, &name, &write_trace(ready, &origin, &walked.evidence))
}

/// The files that were asked for.
fn pictures(arguments: &Sim, loaded: &Loaded, tale: &Tale) {
    for (kind, path) in &arguments.report {
        let page = match (&tale.album, &tale.chronicle) {
            (Some(album), _) => Ok(album_page(album, &loaded.head.path, "a run")),
            (None, Some(chronicle)) => Ok(html_page(chronicle, &loaded.head.path)),
            (None, None) => Err("there is nothing to draw: this model has no clock and no nets".to_owned()),
        };
        deliver(&format!("--report {}={}", kind.word(), path.display()), path, page);
    }
}

fn many(
    host: &Host,
    loaded: &Loaded,
    ready: &Ready,
    series: Series,
    choose: Option<&dyn Choose>,
) -> Simulation {
    let start = Instant::now();
    let mut counted = simulate(ready, &loaded.sources, series, choose, &mut |_| {
        if host.interrupt.load(Ordering::Relaxed) { Proceed::Stop } else { Proceed::Go }
    });
    counted.seconds = start.elapsed().as_secs_f64();
    counted.again = again(host, series.seed);
    counted
}

/// The command that repeats this one.
fn again(host: &Host, seed: u64) -> String {
    let given = host.command.iter().any(|word| word == "--seed" || word.starts_with("--seed="));
    let command = host.command_line();
    if given { command } else { format!("{command} --seed {seed}") }
}

/// A seed that differs from run to run; it is always printed.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ (now.as_secs() << 20) & 0xffff_ffff
}
