//! The values a parameter is swept over: `duty=0min..180min:15min`, `N=1,2,5`, `p=0..1:0.1`.

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
    pub values: Vec<Quantity>,
}

/// An exact decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Its digits.
    pub mantissa: i64,
    /// How many of them are behind the point.
    pub decimals: u32,
}

impl Quantity {
    /// Reads `12`, `-3`, `0.25`.
    fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let decimals = u32::try_from(fraction.len()).ok().filter(|decimals| *decimals <= 9)?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let unsigned = whole.strip_prefix('-').unwrap_or(whole);
        if unsigned.is_empty() || !digits(unsigned) || !digits(fraction) {
            return None;
        }
        Some(Self { mantissa: format!("{whole}{fraction}").parse().ok()?, decimals })
    }

    /// The same number with more digits behind the point.
    fn widen(self, decimals: u32) -> Option<i64> {
        self.mantissa.checked_mul(10_i64.checked_pow(decimals - self.decimals)?)
    }

    /// The number halfway between two, a whole number of steps from this one; `None` where none lies between them.
    #[must_use]
    pub fn between(self, other: Self, step: Self) -> Option<Self> {
        let decimals = self.decimals.max(other.decimals).max(step.decimals);
        let (from, to, step) = (self.widen(decimals)?, other.widen(decimals)?, step.widen(decimals)?);
        let steps = to.checked_sub(from)? / step / 2;
        let middle = from.checked_add(steps.checked_mul(step)?)?;
        (middle != from && middle != to).then_some(Self { mantissa: middle, decimals })
    }

    /// Whether two numbers are at most `step` apart.
    #[must_use]
    pub fn is_within(self, other: Self, step: Self) -> bool {
        let decimals = self.decimals.max(other.decimals).max(step.decimals);
        let distance = || {
            let distance = self.widen(decimals)?.checked_sub(other.widen(decimals)?)?.checked_abs()?;
            Some(distance <= step.widen(decimals)?)
        };
        distance().unwrap_or(true)
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.decimals == 0 {
            return write!(f, "{}", self.mantissa);
        }
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let digits = self.mantissa.unsigned_abs().to_string();
        let decimals = self.decimals as usize;
        let padded = format!("{digits:0>width$}", width = decimals + 1);
        let (whole, fraction) = padded.split_at(padded.len() - decimals);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
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
    pub fn text(&self, value: Quantity) -> String {
        format!("{value}{}", self.unit)
    }

    /// A step in the unit of this axis: `1min` on an axis in minutes.
    ///
    /// # Errors
    /// What is wrong, for the command line.
    pub fn step(&self, text: &str) -> Result<Quantity, String> {
        let (step, unit) = measured(text)?;
        if step.mantissa <= 0 {
            return Err(format!("a step is positive, not {text}"));
        }
        same_unit(&self.unit, &unit).map(|_| step)
    }
}

/// A number and the unit after it.
fn measured(text: &str) -> Result<(Quantity, String), String> {
    let text = text.trim();
    let end = text.find(|letter: char| letter.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let quantity = Quantity::parse(number.trim()).ok_or_else(|| format!("`{text}` is not a number"))?;
    Ok((quantity, unit.trim().to_owned()))
}

/// One unit for several numbers: a bare 0 may leave it out.
fn same_unit(left: &str, right: &str) -> Result<String, String> {
    match (left, right) {
        (left, right) if left == right || right.is_empty() => Ok(left.to_owned()),
        ("", right) => Ok(right.to_owned()),
        _ => Err(format!("write all numbers in one unit, not `{left}` and `{right}`")),
    }
}

fn range(from: &str, rest: &str) -> Result<(String, Vec<Quantity>), String> {
    let (to, step) = rest.split_once(':').unwrap_or((rest, ""));
    let (from, from_unit) = measured(from)?;
    let (to, to_unit) = measured(to)?;
    let mut unit = same_unit(&from_unit, &to_unit)?;
    let step = if step.is_empty() {
        Quantity { mantissa: 1, decimals: 0 }
    } else {
        let (step, step_unit) = measured(step)?;
        unit = same_unit(&unit, &step_unit)?;
        step
    };
    let decimals = from.decimals.max(to.decimals).max(step.decimals);
    let widened = |quantity: Quantity| quantity.widen(decimals).ok_or("the numbers are too large");
    let (from, to, step) = (widened(from)?, widened(to)?, widened(step)?);
    if step <= 0 || from > to {
        return Err("a range goes up, with a positive step: 0..10:2".to_owned());
    }
    let count = (to.checked_sub(from).ok_or("the range is too long")? / step) as usize;
    if count >= LIMIT_POINTS {
        return Err(format!("that is more than {LIMIT_POINTS} points; take a larger step"));
    }
    let steps = 0..=i64::try_from(count).map_err(|_| "the range is too long")?;
    Ok((unit, steps.map(|k| Quantity { mantissa: from + k * step, decimals }).collect()))
}

fn list(text: &str) -> Result<(String, Vec<Quantity>), String> {
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
    fn mixed_units_and_endless_ranges_are_refused() {
        for text in ["n=1h..2min", "n=3..1", "n=0..1:0", "n=0..99999999", "n", "n=a..b", "=1"] {
            assert!(Axis::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn halfway_between_two_numbers_is_a_whole_number_of_steps_away() {
        let axis = Axis::parse("n=0,5,1.5").expect("a good axis");
        let step = |text: &str| axis.step(text).expect("a good step");
        let middle = |from: usize, to: usize, text: &str| {
            axis.values[from].between(axis.values[to], step(text)).map(|middle| middle.to_string())
        };
        assert_eq!(middle(0, 1, "1").as_deref(), Some("2"));
        assert_eq!(middle(1, 0, "1").as_deref(), Some("3"));
        assert_eq!(middle(0, 1, "0.5").as_deref(), Some("2.5"));
        assert_eq!(middle(0, 2, "1"), None);
        assert!(axis.values[0].is_within(axis.values[2], step("2")));
        assert!(!axis.values[0].is_within(axis.values[2], step("1")));
    }
}
