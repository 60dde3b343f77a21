//! What a check has to say.

use motet_evidence::{Coverage, Outcome, Over, Run, Stop, Verdict};
use motet_model::{ActionId, AtomId, Fault, Model};

use crate::exploration::explore::{Plan, empty_graph};
use crate::exploration::graph::Graph;
use crate::reductions::chain::{Chained, Links};
use crate::reductions::reduction::Reduction;
use crate::storage::spill::Spilling;

/// The answers, and what else the exploration saw.
#[derive(Debug)]
pub struct Report {
    /// One per claim, in order. The outcome of an `assume` says whether some run satisfies all assumptions together.
    pub outcomes: Vec<Outcome>,
    /// How much was searched in all.
    pub coverage: Coverage,
    /// Why the exploration ended early, if it did. A fault of the model is told apart.
    pub stop: Option<Stop>,
    /// The actions that were taken, in order of their numbers.
    pub actions: Vec<ActionId>,
    /// The first place where the model could not say what comes next, and the run there.
    pub fault: Option<(Fault, Run)>,
    /// What came of the reductions that were asked for.
    pub reductions: Vec<Reduction>,
    /// Which strategies the numbers of claims are over, if there are any.
    pub over: Option<Over>,
    pub(super) graph: Graph,
    /// How states were run through, if they were.
    pub(super) links: Option<Links>,
    /// Where some of it was put away.
    pub(super) spill: Option<Spilling>,
}

impl Report {
    /// The shortest run whose last step has this action, if some step has.
    pub fn run_to_action<M: Model + ?Sized>(&self, model: &M, action: ActionId) -> Option<Run> {
        let run = || match &self.links {
            None => self.graph.run_to_action(model, action),
            Some(links) => Chained::new(model, links.clone()).run_to_action(&self.graph, action),
        };
        self.spill.as_ref().map_or_else(run, |spill| spill.guard(run).ok().flatten())
    }

    /// A search whose states cannot be read any more: nothing is known.
    pub(super) fn nothing(claims: usize, stop: &Stop) -> Self {
        Self {
            outcomes: vec![unanswered(stop); claims],
            coverage: Coverage::default(),
            stop: Some(stop.clone()),
            actions: Vec::new(),
            fault: None,
            reductions: Vec::new(),
            over: None,
            graph: empty_graph(Plan::default()),
            links: None,
            spill: None,
        }
    }

    /// Atoms of the claims that have one value in all states, and that value; empty unless every state was seen.
    #[must_use]
    pub fn constant_atoms(&self) -> Vec<(AtomId, bool)> {
        if !self.coverage.complete {
            return Vec::new();
        }
        let n_states = self.graph.n_states();
        let columns = self.graph.atoms.iter().zip(&self.graph.columns);
        columns
            .filter_map(|(&atom, column)| match column.ones().count() {
                0 => Some((atom, false)),
                n if n == n_states => Some((atom, true)),
                _ => None,
            })
            .collect()
    }
}

pub(super) fn unanswered(stop: &Stop) -> Outcome {
    Outcome::of(Verdict::Unknown(stop.clone()))
}
