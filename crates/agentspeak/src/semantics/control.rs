//! Internal actions that change the agent's own goals (Jason): dropping, succeeding, failing.

use crate::program::{Argument, Internal};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::deed::{Effect, Failure};
use crate::semantics::internal;
use crate::semantics::mind::{Event, SeatId};
use crate::semantics::thinker::Thinker;
use crate::syntax::{Sign, TriggerKind};
use crate::term::TermId;

impl Thinker<'_> {
    /// Executes one of them for the intention in `seat`.
    pub(crate) fn control(
        &mut self,
        seat: SeatId,
        internal: Internal,
        args: &[Argument],
    ) -> Result<Effect, Trouble> {
        let failure = match internal {
            Internal::DropAllDesires | Internal::DropAllIntentions => {
                self.drop_all(seat, internal);
                Failure::None
            }
            _ => {
                let goal = self.build_goal(seat, internal::pattern(args, 0)?)?;
                match internal {
                    Internal::DropDesire => self.drop_desire(goal),
                    Internal::DropIntention => self.drop_intention(goal),
                    Internal::DropEvent => self.drop_events(goal),
                    Internal::SucceedGoal => self.succeed_goal(goal)?,
                    _ => return self.fail_goal(seat, goal),
                }
                Failure::None
            }
        };
        self.settle(seat, failure)
    }

    /// The executing plan goes on, unless it was among those that ended.
    fn settle(&mut self, seat: SeatId, failure: Failure) -> Result<Effect, Trouble> {
        if self.mind.instance(seat).is_some() && !self.mind.runnable.contains(&seat) {
            self.advance(seat)?;
        }
        Ok(match failure {
            Failure::None => Effect::Silent,
            failure => Effect::Failed(failure),
        })
    }

    /// Every intention and event for the goal.
    pub(crate) fn drop_desire(&mut self, goal: TermId) {
        self.drop_events(goal);
        self.drop_intention(goal);
    }

    /// Every intention that has the goal anywhere on its stack.
    fn drop_intention(&mut self, goal: TermId) {
        for seat in self.instances_for(goal) {
            if self.mind.instance(seat).is_some() {
                let family = self.family(seat);
                self.discard(&family);
            }
        }
    }

    /// Every event that posts the goal; an intention that waits for it has nothing left to wait for.
    fn drop_events(&mut self, goal: TermId) {
        for event in self.take_events(goal) {
            if let Some(parent) = event.parent {
                let family = self.family(parent);
                self.discard(&family);
            }
        }
    }

    fn drop_all(&mut self, seat: SeatId, internal: Internal) {
        let own = self.family(seat);
        let others: Vec<SeatId> =
            self.mind.instances().map(|(other, _)| other).filter(|other| !own.contains(other)).collect();
        self.discard(&others);
        if internal == Internal::DropAllDesires {
            self.mind.events.retain(|event| event.trigger.kind == TriggerKind::Belief);
        }
    }

    /// The goal counts as achieved: whoever waits for it goes on.
    fn succeed_goal(&mut self, goal: TermId) -> Result<(), Trouble> {
        for parent in self.take_events(goal).into_iter().filter_map(|event| event.parent) {
            self.advance(parent)?;
        }
        for seat in self.instances_for(goal) {
            let Some(parent) = self.mind.instance(seat).map(|instance| instance.parent) else { continue };
            self.discard_above(seat);
            self.discard(&[seat]);
            if let Some(parent) = parent {
                self.advance(parent)?;
            }
        }
        Ok(())
    }

    /// The goal counts as failed: its recovery plan runs, or whoever waits for it fails too.
    fn fail_goal(&mut self, current: SeatId, goal: TermId) -> Result<Effect, Trouble> {
        let mut failure = Failure::None;
        for event in self.take_events(goal) {
            failure = self.goal_failed(event.trigger, event.parent);
        }
        for seat in self.instances_for(goal) {
            if self.mind.instance(seat).is_none() {
                continue;
            }
            self.discard_above(seat);
            if let Some((trigger, parent)) = self.remove(seat) {
                failure = self.goal_failed(trigger, parent);
            }
        }
        self.settle(current, failure)
    }

    /// Seats of instances for the goal.
    fn instances_for(&self, goal: TermId) -> Vec<SeatId> {
        let plans = self.plans();
        let wanted = self.mind.instances().filter(|(_, instance)| {
            let plan = &plans[instance.plan as usize];
            plan.kind == TriggerKind::Achieve
                && plan.sign == Sign::Added
                && self.unifiable(goal, instance.trigger)
        });
        wanted.map(|(seat, _)| seat).collect()
    }

    /// Removes the events that post the goal.
    fn take_events(&mut self, goal: TermId) -> Vec<Event> {
        let events = std::mem::take(&mut self.mind.events);
        let (taken, kept) = events.into_iter().partition(|event| {
            event.trigger.kind == TriggerKind::Achieve
                && event.trigger.sign == Sign::Added
                && self.unifiable(goal, event.trigger.term)
        });
        self.mind.events = kept;
        taken
    }
}
