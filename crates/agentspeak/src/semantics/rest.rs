//! Waiting for time to pass (Jason). The intention is suspended and others go on. In the model the wait is over at any later
//! moment, and at some moment surely; a team that acts has the host's clock.

use crate::program::{Argument, Internal, Operation, Pattern, Program};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::deed::Effect;
use crate::semantics::internal;
use crate::semantics::mind::{Mind, SeatId};
use crate::semantics::thinker::{Rest, Thinker};
use crate::term::Term;

/// A formula at which intentions wait. The end of the wait is a process of its own, so that fairness ends each wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pause {
    /// Whose.
    pub(crate) agent: usize,
    /// The plan.
    pub(crate) plan: u32,
    /// The formula in its body.
    pub(crate) formula: u32,
    /// Which of several waits at the formula can be over.
    pub(crate) order: Order,
}

/// Which of several waits at one formula can be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// All last equally long: the one that began first.
    First,
    /// Each has its own length: any.
    Any,
}

/// The formulas of a team at which intentions wait, in the order of the text.
pub(crate) fn pauses(program: &Program) -> Vec<Pause> {
    let number =
        |number: usize| u32::try_from(number).expect("a library has few plans, and bodies are short");
    let mut pauses = Vec::new();
    for (agent, member) in program.agents.iter().enumerate() {
        for (plan, text) in member.plans.iter().enumerate() {
            for (formula, instruction) in text.body.iter().enumerate() {
                let Operation::Internal(Internal::Wait, args) = &instruction.operation else { continue };
                let order = order(args);
                pauses.push(Pause { agent, plan: number(plan), formula: number(formula), order });
            }
        }
    }
    pauses
}

fn order(args: &[Argument]) -> Order {
    match args.first() {
        Some(Argument::Term(Pattern::Ground(_))) => Order::First,
        _ => Order::Any,
    }
}

impl Pause {
    /// The waits at this formula that can be over next.
    pub(crate) fn seats(self, mind: &Mind) -> impl Iterator<Item = SeatId> + '_ {
        let here = move |seat: &&SeatId| {
            let instance = mind.instance(**seat);
            instance.is_some_and(|of| (of.plan, of.counter) == (self.plan, self.formula))
        };
        let all = if self.order == Order::First { 1 } else { usize::MAX };
        mind.asleep.iter().filter(here).copied().take(all)
    }
}

impl Thinker<'_> {
    /// `.wait(T)`: the intention is suspended.
    pub(super) fn wait(&mut self, seat: SeatId, args: &[Argument]) -> Result<Effect, Trouble> {
        let time = self.build(seat, internal::pattern(args, 0)?)?;
        if !matches!(self.program.terms.get(time), Term::Int(_) | Term::Real(_)) {
            return Err(Trouble::Fails);
        }
        let place = |of: SeatId| {
            let instance = self.mind.instance(of).expect("only instances wait");
            let longest_first = if order(args) == Order::First { SeatId(0) } else { of };
            (instance.plan, instance.counter, longest_first)
        };
        let own = place(seat);
        let at = self.mind.asleep.iter().position(|&other| place(other) > own);
        self.mind.asleep.insert(at.unwrap_or(self.mind.asleep.len()), seat);
        self.rest = Some(Rest { seat, time });
        Ok(Effect::Waits(time))
    }

    /// The wait of an instance is over; it goes on in a later turn.
    pub(crate) fn wake(&mut self, seat: SeatId) -> Result<(), Trouble> {
        self.mind.asleep.retain(|&other| other != seat);
        self.requeue(seat)
    }
}
