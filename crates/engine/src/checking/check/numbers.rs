//! Claims about chance, on their own or several at the same time.

use std::collections::BTreeMap;

use motet_evidence::{Outcome, Stop, Verdict};
use motet_model::AtomId;
use motet_property::Claim;

use super::{Checker, Task};
use crate::chance::{self, is_about_chance};
use crate::exploration::limits::{Meter, Phase};
use crate::metric_time::wait::Wait;

impl Checker<'_> {
    /// The answers to claims about chance that threads find at the same time, by the numbers of the claims.
    pub(super) fn answer_together(
        &mut self,
        tasks: &[Task<'_>],
        meter: &mut Meter<'_>,
    ) -> BTreeMap<usize, Outcome> {
        let about =
            |task: &Task<'_>| is_about_chance(&task.claim.formula) && Wait::of(&task.claim.formula).is_none();
        let numbers: Vec<usize> = (0..tasks.len()).filter(|&number| about(&tasks[number])).collect();
        // Beside an assumption there are no numbers.
        let Some(&first) = numbers.first().filter(|_| !tasks.iter().any(Task::assumes)) else {
            return BTreeMap::new();
        };
        meter.enter(Phase::Claim(first));
        let claims: Vec<&Claim<AtomId>> = numbers.iter().map(|&number| tasks[number].claim).collect();
        let outcomes =
            chance::answers(self.model, self.graph, &mut self.matrix, &claims, self.settings, meter);
        numbers.into_iter().zip(outcomes).filter_map(|(number, outcome)| Some((number, outcome?))).collect()
    }

    /// Answers a claim about chance on its own.
    pub(super) fn chance(&mut self, task: &Task<'_>, tasks: &[Task<'_>], meter: &mut Meter<'_>) -> Outcome {
        let mut outcome =
            chance::answer(self.model, self.graph, &mut self.matrix, task.claim, self.settings, meter);
        // Chances under the condition that a run satisfies the assumptions are other numbers.
        if tasks.iter().any(Task::assumes) {
            let words = "a number beside `assume`: it would be about the runs that satisfy the assumption alone; \
                         say the condition inside the brackets, as in P=? [ condition & path ], or take `assume` out";
            outcome.verdict = Verdict::Unknown(Stop::Unsupported(words.to_owned()));
            outcome.quantity = None;
        }
        outcome
    }
}
