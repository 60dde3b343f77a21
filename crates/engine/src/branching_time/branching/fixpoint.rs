//! The operators of CTL by fixpoints on the graph (Clarke, Emerson and Sistla 1986), each linear in its size.
//!
//! They count all runs. With fairness `E X` and `E U` are the same, because every finite run goes on to a fair one; `E G`
//! and `E R` are not, and are left to automata.

use std::sync::atomic::{AtomicU32, Ordering};

use motet_evidence::Stop;
use motet_model::{AtomId, TimeUnit};
use motet_property::{Basic, Formula, Path};

use super::reverse::{Reverse, rows};
use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::exploration::threads::{LARGE, SharedBits, exhaust, ranges, together};
use crate::linear_time::linear::{Sign, Unsupported, check_plain, state};
use crate::storage::bits::Bits;

/// Finds the states of a state formula.
pub(crate) type States<'a> = dyn FnMut(&Formula<AtomId>, &mut Meter<'_>) -> Result<Bits, Stop> + 'a;

/// An operator over state formulas, under "some run".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Now(Formula<AtomId>),
    Next(Formula<AtomId>),
    Until(Formula<AtomId>, Formula<AtomId>),
    Always(Formula<AtomId>),
    /// The right up to and including the point where the left holds; for ever if it never does.
    Release(Formula<AtomId>, Formula<AtomId>),
}

impl Operator {
    /// The operator that a path formula (or its negation) is; `None` if it is more than one operator.
    pub(crate) fn of(path: &Path<AtomId>, sign: Sign) -> Option<Self> {
        let plain = |path: &Path<AtomId>| path.is_state().then(|| state(path));
        let one = |path: &Path<AtomId>| plain(path).map(|formula| signed(formula, sign));
        if let Some(formula) = one(path) {
            return Some(Self::Now(formula));
        }
        match (path, sign) {
            (Path::Not(a), _) => Self::of(a, sign.flip()),
            (Path::Next(a), _) => one(a).map(Self::Next),
            (Path::Eventually(when, a), Sign::Plain) | (Path::Always(when, a), Sign::Negated) => {
                let goal = one(a)?;
                when.is_unbounded().then_some(Self::Until(Formula::True, goal))
            }
            (Path::Always(when, a), Sign::Plain) | (Path::Eventually(when, a), Sign::Negated) => {
                let kept = one(a)?;
                when.is_unbounded().then_some(Self::Always(kept))
            }
            (Path::Until(until, when, a, b), _) => {
                let basic = until.define(plain(a)?, plain(b)?, Formula::join);
                when.is_unbounded().then(|| match (basic, sign) {
                    (Basic::Until(a, b), Sign::Plain) | (Basic::Release(a, b), Sign::Negated) => {
                        Self::Until(signed(a, sign), signed(b, sign))
                    }
                    (Basic::Release(a, b), Sign::Plain) | (Basic::Until(a, b), Sign::Negated) => {
                        Self::Release(signed(a, sign), signed(b, sign))
                    }
                })
            }
            _ => None,
        }
    }

    /// Whether a finite run shows it.
    pub(crate) fn is_finite(&self) -> bool {
        matches!(self, Self::Now(_) | Self::Next(_) | Self::Until(..))
    }

    /// Refuses formulas that cannot be evaluated state by state.
    pub(crate) fn check(&self, unit: TimeUnit) -> Result<(), Unsupported> {
        match self {
            Self::Now(a) | Self::Next(a) | Self::Always(a) => check_plain(a, unit),
            Self::Until(a, b) | Self::Release(a, b) => {
                check_plain(a, unit).and_then(|()| check_plain(b, unit))
            }
        }
    }

    /// The states from which some run satisfies the operator; `holds` finds the states of a state formula.
    pub(crate) fn states(
        &self,
        graph: &Graph,
        reverse: &Reverse,
        holds: &mut States<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Bits, Stop> {
        meter.tick(graph.bytes() + reverse.bytes())?;
        let crew = Crew { graph, reverse };
        match self {
            Self::Now(a) => holds(a, meter),
            Self::Next(a) => Ok(crew.before(&holds(a, meter)?, meter.threads())),
            Self::Until(a, b) => {
                let (a, b) = (holds(a, meter)?, holds(b, meter)?);
                crew.until(&a, &b, meter)
            }
            Self::Always(a) => {
                let a = holds(a, meter)?;
                crew.always(&a, meter)
            }
            Self::Release(a, b) => {
                let (a, b) = (holds(a, meter)?, holds(b, meter)?);
                let released = crew.until(&b, &a.and(&b), meter)?;
                Ok(released.or(&crew.always(&b, meter)?))
            }
        }
    }
}

fn signed(formula: Formula<AtomId>, sign: Sign) -> Formula<AtomId> {
    match sign {
        Sign::Plain => formula,
        Sign::Negated => Formula::Not(Box::new(formula)),
    }
}

/// Threads on one graph. What they find is a set, so it does not matter who finds what.
struct Crew<'a> {
    graph: &'a Graph,
    reverse: &'a Reverse,
}

impl Crew<'_> {
    /// `E X`: the states with a successor in `goal`. A deadlock is its own successor.
    fn before(&self, goal: &Bits, threads: usize) -> Bits {
        let (rows, n) = (rows(self.graph), self.graph.n_states());
        let found = SharedBits::of(&self.graph.deadlocks.and(goal), n);
        together(ranges(n, threads, LARGE), |states| {
            for state in states {
                let mut row = rows.row(narrow(state));
                if row.any(|edge| goal.get(rows.target(edge) as usize)) {
                    found.insert(state);
                }
            }
        });
        found.into_bits()
    }

    /// `E U`: backwards from `goal` through `way`.
    fn until(&self, way: &Bits, goal: &Bits, meter: &mut Meter<'_>) -> Result<Bits, Stop> {
        let found = SharedBits::of(goal, self.graph.n_states());
        let first = goal.ones().map(narrow).collect();
        self.backwards(first, meter, |state, more| {
            for &source in self.reverse.before(state) {
                if way.get(source as usize) && found.insert(source as usize) {
                    more.push(source);
                }
            }
        })?;
        Ok(found.into_bits())
    }

    /// `E G`: a state stays while it has a successor that stays.
    fn always(&self, stay: &Bits, meter: &mut Meter<'_>) -> Result<Bits, Stop> {
        let (rows, n) = (rows(self.graph), self.graph.n_states());
        meter.reserve(self.graph.bytes() + self.reverse.bytes() + 4 * n as u64)?;
        let kept = SharedBits::of(stay, n);
        // Per state: how many of its steps stay.
        let ways: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
        let gone = together(ranges(n, meter.threads(), LARGE), |states| {
            let mut gone = Vec::new();
            for state in states.filter(|&state| stay.get(state)) {
                let stays = rows.row(narrow(state)).filter(|&edge| stay.get(rows.target(edge) as usize));
                let count = narrow(stays.count()) + u32::from(self.graph.deadlocks.get(state));
                ways[state].store(count, Ordering::Relaxed);
                if count == 0 {
                    gone.push(narrow(state));
                }
            }
            gone
        });
        let gone = gone.concat();
        for &state in &gone {
            kept.remove(state as usize);
        }
        self.backwards(gone, meter, |state, more| {
            for &source in self.reverse.before(state) {
                let at = source as usize;
                // Whoever takes the last way away takes the state away, so nobody takes it away twice.
                if kept.get(at) && ways[at].fetch_sub(1, Ordering::Relaxed) == 1 {
                    kept.remove(at);
                    more.push(source);
                }
            }
        })?;
        Ok(kept.into_bits())
    }

    fn backwards(
        &self,
        first: Vec<u32>,
        meter: &mut Meter<'_>,
        work: impl Fn(u32, &mut Vec<u32>) + Sync,
    ) -> Result<(), Stop> {
        let threads = if self.graph.n_states() < LARGE { 1 } else { meter.threads() };
        exhaust(threads, first, &mut || meter.tick_again(), work)
    }
}

fn narrow(state: usize) -> u32 {
    u32::try_from(state).expect("states and edges are numbered with 32 bits")
}
