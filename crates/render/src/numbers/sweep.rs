//! The verdicts of claims over the values of a parameter: as a table, as CSV, as JSON.

use motet_evidence::{Margin, Over};
use motet_model::TimeUnit;
use serde::Serialize;

use crate::drawings::plot::{Curve, plot};
use crate::drawings::svg::{Line, svg};
use crate::numbers::strategy::csv_field;
use crate::numbers::value::value_text;
use crate::runs::deadline::measure_word;
use crate::typesetting::duration::{duration, in_seconds, unit_word};
use crate::typesetting::number::{count, seconds};
use crate::typesetting::page::{Letters, Tone, View, pad, pad_left, plain};

/// A table of numbers with more columns than this shows a few of them, and a curve.
const LIMIT_COLUMNS: usize = 8;
/// The columns that it shows then.
const CHOSEN_COLUMNS: usize = 6;

/// Reasons why a claim is unknown that are told.
const LIMIT_REASONS: usize = 3;

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
    /// How often the model was built; 0 when nobody counted.
    pub builds: usize,
    /// The value of a second parameter, where this is one of a family.
    pub second: Option<(String, String)>,
    /// Which strategies the numbers are over, if there are any.
    pub over: Option<Over>,
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
    /// Its formula as written.
    pub text: String,
    /// `holds fails reachable unreachable value unknown`.
    pub verdict: String,
    /// Whether that was expected; `None` when nobody knows.
    pub as_expected: Option<bool>,
    /// The worst case, for claims about time.
    pub margin: Option<Margin>,
    /// The number between its ends, for claims about chance and rewards.
    pub quantity: Option<(f64, f64)>,
    /// Why nobody knows.
    pub reason: Option<String>,
}

impl SweepAnswer {
    /// The time that a question asks for, in the model's unit; the inner `None` is infinite.
    fn time(&self) -> Option<Option<u64>> {
        self.margin.filter(|_| self.verdict == "value").map(|margin| margin.worst)
    }
}

/// The table: a column per value, a row per claim with its marks, a row for its margin, a line where it flips.
#[must_use]
pub fn sweep(sweep: &Sweep, view: &View) -> String {
    if sweep.points.is_empty() {
        return view.finish("no points\n".to_string());
    }
    let mut page = String::new();
    if let Some((name, value)) = &sweep.second {
        page.push_str(&format!("{}\n", view.paint(Tone::Strong, &plain(&format!("{name} = {value}")))));
    }
    page.push_str(&plots(sweep, view));
    let shown = if is_all_numbers(sweep) { chosen(sweep) } else { sweep.clone() };
    page.push_str(&table(&shown, view));
    let (values, suffix) = common_suffix(sweep);
    for claim in 0..sweep.points[0].claims.len() {
        page.push_str(&flips(sweep, claim, &values, &suffix));
        page.push_str(&reasons(sweep, claim, &values, &suffix));
    }
    let builds = match sweep.builds {
        0 => String::new(),
        1 => format!(" · one build, {}", count(sweep.points.len(), "solve")),
        builds => format!(" · {}", count(builds, "build")),
    };
    let over = over(sweep).map_or(String::new(), |words| format!(" · numbers over {words}"));
    let points = count(sweep.points.len(), "point");
    page.push_str(&format!("{points} · {}{builds}{over}\n", seconds(sweep.seconds)));
    view.finish(page)
}

/// Which strategies the numbers are over, in words, where somebody chooses.
fn over(sweep: &Sweep) -> Option<&'static str> {
    sweep.over.and_then(Over::words)
}

/// Whether every claim asks for a number.
fn is_all_numbers(sweep: &Sweep) -> bool {
    sweep.points.iter().flat_map(|point| &point.claims).all(|answer| answer.verdict == "value")
}

/// A few points of many, both ends among them.
fn chosen(sweep: &Sweep) -> Sweep {
    let n_points = sweep.points.len();
    if n_points <= LIMIT_COLUMNS {
        return sweep.clone();
    }
    let number = |column: usize| column * (n_points - 1) / (CHOSEN_COLUMNS - 1);
    let points = (0..CHOSEN_COLUMNS).map(|column| sweep.points[number(column)].clone()).collect();
    Sweep { points, ..sweep.clone() }
}

/// A curve for each claim about a number, where there are enough points for one.
fn plots(sweep: &Sweep, view: &View) -> String {
    let mut page = String::new();
    if sweep.points.len() <= LIMIT_COLUMNS {
        return page;
    }
    for claim in 0..sweep.points[0].claims.len() {
        let Some(points) = curve(sweep, claim) else { continue };
        let title = &sweep.points[0].claims[claim];
        let name = if title.name == "formula" { String::new() } else { format!("{}  ", title.name) };
        let unit = match time_scale(sweep, claim).1 {
            "" => String::new(),
            unit => format!("  [{unit}]"),
        };
        let title = plain(&format!("{name}{}{unit}", title.text));
        page.push_str(&format!("  {}\n", view.fit(&title, view.width)));
        let points = points.iter().map(|(x, low, high)| (*x, low + (high - low) / 2.0)).collect();
        page.push_str(&plot(&Curve { points, axis: &plain(&sweep.parameter) }, view));
        page.push('\n');
    }
    page
}

/// The points of a claim's curve; `None` where the claim has no numbers or the parameter is no number.
fn curve(sweep: &Sweep, claim: usize) -> Option<Vec<(f64, f64, f64)>> {
    let (values, _) = common_suffix(sweep);
    let (scale, _) = time_scale(sweep, claim);
    let mut points = Vec::new();
    for (value, point) in values.iter().zip(&sweep.points) {
        let answer = point.claims.get(claim)?;
        #[expect(clippy::cast_precision_loss, reason = "a curve is drawn with few digits")]
        let time = |time: Option<u64>| time.map_or(f64::INFINITY, |time| time as f64 / scale);
        let time = answer.time().map(time).map(|time| (time, time));
        let (low, high) = time.or(answer.quantity)?;
        points.push((value.parse::<f64>().ok()?, low, high));
    }
    points.sort_by(|left, right| left.0.total_cmp(&right.0));
    Some(points)
}

/// What a curve of times is drawn in: how much of the model's unit that is, and its name; nothing for other numbers.
fn time_scale(sweep: &Sweep, claim: usize) -> (f64, &'static str) {
    let answers = || sweep.points.iter().filter_map(|point| point.claims.get(claim));
    if !answers().any(|answer| answer.time().is_some()) {
        return (1.0, "");
    }
    if sweep.unit != TimeUnit::Milliseconds {
        return (1.0, unit_word(sweep.unit));
    }
    match answers().filter_map(|answer| answer.time()?).max().unwrap_or(0) {
        0..120_000 => (1e3, "s"),
        120_000..7_200_000 => (6e4, "min"),
        _ => (36e5, "h"),
    }
}

/// The curves of all claims about numbers as one picture; a family of sweeps has a curve for each of its members.
#[must_use]
pub fn sweep_svg(sweeps: &[Sweep]) -> Option<String> {
    let first = sweeps.first().filter(|sweep| !sweep.points.is_empty())?;
    let mut lines = Vec::new();
    for sweep in sweeps.iter().filter(|sweep| !sweep.points.is_empty()) {
        for (claim, answer) in sweep.points[0].claims.iter().enumerate() {
            let Some(points) = curve(sweep, claim) else { continue };
            let mut name = answer.name.clone();
            if let Some((second, value)) = &sweep.second {
                name = format!("{name}, {second} = {value}");
            }
            let (_, unit) = time_scale(sweep, claim);
            if !unit.is_empty() {
                name = format!("{name} [{unit}]");
            }
            lines.push(Line { name, points });
        }
    }
    let titles: Vec<&str> = first.points[0].claims.iter().map(|answer| answer.text.as_str()).collect();
    let title = if let [title] = titles.as_slice() { Some((*title).to_string()) } else { None };
    let over = sweeps.iter().find_map(over).map(|words| format!("numbers over {words}"));
    let title = title.into_iter().chain(over).collect::<Vec<_>>().join(" · ");
    (!lines.is_empty()).then(|| svg(&title, &first.parameter, &lines))
}

fn table(sweep: &Sweep, view: &View) -> String {
    let Some(first) = sweep.points.first() else { return String::new() };
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
            let cells: String = cells[from..to].iter().map(|text| pad_left(text, cell)).collect();
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
    page
}

/// The row of a claim and, for claims about time, the row of its margins.
fn claim_rows(sweep: &Sweep, claim: usize, view: &View) -> Vec<(String, Vec<String>, String)> {
    let answers: Vec<Option<&SweepAnswer>> =
        sweep.points.iter().map(|point| point.claims.get(claim)).collect();
    let name = answers.iter().flatten().next().map_or(String::new(), |answer| row_name(answer));
    let number = |answer: &Option<&SweepAnswer>| {
        let time = answer.and_then(|answer| answer.time());
        let time = time.map(|time| time.map_or("inf".to_string(), |time| duration(time, sweep.unit)));
        let told = || answer.and_then(|answer| answer.quantity).map(|(low, high)| short_value(low, high));
        time.or_else(told).unwrap_or_default()
    };
    let numbers: Vec<String> = answers.iter().map(number).collect();
    if answers.iter().flatten().all(|answer| answer.verdict == "value" && answer.as_expected == Some(true)) {
        return vec![(name, numbers, String::new())];
    }
    let mark = |answer: &Option<&SweepAnswer>| {
        let (sign, word) = match answer.and_then(|answer| answer.as_expected) {
            Some(true) => ("✓", "ok"),
            Some(false) => ("✗", "FAIL"),
            None => ("?", "?"),
        };
        if view.letters == Letters::Ascii { word } else { sign }.to_string()
    };
    let mut rows = vec![(name, answers.iter().map(mark).collect(), String::new())];
    if numbers.iter().any(|number| !number.is_empty()) {
        rows.push(("  value".to_string(), numbers, String::new()));
    }
    let margins: Vec<Option<Margin>> = answers.iter().map(|answer| answer.and_then(|a| a.margin)).collect();
    let bounded = |margin: &Option<Margin>| margin.is_some_and(|margin| margin.bound.is_some());
    if margins.iter().any(bounded) {
        let (scale, unit) = margin_scale(&margins, sweep.unit);
        let cells = margins.iter().map(|margin| slack_text(*margin, scale)).collect();
        rows.push(("  margin".to_string(), cells, unit.to_string()));
    }
    rows
}

/// The claim's name; a formula of the command line has none, and goes by its operator: `Pmax`.
fn row_name(answer: &SweepAnswer) -> String {
    let operator = answer.text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("");
    match answer.name.as_str() {
        "formula" if answer.time().is_some() => format!("{} time", plain(operator)),
        "formula" if answer.quantity.is_some() && !operator.is_empty() => plain(operator),
        name => plain(name),
    }
}

/// Four digits at most: a table of many values is for comparing them.
fn short_value(low: f64, high: f64) -> String {
    let middle = low + (high - low) / 2.0;
    if !middle.is_finite() {
        return "inf".to_string();
    }
    value_text(middle - middle.abs() * 5e-5, middle + middle.abs() * 5e-5)
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

/// `T2 is unknown for all values: ...`, a line for each reason.
fn reasons(sweep: &Sweep, claim: usize, values: &[String], suffix: &str) -> String {
    let mut told: Vec<(&str, Vec<usize>)> = Vec::new();
    for (at, point) in sweep.points.iter().enumerate() {
        let Some(reason) = point.claims.get(claim).and_then(|answer| answer.reason.as_deref()) else {
            continue;
        };
        match told.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, points)) => points.push(at),
            None => told.push((reason, vec![at])),
        }
    }
    let name = plain(&sweep.points[0].claims[claim].name);
    let unit = if suffix.is_empty() { String::new() } else { format!(" {suffix}") };
    let mut page = String::new();
    for (reason, points) in told.iter().take(LIMIT_REASONS) {
        let place = match points.as_slice() {
            points if points.len() == values.len() => "all values".to_string(),
            [at] => format!("{}{unit}", values[*at]),
            points => format!("{} of {} values", points.len(), values.len()),
        };
        page.push_str(&format!("  {name} is unknown for {place}: {}\n", plain(reason)));
    }
    if told.len() > LIMIT_REASONS {
        let more = told.len() - LIMIT_REASONS;
        page.push_str(&format!("  {name}: {more} more reasons · the CSV file has all\n"));
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

/// One row per value and claim, in the form of RFC 4180; a family has its second parameter in columns of its own.
#[must_use]
pub fn sweep_csv(sweeps: &[Sweep]) -> String {
    let family = sweeps.iter().any(|sweep| sweep.second.is_some());
    let mut page = String::from(
        "parameter,value,claim,verdict,as_expected,measure,bound,worst,margin,unit,lower,upper,reason",
    );
    page.push_str(if family { ",second_parameter,second_value" } else { "" });
    let over_several = sweeps.iter().any(|sweep| over(sweep).is_some());
    page.push_str(if over_several { ",numbers_over\r\n" } else { "\r\n" });
    for sweep in sweeps {
        for point in &sweep.points {
            for answer in &point.claims {
                let mut fields = csv_row(sweep, point, answer);
                if let Some((name, value)) = &sweep.second {
                    fields.extend([name.clone(), value.clone()]);
                }
                if over_several {
                    fields.push(over(sweep).unwrap_or_default().to_string());
                }
                let fields: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
                page.push_str(&fields.join(","));
                page.push_str("\r\n");
            }
        }
    }
    page
}

fn csv_row(sweep: &Sweep, point: &SweepPoint, answer: &SweepAnswer) -> Vec<String> {
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let end = |end: Option<f64>| end.map(|end| end.to_string()).unwrap_or_default();
    vec![
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
        end(answer.quantity.map(|(low, _)| low)),
        end(answer.quantity.map(|(_, high)| high)),
        answer.reason.clone().unwrap_or_default(),
    ]
}

/// A sweep as JSON, schema `motet.sweep/1`; a family is a list of them under `family`.
#[must_use]
pub fn sweep_json(sweeps: &[Sweep]) -> String {
    let pages: Vec<Page<'_>> = sweeps.iter().map(page).collect();
    let text = match pages.as_slice() {
        [one] if one.second.is_none() => serde_json::to_string_pretty(one),
        many => {
            let family = serde_json::json!({ "schema": SCHEMA, "family": many });
            serde_json::to_string_pretty(&family)
        }
    };
    format!("{}\n", text.expect("a sweep of texts and numbers can be written"))
}

/// The version of the form.
const SCHEMA: &str = "motet.sweep/1";

#[derive(Serialize)]
struct Page<'a> {
    schema: &'static str,
    parameter: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<Second<'a>>,
    unit: &'static str,
    seconds: f64,
    builds: usize,
    /// Which strategies the numbers are over, where somebody chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers_over: Option<&'static str>,
    points: Vec<Point<'a>>,
}

#[derive(Serialize)]
struct Second<'a> {
    parameter: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct Point<'a> {
    value: &'a str,
    claims: Vec<Answer<'a>>,
}

#[derive(Serialize)]
struct Answer<'a> {
    name: &'a str,
    text: &'a str,
    verdict: &'a str,
    as_expected: Option<bool>,
    margin: Option<Slack>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

/// Numbers that are infinite are null.
#[derive(Serialize)]
struct Value {
    lower: f64,
    upper: f64,
    infinite: bool,
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

fn page(sweep: &Sweep) -> Page<'_> {
    let margin = |margin: Margin| Slack {
        kind: measure_word(margin.measure),
        bound: margin.bound,
        worst: margin.worst,
        left: slack(margin).and_then(|left| i64::try_from(left).ok()),
        bound_s: margin.bound.and_then(|bound| in_seconds(bound, sweep.unit)),
        worst_s: margin.worst.and_then(|worst| in_seconds(worst, sweep.unit)),
        text: margin.worst.map_or("never".to_string(), |worst| duration(worst, sweep.unit)),
    };
    let mut points = Vec::new();
    for point in &sweep.points {
        let answers = point.claims.iter().map(|answer| Answer {
            name: &answer.name,
            text: &answer.text,
            verdict: &answer.verdict,
            as_expected: answer.as_expected,
            margin: answer.margin.map(margin),
            value: answer.quantity.map(|(lower, upper)| Value {
                lower,
                upper,
                infinite: lower.is_infinite(),
            }),
            reason: answer.reason.as_deref(),
        });
        points.push(Point { value: &point.value, claims: answers.collect() });
    }
    Page {
        schema: SCHEMA,
        parameter: &sweep.parameter,
        second: sweep.second.as_ref().map(|(parameter, value)| Second { parameter, value }),
        unit: unit_word(sweep.unit),
        seconds: sweep.seconds,
        builds: sweep.builds,
        numbers_over: over(sweep),
        points,
    }
}
