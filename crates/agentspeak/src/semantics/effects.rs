//! Effects of the environment's rules: assignments, choice, chance, and the reactions to them.

use motet_model::Ratio;

use crate::program::{Domain, Effect, Program, Value};
use crate::semantics::choices::MAX_OUTCOMES;
use crate::semantics::world::{Cells, cell, evaluate, show, truth};

/// What chance may make of a step.
pub(crate) type Distribution = Vec<(Ratio, Cells)>;

/// Reactions that go on for more rounds than this never settle.
const MAX_ROUNDS: usize = 1000;

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
    if chance.is_zero() {
        return Ok(());
    }
    match distribution.iter_mut().find(|(_, known)| known == cells) {
        Some((known, _)) => *known = known.checked_add(chance).ok_or_else(fine)?,
        None => distribution.push((chance, cells.clone())),
    }
    Ok(())
}

fn product(one: Ratio, two: Ratio) -> Result<Ratio, String> {
    one.checked_mul(two).ok_or_else(fine)
}

fn fine() -> String {
    "a probability is too fine to be kept exactly".to_owned()
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
fn contains(domain: &Domain, value: Value) -> bool {
    match domain {
        Domain::Range(low, high) => matches!(value, Value::Int(value) if (*low..=*high).contains(&value)),
        Domain::Bool => matches!(value, Value::Bool(_)),
        Domain::Members(members) => members.contains(&value),
        Domain::Optional(inner) => value == Value::None || contains(inner, value),
    }
}
