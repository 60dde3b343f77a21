//! Sums of tokens, with factors: what claims compare.

use std::cmp::Ordering;

use motet_model::State;

/// `2 * #p + #q - 3`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Places, each once, in order, with factors other than 0.
    terms: Vec<(u32, i64)>,
    constant: i64,
}

impl Sum {
    /// A number.
    pub(crate) fn constant(constant: i64) -> Self {
        Self { terms: Vec::new(), constant }
    }

    /// All tokens of these places.
    pub(crate) fn tokens(places: impl IntoIterator<Item = u32>) -> Self {
        let terms = places.into_iter().map(|place| (place, 1)).collect();
        Self { terms, constant: 0 }.tidied().unwrap_or_default()
    }

    /// The number it is, if it speaks of no place.
    pub(crate) fn number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The places with their factors, and what is added.
    pub(crate) fn parts(&self) -> (&[(u32, i64)], i64) {
        (&self.terms, self.constant)
    }

    /// `None` if the factors get too large.
    pub(crate) fn plus(mut self, other: &Self) -> Option<Self> {
        self.terms.extend_from_slice(&other.terms);
        self.constant = self.constant.checked_add(other.constant)?;
        self.tidied()
    }

    /// `None` if the factors get too large.
    pub(crate) fn times(mut self, factor: i64) -> Option<Self> {
        for (_, own) in &mut self.terms {
            *own = own.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        self.tidied()
    }

    fn tidied(mut self) -> Option<Self> {
        self.terms.sort_unstable();
        let mut terms: Vec<(u32, i64)> = Vec::with_capacity(self.terms.len());
        for (place, factor) in self.terms {
            match terms.last_mut() {
                Some(last) if last.0 == place => last.1 = last.1.checked_add(factor)?,
                _ => terms.push((place, factor)),
            }
        }
        terms.retain(|(_, factor)| *factor != 0);
        Some(Self { terms, ..self })
    }

    /// How its value in a marking compares with 0. Claims are asked of every state, and most of them are about small numbers,
    /// so 64 bits are tried first.
    pub(crate) fn sign(&self, marking: &State) -> Ordering {
        let mut value = self.constant;
        for &(place, factor) in &self.terms {
            let tokens = factor.checked_mul(i64::from(marking[place as usize]));
            match tokens.and_then(|tokens| value.checked_add(tokens)) {
                Some(sum) => value = sum,
                None => return self.value(marking).cmp(&0),
            }
        }
        value.cmp(&0)
    }

    /// Its value in a marking. Wide enough for any number of places with any factors.
    pub(crate) fn value(&self, marking: &State) -> i128 {
        let terms = self.terms.iter();
        let tokens = terms.map(|&(place, factor)| i128::from(factor) * i128::from(marking[place as usize]));
        i128::from(self.constant) + tokens.sum::<i128>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_are_added_up_and_too_large_factors_are_noticed() {
        let sum = Sum::tokens([1, 0, 1]).times(-2).unwrap().plus(&Sum::constant(7)).unwrap();
        assert_eq!(sum.value(&[3, 5]), -6 - 20 + 7);
        assert_eq!(sum.clone().plus(&sum.times(-1).unwrap()).unwrap().number(), Some(0));
        assert_eq!(Sum::constant(i64::MAX).times(2), None);
    }

    /// The naive twin is the value in 128 bits.
    #[test]
    fn the_sign_is_that_of_the_value_also_where_64_bits_are_too_few() {
        let numbers = [0, 1, -1, 2, -3, i64::from(u32::MAX), -i64::from(u32::MAX), i64::MAX, i64::MIN];
        let tokens = [0, 1, 2, 5, u32::MAX];
        let mut wide = 0;
        for first in numbers {
            for second in numbers {
                for constant in numbers {
                    let sum = Sum { terms: vec![(0, first), (1, second)], constant };
                    for marking in tokens.iter().flat_map(|&one| tokens.map(|other| [one, other])) {
                        assert_eq!(sum.sign(&marking), sum.value(&marking).cmp(&0), "{sum:?} in {marking:?}");
                        wide += usize::from(i64::try_from(sum.value(&marking)).is_err());
                    }
                }
            }
        }
        assert!(wide > 1000, "sums that need more than 64 bits were tried: {wide}");
    }
}
