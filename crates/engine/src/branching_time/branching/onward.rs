//! From which states does some run satisfy a formula? The product with the automaton is searched from all of them at once,
//! and what was found is carried backwards.

use motet_evidence::{Fairness, Stop};

use super::reverse::Reverse;
use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::exploration::threads::{LARGE, SharedBits, exhaust};
use crate::linear_time::emptiness::{Search, Until, search};
use crate::linear_time::product::{Mode, Place, Product};
use crate::metric_time::timed::TimedRun;
use crate::storage::bits::Bits;

/// The states from which some fair run is accepted.
pub(crate) fn accepted(
    product: &Product<'_>,
    reverse: &Reverse,
    fairness: Fairness,
    meter: &mut Meter<'_>,
) -> Result<Bits, Stop> {
    if product.is_sink(0) {
        return Ok(Bits::all(product.n_states() as usize));
    }
    let starts: Vec<u32> = (0..product.n_states()).collect();
    let mut seeds = Vec::new();
    for mode in 0..narrow(product.n_modes()) {
        let settles = product.arcs[mode as usize].iter().any(|arc| product.is_sink(arc.target));
        let places = (0..product.n_states()).map(|state| product.place(mode, state));
        seeds.extend(places.filter(|&place| settles && product.is_settled(place)));
    }
    let mut found = marked(product, reverse, &starts, seeds, fairness, meter)?;
    Ok(found.swap_remove(0))
}

/// The states from which some fair run satisfies a formula about time.
pub(crate) fn accepted_in_time(
    run: &TimedRun,
    graph: &Graph,
    fairness: Fairness,
    meter: &mut Meter<'_>,
) -> Result<Bits, Stop> {
    let starts: Vec<u32> = (0..narrow(graph.n_states())).collect();
    let (mut unrolling, settled) = run.unroll(graph, &starts, meter)?;
    let (unrolled, automaton, home) = unrolling.accepting()?;
    let product = Product::over(unrolled, &automaton, home)?;
    let reverse = Reverse::of(unrolled, meter)?;
    let seeds = settled.into_iter().map(|node| product.place(0, node)).collect();
    let marks = marked(&product, &reverse, &unrolled.initial, seeds, fairness, meter)?;
    let mut found = Bits::zeros(graph.n_states());
    for (&state, &node) in starts.iter().zip(&unrolled.initial) {
        if marks[0].get(node as usize) {
            found.insert(state as usize);
        }
    }
    Ok(found)
}

/// Per mode the states with which it leads to an accepting component or to a seed.
fn marked(
    product: &Product<'_>,
    reverse: &Reverse,
    starts: &[u32],
    seeds: Vec<Place>,
    fairness: Fairness,
    meter: &mut Meter<'_>,
) -> Result<Vec<Bits>, Stop> {
    let n_states = product.n_states();
    let n_modes = narrow(product.n_modes());
    let mut waiting = seeds;
    if let Search::Accepting(accepting) = search(product, starts, fairness, Until::Exhausted, meter)? {
        for mode in 0..n_modes {
            let inside = (0..n_states).filter(|&state| accepting.component(mode, state).is_some());
            waiting.extend(inside.map(|state| product.place(mode, state)));
        }
    }
    let marks: Vec<SharedBits> = (0..n_modes).map(|_| SharedBits::zeros(n_states as usize)).collect();
    for &place in &waiting {
        let (mode, state) = product.mode_and_state(place);
        marks[mode as usize].insert(state as usize);
    }
    let arcs = arcs_into(product);
    let threads = if (n_states as usize) < LARGE { 1 } else { meter.threads() };
    let bytes = product.bytes() + reverse.bytes();
    exhaust(threads, waiting, &mut || meter.tick(bytes), |place, more| {
        let (mode, state) = product.mode_and_state(place);
        let itself = product.graph.deadlocks.get(state as usize).then_some(state);
        for &(source, arc) in &arcs[mode as usize] {
            for &before in reverse.before(state).iter().chain(&itself) {
                if product.admits(arc, before) && marks[source as usize].insert(before as usize) {
                    more.push(product.place(source, before));
                }
            }
        }
    })?;
    Ok(marks.into_iter().map(SharedBits::into_bits).collect())
}

/// Per mode: the arcs that lead there, and whence.
fn arcs_into(product: &Product<'_>) -> Vec<Vec<(Mode, crate::linear_time::product::Arc)>> {
    let mut into = vec![Vec::new(); product.n_modes()];
    for (arcs, mode) in product.arcs.iter().zip(0..) {
        arcs.iter().for_each(|&arc| into[arc.target as usize].push((mode, arc)));
    }
    into
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).expect("states and modes are numbered with 32 bits")
}
