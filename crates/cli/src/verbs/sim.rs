//! `motet sim`

use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use motet_render::{seconds, simulation, story};
use motet_workbench::{
    Loaded, Proceed, Ready, SampleEnd, Series, TraceOrigin, simulate, tell, walk, write_trace,
};

use crate::arguments::Sim;
use crate::exit::ExitCode;
use crate::host::{Host, write_file};
use crate::verbs::{load_model, options, refuse};

/// One run step by step, or many counted.
pub(crate) fn sim(host: &Host, arguments: &Sim) -> anyhow::Result<ExitCode> {
    let loaded = load_model(&arguments.model, Some(&arguments.claims));
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    match (arguments.runs, arguments.run) {
        (1, run) | (_, run @ Some(_)) => one(host, arguments, &loaded, ready, seed, run.unwrap_or(0)),
        (runs, None) => Ok(many(host, ready, Series { runs, steps: arguments.steps, seed })),
    }
}

fn one(
    host: &Host,
    arguments: &Sim,
    loaded: &Loaded,
    ready: &Ready,
    seed: u64,
    run: u64,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let walked = walk(ready, seed, run, arguments.steps);
    let took = start.elapsed().as_secs_f64();
    let tale = tell(ready, &loaded.sources, &walked.evidence, &[]);
    let mut page = story(&tale, "Random run", &host.view);
    page.push('\n');
    let mut exit = ExitCode::AsExpected;
    for decided in &walked.decided {
        let name = &ready.claims[decided.claim].name;
        let verdict = if decided.violated { "violated" } else { "satisfied" };
        page.push_str(&format!("  {name}: {verdict} after {} steps\n", decided.steps));
        if decided.violated && ready.claims[decided.claim].kind == motet_workbench::Kind::Property {
            exit = ExitCode::NotAsExpected;
        }
    }
    if let SampleEnd::Fault(fault) = &walked.end {
        page.push_str(&format!("  {fault}\n"));
    }
    let origin = TraceOrigin {
        model: loaded.head.path.clone(),
        language: arguments.model.lang.clone(),
        options: options(&arguments.model),
        claim: None,
    };
    let path = arguments.trace_dir.join(format!("sim-{seed}-{run}.itf.json"));
    let saved = match write_file(&path, &write_trace(ready, &origin, &walked.evidence)) {
        Ok(()) => format!(" · trace: {}", path.display()),
        Err(error) => {
            host.hint(&format!("the run was not saved: {error:#}"));
            String::new()
        }
    };
    let n_steps = walked.evidence.run.steps.len();
    page.push_str(&format!("{n_steps} steps in {}{saved}\n", seconds(took)));
    page.push_str(&format!("Again: {}\n", again(host, seed)));
    host.say(&page);
    Ok(exit)
}

fn many(host: &Host, ready: &Ready, series: Series) -> ExitCode {
    let start = Instant::now();
    let mut counted = simulate(ready, series, &mut |_| {
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
