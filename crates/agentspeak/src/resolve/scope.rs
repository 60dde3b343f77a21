//! The variables of one plan or rule, and which of them have a value where.

use std::collections::BTreeMap;

use motet_source::Span;

use crate::program::VariableIndex;

/// Which variables have a value at a point of the text: surely, or on some way to get there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    certain: Vec<bool>,
    possible: Vec<bool>,
}

impl Bindings {
    pub(crate) fn is_certain(&self, variable: VariableIndex) -> bool {
        self.certain.get(usize::from(variable.0)).copied().unwrap_or(false)
    }

    pub(crate) fn is_possible(&self, variable: VariableIndex) -> bool {
        self.possible.get(usize::from(variable.0)).copied().unwrap_or(false)
    }

    pub(crate) fn bind(&mut self, variable: VariableIndex) {
        set(&mut self.certain, variable);
        set(&mut self.possible, variable);
    }

    pub(crate) fn may_bind(&mut self, variable: VariableIndex) {
        set(&mut self.possible, variable);
    }

    /// What holds after one of two ways.
    pub(crate) fn either(mut self, other: &Bindings) -> Bindings {
        for (i, certain) in self.certain.iter_mut().enumerate() {
            *certain &= other.certain.get(i).copied().unwrap_or(false);
        }
        for (i, &possible) in other.possible.iter().enumerate() {
            if possible {
                set(
                    &mut self.possible,
                    VariableIndex(u16::try_from(i).expect("variables are numbered by u16")),
                );
            }
        }
        self
    }

    /// The variables that may have a value here and had none in `before`.
    pub(crate) fn since(&self, before: &Bindings) -> Vec<VariableIndex> {
        let indices =
            (0..self.possible.len()).map(|i| u16::try_from(i).expect("variables are numbered by u16"));
        indices
            .map(VariableIndex)
            .filter(|&variable| self.is_possible(variable) && !before.is_possible(variable))
            .collect()
    }
}

fn set(flags: &mut Vec<bool>, variable: VariableIndex) {
    let index = usize::from(variable.0);
    if flags.len() <= index {
        flags.resize(index + 1, false);
    }
    flags[index] = true;
}

/// The variables of one plan or rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    names: Vec<String>,
    numbers: BTreeMap<String, VariableIndex>,
    /// How often each is written, and where first.
    uses: Vec<(u32, Span)>,
    n_hidden: usize,
    /// What has a value at the present point.
    pub(crate) bindings: Bindings,
}

/// How many variables one plan may have.
const LIMIT_VARIABLES: usize = 4000;

impl Scope {
    /// The number of a variable; `None` when there are too many.
    pub(crate) fn variable(&mut self, name: &str, span: Span) -> Option<VariableIndex> {
        if let Some(&number) = self.numbers.get(name) {
            self.uses[usize::from(number.0)].0 += 1;
            return Some(number);
        }
        if self.names.len() >= LIMIT_VARIABLES {
            return None;
        }
        let number = VariableIndex(u16::try_from(self.names.len()).expect("the limit fits u16"));
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.uses.push((1, span));
        Some(number)
    }

    /// A variable the user cannot name; `None` when there are too many.
    pub(crate) fn hidden(&mut self, span: Span) -> Option<VariableIndex> {
        self.n_hidden += 1;
        self.variable(&format!("${}", self.n_hidden), span)
    }

    pub(crate) fn len(&self) -> u16 {
        u16::try_from(self.names.len()).expect("the limit fits u16")
    }

    /// Variables written once that look like a slip for another one of the plan.
    pub(crate) fn slips(&self) -> Vec<(&str, &str, Span)> {
        let mut slips = Vec::new();
        for (name, &(n, span)) in self.names.iter().zip(&self.uses) {
            if n > 1 || name.len() < 4 || name.starts_with(['_', '$']) {
                continue;
            }
            let others = self.names.iter().filter(|other| *other != name && other.len() >= 4);
            let stem = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
            if let Some(near) = motet_source::suggest(name, others.map(String::as_str)) {
                // `Room1` and `Room2` are two rooms, not a slip.
                if stem(near) != stem(name) {
                    slips.push((name.as_str(), near, span));
                }
            }
        }
        slips
    }

    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }
}
