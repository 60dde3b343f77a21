//! A check: the engine answers, every piece of evidence is replayed, and the report is put together.

use std::path::PathBuf;

use motet_engine::{Examine, Keeping, Progress, Quotient, Settings, Strategies, check_all};
use motet_evidence::{Coverage, Evidence, Fairness, Outcome, Stop, Vacuity, Verdict, replay_outcome};
use motet_model::{AtomId, Model, Notice, SubjectId, System};
use motet_property::{Claim, Kind, english, english_claim, print_formula};
use motet_render::{ClaimReport, NoticeReport, Place, ReductionReport, Report, Tale, chance};
use motet_source::Severity;

use crate::checking::narrowing::{clashes, drops_runs, in_one_order, narrow};
use crate::checking::reductions::reductions;
use crate::checking::symmetry::{Likes, folded};
use crate::checking::telling::{idle_report, tell, tell_claim};
use crate::loading::atoms::atoms;
use crate::loading::dead_words::constants;
use crate::loading::digest::sha256;
use crate::loading::load::{Loaded, Ready};
use crate::opinions::chance::{ask_chance, cross_check_chance};
use crate::opinions::smv::{ask_nusmv, cross_check_nusmv};
use crate::opinions::spin::ask_spin;

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Who answers.
    pub engine: Engine,
    /// Who is asked too.
    pub cross_check: Option<Engine>,
    /// Which runs count; the model's own choice when `None`.
    pub fairness: Option<Fairness>,
    /// What the engine is asked, and others as far as they can. The check itself fills in the fairness and the name of a search
    /// that is saved.
    pub settings: Settings,
    /// Where an external engine may put its files.
    pub scratch: PathBuf,
    /// Whether the choices and ways behind numbers are told.
    pub background: Examine,
    /// Whose members are explored as interchangeable, if anybody's.
    pub symmetry: Option<Likes>,
}

impl From<Settings> for CheckOptions {
    fn from(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }
}

/// Who answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The engine of this tool.
    #[default]
    Native,
    /// Spin, through Promela.
    Spin,
    /// Storm, through the PRISM language or state by state.
    Storm,
    /// PRISM, through its own language.
    Prism,
    /// NuSMV, state by state.
    Nusmv,
}

impl Engine {
    /// As reports and the command line name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Spin => "spin",
            Self::Storm => "storm",
            Self::Prism => "prism",
            Self::Nusmv => "nusmv",
        }
    }
}

/// Checks all selected claims. `watch` is told how far the search is.
#[must_use]
pub fn check(loaded: &Loaded, options: &CheckOptions, watch: &mut dyn FnMut(Progress)) -> Report {
    let mut report =
        Report { head: loaded.head.clone(), problems: loaded.problems.clone(), ..Report::default() };
    let Some(ready) = &loaded.ready else { return report };
    report.unit = ready.system.model.signature().unit;
    let fairness = options.fairness.unwrap_or(ready.fairness());
    match fairness {
        Fairness::Strong if options.settings.strategies == Strategies::FairToChoices => {
            report.head.facts.push("runs fair to choices".to_string());
        }
        Fairness::Strong => report.head.facts.push("strongly fair runs".to_string()),
        Fairness::Weak if ready.fairness() == Fairness::None => {
            report.head.facts.push("weakly fair runs".to_string());
        }
        Fairness::Weak | Fairness::None => {}
    }
    match options.engine {
        Engine::Native => check_native(loaded, ready, options, fairness, watch, &mut report),
        engine => check_external(loaded, ready, options, fairness, engine, &mut report),
    }
    if options.engine == Engine::Native {
        match options.cross_check {
            Some(Engine::Spin) => crate::opinions::spin::cross_check(ready, options, fairness, &mut report),
            Some(engine @ (Engine::Storm | Engine::Prism)) => {
                cross_check_chance(ready, options, engine, &mut report);
            }
            Some(Engine::Nusmv) => cross_check_nusmv(ready, options, fairness, &mut report),
            Some(Engine::Native) | None => {}
        }
    }
    if options.background == Examine::Yes {
        let (model, words) = (ready.system.model.as_ref(), ready.system.words.as_ref());
        for (claim, told) in ready.claims.iter().zip(&mut report.claims) {
            let quantity = told.outcome.quantity.as_ref();
            told.chance = quantity.map(|quantity| chance(quantity, &claim.formula, model, words));
        }
    }
    report
}

fn check_native(
    loaded: &Loaded,
    ready: &Ready,
    options: &CheckOptions,
    fairness: Fairness,
    watch: &mut dyn FnMut(Progress),
    report: &mut Report,
) {
    // Which of all images is explored depends on numbers of this process.
    let keeping = options.settings.keeping.clone().filter(|_| options.symmetry.is_none());
    let named = |keeping| Keeping { search: search(ready, fairness, options), ..keeping };
    let settings = Settings { fairness, keeping: keeping.map(named), ..options.settings.clone() };
    let model = ready.system.model.as_ref();
    let quotient = folded(ready, options, fairness, report);
    let explored = quotient.as_ref().map_or(model as &dyn Model, |quotient| quotient);
    let mut answer = check_all(explored, &ready.claims, &settings, watch);
    if let Some(quotient) = &quotient {
        let outcomes = std::mem::take(&mut answer.outcomes);
        answer.outcomes = outcomes.into_iter().map(|outcome| quotient.unfold_outcome(outcome)).collect();
    }
    for (claim, outcome) in ready.claims.iter().zip(&answer.outcomes) {
        add_claim(loaded, ready, claim, outcome.clone(), "native", report);
    }
    let fault = answer.fault.as_ref().map(|(fault, _)| fault);
    report.stop = match &answer.stop {
        Some(told @ (Stop::Hashed(_) | Stop::Engine(_))) => Some(told.clone()),
        _ => stop(&answer.coverage, &report.claims, fault, options),
    };
    report.coverage = Some(answer.coverage.clone());
    narrow(ready, ready.system.review.narrowed(), report);
    in_one_order(ready, fairness, report);
    report.notices = notices(loaded, ready, &answer, quotient.as_ref());
    report.notices.extend(clashes(loaded, ready.system.review.as_ref(), ""));
    if quotient.is_none() {
        let dead = constants(ready, &answer);
        report.notices.extend(dead.into_iter().map(|notice| NoticeReport {
            place: place(loaded, &notice),
            notice,
            more: 0,
            tale: None,
        }));
    }
    report.notices.extend(infinities(loaded, ready, &answer));
    report.reductions = reductions(ready, &answer);
    report.over = answer.over;
    // Remarks tell the most of something that was seen, and now not everything was.
    if !report.reductions.iter().any(ReductionReport::is_used) && quotient.is_none() {
        report.remarks = ready.system.review.remarks();
    }
}

/// Tells this search from all others of the same texts.
fn search(ready: &Ready, fairness: Fairness, options: &CheckOptions) -> String {
    let claims: Vec<String> = ready
        .claims
        .iter()
        .map(|claim| format!("{} {}", claim.name, print_formula(&claim.formula, &ready.atoms)))
        .collect();
    let slots = &ready.system.model.signature().slots;
    let runs = (fairness, options.settings.strategies);
    let all = format!("{claims:?} {slots:?} {runs:?} {:?}", options.settings.vacuity);
    sha256(all.as_bytes())[..16].to_owned()
}

fn check_external(
    loaded: &Loaded,
    ready: &Ready,
    options: &CheckOptions,
    fairness: Fairness,
    engine: Engine,
    report: &mut Report,
) {
    let answers = match engine {
        Engine::Storm | Engine::Prism => ask_chance(ready, options, engine),
        Engine::Nusmv => ask_nusmv(ready, options, fairness),
        Engine::Native | Engine::Spin => ask_spin(ready, options, fairness),
    };
    match answers {
        Ok(answers) => {
            for (claim, outcome) in ready.claims.iter().zip(answers) {
                add_claim(loaded, ready, claim, outcome, engine.word(), report);
            }
            // Our own steps were not asked for, so nobody knows which of the options left something out.
            narrow(ready, ready.system.summary.narrowing.clone(), report);
        }
        Err(message) => report.engine_failures.push(message),
    }
}

/// Replays the evidence and adds the claim. Evidence that does not replay is never shown.
fn add_claim(
    loaded: &Loaded,
    ready: &Ready,
    claim: &Claim<AtomId>,
    mut outcome: Outcome,
    engine: &str,
    report: &mut Report,
) {
    let assumptions = if claim.kind == Kind::Assume { Vec::new() } else { ready.assumptions() };
    let system = &ready.system;
    if let Err(objection) = replay_outcome(system.model.as_ref(), &assumptions, claim, &outcome) {
        outcome.evidence = None;
        if engine == "native" {
            report.internal.push(format!("{}: {objection}; this is a bug in the tool", claim.name));
        } else {
            // A foreign run that proves nothing here is no answer, and no reason to stop.
            let words = format!("{engine} reports a run, but in the native model {objection}");
            outcome.verdict = Verdict::Unknown(Stop::Engine(words));
        }
    }
    let tale = outcome.evidence.as_ref().map(|evidence| tell_claim(ready, &loaded.sources, claim, evidence));
    report.claims.push(claim_report(loaded, ready, claim, outcome, engine, tale));
}

pub(crate) fn claim_report(
    loaded: &Loaded,
    ready: &Ready,
    claim: &Claim<AtomId>,
    outcome: Outcome,
    engine: &str,
    tale: Option<Tale>,
) -> ClaimReport {
    let names = &ready.atoms;
    let file = loaded.sources.file(claim.span.file);
    let place = loaded.sources.place(claim.span);
    let from_file = file.path != "-e";
    let trigger = match &outcome.vacuity {
        Vacuity::NeverTriggered(trigger) => Some(english(trigger, names)),
        _ => None,
    };
    let idle = match &outcome.vacuity {
        Vacuity::Examined { idle, .. } => idle.iter().map(|idle| idle_report(idle, names)).collect(),
        _ => Vec::new(),
    };
    ClaimReport {
        name: claim.name.clone(),
        kind: claim.kind,
        words: claim.words.clone(),
        english: english_claim(claim, names),
        text: claim.text.clone(),
        formula: print_formula(&claim.formula, names),
        place: from_file.then(|| Place { file: file.path.clone(), line: place.line, column: place.column }),
        expect: claim.expect.clone(),
        starved: outcome.starved.iter().map(|subject| subject_name(&ready.system, *subject)).collect(),
        outcome,
        trigger,
        idle,
        engine: engine.to_string(),
        asked: ready.asked,
        tale,
        trace: None,
        second: None,
        chance: None,
        strategy: None,
        left_out: Vec::new(),
        narrowed: Vec::new(),
        orders: Vec::new(),
    }
}

/// The name of what fairness is about.
fn subject_name(system: &System, subject: SubjectId) -> String {
    let process = || system.model.signature().processes.get(subject.index()).cloned().unwrap_or_default();
    system.words.subject(subject).unwrap_or_else(process)
}

/// What stopped an incomplete search. Claims know best; without claims it is read off the limits.
fn stop(
    coverage: &Coverage,
    claims: &[ClaimReport],
    fault: Option<&motet_model::Fault>,
    options: &CheckOptions,
) -> Option<Stop> {
    if coverage.complete {
        return None;
    }
    let limit = |claim: &ClaimReport| match &claim.outcome.verdict {
        Verdict::Unknown(Stop::Unsupported(_) | Stop::Engine(_)) => None,
        Verdict::Unknown(stop) => Some(stop.clone()),
        _ => None,
    };
    if let Some(stop) = claims.iter().find_map(limit) {
        return Some(stop);
    }
    if let Some(fault) = fault {
        return Some(Stop::Bound(fault.message.clone()));
    }
    let limits = &options.settings.limits;
    let interrupted =
        limits.interrupt.as_ref().is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed));
    Some(match limits {
        _ if interrupted => Stop::Interrupted,
        limits if limits.states.is_some_and(|most| coverage.states >= most) => Stop::States,
        limits if limits.time.is_some_and(|most| coverage.seconds >= most.as_secs_f64()) => Stop::Time,
        limits if limits.depth.is_some_and(|most| coverage.depth >= most) => Stop::Depth,
        _ => Stop::Memory,
    })
}

/// A kind of notice that happened: the first of it with the shortest run, and how many differ in their values only.
struct Happened {
    notice: Notice,
    run: motet_evidence::Run,
    others: Vec<String>,
}

/// What the model does apart from any claim. Notices of one kind about one text are one line, with the shortest run.
/// Where members are interchangeable nothing is said of what never happens: it may happen to another.
fn notices(
    loaded: &Loaded,
    ready: &Ready,
    answer: &motet_engine::Report,
    quotient: Option<&Quotient<'_>>,
) -> Vec<NoticeReport> {
    let review = &ready.system.review;
    let mut found: Vec<Happened> = Vec::new();
    for action in &answer.actions {
        let Some(notice) = review.happened(*action) else { continue };
        let run = match quotient {
            None => answer.run_to_action(ready.system.model.as_ref(), *action),
            Some(quotient) => {
                answer.run_to_action(quotient, *action).and_then(|run| quotient.unfold_run(&run))
            }
        };
        let Some(run) = run else { continue };
        let alike = |other: &Notice| {
            let one_text = other.span.is_some() && other.span == notice.span;
            other.code == notice.code && (one_text || other.message == notice.message)
        };
        match found.iter_mut().find(|happened| alike(&happened.notice)) {
            Some(happened) => happened.add(notice, run),
            None => found.push(Happened { notice, run, others: Vec::new() }),
        }
    }
    found.sort_by_key(|happened| (happened.notice.severity, happened.run.steps.len()));
    let happened = found.into_iter().map(|happened| {
        let evidence = Evidence::finite(happened.run);
        let tale = tell(ready, &loaded.sources, &evidence, &[]);
        let place = place(loaded, &happened.notice);
        NoticeReport { place, notice: happened.notice, more: happened.others.len(), tale: Some(tale) }
    });
    let mut notices: Vec<NoticeReport> = happened.collect();
    let drops = review.narrowed().iter().any(|option| drops_runs(option));
    if answer.coverage.complete && quotient.is_none() && !drops {
        let missing = review.missing(&answer.actions);
        notices.extend(missing.into_iter().map(|notice| NoticeReport {
            place: place(loaded, &notice),
            notice,
            more: 0,
            tale: None,
        }));
    }
    notices
}

/// Expected rewards that are infinite, with a run to a situation from which the goal is missed.
fn infinities(loaded: &Loaded, ready: &Ready, answer: &motet_engine::Report) -> Vec<NoticeReport> {
    let mut notices = Vec::new();
    for (claim, outcome) in ready.claims.iter().zip(&answer.outcomes) {
        let Some(infinite) = outcome.quantity.as_ref().and_then(|quantity| quantity.infinite.as_ref()) else {
            continue;
        };
        let tale = infinite.run.clone().map(|run| {
            let evidence = Evidence::finite(run);
            tell(ready, &loaded.sources, &evidence, &atoms(&claim.formula))
        });
        let why = if infinite.missed == 0.0 {
            "fair strategies may put the goal off for as long as they like, and earn meanwhile".to_owned()
        } else {
            let missed = motet_render::value_text(infinite.missed, infinite.missed);
            format!("the goal is missed with a chance of at least {missed}")
        };
        let notice = Notice {
            code: "M0309",
            severity: Severity::Warning,
            message: format!("{}: the expected reward is infinite, because {why}", claim.name),
            span: Some(claim.span),
            help: "ask for the probability of the goal, or bound the count: `C<=100 steps`".to_owned(),
        };
        notices.push(NoticeReport { place: place(loaded, &notice), notice, more: 0, tale });
    }
    notices
}

impl Happened {
    fn add(&mut self, notice: Notice, run: motet_evidence::Run) {
        let mut other = notice;
        if run.steps.len() < self.run.steps.len() {
            self.run = run;
            std::mem::swap(&mut other, &mut self.notice);
        }
        if other.message != self.notice.message && !self.others.contains(&other.message) {
            self.others.push(other.message);
        }
        self.others.retain(|message| *message != self.notice.message);
    }
}

/// `ag3.asl:27`.
pub(crate) fn place(loaded: &Loaded, notice: &Notice) -> Option<String> {
    let span = notice.span?;
    let path = &loaded.sources.file(span.file).path;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    Some(format!("{name}:{}", loaded.sources.place(span).line))
}
