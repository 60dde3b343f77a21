//! The environment: expressions over its variables, percepts as views of them, and the rule that an action meets.

use crate::program::{Audience, Environment, Expr, Parameter, Program, Value};
use crate::syntax::{Fold, WorldOperator};
use crate::term::{Symbol, Term, TermId, Terms};

/// One value per cell.
pub(crate) type Cells = Vec<Value>;

/// The term that stands for a value.
pub(crate) fn term_of(terms: &Terms, value: Value) -> TermId {
    match value {
        Value::None => terms.constant("none"),
        Value::Bool(true) => terms.constant("true"),
        Value::Bool(false) => terms.constant("false"),
        Value::Int(value) => terms.int(value),
        Value::Symbol(symbol) => terms.structure(symbol, &[]),
    }
}

/// The value that a term stands for; structures and texts are none.
pub(crate) fn value_of(terms: &Terms, term: TermId) -> Option<Value> {
    match terms.get(term) {
        Term::Int(value) => Some(Value::Int(*value)),
        Term::Structure(symbol, args) if args.is_empty() => Some(match terms.name(*symbol) {
            "none" => Value::None,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::Symbol(*symbol),
        }),
        _ => None,
    }
}

/// The value as the user writes it.
pub(crate) fn show(terms: &Terms, value: Value) -> String {
    terms.show(term_of(terms, value))
}

/// The value of an expression.
pub(crate) fn evaluate(
    environment: &Environment,
    cells: &[Value],
    locals: &mut Vec<Value>,
    expr: &Expr,
) -> Result<Value, String> {
    let mut eval = |expr: &Expr| evaluate(environment, cells, locals, expr);
    Ok(match expr {
        Expr::Value(value) => *value,
        Expr::Variable(variable) => cells[environment.variables[*variable].cell],
        Expr::At(variable, index) => {
            let index = eval(index)?;
            cells[cell(environment, *variable, index)?]
        }
        Expr::Local(local) => locals[*local],
        Expr::Negative(of) => Value::Int(checked(int(eval(of)?)?.checked_neg())?),
        Expr::Not(of) => Value::Bool(!truth(eval(of)?)?),
        Expr::Absolute(of) => Value::Int(checked(int(eval(of)?)?.checked_abs())?),
        Expr::Lesser(left, right) => Value::Int(int(eval(left)?)?.min(int(eval(right)?)?)),
        Expr::Larger(left, right) => Value::Int(int(eval(left)?)?.max(int(eval(right)?)?)),
        Expr::Binary(WorldOperator::And, left, right) => {
            Value::Bool(truth(eval(left)?)? && truth(eval(right)?)?)
        }
        Expr::Binary(WorldOperator::Or, left, right) => {
            Value::Bool(truth(eval(left)?)? || truth(eval(right)?)?)
        }
        Expr::Binary(WorldOperator::Implies, left, right) => {
            Value::Bool(!truth(eval(left)?)? || truth(eval(right)?)?)
        }
        Expr::Binary(operator, left, right) => {
            let left = eval(left)?;
            binary(*operator, left, eval(right)?)?
        }
        Expr::Fold(fold, local, sort, body) => {
            fold_members(environment, cells, locals, (*fold, *local, *sort), body)?
        }
    })
}

fn binary(operator: WorldOperator, left: Value, right: Value) -> Result<Value, String> {
    let compared = match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(&right)),
        _ => None,
    };
    let arithmetic = |compute: fn(i64, i64) -> Option<i64>| -> Result<Value, String> {
        Ok(Value::Int(checked(compute(int(left)?, int(right)?))?))
    };
    Ok(match operator {
        WorldOperator::Add => arithmetic(i64::checked_add)?,
        WorldOperator::Subtract => arithmetic(i64::checked_sub)?,
        WorldOperator::Multiply => arithmetic(i64::checked_mul)?,
        WorldOperator::Divide => arithmetic(i64::checked_div)?,
        WorldOperator::Modulo => arithmetic(i64::checked_rem)?,
        WorldOperator::Equal => Value::Bool(left == right),
        WorldOperator::Different => Value::Bool(left != right),
        WorldOperator::Less => Value::Bool(compared.is_some_and(std::cmp::Ordering::is_lt)),
        WorldOperator::LessEqual => Value::Bool(compared.is_some_and(std::cmp::Ordering::is_le)),
        WorldOperator::Greater => Value::Bool(compared.is_some_and(std::cmp::Ordering::is_gt)),
        WorldOperator::GreaterEqual => Value::Bool(compared.is_some_and(std::cmp::Ordering::is_ge)),
        WorldOperator::And | WorldOperator::Or | WorldOperator::Implies => {
            unreachable!("connectives are evaluated from left to right before this")
        }
    })
}

fn fold_members(
    environment: &Environment,
    cells: &[Value],
    locals: &mut Vec<Value>,
    (fold, local, sort): (Fold, usize, usize),
    body: &Expr,
) -> Result<Value, String> {
    let mut best: Option<(i64, Value)> = None;
    let mut total = 0i64;
    for &member in &environment.sorts[sort].1 {
        locals[local] = member;
        let value = evaluate(environment, cells, locals, body)?;
        match fold {
            Fold::All if !truth(value)? => return Ok(Value::Bool(false)),
            Fold::Some if truth(value)? => return Ok(Value::Bool(true)),
            Fold::All | Fold::Some => {}
            Fold::Count => total += i64::from(truth(value)?),
            Fold::Sum => total = checked(total.checked_add(int(value)?))?,
            Fold::Max | Fold::Min | Fold::ArgMax | Fold::ArgMin => {
                // Members without a value are passed over; the first of equals stays.
                let Value::Int(value) = value else { continue };
                let upwards = matches!(fold, Fold::Max | Fold::ArgMax);
                if best.is_none_or(|(known, _)| if upwards { value > known } else { value < known }) {
                    best = Some((value, member));
                }
            }
        }
    }
    Ok(match fold {
        Fold::All => Value::Bool(true),
        Fold::Some => Value::Bool(false),
        Fold::Count | Fold::Sum => Value::Int(total),
        Fold::Max | Fold::Min => best.map_or(Value::None, |(value, _)| Value::Int(value)),
        Fold::ArgMax | Fold::ArgMin => best.map_or(Value::None, |(_, member)| member),
    })
}

fn checked(value: Option<i64>) -> Result<i64, String> {
    value.ok_or_else(|| "a number of the environment exceeds 64 bits, or is divided by zero".to_owned())
}

fn int(value: Value) -> Result<i64, String> {
    match value {
        Value::Int(value) => Ok(value),
        Value::None => Err("the environment computes with none".to_owned()),
        Value::Bool(_) | Value::Symbol(_) => Err("the environment computes with a name".to_owned()),
    }
}

/// Whether a condition holds; only a truth value can say so.
pub(crate) fn truth(value: Value) -> Result<bool, String> {
    match value {
        Value::Bool(value) => Ok(value),
        _ => Err("a condition of the environment is neither true nor false".to_owned()),
    }
}

/// The cell of an indexed variable.
pub(crate) fn cell(environment: &Environment, variable: usize, index: Value) -> Result<usize, String> {
    let variable = &environment.variables[variable];
    let at =
        variable.index.and_then(|sort| environment.sorts[sort].1.iter().position(|&member| member == index));
    at.map(|at| variable.cell + at).ok_or_else(|| format!("{} has no such index", variable.name))
}

/// What an agent perceives, in the order of declaration and without repetition.
pub(crate) fn percepts(program: &Program, cells: &[Value], agent: usize) -> Result<Vec<TermId>, String> {
    let environment = &program.environment;
    let mut list = Vec::new();
    for percept in &environment.percepts {
        let mut locals = vec![Value::None; percept.n_locals];
        match percept.to {
            Audience::Everyone => {}
            Audience::Agent(only) if only == agent => {}
            Audience::Agent(_) => continue,
            Audience::Each(local) => locals[local] = Value::Symbol(program.agents[agent].name),
        }
        let members: &[Value] = match percept.each {
            Some((sort, _)) => &environment.sorts[sort].1,
            None => &[Value::None],
        };
        for &member in members {
            if let Some((_, local)) = percept.each {
                locals[local] = member;
            }
            if let Some(when) = &percept.when
                && !truth(evaluate(environment, cells, &mut locals, when)?)?
            {
                continue;
            }
            let args = percept
                .args
                .iter()
                .map(|arg| Ok(term_of(&program.terms, evaluate(environment, cells, &mut locals, arg)?)));
            let args = args.collect::<Result<Vec<_>, String>>()?;
            let term = program.terms.structure(percept.name, &args);
            if !list.contains(&term) {
                list.push(term);
            }
        }
    }
    Ok(list)
}

/// The first rule that an action matches, with the values of its locals.
pub(crate) fn action_rule(
    program: &Program,
    cells: &[Value],
    agent: usize,
    action: TermId,
) -> Result<Option<(usize, Vec<Value>)>, String> {
    action_rule_of(&program.environment, &program.terms, program.agents[agent].name, cells, action)
}

/// The same over any environment, for an agent of this name.
pub(crate) fn action_rule_of(
    environment: &Environment,
    terms: &Terms,
    agent: Symbol,
    cells: &[Value],
    action: TermId,
) -> Result<Option<(usize, Vec<Value>)>, String> {
    let Term::Structure(functor, args) = terms.get(action) else { return Ok(None) };
    'rules: for (number, rule) in environment.actions.iter().enumerate() {
        if rule.name != *functor || rule.params.len() != args.len() {
            continue;
        }
        let mut locals = vec![Value::None; rule.n_locals];
        let mut bind = |parameter: &Parameter, value: Option<Value>| match (parameter, value) {
            (Parameter::Local(local), Some(value)) => {
                locals[*local] = value;
                true
            }
            (Parameter::Value(wanted), Some(value)) => *wanted == value,
            (_, None) => false,
        };
        for (parameter, &arg) in rule.params.iter().zip(args) {
            if !bind(parameter, value_of(terms, arg)) {
                continue 'rules;
            }
        }
        if let Some(by) = &rule.by
            && !bind(by, Some(Value::Symbol(agent)))
        {
            continue;
        }
        let holds = match &rule.when {
            Some(when) => truth(evaluate(environment, cells, &mut locals, when)?)?,
            None => true,
        };
        if holds {
            return Ok(Some((number, locals)));
        }
    }
    Ok(None)
}
