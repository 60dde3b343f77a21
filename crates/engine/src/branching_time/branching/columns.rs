//! The states where derived atoms hold, found when a claim first needs them.

use motet_evidence::{Fairness, Stop};
use motet_model::{AtomId, Model};
use motet_property::{Formula, Path};

use super::fixpoint::States;
use super::onward::{accepted, accepted_in_time};
use super::{Derived, Entry, Means, Operator, Reverse};
use crate::branching_time::knowledge::Views;
use crate::checking::quest::Quest;
use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::formulas::valuation::column;
use crate::linear_time::linear::Sign;
use crate::linear_time::product::Product;
use crate::storage::bits::Bits;

/// What was found out about derived atoms so far.
#[derive(Default)]
pub(crate) struct Columns {
    /// Per derived atom: whether its column stands in the graph, or why it cannot.
    known: Vec<Option<Result<(), Stop>>>,
    reverse: Option<Reverse>,
    pub(crate) views: Views,
}

impl Columns {
    /// Finds the columns of all derived atoms of these formulas.
    pub(crate) fn prepare<'p>(
        &mut self,
        model: &dyn Model,
        graph: &mut Graph,
        derived: &Derived,
        paths: impl IntoIterator<Item = &'p Path<AtomId>>,
        fairness: Fairness,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        self.make_room(graph, derived);
        let wanted = wanted(derived, paths);
        for at in wanted.ones() {
            if let Some(known) = &self.known[at] {
                known.clone()?;
                continue;
            }
            let found = match graph.obstacle() {
                Some(stop) => Err(stop),
                None if !graph.is_complete() => {
                    Err(Stop::Unsupported("a formula about states that were not explored".to_owned()))
                }
                None if is_blind(graph, &derived.entries()[at]) => {
                    Err(Stop::Unsupported("a formula about steps that were not kept".to_owned()))
                }
                None => self.evaluate(model, graph, &derived.entries()[at], fairness, meter),
            };
            let outcome = found.map(|bits| {
                let first = graph.atoms.len() - derived.entries().len();
                graph.columns[first + at] = bits;
            });
            self.known[at] = Some(outcome.clone());
            outcome?;
        }
        Ok(())
    }

    /// Derived atoms come after the model's own ones, in the order of their numbers.
    fn make_room(&mut self, graph: &mut Graph, derived: &Derived) {
        graph.atoms.extend(derived.atoms().skip(self.known.len()));
        graph.columns.resize(graph.atoms.len(), Bits::default());
        self.known.resize(derived.entries().len(), None);
    }

    fn evaluate(
        &mut self,
        model: &dyn Model,
        graph: &Graph,
        entry: &Entry,
        fairness: Fairness,
        meter: &mut Meter<'_>,
    ) -> Result<Bits, Stop> {
        let mut holds = |formula: &Formula<AtomId>, _: &mut Meter<'_>| Ok(column(graph, formula));
        match &entry.means {
            Means::Fixpoint(sign, operator) => self.fixpoint(graph, *sign, operator, &mut holds, meter),
            Means::Runs(sign, quest) => {
                let found = match quest {
                    Quest::Timed(runs) => {
                        let mut found = Bits::zeros(graph.n_states());
                        for run in runs {
                            found = found.or(&accepted_in_time(run, graph, fairness, meter)?);
                        }
                        found
                    }
                    Quest::Run(automata) => {
                        let mut found = Bits::zeros(graph.n_states());
                        for automaton in automata {
                            let product = Product::new(graph, automaton)?;
                            let reverse = self.reverse(graph, meter)?;
                            found = found.or(&accepted(&product, reverse, fairness, meter)?);
                        }
                        found
                    }
                    Quest::Start(_) | Quest::Goal(_) => unreachable!("derived atoms look for runs"),
                };
                Ok(signed(graph, found, *sign))
            }
            Means::Knows(knowledge, group, fact) => {
                self.views.prepare(model, graph, group, meter)?;
                Ok(self.views.known(*knowledge, group, &column(graph, fact)))
            }
        }
    }

    /// The states where some run satisfies an operator, or none does.
    fn fixpoint(
        &mut self,
        graph: &Graph,
        sign: Sign,
        operator: &Operator,
        holds: &mut States<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Bits, Stop> {
        let reverse = self.reverse(graph, meter)?;
        let found = operator.states(graph, reverse, holds, meter)?;
        Ok(signed(graph, found, sign))
    }

    fn reverse(&mut self, graph: &Graph, meter: &Meter<'_>) -> Result<&Reverse, Stop> {
        if self.reverse.is_none() {
            self.reverse = Some(Reverse::of(graph, meter)?);
        }
        Ok(self.reverse.as_ref().expect("it was just made"))
    }
}

/// Whether the graph was explored without what a derived atom needs.
fn is_blind(graph: &Graph, entry: &Entry) -> bool {
    match &entry.means {
        Means::Knows(..) => false,
        Means::Fixpoint(..) => graph.rows.is_none(),
        Means::Runs(_, quest) => {
            !graph.rows.as_ref().is_some_and(|rows| rows.has_delays() || !quest.needs_delays())
        }
    }
}

fn signed(graph: &Graph, found: Bits, sign: Sign) -> Bits {
    match sign {
        Sign::Plain => found,
        Sign::Negated => found.complement(graph.n_states()),
    }
}

/// The derived atoms of these formulas and, inside them, of what they stand for. Inner ones have lower numbers.
fn wanted<'p>(derived: &Derived, paths: impl IntoIterator<Item = &'p Path<AtomId>>) -> Bits {
    let mut wanted = Bits::default();
    let mut waiting = Vec::new();
    let mut note = |atom: &AtomId, waiting: &mut Vec<usize>| {
        if let Some(at) = derived.position(*atom)
            && wanted.insert(at)
        {
            waiting.push(at);
        }
    };
    for path in paths {
        path.for_each_atom(&mut |atom| note(atom, &mut waiting));
    }
    while let Some(at) = waiting.pop() {
        let entry = &derived.entries()[at];
        entry.formula.for_each_atom(&mut |atom| note(atom, &mut waiting));
        for assumption in derived.assumed_in(entry.domain) {
            assumption.for_each_atom(&mut |atom| note(atom, &mut waiting));
        }
    }
    wanted
}
