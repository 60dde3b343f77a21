//! Draws a problem with its excerpt, in the look users know from rustc.

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use crate::problem::{Problem, Severity};
use crate::sources::{Sources, Span};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// ANSI colours.
    Colour,
    /// Plain text.
    Plain,
}

/// The problem as a block of text that ends with a newline.
#[must_use]
pub fn show(problem: &Problem, sources: &Sources, style: Style) -> String {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name("hint"),
    };
    let title = level.primary_title(&problem.message).id(problem.code);
    let mut group = Group::with_title(title);
    let mut marks = vec![(problem.span, problem.label.as_str(), AnnotationKind::Primary)];
    marks.extend(problem.also.iter().map(|(span, text)| (*span, text.as_str(), AnnotationKind::Context)));
    for file in files(&marks) {
        let source = sources.file(file);
        let mut snippet = Snippet::source(source.text.as_str()).path(source.path.as_str()).fold(true);
        for (span, label, kind) in marks.iter().filter(|(span, _, _)| span.file == file) {
            let annotation = kind.span(range(sources, *span));
            snippet =
                snippet.annotation(if label.is_empty() { annotation } else { annotation.label(*label) });
        }
        group = group.element(snippet);
    }
    for note in &problem.notes {
        group = group.element(Level::NOTE.message(note));
    }
    if !problem.help.is_empty() {
        group = group.element(Level::HELP.message(&problem.help));
    }
    let mut report = vec![group];
    if let Some(fix) = &problem.fix {
        let source = sources.file(fix.span.file);
        let patch = Snippet::source(source.text.as_str())
            .path(source.path.as_str())
            .fold(true)
            .patch(Patch::new(range(sources, fix.span), fix.text.as_str()));
        report.push(Group::with_title(Level::HELP.secondary_title("a repair")).element(patch));
    }
    let renderer = match style {
        Style::Colour => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    };
    format!("{}\n", renderer.render(&report))
}

fn files(marks: &[(Span, &str, AnnotationKind)]) -> Vec<crate::FileId> {
    let mut files = Vec::new();
    for (span, _, _) in marks {
        if !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    files
}

/// The span as byte offsets that lie inside the file and on character boundaries.
fn range(sources: &Sources, span: Span) -> std::ops::Range<usize> {
    let text = sources.file(span.file).text.as_str();
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_code_place_excerpt_and_help() {
        let mut sources = Sources::new();
        let file = sources.add("nurse.props", "property X : F a & b\n");
        let problem = Problem::error(
            "M0210",
            Span::new(file, 17, 18),
            "two tools would read this formula differently",
            "write the parentheses you mean",
        )
        .label("this `&` follows a bare `F`")
        .note("Spin, NuSMV:  (F a) & b");
        let text = show(&problem, &sources, Style::Plain);
        for part in
            ["error[M0210]", "nurse.props:1:18", "this `&` follows a bare `F`", "Spin, NuSMV", "help: write"]
        {
            assert!(text.contains(part), "{part} missing in\n{text}");
        }
    }
}
