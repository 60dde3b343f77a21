//! Commands: guards, chances and assignments, and what can be said about them before anything runs.

use std::collections::BTreeMap;

use motet_source::{Problem, Span};

use super::compile::{Compiler, Renaming};
use super::modules::Source;
use super::scope::Meaning;
use crate::expr::{Real, Test, Typed};
use crate::number::Number;
use crate::print;
use crate::program::{Assigned, Assignment, Command, Domain, LabelId, ModuleId, Update};
use crate::semantics::chances;
use crate::syntax;

/// Labels in brackets, numbered as they turn up.
#[derive(Default)]
pub(crate) struct Labels {
    pub(crate) names: Vec<String>,
    numbers: BTreeMap<String, LabelId>,
}

impl Labels {
    fn number(&mut self, name: &str) -> LabelId {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = LabelId::of(self.names.len());
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub(crate) fn get(&self, name: &str) -> Option<LabelId> {
        self.numbers.get(name).copied()
    }

    /// A label that only a `system` introduces.
    pub(crate) fn introduce(&mut self, name: &str) -> LabelId {
        self.number(name)
    }
}

/// The commands of a module.
pub(crate) fn commands(
    compiler: &mut Compiler<'_>,
    source: &Source<'_>,
    module: ModuleId,
    labels: &mut Labels,
) -> Vec<Command> {
    let mut commands = Vec::with_capacity(source.text.commands.len());
    for written in &source.text.commands {
        let label = written.label.as_ref().map(|label| {
            let name = source.names.get(&label.node).unwrap_or(&label.node);
            labels.number(name)
        });
        let guard = compiler.test(&written.guard, &source.names);
        let updates: Vec<Option<Update>> =
            written.updates.iter().map(|written| update(compiler, written, source, module)).collect();
        let (Some(guard), Some(updates)) = (guard, updates.into_iter().collect::<Option<Vec<_>>>()) else {
            continue;
        };
        let text = print::command(written, &source.names);
        let command = Command { module, label, guard, updates, span: written.span, text };
        if command.guard != Test::Constant(false) {
            check_chances(compiler, &command, written);
            check_values(compiler, &command, written);
        }
        commands.push(command);
    }
    commands
}

fn update(
    compiler: &mut Compiler<'_>,
    written: &syntax::Update,
    source: &Source<'_>,
    module: ModuleId,
) -> Option<Update> {
    let chance = match &written.chance {
        Some(chance) => compiler.real(chance, &source.names),
        None => Some(Real::Constant(Number::ONE)),
    };
    let mut assignments: Vec<Assignment> = Vec::with_capacity(written.assignments.len());
    let mut complete = true;
    for assignment in &written.assignments {
        match assigned(compiler, assignment, &source.names, module) {
            Some(new) if assignments.iter().any(|other| other.slot == new.slot) => {
                let message = format!("`{}` gets two values in one update", assignment.variable.node);
                compiler.error("M0820", assignment.variable.span, message, "remove one of the assignments");
                complete = false;
            }
            Some(new) => assignments.push(new),
            None => complete = false,
        }
    }
    Some(Update { chance: chance.filter(|_| complete)?, assignments })
}

fn assigned(
    compiler: &mut Compiler<'_>,
    written: &syntax::Assignment,
    names: &Renaming,
    module: ModuleId,
) -> Option<Assignment> {
    let typed = compiler.typed(&written.value, names);
    let name = names.get(&written.variable.node).unwrap_or(&written.variable.node);
    let span = written.variable.span;
    let slot = match compiler.scope.meaning(name) {
        Some(Meaning::Variable(slot)) => slot,
        Some(meaning) => {
            let what = if matches!(meaning, Meaning::Formula(_)) { "formula" } else { "constant" };
            let help = "only variables change";
            compiler.error("M0820", span, format!("`{name}` is a {what} and cannot be assigned"), help);
            return None;
        }
        None if !compiler.is_patient() => return None,
        None => {
            let help = match compiler.scope.near(name) {
                Some(near) => format!("did you mean `{near}`"),
                None => "declare it in this module".to_owned(),
            };
            compiler.error("M0811", span, format!("there is no variable `{name}`"), help);
            return None;
        }
    };
    let variable = &compiler.scope.variables[slot as usize];
    if variable.module.is_some_and(|owner| owner != module) {
        let message = format!("`{name}` belongs to another module");
        let help = "a module changes its own and global variables; synchronise with its module on a label";
        compiler.error("M0820", span, message, help);
        return None;
    }
    let value = match (variable.domain, typed?) {
        (Domain::Bool, Typed::Test(test)) => Assigned::Test(test),
        (Domain::Range { .. }, Typed::Whole(whole)) => Assigned::Whole(whole),
        (Domain::Bool, _) => {
            let message = format!("`{name}` is true or false, and this is a number");
            compiler.error("M0814", written.value.span, message, "compare it with something, as in `x = 1`");
            return None;
        }
        (Domain::Range { .. }, typed) => {
            let (what, help) = match typed {
                Typed::Test(_) => ("true or false", "use `condition ? 1 : 0`"),
                _ => (
                    "a number with a fraction",
                    "use `floor`, `ceil` or `round`; `/` never gives whole numbers",
                ),
            };
            let message = format!("`{name}` is a whole number, and this is {what}");
            compiler.error("M0814", written.value.span, message, help);
            return None;
        }
    };
    Some(Assignment { slot, value })
}

/// Chances that are constant are looked at once and for all.
fn check_chances(compiler: &mut Compiler<'_>, command: &Command, written: &syntax::Command) {
    let mut fixed = Vec::with_capacity(command.updates.len());
    for (update, written) in command.updates.iter().zip(&written.updates) {
        let Some(chance) = update.chance.constant() else { continue };
        let span = written.chance.as_ref().map_or(written.span, |chance| chance.span);
        if chance.is_negative() || chance > Number::ONE {
            let help = "chances lie between 0 and 1";
            compiler.error("M0822", span, format!("{chance} is not a chance"), help);
            return;
        }
        fixed.push(chance);
    }
    if fixed.len() < command.updates.len() {
        return;
    }
    if let Err(sum) = chances::completed(&mut fixed) {
        let span = chances_span(written);
        let (message, help) = match sum {
            Some(sum) => (
                format!("the chances of this command sum to {sum}, not to 1"),
                "write them as fractions, such as `1/3`, or let the last one be `1 - ...`",
            ),
            None => {
                ("the chances of this command cannot be added exactly".to_owned(), "use simpler fractions")
            }
        };
        compiler.error(if sum.is_some() { "M0821" } else { "M0829" }, span, message, help);
    }
}

fn chances_span(written: &syntax::Command) -> Span {
    let spans = written.updates.iter().map(|update| update.chance.as_ref().map_or(update.span, |c| c.span));
    spans.reduce(Span::to).unwrap_or(written.span)
}

/// New values that are constant and outside the range.
fn check_values(compiler: &mut Compiler<'_>, command: &Command, written: &syntax::Command) {
    for (update, written) in command.updates.iter().zip(&written.updates) {
        if update.chance.constant().is_some_and(Number::is_zero) {
            continue;
        }
        for (assignment, written) in update.assignments.iter().zip(&written.assignments) {
            let variable = &compiler.scope.variables[assignment.slot as usize];
            if let Assigned::Whole(whole) = &assignment.value
                && let Some(value) = whole.constant()
                && let Domain::Range { low, high } = variable.domain
                && !(low..=high).contains(&value)
            {
                let message =
                    format!("`{}` would become {value}, which is not in [{low}..{high}]", variable.name);
                let help = "change the range or the value; if the command ever happens, checking stops there";
                compiler.problems.push(Problem::warning("M0823", written.value.span, message, help));
            }
        }
    }
}
