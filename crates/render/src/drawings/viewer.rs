//! A run as one page for a browser: a lane per agent and object along the clock, in the manner of the AgentViewer, with a
//! cursor, the beliefs at that moment, and the claim's atoms and deadline. The page loads nothing: texts, style and
//! script are inside it.

use crate::claims::claim::note;
use crate::claims::report::{ClaimReport, Report};
use crate::drawings::net::album_page_with;
use crate::runs::chronicle::Chronicle;
use crate::runs::tree::{appended, link, standing};
use crate::typesetting::page::marked_up as escaped;

/// What stands above the chart.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// `M4`, `home_helper.b`.
    pub title: String,
    /// `late by 27 min`; may be empty.
    pub verdict: String,
    /// The claim in English; may be empty.
    pub claim: String,
    /// Why it came so, line by line.
    pub why: Vec<String>,
    /// How the run came about: the model, the command that repeats it; may be empty.
    pub about: String,
}

const PAGE: &str = include_str!("viewer/viewer.html");
const STYLE: &str = include_str!("viewer/viewer.css");

/// The parts of the script, in order: the first two are pure functions.
pub(crate) const SCRIPTS: [&str; 5] = [
    include_str!("viewer/time.js"),
    include_str!("viewer/run.js"),
    include_str!("viewer/draw.js"),
    include_str!("viewer/panel.js"),
    include_str!("viewer/main.js"),
];

impl From<&Cover> for Cover {
    fn from(cover: &Cover) -> Self {
        cover.clone()
    }
}

impl From<&str> for Cover {
    fn from(title: &str) -> Self {
        Self { title: title.to_string(), ..Self::default() }
    }
}

impl From<&String> for Cover {
    fn from(title: &String) -> Self {
        Self::from(title.as_str())
    }
}

/// The page of a claim's run and of its branches; `None` when it has none, or the model has neither a clock nor nets and the
/// run has no branches.
#[must_use]
pub fn claim_page(claim: &ClaimReport, report: &Report) -> Option<String> {
    let tale = claim.tale.as_ref()?;
    let note = note(claim, report);
    if let Some(album) = &tale.album {
        let heading =
            format!("{} {}", claim.name, if note.is_empty() { claim.verdict() } else { note.as_str() });
        let about = [claim.english.clone(), about(report)].join(" · ");
        return Some(album_page_with(album, &heading, &about, (&link(tale), &appended(tale))));
    }
    let cover = Cover {
        title: claim.name.clone(),
        verdict: if note.is_empty() { claim.verdict().to_string() } else { note },
        claim: claim.english.clone(),
        why: tale.whys.iter().flat_map(|why| why.lines.clone()).collect(),
        about: about(report),
    };
    match &tale.chronicle {
        Some(chronicle) => Some(page(chronicle, &cover, (&link(tale), &appended(tale)))),
        None if tale.branches.is_empty() => None,
        None => {
            let heading = format!("{} {}", cover.title, cover.verdict);
            Some(standing(tale, &heading, &cover_lines(&cover)))
        }
    }
}

/// The model, its language, and which strategies numbers are over where somebody chooses.
fn about(report: &Report) -> String {
    let head = [report.head.path.clone(), report.head.language.clone()];
    head.into_iter().chain(report.numbers_over()).collect::<Vec<_>>().join(" · ")
}

/// The page; the cover may be a plain title. It stands for itself: it can be saved, sent and opened without a network.
#[must_use]
pub fn html_page(chronicle: &Chronicle, cover: impl Into<Cover>) -> String {
    page(chronicle, &cover.into(), ("", ""))
}

/// The page, with more in its head and below the chart.
fn page(chronicle: &Chronicle, cover: &Cover, (head, below): (&str, &str)) -> String {
    let mut heading = escaped(&cover.title);
    if !cover.verdict.is_empty() {
        let missed = chronicle.deadline.as_ref().is_some_and(|deadline| deadline.missed);
        let tone = if missed { " class=\"missed\"" } else { "" };
        heading.push_str(&format!(" <span{tone}>{}</span>", escaped(&cover.verdict)));
    }
    let fill = |name: &str| match name {
        "TITLE" => escaped(&format!("{} {}", cover.title, cover.verdict)),
        "STYLE" => STYLE.to_string(),
        "HEADING" => heading.clone(),
        "COVER" => format!("{}{head}", cover_lines(cover)),
        "BELOW" => below.to_string(),
        "DATA" => data(chronicle),
        "SCRIPT" => SCRIPTS.concat(),
        other => unreachable!("the page has no place called {other}; this is a bug in the tool"),
    };
    filled(PAGE, &fill)
}

/// What stands below the heading.
fn cover_lines(cover: &Cover) -> String {
    let mut lines = String::new();
    if !cover.claim.is_empty() {
        lines.push_str(&format!("<p>{}</p>\n", escaped(&cover.claim)));
    }
    for line in &cover.why {
        lines.push_str(&format!("<p><b>Why</b> {}</p>\n", escaped(line)));
    }
    if !cover.about.is_empty() {
        lines.push_str(&format!("<p class=\"quiet\">{}</p>\n", escaped(&cover.about)));
    }
    lines
}

/// The page with `{{NAME}}` replaced, in one pass: what is filled in is not looked at again.
pub(crate) fn filled(page: &str, fill: &dyn Fn(&str) -> String) -> String {
    let mut parts = page.split("{{");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once("}}") {
            Some((name, rest)) => {
                out.push_str(&fill(name));
                out.push_str(rest);
            }
            None => out.push_str(part),
        }
    }
    out
}

/// The chronicle as JSON inside a script element: no text of the user's can end the element.
fn data(chronicle: &Chronicle) -> String {
    let text = serde_json::to_string(chronicle).expect("a chronicle of texts and numbers can be written");
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            other => out.push(other),
        }
    }
    out
}
