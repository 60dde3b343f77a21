//! `motet sim`

use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use std::path::Path;

use anyhow::Context as _;
use motet_render::{
    Detail, EstimateAnswer, EstimateReport, StrategyTable, Tale, album_page, duration,
    estimates as estimate_table, estimates_json, events, html_page, offered, read_strategy, seconds,
    simulation, story, timeline, turns as told_turns,
};
use motet_workbench::{
    Choose, Chosen, EstimateOptions, Length, Loaded, Options, Player, Proceed, Purpose, Ready, SampleEnd,
    Seed, Series, TraceOrigin, Walk, enabled, estimates, is_estimated, load, simulate, tell, turns,
    walk_with, write_trace,
};

use crate::arguments::{Format, ReportKind, Sim};
use crate::exit::ExitCode;
use crate::host::{Host, write_file};
use crate::verbs::{model_time, options, project, refuse};

/// Steps of a run at most, unless the user says otherwise: enough to look at, or enough for a clock to run.
const STEPS: u64 = 1_000;
const STEPS_WITH_CLOCK: u64 = 100_000;
/// Steps of a run that estimates something; it ends as soon as everything is decided.
const STEPS_TO_DECIDE: u64 = 1_000;

/// One run step by step, or many counted.
pub(crate) fn sim(host: &Host, arguments: &Sim) -> anyhow::Result<ExitCode> {
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
            one(host, arguments, &loaded, ready, (seed, length), choose)
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

/// Many runs: counted for claims that a run decides, and as estimates for claims about numbers.
fn several(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    series: Series,
    choose: Option<&dyn Choose>,
) -> ExitCode {
    let numbers = ready.claims.iter().filter(|claim| is_estimated(claim)).count();
    let mut exit = ExitCode::AsExpected;
    if numbers > 0 {
        exit = estimated(host, arguments, ready, series, choose);
    }
    let others = ready.claims.len() > numbers || ready.claims.is_empty();
    if others && exit != ExitCode::Interrupted {
        let counted = many(host, loaded, ready, series, choose);
        if exit == ExitCode::AsExpected {
            exit = counted;
        }
    }
    exit
}

/// Estimates with their intervals. A run is given more steps than one to look at: it ends as soon as all is decided.
fn estimated(
    host: &Host,
    arguments: &Sim,
    ready: &Ready,
    series: Series,
    choose: Option<&dyn Choose>,
) -> ExitCode {
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
    match arguments.format {
        Format::Human => host.say(&estimate_table(&found, &host.view)),
        Format::Json | Format::Jsonl => host.say(&estimates_json(&found)),
    }
    let failed = |claim: &EstimateReport| {
        matches!(claim.answer, EstimateAnswer::Test { as_expected: Some(false), .. })
    };
    if host.interrupt.load(Ordering::Relaxed) {
        ExitCode::Interrupted
    } else if found.claims.iter().any(failed) {
        ExitCode::NotAsExpected
    } else {
        ExitCode::AsExpected
    }
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
    let exit = tell_run(host, arguments, loaded, ready, seed, (&walked, took))?;
    let run = &walked.evidence.run;
    let taken: Vec<String> = run.steps.iter().map(|taken| (taken.ordinal + 1).to_string()).collect();
    if let Some(state) = run.states.last() {
        let offers = enabled(ready, state);
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
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let walked = walk_with(ready, seed, length, choose);
    let took = start.elapsed().as_secs_f64();
    tell_run(host, arguments, loaded, ready, seed, (&walked, took))
}

/// Shows and saves a run that took so many seconds to make.
fn tell_run(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    seed: Seed,
    (walked, took): (&Walk, f64),
) -> anyhow::Result<ExitCode> {
    let tale = tell(ready, &loaded.sources, &walked.evidence, &[]);
    let mut page = match &tale.chronicle {
        Some(chronicle) if arguments.timeline => timeline(chronicle, &host.view),
        Some(chronicle) => events(chronicle, &host.view),
        None if arguments.choose.is_some() && tale.beats.is_empty() => "  At the start\n".to_owned(),
        None => {
            let title = if arguments.choose.is_some() { "Chosen run" } else { "Random run" };
            story(&tale, title, &host.view)
        }
    };
    page.push('\n');
    if host.view.detail == Detail::Verbose && tale.chronicle.is_none() {
        page.push_str(&told_turns(&turns(ready, &walked.evidence, &host.view), &host.view));
        page.push('\n');
    }
    let exit = decided(ready, walked, &mut page);
    let saved = save(host, arguments, loaded, ready, seed, walked);
    let n_steps = walked.evidence.run.steps.len();
    let told = match &tale.chronicle {
        Some(chronicle) => format!("{} simulated", duration(chronicle.end, chronicle.unit)),
        None => format!("{n_steps} steps"),
    };
    let _ = writeln!(page, "{told} in {}{saved}", seconds(took));
    let _ = writeln!(page, "Again: {}", again(host, seed.series));
    host.say(&page);
    pictures(arguments, loaded, &tale)?;
    Ok(exit)
}

/// What the run says about the claims.
fn decided(ready: &Ready, walked: &Walk, page: &mut String) -> ExitCode {
    let mut exit = ExitCode::AsExpected;
    for decided in &walked.decided {
        let name = &ready.claims[decided.claim].name;
        let verdict = if decided.violated { "violated" } else { "satisfied" };
        let _ = writeln!(page, "  {name}: {verdict} after {} steps", decided.steps);
        if decided.violated && ready.claims[decided.claim].kind == motet_workbench::Kind::Property {
            exit = ExitCode::NotAsExpected;
        }
    }
    if let SampleEnd::Fault(fault) = &walked.end {
        let _ = writeln!(page, "  {fault}");
    }
    exit
}

/// Saves the run; a folder that cannot be written costs the trace, not the run.
fn save(host: &Host, arguments: &Sim, loaded: &Loaded, ready: &Ready, seed: Seed, walked: &Walk) -> String {
    let origin = TraceOrigin {
        model: loaded.head.path.clone(),
        language: arguments.model.settings.lang.clone(),
        options: simulated(arguments),
        claim: None,
    };
    let path = arguments.trace_dir.join(format!("sim-{}-{}.itf.json", seed.series, seed.run));
    match write_file(&path, &write_trace(ready, &origin, &walked.evidence)) {
        Ok(()) => format!(" · trace: {}", path.display()),
        Err(error) => {
            host.hint(&format!("the run was not saved: {error:#}"));
            String::new()
        }
    }
}

/// The files that were asked for.
fn pictures(arguments: &Sim, loaded: &Loaded, tale: &Tale) -> anyhow::Result<()> {
    for (kind, path) in &arguments.report {
        if *kind != ReportKind::Html {
            anyhow::bail!("a run is drawn as html: --report html=FILE");
        }
        let page = match (&tale.album, &tale.chronicle) {
            (Some(album), _) => album_page(album, &loaded.head.path, "a run"),
            (None, Some(chronicle)) => html_page(chronicle, &loaded.head.path),
            (None, None) => anyhow::bail!("there is nothing to draw: this model has no clock and no nets"),
        };
        write_file(path, &page)?;
    }
    Ok(())
}

fn many(
    host: &Host,
    loaded: &Loaded,
    ready: &Ready,
    series: Series,
    choose: Option<&dyn Choose>,
) -> ExitCode {
    let start = Instant::now();
    let mut counted = simulate(ready, &loaded.sources, series, choose, &mut |_| {
        if host.interrupt.load(Ordering::Relaxed) { Proceed::Stop } else { Proceed::Go }
    });
    counted.seconds = start.elapsed().as_secs_f64();
    counted.again = again(host, series.seed);
    host.say(&simulation(&counted, &host.view));
    if host.interrupt.load(Ordering::Relaxed) {
        return ExitCode::Interrupted;
    }
    let violated = counted.claims.iter().any(|claim| claim.violated > 0);
    if violated { ExitCode::NotAsExpected } else { ExitCode::AsExpected }
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
