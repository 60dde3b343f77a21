//! Shorter loops from a found one. The search works on pairs of a state and a mode of the automaton, and the automaton may
//! need a round to make up its mind: the run it accepts then repeats states that a reader sees no reason for.

use std::collections::BTreeMap;

use motet_evidence::Fairness;
use motet_model::SubjectId;

use crate::linear_time::automata::{Automaton, Label, Transition};
use crate::linear_time::product::Product;

/// A run that goes on as from state `entry` after its last state, which is that state again; or, if that is its last
/// state, ends there.
#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    pub(crate) states: Vec<u32>,
    /// To whom each step is fair, if that matters.
    pub(crate) movers: Vec<Option<SubjectId>>,
    pub(crate) entry: usize,
}

/// Candidates that are tried; each costs a walk of the automaton along the run.
const TRIES_MAX: usize = 200;
/// Runs longer than this are only folded.
const LENGTH_MAX: usize = 2000;

/// The shortest run that can be had by leaving out detours.
pub(crate) fn shrink(product: &Product<'_>, fairness: Fairness, mut lasso: Lasso) -> Lasso {
    let mut tries = 0;
    loop {
        lasso.fold();
        if !lasso.repeats() || lasso.states.len() > LENGTH_MAX {
            return lasso;
        }
        let shorter = lasso.candidates().into_iter().find(|candidate| {
            tries += 1;
            tries <= TRIES_MAX && candidate.is_fair(product, fairness) && candidate.is_accepted(product)
        });
        match shorter {
            Some(shorter) => lasso = shorter,
            None => return lasso,
        }
    }
}

impl Lasso {
    /// Whether it has a loop; otherwise it ends.
    pub(crate) fn repeats(&self) -> bool {
        self.entry < self.movers.len()
    }

    /// `u a (v a)^w` is `u (a v)^w`: the same infinite run, told shorter.
    pub(crate) fn fold(&mut self) {
        while self.entry > 0 && self.repeats() {
            let last = self.movers.len() - 1;
            if self.states[self.entry - 1] != self.states[last] {
                return;
            }
            // Both steps lead from the same state to the same state; the loop's one is kept, because the loop must stay
            // fair.
            self.movers[self.entry - 1] = self.movers[last];
            self.movers.pop();
            self.states.pop();
            self.entry -= 1;
        }
    }

    /// All runs that leave out what lies between two equal states, or close the loop there; shortest first.
    fn candidates(&self) -> Vec<Self> {
        let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (at, &state) in self.states.iter().enumerate() {
            places.entry(state).or_default().push(at);
        }
        let mut candidates = Vec::new();
        for positions in places.into_values() {
            for (rank, &i) in positions.iter().enumerate() {
                for &j in &positions[rank + 1..] {
                    if (i, j) != (self.entry, self.movers.len()) {
                        candidates.push(self.close(i, j));
                        candidates.extend(self.cut(i, j));
                    }
                }
            }
        }
        candidates.sort_by_key(|candidate| candidate.movers.len());
        candidates
    }

    fn close(&self, i: usize, j: usize) -> Self {
        Self { states: self.states[..=j].to_vec(), movers: self.movers[..j].to_vec(), entry: i }
    }

    fn cut(&self, i: usize, j: usize) -> Option<Self> {
        let entry = match self.entry {
            entry if j <= entry => entry - (j - i),
            entry if i >= entry => entry,
            _ => return None,
        };
        let mut cut = self.clone();
        cut.states.drain(i..j);
        cut.movers.drain(i..j);
        cut.entry = entry;
        (cut.entry < cut.movers.len()).then_some(cut)
    }

    fn is_fair(&self, product: &Product<'_>, fairness: Fairness) -> bool {
        let moves = |subject| self.movers[self.entry..].contains(&Some(subject));
        let rests =
            |subject| self.states[self.entry..].iter().any(|&state| !product.is_enabled(state, subject));
        match fairness {
            Fairness::None => true,
            // Only a subject that has a step at every state can be starved, so one state names them all.
            Fairness::Weak => {
                let mut candidates = product.enabled(self.states[self.entry]);
                candidates.all(|subject| moves(subject) || rests(subject))
            }
            Fairness::Strong => {
                let mut states = self.states[self.entry..].iter();
                states.all(|&state| product.enabled(state).all(moves))
            }
        }
    }

    /// Walks the automaton along the run: the pairs of mode and position are an automaton themselves.
    fn is_accepted(&self, product: &Product<'_>) -> bool {
        let length = self.movers.len();
        let mut numbers: BTreeMap<(u32, usize), u32> = BTreeMap::from([((0, 0), 0)]);
        let mut order = vec![(0, 0)];
        let mut walk = Automaton { transitions: Vec::new(), sink: None, ..product.automaton.clone() };
        while let Some(&(mode, at)) = order.get(walk.transitions.len()) {
            let next = if at + 1 == length { self.entry } else { at + 1 };
            let mut transitions = Vec::new();
            for &arc in &product.arcs[mode as usize] {
                if product.admits(arc, self.states[at]) {
                    let fresh = u32::try_from(order.len()).expect("as many as modes times positions");
                    let target = *numbers.entry((arc.target, next)).or_insert_with(|| {
                        order.push((arc.target, next));
                        fresh
                    });
                    transitions.push(Transition { label: Label::default(), sets: arc.sets, target });
                }
            }
            walk.transitions.push(transitions);
        }
        let (component, n_components) = walk.components();
        walk.sets_inside(&component, n_components).contains(&Some(walk.all_sets()))
    }
}
