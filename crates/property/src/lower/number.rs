//! Exact numbers: what bounds, thresholds and expectations are computed with before they become text again.

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    numerator: i128,
    denominator: i128,
}

impl Number {
    pub(crate) fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.checked_abs()?, denominator.checked_abs()?).max(1);
        let sign = if denominator < 0 { -1 } else { 1 };
        Some(Self {
            numerator: sign * (numerator / divisor),
            denominator: (denominator / divisor).checked_abs()?,
        })
    }

    pub(crate) fn whole(number: i64) -> Self {
        Self { numerator: i128::from(number), denominator: 1 }
    }

    /// Reads `12`, `0.44`, `1.5e-3`. `None` when it has too many digits.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let numerator = format!("{whole}{fraction}").parse::<i128>().ok()?;
        let places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        let power = 10i128.checked_pow(places.unsigned_abs())?;
        if places >= 0 { Self::new(numerator, power) } else { Self::new(numerator.checked_mul(power)?, 1) }
    }

    pub(crate) fn add(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    pub(crate) fn negated(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }

    pub(crate) fn sub(self, other: Self) -> Option<Self> {
        self.add(other.negated()?)
    }

    pub(crate) fn mul(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        Self::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    pub(crate) fn div(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.denominator)?;
        Self::new(numerator, self.denominator.checked_mul(other.numerator)?)
    }

    /// The remainder of whole numbers, with the sign of a mathematician: never negative for a positive divisor.
    pub(crate) fn remainder(self, other: Self) -> Option<Self> {
        if self.denominator != 1 || other.denominator != 1 {
            return None;
        }
        Self::new(self.numerator.checked_rem_euclid(other.numerator)?, 1)
    }

    pub(crate) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(crate) fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// The number if it is whole and fits.
    pub(crate) fn as_whole(self) -> Option<i64> {
        (self.denominator == 1).then(|| i64::try_from(self.numerator).ok()).flatten()
    }

    pub(crate) fn compare(self, other: Self) -> Option<std::cmp::Ordering> {
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left.cmp(&other.numerator.checked_mul(self.denominator)?))
    }

    /// Decimal text, exact where that is finite; else rounded down after 20 places, or up.
    pub(crate) fn decimal(self, rounding: Rounding) -> String {
        let sign = if self.numerator < 0 { "-" } else { "" };
        let (numerator, denominator) = (self.numerator.unsigned_abs(), self.denominator.unsigned_abs());
        let mut whole = numerator / denominator;
        let mut rest = numerator % denominator;
        let mut digits: Vec<u8> = Vec::new();
        while rest != 0 && digits.len() < 20 {
            let Some(more) = rest.checked_mul(10) else { break };
            digits.push(u8::try_from(more / denominator).unwrap_or(9));
            rest = more % denominator;
        }
        // Away from zero is up for positive numbers and down for negative ones.
        if rest != 0 && (rounding == Rounding::Up) == sign.is_empty() {
            let mut carry = true;
            for digit in digits.iter_mut().rev() {
                if carry {
                    *digit = (*digit + 1) % 10;
                    carry = *digit == 0;
                }
            }
            whole += u128::from(carry);
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        let fraction: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
    }

    /// Whether its decimal text is exact.
    pub(crate) fn is_decimal(self) -> bool {
        let mut rest = self.denominator;
        for factor in [2, 5] {
            while rest % factor == 0 {
                rest /= factor;
            }
        }
        rest == 1 && self.decimal(Rounding::Down).len() < 20
    }
}

/// Which way an endless decimal is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Down,
    Up,
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::read(text).unwrap()
    }

    #[test]
    fn decimals_are_exact_and_endless_ones_are_cut_outwards() {
        let sum = number("0.4416").add(number("0.0001")).unwrap();
        assert_eq!(sum.decimal(Rounding::Down), "0.4417");
        let third = number("1").div(number("3")).unwrap();
        assert_eq!(third.decimal(Rounding::Down), "0.33333333333333333333");
        assert_eq!(third.decimal(Rounding::Up), "0.33333333333333333334");
        assert_eq!(third.negated().unwrap().decimal(Rounding::Down), "-0.33333333333333333334");
        assert_eq!(number("1.5e3").decimal(Rounding::Down), "1500");
        assert_eq!(number("2e-2").decimal(Rounding::Down), "0.02");
    }

    #[test]
    fn too_many_digits_are_refused_and_not_wrapped() {
        assert_eq!(Number::read("1e99"), None);
        assert_eq!(Number::read(&"9".repeat(60)), None);
        assert!(number("170141183460469231731687303715884105727").add(number("1")).is_none());
    }
}
