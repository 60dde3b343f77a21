//! Policy iteration: values of fixed choices, better choices, and again.

use motet_evidence::Stop;
use motet_property::Extremum;

use super::block::Block;
use super::eliminate::{Number, Solved, eliminate};
use super::iterate::{Iteration, down, up};
use crate::exploration::limits::Meter;

/// By how much, relatively, equations are tilted so that rounding errors cannot spoil the test of a bound.
const TILT: f64 = 1e-13;
/// A choice has to be better by this much, relatively, in floating point.
const BETTER: f64 = 1e-14;

/// Per unknown: its choice; `None` if it has none.
pub(crate) type Chosen = Vec<Option<usize>>;

/// Choices from which everybody gets out: each unknown goes nearer to the outside. `None` for those without choices.
fn outward<N: Number, const K: usize>(block: &Block<N, K>) -> Chosen {
    let mut chosen: Chosen = vec![None; block.len()];
    let mut inward: Vec<Vec<(usize, usize)>> = vec![Vec::new(); block.len()];
    let mut queue = std::collections::VecDeque::new();
    let mut placed = vec![false; block.len()];
    for unknown in 0..block.len() {
        let out = block.choices_of(unknown).find(|&choice| block.leads_out(choice));
        if out.is_some() || block.choices_of(unknown).is_empty() {
            (chosen[unknown], placed[unknown]) = (out, true);
            queue.push_back(unknown);
        }
        for choice in block.choices_of(unknown) {
            block
                .targets_of(choice)
                .iter()
                .for_each(|&target| inward[target as usize].push((unknown, choice)));
        }
    }
    while let Some(unknown) = queue.pop_front() {
        for &(source, choice) in &inward[unknown] {
            if !std::mem::replace(&mut placed[source], true) {
                chosen[source] = Some(choice);
                queue.push_back(source);
            }
        }
    }
    chosen
}

/// The values of fixed choices, on all sides, and how far they may be off.
fn evaluated<N: Number + From<u8>, const K: usize>(
    block: &Block<N, K>,
    chosen: &[Option<usize>],
    patience: &mut u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Solved<N, K>>, Stop> {
    let rows = chosen.iter().map(|choice| choice.map_or_else(Block::rest, |choice| block.row(choice)));
    let solved = eliminate(rows.collect(), *patience, meter)?;
    if let Some(solved) = &solved
        && *patience < u64::MAX
    {
        // Looking for better choices takes about as long as going through the equations.
        *patience = patience.saturating_sub(solved.work + block.size() as u64);
    }
    Ok(solved)
}

/// The best choices and their values on one side. `None` if that takes too long.
pub(crate) fn optimal<N: Number + From<u8>, const K: usize>(
    block: &Block<N, K>,
    side: usize,
    extremum: Extremum,
    is_better: impl Fn(&N, &N) -> bool,
    patience: &mut u64,
    meter: &mut Meter<'_>,
) -> Result<Option<(Chosen, Vec<N>)>, Stop> {
    let mut chosen = outward(block);
    loop {
        let Some(solved) = evaluated(block, &chosen, patience, meter)? else { return Ok(None) };
        let values: Vec<N> = solved.values.into_iter().map(|value| value[side].clone()).collect();
        let mut changed = false;
        for unknown in 0..block.len() {
            let Some((best, worth)) = block.best(unknown, side, &values, extremum) else { continue };
            let better = match extremum {
                Extremum::Max => is_better(&worth, &values[unknown]),
                Extremum::Min => is_better(&values[unknown], &worth),
            };
            if better && chosen[unknown] != Some(best) {
                chosen[unknown] = Some(best);
                changed = true;
            }
        }
        if !changed {
            return Ok(Some((chosen, values)));
        }
    }
}

/// Finds good choices, and bounds that pass the test, for a block on which iteration is slow. Gives the choices.
pub(crate) fn improved(
    block: &Block<f64, 2>,
    iteration: &mut Iteration<'_>,
    extremum: Extremum,
    mut patience: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Chosen>, Stop> {
    let patience = &mut patience;
    let better = |one: &f64, other: &f64| *one > other * (1.0 + BETTER);
    // The side on which the choices themselves give the bound, and the side that has to be tested.
    let (own, tested) = match extremum {
        Extremum::Max => (0, 1),
        Extremum::Min => (1, 0),
    };
    let Some((chosen, values)) = optimal(block, own, extremum, better, patience, meter)? else {
        return Ok(None);
    };
    let Some(solved) = evaluated(block, &chosen, patience, meter)? else { return Ok(None) };
    for (unknown, value) in solved.values.iter().enumerate() {
        match extremum {
            Extremum::Max => {
                let low = &mut iteration.low[unknown];
                *low = low.max(down(value[0], solved.error));
            }
            Extremum::Min => {
                let high = &mut iteration.high[unknown];
                *high = high.min(up(value[1], solved.error));
            }
        }
    }
    for power in 0..4 {
        let tilt = TILT * 100.0_f64.powi(power);
        let tilted = tilted(block, &values, if tested == 1 { tilt } else { -tilt });
        let Some((_, guess)) = optimal(&tilted, tested, extremum, better, patience, meter)? else { break };
        let accepted = match extremum {
            Extremum::Max => iteration.accept_high(guess),
            Extremum::Min => iteration.accept_low(&guess),
        };
        if accepted {
            break;
        }
    }
    Ok(Some(chosen))
}

/// The same equations with a little more, or less, earned everywhere.
fn tilted(block: &Block<f64, 2>, values: &[f64], tilt: f64) -> Block<f64, 2> {
    let mut tilted = block.clone();
    for (unknown, value) in values.iter().enumerate() {
        for choice in block.choices_of(unknown) {
            tilted.rights[choice].iter_mut().for_each(|right| *right += tilt * value);
        }
    }
    tilted
}
