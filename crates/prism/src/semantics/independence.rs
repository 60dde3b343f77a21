//! Steps that do not mind each other (`motet_model::Independence`): commands of a module that only the module itself notices.
//!
//! In a decision process, the commands of one module that are enabled are ample if each of them happens alone, reads nothing
//! that another module changes and changes nothing that another module reads or changes, and if no other command of the
//! module can become enabled before the module moves: something in its guard is false that only the module decides about.

use std::collections::BTreeSet;

use motet_model::{AtomId, Independence, State, Steps};

use super::Semantics;
use crate::atoms::Predicate;
use crate::expr::{Test, Whole};
use crate::program::{Command, Part, Program};
use crate::syntax::ModelKind;

/// What each module has for itself.
#[derive(Debug)]
pub(crate) struct Privacy {
    /// Per module.
    modules: Vec<Own>,
}

#[derive(Debug, Default)]
struct Own {
    commands: Vec<OwnCommand>,
    /// What the module's commands that happen alone change.
    writes: BTreeSet<u32>,
}

#[derive(Debug)]
struct OwnCommand {
    guard: Test,
    /// Whether nobody else notices it.
    is_private: bool,
    /// Parts of the guard that only the module decides about; one of them being false is enough.
    decided: Vec<Test>,
}

impl Privacy {
    pub(super) fn of(program: &Program) -> Self {
        let modules = 0..program.modules.len();
        Self { modules: modules.map(|module| Own::of(program, module)).collect() }
    }
}

impl Own {
    fn of(program: &Program, module: usize) -> Self {
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        for command in program.commands.iter().filter(|command| command.module.index() != module) {
            read.extend(command.reads());
            written.extend(writes(command));
        }
        let mut own = Self::default();
        for command in program.commands.iter().filter(|command| command.module.index() == module) {
            let part = Part { module: command.module, label: command.label };
            let mut ways = program.patterns.iter().filter(|pattern| pattern.parts.contains(&part)).peekable();
            if ways.peek().is_none() {
                continue;
            }
            let alone = ways.all(|pattern| pattern.parts.len() == 1);
            let changed = writes(command);
            let noticed = !changed.is_disjoint(&read) || !changed.is_disjoint(&written);
            let is_private = alone && !noticed && command.reads().is_disjoint(&written);
            if alone {
                own.writes.extend(changed);
            }
            let decided = decided(&command.guard, &written);
            own.commands.push(OwnCommand { guard: command.guard.clone(), is_private, decided });
        }
        own
    }

    /// Whether what is enabled of it is ample in a state, as far as other modules are concerned.
    fn is_closed(&self, state: &State) -> bool {
        let is_false = |test: &Test| test.holds(state) == Ok(false);
        self.commands.iter().all(|command| match command.guard.holds(state) {
            Ok(true) => command.is_private,
            Ok(false) => command.decided.iter().any(is_false),
            Err(_) => false,
        })
    }
}

/// The parts of a guard that read nothing that others change. A guard that reads such things may be cut into parts only if it
/// has a value in every state: otherwise others decide whether the model goes on.
fn decided(guard: &Test, written: &BTreeSet<u32>) -> Vec<Test> {
    let is_own = |test: &&Test| {
        let mut slots = Vec::new();
        test.reads(&mut slots);
        slots.iter().all(|slot| !written.contains(slot))
    };
    if is_own(&guard) {
        return vec![guard.clone()];
    }
    match guard {
        Test::And(parts) if has_value(guard) => parts.iter().filter(is_own).cloned().collect(),
        _ => Vec::new(),
    }
}

/// Whether a test has a value whatever the variables are.
fn has_value(test: &Test) -> bool {
    match test {
        Test::Constant(_) | Test::Within { .. } | Test::Outside { .. } => true,
        Test::Not(a) => has_value(a),
        Test::And(parts) | Test::Or(parts) => parts.iter().all(has_value),
        Test::Iff(both) => has_value(&both.0) && has_value(&both.1),
        Test::Conditional(parts) => [&parts.0, &parts.1, &parts.2].into_iter().all(has_value),
        Test::Compare(_, sides) => is_simple(&sides.0) && is_simple(&sides.1),
        Test::CompareReal(..) => false,
    }
}

/// A sum of variables, each of 32 bits, and a constant never exceeds 64 bits.
fn is_simple(whole: &Whole) -> bool {
    match whole {
        Whole::Constant(value) => value.unsigned_abs() <= 1 << 40,
        Whole::Variable { base, .. } => base.unsigned_abs() <= 1 << 40,
        Whole::Add(sides) | Whole::Subtract(sides) => is_simple(&sides.0) && is_simple(&sides.1),
        _ => false,
    }
}

fn writes(command: &Command) -> BTreeSet<u32> {
    command.updates.iter().flat_map(|update| &update.assignments).map(|assignment| assignment.slot).collect()
}

impl Semantics {
    /// What some atoms read; `None` if they look at the state as a whole.
    fn seen(&self, visible: &[AtomId]) -> Option<BTreeSet<u32>> {
        let mut slots = Vec::new();
        for atom in visible {
            match &self.predicates[atom.index()] {
                Predicate::Test(test) => test.reads(&mut slots),
                Predicate::Initial | Predicate::Deadlock => return None,
            }
        }
        Some(slots.into_iter().collect())
    }

    /// The module whose steps are ample in a state, if there is one.
    fn ample_module(&self, visible: &[AtomId], state: &State, steps: &Steps) -> Option<usize> {
        if self.program.kind != ModelKind::Mdp || !self.doubtful.is_empty() {
            return None;
        }
        let privacy = self.privacy.get_or_init(|| Privacy::of(&self.program));
        let seen = self.seen(visible)?;
        let moves = |module: usize| steps.iter().any(|step| step.process.index() == module);
        let is_ample = |&module: &usize| {
            let own = &privacy.modules[module];
            own.writes.is_disjoint(&seen) && moves(module) && own.is_closed(state)
        };
        (0..privacy.modules.len()).find(is_ample)
    }
}

impl Independence for Semantics {
    fn ample(&self, visible: &[AtomId], state: &State, steps: &Steps, out: &mut Vec<u32>) {
        let module = self.ample_module(visible, state, steps);
        let is_chosen = |process: usize| module.is_none_or(|module| module == process);
        let chosen = (0..).zip(steps.iter()).filter(|(_, step)| is_chosen(step.process.index()));
        out.extend(chosen.map(|(ordinal, _): (u32, _)| ordinal));
    }
}
