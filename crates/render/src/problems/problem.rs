//! Problems of the input as text.

use motet_source::{Problems, Severity, Sources, Style, show};

use crate::claims::check::broken;
use crate::typesetting::page::{Colour, View};

/// Every problem with its excerpt, then how many errors there are.
#[must_use]
pub fn problems(problems: &Problems, sources: &Sources, view: &View) -> String {
    let mut page = shown(problems, sources, view);
    let n_errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    if n_errors > 0 {
        page.push_str(&broken(n_errors));
        page.push('\n');
    }
    view.finish(page)
}

/// Every problem with its excerpt: problems beside a result, after which nothing is to be summed up.
#[must_use]
pub fn remarks(problems: &Problems, sources: &Sources, view: &View) -> String {
    view.finish(shown(problems, sources, view))
}

fn shown(problems: &Problems, sources: &Sources, view: &View) -> String {
    let style = if view.colour == Colour::Ansi { Style::Colour } else { Style::Plain };
    problems.iter().map(|problem| format!("{}\n", show(problem, sources, style))).collect()
}
