//! Names of our language for names of files, which may be anything.

use std::collections::BTreeSet;

use motet_nets::syntax::Name;
use motet_source::Spanned;

use crate::text::nowhere;

/// Words of the language, and names of its functions, which stand for themselves.
const TAKEN: &[&str] = &[
    "agent",
    "alt",
    "and",
    "bool",
    "cell",
    "class",
    "const",
    "count",
    "def",
    "else",
    "enabled",
    "enum",
    "exists",
    "false",
    "fires",
    "forall",
    "if",
    "in",
    "inhib",
    "int",
    "let",
    "minus",
    "new",
    "nonempty",
    "not",
    "notin",
    "or",
    "out",
    "pick",
    "place",
    "port",
    "read",
    "set",
    "size",
    "sync",
    "system",
    "then",
    "token",
    "transition",
    "true",
    "type",
    "union",
    "up",
    "when",
    "where",
    "with",
];

/// The names that are in use.
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self { taken: TAKEN.iter().map(|&word| word.to_owned()).collect() }
    }

    /// A name that nothing has yet, as near to the wanted one as possible.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let mut name: String = wanted.chars().map(letter).collect();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            name.insert_str(0, "n_");
        }
        let mut number = 1;
        let mut candidate = name.clone();
        while !self.taken.insert(candidate.clone()) {
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
