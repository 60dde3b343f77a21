//! Event selection: the third part of a reasoning cycle (Bordini et al. 2003, 4.1; the rules are those of Moreira and
//! Bordini 2002).

use crate::semantics::arithmetic::Trouble;
use crate::semantics::bindings::{canonical, renumber};
use crate::semantics::condition::Reasoner;
use crate::semantics::deed::{Deed, Failure, Relevance, Selection};
use crate::semantics::mind::{Event, Instance, Phase, Status};
use crate::semantics::tail::Landing;
use crate::semantics::thinker::Thinker;
use crate::syntax::{Sign, TriggerKind};
use crate::term::TermId;

impl Thinker<'_> {
    /// Rules SelEv1 and SelEv2: takes the first event, if there is one. It is removed whatever comes of it. Jason passes over
    /// beliefs from outside for which no plan applies.
    pub(crate) fn select_event(&mut self) -> Result<Deed, Trouble> {
        self.mind.phase = Phase::Execute;
        let agent = self.number();
        let mut passed_over = Vec::new();
        let selected = loop {
            let Some(at) = self.next_event() else { break None };
            let event = self.mind.events.remove(at);
            let landing = self.landing(&event)?;
            let selection = match self.applicable_plan(&event, landing.further)? {
                Ok((plan, binding)) => {
                    self.intend(&event, landing, plan, binding);
                    Selection::Plan(plan)
                }
                Err(relevance) => Selection::Dropped(relevance, self.drop_event(&event)?),
            };
            let idle = matches!(selection, Selection::Dropped(..)) && is_from_outside(&event);
            if !idle || !self.is_jason() {
                break Some((event, selection));
            }
            passed_over.push(event);
        };
        Ok(Deed::Select { agent, passed_over: passed_over.into(), selected })
    }

    /// First come, first served; an atomic plan lets only its own events through (Jason).
    fn next_event(&self) -> Option<usize> {
        if self.mind.favoured.is_some() {
            return None;
        }
        let mut events = self.mind.events.iter();
        match self.atomic_stack() {
            None => (!self.mind.events.is_empty()).then_some(0),
            Some(stack) => {
                events.position(|event| event.parent.is_some_and(|parent| stack.contains(&parent)))
            }
        }
    }

    /// Rules Rel, Appl and SelAppl in one: the first plan in the order of the text whose trigger unifies with the event
    /// and whose context has a solution, with the first solution.
    #[expect(clippy::type_complexity, reason = "either a plan with its values, or why there is none")]
    fn applicable_plan(
        &mut self,
        event: &Event,
        further: usize,
    ) -> Result<Result<(u32, Box<[Option<TermId>]>), Relevance>, Trouble> {
        let terms = &self.program.terms;
        let open = canonical(terms, event.trigger.term).1;
        let mut relevance = Relevance::Irrelevant;
        for (number, plan) in self.plans().iter().enumerate() {
            if plan.sign != event.trigger.sign || plan.kind != event.trigger.kind {
                continue;
            }
            let own = plan.variables.len();
            let shift = u32::try_from(own).expect("a plan has few variables");
            let goal = renumber(terms, event.trigger.term, &mut |variable| variable + shift);
            let values = vec![None; own + open + further];
            let mut reasoner = Reasoner::new(self.program, self.agent, &self.mind, self.choices, values);
            match relevant(&mut reasoner, plan, event, goal) {
                Ok(true) => relevance = Relevance::Relevant,
                Ok(false) | Err(Trouble::Fails) => continue,
                Err(trouble) => return Err(trouble),
            }
            if reasoner.solve(&plan.context)? {
                let binding = reasoner.bindings.store(own + open + further)?;
                return Ok(Ok((u32::try_from(number).expect("a library has few plans"), binding)));
            }
        }
        Ok(Err(relevance))
    }

    /// Rules ExtEv and IntEv: an instance of the plan in the lowest free seat, on top of the intention that caused the
    /// event, at the end of the queue.
    fn intend(&mut self, event: &Event, landing: Landing, plan: u32, binding: Box<[Option<TermId>]>) {
        self.make_room(landing);
        let own = self.plans()[plan as usize].variables.len();
        let shift = u32::try_from(own).expect("a plan has few variables");
        let terms = &self.program.terms;
        let called = landing.called.map(|called| renumber(terms, called, &mut |variable| variable + shift));
        let seat = self.mind.seat(Instance {
            plan,
            counter: 0,
            trigger: event.trigger.term,
            parent: landing.parent,
            called,
            binding,
            status: Status::Thinking,
        });
        self.mind.runnable.push(seat);
    }

    /// No plan applies. In AgentSpeak(F) the event is discarded, and with it the intention that waits for it: the
    /// definition of intending (Bordini et al. 2003, 4.2) no longer sees its stack.
    fn drop_event(&mut self, event: &Event) -> Result<Failure, Trouble> {
        if !self.is_jason() {
            return Ok(match event.parent {
                Some(parent) => Failure::Lost(self.drop_stack(parent)),
                None => Failure::None,
            });
        }
        match (event.trigger.kind, event.trigger.sign, event.parent) {
            (TriggerKind::Belief, _, Some(parent)) => self.requeue(parent).map(|()| Failure::None),
            (TriggerKind::Belief, _, None) => Ok(Failure::None),
            (_, Sign::Added, parent) => Ok(self.goal_failed(event.trigger, parent)),
            // Recovery plans that do not apply: nobody below is asked.
            (_, Sign::Deleted, Some(parent)) => Ok(Failure::Lost(self.drop_stack(parent))),
            (_, Sign::Deleted, None) => Ok(Failure::Lost(event.trigger)),
        }
    }
}

/// A belief that changed otherwise than by a plan.
fn is_from_outside(event: &Event) -> bool {
    event.trigger.kind == TriggerKind::Belief && event.parent.is_none()
}

/// Whether the plan's trigger, with its source, unifies with the event.
pub(crate) fn relevant<'a>(
    reasoner: &mut Reasoner<'a>,
    plan: &'a crate::program::Plan,
    event: &Event,
    goal: TermId,
) -> Result<bool, Trouble> {
    if !reasoner.bindings.unify_pattern(&plan.trigger.pattern, 0, goal)? {
        return Ok(false);
    }
    match (&plan.trigger.source, event.source) {
        (Some(pattern), Some(source)) => {
            let source = reasoner.source_term(source);
            reasoner.bindings.unify_pattern(pattern, 0, source)
        }
        _ => Ok(true),
    }
}
