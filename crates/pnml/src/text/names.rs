//! Names of our language for names of files, which may be anything.

use std::collections::BTreeSet;

use motet_nets::parse::parse_expression;
use motet_nets::syntax::{ExpressionNode, Name};
use motet_source::{FileId, Spanned};

use crate::text::nowhere;

/// Functions of the language, which keep their names.
const FUNCTIONS: [&str; 5] = ["size", "nonempty", "count", "enabled", "fires"];

/// Whether a word is read as a name. The words of the language are not.
fn is_free(word: &str) -> bool {
    let read = parse_expression(FileId(0), 0, word).map(|expression| expression.node);
    matches!(read, Ok(ExpressionNode::Name(name)) if name == word)
}

/// The nearest name of letters, digits and `_`.
fn near(wanted: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut name: String = wanted.chars().map(letter).collect();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name.insert_str(0, "n_");
    }
    name
}

/// The names that are in use.
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// Those of them that wait for their owners.
    kept: BTreeSet<String>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self { taken: FUNCTIONS.iter().map(|&word| word.to_owned()).collect(), kept: BTreeSet::new() }
    }

    /// Keeps names that the language has for the first that want them, before a near name of something else takes them:
    /// `fork_1` stays that, whatever becomes of `fork 1`.
    pub(crate) fn keep<'n>(&mut self, wanted: impl IntoIterator<Item = &'n str>) {
        for name in wanted {
            if near(name) == name && is_free(name) && self.taken.insert(name.to_owned()) {
                self.kept.insert(name.to_owned());
            }
        }
    }

    /// The name that was kept for an element of the net, or a near one.
    pub(crate) fn own(&mut self, wanted: &str) -> String {
        if self.kept.remove(wanted) { wanted.to_owned() } else { self.fresh(wanted) }
    }

    /// A name that nothing has yet, as near to the wanted one as possible.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let name = near(wanted);
        let mut number = 1;
        let mut candidate = name.clone();
        while !is_free(&candidate) || !self.taken.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        candidate
    }

    /// A fresh name with its place, which is nowhere.
    pub(crate) fn spanned(&mut self, wanted: &str) -> Name {
        let fresh = self.fresh(wanted);
        self.at(&fresh)
    }

    /// A known name with its place, which is nowhere.
    pub(crate) fn at(&self, name: &str) -> Name {
        Spanned::new(name.to_owned(), nowhere())
    }
}
