//! Runs of a quotient as runs of the model.
//!
//! From the actual state the step is taken whose target stands for the next state of the run; there is one, because a state
//! and what stands for it have the same steps up to who is who. A loop of the quotient need not close in the model: the members
//! may stand in another order when it comes back. It is gone round until the actual state is one that was there before.

use motet_evidence::{Branch, Evidence, Fairness, Outcome, Run, Shown, Stop, Taken, Verdict};
use motet_model::{State, Steps, SubjectId};

use super::{Quotient, Scratch};

/// The most steps that a run may have. A loop that does not close by then is not shown.
const MOST_STEPS: usize = 20_000;

impl Quotient<'_> {
    /// The same answer with its runs in the model; what cannot be told there is left out.
    #[must_use]
    pub fn unfold_outcome(&self, mut outcome: Outcome) -> Outcome {
        if self.groups.is_empty() {
            return outcome;
        }
        outcome.evidence = outcome.evidence.and_then(|evidence| self.unfold(&evidence));
        if let Verdict::Unknown(Stop::Bound(message)) = &outcome.verdict {
            // The fault of an image may be told of another member.
            let same = |evidence: &Evidence| {
                let last = evidence.run.states.last().expect("a run has a state");
                let fault = self.model.steps(last, &mut Steps::new(last.len())).err();
                fault.is_some_and(|fault| fault.message == *message)
            };
            outcome.evidence = outcome.evidence.filter(same);
        }
        if let Some(quantity) = &mut outcome.quantity {
            // A decision is told by its ordinal, and a way by its chance: both are others in the model.
            quantity.strategy = None;
            quantity.ways.clear();
            quantity.values.clear();
            if let Some(infinite) = &mut quantity.infinite {
                infinite.run = infinite.run.take().and_then(|run| self.unfold_run(&run));
            }
        }
        outcome
    }

    /// A run of the model for a finite run of the quotient.
    #[must_use]
    pub fn unfold_run(&self, run: &Run) -> Option<Run> {
        if self.groups.is_empty() {
            return Some(run.clone());
        }
        Some(self.unfold(&Evidence::finite(run.clone()))?.run)
    }

    /// Evidence in the model for evidence in the quotient; `None` where it would be too long.
    #[must_use]
    pub fn unfold(&self, evidence: &Evidence) -> Option<Evidence> {
        if self.groups.is_empty() {
            return Some(evidence.clone());
        }
        let mut unfolding = Unfolding { quotient: self, scratch: Scratch::default(), left: MOST_STEPS };
        unfolding.whole(evidence)
    }
}

struct Unfolding<'q, 'm> {
    quotient: &'q Quotient<'m>,
    scratch: Scratch,
    /// How many steps may still be taken, in all runs together.
    left: usize,
}

impl Unfolding<'_, '_> {
    fn whole(&mut self, evidence: &Evidence) -> Option<Evidence> {
        let mut starts = Vec::new();
        self.quotient.model.initial(&mut starts);
        let first = evidence.run.states.first()?;
        let at = starts.iter().position(|start| self.stands_for(first, start))?;
        let mut unfolded = self.onward(&starts[at], evidence)?;
        unfolded.run.initial = u32::try_from(at).ok()?;
        Some(unfolded)
    }

    fn stands_for(&mut self, settled: &State, state: &State) -> bool {
        *self.quotient.settled(state, &mut self.scratch) == *settled
    }

    /// The evidence from an actual state, for which its first state stands.
    fn onward(&mut self, start: &State, evidence: &Evidence) -> Option<Evidence> {
        let told = &evidence.run;
        let mut run = Run { initial: 0, states: vec![start.into()], steps: Vec::new() };
        let mut positions: Vec<usize> = vec![0];
        // The actual states at the first state of the loop, and where they were.
        let mut heads: Vec<usize> = Vec::new();
        let mut at = 0;
        let closed = loop {
            if evidence.loop_start == Some(at) {
                heads.push(run.steps.len());
            }
            if at == told.steps.len() {
                let Some(back) = evidence.loop_start else { break None };
                let here = &run.states[run.steps.len()];
                if let Some(&head) = heads.iter().find(|&&head| run.states[head] == *here) {
                    break Some(head);
                }
                heads.push(run.steps.len());
                *positions.last_mut()? = back;
                at = back;
                if told.steps.len() == back {
                    return None;
                }
            }
            self.left = self.left.checked_sub(1)?;
            let wanted: Vec<Box<State>> = if at + 1 == told.steps.len() {
                heads.iter().map(|&head| run.states[head].clone()).collect()
            } else {
                Vec::new()
            };
            let here = run.states.last()?.clone();
            let (taken, target) = self.step(&here, told, at, evidence.fairness, &wanted)?;
            run.steps.push(taken);
            run.states.push(target);
            at += 1;
            positions.push(at);
        };
        let branches = self.branches(evidence, &run, &positions)?;
        Some(Evidence { run, loop_start: closed, fairness: evidence.fairness, branches })
    }

    /// The step from an actual state that the told run takes; one that closes a loop, if there is a choice.
    fn step(
        &mut self,
        here: &State,
        told: &Run,
        at: usize,
        fairness: Fairness,
        wanted: &[Box<State>],
    ) -> Option<(Taken, Box<State>)> {
        let (model, taken, next) = (self.quotient.model, &told.steps[at], &told.states[at + 1]);
        let facets = model.facets();
        let subject = |process, action| -> SubjectId { facets.subject(process, action) };
        let mut steps = Steps::new(here.len());
        model.steps(here, &mut steps).ok()?;
        let mut found: Option<(Taken, Box<State>)> = None;
        for (ordinal, step) in steps.iter().enumerate() {
            let fair = fairness == Fairness::None
                || subject(step.process, step.action) == subject(taken.process, taken.action);
            if step.delay != taken.delay || !fair {
                continue;
            }
            for (branch, outcome) in step.branches().enumerate() {
                let closes = || wanted.iter().any(|wanted| **wanted == *outcome.target);
                if outcome.chance.is_zero() || (found.is_some() && !closes()) {
                    continue;
                }
                if !self.stands_for(next, outcome.target) {
                    continue;
                }
                let (closing, number) = (closes(), |n: usize| u32::try_from(n).ok());
                let taken = Taken {
                    ordinal: number(ordinal)?,
                    branch: number(branch)?,
                    process: step.process,
                    action: step.action,
                    delay: step.delay,
                };
                found = Some((taken, outcome.target.into()));
                if closing || wanted.is_empty() {
                    return found;
                }
            }
        }
        found
    }

    /// What the run alone does not show, at every place that the told place became.
    fn branches(&mut self, evidence: &Evidence, run: &Run, positions: &[usize]) -> Option<Vec<Branch>> {
        let mut branches = Vec::new();
        for branch in &evidence.branches {
            for (place, _) in positions.iter().enumerate().filter(|(_, at)| **at == branch.at) {
                let shown = match &branch.shown {
                    Shown::Search => Shown::Search,
                    Shown::Onward(onward) => {
                        Shown::Onward(Box::new(self.onward(&run.states[place].clone(), onward)?))
                    }
                    // Knowledge is never asked of a quotient.
                    Shown::Elsewhere(..) => return None,
                };
                branches.push(Branch { at: place, shown, ..branch.clone() });
            }
        }
        Some(branches)
    }
}
