//! The environment: expressions over its variables, percepts as views of them, and effects of its rules.

use motet_model::Ratio;

use crate::program::{Audience, Domain, Effect, Environment, Expr, Parameter, Program, Value};
use crate::semantics::choices::MAX_OUTCOMES;
use crate::syntax::{Fold, WorldOperator};
use crate::term::{Symbol, Term, TermId, Terms};

/// One value per cell.
pub(crate) type Cells = Vec<Value>;

/// What chance may make of a step.
pub(crate) type Distribution = Vec<(Ratio, Cells)>;

/// Reactions that go on for more rounds than this never settle.
const MAX_ROUNDS: usize = 1000;

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
    match &*terms.get(term) {
        Term::Int(value) => Some(Value::Int(*value)),
        Term::Structure(symbol, args) if args.is_empty() => Some(match terms.name(*symbol).as_str() {
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
fn cell(environment: &Environment, variable: usize, index: Value) -> Result<usize, String> {
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
            if let Some(when) = &percept.when {
                if !truth(evaluate(environment, cells, &mut locals, when)?)? {
                    continue;
                }
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
    let Term::Structure(functor, args) = &*terms.get(action) else { return Ok(None) };
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
        if let Some(by) = &rule.by {
            if !bind(by, Some(Value::Symbol(agent))) {
                continue;
            }
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

/// All outcomes of effects and of the reactions to them: a choice of distributions.
pub(crate) fn outcomes(
    program: &Program,
    cells: &[Value],
    locals: &[Value],
    effects: &[Effect],
) -> Result<Vec<Distribution>, String> {
    let effects: Vec<&Effect> = effects.iter().collect();
    let mut alternatives = apply(program, cells.to_vec(), locals, &effects)?;
    for _ in 0..MAX_ROUNDS {
        let mut settled = true;
        let mut next = Vec::new();
        for distribution in alternatives {
            let reacted = bind(&distribution, |cells| {
                for reaction in &program.environment.reactions {
                    let mut locals = vec![Value::None; reaction.n_locals];
                    if truth(evaluate(&program.environment, cells, &mut locals, &reaction.when)?)? {
                        settled = false;
                        let effects: Vec<&Effect> = reaction.effects.iter().collect();
                        return apply(program, cells.clone(), &locals, &effects);
                    }
                }
                Ok(vec![vec![(Ratio::ONE, cells.clone())]])
            })?;
            next.extend(reacted);
            limit(next.len())?;
        }
        alternatives = next;
        if settled {
            return Ok(alternatives);
        }
    }
    Err("reactions never settle".to_owned())
}

/// Effects one after the other.
fn apply(
    program: &Program,
    mut cells: Cells,
    locals: &[Value],
    effects: &[&Effect],
) -> Result<Vec<Distribution>, String> {
    let environment = &program.environment;
    let mut scratch = locals.to_vec();
    for (at, effect) in effects.iter().enumerate() {
        let rest = &effects[at + 1..];
        let with = |body: &'_ [Effect], cells: &Cells| {
            let all: Vec<&Effect> = body.iter().chain(rest.iter().copied()).collect();
            apply(program, cells.clone(), locals, &all)
        };
        match effect {
            Effect::Assign(variable, index, value) => {
                let value = evaluate(environment, &cells, &mut scratch, value)?;
                let at = match index {
                    Some(index) => {
                        let index = evaluate(environment, &cells, &mut scratch, index)?;
                        cell(environment, *variable, index)?
                    }
                    None => environment.variables[*variable].cell,
                };
                cells[at] = within(program, *variable, value)?;
            }
            Effect::AssignAll(variable, value) => {
                let value = evaluate(environment, &cells, &mut scratch, value)?;
                let value = within(program, *variable, value)?;
                let Some(sort) = environment.variables[*variable].index else {
                    cells[environment.variables[*variable].cell] = value;
                    continue;
                };
                let first = environment.variables[*variable].cell;
                cells[first..first + environment.sorts[sort].1.len()].fill(value);
            }
            Effect::If(condition, then, otherwise) => {
                let holds = truth(evaluate(environment, &cells, &mut scratch, condition)?)?;
                return with(if holds { then } else { otherwise }, &cells);
            }
            Effect::Either(options) => {
                let mut all = Vec::new();
                for option in options {
                    all.extend(with(option, &cells)?);
                    limit(all.len())?;
                }
                return Ok(all);
            }
            Effect::Chance(branches) => {
                let weighted: Vec<_> = branches
                    .iter()
                    .map(|(chance, body)| Ok((*chance, with(body, &cells)?)))
                    .collect::<Result<_, String>>()?;
                return combine(weighted);
            }
        }
    }
    Ok(vec![vec![(Ratio::ONE, cells)]])
}

/// Goes on from each outcome of a distribution.
fn bind(
    distribution: &Distribution,
    mut then: impl FnMut(&Cells) -> Result<Vec<Distribution>, String>,
) -> Result<Vec<Distribution>, String> {
    let weighted = distribution.iter().map(|(chance, cells)| Ok((*chance, then(cells)?)));
    combine(weighted.collect::<Result<_, String>>()?)
}

/// Chance first, then a choice in each branch: whoever chooses knows the branch, so every combination of choices is
/// one alternative.
fn combine(weighted: Vec<(Ratio, Vec<Distribution>)>) -> Result<Vec<Distribution>, String> {
    let mut all: Vec<Distribution> = vec![Vec::new()];
    for (chance, alternatives) in weighted {
        let mut next = Vec::with_capacity(all.len() * alternatives.len());
        for known in &all {
            for alternative in &alternatives {
                let mut distribution = known.clone();
                for (inner, cells) in alternative {
                    add(&mut distribution, product(chance, *inner)?, cells)?;
                }
                next.push(distribution);
                limit(next.len())?;
            }
        }
        all = next;
    }
    Ok(all)
}

/// Adds an outcome; equal ones are merged.
fn add(distribution: &mut Distribution, chance: Ratio, cells: &Cells) -> Result<(), String> {
    if chance.numerator() == 0 {
        return Ok(());
    }
    match distribution.iter_mut().find(|(_, known)| known == cells) {
        Some((known, _)) => *known = known.checked_add(chance).ok_or_else(fine)?,
        None => distribution.push((chance, cells.clone())),
    }
    Ok(())
}

fn product(one: Ratio, two: Ratio) -> Result<Ratio, String> {
    let numerator = one.numerator().checked_mul(two.numerator());
    let denominator = one.denominator().checked_mul(two.denominator());
    numerator.zip(denominator).and_then(|(n, d)| Ratio::new(n, d)).ok_or_else(fine)
}

fn fine() -> String {
    "a probability does not fit 64 bits".to_owned()
}

fn limit(outcomes: usize) -> Result<(), String> {
    if outcomes > MAX_OUTCOMES {
        return Err(format!("a rule of the environment has more than {MAX_OUTCOMES} outcomes"));
    }
    Ok(())
}

/// The value, if the variable may take it.
fn within(program: &Program, variable: usize, value: Value) -> Result<Value, String> {
    let variable = &program.environment.variables[variable];
    if !contains(&variable.domain, value) {
        let value = show(&program.terms, value);
        return Err(format!("{} is set to {value}, outside its domain", variable.name));
    }
    Ok(value)
}

/// Whether a value is of a domain.
pub(crate) fn contains(domain: &Domain, value: Value) -> bool {
    match domain {
        Domain::Range(low, high) => matches!(value, Value::Int(value) if (*low..=*high).contains(&value)),
        Domain::Bool => matches!(value, Value::Bool(_)),
        Domain::Members(members) => members.contains(&value),
        Domain::Optional(inner) => value == Value::None || contains(inner, value),
    }
}
