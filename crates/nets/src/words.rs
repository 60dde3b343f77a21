//! Numbers back into the user's words.

mod account;
mod inspection;
mod picture;
mod print;
mod snapshot;
mod typing;
mod why;

use std::sync::Arc;

use motet_model::{
    Account, ActionId, MarkingPicture, NetPicture, Participant, ProcessId, SlotId, Snapshot, State, Story,
    SubjectId, Weight, Words,
};
use motet_source::Span;

use crate::program::{PlaceId, PlaceKind, Program};
use crate::semantics::firing::{Firing, Half};
use crate::semantics::{Semantics, show};

/// Tells what a model does.
pub(crate) struct Teller {
    pub(crate) semantics: Arc<Semantics>,
}

impl Teller {
    pub(crate) fn program(&self) -> &Program {
        &self.semantics.program
    }

    /// `Station`, `Diesel(1)`
    fn owner(&self, half: &Half) -> String {
        match half.path.last() {
            Some(agent) => show::agent_name(self.program(), agent),
            None => self.semantics.system().name.clone(),
        }
    }

    fn transition(&self, half: &Half) -> &str {
        &half.declared(self.program()).1.name
    }

    /// `a = <1, Diesel(1)>, st = 2`: what was bound, without hidden variables.
    pub(crate) fn binding(&self, half: &Half) -> Vec<String> {
        let plan = half.plan(self.program(), &self.semantics.plans);
        let (_, _, alternative) = half.declared(self.program());
        let bound = plan.bound.iter().zip(&half.values);
        let line = |(variable, value): (&crate::program::VariableId, &crate::value::Value)| {
            let name = &alternative.variables[variable.0 as usize];
            format!("{name} = {}", show::value(self.program(), value))
        };
        bound.map(line).collect()
    }

    /// `pay(truck, 1, 2)`
    fn message(&self, port: crate::program::PortId, sent: &[crate::value::Value]) -> String {
        let values: Vec<String> = sent.iter().map(|value| show::value(self.program(), value)).collect();
        format!("{}({})", self.program().ports[port.0 as usize].name, values.join(", "))
    }

    /// `Park (a = <1, Diesel(1)>, st = 2)`
    fn fired_text(&self, half: &Half) -> String {
        let binding = self.binding(half);
        if binding.is_empty() {
            return self.transition(half).to_owned();
        }
        format!("{} ({})", self.transition(half), binding.join(", "))
    }
}

impl Words for Teller {
    fn value(&self, slot: SlotId, value: u32) -> String {
        let Some(place) = self.semantics.system().places.get(slot.index()) else {
            return self.semantics.fired_atoms(value).join(", ");
        };
        let bag = self.semantics.layout.decode(PlaceId(slot.0), value);
        match (place.kind, bag.tokens()) {
            (PlaceKind::Tokens, []) if place.sort == crate::program::Sort::Token => "0".to_owned(),
            _ => show::bag(self.program(), &bag),
        }
    }

    fn action(&self, action: ActionId) -> String {
        match self.semantics.firings.get(action.0) {
            Firing::Alone(half) => self.fired_text(half),
            Firing::Together { sender, receiver, port, sent } => format!(
                "{} with {}.{}: {}",
                self.transition(sender),
                self.owner(receiver),
                self.transition(receiver),
                self.message(*port, sent)
            ),
        }
    }

    fn story(&self, action: ActionId) -> Story {
        let lanes = &self.semantics.lanes;
        match self.semantics.firings.get(action.0) {
            Firing::Alone(half) => Story {
                process: lanes.of_half(half),
                text: self.fired_text(half),
                to: None,
                weight: Weight::Notable,
            },
            Firing::Together { sender, receiver, port, sent } => {
                let (from, to) = (lanes.of_half(sender), lanes.of_half(receiver));
                let names = match (self.transition(sender), self.transition(receiver)) {
                    (one, other) if one == other => one.to_owned(),
                    (one, other) => format!("{one} with {other}"),
                };
                let message = self.message(*port, sent);
                // Agents of one name share a lane; an arrow needs two.
                let (text, to) = if from == to {
                    (format!("{names}: {message}"), None)
                } else {
                    (names, Some((to, message)))
                };
                Story { process: from, text, to, weight: Weight::Notable }
            }
        }
    }

    fn origin(&self, action: ActionId) -> Option<Span> {
        let firing = self.semantics.firings.get(action.0);
        let half = firing.halves().next()?;
        Some(half.declared(self.program()).2.span)
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        self.told_snapshot(state)
    }

    fn why(&self, states: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String> {
        match (states.get(at), actions.get(at)) {
            (Some(_), Some(action)) => self.reasons(*action),
            _ => Vec::new(),
        }
    }

    fn waits(&self, process: ProcessId, state: &State) -> Option<String> {
        self.waiting(process, state)
    }

    fn subject(&self, subject: SubjectId) -> Option<String> {
        Some(self.semantics.subjects.told(self.program(), subject))
    }

    fn nets(&self) -> Vec<NetPicture> {
        self.pictures()
    }

    fn marking(&self, state: &State) -> Option<MarkingPicture> {
        Some(self.marking_picture(state))
    }

    fn tokens(&self, state: &State, visit: &mut dyn FnMut(usize, usize, u64)) {
        let marking = self.semantics.layout.marking(state);
        self.count_tokens(self.semantics.root(&marking), visit);
    }

    fn fired(&self, action: ActionId) -> Vec<(usize, usize)> {
        let firing = self.semantics.firings.get(action.0);
        let number =
            |half: &Half| (self.picture_number(half.net(self.program())), half.transition.0 as usize);
        firing.halves().map(number).collect()
    }

    fn participants(&self, action: ActionId) -> Vec<Participant> {
        let firing = self.semantics.firings.get(action.0);
        let one = |half: &Half| Participant { instance: self.owner(half), binding: self.binding(half) };
        firing.halves().map(one).collect()
    }

    fn account(&self, state: &State, subject: &str) -> Vec<Account> {
        self.accounts(state, subject)
    }
}
