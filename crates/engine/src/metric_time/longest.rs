//! The longest ways through a part of an explored graph.
//!
//! The strongly connected components of the part are found (Tarjan 1972, without recursion), last ones first, so that the
//! longest way from each is known when it is needed. Where a round takes time there is no longest way. A round that takes no
//! time makes nothing longer, but a run may stay in it for ever.

use std::collections::VecDeque;

use hashbrown::HashMap;
use motet_evidence::{Fairness, Stop, Taken};
use motet_model::{SubjectId, TimeUnit};
use rustc_hash::FxBuildHasher;

use crate::exploration::graph::{Graph, Rows};
use crate::exploration::limits::Meter;
use crate::linear_time::compassion::Region;
use crate::storage::bits::Bits;

/// Between two looks at the clock, in states.
const TICK: usize = 4096;
/// How long an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// As long as its step takes.
    Delay,
    /// The same, of how long something that is counted lasts: the number at which a state is left is the next one's, so that the
    /// last step out of what lasts is one shorter.
    Stay,
    /// One, on models whose time is nothing but their steps.
    One,
}

impl Weight {
    /// How edges are weighed on a model whose delays count this.
    pub(crate) fn of(unit: TimeUnit) -> Self {
        if unit == TimeUnit::Steps { Self::One } else { Self::Delay }
    }

    pub(crate) fn edge(self, rows: &Rows, edge: u32) -> u64 {
        match self {
            Self::Delay | Self::Stay => u64::from(rows.delay(edge)),
            Self::One => 1,
        }
    }

    /// The same for an edge that leads out of the part of the graph whose longest ways are looked for.
    pub(crate) fn way_out(self, rows: &Rows, edge: u32) -> u64 {
        let length = self.edge(rows, edge);
        if self == Self::Stay { length.saturating_sub(1) } else { length }
    }

    /// The length of a part of a run.
    pub(crate) fn steps(self, steps: &[Taken]) -> u64 {
        match self {
            Self::Delay | Self::Stay => steps.iter().map(|taken| u64::from(taken.delay)).sum(),
            Self::One => steps.len() as u64,
        }
    }
}

/// No way is the longest.
pub(crate) const ENDLESS: u64 = u64::MAX;

/// A walk along the longest ways.
pub(crate) struct Walk<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) rows: &'a Rows,
    pub(crate) inside: &'a dyn Fn(usize) -> bool,
    pub(crate) longest: &'a [u64],
    pub(crate) weight: Weight,
}

/// How a walk goes on.
pub(crate) enum Next {
    /// Along these edges, of which the last one takes time or leaves the part.
    Edges(Vec<u32>),
    /// Along these edges in no time to a state that is never left.
    Stays(Vec<u32>),
}

impl Walk<'_> {
    /// How much an edge adds to the way.
    pub(crate) fn length(&self, edge: u32) -> u64 {
        match (self.inside)(self.rows.target(edge) as usize) {
            true => self.weight.edge(self.rows, edge),
            false => self.weight.way_out(self.rows, edge),
        }
    }

    /// The nearest step that takes time or leaves the part, and lies on a longest way from `from`; steps before it take no
    /// time.
    pub(crate) fn on(&self, from: u32) -> Option<Next> {
        let wanted = self.longest[from as usize];
        let mut before: HashMap<u32, (u32, u32), FxBuildHasher> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            if self.graph.deadlocks.get(state as usize) {
                return Some(Next::Stays(edges_to(&before, state, None)));
            }
            for edge in self.rows.row(state) {
                let (target, delay) = (self.rows.target(edge), self.length(edge));
                let rest = if (self.inside)(target as usize) { self.longest[target as usize] } else { 0 };
                if rest.saturating_add(delay) != wanted {
                    continue;
                }
                if delay > 0 || !(self.inside)(target as usize) {
                    return Some(Next::Edges(edges_to(&before, state, Some(edge))));
                }
                if target != from && !before.contains_key(&target) {
                    before.insert(target, (edge, state));
                    queue.push_back(target);
                }
            }
        }
        None
    }
}

/// The edges to a state, and one more.
fn edges_to(before: &HashMap<u32, (u32, u32), FxBuildHasher>, state: u32, last: Option<u32>) -> Vec<u32> {
    let back = |&(_, state): &(u32, u32)| before.get(&state).copied();
    let way = std::iter::successors(before.get(&state).copied(), back).map(|(edge, _)| edge);
    let mut edges: Vec<u32> = last.into_iter().chain(way).collect();
    edges.reverse();
    edges
}

/// What a round in no time means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounds {
    /// The answer never comes.
    Never,
    /// Nothing: no time passes.
    Nothing,
}

/// The longest ways through a part of a graph.
pub(crate) struct Ways<'a> {
    graph: &'a Graph,
    rows: &'a Rows,
    inside: &'a dyn Fn(usize) -> bool,
    rounds: Rounds,
    fairness: Fairness,
    weight: Weight,
    /// Per state: in the order of discovery from 1; 0 is not seen.
    number: Vec<u32>,
    low: Vec<u32>,
    done: Bits,
    longest: Vec<u64>,
    stack: Vec<u32>,
    /// Some round was left out because it is unfair to stay in it.
    unfair: bool,
}

impl<'a> Ways<'a> {
    pub(crate) fn new(
        graph: &'a Graph,
        inside: &'a dyn Fn(usize) -> bool,
        rounds: Rounds,
        fairness: Fairness,
        weight: Weight,
    ) -> Self {
        let n = graph.n_states();
        Self {
            graph,
            rows: graph.rows.as_ref().expect("margins are measured on a graph with edges"),
            inside,
            rounds,
            fairness,
            weight,
            number: vec![0; n],
            low: vec![0; n],
            done: Bits::zeros(n),
            longest: vec![0; n],
            stack: Vec::new(),
            unfair: false,
        }
    }

    /// Per state the longest way, and whether some round was left out.
    pub(crate) fn run(mut self, meter: &mut Meter<'_>) -> Result<(Vec<u64>, bool), Stop> {
        let n = self.number.len();
        let (mut counter, mut frames) = (0, Vec::new());
        for root in 0..n {
            if self.number[root] == 0 && (self.inside)(root) {
                frames.push((narrow(root), 0));
            }
            while let Some((state, cursor)) = frames.pop() {
                let at = state as usize;
                if cursor == 0 {
                    counter += 1;
                    (self.number[at], self.low[at]) = (counter, counter);
                    self.stack.push(state);
                    if (counter as usize).is_multiple_of(TICK) {
                        meter.tick(self.graph.bytes() + 17 * n as u64 + 8 * frames.capacity() as u64)?;
                    }
                }
                let row = self.rows.row(state);
                if row.start + cursor < row.end {
                    frames.push((state, cursor + 1));
                    let target = self.rows.target(row.start + cursor);
                    if !(self.inside)(target as usize) {
                        continue;
                    }
                    if self.number[target as usize] == 0 {
                        frames.push((target, 0));
                    } else if !self.done.get(target as usize) {
                        self.low[at] = self.low[at].min(self.number[target as usize]);
                    }
                } else {
                    self.leave(state, frames.last().map(|frame| frame.0), meter)?;
                }
            }
        }
        Ok((self.longest, self.unfair))
    }

    fn leave(&mut self, state: u32, parent: Option<u32>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let at = state as usize;
        if let Some(parent) = parent {
            self.low[parent as usize] = self.low[parent as usize].min(self.low[at]);
        }
        if self.low[at] != self.number[at] {
            return Ok(());
        }
        let first = self.stack.iter().rposition(|&known| known == state);
        let members = self.stack.split_off(first.expect("a root is on the stack until it is left"));
        let longest = self.longest_from(&members, meter)?;
        for &member in &members {
            self.longest[member as usize] = longest;
            self.done.insert(member as usize);
        }
        Ok(())
    }

    /// The longest way from a component whose successors are known. Its members are on no stack and not done.
    fn longest_from(&mut self, members: &[u32], meter: &mut Meter<'_>) -> Result<u64, Stop> {
        let root = self.number[members[0] as usize];
        let (mut longest, mut turns) = (0, false);
        for &member in members {
            let row = self.rows.row(member);
            if row.is_empty() {
                return Ok(ENDLESS);
            }
            for edge in row {
                let (target, delay) = (self.rows.target(edge) as usize, self.weight.edge(self.rows, edge));
                let within = (self.inside)(target);
                if within && !self.done.get(target) && self.number[target] >= root {
                    turns = true;
                    if delay > 0 {
                        return Ok(ENDLESS);
                    }
                } else if within {
                    longest = longest.max(self.longest[target].saturating_add(delay));
                } else {
                    longest = longest.max(self.weight.way_out(self.rows, edge));
                }
            }
        }
        if turns && self.rounds == Rounds::Never {
            if self.can_stay(members, meter)? {
                return Ok(ENDLESS);
            }
            self.unfair = true;
        }
        Ok(longest)
    }

    /// Whether a run that counts can stay among these states for ever.
    fn can_stay(&self, members: &[u32], meter: &mut Meter<'_>) -> Result<bool, Stop> {
        match self.fairness {
            Fairness::None => Ok(true),
            Fairness::Weak => Ok(self.is_weakly_fair(members)),
            Fairness::Strong => {
                let parts = self.region(members).parts(0, self.graph.bytes(), meter)?;
                Ok(!parts.fair.is_empty())
            }
        }
    }

    /// These states with the steps among them.
    fn region(&self, members: &[u32]) -> Region {
        let numbers: HashMap<u32, u32, FxBuildHasher> = members.iter().copied().zip(0..).collect();
        let mut region = Region::default();
        for &member in members {
            let row = self.rows.row(member);
            for edge in row.clone() {
                if let Some(&target) = numbers.get(&self.rows.target(edge)) {
                    region.edge(target, Some(self.rows.subject(edge)), 0);
                }
            }
            region.close(row.map(|edge| self.rows.subject(edge)));
        }
        region
    }

    /// Whether a run that stays among these states for ever can be weakly fair.
    fn is_weakly_fair(&self, members: &[u32]) -> bool {
        let starved = |subject: SubjectId| {
            let moves_inside = |edge: u32| {
                let target = self.rows.target(edge) as usize;
                (self.inside)(target) && !self.done.get(target)
            };
            members.iter().all(|&member| {
                let mut own = self.rows.row(member).filter(|&edge| self.rows.subject(edge) == subject);
                let first = own.next();
                first.is_some() && !first.into_iter().chain(own).any(moves_inside)
            })
        };
        // Only a subject that has a step in every state can be starved.
        !self.rows.row(members[0]).map(|edge| self.rows.subject(edge)).any(starved)
    }
}

pub(crate) fn narrow(state: usize) -> u32 {
    u32::try_from(state).expect("states are numbered with 32 bits")
}
