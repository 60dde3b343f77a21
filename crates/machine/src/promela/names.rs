//! Names that Promela, and the C program that Spin makes of it, accept.

use std::collections::BTreeSet;

/// Words of Promela and of C, and names that Spin's own program has.
const RESERVED: &str = "active assert atomic bit bool break byte chan do d_step else empty enabled eval false fi for full \
    get_priority goto hidden if in init inline int len local ltl mtype nempty never nfull notrace np_ od of pc_value pid \
    printf priority proctype provided return run select set_priority short show skip STDIN timeout trace true typedef \
    unless unsigned xr xs always eventually until stronguntil weakuntil release implies equivalent next and or not U V W X \
    auto case char const continue default double enum extern float long register restrict signed sizeof static struct switch \
    union void volatile while main now this that trpt pan depth spin Printf Index Assert Pop Push hash stack state State \
    Trail Q0 c_code c_expr c_decl c_state c_track errno stdin stdout stderr";

/// The longest name.
const LONGEST: usize = 60;

/// Whether a word means something to Promela or to C.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.split_whitespace().any(|word| word == name)
}

/// Letters, digits and `_` only, and not too many. Whoever puts no word of his own before it asks [`is_reserved`], too.
pub fn legal(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    out.truncate(LONGEST);
    out
}

/// A name that is not taken yet, as near as possible.
pub fn unique(taken: &mut BTreeSet<String>, name: String) -> String {
    let mut number = 1;
    let mut one = name.clone();
    while !taken.insert(one.clone()) {
        number += 1;
        one = format!("{name}_{number}");
    }
    one
}

/// The words of a formula that are names.
pub fn names_of(formula: &str) -> impl Iterator<Item = &str> {
    formula.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
}

/// On one line, and without the signs that end a remark or go on with a definition.
pub(crate) fn tame(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("*/", "* /").replace("/*", "/ *").replace('\\', " ")
}
