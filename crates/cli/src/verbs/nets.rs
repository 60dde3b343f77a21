//! `motet nets`

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Context as _;
use motet_render::{Contest as Answers, contest_lines, contest_table, problems};
use motet_workbench::{
    Desire, Known, Limits, NetReportOptions, Problems, Sources, Stop, beliefs, constructed_nets,
    contest as run_contest, fits, intentions, mediated_nets, net_report, net_tables, skeletons,
};

use crate::arguments::nets::{Beliefs, Contest, Intentions, NetsVerb, Report};
use crate::arguments::{Format, LimitArguments, ModelArguments};
use crate::exit::ExitCode;
use crate::files::{read_folder, read_model};
use crate::host::Host;
use crate::progress::Meter;
use crate::verbs::check::limits;
use crate::verbs::{load_model, options, refuse};

/// Does what there is for nets alone.
pub(crate) fn nets(host: &Host, verb: &NetsVerb) -> anyhow::Result<ExitCode> {
    match verb {
        NetsVerb::Contest(arguments) => contest(host, arguments),
        NetsVerb::Report(arguments) => report(host, arguments),
        NetsVerb::Beliefs(arguments) => list_beliefs(host, arguments),
        NetsVerb::Intentions(arguments) => list_intentions(host, arguments),
        NetsVerb::Show(model) => made(host, model, constructed_nets),
        NetsVerb::Tables(arguments) => made(host, &arguments.model, |sources, problems| {
            let tables = net_tables(sources, problems)?;
            Some(if arguments.format == Format::Human { tables.text() } else { tables.json() })
        }),
        NetsVerb::Mediate(model) => made(host, model, mediated_nets),
    }
}

/// Says what the arcs and the reachable markings say.
fn report(host: &Host, arguments: &Report) -> anyhow::Result<ExitCode> {
    let loaded = load_model(&arguments.model, None);
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    let mut found = Problems::new();
    let options = options(&arguments.model.settings);
    let Some(skeletons) = skeletons(&loaded.sources, &options, &mut found) else {
        return Ok(host.fail(&found, &loaded.sources));
    };
    let limits = Limits { began: Some(host.began), ..limits(host, &arguments.limits) };
    let options = NetReportOptions { limits, threads: arguments.threads.count() };
    let mut meter = Meter::new(host.look.progress, host.view, options.limits.memory);
    let mut watch = |now| meter.update(&now, "exploring".to_owned());
    let report = net_report(ready, &loaded.head.path, &skeletons, &options, &mut watch);
    meter.finish();
    host.say(&if arguments.format == Format::Human { report.text() } else { report.json() });
    Ok(match &report.stop {
        None => ExitCode::AsExpected,
        Some(Stop::Interrupted) => ExitCode::Interrupted,
        Some(_) => ExitCode::Inconclusive,
    })
}

/// Markings of agents that are told unless somebody asks for another number: each is kept with its words.
const MOST_TOLD: u64 = 100_000;

fn told(host: &Host, arguments: &LimitArguments) -> Limits {
    Limits { began: Some(host.began), ..limits(host, arguments) }.up_to(MOST_TOLD)
}

/// How a list ends.
fn ending(host: &Host, is_complete: bool) -> ExitCode {
    match is_complete {
        true => ExitCode::AsExpected,
        false if host.interrupt.load(Ordering::Relaxed) => ExitCode::Interrupted,
        false => ExitCode::Inconclusive,
    }
}

/// Lists the markings of agents.
fn list_beliefs(host: &Host, arguments: &Beliefs) -> anyhow::Result<ExitCode> {
    let loaded = load_model(&arguments.model, None);
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    let limits = told(host, &arguments.limits);
    let found = beliefs(ready, &loaded.head.path, arguments.net.as_deref(), &limits);
    let found = found.map_err(anyhow::Error::msg)?;
    host.say(&if arguments.format == Format::Human { found.text() } else { found.json() });
    Ok(ending(host, found.complete))
}

/// Lists the ways to goals. What is desired has to be reachable, so a goal that no run reaches is not as expected.
fn list_intentions(host: &Host, arguments: &Intentions) -> anyhow::Result<ExitCode> {
    let Intentions { beliefs, goal, most } = arguments;
    let loaded = load_model(&beliefs.model, None);
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    let (net, goal) = (beliefs.net.as_deref(), goal.as_deref());
    let desire = Desire { net, goal, most: *most, limits: told(host, &beliefs.limits) };
    let found = intentions(ready, &loaded.head.path, &desire).map_err(anyhow::Error::msg)?;
    host.say(&if beliefs.format == Format::Human { found.text() } else { found.json() });
    Ok(match (found.complete, found.goals.iter().all(|goal| goal.reachable)) {
        (true, false) => ExitCode::NotAsExpected,
        (false, _) => ExitCode::Inconclusive,
        (true, true) => ExitCode::AsExpected,
    })
}

/// Says what was made of a text, or why nothing could be made of it.
fn made(
    host: &Host,
    model: &ModelArguments,
    make: impl Fn(&Sources, &mut Problems) -> Option<String>,
) -> anyhow::Result<ExitCode> {
    let (sources, mut found) = read_model(&model.model);
    let made = if found.has_errors() { None } else { make(&sources, &mut found) };
    let Some(text) = made else { return Ok(host.fail(&found, &sources)) };
    if !found.is_empty() {
        host.hint(problems(&found, &sources, &host.view).trim_end());
    }
    host.say(&text);
    Ok(ExitCode::AsExpected)
}

/// Answers all formulas about all nets of a folder, one net after the other.
fn contest(host: &Host, arguments: &Contest) -> anyhow::Result<ExitCode> {
    let folders = instances(&arguments.folder, arguments.only.as_deref())?;
    let known = known(arguments)?;
    let limits = limits(host, &arguments.limits);
    let mut all: Vec<Answers> = Vec::new();
    for (name, folder) in folders {
        if host.interrupt.load(Ordering::Relaxed) {
            break;
        }
        let start = Instant::now();
        let (sources, mut found) = read_folder(&folder, &["pnml", "xml"]);
        let mut meter = Meter::new(host.look.progress, host.view, limits.memory);
        let mut watch = |now| meter.update(&now, name.clone());
        let mut answers = answers(&name, &sources, &known, &limits, &mut found, &mut watch);
        meter.finish();
        answers.seconds = start.elapsed().as_secs_f64();
        host.say(&contest_lines(&answers));
        if !found.is_empty() {
            host.hint(problems(&found, &sources, &host.view).trim_end());
        }
        all.push(answers);
    }
    host.say(&format!("\n{}", contest_table(&all)));
    Ok(if host.interrupt.load(Ordering::Relaxed) { ExitCode::Interrupted } else { exit_code(&all) })
}

fn answers(
    name: &str,
    sources: &Sources,
    known: &Known,
    limits: &motet_workbench::Limits,
    found: &mut Problems,
    watch: &mut dyn FnMut(motet_workbench::Progress),
) -> Answers {
    if found.has_errors() {
        let refused = Some("the files cannot be read".to_owned());
        return Answers { instance: name.to_owned(), refused, ..Answers::default() };
    }
    run_contest(name, sources, known, limits, found, watch)
}

/// The folders of nets, by name: the folder itself, those in it, or those in its folder `instances`.
fn instances(folder: &Path, only: Option<&str>) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let has_model = |path: &Path| path.join("model.pnml").is_file();
    let mut found = Vec::new();
    if has_model(folder) {
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        found.push((name(&whole).unwrap_or_else(|| "net".to_owned()), folder.to_path_buf()));
    }
    for place in [folder.to_path_buf(), folder.join("instances")] {
        let Ok(entries) = std::fs::read_dir(&place) else { continue };
        let inner = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| has_model(path));
        found.extend(inner.filter_map(|path| Some((name(&path)?, path))));
    }
    found.sort();
    if found.is_empty() {
        anyhow::bail!("there is no net in {}: a net is a folder with model.pnml", folder.display());
    }
    found.retain(|(name, _)| only.is_none_or(|only| fits(only, name)));
    if found.is_empty() {
        anyhow::bail!("no net fits {}", only.unwrap_or("*"));
    }
    Ok(found)
}

/// Known answers and numbers: as asked, and those beside the nets.
fn known(arguments: &Contest) -> anyhow::Result<Known> {
    #[expect(clippy::disallowed_methods, reason = "the command line is a host")]
    let read = |path: &Path| std::fs::read_to_string(path);
    let mut known = Known::default();
    let beside = arguments.folder.join("expected.csv");
    match &arguments.expected {
        Some(path) => {
            let text = read(path).with_context(|| format!("reading {}", path.display()))?;
            known.add_answers(&text);
        }
        None => known.add_answers(&read(&beside).unwrap_or_default()),
    }
    known.add_spaces(&read(&arguments.folder.join("statespace.csv")).unwrap_or_default());
    Ok(known)
}

fn exit_code(all: &[Answers]) -> ExitCode {
    if all.iter().any(|answers| answers.refused.is_some()) {
        ExitCode::BrokenInput
    } else if all.iter().any(|answers| !answers.wrong().is_empty()) {
        ExitCode::NotAsExpected
    } else if all.iter().any(|answers| answers.n_unknown() > 0 || answers.space.is_none()) {
        ExitCode::Inconclusive
    } else {
        ExitCode::AsExpected
    }
}
