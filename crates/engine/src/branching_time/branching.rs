//! Formulas about other runs (`A`, `E`) and about knowledge (`K`) inside claims.
//!
//! Each of them is true or false of a state, whatever run led there, so it is treated as an atom: before the exploration
//! claims are rewritten over *derived atoms* (`rewrite`), inner ones first; after a complete exploration the states where
//! a derived atom holds are found, by fixpoints (`fixpoint`), by automata (`onward`) or by what observers cannot tell apart
//! (`knowledge`). What is left of a claim is linear time over atoms, and is answered like any other claim. `tree` shows
//! the truth of the derived atoms that an answer rests on.

mod columns;
mod course;
mod fixpoint;
mod onward;
mod reverse;
mod rewrite;
mod tree;

pub(crate) use columns::Columns;
pub(crate) use fixpoint::Operator;
pub(crate) use onward::accepted;
pub(crate) use reverse::Reverse;
pub(crate) use rewrite::{Domain, Rewriter, outermost};
pub(crate) use tree::Gardener;

use motet_evidence::Fairness;
use motet_model::{AtomId, Model, ObserverId, Signature, TimeUnit};
use motet_property::{Change, Formula, Knowledge, Path, Quantifier};
use rustc_hash::FxHashMap;

use crate::branching_time::knowledge::group;
use crate::checking::quest::{Quest, Wanted};
use crate::checking::settings::Proof;
use crate::linear_time::linear::{Sign, Unsupported, check_plain};

/// The derived atoms of all claims. Their numbers follow those of the model's own atoms.
pub(crate) struct Derived {
    first: u32,
    unit: TimeUnit,
    fairness: Fairness,
    /// Whether a single run is wanted where one tells the whole story.
    proof: Proof,
    observers: Vec<String>,
    /// What restricts the runs that count: linear-time formulas over atoms and derived atoms.
    assumptions: Vec<Path<AtomId>>,
    entries: Vec<Entry>,
    numbers: FxHashMap<(Domain, Formula<AtomId>), AtomId>,
}

/// A derived atom.
pub(crate) struct Entry {
    /// As a claim writes it.
    pub(crate) original: Formula<AtomId>,
    /// The same over derived atoms.
    pub(crate) formula: Formula<AtomId>,
    pub(crate) domain: Domain,
    pub(crate) means: Means,
}

/// How the states are found where a derived atom holds.
pub(crate) enum Means {
    /// Some run satisfies this operator of CTL; [`Sign::Negated`] is "none does".
    Fixpoint(Sign, Operator),
    /// Some run is what the quest is for; [`Sign::Negated`] is "none is".
    Runs(Sign, Quest),
    /// Known to these observers.
    Knows(Knowledge, Vec<ObserverId>, Formula<AtomId>),
}

impl Derived {
    pub(crate) fn new(model: &dyn Model, fairness: Fairness, proof: Proof) -> Self {
        Self::over(model.signature(), fairness, proof)
    }

    fn over(signature: &Signature, fairness: Fairness, proof: Proof) -> Self {
        Self {
            first: u32::try_from(signature.atoms.len()).expect("atoms are numbered with 32 bits"),
            unit: signature.unit,
            fairness,
            proof,
            observers: signature.observers.clone(),
            assumptions: Vec::new(),
            entries: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// Says that only runs count that satisfy this.
    pub(crate) fn assume(&mut self, assumption: Path<AtomId>) {
        self.assumptions.push(assumption);
    }

    pub(crate) fn assumptions(&self) -> Vec<&Path<AtomId>> {
        self.assumptions.iter().collect()
    }

    /// The assumptions that runs of a domain satisfy.
    pub(crate) fn assumed_in(&self, domain: Domain) -> Vec<&Path<AtomId>> {
        match domain {
            Domain::AllRuns => Vec::new(),
            Domain::Counting => self.assumptions(),
        }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All derived atoms, in order.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = AtomId> {
        (self.first..).map(AtomId).take(self.entries.len())
    }

    /// The position of a derived atom among [`Derived::entries`]; `None` for an atom of the model.
    pub(crate) fn position(&self, atom: AtomId) -> Option<usize> {
        atom.0.checked_sub(self.first).map(|at| at as usize)
    }

    /// Whether the steps between states are needed.
    pub(crate) fn needs_edges(&self) -> bool {
        self.entries.iter().any(|entry| !matches!(entry.means, Means::Knows(..)))
    }

    /// Whether it matters how long steps take.
    pub(crate) fn needs_delays(&self) -> bool {
        self.entries.iter().any(|entry| matches!(&entry.means, Means::Runs(_, quest) if quest.needs_delays()))
    }

    /// The derived atom for a formula of which everything inside is rewritten already.
    fn allot(
        &mut self,
        original: &Formula<AtomId>,
        formula: Formula<AtomId>,
        domain: Domain,
    ) -> Result<AtomId, Unsupported> {
        let key = (domain, formula);
        if let Some(&atom) = self.numbers.get(&key) {
            return Ok(atom);
        }
        let means = match &key.1 {
            Formula::Runs(quantifier, path) => self.runs(*quantifier, path, domain)?,
            Formula::Knows(knowledge, names, inner) => self.knows(*knowledge, names, inner)?,
            _ => unreachable!("only these are derived"),
        };
        let number = u32::try_from(self.entries.len()).expect("claims are not that long");
        let atom = AtomId(self.first + number);
        self.entries.push(Entry { original: original.clone(), formula: key.1.clone(), domain, means });
        self.numbers.insert(key, atom);
        Ok(atom)
    }

    fn runs(
        &self,
        quantifier: Quantifier,
        path: &Path<AtomId>,
        domain: Domain,
    ) -> Result<Means, Unsupported> {
        if path_looks_back(path) {
            return Err("clocks and the past under a path quantifier inside a formula: \
                        they tell how a state was reached, and the runs from there on begin anew"
                .to_owned());
        }
        let (sign, wanted) = match quantifier {
            Quantifier::Some => (Sign::Plain, Wanted::Satisfies),
            Quantifier::All => (Sign::Negated, Wanted::Breaks),
        };
        let assumptions = self.assumed_in(domain);
        if let Some(operator) =
            Operator::of(path, sign).filter(|operator| self.has_fixpoint(operator, domain))
        {
            operator.check(self.unit)?;
            return Ok(Means::Fixpoint(sign, operator));
        }
        Ok(Means::Runs(sign, Quest::over_runs(&assumptions, path, wanted, self.unit)?))
    }

    /// Whether the states of an operator are found by a fixpoint, which counts all runs.
    fn has_fixpoint(&self, operator: &Operator, domain: Domain) -> bool {
        let fair = self.fairness == Fairness::None || operator.is_finite();
        fair && self.assumed_in(domain).is_empty()
    }

    fn knows(
        &self,
        knowledge: Knowledge,
        names: &[String],
        inner: &Formula<AtomId>,
    ) -> Result<Means, Unsupported> {
        if looks_back(inner) {
            return Err("clocks and the past inside knowledge: \
                        what is known in a situation does not depend on the run that led there"
                .to_owned());
        }
        check_plain(inner, self.unit)?;
        let group = group(names, &self.observers)?;
        Ok(Means::Knows(knowledge, group, inner.clone()))
    }

    /// A path formula with derived atoms replaced by what they stand for.
    pub(crate) fn restore(&self, path: &Path<AtomId>) -> Path<AtomId> {
        rewrite::Restore(self).path(0, path)
    }
}

/// Whether a state formula, of which everything inside is rewritten, speaks of how the state was reached.
fn looks_back(formula: &Formula<AtomId>) -> bool {
    formula.any_leaf(&mut |leaf| matches!(leaf, Formula::Timer(..) | Formula::Past(_)))
}

/// The same of a path formula.
fn path_looks_back(path: &Path<AtomId>) -> bool {
    let mut back = false;
    path.for_each_state(&mut |formula| back |= looks_back(formula));
    back
}
