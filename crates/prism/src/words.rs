//! Numbers back into the user's words.

use std::sync::Arc;

use motet_model::{ActionId, Mind, ProcessId, Section, SlotId, Snapshot, State, Story, Weight, Words};
use motet_source::Span;

use crate::program::CommandId;
use crate::semantics::Semantics;

/// How long the text of a command may be in a line of a run.
const LIMIT_TEXT: usize = 100;

/// How many commands an explanation lists.
const LIMIT_COMMANDS: usize = 12;

/// Tells what a model does.
pub(crate) struct Teller {
    pub(crate) semantics: Arc<Semantics>,
}

impl Teller {
    fn command(&self, command: CommandId) -> String {
        let text = &self.semantics.program.commands[command.index()].text;
        if text.chars().count() <= LIMIT_TEXT {
            return text.clone();
        }
        text.chars().take(LIMIT_TEXT - 1).chain(std::iter::once('…')).collect()
    }

    /// What a slot is called and holds: `s = 3`.
    fn slot(&self, slot: u32, state: &State) -> String {
        let variable = &self.semantics.program.variables[slot as usize];
        format!("{} = {}", variable.name, variable.shown(state[slot as usize]))
    }

    /// Names of the modules whose commands these are.
    fn actors(&self, commands: &[CommandId]) -> String {
        let program = &self.semantics.program;
        let names = commands.iter().map(|command| {
            let module = program.commands[command.index()].module;
            program.modules[module.index()].name.as_str()
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

impl Words for Teller {
    fn value(&self, slot: SlotId, value: u32) -> String {
        self.semantics.program.variables[slot.index()].shown(value)
    }

    fn action(&self, action: ActionId) -> String {
        let Some((way, commands)) = self.semantics.plan.decode(action) else {
            return "one of the enabled commands, each as likely".to_owned();
        };
        match (way.label, commands.as_slice()) {
            (None, [command]) => self.command(*command),
            (None, _) => "[]".to_owned(),
            (Some(label), _) => format!("[{}]", self.semantics.program.labels[label.index()]),
        }
    }

    fn story(&self, action: ActionId) -> Story {
        let process = match self.semantics.plan.decode(action) {
            Some((way, _)) => way.process,
            None => self.semantics.plan.chance(),
        };
        Story { process, text: self.action(action), to: None, weight: Weight::Notable }
    }

    fn origin(&self, action: ActionId) -> Option<Span> {
        let (_, commands) = self.semantics.plan.decode(action)?;
        let command = commands.first()?;
        Some(self.semantics.program.commands[command.index()].span)
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        let program = &self.semantics.program;
        let mut minds = Vec::with_capacity(program.modules.len() + 1);
        let mut mind = |name: &str, slots: &mut dyn Iterator<Item = u32>| {
            let items: Vec<String> = slots.map(|slot| self.slot(slot, state)).collect();
            if !items.is_empty() {
                let sections = vec![Section { title: "variables".to_owned(), items }];
                minds.push(Mind { name: name.to_owned(), sections });
            }
        };
        let globals = (0..).zip(&program.variables).filter(|(_, variable)| variable.module.is_none());
        mind("globals", &mut globals.map(|(slot, _)| slot));
        for module in &program.modules {
            mind(&module.name, &mut module.slots.iter().copied());
        }
        Snapshot { minds }
    }

    fn why(&self, states: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String> {
        let (Some(action), Some(state)) = (actions.get(at), states.get(at)) else { return Vec::new() };
        let (first, commands) = match self.semantics.plan.decode(*action) {
            Some((_, commands)) if commands.len() > 1 => {
                (Some(format!("{} do this together", self.actors(&commands))), commands)
            }
            Some((_, commands)) => (None, commands),
            None => {
                let (commands, count) = self.semantics.possible(state);
                (
                    Some(format!(
                        "{count} combinations of commands are enabled, each has the chance 1/{count}"
                    )),
                    commands,
                )
            }
        };
        let text = |command: &CommandId| {
            format!("{}: {}", self.actors(&[*command]), self.semantics.program.commands[command.index()].text)
        };
        first.into_iter().chain(commands.iter().take(LIMIT_COMMANDS).map(text)).collect()
    }

    fn waits(&self, process: ProcessId, state: &State) -> Option<String> {
        let program = &self.semantics.program;
        let module = program.modules.get(process.0 as usize)?;
        let slots: Vec<String> = module.slots.iter().take(3).map(|slot| self.slot(*slot, state)).collect();
        (!slots.is_empty()).then(|| format!("a command that is enabled with {}", slots.join(", ")))
    }
}
