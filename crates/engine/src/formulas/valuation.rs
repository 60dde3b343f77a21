//! State formulas on an explored graph, one state or 64 states at a time.

use motet_model::AtomId;
use motet_property::Formula;

use crate::exploration::graph::Graph;
use crate::storage::bits::Bits;

/// Whether a state formula holds in a state; `None` if it speaks of deadlock and the state's steps are not known.
/// Formulas that are not state formulas hold nowhere: the caller has refused them.
pub(crate) fn holds_at(graph: &Graph, formula: &Formula<AtomId>, state: u32) -> Option<bool> {
    let at = state as usize;
    if mentions_deadlock(formula) && !graph.settled.get(at) {
        return None;
    }
    Some(word(graph, formula, at / 64) >> (at % 64) & 1 == 1)
}

/// The states where a state formula is known to hold.
pub(crate) fn column(graph: &Graph, formula: &Formula<AtomId>) -> Bits {
    let n = graph.n_states();
    let cautious = mentions_deadlock(formula);
    let words = (0..n.div_ceil(64)).map(|index| {
        let known = if cautious { graph.settled.word(index) } else { u64::MAX };
        word(graph, formula, index) & known & inside(n, index)
    });
    Bits::from_words(words.collect())
}

/// The bits of word `index` that stand for states.
pub(crate) fn inside(n: usize, index: usize) -> u64 {
    match n - 64 * index {
        rest @ 0..64 => (1 << rest) - 1,
        _ => u64::MAX,
    }
}

fn word(graph: &Graph, formula: &Formula<AtomId>, index: usize) -> u64 {
    let word = |formula| word(graph, formula, index);
    match formula {
        Formula::True => u64::MAX,
        Formula::Deadlock => graph.deadlocks.word(index),
        Formula::Atom(atom) => {
            let column =
                graph.atoms.binary_search(atom).expect("an exploration evaluates all atoms of the claims");
            graph.columns[column].word(index)
        }
        Formula::Not(a) => !word(a),
        Formula::And(a, b) => word(a) & word(b),
        Formula::Or(a, b) => word(a) | word(b),
        Formula::Implies(a, b) => !word(a) | word(b),
        Formula::Iff(a, b) => !(word(a) ^ word(b)),
        Formula::False
        | Formula::Runs(..)
        | Formula::Knows(..)
        | Formula::Chance(..)
        | Formula::Reward(..)
        | Formula::Steady(..)
        | Formula::Filter(..)
        | Formula::Wait(..)
        | Formula::Past(_)
        | Formula::Timer(..) => 0,
    }
}

/// Whether a state formula can only be evaluated where the steps are known.
pub(crate) fn mentions_deadlock(formula: &Formula<AtomId>) -> bool {
    formula.any_leaf(&mut |leaf| matches!(leaf, Formula::Deadlock))
}
