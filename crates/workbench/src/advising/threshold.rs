//! Numbers that become beliefs: a query that crosses a threshold (Izzo 2016, section 4.5).

use std::cmp::Ordering;

use motet_engine::Bounds;
use motet_model::Ratio;

/// A belief that holds while the value of a query is on one side of a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The belief, as the agents list it: `Mission at risk`.
    pub belief: String,
    /// The name of the query.
    pub query: String,
    /// On which side the belief holds.
    pub comparison: Comparison,
    /// The number, exactly.
    pub value: Ratio,
}

/// Which side of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
}

impl Threshold {
    /// Reads `Mission at risk: L5 < 0.5`. The belief may itself have a colon, as in `asv: Mission at risk`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = || "write BELIEF: QUERY < NUMBER, such as `Mission at risk: L5 < 0.5`".to_owned();
        let (belief, condition) = text.rsplit_once(':').ok_or_else(form)?;
        // The longer signs come first, so that `<=` is not read as `<`.
        let signs = [
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Below),
            (">", Comparison::Above),
        ];
        let (query, comparison, number) = signs
            .into_iter()
            .find_map(|(sign, comparison)| {
                condition.split_once(sign).map(|(query, number)| (query.trim(), comparison, number.trim()))
            })
            .ok_or_else(form)?;
        let (belief, query) = (belief.trim(), query.trim_matches(['"', '`']));
        if belief.is_empty() || query.is_empty() {
            return Err(form());
        }
        let value = Ratio::read(number).filter(|value| !value.is_negative());
        let value = value.ok_or_else(|| format!("`{number}` is no number; {}", form()))?;
        Ok(Self { belief: belief.to_owned(), query: query.to_owned(), comparison, value })
    }

    /// Whether the belief holds where the query lies between these bounds; `None` where they are on both sides.
    #[must_use]
    pub fn holds(&self, bounds: Bounds) -> Option<bool> {
        // A bound that is no fraction is infinite, and greater than any number.
        let order =
            |bound: f64| Ratio::of_float(bound).map_or(Ordering::Greater, |bound| bound.cmp(&self.value));
        let (low, high) = (order(bounds.low), order(bounds.high));
        let (yes, no) = match self.comparison {
            Comparison::Below => (high.is_lt(), low.is_ge()),
            Comparison::AtMost => (high.is_le(), low.is_gt()),
            Comparison::Above => (low.is_gt(), high.is_le()),
            Comparison::AtLeast => (low.is_ge(), high.is_lt()),
        };
        match (yes, no) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_a_belief_a_query_and_a_side() {
        let read = Threshold::parse("Mission at risk: L5 < 0.5").unwrap();
        assert_eq!(
            (read.belief.as_str(), read.query.as_str(), read.value),
            ("Mission at risk", "L5", Ratio::new(1, 2).unwrap())
        );
        assert_eq!(read.comparison, Comparison::Below);
        assert_eq!(Threshold::parse("a:L >= 1e-3").unwrap().comparison, Comparison::AtLeast);
        assert_eq!(Threshold::parse("asv: Low fuel: fuel <= 2").unwrap().belief, "asv: Low fuel");
        for wrong in ["", "L5 < 0.5", "a: L5", "a: < 1", ": L5 < 1", "a: L5 < x", "a: L5 = 1", "a: L < nan"] {
            assert!(Threshold::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bounds_on_both_sides_of_the_number_tell_nothing() {
        let holds = |text: &str, low, high| Threshold::parse(text).unwrap().holds(Bounds { low, high });
        assert_eq!(holds("a: L < 0.5", 0.1, 0.4), Some(true));
        assert_eq!(holds("a: L < 0.5", 0.1, 0.5), None);
        assert_eq!(holds("a: L <= 0.5", 0.1, 0.5), Some(true));
        assert_eq!(holds("a: L < 0.5", 0.5, 0.6), Some(false));
        // 0.1 in floating point is a little more than a tenth.
        assert_eq!(holds("a: L > 1/10", 0.1, 0.1), Some(true));
        assert_eq!(holds("a: L <= 0.1", 0.1, 0.1), Some(false));
        assert_eq!(holds("a: L > 0.5", 0.5, 0.6), None);
        assert_eq!(holds("a: L >= 0.5", 0.5, f64::INFINITY), Some(true));
    }
}
