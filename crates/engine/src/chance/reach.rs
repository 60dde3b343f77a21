//! How probable it is that something comes about, without a bound on time.

use motet_evidence::{Method, Stop};
use motet_property::Extremum;

use super::certain::Certain;
use super::components::EndComponents;
use super::fair::{Fair, havens, members};
use super::matrix::{Matrix, narrow};
use super::solve::System;
use super::strategy;
use super::values::{Aim, Values};
use crate::checking::settings::Precision;
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;

/// The chance of `left U right`, per state, under the choices that make it least or greatest. On a chain the extremum does
/// not matter. The values of the states the aim asks for are as close as it asks for, or as floating point allows.
///
/// For the greatest chance, the states of an end component have one value, whatever is done inside, and are one unknown:
/// otherwise bounds from above would never close in (Haddad and Monmege 2018).
///
/// Over fair strategies the greatest chance is the same: what is best until the goal is reached, or is out of reach, can be
/// followed fairly from then on. The least is one minus the greatest chance to lose it ([`Lost`]).
pub(crate) fn until(
    matrix: &Matrix,
    left: &Bits,
    right: &Bits,
    extremum: Extremum,
    fair: Option<&Fair>,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let n = matrix.n_states();
    if let (Some(fair), Extremum::Min) = (fair, extremum) {
        let lost = Lost::of(matrix, left, right, fair);
        let passing = left.and(&right.complement(n));
        let mut values = avoided(matrix, &passing, &lost.states, aim, meter)?;
        values.leave_open(|low, _| low == 1.0);
        lost.stay(matrix, &mut values.choices);
        return Ok(values);
    }
    let certain = Certain::of(matrix, left, right, extremum);
    meter.tick(0)?;
    let mut values = Values::constant(n, 0.0);
    for state in certain.one.ones() {
        (values.low[state], values.high[state]) = (1.0, 1.0);
    }
    let open = certain.open(n);
    let merged = (!matrix.is_chain() && extremum == Extremum::Max)
        .then(|| EndComponents::of(matrix, &open, None))
        .filter(|ends| !ends.states.is_empty());
    if !matrix.is_chain() {
        values.choices = strategy::certain(matrix, left, right, &certain, extremum);
    }
    let system = System {
        matrix,
        open: &open,
        kept: None,
        merged: merged.as_ref(),
        rewards: None,
        extremum,
        cap: 1.0,
    };
    match aim.precision {
        Precision::Certified(tolerance) => system.solve(&mut values, tolerance, aim.focus, meter)?,
        Precision::Exact => system.solve_exactly(&mut values, meter)?,
    }
    if let Some(ends) = &merged {
        strategy::through(matrix, ends, &mut values.choices);
    }
    if open.first().is_none() && aim.precision != Precision::Exact {
        values.method = Method::Graph;
    }
    Ok(values)
}

/// Where `left U right` is lost, as far as fair strategies go: where neither holds, and where one of them can stay for ever
/// without `right`.
pub(crate) struct Lost {
    pub(crate) states: Bits,
    havens: EndComponents,
}

impl Lost {
    pub(crate) fn of(matrix: &Matrix, left: &Bits, right: &Bits, fair: &Fair) -> Self {
        let n = matrix.n_states();
        let havens = havens(matrix, Some(fair), &left.and(&right.complement(n)), None);
        Self { states: left.or(right).complement(n).or(&members(n, &havens)), havens }
    }

    /// Chooses, where one can stay for ever, something that stays. Where all is lost anyway nothing is left to choose.
    pub(crate) fn stay(&self, matrix: &Matrix, chosen: &mut [u32]) {
        self.states.ones().for_each(|state| chosen[state] = NONE);
        for &state in self.havens.states.iter().flatten() {
            let inside = matrix.choices_of(state).find(|&choice| self.havens.choices.get(choice));
            chosen[state as usize] = narrow(inside.expect("an end component has a choice in every state"));
        }
    }
}

/// The chance of never reaching `trap` by way of `passing`, made as small as possible by whoever cannot stay outside for ever
/// unless the trap is out of reach. So end components outside are one unknown each, as for the greatest chance.
pub(crate) fn avoided(
    matrix: &Matrix,
    passing: &Bits,
    trap: &Bits,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Values, Stop> {
    let n = matrix.n_states();
    let certain = Certain::of(matrix, passing, trap, Extremum::Max);
    let mut values = Values::constant(n, 0.0);
    for state in certain.zero.ones() {
        (values.low[state], values.high[state]) = (1.0, 1.0);
    }
    values.choices = strategy::certain(matrix, passing, trap, &certain, Extremum::Max);
    let open = certain.open(n);
    let merged = EndComponents::of(matrix, &open, None);
    let system = System {
        matrix,
        open: &open,
        kept: None,
        merged: Some(&merged),
        rewards: None,
        extremum: Extremum::Min,
        cap: 1.0,
    };
    match aim.precision {
        Precision::Certified(tolerance) => system.solve(&mut values, tolerance, aim.focus, meter)?,
        Precision::Exact => system.solve_exactly(&mut values, meter)?,
    }
    strategy::through(matrix, &merged, &mut values.choices);
    if open.first().is_none() && aim.precision != Precision::Exact {
        values.method = Method::Graph;
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::super::matrix::written::{chain, process, set, walk};
    use super::super::values::Focus;
    use super::*;
    use crate::exploration::limits::Limits;

    fn reach(matrix: &Matrix, goal: &[u32], extremum: Extremum, precision: Precision) -> Values {
        let (limits, mut watch) = (Limits::default(), |_| {});
        let mut meter = Meter::new(&limits, &mut watch);
        let aim = Aim { precision, focus: Focus::Everywhere };
        let all = Bits::all(matrix.n_states());
        until(matrix, &all, &set(goal), extremum, None, aim, &mut meter).unwrap()
    }

    const USUAL: Precision = Precision::Certified(1e-6);

    #[track_caller]
    fn encloses(values: &Values, state: usize, value: f64) {
        let (low, high) = (values.low[state], values.high[state]);
        assert!(low <= value && value <= high, "{low} {value} {high}");
        assert!(high - low <= 1e-6 * high, "{low} {high}");
    }

    /// Knuth and Yao 1976: a die thrown with a fair coin.
    fn die() -> Matrix {
        let coin = |a: u32, b: u32| vec![(a, 1, 2), (b, 1, 2)];
        let mut states =
            vec![coin(1, 2), coin(3, 4), coin(5, 6), coin(1, 7), coin(8, 9), coin(10, 11), coin(2, 12)];
        states.extend((7..13).map(|face| vec![(face, 1, 1)]));
        chain(&states)
    }

    #[test]
    fn each_face_of_the_die_has_chance_one_sixth() {
        for face in 7..13 {
            encloses(&reach(&die(), &[face], Extremum::Max, USUAL), 0, 1.0 / 6.0);
            let exact = reach(&die(), &[face], Extremum::Min, Precision::Exact);
            assert_eq!(exact.exact[0].to_string(), "1/6");
        }
    }

    /// The gambler's ruin: with q/p = r the chance to win n from k is (1 - r^k) / (1 - r^n).
    #[test]
    fn the_gambler_wins_as_often_as_the_closed_form_says() {
        for (above, below, n) in [(1, 3, 20), (2, 3, 50), (9, 19, 100)] {
            let values = reach(&walk(n + 1, above, below), &[n], Extremum::Max, USUAL);
            let ratio = (below - above) as f64 / above as f64;
            for k in 1..n {
                let chance = (1.0 - ratio.powi(k as i32)) / (1.0 - ratio.powi(n as i32));
                let (low, high) = (values.low[k as usize], values.high[k as usize]);
                assert!(
                    low <= chance * (1.0 + 1e-12) && chance * (1.0 - 1e-12) <= high,
                    "{low} {chance} {high}"
                );
            }
        }
    }

    /// By symmetry; plain value iteration stops at 0.399 here.
    #[test]
    fn the_middle_of_a_fair_walk_of_a_thousand_states_has_chance_one_half() {
        let values = reach(&walk(1001, 1, 2), &[1000], Extremum::Max, USUAL);
        encloses(&values, 500, 0.5);
    }

    #[test]
    fn a_loop_that_can_be_left_does_not_keep_the_greatest_chance_up() {
        // States 0 and 1 may go back and forth for ever; 1 may also gamble: 1/3 goal, 2/3 trap.
        let matrix = process(&[
            vec![vec![(1, 1, 1)], vec![(0, 1, 1)]],
            vec![vec![(0, 1, 1)], vec![(2, 1, 3), (3, 2, 3)]],
            vec![vec![(2, 1, 1)]],
            vec![vec![(3, 1, 1)]],
        ]);
        let values = reach(&matrix, &[2], Extremum::Max, USUAL);
        encloses(&values, 0, 1.0 / 3.0);
        assert_eq!((values.choices[0], values.choices[1]), (0, 3));
        let values = reach(&matrix, &[2], Extremum::Min, USUAL);
        assert_eq!((values.low[0], values.high[0], values.method), (0.0, 0.0, Method::Graph));
        let exact = reach(&matrix, &[2], Extremum::Max, Precision::Exact);
        assert_eq!((exact.exact[0].to_string(), exact.choices[1]), ("1/3".to_owned(), 3));
    }

    /// A walk in which each state may choose between two coins; the better one is the first, by monotonicity.
    #[test]
    fn slow_choices_are_closed_in_on_too() {
        let n = 301;
        let coin = |state: u32, above: u64| vec![(state + 1, above, 1000), (state - 1, 1000 - above, 1000)];
        let states: Vec<_> = (0..n)
            .map(|state| match state {
                0 | 300 => vec![vec![(state, 1, 1)]],
                _ => vec![coin(state, 500), coin(state, 499)],
            })
            .collect();
        let matrix = process(&states);
        encloses(&reach(&matrix, &[300], Extremum::Max, USUAL), 150, 0.5);
        let ratio: f64 = 501.0 / 499.0;
        let worst = (1.0 - ratio.powi(150)) / (1.0 - ratio.powi(300));
        let values = reach(&matrix, &[300], Extremum::Min, USUAL);
        encloses(&values, 150, worst);
        assert_eq!(values.choices[150], matrix.choices[150] + 1);
    }
}
