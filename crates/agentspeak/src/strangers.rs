//! Whoever speaks to a team from outside while it acts. A sender is a number: members come first, strangers after them in
//! the order in which they are met.

use std::sync::Arc;

use motet_model::Interner;

use crate::program::Program;
use crate::semantics::mind::MAX_AGENTS;
use crate::term::Symbol;

/// The names of those who spoke from outside. Cloning shares the list.
#[derive(Clone, Debug, Default)]
pub struct Strangers(Arc<Interner<Symbol>>);

impl Program {
    /// The name of a sender.
    pub(crate) fn speaker(&self, number: u32) -> Symbol {
        let number = number as usize;
        match self.agents.get(number) {
            Some(agent) => agent.name,
            None => {
                let stranger = number - self.agents.len();
                *self.strangers.0.get(u32::try_from(stranger).expect("strangers are few"))
            }
        }
    }

    /// How many senders there are.
    pub(crate) fn speakers(&self) -> u32 {
        u32::try_from(self.agents.len() + self.strangers.0.len()).expect("speakers are few")
    }

    /// The number of a sender; `None` when a belief cannot remember as many sources.
    pub(crate) fn speaker_named(&self, name: &str) -> Option<u32> {
        let name = self.terms.symbol(name);
        if let Some(known) = (0..self.speakers()).find(|&number| self.speaker(number) == name) {
            return Some(known);
        }
        if self.speakers() as usize >= MAX_AGENTS {
            return None;
        }
        let stranger = self.strangers.0.intern(name);
        u32::try_from(self.agents.len() + stranger as usize).ok()
    }
}
