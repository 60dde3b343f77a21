//! The model in the PRISM language (Izzo 2016, section 4.3 and appendix B.2): a module for each plan, action, note and percept,
//! kept in step by a scheduler whose `x` is 0 before the belief update `[b]` and 1 before the plan update `[t]`.
//!
//! Two steps of the text are one cycle. Our own states lie where `x=1` (and at the start): beliefs are the same there and in the
//! state that follows, so claims about beliefs mean the same in both, with bounds multiplied by two.

mod percepts;
mod plans;

use std::fmt::Write as _;
use std::sync::Arc;

use motet_model::{AtomId, Explorer, Export, PrismText, PromelaClaim};
use motet_source::{FileId, Problem, Span};

use crate::formula::Formula;
use crate::number::printed;
use crate::program::{Counting, Program};
use crate::semantics::Cycle;

/// Translations of a program.
pub(crate) struct Translation {
    /// The program and its atoms.
    pub(crate) cycle: Arc<Cycle>,
}

impl Export for Translation {
    fn promela_atom(&self, atom: AtomId) -> String {
        format!("atom_{}", atom.0)
    }

    fn promela(&self, _claims: &[PromelaClaim], _explorer: &dyn Explorer) -> Result<String, Box<Problem>> {
        let plan = self.cycle.program.plans.first().map(|plan| plan.span);
        let span = plan.unwrap_or_else(|| Span::new(FileId(0), 0, 0));
        let help = "export it to PRISM: Storm and PRISM know about chance";
        Err(Box::new(Problem::error("M0893", span, "Promela knows no probabilities", help)))
    }

    fn prism(&self) -> Option<Result<PrismText, Box<Problem>>> {
        let program = &*self.cycle.program;
        Some(Ok(PrismText {
            text: text(program),
            atoms: self.cycle.atoms.iter().map(|atom| formula(program, atom)).collect(),
            steps: 2,
            moments: Some("x=1".to_owned()),
            wavering: wavering(program, &self.cycle.atoms),
            rewards: (0..program.rewards.len()).map(|reward| reward_name(program, reward)).collect(),
            stuck: None,
        }))
    }
}

/// Atoms that speak of plan indices: the plan update changes them before the next beliefs are there.
fn wavering(program: &Program, atoms: &[Formula]) -> Vec<AtomId> {
    let speaks = |slot: usize| program.plans.iter().any(|plan| plan.slot == slot);
    fn any(formula: &Formula, speaks: &dyn Fn(usize) -> bool) -> bool {
        match formula {
            Formula::True | Formula::False => false,
            Formula::Test(slot, ..) => speaks(*slot),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().any(|part| any(part, speaks)),
        }
    }
    let numbered = (0_u32..).zip(atoms);
    numbered.filter(|(_, atom)| any(atom, &speaks)).map(|(number, _)| AtomId(number)).collect()
}

/// The whole model.
fn text(program: &Program) -> String {
    let mut out = String::new();
    out.push_str(if program.has_choices() { "mdp\n" } else { "dtmc\n" });
    section(&mut out, "PLANS");
    plans::modules(program, &mut out);
    section(&mut out, "ACTIONS");
    for action in &program.actions {
        plans::action(program, action, &mut out);
    }
    section(&mut out, "MENTAL NOTES");
    for note in &program.notes {
        percepts::note(program, note, &mut out);
    }
    for watch in &program.watches {
        percepts::watch(program, *watch, &mut out);
    }
    section(&mut out, "PERCEPTS");
    for percept in &program.percepts {
        percepts::percept(program, percept, &mut out);
    }
    section(&mut out, "CYCLE");
    out.push_str("module scheduler\n  x : [0..1] init 0;\n\n");
    out.push_str("  [b] x=0 -> (x'=1); // belief update\n  [t] x=1 -> (x'=0); // plan update\nendmodule\n");
    rewards(program, &mut out);
    out
}

fn section(out: &mut String, title: &str) {
    line(out, format_args!("\n// {title}\n"));
}

/// Appends a line.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string does not fail");
}

/// Declares a variable, with the sentence it stands for.
fn declare(program: &Program, slot: usize, sentence: &str, out: &mut String) {
    let slot = &program.slots[slot];
    line(out, format_args!("  {} : [0..{}] init {}; // {sentence}", slot.name, slot.most, slot.initial));
}

/// A formula in PRISM's words.
pub(crate) fn formula(program: &Program, formula: &Formula) -> String {
    let joined = |parts: &[Formula], sign: &str| {
        let parts: Vec<String> = parts
            .iter()
            .map(|part| match part {
                Formula::All(_) | Formula::Any(_) => format!("({})", self::formula(program, part)),
                other => self::formula(program, other),
            })
            .collect();
        parts.join(sign)
    };
    match formula {
        Formula::True => "true".to_owned(),
        Formula::False => "false".to_owned(),
        Formula::Test(slot, comparison, number) => {
            format!("{}{}{number}", program.slots[*slot].name, comparison.symbol())
        }
        Formula::All(parts) if parts.is_empty() => "true".to_owned(),
        Formula::Any(parts) if parts.is_empty() => "false".to_owned(),
        Formula::All(parts) => joined(parts, " & "),
        Formula::Any(parts) => joined(parts, " | "),
    }
}

/// Which plans stand on one of these actions.
fn stands(program: &Program, places: &[(usize, u32)]) -> Formula {
    let on = |(plan, index): &(usize, u32)| {
        Formula::Test(program.plans[*plan].slot, crate::formula::Comparison::Equal, *index)
    };
    Formula::any(places.iter().map(on))
}

/// The name of a reward in the text.
fn reward_name(program: &Program, reward: usize) -> String {
    if reward == 0 { "res_cycles".to_owned() } else { program.rewards[reward].clone() }
}

/// Figure 4.8. Counted once a cycle, an amount is earned at its start only.
fn rewards(program: &Program, out: &mut String) {
    let when = match program.counting {
        Counting::Cycles => "x=0 & ",
        Counting::HalfCycles => "",
    };
    for reward in 0..program.rewards.len() {
        line(out, format_args!("\nrewards \"{}\"", reward_name(program, reward)));
        if reward == 0 {
            out.push_str("  x=0 : 1;\n");
        }
        for plan in &program.plans {
            for (number, action) in plan.actions.iter().enumerate() {
                for (_, amount) in action.rewards.iter().filter(|(id, _)| id.index() == reward) {
                    let (name, index) = (&program.slots[plan.slot].name, number + 1);
                    line(out, format_args!("  {when}{name}={index} : {};", printed(*amount)));
                }
            }
        }
        for percept in &program.percepts {
            for (_, amount) in percept.rewards.iter().filter(|(id, _)| id.index() == reward) {
                let name = &program.slots[program.beliefs[percept.belief].slot].name;
                line(out, format_args!("  {when}{name}=1 : {};", printed(*amount)));
            }
        }
        out.push_str("endrewards\n");
    }
}
