//! The operators of CTL by fixpoints on the graph (Clarke, Emerson and Sistla 1986), each linear in its size.
//!
//! They count all runs. With fairness `E X` and `E U` are the same, because every finite run goes on to a fair one; `E G`
//! and `E R` are not, and are left to automata.

use motet_evidence::Stop;
use motet_model::{AtomId, TimeUnit};
use motet_property::{Formula, Path};

use super::is_state_formula;
use super::reverse::{Reverse, rows};
use crate::bits::Bits;
use crate::graph::Graph;
use crate::limits::Meter;
use crate::linear::{Sign, Unsupported, check_plain, state};

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
        let plain = |path: &Path<AtomId>| is_state_formula(path).then(|| state(path));
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
            (Path::Until(when, a, b), Sign::Plain) | (Path::Release(when, a, b), Sign::Negated) => {
                let (a, b) = (one(a)?, one(b)?);
                when.is_unbounded().then_some(Self::Until(a, b))
            }
            (Path::Release(when, a, b), Sign::Plain) | (Path::Until(when, a, b), Sign::Negated) => {
                let (a, b) = (one(a)?, one(b)?);
                when.is_unbounded().then_some(Self::Release(a, b))
            }
            (Path::Weak(when, a, b), _) => {
                // a W b = b R (a | b)
                let (a, b) = (plain(a)?, plain(b)?);
                let either = Formula::Or(Box::new(a), Box::new(b.clone()));
                let (left, right) = (signed(b, sign), signed(either, sign));
                when.is_unbounded().then_some(match sign {
                    Sign::Plain => Self::Release(left, right),
                    Sign::Negated => Self::Until(left, right),
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
        match self {
            Self::Now(a) => holds(a, meter),
            Self::Next(a) => Ok(before(graph, &holds(a, meter)?)),
            Self::Until(a, b) => Ok(until(reverse, &holds(a, meter)?, holds(b, meter)?)),
            Self::Always(a) => Ok(always(graph, reverse, holds(a, meter)?)),
            Self::Release(a, b) => {
                let (a, b) = (holds(a, meter)?, holds(b, meter)?);
                let released = until(reverse, &b, a.and(&b));
                Ok(released.or(&always(graph, reverse, b)))
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

/// `E X`: the states with a successor in `goal`. A deadlock is its own successor.
fn before(graph: &Graph, goal: &Bits) -> Bits {
    let rows = rows(graph);
    let mut found = graph.deadlocks.and(goal);
    for state in 0..graph.n_states() {
        let mut row = rows.row(narrow(state));
        if row.any(|edge| goal.get(rows.target(edge) as usize)) {
            found.insert(state);
        }
    }
    found
}

/// `E U`: backwards from `goal` through `way`.
fn until(reverse: &Reverse, way: &Bits, goal: Bits) -> Bits {
    let mut waiting: Vec<u32> = goal.ones().map(narrow).collect();
    let mut found = goal;
    while let Some(state) = waiting.pop() {
        for &source in reverse.before(state) {
            if way.get(source as usize) && found.insert(source as usize) {
                waiting.push(source);
            }
        }
    }
    found
}

/// `E G`: a state stays while it has a successor that stays.
fn always(graph: &Graph, reverse: &Reverse, mut kept: Bits) -> Bits {
    let rows = rows(graph);
    let n = graph.n_states();
    let mut ways = vec![0_u32; n];
    let mut waiting = Vec::new();
    for state in kept.ones() {
        let stays = rows.row(narrow(state)).filter(|&edge| kept.get(rows.target(edge) as usize)).count();
        ways[state] = narrow(stays) + u32::from(graph.deadlocks.get(state));
        if ways[state] == 0 {
            waiting.push(narrow(state));
        }
    }
    for &state in &waiting {
        kept.remove(state as usize);
    }
    while let Some(state) = waiting.pop() {
        for &source in reverse.before(state) {
            if kept.get(source as usize) {
                ways[source as usize] -= 1;
                if ways[source as usize] == 0 {
                    kept.remove(source as usize);
                    waiting.push(source);
                }
            }
        }
    }
    kept
}

fn narrow(state: usize) -> u32 {
    u32::try_from(state).expect("states and edges are numbered with 32 bits")
}
