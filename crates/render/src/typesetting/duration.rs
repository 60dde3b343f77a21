//! Lengths and points of time as people read them. The unit is the model's.

use motet_model::TimeUnit;

use crate::typesetting::number::{count, grouped};

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A length of time: `27 min`, `1 h 05 min`, `3 min 35 s`, `2 d 4 h`; `12 cycles` for models without a clock. Nothing is
/// rounded: a bound that is missed by a second must not look as if it were met.
#[must_use]
pub fn duration(amount: u64, unit: TimeUnit) -> String {
    match unit {
        TimeUnit::Milliseconds => clock_duration(amount),
        TimeUnit::Cycles => counted(amount, "cycle"),
        TimeUnit::Firings => counted(amount, "firing"),
        TimeUnit::Steps => counted(amount, "step"),
    }
}

/// A point of time from the start of a run: `13:30:00`, `1d 02:00:00`; plain numbers for models without a clock.
#[must_use]
pub fn instant(at: u64, unit: TimeUnit) -> String {
    if unit != TimeUnit::Milliseconds {
        return grouped(at);
    }
    let day = if at >= DAY { format!("{}d ", at / DAY) } else { String::new() };
    let rest = at % DAY;
    let fraction = if rest.is_multiple_of(SECOND) { String::new() } else { format!(".{:03}", rest % SECOND) };
    format!("{day}{:02}:{:02}:{:02}{fraction}", rest / HOUR, rest % HOUR / MINUTE, rest % MINUTE / SECOND)
}

/// A point of time as a tick of an axis shows it: without seconds where all ticks are whole minutes.
pub(crate) fn tick_label(at: u64, unit: TimeUnit, every: u64) -> String {
    let text = instant(at, unit);
    if unit == TimeUnit::Milliseconds && every.is_multiple_of(MINUTE) {
        return text.strip_suffix(":00").unwrap_or(&text).to_string();
    }
    text
}

/// How far apart the ticks of an axis are: the least round distance that is at least this long.
pub(crate) fn round_distance(least: u64, unit: TimeUnit) -> u64 {
    const CLOCK: [u64; 17] = [
        SECOND,
        2 * SECOND,
        5 * SECOND,
        10 * SECOND,
        15 * SECOND,
        30 * SECOND,
        MINUTE,
        2 * MINUTE,
        5 * MINUTE,
        10 * MINUTE,
        15 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR,
        3 * HOUR,
        6 * HOUR,
        12 * HOUR,
    ];
    if unit == TimeUnit::Milliseconds && least <= 12 * HOUR {
        return CLOCK.into_iter().find(|step| *step >= least).unwrap_or(DAY);
    }
    let base = if unit == TimeUnit::Milliseconds { DAY } else { 1 };
    let mut power = 1_u64;
    loop {
        for digit in [1_u64, 2, 5] {
            let step = base.saturating_mul(power).saturating_mul(digit);
            if step >= least || step == u64::MAX {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Seconds, for reports that programs read; `None` for models without a clock.
pub(crate) fn in_seconds(amount: u64, unit: TimeUnit) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds below 2^53 are exact, 285 000 years")]
    (unit == TimeUnit::Milliseconds).then(|| amount as f64 / 1_000.0)
}

/// The unit as reports for programs name it.
pub(crate) fn unit_word(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Milliseconds => "milliseconds",
        TimeUnit::Cycles => "cycles",
        TimeUnit::Firings => "firings",
        TimeUnit::Steps => "steps",
    }
}

fn counted(amount: u64, noun: &str) -> String {
    match usize::try_from(amount) {
        Ok(amount) => count(amount, noun),
        Err(_) => format!("{} {noun}s", grouped(amount)),
    }
}

/// The largest unit as it is, the smaller ones with two digits where they follow one.
fn clock_duration(amount: u64) -> String {
    if amount < SECOND && amount > 0 {
        return format!("{amount} ms");
    }
    if amount == DAY {
        return "24 h".to_string();
    }
    let mut parts: Vec<String> = Vec::new();
    for (length, limit, word) in [(DAY, u64::MAX, "d"), (HOUR, 24, "h"), (MINUTE, 60, "min")] {
        let number = amount / length % limit;
        if number > 0 && (parts.is_empty() || word == "h") {
            parts.push(format!("{number} {word}"));
        } else if number > 0 {
            parts.push(format!("{number:02} {word}"));
        }
    }
    let (seconds, rest) = (amount / SECOND % 60, amount % SECOND);
    let fraction =
        if rest > 0 { format!(".{rest:03}").trim_end_matches('0').to_string() } else { String::new() };
    if seconds > 0 || rest > 0 || parts.is_empty() {
        let number = if parts.is_empty() { seconds.to_string() } else { format!("{seconds:02}") };
        parts.push(format!("{number}{fraction} s"));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_name_their_units_and_round_nothing() {
        let text = |amount| duration(amount, TimeUnit::Milliseconds);
        assert_eq!(text(27 * MINUTE), "27 min");
        assert_eq!(text(HOUR + 5 * MINUTE), "1 h 05 min");
        assert_eq!(text(3 * MINUTE + 35 * SECOND), "3 min 35 s");
        assert_eq!(text(65 * SECOND), "1 min 05 s");
        assert_eq!(text(2 * HOUR), "2 h");
        assert_eq!(text(2 * HOUR + SECOND), "2 h 01 s");
        assert_eq!(text(DAY), "24 h");
        assert_eq!(text(DAY + 2 * HOUR), "1 d 2 h");
        assert_eq!(text(0), "0 s");
        assert_eq!(text(250), "250 ms");
        assert_eq!(text(1_500), "1.5 s");
        assert_eq!(duration(1, TimeUnit::Cycles), "1 cycle");
        assert_eq!(duration(1_200, TimeUnit::Firings), "1 200 firings");
    }

    #[test]
    fn instants_are_clock_times_from_the_start_of_the_run() {
        let text = |at| instant(at, TimeUnit::Milliseconds);
        assert_eq!(text(13 * HOUR + 30 * MINUTE), "13:30:00");
        assert_eq!(text(DAY + 2 * HOUR), "1d 02:00:00");
        assert_eq!(text(1_250), "00:00:01.250");
        assert_eq!(instant(1_200, TimeUnit::Steps), "1 200");
        assert_eq!(tick_label(13 * HOUR, TimeUnit::Milliseconds, HOUR), "13:00");
        assert_eq!(tick_label(5 * SECOND, TimeUnit::Milliseconds, 5 * SECOND), "00:00:05");
    }

    #[test]
    fn ticks_are_round_and_never_closer_than_asked() {
        for least in [1, 900, 1_001, 40 * SECOND, 7 * MINUTE, 5 * HOUR, 13 * HOUR, 3 * DAY, u64::MAX] {
            for unit in [TimeUnit::Milliseconds, TimeUnit::Steps] {
                assert!(round_distance(least, unit) >= least, "{least}");
            }
        }
        assert_eq!(round_distance(7 * MINUTE, TimeUnit::Milliseconds), 10 * MINUTE);
        assert_eq!(round_distance(13, TimeUnit::Cycles), 20);
    }
}
