//! Random runs as JSON: many counted, schema `motet.simulation/1`, or one step by step, schema `motet.walk/1`. Fields are only
//! ever added.

use serde::Serialize;

use crate::numbers::simulation::{Simulation, interval};
use crate::numbers::statistics::{ActivityTally, CostTally, Delays, LaneTally};
use crate::runs::chronicle::Chronicle;
use crate::runs::game::Offer;
use crate::runs::tale::Tale;
use crate::typesetting::duration::unit_word;
use crate::typesetting::page::{Spacing, document};

/// Many runs as programs read them.
#[derive(Serialize)]
pub(crate) struct Counted<'a> {
    runs: u64,
    steps: u64,
    stuck: u64,
    exceeded: u64,
    seconds: f64,
    unit: &'static str,
    time: Option<u64>,
    claims: Vec<CountedClaim<'a>>,
    notices: Vec<CountedNotice<'a>>,
    lanes: &'a [LaneTally],
    activities: &'a [ActivityTally],
    costs: &'a [CostTally],
    again: &'a str,
}

#[derive(Serialize)]
struct CountedClaim<'a> {
    name: &'a str,
    violated: u64,
    satisfied: u64,
    open: u64,
    /// Wilson's interval, at 95 %, for the share of runs that violate it.
    interval: [f64; 2],
    first: Option<u64>,
    delays: Option<Delays>,
}

#[derive(Serialize)]
struct CountedNotice<'a> {
    text: &'a str,
    runs: u64,
}

impl<'a> Counted<'a> {
    pub(crate) fn of(simulation: &'a Simulation) -> Self {
        let claim = |claim: &'a crate::numbers::simulation::ClaimTally| {
            let (low, high) = interval(claim.violated, simulation.runs);
            CountedClaim {
                name: &claim.name,
                violated: claim.violated,
                satisfied: claim.satisfied,
                open: simulation.runs.saturating_sub(claim.violated + claim.satisfied),
                interval: [low, high],
                first: claim.first,
                delays: claim.delays,
            }
        };
        let notices = simulation.notices.iter().map(|(text, runs)| CountedNotice { text, runs: *runs });
        Self {
            runs: simulation.runs,
            steps: simulation.steps,
            stuck: simulation.stuck,
            exceeded: simulation.exceeded,
            seconds: simulation.seconds,
            unit: unit_word(simulation.unit),
            time: simulation.time,
            claims: simulation.claims.iter().map(claim).collect(),
            notices: notices.collect(),
            lanes: &simulation.lanes,
            activities: &simulation.activities,
            costs: &simulation.costs,
            again: &simulation.again,
        }
    }
}

/// Many runs, counted.
#[must_use]
pub fn simulation_json(simulation: &Simulation, spacing: Spacing) -> String {
    #[derive(Serialize)]
    struct Page<'a> {
        schema: &'static str,
        #[serde(flatten)]
        counted: Counted<'a>,
    }
    document(&Page { schema: "motet.simulation/1", counted: Counted::of(simulation) }, spacing)
}

/// One run, and what it says.
pub struct WalkReport<'a> {
    /// The path of the model.
    pub model: &'a str,
    /// The run.
    pub tale: &'a Tale,
    /// The claims that it decides: name, whether it violates the claim, after how many steps.
    pub decided: Vec<(&'a str, bool, usize)>,
    /// How it ended: `enough`, `deadlock`, `fault`.
    pub end: &'static str,
    /// What a bound or the model's text made impossible.
    pub fault: Option<String>,
    /// What can be taken at its end, for a run that somebody chooses.
    pub offers: Option<&'a [Offer]>,
    /// The file in which it is saved.
    pub trace: Option<String>,
    /// Wall time.
    pub seconds: f64,
    /// The command that repeats it.
    pub again: String,
}

#[derive(Serialize)]
struct Walk<'a> {
    schema: &'static str,
    model: &'a str,
    processes: &'a [String],
    steps: Vec<Step<'a>>,
    claims: Vec<Decided<'a>>,
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chronicle: Option<&'a Chronicle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offers: Option<Vec<Offered<'a>>>,
    trace: Option<&'a str>,
    seconds: f64,
    again: &'a str,
}

#[derive(Serialize)]
struct Step<'a> {
    step: usize,
    who: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    /// When it ends, in the model's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a str>,
}

#[derive(Serialize)]
struct Decided<'a> {
    name: &'a str,
    verdict: &'static str,
    after: usize,
}

#[derive(Serialize)]
struct Offered<'a> {
    number: usize,
    who: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a str>,
    bindings: &'a [String],
}

/// One run as JSON, whatever the model and the options are.
#[must_use]
pub fn walk_json(report: &WalkReport<'_>, spacing: Spacing) -> String {
    let tale = report.tale;
    let name = |process: usize| tale.processes.get(process).map_or("", String::as_str);
    let steps = tale.beats.iter().enumerate().map(|(at, beat)| Step {
        step: at + 1,
        who: name(beat.process),
        text: &beat.text,
        to: beat.to.as_ref().map(|(to, _)| name(*to)),
        message: beat.to.as_ref().map(|(_, label)| label.as_str()),
        time: tale.time(at),
        origin: beat.origin.as_deref(),
    });
    let offers = report.offers.map(|offers| {
        (1..)
            .zip(offers)
            .map(|(number, offer)| Offered {
                number,
                who: &offer.who,
                text: &offer.text,
                to: offer.to.as_ref().map(|(to, _)| to.as_str()),
                bindings: &offer.bindings,
            })
            .collect()
    });
    let verdict = |violated: bool| if violated { "violated" } else { "satisfied" };
    let walk = Walk {
        schema: "motet.walk/1",
        model: report.model,
        processes: &tale.processes,
        steps: steps.collect(),
        claims: report
            .decided
            .iter()
            .map(|(name, violated, after)| Decided { name, verdict: verdict(*violated), after: *after })
            .collect(),
        end: report.end,
        fault: report.fault.as_deref(),
        chronicle: tale.chronicle.as_ref(),
        offers,
        trace: report.trace.as_deref(),
        seconds: report.seconds,
        again: &report.again,
    };
    document(&walk, spacing)
}
