//! What can be said about a model without any claim: states without steps, commands that never happen.

use std::sync::atomic::Ordering;

use motet_model::{ActionId, Notice, Occurrence, Part, PartId, Review, State};
use motet_source::Severity;

use crate::words::Teller;

/// How many commands that never happen are told one by one.
const LIMIT_COMMANDS: usize = 20;

impl Review for Teller {
    fn happened(&self, _action: ActionId) -> Option<Notice> {
        None
    }

    fn missing(&self, _seen: &[ActionId]) -> Vec<Notice> {
        let mut notices: Vec<Notice> = self.deadlock().into_iter().collect();
        notices.extend(self.idle_commands());
        notices
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    fn parts(&self) -> Vec<Part> {
        self.text_parts()
    }

    fn parts_of(&self, state: &State, taken: Occurrence<'_>) -> Vec<PartId> {
        self.shares(state, taken)
    }
}

impl Teller {
    /// The first state that no command leaves.
    fn deadlock(&self) -> Option<Notice> {
        let state = self.semantics.deadlock.get()?;
        Some(Notice {
            code: "M0834",
            severity: Severity::Warning,
            message: format!("deadlock in {}", self.semantics.situation(state)),
            span: None,
            help: "the run stays there for ever; if that is meant, say so with `[] ... -> true;`".to_owned(),
        })
    }

    /// Commands that no step was made of. Each text is told once, however many copies of its module there are.
    fn idle_commands(&self) -> Vec<Notice> {
        let program = &self.semantics.program;
        let commands = || program.commands.iter().zip(&self.semantics.taken);
        let mut taken: Vec<_> = commands()
            .filter(|(_, taken)| taken.load(Ordering::Relaxed))
            .map(|(command, _)| command.span)
            .collect();
        taken.sort_unstable();
        let mut told = Vec::new();
        let mut notices = Vec::new();
        for (command, _) in commands() {
            let known = taken.binary_search(&command.span).is_ok() || told.contains(&command.span);
            if known || notices.len() >= LIMIT_COMMANDS {
                continue;
            }
            told.push(command.span);
            let module = &program.modules[command.module.index()].name;
            notices.push(Notice {
                code: "M0835",
                severity: Severity::Hint,
                message: format!("this command of {module} never happens"),
                span: Some(command.span),
                help: "its guard never holds, or nobody synchronises with it; remove it or weaken the guard"
                    .to_owned(),
            });
        }
        notices
    }
}
