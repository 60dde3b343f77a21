//! Numbers as people read them.

/// `1 874 977`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// `812`, `96 k`, `1.24 M`: three digits at most.
#[must_use]
pub fn short(number: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let value = number as f64;
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{} k", three_digits(value / 1e3)),
        1_000_000..1_000_000_000 => format!("{} M", three_digits(value / 1e6)),
        _ => format!("{} G", three_digits(value / 1e9)),
    }
}

fn three_digits(value: f64) -> String {
    if value < 9.995 {
        format!("{value:.2}")
    } else if value < 99.95 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

/// `61 MiB`, `4.0 GiB`.
#[must_use]
pub fn bytes(number: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let value = number as f64;
    const MIB: f64 = 1024.0 * 1024.0;
    if value < MIB {
        format!("{:.0} KiB", (value / 1024.0).ceil())
    } else if value < 1024.0 * MIB {
        format!("{:.0} MiB", value / MIB)
    } else {
        format!("{:.1} GiB", value / MIB / 1024.0)
    }
}

/// `0.05 s`, `2.9 s`, `6 min 12 s`, `2 h 5 min`.
#[must_use]
pub fn seconds(value: f64) -> String {
    if value < 0.095 {
        return format!("{value:.2} s");
    }
    if value < 59.95 {
        return format!("{value:.1} s");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and shown in whole seconds"
    )]
    let whole = value.round() as u64;
    if whole < 3600 {
        return format!("{} min {} s", whole / 60, whole % 60);
    }
    format!("{} h {} min", whole / 3600, whole % 3600 / 60)
}

/// `1 claim`, `2 claims`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_rounded_for_people() {
        assert_eq!(grouped(1_874_977), "1 874 977");
        assert_eq!(grouped(12), "12");
        assert_eq!(short(1_240_000), "1.24 M");
        assert_eq!(short(96_400), "96.4 k");
        assert_eq!(bytes(61 * 1024 * 1024), "61 MiB");
        assert_eq!(bytes(4 * 1024 * 1024 * 1024), "4.0 GiB");
        assert_eq!(seconds(372.0), "6 min 12 s");
        assert_eq!(seconds(0.04), "0.04 s");
    }
}
