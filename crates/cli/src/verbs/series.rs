//! `motet run -n`: many runs, counted.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use motet_live::{Receipt, Sink, Trouble};
use motet_render::{Modelled, RunEnd, RunEvent, RunSeries, run_series, run_series_json};
use motet_workbench::{Problems, Settings, Verdict, check, clopper_pearson, load};

use crate::arguments::run::{Run, RunFormat, SelectHow};
use crate::exit::ExitCode;
use crate::verbs::check::limits;
use crate::verbs::project;
use crate::verbs::run::{Scene, Stage};

/// How sure the interval of a share is.
const CONFIDENCE: f64 = 0.95;
/// Stands for the seed of a run.
const SEED: &str = "{seed}";

/// What came of one run.
struct Mission {
    end: RunEnd,
    chosen: Vec<String>,
}

/// Makes all runs and tells how many reached their goal.
pub(super) fn series(stage: &Stage<'_>, scene: &Scene<'_>) -> anyhow::Result<ExitCode> {
    let arguments = stage.arguments;
    let runs = arguments.runs.unwrap_or(1);
    if runs > 1 && !arguments.skills.as_deref().unwrap_or_default().contains(SEED) {
        anyhow::bail!(
            "all runs would have the same skills: write {SEED} where they take their seed, as in 'motet world MODEL \
             --seed {SEED}'"
        );
    }
    let modelled = modelled(stage)?;
    let missions = match all(stage, scene, runs)? {
        Ok(missions) => missions,
        Err(exit) => return Ok(exit),
    };
    let told = counted(stage, scene, &missions, modelled);
    match arguments.format {
        RunFormat::Text => stage.host.say(&run_series(&told, &stage.host.view)),
        RunFormat::Jsonl => stage.host.say(&run_series_json(&told)),
    }
    Ok(match told.agrees() {
        _ if missions.iter().any(|mission| mission.end.end == "interrupted") => ExitCode::Interrupted,
        _ if missions.iter().any(|mission| mission.end.end == "dead") => ExitCode::Engine,
        Some(false) => ExitCode::NotAsExpected,
        _ => ExitCode::AsExpected,
    })
}

/// What the model says: the answers of the queries that the share is compared with.
fn modelled(stage: &Stage<'_>) -> anyhow::Result<Vec<Modelled>> {
    let names = &stage.arguments.compare;
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let mut asked = project(&stage.arguments.model, Some(&stage.arguments.claims));
    asked.selection.globs.clone_from(names);
    let loaded = load(asked);
    let settings = Settings {
        limits: limits(stage.host, &stage.arguments.limits),
        threads: stage.arguments.threads.count(),
        ..Settings::default()
    };
    let report = check(&loaded, &settings.into(), &mut |_| {});
    let mut answers = Vec::new();
    for name in names {
        let claim = report.claims.iter().find(|claim| claim.name == *name);
        match claim.map(|claim| (claim, &claim.outcome.verdict)) {
            Some((claim, Verdict::Value { low, high })) => answers.push(Modelled {
                query: name.clone(),
                text: claim.text.clone(),
                low: *low,
                high: *high,
            }),
            _ => {
                anyhow::bail!("--compare {name}: there is no query of this name with a number for an answer")
            }
        }
    }
    Ok(answers)
}

/// All missions, in the order of their seeds. They do not depend on how many are made at a time.
fn all(stage: &Stage<'_>, scene: &Scene<'_>, runs: u64) -> anyhow::Result<Result<Vec<Mission>, ExitCode>> {
    let jobs = stage
        .arguments
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get));
    let next = AtomicU64::new(0);
    let done = Mutex::new(BTreeMap::new());
    let failed = Mutex::new(None);
    let meter = crate::progress::line(stage.host.look.progress);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs || stage.host.interrupt.load(Ordering::Relaxed) {
                return;
            }
            match mission(stage, scene, number) {
                Ok(Ok(mission)) => {
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.insert(number, mission);
                    if let Some(meter) = &meter {
                        meter.set_message(format!("{} of {runs} runs", done.len()));
                    }
                }
                other => {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(other.map(Result::err));
                    next.store(runs, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.clamp(1, 64) {
            // Where the system starts no more threads, those that there are make all runs.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    if let Some(meter) = &meter {
        meter.finish_and_clear();
    }
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(Err(error)) => return Err(error),
        Some(Ok(Some(exit))) => return Ok(Err(exit)),
        _ => {}
    }
    Ok(Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()))
}

/// The run with this number: its own team, its own skills, its own seed.
fn mission(stage: &Stage<'_>, scene: &Scene<'_>, number: u64) -> anyhow::Result<Result<Mission, ExitCode>> {
    let seed = stage.arguments.seed.wrapping_add(number);
    let with_seed = |text: &str| text.replace(SEED, &seed.to_string());
    let arguments = Run {
        seed,
        skills: stage.arguments.skills.as_deref().map(with_seed),
        log: stage.arguments.log.as_ref().map(|path| PathBuf::from(with_seed(&path.to_string_lossy()))),
        ..stage.arguments.clone()
    };
    let own = Stage { host: stage.host, arguments: &arguments, goal: stage.goal.clone(), log: None };
    let acting = scene.ready.acting(&mut Problems::new()).context("the team acted before")?;
    let mut choices = Choices::default();
    let end = own.perform(scene, acting, &mut choices)?;
    Ok(end.map(|end| Mission { end, chosen: choices.chosen }))
}

/// Keeps what was chosen.
#[derive(Default)]
struct Choices {
    chosen: Vec<String>,
}

impl Sink for Choices {
    fn tell(&mut self, event: &RunEvent) -> Receipt {
        if let RunEvent::Cycle(cycle) = event
            && let Some(alternative) = cycle.choice.and_then(|at| cycle.alternatives.get(at))
        {
            self.chosen.push(alternative.text.clone());
        }
        Receipt::Taken
    }
}

fn counted(stage: &Stage<'_>, scene: &Scene<'_>, missions: &[Mission], modelled: Vec<Modelled>) -> RunSeries {
    let arguments = stage.arguments;
    let reached: Vec<u64> = missions
        .iter()
        .filter(|mission| mission.end.end == "until")
        .map(|mission| mission.end.cycles)
        .collect();
    let (runs, hits) = (missions.len() as u64, reached.len() as u64);
    let mean = reached.iter().sum::<u64>() as f64 / hits.max(1) as f64;
    let taken = reached.iter().min().zip(reached.iter().max()).map(|(least, most)| (*least, mean, *most));
    let alarms = missions.iter().flat_map(|mission| &mission.end.standings);
    let drifts = |mission: &&Mission| {
        mission.end.troubles.iter().any(|(trouble, _)| trouble == Trouble::ModelDrift.sentence())
    };
    RunSeries {
        schema: "motet.series/1".to_owned(),
        model: scene.loaded.head.path.clone(),
        until: arguments.until.clone().unwrap_or_default(),
        cycles: arguments.cycles.unwrap_or_default(),
        select: match arguments.select {
            SelectHow::First => "first",
            SelectHow::Random => "random",
            SelectHow::Advise => "advised",
        }
        .to_owned(),
        seed: arguments.seed,
        runs,
        reached: hits,
        confidence: CONFIDENCE,
        interval: clopper_pearson(hits, runs, CONFIDENCE),
        taken,
        ends: tally(missions.iter().map(|mission| mission.end.reason.clone())),
        chosen: tally(missions.iter().flat_map(|mission| mission.chosen.iter().cloned())),
        violated: tally(alarms.filter(|standing| standing.alarm).map(|standing| standing.claim.clone())),
        drifted: missions.iter().filter(drifts).count() as u64,
        modelled,
    }
}

/// How often each, the most frequent first.
fn tally(all: impl Iterator<Item = String>) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    counts
}
