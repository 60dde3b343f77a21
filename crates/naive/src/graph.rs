//! The reachable states, found by asking again and again.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{Fault, Model, Steps};

/// The reachable part of a model.
#[derive(Debug)]
pub struct Graph {
    /// The states, in order of their distance from the start.
    pub states: Vec<Vec<u32>>,
    /// Per state: to whom a step is fair, and where it leads.
    pub edges: Vec<Vec<(usize, usize)>>,
    /// Per edge of a state: how much time passes.
    pub delays: Vec<Vec<u32>>,
    /// Per state: the length of a shortest run to it.
    pub distance: Vec<usize>,
    /// The numbers of the initial states.
    pub initial: Vec<usize>,
    /// The subjects of fairness, in order.
    pub subjects: BTreeSet<usize>,
}

impl Graph {
    /// Explores a model.
    ///
    /// # Errors
    /// The model's fault, if a reachable state has one.
    pub fn of(model: &dyn Model) -> Result<Self, Fault> {
        let signature = model.signature();
        let mut graph = Self {
            states: Vec::new(),
            edges: Vec::new(),
            delays: Vec::new(),
            distance: Vec::new(),
            initial: Vec::new(),
            subjects: BTreeSet::new(),
        };
        let mut numbers = BTreeMap::new();
        let mut initial = Vec::new();
        model.initial(&mut initial);
        for state in initial {
            let number = graph.number(&mut numbers, state.to_vec(), 0);
            graph.initial.push(number);
        }
        while graph.edges.len() < graph.states.len() {
            let number = graph.edges.len();
            let mut steps = Steps::new(signature.slots.len());
            model.steps(&graph.states[number], &mut steps)?;
            let (mut edges, mut delays) = (Vec::new(), Vec::new());
            for step in steps.iter() {
                let subject = model.facets().subject(step.process, step.action).index();
                graph.subjects.insert(subject);
                for branch in step.branches() {
                    let distance = graph.distance[number] + 1;
                    let target = graph.number(&mut numbers, branch.target.to_vec(), distance);
                    edges.push((subject, target));
                    delays.push(step.delay);
                }
            }
            graph.edges.push(edges);
            graph.delays.push(delays);
        }
        Ok(graph)
    }

    fn number(&mut self, numbers: &mut BTreeMap<Vec<u32>, usize>, state: Vec<u32>, distance: usize) -> usize {
        *numbers.entry(state.clone()).or_insert_with(|| {
            self.states.push(state);
            self.distance.push(distance);
            self.states.len() - 1
        })
    }

    /// Whether a subject has a step.
    #[must_use]
    pub fn is_enabled(&self, state: usize, subject: usize) -> bool {
        self.edges[state].iter().any(|&(mover, _)| mover == subject)
    }
}
