//! Numbers over several rounds, and how they are written.

use serde_json::{Value, json};

/// A number over all rounds, such as seconds of a peer by seconds of Motet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) least: f64,
    pub(crate) median: f64,
    pub(crate) greatest: f64,
    pub(crate) bound: Bound,
}

/// Whether a ratio is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Both were complete.
    Known,
    /// The peer was ended by a limit: it would have needed more.
    AtLeast,
}

impl Spread {
    /// Of numbers that are known; nothing if there are none.
    pub(crate) fn of(numbers: Vec<f64>) -> Option<Self> {
        Some(Self {
            least: numbers.iter().copied().min_by(f64::total_cmp)?,
            median: median(numbers.iter().copied())?,
            greatest: numbers.iter().copied().max_by(f64::total_cmp)?,
            bound: Bound::Known,
        })
    }

    pub(crate) fn text(self) -> String {
        let Self { least, median, greatest, bound } = self;
        match bound {
            Bound::AtLeast => format!("> {}", digits(least)),
            Bound::Known => format!("{} ({}..{})", digits(median), digits(least), digits(greatest)),
        }
    }

    pub(crate) fn json(self) -> Value {
        json!({
            "median": self.median, "least": self.least, "greatest": self.greatest,
            "bound": if self.bound == Bound::AtLeast { "at least" } else { "known" },
        })
    }
}

fn digits(number: f64) -> String {
    if number.abs() < 10.0 { format!("{number:.2}") } else { format!("{number:.0}") }
}

/// Groups of three digits, as people read them.
pub(crate) fn grouped(number: f64) -> String {
    let text = format!("{number:.0}");
    let mut grouped = String::new();
    for (at, digit) in text.chars().enumerate() {
        if at > 0 && (text.len() - at).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// The middle one; of two the lower.
pub(crate) fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!([grouped(0.0), grouped(999.4), grouped(1_980_490.0)], ["0", "999", "1 980 490"]);
    }
}
