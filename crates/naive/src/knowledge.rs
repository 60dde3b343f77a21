//! Knowledge by comparing all pairs of states.

use motet_model::{Model, ObserverId};
use motet_property::Knowledge;

use crate::Graph;

/// Per observer, per state: what it sees.
pub(crate) fn views(model: &dyn Model, graph: &Graph) -> Vec<Vec<Vec<u32>>> {
    let observers = 0..u32::try_from(model.signature().observers.len()).expect("few observers");
    let view = |observer: u32, state: &Vec<u32>| {
        let mut view = Vec::new();
        model.facets().observe(ObserverId(observer), state, &mut view);
        view
    };
    observers.map(|observer| graph.states.iter().map(|state| view(observer, state)).collect()).collect()
}

/// Per state: whether these observers, given by what they see, know the fact.
pub(crate) fn knows(knowledge: Knowledge, group: &[&Vec<Vec<u32>>], fact: &[bool]) -> Vec<bool> {
    let states = 0..fact.len();
    let everyone = |fact: &[bool]| -> Vec<bool> {
        let one = |views: &Vec<Vec<u32>>, state: usize| {
            (0..fact.len()).all(|other| views[other] != views[state] || fact[other])
        };
        states.clone().map(|state| group.iter().all(|views| one(views, state))).collect()
    };
    match knowledge {
        Knowledge::One | Knowledge::Everyone => everyone(fact),
        Knowledge::Distributed => {
            let alike = |state: usize, other: usize| group.iter().all(|views| views[other] == views[state]);
            states
                .clone()
                .map(|state| states.clone().all(|other| !alike(state, other) || fact[other]))
                .collect()
        }
        // Everyone knows it, everyone knows that everyone knows it, and so on until nothing is added.
        Knowledge::Common => {
            let mut known = everyone(fact);
            loop {
                let deeper = everyone(&known);
                if deeper == known {
                    return known;
                }
                known = deeper;
            }
        }
    }
}
