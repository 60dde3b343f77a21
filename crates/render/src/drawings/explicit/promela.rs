//! Promela: one variable holds the number of the state, one process changes it.

use std::fmt::Write as _;

use motet_machine::promela::is_reserved;
use motet_model::PromelaClaim;

use super::{Explicit, Label};

/// Names that this text uses itself.
const OWN: &[&str] = &["START", "state", "team"];

/// The name of a label in this form.
#[must_use]
pub fn promela_name(label: &Label) -> String {
    let name = &label.named.name;
    if OWN.contains(&name.as_str()) || is_reserved(name) { format!("{name}_") } else { name.clone() }
}

/// The model for Spin, state by state, with these claims. What is true in a state is a variable that each step sets, because
/// Spin reads no long definitions. What is a matter of chance is a matter of choice.
#[must_use]
pub fn promela_states(model: &Explicit, claims: &[PromelaClaim]) -> String {
    let mut text = format!("/* {} */\n", safe(&model.command));
    let atoms = Atoms::of(model);
    start(model, &atoms, &mut text);
    text.push_str("\nactive proctype team() {\n  do\n");
    for state in 0..model.n_states() {
        for choice in model.choices(state) {
            for (target, _) in choice.branches {
                let set = atoms.changes(state, *target as usize);
                let words = safe(&choice.action.words);
                let _ =
                    writeln!(text, "  :: d_step {{ state == {state}; state = {target}{set} }} /* {words} */");
            }
        }
    }
    text.push_str("  od\n}\n");
    for claim in claims {
        let _ = writeln!(text, "\n/* {} */\nltl {} {{ {} }}", safe(&claim.text), claim.name, claim.formula);
    }
    text
}

/// Comments end with their sign.
fn safe(words: &str) -> String {
    words.replace("*/", "* /")
}

/// The variables with what they hold at the start; several starts are asked about one by one.
fn start(model: &Explicit, atoms: &Atoms, text: &mut String) {
    let starts: Vec<String> = model.initial.iter().map(u32::to_string).collect();
    if starts.len() > 1 {
        let _ =
            writeln!(text, "/* it starts in one of {}: ask with -DSTART=N for each */", starts.join(", "));
    }
    let first = starts.first().map_or("0", String::as_str);
    let _ = writeln!(text, "#ifndef START\n#define START {first}\n#endif\nint state = START;");
    for (number, start) in model.initial.iter().enumerate() {
        if starts.len() > 1 {
            let _ = writeln!(text, "{} START == {start}", if number == 0 { "#if" } else { "#elif" });
        }
        for (at, (name, words)) in atoms.names.iter().enumerate() {
            let value = u8::from(atoms.holds(at, *start as usize));
            let _ = writeln!(text, "bit {name} = {value}; /* {} */", safe(words));
        }
    }
    if starts.len() > 1 {
        text.push_str("#endif\n");
    }
}

/// What is true where.
struct Atoms {
    /// Names and words.
    names: Vec<(String, String)>,
    /// Per name, per state.
    truth: Vec<Vec<bool>>,
}

impl Atoms {
    fn of(model: &Explicit) -> Self {
        let deadlock = ("deadlock".to_owned(), "nothing can happen".to_owned());
        let names = model.labels.iter().map(|label| (promela_name(label), label.named.words.clone()));
        let names = std::iter::once(deadlock).chain(names).collect();
        let columns = std::iter::once(&model.deadlocks).chain(model.labels.iter().map(|label| &label.states));
        let truth = columns.map(|states| {
            let mut column = vec![false; model.n_states()];
            states.iter().for_each(|state| column[*state as usize] = true);
            column
        });
        Self { names, truth: truth.collect() }
    }

    fn holds(&self, at: usize, state: usize) -> bool {
        self.truth[at][state]
    }

    /// `; heads = 1` for what a step changes.
    fn changes(&self, from: usize, to: usize) -> String {
        let mut text = String::new();
        for (at, (name, _)) in self.names.iter().enumerate() {
            let value = self.holds(at, to);
            if value != self.holds(at, from) {
                let _ = write!(text, "; {name} = {}", u8::from(value));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::coin;
    use super::*;

    #[test]
    fn labels_are_no_words_of_promela_or_c() {
        let name = |name: &str| {
            let mut label = coin().labels[0].clone();
            label.named.name = name.to_owned();
            promela_name(&label)
        };
        let names = ["heads", "team", "do", "long", "until"].map(name);
        assert_eq!(names, ["heads", "team_", "do_", "long_", "until_"]);
    }

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
            bit deadlock = 0; /* nothing can happen */
            bit heads = 0; /* heads */
            bit coin_0 = 1; /* coin > 0 */

            active proctype team() {
              do
              :: d_step { state == 0; state = 1; deadlock = 1; heads = 1 } /* throws the coin */
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
