//! Fractions of two words.

use std::num::NonZeroU64;

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use super::{Form, Ratio};

/// The reduced fraction of what products and sums of words give.
pub(super) fn reduced(numerator: i128, denominator: u128) -> Option<Ratio> {
    let divisor = match denominator {
        1 => 1,
        _ => gcd_of_two_words(numerator.unsigned_abs(), denominator),
    };
    let (above, below) = (numerator.unsigned_abs() / divisor, denominator / divisor);
    if let (Ok(above), Ok(below)) = (i64::try_from(above), u64::try_from(below)) {
        let numerator = if numerator < 0 { -above } else { above };
        return Some(Ratio(Form::Words { numerator, denominator: NonZeroU64::new(below)? }));
    }
    let above = IBig::from(UBig::from(above)) * if numerator < 0 { -1 } else { 1 };
    Ratio::of(RBig::from_parts(above, UBig::from(below)))
}

fn gcd_of_two_words(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(gcd(a, b)),
        _ if b == 0 => a.max(1),
        _ => gcd_of_two_words(b, a % b),
    }
}

/// The greatest common divisor, by Stein's algorithm: shifts instead of divisions. It is 1 for two zeros.
#[must_use]
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
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
