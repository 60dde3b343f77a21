//! Ids of a document: the names of the elements as far as XML and the names of the others allow it.
//!
//! A word that is the id of one element and the name of another would mean two things, so whatever can have its name as its id
//! gets it before any id is made up.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What an element wants to be called by.
pub(crate) enum Wanted<'n> {
    /// The id that its file gave it.
    Kept(&'n str),
    /// Its name, from a file without ids.
    Name(&'n str),
}

/// Ids that are different from each other, whatever they name.
#[derive(Default)]
pub(crate) struct Ids {
    used: BTreeSet<String>,
    /// Per id that was wanted: how often, so that many wishes for the same one stay quick.
    wanted: BTreeMap<String, u64>,
}

impl Ids {
    /// An id for each element, in order: the kept ones first, then names that are ids already, then near ones.
    pub(crate) fn all<'n>(&mut self, elements: impl IntoIterator<Item = Wanted<'n>>) -> Vec<String> {
        let elements: Vec<Wanted<'n>> = elements.into_iter().collect();
        let mut ids: Vec<Option<String>> = vec![None; elements.len()];
        for (element, id) in elements.iter().zip(&mut ids) {
            if let Wanted::Kept(kept) = element {
                *id = self.used.insert((*kept).to_owned()).then(|| (*kept).to_owned());
            }
        }
        for (element, id) in elements.iter().zip(&mut ids) {
            if let Wanted::Name(name) = element {
                *id = (is_legal(name) && self.used.insert((*name).to_owned())).then(|| (*name).to_owned());
            }
        }
        let rest = elements.iter().zip(ids).map(|(element, id)| match (id, element) {
            (Some(id), _) => id,
            (None, Wanted::Kept(name) | Wanted::Name(name)) => self.fresh(name),
        });
        rest.collect()
    }

    /// An id that looks like the name and was not used before.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        let id = legal(name);
        let number = self.wanted.entry(id.clone()).or_default();
        loop {
            *number += 1;
            let free = if *number == 1 { id.clone() } else { format!("{id}_{number}") };
            if self.used.insert(free.clone()) {
                return free;
            }
        }
    }
}

/// Whether XML takes this as an id (an `NCName`), after the Namespaces recommendation.
fn is_legal(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(begins) && letters.all(continues)
}

/// The name with each letter that an id cannot have as `_xHHHH_`.
fn legal(name: &str) -> String {
    let mut id = String::with_capacity(name.len());
    for letter in name.chars() {
        let fits = if id.is_empty() { begins(letter) } else { continues(letter) };
        match fits {
            true => id.push(letter),
            // `2nd` becomes `_2nd`.
            false if id.is_empty() && continues(letter) => id.extend(['_', letter]),
            false => write!(id, "_x{:X}_", u32::from(letter)).expect("writing to a string never fails"),
        }
    }
    if id.is_empty() { "_".to_owned() } else { id }
}

fn begins(letter: char) -> bool {
    matches!(
        letter,
        'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
            | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
            | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
            | '\u{10000}'..='\u{EFFFF}'
    )
}

fn continues(letter: char) -> bool {
    begins(letter)
        || matches!(letter, '0'..='9' | '-' | '.' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_an_id_stays_itself_whatever_the_others_become() {
        let names = ["fork 1", "fork_x20_1", "p1", "p1", "p1_2", "2nd", "", "größe"];
        let ids = Ids::default().all(names.map(Wanted::Name));
        assert_eq!(ids, ["fork_x20_1_2", "fork_x20_1", "p1", "p1_3", "p1_2", "_2nd", "_", "größe"]);
        assert!(ids.iter().all(|id| is_legal(id)));
    }

    #[test]
    fn ids_of_a_file_are_kept_before_any_name() {
        let ids = Ids::default().all([Wanted::Name("p"), Wanted::Kept("p"), Wanted::Kept("2 b")]);
        assert_eq!(ids, ["p_2", "p", "2 b"]);
    }
}
