//! Storm and PRISM as engines, or as a second opinion: numbers about chance and rewards.
//!
//! A model that its language can write in PRISM goes there as that text. Every other model is explored here and goes to
//! Storm state by state, with a label for each atom.

use std::time::Duration;

use motet_engine::{Limits, Precision};
use motet_evidence::{Coverage, Fairness, Outcome, Stop, Verdict};
use motet_external::Prism;
use motet_external::storm::{self, Answer, Arithmetic, Found, Input, Reply, Storm, Task};
use motet_model::{AtomId, PrismText, TimeUnit};
use motet_property::{Claim, Formula, Interval, Kind, Moments, Path, PrismNames, Quantifier, prism_formula};
use motet_render::{ClaimReport, Explicit, Opinion, Report, drn, value_text};

use crate::checking::check::{CheckOptions, Engine};
use crate::checking::fair_chance::depends_on_fairness;
use crate::exporting::explicit::{LaidOut, MOST_STATES, Pace, explore};
use crate::loading::load::Ready;
use crate::opinions::known_faults::recognise;

/// Rational numbers grow; beyond this many states a threshold on the edge stays undecided.
const MOST_EXACT_STATES: u64 = 20_000;

/// A model in a form that others read, and every claim as a question about it or the reason why it is none.
pub(crate) struct Posed {
    pub(crate) form: Form,
    pub(crate) questions: Vec<Result<String, String>>,
}

/// Why a least chance is not asked of others.
const UNFAIR: &str = "it knows no fair strategies; --fair none counts all of them, here too";

impl Posed {
    /// Whether somebody chooses in the model.
    fn has_choices(&self) -> bool {
        match &self.form {
            Form::Text(_) => true,
            Form::States(model) => !model.is_chain(),
        }
    }
}

/// What others read.
pub(crate) enum Form {
    /// The model in the PRISM language.
    Text(PrismText),
    /// The model state by state.
    States(Box<Explicit>),
}

/// What printing and reading a double may cost, relatively, with some room.
const ROUNDING: f64 = 1e-15;

/// The answers of Storm or PRISM, one per claim.
///
/// # Errors
/// In words, when it cannot be asked at all.
pub(crate) fn ask_chance(
    ready: &Ready,
    options: &CheckOptions,
    engine: Engine,
) -> Result<Vec<Outcome>, String> {
    let posed = posed(ready, options)?;
    answers(&posed, options, engine)
}

/// The model and the questions, without those that cannot be asked under these options.
fn posed(ready: &Ready, options: &CheckOptions) -> Result<Posed, String> {
    let mut posed = pose(ready, &options.settings.limits.up_to(MOST_STATES))?;
    if options.fairness.unwrap_or(ready.fairness()) != Fairness::None && posed.has_choices() {
        for (question, claim) in posed.questions.iter_mut().zip(&ready.claims) {
            if depends_on_fairness(&claim.formula) {
                *question = Err(UNFAIR.to_owned());
            }
        }
    }
    Ok(posed)
}

fn answers(posed: &Posed, options: &CheckOptions, engine: Engine) -> Result<Vec<Outcome>, String> {
    let asked: Vec<String> = posed.questions.iter().filter_map(|question| question.clone().ok()).collect();
    let (coverage, replies) = match engine {
        _ if asked.is_empty() => (Coverage::default(), Vec::new()),
        Engine::Prism => ask_prism(&posed.form, &asked, options)?,
        _ => ask_storm(&posed.form, asked, options)?,
    };
    let mut replies = replies.into_iter();
    let answers = posed.questions.iter().map(|question| match question {
        Ok(_) => outcome(replies.next(), &coverage),
        Err(reason) => unknown(reason.clone(), Coverage::default()),
    });
    Ok(answers.collect())
}

/// Asks about every claim and compares. Disagreement is an error of one of the two, never hidden; where it is a known fault of
/// Storm, which is found out by asking around it, the report says so and our verdict stands.
pub(crate) fn cross_check_chance(ready: &Ready, options: &CheckOptions, engine: Engine, report: &mut Report) {
    let found = posed(ready, options)
        .and_then(|posed| answers(&posed, options, engine).map(|answers| (posed, answers)));
    let (posed, answers) = match found {
        Ok(found) => found,
        Err(message) => return report.engine_failures.push(message),
    };
    for (answer, claim) in answers.into_iter().zip(&mut report.claims) {
        let seconds = answer.coverage.seconds;
        let engine = engine.word().to_owned();
        claim.second = Some(Opinion { engine, verdict: answer.verdict, seconds, known_fault: None });
    }
    if engine == Engine::Storm {
        recognise(ready, options, &posed, report);
    }
    let disputes = report.claims.iter().filter(|claim| claim.disputed()).map(dispute);
    report.engine_failures.extend(disputes.collect::<Vec<_>>());
}

fn dispute(claim: &ClaimReport) -> String {
    let says = |verdict: &Verdict| match verdict {
        Verdict::Value { low, high } => value_text(*low, *high),
        Verdict::Holds => "true".to_owned(),
        Verdict::Fails => "false".to_owned(),
        Verdict::Unknown(_) => "nothing".to_owned(),
    };
    let (engine, second) =
        claim.second.as_ref().map_or(("", String::new()), |second| (&*second.engine, says(&second.verdict)));
    let native = says(&claim.outcome.verdict);
    let name = &claim.name;
    format!(
        "{name}: native says {native}, {engine} says {second}; one of them is wrong, see `motet explain M0962`"
    )
}

/// Writes the model in a form that others read, and the claims as questions about it.
///
/// # Errors
/// In words, when the model cannot be written.
pub(crate) fn pose(ready: &Ready, limits: &Limits) -> Result<Posed, String> {
    match ready.system.export.prism() {
        Some(text) => {
            let text = text.map_err(|problem| problem.message.clone())?;
            Ok(Posed { questions: about_text(ready, &text), form: Form::Text(text) })
        }
        None => {
            let laid_out = explore(ready, "motet", limits).map_err(|obstacle| obstacle.to_string())?;
            let questions = about_states(ready, &laid_out);
            Ok(Posed { questions, form: Form::States(Box::new(laid_out.model)) })
        }
    }
}

/// The claims as questions about a text in the PRISM language.
pub(crate) fn about_text(ready: &Ready, text: &PrismText) -> Vec<Result<String, String>> {
    let names = PrismNames {
        atom: &|atom| text.atoms.get(atom.index()).cloned().unwrap_or_else(|| "false".to_owned()),
        reward: &|name| text.rewards.get(reward_index(ready, name)?).cloned(),
        per_step: text.steps.max(1),
        per_unit: Some(text.steps.max(1)),
        moments: text.moments.as_ref().map(|expression| Moments { expression, wavering: &text.wavering }),
    };
    questions(ready, &names)
}

/// The claims as questions about a model that is written state by state.
pub(crate) fn about_states(ready: &Ready, laid_out: &LaidOut) -> Vec<Result<String, String>> {
    let model = &laid_out.model;
    let counted = laid_out.pace == Pace::Even || ready.system.model.signature().unit == TimeUnit::Steps;
    let names = PrismNames {
        // A label that no state has is unknown to the readers.
        atom: &|atom| match &model.labels[atom.index()] {
            label if label.states.is_empty() => "false".to_owned(),
            label => format!("\"{}\"", label.named.name),
        },
        reward: &|name| Some(model.rewards.get(reward_index(ready, name)?)?.named.name.clone()),
        per_step: 1,
        per_unit: counted.then_some(1),
        moments: None,
    };
    questions(ready, &names)
}

/// Which reward a claim means; the first where it names none.
fn reward_index(ready: &Ready, name: Option<&str>) -> Option<usize> {
    let rewards = &ready.system.model.signature().rewards;
    match name {
        None => Some(0),
        Some(name) => rewards.iter().position(|reward| reward.name == name),
    }
}

fn questions(ready: &Ready, names: &PrismNames<'_>) -> Vec<Result<String, String>> {
    let assumed = !ready.assumptions().is_empty();
    let question = |claim: &Claim<AtomId>| {
        if assumed {
            return Err("assumptions about runs have no counterpart in the target language".to_owned());
        }
        prism_formula(&asked(claim), names).map_err(|unsupported| unsupported.to_string())
    };
    ready.claims.iter().map(question).collect()
}

/// A claim as a formula about the start: what is said of runs is said of all of them, or of some.
fn asked(claim: &Claim<AtomId>) -> Path<AtomId> {
    let runs = |quantifier, path: Path<AtomId>| Path::Now(Formula::Runs(quantifier, Box::new(path)));
    match (claim.kind, &claim.formula) {
        (Kind::Possible, Path::Eventually(..)) => runs(Quantifier::Some, claim.formula.clone()),
        (Kind::Possible, path) => {
            let reached = Path::Eventually(Interval::default(), Box::new(path.clone()));
            runs(Quantifier::Some, reached)
        }
        (_, Path::Now(_)) => claim.formula.clone(),
        (_, path) => runs(Quantifier::All, path.clone()),
    }
}

fn ask_storm(
    form: &Form,
    questions: Vec<String>,
    options: &CheckOptions,
) -> Result<(Coverage, Vec<Reply>), String> {
    let storm = storm::find().map_err(|error| error.to_string())?;
    let model = match form {
        Form::Text(text) => Input::Prism(text.text.clone()),
        Form::States(model) => Input::Drn(drn(model)),
    };
    let answer = answer(&storm, Task::new(model, questions), options)?;
    let coverage = Coverage {
        states: answer.states,
        transitions: answer.transitions,
        choices: answer.choices,
        complete: true,
        ..Coverage::default()
    };
    Ok((coverage, answer.replies))
}

/// What Storm says to each question of another task.
///
/// # Errors
/// In words, when it gives no answer at all.
pub(crate) fn answered(storm: &Storm, task: Task, options: &CheckOptions) -> Result<Vec<Verdict>, String> {
    let answer = answer(storm, task, options)?;
    let verdicts = answer.replies.into_iter().map(|reply| outcome(Some(reply), &Coverage::default()).verdict);
    Ok(verdicts.collect())
}

/// Asks within the limits of these options, and in rational numbers where a threshold is on the edge.
fn answer(storm: &Storm, task: Task, options: &CheckOptions) -> Result<Answer, String> {
    let mut task = Task { time: time(options), ..task };
    if options.settings.precision == Precision::Exact {
        task.arithmetic = Arithmetic::Exact;
    }
    if let Some(memory) = options.settings.limits.memory {
        // Python and Storm themselves take more than a GiB of address space.
        task.memory_mib = (memory >> 20).max(2_048);
    }
    let mut answer = storm.ask(&task, &options.scratch).map_err(|error| error.to_string())?;
    if answer.states <= MOST_EXACT_STATES {
        decide_exactly(storm, task, &mut answer.replies, options);
    }
    Ok(answer)
}

/// Asks again in rational numbers where a threshold lies within the bounds of a number.
fn decide_exactly(storm: &Storm, task: Task, replies: &mut [Reply], options: &CheckOptions) {
    let undecided: Vec<usize> =
        (0..replies.len()).filter(|at| replies[*at].found == Found::Undecided).collect();
    if undecided.is_empty() {
        return;
    }
    let properties = undecided.iter().map(|at| task.properties[*at].clone()).collect();
    let task = Task { properties, arithmetic: Arithmetic::Exact, ..task };
    // Without an exact answer the inexact one stands: undecided.
    let Ok(answer) = storm.ask(&task, &options.scratch) else { return };
    for (at, reply) in undecided.into_iter().zip(answer.replies) {
        if !matches!(reply.found, Found::Open(_)) {
            replies[at].found = reply.found;
        }
        replies[at].seconds += reply.seconds;
    }
}

fn ask_prism(
    form: &Form,
    questions: &[String],
    options: &CheckOptions,
) -> Result<(Coverage, Vec<Reply>), String> {
    let Form::Text(text) = form else {
        return Err(
            "PRISM is asked in its own language, and this model has no translation to it; ask Storm, which \
                    reads it state by state"
                .to_owned(),
        );
    };
    let prism = Prism::find().map_err(|error| error.to_string())?;
    let replies = prism.ask(&text.text, questions, time(options), &options.scratch);
    Ok((Coverage { complete: true, ..Coverage::default() }, replies.map_err(|error| error.to_string())?))
}

fn time(options: &CheckOptions) -> Duration {
    options.settings.limits.time.unwrap_or(Duration::from_secs(3_600))
}

fn outcome(reply: Option<Reply>, coverage: &Coverage) -> Outcome {
    let Some(reply) = reply else { return unknown("it gave no answer".to_owned(), coverage.clone()) };
    let coverage = Coverage { seconds: reply.seconds, ..coverage.clone() };
    let verdict = match reply.found {
        Found::Number { low, high, .. } => {
            // Storm's numbers come rounded to the nearest double, also its fractions.
            let lost = |number: f64| if number.is_finite() { ROUNDING * number.abs() } else { 0.0 };
            Verdict::Value { low: low - lost(low), high: high + lost(high) }
        }
        Found::Truth(true) => Verdict::Holds,
        Found::Truth(false) => Verdict::Fails,
        Found::Undecided => {
            return unknown("the threshold lies within the precision of its number".to_owned(), coverage);
        }
        Found::Open(words) => return unknown(words, coverage),
    };
    Outcome { verdict, ..unknown(String::new(), coverage) }
}

fn unknown(words: String, coverage: Coverage) -> Outcome {
    Outcome { coverage, ..Outcome::of(Verdict::Unknown(Stop::Engine(words))) }
}
