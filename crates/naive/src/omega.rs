//! Automata on words that repeat, by following every way.

use std::collections::BTreeSet;

use motet_model::AtomId;
use motet_property::Omega;

use crate::word::Word;

/// A state of the automaton and a position of the word.
type Place = (u32, usize);

impl Word {
    /// Whether the automaton accepts the word from position `at` on: some place is reached again after edges of every set.
    #[must_use]
    pub fn is_accepted(&self, omega: &Omega<AtomId>, at: usize) -> bool {
        let starts: BTreeSet<Place> = omega.starts.iter().map(|&start| (start, at)).collect();
        let reached = self.reach(omega, starts);
        reached.iter().any(|&place| {
            // Around from here, remembering which sets were met on the way.
            let mut seen: BTreeSet<(Place, u32)> = BTreeSet::new();
            let mut waiting = vec![(place, 0)];
            while let Some((now, met)) = waiting.pop() {
                for (sets, next) in self.moves(omega, now) {
                    let met = met | sets;
                    if next == place && met == omega.all_sets() {
                        return true;
                    }
                    if seen.insert((next, met)) {
                        waiting.push((next, met));
                    }
                }
            }
            false
        })
    }

    fn reach(&self, omega: &Omega<AtomId>, starts: BTreeSet<Place>) -> BTreeSet<Place> {
        let mut waiting: Vec<Place> = starts.iter().copied().collect();
        let mut reached = starts;
        while let Some(place) = waiting.pop() {
            for (_, next) in self.moves(omega, place) {
                if reached.insert(next) {
                    waiting.push(next);
                }
            }
        }
        reached
    }

    fn moves(&self, omega: &Omega<AtomId>, (state, at): Place) -> Vec<(u32, Place)> {
        let next = if at + 1 == self.letters.len() { self.back } else { at + 1 };
        let holds = |number: u32| self.holds(&omega.propositions[number as usize], at);
        let edges = omega.edges[state as usize].iter().filter(|edge| edge.guard.admits(&holds));
        edges.map(|edge| (edge.sets, (edge.target, next))).collect()
    }
}
