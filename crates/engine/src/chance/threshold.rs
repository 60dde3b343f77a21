//! Thresholds, compared without rounding.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use motet_property::Relation;

use super::exact::enclosed;
use super::values::Values;

/// A threshold, exactly as written.
#[derive(Clone, Debug)]
pub(crate) struct Threshold {
    relation: Relation,
    exact: RBig,
    /// The nearest floating-point numbers around it.
    low: f64,
    high: f64,
}

impl Threshold {
    /// The threshold with this relation and this text, a decimal number; `None` if it is none.
    pub(crate) fn new(relation: Relation, text: &str) -> Option<Self> {
        let exact = decimal(text)?;
        let (low, high) = enclosed(&exact);
        Some(Self { relation, exact, low, high })
    }

    /// Whether a state's value meets it; `None` if its bounds do not tell.
    pub(crate) fn is_met(&self, values: &Values, state: usize) -> Option<bool> {
        let (low, high) = (values.low[state], values.high[state]);
        if let Some(exact) = values.exact.get(state).filter(|_| low.is_finite()) {
            return Some(match self.relation {
                Relation::Ge => *exact >= self.exact,
                Relation::Gt => *exact > self.exact,
                Relation::Le => *exact <= self.exact,
                Relation::Lt => *exact < self.exact,
                Relation::Eq => *exact == self.exact,
                Relation::Ne => *exact != self.exact,
            });
        }
        let representable = self.low == self.high;
        let above = low > self.high || (low == self.high && !representable);
        let below = high < self.low || (high == self.low && !representable);
        let (not_below, not_above) = (low >= self.high, high <= self.low);
        let equal = representable && low == high && low == self.low;
        let told = |yes: bool, no: bool| {
            if yes {
                Some(true)
            } else if no {
                Some(false)
            } else {
                None
            }
        };
        match self.relation {
            Relation::Ge => told(not_below, below),
            Relation::Gt => told(above, not_above),
            Relation::Le => told(not_above, above),
            Relation::Lt => told(below, not_below),
            Relation::Eq => told(equal, above || below),
            Relation::Ne => told(above || below, equal),
        }
    }
}

/// A decimal number, with or without an exponent, as a fraction.
fn decimal(text: &str) -> Option<RBig> {
    let text: String = text.trim().chars().filter(|&digit| digit != '_').collect();
    if let Some((above, below)) = text.split_once('/') {
        let below = decimal(below)?;
        return (below != RBig::ZERO).then_some(decimal(above)? / below);
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text.as_str(), 0),
    };
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, mantissa),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) || exponent.abs() > 10_000 {
        return None;
    }
    let digits = IBig::from(UBig::from_str_radix(&digits, 10).ok()?) * sign;
    let exponent = exponent - i32::try_from(part.len()).ok()?;
    let power = UBig::from(10_u8).pow(usize::try_from(exponent.unsigned_abs()).ok()?);
    Some(if exponent >= 0 { RBig::from(digits * IBig::from(power)) } else { RBig::from_parts(digits, power) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        let text = |text: &str| decimal(text).map(|number| number.to_string());
        assert_eq!(text("0.95").as_deref(), Some("19/20"));
        assert_eq!(text("1e-3").as_deref(), Some("1/1000"));
        assert_eq!(text("2.5E2").as_deref(), Some("250"));
        assert_eq!(text("2/6").as_deref(), Some("1/3"));
        assert_eq!([text("x"), text(""), text("1.2.3"), text("1e999999")], [None, None, None, None]);
    }

    #[test]
    fn a_tenth_is_not_the_floating_point_number_next_to_it() {
        let met = |relation, low: f64, high: f64| {
            let mut values = Values::constant(1, 0.0);
            (values.low[0], values.high[0]) = (low, high);
            Threshold::new(relation, "0.1").unwrap().is_met(&values, 0)
        };
        // 0.1 in floating point is a little more than a tenth.
        assert_eq!(met(Relation::Gt, 0.1, 0.1), Some(true));
        assert_eq!(met(Relation::Le, 0.1, 0.1), Some(false));
        assert_eq!(met(Relation::Ge, 0.099, 0.101), None);
        assert_eq!(met(Relation::Ge, 0.2, f64::INFINITY), Some(true));
    }
}
