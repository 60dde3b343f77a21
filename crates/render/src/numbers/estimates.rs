//! Numbers estimated from random runs, as a table.

use serde::Serialize;

use crate::numbers::simulation::Simulation;
use crate::numbers::simulation_json::Counted;
use crate::numbers::value::value_text;
use crate::typesetting::number::{count, grouped, seconds};
use crate::typesetting::page::{Spacing, Tone, View, document, pad, plain, wrap};

/// Estimates from random runs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Estimates {
    /// How many runs.
    pub runs: u64,
    /// Steps of each at most.
    pub steps: u64,
    /// How many threads shared the work.
    pub threads: usize,
    /// Wall time.
    pub seconds: f64,
    /// How sure the intervals are.
    pub confidence: f64,
    /// Whether steps were drawn at random where a decision is asked for.
    pub chose: bool,
    /// Whether a strategy was played; what it leaves open was drawn.
    pub played: bool,
    /// Why there are so many runs, where nobody asked for a number of them.
    pub reason: Option<String>,
    /// One per claim.
    pub claims: Vec<EstimateReport>,
    /// The command that repeats it.
    pub again: String,
}

/// What the runs say about one claim.
#[derive(Clone, Debug, Serialize)]
pub struct EstimateReport {
    /// The claim.
    pub name: String,
    /// In English.
    pub english: String,
    /// The answer.
    pub answer: EstimateAnswer,
    /// Runs that were too short to tell.
    pub open: u64,
}

/// What the runs say.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EstimateAnswer {
    /// A probability: runs that satisfy the formula, and the ends of the interval.
    Share {
        /// Runs that satisfy the formula.
        hits: u64,
        /// Of how many runs.
        runs: u64,
        /// Not less.
        low: f64,
        /// Not more.
        high: f64,
    },
    /// A mean, and half the width of its interval.
    Mean {
        /// The mean.
        mean: f64,
        /// How far the interval reaches to both sides.
        spread: f64,
        /// Over how many runs.
        runs: u64,
    },
    /// Some runs never reach the goal: the expectation is infinite.
    Infinite {
        /// How many of the runs.
        missed: u64,
        /// Of how many.
        runs: u64,
    },
    /// A threshold was tested until one side won.
    Test {
        /// Whether the claim is accepted; `None` when the runs were not enough.
        holds: Option<bool>,
        /// Whether that is what its author expects.
        as_expected: Option<bool>,
        /// How many runs the test needed.
        runs: u64,
        /// How near to the threshold it does not tell apart.
        margin: f64,
    },
    /// Random runs cannot say anything about it.
    None {
        /// Why.
        why: String,
    },
}

/// The table of estimates.
#[must_use]
pub fn estimates(estimates: &Estimates, view: &View) -> String {
    let runs = count(usize::try_from(estimates.runs).unwrap_or(usize::MAX), "run");
    let threads = count(estimates.threads, "thread");
    let mut page = format!(
        "{runs} · at most {} steps each · {} · {threads}\n",
        grouped(estimates.steps),
        seconds(estimates.seconds)
    );
    if let Some(reason) = &estimates.reason {
        page.push_str(&format!("  {reason}\n"));
    }
    page.push('\n');
    let percent = value_text(estimates.confidence * 100.0, estimates.confidence * 100.0);
    let name = estimates.claims.iter().map(|claim| claim.name.chars().count()).max().unwrap_or(0).max(5);
    page.push_str(&format!("  {}  estimate    {percent} % interval\n", pad("claim", name)));
    for claim in &estimates.claims {
        let (estimate, interval, note) = row(&claim.answer);
        let line = format!(
            "  {}  {}  {}  {note}",
            pad(&plain(&claim.name), name),
            pad(&estimate, 10),
            pad(&interval, 22)
        );
        page.push_str(&format!("{}\n", line.trim_end()));
        if claim.open > 0 {
            let indent = " ".repeat(name + 4);
            let open = grouped(claim.open);
            let text = format!(
                "{open} of {} were still open after {} steps: the interval allows for both answers; --steps makes them longer",
                runs,
                grouped(estimates.steps)
            );
            for line in wrap(&text, view.width.saturating_sub(indent.len())) {
                page.push_str(&format!("{indent}{}\n", view.paint(Tone::Care, &line)));
            }
        }
    }
    page.push('\n');
    if estimates.chose && estimates.played {
        page.push_str("the strategy was played; where it says nothing, choices were drawn at random\n");
    } else if estimates.chose {
        page.push_str(
            "choices were drawn at random (who moves, then what): these numbers are about random choices, and no bound\n\
             for the best or the worst ones; motet check has those\n",
        );
    }
    page.push_str("estimates, not proofs\n");
    page.push_str(&format!("Again: {}\n", estimates.again));
    view.finish(page)
}

/// The estimate, its interval, and how they were found.
fn row(answer: &EstimateAnswer) -> (String, String, String) {
    match answer {
        EstimateAnswer::Share { hits, runs, low, high } => {
            #[expect(clippy::cast_precision_loss, reason = "six digits are shown")]
            let share = *hits as f64 / (*runs).max(1) as f64;
            let interval = format!("[{low:.6}, {high:.6}]");
            let note = format!("{} of {} runs · Clopper-Pearson", grouped(*hits), grouped(*runs));
            (value_text(share, share), interval, note)
        }
        EstimateAnswer::Mean { mean, spread, runs } => {
            let interval = format!("[{}, {}]", end(mean - spread), end(mean + spread));
            (value_text(*mean, *mean), interval, format!("mean of {} runs · Student", grouped(*runs)))
        }
        EstimateAnswer::Infinite { missed, runs } => {
            let note = format!("{} of {} runs can never reach the goal", grouped(*missed), grouped(*runs));
            ("infinite".to_string(), String::new(), note)
        }
        EstimateAnswer::Test { holds, runs, margin, .. } => {
            let (word, note) = match holds {
                Some(true) => ("holds", "decided after"),
                Some(false) => ("fails", "decided after"),
                None => ("undecided", "not decided by"),
            };
            let margin = value_text(*margin, *margin);
            let runs = grouped(*runs);
            (
                word.to_string(),
                String::new(),
                format!("{note} {runs} runs · sequential test, within {margin} of the threshold"),
            )
        }
        EstimateAnswer::None { why } => ("-".to_string(), String::new(), plain(why)),
    }
}

fn end(value: f64) -> String {
    value_text(value, value)
}

/// The estimates as JSON, schema `motet.estimates/1`. `counted` are the claims that were counted on random runs beside.
#[must_use]
pub fn estimates_json(estimates: &Estimates, counted: Option<&Simulation>, spacing: Spacing) -> String {
    #[derive(Serialize)]
    struct Page<'a> {
        schema: &'static str,
        #[serde(flatten)]
        estimates: &'a Estimates,
        #[serde(skip_serializing_if = "Option::is_none")]
        counted: Option<Counted<'a>>,
    }
    let page = Page { schema: "motet.estimates/1", estimates, counted: counted.map(Counted::of) };
    document(&page, spacing)
}
