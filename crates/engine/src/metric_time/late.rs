//! A run that misses a deadline, told up to the answer that comes too late. Up to the deadline it proves everything; what
//! follows is for the reader, and the run stays a proof whatever follows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use motet_evidence::{Evidence, Measure, Stop};
use motet_model::Model;
use rustc_hash::FxBuildHasher;

use crate::exploration::graph::{Graph, Hop, Rows};
use crate::formulas::valuation::column;
use crate::metric_time::longest::Weight;
use crate::metric_time::margin::Gauge;
use crate::storage::store::Store;

/// States that are looked at in the search for the answer.
const LOOKS_MAX: usize = 1_000_000;

/// The evidence with the soonest answer to what it waits for in vain, if there is one.
pub(crate) fn with_late_answer<M: Model + ?Sized>(
    model: &M,
    graph: &Graph,
    gauges: &[Gauge],
    mut evidence: Evidence,
) -> Evidence {
    let Some(rows) = graph.rows.as_ref().filter(|_| evidence.loop_start.is_none()) else { return evidence };
    let Some(way) = numbers(graph, rows, &evidence) else { return evidence };
    let Some(last) = way.last().copied() else { return evidence };
    let answer = gauges.iter().find_map(|gauge| missed(graph, gauge, &way, &evidence));
    let mut look = |met: usize| if met > LOOKS_MAX { Err(Stop::States) } else { Ok(()) };
    let weight = gauges.first().map_or(Weight::Delay, |gauge| gauge.weight);
    let found =
        answer.map(|answer| nearest(rows, [last], weight, &|state| answer.get(state as usize), &mut look));
    let hops = found.and_then(|found| found.ok().flatten()).map(|nearest| nearest.hops).unwrap_or_default();
    if !hops.is_empty() {
        let rest = graph.run_on(model, last, &hops);
        evidence.run.steps.extend(rest.steps);
        evidence.run.states.extend(rest.states.into_iter().skip(1));
    }
    evidence
}

/// The numbers of the states of a run.
fn numbers(graph: &Graph, rows: &Rows, evidence: &Evidence) -> Option<Vec<u32>> {
    let mut way = vec![*graph.initial.get(evidence.run.initial as usize)?];
    for state in &evidence.run.states[1..] {
        let mut targets = rows.row(*way.last()?).map(|edge| rows.target(edge));
        way.push(targets.find(|&target| graph.store.is(target, state))?);
    }
    Some(way)
}

/// Where the answer is that the run waits for at its end, longer than it may.
fn missed(
    graph: &Graph,
    gauge: &Gauge,
    way: &[u32],
    evidence: &Evidence,
) -> Option<crate::storage::bits::Bits> {
    let answer = column(graph, &gauge.about);
    let answered = |&state: &u32| answer.get(state as usize);
    let first = match gauge.measure {
        Measure::Response => {
            let since = way.iter().rposition(answered).map_or(0, |at| at + 1);
            let trigger = column(graph, &gauge.from);
            since + way[since..].iter().position(|&state| trigger.get(state as usize))?
        }
        Measure::Arrival => (!way.iter().any(answered)).then_some(0)?,
        Measure::Duration | Measure::Age => return None,
    };
    let waited = gauge.weight.steps(&evidence.run.steps[first..]);
    let bound = gauge.bound.as_ref()?;
    (waited > bound.amount || waited == bound.amount && bound.strict).then_some(answer)
}

/// When a state is reached: time, steps, and the edge there with the state it leaves.
type Reached = (u64, u32, Option<(u32, u32)>);

/// The way to the nearest goal.
pub(crate) struct Nearest {
    pub(crate) time: u64,
    /// Where it starts.
    pub(crate) start: u32,
    pub(crate) hops: Vec<Hop>,
}

/// The way from one of these states to the nearest goal in time, then in steps (Dijkstra 1959). `look` is told how many
/// states were met, and may put an end to it.
pub(crate) fn nearest(
    rows: &Rows,
    starts: impl IntoIterator<Item = u32>,
    weight: Weight,
    goal: &dyn Fn(u32) -> bool,
    look: &mut dyn FnMut(usize) -> Result<(), Stop>,
) -> Result<Option<Nearest>, Stop> {
    let mut best: HashMap<u32, Reached, FxBuildHasher> = HashMap::default();
    let mut waiting = BinaryHeap::new();
    for start in starts {
        best.insert(start, (0, 0, None));
        waiting.push(Reverse((0_u64, 0_u32, start)));
    }
    while let Some(Reverse((time, steps, state))) = waiting.pop() {
        if goal(state) {
            let before = |&(_, state): &(u32, u32)| best.get(&state).and_then(|known| known.2);
            let edges = std::iter::successors(best.get(&state).and_then(|known| known.2), before);
            let mut edges: Vec<(u32, u32)> = edges.collect();
            edges.reverse();
            let start = edges.first().map_or(state, |&(_, state)| state);
            let hops = edges.into_iter().map(|(edge, _)| Hop::along(rows, edge)).collect();
            return Ok(Some(Nearest { time, start, hops }));
        }
        look(best.len())?;
        if best.get(&state).is_some_and(|known| (known.0, known.1) < (time, steps)) {
            continue;
        }
        for edge in rows.row(state) {
            let next = (time + weight.edge(rows, edge), steps + 1);
            let target = rows.target(edge);
            if best.get(&target).is_none_or(|known| next < (known.0, known.1)) {
                best.insert(target, (next.0, next.1, Some((edge, state))));
                waiting.push(Reverse((next.0, next.1, target)));
            }
        }
    }
    Ok(None)
}
