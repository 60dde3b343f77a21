//! What filters make of the values of several states.

use dashu::rational::RBig;
use motet_property::Filter;

use super::{Extended, Value};

pub(super) fn gather(filter: Filter, values: &[Value]) -> Result<Value, String> {
    let is_true = |value: &&Value| **value == Value::Truth(true);
    let numbers = || -> Result<Vec<Extended>, String> {
        let number = |value: &Value| match value {
            Value::Number(number) => Ok(Extended::Finite(number.clone())),
            Value::Infinite => Ok(Extended::Infinite),
            Value::Truth(_) => Err("a truth where a number is wanted".to_owned()),
        };
        values.iter().map(number).collect()
    };
    let add = |sum: Extended, number: &Extended| match (sum, number) {
        (Extended::Finite(sum), Extended::Finite(number)) => Extended::Finite(sum + number),
        _ => Extended::Infinite,
    };
    let sum = || numbers().map(|numbers| numbers.iter().fold(Extended::Finite(RBig::ZERO), add));
    let none = || "no state".to_owned();
    match filter {
        Filter::ForAll => Ok(Value::Truth(values.iter().filter(is_true).count() == values.len())),
        Filter::Exists => Ok(Value::Truth(values.iter().any(|value| *value == Value::Truth(true)))),
        Filter::Count => Ok(Value::Number(RBig::from(values.iter().filter(is_true).count()))),
        Filter::Min => numbers()?.into_iter().min().map(Value::from).ok_or_else(none),
        Filter::Max => numbers()?.into_iter().max().map(Value::from).ok_or_else(none),
        Filter::Sum => Ok(sum()?.into()),
        Filter::Average if values.is_empty() => Err(none()),
        Filter::Average => Ok(match sum()? {
            Extended::Finite(sum) => Value::Number(sum / RBig::from(values.len())),
            Extended::Infinite => Value::Infinite,
        }),
        Filter::First => values.first().cloned().ok_or_else(none),
        Filter::State if values.len() == 1 => Ok(values[0].clone()),
        Filter::State | Filter::Print => Err("not one state".to_owned()),
    }
}
