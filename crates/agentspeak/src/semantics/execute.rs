//! Intention execution: the last part of a reasoning cycle (Bordini et al. 2003, 4.1; the rules are those of Moreira
//! and Bordini 2002). One formula of one intention is executed.

use crate::program::{Argument, Condition, Force, Internal, Operation, Pattern};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::bindings::is_ground;
use crate::semantics::deed::{Deed, Effect, Execution, Failure};
use crate::semantics::internal::{self, Found};
use crate::semantics::mind::{Message, Phase, SeatId, Source, Status, Trigger};
use crate::semantics::thinker::{Act, Thinker};
use crate::syntax::{Sign, TriggerKind};
use crate::term::TermId;

impl Thinker<'_> {
    /// Rules SelInt1 and SelInt2: takes the first runnable intention, if there is one, and executes its next formula.
    pub(crate) fn execute_intention(&mut self) -> Result<Deed, Trouble> {
        self.mind.phase = Phase::Mail;
        let agent = self.number();
        let Some(at) = self.next_intention() else {
            return Ok(Deed::Execute { agent, executed: None });
        };
        let seat = self.mind.runnable.remove(at);
        self.mind.favoured = None;
        let (plan, formula) =
            self.mind.instance(seat).map(|i| (i.plan, i.counter)).expect("queues name taken seats");
        let instruction = self.plans()[plan as usize].body.get(formula as usize);
        let effect = match instruction {
            // A plan without a body is an intention for one step.
            None => self.go_on(seat)?,
            Some(instruction) => match self.execute(seat, &instruction.operation) {
                Err(Trouble::Fails) => Effect::Failed(self.fail(seat)),
                effect => effect?,
            },
        };
        Ok(Deed::Execute { agent, executed: Some(Execution { plan, formula, effect }) })
    }

    /// Round robin; an atomic plan lets nothing else run, unless it waits for an event, and its intention has one more turn
    /// when it has ended (Jason).
    fn next_intention(&self) -> Option<usize> {
        let runnable = &self.mind.runnable;
        if let Some(favoured) = self.mind.favoured {
            return runnable.iter().position(|&seat| seat == favoured);
        }
        let first = (!runnable.is_empty()).then_some(0);
        let Some(stack) = self.atomic_stack() else { return first };
        let posted = |parent: Option<SeatId>| parent.is_some_and(|parent| stack.contains(&parent));
        if self.mind.events.iter().any(|event| posted(event.parent)) {
            return first;
        }
        runnable.iter().position(|seat| stack.contains(seat))
    }

    fn execute(&mut self, seat: SeatId, operation: &Operation) -> Result<Effect, Trouble> {
        match operation {
            Operation::Act(action) => self.action(seat, action),
            Operation::Achieve(goal) => self.achieve_goal(seat, goal),
            Operation::AchieveNew(goal) => {
                let trigger = self.goal(seat, goal)?;
                self.post(trigger, None, Source::Own);
                self.go_on_with(seat, Effect::Goal(trigger))
            }
            Operation::Test(condition) => self.test_goal(seat, condition),
            Operation::Add(atom) => self.add_belief(seat, atom, Vec::new()),
            Operation::Delete(atom) => self.delete_belief(seat, atom),
            Operation::Replace(atom) => self.replace_belief(seat, atom),
            Operation::Send(to, force, content) => self.send(seat, to, *force, content),
            Operation::Broadcast(force, content) => {
                let content = self.content(seat, *force, content)?;
                let own = self.number();
                let all = (0..u32::try_from(self.program.agents.len()).expect("a team has few agents"))
                    .filter(|&agent| agent != own)
                    .collect();
                self.deliver(seat, all, *force, content)
            }
            Operation::Internal(internal, args) => self.internal_action(seat, *internal, args),
            Operation::Relation(operator, left, right) => {
                let kept = self.kept(seat);
                let mut reasoner = self.reasoner(seat);
                if !reasoner.relate(*operator, left, right, 0)? {
                    return Err(Trouble::Fails);
                }
                let binding = reasoner.bindings.store(kept)?;
                self.go_on_bound(seat, binding)
            }
            Operation::Stub(stub, args) => {
                let kept = self.kept(seat);
                let mut reasoner = self.reasoner(seat);
                if !reasoner.stub(*stub, args, 0)? {
                    return Err(Trouble::Fails);
                }
                let binding = reasoner.bindings.store(kept)?;
                self.go_on_bound(seat, binding)
            }
            Operation::Branch(condition, otherwise) => self.branch(seat, condition, *otherwise),
            // Only a body that begins with one comes here; all others were followed before.
            Operation::Jump(_) | Operation::Forget(_) => {
                let here = self.mind.instance_mut(seat).counter as usize;
                self.advance_to(seat, here)?;
                Ok(Effect::Silent)
            }
            Operation::Each { condition, bound, cell, end } => self.each(seat, condition, bound, *cell, *end),
        }
    }

    pub(super) fn go_on(&mut self, seat: SeatId) -> Result<Effect, Trouble> {
        self.go_on_with(seat, Effect::Silent)
    }

    pub(super) fn go_on_with(&mut self, seat: SeatId, effect: Effect) -> Result<Effect, Trouble> {
        match self.advance(seat)? {
            Failure::None => Ok(effect),
            failure => Ok(Effect::Failed(failure)),
        }
    }

    pub(super) fn go_on_bound(
        &mut self,
        seat: SeatId,
        binding: Box<[Option<TermId>]>,
    ) -> Result<Effect, Trouble> {
        self.mind.instance_mut(seat).binding = binding;
        self.go_on(seat)
    }

    /// Rule Action: the action joins the queue of the environment. In Jason the intention waits for it.
    fn action(&mut self, seat: SeatId, action: &Pattern) -> Result<Effect, Trouble> {
        let action = self.build(seat, action)?;
        let waiting = self.is_jason().then_some(seat);
        self.act = Some(Act { agent: self.number(), action, seat: waiting });
        let effect = Effect::Act(action);
        if self.is_jason() {
            self.mind.instance_mut(seat).status = Status::Acting;
            return Ok(effect);
        }
        self.go_on_with(seat, effect)
    }

    /// Rule AchvGl: an internal event; the intention is suspended until a plan for it has ended.
    fn achieve_goal(&mut self, seat: SeatId, goal: &Pattern) -> Result<Effect, Trouble> {
        let trigger = self.goal(seat, goal)?;
        self.post(trigger, Some(seat), Source::Own);
        Ok(Effect::Goal(trigger))
    }

    fn goal(&self, seat: SeatId, goal: &Pattern) -> Result<Trigger, Trouble> {
        let term = self.build_goal(seat, goal)?;
        Ok(Trigger { sign: Sign::Added, kind: TriggerKind::Achieve, term })
    }

    /// Rules TestGl1 and TestGl2: the first solution binds the variables. In Jason a test without a solution becomes
    /// an event if the agent has plans for it.
    fn test_goal(&mut self, seat: SeatId, condition: &Condition) -> Result<Effect, Trouble> {
        let kept = self.kept(seat);
        let mut reasoner = self.reasoner(seat);
        if reasoner.solve(condition)? {
            let binding = reasoner.bindings.store(kept)?;
            return self.go_on_bound(seat, binding);
        }
        if let (true, Condition::Belief(atom)) = (self.is_jason(), condition) {
            let term = self.build_goal(seat, &atom.pattern)?;
            let trigger = Trigger { sign: Sign::Added, kind: TriggerKind::Test, term };
            if self.has_candidate(trigger) {
                self.post(trigger, Some(seat), Source::Own);
                return Ok(Effect::Goal(trigger));
            }
        }
        Err(Trouble::Fails)
    }

    /// `.send`: the message is in the receiver's mailbox at once (Bordini et al. 2003, 3).
    fn send(
        &mut self,
        seat: SeatId,
        to: &Pattern,
        force: Force,
        content: &Pattern,
    ) -> Result<Effect, Trouble> {
        let to = self.build(seat, to)?;
        let content = self.content(seat, force, content)?;
        let names = self.program.terms.items(to).unwrap_or_else(|| vec![to]);
        let mut receivers = Vec::with_capacity(names.len());
        for name in names {
            match self.agent_named(name) {
                Some(agent) => receivers.push(agent),
                None if self.is_jason() => {
                    return Ok(Effect::DeadLetter(name, force, content, self.fail(seat)));
                }
                None => {
                    let effect = Effect::DeadLetter(name, force, content, Failure::None);
                    return self.go_on_with(seat, effect);
                }
            }
        }
        self.deliver(seat, receivers, force, content)
    }

    fn agent_named(&self, name: TermId) -> Option<u32> {
        match self.program.terms.get(name) {
            crate::term::Term::Structure(name, args) if args.is_empty() => {
                let at = self.program.agents.iter().position(|agent| agent.name == *name)?;
                u32::try_from(at).ok()
            }
            _ => None,
        }
    }

    /// A goal may leave variables open; a belief may not.
    fn content(&self, seat: SeatId, force: Force, content: &Pattern) -> Result<TermId, Trouble> {
        let content = self.build_goal(seat, content)?;
        let open = !is_ground(&self.program.terms, content);
        if open && matches!(force, Force::Tell | Force::Untell) {
            return Err(Trouble::Fails);
        }
        Ok(content)
    }

    fn deliver(
        &mut self,
        seat: SeatId,
        receivers: Vec<u32>,
        force: Force,
        content: TermId,
    ) -> Result<Effect, Trouble> {
        let sender = self.number();
        let message = Message { sender, force, content };
        self.sent.extend(receivers.iter().map(|&receiver| (receiver, message)));
        self.go_on_with(seat, Effect::Sent(receivers.into(), force, content))
    }

    fn internal_action(
        &mut self,
        seat: SeatId,
        internal: Internal,
        args: &[Argument],
    ) -> Result<Effect, Trouble> {
        match internal {
            Internal::Print => {
                let text = self.printed(seat, args);
                self.go_on_with(seat, Effect::Printed(text))
            }
            Internal::Fail => Err(Trouble::Fails),
            Internal::Wait => self.wait(seat, args),
            Internal::DropDesire
            | Internal::DropIntention
            | Internal::DropAllDesires
            | Internal::DropAllIntentions
            | Internal::DropEvent
            | Internal::SucceedGoal
            | Internal::FailGoal => self.control(seat, internal, args),
            Internal::Abolish => {
                let pattern = internal::pattern(args, 0)?;
                let mut lost = Vec::new();
                while let Some(at) = self.first_belief(seat, pattern, None)? {
                    let belief = self.mind.beliefs.remove(at);
                    self.post_belief(Sign::Deleted, belief.term, Source::Own);
                    lost.push(belief.term);
                }
                let effect = Effect::Beliefs { gained: Box::new([]), lost: lost.into() };
                self.go_on_with(seat, effect)
            }
            _ => {
                let kept = self.kept(seat);
                let mut reasoner = self.reasoner(seat);
                let holds = match reasoner.internal(internal, args, 0, 0)? {
                    Found::Holds(holds) => holds,
                    Found::Is(pattern, term) => reasoner.bindings.unify_pattern(pattern, 0, term)?,
                    Found::Among(pattern, candidates) => {
                        let mut fits = false;
                        for candidate in candidates {
                            let mark = reasoner.bindings.mark();
                            fits = reasoner.bindings.unify_pattern(pattern, 0, candidate)?;
                            if fits {
                                break;
                            }
                            reasoner.bindings.undo(mark);
                        }
                        fits
                    }
                };
                if !holds {
                    return Err(Trouble::Fails);
                }
                let binding = reasoner.bindings.store(kept)?;
                self.go_on_bound(seat, binding)
            }
        }
    }

    fn printed(&self, seat: SeatId, args: &[Argument]) -> String {
        let mut bindings = self.bindings(seat);
        let terms = &self.program.terms;
        let show = |arg: &Argument| match arg {
            Argument::Condition(_) => String::from("?"),
            Argument::Term(pattern) => match bindings.build_open(pattern, 0) {
                Ok(term) => match terms.get(term) {
                    crate::term::Term::Text(text) => terms.name(*text).to_string(),
                    _ => terms.show(term),
                },
                Err(_) => String::from("?"),
            },
        };
        args.iter().map(show).collect()
    }
}
