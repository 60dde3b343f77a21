//! Chances of one command: each between 0 and 1, together 1.

use crate::number::Number;

/// How far inexact chances may be from 1 together.
const TOLERANCE: i64 = 1_000_000_000;

/// Makes sure that chances sum to 1. Exact ones must do so exactly. Where a logarithm or root is involved the sum may be off by
/// a billionth, and the last chance that is not zero takes the difference (`spec/prism/numbers.md`).
///
/// # Errors
/// The sum, or `None` where it cannot be computed.
pub(crate) fn completed(chances: &mut [Number]) -> Result<(), Option<Number>> {
    let sum = chances.iter().try_fold(Number::ZERO, |sum, chance| sum.plus(*chance)).ok_or(None)?;
    if sum == Number::ONE {
        return Ok(());
    }
    let exact = chances.iter().all(|chance| chance.is_exact());
    let difference = Number::ONE.minus(sum).ok_or(None)?;
    let distance = if difference.is_negative() { difference.negated().ok_or(None)? } else { difference };
    let tolerance = Number::ONE.over(Number::whole(TOLERANCE)).expect("the tolerance is not zero");
    if exact || distance > tolerance {
        return Err(Some(sum));
    }
    let last = chances.iter_mut().rev().find(|chance| !chance.is_zero()).ok_or(Some(sum))?;
    let adjusted = last.plus(difference).ok_or(None)?;
    if adjusted.is_negative() {
        return Err(Some(sum));
    }
    *last = adjusted.settled();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(texts: &[&str]) -> Vec<Number> {
        texts.iter().map(|text| Number::read(text).unwrap()).collect()
    }

    #[test]
    fn exact_chances_must_sum_to_exactly_one() {
        assert_eq!(completed(&mut numbers(&["0.1", "0.2", "0.7"])), Ok(()));
        let off = completed(&mut numbers(&["0.333", "0.333", "0.333"]));
        assert_eq!(off, Err(Number::read("0.999")));
    }

    #[test]
    fn the_last_chance_takes_what_rounding_lost() {
        let third = Number::rounded(1.0 / 3.0).unwrap();
        let mut chances = [third, third, third];
        assert_eq!(completed(&mut chances), Ok(()));
        let sum = chances.iter().try_fold(Number::ZERO, |sum, chance| sum.plus(*chance));
        assert_eq!(sum, Some(Number::ONE));
    }
}
