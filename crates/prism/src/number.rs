//! Numbers of models: exact fractions. `0.1` is one tenth; only logarithms and roots are rounded, once, to the nearest
//! floating-point number, and what is computed from those is marked as inexact (`spec/prism/numbers.md`).

use std::cmp::Ordering;

use motet_model::Ratio;

/// A fraction, and whether it is what the text says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    value: Ratio,
    exact: bool,
}

impl Number {
    pub(crate) const ZERO: Number = Number::exactly(Ratio::ZERO);
    pub(crate) const ONE: Number = Number::exactly(Ratio::ONE);

    const fn exactly(value: Ratio) -> Self {
        Self { value, exact: true }
    }

    pub(crate) const fn whole(value: i64) -> Self {
        Self::exactly(Ratio::whole(value))
    }

    /// Reads `12`, `0.25`, `1.5e-3`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Ratio::read(text).map(Self::exactly)
    }

    /// The fraction that a floating-point number is, marked as inexact.
    pub(crate) fn rounded(value: f64) -> Option<Self> {
        Some(Self { value: Ratio::of_float(value)?, exact: false })
    }

    pub(crate) fn is_exact(self) -> bool {
        self.exact
    }

    /// The same value, from now on taken as exact.
    pub(crate) fn settled(self) -> Self {
        Self { exact: true, ..self }
    }

    pub(crate) fn is_negative(self) -> bool {
        self.value.is_negative()
    }

    pub(crate) fn is_zero(self) -> bool {
        self.value.is_zero()
    }

    fn with(self, other: Self, value: Option<Ratio>) -> Option<Self> {
        Some(Self { value: value?, exact: self.exact && other.exact })
    }

    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        self.with(other, self.value.checked_add(other.value))
    }

    pub(crate) fn negated(self) -> Option<Self> {
        Some(Self { value: self.value.negated()?, ..self })
    }

    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        self.with(other, self.value.checked_sub(other.value))
    }

    pub(crate) fn times(self, other: Self) -> Option<Self> {
        self.with(other, self.value.checked_mul(other.value))
    }

    /// `None` also for division by zero.
    pub(crate) fn over(self, other: Self) -> Option<Self> {
        self.with(other, self.value.checked_div(other.value))
    }

    /// A whole power.
    pub(crate) fn power(self, exponent: i64) -> Option<Self> {
        Some(Self { value: self.value.checked_pow(exponent)?, ..self })
    }

    pub(crate) fn floor(self) -> Option<i64> {
        self.value.floor()
    }

    pub(crate) fn ceiling(self) -> Option<i64> {
        self.negated()?.floor()?.checked_neg()
    }

    /// To the nearest whole number, halves up.
    pub(crate) fn nearest(self) -> Option<i64> {
        self.plus(Self::exactly(Ratio::new(1, 2)?))?.floor()
    }

    /// The number, if it is whole.
    pub(crate) fn as_whole(self) -> Option<i64> {
        self.value.as_whole()
    }

    pub(crate) fn is_whole(self) -> bool {
        self.value.is_whole()
    }

    pub(crate) fn to_f64(self) -> f64 {
        self.value.to_f64()
    }

    /// As a probability or a reward; `None` when it is negative.
    pub(crate) fn ratio(self) -> Option<Ratio> {
        (!self.is_negative()).then_some(self.value)
    }

    /// Numerator and denominator, where they fit 64 bits.
    pub(crate) fn parts(self) -> Option<(u64, u64)> {
        self.value.words()
    }
}

/// Values are compared, not how they came about.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::read(text).unwrap()
    }

    #[test]
    fn decimals_are_exact_fractions() {
        assert_eq!(number("0.1").parts(), Some((1, 10)));
        assert_eq!(number("2.50").parts(), Some((5, 2)));
        assert_eq!(number("1e-3").parts(), Some((1, 1000)));
        assert_eq!(number("1.5E2").parts(), Some((150, 1)));
        assert_eq!(number(".5").parts(), Some((1, 2)));
        assert_eq!(number("1e-400").times(number("1e400")), Some(Number::ONE));
        assert_eq!(Number::read("1e400000000"), None);
        let sum = number("0.1").plus(number("0.2")).unwrap();
        assert_eq!(sum, number("0.3"));
    }

    #[test]
    fn rounding_goes_up_at_halves_and_floors_are_below() {
        assert_eq!(number("2.5").nearest(), Some(3));
        assert_eq!(number("2.5").negated().unwrap().nearest(), Some(-2));
        assert_eq!(number("2.5").negated().unwrap().floor(), Some(-3));
        assert_eq!(number("2.5").ceiling(), Some(3));
    }

    #[test]
    fn comparison_does_not_overflow() {
        let (huge, other) = (number("1e400"), number("1e400").plus(Number::ONE).unwrap());
        assert_eq!(huge.cmp(&other), Ordering::Less);
        assert_eq!(huge.cmp(&huge), Ordering::Equal);
        assert_eq!(huge.negated().unwrap().cmp(&huge), Ordering::Less);
    }

    #[test]
    fn floating_point_numbers_are_fractions_of_powers_of_two() {
        assert_eq!(Number::rounded(0.75).unwrap().settled(), number("0.75"));
        assert_eq!(Number::rounded(-3.0).unwrap().settled(), number("3").negated().unwrap());
        assert_eq!(Number::rounded(f64::NAN), None);
        assert_eq!(Number::rounded(f64::MAX).unwrap().to_f64(), f64::MAX);
        assert!(!Number::rounded(0.1).unwrap().is_exact());
    }

    #[test]
    fn numbers_print_as_decimals_where_they_can() {
        assert_eq!(number("0.25").to_string(), "0.25");
        assert_eq!(number("1").over(number("3")).unwrap().to_string(), "1/3");
        assert_eq!(number("0.5").negated().unwrap().to_string(), "-0.5");
    }
}
