//! Numbers as written, exactly.

use motet_model::Ratio;

/// A number without a sign: `1`, `0.25`, `.5`, `1/3`. `None` for anything else, and for more digits than 18.
#[must_use]
pub fn ratio(text: &str) -> Option<Ratio> {
    let text = text.trim();
    if let Some((above, below)) = text.split_once('/') {
        return Ratio::new(whole(above.trim())?, whole(below.trim())?);
    }
    let (front, back) = text.split_once('.').unwrap_or((text, ""));
    if front.is_empty() && back.is_empty() {
        return None;
    }
    let back = back.trim_end_matches('0');
    if back.len() > 18 || !back.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let scale = 10_u64.checked_pow(u32::try_from(back.len()).ok()?)?;
    let front = if front.is_empty() { 0 } else { whole(front)? };
    let behind = if back.is_empty() { 0 } else { whole(back)? };
    Ratio::new(front.checked_mul(scale)?.checked_add(behind)?, scale)
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
    let (above, below) = (number.numerator(), number.denominator());
    let mut scale = 1_u64;
    for digits in 0..=18_usize {
        if scale.is_multiple_of(below) {
            let Some(scaled) = above.checked_mul(scale / below) else { break };
            if digits == 0 {
                return scaled.to_string();
            }
            let (front, back) = (scaled / scale, scaled % scale);
            return format!("{front}.{back:0digits$}");
        }
        let Some(next) = scale.checked_mul(10) else { break };
        scale = next;
    }
    format!("{above}/{below}")
}

/// What is missing to one; `None` above one.
#[must_use]
pub fn complement(number: Ratio) -> Option<Ratio> {
    let below = number.denominator();
    Ratio::new(below.checked_sub(number.numerator())?, below)
}

/// How often one number goes into another; `None` for zero, and when it does not fit.
#[must_use]
pub fn quotient(number: Ratio, by: Ratio) -> Option<Ratio> {
    number.checked_mul(Ratio::new(by.denominator(), by.numerator())?)
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
        for wrong in ["", ".", "-1", "1e3", "1/0", "0.1.2", "a", "99999999999999999999"] {
            assert_eq!(ratio(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn printed_numbers_are_read_back() {
        for text in ["0", "1", "0.01", "0.6", "2.5", "1/3", "12/7", "0.123456789"] {
            assert_eq!(printed(ratio(text).unwrap()), text);
        }
    }

    #[test]
    fn the_complement_of_a_tenth_is_nine_tenths() {
        assert_eq!(complement(ratio("0.1").unwrap()), ratio("0.9"));
        assert_eq!(complement(ratio("1.5").unwrap()), None);
    }
}
