//! Numbers back into the words of the net.

use std::sync::Arc;

use motet_model::{
    ActionId, Mind, ProcessId, Section, SlotId, Snapshot, State, Story, SubjectId, Weight, Words,
};
use motet_source::Span;

use crate::plain::semantics::Semantics;
use crate::plain::system::Origins;

/// Tells what a net does.
pub(crate) struct Teller {
    pub(crate) semantics: Arc<Semantics>,
    pub(crate) origins: Arc<Origins>,
}

impl Teller {
    fn transition(&self, number: u32) -> String {
        self.semantics.net.transitions[number as usize].name.clone()
    }

    /// `2 Think, Fork`
    fn tokens(&self, arcs: &[crate::plain::Arc]) -> String {
        let name = |arc: &crate::plain::Arc| {
            let name = &self.semantics.net.places[arc.place].name;
            if arc.weight == 1 { name.clone() } else { format!("{} {name}", arc.weight) }
        };
        arcs.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

impl Words for Teller {
    fn value(&self, slot: SlotId, value: u32) -> String {
        match (slot.index() < self.semantics.net.places.len(), value.checked_sub(1)) {
            (true, _) => value.to_string(),
            (false, Some(transition)) => self.transition(transition),
            (false, None) => "none".to_owned(),
        }
    }

    fn action(&self, action: ActionId) -> String {
        self.transition(action.0)
    }

    fn story(&self, action: ActionId) -> Story {
        Story { process: ProcessId(0), text: self.action(action), to: None, weight: Weight::Notable }
    }

    fn origin(&self, action: ActionId) -> Option<Span> {
        self.origins.transitions.get(action.index()).copied()
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        let places = self.semantics.net.places.iter().zip(state).filter(|(_, tokens)| **tokens > 0);
        let items = places.map(|(place, tokens)| format!("{}: {tokens}", place.name)).collect();
        let sections = vec![Section { title: "marking".to_owned(), items }];
        Snapshot { minds: vec![Mind { name: self.semantics.net.name.clone(), sections }] }
    }

    fn tokens(&self, state: &State, visit: &mut dyn FnMut(usize, usize, u64)) {
        for (place, tokens) in state.iter().take(self.semantics.net.places.len()).enumerate() {
            visit(0, place, u64::from(*tokens));
        }
    }

    fn fired(&self, action: ActionId) -> Vec<(usize, usize)> {
        vec![(0, action.index())]
    }

    fn why(&self, _states: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String> {
        let Some(action) = actions.get(at) else { return Vec::new() };
        let transition = &self.semantics.net.transitions[action.index()];
        let lines = [
            ("takes", &transition.inputs),
            ("reads", &transition.reads),
            ("is not stopped by", &transition.inhibitors),
            ("gives", &transition.outputs),
        ];
        let told = lines.into_iter().filter(|(_, arcs)| !arcs.is_empty());
        told.map(|(verb, arcs)| format!("{} {verb} {}", transition.name, self.tokens(arcs))).collect()
    }

    fn subject(&self, subject: SubjectId) -> Option<String> {
        Some(self.transition(subject.0))
    }
}
