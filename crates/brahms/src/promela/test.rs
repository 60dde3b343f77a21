//! Conditions as text, with what is already certain worked out.

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// Certain.
    Sure(bool),
    /// A Promela expression in brackets.
    Text(String),
}

impl Test {
    /// An expression.
    pub(crate) fn text(text: impl std::fmt::Display) -> Self {
        Self::Text(format!("({text})"))
    }

    /// All hold.
    pub(crate) fn all(tests: impl IntoIterator<Item = Self>) -> Self {
        Self::join(tests, "&&", true)
    }

    /// Some holds.
    pub(crate) fn any(tests: impl IntoIterator<Item = Self>) -> Self {
        Self::join(tests, "||", false)
    }

    fn join(tests: impl IntoIterator<Item = Self>, sign: &str, neutral: bool) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for test in tests {
            match test {
                Self::Sure(truth) if truth == neutral => {}
                Self::Sure(truth) => return Self::Sure(truth),
                Self::Text(text) if texts.contains(&text) => {}
                Self::Text(text) => texts.push(text),
            }
        }
        match texts.len() {
            0 => Self::Sure(neutral),
            1 => Self::Text(texts.remove(0)),
            _ => Self::Text(format!("({})", texts.join(&format!(" {sign} ")))),
        }
    }

    /// It does not hold.
    pub(crate) fn not(self) -> Self {
        match self {
            Self::Sure(truth) => Self::Sure(!truth),
            Self::Text(text) => Self::Text(format!("(!{text})")),
        }
    }

    /// As an expression.
    pub(crate) fn show(&self) -> &str {
        match self {
            Self::Sure(true) => "(1)",
            Self::Sure(false) => "(0)",
            Self::Text(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_parts_are_worked_out() {
        let open = Test::text("a == 1");
        assert_eq!(Test::all([Test::Sure(true), open.clone()]), open);
        assert_eq!(Test::all([open.clone(), Test::Sure(false)]), Test::Sure(false));
        assert_eq!(Test::any([open.clone(), Test::text("b")]).show(), "((a == 1) || (b))");
        assert_eq!(open.not().show(), "(!(a == 1))");
    }
}
