//! Strong fairness inside a component: the parts of it in which a run can stay for ever and be fair.
//!
//! A run that visits all of a part again and again is strongly fair to a subject if the subject moves inside the part or
//! has a step in no state of it. Unlike with weak fairness a component may be unfair and have a fair part: where a subject
//! has a step but never moves inside, a fair run keeps to the states where it has none. These are left over and fall apart
//! into components again (Lichtenstein and Pnueli 1985; the acceptance of Streett 1982).

use motet_evidence::Stop;
use motet_model::SubjectId;
use rustc_hash::FxHashMap;

use crate::exploration::limits::Meter;
use crate::exploration::tarjan::components;

/// A component written out, with its own numbers for nodes and subjects.
#[derive(Debug, Default)]
pub(crate) struct Region {
    subjects: Vec<SubjectId>,
    numbers: FxHashMap<SubjectId, u32>,
    edges: Vec<Edge>,
    /// The subjects that have a step, node by node.
    enabled: Vec<u32>,
    /// Per node: where its edges and its subjects end.
    ends: Vec<(usize, usize)>,
}

/// An edge inside the region.
#[derive(Clone, Copy, Debug)]
struct Edge {
    target: u32,
    /// Who moves; [`NOBODY`] where only time passes or a deadlock repeats itself.
    subject: u32,
    /// The acceptance sets it meets.
    sets: u32,
}

const NOBODY: u32 = u32::MAX;

/// What was found in a region.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// The nodes of each part in which a run can stay for ever, meet all acceptance sets and be strongly fair.
    pub(crate) fair: Vec<Vec<u32>>,
    /// Without such a part: whom a run starves that meets all acceptance sets. Of several runs the one that starves fewest.
    pub(crate) starved: Vec<SubjectId>,
}

impl Region {
    /// Adds an edge that leaves the node which is being written.
    pub(crate) fn edge(&mut self, target: u32, subject: Option<SubjectId>, sets: u32) {
        let subject = subject.map_or(NOBODY, |subject| self.number(subject));
        self.edges.push(Edge { target, subject, sets });
    }

    /// Ends a node; these have a step there, inside the region or not.
    pub(crate) fn close(&mut self, enabled: impl Iterator<Item = SubjectId>) {
        let first = self.enabled.len();
        for subject in enabled {
            let number = self.number(subject);
            if !self.enabled[first..].contains(&number) {
                self.enabled.push(number);
            }
        }
        self.ends.push((self.edges.len(), self.enabled.len()));
    }

    fn number(&mut self, subject: SubjectId) -> u32 {
        let fresh = u32::try_from(self.subjects.len()).expect("there are no more of them than edges");
        let number = *self.numbers.entry(subject).or_insert(fresh);
        if number == fresh {
            self.subjects.push(subject);
        }
        number
    }

    fn edges(&self, node: u32) -> &[Edge] {
        let at = node as usize;
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.edges[first..self.ends[at].0]
    }

    fn enabled(&self, node: u32) -> &[u32] {
        let at = node as usize;
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before].1);
        &self.enabled[first..self.ends[at].1]
    }

    fn bytes(&self) -> u64 {
        let nodes = 16 * self.ends.capacity() + 20 * self.ends.len();
        (12 * self.edges.capacity() + 4 * self.enabled.capacity() + nodes + 16 * self.subjects.len()) as u64
    }

    /// The parts in which a run meets `all` acceptance sets and is fair. `bytes` are in use elsewhere.
    pub(crate) fn parts(&self, all: u32, bytes: u64, meter: &mut Meter<'_>) -> Result<Parts, Stop> {
        let n = u32::try_from(self.ends.len()).map_err(|_| Stop::Memory)?;
        let mut division = Division {
            region: self,
            all,
            part: vec![0; self.ends.len()],
            position: vec![0; self.ends.len()],
            n_parts: 0,
            moved: vec![0; self.subjects.len()],
            unfair: vec![0; self.subjects.len()],
        };
        let (mut found, mut starved) = (Parts::default(), None::<Vec<SubjectId>>);
        let mut waiting: Vec<Vec<u32>> = vec![(0..n).collect()];
        while let Some(nodes) = waiting.pop() {
            meter.tick(bytes + self.bytes())?;
            for part in division.split(&nodes) {
                let Some(unfair) = division.inspect(&part) else { continue };
                if unfair.is_empty() {
                    found.fair.push(part);
                    continue;
                }
                waiting.push(division.without(part));
                if starved.as_ref().is_none_or(|starved| unfair.len() < starved.len()) {
                    starved = Some(unfair);
                }
            }
        }
        if found.fair.is_empty() {
            found.starved = starved.unwrap_or_default();
            found.starved.sort_unstable();
        }
        Ok(found)
    }
}

/// A region that is being taken apart.
struct Division<'a> {
    region: &'a Region,
    all: u32,
    /// Per node: the part it is in now.
    part: Vec<u32>,
    /// Per node: where it stands in the list of nodes that is being split.
    position: Vec<u32>,
    n_parts: u32,
    /// Per subject: the last part it was seen to move in, and the last part that was unfair to it.
    moved: Vec<u32>,
    unfair: Vec<u32>,
}

impl Division<'_> {
    /// The components of these nodes.
    fn split(&mut self, nodes: &[u32]) -> Vec<Vec<u32>> {
        self.n_parts += 1;
        for (node, position) in nodes.iter().zip(0..) {
            self.part[*node as usize] = self.n_parts;
            self.position[*node as usize] = position;
        }
        // An edge out of these nodes counts as one back to its start, which joins nothing.
        let successor = |at: usize, cursor: usize| {
            let edge = self.region.edges(nodes[at]).get(cursor)?;
            let target = edge.target as usize;
            Some(if self.part[target] == self.n_parts { self.position[target] as usize } else { at })
        };
        let (component, n_components) = components(nodes.len(), successor);
        let mut parts = vec![Vec::new(); n_components as usize];
        for (node, component) in nodes.iter().zip(component) {
            parts[component as usize].push(*node);
        }
        for part in &parts {
            self.n_parts += 1;
            part.iter().for_each(|&node| self.part[node as usize] = self.n_parts);
        }
        parts
    }

    /// To whom a run is unfair that visits all of a part and meets all acceptance sets; `None` if there is no such run.
    fn inspect(&mut self, nodes: &[u32]) -> Option<Vec<SubjectId>> {
        let own = self.part[nodes[0] as usize];
        let (mut sets, mut cycle) = (0, false);
        for &node in nodes {
            for edge in self.region.edges(node) {
                if self.part[edge.target as usize] == own {
                    cycle = true;
                    sets |= edge.sets;
                    if let Some(moved) = self.moved.get_mut(edge.subject as usize) {
                        *moved = own;
                    }
                }
            }
        }
        if !cycle || sets != self.all {
            return None;
        }
        let mut unfair = Vec::new();
        for &node in nodes {
            for &subject in self.region.enabled(node) {
                let at = subject as usize;
                if self.moved[at] != own && self.unfair[at] != own {
                    self.unfair[at] = own;
                    unfair.push(self.region.subjects[at]);
                }
            }
        }
        Some(unfair)
    }

    /// The nodes of an inspected part where nobody has a step to whom it is unfair.
    fn without(&self, mut nodes: Vec<u32>) -> Vec<u32> {
        let own = self.part[nodes[0] as usize];
        let bears = |&node: &u32| {
            self.region.enabled(node).iter().all(|&subject| self.unfair[subject as usize] != own)
        };
        nodes.retain(bears);
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exploration::limits::Limits;

    /// A node: its edges (target, subject, sets), and the subjects that have a step to elsewhere.
    type Node<'a> = (&'a [(u32, u32, u32)], &'a [u32]);

    fn parts(nodes: &[Node<'_>], all: u32) -> Parts {
        let mut region = Region::default();
        for (edges, elsewhere) in nodes {
            for &(target, subject, sets) in *edges {
                region.edge(target, Some(SubjectId(subject)), sets & all);
            }
            let inside = edges.iter().map(|edge| edge.1);
            region.close(inside.chain(elsewhere.iter().copied()).map(SubjectId));
        }
        let (limits, mut watch) = (Limits::default(), |_| {});
        region.parts(all, 0, &mut Meter::new(&limits, &mut watch)).expect("no limits")
    }

    #[test]
    fn a_component_in_which_everybody_moves_is_fair() {
        let found = parts(&[(&[(1, 0, 1)], &[]), (&[(0, 1, 0)], &[])], 1);
        assert_eq!(found.fair, [[0, 1]]);
    }

    #[test]
    fn a_fair_part_keeps_away_from_those_who_never_move() {
        // 0 and 1 form a ring; at 1 subject 7 could leave; 0 has a ring of its own.
        let ring: &[Node<'_>] = &[(&[(1, 0, 0), (0, 0, 0)], &[]), (&[(0, 0, 1)], &[7])];
        assert_eq!(parts(ring, 0).fair, [[0]]);
        // If the acceptance set is met on the way back from 1 only, nothing is left.
        let none = parts(ring, 1);
        assert!(none.fair.is_empty());
        assert_eq!(none.starved, [SubjectId(7)]);
    }
}
