//! Linear time on chains by splitting states (Courcoubetis and Yannakakis 1995): every state is split into one where a
//! temporal part holds and one where it does not, with the chances that a run has given which of the two it is in. After
//! all temporal parts the formula is a matter of single states.

use dashu::rational::RBig;

use super::chain::Chain;
use super::linear::{Linear, Part};

/// A chain whose states are split.
struct Split {
    chain: Chain,
    /// Per node: the state it comes from.
    origin: Vec<usize>,
    /// Per node: its chance among those of the same state.
    weight: Vec<RBig>,
    /// Per node, per temporal part that was dealt with, in order.
    known: Vec<Vec<bool>>,
}

/// The chance of the formula from every state.
pub(super) fn chance(chain: &Chain, linear: &Linear) -> Vec<RBig> {
    let n = chain.rows.len();
    let temporals = linear.temporals();
    let mut split = Split {
        chain: chain.clone(),
        origin: (0..n).collect(),
        weight: vec![RBig::ONE; n],
        known: vec![Vec::new(); n],
    };
    for &part in &temporals {
        split = split.by(linear, &temporals, part);
    }
    let mut chances = vec![RBig::ZERO; n];
    for node in 0..split.origin.len() {
        let truths = split.truths(linear, &temporals, node);
        if *truths.last().expect("a formula has parts") {
            chances[split.origin[node]] += &split.weight[node];
        }
    }
    chances
}

impl Split {
    /// The truth of the parts in a node; those that were not dealt with are told false.
    fn truths(&self, linear: &Linear, temporals: &[usize], node: usize) -> Vec<bool> {
        let known = |part: usize| {
            let position = temporals.iter().position(|&temporal| temporal == part);
            self.known[node].get(position.expect("temporal parts are listed")).copied().unwrap_or(false)
        };
        linear.truths(self.origin[node], known)
    }

    fn by(&self, linear: &Linear, temporals: &[usize], part: usize) -> Self {
        let n = self.origin.len();
        let truths: Vec<Vec<bool>> = (0..n).map(|node| self.truths(linear, temporals, node)).collect();
        let column = |part: usize| -> Vec<bool> { truths.iter().map(|truths| truths[part]).collect() };
        let chances = match linear.parts[part] {
            Part::Next(a) => {
                let holds = column(a);
                let row = |node: usize| self.chain.rows[node].iter();
                let sum = |node: usize| {
                    let met = row(node).filter(|(target, _)| holds[*target]);
                    met.fold(RBig::ZERO, |sum, (_, chance)| sum + chance)
                };
                (0..n).map(sum).collect()
            }
            Part::Until(a, b) => self.chain.until(&column(a), &column(b)),
            _ => unreachable!("only temporal parts split"),
        };
        // Which truth of the part, here and in the successor, a step can have.
        let fits = |from: usize, here: bool, to: usize, there: bool| match linear.parts[part] {
            Part::Next(a) => truths[to][a] == here,
            Part::Until(a, b) => truths[from][b] || !truths[from][a] || here == there,
            _ => true,
        };
        // A step that says nothing new about the part is taken with its own chance.
        let informs = |from: usize| match linear.parts[part] {
            Part::Until(a, b) => truths[from][a] && !truths[from][b],
            _ => true,
        };
        let share = |node: usize, truth: bool| {
            if truth { chances[node].clone() } else { RBig::ONE - &chances[node] }
        };
        let both = |node: usize| [true, false].map(|truth| (node, truth));
        let nodes: Vec<(usize, bool)> =
            (0..n).flat_map(both).filter(|&(node, truth)| share(node, truth) != RBig::ZERO).collect();
        let row = |&(from, here): &(usize, bool)| {
            let mut row = Vec::new();
            for (target, chance) in &self.chain.rows[from] {
                for (number, &(to, there)) in nodes.iter().enumerate() {
                    if to == *target && fits(from, here, to, there) {
                        let scale = if informs(from) { share(from, here) } else { RBig::ONE };
                        row.push((number, chance * share(to, there) / scale));
                    }
                }
            }
            row
        };
        let longer = |&(node, truth): &(usize, bool)| {
            self.known[node].iter().copied().chain([truth]).collect::<Vec<bool>>()
        };
        Self {
            chain: Chain { rows: nodes.iter().map(row).collect() },
            origin: nodes.iter().map(|&(node, _)| self.origin[node]).collect(),
            weight: nodes.iter().map(|&(node, truth)| &self.weight[node] * share(node, truth)).collect(),
            known: nodes.iter().map(longer).collect(),
        }
    }
}
