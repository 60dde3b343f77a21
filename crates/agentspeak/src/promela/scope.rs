//! Which variables of a plan have a value at a point of the text, and what arithmetic over them comes to.

use crate::program::{Pattern, VariableIndex};
use crate::promela::lack::Lack;
use crate::promela::names::{Flat, Names};
use crate::syntax::ArithmeticOperator;
use crate::term::Term;

/// For each variable the Promela expression of its value; `None` is unbound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    values: Vec<Option<String>>,
}

/// A value that is computed: the expression, what must hold for it to exist, and what must hold for it to fit a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Computed {
    pub(crate) expr: String,
    /// If one of these is false the formula fails.
    pub(crate) guards: Vec<String>,
    /// If one of these is false a bound is exceeded.
    pub(crate) checks: Vec<String>,
    /// Whether it is a number in any case.
    pub(crate) number: bool,
}

/// Matching an atom: conditions, and the variables that get a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Match {
    pub(crate) tests: Vec<String>,
    pub(crate) checks: Vec<String>,
    pub(crate) binds: Vec<(VariableIndex, String)>,
}

/// The cell of a variable.
pub(crate) fn cell(variable: VariableIndex) -> String {
    format!("VAR({})", variable.0)
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
        self.set(variable, Some(cell(variable)));
    }

    fn set(&mut self, variable: VariableIndex, value: Option<String>) {
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
                Ok(Computed { expr: names.term(*term)?, number, ..Computed::default() })
            }
            Pattern::Variable(variable) => match self.values.get(usize::from(variable.0)) {
                Some(Some(expr)) => Ok(Computed { expr: expr.clone(), ..Computed::default() }),
                _ => Err(Lack::Open),
            },
            // `_` has no value, so whatever needs one fails.
            Pattern::Any => {
                Ok(Computed { expr: "0".to_owned(), guards: vec!["0".to_owned()], ..Computed::default() })
            }
            Pattern::Structure(name, args) if args.is_empty() => {
                let expr = names.term(names.terms.structure(*name, &[]))?;
                Ok(Computed { expr, ..Computed::default() })
            }
            Pattern::Structure(..) => Err(Lack::Structure),
            Pattern::Arithmetic(operator, left, right) => {
                let (left, right) = (self.compute(names, left)?, self.compute(names, right)?);
                arithmetic(*operator, &left, &right)
            }
        }
    }

    /// The atom with values for all of its arguments.
    pub(crate) fn atom(&self, names: &Names, pattern: &Pattern) -> Result<(Flat<String>, Computed), Lack> {
        match pattern {
            Pattern::Ground(term) => Ok((names.flat(*term)?, Computed::default())),
            Pattern::Structure(name, args) => {
                let mut all = Computed::default();
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
        predicate: &str,
        columns: &[String],
    ) -> Result<Match, Lack> {
        let mut found = Match::default();
        let mut scope = self.clone();
        match pattern {
            Pattern::Ground(term) => {
                let flat = names.flat(*term)?;
                found.tests.push(format!("{predicate} == {}", names.predicate(flat.predicate)));
                let equal = flat.args.iter().zip(columns).map(|(arg, column)| format!("{column} == {arg}"));
                found.tests.extend(equal);
            }
            Pattern::Structure(name, args) => {
                found.tests.push(format!("{predicate} == {}", names.predicate((*name, args.len()))));
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
        column: &str,
        found: &mut Match,
    ) -> Result<(), Lack> {
        match pattern {
            Pattern::Any => {}
            Pattern::Variable(variable) if !self.is_bound(*variable) => {
                found.binds.push((*variable, column.to_owned()));
                self.set(*variable, Some(column.to_owned()));
            }
            _ => {
                let value = self.compute(names, pattern)?;
                found.tests.extend(value.guards);
                found.checks.extend(value.checks);
                found.tests.push(format!("{column} == {}", value.expr));
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
    let sign = match operator {
        ArithmeticOperator::Add => "+",
        ArithmeticOperator::Subtract => "-",
        ArithmeticOperator::Multiply => "*",
        ArithmeticOperator::Divide | ArithmeticOperator::IntegerDivide => "/",
        ArithmeticOperator::Modulo => "%",
        ArithmeticOperator::Power => return Err(Lack::Construct("`**`".to_owned())),
    };
    let mut guards: Vec<String> = left.guards.iter().chain(&right.guards).cloned().collect();
    let mut checks: Vec<String> = left.checks.iter().chain(&right.checks).cloned().collect();
    for side in [left, right].into_iter().filter(|side| !side.number) {
        guards.push(format!("num({})", side.expr));
    }
    let (left, right) = (&left.expr, &right.expr);
    match operator {
        ArithmeticOperator::Divide => {
            guards.push(format!("{right} != 0"));
            // A quotient with a fraction is a number that cells cannot hold.
            checks.push(format!("{left} % {right} == 0"));
        }
        ArithmeticOperator::IntegerDivide | ArithmeticOperator::Modulo => {
            guards.push(format!("{right} != 0"));
        }
        ArithmeticOperator::Multiply => checks.push(format!("factors({left}, {right})")),
        _ => {}
    }
    let expr = format!("({left} {sign} {right})");
    if !matches!(operator, ArithmeticOperator::Modulo) {
        checks.push(format!("fits({expr})"));
    }
    Ok(Computed { expr, guards, checks, number: true })
}
