//! `motet sim`

use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use motet_render::{Tale, duration, events, html_page, seconds, simulation, story, timeline};
use motet_workbench::{
    Length, Loaded, Proceed, Ready, SampleEnd, Seed, Series, TraceOrigin, Walk, simulate, tell, walk,
    write_trace,
};

use crate::arguments::{ReportKind, Sim};
use crate::exit::ExitCode;
use crate::host::{Host, write_file};
use crate::verbs::{load_model, model_time, options, refuse};

/// Steps of a run at most, unless the user says otherwise: enough to look at, or enough for a clock to run.
const STEPS: u64 = 1_000;
const STEPS_WITH_CLOCK: u64 = 100_000;

/// One run step by step, or many counted.
pub(crate) fn sim(host: &Host, arguments: &Sim) -> anyhow::Result<ExitCode> {
    let loaded = load_model(&arguments.model, Some(&arguments.claims));
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    let series = arguments.seed.unwrap_or_else(fresh_seed);
    let time = arguments.until.map(|until| model_time(ready, until)).transpose()?;
    let usual = if time.is_some() { STEPS_WITH_CLOCK } else { STEPS };
    let length = Length { steps: arguments.steps.unwrap_or(usual), time };
    match (arguments.runs, arguments.run) {
        (1, run) | (_, run @ Some(_)) => {
            one(host, arguments, &loaded, ready, Seed { series, run: run.unwrap_or(0) }, length)
        }
        (runs, None) if arguments.report.is_empty() && !arguments.timeline => {
            Ok(many(host, &loaded, ready, Series { runs, length, seed: series }))
        }
        _ => anyhow::bail!("a picture shows one run: leave out -n, or choose one of the runs with --run"),
    }
}

fn one(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    seed: Seed,
    length: Length,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let walked = walk(ready, seed, length);
    let took = start.elapsed().as_secs_f64();
    let tale = tell(ready, &loaded.sources, &walked.evidence, &[]);
    let mut page = match &tale.chronicle {
        Some(chronicle) if arguments.timeline => timeline(chronicle, &host.view),
        Some(chronicle) => events(chronicle, &host.view),
        None => story(&tale, "Random run", &host.view),
    };
    page.push('\n');
    let exit = decided(ready, &walked, &mut page);
    let saved = save(host, arguments, loaded, ready, seed, &walked);
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
        options: options(&arguments.model.settings),
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
        let Some(chronicle) = &tale.chronicle else {
            anyhow::bail!("there is nothing to draw: this model has no clock");
        };
        write_file(path, &html_page(chronicle, &loaded.head.path))?;
    }
    Ok(())
}

fn many(host: &Host, loaded: &Loaded, ready: &Ready, series: Series) -> ExitCode {
    let start = Instant::now();
    let mut counted = simulate(ready, &loaded.sources, series, &mut |_| {
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
