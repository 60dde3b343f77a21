//! Values of variables while a condition is being solved, and unification.
//!
//! A term that is not ground yet holds `Term::Variable(k)`, the slot number `k` of the present bindings. Slots of a
//! plan come first; a rule that is tried gets fresh ones at the end, and backtracking takes them away again.

use crate::program::Pattern;
use crate::semantics::arithmetic::{self, Trouble};
use crate::term::{Term, TermId, Terms};

/// Values of variables, with a trail for backtracking.
#[derive(Clone, Debug)]
pub(crate) struct Bindings<'t> {
    terms: &'t Terms,
    slots: Vec<Option<TermId>>,
    trail: Vec<usize>,
    /// Nodes a term may have; a larger one is a fault.
    limit: u32,
}

/// A point to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    trail: usize,
    slots: usize,
}

impl<'t> Bindings<'t> {
    /// With these values.
    pub(crate) fn new(terms: &'t Terms, limit: u32, slots: Vec<Option<TermId>>) -> Self {
        Self { terms, slots, trail: Vec::new(), limit }
    }

    /// The present point.
    pub(crate) fn mark(&self) -> Mark {
        Mark { trail: self.trail.len(), slots: self.slots.len() }
    }

    /// Forgets everything that was bound after `mark`.
    pub(crate) fn undo(&mut self, mark: Mark) {
        for slot in self.trail.drain(mark.trail..) {
            self.slots[slot] = None;
        }
        self.slots.truncate(mark.slots);
    }

    /// Appends unbound slots; returns the number of the first.
    pub(crate) fn extend(&mut self, count: usize) -> usize {
        let first = self.slots.len();
        self.slots.resize(first + count, None);
        first
    }

    /// Takes a value away for good, as at the end of a loop.
    pub(crate) fn clear(&mut self, slot: usize) {
        self.slots[slot] = None;
    }

    /// The pattern with its variables replaced and its arithmetic done.
    pub(crate) fn build(&self, pattern: &Pattern, offset: usize) -> Result<TermId, Trouble> {
        let mut nodes = self.limit;
        self.build_within(pattern, offset, &mut nodes)
    }

    fn build_within(&self, pattern: &Pattern, offset: usize, nodes: &mut u32) -> Result<TermId, Trouble> {
        match pattern {
            Pattern::Ground(term) => {
                spend(nodes)?;
                Ok(*term)
            }
            Pattern::Variable(variable) => self.resolve_slot(offset + usize::from(variable.0), nodes),
            Pattern::Any => Err(Trouble::Fails),
            Pattern::Structure(functor, args) => {
                spend(nodes)?;
                let args = args.iter().map(|arg| self.build_within(arg, offset, nodes));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                Ok(self.terms.structure(*functor, &args))
            }
            Pattern::Arithmetic(operator, left, right) => {
                let left = self.build_within(left, offset, nodes)?;
                let right = self.build_within(right, offset, nodes)?;
                arithmetic::compute(self.terms, *operator, left, right)
            }
        }
    }

    /// Like [`Self::build`], with a fresh slot for each `_`.
    pub(crate) fn build_open(&mut self, pattern: &Pattern, offset: usize) -> Result<TermId, Trouble> {
        match pattern {
            Pattern::Any => {
                let slot = self.extend(1);
                Ok(self.variable(slot))
            }
            Pattern::Structure(functor, args) => {
                let args = args.iter().map(|arg| self.build_open(arg, offset));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                let term = self.terms.structure(*functor, &args);
                self.resolve(term)
            }
            _ => self.build(pattern, offset),
        }
    }

    /// The term with all values put in.
    pub(crate) fn resolve(&self, term: TermId) -> Result<TermId, Trouble> {
        let mut nodes = self.limit;
        self.resolve_within(term, &mut nodes)
    }

    fn resolve_within(&self, term: TermId, nodes: &mut u32) -> Result<TermId, Trouble> {
        spend(nodes)?;
        match self.terms.get(term) {
            Term::Variable(slot) => self.resolve_slot(*slot as usize, nodes),
            Term::Structure(functor, args) if !args.is_empty() => {
                let new = args.iter().map(|&arg| self.resolve_within(arg, nodes));
                let new = new.collect::<Result<Vec<_>, _>>()?;
                Ok(if new[..] == args[..] { term } else { self.terms.structure(*functor, &new) })
            }
            _ => Ok(term),
        }
    }

    fn resolve_slot(&self, slot: usize, nodes: &mut u32) -> Result<TermId, Trouble> {
        match self.slots[slot] {
            Some(value) => self.resolve_within(value, nodes),
            None => Ok(self.variable(slot)),
        }
    }

    fn variable(&self, slot: usize) -> TermId {
        self.terms.term(Term::Variable(u32::try_from(slot).expect("inferences are limited")))
    }

    /// Makes a pattern equal to a term, binding variables of both.
    pub(crate) fn unify_pattern(
        &mut self,
        pattern: &Pattern,
        offset: usize,
        term: TermId,
    ) -> Result<bool, Trouble> {
        match pattern {
            Pattern::Any => Ok(true),
            Pattern::Ground(ground) if *ground == term => Ok(true),
            Pattern::Ground(ground) => self.unify(*ground, term),
            Pattern::Variable(variable) => {
                let slot = offset + usize::from(variable.0);
                match self.slots[slot] {
                    Some(value) => self.unify(value, term),
                    None => self.bind(slot, term),
                }
            }
            Pattern::Structure(functor, args) => match self.terms.get(self.walk(term)) {
                Term::Structure(other, values) if functor == other && args.len() == values.len() => {
                    for (arg, &value) in args.iter().zip(values) {
                        if !self.unify_pattern(arg, offset, value)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
                Term::Variable(slot) => {
                    let built = self.build_open(pattern, offset)?;
                    self.bind(*slot as usize, built)
                }
                _ => Ok(false),
            },
            Pattern::Arithmetic(..) => {
                let value = self.build(pattern, offset)?;
                self.unify(value, term)
            }
        }
    }

    /// Makes two terms equal.
    pub(crate) fn unify(&mut self, one: TermId, two: TermId) -> Result<bool, Trouble> {
        let (one, two) = (self.walk(one), self.walk(two));
        if one == two {
            return Ok(true);
        }
        match (self.terms.get(one), self.terms.get(two)) {
            // The younger variable points to the older one, so that a plan's own variables stay the names of values.
            (Term::Variable(a), Term::Variable(b)) if a < b => self.bind(*b as usize, one),
            (Term::Variable(a), _) => self.bind(*a as usize, two),
            (_, Term::Variable(b)) => self.bind(*b as usize, one),
            (Term::Structure(f, left), Term::Structure(g, right)) if f == g && left.len() == right.len() => {
                for (&left, &right) in left.iter().zip(right) {
                    if !self.unify(left, right)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn bind(&mut self, slot: usize, term: TermId) -> Result<bool, Trouble> {
        let term = self.walk(term);
        if let Term::Variable(other) = self.terms.get(term) {
            let other = *other as usize;
            if other == slot {
                return Ok(true);
            }
            if other > slot {
                self.slots[other] = Some(self.variable(slot));
                self.trail.push(other);
                return Ok(true);
            }
        } else if self.mentions(term, slot)? {
            return Ok(false);
        }
        self.slots[slot] = Some(term);
        self.trail.push(slot);
        Ok(true)
    }

    fn mentions(&self, term: TermId, slot: usize) -> Result<bool, Trouble> {
        let resolved = self.resolve(term)?;
        Ok(mentions(self.terms, resolved, slot))
    }

    /// Follows variables until a value or an unbound one.
    fn walk(&self, mut term: TermId) -> TermId {
        while let Term::Variable(slot) = self.terms.get(term) {
            match self.slots[*slot as usize] {
                Some(value) => term = value,
                None => break,
            }
        }
        term
    }

    /// The first `kept` values in canonical form: everything resolved, and variables that values mention beyond
    /// `kept` renumbered in order of first occurrence.
    pub(crate) fn store(&self, kept: usize) -> Result<Box<[Option<TermId>]>, Trouble> {
        let mut extra = Vec::new();
        let mut out = Vec::with_capacity(kept);
        for slot in 0..kept {
            out.push(match self.slots[slot] {
                None => None,
                Some(value) => {
                    let value = self.resolve(value)?;
                    Some(renumber(self.terms, value, &mut |variable| match extra_number(
                        kept, variable, &mut extra,
                    ) {
                        Some(number) => number,
                        None => variable,
                    }))
                }
            });
        }
        out.resize(kept + extra.len(), None);
        Ok(out.into())
    }
}

fn extra_number(kept: usize, variable: u32, extra: &mut Vec<u32>) -> Option<u32> {
    if (variable as usize) < kept {
        return None;
    }
    let at = extra.iter().position(|&known| known == variable).unwrap_or_else(|| {
        extra.push(variable);
        extra.len() - 1
    });
    u32::try_from(kept + at).ok()
}

fn spend(nodes: &mut u32) -> Result<(), Trouble> {
    *nodes = nodes.checked_sub(1).ok_or(Trouble::LargeTerm)?;
    Ok(())
}

/// Whether a resolved term has this variable.
fn mentions(terms: &Terms, term: TermId, slot: usize) -> bool {
    match terms.get(term) {
        Term::Variable(other) => *other as usize == slot,
        Term::Structure(_, args) => args.iter().any(|&arg| mentions(terms, arg, slot)),
        _ => false,
    }
}

/// Whether a resolved term has no variables.
pub(crate) fn is_ground(terms: &Terms, term: TermId) -> bool {
    match terms.get(term) {
        Term::Variable(_) => false,
        Term::Structure(_, args) => args.iter().all(|&arg| is_ground(terms, arg)),
        _ => true,
    }
}

/// The first number behind those of a term's variables.
pub(crate) fn behind(terms: &Terms, term: TermId) -> usize {
    match terms.get(term) {
        Term::Variable(variable) => *variable as usize + 1,
        Term::Structure(_, args) => args.iter().map(|&arg| behind(terms, arg)).max().unwrap_or(0),
        _ => 0,
    }
}

/// The term with its variables renamed.
pub(crate) fn renumber(terms: &Terms, term: TermId, name: &mut dyn FnMut(u32) -> u32) -> TermId {
    match terms.get(term) {
        Term::Variable(variable) => terms.term(Term::Variable(name(*variable))),
        Term::Structure(functor, args) if !args.is_empty() => {
            let new: Vec<_> = args.iter().map(|&arg| renumber(terms, arg, name)).collect();
            if new[..] == args[..] { term } else { terms.structure(*functor, &new) }
        }
        _ => term,
    }
}

/// The term with its variables numbered from 0 in order of first occurrence, and how many there are.
pub(crate) fn canonical(terms: &Terms, term: TermId) -> (TermId, usize) {
    let mut seen: Vec<u32> = Vec::new();
    let term = renumber(terms, term, &mut |variable| {
        let at = seen.iter().position(|&known| known == variable).unwrap_or_else(|| {
            seen.push(variable);
            seen.len() - 1
        });
        u32::try_from(at).expect("terms are small")
    });
    (term, seen.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::VariableIndex;

    fn variable(number: u16) -> Pattern {
        Pattern::Variable(VariableIndex(number))
    }

    #[test]
    fn two_variables_of_one_goal_are_the_same_value() {
        let terms = Terms::new();
        let mut bindings = Bindings::new(&terms, 100, vec![None; 2]);
        let (f, same) = (terms.symbol("f"), bindings.extend(1));
        let goal = terms.structure(f, &[bindings.variable(same), bindings.variable(same)]);
        let head = Pattern::Structure(f, vec![variable(0), variable(1)]);
        assert_eq!(bindings.unify_pattern(&head, 0, goal), Ok(true));
        assert_eq!(bindings.unify_pattern(&variable(1), 0, terms.int(3)), Ok(true));
        assert_eq!(bindings.build(&variable(0), 0), Ok(terms.int(3)));
    }

    #[test]
    fn a_variable_is_not_bound_to_a_term_that_contains_it() {
        let terms = Terms::new();
        let mut bindings = Bindings::new(&terms, 100, vec![None]);
        let own = terms.structure(terms.symbol("s"), &[bindings.variable(0)]);
        assert_eq!(bindings.unify_pattern(&variable(0), 0, own), Ok(false));
    }

    #[test]
    fn undoing_takes_back_values_and_fresh_slots() {
        let terms = Terms::new();
        let mut bindings = Bindings::new(&terms, 100, vec![None]);
        let mark = bindings.mark();
        bindings.extend(3);
        assert_eq!(bindings.unify_pattern(&variable(0), 0, terms.int(1)), Ok(true));
        bindings.undo(mark);
        assert_eq!(bindings.slots, [None]);
    }

    #[test]
    fn a_term_beyond_the_limit_is_trouble() {
        let terms = Terms::new();
        let bindings = Bindings::new(&terms, 3, Vec::new());
        let list = terms.list(&[terms.int(1), terms.int(2)]);
        assert_eq!(bindings.resolve(list), Err(Trouble::LargeTerm));
    }
}
