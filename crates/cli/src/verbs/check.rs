//! `motet check`

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use motet_render::{
    ClaimReport, Ending, JsonReport, Report, View, json, json_text, junit, progress_event, report_event,
};
use motet_workbench::{
    CheckOptions, Coverage, Damage, Engine, Examine, Keeping, Likes, Limits, Loaded, Phase, Precision,
    Progress, Reduce, Settings, Severity, Sliced, Sources, Stop, StoreKind, check as run_check, check_sliced,
    check_symmetric, coverage, damaged_checkpoint, helps, look_for_kinds, unanswered,
};

use crate::arguments::{Check, Deny, Format, LimitArguments, ReportKind};
use crate::brake::Brake;
use crate::checkpoint::{Folder, Found};
use crate::deliver::{attempt, deliver, print, settled, skip};
use crate::exit::ExitCode;
use crate::host::{Host, memory, resident};
use crate::names::file_names;
use crate::progress::{Meter, rate};
use crate::scratch::{spilled, spilling};
use crate::verbs::load_model;
use crate::verbs::resume::refuse;

/// Checks, reports, saves.
pub(crate) fn check(host: &Host, arguments: &Check, found: Option<Found>) -> anyhow::Result<ExitCode> {
    if arguments.engine == Engine::Spin && arguments.cross_check.is_some() {
        anyhow::bail!("spin cannot check itself: leave out --engine spin or --cross-check spin");
    }
    if arguments.report.iter().any(|(kind, _)| *kind == ReportKind::Csv) {
        anyhow::bail!("csv is a form of `motet sweep`; check writes json, junit, html and coverage");
    }
    let mut loaded = load_model(&arguments.model, Some(&arguments.claims));
    let mut options = options(host, arguments);
    if let Some(likes) = &options.symmetry {
        look_for_kinds(&mut loaded, likes);
    }
    let folder = match folder(host, arguments, &loaded, found) {
        Ok(folder) => folder,
        Err(exit) => return Ok(exit),
    };
    options.settings.keeping = arguments
        .keep
        .checkpoint
        .0
        .filter(|_| arguments.store == StoreKind::Exact)
        .map(|every| Keeping { keeper: folder.clone(), every, search: String::new() });
    if let Some(place) = &arguments.keep.spill {
        options.settings.spill = match spilling(host, place) {
            Ok(spilling) => Some(spilling),
            Err(exit) => return Ok(exit),
        };
    }
    let saving = folder.lock().map_or_else(|_| Arc::default(), |folder| folder.saving.clone());
    let mut report = watched(host, arguments, &loaded, &options, saving);
    if let Some(exit) = kept(host, &folder, &mut report) {
        return Ok(exit);
    }
    let places = options.settings.spill.as_ref().zip(arguments.keep.spill.as_ref());
    report.spilled = places.and_then(|(spilling, place)| spilled(spilling, place));
    let sliced = if arguments.slice { Sliced::Yes } else { Sliced::No };
    report.helps = helps(&loaded, &options, sliced, &report);
    report.command.clone_from(&host.command);
    save_traces(host, arguments, &loaded, &mut report);
    if let Some(path) = &arguments.strategy {
        save_strategy(&loaded, path, &mut report);
    }
    Ok(told(host, arguments, &loaded, &report))
}

/// Writes every report that was asked for, then standard output, which comes last so that its exit code knows of them all.
fn told(host: &Host, arguments: &Check, loaded: &Loaded, report: &Report) -> ExitCode {
    let ending = exit_code(report, &arguments.deny);
    let mut broke = false;
    let is_json = |(kind, _): &&(ReportKind, PathBuf)| *kind == ReportKind::Json;
    let (first, then) = (arguments.report.iter().filter(|file| !is_json(file)), arguments.report.iter());
    for (kind, path) in first.chain(then.filter(is_json)) {
        let text = attempt(|| match kind {
            ReportKind::Json => Ok(json_text(&json(report, &loaded.sources, settled(ending).number()))),
            ReportKind::Junit => Ok(junit(report)),
            ReportKind::Html => page(report),
            ReportKind::Coverage => coverage_page(report, loaded),
            ReportKind::Csv => unreachable!("it was refused before the check"),
        });
        let what = format!("--report {}={}", kind.word(), path.display());
        match text {
            Some(text) => {
                deliver(&what, path, text);
            }
            None => broke = true,
        }
    }
    let ending = if broke { ExitCode::Internal } else { ending };
    let form = json(report, &loaded.sources, settled(ending).number());
    let said = attempt(|| say(arguments.format, report, &loaded.sources, &form, &host.view));
    if said.is_none() { ExitCode::Internal } else { settled(ending) }
}

/// Where this check is saved. A checkpoint of other texts is refused.
fn folder(
    host: &Host,
    arguments: &Check,
    loaded: &Loaded,
    found: Option<Found>,
) -> Result<Arc<Mutex<Folder>>, ExitCode> {
    let texts = &loaded.head.sha256;
    let folder = match found {
        Some(found) if found.page.texts != *texts && loaded.ready.is_some() => {
            let path = found.folder.display().to_string();
            let damage = Damage::Foreign("its texts were different".to_owned());
            return Err(refuse(host, &path, |span| damaged_checkpoint(span, &path, &damage)));
        }
        Some(found) => Folder::resumed(found),
        None => {
            let name = format!("{:?} {:?} {}", arguments.model, arguments.claims, arguments.slice);
            let model = arguments.model.model.display().to_string();
            Folder::fresh(&name, &host.command, model, texts.clone())
        }
    };
    Ok(Arc::new(Mutex::new(folder)))
}

/// Looks what became of the checkpoint, and takes it away when the check is finished.
fn kept(host: &Host, folder: &Mutex<Folder>, report: &mut Report) -> Option<ExitCode> {
    let folder = folder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let path = folder.path().display().to_string();
    if let Some(damage) = &folder.refused {
        return Some(refuse(host, &path, |span| damaged_checkpoint(span, &path, damage)));
    }
    if let Some(why) = &folder.abandoned {
        host.hint(&format!("no checkpoint was saved: {why}"));
    }
    if report.is_stopped() {
        report.checkpoint = folder.committed.then(|| folder.bytes());
    } else {
        folder.remove();
    }
    None
}

/// Writes the report in the form that was asked for.
fn say(format: Format, report: &Report, sources: &Sources, form: &JsonReport, view: &View) {
    match format {
        Format::Human => print(&motet_render::check(report, sources, view)),
        Format::Json => print(&json_text(form)),
        Format::Jsonl => print(&report_event(form)),
    }
}

/// A brake for this check: when the search overruns a limit, it says so and ends the program.
fn brake(
    host: &Host,
    arguments: &Check,
    loaded: &Loaded,
    limits: &Limits,
    (last, saving): (&Arc<Mutex<Coverage>>, Arc<AtomicBool>),
) -> Brake {
    let (deny, format, view) = (arguments.deny.clone(), arguments.format, host.view);
    let (sources, last, began) = (loaded.sources.clone(), Arc::clone(last), host.began);
    let mut reports = [Stop::Time, Stop::Memory]
        .map(|stop| Report { command: host.command.clone(), ..unanswered(loaded, &stop) });
    Brake::new(limits, saving, move |stop| {
        let [time, memory] = &mut reports;
        let report = if stop == Stop::Time { time } else { memory };
        let coverage = last.lock().map(|last| last.clone()).unwrap_or_default();
        let seconds = began.elapsed().as_secs_f64();
        let process = if stop == Stop::Memory { resident().unwrap_or(0) } else { 0 };
        let peak_bytes = coverage.peak_bytes.max(process);
        report.coverage = Some(Coverage { seconds, peak_bytes, complete: false, ..coverage });
        let exit = exit_code(report, &deny);
        say(format, report, &sources, &json(report, &sources, exit.number()), &view);
        std::process::exit(settled(exit).number().into());
    })
}

/// The texts of the model, coloured.
fn coverage_page(report: &Report, loaded: &Loaded) -> Result<String, String> {
    let texts = report.texts.as_ref().ok_or("there is no coverage of a model that was not checked")?;
    Ok(motet_render::coverage_page(texts, &loaded.sources, &report.head.path))
}

/// The picture of the run that matters most: a surprise, else the first run there is.
fn page(report: &Report) -> Result<String, String> {
    let surprises = report.claims.iter().filter(|claim| claim.as_expected() == Some(false));
    let page = surprises.chain(&report.claims).find_map(|claim| motet_render::claim_page(claim, report));
    page.ok_or_else(|| {
        "there is no run to draw: no claim of this model has one with a clock, with nets or with branches"
            .into()
    })
}

fn options(host: &Host, arguments: &Check) -> CheckOptions {
    CheckOptions {
        engine: arguments.engine,
        cross_check: arguments.cross_check,
        fairness: arguments.fair.map(|(fairness, _)| fairness),
        settings: Settings {
            strategies: arguments.fair.map(|(_, strategies)| strategies).unwrap_or_default(),
            // Reading the model, several slices and the report all take their part of the time.
            limits: Limits { began: Some(host.began), ..limits(host, &arguments.limits) },
            threads: arguments.threads.count(),
            vacuity: arguments.vacuity,
            partial_order: reduce(arguments.partial_order),
            chains: reduce(arguments.chain),
            store: arguments.store,
            precision: match (arguments.exact, arguments.precision) {
                (true, _) => Precision::Exact,
                (false, width) => width.map(Precision::Certified).unwrap_or_default(),
            },
            ..Settings::default()
        },
        scratch: std::env::temp_dir(),
        background: Examine::Yes,
        symmetry: match arguments.symmetry.as_slice() {
            [] => None,
            names if names.iter().any(String::is_empty) => Some(Likes::All),
            names => Some(Likes::Kinds(names.to_vec())),
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
        began: None,
        resident: resident().map(|_| (|| resident().unwrap_or(0)) as fn() -> u64),
        states: limits.states,
        depth: limits.depth,
        interrupt: Some(host.interrupt.clone()),
    }
}

/// The check with its progress: a line for people, events for programs.
fn watched(
    host: &Host,
    arguments: &Check,
    loaded: &Loaded,
    options: &CheckOptions,
    saving: Arc<AtomicBool>,
) -> Report {
    let mut meter = Meter::new(host.look.progress, host.view, options.settings.limits.memory);
    let mut event_at = Duration::from_secs(1);
    let names: Vec<String> =
        loaded.ready.iter().flat_map(|ready| &ready.claims).map(|claim| claim.name.clone()).collect();
    let checked = match (arguments.slice, options.symmetry.is_some()) {
        (true, _) => check_sliced,
        (false, true) => check_symmetric,
        (false, false) => run_check,
    };
    let last = Arc::new(Mutex::new(Coverage::default()));
    let mut watch = |now: Progress| {
        if let Ok(mut last) = last.lock() {
            *last = seen(&now);
        }
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
    let guarded = arguments.engine == Engine::Native && arguments.cross_check.is_none();
    let brake = guarded.then(|| brake(host, arguments, loaded, &options.settings.limits, (&last, saving)));
    let mut report = checked(loaded, options, &mut watch);
    let is_page = |(kind, _): &(ReportKind, PathBuf)| *kind == ReportKind::Coverage;
    if arguments.coverage || arguments.report.iter().any(is_page) {
        report.texts = coverage(loaded, options, &report, &mut watch);
    }
    brake.iter().for_each(Brake::release);
    meter.finish();
    report
}

/// What was searched so far.
fn seen(now: &Progress) -> Coverage {
    Coverage {
        states: now.states,
        transitions: now.transitions,
        depth: now.depth,
        open: now.open,
        peak_bytes: now.bytes,
        ..Coverage::default()
    }
}

fn phase(now: Progress, names: &[String]) -> String {
    match now.phase {
        Phase::Explore => "exploring".to_string(),
        Phase::Claim(number) => format!("checking {}", names.get(number).map_or("", String::as_str)),
        Phase::Part(number) => format!("coverage of part {}", number + 1),
    }
}

/// Saves the run behind every verdict that has one, each whatever becomes of the others.
fn save_traces(host: &Host, arguments: &Check, loaded: &Loaded, report: &mut Report) {
    let Some(ready) = &loaded.ready else { return };
    let options = super::options(&arguments.model.settings);
    // A run of a slice, or of a model built for one claim, is none of the whole model, in which a saved run is followed.
    let apart = report.symmetry.as_ref().map_or(&[][..], |symmetry| &symmetry.apart).to_vec();
    let is_whole = |claim: &ClaimReport| claim.left_out.is_empty() && !apart.contains(&claim.name);
    let files = file_names(report.claims.iter().map(|claim| claim.name.as_str()));
    for (claim, file) in report.claims.iter_mut().zip(files) {
        let Some(evidence) = claim.outcome.evidence.as_ref().filter(|_| is_whole(claim)) else { continue };
        let origin = motet_workbench::TraceOrigin {
            model: loaded.head.path.clone(),
            language: arguments.model.settings.lang.clone(),
            options: options.clone(),
            claim: Some((claim.name.clone(), claim.text.clone())),
        };
        let text = motet_workbench::write_trace(ready, &origin, evidence);
        claim.trace = host.keep(&arguments.trace_dir, &format!("{file}.itf.json"), &text);
    }
}

/// Saves the choices behind the one claim that has some.
fn save_strategy(loaded: &Loaded, path: &std::path::Path, report: &mut Report) {
    let Some(ready) = &loaded.ready else { return };
    let what = format!("--strategy {}", path.display());
    let chosen = |claim: &ClaimReport| {
        claim.outcome.quantity.as_ref().is_some_and(|quantity| quantity.strategy.is_some())
    };
    let with: Vec<usize> = (0..report.claims.len()).filter(|at| chosen(&report.claims[*at])).collect();
    let [number] = with.as_slice() else {
        let names: Vec<&str> = with.iter().map(|at| report.claims[*at].name.as_str()).collect();
        return skip(
            &what,
            &match names.len() {
                0 => "there is no strategy: no claim about a number depends on choices here".to_owned(),
                _ => format!("{} have strategies; choose one of them with -p", names.join(", ")),
            },
        );
    };
    let claim = &mut report.claims[*number];
    let quantity = claim.outcome.quantity.as_ref();
    let table = quantity.and_then(|quantity| motet_workbench::strategy_table(ready, quantity));
    if deliver(&what, path, Ok(table.unwrap_or_default())) {
        claim.strategy = Some(path.display().to_string());
    }
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
