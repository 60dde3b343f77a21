//! The texts of a model for a browser, line by line, coloured by what happens and what the claims depend on. The page loads
//! nothing.

use motet_source::Sources;

use crate::claims::coverage::{Fate, ModelCoverage, TextReport};
use crate::drawings::viewer::filled;
use crate::typesetting::page::marked_up;

const PAGE: &str = include_str!("coverage.html");

/// The page. `title` is the model's path.
#[must_use]
pub fn coverage_page(coverage: &ModelCoverage, sources: &Sources, title: &str) -> String {
    let mut body = String::new();
    for (_, file) in sources.iter() {
        let texts: Vec<&TextReport> = coverage.texts.iter().filter(|text| text.file == file.path).collect();
        if texts.is_empty() {
            continue;
        }
        body.push_str(&format!("<h2>{}</h2>\n<pre>", marked_up(&file.path)));
        for (number, line) in (1..).zip(file.text.lines()) {
            body.push_str(&row(&texts, number, line));
        }
        body.push_str("</pre>\n");
    }
    let n = |fate: Fate| coverage.texts.iter().filter(|text| text.fate() == fate).count().to_string();
    let stop = coverage.stop.as_ref().map(|stop| format!("Not everything was seen: {stop}."));
    filled(PAGE, &|name| match name {
        "NEEDED" => n(Fate::Needed),
        "HAPPENED" => n(Fate::Happened),
        "IDLE" => n(Fate::Idle),
        "NEVER" => n(Fate::Never),
        "STOP" => marked_up(stop.as_deref().unwrap_or_default()),
        "TITLE" => marked_up(title),
        "BODY" => body.clone(),
        other => unreachable!("the page has no place called {other}; this is a bug in the tool"),
    })
}

/// A line with its number, in the colour of the smallest text that it belongs to.
fn row(texts: &[&TextReport], number: usize, line: &str) -> String {
    let around = texts.iter().filter(|text| (text.line..=text.last_line).contains(&number));
    let innermost = around.min_by_key(|text| (text.last_line - text.line, std::cmp::Reverse(text.fate())));
    let (class, tip) = match innermost {
        None => ("", String::new()),
        Some(text) => (class(text.fate()), tip(text)),
    };
    format!("<span class=\"{class}\" title=\"{tip}\"><b>{number:>5}</b> {}</span>\n", marked_up(line))
}

fn class(fate: Fate) -> &'static str {
    match fate {
        Fate::Needed => "needed",
        Fate::Happened => "happened",
        Fate::Idle => "idle",
        Fate::Never => "never",
    }
}

fn tip(text: &TextReport) -> String {
    let words = match &text.need {
        crate::claims::coverage::TextNeed::Claims(names) => format!("needed by {}", names.join(", ")),
        _ => match text.fate() {
            Fate::Never => "never happens".to_string(),
            Fate::Idle => "no claim depends on it".to_string(),
            Fate::Needed | Fate::Happened => "happens".to_string(),
        },
    };
    marked_up(&format!("{} {}: {words}; a share in {} steps", text.kind, text.name, text.happened()))
}
