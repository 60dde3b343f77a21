//! Thresholds, compared without rounding.

use dashu::rational::RBig;
use motet_model::Ratio;
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
    /// The threshold with this relation and this text, a number or a quotient; `None` if it is none.
    pub(crate) fn new(relation: Relation, text: &str) -> Option<Self> {
        let exact = Ratio::read(text)?.fraction();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_is_a_third() {
        let mut third = Values::constant(1, 0.0);
        (third.low[0], third.high[0]) = (0.333, 0.334);
        let met = |relation, text: &str, values: &Values| {
            Threshold::new(relation, text).map(|threshold| threshold.is_met(values, 0))
        };
        assert_eq!(met(Relation::Gt, "1/3", &third), Some(None));
        third.exact = vec![RBig::ONE / RBig::from(3)];
        let asked = [Relation::Gt, Relation::Ge, Relation::Lt, Relation::Le, Relation::Eq, Relation::Ne];
        let told = asked.map(|relation| met(relation, "1/3", &third).unwrap().unwrap());
        assert_eq!(told, [false, true, false, true, true, false]);
        assert_eq!(met(Relation::Gt, "0.33333333333333333333", &third), Some(Some(true)));
        assert_eq!(met(Relation::Gt, "x", &third), None);
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
