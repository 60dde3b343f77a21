//! Numbers as written, exactly.

use motet_model::Ratio;

/// A number without a sign: `1`, `0.25`, `.5`, `1e-3`, `1/3`. `None` for anything else.
#[must_use]
pub fn ratio(text: &str) -> Option<Ratio> {
    Ratio::read(text).filter(|_| !text.trim_start().starts_with('-') && !text.contains("/-"))
}

/// A whole number without a sign.
#[must_use]
pub fn whole(text: &str) -> Option<u64> {
    let text = text.trim();
    let proper = !text.is_empty() && text.len() <= 18 && text.chars().all(|c| c.is_ascii_digit());
    proper.then(|| text.parse().ok()).flatten()
}

/// As PRISM reads it: a decimal where it is exact, a quotient elsewhere.
#[must_use]
pub fn printed(number: Ratio) -> String {
    number.to_string()
}

/// What is missing to one; `None` above one.
#[must_use]
pub fn complement(number: Ratio) -> Option<Ratio> {
    Ratio::ONE.checked_sub(number).filter(|rest| !rest.is_negative())
}

/// How often one number goes into another; `None` for zero, and when it does not fit.
#[must_use]
pub fn quotient(number: Ratio, by: Ratio) -> Option<Ratio> {
    number.checked_div(by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_and_fractions_are_read_exactly() {
        assert_eq!(ratio("0.01"), Ratio::new(1, 100));
        assert_eq!(ratio(".5"), Ratio::new(1, 2));
        assert_eq!(ratio("1"), Some(Ratio::ONE));
        assert_eq!(ratio("1/3"), Ratio::new(1, 3));
        assert_eq!(ratio("0.10"), Ratio::new(1, 10));
        assert_eq!(ratio("1e-2"), ratio("0.01"));
        assert_eq!(complement(ratio("1e-400").unwrap()), ratio(&format!("0.{}", "9".repeat(400))));
        for wrong in ["", ".", "-1", "1/-2", "1e400000000", "1/0", "0.1.2", "a"] {
            assert_eq!(ratio(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn printed_numbers_are_read_back() {
        for text in ["0", "1", "0.01", "0.6", "2.5", "1/3", "12/7", "0.123456789", "1e-400"] {
            assert_eq!(printed(ratio(text).unwrap()), text);
        }
    }

    #[test]
    fn the_complement_of_a_tenth_is_nine_tenths() {
        assert_eq!(complement(ratio("0.1").unwrap()), ratio("0.9"));
        assert_eq!(complement(ratio("1.5").unwrap()), None);
    }
}
