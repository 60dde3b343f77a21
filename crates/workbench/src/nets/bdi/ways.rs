//! The firing sequences of an agent that lead to a goal, shorter ones first.
//!
//! All runs in which an agent has fired the same sequence so far are followed at once. A firing that leads only to where
//! the agent could have been earlier in the same sequence is a detour and not taken, so no run here has a cycle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::followed::{Followed, Spot};

/// How many places of runs are looked at, over all sequences, before the search is given up.
const LIMIT_WORK: usize = 4_000_000;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    /// Whose firings, and which transitions.
    pub(crate) found: Vec<(String, Vec<usize>)>,
    /// Whether there are more, or the search was given up.
    pub(crate) more: bool,
}

/// A sequence so far.
struct Prefix {
    before: Option<Rc<Prefix>>,
    fired: Option<usize>,
    /// Where the agent may be now, in order.
    spots: Vec<Spot>,
}

impl Prefix {
    fn contains(&self, spot: Spot) -> bool {
        let mut prefix = Some(self);
        while let Some(one) = prefix {
            if one.spots.binary_search(&spot).is_ok() {
                return true;
            }
            prefix = one.before.as_deref();
        }
        false
    }

    fn firings(&self) -> Vec<usize> {
        let mut firings = Vec::new();
        let mut prefix = Some(self);
        while let Some(one) = prefix {
            firings.extend(one.fired);
            prefix = one.before.as_deref();
        }
        firings.reverse();
        firings
    }
}

impl Ways {
    /// The ways to a goal, at most so many.
    pub(crate) fn to(followed: &Followed<'_>, goal: &str, most: usize) -> Self {
        let mut search = Search { followed, goal, hopeful: hopeful(followed, goal), work: 0 };
        let mut starts: BTreeMap<&str, BTreeSet<Spot>> = BTreeMap::new();
        for spot in followed.starts() {
            if search.hopeful.contains(&spot) {
                starts.entry(&followed.beliefs[spot.belief].agent).or_default().insert(spot);
            }
        }
        let mut ways = Self::default();
        let mut open: VecDeque<(&str, Rc<Prefix>)> = VecDeque::new();
        for (agent, spots) in starts {
            open.push_back((agent, Rc::new(search.closed(spots, None, None))));
        }
        while let Some((agent, prefix)) = open.pop_front() {
            if prefix.spots.iter().any(|spot| followed.is_goal(spot.belief, goal)) {
                ways.found.push((agent.to_owned(), prefix.firings()));
            }
            if ways.found.len() > most || search.work > LIMIT_WORK {
                ways.found.truncate(most);
                ways.more = true;
                return ways;
            }
            for (fired, spots) in search.fired(&prefix) {
                let next = search.closed(spots, Some(fired), Some(Rc::clone(&prefix)));
                open.push_back((agent, Rc::new(next)));
            }
        }
        ways
    }
}

struct Search<'a> {
    followed: &'a Followed<'a>,
    goal: &'a str,
    /// From where the goal can be reached.
    hopeful: BTreeSet<Spot>,
    work: usize,
}

impl Search<'_> {
    /// With everything that happens without a firing of the agent, up to the goal.
    fn closed(
        &mut self,
        mut spots: BTreeSet<Spot>,
        fired: Option<usize>,
        before: Option<Rc<Prefix>>,
    ) -> Prefix {
        let mut open: Vec<Spot> = spots.iter().copied().collect();
        while let Some(spot) = open.pop() {
            self.work += 1;
            if self.followed.is_goal(spot.belief, self.goal) {
                continue;
            }
            for (_, next) in self.followed.next(spot).into_iter().filter(|(fired, _)| fired.is_none()) {
                let known = before.as_ref().is_some_and(|before| before.contains(next));
                if !known && self.hopeful.contains(&next) && spots.insert(next) {
                    open.push(next);
                }
            }
        }
        Prefix { before, fired, spots: spots.into_iter().collect() }
    }

    /// Where each firing of the agent leads that is no detour.
    fn fired(&mut self, prefix: &Prefix) -> BTreeMap<usize, BTreeSet<Spot>> {
        let mut all: BTreeMap<usize, BTreeSet<Spot>> = BTreeMap::new();
        for spot in &prefix.spots {
            self.work += 1;
            if self.followed.is_goal(spot.belief, self.goal) {
                continue;
            }
            for (fired, next) in self.followed.next(*spot) {
                if let Some(fired) = fired
                    && self.hopeful.contains(&next)
                    && !prefix.contains(next)
                {
                    all.entry(fired).or_default().insert(next);
                }
            }
        }
        all
    }
}

/// The spots from which the goal can be reached.
fn hopeful(followed: &Followed<'_>, goal: &str) -> BTreeSet<Spot> {
    let mut before: BTreeMap<Spot, Vec<Spot>> = BTreeMap::new();
    let mut open = Vec::new();
    for spot in followed.spots() {
        if followed.is_goal(spot.belief, goal) {
            open.push(spot);
            continue;
        }
        for (_, next) in followed.next(spot) {
            before.entry(next).or_default().push(spot);
        }
    }
    let mut hopeful: BTreeSet<Spot> = open.iter().copied().collect();
    while let Some(spot) = open.pop() {
        for &earlier in before.get(&spot).map_or(&[][..], Vec::as_slice) {
            if hopeful.insert(earlier) {
                open.push(earlier);
            }
        }
    }
    hopeful
}
