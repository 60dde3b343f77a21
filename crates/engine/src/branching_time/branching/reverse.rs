//! The steps between states, backwards: whence each state can be reached.

use std::ops::Range;

use motet_evidence::Stop;

use crate::exploration::graph::{Graph, Rows};
use crate::exploration::limits::Meter;
use crate::exploration::threads::{LARGE, pieces, ranges, together};

/// Per state the states before it. A deadlock is not listed before itself; who walks backwards has to remember that it
/// repeats itself.
pub(crate) struct Reverse {
    /// Per state: where its list starts; one more at the end.
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Reverse {
    pub(crate) fn of(graph: &Graph, meter: &Meter<'_>) -> Result<Self, Stop> {
        let rows = rows(graph);
        let n = u32::try_from(graph.n_states()).map_err(|_| Stop::Memory)?;
        meter.reserve(graph.bytes() + 4 * (u64::from(n) + 1) + 4 * graph.transitions)?;
        // Each thread has a range of the targets: it looks at all edges, and writes where nobody else does.
        let cut = ranges(n as usize, meter.threads(), LARGE);
        let mut starts = vec![0_u32; n as usize + 1];
        let counts = pieces(&mut starts, cut.iter().map(ExactSizeIterator::len));
        together(cut.iter().zip(counts).collect(), |(targets, counts)| {
            for state in 0..n {
                for target in rows.row(state).map(|edge| rows.target(edge) as usize) {
                    if targets.contains(&target) {
                        counts[target - targets.start] += 1;
                    }
                }
            }
        });
        // Running sums: each list is filled from its end, which moves its start into place.
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sources = vec![0; sum as usize];
        // The sum up to a state is where its list ends, so a range begins where the one before it ends.
        let ends: Vec<usize> = cut.iter().map(|range| starts[range.end.max(1) - 1] as usize).collect();
        let firsts: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).take(cut.len()).collect();
        let lists = pieces(&mut sources, firsts.iter().zip(&ends).map(|(first, end)| end - first));
        let starts_of = pieces(&mut starts, cut.iter().map(ExactSizeIterator::len));
        let parts = cut.iter().zip(firsts).zip(lists.into_iter().zip(starts_of)).collect();
        together(parts, |((targets, first), (list, starts)): ((&Range<usize>, usize), _)| {
            for state in (0..n).rev() {
                for target in rows.row(state).map(|edge| rows.target(edge) as usize) {
                    if targets.contains(&target) {
                        let slot = &mut starts[target - targets.start];
                        *slot -= 1;
                        list[*slot as usize - first] = state;
                    }
                }
            }
        });
        Ok(Self { starts, sources })
    }

    pub(crate) fn before(&self, state: u32) -> &[u32] {
        let at = state as usize;
        &self.sources[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.starts.capacity() + self.sources.capacity()) as u64
    }
}

/// The steps of a graph that was explored for claims about runs.
pub(crate) fn rows(graph: &Graph) -> &Rows {
    graph.rows.as_ref().expect("claims about runs are checked on a graph with edges")
}
