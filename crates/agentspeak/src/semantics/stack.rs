//! Intentions as stacks of plan instances: going on, finishing, failing, dropping.

use crate::program::{Condition, Operation, Pattern, Plan, VariableIndex};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::bindings::{Bindings, canonical, is_ground, renumber};
use crate::semantics::deed::Failure;
use crate::semantics::mind::{Instance, SeatId, Status, Trigger};
use crate::semantics::thinker::Thinker;
use crate::term::TermId;

impl<'a> Thinker<'a> {
    /// Goes on after the present formula of an instance.
    pub(crate) fn advance(&mut self, seat: SeatId) -> Result<Failure, Trouble> {
        let next = self.mind.instance(seat).map_or(0, |instance| instance.counter as usize + 1);
        self.advance_to(seat, next)
    }

    /// Goes on at a formula of an instance: at the end of the queue, or, if its body is finished, with the instance
    /// below. Rules ClrInt: finished instances below are cleared in the same step.
    pub(crate) fn advance_to(&mut self, seat: SeatId, next: usize) -> Result<Failure, Trouble> {
        let atomic = self.atomic_stack().is_some_and(|stack| stack.contains(&seat));
        let (goes_on, failure) = self.unwind(seat, next)?;
        if atomic && self.atomic_stack().is_none() {
            // The interpreter looks whether an intention is atomic before it takes finished plans off.
            self.mind.favoured = goes_on;
        }
        Ok(failure)
    }

    /// The instance that goes on, if there is one.
    fn unwind(&mut self, mut seat: SeatId, mut next: usize) -> Result<(Option<SeatId>, Failure), Trouble> {
        loop {
            if self.stand_at(seat, next)? {
                self.mind.runnable.push(seat);
                return Ok((Some(seat), Failure::None));
            }
            let finished = self.mind.leave(seat).expect("the instance was there a moment ago");
            let below = match finished.parent {
                Some(below) if self.is_recovery(self.trigger(&finished)) => {
                    self.clear_failed(finished.trigger, below)
                }
                below => below,
            };
            let Some(below) = below else { return Ok((None, Failure::None)) };
            match self.hand_back(&finished, below) {
                Ok(true) => {}
                Ok(false) | Err(Trouble::Fails) => return Ok((None, self.fail(below))),
                Err(trouble) => return Err(trouble),
            }
            let instance = self.mind.instance_mut(below);
            instance.status = Status::Thinking;
            next = instance.counter as usize + 1;
            seat = below;
        }
    }

    /// Goes on after the present formula of an instance in a later turn, also if its body is finished then: the interpreter
    /// takes a plan off its stack only when it executes one of its formulas (Jason).
    pub(crate) fn requeue(&mut self, seat: SeatId) -> Result<(), Trouble> {
        let next = self.mind.instance_mut(seat).counter as usize + 1;
        self.stand_at(seat, next)?;
        self.mind.runnable.push(seat);
        Ok(())
    }

    /// Sets the formula to execute next, behind all jumps; whether there is one.
    fn stand_at(&mut self, seat: SeatId, next: usize) -> Result<bool, Trouble> {
        let plans = self.plans();
        let instance = self.mind.instance_mut(seat);
        let plan = &plans[instance.plan as usize];
        let (at, forgotten) = follow(plan, next);
        instance.counter = u32::try_from(at.min(plan.body.len())).expect("bodies are short");
        if at < plan.body.len() && !forgotten.is_empty() {
            self.forget(seat, &forgotten)?;
        }
        Ok(at < plan.body.len())
    }

    /// Unbinds variables of an instance.
    fn forget(&mut self, seat: SeatId, variables: &[VariableIndex]) -> Result<(), Trouble> {
        let mut bindings = self.bindings(seat);
        for variable in variables {
            bindings.clear(usize::from(variable.0));
        }
        let binding = bindings.store(self.kept(seat))?;
        self.mind.instance_mut(seat).binding = binding;
        Ok(())
    }

    /// Values that a finished sub-goal found for the variables it was called with.
    fn hand_back(&mut self, finished: &Instance, parent: SeatId) -> Result<bool, Trouble> {
        let terms = &self.program.terms;
        let called = self.called(finished);
        if is_ground(terms, called) {
            return Ok(true);
        }
        let Some(goal) = self.goal_of(parent) else { return Ok(true) };
        let bindings = Bindings::new(terms, self.program.bounds.terms, finished.binding.to_vec());
        let (result, open) = canonical(terms, bindings.resolve(called)?);
        let kept = self.kept(parent);
        let mut reasoner = self.reasoner(parent);
        let result = reasoner.renew(result, open);
        if !reasoner.bindings.unify_pattern(goal, 0, result)? {
            // A plan that goes on after its failure has nothing to do with what the recovery found.
            return Ok(self.is_recovery(self.trigger(finished)));
        }
        let binding = reasoner.bindings.store(kept)?;
        self.mind.instance_mut(parent).binding = binding;
        Ok(true)
    }

    /// What the instance below waits for, with variables of this one.
    pub(crate) fn called(&self, instance: &Instance) -> TermId {
        instance.called.unwrap_or_else(|| {
            let own = self.plans()[instance.plan as usize].variables.len();
            let shift = u32::try_from(own).expect("a plan has few variables");
            renumber(&self.program.terms, instance.trigger, &mut |variable| variable + shift)
        })
    }

    /// The goal that the present formula of an instance posts.
    pub(crate) fn goal_of(&self, seat: SeatId) -> Option<&'a Pattern> {
        let plans = self.plans();
        let instance = self.mind.instance(seat)?;
        awaited(&plans[instance.plan as usize], instance.counter as usize)
    }

    /// Frees a seat; returns what its plan was for and who waits for it.
    pub(crate) fn remove(&mut self, seat: SeatId) -> Option<(Trigger, Option<SeatId>)> {
        self.mind.runnable.retain(|&other| other != seat);
        let instance = self.mind.leave(seat)?;
        Some((self.trigger(&instance), instance.parent))
    }

    /// What an instance was created for.
    pub(crate) fn trigger(&self, instance: &Instance) -> Trigger {
        let plan = &self.plans()[instance.plan as usize];
        Trigger { sign: plan.sign, kind: plan.kind, term: instance.trigger }
    }

    /// Frees a whole stack from its top; returns what it was for.
    pub(crate) fn drop_stack(&mut self, top: SeatId) -> Trigger {
        let stack = self.mind.stack(top);
        let mut bottom = None;
        for seat in stack {
            bottom = self.remove(seat).map(|(trigger, _)| trigger).or(bottom);
        }
        bottom.expect("a stack has at least one instance")
    }

    /// The seats of an atomic intention, if there is one: nothing else may run (Jason).
    pub(crate) fn atomic_stack(&self) -> Option<Vec<SeatId>> {
        if !self.is_jason() {
            return None;
        }
        let atomic = |instance: &Instance| self.plans()[instance.plan as usize].atomic;
        let (seat, _) = self.mind.instances().find(|(_, instance)| atomic(instance))?;
        Some(self.family(seat))
    }

    /// All seats of the stack that a seat belongs to.
    pub(crate) fn family(&self, seat: SeatId) -> Vec<SeatId> {
        let mut family = self.mind.stack(seat);
        family.extend(self.above(seat));
        family
    }

    /// All seats above one on its stack.
    pub(crate) fn above(&self, seat: SeatId) -> Vec<SeatId> {
        let stands_on = |top: SeatId| top != seat && self.mind.stack(top).contains(&seat);
        self.mind.instances().map(|(top, _)| top).filter(|&top| stands_on(top)).collect()
    }

    /// Takes everything off a stack that stands above this seat, and the events the seat waits for.
    pub(crate) fn discard_above(&mut self, seat: SeatId) {
        let above = self.above(seat);
        self.discard(&above);
        self.mind.events.retain(|event| event.parent != Some(seat));
    }

    /// Frees seats with the events they wait for.
    pub(crate) fn discard(&mut self, seats: &[SeatId]) {
        self.mind.events.retain(|event| event.parent.is_none_or(|parent| !seats.contains(&parent)));
        self.mind.runnable.retain(|seat| !seats.contains(seat));
        for &seat in seats {
            self.mind.leave(seat);
        }
    }

    /// The environment executed, or refused, the action that a seat waits for (Jason).
    pub(crate) fn answer(&mut self, seat: SeatId, executed: Executed) -> Result<Failure, Trouble> {
        if self.mind.instance(seat).is_none() {
            self.mind.leave(seat);
            return Ok(Failure::None);
        }
        self.mind.instance_mut(seat).status = Status::Thinking;
        let failure = match executed {
            Executed::Yes => self.advance(seat)?,
            Executed::Refused => self.fail(seat),
        };
        self.check_bounds()?;
        Ok(failure)
    }
}

/// What the environment made of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Executed {
    /// A rule was applied.
    Yes,
    /// No rule matched.
    Refused,
}

/// The goal that a formula posts.
pub(super) fn awaited(plan: &Plan, formula: usize) -> Option<&Pattern> {
    match &plan.body.get(formula)?.operation {
        Operation::Achieve(goal) => Some(goal),
        Operation::Test(Condition::Belief(atom)) => Some(&atom.pattern),
        _ => None,
    }
}

/// Follows jumps, which cost nothing; says which variables are forgotten on the way.
pub(super) fn follow(plan: &Plan, mut at: usize) -> (usize, Vec<VariableIndex>) {
    let mut forgotten = Vec::new();
    for _ in 0..plan.body.len() {
        match plan.body.get(at).map(|instruction| &instruction.operation) {
            Some(Operation::Jump(target)) => at = *target,
            Some(Operation::Forget(variables)) => {
                forgotten.extend(variables);
                at += 1;
            }
            _ => break,
        }
    }
    (at, forgotten)
}
