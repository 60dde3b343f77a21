//! What the text of a model is made of, and which of it has a share in a step: its commands.

use motet_model::{Occurrence, Part, PartId, State};

use crate::words::Teller;

impl Teller {
    /// The commands of each module; copies of a module have their own.
    pub(crate) fn text_parts(&self) -> Vec<Part> {
        let program = &self.semantics.program;
        let part = |command: &crate::program::Command| Part {
            name: command.text.clone(),
            kind: "command",
            owner: program.modules[command.module.index()].name.clone(),
            span: command.span,
        };
        program.commands.iter().map(part).collect()
    }

    /// The commands a step is made of. Where chance alone decides between commands, a step is made of all that are enabled.
    pub(crate) fn shares(&self, state: &State, taken: Occurrence<'_>) -> Vec<PartId> {
        let semantics = &self.semantics;
        let known = semantics.plan.decode(taken.action).map(|(_, commands)| commands).unwrap_or_default();
        let commands = if known.is_empty() { semantics.possible(state).0 } else { known };
        commands.into_iter().map(|command| PartId(command.0)).collect()
    }
}
