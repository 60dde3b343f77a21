//! Plans that fail. In AgentSpeak(F) the whole intention is lost. In Jason the plans that failed stay on the stack, and a
//! recovery plan is put on top of them; what is left of them goes once the recovery has ended.

use crate::program::Operation;
use crate::semantics::deed::Failure;
use crate::semantics::mind::{Instance, SeatId, Source, Status, Trigger};
use crate::semantics::thinker::Thinker;
use crate::syntax::{Sign, TriggerKind};
use crate::term::TermId;

/// The goal whose recovery is called for, and how many instances, from the top of the stack, failed for good.
struct Recovery {
    trigger: Trigger,
    failed: usize,
}

impl Thinker<'_> {
    /// The plan in this seat, at the top of its stack, failed.
    pub(crate) fn fail(&mut self, seat: SeatId) -> Failure {
        if !self.is_jason() {
            return Failure::Lost(self.drop_stack(seat));
        }
        let stack = self.mind.stack(seat);
        let failed = self.mind.instance(seat).expect("a plan that fails was carried out");
        let trigger = self.trigger(failed);
        self.recover(trigger, &stack, 1)
    }

    /// A goal that `parent` waits for cannot be achieved (Jason).
    pub(crate) fn goal_failed(&mut self, trigger: Trigger, parent: Option<SeatId>) -> Failure {
        let stack = parent.map_or_else(Vec::new, |parent| self.mind.stack(parent));
        self.recover(trigger, &stack, 0)
    }

    /// Whether a trigger is that of a recovery plan.
    pub(crate) fn is_recovery(&self, trigger: Trigger) -> bool {
        self.is_jason() && trigger.sign == Sign::Deleted && trigger.kind != TriggerKind::Belief
    }

    /// Calls for a recovery plan, or drops the stack if there is none. So many instances at the top have failed so far.
    fn recover(&mut self, trigger: Trigger, stack: &[SeatId], failed: usize) -> Failure {
        let Some(recovery) = self.recovery(trigger, stack, failed) else {
            return Failure::Lost(stack.first().map_or(trigger, |&top| self.drop_stack(top)));
        };
        for &seat in &stack[..recovery.failed] {
            self.mind.instance_mut(seat).status = Status::Failed;
        }
        let is_failed =
            |seat: &&SeatId| self.mind.instance(**seat).is_some_and(|of| of.status == Status::Failed);
        let failed: Vec<SeatId> = stack.iter().take_while(is_failed).copied().collect();
        let rest = self.without_repetition(&failed);
        let top = stack.get(rest).copied();
        for &seat in &stack[..rest] {
            self.remove(seat);
        }
        self.post(recovery.trigger, top, Source::Own);
        Failure::Recovering(recovery.trigger)
    }

    /// Looks down the stack for the first goal that has recovery plans. A belief that has plans for its end ends the search:
    /// they are taken for recovery plans, which beliefs have none of.
    fn recovery(&self, mut trigger: Trigger, stack: &[SeatId], mut failed: usize) -> Option<Recovery> {
        let at = |place: usize| self.mind.instance(stack[place]).map(|instance| self.trigger(instance));
        if self.is_recovery(trigger) {
            failed = self.behind(trigger.term, stack);
            trigger = at(failed - 1)?;
        }
        loop {
            let deleted = Trigger { sign: Sign::Deleted, ..trigger };
            if self.has_candidate(deleted) {
                let is_goal = trigger.kind != TriggerKind::Belief;
                return is_goal.then_some(Recovery { trigger: deleted, failed });
            }
            if failed == stack.len() {
                return None;
            }
            trigger = at(failed)?;
            failed += 1;
        }
    }

    /// A recovery plan for `goal` at the top of the stack failed: what failed with it reaches down to the instance behind
    /// those for the goal itself. At the bottom of the stack there is none behind, and the recovery is called for again.
    fn behind(&self, goal: TermId, stack: &[SeatId]) -> usize {
        let is_for_goal = |seat: SeatId| {
            self.mind.instance(seat).is_some_and(|instance| self.unifiable(instance.trigger, goal))
        };
        let first = (1..stack.len()).find(|&place| is_for_goal(stack[place]));
        let Some(mut place) = first else { return stack.len() };
        while place + 1 < stack.len() && is_for_goal(stack[place]) {
            place += 1;
        }
        place + 1
    }

    /// How many of the failed instances at the top say once more what those below them say: a recovery that is called for
    /// again and again would otherwise leave its remains in ever larger stacks.
    fn without_repetition(&self, failed: &[SeatId]) -> usize {
        let alike = |one: SeatId, two: SeatId| match (self.mind.instance(one), self.mind.instance(two)) {
            (Some(one), Some(two)) => Instance { parent: two.parent, ..one.clone() } == *two,
            _ => false,
        };
        let repeats = |&period: &usize| {
            let (first, second) = (&failed[..period], &failed[period..2 * period]);
            first.iter().zip(second).all(|(&one, &two)| alike(one, two))
        };
        (1..=failed.len() / 2).find(repeats).unwrap_or(0)
    }

    /// A recovery plan for `goal` has ended: takes what failed off the stack under it and returns the instance that goes on.
    pub(crate) fn clear_failed(&mut self, goal: TermId, below: SeatId) -> Option<SeatId> {
        if self.awaits(self.mind.instance(below)?, goal) {
            return Some(below);
        }
        let mut at = below;
        loop {
            let gone = self.mind.leave(at)?;
            let next = gone.parent?;
            let is_goal = self.plans()[gone.plan as usize].kind != TriggerKind::Belief;
            if is_goal && self.unifiable(gone.trigger, goal) || self.awaits(&gone, goal) {
                return Some(next);
            }
            at = next;
        }
    }

    /// Whether an instance stands at a formula that posts the goal.
    pub(super) fn awaits(&self, instance: &Instance, goal: TermId) -> bool {
        let plan = &self.plans()[instance.plan as usize];
        let formula = plan.body.get(instance.counter as usize);
        let Some(Operation::Achieve(pattern)) = formula.map(|formula| &formula.operation) else {
            return false;
        };
        let mut bindings = self.bindings_of(instance);
        bindings.build_open(pattern, 0).is_ok_and(|posted| self.unifiable(posted, goal))
    }
}
