//! Expressions of the environment that always have a value. Where a part may be a fault, an order decides whether it is met.

use crate::program::{Domain, Environment, Expr, Value};
use crate::syntax::{Fold, WorldOperator};

/// What is known of the locals of a rule.
#[derive(Clone, Debug)]
pub(super) struct Scope<'p> {
    pub(super) environment: &'p Environment,
    /// The sorts that locals range over, by local.
    sorts: Vec<(usize, usize)>,
}

impl<'p> Scope<'p> {
    pub(super) fn new(environment: &'p Environment) -> Self {
        Self { environment, sorts: Vec::new() }
    }

    /// The same with a local that is one of a sort.
    pub(super) fn with(&self, local: usize, sort: usize) -> Self {
        let mut sorts = self.sorts.clone();
        sorts.retain(|(known, _)| *known != local);
        sorts.push((local, sort));
        Self { environment: self.environment, sorts }
    }

    fn sort_of(&self, local: usize) -> Option<usize> {
        self.sorts.iter().find(|(known, _)| *known == local).map(|(_, sort)| *sort)
    }

    /// The values that a variable may take, if its index is surely one.
    fn domain(&self, expr: &Expr) -> Option<&'p Domain> {
        match expr {
            Expr::Variable(variable) => Some(&self.environment.variables[*variable].domain),
            Expr::At(variable, index) => {
                let variable = &self.environment.variables[*variable];
                self.is_one_of(index, variable.index?).then_some(&variable.domain)
            }
            _ => None,
        }
    }

    /// Whether a value is surely a member of a sort.
    fn is_one_of(&self, expr: &Expr, sort: usize) -> bool {
        let members = &self.environment.sorts[sort].1;
        let within = |values: &[Value]| values.iter().all(|value| members.contains(value));
        match expr {
            Expr::Local(local) => {
                self.sort_of(*local).is_some_and(|known| within(&self.environment.sorts[known].1))
            }
            Expr::Value(value) => members.contains(value),
            _ => match self.domain(expr) {
                Some(Domain::Members(values)) => within(values),
                Some(Domain::Range(low, high)) => {
                    // Ranges of indices are short; a long one is no index.
                    high.checked_sub(*low).is_some_and(|length| length < 1_000)
                        && (*low..=*high).all(|number| members.contains(&Value::Int(number)))
                }
                Some(Domain::Bool | Domain::Optional(_)) | None => false,
            },
        }
    }

    /// Whether an expression surely is `true` or `false`.
    pub(super) fn is_condition(&self, expr: &Expr) -> bool {
        use WorldOperator as Op;
        match expr {
            Expr::Value(Value::Bool(_)) => true,
            Expr::Variable(_) | Expr::At(..) => matches!(self.domain(expr), Some(Domain::Bool)),
            Expr::Not(of) => self.is_condition(of),
            Expr::Binary(Op::And | Op::Or | Op::Implies, left, right) => {
                self.is_condition(left) && self.is_condition(right)
            }
            Expr::Binary(
                Op::Equal | Op::Different | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual,
                left,
                right,
            ) => self.is_steady(left) && self.is_steady(right),
            Expr::Fold(Fold::All | Fold::Some, local, sort, body) => {
                self.with(*local, *sort).is_condition(body)
            }
            _ => false,
        }
    }

    /// Whether an expression surely has a value.
    pub(super) fn is_steady(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Value(_) | Expr::Local(_) => true,
            Expr::Variable(_) | Expr::At(..) => self.domain(expr).is_some(),
            Expr::Fold(Fold::Max | Fold::Min | Fold::ArgMax | Fold::ArgMin, local, sort, body) => {
                self.with(*local, *sort).is_steady(body)
            }
            _ => self.is_condition(expr) || self.range(expr).is_some(),
        }
    }

    /// The least and the greatest number that an expression may be, if it surely is one.
    pub(super) fn range(&self, expr: &Expr) -> Option<(i64, i64)> {
        match expr {
            Expr::Value(Value::Int(value)) => Some((*value, *value)),
            Expr::Variable(_) | Expr::At(..) => match self.domain(expr)? {
                Domain::Range(low, high) => Some((*low, *high)),
                _ => None,
            },
            Expr::Negative(of) => {
                let (low, high) = self.range(of)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            Expr::Absolute(of) => {
                let (low, high) = self.range(of)?;
                Some((0, low.checked_abs()?.max(high.checked_abs()?)))
            }
            Expr::Lesser(left, right) | Expr::Larger(left, right) => {
                let (one, two) = (self.range(left)?, self.range(right)?);
                Some((one.0.min(two.0), one.1.max(two.1)))
            }
            Expr::Binary(operator, left, right) => computed(*operator, self.range(left)?, self.range(right)?),
            Expr::Fold(fold, local, sort, body) => {
                let members = i64::try_from(self.environment.sorts[*sort].1.len()).ok()?;
                let inside = self.with(*local, *sort);
                match fold {
                    Fold::Count => inside.is_condition(body).then_some((0, members)),
                    Fold::Sum => {
                        let (low, high) = inside.range(body)?;
                        Some((low.min(0).checked_mul(members)?, high.max(0).checked_mul(members)?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn computed(operator: WorldOperator, one: (i64, i64), two: (i64, i64)) -> Option<(i64, i64)> {
    match operator {
        WorldOperator::Add => Some((one.0.checked_add(two.0)?, one.1.checked_add(two.1)?)),
        WorldOperator::Subtract => Some((one.0.checked_sub(two.1)?, one.1.checked_sub(two.0)?)),
        WorldOperator::Multiply => {
            let corners = [(one.0, two.0), (one.0, two.1), (one.1, two.0), (one.1, two.1)];
            let products: Vec<i64> = corners.iter().map(|(a, b)| a.checked_mul(*b)).collect::<Option<_>>()?;
            Some((*products.iter().min()?, *products.iter().max()?))
        }
        // By a positive number the result is no farther from zero than what is divided, nor, as a rest, than the divisor.
        WorldOperator::Divide | WorldOperator::Modulo if two.0 > 0 => Some((one.0.min(0), one.1.max(0))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> Box<Expr> {
        Box::new(Expr::Value(Value::Int(value)))
    }

    #[test]
    fn a_range_holds_every_value_and_what_may_be_a_fault_has_none() {
        use WorldOperator as Op;
        let environment = Environment::default();
        let scope = Scope::new(&environment);
        for (a, b) in [(-7, 3), (5, 2), (0, 4), (-2, -5), (i64::MAX, 1)] {
            for operator in [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Modulo] {
                let expr = Expr::Binary(operator, int(a), int(b));
                let value = crate::semantics::world::evaluate(&environment, &[], &mut Vec::new(), &expr);
                match (scope.range(&expr), value) {
                    (Some((low, high)), Ok(Value::Int(value))) => {
                        assert!(low <= value && value <= high, "{expr:?} is {value}");
                    }
                    (None, _) => {}
                    (range, value) => panic!("{expr:?} is {value:?}, said to be in {range:?}"),
                }
            }
        }
        assert!(!scope.is_steady(&Expr::Binary(Op::Divide, int(1), int(0))));
        assert!(!scope.is_condition(&Expr::Value(Value::None)));
    }
}
