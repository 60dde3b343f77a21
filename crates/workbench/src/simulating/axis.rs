//! The values a parameter is swept over: `duty=0min..180min:15min`, `N=1,2,5`, `p=0..1:0.1`, `p=1/3,2/3`.

use motet_model::Ratio;

/// Points of one sweep at most.
const LIMIT_POINTS: usize = 10_000;

/// A parameter and its values, in the order asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The parameter.
    pub name: String,
    /// The unit that all values share; may be empty.
    pub unit: String,
    /// The values without the unit.
    pub values: Vec<Ratio>,
}

/// The number halfway between two, a whole number of steps from the first; `None` where none lies between them.
pub(crate) fn between(from: Ratio, to: Ratio, step: Ratio) -> Option<Ratio> {
    let distance = to.checked_sub(from)?;
    let whole = distance.checked_div(step)?;
    let steps =
        if whole.is_negative() { whole.negated()?.floor()?.checked_neg()? } else { whole.floor()? } / 2;
    let middle = from.checked_add(Ratio::whole(steps).checked_mul(step)?)?;
    (middle != from && middle != to).then_some(middle)
}

/// Whether two numbers are at most `step` apart.
pub(crate) fn is_within(one: Ratio, other: Ratio, step: Ratio) -> bool {
    let distance = one.max(other).checked_sub(one.min(other));
    distance.is_none_or(|distance| distance <= step)
}

impl Axis {
    /// Reads `NAME=FROM..TO:STEP` or `NAME=A,B,C`.
    ///
    /// # Errors
    /// What is wrong, for the command line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once('=').ok_or("write NAME=FROM..TO:STEP or NAME=A,B,C")?;
        let (unit, values) = match values.split_once("..") {
            Some((from, rest)) => range(from, rest)?,
            None => list(values)?,
        };
        if name.is_empty() {
            return Err("the name of the parameter is missing".to_owned());
        }
        Ok(Self { name: name.to_owned(), unit, values })
    }

    /// A value as `-D` takes it.
    #[must_use]
    pub fn text(&self, value: Ratio) -> String {
        format!("{value}{}", self.unit)
    }

    /// A step in the unit of this axis: `1min` on an axis in minutes.
    ///
    /// # Errors
    /// What is wrong, for the command line.
    pub fn step(&self, text: &str) -> Result<Ratio, String> {
        let (step, unit) = measured(text)?;
        if step <= Ratio::ZERO {
            return Err(format!("a step is positive, not {text}"));
        }
        same_unit(&self.unit, &unit).map(|_| step)
    }
}

/// A number and the unit after it: `15min`, `0.25`, `1/3`, `1e-3`.
fn measured(text: &str) -> Result<(Ratio, String), String> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let sign = |at: usize| bytes.get(at).is_some_and(|byte| matches!(byte, b'+' | b'-'));
    let exponent = |at: usize| digit(at + 1) || sign(at + 1) && digit(at + 2);
    // The letter of an exponent is no unit.
    let end = (0..text.len()).find(|&at| match bytes[at] {
        b'e' | b'E' => !exponent(at),
        byte => byte.is_ascii_alphabetic() || !byte.is_ascii(),
    });
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let number = Ratio::read(number).ok_or_else(|| format!("`{text}` is not a number"))?;
    Ok((number, unit.trim().to_owned()))
}

/// One unit for several numbers: a bare 0 may leave it out.
fn same_unit(left: &str, right: &str) -> Result<String, String> {
    match (left, right) {
        (left, right) if left == right || right.is_empty() => Ok(left.to_owned()),
        ("", right) => Ok(right.to_owned()),
        _ => Err(format!("write all numbers in one unit, not `{left}` and `{right}`")),
    }
}

fn range(from: &str, rest: &str) -> Result<(String, Vec<Ratio>), String> {
    let (to, step) = rest.split_once(':').unwrap_or((rest, ""));
    let (from, from_unit) = measured(from)?;
    let (to, to_unit) = measured(to)?;
    let mut unit = same_unit(&from_unit, &to_unit)?;
    let step = if step.is_empty() {
        Ratio::ONE
    } else {
        let (step, step_unit) = measured(step)?;
        unit = same_unit(&unit, &step_unit)?;
        step
    };
    if step <= Ratio::ZERO || from > to {
        return Err("a range goes up, with a positive step: 0..10:2".to_owned());
    }
    let count = to.checked_sub(from).and_then(|length| length.checked_div(step)).and_then(Ratio::floor);
    let count = count.ok_or("the range is too long")?;
    if count >= LIMIT_POINTS as i64 {
        return Err(format!("that is more than {LIMIT_POINTS} points; take a larger step"));
    }
    let point = |k: i64| from.checked_add(Ratio::whole(k).checked_mul(step)?);
    let points: Option<Vec<Ratio>> = (0..=count).map(point).collect();
    Ok((unit, points.ok_or("the numbers are too large")?))
}

fn list(text: &str) -> Result<(String, Vec<Ratio>), String> {
    let mut unit = String::new();
    let mut values = Vec::new();
    for part in text.split(',') {
        let (value, part_unit) = measured(part)?;
        unit = same_unit(&unit, &part_unit)?;
        values.push(value);
    }
    if values.len() > LIMIT_POINTS {
        return Err(format!("that is more than {LIMIT_POINTS} points"));
    }
    Ok((unit, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let axis = Axis::parse(text).expect("a good axis");
        axis.values.iter().map(|value| axis.text(*value)).collect()
    }

    #[test]
    fn a_range_includes_both_ends_and_keeps_its_unit() {
        assert_eq!(texts("a.b=0min..30min:15min"), ["0min", "15min", "30min"]);
        assert_eq!(texts("n=0..1:0.5"), ["0", "0.5", "1"]);
        assert_eq!(texts("n=2..4"), ["2", "3", "4"]);
    }

    #[test]
    fn a_list_keeps_its_order() {
        assert_eq!(texts("n=5,1,2.25"), ["5", "1", "2.25"]);
    }

    #[test]
    fn fractions_and_numbers_of_any_length_are_kept() {
        assert_eq!(texts("p=1/3,2/3,1e-3,1e-400"), ["1/3", "2/3", "0.001", "1e-400"]);
        assert_eq!(texts("p=0..1:1/3"), ["0", "1/3", "2/3", "1"]);
        assert_eq!(texts("p=0.12345678901234567890123"), ["0.12345678901234567890123"]);
        assert_eq!(texts("t=1e1min,5 min"), ["10min", "5min"]);
    }

    #[test]
    fn mixed_units_and_endless_ranges_are_refused() {
        for text in [
            "n=1h..2min",
            "n=3..1",
            "n=0..1:0",
            "n=0..99999999",
            "n",
            "n=a..b",
            "=1",
            "n=1e400000000",
            "n=0..1:1e-300",
        ] {
            assert!(Axis::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn halfway_between_two_numbers_is_a_whole_number_of_steps_away() {
        let axis = Axis::parse("n=0,5,1.5").expect("a good axis");
        let step = |text: &str| axis.step(text).expect("a good step");
        let middle = |from: usize, to: usize, text: &str| {
            between(axis.values[from], axis.values[to], step(text)).map(|middle| middle.to_string())
        };
        assert_eq!(middle(0, 1, "1").as_deref(), Some("2"));
        assert_eq!(middle(1, 0, "1").as_deref(), Some("3"));
        assert_eq!(middle(0, 1, "0.5").as_deref(), Some("2.5"));
        assert_eq!(middle(0, 2, "1"), None);
        assert!(is_within(axis.values[0], axis.values[2], step("2")));
        assert!(!is_within(axis.values[0], axis.values[2], step("1")));
    }
}
