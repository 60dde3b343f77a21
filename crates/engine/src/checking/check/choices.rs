//! Claims about single runs, where strategies are fair to choices.
//!
//! A run that takes every choice of a state it comes to again and again is strongly fair to whoever has these choices. So what
//! is so on all strongly fair runs is so on all of these, and what a run has shown after finitely many steps it has shown
//! however it goes on. A run that shows something only in the end, and is known to be strongly fair, may pass over a choice: it
//! decides nothing.

use motet_evidence::{Outcome, Stop, Verdict};
use motet_model::AtomId;
use motet_property::{Claim, Feature, Fragment, Kind, features, fragment};

use super::unanswered;
use crate::chance::is_about_chance;
use crate::checking::settings::{Settings, Strategies};
use crate::metric_time::wait::Wait;

/// Why such a claim is open.
const OPEN: &str = "a claim about single runs that strong fairness does not decide, where strategies are fair to choices: ask for \
                    a chance, as in P>=1 [ ... ], or count the runs of --fair strong";

/// What is left of the answers when choices must not be passed over.
pub(super) fn reconsider(claims: &[Claim<AtomId>], outcomes: &mut [Outcome], settings: &Settings) {
    if settings.strategies == Strategies::AsRuns {
        return;
    }
    for (claim, outcome) in claims.iter().zip(outcomes) {
        if is_about_chance(&claim.formula) {
            continue;
        }
        // The worst of all strongly fair runs may pass over a choice.
        outcome.margin = None;
        if !stands(claim, outcome) {
            let coverage = outcome.coverage.clone();
            *outcome = Outcome { coverage, ..unanswered(&Stop::Unsupported(OPEN.to_owned())) };
        }
    }
}

fn stands(claim: &Claim<AtomId>, outcome: &Outcome) -> bool {
    if matches!(fragment(claim), Fragment::Invariant(_) | Fragment::Reachability(_)) {
        return true;
    }
    let (some, none) = match claim.kind {
        Kind::Property => (Verdict::Fails, Verdict::Holds),
        Kind::Possible | Kind::Assume => (Verdict::Holds, Verdict::Fails),
        Kind::Query => return matches!(outcome.verdict, Verdict::Unknown(_)),
    };
    if Wait::of(&claim.formula).is_some() {
        return matches!(outcome.verdict, Verdict::Unknown(_));
    }
    let branching = features(&claim.formula).contains(&Feature::Branching);
    let finite = outcome.evidence.as_ref().is_some_and(|evidence| evidence.loop_start.is_none());
    match &outcome.verdict {
        Verdict::Unknown(_) => true,
        _ if branching => false,
        verdict if *verdict == some => finite,
        verdict => *verdict == none,
    }
}
