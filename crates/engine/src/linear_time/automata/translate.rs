//! From a formula to an automaton.
//!
//! A state is a set of formulas that the rest of the word owes. Its transitions are the terms of a disjunctive normal
//! form of their conjunction, unfolded one step: what must hold now, what is owed next, and which untils were put off.
//! A transition is in the acceptance set of an until unless it puts that until off (Couvreur 1999; Gastin and Oddoux
//! 2001).

use std::collections::HashMap;
use std::rc::Rc;

use super::automaton::{Automaton, Label, Transition};
use super::formula::{Formulas, Ltl, Node};
use super::reduce::reduce;

/// Propositions per automaton; labels are bit sets.
const PROPOSITIONS_MAX: usize = 64;
/// Untils per automaton; acceptance is a bit set.
const UNTILS_MAX: usize = 32;
const STATES_MAX: usize = 4000;
const TRANSITIONS_MAX: usize = 100_000;
/// Ways to satisfy one formula, and pairs of ways that are looked at to find them.
const TERMS_MAX: usize = 2000;
const PAIRS_MAX: usize = 20_000;

/// Why a formula has no automaton here: it would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// One way to satisfy a conjunction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Term {
    label: Label,
    /// Owed by the rest of the word; sorted.
    next: Vec<Node>,
    /// Untils that were put off.
    postponed: u32,
}

impl Term {
    fn and(&self, other: &Self) -> Option<Self> {
        let label = self.label.and(other.label)?;
        let mut next: Vec<Node> = self.next.iter().chain(&other.next).copied().collect();
        next.sort_unstable();
        next.dedup();
        Some(Self { label, next, postponed: self.postponed | other.postponed })
    }

    /// Whether this term demands nothing that `other` does not demand.
    fn covers(&self, other: &Self) -> bool {
        self.label.covers(other.label)
            && self.postponed & !other.postponed == 0
            && self.next.iter().all(|owed| other.next.binary_search(owed).is_ok())
    }
}

/// An automaton that accepts exactly the words that satisfy the formula.
pub(crate) fn translate(formulas: &Formulas, root: Node) -> Result<Automaton, TooLarge> {
    let propositions = formulas.used(root);
    if propositions.len() > PROPOSITIONS_MAX {
        return Err(TooLarge);
    }
    let mut unfolding = Unfolding { formulas, propositions, untils: Vec::new(), covers: HashMap::new() };
    let mut sets: Vec<Vec<Node>> = vec![unfolding.conjuncts(root)];
    let mut numbers: HashMap<Vec<Node>, u32> = HashMap::from([(sets[0].clone(), 0)]);
    let mut unfolded: Vec<Vec<(Term, u32)>> = Vec::new();
    let mut n_transitions = 0;
    while unfolded.len() < sets.len() {
        let terms = unfolding.unfold(&sets[unfolded.len()].clone())?;
        let mut transitions = Vec::with_capacity(terms.len());
        for mut term in terms {
            unfolding.drop_implied(&mut term.next);
            let fresh = u32::try_from(sets.len()).map_err(|_| TooLarge)?;
            let target = *numbers.entry(term.next.clone()).or_insert_with(|| {
                sets.push(term.next.clone());
                fresh
            });
            transitions.push((term, target));
        }
        n_transitions += transitions.len();
        unfolded.push(transitions);
        if sets.len() > STATES_MAX || n_transitions > TRANSITIONS_MAX {
            return Err(TooLarge);
        }
    }
    let n_sets = u32::try_from(unfolding.untils.len()).map_err(|_| TooLarge)?;
    let mut automaton = Automaton {
        propositions: unfolding.propositions.iter().map(|&p| formulas.proposition(p).clone()).collect(),
        transitions: Vec::new(),
        n_sets,
        sink: numbers.get(&Vec::new()).copied(),
    };
    let all = automaton.all_sets();
    automaton.transitions = unfolded
        .into_iter()
        .map(|terms| {
            let transition = |(term, target): (Term, u32)| Transition {
                label: term.label,
                sets: all & !term.postponed,
                target,
            };
            terms.into_iter().map(transition).collect()
        })
        .collect();
    Ok(reduce(automaton))
}

struct Unfolding<'a> {
    formulas: &'a Formulas,
    /// The propositions of this formula; their positions are the bits of labels.
    propositions: Vec<u32>,
    /// The untils met so far; their positions are the acceptance sets.
    untils: Vec<Node>,
    covers: HashMap<Node, Rc<[Term]>>,
}

impl Unfolding<'_> {
    fn conjuncts(&self, node: Node) -> Vec<Node> {
        match self.formulas.get(node) {
            Ltl::True => Vec::new(),
            Ltl::And(parts) => parts.clone(),
            _ => vec![node],
        }
    }

    /// `G a` owes `a` at every step, so `a` need not be owed beside it. Every until in `a` is unfolded again at each step,
    /// so that it is still noticed when one is put off for ever.
    fn drop_implied(&self, owed: &mut Vec<Node>) {
        let always = owed.iter().filter_map(|&node| match self.formulas.get(node) {
            Ltl::Release(Formulas::FALSE, a) => Some(*a),
            _ => None,
        });
        let implied: Vec<Node> = always.flat_map(|a| self.conjuncts(a)).collect();
        owed.retain(|node| !implied.contains(node));
    }

    fn unfold(&mut self, owed: &[Node]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = vec![Term::default()];
        for &node in owed {
            terms = conjunction(&terms, &self.cover(node)?)?;
        }
        Ok(terms)
    }

    fn cover(&mut self, node: Node) -> Result<Rc<[Term]>, TooLarge> {
        if let Some(known) = self.covers.get(&node) {
            return Ok(Rc::clone(known));
        }
        let terms = match self.formulas.get(node).clone() {
            Ltl::True => vec![Term::default()],
            Ltl::False => Vec::new(),
            Ltl::Literal(proposition, positive) => {
                let position = self.propositions.binary_search(&proposition);
                let bit = 1_u64 << position.expect("all propositions of the formula are listed");
                let label = if positive {
                    Label { positive: bit, negative: 0 }
                } else {
                    Label { positive: 0, negative: bit }
                };
                vec![Term { label, ..Term::default() }]
            }
            Ltl::And(parts) => self.unfold(&parts)?,
            Ltl::Or(parts) => {
                let mut terms = Vec::new();
                for part in parts {
                    terms.extend(self.cover(part)?.iter().cloned());
                }
                absorb(terms)?
            }
            Ltl::Next(a) => vec![Term { next: self.conjuncts(a), ..Term::default() }],
            Ltl::Until(a, b) => {
                let put_off = Term { next: vec![node], postponed: self.set(node)?, ..Term::default() };
                let mut terms = conjunction(&[put_off], &self.cover(a)?)?;
                terms.extend(self.cover(b)?.iter().cloned());
                absorb(terms)?
            }
            Ltl::Release(a, b) => {
                let mut terms = vec![Term { next: vec![node], ..Term::default() }];
                terms.extend(self.cover(a)?.iter().cloned());
                conjunction(&terms, &self.cover(b)?)?
            }
            // What is left of a window depends on the run, so that no finite automaton of letters does it.
            Ltl::UntilIn(..) | Ltl::ReleaseIn(..) | Ltl::UntilSteps(..) | Ltl::ReleaseSteps(..) => {
                return Err(TooLarge);
            }
        };
        let terms: Rc<[Term]> = terms.into();
        self.covers.insert(node, Rc::clone(&terms));
        Ok(terms)
    }

    /// The acceptance set of an until.
    fn set(&mut self, until: Node) -> Result<u32, TooLarge> {
        let known = self.untils.iter().position(|&known| known == until);
        let position = known.unwrap_or_else(|| {
            self.untils.push(until);
            self.untils.len() - 1
        });
        if position < UNTILS_MAX { Ok(1 << position) } else { Err(TooLarge) }
    }
}

fn conjunction(left: &[Term], right: &[Term]) -> Result<Vec<Term>, TooLarge> {
    if left.len() * right.len() > PAIRS_MAX {
        return Err(TooLarge);
    }
    let terms = left.iter().flat_map(|a| right.iter().filter_map(|b| a.and(b)));
    absorb(terms.collect())
}

/// Drops terms that another term makes superfluous.
fn absorb(terms: Vec<Term>) -> Result<Vec<Term>, TooLarge> {
    let mut kept: Vec<Term> = Vec::new();
    for term in terms {
        if kept.iter().any(|known| known.covers(&term)) {
            continue;
        }
        kept.retain(|known| !term.covers(known));
        kept.push(term);
        if kept.len() > TERMS_MAX {
            return Err(TooLarge);
        }
    }
    Ok(kept)
}
