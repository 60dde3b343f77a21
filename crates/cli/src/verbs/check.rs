//! `motet check`

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use motet_render::{ClaimReport, Ending, Report, json, json_text, junit, progress_event, report_event};
use motet_workbench::{
    CheckOptions, Engine, Examine, Fairness, Likes, Limits, Loaded, Phase, Precision, Progress, Reduce,
    Severity, check as run_check, check_sliced, check_symmetric, coverage, look_for_kinds,
};

use crate::arguments::{
    Check, Deny, EngineName, Fair, Format, LimitArguments, ReportKind, SecondEngine, VacuityHow,
};
use crate::exit::ExitCode;
use crate::host::{Host, memory, write_file};
use crate::progress::{Meter, rate};
use crate::verbs::load_model;

/// Checks, reports, saves.
pub(crate) fn check(host: &Host, arguments: &Check) -> anyhow::Result<ExitCode> {
    if arguments.engine == EngineName::Spin && arguments.cross_check.is_some() {
        anyhow::bail!("spin cannot check itself: leave out --engine spin or --cross-check spin");
    }
    let mut loaded = load_model(&arguments.model, Some(&arguments.claims));
    let options = options(host, arguments);
    if let Some(likes) = &options.symmetry {
        look_for_kinds(&mut loaded, likes);
    }
    let mut report = watched(host, arguments, &loaded, &options);
    report.command.clone_from(&host.command);
    save_traces(host, arguments, &loaded, &mut report);
    if let Some(path) = &arguments.strategy {
        save_strategy(&loaded, path, &mut report)?;
    }
    let exit = exit_code(&report, &arguments.deny);
    let form = json(&report, &loaded.sources, exit.number());
    match arguments.format {
        Format::Human => host.say(&motet_render::check(&report, &loaded.sources, &host.view)),
        Format::Json => host.say(&json_text(&form)),
        Format::Jsonl => host.say(&report_event(&form)),
    }
    for (kind, path) in &arguments.report {
        let text = match kind {
            ReportKind::Json => json_text(&form),
            ReportKind::Junit => junit(&report),
            ReportKind::Html => page(&report)?,
            ReportKind::Coverage => coverage_page(&report, &loaded)?,
            ReportKind::Csv => {
                anyhow::bail!("csv is a form of `motet sweep`; check writes json, junit and html")
            }
        };
        write_file(path, &text)?;
    }
    Ok(exit)
}

/// The texts of the model, coloured.
fn coverage_page(report: &Report, loaded: &Loaded) -> anyhow::Result<String> {
    let texts = report.texts.as_ref().context("there is no coverage of a model that was not checked")?;
    Ok(motet_render::coverage_page(texts, &loaded.sources, &report.head.path))
}

/// The picture of the run that matters most: a surprise, else the first run there is.
fn page(report: &Report) -> anyhow::Result<String> {
    let surprises = report.claims.iter().filter(|claim| claim.as_expected() == Some(false));
    let page = surprises.chain(&report.claims).find_map(|claim| motet_render::claim_page(claim, report));
    page.context(
        "there is no run to draw: no claim of this model has one with a clock, with nets or with branches",
    )
}

fn options(host: &Host, arguments: &Check) -> CheckOptions {
    CheckOptions {
        engine: match arguments.engine {
            EngineName::Native => Engine::Native,
            EngineName::Spin => Engine::Spin,
            EngineName::Storm => Engine::Storm,
            EngineName::Prism => Engine::Prism,
            EngineName::Nusmv => Engine::Nusmv,
        },
        cross_check: arguments.cross_check.map(|second| match second {
            SecondEngine::Spin => Engine::Spin,
            SecondEngine::Storm => Engine::Storm,
            SecondEngine::Prism => Engine::Prism,
            SecondEngine::Nusmv => Engine::Nusmv,
        }),
        fairness: arguments.fair.map(|fair| match fair {
            Fair::Weak => Fairness::Weak,
            Fair::Strong => Fairness::Strong,
            Fair::None => Fairness::None,
        }),
        limits: limits(host, &arguments.limits),
        threads: arguments.threads.count(),
        vacuity: match arguments.vacuity {
            VacuityHow::Taf => Examine::Yes,
            VacuityHow::Full => Examine::InFull,
            VacuityHow::Off => Examine::No,
        },
        partial_order: reduce(arguments.partial_order),
        chains: reduce(arguments.chain),
        scratch: std::env::temp_dir(),
        background: Examine::Yes,
        symmetry: match arguments.symmetry.as_slice() {
            [] => None,
            names if names.iter().any(String::is_empty) => Some(Likes::All),
            names => Some(Likes::Kinds(names.to_vec())),
        },
        precision: match (arguments.exact, arguments.precision) {
            (true, _) => Precision::Exact,
            (false, Some(width)) => Precision::Certified(width),
            (false, None) => Precision::default(),
        },
    }
}

fn reduce(asked: bool) -> Reduce {
    if asked { Reduce::Yes } else { Reduce::No }
}

/// When to stop: as asked, and before this machine runs out of memory.
pub(crate) fn limits(host: &Host, limits: &LimitArguments) -> Limits {
    Limits {
        memory: limits.mem.or_else(|| memory().map(|bytes| bytes / 4 * 3)),
        time: limits.time,
        states: limits.states,
        depth: limits.depth,
        interrupt: Some(host.interrupt.clone()),
    }
}

/// The check with its progress: a line for people, events for programs.
fn watched(host: &Host, arguments: &Check, loaded: &Loaded, options: &CheckOptions) -> Report {
    let mut meter = Meter::new(host.look.progress, host.view, options.limits.memory);
    let mut event_at = Duration::from_secs(1);
    let names: Vec<String> =
        loaded.ready.iter().flat_map(|ready| &ready.claims).map(|claim| claim.name.clone()).collect();
    let checked = match (arguments.slice, options.symmetry.is_some()) {
        (true, _) => check_sliced,
        (false, true) => check_symmetric,
        (false, false) => run_check,
    };
    let mut watch = |now: Progress| {
        let phase = phase(now, &names);
        if arguments.format == Format::Jsonl && now.elapsed >= event_at {
            event_at = now.elapsed + Duration::from_secs(1);
            host.say(&progress_event(&motet_render::Progress {
                phase: phase.clone(),
                states: now.states,
                rate: rate(now.states, now.elapsed),
                open: vec![now.open],
                depth: now.depth,
                bytes: now.bytes,
                bytes_limit: None,
                seconds: now.elapsed.as_secs_f64(),
            }));
        }
        meter.update(&now, phase);
    };
    let mut report = checked(loaded, options, &mut watch);
    let is_page = |(kind, _): &(ReportKind, PathBuf)| *kind == ReportKind::Coverage;
    if arguments.coverage || arguments.report.iter().any(is_page) {
        report.texts = coverage(loaded, options, &report, &mut watch);
    }
    meter.finish();
    report
}

fn phase(now: Progress, names: &[String]) -> String {
    match now.phase {
        Phase::Explore => "exploring".to_string(),
        Phase::Claim(number) => format!("checking {}", names.get(number).map_or("", String::as_str)),
        Phase::Part(number) => format!("coverage of part {}", number + 1),
    }
}

/// Saves the run behind every verdict that has one. A folder that cannot be written costs the traces, not the check.
fn save_traces(host: &Host, arguments: &Check, loaded: &Loaded, report: &mut Report) {
    let Some(ready) = &loaded.ready else { return };
    let options = super::options(&arguments.model.settings);
    // A run of a slice, or of a model built for one claim, is none of the whole model, in which a saved run is followed.
    let apart = report.symmetry.as_ref().map_or(&[][..], |symmetry| &symmetry.apart).to_vec();
    let is_whole = |claim: &&mut ClaimReport| claim.left_out.is_empty() && !apart.contains(&claim.name);
    for claim in report.claims.iter_mut().filter(is_whole) {
        let Some(evidence) = &claim.outcome.evidence else { continue };
        let origin = motet_workbench::TraceOrigin {
            model: loaded.head.path.clone(),
            language: arguments.model.settings.lang.clone(),
            options: options.clone(),
            claim: Some((claim.name.clone(), claim.text.clone())),
        };
        let path = trace_path(&arguments.trace_dir, claim);
        let text = motet_workbench::write_trace(ready, &origin, evidence);
        match write_file(&path, &text) {
            Ok(()) => claim.trace = Some(path.display().to_string()),
            Err(error) => return host.hint(&format!("the runs were not saved: {error:#}")),
        }
    }
}

/// Saves the choices behind the one claim that has some.
fn save_strategy(loaded: &Loaded, path: &std::path::Path, report: &mut Report) -> anyhow::Result<()> {
    let Some(ready) = &loaded.ready else { return Ok(()) };
    let chosen = |claim: &ClaimReport| {
        claim.outcome.quantity.as_ref().is_some_and(|quantity| quantity.strategy.is_some())
    };
    let with: Vec<usize> = (0..report.claims.len()).filter(|at| chosen(&report.claims[*at])).collect();
    let [number] = with.as_slice() else {
        match with.len() {
            0 => anyhow::bail!(
                "there is no strategy to write: no claim about a number depends on choices here"
            ),
            _ => {
                let names: Vec<&str> = with.iter().map(|at| report.claims[*at].name.as_str()).collect();
                anyhow::bail!("{} have strategies; choose one of them with -p", names.join(", "))
            }
        }
    };
    let claim = &mut report.claims[*number];
    let quantity = claim.outcome.quantity.as_ref();
    let table = quantity.and_then(|quantity| motet_workbench::strategy_table(ready, quantity));
    write_file(path, &table.unwrap_or_default())?;
    claim.strategy = Some(path.display().to_string());
    Ok(())
}

fn trace_path(folder: &std::path::Path, claim: &ClaimReport) -> PathBuf {
    let safe = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' };
    let name: String = claim.name.chars().map(safe).collect();
    folder.join(format!("{name}.itf.json"))
}

/// The exit code of the report, with what the user denies turned into failures.
fn exit_code(report: &Report, deny: &[Deny]) -> ExitCode {
    let ending = report.ending();
    let denied = deny.iter().any(|what| match what {
        Deny::Vacuous => report.n_vacuous() > 0,
        Deny::Warnings => report
            .problems
            .iter()
            .map(|problem| problem.severity)
            .chain(report.notices.iter().map(|notice| notice.notice.severity))
            .any(|severity| severity <= Severity::Warning),
    });
    let passed = matches!(ending, Ending::AsExpected | Ending::Inconclusive);
    if denied && passed { ExitCode::NotAsExpected } else { ending.into() }
}
