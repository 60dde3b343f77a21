//! Exact numbers: probabilities, rewards, thresholds and constants.

mod kept;
mod text;
mod words;

use std::cmp::Ordering;
use std::num::NonZeroU64;

use dashu::base::{BitTest, Signed};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use kept::kept;
pub use words::gcd;
use words::reduced;

/// A fraction in lowest terms. Sums over a choice are compared exactly, never with a tolerance, and no digit that somebody
/// wrote is ever lost.
///
/// Nearly all fractions fit two words. One that does not is kept by the process, once, so that fractions of any size are
/// copied like numbers (`docs/adr/0029-fractions-of-any-size-are-copied.md`). What has more than [`Ratio::LIMIT_BITS`] bits
/// above or below the line is no fraction: calculations end with `None` there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio(Form);

/// A fraction has the first form if it fits, so that equal fractions are equal in form.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Words { numerator: i64, denominator: NonZeroU64 },
    Kept(&'static RBig),
}

impl Ratio {
    /// Certainty.
    pub const ONE: Ratio = Ratio(Form::Words { numerator: 1, denominator: NonZeroU64::MIN });

    /// Impossibility.
    pub const ZERO: Ratio = Ratio(Form::Words { numerator: 0, denominator: NonZeroU64::MIN });

    /// The most bits above or below the line: about twenty thousand decimal digits.
    pub const LIMIT_BITS: usize = 1 << 16;

    /// The reduced fraction, or `None` for a zero denominator.
    #[must_use]
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        let denominator = NonZeroU64::new(denominator)?;
        let divisor = gcd(numerator, denominator.get());
        let (above, below) = (numerator / divisor, denominator.get() / divisor);
        match (i64::try_from(above), NonZeroU64::new(below)) {
            (Ok(numerator), Some(denominator)) => Some(Self(Form::Words { numerator, denominator })),
            _ => Self::of(RBig::from_parts(IBig::from(above), UBig::from(below))),
        }
    }

    /// A whole number.
    #[must_use]
    pub const fn whole(numerator: i64) -> Self {
        Self(Form::Words { numerator, denominator: NonZeroU64::MIN })
    }

    /// A fraction of any size; `None` where that is above the limit.
    #[must_use]
    pub fn of(fraction: RBig) -> Option<Self> {
        let words = i64::try_from(fraction.numerator()).ok().zip(u64::try_from(fraction.denominator()).ok());
        if let Some((numerator, denominator)) = words {
            return Some(Self(Form::Words { numerator, denominator: NonZeroU64::new(denominator)? }));
        }
        let bits = fraction.numerator().bit_len().max(fraction.denominator().bit_len());
        (bits <= Self::LIMIT_BITS).then(|| kept(fraction)).flatten().map(|kept| Self(Form::Kept(kept)))
    }

    /// The fraction that a floating-point number is.
    #[must_use]
    pub fn of_float(value: f64) -> Option<Self> {
        Self::of(RBig::try_from(value).ok()?)
    }

    /// The fraction to calculate with where numbers may grow without limit.
    #[must_use]
    pub fn fraction(self) -> RBig {
        match self.0 {
            Form::Words { numerator, denominator } => {
                RBig::from_parts(IBig::from(numerator), UBig::from(denominator.get()))
            }
            Form::Kept(kept) => kept.clone(),
        }
    }

    /// What stands above and below the line, where that is two words and not negative.
    #[must_use]
    pub fn words(self) -> Option<(u64, u64)> {
        match self.0 {
            Form::Words { numerator, denominator } => {
                Some((u64::try_from(numerator).ok()?, denominator.get()))
            }
            Form::Kept(kept) => {
                Some((u64::try_from(kept.numerator()).ok()?, u64::try_from(kept.denominator()).ok()?))
            }
        }
    }

    /// The whole number above the line, with its sign, and the one below.
    #[must_use]
    pub fn parts(self) -> (IBig, UBig) {
        self.fraction().into_parts()
    }

    /// Whether it is 0.
    #[must_use]
    pub fn is_zero(self) -> bool {
        matches!(self.0, Form::Words { numerator: 0, .. })
    }

    /// Whether it is less than 0.
    #[must_use]
    pub fn is_negative(self) -> bool {
        match self.0 {
            Form::Words { numerator, .. } => numerator < 0,
            Form::Kept(kept) => kept.is_negative(),
        }
    }

    /// The nearest floating-point number, or one next to it.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self.0 {
            Form::Words { numerator, denominator } => numerator as f64 / denominator.get() as f64,
            Form::Kept(kept) => kept.to_f64().value(),
        }
    }

    /// The product with 2^64, rounded down; saturates above one and at zero.
    #[must_use]
    pub fn of_two_to_64(self) -> u128 {
        const WHOLE: u128 = 1 << 64;
        match self.0 {
            Form::Words { numerator, denominator } => {
                let numerator = u128::from(u64::try_from(numerator).unwrap_or(0));
                ((numerator << 64) / u128::from(denominator.get())).min(WHOLE)
            }
            Form::Kept(kept) => {
                let whole = (kept.numerator() << 64_usize) / IBig::from(kept.denominator().clone());
                u128::try_from(whole).map_or(if kept.is_negative() { 0 } else { WHOLE }, |all| all.min(WHOLE))
            }
        }
    }

    /// The number, if it is whole and fits.
    #[must_use]
    pub fn as_whole(self) -> Option<i64> {
        match self.0 {
            Form::Words { numerator, denominator: NonZeroU64::MIN } => Some(numerator),
            _ => None,
        }
    }

    /// Whether nothing stands below the line.
    #[must_use]
    pub fn is_whole(self) -> bool {
        match self.0 {
            Form::Words { denominator, .. } => denominator == NonZeroU64::MIN,
            Form::Kept(kept) => kept.is_int(),
        }
    }

    /// The greatest whole number that is not greater.
    #[must_use]
    pub fn floor(self) -> Option<i64> {
        match self.0 {
            Form::Words { numerator, denominator } => {
                i64::try_from(i128::from(numerator).div_euclid(i128::from(denominator.get()))).ok()
            }
            Form::Kept(kept) => i64::try_from(kept.floor()).ok(),
        }
    }

    /// The sum; `None` above the limit.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        if let (Form::Words { numerator: a, denominator: b }, Form::Words { numerator: c, denominator: d }) =
            (self.0, other.0)
        {
            if b == d {
                return reduced(i128::from(a) + i128::from(c), u128::from(b.get()));
            }
            let divisor = gcd(b.get(), d.get());
            let (left, right) = (d.get() / divisor, b.get() / divisor);
            let sum = (i128::from(a) * i128::from(left)).checked_add(i128::from(c) * i128::from(right));
            if let Some(sum) = sum {
                return reduced(sum, u128::from(b.get()) * u128::from(left));
            }
        }
        Self::of(self.fraction() + other.fraction())
    }

    /// The difference; `None` above the limit.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(other.negated()?)
    }

    /// The same on the other side of 0.
    #[must_use]
    pub fn negated(self) -> Option<Self> {
        if let Form::Words { numerator, denominator } = self.0
            && let Some(numerator) = numerator.checked_neg()
        {
            return Some(Self(Form::Words { numerator, denominator }));
        }
        Self::of(-self.fraction())
    }

    /// The product; `None` above the limit.
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        if let (Form::Words { numerator: a, denominator: b }, Form::Words { numerator: c, denominator: d }) =
            (self.0, other.0)
        {
            return reduced(i128::from(a) * i128::from(c), u128::from(b.get()) * u128::from(d.get()));
        }
        Self::of(self.fraction() * other.fraction())
    }

    /// The quotient; `None` above the limit and for a division by zero.
    #[must_use]
    pub fn checked_div(self, other: Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        if let (Form::Words { numerator: a, denominator: b }, Form::Words { numerator: c, denominator: d }) =
            (self.0, other.0)
        {
            let above = i128::from(a) * i128::from(d.get()) * i128::from(c.signum());
            return reduced(above, u128::from(b.get()) * u128::from(c.unsigned_abs()));
        }
        Self::of(self.fraction() / other.fraction())
    }

    /// A whole power; `None` above the limit, which is noticed before anything is calculated, and for a power of zero that
    /// is less than zero.
    #[must_use]
    pub fn checked_pow(self, exponent: i64) -> Option<Self> {
        if exponent < 0 {
            return Self::ONE.checked_div(self)?.checked_pow(exponent.checked_neg()?);
        }
        if exponent == 0 || self == Self::ONE {
            return Some(Self::ONE);
        }
        if self.is_zero() {
            return Some(self);
        }
        if self == Self::whole(-1) {
            return Some(if exponent % 2 == 0 { Self::ONE } else { self });
        }
        let fraction = self.fraction();
        let bits = fraction.numerator().bit_len().max(fraction.denominator().bit_len()) - 1;
        let exponent = usize::try_from(exponent).ok()?;
        bits.checked_mul(exponent).filter(|bits| *bits <= Self::LIMIT_BITS)?;
        Self::of(fraction.pow(exponent))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (Form::Words { numerator: a, denominator: b }, Form::Words { numerator: c, denominator: d }) => {
                (i128::from(a) * i128::from(d.get())).cmp(&(i128::from(c) * i128::from(b.get())))
            }
            _ => self.fraction().cmp(&other.fraction()),
        }
    }
}

#[cfg(test)]
mod tests;
