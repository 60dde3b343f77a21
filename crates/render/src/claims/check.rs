//! The report of a check as text: a head, a line per claim, stories where something is to be told, one last line.

use motet_evidence::{Coverage, Stop, Verdict};
use motet_property::Expect;
use motet_source::Sources;

use crate::claims::claim::{Columns, is_capacity, lines, stop_word, tells_story, told};
use crate::claims::coverage::coverage_text;
use crate::claims::report::{ClaimReport, Help, NoticeReport, Report, Spilled};
use crate::problems::problem::problems;
use crate::runs::chart::story;
use crate::typesetting::number::{bytes, count, grouped, seconds, short};
use crate::typesetting::page::{Detail, Extent, Tone, View, pad, plain};

/// Notices shown unless the reader wants all of them.
const LIMIT_NOTICES: usize = 5;

/// The whole report.
#[must_use]
pub fn check(report: &Report, sources: &Sources, view: &View) -> String {
    if report.problems.has_errors() {
        return problems(&report.problems, sources, view);
    }
    let mut page = String::new();
    if view.detail != Detail::Quiet {
        page.push_str(&head(report, view));
        page.push('\n');
    }
    page.push_str(&claims(report, view));
    page.push_str(&stopped(report));
    page.push_str(&notices(report, view));
    page.extend(report.texts.as_ref().map(|texts| coverage_text(texts, view)));
    if view.detail != Detail::Quiet {
        page.push_str(&warnings(report, sources, view));
    }
    for failure in report.engine_failures.iter().chain(&report.internal) {
        page.push_str(&format!("  {}\n", plain(failure)));
    }
    if view.detail != Detail::Quiet {
        page.extend(report.reductions.iter().map(|reduction| format!("  {}\n", plain(&reduction.line()))));
    }
    page.push_str(&last_line(report, view));
    page.push('\n');
    view.finish(page)
}

/// `auction/ · AgentSpeak(F) · 3 agents · auction.props`.
fn head(report: &Report, view: &View) -> String {
    let mut parts = vec![report.head.path.clone(), report.head.language.clone()];
    parts.extend(report.head.facts.iter().cloned());
    parts.extend(report.numbers_over());
    parts.extend(report.head.parameters.iter().map(|(name, value)| format!("{name} = {value}")));
    parts.extend(report.head.claims_files.iter().cloned());
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}\n", view.paint(Tone::Strong, &plain(&parts.join(" · "))))
}

fn claims(report: &Report, view: &View) -> String {
    let columns = Columns::of(report, view);
    let mut page = String::new();
    for claim in &report.claims {
        let fine = claim.as_expected() == Some(true) && !claim.vacuous() && !claim.disputed();
        if view.detail == Detail::Quiet && fine {
            continue;
        }
        page.push_str(&lines(claim, report, &columns, view));
        if tells_story(claim, view) {
            page.push_str(&told(claim, view));
            page.push('\n');
        }
    }
    let expected = |claim: &&ClaimReport| {
        claim.as_expected() == Some(true)
            && claim.verdict() == "fails"
            && claim.tale.is_some()
            && !tells_story(claim, view)
    };
    let names: Vec<&str> = report.claims.iter().filter(expected).map(|claim| claim.name.as_str()).collect();
    if !names.is_empty() && view.detail == Detail::Normal {
        page.push_str(&format!(
            "\n  {}  motet check {} -p {}   shows the run behind an expected failure\n",
            view.paint(Tone::Strong, "Next"),
            plain(&report.head.path),
            names[0]
        ));
    }
    if !page.is_empty() && !page.ends_with("\n\n") {
        page.push('\n');
    }
    page
}

/// What a limit left undone; nothing when the search was complete.
fn stopped(report: &Report) -> String {
    let (Some(coverage), Some(stop)) = (&report.coverage, &report.stop) else { return String::new() };
    let at = match stop {
        Stop::Memory => format!("Stopped at {}", bytes(coverage.peak_bytes)),
        Stop::Time => "Stopped by the time limit".to_string(),
        Stop::States => "Stopped by the limit on states".to_string(),
        Stop::Depth => "Stopped by the limit on depth".to_string(),
        Stop::Interrupted => "Interrupted".to_string(),
        Stop::Bound(message) => format!("Stopped: {}", plain(message)),
        Stop::Hashed(_) => "Searched by hashes".to_string(),
        other => format!("Stopped: {}", stop_word(other)),
    };
    let mut page = format!(
        "  {at} after {}: {} states seen, {} open, depth {}.\n",
        seconds(coverage.seconds),
        grouped(coverage.states),
        grouped(coverage.open),
        grouped(coverage.depth)
    );
    page.push_str("  What is not marked as failed was not violated in what was seen. This is not a proof.\n");
    if !report.helps.is_empty() {
        page.push_str(&helps(report));
        return page;
    }
    let help = match stop {
        Stop::Memory => "give it more with --mem, or bind a smaller parameter with -D",
        Stop::Time => "give it more with --time, or bind a smaller parameter with -D",
        Stop::States => "raise --states, or leave it out",
        Stop::Depth => "raise --depth, or leave it out",
        Stop::Hashed(_) => "only --store exact proves that a claim holds",
        Stop::Bound(message) if !is_capacity(message) => "repair the model there",
        Stop::Bound(_) => {
            "raise the bound with --bound NAME=N, or repair the model if the growth is not meant"
        }
        _ => "",
    };
    if !help.is_empty() {
        page.push_str(&format!("  Help: {help}\n"));
    }
    page.push('\n');
    page
}

/// What would help, in columns.
fn helps(report: &Report) -> String {
    let width = |part: fn(&Help) -> &str| {
        report.helps.iter().map(|help| part(help).chars().count()).max().unwrap_or(0)
    };
    let (first, second) = (width(|help| &help.option), width(|help| &help.why));
    let mut page = "\n  What would help, most effective first\n".to_owned();
    for help in &report.helps {
        let (option, why) = (pad(&help.option, first), pad(&plain(&help.why), second));
        let line = format!("    {option}   {why}   {}", help.effect);
        page.push_str(&format!("{}\n", line.trim_end()));
    }
    page.push('\n');
    page
}

fn notices(report: &Report, view: &View) -> String {
    // Who asked for slices wants to know what they are.
    let sliced = report.claims.iter().any(|claim| !claim.left_out.is_empty());
    let mut remarks =
        if sliced || view.detail == Detail::Verbose { report.remarks.clone() } else { Vec::new() };
    remarks.extend(report.spilled.iter().map(Spilled::line));
    remarks.extend(report.symmetry.iter().flat_map(crate::claims::symmetry::SymmetryReport::lines));
    if report.notices.is_empty() && remarks.is_empty() {
        return String::new();
    }
    if view.detail == Detail::Quiet {
        return String::new();
    }
    let mut page = String::new();
    let limit = if view.detail == Detail::Verbose { usize::MAX } else { LIMIT_NOTICES };
    for notice in report.notices.iter().take(limit) {
        page.push_str(&notice_line(notice, view));
        if let (Some(tale), true) =
            (&notice.tale, view.detail == Detail::Verbose || view.extent == Extent::Full)
        {
            page.push_str(&format!("\n{}\n", story(tale, "Shortest run", view)));
        }
    }
    if let Some(first) = report.notices.first() {
        let more = match report.notices.len().saturating_sub(limit) {
            0 => String::new(),
            more => format!("{more} more, -v shows them; "),
        };
        page.push_str(&format!("  {more}motet explain {} says what it means\n", first.notice.code));
    }
    page.extend(remarks.iter().map(|remark| format!("  {}\n", plain(remark))));
    page.push('\n');
    page
}

fn notice_line(report: &NoticeReport, view: &View) -> String {
    let severity = match report.notice.severity {
        motet_source::Severity::Error => "error",
        motet_source::Severity::Warning => "notice",
        motet_source::Severity::Hint => "hint",
    };
    let place = report.place.as_ref().map(|place| format!("{place} ")).unwrap_or_default();
    let more = if report.more > 0 { format!(", and {} like it", report.more) } else { String::new() };
    let line = format!("  {severity}[{}] {place}{}", report.notice.code, plain(&report.notice.message));
    let line = match view.detail {
        Detail::Verbose => line,
        _ => view.fit(&line, view.width.saturating_sub(more.chars().count())),
    };
    format!("{}\n", view.paint(Tone::Care, &format!("{line}{more}")))
}

/// Warnings of the texts, one line each; `-v` shows their excerpts.
fn warnings(report: &Report, sources: &Sources, view: &View) -> String {
    if report.problems.is_empty() {
        return String::new();
    }
    if view.detail == Detail::Verbose {
        return format!("{}\n", problems(&report.problems, sources, view));
    }
    let mut page = String::new();
    for problem in &report.problems {
        let place = sources.locate(problem.span);
        let line = format!("  warning[{}] {place}: {}", problem.code, plain(&problem.message));
        let line = view.fit(&line, view.width);
        page.push_str(&format!("{}\n", view.paint(Tone::Care, &line)));
    }
    format!("{page}  -v shows the texts\n\n")
}

/// How many claims are as expected, and whether the search was complete.
fn last_line(report: &Report, view: &View) -> String {
    let total = report.claims.len();
    let number =
        |wanted: Option<bool>| report.claims.iter().filter(|claim| claim.as_expected() == wanted).count();
    let narrowed = report.claims.iter().filter(|claim| !claim.narrowed.is_empty()).count();
    let (good, bad, unknown) = (number(Some(true)), number(Some(false)), number(None) - narrowed);
    // Numbers of which nobody expects anything.
    let plain_value = |claim: &&ClaimReport| {
        claim.expect == Expect::Nothing && !matches!(claim.outcome.verdict, Verdict::Unknown(_))
    };
    let values = report.claims.iter().filter(plain_value).count();
    let truths = report.claims.iter().any(|claim| claim.outcome.quantity.is_none());
    let mut claims = Vec::new();
    if total == 0 {
        claims.push("no claims".to_string());
    } else if bad + unknown + narrowed == 0 && values == total {
        claims.push(count(values, "value"));
    } else if bad + unknown + narrowed == 0 {
        claims.push(format!("{} of {} as expected", good - values, total - values));
        if values > 0 {
            claims.push(count(values, "value"));
        }
    } else {
        if bad > 0 {
            claims.push(format!("{bad} of {total} not as expected"));
        }
        if unknown > 0 {
            claims.push(format!("{unknown} of {total} unknown"));
        }
        if narrowed > 0 {
            claims.push(format!("{narrowed} of {total} on the runs looked at only"));
        }
        if good > 0 {
            claims.push(format!("{good} as expected"));
        }
    }
    match report.n_vacuous() {
        0 if good == total && total > 0 && truths => claims.push("none vacuous".to_string()),
        0 => {}
        n_vacuous => claims.push(format!("{n_vacuous} vacuous")),
    }
    let tone = if bad > 0 {
        Tone::Bad
    } else if unknown + narrowed > 0 {
        Tone::Care
    } else {
        Tone::Good
    };
    let mut line = view.paint(tone, &claims.join(", "));
    if let Some(coverage) = &report.coverage {
        line.push_str(&format!(" · {}", covered(coverage, &report.narrowed, solving(report))));
    } else if let Some(claim) = report.claims.first() {
        let seconds_all = report.claims.iter().map(|claim| claim.outcome.coverage.seconds).sum();
        let extent = extent(unknown == 0, &report.narrowed);
        line.push_str(&format!(" · {extent}, as {} says · {}", claim.engine, seconds(seconds_all)));
    }
    line
}

/// The time that went into numbers; `None` where no claim is about one.
fn solving(report: &Report) -> Option<f64> {
    let about = |claim: &&ClaimReport| claim.outcome.quantity.is_some();
    let claims: Vec<f64> =
        report.claims.iter().filter(about).map(|claim| claim.outcome.coverage.seconds).collect();
    (!claims.is_empty()).then(|| claims.iter().sum())
}

/// Whether everything was looked at, and which options left something out.
fn extent(complete: bool, narrowed: &[String]) -> String {
    match (complete, narrowed) {
        (true, []) => "complete".to_owned(),
        (false, []) => "NOT complete".to_owned(),
        (_, options) => format!("NOT complete, {}", left_out(options)),
    }
}

/// `ties=first leaves runs out`; where everything is drawn every run is there, and nobody chooses.
#[must_use]
pub fn left_out(options: &[String]) -> String {
    let what = if options.iter().all(|option| option.ends_with("=random")) { "choices" } else { "runs" };
    let verb = if options.len() > 1 { "leave" } else { "leaves" };
    format!("{} {verb} {what} out", options.join(" and "))
}

fn covered(coverage: &Coverage, narrowed: &[String], solving: Option<f64>) -> String {
    let extent = extent(coverage.complete, narrowed);
    let mut text = format!("{extent}: {} states", grouped(coverage.states));
    if let Some(solving) = solving {
        if coverage.choices > coverage.states {
            text.push_str(&format!(" · {} choices", grouped(coverage.choices)));
        }
        let building = (coverage.seconds - solving).max(0.0);
        text.push_str(&format!(" · build {}, solve {}", seconds(building), seconds(solving)));
    } else {
        text.push_str(&format!(" · {}", seconds(coverage.seconds)));
    }
    if coverage.seconds >= 0.1 && solving.is_none() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "three digits are shown"
        )]
        let rate = (coverage.states as f64 / coverage.seconds) as u64;
        text.push_str(&format!(" ({}/s)", short(rate)));
    }
    if coverage.peak_bytes > 0 {
        text.push_str(&format!(" · {}", bytes(coverage.peak_bytes)));
    }
    text
}

/// `3 errors, nothing was checked`.
pub(crate) fn broken(n_errors: usize) -> String {
    format!("{}, nothing was checked", count(n_errors, "error"))
}
