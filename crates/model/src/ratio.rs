//! Exact probabilities.

/// A probability as a fraction. Sums over a choice are compared exactly, never with a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

impl Ratio {
    /// Certainty.
    pub const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    /// The reduced fraction, or `None` for a zero denominator.
    #[must_use]
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator, denominator);
        Some(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// Impossibility.
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };

    /// The product, or `None` when it does not fit 64 bits.
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        // Cancelled crosswise first: the factors are reduced, so the product is.
        let (left, right) = (gcd(self.numerator, other.denominator), gcd(other.numerator, self.denominator));
        Some(Self {
            numerator: (self.numerator / left).checked_mul(other.numerator / right)?,
            denominator: (self.denominator / right).checked_mul(other.denominator / left)?,
        })
    }

    /// The nearest floating-point number.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The sum, or `None` when it does not fit 64 bits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let divisor = gcd(self.denominator, other.denominator);
        let left = self.numerator.checked_mul(other.denominator / divisor)?;
        let right = other.numerator.checked_mul(self.denominator / divisor)?;
        let denominator = self.denominator.checked_mul(other.denominator / divisor)?;
        Self::new(left.checked_add(right)?, denominator)
    }

    /// Above the line.
    #[must_use]
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// Below the line.
    #[must_use]
    pub fn denominator(self) -> u64 {
        self.denominator
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_sum_to_exactly_one() {
        let tenth = Ratio::new(1, 10).unwrap();
        let sum = (1..10).fold(tenth, |sum, _| sum.checked_add(tenth).unwrap());
        assert_eq!(sum, Ratio::ONE);
    }

    #[test]
    fn a_product_is_reduced_and_overflow_is_noticed() {
        let ratio = |above, below| Ratio::new(above, below).unwrap();
        assert_eq!(ratio(2, 3).checked_mul(ratio(3, 4)), Some(ratio(1, 2)));
        assert_eq!(Ratio::ZERO.checked_mul(ratio(1, 3)), Some(Ratio::ZERO));
        assert_eq!(ratio(1, u64::MAX).checked_mul(ratio(1, 2)), None);
        assert_eq!(ratio(u64::MAX, 5).checked_mul(ratio(5, u64::MAX)), Some(Ratio::ONE));
    }
}
