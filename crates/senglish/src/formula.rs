//! Conditions over the slots of a state. Rules, contexts, triggers and atoms all become one of these.
//!
//! There is no negation: [`Formula::negated`] turns the tests round. What a condition on beliefs means when a belief may be
//! unknown is settled before, in `resolve`, by asking apart when it is true and when it is false.

use motet_model::State;

/// How many combinations of values are tried to see whether a condition can hold.
const MOST_TRIED: u64 = 1 << 16;

/// A condition over slots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    /// Always.
    True,
    /// Never.
    False,
    /// A slot compared with a number.
    Test(usize, Comparison, u32),
    /// All of them.
    All(Vec<Formula>),
    /// At least one of them.
    Any(Vec<Formula>),
}

/// How a slot is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// As PRISM writes it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }

    /// Whether it holds between two numbers.
    #[must_use]
    pub fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::More => left > right,
            Self::AtLeast => left >= right,
        }
    }

    fn opposite(self) -> Self {
        match self {
            Self::Equal => Self::Unequal,
            Self::Unequal => Self::Equal,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::More,
            Self::More => Self::AtMost,
            Self::AtLeast => Self::Less,
        }
    }
}

impl Formula {
    /// Whether it holds in a state.
    #[must_use]
    pub fn holds(&self, state: &State) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Test(slot, comparison, number) => comparison.holds(state[*slot], *number),
            Self::All(parts) => parts.iter().all(|part| part.holds(state)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(state)),
        }
    }

    /// What holds exactly when this does not.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Test(slot, comparison, number) => Self::Test(*slot, comparison.opposite(), *number),
            Self::All(parts) => Self::Any(parts.iter().map(Self::negated).collect()),
            Self::Any(parts) => Self::All(parts.iter().map(Self::negated).collect()),
        }
    }

    /// All of these, with what is certain left out.
    #[must_use]
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Self {
        let mut list = Vec::new();
        for part in parts {
            match part {
                Self::True => {}
                Self::False => return Self::False,
                Self::All(inner) => list.extend(inner),
                other => list.push(other),
            }
        }
        match list.len() {
            0 => Self::True,
            1 => list.swap_remove(0),
            _ => Self::All(list),
        }
    }

    /// At least one of these, with what is impossible left out.
    #[must_use]
    pub fn any(parts: impl IntoIterator<Item = Formula>) -> Self {
        let mut list = Vec::new();
        for part in parts {
            match part {
                Self::False => {}
                Self::True => return Self::True,
                Self::Any(inner) => list.extend(inner),
                other => list.push(other),
            }
        }
        match list.len() {
            0 => Self::False,
            1 => list.swap_remove(0),
            _ => Self::Any(list),
        }
    }

    /// Whether some values of the slots, each up to its largest, make it hold. Where there are too many values to try, the answer
    /// is yes.
    #[must_use]
    pub fn is_possible(&self, most: impl Fn(usize) -> u32) -> bool {
        let mut slots = self.slots();
        slots.sort_unstable();
        slots.dedup();
        let combinations = slots.iter().try_fold(1_u64, |product, slot| {
            product.checked_mul(u64::from(most(*slot)) + 1).filter(|product| *product <= MOST_TRIED)
        });
        if combinations.is_none() {
            return true;
        }
        let mut state = vec![0; slots.last().map_or(0, |last| last + 1)];
        loop {
            if self.holds(&state) {
                return true;
            }
            let Some(next) = slots.iter().find(|slot| state[**slot] < most(**slot)) else { return false };
            slots.iter().take_while(|slot| *slot < next).for_each(|slot| state[*slot] = 0);
            state[*next] += 1;
        }
    }

    /// The slots it looks at.
    #[must_use]
    pub fn slots(&self) -> Vec<usize> {
        let mut slots = Vec::new();
        self.collect(&mut slots);
        slots
    }

    fn collect(&self, slots: &mut Vec<usize>) {
        match self {
            Self::True | Self::False => {}
            Self::Test(slot, ..) => slots.push(*slot),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.collect(slots)),
        }
    }

    /// The same with the parts of every `and` and `or` in one order and without repetition, so that conditions which differ in
    /// nothing else compare equal.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let sorted = |parts: &[Formula]| {
            let mut parts: Vec<Formula> = parts.iter().map(Self::canonical).collect();
            parts.sort();
            parts.dedup();
            parts
        };
        match self {
            Self::All(parts) => Self::all(sorted(parts)),
            Self::Any(parts) => Self::any(sorted(parts)),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_holds_exactly_where_the_formula_does_not() {
        let test = |slot, number| Formula::Test(slot, Comparison::Equal, number);
        let formula =
            Formula::all([test(0, 1), Formula::any([test(1, 0), Formula::Test(1, Comparison::More, 1)])]);
        for state in [[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]] {
            assert_ne!(formula.holds(&state), formula.negated().holds(&state), "{state:?}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_impossible() {
        let test = |slot, number| Formula::Test(slot, Comparison::Equal, number);
        let most = |_| 2;
        assert!(!Formula::All(vec![test(3, 1), test(5, 0), test(3, 0)]).is_possible(most));
        assert!(Formula::All(vec![test(3, 1), test(5, 2), test(4, 0)]).is_possible(most));
        assert!(!test(0, 3).is_possible(most));
    }

    #[test]
    fn the_order_of_a_conjunction_does_not_matter_to_its_canonical_form() {
        let test = |slot| Formula::Test(slot, Comparison::Equal, 1);
        let one = Formula::All(vec![test(0), Formula::Any(vec![test(2), test(1)])]);
        let two = Formula::All(vec![Formula::Any(vec![test(1), test(2)]), test(0), test(0)]);
        assert_eq!(one.canonical(), two.canonical());
    }
}
