//! Names of the user as Promela accepts them.

use motet_machine::promela::{self, is_reserved};

/// Names that the translation uses itself.
const OWN: &[&str] = &[
    "ops",
    "op",
    "at",
    "who",
    "row",
    "at_i",
    "k",
    "i",
    "kept",
    "fresh",
    "stuck_net",
    "CHECK",
    "H",
    "Net",
    "alive",
];
/// What its other names begin with.
const PREFIXES: &[&str] = &["TAKE_", "PUT_", "CLEAR_", "CONTENTS_", "bound_", "atom_", "fired_", "now_"];

/// Letters, digits and `_` only, with a letter first, and no word that means something else.
pub(crate) fn legal(name: &str) -> String {
    let mut out = promela::legal(name);
    // Names of capital letters and digits may be those of Spin's own macros.
    let shouts = out.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if shouts || is_reserved(&out) || OWN.contains(&out.as_str()) {
        out.push_str("_x");
    }
    if PREFIXES.iter().any(|prefix| out.starts_with(prefix)) {
        out.insert_str(0, "x_");
    }
    if !out.starts_with(|first: char| first.is_ascii_alphabetic()) {
        out.insert(0, 'x');
    }
    out
}

/// `count(lent, <_, 7>) = 2` as `atom_count_lent___7_is_2`, shortened.
pub(crate) fn atom(text: &str) -> String {
    let mut name = String::from("atom");
    let mut gap = true;
    for letter in text.chars() {
        let word = match letter {
            '=' => "is",
            '<' => "lt",
            '>' => "gt",
            '!' => "not",
            '#' => "size",
            _ => "",
        };
        if letter.is_ascii_alphanumeric() {
            if gap {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        } else if !word.is_empty() {
            name.push('_');
            name.push_str(word);
        }
        gap = !letter.is_ascii_alphanumeric();
    }
    name.truncate(60);
    name
}
