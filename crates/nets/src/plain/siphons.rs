//! Siphons and traps (Commoner 1972): sets of places that stay empty once they are empty, and sets that stay marked once
//! they are marked.
//!
//! A read arc takes a token and gives it back. Inhibitor arcs and capacities only disable transitions, so they change nothing
//! about which sets are siphons and traps, but they do spoil Commoner's condition for a net that never gets stuck.

use std::collections::BTreeSet;

use crate::plain::PlainNet;
use crate::plain::invariants::{Limit, TooMany};

/// A set of places, in order.
pub type Places = Vec<usize>;

/// What transitions take from and give to, as sets.
struct Flow {
    /// Per transition: places it takes or reads from.
    pre: Vec<BTreeSet<usize>>,
    /// Per transition: places it gives to or reads from.
    post: Vec<BTreeSet<usize>>,
    /// Per place: transitions that give to it.
    givers: Vec<Vec<usize>>,
    /// Per place: transitions that take from it.
    takers: Vec<Vec<usize>>,
}

impl Flow {
    fn new(net: &PlainNet) -> Self {
        let places = |lists: [&[crate::plain::Arc]; 2]| -> BTreeSet<usize> {
            lists.into_iter().flatten().map(|arc| arc.place).collect()
        };
        let transitions = &net.transitions;
        let pre: Vec<_> = transitions.iter().map(|t| places([&t.inputs, &t.reads])).collect();
        let post: Vec<_> = transitions.iter().map(|t| places([&t.outputs, &t.reads])).collect();
        let mut flow = Self {
            pre: Vec::new(),
            post: Vec::new(),
            givers: vec![Vec::new(); net.places.len()],
            takers: vec![Vec::new(); net.places.len()],
        };
        for (number, places) in post.iter().enumerate() {
            places.iter().for_each(|&place| flow.givers[place].push(number));
        }
        for (number, places) in pre.iter().enumerate() {
            places.iter().for_each(|&place| flow.takers[place].push(number));
        }
        Self { pre, post, ..flow }
    }
}

/// Whether every transition that gives to the set takes from it.
#[must_use]
pub fn is_siphon(net: &PlainNet, places: &[usize]) -> bool {
    let flow = Flow::new(net);
    let inside: BTreeSet<usize> = places.iter().copied().collect();
    (0..net.transitions.len()).all(|t| flow.post[t].is_disjoint(&inside) || !flow.pre[t].is_disjoint(&inside))
}

/// Whether every transition that takes from the set gives to it.
#[must_use]
pub fn is_trap(net: &PlainNet, places: &[usize]) -> bool {
    let flow = Flow::new(net);
    let inside: BTreeSet<usize> = places.iter().copied().collect();
    (0..net.transitions.len()).all(|t| flow.pre[t].is_disjoint(&inside) || !flow.post[t].is_disjoint(&inside))
}

/// All siphons that contain no smaller one, in order.
///
/// # Errors
/// [`TooMany`] when there are more than the limit, or on the way to them.
pub fn minimal_siphons(net: &PlainNet, limit: Limit) -> Result<Vec<Places>, TooMany> {
    let flow = Flow::new(net);
    let mut search = Search { flow: &flow, found: Vec::new(), limit, left: limit.work };
    let mut closed = BTreeSet::new();
    for place in 0..net.places.len() {
        // Siphons with an earlier place have been found, so they are left out from here on.
        search.extend(BTreeSet::from([place]), &closed)?;
        closed.insert(place);
    }
    let mut found = search.found;
    found.sort_by_key(BTreeSet::len);
    let mut minimal: Vec<BTreeSet<usize>> = Vec::new();
    for siphon in found {
        if !minimal.iter().any(|smaller| smaller.is_subset(&siphon)) {
            minimal.push(siphon);
        }
    }
    let mut minimal: Vec<Places> = minimal.into_iter().map(|siphon| siphon.into_iter().collect()).collect();
    minimal.sort();
    Ok(minimal)
}

struct Search<'a> {
    flow: &'a Flow,
    found: Vec<BTreeSet<usize>>,
    limit: Limit,
    left: u64,
}

impl Search<'_> {
    /// Finds the siphons that contain `start` and avoid `closed`: as long as a transition gives to the set without taking
    /// from it, one of the places it takes from is added, each in turn.
    fn extend(&mut self, start: BTreeSet<usize>, closed: &BTreeSet<usize>) -> Result<(), TooMany> {
        let refused = TooMany { limit: self.limit };
        let mut waiting = vec![(start, closed.clone())];
        while let Some((set, mut closed)) = waiting.pop() {
            let cost = 1 + set.len() as u64 + closed.len() as u64 / 16;
            self.left = self.left.checked_sub(cost).ok_or(refused)?;
            if waiting.len() > self.limit.results || self.found.len() > self.limit.results {
                return Err(refused);
            }
            if self.found.iter().any(|found| found.is_subset(&set)) {
                continue;
            }
            let open = set.iter().flat_map(|&place| &self.flow.givers[place]);
            let mut open = open.filter(|&&t| self.flow.pre[t].is_disjoint(&set));
            // The transition with the fewest places to choose from leads astray least.
            let next = open.by_ref().min_by_key(|&&t| self.flow.pre[t].difference(&closed).count());
            let Some(&transition) = next else {
                self.found.push(set);
                continue;
            };
            let choices: Vec<usize> = self.flow.pre[transition].difference(&closed).copied().collect();
            let mut branches = Vec::with_capacity(choices.len());
            for place in choices {
                let mut larger = set.clone();
                larger.insert(place);
                branches.push((larger, closed.clone()));
                // The other branches do without this place.
                closed.insert(place);
            }
            branches.reverse();
            waiting.extend(branches);
        }
        Ok(())
    }
}

/// The largest trap inside a set of places: what is left when places are removed that lose tokens out of the set.
#[must_use]
pub fn largest_trap(net: &PlainNet, places: &[usize]) -> Places {
    let flow = Flow::new(net);
    let mut inside: BTreeSet<usize> = places.iter().copied().collect();
    loop {
        let leaks = |place: usize| flow.takers[place].iter().any(|&t| flow.post[t].is_disjoint(&inside));
        let leaking: Vec<usize> = inside.iter().copied().filter(|&place| leaks(place)).collect();
        if leaking.is_empty() {
            return inside.into_iter().collect();
        }
        leaking.iter().for_each(|place| {
            inside.remove(place);
        });
    }
}

/// Commoner's condition on a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commoner {
    /// The minimal siphons with the largest trap inside each.
    pub siphons: Vec<(Places, Places)>,
    /// The siphons, by number, whose largest trap holds no token at the start.
    pub unguarded: Vec<usize>,
    /// What the condition proves here.
    pub proof: Proof,
}

/// What Commoner's condition says about a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Every siphon contains a marked trap, and arcs are plain: no reachable marking is dead.
    NeverDead,
    /// Some siphon contains no marked trap, so nothing follows.
    Unguarded,
    /// Weights, inhibitor arcs or capacities: siphons and traps are what they are, but nothing follows.
    NotOrdinary,
}

/// Checks whether every siphon contains a trap that is marked at the start.
///
/// # Errors
/// [`TooMany`] when there are more siphons than the limit, or on the way to them.
pub fn commoner(net: &PlainNet, limit: Limit) -> Result<Commoner, TooMany> {
    let siphons = minimal_siphons(net, limit)?;
    let siphons: Vec<(Places, Places)> = siphons
        .into_iter()
        .map(|siphon| {
            let trap = largest_trap(net, &siphon);
            (siphon, trap)
        })
        .collect();
    let marked = |places: &[usize]| places.iter().any(|&place| net.places[place].initial > 0);
    let unguarded: Vec<usize> = (0..siphons.len()).filter(|&number| !marked(&siphons[number].1)).collect();
    let proof = match (is_ordinary(net), unguarded.is_empty()) {
        (false, _) => Proof::NotOrdinary,
        (true, true) if !net.transitions.is_empty() => Proof::NeverDead,
        (true, _) => Proof::Unguarded,
    };
    Ok(Commoner { siphons, unguarded, proof })
}

/// Whether one token is enough for every arc and nothing else disables a transition.
fn is_ordinary(net: &PlainNet) -> bool {
    let plain = net.transitions.iter().all(|transition| {
        let needs = transition.inputs.iter().chain(&transition.reads).chain(&transition.outputs);
        let shared = transition
            .reads
            .iter()
            .any(|read| transition.inputs.iter().any(|input| input.place == read.place));
        transition.inhibitors.is_empty() && !shared && needs.into_iter().all(|arc| arc.weight == 1)
    });
    plain && net.places.iter().all(|place| place.capacity.is_none())
}
