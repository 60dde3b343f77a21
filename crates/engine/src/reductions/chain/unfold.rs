//! Runs of chains told as runs of the model: all steps inside chains are put back.

use motet_evidence::{Evidence, Memory, Outcome, Run, Shown, Taken};
use motet_model::{ActionId, Fault, Model, State};

use super::Chained;
use crate::exploration::graph::Graph;
use crate::storage::store::Store;

impl<M: Model + ?Sized> Chained<'_, M> {
    /// Puts the steps inside chains back into all that was found.
    pub(crate) fn unfold_all(&self, outcomes: &mut [Outcome], fault: &mut Option<(Fault, Run)>) {
        for outcome in outcomes {
            if let Some(evidence) = &mut outcome.evidence {
                self.unfold(evidence);
            }
            let Some(quantity) = &mut outcome.quantity else { continue };
            quantity.ways.iter_mut().for_each(|way| way.run = self.unfolded(&way.run).0);
            if let Some(run) = quantity.infinite.as_mut().and_then(|infinite| infinite.run.as_mut()) {
                *run = self.unfolded(run).0;
            }
            // What is remembered of the progress may change inside a chain, where nobody looked.
            if quantity.strategy.as_ref().is_some_and(|strategy| strategy.memory != Memory::None) {
                quantity.strategy = None;
            }
        }
        if let Some((_, run)) = fault {
            *run = self.unfolded(run).0;
        }
    }

    fn unfold(&self, evidence: &mut Evidence) {
        let (run, places) = self.unfolded(&evidence.run);
        evidence.run = run;
        evidence.loop_start = evidence.loop_start.map(|at| places[at]);
        for branch in &mut evidence.branches {
            branch.at = places[branch.at];
            match &mut branch.shown {
                Shown::Onward(evidence) | Shown::Elsewhere(_, evidence) => self.unfold(evidence),
                Shown::Search => {}
            }
        }
    }

    /// The run of the model, and where the states of the given one stand in it.
    fn unfolded(&self, run: &Run) -> (Run, Vec<usize>) {
        let Some(first) = run.states.first() else { return (run.clone(), Vec::new()) };
        let mut told = Run { initial: run.initial, states: vec![first.clone()], steps: Vec::new() };
        let mut places = vec![0];
        for (taken, end) in run.steps.iter().zip(&run.states[1..]) {
            self.tell_first(&mut told, taken);
            self.tell_on(&mut told, |told| told.states.last() == Some(end));
            places.push(told.steps.len());
        }
        (told, places)
    }

    /// The model's step at the head of a chain.
    fn tell_first(&self, told: &mut Run, taken: &Taken) {
        let from = told.states.last().expect("a run has a state");
        let steps = self.steps_of(from).expect("runs leave only states whose steps are known");
        let step = steps.get(taken.ordinal as usize).expect("a chain has the ordinals of the model");
        let target =
            step.branches().nth(taken.branch as usize).expect("a chain has the branches of the model");
        told.states.push(target.target.into());
        told.steps.push(*taken);
    }

    /// Goes on along a chain until this is so, or the chain ends.
    fn tell_on(&self, told: &mut Run, enough: impl Fn(&Run) -> bool) {
        while !enough(told) {
            let here: &State = told.states.last().expect("a run has a state");
            let Some((taken, next)) = self.link(here) else { break };
            told.states.push(next.into());
            told.steps.push(taken);
        }
    }

    /// A run of the model whose last step has this action, if some step that the search took has, in a chain or not.
    pub(crate) fn run_to_action(&self, graph: &Graph, action: ActionId) -> Option<Run> {
        if let Some(run) = graph.run_to_action(self, action) {
            let (last, way) = run.steps.split_last()?;
            let way =
                Run { initial: run.initial, states: run.states[..=way.len()].to_vec(), steps: way.to_vec() };
            let mut told = self.unfolded(&way).0;
            self.tell_first(&mut told, last);
            return Some(told);
        }
        let states = u32::try_from(graph.n_states()).expect("states are numbered with 32 bits");
        (0..states).find_map(|number| self.run_inside(graph, number, action))
    }

    /// A run to this action inside a chain that leaves a stored state.
    fn run_inside(&self, graph: &Graph, number: u32, action: ActionId) -> Option<Run> {
        let mut state = Vec::new();
        graph.store.load(number, &mut state);
        let steps = self.steps_of(&state).ok()?;
        for (ordinal, step) in (0..).zip(steps.iter()) {
            for (branch, outcome) in (0..).zip(step.branches()) {
                let taken =
                    Taken { ordinal, branch, process: step.process, action: step.action, delay: step.delay };
                let mut told = Run {
                    initial: 0,
                    states: vec![state.as_slice().into(), outcome.target.into()],
                    steps: vec![taken],
                };
                let end = self.end_of(outcome.target);
                let is_end = |told: &Run| told.states.last().is_some_and(|last| **last == *end);
                let is_it = |told: &Run| told.steps.last().is_some_and(|taken| taken.action == action);
                self.tell_on(&mut told, |told| is_it(told) || is_end(told));
                if is_it(&told) {
                    let mut run = self.unfolded(&graph.run_to(self, number)).0;
                    run.states.extend(told.states.into_iter().skip(1));
                    run.steps.extend(told.steps);
                    return Some(run);
                }
            }
        }
        None
    }
}
