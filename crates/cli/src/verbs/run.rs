//! `motet run`

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use motet_live::{
    Advised, Any, Comparison, Drifting, First, Goal, Insights, JsonLines, Link, Log, Minds, Observer, Pace,
    Receipt, Replay, RunLimits, Select, Sink, Skills, Terms, Watching, other_model, read_log,
    run as run_agents,
};
use motet_render::{RUN_SCHEMA, RunEnd, RunEvent, RunHead, RunShow, RunTeller, run_difference, run_same};
use motet_workbench::{
    Acting, Actor, AdviseOptions, Adviser, Loaded, Problem, Problems, Ready, Sources, System, TraceOrigin,
    load, no_actor, no_goal,
};

use crate::arguments::run::{Inspect, Run, RunFormat, SelectHow};
use crate::deliver::{Stream, lose};
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::check::limits;
use crate::verbs::series::series;
use crate::verbs::view::Page;
use crate::verbs::{project, refuse};

/// How long skills may take to end when they are told to.
const GRACE: Duration = Duration::from_secs(2);
/// A log of this size is read; a larger one comes from a run of days.
const LIMIT_LOG: u64 = 1 << 30;

/// Runs agents against skills, or follows a run again.
pub(crate) fn run(host: &Host, arguments: &Run) -> anyhow::Result<ExitCode> {
    let log = match &arguments.replay {
        None => None,
        Some(path) => match recorded(host, path)? {
            Some(log) => Some(log),
            None => return Ok(ExitCode::BrokenInput),
        },
    };
    let mut loaded = load(stated(arguments, log.as_ref(), &[]));
    let until = arguments.until.as_ref();
    let named = |ready: &Ready| ready.claims.iter().any(|claim| Some(&claim.name) == until);
    let mut goal = until.cloned();
    if let Some(what) = until.filter(|_| !loaded.ready.as_ref().is_some_and(named)) {
        let formula = format!("eventually ({what})");
        loaded = load(stated(arguments, log.as_ref(), std::slice::from_ref(&formula)));
        goal = Some(formula);
    }
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    if let Some((log, sources)) = &log
        && log.head.sha256 != loaded.head.sha256
    {
        let (file, _) = sources.iter().next().expect("the log was added");
        let problem = other_model(file, &log.head, &loaded.head.sha256);
        return Ok(complain(host, problem, sources));
    }
    let mut found = Problems::new();
    let Some(acting) = ready.acting(&mut found) else {
        if !found.has_errors() {
            found.push(no_actor(&mut loaded.sources, &loaded.head.path));
        }
        loaded.problems.extend(found);
        return Ok(refuse(host, &loaded));
    };
    let stage = Stage { host, arguments, goal, log: log.map(|(log, _)| log) };
    stage.play(&loaded, ready, acting)
}

/// The log of an earlier run, with the text it was read from. `None` when it was complained about.
fn recorded(host: &Host, path: &Path) -> anyhow::Result<Option<(Log, Sources)>> {
    let size = std::fs::metadata(path).with_context(|| format!("reading {}", path.display()))?;
    if !size.is_file() || size.len() > LIMIT_LOG {
        anyhow::bail!("{} is not a file of at most 1 GiB", path.display());
    }
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut sources = Sources::default();
    let file = sources.add(path.display().to_string(), text.clone());
    match read_log(file, &text) {
        Ok(log) => Ok(Some((log, sources))),
        Err(problem) => {
            complain(host, *problem, &sources);
            Ok(None)
        }
    }
}

fn complain(host: &Host, problem: Problem, sources: &Sources) -> ExitCode {
    let mut found = Problems::new();
    found.push(problem);
    host.fail(&found, sources)
}

/// The model as the arguments say it, or as the log does; with formulas beside the claims.
fn stated(arguments: &Run, log: Option<&(Log, Sources)>, formulas: &[String]) -> motet_workbench::Project {
    let mut project = project(&arguments.model, Some(&arguments.claims));
    if let Some((log, _)) = log {
        let mut origin = TraceOrigin { language: project.language.clone(), ..TraceOrigin::default() };
        origin.options = project.options.clone();
        log.head.settings.iter().for_each(|(name, value)| origin.restore(name, value));
        (project.language, project.options) = (origin.language, origin.options);
    }
    if !project.selection.globs.is_empty() {
        project.selection.globs.extend(formulas.iter().cloned());
    }
    project.selection.queries.extend(formulas.iter().cloned());
    project
}

/// What a run is made with.
pub(super) struct Stage<'a> {
    pub(super) host: &'a Host,
    pub(super) arguments: &'a Run,
    /// The claim that ends the run, by its name.
    pub(super) goal: Option<String>,
    /// The run that is followed again.
    pub(super) log: Option<Log>,
}

/// What runs are made of, made once for all of them.
pub(super) struct Scene<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) ready: &'a Ready,
    pub(super) adviser: Option<Adviser>,
}

impl Stage<'_> {
    fn play(&self, loaded: &Loaded, ready: &Ready, acting: Acting) -> anyhow::Result<ExitCode> {
        let adviser = match self.adviser(loaded, ready, &acting.system) {
            Ok(adviser) => adviser,
            Err(exit) => return Ok(exit),
        };
        let scene = Scene { loaded, ready, adviser };
        match self.arguments.runs {
            Some(_) => series(self, &scene),
            None => self.watched(&scene, acting),
        }
    }

    /// One run, shown as it goes.
    fn watched(&self, scene: &Scene<'_>, acting: Acting) -> anyhow::Result<ExitCode> {
        let page = match self.arguments.view.as_deref().map(Page::open).transpose() {
            Ok(page) => page,
            Err(refused) => return Ok(complain(self.host, refused.0, &refused.1)),
        };
        let mut watched = page.as_ref().map(|page| page.begin(self.host));
        let mut shown = Shown::new(self.host, self.arguments);
        let mut comparison = self.log.as_ref().map(Comparison::new);
        let mut sinks: Vec<&mut dyn Sink> = vec![&mut shown];
        sinks.extend(watched.as_mut().map(|page| page as &mut dyn Sink));
        sinks.extend(comparison.as_mut().map(|comparison| comparison as &mut dyn Sink));
        let end = match self.perform(scene, acting, &mut Together(sinks))? {
            Ok(end) => end,
            Err(exit) => return Ok(exit),
        };
        shown.end(&end);
        if let Some(page) = page {
            page.stay(self.host);
        }
        if let Some(difference) = comparison.as_ref().and_then(Comparison::difference) {
            self.host.hint(run_difference(difference, &self.host.view).trim_end());
            return Ok(ExitCode::NotAsExpected);
        }
        if comparison.is_some() && self.arguments.format == RunFormat::Text {
            self.host.say(&run_same(&end, &self.host.view));
        }
        Ok(self.exit(&end))
    }

    /// One run, told to this sink and to the log.
    pub(super) fn perform(
        &self,
        scene: &Scene<'_>,
        acting: Acting,
        told: &mut dyn Sink,
    ) -> anyhow::Result<Result<RunEnd, ExitCode>> {
        let Acting { system, mut actor } = acting;
        let head = self.head(scene.loaded);
        let mut select = self.select(&head, scene.adviser.as_ref())?;
        let mut insights = scene.adviser.as_ref().map(Insights::new);
        let until = match self.until(scene.loaded, scene.ready, &system, actor.as_ref()) {
            Ok(until) => until,
            Err(exit) => return Ok(Err(exit)),
        };
        let mut written = match self.written() {
            Ok(written) => written,
            Err(exit) => return Ok(Err(exit)),
        };
        let mut skills = self.skills()?;
        // What is only waited for is no claim of the project.
        let awaited = self.goal.as_ref().filter(|goal| Some(*goal) != self.arguments.until.as_ref());
        let own = scene.ready.claims.iter().filter(|claim| Some(&claim.name) != awaited);
        let mut watching = Watching::new(system.model.as_ref(), own).for_team(actor.as_ref());
        let mut drifting = Drifting::default();
        let mut observers: Vec<&mut dyn Observer> = vec![&mut watching, &mut drifting];
        observers.extend(insights.as_mut().map(|insights| insights as &mut dyn Observer));
        let mut sinks: Vec<&mut dyn Sink> = vec![told];
        sinks.extend(written.as_mut().map(|log| log as &mut dyn Sink));
        Ok(Ok(run_agents(motet_live::Run {
            actor: actor.as_mut(),
            words: system.words.as_ref(),
            skills: skills.as_mut(),
            select: select.as_mut(),
            observers,
            sinks,
            limits: RunLimits {
                cycles: self.arguments.cycles,
                until,
                grace: self.arguments.grace_cycles,
                interrupt: &self.host.interrupt,
            },
            head,
        })))
    }

    /// What is waited for.
    fn until<'s>(
        &self,
        loaded: &Loaded,
        ready: &Ready,
        system: &'s System,
        actor: &dyn Actor,
    ) -> Result<Option<Goal<'s>>, ExitCode> {
        let claim = self.goal.as_ref().and_then(|name| ready.claims.iter().find(|claim| claim.name == *name));
        let Some(claim) = claim else { return Ok(None) };
        let name = self.arguments.until.as_deref().unwrap_or_default();
        Goal::new(system.model.as_ref(), actor, claim, name).map(Some).map_err(|reason| {
            let mut sources = loaded.sources.clone();
            let problem = no_goal(&mut sources, name, &reason);
            complain(self.host, problem, &sources)
        })
    }

    /// What the run is a run of. A run that is followed again is made as it was.
    fn head(&self, loaded: &Loaded) -> RunHead {
        if let Some(log) = &self.log {
            return log.head.clone();
        }
        let arguments = self.arguments;
        let origin = TraceOrigin {
            language: arguments.model.settings.lang.clone(),
            options: crate::verbs::options(&arguments.model.settings),
            ..TraceOrigin::default()
        };
        let pace = arguments.rate.map_or(Pace::Lockstep, Pace::Rate);
        RunHead {
            schema: RUN_SCHEMA.to_owned(),
            model: loaded.head.path.clone(),
            sha256: loaded.head.sha256.clone(),
            settings: origin.settings(),
            skills: arguments.skills.clone().unwrap_or_default(),
            pace: pace.name().to_owned(),
            rate: pace.rate(),
            speed: arguments.speed,
            select: match arguments.select {
                SelectHow::First => "first",
                SelectHow::Random => "random",
                SelectHow::Advise => "advise",
            }
            .to_owned(),
            by: arguments.by.clone(),
            seed: arguments.seed,
            until: arguments.until.clone(),
            cycles: arguments.cycles,
            ..RunHead::default()
        }
    }

    /// Who is asked for advice, where somebody is.
    fn adviser(&self, loaded: &Loaded, ready: &Ready, system: &System) -> Result<Option<Adviser>, ExitCode> {
        let advised = match &self.log {
            Some(log) => log.head.select == "advise",
            None => self.arguments.select == SelectHow::Advise,
        };
        if !advised && self.arguments.threshold.is_empty() {
            return Ok(None);
        }
        let options = AdviseOptions {
            queries: self.log.as_ref().map_or(&self.arguments.by, |log| &log.head.by).clone(),
            thresholds: self.arguments.threshold.clone(),
            limits: limits(self.host, &self.arguments.limits),
            threads: self.arguments.threads.count(),
            ..AdviseOptions::default()
        };
        let mut sources = loaded.sources.clone();
        Adviser::solve(ready, system, &mut sources, &options, &mut |_| {}).map(Some).map_err(|problem| {
            match self.host.interrupt.load(Ordering::Relaxed) {
                true => ExitCode::Interrupted,
                false => complain(self.host, *problem, &sources),
            }
        })
    }

    fn select<'a>(
        &self,
        head: &RunHead,
        adviser: Option<&'a Adviser>,
    ) -> anyhow::Result<Box<dyn Select + 'a>> {
        Ok(match (head.select.as_str(), adviser) {
            ("first", _) => Box::new(First),
            ("random", _) => Box::new(Any::new(head.seed)),
            ("advise", Some(adviser)) => Box::new(Advised::new(adviser)),
            (other, _) => anyhow::bail!("the log chooses by `{other}`, which this version does not know"),
        })
    }

    fn skills(&self) -> anyhow::Result<Box<dyn Skills + '_>> {
        if let Some(log) = &self.log {
            return Ok(Box::new(Replay::new(log)));
        }
        let terms = Terms {
            pace: self.arguments.rate.map_or(Pace::Lockstep, Pace::Rate),
            speed: self.arguments.speed,
            timeout: self.arguments.timeout,
            most: self.arguments.max_news,
            grace: GRACE,
            interrupt: Arc::clone(&self.host.interrupt),
        };
        let command = self.arguments.skills.as_deref().unwrap_or_default();
        let link = Link::start(command, terms).context("starting `sh` for the skills")?;
        Ok(Box::new(link))
    }

    /// The log, which grows line by line so that it tells of a run that breaks off, too. What agents do cannot be done again
    /// for the log's sake, so without it none is made.
    fn written(&self) -> Result<Option<JsonLines<Stream<File>>>, ExitCode> {
        let Some(path) = self.arguments.log.as_ref() else { return Ok(None) };
        let name = format!("--log {}", path.display());
        match File::create(path) {
            Ok(file) => Ok(Some(JsonLines::new(Stream::new(file, name), Minds::LeftOut))),
            Err(error) => {
                lose(&name, &error);
                Err(ExitCode::Lost)
            }
        }
    }

    fn exit(&self, end: &RunEnd) -> ExitCode {
        let alarm = end.standings.iter().any(|standing| standing.alarm);
        match end.end.as_str() {
            // What an earlier run came to is no matter of following it.
            _ if self.log.is_some() && end.end != "interrupted" => ExitCode::AsExpected,
            "interrupted" => ExitCode::Interrupted,
            "dead" | "silent" => ExitCode::Engine,
            _ if alarm => ExitCode::NotAsExpected,
            "fault" => ExitCode::Inconclusive,
            "cycles" if self.arguments.until.is_some() => ExitCode::Inconclusive,
            _ => ExitCode::AsExpected,
        }
    }
}

/// Several sinks as one.
struct Together<'a>(Vec<&'a mut dyn Sink>);

impl Sink for Together<'_> {
    fn tell(&mut self, event: &RunEvent) -> Receipt {
        let mut receipt = Receipt::Taken;
        for sink in &mut self.0 {
            match sink.tell(event) {
                Receipt::Taken => {}
                other => receipt = other,
            }
        }
        receipt
    }
}

/// What is seen of the run on standard output.
struct Shown<'a> {
    host: &'a Host,
    teller: RunTeller,
    lines: Option<JsonLines<Stream<std::io::Stdout>>>,
    meter: Option<indicatif::ProgressBar>,
    calls: u64,
}

impl<'a> Shown<'a> {
    fn new(host: &'a Host, arguments: &Run) -> Self {
        let show = match arguments.inspect {
            Inspect::None => RunShow::None,
            Inspect::Changes => RunShow::Changes,
            Inspect::Full => RunShow::Full,
        };
        let minds = if show == RunShow::Full { Minds::Kept } else { Minds::LeftOut };
        let lines = (arguments.format == RunFormat::Jsonl)
            .then(|| JsonLines::new(Stream::new(std::io::stdout(), "standard output"), minds));
        let quiet = show == RunShow::None || lines.is_some();
        let meter = quiet.then(|| crate::progress::line(host.look.progress)).flatten();
        Self { host, teller: RunTeller::new(host.view, show), lines, meter, calls: 0 }
    }

    /// The summary: on standard output for people, beside the events for programs.
    fn end(&self, end: &RunEnd) {
        if let Some(meter) = &self.meter {
            meter.finish_and_clear();
        }
        let text = self.teller.end(end);
        match &self.lines {
            Some(_) => self.host.hint(text.trim_end()),
            None => self.host.say(&text),
        }
    }
}

impl Sink for Shown<'_> {
    fn tell(&mut self, event: &RunEvent) -> Receipt {
        if let (Some(meter), RunEvent::Cycle(cycle)) = (&self.meter, event) {
            self.calls += cycle.orders.len() as u64;
            meter.set_message(self.teller.progress(cycle.cycle, self.calls));
        }
        if let Some(lines) = &mut self.lines {
            // A reader that went away, as in `motet run ... | head`, is no trouble of the agents.
            let _ = lines.tell(event);
            return Receipt::Taken;
        }
        match event {
            RunEvent::Begin(head) => self.host.say(&self.teller.begin(head)),
            RunEvent::Cycle(cycle) => {
                let text = self.teller.cycle(cycle);
                if !text.is_empty() {
                    self.host.say(&text);
                }
            }
            // Told with what else is to be said.
            RunEvent::End(_) => {}
        }
        Receipt::Taken
    }
}
