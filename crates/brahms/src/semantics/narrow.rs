//! Options that leave out some of what a model may do, as soon as a step comes across something that they leave out.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Semantics;
use crate::program::{Durations, Rules, Ties};

/// Which options left something out in a step that was asked for.
#[derive(Debug, Default)]
pub(super) struct Narrowed {
    ties: AtomicBool,
    durations: AtomicBool,
}

impl Narrowed {
    /// One of several equals was taken as an option says.
    pub(super) fn tie(&self) {
        note(&self.ties);
    }

    /// One of several lengths was taken as an option says.
    pub(super) fn length(&self) {
        note(&self.durations);
    }
}

fn note(flag: &AtomicBool) {
    if !flag.load(Ordering::Relaxed) {
        flag.store(true, Ordering::Relaxed);
    }
}

impl Semantics {
    /// The options that left something out in a step that was asked for: `ties=first`, `durations=ends`.
    pub(crate) fn narrowed(&self) -> Vec<String> {
        let rules = &self.program.rules;
        let happened = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let ties = ties(rules).filter(|_| happened(&self.narrowed.ties));
        let durations = durations(rules).filter(|_| happened(&self.narrowed.durations));
        ties.into_iter().chain(durations).map(str::to_owned).collect()
    }
}

/// All options of these rules that may leave something out.
pub(crate) fn narrowing(rules: &Rules) -> Vec<String> {
    ties(rules).into_iter().chain(durations(rules)).map(str::to_owned).collect()
}

fn ties(rules: &Rules) -> Option<&'static str> {
    match rules.ties {
        Ties::Choice => None,
        Ties::First => Some("ties=first"),
        Ties::Random => Some("ties=random"),
    }
}

fn durations(rules: &Rules) -> Option<&'static str> {
    match rules.durations {
        Durations::Ends => Some("durations=ends"),
        Durations::Random => Some("durations=random"),
        Durations::All | Durations::Choice => None,
    }
}
