//! The connectives, which formulas about states and about runs have in common.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{Formula, Path};

/// What joins two formulas about the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connective {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Implication.
    Implies,
    /// Equivalence.
    Iff,
}

impl Connective {
    /// The truth of the whole, or, of sets of places, where it is true.
    #[must_use]
    pub fn of<T>(self, left: T, right: T) -> T
    where
        T: Copy + Not<Output = T> + BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T>,
    {
        match self {
            Self::And => left & right,
            Self::Or => left | right,
            Self::Implies => !left | right,
            Self::Iff => !(left ^ right),
        }
    }

    /// As written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::And => "&",
            Self::Or => "|",
            Self::Implies => "->",
            Self::Iff => "<->",
        }
    }
}

/// Both trees have the connectives as variants of their own.
macro_rules! connectives {
    ($tree:ident) => {
        impl<A> $tree<A> {
            /// The connective that it is, and what that joins.
            pub fn joined(&self) -> Option<(Connective, &Self, &Self)> {
                match self {
                    Self::And(a, b) => Some((Connective::And, a, b)),
                    Self::Or(a, b) => Some((Connective::Or, a, b)),
                    Self::Implies(a, b) => Some((Connective::Implies, a, b)),
                    Self::Iff(a, b) => Some((Connective::Iff, a, b)),
                    _ => None,
                }
            }

            /// Both, joined.
            #[must_use]
            pub fn join(connective: Connective, left: Self, right: Self) -> Self {
                let (left, right) = (Box::new(left), Box::new(right));
                match connective {
                    Connective::And => Self::And(left, right),
                    Connective::Or => Self::Or(left, right),
                    Connective::Implies => Self::Implies(left, right),
                    Connective::Iff => Self::Iff(left, right),
                }
            }
        }
    };
}

connectives!(Path);
connectives!(Formula);

impl<A> Path<A> {
    /// Whether it speaks of the first state of a run only; other runs from there, and what is known there, included.
    #[must_use]
    pub fn is_state(&self) -> bool {
        match self {
            Self::Now(_) => true,
            Self::Not(_) => self.operands().all(Self::is_state),
            _ => self.joined().is_some_and(|(_, a, b)| a.is_state() && b.is_state()),
        }
    }
}

impl<A: Clone> Path<A> {
    /// The formula about the first state that it is; see [`Path::is_state`].
    #[must_use]
    pub fn as_state(&self) -> Option<Formula<A>> {
        match self {
            Self::Now(formula) => Some(formula.clone()),
            Self::Not(a) => Some(Formula::Not(Box::new(a.as_state()?))),
            _ => {
                let (connective, a, b) = self.joined()?;
                Some(Formula::join(connective, a.as_state()?, b.as_state()?))
            }
        }
    }
}

impl<A> Formula<A> {
    /// Its truth, where `leaf` knows the truth of everything that is neither a constant nor made by connectives.
    pub fn truth<'f>(&'f self, leaf: &mut impl FnMut(&'f Self) -> bool) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Not(a) => !a.truth(leaf),
            Self::And(a, b) => a.truth(leaf) && b.truth(leaf),
            Self::Or(a, b) => a.truth(leaf) || b.truth(leaf),
            Self::Implies(a, b) => !a.truth(leaf) || b.truth(leaf),
            Self::Iff(a, b) => a.truth(leaf) == b.truth(leaf),
            other => leaf(other),
        }
    }

    /// Whether every path quantifier stands directly before one temporal operator over formulas about states.
    #[must_use]
    pub fn is_ctl(&self) -> bool {
        let state = |path: &Path<A>| matches!(path, Path::Now(formula) if formula.is_ctl());
        let breaks = |leaf: &Self| match leaf {
            Self::Runs(_, path) => !(path.is_temporal() && path.operands().all(state)),
            _ => false,
        };
        !self.any_leaf(&mut |leaf| breaks(leaf))
    }

    /// Whether something of what it joins by connectives is such; operators of other kinds are not looked into.
    pub fn any_leaf<'f>(&'f self, such: &mut dyn FnMut(&'f Self) -> bool) -> bool {
        match (self, self.joined()) {
            (Self::Not(a), _) => a.any_leaf(such),
            (_, Some((_, a, b))) => a.any_leaf(such) || b.any_leaf(such),
            (leaf, None) => such(leaf),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Interval, Quantifier};

    const ALL: [Connective; 4] = [Connective::And, Connective::Or, Connective::Implies, Connective::Iff];

    fn atom(number: u32) -> Formula<u32> {
        Formula::Atom(number)
    }

    #[test]
    fn a_connective_is_true_where_its_truth_table_says_so() {
        // Left and right: false false, false true, true false, true true.
        let tables = [0b1000, 0b1110, 0b1011, 0b1001];
        for (connective, table) in ALL.into_iter().zip(tables) {
            for row in 0..4 {
                let (left, right) = (row & 2 != 0, row & 1 != 0);
                let formula = Formula::join(connective, atom(0), atom(1));
                let truth = formula.truth(&mut |leaf| if *leaf == atom(0) { left } else { right });
                assert_eq!(connective.of(left, right), table >> row & 1 == 1, "{connective:?} {row}");
                assert_eq!(truth, connective.of(left, right), "{connective:?} {row}");
            }
        }
    }

    #[test]
    fn what_is_joined_comes_apart_again() {
        for connective in ALL {
            let path = Path::join(connective, Path::Now(atom(0)), Path::Now(atom(1)));
            let (found, left, right) = path.joined().expect("joined");
            assert_eq!((found, left, right), (connective, &Path::Now(atom(0)), &Path::Now(atom(1))));
            let state = path.as_state().expect("both sides speak of the first state");
            assert_eq!(state.joined(), Some((connective, &atom(0), &atom(1))));
        }
    }

    #[test]
    fn a_formula_about_later_states_is_not_one_about_the_first() {
        let later = Path::Eventually(Interval::default(), Box::new(Path::Now(atom(0))));
        assert!(!later.is_state());
        let path = Path::join(Connective::Or, Path::Now(atom(1)), later);
        assert_eq!((path.is_state(), path.as_state()), (false, None));
    }

    #[test]
    fn other_operators_are_leaves() {
        let eventually = |path| Path::Eventually(Interval::default(), Box::new(path));
        let runs = Formula::Runs(Quantifier::Some, Box::new(eventually(Path::Now(atom(7)))));
        let whole = Formula::Not(Box::new(Formula::join(Connective::Iff, atom(1), runs)));
        assert!(whole.any_leaf(&mut |leaf| matches!(leaf, Formula::Runs(..))));
        assert!(!whole.any_leaf(&mut |leaf| *leaf == atom(7)));
        assert!(whole.is_ctl());
        let twice = Formula::Runs(Quantifier::All, Box::new(eventually(eventually(Path::Now(atom(0))))));
        assert!(!twice.is_ctl());
    }
}
