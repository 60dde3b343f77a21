//! Why a frame fires or does not fire at some moment of a run: `explain --frame`.

use motet_model::{Account, TimeUnit};
use motet_source::Sources;

use crate::typesetting::duration::instant;
use crate::typesetting::number::count;
use crate::typesetting::page::{Extent, Letters, Tone, View, plain, wrap};

/// Times at which a frame began that are listed unless the reader wants all.
const LIMIT_TIMES: usize = 6;

/// What is known of a frame at one moment of a run.
#[derive(Clone, Debug)]
pub struct FrameReport {
    /// The frame as the user wrote it: `wf_attendBob`.
    pub frame: String,
    /// The moment, in the model's unit from the start of the run.
    pub time: u64,
    /// The model's unit.
    pub unit: TimeUnit,
    /// The names of the model's processes.
    pub processes: Vec<String>,
    /// One per process that has the frame, in the situation of that moment.
    pub accounts: Vec<Account>,
    /// Per account, when the frame began in the run; see [`crate::Chronicle::begins`].
    pub began: Vec<Vec<u64>>,
}

/// The frame's accounts as text: a heading per agent, its status, its conditions with marks and present values.
#[must_use]
pub fn frame_report(report: &FrameReport, sources: &Sources, view: &View) -> String {
    let title = format!("{} at {}", plain(&report.frame), instant(report.time, report.unit));
    let mut page = format!("{}\n", view.paint(Tone::Strong, &title));
    if report.accounts.is_empty() {
        page.push_str("\n  nobody has a frame of this name; motet vocab lists the names\n");
    }
    for (at, account) in report.accounts.iter().enumerate() {
        page.push_str(&agent(report, account, sources, view));
        page.push_str(&conditions(account, view));
        let began = report.began.get(at).map_or(&[][..], Vec::as_slice);
        page.push_str(&format!("    {}\n", view.paint(Tone::Quiet, &beginnings(began, report.unit, view))));
    }
    view.finish(page)
}

fn agent(report: &FrameReport, account: &Account, sources: &Sources, view: &View) -> String {
    let name = report.processes.get(account.process.index()).map_or("", String::as_str);
    let mut heading = view.paint(Tone::Strong, &plain(name));
    if let Some(span) = account.origin {
        let place = format!("{}:{}", sources.file(span.file).path, sources.place(span).line);
        heading.push_str(&format!("  {}", view.paint(Tone::Quiet, &place)));
    }
    let tone = if account.active { Tone::Good } else { Tone::Care };
    let status: Vec<String> = wrap(&plain(&account.status), view.width.saturating_sub(4))
        .iter()
        .map(|line| format!("    {}\n", view.paint(tone, line)))
        .collect();
    format!("\n  {heading}\n{}", status.concat())
}

fn conditions(account: &Account, view: &View) -> String {
    let ascii = view.letters == Letters::Ascii;
    let mut page = String::new();
    for line in &account.lines {
        let (mark, tone) = match line.met {
            Some(true) if ascii => ("yes", Tone::Good),
            Some(false) if ascii => ("NO ", Tone::Bad),
            None if ascii => ("   ", Tone::Quiet),
            Some(true) => ("✓", Tone::Good),
            Some(false) => ("✗", Tone::Bad),
            None => (" ", Tone::Quiet),
        };
        let indent = 5 + mark.chars().count();
        for (i, text) in wrap(&plain(&line.text), view.width.saturating_sub(indent)).iter().enumerate() {
            let lead = if i == 0 { format!("    {} ", view.paint(tone, mark)) } else { " ".repeat(indent) };
            page.push_str(&format!("{lead}{text}\n"));
        }
    }
    page
}

/// `begins in this run at 03:00:00`.
fn beginnings(began: &[u64], unit: TimeUnit, view: &View) -> String {
    if began.is_empty() {
        return "never begins in this run".to_string();
    }
    let limit = if view.extent == Extent::Full { usize::MAX } else { LIMIT_TIMES };
    let times: Vec<String> = began.iter().take(limit).map(|time| instant(*time, unit)).collect();
    let more = match began.len().saturating_sub(limit) {
        0 => String::new(),
        more => format!(" and {}", count(more, "more time")),
    };
    format!("begins in this run at {}{more}", times.join(", "))
}
