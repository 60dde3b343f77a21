//! Values of expressions that need no marking: constants, ends of ranges, weights.

use crate::program::{Expr, Operator};
use crate::syntax::Quantifier;
use crate::value::Value;

/// How many steps a constant may take; far more than one that a person writes.
const LIMIT_STEPS: u32 = 200_000;

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It depends on a marking or an instance, or was reported already.
    Open,
    /// It has no value, and this is why.
    Fault(&'static str),
}

use Failure::{Fault, Open};

/// The value of an expression whose variables are few and bound inside of it.
pub(crate) fn evaluate(expr: &Expr, variables: usize) -> Result<Value, Failure> {
    Evaluator { values: vec![None; variables], steps: 0 }.value(expr)
}

struct Evaluator {
    values: Vec<Option<Value>>,
    steps: u32,
}

impl Evaluator {
    fn value(&mut self, expr: &Expr) -> Result<Value, Failure> {
        self.steps += 1;
        if self.steps > LIMIT_STEPS {
            return Err(Fault("takes too many steps to compute"));
        }
        Ok(match expr {
            Expr::Constant(value) => value.clone(),
            Expr::Variable(id) => self.values.get(id.0 as usize).cloned().flatten().ok_or(Open)?,
            Expr::Field(of, field) => match self.value(of)? {
                Value::Record(fields) => fields.get(*field).cloned().ok_or(Open)?,
                _ => return Err(Open),
            },
            Expr::Record(fields) => Value::record(self.values(fields)?),
            Expr::Set(members) => Value::set(self.values(members)?),
            Expr::Range(low, high) => range(self.int(low)?, self.int(high)?)?,
            Expr::Not(of) => Value::Bool(!self.truth(of)?),
            Expr::Negative(of) => Value::Int(self.int(of)?.checked_neg().ok_or(OVERFLOW)?),
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            Expr::If(condition, yes, no) => {
                if self.truth(condition)? {
                    self.value(yes)?
                } else {
                    self.value(no)?
                }
            }
            Expr::With(of, changes) => self.changed(of, changes)?,
            Expr::Size(of) => Value::Int(i64::try_from(self.members(of)?.len()).map_err(|_| OVERFLOW)?),
            Expr::Quantified(quantifier, variable, domain, body) => {
                let wanted = *quantifier == Quantifier::Some;
                let mut found = false;
                for member in self.members(domain)? {
                    self.values[variable.0 as usize] = Some(member);
                    found |= self.truth(body)? == wanted;
                }
                Value::Bool(found == wanted)
            }
            Expr::Comprehension(term, domains, condition) => {
                let mut all = Vec::new();
                self.comprehend(term, domains, condition.as_deref(), &mut all)?;
                Value::set(all)
            }
            Expr::Ranged(of, low, high, _) => {
                let number = self.int(of)?;
                if number < *low || number > *high {
                    return Err(Fault("lies outside its range"));
                }
                Value::Int(number)
            }
            _ => return Err(Open),
        })
    }

    fn values(&mut self, all: &[Expr]) -> Result<Vec<Value>, Failure> {
        all.iter().map(|expr| self.value(expr)).collect()
    }

    fn int(&mut self, expr: &Expr) -> Result<i64, Failure> {
        match self.value(expr)? {
            Value::Int(number) => Ok(number),
            _ => Err(Open),
        }
    }

    fn truth(&mut self, expr: &Expr) -> Result<bool, Failure> {
        match self.value(expr)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(Open),
        }
    }

    fn members(&mut self, expr: &Expr) -> Result<Vec<Value>, Failure> {
        match self.value(expr)? {
            Value::Set(members) => Ok(members.to_vec()),
            _ => Err(Open),
        }
    }

    fn changed(&mut self, of: &Expr, changes: &[(usize, Expr)]) -> Result<Value, Failure> {
        let Value::Record(fields) = self.value(of)? else { return Err(Open) };
        let mut fields = fields.to_vec();
        for (field, expr) in changes {
            *fields.get_mut(*field).ok_or(Open)? = self.value(expr)?;
        }
        Ok(Value::record(fields))
    }

    fn comprehend(
        &mut self,
        term: &Expr,
        domains: &[(crate::program::VariableId, Expr)],
        condition: Option<&Expr>,
        all: &mut Vec<Value>,
    ) -> Result<(), Failure> {
        let Some(((variable, domain), rest)) = domains.split_first() else {
            let meant = condition.map_or(Ok(true), |condition| self.truth(condition))?;
            if meant {
                all.push(self.value(term)?);
            }
            return Ok(());
        };
        for member in self.members(domain)? {
            self.values[variable.0 as usize] = Some(member);
            self.comprehend(term, rest, condition, all)?;
        }
        Ok(())
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Result<Value, Failure> {
        let left = self.value(left)?;
        match (operator, &left) {
            (Operator::And, Value::Bool(false)) => return Ok(Value::Bool(false)),
            (Operator::Or, Value::Bool(true)) | (Operator::Implies, Value::Bool(false)) => {
                return Ok(Value::Bool(true));
            }
            _ => {}
        }
        let right = self.value(right)?;
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => arithmetic(operator, left, right),
            (left, right) => data(operator, &left, right),
        }
    }
}

const OVERFLOW: Failure = Fault("is a number that does not fit 64 bits");
const ZERO: Failure = Fault("divides by zero");

fn range(low: i64, high: i64) -> Result<Value, Failure> {
    if high.saturating_sub(low) > i64::from(LIMIT_STEPS) {
        return Err(Fault("has too many members"));
    }
    Ok(Value::set((low..=high).map(Value::Int)))
}

fn arithmetic(operator: Operator, left: i64, right: i64) -> Result<Value, Failure> {
    let number = match operator {
        Operator::Equal => return Ok(Value::Bool(left == right)),
        Operator::NotEqual => return Ok(Value::Bool(left != right)),
        Operator::Less => return Ok(Value::Bool(left < right)),
        Operator::LessEqual => return Ok(Value::Bool(left <= right)),
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide | Operator::Modulo if right == 0 => return Err(ZERO),
        Operator::Divide => left.checked_div(right),
        Operator::Modulo => left.checked_rem_euclid(right),
        _ => return Err(Open),
    };
    number.map(Value::Int).ok_or(OVERFLOW)
}

fn data(operator: Operator, left: &Value, right: Value) -> Result<Value, Failure> {
    Ok(match (operator, left, right) {
        (Operator::Equal, left, right) => Value::Bool(*left == right),
        (Operator::NotEqual, left, right) => Value::Bool(*left != right),
        (Operator::And | Operator::Or | Operator::Implies, _, right) => right,
        (Operator::In, left, Value::Set(members)) => Value::Bool(members.contains(left)),
        (Operator::Union, Value::Set(left), Value::Set(right)) => {
            Value::set(left.iter().chain(right.iter()).cloned())
        }
        (Operator::Minus, Value::Set(left), Value::Set(right)) => {
            Value::set(left.iter().filter(|member| !right.contains(member)).cloned())
        }
        _ => return Err(Open),
    })
}
