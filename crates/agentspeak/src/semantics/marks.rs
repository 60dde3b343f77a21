//! The most of everything that was ever held at once, so that a user knows how far the bounds are.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::semantics::mind::Mind;

/// High-water marks.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    beliefs: AtomicU32,
    events: AtomicU32,
    intentions: AtomicU32,
    actions: AtomicU32,
    messages: AtomicU32,
}

impl Marks {
    /// Takes a mind into account.
    pub(crate) fn mind(&self, mind: &Mind) {
        raise(&self.beliefs, mind.beliefs.len());
        raise(&self.events, mind.events.len());
        raise(&self.intentions, mind.instances().count());
        raise(&self.messages, mind.mail.len());
    }

    /// Takes a queue of actions into account.
    pub(crate) fn queue(&self, actions: usize) {
        raise(&self.actions, actions);
    }

    /// Beliefs, events, intentions, actions, messages.
    pub(crate) fn numbers(&self) -> [u32; 5] {
        [&self.beliefs, &self.events, &self.intentions, &self.actions, &self.messages]
            .map(|mark| mark.load(Ordering::Relaxed))
    }

    /// `beliefs 8, events 5, ...`
    pub(crate) fn show(&self) -> String {
        let all = [
            ("beliefs", &self.beliefs),
            ("events", &self.events),
            ("intentions", &self.intentions),
            ("actions", &self.actions),
            ("messages", &self.messages),
        ];
        let show = |(what, mark): &(&str, &AtomicU32)| format!("{what} {}", mark.load(Ordering::Relaxed));
        all.iter().map(show).collect::<Vec<_>>().join(", ")
    }
}

fn raise(mark: &AtomicU32, size: usize) {
    mark.fetch_max(u32::try_from(size).unwrap_or(u32::MAX), Ordering::Relaxed);
}
