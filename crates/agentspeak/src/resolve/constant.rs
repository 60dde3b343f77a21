//! Expressions whose value is known before the run.

use crate::program::{Expr, Value};
use crate::syntax::{Fold, WorldOperator};

/// Why an expression has no value before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// It mentions a variable of the environment.
    Variable,
    /// It overflows, divides by zero, or calculates with something that is no number.
    Fault,
}

/// The value of an expression over constants.
pub(crate) fn value(expr: &Expr, sorts: &[(String, Vec<Value>)]) -> Result<Value, Unknown> {
    evaluate(expr, sorts, &mut Vec::new())
}

type Locals = Vec<(usize, Value)>;

fn evaluate(expr: &Expr, sorts: &[(String, Vec<Value>)], locals: &mut Locals) -> Result<Value, Unknown> {
    let mut number = |expr: &Expr| match evaluate(expr, sorts, locals)? {
        Value::Int(number) => Ok(number),
        _ => Err(Unknown::Fault),
    };
    let int = |number: Option<i64>| number.map(Value::Int).ok_or(Unknown::Fault);
    match expr {
        Expr::Value(value) => Ok(*value),
        Expr::Variable(_) | Expr::At(..) => Err(Unknown::Variable),
        Expr::Local(local) => locals
            .iter()
            .rev()
            .find(|(known, _)| known == local)
            .map(|(_, value)| *value)
            .ok_or(Unknown::Variable),
        Expr::Negative(inner) => int(number(inner)?.checked_neg()),
        Expr::Absolute(inner) => int(number(inner)?.checked_abs()),
        Expr::Lesser(a, b) => Ok(Value::Int(number(a)?.min(number(b)?))),
        Expr::Larger(a, b) => Ok(Value::Int(number(a)?.max(number(b)?))),
        Expr::Not(inner) => Ok(Value::Bool(!truth(evaluate(inner, sorts, locals)?)?)),
        Expr::Binary(operator, a, b) => {
            let (a, b) = (evaluate(a, sorts, locals)?, evaluate(b, sorts, locals)?);
            binary(*operator, a, b)
        }
        Expr::Fold(kind, local, sort, body) => {
            let mut values = Vec::new();
            for &member in &sorts[*sort].1 {
                locals.push((*local, member));
                let value = evaluate(body, sorts, locals);
                locals.pop();
                values.push((member, value?));
            }
            fold(*kind, &values)
        }
    }
}

fn truth(value: Value) -> Result<bool, Unknown> {
    if let Value::Bool(truth) = value { Ok(truth) } else { Err(Unknown::Fault) }
}

fn binary(operator: WorldOperator, a: Value, b: Value) -> Result<Value, Unknown> {
    let numbers = || match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok((a, b)),
        _ => Err(Unknown::Fault),
    };
    let compare = |holds: fn(&i64, &i64) -> bool| {
        Ok(Value::Bool(match (a, b) {
            (Value::Int(a), Value::Int(b)) => holds(&a, &b),
            _ => false,
        }))
    };
    let arithmetic = |compute: fn(i64, i64) -> Option<i64>| {
        let (a, b) = numbers()?;
        compute(a, b).map(Value::Int).ok_or(Unknown::Fault)
    };
    match operator {
        WorldOperator::Add => arithmetic(i64::checked_add),
        WorldOperator::Subtract => arithmetic(i64::checked_sub),
        WorldOperator::Multiply => arithmetic(i64::checked_mul),
        WorldOperator::Divide => arithmetic(i64::checked_div),
        WorldOperator::Modulo => arithmetic(i64::checked_rem),
        WorldOperator::Equal => Ok(Value::Bool(a == b)),
        WorldOperator::Different => Ok(Value::Bool(a != b)),
        WorldOperator::Less => compare(i64::lt),
        WorldOperator::LessEqual => compare(i64::le),
        WorldOperator::Greater => compare(i64::gt),
        WorldOperator::GreaterEqual => compare(i64::ge),
        WorldOperator::And => Ok(Value::Bool(truth(a)? && truth(b)?)),
        WorldOperator::Or => Ok(Value::Bool(truth(a)? || truth(b)?)),
        WorldOperator::Implies => Ok(Value::Bool(!truth(a)? || truth(b)?)),
    }
}

fn fold(kind: Fold, values: &[(Value, Value)]) -> Result<Value, Unknown> {
    let numbers = || {
        values.iter().map(|&(member, value)| match value {
            Value::Int(number) => Ok((member, number)),
            _ => Err(Unknown::Fault),
        })
    };
    let truths = || values.iter().map(|&(_, value)| truth(value)).collect::<Result<Vec<_>, _>>();
    let pick = |better: fn(i64, i64) -> bool| {
        let mut best: Option<(Value, i64)> = None;
        for entry in numbers() {
            let (member, number) = entry?;
            if best.is_none_or(|(_, before)| better(number, before)) {
                best = Some((member, number));
            }
        }
        best.ok_or(Unknown::Fault)
    };
    Ok(match kind {
        Fold::All => Value::Bool(truths()?.into_iter().all(|holds| holds)),
        Fold::Some => Value::Bool(truths()?.into_iter().any(|holds| holds)),
        Fold::Count => {
            let n = truths()?.into_iter().filter(|holds| *holds).count();
            Value::Int(i64::try_from(n).map_err(|_| Unknown::Fault)?)
        }
        Fold::Sum => {
            let mut sum = 0_i64;
            for entry in numbers() {
                sum = sum.checked_add(entry?.1).ok_or(Unknown::Fault)?;
            }
            Value::Int(sum)
        }
        Fold::Max => Value::Int(pick(|new, before| new > before)?.1),
        Fold::Min => Value::Int(pick(|new, before| new < before)?.1),
        Fold::ArgMax => pick(|new, before| new > before)?.0,
        Fold::ArgMin => pick(|new, before| new < before)?.0,
    })
}
