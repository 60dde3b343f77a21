//! The verdicts of claims over the values of a parameter: as a table, as CSV, as JSON.

use motet_evidence::Margin;
use motet_model::TimeUnit;
use serde::Serialize;

use crate::deadline::measure_word;
use crate::duration::{duration, in_seconds, unit_word};
use crate::number::{count, seconds};
use crate::page::{Letters, Tone, View, pad, plain};
use crate::strategy::csv_field;

/// The answers over the values of one parameter.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// The parameter: `CareWorker.otherDuties`.
    pub parameter: String,
    /// What margins count.
    pub unit: TimeUnit,
    /// One per value, in order.
    pub points: Vec<SweepPoint>,
    /// Wall time of all points.
    pub seconds: f64,
}

/// The answers for one value.
#[derive(Clone, Debug, Default)]
pub struct SweepPoint {
    /// As the user writes it: `120min`, `3`.
    pub value: String,
    /// One per claim, in the same order at every point.
    pub claims: Vec<SweepAnswer>,
}

/// The answer to one claim for one value.
#[derive(Clone, Debug)]
pub struct SweepAnswer {
    /// The claim.
    pub name: String,
    /// `holds fails reachable unreachable value unknown`.
    pub verdict: String,
    /// Whether that was expected; `None` when nobody knows.
    pub as_expected: Option<bool>,
    /// The worst case, for claims about time.
    pub margin: Option<Margin>,
    /// The number between its ends, for claims about chance and rewards.
    pub quantity: Option<(f64, f64)>,
}

/// The table: a column per value, a row per claim with its marks, a row for its margin, a line where it flips.
#[must_use]
pub fn sweep(sweep: &Sweep, view: &View) -> String {
    let Some(first) = sweep.points.first() else { return view.finish("no points\n".to_string()) };
    let (values, suffix) = common_suffix(sweep);
    let rows: Vec<(String, Vec<String>, String)> =
        (0..first.claims.len()).flat_map(|claim| claim_rows(sweep, claim, view)).collect();
    let parameter = plain(sweep.parameter.rsplit('.').next().unwrap_or(&sweep.parameter));
    let names = rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    let names = names.max(parameter.chars().count()).min(32);
    let cells = rows.iter().flat_map(|(_, cells, _)| cells).chain(&values);
    let cell = cells.map(|text| text.chars().count()).max().unwrap_or(1) + 2;
    let tails = rows.iter().map(|(.., tail)| tail.chars().count()).max().unwrap_or(0).max(suffix.len());
    let per_line = (view.width.saturating_sub(names + tails + 6) / cell).max(1);
    let mut page = String::new();
    for from in (0..values.len()).step_by(per_line) {
        let to = (from + per_line).min(values.len());
        let line = |name: &str, cells: &[String], tail: &str| {
            let cells: String = cells[from..to].iter().map(|text| format!("{text:>cell$}")).collect();
            format!("  {}{cells}  {tail}", pad(&view.fit(name, names), names)).trim_end().to_string()
        };
        page.push_str(&format!("{}\n", view.paint(Tone::Strong, &line(&parameter, &values, &suffix))));
        for (name, cells, tail) in &rows {
            page.push_str(&format!("{}\n", line(name, cells, tail)));
        }
        if to < values.len() {
            page.push('\n');
        }
    }
    for claim in 0..first.claims.len() {
        page.push_str(&flips(sweep, claim, &values, &suffix));
    }
    page.push_str(&format!("{} · {}\n", count(sweep.points.len(), "point"), seconds(sweep.seconds)));
    view.finish(page)
}

/// The row of a claim and, for claims about time, the row of its margins.
fn claim_rows(sweep: &Sweep, claim: usize, view: &View) -> Vec<(String, Vec<String>, String)> {
    let answers: Vec<Option<&SweepAnswer>> =
        sweep.points.iter().map(|point| point.claims.get(claim)).collect();
    let name = answers.iter().flatten().next().map_or(String::new(), |answer| plain(&answer.name));
    let mark = |answer: &Option<&SweepAnswer>| {
        let (sign, word) = match answer.and_then(|answer| answer.as_expected) {
            Some(true) => ("✓", "ok"),
            Some(false) => ("✗", "FAIL"),
            None => ("?", "?"),
        };
        if view.letters == Letters::Ascii { word } else { sign }.to_string()
    };
    let mut rows = vec![(name, answers.iter().map(mark).collect(), String::new())];
    let margins: Vec<Option<Margin>> = answers.iter().map(|answer| answer.and_then(|a| a.margin)).collect();
    let bounded = |margin: &Option<Margin>| margin.is_some_and(|margin| margin.bound.is_some());
    if margins.iter().any(bounded) {
        let (scale, unit) = margin_scale(&margins, sweep.unit);
        let cells = margins.iter().map(|margin| slack_text(*margin, scale)).collect();
        rows.push(("  margin".to_string(), cells, unit.to_string()));
    }
    rows
}

/// The time left between the worst case and the bound; negative when it is missed. `None` where there is no bound, or
/// no time is enough.
fn slack(margin: Margin) -> Option<i128> {
    Some(i128::from(margin.bound?) - i128::from(margin.worst?))
}

/// The largest unit in which all margins are whole.
fn margin_scale(margins: &[Option<Margin>], unit: TimeUnit) -> (i128, &'static str) {
    if unit != TimeUnit::Milliseconds {
        return (1, unit_word(unit));
    }
    let whole =
        |scale: i128| margins.iter().flatten().filter_map(|m| slack(*m)).all(|left| left % scale == 0);
    [(3_600_000, "h"), (60_000, "min"), (1_000, "s")]
        .into_iter()
        .find(|(scale, _)| whole(*scale))
        .unwrap_or((1, "ms"))
}

fn slack_text(margin: Option<Margin>, scale: i128) -> String {
    match margin {
        None => String::new(),
        Some(margin) if margin.worst.is_none() => "never".to_string(),
        Some(margin) => slack(margin).map(|left| format!("{:+}", left / scale)).unwrap_or_default(),
    }
}

/// `flips between 120 and 135 min · refine: --bisect 1min`, for every change of the verdict.
fn flips(sweep: &Sweep, claim: usize, values: &[String], suffix: &str) -> String {
    let mut page = String::new();
    for (at, pair) in sweep.points.windows(2).enumerate() {
        let (Some(one), Some(two)) = (pair[0].claims.get(claim), pair[1].claims.get(claim)) else { continue };
        if one.verdict == two.verdict {
            continue;
        }
        let (low, high) = (&values[at], &values[at + 1]);
        let unit = if suffix.is_empty() { String::new() } else { format!(" {suffix}") };
        let apart = low.parse::<i64>().ok().zip(high.parse::<i64>().ok()).map(|(a, b)| a.abs_diff(b));
        let refine = match apart {
            Some(apart) if apart > 1 => format!(" · refine: --bisect 1{suffix}"),
            _ => String::new(),
        };
        let name = plain(&one.name);
        page.push_str(&format!("  {name} flips between {low} and {high}{unit}{refine}\n"));
    }
    page
}

/// The values without the unit that all of them end with.
fn common_suffix(sweep: &Sweep) -> (Vec<String>, String) {
    let values: Vec<String> = sweep.points.iter().map(|point| plain(point.value.trim())).collect();
    let split = |value: &str| {
        let at = value.find(|letter: char| letter.is_alphabetic()).unwrap_or(value.len());
        (value[..at].trim().to_string(), value[at..].to_string())
    };
    let suffix = split(&values[0]).1;
    let numeric = |value: &String| {
        let (number, unit) = split(value);
        unit == suffix && number.parse::<f64>().is_ok()
    };
    if values.iter().all(numeric) {
        (values.iter().map(|value| split(value).0).collect(), suffix)
    } else {
        (values, String::new())
    }
}

/// One row per value and claim, in the form of RFC 4180.
#[must_use]
pub fn sweep_csv(sweep: &Sweep) -> String {
    let mut page =
        String::from("parameter,value,claim,verdict,as_expected,measure,bound,worst,margin,unit\r\n");
    for point in &sweep.points {
        for answer in &point.claims {
            let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
            let fields = [
                sweep.parameter.clone(),
                point.value.clone(),
                answer.name.clone(),
                answer.verdict.clone(),
                answer.as_expected.map(|expected| expected.to_string()).unwrap_or_default(),
                answer.margin.map(|margin| measure_word(margin.measure).to_string()).unwrap_or_default(),
                number(answer.margin.and_then(|margin| margin.bound)),
                number(answer.margin.and_then(|margin| margin.worst)),
                answer.margin.and_then(slack).map(|left| left.to_string()).unwrap_or_default(),
                unit_word(sweep.unit).to_string(),
            ];
            page.push_str(&fields.map(|field| csv_field(&field)).join(","));
            page.push_str("\r\n");
        }
    }
    page
}

/// The sweep as JSON, schema `motet.sweep/1`.
#[must_use]
pub fn sweep_json(sweep: &Sweep) -> String {
    #[derive(Serialize)]
    struct Page<'a> {
        schema: &'static str,
        parameter: &'a str,
        unit: &'static str,
        seconds: f64,
        points: Vec<Point<'a>>,
    }
    #[derive(Serialize)]
    struct Point<'a> {
        value: &'a str,
        claims: Vec<Answer<'a>>,
    }
    #[derive(Serialize)]
    struct Answer<'a> {
        name: &'a str,
        verdict: &'a str,
        as_expected: Option<bool>,
        margin: Option<Slack>,
    }
    #[derive(Serialize)]
    struct Slack {
        kind: &'static str,
        bound: Option<u64>,
        worst: Option<u64>,
        left: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        bound_s: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        worst_s: Option<f64>,
        text: String,
    }
    let margin = |margin: Margin| Slack {
        kind: measure_word(margin.measure),
        bound: margin.bound,
        worst: margin.worst,
        left: slack(margin).and_then(|left| i64::try_from(left).ok()),
        bound_s: margin.bound.and_then(|bound| in_seconds(bound, sweep.unit)),
        worst_s: margin.worst.and_then(|worst| in_seconds(worst, sweep.unit)),
        text: margin.worst.map_or("never".to_string(), |worst| duration(worst, sweep.unit)),
    };
    let answer = |answer: &'_ SweepAnswer| answer.margin.map(margin);
    let point = |point: &'_ SweepPoint| point.claims.iter().map(answer).collect::<Vec<_>>();
    let points = sweep.points.iter().map(|one| Point {
        value: &one.value,
        claims: one
            .claims
            .iter()
            .zip(point(one))
            .map(|(answer, margin)| Answer {
                name: &answer.name,
                verdict: &answer.verdict,
                as_expected: answer.as_expected,
                margin,
            })
            .collect(),
    });
    let page = Page {
        schema: "motet.sweep/1",
        parameter: &sweep.parameter,
        unit: unit_word(sweep.unit),
        seconds: sweep.seconds,
        points: points.collect(),
    };
    let text = serde_json::to_string_pretty(&page).expect("a sweep of texts and numbers can be written");
    format!("{text}\n")
}
