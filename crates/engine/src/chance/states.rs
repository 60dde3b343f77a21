//! State formulas: the states where they hold.

use std::cell::{OnceCell, RefCell};

use motet_evidence::{Fairness, Stop};
use motet_model::{AtomId, Model};
use motet_property::{Change, Formula, Knowledge, Path, Quantifier};

use super::fair::Fair;
use super::matrix::Matrix;
use super::numbers::is_measure;
use crate::branching_time::branching::{Operator, Reverse, accepted};
use crate::branching_time::knowledge::{Views, group};
use crate::checking::quest::{Quest, Wanted};
use crate::checking::settings::{Precision, Strategies};
use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::formulas::valuation::column;
use crate::linear_time::linear::Sign;
use crate::linear_time::product::Product;
use crate::storage::bits::Bits;

/// What questions are asked of.
pub(crate) struct Process<'a> {
    pub(crate) model: &'a dyn Model,
    pub(crate) graph: &'a Graph,
    pub(crate) matrix: &'a Matrix,
    pub(crate) precision: Precision,
    pub(crate) fairness: Fairness,
    pub(crate) strategies: Strategies,
    /// To whom strategies are fair, once somebody asked; `None` where all of them count.
    pub(crate) fair: OnceCell<Option<Fair>>,
    /// The steps backwards, once somebody asked.
    pub(crate) reverse: OnceCell<Reverse>,
    /// What observers see, once somebody asked.
    pub(crate) views: RefCell<Views>,
}

impl Process<'_> {
    /// The states where a formula holds. Thresholds inside are decided with certainty.
    pub(crate) fn states(&self, formula: &Formula<AtomId>, meter: &mut Meter<'_>) -> Result<Bits, Stop> {
        let n = self.matrix.n_states();
        match formula {
            Formula::True | Formula::False | Formula::Deadlock | Formula::Atom(_) => {
                Ok(column(self.graph, formula))
            }
            Formula::Not(a) => Ok(self.states(a, meter)?.complement(n)),
            Formula::And(a, b) => Ok(self.states(a, meter)?.and(&self.states(b, meter)?)),
            Formula::Or(a, b) => Ok(self.states(a, meter)?.or(&self.states(b, meter)?)),
            Formula::Implies(a, b) => Ok(self.states(a, meter)?.complement(n).or(&self.states(b, meter)?)),
            Formula::Iff(a, b) => {
                let (a, b) = (self.states(a, meter)?, self.states(b, meter)?);
                Ok(a.and(&b).or(&a.or(&b).complement(n)))
            }
            Formula::Runs(quantifier, path) => self.runs(*quantifier, path, meter),
            Formula::Filter(filter, value, among) => {
                let truth = self.filtered_truth(*filter, value, among, meter)?;
                Ok(if truth { Bits::all(n) } else { Bits::zeros(n) })
            }
            formula if is_measure(formula) => self.threshold_states(formula, meter),
            Formula::Knows(kind, names, inner) => self.knows(*kind, names, inner, meter),
            _ => Err(unsupported("clocks (`now`, `since`, `held`) beside probabilities")),
        }
    }

    /// Path quantifiers: by fixpoints on the graph of the process, or by an automaton.
    fn runs(&self, quantifier: Quantifier, path: &Path<AtomId>, meter: &mut Meter<'_>) -> Result<Bits, Stop> {
        let (sign, wanted) = match quantifier {
            Quantifier::Some => (Sign::Plain, Wanted::Satisfies),
            Quantifier::All => (Sign::Negated, Wanted::Breaks),
        };
        let counts_all = self.fairness == Fairness::None;
        let is_finite = Operator::of(path, sign).is_some_and(|operator| operator.is_finite());
        if self.strategies == Strategies::FairToChoices && !is_finite {
            return Err(unsupported(
                "`A` or `E` about runs without an end, where strategies are fair to choices: ask for a chance, as in P>=1",
            ));
        }
        let reverse = self.reverse(meter)?;
        let found = match Operator::of(path, sign) {
            Some(operator) if counts_all || operator.is_finite() => {
                let mut holds =
                    |formula: &Formula<AtomId>, meter: &mut Meter<'_>| self.states(formula, meter);
                operator.states(self.graph, reverse, &mut holds, meter)?
            }
            _ => self.accepted(path, wanted, reverse, meter)?,
        };
        Ok(match sign {
            Sign::Plain => found,
            Sign::Negated => found.complement(self.matrix.n_states()),
        })
    }

    /// The states from which some run satisfies or breaks a path formula. Its state formulas may speak of chances, so their
    /// states are found first.
    fn accepted(
        &self,
        path: &Path<AtomId>,
        wanted: Wanted,
        reverse: &Reverse,
        meter: &mut Meter<'_>,
    ) -> Result<Bits, Stop> {
        let mut leaves = Leaves(Vec::new());
        let path = leaves.path(0, path);
        let quest = Quest::over_runs(&[], &path, wanted, self.model.signature().unit);
        let Quest::Run(automata) = quest.map_err(Stop::Unsupported)? else {
            return Err(unsupported("time bounds under a path quantifier beside probabilities"));
        };
        let mut found = Bits::zeros(self.matrix.n_states());
        for automaton in &automata {
            let mut propositions = Vec::new();
            for proposition in &automaton.propositions {
                let formula = Planted(&leaves.0).state(0, proposition);
                propositions.push(self.states(&formula, meter)?);
            }
            let product = Product::with_propositions(self.graph, automaton, &propositions)?;
            found = found.or(&accepted(&product, reverse, self.fairness, meter)?);
        }
        Ok(found)
    }

    /// To whom strategies are fair; `None` where all of them count.
    pub(crate) fn fair(&self) -> Option<&Fair> {
        let fair = || Fair::of(self.graph, self.matrix, self.fairness, self.strategies);
        self.fair.get_or_init(fair).as_ref()
    }

    fn reverse(&self, meter: &Meter<'_>) -> Result<&Reverse, Stop> {
        if let Some(reverse) = self.reverse.get() {
            return Ok(reverse);
        }
        let reverse = Reverse::of(self.graph, meter)?;
        Ok(self.reverse.get_or_init(|| reverse))
    }

    fn knows(
        &self,
        kind: Knowledge,
        names: &[String],
        inner: &Formula<AtomId>,
        meter: &mut Meter<'_>,
    ) -> Result<Bits, Stop> {
        let group = group(names, &self.model.signature().observers).map_err(Stop::Unsupported)?;
        let fact = self.states(inner, meter)?;
        let mut views = self.views.borrow_mut();
        views.prepare(self.model, self.graph, &group, meter)?;
        Ok(views.known(kind, &group, &fact))
    }
}

/// State formulas that were taken out of a path formula; an atom with the number of its place stands for each.
struct Leaves(Vec<Formula<AtomId>>);

impl Change<AtomId> for Leaves {
    fn path(&mut self, _: usize, path: &Path<AtomId>) -> Path<AtomId> {
        path.with_children(self)
    }

    fn state(&mut self, _: usize, formula: &Formula<AtomId>) -> Formula<AtomId> {
        self.0.push(formula.clone());
        Formula::Atom(AtomId(u32::try_from(self.0.len() - 1).expect("claims are not that long")))
    }
}

/// Puts them back.
struct Planted<'a>(&'a [Formula<AtomId>]);

impl Change<AtomId> for Planted<'_> {
    fn path(&mut self, _: usize, path: &Path<AtomId>) -> Path<AtomId> {
        path.with_children(self)
    }

    fn state(&mut self, _: usize, formula: &Formula<AtomId>) -> Formula<AtomId> {
        match formula {
            Formula::Atom(atom) => self.0[atom.index()].clone(),
            _ => formula.with_children(self),
        }
    }
}

pub(crate) fn unsupported(what: &str) -> Stop {
    Stop::Unsupported(what.to_owned())
}
