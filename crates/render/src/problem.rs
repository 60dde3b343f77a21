//! Problems of the input as text.

use motet_source::{Problems, Severity, Sources, Style, show};

use crate::check::broken;
use crate::page::{Colour, View};

/// Every problem with its excerpt, then how many errors there are.
#[must_use]
pub fn problems(problems: &Problems, sources: &Sources, view: &View) -> String {
    let style = if view.colour == Colour::Ansi { Style::Colour } else { Style::Plain };
    let mut page = String::new();
    for problem in problems {
        page.push_str(&show(problem, sources, style));
        page.push('\n');
    }
    let n_errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    if n_errors > 0 {
        page.push_str(&broken(n_errors));
        page.push('\n');
    }
    view.finish(page)
}
