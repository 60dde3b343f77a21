//! A problem in the user's input, as data.

use crate::sources::{Sources, Span};

/// How grave a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing can be checked.
    Error,
    /// The model can be checked, but probably does not say what was meant.
    Warning,
    /// Worth knowing.
    Hint,
}

/// A replacement that would repair the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// By what.
    pub text: String,
}

/// One problem. The message is the one thing shown if only one thing can be: lower case, no full stop, in the
/// user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `M0210`.
    pub code: &'static str,
    /// How grave.
    pub severity: Severity,
    /// The place it is about.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// Short text under the excerpt's mark; may be empty.
    pub label: String,
    /// Further places with a remark.
    pub also: Vec<(Span, String)>,
    /// Further lines, such as the two readings of an ambiguous formula.
    pub notes: Vec<String>,
    /// The way out; every problem has one.
    pub help: String,
    /// A repair that a program may apply.
    pub fix: Option<Fix>,
}

impl Problem {
    /// An error with its way out.
    pub fn error(
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity: Severity::Error,
            span,
            message: message.into(),
            label: String::new(),
            also: Vec::new(),
            notes: Vec::new(),
            help: help.into(),
            fix: None,
        }
    }

    /// A warning with its way out.
    pub fn warning(
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message, help) }
    }

    /// A hint.
    pub fn hint(code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { severity: Severity::Hint, ..Self::error(code, span, message, help) }
    }

    /// Adds the short text under the mark.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.also.push((span, text.into()));
        self
    }

    /// Adds a further line.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a repair.
    #[must_use]
    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fix = Some(Fix { span, text: text.into() });
        self
    }
}

/// All problems of a run, in the order they were found.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, problem: Problem) {
        self.list.push(problem);
    }

    /// Adds all of another list.
    pub fn extend(&mut self, others: Problems) {
        self.list.extend(others.list);
    }

    /// Adds what a later stage found, without what would only distract: problems with the codes in `follows`, which a part
    /// that could not be read may have caused, and anything less than an error where something is wrong already.
    pub fn extend_later(&mut self, later: Problems, follows: &[&str]) {
        let failed = self.has_errors() || later.has_errors();
        let distracts = |problem: &Problem| {
            follows.contains(&problem.code) || failed && problem.severity != Severity::Error
        };
        self.list.extend(later.list.into_iter().filter(|problem| !distracts(problem)));
    }

    /// Whether any is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// All of them, in the order found.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.list.iter()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Their codes, in the order found.
    #[must_use]
    pub fn codes(&self) -> Vec<&'static str> {
        self.list.iter().map(|problem| problem.code).collect()
    }

    /// Orders them by place and drops exact repetitions, so that a report does not depend on the order of stages.
    pub fn sort(&mut self) {
        self.list.sort_by(|a, b| (a.span, a.code, &a.message).cmp(&(b.span, b.code, &b.message)));
        self.list.dedup();
    }

    /// One line per problem, `path:line:column: error[M0101]: message`, for tests and logs.
    #[must_use]
    pub fn lines(&self, sources: &Sources) -> String {
        let line = |problem: &Problem| {
            let severity = match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "hint",
            };
            let place = sources.locate(problem.span);
            format!("{place}: {severity}[{}]: {} (help: {})\n", problem.code, problem.message, problem.help)
        };
        self.list.iter().map(line).collect()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
