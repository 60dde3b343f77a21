//! The steps between states, backwards: whence each state can be reached.

use motet_evidence::Stop;

use crate::graph::{Graph, Rows};
use crate::limits::Meter;

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
        let mut starts = vec![0_u32; n as usize + 1];
        for state in 0..n {
            rows.row(state).for_each(|edge| starts[rows.target(edge) as usize] += 1);
        }
        // Running sums: each list is filled from its end, which moves its start into place.
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sources = vec![0; sum as usize];
        for state in (0..n).rev() {
            for edge in rows.row(state) {
                let slot = &mut starts[rows.target(edge) as usize];
                *slot -= 1;
                sources[*slot as usize] = state;
            }
        }
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
