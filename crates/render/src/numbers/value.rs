//! Numbers that are known between two ends: probabilities, expected rewards, averages.

/// Digits of a value at most: more say nothing to a person, and files carry them all.
const DIGITS: i32 = 6;

/// One number for an interval: as many digits as the interval is sure of, six at most. `infinite` where it is.
#[must_use]
pub fn value_text(low: f64, high: f64) -> String {
    if low.is_infinite() {
        return "infinite".to_string();
    }
    if high.is_infinite() {
        return format!("at least {}", value_text(low, low));
    }
    let middle = low + (high - low) / 2.0;
    let width = high - low;
    if middle == 0.0 {
        return "0".to_string();
    }
    let lead = leading(middle);
    let sure = if width > 0.0 { lead - leading(width) } else { DIGITS };
    let digits = sure.clamp(1, DIGITS);
    if !(-4..7).contains(&lead) {
        let places = usize::try_from(digits - 1).unwrap_or(0);
        let text = format!("{middle:.places$e}");
        return match text.split_once('e') {
            Some((digits, exponent)) => format!("{}e{exponent}", trimmed(digits)),
            None => text,
        };
    }
    let places = usize::try_from((digits - lead).max(0)).unwrap_or(0);
    trimmed(&format!("{middle:.places$}"))
}

/// `[0.635 699, 0.635 702]`: the ends, rounded away from each other where their digits go on.
#[must_use]
pub fn interval_text(low: f64, high: f64) -> String {
    let places = match high - low {
        width if width > 0.0 && width.is_finite() => (1 - leading(width)).clamp(0, 15),
        _ => 12,
    };
    let places = usize::try_from(places).unwrap_or(0);
    format!("[{}, {}]", grouped_end(low, places, f64::floor), grouped_end(high, places, f64::ceil))
}

/// The power of ten just above the size of a number: 0 for 0.5, 1 for 5, -1 for 0.05.
#[expect(clippy::cast_possible_truncation, reason = "exponents of floating point numbers are small")]
fn leading(value: f64) -> i32 {
    if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 + 1 }
}

fn grouped_end(value: f64, places: usize, outwards: fn(f64) -> f64) -> String {
    if value.is_infinite() {
        return "infinite".to_string();
    }
    let scale = 10_f64.powi(i32::try_from(places).unwrap_or(0));
    let exact = format!("{value:.places$}");
    let rounded = if exact.parse() == Ok(value) { value } else { outwards(value * scale) / scale };
    let text = trimmed(&format!("{rounded:.places$}"));
    let Some((whole, fraction)) = text.split_once('.') else { return text };
    if fraction.len() < 5 {
        return text;
    }
    let groups: Vec<String> =
        fraction.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned()).collect();
    format!("{whole}.{}", groups.join(" "))
}

/// Without zeros at the end that say nothing.
fn trimmed(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_as_many_digits_as_its_interval_is_sure_of() {
        assert_eq!(value_text(0.635_699, 0.635_702), "0.6357");
        assert_eq!(value_text(0.5, 0.5), "0.5");
        assert_eq!(value_text(1.0 / 3.0, 1.0 / 3.0), "0.333333");
        assert_eq!(value_text(0.2, 0.4), "0.3");
        assert_eq!(value_text(5.767_29, 5.767_292), "5.76729");
        assert_eq!(value_text(270_268.0, 270_268.0), "270268");
        assert_eq!((value_text(0.0, 0.0), value_text(1.0, 1.0)), ("0".to_string(), "1".to_string()));
        assert_eq!(value_text(1.25e-9, 1.25e-9), "1.25e-9");
        assert_eq!(value_text(f64::INFINITY, f64::INFINITY), "infinite");
    }

    #[test]
    fn the_ends_of_an_interval_are_rounded_away_from_each_other() {
        assert_eq!(interval_text(0.635_699_12, 0.635_701_71), "[0.635 699, 0.635 702]");
        assert_eq!(interval_text(0.0, 0.5), "[0, 0.5]");
        assert_eq!(interval_text(2.0, f64::INFINITY), "[2, infinite]");
    }
}
