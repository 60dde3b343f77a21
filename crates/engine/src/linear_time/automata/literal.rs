//! Formulas whose propositions are single atoms, so that letters can be chosen atom by atom.

use motet_model::AtomId;
use motet_property::{Basic, Bound, Formula, Interval, Path, Subformula};

use super::example::{Column, NoExample};
use super::formula::{Formulas, Node};
use crate::linear_time::linear::Sign;

/// Distinct subformulas of an example.
const FORMULAS_MAX: usize = 2000;
/// Nested quantifiers and connectives.
const STEPS_MAX: u64 = 48;

/// What is done to one of the literals of a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mutation {
    None,
    /// This literal, in the order of the formula, counts as never satisfied.
    Lost(usize),
}

/// The atoms of a formula, each a column.
pub(super) struct Literals {
    pub(super) columns: Vec<Column>,
}

impl Literals {
    pub(super) fn new(path: &Path<AtomId>) -> Self {
        let mut columns = Vec::new();
        path.for_each_atom(&mut |atom| {
            if !columns.contains(&Column::Atom(*atom)) {
                columns.push(Column::Atom(*atom));
            }
        });
        let mut literals = Self { columns };
        if mentions_deadlock(path) {
            literals.columns.push(Column::Deadlock);
        }
        literals
    }

    /// The column of a proposition.
    pub(super) fn column_of(&self, proposition: &Formula<AtomId>) -> usize {
        let column = match proposition {
            Formula::Atom(atom) => Column::Atom(*atom),
            _ => Column::Deadlock,
        };
        self.columns.iter().position(|known| *known == column).expect("every atom has a column")
    }

    /// How many literals the formula has, repetitions included.
    pub(super) fn n_literals(&self, path: &Path<AtomId>) -> usize {
        let mut formulas = Formulas::new(super::formula::Moments::States);
        let mut writer = self.writer(&mut formulas, Mutation::None);
        let written = writer.path(path, Sign::Plain);
        written.map_or(0, |_| writer.n_literals)
    }

    pub(super) fn root(
        &self,
        formulas: &mut Formulas,
        path: &Path<AtomId>,
        sign: Sign,
        mutation: Mutation,
    ) -> Result<Node, NoExample> {
        let mut writer = self.writer(formulas, mutation);
        let node = writer.path(path, Sign::Plain)?;
        Ok(if sign == Sign::Negated { formulas.negate(node) } else { node })
    }

    fn writer<'f>(&self, formulas: &'f mut Formulas, mutation: Mutation) -> Writer<'f> {
        // Columns get their numbers in order, so that a proposition is a column.
        for column in &self.columns {
            formulas.state(&formula_of(*column));
        }
        Writer { formulas, mutation, n_literals: 0 }
    }

    /// A state without steps repeats itself for ever, and so do its atoms.
    pub(super) fn with_deadlock(&self, formulas: &mut Formulas, root: Node) -> Node {
        if !self.columns.contains(&Column::Deadlock) {
            return root;
        }
        let deadlock = formulas.state(&Formula::Deadlock);
        let alive = formulas.negate(deadlock);
        let mut parts = vec![root];
        for column in &self.columns {
            let plain = formulas.state(&formula_of(*column));
            for literal in [plain, formulas.negate(plain)] {
                let (other, later) = (formulas.negate(literal), formulas.next(literal));
                let kept = formulas.or(vec![alive, other, later]);
                parts.push(formulas.always(kept));
            }
        }
        formulas.and(parts)
    }
}

fn formula_of(column: Column) -> Formula<AtomId> {
    match column {
        Column::Atom(atom) => Formula::Atom(atom),
        Column::Deadlock => Formula::Deadlock,
    }
}

fn mentions_deadlock(path: &Path<AtomId>) -> bool {
    path.any(&mut |part| matches!(part, Subformula::State(Formula::Deadlock)))
}

struct Writer<'f> {
    formulas: &'f mut Formulas,
    mutation: Mutation,
    n_literals: usize,
}

type Written = Result<Node, NoExample>;

impl Writer<'_> {
    /// The formula; `sign` says whether it stands under an even number of negations.
    fn path(&mut self, path: &Path<AtomId>, sign: Sign) -> Written {
        if self.formulas.len() > FORMULAS_MAX {
            return Err(NoExample::Large);
        }
        match path {
            Path::Now(formula) => self.state(formula, sign),
            // Refused before: an automaton is its own explanation.
            Path::Accepted(_) => Err(NoExample::Automaton),
            Path::Not(a) => {
                let a = self.path(a, sign.flip())?;
                Ok(self.formulas.negate(a))
            }
            Path::And(a, b) => {
                let parts = vec![self.path(a, sign)?, self.path(b, sign)?];
                Ok(self.formulas.and(parts))
            }
            Path::Or(a, b) => {
                let parts = vec![self.path(a, sign)?, self.path(b, sign)?];
                Ok(self.formulas.or(parts))
            }
            Path::Implies(a, b) => {
                let (a, b) = (self.path(a, sign.flip())?, self.path(b, sign)?);
                Ok(self.implies(a, b))
            }
            Path::Iff(a, b) => {
                let (to, from) = (self.path(a, sign.flip())?, self.path(b, sign)?);
                let there = self.implies(to, from);
                let (to, from) = (self.path(b, sign.flip())?, self.path(a, sign)?);
                let back = self.implies(to, from);
                Ok(self.formulas.and(vec![there, back]))
            }
            Path::Next(a) => {
                let a = self.path(a, sign)?;
                Ok(self.formulas.next(a))
            }
            Path::Eventually(when, a) => {
                let a = self.path(a, sign)?;
                self.until(when, Formulas::TRUE, a)
            }
            Path::Always(when, a) => {
                let a = self.path(a, sign)?;
                self.release(when, Formulas::FALSE, a)
            }
            Path::Until(until, when, a, b) => {
                let (a, b) = (self.path(a, sign)?, self.path(b, sign)?);
                let join = |connective, a, b| self.formulas.join(connective, a, b);
                match until.define(a, b, join) {
                    Basic::Until(a, b) => self.until(when, a, b),
                    Basic::Release(a, b) => self.release(when, a, b),
                }
            }
        }
    }

    fn state(&mut self, formula: &Formula<AtomId>, sign: Sign) -> Written {
        match formula {
            Formula::True => Ok(Formulas::TRUE),
            Formula::False => Ok(Formulas::FALSE),
            Formula::Atom(_) | Formula::Deadlock => {
                self.n_literals += 1;
                if self.mutation == Mutation::Lost(self.n_literals - 1) {
                    return Ok(if sign == Sign::Plain { Formulas::FALSE } else { Formulas::TRUE });
                }
                Ok(self.formulas.state(formula))
            }
            Formula::Not(a) => {
                let a = self.state(a, sign.flip())?;
                Ok(self.formulas.negate(a))
            }
            Formula::And(a, b) => {
                let parts = vec![self.state(a, sign)?, self.state(b, sign)?];
                Ok(self.formulas.and(parts))
            }
            Formula::Or(a, b) => {
                let parts = vec![self.state(a, sign)?, self.state(b, sign)?];
                Ok(self.formulas.or(parts))
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.state(a, sign.flip())?, self.state(b, sign)?);
                Ok(self.implies(a, b))
            }
            Formula::Iff(a, b) => {
                let (to, from) = (self.state(a, sign.flip())?, self.state(b, sign)?);
                let there = self.implies(to, from);
                let (to, from) = (self.state(b, sign.flip())?, self.state(a, sign)?);
                let back = self.implies(to, from);
                Ok(self.formulas.and(vec![there, back]))
            }
            // What has an example at all has no other parts.
            _ => Err(NoExample::Large),
        }
    }

    fn implies(&mut self, a: Node, b: Node) -> Node {
        let a = self.formulas.negate(a);
        self.formulas.or(vec![a, b])
    }

    fn release(&mut self, when: &Interval, a: Node, b: Node) -> Written {
        let (a, b) = (self.formulas.negate(a), self.formulas.negate(b));
        let dual = self.until(when, a, b)?;
        Ok(self.formulas.negate(dual))
    }

    /// `a U b`, with bounds written out letter by letter.
    fn until(&mut self, when: &Interval, a: Node, b: Node) -> Written {
        let low = distance(when.low.as_ref(), 1)?.unwrap_or(0);
        let mut node = match distance(when.high.as_ref(), -1)? {
            None => self.formulas.until(a, b),
            Some(high) => {
                let mut node = Formulas::FALSE;
                for _ in low..=high {
                    node = self.step(a, node);
                    node = self.formulas.or(vec![b, node]);
                }
                node
            }
        };
        for _ in 0..low {
            node = self.step(a, node);
        }
        Ok(node)
    }

    fn step(&mut self, a: Node, later: Node) -> Node {
        let later = self.formulas.next(later);
        self.formulas.and(vec![a, later])
    }
}

/// The first or last letter that a bound admits, counted from here.
fn distance(bound: Option<&Bound>, strict: i64) -> Result<Option<i64>, NoExample> {
    let Some(bound) = bound else { return Ok(None) };
    if bound.amount > STEPS_MAX {
        return Err(NoExample::Bounds);
    }
    let amount = i64::try_from(bound.amount).map_err(|_| NoExample::Bounds)?;
    Ok(Some(if bound.strict { amount + strict } else { amount }))
}
