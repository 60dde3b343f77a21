//! Values of flags: bindings, sizes, times, report files. Each complaint shows how to write it.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use motet_workbench::StoreKind;

use crate::arguments::ReportKind;
use crate::arguments::resume::Interval;

/// A word of an option, what it asks of a check, and what help adds; nothing where the word says enough.
pub(crate) type Word<T> = (&'static str, T, &'static str);

/// Takes one of these words for what it asks.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    words: &'static [Word<T>],
) -> impl TypedValueParser<Value = T> {
    let possible = words.iter().map(|(word, _, help)| match *help {
        "" => PossibleValue::new(*word),
        help => PossibleValue::new(*word).help(help),
    });
    PossibleValuesParser::new(possible).map(move |given| {
        let known = words.iter().find(|(word, ..)| *word == given);
        known.expect("the parser lets these words pass only").1
    })
}

pub(crate) fn binding(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("write NAME=VALUE, such as LAST=5".to_string()),
    }
}

pub(crate) fn bound(text: &str) -> Result<(String, u32), String> {
    let (name, value) = binding(text).map_err(|_| "write NAME=N, such as events=8".to_string())?;
    let number = value.parse().map_err(|_| format!("`{value}` is not a whole number; write events=8"))?;
    Ok((name, number))
}

pub(crate) fn report_file(text: &str) -> Result<(ReportKind, PathBuf), String> {
    let (kind, file) = binding(text).map_err(|_| "write KIND=FILE, such as junit=report.xml".to_string())?;
    let kind = ReportKind::from_str(&kind, true)
        .map_err(|_| format!("`{kind}` is not junit, json, html, coverage or csv"))?;
    Ok((kind, PathBuf::from(file)))
}

/// A number between 0 and 1, both left out.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|share| 0.0 < *share && *share < 1.0);
    number.ok_or_else(|| format!("`{text}` does not lie between 0 and 1; write 0.95 or 0.01"))
}

/// The width of an interval relative to its value.
pub(crate) fn precision(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|width| (1e-14..1.0).contains(width));
    number.ok_or_else(|| format!("`{text}` is no precision; write 1e-6, or use --exact"))
}

/// A number with its unit: `(4.0, "gib")`.
fn quantity(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim().to_lowercase()))
}

pub(crate) fn size(text: &str) -> Result<u64, String> {
    let help = || format!("`{text}` is not a size; write 512MiB or 4GiB");
    let (number, unit) = quantity(text).ok_or_else(help)?;
    let factor = match unit.as_str() {
        "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        _ => return Err(help()),
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size is positive, and saturates"
    )]
    Ok((number * factor) as u64)
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let help = || format!("`{text}` is not a time; write 30s, 10min or 2h");
    let (number, unit) = quantity(text).ok_or_else(help)?;
    let seconds = match unit.as_str() {
        "ms" => 0.001,
        "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(help()),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| help())
}

/// What is remembered of states.
pub(crate) fn store(text: &str) -> Result<StoreKind, String> {
    /// Room for a hundred million states at ten bits each.
    const BITS_BYTES: u64 = 128 << 20;
    match text.trim().split_once('=') {
        Some(("bitstate", bytes)) => size(bytes).map(StoreKind::Bitstate),
        None if text.trim() == "exact" => Ok(StoreKind::Exact),
        None if text.trim() == "compact" => Ok(StoreKind::Compact),
        None if text.trim() == "bitstate" => Ok(StoreKind::Bitstate(BITS_BYTES)),
        _ => Err(format!("`{text}` is not a store; write exact, compact, bitstate or bitstate=1GiB")),
    }
}

/// Between two checkpoints: a time, or `off`.
pub(crate) fn interval(text: &str) -> Result<Interval, String> {
    if text.trim().eq_ignore_ascii_case("off") {
        return Ok(Interval(None));
    }
    duration(text)
        .map(|time| Interval(Some(time)))
        .map_err(|_| format!("`{text}` is not a time; write 30s, 5min or off"))
}

/// A moment of the model's clock, counted from the start: `14:00`, `14:00:30`, or a length such as `90min`.
pub(crate) fn moment(text: &str) -> Result<Duration, String> {
    let parts: Vec<&str> = text.trim().split(':').collect();
    let number = |part: &&str| part.parse::<u64>().ok();
    match parts.iter().map(number).collect::<Option<Vec<u64>>>().as_deref() {
        Some([hours, minutes]) if *minutes < 60 => {
            Ok(Duration::from_secs(hours.saturating_mul(3600).saturating_add(minutes * 60)))
        }
        Some([hours, minutes, seconds]) if *minutes < 60 && *seconds < 60 => {
            let seconds = minutes * 60 + seconds;
            Ok(Duration::from_secs(hours.saturating_mul(3600).saturating_add(seconds)))
        }
        _ => duration(text).map_err(|_| format!("`{text}` is not a moment; write 14:00, 14:00:30 or 90min")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_carry_units() {
        assert_eq!(size("4GiB"), Ok(4 << 30));
        assert_eq!(size("1.5 k"), Ok(1536));
        assert_eq!(duration("10min"), Ok(Duration::from_secs(600)));
        assert!(size("4").is_err(), "a bare number may mean anything");
        assert!(duration("4").is_err() && duration("-4s").is_err() && duration("").is_err());
    }

    #[test]
    fn moments_are_times_of_day_or_lengths() {
        assert_eq!(moment("14:00"), Ok(Duration::from_secs(50_400)));
        assert_eq!(moment("0:01:30"), moment("90s"));
        assert!(moment("14:75").is_err() && moment("14").is_err() && moment("a:b").is_err());
    }

    #[test]
    fn bindings_have_a_name_and_a_value() {
        assert_eq!(binding("LAST=5"), Ok(("LAST".to_string(), "5".to_string())));
        assert!(binding("LAST").is_err() && binding("=5").is_err());
        assert!(bound("events=many").is_err());
    }
}
