//! State formulas: the states where they hold.

use motet_evidence::Stop;
use motet_model::{AtomId, Model};
use motet_property::{Formula, Interval, Path, Quantifier};

use super::certain::Certain;
use super::matrix::Matrix;
use super::numbers::is_measure;
use crate::bits::Bits;
use crate::graph::Graph;
use crate::limits::Meter;
use crate::settings::Precision;
use crate::valuation::column;

/// What questions are asked of.
pub(crate) struct Process<'a> {
    pub(crate) model: &'a dyn Model,
    pub(crate) graph: &'a Graph,
    pub(crate) matrix: &'a Matrix,
    pub(crate) precision: Precision,
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
            Formula::Knows(..) => Err(unsupported("knowledge (`K`) beside probabilities")),
            _ => Err(unsupported("clocks (`now`, `since`, `held`) beside probabilities")),
        }
    }

    /// Path quantifiers, as far as the graph of the process decides them: `E [a U b]`, `E [F b]`, `A [G a]` and `X`.
    fn runs(&self, quantifier: Quantifier, path: &Path<AtomId>, meter: &mut Meter<'_>) -> Result<Bits, Stop> {
        let n = self.matrix.n_states();
        let refused = || unsupported("path quantifiers (`A`, `E`) like this one beside probabilities");
        if let Some(formula) = as_state(path) {
            return self.states(&formula, meter);
        }
        let unbounded = |when: &Interval| if when.is_unbounded() { Ok(()) } else { Err(refused()) };
        let state = |path: &Path<AtomId>, meter: &mut Meter<'_>| match as_state(path) {
            Some(formula) => self.states(&formula, meter),
            None => Err(refused()),
        };
        let possible = |left: &Bits, right: &Bits| {
            Certain::of(self.matrix, left, right, motet_property::Extremum::Max).zero.complement(n)
        };
        match (quantifier, path) {
            (Quantifier::Some, Path::Eventually(when, goal)) => {
                unbounded(when)?;
                Ok(possible(&Bits::all(n), &state(goal, meter)?))
            }
            (Quantifier::Some, Path::Until(when, left, right)) => {
                unbounded(when)?;
                Ok(possible(&state(left, meter)?, &state(right, meter)?))
            }
            (Quantifier::All, Path::Always(when, inner)) => {
                unbounded(when)?;
                Ok(possible(&Bits::all(n), &state(inner, meter)?.complement(n)).complement(n))
            }
            (_, Path::Next(inner)) => {
                let inner = state(inner, meter)?;
                let leads = |at: usize| {
                    let choices = self.matrix.choices[at] as usize..self.matrix.choices[at + 1] as usize;
                    let mut targets = choices.flat_map(|choice| self.matrix.branches_of(choice));
                    let holds = |branch: usize| inner.get(self.matrix.targets[branch] as usize);
                    match quantifier {
                        Quantifier::All => targets.all(holds),
                        Quantifier::Some => targets.any(holds),
                    }
                };
                let mut found = Bits::zeros(n);
                (0..n).filter(|&at| leads(at)).for_each(|at| {
                    found.insert(at);
                });
                Ok(found)
            }
            _ => Err(refused()),
        }
    }
}

pub(crate) fn unsupported(what: &str) -> Stop {
    Stop::Unsupported(what.to_owned())
}

/// The state formula that a path formula is, if it speaks of its first state only.
pub(crate) fn as_state(path: &Path<AtomId>) -> Option<Formula<AtomId>> {
    let two = |a: &Path<AtomId>, b: &Path<AtomId>| Some((Box::new(as_state(a)?), Box::new(as_state(b)?)));
    match path {
        Path::Now(formula) => Some(formula.clone()),
        Path::Not(a) => Some(Formula::Not(Box::new(as_state(a)?))),
        Path::And(a, b) => two(a, b).map(|(a, b)| Formula::And(a, b)),
        Path::Or(a, b) => two(a, b).map(|(a, b)| Formula::Or(a, b)),
        Path::Implies(a, b) => two(a, b).map(|(a, b)| Formula::Implies(a, b)),
        Path::Iff(a, b) => two(a, b).map(|(a, b)| Formula::Iff(a, b)),
        _ => None,
    }
}
