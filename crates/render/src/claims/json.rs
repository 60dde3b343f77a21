//! The report as JSON, schema `motet.report/1`. Fields are only ever added. Errors use the same envelope.

use std::collections::BTreeMap;

use motet_evidence::{Attained, Coverage, Margin, Memory, Method, Over, Stop, Verdict};
use motet_model::TimeUnit;
use motet_property::{Expect, Kind};
use motet_source::Sources;
use serde::Serialize;

use crate::claims::claim::stop_word;
use crate::claims::coverage::JsonCoverage;
use crate::claims::idle::JsonIdle;
use crate::claims::progress::Progress;
use crate::claims::reduction::JsonReduction;
use crate::claims::report::{ClaimReport, NoticeReport, Report};
use crate::claims::symmetry::SymmetryReport;
use crate::numbers::chance::ChoiceTally;
use crate::problems::diagnostic::{Diagnostic, diagnostics, severity_word};
use crate::runs::cause::{JsonCause, json_causes};
use crate::runs::critical::Link;
use crate::runs::deadline::{Deadline, measure_word};
use crate::runs::tree::json::{JsonBranch, branches};
use crate::typesetting::duration::{in_seconds, unit_word};

/// The version of the form.
const SCHEMA: &str = "motet.report/1";

/// The report as programs read it.
#[derive(Clone, Debug, Serialize)]
pub struct JsonReport {
    schema: &'static str,
    motet: &'static str,
    command: Vec<String>,
    model: JsonModel,
    exploration: Option<JsonExploration>,
    /// Which strategies the numbers are over, where somebody chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers_over: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reductions: Vec<JsonReduction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<JsonCoverage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetry: Option<SymmetryReport>,
    claims: Vec<JsonClaim>,
    notices: Vec<JsonNotice>,
    diagnostics: Vec<Diagnostic>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
    summary: JsonSummary,
    exit: u8,
}

#[derive(Clone, Debug, Serialize)]
struct JsonModel {
    path: String,
    language: String,
    sha256: String,
    parameters: BTreeMap<String, String>,
    unit: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct JsonExploration {
    states: u64,
    transitions: u64,
    complete: bool,
    depth: u64,
    open: u64,
    seconds: f64,
    explored_seconds: f64,
    peak_bytes: u64,
    /// Put away outside of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    spilled_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    /// Options that left out some of what the model could do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    narrowed: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonClaim {
    name: String,
    kind: &'static str,
    source: Option<JsonPlace>,
    words: Option<String>,
    text: String,
    formula: String,
    english: String,
    expected: String,
    verdict: &'static str,
    as_expected: Option<bool>,
    vacuous: bool,
    /// Parts that the claim does not depend on; looked for with `--vacuity full` only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    idle: Vec<JsonIdle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit_detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<JsonValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<JsonMargin>,
    /// The chain of work behind a longest time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chain: Vec<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<Deadline>,
    engine: String,
    seconds: f64,
    trace: Option<String>,
    steps: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    lasso_start: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    branches: Vec<JsonBranch>,
    causes: Vec<JsonCause>,
    why: Option<String>,
    only_if_fair_to: Vec<String>,
    /// Orders of turns that were looked at alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    only_in_order: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_opinion: Option<JsonOpinion>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonPlace {
    file: String,
    line: usize,
    column: usize,
}

/// Numbers that are infinite are null; `infinite` says so.
#[derive(Clone, Debug, Serialize)]
struct JsonValue {
    value: Option<f64>,
    lower: f64,
    upper: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweeps: Option<u64>,
    infinite: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    missed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<JsonStrategy>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ways: Vec<JsonWay>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    situations: Vec<JsonSituation>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonStrategy {
    memory: &'static str,
    decisions: usize,
    choices: Vec<JsonChoice>,
    file: Option<String>,
    /// Where numbers are over fair strategies and this is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfair: Option<JsonUnfair>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonUnfair {
    never_gets_a_turn: Vec<String>,
    value: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct JsonChoice {
    options: Vec<String>,
    situations: usize,
    chosen: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonWay {
    chance: f64,
    steps: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonSituation {
    situation: String,
    lower: f64,
    upper: f64,
}

/// The worst case behind a claim about time: in the model's unit, and in seconds where that is a clock.
#[derive(Clone, Debug, Serialize)]
struct JsonMargin {
    kind: &'static str,
    bound: Option<u64>,
    worst: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst_s: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonOpinion {
    engine: String,
    verdict: &'static str,
    agrees: bool,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_fault: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonNotice {
    code: &'static str,
    severity: &'static str,
    message: String,
    place: Option<String>,
    help: String,
    more: usize,
    steps: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonSummary {
    as_expected: usize,
    not_as_expected: usize,
    vacuous: usize,
    unknown: usize,
}

/// The report as JSON, with the exit code the host ends with.
#[must_use]
pub fn json(report: &Report, sources: &Sources, exit: u8) -> JsonReport {
    let number =
        |wanted: Option<bool>| report.claims.iter().filter(|claim| claim.as_expected() == wanted).count();
    JsonReport {
        schema: SCHEMA,
        motet: env!("CARGO_PKG_VERSION"),
        command: report.command.clone(),
        model: JsonModel {
            path: report.head.path.clone(),
            language: report.head.language.clone(),
            sha256: report.head.sha256.clone(),
            parameters: report.head.parameters.iter().cloned().collect(),
            unit: unit_word(report.unit),
        },
        coverage: report.texts.as_ref().map(JsonCoverage::from),
        symmetry: report.symmetry.clone(),
        exploration: report.coverage.as_ref().map(|coverage| exploration(coverage, report)),
        numbers_over: report.over.and_then(Over::words),
        reductions: report.reductions.iter().map(JsonReduction::from).collect(),
        claims: report.claims.iter().map(|one| claim(one, report)).collect(),
        notices: report.notices.iter().map(notice).collect(),
        diagnostics: diagnostics(&report.problems, sources),
        errors: report.internal.iter().chain(&report.engine_failures).cloned().collect(),
        summary: JsonSummary {
            as_expected: number(Some(true)),
            not_as_expected: number(Some(false)),
            vacuous: report.n_vacuous(),
            unknown: number(None),
        },
        exit,
    }
}

/// The report as text: over several lines for people and files, or on one line as the last event of a stream.
#[must_use]
pub fn json_text(report: &JsonReport) -> String {
    let text = serde_json::to_string_pretty(report).expect("a report of texts and numbers can be written");
    format!("{text}\n")
}

/// The report as the last event of a stream.
#[must_use]
pub fn report_event(report: &JsonReport) -> String {
    #[derive(Serialize)]
    struct Event<'a> {
        event: &'static str,
        #[serde(flatten)]
        report: &'a JsonReport,
    }
    line(&Event { event: "report", report })
}

/// Progress as an event of a stream.
#[must_use]
pub fn progress_event(progress: &Progress) -> String {
    #[derive(Serialize)]
    struct Event<'a> {
        event: &'static str,
        phase: &'a str,
        states: u64,
        rate: u64,
        frontier: u64,
        depth: u64,
        bytes: u64,
        seconds: f64,
    }
    line(&Event {
        event: "progress",
        phase: &progress.phase,
        states: progress.states,
        rate: progress.rate,
        frontier: progress.open.last().copied().unwrap_or(0),
        depth: progress.depth,
        bytes: progress.bytes,
        seconds: progress.seconds,
    })
}

fn line(event: &impl Serialize) -> String {
    let text = serde_json::to_string(event).expect("an event of texts and numbers can be written");
    format!("{text}\n")
}

fn exploration(coverage: &Coverage, report: &Report) -> JsonExploration {
    JsonExploration {
        states: coverage.states,
        transitions: coverage.transitions,
        complete: coverage.complete && report.narrowed.is_empty(),
        depth: coverage.depth,
        open: coverage.open,
        seconds: coverage.seconds,
        explored_seconds: coverage.explored_seconds,
        peak_bytes: coverage.peak_bytes,
        spilled_bytes: report.spilled.as_ref().map(|spilled| spilled.bytes),
        limit: report.stop.as_ref().map(limit_word),
        narrowed: report.narrowed.clone(),
    }
}

fn claim(claim: &ClaimReport, report: &Report) -> JsonClaim {
    let tale = claim.tale.as_ref();
    let chronicle = tale.and_then(|tale| tale.chronicle.as_ref());
    let limit = match &claim.outcome.verdict {
        Verdict::Unknown(stop) => Some(stop),
        _ => None,
    };
    let why: Vec<String> =
        tale.map_or(&[][..], |tale| &tale.whys).iter().map(|why| why.lines.join(" ")).collect();
    JsonClaim {
        name: claim.name.clone(),
        kind: kind_word(claim.kind),
        source: claim.place.as_ref().map(|place| JsonPlace {
            file: place.file.clone(),
            line: place.line,
            column: place.column,
        }),
        words: claim.words.clone(),
        text: claim.text.clone(),
        formula: claim.formula.clone(),
        english: claim.english.clone(),
        expected: expected(claim),
        verdict: claim.verdict(),
        as_expected: claim.as_expected(),
        vacuous: claim.vacuous(),
        idle: claim.idle.iter().map(JsonIdle::from).collect(),
        limit: limit.map(limit_word).or((!claim.narrowed.is_empty()).then_some("options")),
        limit_detail: match limit {
            Some(Stop::Bound(text) | Stop::Unsupported(text) | Stop::Engine(text) | Stop::Hashed(text)) => {
                Some(text.clone())
            }
            _ => (!claim.narrowed.is_empty()).then(|| claim.narrowed.join(", ")),
        },
        value: value(claim),
        chain: tale.map(|tale| tale.critical.clone()).unwrap_or_default(),
        margin: claim.outcome.margin.map(|found| margin(found, report.unit)),
        deadline: chronicle.and_then(|chronicle| chronicle.deadline.clone()),
        engine: claim.engine.clone(),
        seconds: claim.outcome.coverage.seconds,
        trace: claim.trace.clone(),
        steps: tale.map(|tale| tale.beats.len()),
        end: chronicle.map(|chronicle| chronicle.end),
        lasso_start: tale.and_then(|tale| tale.loop_start),
        branches: tale.map(branches).unwrap_or_default(),
        causes: tale.map(json_causes).unwrap_or_default(),
        why: (!why.is_empty()).then(|| why.join("; ")),
        only_if_fair_to: claim.starved.clone(),
        only_in_order: claim.orders.clone(),
        second_opinion: claim.second.as_ref().map(|second| JsonOpinion {
            engine: second.engine.clone(),
            verdict: crate::claims::report::verdict_word(claim.kind, &second.verdict),
            agrees: claim.agreed(),
            seconds: second.seconds,
            known_fault: second.known_fault.clone(),
        }),
    }
}

/// The number of a query, and the number that a threshold was compared with.
fn value(claim: &ClaimReport) -> Option<JsonValue> {
    let quantity = claim.outcome.quantity.as_ref();
    let (low, high) = match (&claim.outcome.verdict, quantity) {
        (Verdict::Value { low, high }, _) => (*low, *high),
        (_, Some(quantity)) => (quantity.low, quantity.high),
        (_, None) => return None,
    };
    let chance = claim.chance.as_ref();
    let strategy = quantity.and_then(|quantity| quantity.strategy.as_ref()).map(|strategy| JsonStrategy {
        memory: match strategy.memory {
            Memory::None => "none",
            Memory::StepsLeft => "steps left",
            Memory::TimeLeft => "time left",
            Memory::Progress => "progress",
        },
        decisions: strategy.decisions.len(),
        choices: chance.map_or(&[][..], |chance| &chance.choices).iter().map(choice).collect(),
        file: claim.strategy.clone(),
        unfair: chance.and_then(|chance| chance.unfair.as_ref()).map(|unfair| JsonUnfair {
            never_gets_a_turn: unfair.whom.clone(),
            value: match unfair.attained {
                Attained::WithTurns => "with a memory of turns",
                Attained::InTheLimit => "in the limit",
            },
        }),
    });
    let ways = chance.map_or(&[][..], |chance| &chance.ways).iter();
    let values = chance.map_or(&[][..], |chance| &chance.values).iter();
    Some(JsonValue {
        value: (low.is_finite() && high.is_finite()).then_some(low + (high - low) / 2.0),
        lower: low,
        upper: high,
        exact: quantity.and_then(|quantity| quantity.exact.clone()),
        method: quantity.map(|quantity| method_word(&quantity.method)),
        sweeps: quantity.and_then(|quantity| match quantity.method {
            Method::Iteration(sweeps) | Method::Steps(sweeps) => Some(sweeps),
            Method::Graph | Method::Elimination | Method::Exact => None,
        }),
        infinite: low.is_infinite(),
        missed: quantity.and_then(|quantity| quantity.infinite.as_ref()).map(|infinite| infinite.missed),
        strategy,
        left_out: claim.left_out.clone(),
        ways: ways.map(|way| JsonWay { chance: way.chance, steps: way.steps.clone() }).collect(),
        situations: values
            .map(|value| JsonSituation {
                situation: value.situation.clone(),
                lower: value.low,
                upper: value.high,
            })
            .collect(),
    })
}

fn choice(tally: &ChoiceTally) -> JsonChoice {
    JsonChoice {
        options: tally.options.clone(),
        situations: tally.situations,
        chosen: tally.chosen.iter().cloned().collect(),
    }
}

fn method_word(method: &Method) -> &'static str {
    match method {
        Method::Graph => "graph",
        Method::Iteration(_) => "interval iteration",
        Method::Steps(_) => "steps backwards",
        Method::Elimination => "elimination",
        Method::Exact => "exact",
    }
}

fn margin(margin: Margin, unit: TimeUnit) -> JsonMargin {
    JsonMargin {
        kind: measure_word(margin.measure),
        bound: margin.bound,
        worst: margin.worst,
        bound_s: margin.bound.and_then(|bound| in_seconds(bound, unit)),
        worst_s: margin.worst.and_then(|worst| in_seconds(worst, unit)),
    }
}

fn notice(report: &NoticeReport) -> JsonNotice {
    JsonNotice {
        code: report.notice.code,
        severity: severity_word(report.notice.severity),
        message: report.notice.message.clone(),
        place: report.place.clone(),
        help: report.notice.help.clone(),
        more: report.more,
        steps: report.tale.as_ref().map(|tale| tale.beats.len()),
    }
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Property => "property",
        Kind::Possible => "possible",
        Kind::Query => "query",
        Kind::Assume => "assume",
    }
}

fn expected(claim: &ClaimReport) -> String {
    match (&claim.expect, claim.kind) {
        (Expect::Holds, Kind::Possible) => "reachable".to_string(),
        (Expect::Fails, Kind::Possible) => "unreachable".to_string(),
        (Expect::Holds, _) => "holds".to_string(),
        (Expect::Fails, _) => "fails".to_string(),
        (Expect::Value(low, high), _) => {
            let end = |text: &Option<String>| text.clone().unwrap_or_default();
            format!("value in [{}, {}]", end(low), end(high))
        }
        (Expect::Time(..), _) => format!("time {}", crate::claims::claim::expected_text(&claim.expect)),
        (Expect::Nothing, _) => "value".to_string(),
    }
}

fn limit_word(stop: &Stop) -> &'static str {
    match stop {
        Stop::Bound(_) => "bound",
        other => stop_word(other),
    }
}
