//! Names that Promela, and the C program that Spin makes of it, accept.

use std::collections::BTreeSet;

/// Words of Promela and of C, and names that Spin's own program has.
const TAKEN: &str = "active assert atomic bit bool break byte chan do d_step else empty enabled eval false fi for full \
    get_priority goto hidden if in init inline int len local ltl mtype nempty never nfull notrace np_ od of pc_value pid \
    printf priority proctype provided return run select set_priority short show skip STDIN timeout trace true typedef \
    unless unsigned xr xs always eventually until stronguntil weakuntil release implies equivalent next auto case char \
    const continue default double enum extern float long register restrict signed sizeof static struct switch union void \
    volatile while main now this that trpt pan depth spin Printf Index Assert Pop Push hash stack state State Trail Q0 \
    c_code c_expr c_decl c_state c_track errno stdin stdout stderr ops op at who row at_i k i kept fresh stuck_net CHECK H Net alive";

/// Letters, digits and `_` only, with a letter first, and no word that means something else.
pub(crate) fn legal(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    out.truncate(60);
    // Names of capital letters and digits may be those of Spin's own macros.
    let shouts = out.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if shouts || TAKEN.split_whitespace().any(|taken| taken == out) {
        out.push_str("_x");
    }
    let own = ["TAKE_", "PUT_", "CLEAR_", "CONTENTS_", "bound_", "atom_", "fired_", "now_"];
    if own.iter().any(|prefix| out.starts_with(prefix)) {
        out.insert_str(0, "x_");
    }
    if !out.starts_with(|first: char| first.is_ascii_alphabetic()) {
        out.insert(0, 'x');
    }
    out
}

/// A name that is not taken yet, as near as possible.
pub(crate) fn unique(taken: &mut BTreeSet<String>, name: String) -> String {
    let mut number = 1;
    let mut one = name.clone();
    while !taken.insert(one.clone()) {
        number += 1;
        one = format!("{name}_{number}");
    }
    one
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

/// On one line, without the signs that end a comment or start a directive.
pub(crate) fn remark(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("/* {} */", words.join(" ").replace("*/", "* /").replace("/*", "/ *").replace('\\', " "))
}
