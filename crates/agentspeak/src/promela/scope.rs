//! Which variables of a plan have a value at a point of the text, and what arithmetic over them comes to.

use motet_machine::{Binary, Expr, Place};

use crate::program::{Pattern, VariableIndex};
use crate::promela::lack::Lack;
use crate::promela::names::{Flat, Names};
use crate::syntax::ArithmeticOperator;
use crate::term::Term;

/// For each variable the Promela expression of its value; `None` is unbound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    values: Vec<Option<Expr>>,
}

/// A value that is computed: the expression, what must hold for it to exist, and what must hold for it to fit a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Computed {
    pub(crate) expr: Expr,
    /// If one of these is false the formula fails.
    pub(crate) guards: Vec<Expr>,
    /// If one of these is false a bound is exceeded.
    pub(crate) checks: Vec<Expr>,
    /// Whether it is a number in any case.
    pub(crate) number: bool,
}

/// Matching an atom: conditions, and the variables that get a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Match {
    pub(crate) tests: Vec<Expr>,
    pub(crate) checks: Vec<Expr>,
    pub(crate) binds: Vec<(VariableIndex, Expr)>,
}

impl Computed {
    /// A value that always exists.
    pub(crate) fn of(expr: Expr) -> Self {
        Self { expr, guards: Vec::new(), checks: Vec::new(), number: false }
    }
}

/// The cell of a variable.
pub(crate) fn cell(variable: VariableIndex) -> Place {
    Place::named("_v").at(i64::from(variable.0))
}

/// Whether a value is a number.
pub(crate) fn is_number(value: &Expr) -> Expr {
    Expr::call("num", [value.clone()])
}

/// Whether a number fits a cell.
pub(crate) fn fits(value: &Expr) -> Expr {
    Expr::call("fits", [value.clone()])
}

impl Scope {
    /// Nothing is bound.
    pub(crate) fn new(n_variables: usize) -> Self {
        Self { values: vec![None; n_variables] }
    }

    /// Whether a variable has a value.
    pub(crate) fn is_bound(&self, variable: VariableIndex) -> bool {
        self.values.get(usize::from(variable.0)).is_some_and(Option::is_some)
    }

    /// The variable has its cell's value from here on.
    pub(crate) fn bind(&mut self, variable: VariableIndex) {
        self.set(variable, Some(cell(variable).into()));
    }

    fn set(&mut self, variable: VariableIndex, value: Option<Expr>) {
        if let Some(place) = self.values.get_mut(usize::from(variable.0)) {
            *place = value;
        }
    }

    /// Variables without a value.
    pub(crate) fn open(&self) -> impl Iterator<Item = VariableIndex> {
        let values = (0u16..).zip(&self.values);
        values.filter(|(_, value)| value.is_none()).map(|(number, _)| VariableIndex(number))
    }

    /// The value of a pattern.
    pub(crate) fn compute(&self, names: &Names, pattern: &Pattern) -> Result<Computed, Lack> {
        match pattern {
            Pattern::Ground(term) => {
                let number = matches!(names.terms.get(*term), Term::Int(_));
                Ok(Computed { number, ..Computed::of(names.term(*term)?) })
            }
            Pattern::Variable(variable) => match self.values.get(usize::from(variable.0)) {
                Some(Some(expr)) => Ok(Computed::of(expr.clone())),
                _ => Err(Lack::Open),
            },
            // `_` has no value, so whatever needs one fails.
            Pattern::Any => {
                Ok(Computed { guards: vec![Expr::Truth(false)], ..Computed::of(Expr::Number(0)) })
            }
            Pattern::Structure(name, args) if args.is_empty() => {
                Ok(Computed::of(names.term(names.terms.structure(*name, &[]))?))
            }
            Pattern::Structure(..) => Err(Lack::Structure),
            Pattern::Arithmetic(operator, left, right) => {
                let (left, right) = (self.compute(names, left)?, self.compute(names, right)?);
                arithmetic(*operator, &left, &right)
            }
        }
    }

    /// The atom with values for all of its arguments.
    pub(crate) fn atom(&self, names: &Names, pattern: &Pattern) -> Result<(Flat<Expr>, Computed), Lack> {
        match pattern {
            Pattern::Ground(term) => Ok((names.flat(*term)?, Computed::of(Expr::Number(0)))),
            Pattern::Structure(name, args) => {
                let mut all = Computed::of(Expr::Number(0));
                let mut codes = Vec::new();
                for arg in args {
                    let one = self.compute(names, arg)?;
                    codes.push(one.expr);
                    all.guards.extend(one.guards);
                    all.checks.extend(one.checks);
                }
                Ok((Flat { predicate: (*name, args.len()), args: codes }, all))
            }
            Pattern::Variable(_) | Pattern::Any | Pattern::Arithmetic(..) => {
                Err(Lack::Construct("a variable in place of an atom".to_owned()))
            }
        }
    }

    /// How a pattern matches an atom whose parts are these expressions. Variables are bound from left to right.
    pub(crate) fn matching(
        &self,
        names: &Names,
        pattern: &Pattern,
        predicate: &Expr,
        columns: &[Expr],
    ) -> Result<Match, Lack> {
        let mut found = Match::default();
        let mut scope = self.clone();
        match pattern {
            Pattern::Ground(term) => {
                let flat = names.flat(*term)?;
                found.tests.push(predicate.equals(names.predicate(flat.predicate)));
                let equal = flat.args.iter().zip(columns).map(|(arg, column)| column.equals(arg));
                found.tests.extend(equal);
            }
            Pattern::Structure(name, args) => {
                found.tests.push(predicate.equals(names.predicate((*name, args.len()))));
                for (arg, column) in args.iter().zip(columns) {
                    scope.match_value(names, arg, column, &mut found)?;
                }
            }
            Pattern::Variable(_) | Pattern::Any | Pattern::Arithmetic(..) => {
                return Err(Lack::Construct("a variable in place of an atom".to_owned()));
            }
        }
        Ok(found)
    }

    /// How a pattern matches one value.
    pub(crate) fn match_value(
        &mut self,
        names: &Names,
        pattern: &Pattern,
        column: &Expr,
        found: &mut Match,
    ) -> Result<(), Lack> {
        match pattern {
            Pattern::Any => {}
            Pattern::Variable(variable) if !self.is_bound(*variable) => {
                found.binds.push((*variable, column.clone()));
                self.set(*variable, Some(column.clone()));
            }
            _ => {
                let value = self.compute(names, pattern)?;
                found.tests.extend(value.guards);
                found.checks.extend(value.checks);
                found.tests.push(column.equals(value.expr));
            }
        }
        Ok(())
    }
}

/// The value of an operation, as `.plus` and infix operators compute it.
pub(crate) fn arithmetic(
    operator: ArithmeticOperator,
    left: &Computed,
    right: &Computed,
) -> Result<Computed, Lack> {
    let computed = match operator {
        ArithmeticOperator::Add => Binary::Add,
        ArithmeticOperator::Subtract => Binary::Subtract,
        ArithmeticOperator::Multiply => Binary::Multiply,
        ArithmeticOperator::Divide | ArithmeticOperator::IntegerDivide => Binary::Divide,
        ArithmeticOperator::Modulo => Binary::Remainder,
        ArithmeticOperator::Power => return Err(Lack::Construct("`**`".to_owned())),
    };
    let mut guards: Vec<Expr> = left.guards.iter().chain(&right.guards).cloned().collect();
    let mut checks: Vec<Expr> = left.checks.iter().chain(&right.checks).cloned().collect();
    for side in [left, right].into_iter().filter(|side| !side.number) {
        guards.push(is_number(&side.expr));
    }
    let (left, right) = (&left.expr, &right.expr);
    match operator {
        ArithmeticOperator::Divide => {
            guards.push(right.differs(0));
            // A quotient with a fraction is a number that cells cannot hold.
            checks.push(left.modulo(right).equals(0));
        }
        ArithmeticOperator::IntegerDivide | ArithmeticOperator::Modulo => {
            guards.push(right.differs(0));
        }
        ArithmeticOperator::Multiply => checks.push(Expr::call("factors", [left.clone(), right.clone()])),
        _ => {}
    }
    let expr = left.with(computed, right);
    if !matches!(operator, ArithmeticOperator::Modulo) {
        checks.push(fits(&expr));
    }
    Ok(Computed { expr, guards, checks, number: true })
}
