//! A tree as nested parts of a page that fold, without scripts. Two situations that somebody cannot tell apart stand side by
//! side, with what is the same to them in between.

use motet_model::Mind;

use super::text::{groups, mentions, moments, sorted, timed, total, twin};
use super::{BranchTale, Difference, Elsewhere, ShownTale};
use crate::drawings::viewer::filled;
use crate::runs::chart::length;
use crate::runs::events::{NOTABLE, rows};
use crate::runs::tale::{End, Tale};
use crate::typesetting::duration::instant;
use crate::typesetting::page::marked_up as escaped;

/// The style of everything in here; it takes the colours of a page that has some.
const STYLE: &str = include_str!("tree.css");
const PAGE: &str = include_str!("tree.html");

/// Rows of one run; of a longer one the last are shown.
const LIMIT_ROWS: usize = 60;
/// Branches of a page; a larger tree is cut.
const LIMIT_BRANCHES: usize = 200;
/// Items of a mind that are seen at first.
const LIMIT_ITEMS: usize = 8;
/// Branches open at first.
const LIMIT_OPEN: usize = 4;

/// The branches of a tale as foldable parts; nothing for a single run.
fn folded(tale: &Tale) -> String {
    if tale.branches.is_empty() {
        return String::new();
    }
    let mut fold = Fold { page: String::new(), told: 0 };
    fold.branches(tale, "1");
    let left = total(tale) - fold.told;
    if left > 0 {
        fold.page.push_str(&format!("<p class=\"quiet\">{left} more branches are not drawn</p>\n"));
    }
    format!(
        "<section class=\"tree\" id=\"branches\">\n<h2>What the run alone does not show</h2>\n{}</section>\n",
        fold.page
    )
}

/// The same with its style, for a page that draws the main run.
pub(crate) fn appended(tale: &Tale) -> String {
    let tree = folded(tale);
    if tree.is_empty() { tree } else { format!("<style>\n{STYLE}</style>\n{tree}") }
}

/// A line for the head of such a page that leads there; nothing for a single run.
pub(crate) fn link(tale: &Tale) -> String {
    match tale.branches.len() {
        0 => String::new(),
        _ => {
            "<p><a href=\"#branches\">What the run alone does not show</a> stands below it</p>\n".to_string()
        }
    }
}

/// A page of a tree whose main run has no picture of its own.
pub(crate) fn standing(tale: &Tale, heading: &str, cover: &str) -> String {
    let run = format!(
        "<section class=\"tree\">\n<h2>1 <span>the run: {}</span></h2>\n{}</section>\n",
        escaped(&length(tale)),
        steps(tale, 0..tale.beats.len())
    );
    let fill = |name: &str| match name {
        "TITLE" => escaped(heading),
        "STYLE" => STYLE.to_string(),
        "COVER" => cover.to_string(),
        "TREE" => format!("{run}{}", folded(tale)),
        other => unreachable!("the page has no place called {other}; this is a bug in the tool"),
    };
    filled(PAGE, &fill)
}

struct Fold {
    page: String,
    told: usize,
}

impl Fold {
    fn branches(&mut self, tale: &Tale, number: &str) {
        for (number, group) in groups(tale, number) {
            if self.told >= LIMIT_BRANCHES {
                return;
            }
            self.told += group.len();
            self.group(tale, group, &number);
        }
    }

    fn group(&mut self, tale: &Tale, group: &[BranchTale], number: &str) {
        let branch = &group[0];
        let tone = if branch.truth { "so" } else { "not-so" };
        let summary = format!(
            "<b>{number}</b> <span class=\"when\">{},</span> {}: <span class=\"because\">{}</span>",
            escaped(&moments(tale, group)),
            escaped(&branch.said),
            escaped(&branch.because)
        );
        if branch.shown == ShownTale::Search {
            self.page.push_str(&format!("<p class=\"branch {tone}\">{summary}</p>\n"));
            return;
        }
        let open = if self.told <= LIMIT_OPEN { " open" } else { "" };
        self.page
            .push_str(&format!("<details class=\"branch {tone}\"{open}>\n<summary>{summary}</summary>\n"));
        self.page.push_str("<div class=\"inside\">\n");
        self.page.push_str(&format!("<p class=\"formula\">{}</p>\n", escaped(&branch.formula)));
        match &branch.shown {
            ShownTale::Search => {}
            ShownTale::Onward(run) => {
                self.page.push_str(&format!("<h3>It goes on: {}</h3>\n", escaped(&timed(run))));
                self.page.push_str(&steps(run, run.from..run.beats.len()));
                self.branches(run, number);
            }
            _ if let Some(twin) = twin(tale, branch, number) => {
                self.told += branch.tale().map_or(0, total);
                self.page.push_str(&format!("<p>the same as {twin} shows it</p>\n"));
            }
            ShownTale::Elsewhere(elsewhere) => {
                self.page.push_str(&beside(tale, (branch.at, &branch.formula), elsewhere));
                self.branches(&elsewhere.tale, number);
            }
        }
        self.page.push_str("</div>\n</details>\n");
    }
}

/// Two runs with what is the same to somebody after both.
fn beside(tale: &Tale, (at, formula): (usize, &str), elsewhere: &Elsewhere) -> String {
    let other = &elsewhere.tale;
    let shared = elsewhere.shared;
    let minds: String = elsewhere.seen.iter().map(|seen| mind(seen, formula)).collect();
    let together = match shared {
        0 => String::new(),
        1 => "<p class=\"quiet\">the first step is the same on both runs</p>\n".to_string(),
        _ => format!("<p class=\"quiet\">the first {shared} steps are the same on both runs</p>\n"),
    };
    let part = |tale: &Tale, end: usize| match shared > 0 && end == shared {
        true => format!("<p class=\"quiet\">the situation after step {shared}</p>\n"),
        false => steps(tale, shared..end),
    };
    format!(
        "{together}<div class=\"beside\">\n\
         <div><h3>what happened</h3>\n{}</div>\n\
         <div class=\"seen\"><h3>the same in both</h3>\n{minds}</div>\n\
         <div><h3>what could also have been</h3>\n{}</div>\n</div>\n{}",
        part(tale, at),
        part(other, other.beats.len()),
        differences(&sorted(elsewhere, formula))
    )
}

fn mind(mind: &Mind, formula: &str) -> String {
    let list = |items: &[String]| {
        let items: String = items.iter().map(|item| format!("<li>{}</li>", escaped(item))).collect();
        format!("<ul>{items}</ul>")
    };
    let sections: String = mind
        .sections
        .iter()
        .map(|section| {
            let mut items = section.items.clone();
            items.sort_by_key(|item| !mentions(formula, item));
            let rest = items.split_off(items.len().min(LIMIT_ITEMS));
            let more = match rest.len() {
                0 => String::new(),
                more => format!("<details><summary>{more} more</summary>{}</details>", list(&rest)),
            };
            format!("<dt>{}</dt><dd>{}{more}</dd>\n", escaped(&section.title), list(&items))
        })
        .collect();
    let nothing = if sections.is_empty() { "<p class=\"quiet\">sees nothing</p>" } else { "" };
    format!("<h4>{}</h4>{nothing}\n<dl>{sections}</dl>\n", escaped(&mind.name))
}

fn differences(differs: &[&Difference]) -> String {
    if differs.is_empty() {
        return String::new();
    }
    let cell = |items: &[String]| {
        let items: Vec<String> = items.iter().map(|item| escaped(item)).collect();
        if items.is_empty() { "–".to_string() } else { items.join("<br>") }
    };
    let rows: String = differs
        .iter()
        .map(|one| {
            let who = format!("{} <span>{}</span>", escaped(&one.mind), escaped(&one.section));
            format!("<tr><th>{who}</th><td>{}</td><td>{}</td></tr>\n", cell(&one.here), cell(&one.there))
        })
        .collect();
    format!(
        "<table class=\"differs\">\n<thead><tr><th>what differs</th><th>here</th><th>after the other run</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n"
    )
}

/// Some steps of a run as a table.
fn steps(tale: &Tale, part: std::ops::Range<usize>) -> String {
    if part.is_empty() {
        return "<p class=\"quiet\">at the start, before any step</p>\n".to_string();
    }
    let mut lines = match &tale.chronicle {
        Some(_) => clocked(tale, &part),
        None => plain_steps(tale, &part),
    };
    let hidden = lines.len().saturating_sub(LIMIT_ROWS);
    if hidden > 0 {
        lines.drain(..hidden);
        lines.insert(0, format!("<tr><td colspan=\"3\" class=\"quiet\">{hidden} earlier lines</td></tr>"));
    }
    if part.end == tale.beats.len() {
        let end = match tale.end {
            End::Stuck => "nothing can happen any more",
            End::Loop if tale.chronicle.is_some() => "and so on for ever",
            End::Loop | End::Open => "",
        };
        if !end.is_empty() {
            lines.push(format!("<tr><td colspan=\"3\" class=\"quiet\">{end}</td></tr>"));
        }
    }
    format!("<table class=\"steps\">\n{}\n</table>\n", lines.join("\n"))
}

fn plain_steps(tale: &Tale, part: &std::ops::Range<usize>) -> Vec<String> {
    let name = |process: usize| tale.processes.get(process).map_or("", String::as_str);
    let line = |at: usize| {
        let beat = &tale.beats[at];
        let to = beat.to.as_ref().map(|(to, label)| {
            format!(" <span class=\"to\">{} → {}</span>", escaped(label), escaped(name(*to)))
        });
        let changes: Vec<String> = beat
            .changes
            .iter()
            .map(|change| {
                format!("{} {}", change.atom, if change.now { "holds now" } else { "holds no more" })
            })
            .collect();
        let mark = match changes.is_empty() {
            true => String::new(),
            false => format!("<span class=\"change\">● {}</span>", escaped(&changes.join(", "))),
        };
        let repeats = tale.loop_start.is_some_and(|start| at >= start);
        let class = if repeats { " class=\"loop\" title=\"repeats for ever\"" } else { "" };
        format!(
            "<tr{class}><td class=\"n\">{}</td><td class=\"who\">{}</td><td>{}{}{mark}</td></tr>",
            at + 1,
            escaped(name(beat.process)),
            escaped(&beat.text),
            to.unwrap_or_default()
        )
    };
    part.clone().map(line).collect()
}

fn clocked(tale: &Tale, part: &std::ops::Range<usize>) -> Vec<String> {
    let Some(chronicle) = &tale.chronicle else { return Vec::new() };
    let step = |first: usize| chronicle.entries[first].step;
    let wanted = |row: &&crate::runs::events::Row| {
        let step = step(row.first);
        step > part.start && step <= part.end && (row.weight >= NOTABLE || row.cause)
    };
    let all = rows(chronicle);
    let line = |row: &crate::runs::events::Row| {
        let mark = if row.cause { "<span class=\"change\">●</span>" } else { "" };
        format!(
            "<tr><td class=\"n\">{}</td><td class=\"who\">{}</td><td>{} {} {}{mark}</td></tr>",
            instant(row.time, chronicle.unit),
            escaped(&chronicle.lanes[row.lane].name),
            escaped(&row.verb),
            escaped(&row.subject),
            escaped(&row.value)
        )
    };
    all.iter().filter(wanted).map(line).collect()
}
