//! What the world is asked to do in a cycle, and which calls have not reported yet.
//!
//! An agent runs an action at most once at a time: a plan that comes to an action which runs already waits for the same report
//! (`spec/senglish/cycle.md`, action feedbacks), so it calls nothing.

use motet_model::{Order, State};

use super::hearing::Heard;
use crate::program::{Action, BEGUN, Deed, Program, TRUE};

/// The calls of a run.
pub(crate) struct Calls {
    next: u64,
    /// For each action its last call.
    last: Vec<Option<Call>>,
}

/// A call of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// Its number in the run.
    pub(crate) number: u64,
    /// Whether its report is still to come.
    pub(crate) is_open: bool,
}

impl Calls {
    /// Nothing was called yet.
    pub(crate) fn new(actions: usize) -> Self {
        Self { next: 1, last: vec![None; actions] }
    }

    /// The last call of an action.
    pub(crate) fn last(&self, action: usize) -> Option<Call> {
        self.last[action]
    }

    /// The action whose last call has this number.
    pub(crate) fn action(&self, number: u64) -> Option<usize> {
        self.last.iter().position(|call| call.is_some_and(|call| call.number == number))
    }

    /// Closes the calls that reported.
    pub(crate) fn close(&mut self, heard: &Heard) {
        for (call, reports) in self.last.iter_mut().zip(&heard.reports) {
            if let Some(call) = call
                && !reports.told.is_empty()
            {
                call.is_open = false;
            }
        }
    }

    /// Forgets all calls, but never uses their numbers again.
    pub(crate) fn forget(&mut self) {
        self.last.fill(None);
    }

    /// The orders of a plan update from `state` to `next`, in the order of the plans. Before the first belief update there is no
    /// plan update, and the initial actions are called.
    pub(crate) fn orders(&mut self, program: &Program, state: &State, next: &State) -> Vec<Order> {
        let mut orders = Vec::new();
        if state[BEGUN] == 0 {
            for (number, action) in program.actions.iter().enumerate().filter(|(_, action)| action.initial) {
                orders.push(self.call(program, number, &action.arguments));
            }
            return orders;
        }
        let mut called = vec![false; program.actions.len()];
        for plan in &program.plans {
            let index = next[plan.slot];
            let Some(standing) = (index as usize).checked_sub(1).map(|at| &plan.actions[at]) else {
                continue;
            };
            // On what reports nothing a plan stands for one cycle, so it has always just come.
            match standing.deed {
                Deed::Call(number) if !called[number] && self.begins(program, number, state) => {
                    called[number] = true;
                    orders.push(self.call(program, number, &standing.arguments));
                }
                Deed::Stop(number) => {
                    let action = &program.actions[number];
                    let agent = program.agents[action.agent].name.clone();
                    orders.push(Order::Stop { agent, action: action.text.clone() });
                }
                Deed::Call(_) | Deed::Add(_) | Deed::Delete(_) => {}
            }
        }
        orders
    }

    /// Whether an action that some plan stands on is called now: the model counts it from now, and no call waits for its report
    /// longer than the model can count.
    fn begins(&self, program: &Program, number: usize, state: &State) -> bool {
        let action = &program.actions[number];
        let waits = self.last[number].is_some_and(|call| call.is_open);
        !runs(program, action, state) && !waits
    }

    fn call(&mut self, program: &Program, number: usize, arguments: &[(String, String)]) -> Order {
        let action = &program.actions[number];
        let call = self.next;
        self.next += 1;
        self.last[number] = Some(Call { number: call, is_open: !action.feedbacks.is_empty() });
        Order::Call {
            agent: program.agents[action.agent].name.clone(),
            call,
            action: action.text.clone(),
            arguments: arguments.to_vec(),
            repeat: action.repeat,
        }
    }
}

/// Whether the model counts the cycles of an action.
pub(crate) fn runs(program: &Program, action: &Action, state: &State) -> bool {
    action.feedbacks.first().is_some_and(|(belief, _)| state[program.beliefs[*belief].slot] > TRUE)
}
