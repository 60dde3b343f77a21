//! Plans that call themselves last (Jason): the plan that has nothing left to do makes room for the next one, so that a loop
//! `+!tick <- act; !tick.` does not pile up plans.

use crate::semantics::arithmetic::Trouble;
use crate::semantics::bindings::{canonical, is_ground, renumber};
use crate::semantics::mind::{Event, Instance, SeatId, Status, Trigger};
use crate::semantics::stack::{awaited, follow};
use crate::semantics::thinker::Thinker;
use crate::syntax::{Sign, TriggerKind};
use crate::term::{Symbol, Term, TermId};

/// Where an instance goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    /// The instance that will be below it.
    pub(super) parent: Option<SeatId>,
    /// The instances that make room for it reach from here down to `parent`.
    top: Option<SeatId>,
    /// What `parent` waits for, if that is not the goal itself. Its first variables are those of the goal, in their order.
    pub(super) called: Option<TermId>,
    /// How many more variables `called` has.
    pub(super) further: usize,
}

impl Thinker<'_> {
    /// Where an instance for this event goes: on top of the stack that waits for it, unless plans make room.
    pub(super) fn landing(&self, event: &Event) -> Result<Landing, Trouble> {
        let usual = Landing { parent: event.parent, top: event.parent, called: None, further: 0 };
        let Some(top) = event.parent.filter(|_| self.is_jason() && is_goal(event.trigger)) else {
            return Ok(usual);
        };
        let instance = self.mind.instance(top).expect("events name taken seats");
        let trigger = self.trigger(instance);
        if self.is_recovery(event.trigger) {
            return Ok(self.on_failed(event.trigger, usual));
        }
        if !is_goal(trigger) || !self.is_at_end(instance) {
            return Ok(usual);
        }
        match trigger.sign {
            Sign::Added if self.shape(trigger.term) == self.shape(event.trigger.term) => {
                let below = Landing { parent: instance.parent, ..usual };
                self.seen_through(instance, event.trigger.term, below)
            }
            Sign::Deleted if trigger.term == event.trigger.term => Ok(self.past_recovery(instance, usual)),
            Sign::Added | Sign::Deleted => Ok(usual),
        }
    }

    /// A plan calls a goal like its own last. Whoever waits for it waits for the values that the new plan will find.
    fn seen_through(&self, instance: &Instance, goal: TermId, below: Landing) -> Result<Landing, Trouble> {
        let terms = &self.program.terms;
        let mut bindings = self.bindings_of(instance);
        let called = bindings.resolve(self.called(instance))?;
        let plan = &self.plans()[instance.plan as usize];
        match awaited(plan, instance.counter as usize) {
            Some(pattern) if !is_ground(terms, called) || !is_ground(terms, goal) => {
                let goal = bindings.build_open(pattern, 0)?;
                Ok(self.called_as(goal, called, below))
            }
            _ => Ok(below),
        }
    }

    /// A recovery plan stands for its goal: it hands back what whoever waits for the goal called.
    fn on_failed(&self, trigger: Trigger, usual: Landing) -> Landing {
        let stack = usual.parent.map_or_else(Vec::new, |top| self.mind.stack(top));
        let own = Trigger { sign: Sign::Added, ..trigger };
        let failed = stack
            .iter()
            .filter_map(|&seat| self.mind.instance(seat))
            .find(|instance| instance.status == Status::Failed && self.trigger(instance) == own);
        let Some(failed) = failed.filter(|failed| failed.called.is_some()) else { return usual };
        let own = self.plans()[failed.plan as usize].variables.len();
        let first = u32::try_from(own).expect("a plan has few variables");
        let goal = renumber(&self.program.terms, trigger.term, &mut |variable| variable + first);
        self.called_as(goal, self.called(failed), usual)
    }

    /// `-!g <- ..; !g.`: the recovery and what failed below it have nothing left to do but to go.
    fn past_recovery(&self, recovery: &Instance, usual: Landing) -> Landing {
        let terms = &self.program.terms;
        let closed = |term: TermId| is_ground(terms, term);
        let is_atomic = |instance: &Instance| self.plans()[instance.plan as usize].atomic;
        if is_atomic(recovery) || !closed(recovery.trigger) || !recovery.called.is_none_or(closed) {
            return usual;
        }
        let own = Trigger { sign: Sign::Added, ..self.trigger(recovery) };
        let mut below = recovery.parent;
        while let Some(failed) = below.and_then(|seat| self.mind.instance(seat)) {
            if failed.status != Status::Failed {
                break;
            }
            let is_own = self.trigger(failed) == own;
            if is_atomic(failed) || self.awaits(failed, own.term) {
                return usual;
            }
            below = failed.parent;
            if is_own {
                break;
            }
        }
        // What failed before would go on once this recovery has ended.
        let is_failed = |seat| self.mind.instance(seat).is_some_and(|of| of.status == Status::Failed);
        if below.is_some_and(is_failed) {
            return usual;
        }
        Landing { parent: below, called: recovery.called, ..usual }
    }

    /// Whether the formula that an instance stands at is its last one.
    fn is_at_end(&self, instance: &Instance) -> bool {
        let plan = &self.plans()[instance.plan as usize];
        follow(plan, instance.counter as usize + 1).0 >= plan.body.len()
    }

    /// Name and number of arguments.
    fn shape(&self, term: TermId) -> Option<(Symbol, usize)> {
        match self.program.terms.get(term) {
            Term::Structure(name, args) => Some((*name, args.len())),
            _ => None,
        }
    }

    /// `called`, with the variables that it shares with `goal` numbered as those of an event are.
    fn called_as(&self, goal: TermId, called: TermId, landing: Landing) -> Landing {
        let terms = &self.program.terms;
        let (pair, all) = canonical(terms, terms.list(&[goal, called]));
        let items = terms.items(pair).expect("a list was made");
        let further = all - canonical(terms, goal).1;
        Landing { called: (items[0] != items[1]).then_some(items[1]), further, ..landing }
    }

    /// Takes the plans off the stack that make room.
    pub(super) fn make_room(&mut self, landing: Landing) {
        let mut at = landing.top;
        while at != landing.parent {
            let Some(seat) = at else { return };
            at = self.mind.leave(seat).and_then(|instance| instance.parent);
        }
    }
}

fn is_goal(trigger: Trigger) -> bool {
    trigger.kind != TriggerKind::Belief
}
