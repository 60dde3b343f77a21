//! Which truths a list of state formulas can have together: `a & b` and `!a` never hold at once.

use std::collections::BTreeSet;

use hashbrown::HashSet;
use motet_model::AtomId;
use motet_property::{Change, Formula, Path};

use crate::linear_time::automata::formula::fold;

/// Partly evaluated lists that are looked at per atom.
const LISTS_MAX: usize = 1024;

/// All truths that the formulas can have together, in a fixed order; `None` if there are too many to look at.
///
/// The atoms are given values one after the other (Shannon), and lists that have become equal are looked at once.
pub(super) fn feasible(formulas: &[Formula<AtomId>]) -> Option<Vec<Vec<bool>>> {
    let mut atoms = BTreeSet::new();
    formulas.iter().for_each(|formula| {
        formula.for_each_atom(&mut |atom| {
            atoms.insert(*atom);
        });
    });
    let mut lists = vec![formulas.iter().map(fold).collect::<Vec<_>>()];
    for atom in atoms {
        let valued = |list: &Vec<Formula<AtomId>>, value: bool| {
            let given = |formula| fold(&Given(atom, value).state(0, formula));
            list.iter().map(given).collect::<Vec<_>>()
        };
        let mut next: Vec<Vec<Formula<AtomId>>> = Vec::new();
        let mut known = HashSet::new();
        for list in &lists {
            for value in [false, true] {
                let list = valued(list, value);
                if known.insert(list.clone()) {
                    next.push(list);
                }
            }
        }
        if next.len() > LISTS_MAX {
            return None;
        }
        lists = next;
    }
    Some(lists.iter().map(|list| list.iter().map(|formula| *formula == Formula::True).collect()).collect())
}

/// Puts a value in the place of an atom.
struct Given(AtomId, bool);

impl Change<AtomId> for Given {
    fn path(&mut self, _: usize, path: &Path<AtomId>) -> Path<AtomId> {
        path.with_children(self)
    }

    fn state(&mut self, _: usize, formula: &Formula<AtomId>) -> Formula<AtomId> {
        match formula {
            Formula::Atom(atom) if *atom == self.0 && self.1 => Formula::True,
            Formula::Atom(atom) if *atom == self.0 => Formula::False,
            _ => formula.with_children(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_over_the_same_atoms_are_not_free() {
        let atom = |number| Box::new(Formula::Atom(AtomId(number)));
        let list = [Formula::And(atom(0), atom(1)), *atom(0), Formula::Or(atom(1), atom(2))];
        // By the truth table of three atoms: five of the eight triples turn up.
        let mut found = feasible(&list).expect("few");
        found.sort_unstable();
        let expected =
            [[false, false, false], [false, false, true], [false, true, false], [false, true, true]];
        assert_eq!(found[..4], expected);
        assert_eq!((found.len(), &found[4][..]), (5, &[true, true, true][..]));
    }

    #[test]
    fn a_wide_disjunction_is_one_formula() {
        let atoms = (0..200).map(|number| Formula::Atom(AtomId(number)));
        let wide = atoms.reduce(|a, b| Formula::Or(Box::new(a), Box::new(b))).expect("some");
        assert_eq!(feasible(&[wide]).map(|found| found.len()), Some(2));
    }
}
