//! What a claim does not need: commands that change nothing it reads, nor anything that decides about what it reads.
//!
//! The cone of influence (Clarke, Grumberg and Peled 1999, section 13.2): a variable is needed if an atom reads it, or a
//! command that changes a needed variable does, be it in its guard, its chances or its new values, or in those of the commands
//! it synchronises with. A step that changes no needed variable is a repetition to the claim and is left out. Variables keep
//! their slots; those that nobody changes any more stay as they start.

use std::collections::BTreeSet;

use crate::expr::Test;
use crate::program::{Command, Part, Pattern, Program};

/// The program without what these tests do not need, and what that is in words; `None` if they need everything.
pub(crate) fn slice(program: &Program, tests: &[Test]) -> Option<(Program, Vec<String>)> {
    let mut needed: BTreeSet<u32> = BTreeSet::new();
    for test in tests {
        let mut slots = Vec::new();
        test.reads(&mut slots);
        needed.extend(slots);
    }
    let mut kept = vec![false; program.patterns.len()];
    loop {
        let mut grown = false;
        for (pattern, kept) in program.patterns.iter().zip(&mut kept) {
            if !*kept && commands(program, pattern).any(|command| changes(command, &needed)) {
                *kept = true;
                grown = true;
                commands(program, pattern).for_each(|command| needed.extend(command.reads()));
            }
        }
        if !grown {
            break;
        }
    }
    if kept.iter().all(|kept| *kept) {
        return None;
    }
    let left_out = left_out(program, &kept);
    let patterns = program.patterns.iter().zip(&kept).filter(|(_, kept)| **kept);
    let patterns = patterns.map(|(pattern, _)| pattern.clone()).collect();
    Some((Program { patterns, ..program.clone() }, left_out))
}

/// The commands that may be part of a pattern.
fn commands<'p>(program: &'p Program, pattern: &'p Pattern) -> impl Iterator<Item = &'p Command> {
    let takes_part =
        |command: &&Command| pattern.parts.contains(&Part { module: command.module, label: command.label });
    program.commands.iter().filter(takes_part)
}

fn changes(command: &Command, needed: &BTreeSet<u32>) -> bool {
    let mut assignments = command.updates.iter().flat_map(|update| &update.assignments);
    assignments.any(|assignment| needed.contains(&assignment.slot))
}

/// `module queue`, `2 of 5 commands of module server`.
fn left_out(program: &Program, kept: &[bool]) -> Vec<String> {
    let used: BTreeSet<Part> = program
        .patterns
        .iter()
        .zip(kept)
        .filter(|(_, kept)| **kept)
        .flat_map(|(p, _)| p.parts.clone())
        .collect();
    let mut words = Vec::new();
    for (number, module) in program.modules.iter().enumerate() {
        let own = || program.commands.iter().filter(|command| command.module.index() == number);
        let is_used =
            |command: &&Command| used.contains(&Part { module: command.module, label: command.label });
        let (all, rest) = (own().count(), own().filter(is_used).count());
        match all - rest {
            0 => {}
            _ if rest == 0 => words.push(format!("module {}", module.name)),
            gone => words.push(format!("{gone} of {all} commands of module {}", module.name)),
        }
    }
    words
}
