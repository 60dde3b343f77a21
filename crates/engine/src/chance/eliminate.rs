//! Linear equations of a chain solved by taking away one state after the other.
//!
//! Whoever came through the state that is taken away goes straight on to where it leads. The chance of leaving a state is
//! the sum of its ways out, never one minus the chance to stay, so nothing is ever subtracted and floating point loses
//! nothing to cancellation (Grassmann, Taksar and Heyman 1985).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use motet_evidence::Stop;

use crate::exploration::limits::Meter;

/// What equations can be solved in.
pub(crate) trait Number: Clone + Send + Sync {
    const ZERO: Self;
    fn add(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    fn add_product(&mut self, one: &Self, other: &Self);
    fn over(&self, other: &Self) -> Self;
    fn is_zero(&self) -> bool;
    fn exceeds(&self, other: &Self) -> bool;
    /// The same, unless it is so small that a product with a chance might vanish; then a little more.
    fn lifted(self) -> Self;
    /// About how many bytes it takes.
    fn bytes(&self) -> u64;

    /// How many bytes several take.
    fn bytes_of(numbers: &[Self]) -> u64 {
        numbers.iter().map(Self::bytes).sum()
    }

    /// How many operations on words one operation on this number takes, about.
    fn effort(&self) -> u64 {
        1
    }
}

impl Number for f64 {
    const ZERO: Self = 0.0;

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn add_product(&mut self, one: &Self, other: &Self) {
        *self += one * other;
    }

    fn over(&self, other: &Self) -> Self {
        self / other
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn exceeds(&self, other: &Self) -> bool {
        self > other
    }

    fn lifted(self) -> Self {
        if self > 0.0 { self.max(super::iterate::TINY) } else { self }
    }

    fn bytes(&self) -> u64 {
        8
    }

    fn bytes_of(numbers: &[Self]) -> u64 {
        8 * numbers.len() as u64
    }
}

/// One equation: `x = (right + sum of entries * x) / leave`, with as many right sides as there are questions.
#[derive(Clone, Debug)]
pub(crate) struct Row<N, const K: usize> {
    /// Chances to get to other unknowns, in the order of those.
    pub(crate) entries: Vec<(u32, N)>,
    /// The chance to get to something known.
    pub(crate) exit: N,
    pub(crate) right: [N; K],
}

/// A solution.
#[derive(Clone, Debug)]
pub(crate) struct Solved<N, const K: usize> {
    pub(crate) values: Vec<[N; K]>,
    /// How far a value may be off in floating point, relative to itself.
    pub(crate) error: f64,
    /// Operations it took.
    pub(crate) work: u64,
}

/// Between two looks at the clock, in operations.
const TICK: u64 = 1 << 16;
/// Entries at a time that a solution with limited patience may have.
const FILL: usize = 1 << 24;
/// Half the distance of 1 to the next floating-point number.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// Solves the equations; `None` when that takes more than `patience` operations, or when some unknown cannot get out.
///
/// The bound on the error: taking away a state changes the chances of the others by a factor of at most
/// `1 + (entries + 4) * UNIT` each, and chances that are off by such factors change a solution, which is a quotient of
/// sums of products of at most n chances, by the factor to the power of 2n (O'Cinneide 1993).
pub(crate) fn eliminate<N: Number, const K: usize>(
    mut rows: Vec<Row<N, K>>,
    patience: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Solved<N, K>>, Stop> {
    let n = rows.len();
    let mut elimination = Elimination::new(&rows);
    let mut order = Vec::with_capacity(n);
    let (mut work, mut ticked, mut spread) = (0_u64, 0_u64, 1.0_f64);
    let mut fill: usize = rows.iter().map(|row| row.entries.len()).sum();
    while let Some(state) = elimination.next(&rows) {
        let row = std::mem::replace(
            &mut rows[state as usize],
            Row { entries: Vec::new(), exit: N::ZERO, right: [const { N::ZERO }; K] },
        );
        let mut leave = row.exit.clone();
        row.entries.iter().for_each(|(_, chance)| leave.add(chance));
        if leave.is_zero() {
            return Ok(None);
        }
        spread += row.entries.len() as f64 + 5.0;
        let before = work;
        let effort = leave.effort();
        work += effort * elimination.take(state, &row, &leave, &mut rows, &mut fill);
        if work > patience || patience < u64::MAX && fill > FILL {
            return Ok(None);
        }
        if work - ticked > TICK || work - before > TICK {
            ticked = work;
            meter.tick(fill as u64 * (8 + leave.bytes()))?;
        }
        order.push((state, row, leave));
    }
    let mut values = vec![[const { N::ZERO }; K]; n];
    let (mut ticked, mut held) = (work, 0_u64);
    for (state, row, leave) in order.into_iter().rev() {
        let mut value = row.right;
        for (target, chance) in &row.entries {
            for (sum, other) in value.iter_mut().zip(&values[*target as usize]) {
                sum.add_product(chance, other);
            }
        }
        values[state as usize] = value.map(|value| value.over(&leave));
        held += N::bytes_of(&values[state as usize]);
        work += leave.effort() * (row.entries.len() as u64 + 1);
        if work - ticked > TICK {
            ticked = work;
            meter.tick(held + fill as u64 * (8 + leave.bytes()))?;
        }
    }
    Ok(Some(Solved { values, error: 4.0 * n as f64 * spread * UNIT, work }))
}

struct Elimination {
    /// Per state: those whose rows mention it, and perhaps some that no longer do.
    sources: Vec<Vec<u32>>,
    done: Vec<bool>,
    /// By the work of taking a state away, perhaps out of date.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Elimination {
    fn new<N: Number, const K: usize>(rows: &[Row<N, K>]) -> Self {
        let mut sources = vec![Vec::new(); rows.len()];
        for (source, row) in (0_u32..).zip(rows) {
            row.entries.iter().for_each(|(target, _)| sources[*target as usize].push(source));
        }
        let mut elimination = Self { sources, done: vec![false; rows.len()], queue: BinaryHeap::new() };
        for (state, row) in (0_u32..).zip(rows) {
            let cost = elimination.cost(state, row);
            elimination.queue.push(Reverse((cost, state)));
        }
        elimination
    }

    fn cost<N, const K: usize>(&self, state: u32, row: &Row<N, K>) -> u64 {
        self.sources[state as usize].len() as u64 * (row.entries.len() as u64 + 1)
    }

    /// The state whose turn it is: one that is cheap to take away, so that few new entries come up.
    fn next<N, const K: usize>(&mut self, rows: &[Row<N, K>]) -> Option<u32> {
        loop {
            let Reverse((cost, state)) = self.queue.pop()?;
            if self.done[state as usize] {
                continue;
            }
            let now = self.cost(state, &rows[state as usize]);
            if now > cost.saturating_mul(2) {
                self.queue.push(Reverse((now, state)));
                continue;
            }
            self.done[state as usize] = true;
            return Some(state);
        }
    }

    /// Leads everybody past `state`. Says how many operations that took.
    fn take<N: Number, const K: usize>(
        &mut self,
        state: u32,
        row: &Row<N, K>,
        leave: &N,
        rows: &mut [Row<N, K>],
        fill: &mut usize,
    ) -> u64 {
        let mut work = 1;
        for source in std::mem::take(&mut self.sources[state as usize]) {
            if self.done[source as usize] {
                continue;
            }
            let own = &mut rows[source as usize];
            let Ok(at) = own.entries.binary_search_by_key(&state, |entry| entry.0) else { continue };
            *fill -= own.entries.len();
            let factor = own.entries.remove(at).1.over(leave);
            own.exit.add(&factor.times(&row.exit));
            for (sum, right) in own.right.iter_mut().zip(&row.right) {
                sum.add(&factor.times(right));
            }
            own.entries = self.merged(std::mem::take(&mut own.entries), &row.entries, &factor, source);
            *fill += own.entries.len();
            work += (own.entries.len() + row.entries.len() + K) as u64;
        }
        work
    }

    /// Entries and a multiple of others. What leads back to the source itself is left out.
    fn merged<N: Number>(
        &mut self,
        own: Vec<(u32, N)>,
        others: &[(u32, N)],
        factor: &N,
        source: u32,
    ) -> Vec<(u32, N)> {
        let mut merged = Vec::with_capacity(own.len() + others.len());
        let mut own = own.into_iter().peekable();
        for (target, chance) in others.iter().filter(|(target, _)| *target != source) {
            while let Some(entry) = own.next_if(|entry| entry.0 < *target) {
                merged.push(entry);
            }
            let product = factor.times(chance);
            if let Some((_, mut sum)) = own.next_if(|entry| entry.0 == *target) {
                sum.add(&product);
                merged.push((*target, sum));
            } else {
                merged.push((*target, product));
                self.sources[*target as usize].push(source);
            }
        }
        merged.extend(own);
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exploration::limits::Limits;

    fn solve(rows: Vec<Row<f64, 1>>, patience: u64) -> Option<Solved<f64, 1>> {
        let (limits, mut watch) = (Limits::default(), |_| {});
        eliminate(rows, patience, &mut Meter::new(&limits, &mut watch)).unwrap()
    }

    fn row(entries: &[(u32, f64)], exit: f64, right: f64) -> Row<f64, 1> {
        Row { entries: entries.to_vec(), exit, right: [right] }
    }

    /// x = 1/2 y + 1/2, y = 1/3 x: x = 3/5, y = 1/5.
    #[test]
    fn two_equations_have_their_solution() {
        let rows = || vec![row(&[(1, 0.5)], 0.5, 0.5), row(&[(0, 1.0 / 3.0)], 2.0 / 3.0, 0.0)];
        let solved = solve(rows(), u64::MAX).unwrap();
        assert!((solved.values[0][0] - 0.6).abs() < 1e-15 && (solved.values[1][0] - 0.2).abs() < 1e-15);
        assert!(solved.error < 1e-12);
        assert!(solve(rows(), 0).is_none());
    }

    #[test]
    fn equations_that_nobody_gets_out_of_have_no_solution() {
        assert!(solve(vec![row(&[(1, 1.0)], 0.0, 0.0), row(&[(0, 1.0)], 0.0, 0.0)], u64::MAX).is_none());
    }

    /// One minus the chance to stay would lose all digits here.
    #[test]
    fn a_tiny_chance_to_get_out_keeps_its_precision() {
        let rows = vec![row(&[(1, 1.0)], 1e-20, 1e-20), row(&[(0, 1.0)], 3e-20, 0.0)];
        let value = solve(rows, u64::MAX).unwrap().values[0][0];
        assert!((value - 0.25).abs() < 1e-15, "{value}");
    }
}
