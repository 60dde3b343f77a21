//! Exact fractions. `0.1` is one tenth; only logarithms and roots are rounded, once, to the nearest floating-point number,
//! and what is computed from those is marked as inexact (`spec/prism/numbers.md`).

use std::cmp::Ordering;

use motet_model::Ratio;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    numerator: i128,
    denominator: i128,
    exact: bool,
}

impl Number {
    pub(crate) const ZERO: Number = Number { numerator: 0, denominator: 1, exact: true };
    pub(crate) const ONE: Number = Number { numerator: 1, denominator: 1, exact: true };

    pub(crate) fn whole(value: i64) -> Self {
        Self { numerator: i128::from(value), denominator: 1, exact: true }
    }

    /// The reduced fraction; `None` for a zero denominator or numbers that do not fit.
    fn reduced(numerator: i128, denominator: i128, exact: bool) -> Option<Self> {
        if denominator == 1 {
            return Some(Self { numerator, denominator, exact });
        }
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?;
        let sign = denominator.signum();
        let numerator = (numerator / divisor).checked_mul(sign)?;
        Some(Self { numerator, denominator: (denominator / divisor).checked_mul(sign)?, exact })
    }

    /// Reads `12`, `0.25`, `1.5e-3`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i32 = exponent.parse().ok()?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("{whole}{fraction}");
        let mantissa: i128 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        let shift = i64::from(exponent) - i64::try_from(fraction.len()).ok()?;
        let power = u32::try_from(shift.unsigned_abs()).ok()?;
        let scale = 10_i128.checked_pow(power);
        if mantissa == 0 {
            return Some(Self::ZERO);
        }
        if shift >= 0 {
            Self::reduced(mantissa.checked_mul(scale?)?, 1, true)
        } else {
            Self::reduced(mantissa, scale?, true)
        }
    }

    /// The fraction that a floating-point number is, marked as inexact.
    pub(crate) fn rounded(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits();
        let exponent = i32::try_from((bits >> 52) & 0x7FF).ok()?;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) };
        let signed = if value < 0.0 { -i128::from(mantissa) } else { i128::from(mantissa) };
        if mantissa == 0 {
            return Some(Self { exact: false, ..Self::ZERO });
        }
        let twos = i32::try_from(mantissa.trailing_zeros()).ok()?;
        let (signed, exponent) = (signed >> twos, exponent + twos);
        if exponent >= 0 {
            let scale = 2_i128.checked_pow(exponent.unsigned_abs())?;
            Self::reduced(signed.checked_mul(scale)?, 1, false)
        } else {
            Self::reduced(signed, 2_i128.checked_pow(exponent.unsigned_abs())?, false)
        }
    }

    pub(crate) fn is_exact(self) -> bool {
        self.exact
    }

    /// The same value, from now on taken as exact.
    pub(crate) fn settled(self) -> Self {
        Self { exact: true, ..self }
    }

    pub(crate) fn is_negative(self) -> bool {
        self.numerator < 0
    }

    pub(crate) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let exact = self.exact && other.exact;
        if self.denominator == other.denominator {
            return Self::reduced(self.numerator.checked_add(other.numerator)?, self.denominator, exact);
        }
        let divisor =
            i128::try_from(gcd(self.denominator.unsigned_abs(), other.denominator.unsigned_abs())).ok()?;
        let left = self.numerator.checked_mul(other.denominator / divisor)?;
        let right = other.numerator.checked_mul(self.denominator / divisor)?;
        let denominator = self.denominator.checked_mul(other.denominator / divisor)?;
        Self::reduced(left.checked_add(right)?, denominator, exact)
    }

    pub(crate) fn negated(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }

    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated()?)
    }

    pub(crate) fn times(self, other: Self) -> Option<Self> {
        let exact = self.exact && other.exact;
        if let Some(numerator) = self.numerator.checked_mul(other.numerator)
            && let Some(denominator) = self.denominator.checked_mul(other.denominator)
        {
            return Self::reduced(numerator, denominator, exact);
        }
        // Cancelled crosswise first, so that what fits is found.
        let left = Self::reduced(self.numerator, other.denominator, exact)?;
        let right = Self::reduced(other.numerator, self.denominator, exact)?;
        let numerator = left.numerator.checked_mul(right.numerator)?;
        Some(Self { numerator, denominator: left.denominator.checked_mul(right.denominator)?, exact })
    }

    /// `None` also for division by zero.
    pub(crate) fn over(self, other: Self) -> Option<Self> {
        if other.numerator == 0 {
            return None;
        }
        let sign = other.numerator.signum();
        let inverse = Self {
            numerator: other.denominator.checked_mul(sign)?,
            denominator: other.numerator.checked_mul(sign)?,
            exact: other.exact,
        };
        self.times(inverse)
    }

    /// A whole power.
    pub(crate) fn power(self, exponent: i64) -> Option<Self> {
        if exponent < 0 {
            return Self::ONE.over(self)?.power(exponent.checked_neg()?);
        }
        if self.numerator == 0 || self == Self::ONE {
            return Some(if exponent == 0 { Self::ONE } else { self });
        }
        let exponent = u32::try_from(exponent).ok()?;
        Some(Self {
            numerator: self.numerator.checked_pow(exponent)?,
            denominator: self.denominator.checked_pow(exponent)?,
            exact: self.exact,
        })
    }

    pub(crate) fn floor(self) -> Option<i64> {
        i64::try_from(self.numerator.div_euclid(self.denominator)).ok()
    }

    pub(crate) fn ceiling(self) -> Option<i64> {
        self.negated()?.floor()?.checked_neg()
    }

    /// To the nearest whole number, halves up.
    pub(crate) fn nearest(self) -> Option<i64> {
        self.plus(Self { numerator: 1, denominator: 2, exact: true })?.floor()
    }

    /// The number, if it is whole.
    pub(crate) fn as_whole(self) -> Option<i64> {
        if self.denominator == 1 { i64::try_from(self.numerator).ok() } else { None }
    }

    pub(crate) fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// As a probability or a reward; `None` when it is negative or does not fit 64 bits.
    pub(crate) fn ratio(self) -> Option<Ratio> {
        Ratio::new(u64::try_from(self.numerator).ok()?, u64::try_from(self.denominator).ok()?)
    }

    /// Numerator and denominator, where they fit 64 bits.
    pub(crate) fn parts(self) -> Option<(u64, u64)> {
        Some((u64::try_from(self.numerator).ok()?, u64::try_from(self.denominator).ok()?))
    }
}

/// Values are compared, not how they came about.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        (self.numerator, self.denominator) == (other.numerator, other.denominator)
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
        let (mut a, mut b, mut c, mut d) =
            (self.numerator, self.denominator, other.numerator, other.denominator);
        if let (Some(left), Some(right)) = (a.checked_mul(d), c.checked_mul(b)) {
            return left.cmp(&right);
        }
        // Too large to be multiplied: whole parts first, then the reciprocals of what is left, the other way round.
        let mut reversed = false;
        loop {
            let (left, right) = (a.div_euclid(b), c.div_euclid(d));
            let order = left.cmp(&right);
            let (rest_left, rest_right) = (a.rem_euclid(b), c.rem_euclid(d));
            let order = if order.is_ne() {
                order
            } else if rest_left == 0 || rest_right == 0 {
                rest_left.signum().cmp(&rest_right.signum())
            } else {
                (a, b, c, d) = (b, rest_left, d, rest_right);
                reversed = !reversed;
                continue;
            };
            return if reversed { order.reverse() } else { order };
        }
    }
}

impl std::fmt::Display for Number {
    /// A decimal where it has one of reasonable length, otherwise a fraction.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.denominator == 1 {
            return write!(f, "{}", self.numerator);
        }
        let mut scale = 1_i128;
        for decimals in 1..=18_usize {
            scale *= 10;
            if scale % self.denominator == 0
                && let Some(digits) = self.numerator.checked_mul(scale / self.denominator)
            {
                let sign = if digits < 0 { "-" } else { "" };
                let digits = format!("{:0>width$}", digits.unsigned_abs(), width = decimals + 1);
                let (whole, fraction) = digits.split_at(digits.len() - decimals);
                return write!(f, "{sign}{whole}.{fraction}");
            }
        }
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(gcd_words(a, b)),
        _ if b == 0 => a.max(1),
        _ => gcd(b, a % b),
    }
}

/// Stein's algorithm: shifts instead of divisions.
pub(crate) fn gcd_words(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return (a | b).max(1);
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << twos
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
        assert_eq!(Number::read("1e999"), None);
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
        let huge = Number { numerator: i128::MAX, denominator: i128::MAX - 1, exact: true };
        let other = Number { numerator: i128::MAX - 1, denominator: i128::MAX - 2, exact: true };
        assert_eq!(huge.cmp(&other), Ordering::Less);
        assert_eq!(huge.cmp(&huge), Ordering::Equal);
        let negative = Number { numerator: -i128::MAX, denominator: i128::MAX - 1, exact: true };
        assert_eq!(negative.cmp(&huge), Ordering::Less);
    }

    #[test]
    fn floating_point_numbers_are_fractions_of_powers_of_two() {
        assert_eq!(Number::rounded(0.75).unwrap().settled(), number("0.75"));
        assert_eq!(Number::rounded(-3.0).unwrap().settled(), number("3").negated().unwrap());
        assert_eq!(Number::rounded(f64::NAN), None);
        assert_eq!(Number::rounded(f64::MAX), None);
        assert!(!Number::rounded(0.1).unwrap().is_exact());
    }

    #[test]
    fn numbers_print_as_decimals_where_they_can() {
        assert_eq!(number("0.25").to_string(), "0.25");
        assert_eq!(number("1").over(number("3")).unwrap().to_string(), "1/3");
        assert_eq!(number("0.5").negated().unwrap().to_string(), "-0.5");
    }

    #[test]
    fn words_have_the_usual_divisors() {
        for (a, b, divisor) in [(12, 18, 6), (0, 5, 5), (7, 0, 7), (64, 48, 16), (1, u64::MAX, 1)] {
            assert_eq!(gcd_words(a, b), divisor);
        }
    }
}
