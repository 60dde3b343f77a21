//! Automata in the Hanoi Omega-Automata format (HOA v1), which other tools read.

use std::fmt::Write;

use motet_model::{AtomId, Signature};
use motet_property::Formula;

use super::automaton::{Automaton, Label};

impl Automaton {
    /// The automaton as HOA text, with a name and what it is there for as a claim (`property`, `never`, `possible`).
    /// Propositions are called by the model's names for their atoms.
    #[must_use]
    pub fn to_hoa(&self, name: &str, claim: &str, signature: &Signature) -> String {
        let mut text = String::new();
        self.write_hoa(name, claim, signature, &mut text).expect("writing to a string cannot fail");
        text
    }

    fn write_hoa(
        &self,
        name: &str,
        claim: &str,
        signature: &Signature,
        out: &mut String,
    ) -> std::fmt::Result {
        writeln!(out, "HOA: v1\nname: \"{}\"\ntool: \"motet\"\nclaim: {claim}", escaped(name))?;
        writeln!(out, "States: {}\nStart: 0", self.transitions.len())?;
        write!(out, "AP: {}", self.propositions.len())?;
        for proposition in &self.propositions {
            write!(out, " \"{}\"", escaped(&called(proposition, signature)))?;
        }
        writeln!(out, "\nacc-name: generalized-Buchi {}", self.n_sets)?;
        let condition: Vec<String> = (0..self.n_sets).map(|set| format!("Inf({set})")).collect();
        let condition = if condition.is_empty() { "t".to_owned() } else { condition.join("&") };
        writeln!(out, "Acceptance: {} {condition}", self.n_sets)?;
        writeln!(out, "properties: trans-labels explicit-labels trans-acc\n--BODY--")?;
        for (state, transitions) in self.transitions.iter().enumerate() {
            writeln!(out, "State: {state}")?;
            for transition in transitions {
                write!(out, "[{}] {}", label(transition.label), transition.target)?;
                let sets: Vec<String> = (0..self.n_sets)
                    .filter(|set| transition.sets >> set & 1 == 1)
                    .map(|s| s.to_string())
                    .collect();
                writeln!(
                    out,
                    "{}",
                    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
                )?;
            }
        }
        writeln!(out, "--END--")
    }
}

fn label(label: Label) -> String {
    let literal = |bit: u32| match (label.positive >> bit & 1, label.negative >> bit & 1) {
        (1, _) => Some(bit.to_string()),
        (_, 1) => Some(format!("!{bit}")),
        _ => None,
    };
    let literals: Vec<String> = (0..64).filter_map(literal).collect();
    if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
}

/// As inside quotes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn called(formula: &Formula<AtomId>, signature: &Signature) -> String {
    let name = |formula: &Formula<AtomId>| called(formula, signature);
    match formula {
        Formula::True => "true".to_owned(),
        Formula::Deadlock => "deadlock".to_owned(),
        Formula::Atom(atom) => {
            signature.atoms.get(atom.index()).cloned().unwrap_or_else(|| format!("a{}", atom.0))
        }
        Formula::Not(a) => format!("!({})", name(a)),
        _ => match formula.joined() {
            Some((connective, a, b)) => format!("({}) {} ({})", name(a), connective.symbol(), name(b)),
            None => "false".to_owned(),
        },
    }
}
