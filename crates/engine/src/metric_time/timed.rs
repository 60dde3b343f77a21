//! A quest for a run whose formula speaks of time: it is looked for in the unrolled graph.

use motet_evidence::{Evidence, Fairness, Stop};
use motet_model::Model;

use crate::checking::quest::Found;
use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::linear_time::automata::formula::{Formulas, Node};
use crate::linear_time::emptiness::{Search, Until, search};
use crate::linear_time::lasso::lasso_run;
use crate::linear_time::product::Product;
use crate::linear_time::shrink::Lasso;
use crate::metric_time::clocks::Clock;
use crate::metric_time::unrolled::{Patience, Unrolled, Unrolling};

/// Propositions of a formula; letters are bit sets.
pub(crate) const PROPOSITIONS_MAX: usize = 64;

/// A run that satisfies a formula.
pub(crate) struct TimedRun {
    pub(crate) formulas: Formulas,
    pub(crate) root: Node,
    pub(crate) clocks: Vec<Clock>,
}

impl TimedRun {
    pub(crate) fn find<M: Model + ?Sized>(
        &self,
        model: &M,
        graph: &Graph,
        starts: &[u32],
        fairness: Fairness,
        patience: Patience,
        meter: &mut Meter<'_>,
    ) -> Result<Found, Stop> {
        let mut unrolling = Unrolling::new(graph, self);
        match unrolling.run(starts, patience, meter)? {
            Unrolled::Settled(node) => {
                let way = unrolling.way_to(node);
                return Ok(Found::Run(tell(model, graph, &unrolling, &way, Fairness::None)));
            }
            Unrolled::Tired => return Ok(Found::Tired),
            Unrolled::Complete => {}
        }
        let (unrolled, automaton, home) = unrolling.accepting()?;
        let starts = unrolled.initial.clone();
        let product = Product::over(unrolled, &automaton, home)?;
        let lasso = match search(&product, &starts, fairness, Until::Settled, meter)? {
            Search::Empty { starved } => return Ok(Found::Nothing { starved }),
            Search::Settled => unreachable!("the automaton has no sink"),
            Search::Accepting(accepting) => lasso_run(&product, &starts, &accepting, fairness, meter)?,
        };
        Ok(Found::Run(tell(model, graph, &unrolling, &lasso, fairness)))
    }

    /// Everything that is reached from these states, and the nodes at which nothing more is owed.
    pub(crate) fn unroll<'g>(
        &self,
        graph: &'g Graph,
        starts: &[u32],
        meter: &mut Meter<'_>,
    ) -> Result<(Unrolling<'g>, Vec<u32>), Stop> {
        let mut unrolling = Unrolling::new(graph, self);
        let settled = unrolling.run_past(starts, meter)?;
        Ok((unrolling, settled))
    }

    /// Whether such a run exists.
    pub(crate) fn exists(
        &self,
        graph: &Graph,
        fairness: Fairness,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let mut unrolling = Unrolling::new(graph, self);
        if let Unrolled::Settled(_) = unrolling.run(&graph.initial, Patience::Endless, meter)? {
            return Ok(true);
        }
        let (unrolled, automaton, home) = unrolling.accepting()?;
        let product = Product::over(unrolled, &automaton, home)?;
        let found = search(&product, &unrolled.initial, fairness, Until::Found, meter)?;
        Ok(!matches!(found, Search::Empty { .. }))
    }
}

/// The model is asked for the ordinals and actions.
fn tell<M: Model + ?Sized>(
    model: &M,
    graph: &Graph,
    unrolling: &Unrolling<'_>,
    lasso: &Lasso,
    fairness: Fairness,
) -> Evidence {
    let (start, hops, loop_start) = unrolling.walk(lasso);
    Evidence::new(graph.run(model, start, &hops), loop_start, fairness)
}
