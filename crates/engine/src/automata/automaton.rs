//! Generalised Büchi automata with acceptance on transitions.

use motet_model::AtomId;
use motet_property::Formula;

/// Accepts the infinite words on which some run takes transitions of every acceptance set again and again. It starts in
/// state 0; a run that has no transition for a letter ends there and accepts nothing.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// What labels speak of: state formulas over the model's atoms.
    pub propositions: Vec<Formula<AtomId>>,
    /// Per state: the transitions that leave it.
    pub transitions: Vec<Vec<Transition>>,
    /// How many acceptance sets there are.
    pub n_sets: u32,
    /// The state, if it exists, in which nothing more is demanded: every continuation is accepted.
    pub sink: Option<u32>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transition {
    /// Which letters it reads.
    pub label: Label,
    /// The acceptance sets it is in: bit `i` for set `i`.
    pub sets: u32,
    /// Where it leads.
    pub target: u32,
}

/// A conjunction of literals: bit `i` stands for proposition `i`. No bit at all is `true`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// Propositions that must hold.
    pub positive: u64,
    /// Propositions that must not hold.
    pub negative: u64,
}

impl Label {
    /// Whether a letter, given as the set of propositions that hold, satisfies the label.
    #[must_use]
    pub fn admits(self, letter: u64) -> bool {
        self.positive & !letter == 0 && self.negative & letter == 0
    }

    /// Whether every letter that satisfies `other` satisfies this one.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }

    /// The conjunction; `None` if it is contradictory.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let both =
            Self { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }
}

impl Automaton {
    /// All acceptance sets.
    #[must_use]
    pub fn all_sets(&self) -> u32 {
        u32::MAX.checked_shr(32 - self.n_sets).unwrap_or(0)
    }

    /// Per state the number of its strongly connected component, and how many there are. A transition never leads to a
    /// component with a higher number.
    pub(crate) fn components(&self) -> (Vec<u32>, u32) {
        let n = self.transitions.len();
        let mut search =
            Components { number: vec![0; n], low: vec![0; n], component: vec![u32::MAX; n], found: 0 };
        let (mut counter, mut stack, mut frames) = (0, Vec::new(), Vec::new());
        for root in 0..n {
            if search.number[root] == 0 {
                frames.push((root, 0));
            }
            while let Some((state, cursor)) = frames.pop() {
                if cursor == 0 {
                    counter += 1;
                    (search.number[state], search.low[state]) = (counter, counter);
                    stack.push(state);
                }
                match self.transitions[state].get(cursor) {
                    Some(transition) => {
                        frames.push((state, cursor + 1));
                        let target = transition.target as usize;
                        if search.number[target] == 0 {
                            frames.push((target, 0));
                        } else if search.component[target] == u32::MAX {
                            search.low[state] = search.low[state].min(search.number[target]);
                        }
                    }
                    None => search.leave(state, frames.last().map(|frame| frame.0), &mut stack),
                }
            }
        }
        (search.component, search.found)
    }

    /// Per component: the acceptance sets on transitions inside it; `None` if it has no transition inside.
    pub(crate) fn sets_inside(&self, component: &[u32], n_components: u32) -> Vec<Option<u32>> {
        let mut inside = vec![None; n_components as usize];
        for (state, transitions) in self.transitions.iter().enumerate() {
            for transition in transitions {
                if component[state] == component[transition.target as usize] {
                    let slot: &mut Option<u32> = &mut inside[component[state] as usize];
                    *slot = Some(slot.unwrap_or(0) | transition.sets);
                }
            }
        }
        inside
    }
}

/// Tarjan's bookkeeping.
struct Components {
    number: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    found: u32,
}

impl Components {
    fn leave(&mut self, state: usize, parent: Option<usize>, stack: &mut Vec<usize>) {
        if let Some(parent) = parent {
            self.low[parent] = self.low[parent].min(self.low[state]);
        }
        if self.low[state] != self.number[state] {
            return;
        }
        while let Some(member) = stack.pop() {
            self.component[member] = self.found;
            if member == state {
                break;
            }
        }
        self.found += 1;
    }
}
