//! Which cells of the environment an expression reads and which an effect writes, where some of the local names have known
//! values: `at[a]` in a rule for an action `by a` is one cell if it is known who acts.

use std::ops::Range;

use crate::program::{Effect, Environment, Expr, Value};

/// Values of local names, as far as they are known.
pub(super) type Known = Vec<Option<Value>>;

/// A set of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellSet(Vec<bool>);

impl CellSet {
    /// None of the environment's cells.
    pub(super) fn none(environment: &Environment) -> Self {
        Self(vec![false; environment.initial.len()])
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.iter().filter(|member| **member).count()
    }

    /// Whether one of these is in it.
    pub(super) fn meets(&self, cells: Range<usize>) -> bool {
        self.0[cells].iter().any(|member| *member)
    }

    fn add(&mut self, cells: Range<usize>) {
        self.0[cells].fill(true);
    }
}

/// Members of sorts are gone through one by one as long as that makes no more cases than this.
const MAX_CASES: usize = 4096;

/// Adds the cells that an expression reads.
pub(super) fn add_reads(environment: &Environment, known: &Known, expr: &Expr, out: &mut CellSet) {
    Reader { environment, known: known.clone(), cases: 1 }.expr(expr, out);
}

/// Adds the cells that effects read: in their conditions, values and indices.
pub(super) fn add_effect_reads(
    environment: &Environment,
    known: &Known,
    effects: &[Effect],
    out: &mut CellSet,
) {
    let mut reader = Reader { environment, known: known.clone(), cases: 1 };
    for effect in effects {
        match effect {
            Effect::Assign(_, index, value) => {
                index.iter().for_each(|index| reader.expr(index, out));
                reader.expr(value, out);
            }
            Effect::AssignAll(_, value) => reader.expr(value, out),
            Effect::If(condition, then, otherwise) => {
                reader.expr(condition, out);
                add_effect_reads(environment, known, then, out);
                add_effect_reads(environment, known, otherwise, out);
            }
            Effect::Either(options) => {
                options.iter().for_each(|option| add_effect_reads(environment, known, option, out));
            }
            Effect::Chance(branches) => {
                branches.iter().for_each(|(_, body)| add_effect_reads(environment, known, body, out));
            }
        }
    }
}

/// The cells that an assignment may write; `None` for effects that are none.
pub(super) fn target(environment: &Environment, known: &Known, effect: &Effect) -> Option<Range<usize>> {
    match effect {
        Effect::Assign(variable, Some(index), _) => {
            Some(cells_at(environment, *variable, constant(known, index)))
        }
        Effect::Assign(variable, None, _) => {
            let first = environment.variables[*variable].cell;
            Some(first..first + 1)
        }
        Effect::AssignAll(variable, _) => Some(cells_of(environment, *variable)),
        Effect::If(..) | Effect::Either(_) | Effect::Chance(_) => None,
    }
}

/// Whether effects may write one of these cells.
pub(super) fn may_write(
    environment: &Environment,
    known: &Known,
    effects: &[Effect],
    wanted: &CellSet,
) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::Assign(..) | Effect::AssignAll(..) => {
            target(environment, known, effect).is_some_and(|cells| wanted.meets(cells))
        }
        Effect::If(_, then, otherwise) => {
            may_write(environment, known, then, wanted) || may_write(environment, known, otherwise, wanted)
        }
        Effect::Either(options) => options.iter().any(|option| may_write(environment, known, option, wanted)),
        Effect::Chance(branches) => {
            branches.iter().any(|(_, body)| may_write(environment, known, body, wanted))
        }
    })
}

/// All cells of a variable.
pub(super) fn cells_of(environment: &Environment, variable: usize) -> Range<usize> {
    let variable = &environment.variables[variable];
    let members = variable.index.map_or(1, |sort| environment.sorts[sort].1.len());
    variable.cell..variable.cell + members
}

/// The cell at an index, or all cells if it is not known. A wrong index is a fault and reaches none.
fn cells_at(environment: &Environment, variable: usize, index: Option<Value>) -> Range<usize> {
    let all = cells_of(environment, variable);
    let sort = environment.variables[variable].index;
    let Some((index, sort)) = index.zip(sort) else { return all };
    match environment.sorts[sort].1.iter().position(|&member| member == index) {
        Some(at) => all.start + at..all.start + at + 1,
        None => all.start..all.start,
    }
}

/// The value of an expression that needs no state.
fn constant(known: &Known, expr: &Expr) -> Option<Value> {
    match expr {
        Expr::Value(value) => Some(*value),
        Expr::Local(local) => known.get(*local).copied().flatten(),
        _ => None,
    }
}

struct Reader<'a> {
    environment: &'a Environment,
    known: Known,
    /// In how many cases the expression at hand is looked at.
    cases: usize,
}

impl Reader<'_> {
    fn expr(&mut self, expr: &Expr, out: &mut CellSet) {
        match expr {
            Expr::Value(_) | Expr::Local(_) => {}
            Expr::Variable(variable) => out.add(cells_of(self.environment, *variable)),
            Expr::At(variable, index) => {
                self.expr(index, out);
                out.add(cells_at(self.environment, *variable, constant(&self.known, index)));
            }
            Expr::Negative(of) | Expr::Not(of) | Expr::Absolute(of) => self.expr(of, out),
            Expr::Lesser(left, right) | Expr::Larger(left, right) | Expr::Binary(_, left, right) => {
                self.expr(left, out);
                self.expr(right, out);
            }
            Expr::Fold(_, local, sort, body) => self.fold(*local, *sort, body, out),
        }
    }

    fn fold(&mut self, local: usize, sort: usize, body: &Expr, out: &mut CellSet) {
        if self.known.len() <= local {
            self.known.resize(local + 1, None);
        }
        let members = &self.environment.sorts[sort].1;
        let (before, cases) = (self.known[local], self.cases);
        self.cases = cases.saturating_mul(members.len());
        if self.cases > MAX_CASES {
            self.known[local] = None;
            self.expr(body, out);
        } else {
            for &member in members {
                self.known[local] = Some(member);
                self.expr(body, out);
            }
        }
        (self.known[local], self.cases) = (before, cases);
    }
}
