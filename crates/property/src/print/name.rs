//! Names and texts, quoted where they would not be read as such.

use crate::token::OPERATORS;

/// Words besides the operators that mean something where a name may stand.
const RESERVED: [&str; 38] = [
    "A", "E", "P", "Pmin", "Pmax", "S", "Smin", "Smax", "Rmin", "Rmax", "K", "EK", "CK", "DK", "Bel", "Des",
    "Int", "Does", "Did", "ItD", "Says", "since", "held", "whenever", "forall", "exists", "within", "for",
    "globally", "before", "while", "after", "between", "expect", "shall", "Sends", "Reads", "becomes",
];

/// A name, in back-ticks where it would not be read as one.
pub(crate) fn name(name: &str) -> String {
    if is_word(name) && !OPERATORS.contains(&name) && !RESERVED.contains(&name) && !ITEMS.contains(&name) {
        name.to_owned()
    } else {
        format!("`{}`", name.replace(['`', '\n'], "'"))
    }
}

/// A name where nothing but a name can stand.
pub(crate) fn declared(word: &str) -> String {
    if is_word(word) { word.to_owned() } else { name(word) }
}

const ITEMS: [&str; 9] =
    ["property", "possible", "query", "assume", "define", "const", "model", "dialect", "precedes"];

/// A name that may have dots, as in `env.reset(x)`.
pub(crate) fn dotted(path: &str) -> String {
    let plain = path.contains('.') && path.split('.').all(|part| is_word(part) && name(part) == part);
    if plain { path.to_owned() } else { name(path) }
}

fn is_word(name: &str) -> bool {
    let (tokens, comments) = crate::token::tokens(name);
    comments.is_empty()
        && matches!(tokens.as_slice(), [word, _] if word.kind == crate::token::Kind::Word
            && word.start == 0 && word.end as usize == name.len())
}

pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
