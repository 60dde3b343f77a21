//! What the words of claims stand for, so that a claim can be held against the model before anything is searched.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What a value is, as far as a front-end knows. What it does not know is [`Sort::Open`]: it never guesses, because a claim
/// that is refused wrongly is worse than one that is not looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Nothing is known, everything fits.
    #[default]
    Open,
    /// `true`, `false`
    Truth,
    /// Whole numbers between these ends, as far as there are ends.
    Whole(Option<i64>, Option<i64>),
    /// Numbers, whole or not.
    Number,
    /// Texts, and symbols that are as good as texts.
    Text,
    /// One of these names.
    Member(Arc<Members>),
    /// Parts with names, which may be empty.
    Record(Arc<[(String, Sort)]>),
    /// A collection of such.
    Many(Arc<Sort>),
    /// Such a value, or one of these words: `none`, `unknown`.
    Beside(Arc<Sort>, Arc<[String]>),
}

/// Names that are of one sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// What one of them is called: `area`, `zone`; empty where the sort has no name.
    pub kind: String,
    /// The names.
    pub names: Vec<String>,
}

/// What claims can ask for, and what the answers are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Plain names: variables, places.
    pub names: BTreeMap<String, Sort>,
    /// What follows a dot: `fallen` in `Bob.fallen`.
    pub fields: BTreeMap<String, Field>,
    /// What is asked for by an index: `bid[ag1]`.
    pub entries: BTreeMap<String, Entry>,
    /// What is asked for with arguments: `near(Bob, Ann)`.
    pub calls: BTreeMap<String, Entry>,
    /// What stands in quotes, where that is no value but something that is asked for: a label, a sentence.
    pub quoted: Option<Sort>,
    /// All texts that a state can hold, where these are known.
    pub texts: Option<Arc<[String]>>,
}

/// An attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// What it is of everybody who is not named.
    pub sort: Sort,
    /// Those of whom it is something else.
    pub of: BTreeMap<String, Sort>,
}

/// A value for each combination of arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// What may be asked for.
    pub arguments: Vec<Sort>,
    /// What the answer is.
    pub value: Sort,
}

impl Sort {
    /// Such a value, or one of these words.
    #[must_use]
    pub fn beside(self, words: &[&str]) -> Self {
        Self::Beside(Arc::new(self), words.iter().map(|word| (*word).to_owned()).collect())
    }

    /// One of these names. Names that are numbers are numbers.
    #[must_use]
    pub fn members(kind: impl Into<String>, names: Vec<String>) -> Self {
        let numbers: Option<Vec<i64>> = names.iter().map(|name| name.parse().ok()).collect();
        match numbers {
            Some(numbers) if !numbers.is_empty() => {
                Self::Whole(numbers.iter().min().copied(), numbers.iter().max().copied())
            }
            _ => Self::Member(Arc::new(Members { kind: kind.into(), names })),
        }
    }

    /// Without the words that may stand for no value.
    #[must_use]
    pub fn plain(&self) -> &Self {
        match self {
            Self::Beside(sort, _) => sort.plain(),
            sort => sort,
        }
    }
}

impl Field {
    /// What it is of somebody.
    #[must_use]
    pub fn sort_of(&self, owner: &str) -> &Sort {
        self.of.get(owner).unwrap_or(&self.sort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_numbers_are_a_range() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(Sort::members("zone", names(&["3", "1", "2"])), Sort::Whole(Some(1), Some(3)));
        assert!(matches!(Sort::members("zone", names(&["1", "none"])), Sort::Member(_)));
        assert!(matches!(Sort::members("zone", Vec::new()), Sort::Member(_)));
    }

    #[test]
    fn an_attribute_may_be_something_else_of_somebody() {
        let of = BTreeMap::from([("Ann".to_owned(), Sort::Number)]);
        let field = Field { sort: Sort::Truth, of };
        assert_eq!((field.sort_of("Bob"), field.sort_of("Ann")), (&Sort::Truth, &Sort::Number));
    }
}
