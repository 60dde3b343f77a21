//! Fractions as text. What is printed is read back as the same fraction.

use std::fmt;

use dashu::base::{BitTest, Signed, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use super::{Form, Ratio};

/// Decimals of up to this many places are told rather than the fraction they are.
const PLACES: usize = 18;
/// Zeros behind the point of a longer decimal that is written without an exponent.
const ZEROS: usize = 4;
/// Bits of a decimal digit, rounded down and up.
const BITS_LEAST: usize = 3;
const BITS_MOST: usize = 4;

impl Ratio {
    /// Reads `12`, `0.44`, `.5`, `1.5e-3`, each with or without a minus, and `1/3`. `None` for anything else and above the
    /// limit, which is noticed before anything is calculated.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.split_once('/') {
            Some((above, below)) => decimal(above.trim_end())?.checked_div(decimal(below.trim_start())?),
            None => decimal(text),
        }
    }

    /// So many digits, the last one rounded to the nearest: `0.667`, `1.5e-400`.
    #[must_use]
    pub fn rounded(self, digits: usize) -> String {
        let (numerator, denominator) = self.parts();
        let sign = if numerator.is_negative() { "-" } else { "" };
        let above = numerator.unsigned_abs();
        if above == UBig::ZERO {
            return "0".to_owned();
        }
        // A first guess from the lengths, which is at most one too large.
        let length = |number: &UBig| i64::try_from(number.to_string().len()).unwrap_or(i64::MAX);
        let digits = digits.clamp(1, PLACES);
        let mut lead = length(&above) - length(&denominator);
        let scaled = |lead: i64| {
            let shift = i64::try_from(digits).unwrap_or(1) - 1 - lead;
            let power = UBig::from(10_u8).pow(usize::try_from(shift.unsigned_abs()).unwrap_or(0));
            let (above, below) = if shift >= 0 {
                (&above * power, denominator.clone())
            } else {
                (above.clone(), &denominator * power)
            };
            ((above * 2_u8 + &below) / (below * 2_u8)).to_string()
        };
        let mut text = scaled(lead);
        if text.len() < digits {
            lead -= 1;
            text = scaled(lead);
        }
        // What is rounded up may have got one digit more.
        lead += i64::try_from(text.len() - digits).unwrap_or(0);
        placed(sign, text.trim_end_matches('0'), lead)
    }

    /// A whole number where it is one, otherwise the fraction: `2/3`.
    #[must_use]
    pub fn quotient(self) -> String {
        match self.0 {
            Form::Words { numerator, denominator } if denominator.get() == 1 => numerator.to_string(),
            Form::Words { numerator, denominator } => format!("{numerator}/{denominator}"),
            Form::Kept(kept) => kept.to_string(),
        }
    }
}

/// A number from its digits and the power of ten of the first one.
fn placed(sign: &str, digits: &str, lead: i64) -> String {
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    let behind = i64::try_from(digits.len()).unwrap_or(1) - 1;
    match lead {
        -4..0 => format!("{sign}0.{}{digits}", zeros(-1 - lead)),
        0..=6 if lead >= behind => format!("{sign}{digits}{}", zeros(lead - behind)),
        0..=6 => {
            let (whole, part) = digits.split_at(usize::try_from(lead + 1).unwrap_or(1));
            format!("{sign}{whole}.{part}")
        }
        _ => {
            let (first, part) = digits.split_at(1);
            let point = if part.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{part}e{lead}")
        }
    }
}

/// A decimal number, with or without an exponent.
fn decimal(text: &str) -> Option<Ratio> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let proper = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if whole.len() + part.len() == 0 || !proper(whole) || !proper(part) {
        return None;
    }
    let part = part.trim_end_matches('0');
    let digits = format!("{whole}{part}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Ratio::ZERO);
    }
    let scale = exponent.checked_sub(i64::try_from(part.len()).ok()?)?;
    let scale_digits = usize::try_from(scale.unsigned_abs()).ok()?;
    // Leading zeros were taken off, so that both numbers are about as large as they are long.
    if digits.len().max(scale_digits).checked_mul(BITS_LEAST)? > Ratio::LIMIT_BITS {
        return None;
    }
    if let (Ok(numerator), Some(denominator)) = (digits.parse::<u64>(), power_of_ten(scale))
        && !negative
    {
        return Ratio::new(numerator, denominator);
    }
    let digits = IBig::from(UBig::from_str_radix(digits, 10).ok()?) * if negative { -1 } else { 1 };
    let power = UBig::from(10_u8).pow(scale_digits);
    Ratio::of(match scale {
        0.. => RBig::from(digits * IBig::from(power)),
        _ => RBig::from_parts(digits, power),
    })
}

/// What stands below the line of a decimal with so many places, where that is a word.
fn power_of_ten(scale: i64) -> Option<u64> {
    10_u64.checked_pow(u32::try_from(scale.checked_neg()?).ok()?)
}

impl fmt::Display for Ratio {
    /// A decimal where that is short or at least shorter than the fraction: `0.25`, `1/3`, `1e-400`. Always exact.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numerator, denominator) = self.parts();
        let quotient = self.quotient();
        let Some(places) = places(&denominator, quotient.len()) else { return f.write_str(&quotient) };
        let sign = if numerator.is_negative() { "-" } else { "" };
        let scaled = numerator.unsigned_abs() * UBig::from(10_u8).pow(places) / denominator;
        let digits = scaled.to_string();
        let zeros = digits.len() - digits.trim_end_matches('0').len();
        if places == 0 && (digits.len() <= PLACES || zeros < 8) {
            return f.write_str(&quotient);
        }
        let decimal = match places {
            0 => format!("{sign}{}e{zeros}", &digits[..digits.len() - zeros]),
            _ if places <= PLACES || digits.len() + ZEROS >= places => {
                let digits = format!("{digits:0>width$}", width = places + 1);
                let (whole, part) = digits.split_at(digits.len() - places);
                format!("{sign}{whole}.{part}")
            }
            _ => format!("{sign}{digits}e-{places}"),
        };
        let told = places <= PLACES || decimal.len() <= quotient.len();
        f.write_str(if told { &decimal } else { &quotient })
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.quotient())
    }
}

/// How many decimal places a fraction with this denominator has; `None` where they never end, or where it takes more text
/// than `length`.
fn places(denominator: &UBig, length: usize) -> Option<usize> {
    let twos = denominator.trailing_zeros().unwrap_or(0);
    let odd = denominator >> twos;
    // The power of five that it has to be, by its length; five has between two and three bits.
    let fives = odd.bit_len() / 2;
    if twos.max(odd.bit_len() / BITS_MOST) > length.saturating_mul(BITS_MOST) + PLACES {
        return None;
    }
    let five = UBig::from(5_u8);
    let (mut rest, mut count) = (odd, 0);
    while rest > UBig::ONE && count <= fives {
        let (quotient, remainder) = (&rest / &five, &rest % &five);
        if remainder != UBig::ZERO {
            return None;
        }
        (rest, count) = (quotient, count + 1);
    }
    Some(twos.max(count))
}
