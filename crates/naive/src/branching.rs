//! Branching time by labelling every state with the truth of every subformula, inner ones first (Clarke, Emerson and
//! Sistla 1986). Whether some run from a state satisfies a path formula is asked of the tableau of linear time.

use motet_evidence::Fairness;
use motet_model::{AtomId, Model};
use motet_property::{Formula, Omega, Path, Quantifier, Rebuild};

use crate::Graph;
use crate::knowledge::knows;
use crate::ltl::runs_from;

/// The states of a small model, ready to be labelled.
#[derive(Debug)]
pub struct Labels<'a> {
    graph: &'a Graph,
    fairness: Fairness,
    /// Per observer, per state: what it sees.
    views: Vec<Vec<Vec<u32>>>,
    names: Vec<String>,
    /// Per atom, per state. Labels are appended: a label is an atom with a number of its own.
    columns: Vec<Vec<bool>>,
    /// What runs have to satisfy to count, with labels for what is inside.
    assumptions: Vec<Path<AtomId>>,
}

impl<'a> Labels<'a> {
    /// The states of a model with its own atoms.
    #[must_use]
    pub fn new(model: &dyn Model, graph: &'a Graph, fairness: Fairness) -> Self {
        let signature = model.signature();
        let atoms = (0..signature.atoms.len()).map(|at| AtomId(u32::try_from(at).expect("few atoms")));
        let column = |atom| graph.states.iter().map(|state| model.holds(atom, state)).collect();
        Self {
            graph,
            fairness,
            views: crate::knowledge::views(model, graph),
            names: signature.observers.clone(),
            columns: atoms.map(column).collect(),
            assumptions: Vec::new(),
        }
    }

    /// From now on only runs count that satisfy the assumptions, which speak of all runs themselves. `None` if they are too
    /// large.
    pub fn assume(&mut self, assumptions: &[Path<AtomId>]) -> Option<()> {
        let mut labelled = Vec::new();
        for assumption in assumptions {
            let mut path = assumption;
            while let Path::Now(Formula::Runs(Quantifier::All, inner)) = path {
                path = inner;
            }
            labelled.push(self.labelled(path)?);
        }
        self.assumptions = labelled;
        Some(())
    }

    /// Per state: whether some run from there that counts satisfies the formula. `None` if it is too large.
    pub fn some_run(&mut self, path: &Path<AtomId>) -> Option<Vec<bool>> {
        let mut whole = self.labelled(path)?;
        for assumption in &self.assumptions {
            whole = Path::And(Box::new(assumption.clone()), Box::new(whole));
        }
        let holds = |atom: AtomId, state: usize| self.columns[atom.index()][state];
        runs_from(self.graph, &holds, &whole, self.fairness)
    }

    /// Per state: whether the formula holds there. `None` if it is too large.
    pub fn states(&mut self, formula: &Formula<AtomId>) -> Option<Vec<bool>> {
        let n = self.graph.states.len();
        Some(match formula {
            Formula::True => vec![true; n],
            Formula::False => vec![false; n],
            Formula::Deadlock => self.graph.edges.iter().map(Vec::is_empty).collect(),
            Formula::Atom(atom) => self.columns[atom.index()].clone(),
            Formula::Not(a) => self.states(a)?.into_iter().map(|a| !a).collect(),
            Formula::And(a, b) => zip(self.states(a)?, self.states(b)?, |a, b| a && b),
            Formula::Or(a, b) => zip(self.states(a)?, self.states(b)?, |a, b| a || b),
            Formula::Implies(a, b) => zip(self.states(a)?, self.states(b)?, |a, b| !a || b),
            Formula::Iff(a, b) => zip(self.states(a)?, self.states(b)?, |a, b| a == b),
            Formula::Runs(Quantifier::Some, path) => self.some_run(path)?,
            Formula::Runs(Quantifier::All, path) => {
                let breaks = self.some_run(&Path::Not(path.clone()))?;
                breaks.into_iter().map(|breaks| !breaks).collect()
            }
            Formula::Knows(knowledge, names, inner) => {
                let fact = self.states(inner)?;
                let seen = |name: &String| {
                    let at = self.names.iter().position(|known| known == name);
                    &self.views[at.expect("the caller names observers of the model")]
                };
                let group: Vec<&Vec<Vec<u32>>> = names.iter().map(seen).collect();
                knows(*knowledge, &group, &fact)
            }
            _ => return None,
        })
    }

    /// The formula with a label in place of each state formula.
    fn labelled(&mut self, path: &Path<AtomId>) -> Option<Path<AtomId>> {
        match path {
            Path::Now(formula) => {
                let column = self.states(formula)?;
                self.columns.push(column);
                let number = u32::try_from(self.columns.len() - 1).expect("few labels");
                Some(Path::Now(Formula::Atom(AtomId(number))))
            }
            _ => path.rebuild(&mut Labelled(self)).ok(),
        }
    }
}

/// Labels in place of what is inside of a formula, if there are not too many.
struct Labelled<'l, 'a>(&'l mut Labels<'a>);

impl Rebuild<AtomId, AtomId, ()> for Labelled<'_, '_> {
    fn atom(&mut self, atom: &AtomId) -> Result<AtomId, ()> {
        Ok(*atom)
    }

    fn automaton(&mut self, _: &Omega<AtomId>) -> Result<Path<AtomId>, ()> {
        Err(())
    }

    fn path(&mut self, _: usize, child: &Path<AtomId>) -> Result<Path<AtomId>, ()> {
        self.0.labelled(child).ok_or(())
    }

    fn state(&mut self, _: usize, _: &Formula<AtomId>) -> Result<Formula<AtomId>, ()> {
        Err(())
    }
}

fn zip(a: Vec<bool>, b: Vec<bool>, join: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.into_iter().zip(b).map(|(a, b)| join(a, b)).collect()
}
