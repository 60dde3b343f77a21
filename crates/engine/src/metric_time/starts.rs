//! The states where a time begins, and runs that come there.

use crate::exploration::graph::{Graph, Hop, Rows};
use crate::metric_time::longest::narrow;
use crate::storage::bits::Bits;

/// Where a time begins.
pub(crate) struct Starts {
    pub(crate) states: Bits,
    /// Where what begins holds, if it has to begin there and not only to hold.
    from: Option<Bits>,
}

impl Starts {
    /// At the start of a run.
    pub(crate) fn initial(graph: &Graph) -> Self {
        let mut states = Bits::zeros(graph.n_states());
        for &state in &graph.initial {
            states.insert(state as usize);
        }
        Self { states, from: None }
    }

    /// In any of these states, however a run comes there.
    pub(crate) fn anywhere(states: Bits) -> Self {
        Self { states, from: None }
    }

    /// Where what holds in these states begins to: at the start of a run, or after a state where it does not hold.
    pub(crate) fn begins(graph: &Graph, from: Bits) -> Self {
        let rows = graph.rows.as_ref().expect("times are measured on a graph with edges");
        let mut states = Bits::zeros(graph.n_states());
        for &state in graph.initial.iter().filter(|&&state| from.get(state as usize)) {
            states.insert(state as usize);
        }
        for state in (0..graph.n_states()).filter(|&state| !from.get(state)) {
            let targets = rows.row(narrow(state)).map(|edge| rows.target(edge) as usize);
            for target in targets.filter(|&target| from.get(target)) {
                states.insert(target);
            }
        }
        Self { states, from: Some(from) }
    }

    /// A run that ends in this state, at which the time begins: its first state, and its steps.
    pub(crate) fn way_to(&self, graph: &Graph, rows: &Rows, start: u32) -> (u32, Vec<Hop>) {
        let along = |way: &[u32]| -> Vec<Hop> {
            way[1..].iter().map(|&target| Hop { subject: None, target, delay: None }).collect()
        };
        let Some(from) = self.from.as_ref().filter(|_| !graph.initial.contains(&start)) else {
            let way = graph.way_to(start);
            return (way[0], along(&way));
        };
        let enters = |state: u32| {
            let mut row = rows.row(state).filter(|_| !from.get(state as usize));
            row.find(|&edge| rows.target(edge) == start).map(|edge| (state, edge))
        };
        let (before, edge) =
            (0..narrow(graph.n_states())).find_map(enters).expect("a state where the time begins is entered");
        let way = graph.way_to(before);
        let mut hops = along(&way);
        hops.push(Hop::along(rows, edge));
        (way[0], hops)
    }
}
