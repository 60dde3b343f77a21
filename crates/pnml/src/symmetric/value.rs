//! Terms and conditions under an assignment of the variables.

use std::collections::BTreeMap;

use crate::symmetric::{Condition, Sort, SymmetricNet, Term};

/// Why a term has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Senseless {
    /// More tokens are subtracted than there are.
    Negative,
    /// More tokens than 32 bits count, or too many different ones.
    TooMany,
}

/// The most different tokens that one term may stand for.
const LIMIT_TOKENS: usize = 1 << 20;

impl SymmetricNet {
    /// The one value of a term that is no multiset.
    pub(crate) fn value(&self, term: &Term, variables: &[u32]) -> u32 {
        match term {
            Term::Constant(_, value) => *value,
            Term::Variable(variable) => variables[*variable],
            Term::Successor(sort, inner) => {
                let size = self.size(*sort).unwrap_or(1).max(1);
                (self.value(inner, variables) + 1) % size
            }
            Term::Predecessor(sort, inner) => {
                let size = self.size(*sort).unwrap_or(1).max(1);
                (self.value(inner, variables) + size - 1) % size
            }
            Term::Class(partition, inner) => {
                let value = self.value(inner, variables);
                self.partitions[*partition].get(value as usize).copied().unwrap_or_default()
            }
            Term::Tuple(sort, parts) => match &self.sorts[sort.0] {
                Sort::Product(sorts) => parts.iter().zip(sorts).fold(0, |value, (part, &sort)| {
                    value * self.size(sort).unwrap_or(1) + self.value(part, variables)
                }),
                _ => 0,
            },
            Term::Number(_, inner) => self.value(inner, variables),
            Term::Nothing | Term::All(_) | Term::Add(_) | Term::Subtract(..) => 0,
        }
    }

    /// The tokens that a term stands for, with their numbers, in order.
    pub(crate) fn tokens(&self, term: &Term, variables: &[u32]) -> Result<Vec<(u32, u32)>, Senseless> {
        let mut tokens = BTreeMap::new();
        self.collect(term, variables, 1, &mut tokens)?;
        let mut all = Vec::with_capacity(tokens.len());
        for (value, number) in tokens {
            match u32::try_from(number) {
                Ok(0) => {}
                Ok(number) => all.push((value, number)),
                Err(_) if number < 0 => return Err(Senseless::Negative),
                Err(_) => return Err(Senseless::TooMany),
            }
        }
        Ok(all)
    }

    fn collect(
        &self,
        term: &Term,
        variables: &[u32],
        factor: i64,
        tokens: &mut BTreeMap<u32, i64>,
    ) -> Result<(), Senseless> {
        match term {
            Term::Nothing => Ok(()),
            Term::All(sort) => {
                let size = self.size(*sort).ok_or(Senseless::TooMany)?;
                (0..size).try_for_each(|value| add(tokens, value, factor))
            }
            Term::Number(number, inner) => {
                let factor = factor.checked_mul(i64::from(*number)).ok_or(Senseless::TooMany)?;
                self.collect(inner, variables, factor, tokens)
            }
            Term::Add(parts) => {
                parts.iter().try_for_each(|part| self.collect(part, variables, factor, tokens))
            }
            Term::Subtract(from, what) => {
                self.collect(from, variables, factor, tokens)?;
                self.collect(what, variables, -factor, tokens)
            }
            Term::Tuple(sort, parts) if parts.iter().any(is_multiset) => {
                let Sort::Product(sorts) = &self.sorts[sort.0] else { return Ok(()) };
                let mut combined = vec![(0_u32, factor)];
                for (part, &sort) in parts.iter().zip(sorts) {
                    let size = self.size(sort).ok_or(Senseless::TooMany)?;
                    combined = self.combined(&combined, part, size, variables)?;
                }
                combined.into_iter().try_for_each(|(value, number)| add(tokens, value, number))
            }
            single => add(tokens, self.value(single, variables), factor),
        }
    }

    /// Each of the tuples so far, with each of the tokens of the next part.
    fn combined(
        &self,
        so_far: &[(u32, i64)],
        part: &Term,
        size: u32,
        variables: &[u32],
    ) -> Result<Vec<(u32, i64)>, Senseless> {
        let next = self.tokens(part, variables)?;
        if so_far.len().saturating_mul(next.len()) > LIMIT_TOKENS {
            return Err(Senseless::TooMany);
        }
        let mut all = Vec::with_capacity(so_far.len() * next.len());
        for &(head, number) in so_far {
            for &(tail, more) in &next {
                let value = head.checked_mul(size).and_then(|head| head.checked_add(tail));
                let number = number.checked_mul(i64::from(more));
                all.push((value.ok_or(Senseless::TooMany)?, number.ok_or(Senseless::TooMany)?));
            }
        }
        Ok(all)
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&self, condition: &Condition, variables: &[u32]) -> bool {
        match condition {
            Condition::Constant(value) => *value,
            Condition::Compare(relation, left, right) => {
                relation.holds(self.value(left, variables), self.value(right, variables))
            }
            Condition::Not(inner) => !self.holds(inner, variables),
            Condition::All(parts) => parts.iter().all(|part| self.holds(part, variables)),
            Condition::Any(parts) => parts.iter().any(|part| self.holds(part, variables)),
        }
    }
}

fn add(tokens: &mut BTreeMap<u32, i64>, value: u32, number: i64) -> Result<(), Senseless> {
    let entry = tokens.entry(value).or_default();
    *entry = entry.checked_add(number).ok_or(Senseless::TooMany)?;
    if tokens.len() > LIMIT_TOKENS { Err(Senseless::TooMany) } else { Ok(()) }
}

/// Whether a term stands for several tokens or none, so that it has no single value.
pub(crate) fn is_multiset(term: &Term) -> bool {
    match term {
        Term::Nothing | Term::All(_) | Term::Add(_) | Term::Subtract(..) | Term::Number(..) => true,
        Term::Tuple(_, parts) => parts.iter().any(is_multiset),
        Term::Constant(..) | Term::Variable(_) | Term::Class(..) => false,
        Term::Successor(_, inner) | Term::Predecessor(_, inner) => is_multiset(inner),
    }
}

/// The variables of a term, some several times.
pub(crate) fn term_variables(term: &Term, found: &mut Vec<usize>) {
    match term {
        Term::Nothing | Term::Constant(..) | Term::All(_) => {}
        Term::Variable(variable) => found.push(*variable),
        Term::Successor(_, inner)
        | Term::Predecessor(_, inner)
        | Term::Class(_, inner)
        | Term::Number(_, inner) => term_variables(inner, found),
        Term::Tuple(_, parts) | Term::Add(parts) => {
            parts.iter().for_each(|part| term_variables(part, found));
        }
        Term::Subtract(from, what) => {
            term_variables(from, found);
            term_variables(what, found);
        }
    }
}

/// The variables of a condition, some several times.
pub(crate) fn condition_variables(condition: &Condition, found: &mut Vec<usize>) {
    match condition {
        Condition::Constant(_) => {}
        Condition::Compare(_, left, right) => {
            term_variables(left, found);
            term_variables(right, found);
        }
        Condition::Not(inner) => condition_variables(inner, found),
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().for_each(|part| condition_variables(part, found));
        }
    }
}
