//! Claims about runs, several at the same time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use motet_evidence::{Outcome, Verdict};
use motet_property::Kind;

use super::{Checker, Task};
use crate::chance::is_about_chance;
use crate::checking::quest::Quest;
use crate::checking::settings::Examine;
use crate::exploration::limits::{Meter, Phase};
use crate::exploration::side_by_side::side_by_side;
use crate::exploration::threads::LARGE;
use crate::metric_time::wait::Wait;

impl Checker<'_> {
    /// The answers to claims about runs that threads find at the same time, by the numbers of the claims. A claim that is
    /// alone is searched by all threads together.
    pub(super) fn answer_side_by_side(
        &mut self,
        tasks: &[Task<'_>],
        meter: &mut Meter<'_>,
    ) -> BTreeMap<usize, Outcome> {
        let small = self.graph.n_states() < LARGE || meter.threads() < 2;
        // Stronger claims are made up on the way, one after the other.
        if small || self.graph.obstacle().is_some() || self.settings.vacuity == Examine::InFull {
            return BTreeMap::new();
        }
        let wanted: Vec<usize> = (0..tasks.len()).filter(|&number| is_about_runs(&tasks[number])).collect();
        let Some(&first) = wanted.first().filter(|_| wanted.len() > 1) else { return BTreeMap::new() };
        meter.enter(Phase::Claim(first));
        let mut ready: Vec<(usize, &Quest)> = Vec::new();
        for number in wanted {
            if let (Ok(()), Ok(quest)) = (self.derive(&tasks[number].path, meter), &tasks[number].quest) {
                ready.push((number, quest));
            }
        }
        // The longest come first, so that nobody begins with one when all others are done.
        ready.sort_by_key(|(number, quest)| (Reverse(quest.size()), *number));
        let outcomes = side_by_side(ready.len(), meter, |at, meter| {
            let (number, quest) = ready[at];
            let task = &tasks[number];
            let mut outcome = self.judged(task, quest, meter);
            let examined = self.settings.vacuity == Examine::Yes && task.claim.kind == Kind::Property;
            if outcome.verdict == Verdict::Holds && examined {
                outcome.vacuity = self.antecedents(task, tasks, meter);
            }
            outcome
        });
        ready
            .into_iter()
            .zip(outcomes)
            .filter_map(|((number, _), outcome)| Some((number, outcome?)))
            .collect()
    }
}

/// Whether a search for a run answers a claim. What a single look at all states answers is not worth a thread.
fn is_about_runs(task: &Task<'_>) -> bool {
    let formula = &task.claim.formula;
    let quest = task.quest.as_ref().is_ok_and(|quest| !matches!(quest, Quest::Goal(_) | Quest::Start(_)));
    quest && Wait::of(formula).is_none() && !is_about_chance(formula)
}
