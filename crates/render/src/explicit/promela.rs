//! Promela: one variable holds the number of the state, one process changes it.

use std::fmt::Write as _;

use motet_model::PromelaClaim;

use super::{Explicit, Label, ranges};

/// Words that Promela, its preprocessor or this text keep for themselves.
const RESERVED: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "never",
    "nempty",
    "nfull",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "priority",
    "proctype",
    "provided",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "state",
    "START",
    "team",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "U",
    "V",
    "W",
    "X",
    "always",
    "and",
    "equivalent",
    "eventually",
    "implies",
    "next",
    "not",
    "or",
    "release",
    "stronguntil",
    "until",
    "weakuntil",
];

/// The name of a label in this form.
#[must_use]
pub fn promela_name(label: &Label) -> String {
    let name = &label.named.name;
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name.clone() }
}

/// The model for Spin, state by state, with these claims. What is a matter of chance is a matter of choice.
#[must_use]
pub fn promela_states(model: &Explicit, claims: &[PromelaClaim]) -> String {
    let safe = |words: &str| words.replace("*/", "* /");
    let starts: Vec<String> = model.initial.iter().map(u32::to_string).collect();
    let mut text = format!("/* {} */\n", safe(&model.command));
    if starts.len() > 1 {
        let _ =
            writeln!(text, "/* it starts in one of {}: ask with -DSTART=N for each */", starts.join(", "));
    }
    let first = starts.first().map_or("0", String::as_str);
    let _ = writeln!(text, "#ifndef START\n#define START {first}\n#endif\nint state = START;\n");
    let mut define = |name: &str, words: &str, states: &[u32]| {
        let inside = ranges(states).map(|(first, last)| match first == last {
            true => format!("state == {first}"),
            false => format!("(state >= {first} && state <= {last})"),
        });
        let inside: Vec<String> = inside.collect();
        let inside = if inside.is_empty() { "false".to_owned() } else { inside.join(" || ") };
        let _ = writeln!(text, "#define {name} ({inside}) /* {} */", safe(words));
    };
    define("deadlock", "nothing can happen", &model.deadlocks);
    model.labels.iter().for_each(|label| define(&promela_name(label), &label.named.words, &label.states));
    text.push_str("\nactive proctype team() {\n  do\n");
    for state in 0..model.n_states() {
        for choice in model.choices(state) {
            for (target, _) in choice.branches {
                let words = safe(&choice.action.words);
                let _ = writeln!(text, "  :: d_step {{ state == {state}; state = {target} }} /* {words} */");
            }
        }
    }
    text.push_str("  od\n}\n");
    for claim in claims {
        let _ = writeln!(text, "\n/* {} */\nltl {} {{ {} }}", safe(&claim.text), claim.name, claim.formula);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::coin;
    use super::*;

    #[test]
    fn a_coin_in_promela() {
        let claims = [PromelaClaim {
            name: "tossed".to_owned(),
            text: "F heads".to_owned(),
            formula: "<> (heads)".to_owned(),
        }];
        expect_test::expect![[r#"
            /* motet export coin */
            #ifndef START
            #define START 0
            #endif
            int state = START;

            #define deadlock (state == 1) /* nothing can happen */
            #define heads (state == 1) /* heads */
            #define coin_0 ((state >= 0 && state <= 1)) /* coin > 0 */

            active proctype team() {
              do
              :: d_step { state == 0; state = 1 } /* throws the coin */
              :: d_step { state == 0; state = 0 } /* throws the coin */
              :: d_step { state == 1; state = 1 } /* stays as it is */
              od
            }

            /* F heads */
            ltl tossed { <> (heads) }
        "#]]
        .assert_eq(&promela_states(&coin(), &claims));
    }
}
