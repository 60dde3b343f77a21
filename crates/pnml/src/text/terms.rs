//! Terms taken apart, and the few expressions that a text is made of.

use motet_nets::syntax::{BinaryOperator, Expression, ExpressionNode};

use crate::symmetric::{Condition, Sort, SymmetricNet, Term, term_variables};
use crate::text::{Told, nowhere, untold};

/// The most single terms that one term is taken apart into.
const LIMIT_TERMS: usize = 100_000;

pub(crate) fn expression(node: ExpressionNode) -> Expression {
    Expression { node, span: nowhere() }
}

pub(crate) fn number(number: i64) -> Expression {
    expression(ExpressionNode::Int(number))
}

pub(crate) fn name(name: &str) -> Expression {
    expression(ExpressionNode::Name(name.to_owned()))
}

pub(crate) fn set(members: Vec<Expression>) -> Expression {
    expression(ExpressionNode::Set(members))
}

pub(crate) fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    expression(ExpressionNode::Binary(operator, Box::new(left), Box::new(right)))
}

pub(crate) fn equal(left: Expression, right: Expression) -> Expression {
    binary(BinaryOperator::Equal, left, right)
}

pub(crate) fn choice(condition: Expression, yes: Expression, no: Expression) -> Expression {
    expression(ExpressionNode::If(Box::new(condition), Box::new(yes), Box::new(no)))
}

/// The variables on which it depends which tokens a term has at all: those under a subtraction.
pub(crate) fn subtracted(term: &Term, found: &mut Vec<usize>) {
    match term {
        Term::Subtract(..) => term_variables(term, found),
        Term::Number(_, inner) => subtracted(inner, found),
        Term::Add(parts) | Term::Tuple(_, parts) => parts.iter().for_each(|part| subtracted(part, found)),
        _ => {}
    }
}

/// A term as a list of single terms with their numbers. Subtractions have no variables left.
pub(crate) fn flattened(net: &SymmetricNet, term: &Term) -> Told<Vec<(u32, Term)>> {
    let mut all = Vec::new();
    match term {
        Term::Nothing => {}
        Term::All(sort) => {
            let size = net.size(*sort).unwrap_or(u32::MAX);
            if size as usize > LIMIT_TERMS {
                return untold("room for so many tokens");
            }
            all.extend((0..size).map(|value| (1, Term::Constant(*sort, value))));
        }
        Term::Number(number, inner) => {
            for (count, single) in flattened(net, inner)? {
                let Some(count) = count.checked_mul(*number) else { return untold("numbers of this size") };
                if count > 0 {
                    all.push((count, single));
                }
            }
        }
        Term::Add(parts) => {
            for part in parts {
                all.extend(flattened(net, part)?);
            }
        }
        Term::Subtract(from, _) => {
            let Some(sort) = sort_of(net, from) else { return untold("subtraction without a sort") };
            let Ok(tokens) = net.tokens(term, &vec![0; net.variables.len()]) else {
                // A mode that takes fewer than no tokens does not fire.
                return untold("subtraction below nothing");
            };
            all.extend(tokens.into_iter().map(|(value, count)| (count, Term::Constant(sort, value))));
        }
        Term::Tuple(sort, parts) => {
            let mut rows: Vec<(u32, Vec<Term>)> = vec![(1, Vec::new())];
            for part in parts {
                let next = flattened(net, part)?;
                if rows.len().saturating_mul(next.len()) > LIMIT_TERMS {
                    return untold("room for so many tuples");
                }
                let longer = |(count, row): &(u32, Vec<Term>)| {
                    let (count, row) = (*count, row.clone());
                    next.iter().map(move |(more, term)| {
                        let row = row.iter().cloned().chain([term.clone()]).collect();
                        (count.saturating_mul(*more), row)
                    })
                };
                rows = rows.iter().flat_map(longer).collect();
            }
            all.extend(rows.into_iter().map(|(count, row)| (count, Term::Tuple(*sort, row))));
        }
        single => all.push((1, single.clone())),
    }
    if all.len() > LIMIT_TERMS { untold("room for so many tokens") } else { Ok(all) }
}

/// The sort of a term.
pub(crate) fn sort_of(net: &SymmetricNet, term: &Term) -> Option<crate::symmetric::SortId> {
    match term {
        Term::Nothing | Term::Class(..) => None,
        Term::Constant(sort, _)
        | Term::Successor(sort, _)
        | Term::Predecessor(sort, _)
        | Term::Tuple(sort, _)
        | Term::All(sort) => Some(*sort),
        Term::Variable(variable) => net.variables.get(*variable).map(|(_, sort)| *sort),
        Term::Number(_, inner) | Term::Subtract(inner, _) => sort_of(net, inner),
        Term::Add(parts) => parts.iter().find_map(|part| sort_of(net, part)),
    }
}

/// A term with values for some variables.
pub(crate) fn substituted(term: &Term, known: &[(usize, Term)]) -> Term {
    let inner = |term: &Term| Box::new(substituted(term, known));
    let each = |terms: &[Term]| terms.iter().map(|term| substituted(term, known)).collect();
    match term {
        Term::Variable(variable) => {
            let value = known.iter().find(|(own, _)| own == variable);
            value.map_or_else(|| term.clone(), |(_, value)| value.clone())
        }
        Term::Nothing | Term::Constant(..) | Term::All(_) => term.clone(),
        Term::Successor(sort, term) => Term::Successor(*sort, inner(term)),
        Term::Predecessor(sort, term) => Term::Predecessor(*sort, inner(term)),
        Term::Class(partition, term) => Term::Class(*partition, inner(term)),
        Term::Tuple(sort, terms) => Term::Tuple(*sort, each(terms)),
        Term::Number(number, term) => Term::Number(*number, inner(term)),
        Term::Add(terms) => Term::Add(each(terms)),
        Term::Subtract(from, what) => Term::Subtract(inner(from), inner(what)),
    }
}

/// A condition with values for some variables.
pub(crate) fn substituted_condition(condition: &Condition, known: &[(usize, Term)]) -> Condition {
    let each = |conditions: &[Condition]| {
        conditions.iter().map(|condition| substituted_condition(condition, known)).collect()
    };
    match condition {
        Condition::Constant(value) => Condition::Constant(*value),
        Condition::Compare(relation, left, right) => {
            Condition::Compare(*relation, substituted(left, known), substituted(right, known))
        }
        Condition::Not(inner) => Condition::Not(Box::new(substituted_condition(inner, known))),
        Condition::All(parts) => Condition::All(each(parts)),
        Condition::Any(parts) => Condition::Any(each(parts)),
    }
}

/// The parts of a constant of a product.
pub(crate) fn parts_of(net: &SymmetricNet, sort: crate::symmetric::SortId, value: u32) -> Option<Vec<Term>> {
    let Sort::Product(parts) = &net.sorts[sort.0] else { return None };
    let digits = net.digits(parts, value);
    Some(parts.iter().zip(digits).map(|(&sort, digit)| Term::Constant(sort, digit)).collect())
}
