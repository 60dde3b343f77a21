//! NuSMV: one variable holds the number of the state.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use motet_property::SmvSpec;

use super::{Explicit, Label, ranges};

/// Words that NuSMV keeps for itself.
const RESERVED: &[&str] = &[
    "A",
    "ABF",
    "ABG",
    "AF",
    "AG",
    "ASSIGN",
    "AX",
    "BU",
    "COMPASSION",
    "CONSTANTS",
    "CTLSPEC",
    "DEFINE",
    "E",
    "EBF",
    "EBG",
    "EF",
    "EG",
    "EX",
    "F",
    "FAIRNESS",
    "FALSE",
    "FROZENVAR",
    "G",
    "H",
    "IN",
    "INIT",
    "INVAR",
    "INVARSPEC",
    "ISA",
    "ITYPE",
    "IVAR",
    "JUSTICE",
    "LTLSPEC",
    "MAX",
    "MIN",
    "MODULE",
    "NAME",
    "O",
    "PSLSPEC",
    "S",
    "SPEC",
    "T",
    "TRANS",
    "TRUE",
    "U",
    "V",
    "VAR",
    "X",
    "Y",
    "Z",
    "array",
    "bool",
    "boolean",
    "case",
    "esac",
    "extend",
    "in",
    "init",
    "integer",
    "main",
    "mod",
    "next",
    "of",
    "process",
    "real",
    "resize",
    "self",
    "signed",
    "sizeof",
    "state",
    "swconst",
    "time",
    "toint",
    "union",
    "unsigned",
    "uwconst",
    "word",
    "word1",
    "xnor",
    "xor",
];

/// The name of a label in this form.
#[must_use]
pub fn smv_name(label: &Label) -> String {
    let name = &label.named.name;
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name.clone() }
}

/// Which runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmvRuns {
    /// All.
    All,
    /// Those that are weakly fair: a second variable holds who moved last, and everybody moves, or cannot, again and again.
    WeaklyFair,
}

/// The model for NuSMV with these claims, each with its name and words. Actions stand in comments; what is a matter of chance
/// is a matter of choice.
#[must_use]
pub fn smv(model: &Explicit, runs: SmvRuns, specs: &[(String, SmvSpec)]) -> String {
    // A range needs two ends.
    let last = model.n_states().saturating_sub(1).max(1);
    let mut text = format!("-- {}\nMODULE main\nVAR state : 0..{last};\n", model.command);
    match runs {
        SmvRuns::All => steps(model, &mut text),
        SmvRuns::WeaklyFair => fair_steps(model, &mut text),
    }
    text.push_str("DEFINE\n");
    let mut define = |name: &str, words: &str, states: &[u32]| {
        let _ = writeln!(text, "  {name} := {}; -- {words}", inside(states));
    };
    define("deadlock", "nothing can happen", &model.deadlocks);
    model.labels.iter().for_each(|label| define(&smv_name(label), &label.named.words, &label.states));
    for (name, spec) in specs {
        let _ = match spec {
            SmvSpec::Linear(formula) => writeln!(text, "-- {name}\nLTLSPEC {formula};"),
            SmvSpec::Branching(formula) => writeln!(text, "-- {name}\nCTLSPEC {formula};"),
        };
    }
    text
}

fn steps(model: &Explicit, text: &mut String) {
    let _ = writeln!(text, "ASSIGN\n  init(state) := {{{}}};\n  next(state) := case", list(&model.initial));
    for state in 0..model.n_states() {
        let mut targets: Vec<u32> = Vec::new();
        let mut words: Vec<&str> = Vec::new();
        for choice in model.choices(state) {
            targets.extend(choice.branches.iter().map(|(target, _)| *target));
            words.push(&choice.action.words);
        }
        targets.sort_unstable();
        targets.dedup();
        let _ = writeln!(text, "    state = {state} : {{{}}}; -- {}", list(&targets), words.join(" | "));
    }
    text.push_str("    TRUE : state;\n  esac;\n");
}

fn fair_steps(model: &Explicit, text: &mut String) {
    let nobody = model.subjects.iter().flatten().map(|subject| subject.0 + 1).max().unwrap_or(0).max(1);
    let _ = writeln!(text, "VAR mover : 0..{nobody};\nINIT state in {{{}}}", list(&model.initial));
    let _ = writeln!(text, "INIT mover = {nobody}\nTRANS case");
    let mut able: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (state, number) in (0..model.n_states()).zip(0_u32..) {
        let mut moves = Vec::new();
        for choice in model.choices(state) {
            let subject = model.subjects[choice.number].map(|subject| subject.0);
            if let Some(subject) = subject {
                let states = able.entry(subject).or_default();
                if states.last() != Some(&number) {
                    states.push(number);
                }
            }
            let mover = subject.unwrap_or(nobody);
            let targets = choice.branches.iter();
            moves.extend(targets.map(|(to, _)| format!("(next(state) = {to} & next(mover) = {mover})")));
        }
        let _ = writeln!(text, "    state = {state} : {};", moves.join(" | "));
    }
    text.push_str("    TRUE : next(state) = state;\n  esac\n");
    for (subject, states) in &able {
        let _ = writeln!(text, "JUSTICE mover = {subject} | !({})", inside(states));
    }
}

fn list(states: &[u32]) -> String {
    states.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether the state is one of these, which ascend.
fn inside(states: &[u32]) -> String {
    let stretch = |(first, last)| match first == last {
        true => format!("state = {first}"),
        false => format!("(state >= {first} & state <= {last})"),
    };
    let stretches: Vec<String> = ranges(states).map(stretch).collect();
    if stretches.is_empty() { "FALSE".to_owned() } else { stretches.join(" | ") }
}

#[cfg(test)]
mod tests {
    use super::super::tests::coin;
    use super::*;

    #[test]
    fn a_coin_in_the_language_of_nusmv() {
        let claims = [("tossed".to_owned(), SmvSpec::Branching("AG (EF (heads))".to_owned()))];
        expect_test::expect![[r#"
            -- motet export coin
            MODULE main
            VAR state : 0..1;
            ASSIGN
              init(state) := {0};
              next(state) := case
                state = 0 : {0, 1}; -- throws the coin
                state = 1 : {1}; -- stays as it is
                TRUE : state;
              esac;
            DEFINE
              deadlock := state = 1; -- nothing can happen
              heads := state = 1; -- heads
              coin_0 := (state >= 0 & state <= 1); -- coin > 0
            -- tossed
            CTLSPEC AG (EF (heads));
        "#]]
        .assert_eq(&smv(&coin(), SmvRuns::All, &claims));
    }
}
